"""Why the robot chose as it did, in one sentence that a person would say."""

from collections.abc import Sequence

from hearts.robot.race import Arm
from hearts.robot.reading import Position
from hearts.turns import Turn


def reason(place: Position, turn: Turn, arms: Sequence[Arm] = ()) -> str:
    return "it looks best"
