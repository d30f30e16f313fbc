"""The two tables of prices of what a seat keeps after its pass, fitted by `python -m bench.passes`."""

from base64 import b64decode
from functools import cache
from struct import unpack
from typing import Final

from hearts.robot.keeping import ENTRIES


@cache
def to_duck() -> tuple[int, ...]:
    """By entry, its share of a price in 64ths of a point, for a seat that ducks."""
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
GAAAAAAAAAAAAC8ALwAAAAAAAAApABwA//8AAAAAHwAgAAYAAAAAAB8AGAAKAAMAAAATAAwAFwAJAAAADgAWAAwABAD5/+//BAAQAAMA+v/3//z/CgD8
/wIA6//p//r/+P/3/+j/9P/5/wkA1v/n/+v/7v/t/9v/6f/r//3/9//D/0EAAAAAAAAAAAA2ABgAAAAAAAAAJwAeAAcAAAAAACMAHQACAAAAAAAUABwA
BAACAAAADAAHAA4ABQAAAPr/BgD7//H/AADw//X////s//3/7f/o//H/CgDr/9T/6v8LAAMAAQDC/xoAJwAQAAQAAQAFAAgAEAD6//f/AQAKAAcACQBl
AAAAAAAAAAAATQAJAAAAAAAAADgA/v8CAAAAAAAzAAYA+v8AAAAAEQADAPj/+/8AAB0A/P8DAO7/AAD9//v/AgAAAPj/4f/5//z/DAAAAPv//P/u/wYA
6f/e/wUA7v/2/+3/4v8GAN//7P/w//X/BADk/8j/6f+H//r/GQDS/6L/qf/8/y8ANwAfABUA8//Q//3/uv/i/xkAMwAdAAgA8f8CAAAAof9ZAFgANgDr
/8X/0v/2/wAAuv8GAPv/9f/2/+v//f/6/yYAHgATAAIA/f8BAP7/AwDx/woADAACAAAA4v8XAB4AFAAIAAMAAADj/wMADwAOAPr/AQAAAP3/AAD7/+7/
//8AAAAA
"""
