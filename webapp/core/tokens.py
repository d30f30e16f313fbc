"""Signed links: what each opens, how long it is valid, and why a token is rejected.

A token names one thing and is signed with a salt for its purpose, so that one kind never passes for another. Its age is
only the outer limit: `play` and `tables` decide whether the thing it names is still open.

A link that gives power over a seat or a player carries a counter of theirs, and dies when that counter moves on
(`webapp.games.record.links`).
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, TypeVar, dataclass_transform

from itsdangerous import BadSignature, SignatureExpired, TimestampSigner, URLSafeTimedSerializer
from sqlalchemy import column, select, table

from webapp.core.database import Database

# Eras: what a restored backup has lost, and what must not open anything any more therefore.
# After a restore the database gives out the ids again that it had given out since the backup, to others. So no link and
# no cookie that was signed in between is valid, and the address of a letter is signed with the era in which it was
# made.

SKEW = timedelta(seconds=10)  # by which the clock of the machine that signed may have been behind
_RESTORATION = table("restoration", column("backed_up_at"), column("restored_at"), column("letters"))


@dataclass(frozen=True, slots=True)
class Restoration:
    """One restore: the time that is lost, and the id of the last letter that is not."""

    backed_up_at: datetime
    restored_at: datetime
    letters: int

    @property
    def era(self) -> str:
        """The name of the time after it."""
        return self.restored_at.isoformat()


Eras = Callable[[], tuple[Restoration, ...]]  # in order


def no_restorations() -> tuple[Restoration, ...]:
    """Returns the restorations of a database that was never restored: none."""
    return ()


def restorations(database: Database) -> tuple[Restoration, ...]:
    """Returns the restorations that the database notes, in order."""
    with database.reading() as session:
        rows = session.connection().execute(select(_RESTORATION).order_by(_RESTORATION.c.restored_at)).all()
    return tuple(Restoration(_in_utc(row.backed_up_at), _in_utc(row.restored_at), row.letters) for row in rows)


def is_lost(eras: tuple[Restoration, ...], signed_at: datetime) -> bool:
    """Whether what was signed then was signed in a time that is lost."""
    return any(one.backed_up_at - SKEW <= signed_at < one.restored_at for one in eras)


def era_of(eras: tuple[Restoration, ...], letter_id: int) -> str:
    """The era in which a letter was made; empty before the first restore."""
    return next((one.era for one in reversed(eras) if letter_id > one.letters), "")


def _in_utc(at: datetime | str) -> datetime:
    """SQLite knows text alone."""
    found = datetime.fromisoformat(at) if isinstance(at, str) else at
    return found.replace(tzinfo=found.tzinfo or UTC)


# Tolerance for clock skew: a time that one machine notes may be in another's future, or be over too soon.
# Timestamped signatures are accepted five minutes early and five minutes late, and rings (`bell`) last that much longer
# than they need to. The clock of the database decides what is due (`database_clock`).

TOLERANCE = timedelta(minutes=5)


class TolerantSigner(TimestampSigner):
    """The library's signer, which also accepts a signature that is up to `TOLERANCE` too new or too old.

    It accepts none from a time that a restore has lost (`Eras`).
    """

    def __init__(self, *args: Any, eras: Eras = no_restorations, **others: Any) -> None:
        super().__init__(*args, **others)
        self._eras = eras

    def unsign(self, signed_value: str | bytes, max_age: int | None = None, return_timestamp: bool = False) -> Any:
        value, signed_at = super().unsign(signed_value, return_timestamp=True)
        if is_lost(self._eras(), signed_at):
            raise SignatureExpired("Signed in a time that is lost", payload=value, date_signed=signed_at)
        age, most = time.time() - signed_at.timestamp(), TOLERANCE.total_seconds()
        if max_age is not None and not -most <= age <= max_age + most:
            raise SignatureExpired(f"Signature age {age:.0f} seconds", payload=value, date_signed=signed_at)
        return (value, signed_at) if return_timestamp else value


VERSION = 1


class LinkInvalid(ValueError):
    """The token was altered, forged or truncated, or is of another kind."""


class SeatLost(LinkInvalid):
    """The token is genuine, but somebody else has the seat now."""

    def __init__(self, table_id: int) -> None:
        super().__init__()
        self.table_id = table_id


class SeatLent(SeatLost):
    """The token is genuine, and its player, who is away, lets somebody else play the seat until they are back."""

    def __init__(self, table_id: int, seat: int) -> None:
        super().__init__(table_id)
        self.seat = seat


class LinkExpired(ValueError):
    """The token is genuine, but too old, or minutes ahead of our clock, or its player has revoked it, or it is of a
    time that a restore has lost.
    """


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Link:
    """The target of a token. A kind of link is a row below: its path, which is also the salt, the days for which its
    tokens are valid, and its fields. Tokens hold their values alone, so a new field comes last, and has a default.
    """

    path: ClassVar[str]
    ttl: ClassVar[timedelta]
    names_rows: ClassVar[bool]  # whether a restored database may have given its ids to others

    def __init_subclass__(cls, path: str = "", days: float = 0, *, names_rows: bool = True) -> None:
        cls.path, cls.ttl, cls.names_rows = path, timedelta(days=days), names_rows
        dataclass(frozen=True)(cls)
        if path:
            _KINDS[path] = cls


_KINDS: dict[str, type[Link]] = {}  # by path


def kind_at(path: str) -> type[Link] | None:
    """The kind of link that opens the pages at and below `/path/`; None if none does."""
    return _KINDS.get(path)


class OfSeat(Link):
    """For the player of a seat. It names them, because the seat may pass to somebody else."""

    table_id: int
    seat: int
    player_id: int
    links: int = 0


class InvitationLink(OfSeat, path="invitation", days=30):
    """An invitation to a seat."""


class SeatLink(OfSeat, path="seat", days=400):
    """The table page of a seat, which shows the game but does not let anybody play."""


class EveningLink(OfSeat, path="evening", days=120):
    """Leads to the table page of a player who was asked for an hour at which to play live; in older mails."""


class UnsubscribeLink(OfSeat, path="unsubscribe", days=400):
    """Unsubscribes a seat from its table's mails. One POST by a mail program is enough (RFC 8058)."""


class LeaveLink(OfSeat, path="leave", days=120):
    """Leads a player who has muted the table to the page "Away"; in older mails."""


class HandOverLink(Link, path="hand-over", days=120):
    """Leads to the table page of a player whose seat the host has offered to somebody; in older mails and pages."""

    table_id: int
    seat: int
    player_id: int
    newcomer_id: int
    links: int = 0


class AgainLink(Link, path="again", days=60):
    """Lets the player of a seat propose, or agree to, another game at the same table after game `number`."""

    table_id: int
    seat: int
    player_id: int
    number: int
    links: int = 0


class TurnLink(Link, path="turn", days=120):
    """One decision of one seat: `due` is "pass", "trick 5" or "moon". It names the player, as `OfSeat` does."""

    game_id: int
    seat: int
    hand: int
    due: str
    player_id: int
    links: int = 0


class PlayLink(Link, path="play", days=0.5):
    """A page that follows the game and lets the seat's player play. Only pages make this link; it is never mailed."""

    table_id: int
    seat: int
    player_id: int
    visits: int = 0


class HostLink(Link, path="host", days=2):
    """A table's settings, for its host: seats, pace, talk, pause, end. Never in a mail that people forward."""

    table_id: int
    player_id: int
    visits: int = 0


class ConfirmLink(Link, path="confirm", days=7):
    """Opens and deals a table that its host has described."""

    table_id: int
    links: int = 0


class JoinLink(Link, path="join", days=3):
    """Takes an open seat at a table. Opening the link from the mail proves that the address is the newcomer's."""

    table_id: int
    player_id: int
    links: int = 0
    by_link: int = 0  # the number of the MessengerLink by which they came; 0: from the lobby


class MessengerLink(Link, path="come", days=30):
    """Leads whoever opens it to the free seats at a table. Its host sends it by messenger, and may take it back."""

    table_id: int
    number: int


class SignInLink(Link, path="sign-in", days=1 / 48):
    """Signs its player in, once."""

    player_id: int
    sign_ins: int


class PreferencesLink(Link, path="preferences", days=400):
    """A player's preferences: how often mails come, quiet hours, address, being away."""

    player_id: int
    generation: int = 0


class FormerPreferencesLink(PreferencesLink, path="wishes", days=400):
    """The same in mails from before version 1.0, which may lie in inboxes for as long as they are valid."""


class ForgetLink(Link, path="forget", days=1):
    """Deletes everything of a player's, once they confirm it; mailed to them after they have asked for it."""

    player_id: int
    generation: int = 0


class DeviceLink(Link, path="device", days=2):
    """Lets a device that asked for it be told of its player's turns. Sent to the player."""

    player_id: int
    device_id: int
    generation: int = 0


class OfChange(Link):
    """For a player one of whose addresses is to change."""

    change_id: int


class NewAddressLink(OfChange, path="new-address", days=14):
    """Proves the address that a player wants to move to; afterwards it shows the progress of the move."""


class OldAddressLink(OfChange, path="old-address", days=14):
    """Approves or rejects a move to another address. Sent to the player's current address."""


class TakeBackLink(OfChange, path="take-back", days=14):
    """Undoes a move to another address and ends all other access to the games. Sent to the player's old address."""


class OtherAddressLink(OfChange, path="other-address", days=14):
    """Lets answers from another address count, or not any more. Sent to the player's own address."""


class ReliveLink(Link, path="relive", days=4000):
    """A finished hand with all its cards, for anybody who has the link.

    A link that names a player also shows them, as long as they have the seat, what the robot thinks of their turns.
    """

    game_id: int
    hand: int
    seat: int = 0
    player_id: int = 0
    links: int = 0


class SharedLink(Link, path="shared", days=4000):
    """The result of a game and all its hands, for anybody who has the link, until its player stops sharing it."""

    share_id: int
    number: int


class PracticeLink(Link, path="practice", days=400, names_rows=False):
    """A practice hand, for anybody who has the link: the name of its deal and a letter for each card chosen so far."""

    deal: str
    chosen: str


L = TypeVar("L", bound=Link)


class Signer:
    """Makes and reads tokens. `keys`: newest first; the first signs, all are accepted."""

    def __init__(self, keys: list[str], address: str, eras: Eras = no_restorations) -> None:
        self._keys = keys[::-1]  # itsdangerous signs with the last one
        self._eras = eras
        self._address = address
        self._serializers: dict[type[Link], URLSafeTimedSerializer] = {}

    def token(self, link: Link) -> str:
        places = fields(link)
        values = [getattr(link, place.name) for place in places]
        # Trailing fields that have their defaults are left out, as in older links.
        while values and places[len(values) - 1].default == values[-1]:
            values.pop()
        return self._serializer(type(link)).dumps([VERSION, *values])

    def url(self, link: Link) -> str:
        """The absolute URL of the page that the link opens, for mails."""
        return self.absolute_url(self.local_url(link))

    def absolute_url(self, path: str) -> str:
        """The absolute URL of a page of the site."""
        return f"{self._address}{path}"

    def local_url(self, link: Link) -> str:
        """The path of the page that the link opens, for links between pages."""
        return f"/{link.path}/{self.token(link)}"

    def read(self, kind: type[L], token: str, *, even_old: bool = False) -> L:
        """The link that was signed into `token`. Raises LinkInvalid, and LinkExpired unless it may be `even_old`."""
        most = None if even_old else int(kind.ttl.total_seconds())
        try:
            version, *values = self._serializer(kind).loads(token, max_age=most)
        except SignatureExpired:
            raise LinkExpired from None
        except BadSignature:
            raise LinkInvalid from None
        if version != VERSION:
            raise LinkInvalid
        try:
            return kind(*values)
        except TypeError:  # from before the link had all of its fields
            raise LinkInvalid from None

    def _serializer(self, kind: type[Link]) -> URLSafeTimedSerializer:
        if kind not in self._serializers:
            eras = self._eras if kind.names_rows else no_restorations
            self._serializers[kind] = URLSafeTimedSerializer(
                self._keys, salt=kind.path, signer=TolerantSigner, signer_kwargs={"eras": eras}
            )
        return self._serializers[kind]
