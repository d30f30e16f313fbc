"""The two tables of prices of what a seat keeps after its pass, fitted by `python -m bench.passes`."""

from base64 import b64decode
from functools import cache
from struct import unpack
from typing import Final

from hearts.robot.keeping import ENTRIES


@cache
def to_duck() -> tuple[int, ...]:
    """By entry, in 64ths of a point: for a seat that ducks."""
    return _unpacked(_DUCK)


@cache
def to_shoot() -> tuple[int, ...]:
    """The same for a seat that tries to shoot the moon."""
    return _unpacked(_SHOOT)


def _unpacked(table: str) -> tuple[int, ...]:
    return unpack(f"<{ENTRIES}h", b64decode(table))


_DUCK: Final = """
7v8AAAAAAAAAANX/1f8AAAAAAAD1/9//0/8AAAAA///y/+H/+v8AAA0A/v/w//z/AgAFABUABAD6//z/DgAUAAcA8f/z/wYAGAAcAPv/+v8TAA4ADAAP
AAkABQASABUADQAJABgAHgAbAAoAAQAQABsAJAAQAAEAIQAUABQADgAHAPL/AAAAAAAAAAD+/9b/AAAAAAAA7v/J/+X/AAAAAPj/2v/e//v/AADu/9v/
yv/n/wAA5P/w/+L/5f/+/+b/8v/g/97/7v/p/+z/3v/j/+//4//z/+r/4//r/+j/8P/x/+n/3P+MAG8ARQAjAAoAIgAmABUABgDw/yAAKgAgAP7/4v+t
/wAAAAAAAAAAzf+k/wAAAAAAAOX/nP/o/wAAAAARALD/zf/9/wAAJADL/9n/9v/+/ywA5v/V//H//P8bAA8A5f/x//7/BAApAAkA/v/1/yoANAAPAPr/
BgAFAEoAKQAFAAkAIABKACoAFgANAAgAUQAtAB0ACQAIADYAOQAUABIAwf/u/xIAHQAaAAsA+v8BAAIA8f9KAEMACADR/9L/2//9/wAAw/8VAA8AAAAB
AA4ACAAAAAEA8f+k/4j/kv+6/9X/7f8tABUACwDy/+b/9v/9/xUAFAAmAA4A9f///wAAeQBrADQAEgAEAAMAAAAlADYAIQAUAAIAAAAAAO3/zv/w//3/
AQAAAAAA
"""
_SHOOT: Final = """
GQAAAAAAAAAAADYAJwAAAAAAAAAuABgAAwAAAAAAJAAbAAsABAAAAB4AGwATAAUABAAMABMAFAAWAAsAFAAaABMADgD5//z/BAARAAQA6v/9/wAA/P8C
AP3/3f/1/////f/w/+j/9//+/wIAwv/q//j/9v/v/7X/7v/w//H/zv+Q/0gAAAAAAAAAAAA6ACcAAAAAAAAAKQAkAAsAAAAAACwAGQAbAAUAAAAOAAoA
AgD//wAAEQARABwA/f8BAP//BQD2/wMA/v/6/wEAAgD7//z/4f/3//b/+v/z/+T/6v/2/wQA8/+p/xsALQAsADEACAAOAAcACQAUAPX/AwAeABIA5/+I
AAAAAAAAAAAAaAAPAAAAAAAAAFUAEgAMAAAAAAA4AP7/+/8AAAAALAADABcAAQD//yoA5f8HABsA/f8TAOH/BgANAP//6P/d//z/CAD9/wcA3f/M//7/
EQDj//j/0f/o//f/2f8jAMz/1v/v/77/CADa/6n/sv9r/yYA9P+b/3z/jP/7/z8ATAA7AC4A3P+m/wQApf/K/xkANAAmACYAAQD3/wAASP/MAI4ALQDV
/5z/vf8BAAEApf8EAPH/2v/V/+b/9P/+/ycAJwAjAB4AEwD6////CgD5/wIA9//7/wAAyf8fAC0ANQAxABMAAADi//3/AgDy/+r/AAAAAP7////+/wUA
AwAAAAAA
"""
