"""The parts that every email about a table has: its reader, the table, the links and the foot."""

from typing import Any

from tests.samples.cast import NASTY
from tests.samples.games import CLASSIC
from tests.samples.links import FOOT, RULES_LINK, TABLE_LINK
from tests.samples.tables import summary

LINKS: dict[str, Any] = {"table_link": TABLE_LINK, "rules_link": RULES_LINK, "is_answered": True, "said": (), **FOOT}
TO_DI: dict[str, Any] = {"you": "Di", "table": summary(CLASSIC), **LINKS}
TO_NASTY: dict[str, Any] = {"you": NASTY[0], "table": summary(CLASSIC, NASTY), **LINKS}


IN_GAME: dict[str, Any] = {**TO_DI, "in_game": True}


def frame_of(name: str) -> dict[str, Any]:
    """The frame of a mail about a game, in the sample of that name."""
    return {**(TO_NASTY if name == "nasty" else TO_DI), "in_game": True}
