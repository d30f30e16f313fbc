"""The seal of a game, the words that its players give, and its deals, as docs/fairness.md has them.

`finished` opens the secret of a hand, once it is scored.
"""

import logging
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Final

from sqlalchemy import event
from sqlmodel import Session, col, func, select

from hearts.deal import deal as deal_by_chance
from hearts.fair import DIGEST, ERAS, HANDS, Part, Secrets, digest_of, fair_deal, leaf_of, part_of, secret_of, tidy
from hearts.game import next_dealer
from hearts.seats import Seat
from hearts.turns import Deal
from webapp.core.data_folder import note_number, noted_number
from webapp.games.record.store import TableGame
from webapp.models import DealtRow, RestorationRow, SealRow, SeatRow

# Files in the data folder: the number of the last restore, noted beside the backup, too; how many hands were dealt.
RESTORES: Final = "restores"
DEALT: Final = "dealt"
NO_LETTERS: Final = 2**31 - 1  # an id that no letter reaches
log = logging.getLogger(__name__)


def seal_next(
    session: Session, chance: Random, table_id: int, number: int, seats: Sequence[SeatRow], now: datetime
) -> None:
    """Seals the secrets of the table's game of that number, before anybody gives words for it."""
    master = chance.randbytes(DIGEST)
    seal = SealRow(
        table_id=table_id, game_number=number, master=master.hex(), root=Secrets(master).seal.hex(), made_at=now
    )
    seal.restores = _restores(session)
    session.add(seal)
    for seat in seats:
        seat.shuffle_words = seat.shuffle_part = None


def seal_of(session: Session, table_id: int, number: int) -> SealRow | None:
    """The seal of a game; None if it was opened by a program that made none."""
    return session.get(SealRow, (table_id, number))


def newest_seal(session: Session, table_id: int) -> SealRow | None:
    """The seal of the game that the table plays, or plays next; None if there is none."""
    newest = select(SealRow).where(SealRow.table_id == table_id).order_by(col(SealRow.game_number).desc())
    return session.exec(newest.limit(1)).first()


def give_words(session: Session, seat: SeatRow, words: str) -> None:
    """Keeps the words of the seat's player for the shuffle; the first that they give stand.

    They count from the next deal on. Nothing happens without words, or if the game has no seal.
    """
    seal, text = newest_seal(session, seat.table_id), tidy(words)
    if seal is None or not text or seat.shuffle_words is not None:
        return
    part = part_of(bytes.fromhex(seal.root), seat.seat, text)
    seat.shuffle_words, seat.shuffle_part = text, part.hex() if part else None


def parts_now(seats: Sequence[SeatRow]) -> list[str | None]:
    """The part of each seat in the next shuffle."""
    return [seat.shuffle_part for seat in seats]


def list_of(parts: Sequence[str | None]) -> str:
    """The digest of the parts, as players see it."""
    return digest_of(from_hex(parts)).hex()


def from_hex(parts: Sequence[str | None]) -> tuple[Part, ...]:
    return tuple(None if part is None else bytes.fromhex(part) for part in parts)


def deal(session: Session, stored: TableGame, chance: Random, folder: Path, now: datetime) -> Deal:
    """Deals the next hand, and notes how, also in the data `folder`. Without a seal, `chance` deals it."""
    last, hand = stored.cycle.hands[-1], stored.cycle.next_hand
    dealer, rules = next_dealer(last), last.rules
    seal = seal_of(session, stored.table.id, stored.row.number)
    if seal is not None:
        _begin_era_if_behind(session, folder, now)
    era = _restores(session) - seal.restores if seal else 0
    if seal is None or hand > HANDS or era >= ERAS:
        return deal_by_chance(rules, Seat(chance.randrange(rules.players)) if dealer is None else dealer, chance)
    session.info[DEALT] = (folder / DEALT, _dealt(session) + 1)  # noted once the deal is committed
    leaf, parts = leaf_of(hand, era), parts_now(stored.seats)
    secret = secret_of(bytes.fromhex(seal.master), leaf)
    session.add(DealtRow(game_id=stored.id, hand=hand, leaf=leaf, parts=parts))
    return fair_deal(rules, bytes.fromhex(seal.root), leaf, secret, from_hex(parts), dealer)


def begin_era(session: Session, folders: Sequence[Path], lost_from: datetime, now: datetime, letters: int) -> None:
    """Notes a restore: what was made between these times is lost, and all letters after that one.

    Its number is noted in the data folder and beside the backup, too: secrets that were opened in a time that is lost
    must never deal again, not even if the same backup is restored a second time.
    """
    notes = [folder / RESTORES for folder in folders]
    number = max(_restores(session), *map(noted_number, notes)) + 1
    for note in notes:
        note_number(note, number)
    session.info[DEALT] = (folders[0] / DEALT, _dealt(session))
    session.add(RestorationRow(backed_up_at=lost_from, restored_at=now, letters=letters, number=number))


def _begin_era_if_behind(session: Session, folder: Path, now: datetime) -> None:
    """Begins an era if fewer hands are dealt than the data folder notes: somebody has put an older database back.

    The processes that run sign links and letters as before, so only secrets know of the time that is lost.
    """
    noted = noted_number(folder / DEALT)  # before the count, which then has at least these
    if _dealt(session) < noted:
        log.warning("the database is older than DATA_DIR: hands are dealt with other secrets from now on")
        begin_era(session, [folder], now, now, NO_LETTERS)
        session.flush()


@event.listens_for(Session, "after_commit")
def _note_deals(session: Session) -> None:
    if not session.in_nested_transaction() and DEALT in session.info:
        note_number(*session.info.pop(DEALT))


@event.listens_for(Session, "after_rollback")
def _forget_deals(session: Session) -> None:
    if not session.in_nested_transaction():
        session.info.pop(DEALT, None)


def _dealt(session: Session) -> int:
    """How many hands were dealt with secrets."""
    return session.exec(select(func.count()).select_from(DealtRow)).one()


def _restores(session: Session) -> int:
    """The number of the service's last restore; 0 if there was none."""
    return session.exec(select(func.max(RestorationRow.number))).one() or 0
