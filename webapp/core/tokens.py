"""Signed links: what each opens, how long it lives, and what is wrong with one that does not open.

A token names one thing and is signed with a salt for its purpose, so that one kind never passes for another. Whether
that thing is still awaited is for `service` and `company`; age is only the outer limit.

A link that gives power over a seat or a player carries a number of theirs, and is dead once that has moved on
(`webapp.games.links`). Links from before there were such numbers carry none, which counts as 0.
"""

from dataclasses import astuple, dataclass, fields
from datetime import timedelta
from typing import ClassVar, TypeVar

from itsdangerous import BadSignature, SignatureExpired, URLSafeTimedSerializer

from webapp.core.clocks import TolerantSigner

VERSION = 1


class LinkInvalid(ValueError):
    """The token was altered, forged, cut off, or is of another kind."""


class SeatLost(LinkInvalid):
    """The token is genuine, but somebody else has the seat by now."""

    def __init__(self, table_id: int) -> None:
        super().__init__()
        self.table_id = table_id


class LinkExpired(ValueError):
    """The token was genuine, but is too old, or minutes ahead of our clock, or its player has ended it."""


@dataclass(frozen=True, slots=True)
class Link:
    """What a token opens; each kind is a subclass with its own salt, path and life."""

    path: ClassVar[str]
    life: ClassVar[timedelta]


@dataclass(frozen=True, slots=True)
class ConfirmLink(Link):
    path: ClassVar[str] = "confirm"
    life: ClassVar[timedelta] = timedelta(days=7)
    table_id: int
    links: int = 0


@dataclass(frozen=True, slots=True)
class InvitationLink(Link):
    """The player is named beside the seat, because the host may offer a declined seat to somebody else."""

    path: ClassVar[str] = "invitation"
    life: ClassVar[timedelta] = timedelta(days=30)
    table_id: int
    seat: int
    player_id: int
    links: int = 0


@dataclass(frozen=True, slots=True)
class TurnLink(Link):
    """One seat's one decision: `due` is "pass", "trick 5" or "moon".

    The player is named because a chair may be given to somebody else; links of the first version name nobody (0).
    """

    path: ClassVar[str] = "turn"
    life: ClassVar[timedelta] = timedelta(days=120)
    game_id: int
    seat: int
    hand: int
    due: str
    player_id: int = 0
    links: int = 0


@dataclass(frozen=True, slots=True)
class PlayLink(Link):
    """A seat whose player has come to play: its page follows the game, and asks. Never in a mail."""

    path: ClassVar[str] = "play"
    life: ClassVar[timedelta] = timedelta(hours=12)
    table_id: int
    seat: int
    player_id: int
    visits: int = 0


@dataclass(frozen=True, slots=True)
class SeatLink(Link):
    """A seat's own table page: to look, not to play."""

    path: ClassVar[str] = "seat"
    life: ClassVar[timedelta] = timedelta(days=400)
    table_id: int
    seat: int
    player_id: int
    links: int = 0


@dataclass(frozen=True, slots=True)
class HandOverLink(Link):
    """A seat that its player may hand over, in the middle of a hand, to the one newcomer it is offered to."""

    path: ClassVar[str] = "hand-over"
    life: ClassVar[timedelta] = timedelta(days=120)
    table_id: int
    seat: int
    player_id: int
    newcomer_id: int
    links: int = 0


@dataclass(frozen=True, slots=True)
class HostLink(Link):
    """A table's settings, for its host: chairs, pace, talk, pause, end. Never in a mail that is passed on."""

    path: ClassVar[str] = "host"
    life: ClassVar[timedelta] = timedelta(days=2)
    table_id: int
    player_id: int
    visits: int = 0


@dataclass(frozen=True, slots=True)
class JoinLink(Link):
    """An open chair at a table for whoever proves by it that the address is hers."""

    path: ClassVar[str] = "join"
    life: ClassVar[timedelta] = timedelta(days=3)
    table_id: int
    player_id: int
    links: int = 0


@dataclass(frozen=True, slots=True)
class SignInLink(Link):
    path: ClassVar[str] = "sign-in"
    life: ClassVar[timedelta] = timedelta(minutes=30)
    player_id: int
    sign_ins: int


@dataclass(frozen=True, slots=True)
class PreferencesLink(Link):
    """How a player wants her mails: frequency, quiet hours, address, away."""

    path: ClassVar[str] = "wishes"
    life: ClassVar[timedelta] = timedelta(days=400)
    player_id: int
    generation: int = 0


@dataclass(frozen=True, slots=True)
class UnsubscribeLink(Link):
    """No more mails about one seat's table. One POST does it, from whatever program (RFC 8058)."""

    path: ClassVar[str] = "unsubscribe"
    life: ClassVar[timedelta] = timedelta(days=400)
    table_id: int
    seat: int
    player_id: int
    links: int = 0


@dataclass(frozen=True, slots=True)
class AddressLink(Link):
    """Of the first version: proved a new address, or (`sign_ins` is UNDO) undid a change. Only undoing still works."""

    path: ClassVar[str] = "address"
    life: ClassVar[timedelta] = timedelta(days=2)
    player_id: int
    address: str
    sign_ins: int


@dataclass(frozen=True, slots=True)
class NewAddressLink(Link):
    """Proves the address that a player wants to move to, and then tells how far that move has come."""

    path: ClassVar[str] = "new-address"
    life: ClassVar[timedelta] = timedelta(days=14)
    change_id: int


@dataclass(frozen=True, slots=True)
class OldAddressLink(Link):
    """Says yes or no to a move to another address. Sent to the address that the player has."""

    path: ClassVar[str] = "old-address"
    life: ClassVar[timedelta] = timedelta(days=14)
    change_id: int


@dataclass(frozen=True, slots=True)
class TakeBackLink(Link):
    """Undoes a move to another address, and ends all access to the games. Sent to the address that the player had."""

    path: ClassVar[str] = "take-back"
    life: ClassVar[timedelta] = timedelta(days=14)
    change_id: int


@dataclass(frozen=True, slots=True)
class AgainLink(Link):
    """Another game at the same table, asked for or agreed to by the player of a seat after game `number`."""

    path: ClassVar[str] = "again"
    life: ClassVar[timedelta] = timedelta(days=60)
    table_id: int
    seat: int
    player_id: int
    number: int
    links: int = 0


@dataclass(frozen=True, slots=True)
class ReliveLink(Link):
    """A finished hand with all its cards, for whoever is shown the link."""

    path: ClassVar[str] = "relive"
    life: ClassVar[timedelta] = timedelta(days=4000)
    game_id: int
    hand: int


@dataclass(frozen=True, slots=True)
class PracticeLink(Link):
    """A practice hand, for whoever opens it: what its deal is called, and the cards chosen so far, a letter each."""

    path: ClassVar[str] = "practice"
    life: ClassVar[timedelta] = timedelta(days=400)
    deal: str
    chosen: str


L = TypeVar("L", bound=Link)


class Signer:
    """Makes and reads tokens. `keys`: newest first; the first signs, all are accepted."""

    def __init__(self, keys: list[str], address: str) -> None:
        self._keys = keys[::-1]  # itsdangerous signs with the last
        self._address = address

    def token(self, link: Link) -> str:
        return self._serializer(type(link)).dumps([VERSION, *_values(link)])

    def url(self, link: Link) -> str:
        """The whole address of the page that the link opens, for mails."""
        return self.whole(self.local_url(link))

    def whole(self, path: str) -> str:
        """The whole address of a page of the site."""
        return f"{self._address}{path}"

    def local_url(self, link: Link) -> str:
        """The same within the site, for pages."""
        return f"/{link.path}/{self.token(link)}"

    def read(self, kind: type[L], token: str) -> L:
        """What the token opens. Raises LinkInvalid or LinkExpired."""
        try:
            version, *values = self._serializer(kind).loads(token, max_age=int(kind.life.total_seconds()))
        except SignatureExpired:
            raise LinkExpired from None
        except BadSignature:
            raise LinkInvalid from None
        if version != VERSION:
            raise LinkInvalid
        return kind(*values)

    def _serializer(self, kind: type[Link]) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self._keys, salt=kind.path, signer=TolerantSigner)


def _values(link: Link) -> tuple[object, ...]:
    """What a token holds: what its last fields have anyway is left out, as in links from before there were such."""
    values = astuple(link)
    for place in reversed(fields(link)):
        if place.default != values[-1]:
            break
        values = values[:-1]
    return values
