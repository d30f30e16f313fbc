"""Signed links: what each opens, how long it is valid, and why a token is rejected.

A token names one thing and is signed with a salt for its purpose, so that one kind never passes for another. Its age is
only the outer limit: `play` and `tables` decide whether the thing it names is still open.

A link that gives power over a seat or a player carries a counter of theirs, and dies when that counter moves on
(`webapp.games.record.links`).
"""

from dataclasses import dataclass, fields
from datetime import timedelta
from typing import ClassVar, TypeVar

from itsdangerous import BadSignature, SignatureExpired, URLSafeTimedSerializer

from webapp.core.eras import Eras, TolerantSigner, no_restorations

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


@dataclass(frozen=True, slots=True)
class Link:
    """The target of a token. Each kind is a subclass with its own path, which is also the salt, and its own `ttl`."""

    path: ClassVar[str]
    ttl: ClassVar[timedelta]
    names_rows: ClassVar[bool] = True  # whether a restored database may have given its ids to others


@dataclass(frozen=True, slots=True)
class OfSeat(Link):
    """The fields of a link for the player of a seat. It names them, because the seat may pass to somebody else."""

    table_id: int
    seat: int
    player_id: int
    links: int = 0


@dataclass(frozen=True, slots=True)
class ConfirmLink(Link):
    path: ClassVar[str] = "confirm"
    ttl: ClassVar[timedelta] = timedelta(days=7)
    table_id: int
    links: int = 0


@dataclass(frozen=True, slots=True)
class InvitationLink(OfSeat):
    """An invitation to a seat. It names the player, because the host may offer a declined seat to somebody else."""

    path: ClassVar[str] = "invitation"
    ttl: ClassVar[timedelta] = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class TurnLink(Link):
    """One decision of one seat: `due` is "pass", "trick 5" or "moon".

    It names the player, because the seat may pass to somebody else.
    """

    path: ClassVar[str] = "turn"
    ttl: ClassVar[timedelta] = timedelta(days=120)
    game_id: int
    seat: int
    hand: int
    due: str
    player_id: int
    links: int = 0


@dataclass(frozen=True, slots=True)
class PlayLink(Link):
    """A page that follows the game and lets the seat's player play. Only pages make this link; it is never mailed."""

    path: ClassVar[str] = "play"
    ttl: ClassVar[timedelta] = timedelta(hours=12)
    table_id: int
    seat: int
    player_id: int
    visits: int = 0


@dataclass(frozen=True, slots=True)
class SeatLink(OfSeat):
    """The table page of a seat, which shows the game but does not let anybody play."""

    path: ClassVar[str] = "seat"
    ttl: ClassVar[timedelta] = timedelta(days=400)


@dataclass(frozen=True, slots=True)
class EveningLink(OfSeat):
    """The page of an evening together: says which hours suit the seat's player, and lets them in while it lasts.

    Mailed, and in calendars. It shows no cards.
    """

    path: ClassVar[str] = "evening"
    ttl: ClassVar[timedelta] = timedelta(days=120)


@dataclass(frozen=True, slots=True)
class HandOverLink(Link):
    """Leads to the table page of a player whose seat the host has offered to somebody; in older mails and pages."""

    path: ClassVar[str] = "hand-over"
    ttl: ClassVar[timedelta] = timedelta(days=120)
    table_id: int
    seat: int
    player_id: int
    newcomer_id: int
    links: int = 0


@dataclass(frozen=True, slots=True)
class HostLink(Link):
    """A table's settings, for its host: seats, pace, talk, pause, end. Never in a mail that people forward."""

    path: ClassVar[str] = "host"
    ttl: ClassVar[timedelta] = timedelta(days=2)
    table_id: int
    player_id: int
    visits: int = 0


@dataclass(frozen=True, slots=True)
class JoinLink(Link):
    """Takes an open seat at a table. Opening the link from the mail proves that the address is the newcomer's."""

    path: ClassVar[str] = "join"
    ttl: ClassVar[timedelta] = timedelta(days=3)
    table_id: int
    player_id: int
    links: int = 0
    by_link: int = 0  # the number of the MessengerLink by which they came; 0: from the lobby


@dataclass(frozen=True, slots=True)
class MessengerLink(Link):
    """Leads whoever opens it to the free seats at a table. Its host sends it by messenger, and may take it back."""

    path: ClassVar[str] = "come"
    ttl: ClassVar[timedelta] = timedelta(days=30)
    table_id: int
    number: int


@dataclass(frozen=True, slots=True)
class SignInLink(Link):
    path: ClassVar[str] = "sign-in"
    ttl: ClassVar[timedelta] = timedelta(minutes=30)
    player_id: int
    sign_ins: int


@dataclass(frozen=True, slots=True)
class PreferencesLink(Link):
    """A player's preferences: how often mails come, quiet hours, address, being away."""

    path: ClassVar[str] = "preferences"
    ttl: ClassVar[timedelta] = timedelta(days=400)
    player_id: int
    generation: int = 0


@dataclass(frozen=True, slots=True)
class FormerPreferencesLink(PreferencesLink):
    """The same in mails from before version 1.0, which may lie in inboxes for as long as they are valid."""

    path: ClassVar[str] = "wishes"


@dataclass(frozen=True, slots=True)
class ForgetLink(Link):
    """Deletes everything of a player's, once they confirm it; mailed to them after they have asked for it."""

    path: ClassVar[str] = "forget"
    ttl: ClassVar[timedelta] = timedelta(days=1)
    player_id: int
    generation: int = 0


@dataclass(frozen=True, slots=True)
class DeviceLink(Link):
    """Lets a device that asked for it be told of its player's turns. Sent to the player."""

    path: ClassVar[str] = "device"
    ttl: ClassVar[timedelta] = timedelta(days=2)
    player_id: int
    device_id: int
    generation: int = 0


@dataclass(frozen=True, slots=True)
class UnsubscribeLink(OfSeat):
    """Unsubscribes a seat from its table's mails. One POST by a mail program is enough (RFC 8058)."""

    path: ClassVar[str] = "unsubscribe"
    ttl: ClassVar[timedelta] = timedelta(days=400)


@dataclass(frozen=True, slots=True)
class LeaveLink(OfSeat):
    """Leads a player who has muted the table to the page "Away"; in older mails."""

    path: ClassVar[str] = "leave"
    ttl: ClassVar[timedelta] = timedelta(days=120)


@dataclass(frozen=True, slots=True)
class NewAddressLink(Link):
    """Proves the address that a player wants to move to; afterwards it shows the progress of the move."""

    path: ClassVar[str] = "new-address"
    ttl: ClassVar[timedelta] = timedelta(days=14)
    change_id: int


@dataclass(frozen=True, slots=True)
class OldAddressLink(Link):
    """Approves or rejects a move to another address. Sent to the player's current address."""

    path: ClassVar[str] = "old-address"
    ttl: ClassVar[timedelta] = timedelta(days=14)
    change_id: int


@dataclass(frozen=True, slots=True)
class TakeBackLink(Link):
    """Undoes a move to another address and ends all other access to the games. Sent to the player's old address."""

    path: ClassVar[str] = "take-back"
    ttl: ClassVar[timedelta] = timedelta(days=14)
    change_id: int


@dataclass(frozen=True, slots=True)
class OtherAddressLink(Link):
    """Lets answers from another address count, or not any more. Sent to the player's own address."""

    path: ClassVar[str] = "other-address"
    ttl: ClassVar[timedelta] = timedelta(days=14)
    change_id: int


@dataclass(frozen=True, slots=True)
class AgainLink(Link):
    """Lets the player of a seat propose, or agree to, another game at the same table after game `number`."""

    path: ClassVar[str] = "again"
    ttl: ClassVar[timedelta] = timedelta(days=60)
    table_id: int
    seat: int
    player_id: int
    number: int
    links: int = 0


@dataclass(frozen=True, slots=True)
class ReliveLink(Link):
    """A finished hand with all its cards, for anybody who has the link.

    A link that names a player also shows them, as long as they have the seat, what the robot thinks of their turns.
    """

    path: ClassVar[str] = "relive"
    ttl: ClassVar[timedelta] = timedelta(days=4000)
    game_id: int
    hand: int
    seat: int = 0
    player_id: int = 0
    links: int = 0


@dataclass(frozen=True, slots=True)
class SharedLink(Link):
    """The result of a game and all its hands, for anybody who has the link, until its player stops sharing it."""

    path: ClassVar[str] = "shared"
    ttl: ClassVar[timedelta] = timedelta(days=4000)
    share_id: int
    number: int


@dataclass(frozen=True, slots=True)
class PracticeLink(Link):
    """A practice hand, for anybody who has the link: the name of its deal and a letter for each card chosen so far."""

    path: ClassVar[str] = "practice"
    ttl: ClassVar[timedelta] = timedelta(days=400)
    names_rows: ClassVar[bool] = False
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
        return self._serializer(type(link)).dumps([VERSION, *_values(link)])

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


def _values(link: Link) -> list[object]:
    """The values that go into a token. Trailing fields that have their defaults are left out, as in older links."""
    places = fields(link)
    values = [getattr(link, place.name) for place in places]
    while values and places[len(values) - 1].default == values[-1]:
        values.pop()
    return values
