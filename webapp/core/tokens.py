"""Signed links: what each opens, how long it is valid, and why a token is rejected.

A token names one thing and is signed with a salt for its purpose, so that one kind never passes for another. Its age is
only the outer limit: `play` and `tables` decide whether the thing it names is still open.

A link that gives power over a seat or a player carries a counter of theirs, and dies when that counter moves on
(`webapp.games.record.links`).
"""

from dataclasses import dataclass, fields
from datetime import timedelta
from typing import ClassVar, TypeVar, dataclass_transform

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
