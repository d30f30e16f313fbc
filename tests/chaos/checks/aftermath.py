"""The remains of a run: the service's rows, the relay's mails, and the players' notes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from sqlalchemy.orm import defer
from sqlmodel import col, select

from hearts.seats import Seat
from tests.chaos.notes import Notes
from tests.chaos.relay import MoodyRelay
from tests.end_to_end.service import Service
from webapp.core.runtime import Runtime
from webapp.games.asked.due import Due
from webapp.games.record import store
from webapp.games.record.store import TableGame
from webapp.kinds import KINDS
from webapp.models import (
    AddressChangeRow,
    ChangeState,
    GameRow,
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

Place = tuple[int, int, Due]  # the game, the seat, and what it is asked for


@dataclass
class Aftermath:
    """`at` is when the service was at rest."""

    service: Service
    runtime: Runtime
    relay: MoodyRelay
    notes: Notes
    at: datetime

    def __post_init__(self) -> None:
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

    @cached_property
    def questions(self) -> Mapping[Place, list[LetterRow]]:
        """The letters that ask for a turn, by what they ask for."""
        found: dict[Place, list[LetterRow]] = defaultdict(list)
        for letter in self.letters:
            if KINDS[letter.kind].is_question:
                found[_place(letter)].append(letter)
        return found

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

    def carrier(self, letter: LetterRow) -> LetterRow:
        """The letter itself, or the digest that includes it."""
        return self.by_id[letter.digest_id] if letter.digest_id is not None else letter

    def went_out(self, letter: LetterRow) -> bool:
        """Whether the letter was sent, or the relay has refused its address for good: then there is nothing to send."""
        carrier = self.carrier(letter)
        return carrier.state is LetterState.SENT or self.is_unreachable(letter.player_id)

    def is_unreachable(self, player_id: int) -> bool:
        player = self.players[player_id]
        return player.unreachable_at is not None or not self.addresses[player_id].isdisjoint(self.relay.never)


def _place(letter: LetterRow) -> Place:
    assert letter.game_id is not None
    assert letter.seat is not None
    assert letter.hand is not None
    return letter.game_id, letter.seat, Due(letter.hand, letter.about or "")


def called(stored: TableGame, seat: int, due: Due | None = None) -> str:
    """The seat of a game, and what it is asked for, in words."""
    what = f", hand {due.hand}, {due.what}" if due else ""
    return f"game {stored.id}, {stored.seats[Seat(seat)].name}{what}"
