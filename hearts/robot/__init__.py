"""The robot: what one seat sees goes in, a turn comes out, with its reason where that is asked for."""

from hearts.robot.choice import PLAYOUTS, Choice, Level, choose, consider

__all__ = ["PLAYOUTS", "Choice", "Level", "choose", "consider"]
