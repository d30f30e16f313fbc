"""The robot: from what one seat sees it chooses a turn, with a reason if the caller asks for one.

`choose` and level `rule` are plain Python and take some fifty microseconds. The other levels search with an inner loop,
which `warm_up` loads, or else the first search. Level `rule` needs it, too, if the caller asks for its figures.
"""

from hearts.robot.choice import (
    PLAYOUTS,
    Choice,
    Level,
    are_alike,
    choose,
    consider,
    has_a_choice,
    playouts_in,
    weighed,
)
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
    "playouts_in",
    "warm_up",
    "weighed",
]
