"""How long a player wants us to wait for them where a choice hardly matters."""

from enum import StrEnum


class Wait(StrEnum):
    """How long to wait where it hardly matters."""

    FULL = "full"  # the full time, as where it matters
    SHORT = "short"  # 4 hours
    NONE = "none"  # not at all
