"""The reader's place in their visit to a game, which stands in the address of its page besides the token."""

from contextlib import suppress
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from flask import request

from hearts.seats import Seat
from webapp.forms.fields import BadField, read_number
from webapp.games.asked.visit import shown_by_now
from webapp.games.record.store import TableGame


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a visit; `webapp.games.asked.visit` says what follows."""

    shown: int | None = None  # up to which record they were shown how hands ended; None: as the records say
    at: int | None = None  # the hand whose question they are reading
    hand: int | None = None  # the hand that they have chosen to look at, whether it asks them or not
    waits: bool = True  # whether they want to see a hand go on by itself

    @property
    def query(self) -> str:
        """The query string of the page's address, with its question mark; empty at the usual place."""
        fields = {"hand": self.hand, "at": self.at, "shown": self.shown, "waits": None if self.waits else "no"}
        named = {name: value for name, value in fields.items() if value is not None}
        return f"?{urlencode(named)}" if named else ""


def place() -> Place:
    """The place that the request is about; a form of a turn names what its page has shown."""
    args = request.args
    shown = _number(args.get("shown"))
    return Place(
        _number(request.form.get("shown")) if shown is None else shown,
        _number(args.get("at")),
        _number(args.get("hand")),
        args.get("waits") != "no",
    )


def place_in(stored: TableGame, me: Seat) -> Place:
    """The same with what the player of the seat has been shown so far."""
    now = place()
    return now if now.shown is not None else replace(now, shown=shown_by_now(stored, me))


def _number(text: str | None) -> int | None:
    with suppress(BadField):
        return read_number(text or "")
    return None
