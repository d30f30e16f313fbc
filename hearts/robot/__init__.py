"""The robot: what one seat sees goes in, a turn comes out."""

from hearts.robot.simple import choose

__all__ = ["choose"]
