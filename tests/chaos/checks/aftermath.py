"""The remains of a run: the service's rows, the relay's mails, and the players' notes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from urllib.parse import urlsplit

from sqlalchemy.orm import defer
from sqlmodel import col, select

from hearts.game import Stage
from hearts.seats import Seat
from tests.chaos.notes import Deed, Notes, Way
from tests.chaos.relay import MoodyRelay
from tests.chaos.restoring import Lost
from tests.end_to_end.service import Service
from tests.servers import Mail
from webapp.core.addresses import AddressInvalid
from webapp.core.runtime import Runtime
from webapp.core.tokens import HostLink, Signer
from webapp.games.asked.due import Due
from webapp.games.record import store
from webapp.games.record.store import TableGame
from webapp.models import (
    AddressChangeRow,
    ChangeState,
    GameRow,
    GameState,
    InboundRow,
    LetterKind,
    LetterRow,
    LetterState,
    PlayerRow,
    SeatRow,
    TableRow,
    TalkRow,
    TurnRow,
)

A_MOMENT = timedelta(seconds=1)
Place = tuple[int, int, Due]  # the game, the seat, and what it is asked for


@dataclass
class Aftermath:
    """`at` is when the service was at rest."""

    service: Service
    runtime: Runtime
    relay: MoodyRelay
    notes: Notes
    at: datetime
    lost: Lost | None = None  # by a backup that was restored
    apart: timedelta = A_MOMENT  # the most between two clocks, or a look at one and what follows

    @property
    def skew(self) -> timedelta:
        """By how much the clocks of two machines differ at most."""
        return self.apart - A_MOMENT

    def __post_init__(self) -> None:
        self.signer = Signer(self.runtime.keys, self.runtime.settings.address)  # which also reads what is lost
        if self.lost:
            self._forget(self.lost)
        with self.runtime.database.reading() as session:
            self.players = {row.id: row for row in session.exec(select(PlayerRow))}
            self.tables = session.exec(select(TableRow).order_by(col(TableRow.id))).all()
            self.changes = session.exec(select(AddressChangeRow).order_by(col(AddressChangeRow.id))).all()
            self.talk = session.exec(select(TalkRow)).all()
            self.seats: Sequence[SeatRow] = session.exec(select(SeatRow)).all()
            texts = defer(LetterRow.message), defer(LetterRow.subject)  # type: ignore[arg-type]
            self.letters = session.exec(select(LetterRow).options(*texts)).all()
            self.inbound = session.exec(select(InboundRow).options(defer(InboundRow.raw))).all()  # type: ignore[arg-type]
            ids = session.exec(select(GameRow.id).order_by(col(GameRow.id))).all()
            self.unreadable: dict[int, str] = {}
            self.games: dict[int, TableGame] = {}
            for game_id in ids:
                try:
                    self.games[game_id] = store.load(session, game_id)
                except (LookupError, ValueError) as error:
                    self.unreadable[game_id] = str(error)
            self.turns: Mapping[int, list[TurnRow]] = defaultdict(list)
            for turn in session.exec(select(TurnRow).order_by(col(TurnRow.game_id), col(TurnRow.number))):
                self.turns[turn.game_id].append(turn)

    def _forget(self, lost: Lost) -> None:
        """Forgets what was lost with the database: nobody knows what came of it, if it is about anything at all."""
        with self.runtime.database.reading() as session:
            sent_at = dict(session.exec(select(LetterRow.message_id, LetterRow.sent_at)).all())

        def is_lost(mail: Mail, at: datetime) -> bool:
            kept = sent_at.get(str(mail.message["Message-ID"]))
            return lost.covers(at) and (kept is None or kept >= lost.until)

        self.relay.forget(is_lost)
        known = [deed for deed in self.notes.deeds if deed.at < lost.since or self._is_about_something(deed, lost)]
        unknown = {deed for deed in known if deed.at < lost.until and deed.ended >= lost.since}
        self.notes.deeds[:] = [replace(deed, answer=None) if deed in unknown else deed for deed in known]
        self.notes.shown[:] = [one for one in self.notes.shown if not lost.covers(one.ended)]
        self.notes.shown[:] = [one for one in self.notes.shown if not lost.has_signed(one.to.split("/")[2])]
        for _, device in self.notes.devices:
            told = device.notifications
            told[:] = [one for one in told if not lost.has_signed(urlsplit(one.shown["url"]).path.split("/")[2])]

    def _is_about_something(self, deed: Deed, lost: Lost) -> bool:
        """Whether the link or the address of a deed was not lost with what it was about."""
        if deed.way is Way.FORM:
            return not lost.has_signed(deed.token)
        with suppress(AddressInvalid):
            return bool(self.runtime.postmark.read(deed.to))
        return False

    @cached_property
    def questions(self) -> Mapping[Place, list[LetterRow]]:
        """The letters that ask for a turn, by what they ask for."""
        found: dict[Place, list[LetterRow]] = defaultdict(list)
        for letter in self.letters:
            for game_id, seat, hand, what in letter.asked or ():
                found[game_id, seat, Due(hand, what)].append(letter)
        return found

    def is_ended(self, stored: TableGame) -> bool:
        """Whether the game has ended early, because its host has proposed that."""
        is_early = stored.row.state is GameState.OVER and stored.game.stage is not Stage.OVER
        return is_early and stored.table.id in self._proposed_ends

    @cached_property
    def _proposed_ends(self) -> set[int]:
        deeds = (deed for deed in self.notes.deeds if deed.place == "host/end")
        return {self.signer.read(HostLink, deed.token, even_old=True).table_id for deed in deeds}

    @cached_property
    def rests(self) -> Sequence[LetterRow]:
        """The letters that say that a game has been put to rest."""
        return [letter for letter in self.letters if letter.kind is LetterKind.RESTING]

    @cached_property
    def by_message_id(self) -> Mapping[str, LetterRow]:
        return {letter.message_id: letter for letter in self.letters}

    @cached_property
    def addresses(self) -> Mapping[int, set[str]]:
        """All addresses that each player has, or has had."""
        found = {number: {player.address or ""} for number, player in self.players.items()}
        for change in self.changes:
            if change.state in (ChangeState.DONE, ChangeState.UNDONE):
                found[change.player_id] |= {change.old_address, change.new_address}
        return found

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {address: number for number, addresses in self.addresses.items() for address in addresses}

    def player_at(self, address: str) -> int | None:
        """The number of the player who has, or has had, the address; None if nobody has."""
        return self._numbers.get(address)

    @cached_property
    def by_id(self) -> Mapping[int, LetterRow]:
        return {letter.id: letter for letter in self.letters}

    def went_out(self, letter: LetterRow) -> bool:
        """Whether the letter was sent, or the relay has refused its address for good: then there is nothing to send."""
        return letter.state is LetterState.SENT or self.is_unreachable(letter.player_id)

    def is_unreachable(self, player_id: int) -> bool:
        player = self.players[player_id]
        return player.unreachable_at is not None or not self.addresses[player_id].isdisjoint(self.relay.never)


def called(stored: TableGame, seat: int, due: Due | None = None) -> str:
    """The seat of a game, and what it is asked for, in words."""
    what = f", hand {due.hand}, {due.what}" if due else ""
    return f"game {stored.id}, {stored.seats[Seat(seat)].name}{what}"
