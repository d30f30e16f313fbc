"""The robot: what one seat sees goes in, a turn comes out, with its reason where that is asked for.

`choose` and level `rule` are plain Python and take some fifty microseconds. The other levels search, with an inner
loop that `warm_up`, or else the first search, loads; so do the figures of level `rule`, for whoever asks for them.
"""

from hearts.robot.choice import PLAYOUTS, Choice, Level, are_alike, choose, consider, has_a_choice, weighed
from hearts.robot.lines import answers, choice_mapping
from hearts.robot.race import warm_up

__all__ = [
    "PLAYOUTS",
    "Choice",
    "Level",
    "answers",
    "are_alike",
    "choice_mapping",
    "choose",
    "consider",
    "has_a_choice",
    "warm_up",
    "weighed",
]
