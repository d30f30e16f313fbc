"""Every page in every state worth looking at, as the context of its template.

Each module has the pages of one subject, and gives them as `pages()`. Parts that pages of several subjects show are in
the module of their own subject: the page of a table in `table`, the question of a turn in `turns`, the page that
follows the game in `play`, the invited table in `invitations`, what forms offer in `choices`.
"""

from functools import cache
from typing import Any

from tests.samples.pages import (
    addresses,
    again,
    away,
    book,
    card_style,
    deadlines,
    fair,
    games,
    host,
    invitations,
    lobby,
    mailbox,
    messenger,
    my_data,
    offers,
    opening,
    play,
    practice,
    preferences,
    problems,
    relive,
    results,
    sign_in,
    stand_ins,
    table,
    talk,
    turns,
)
from tests.samples.rendering import PageSample, Sample, framed
from webapp.core.say import LANGUAGES, tongue
from webapp.players.preferences import USUAL

CHOICE = {"languages": tuple(map(tongue, LANGUAGES)), "here": "/"}
FRAME: dict[str, Any] = {"mailbox": True, "player_name": None, "card_style": USUAL, **CHOICE}  # what every page gets
# fmt: off
SUBJECTS = (
    opening, invitations, lobby, messenger, games, again,
    turns, play, practice, card_style, talk,
    table, deadlines, host, offers, stand_ins,
    relive, results, fair, book,
    preferences, away, addresses, sign_in, my_data, mailbox,
    problems,
)
# fmt: on


@cache
def pages() -> dict[str, Sample]:
    """By name of the picture: the template, and its context."""
    made: dict[str, PageSample] = {}
    for subject in SUBJECTS:
        found = subject.pages()
        assert not made.keys() & found.keys(), "two pages have the same name"
        made |= found
    samples = {name: one if isinstance(one, tuple) else framed(one) for name, one in made.items()}
    return {name: (template, {**FRAME, **context}) for name, (template, context) in samples.items()}
