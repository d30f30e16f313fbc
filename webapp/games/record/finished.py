"""A finished hand with all cards open, which everybody may see, and what proves that nobody chose them.

Only this module gives out the cards of all seats and opens the secret of a deal, and only of hands that have been
scored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from sqlmodel import Session, col, select

from hearts.cycle import before_hand
from hearts.fair import Secrets, secret_of
from hearts.game import Game, apply
from hearts.record import Record as GameRecord
from hearts.record import record_mapping, with_proofs
from hearts.rules import Rules
from hearts.score import HandScore
from webapp.games.record.sealed import from_hex, seal_of
from webapp.games.record.store import Record, TableGame
from webapp.models import DealtRow


class HandNotScored(Exception):
    """The hand is being played or has not been dealt yet: nobody may see its cards."""


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """One hand from its deal to its score."""

    number: int
    names: Sequence[str]
    before: Game
    records: tuple[Record, ...]  # the deal first
    games: tuple[Game, ...]  # the game after each of them

    @property
    def rules(self) -> Rules:
        return self.before.rules

    @property
    def score(self) -> HandScore:
        return self.games[-1].scores[-1]


def finished_hand(stored: TableGame, number: int) -> FinishedHand:
    """Hand `number` of the game. Raises HandNotScored, or LookupError if `number` is below 1."""
    if number < 1:
        raise LookupError(f"no hand {number}")
    if number > len(stored.game.scores):
        raise HandNotScored
    records = stored.of_hand(number)
    before = before_hand(stored.game.rules, number, stored.cycle.scores)
    games = accumulate((record.turn for record in records), apply, initial=before)
    return FinishedHand(number, stored.names_of_hand(number), before, records, tuple(games)[1:])


def proved_record(session: Session, stored: TableGame, *, unfinished: bool = False) -> GameRecord:
    """The game record of all scored hands with the proofs of their deals, if the game has a seal; with `unfinished`,
    also of the hands in play, without their proofs.
    """
    record, seal = stored.record(unfinished=unfinished), seal_of(session, stored.table.id, stored.row.number)
    if seal is None:
        return record
    dealt = select(DealtRow).where(DealtRow.game_id == stored.id, DealtRow.hand <= len(stored.cycle.scores))
    secrets = Secrets(bytes.fromhex(seal.master))
    hands = session.exec(dealt.order_by(col(DealtRow.hand)))
    proofs = {row.hand: (secrets.proof(row.leaf), from_hex(row.parts)) for row in hands}
    return with_proofs(record, bytes.fromhex(seal.root), proofs)


def proved_deal(session: Session, stored: TableGame, number: int) -> dict[str, Any] | None:
    """The proof of the deal of hand `number` as JSON, as the record has it; None if there is none.

    Raises HandNotScored, or LookupError if `number` is below 1.
    """
    hand, record = finished_hand(stored, number), proved_record(session, stored)
    dealt = session.get(DealtRow, (stored.id, number))
    if record.fair is None or dealt is None:
        return None
    whole = record_mapping(record)
    one = whole["hands"][number - 1]
    named = {"format": "hearts-deal", "rules": whole["rules"], "names": list(hand.names), "hand": number}
    deal = {name: one[name] for name in ("dealer", "deal", "kitty")}
    return {**named, **deal, "fair": {**one["fair"], "root": whole["fair"]["root"], "parts": dealt.parts}}


def opened_secret(session: Session, stored: TableGame, number: int) -> tuple[int, str] | None:
    """The number of the secret of hand `number`, and itself in hex; None without a proof. Raises HandNotScored."""
    if number > len(stored.cycle.scores):
        raise HandNotScored
    seal, dealt = seal_of(session, stored.table.id, stored.row.number), session.get(DealtRow, (stored.id, number))
    if seal is None or dealt is None:
        return None
    return dealt.leaf, secret_of(bytes.fromhex(seal.master), dealt.leaf).hex()
