"""The robot: what one seat sees goes in, a turn comes out, with its reason where that is asked for.

`choose` and level `rule` are plain Python and take some fifty microseconds. The other levels search, with an inner
loop that `warm_up`, or else the first search, loads.
"""

from hearts.robot.choice import PLAYOUTS, Choice, Level, choose, consider
from hearts.robot.lines import answers, choice_mapping
from hearts.robot.race import warm_up

__all__ = ["PLAYOUTS", "Choice", "Level", "answers", "choice_mapping", "choose", "consider", "warm_up"]
