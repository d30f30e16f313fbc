"""The shuffle of a game as its players see it: the seal, and the words that were given for it so far."""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from hearts.fair import HANDS, tidy
from hearts.seats import Seat
from webapp.games.record.finished import opened_secret
from webapp.games.record.rows import table_seats
from webapp.games.record.sealed import list_of, newest_seal, parts_now, seal_of
from webapp.games.record.store import TableGame
from webapp.models import DealtRow, SeatRow

DEALT = (
    "With these two numbers you can check the cards of hand {hand} later. Our seal: {seal}. "
    "The list of everybody's words: {parts}."
)
YOURS = "You are seat {seat}, counted from 0, and your words are “{words}”."
RECEIPT = (
    "We stir your words into the shuffle. You are seat {seat}, counted from 0, and your part is {part}.",
    "Our seal: {seal}. The list of the others' words before yours: {others}.",
)
OPENED = "The secret of hand {hand}, number {leaf}, is open: {secret}."
RESTORED = "Hand {hand} is the first after this service was restored from a backup."


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The things that a player should keep, or compare with what they kept. Digests are 64 digits of hex."""

    seal: str
    seat: int  # theirs, from 0
    words: str  # theirs, or empty
    list: str  # the digest of all parts
    others: str  # the same without their own
    parts: Sequence[tuple[str, str]]  # by seat: its name, and its part or nothing


def shuffle_of(
    session: Session, seats: Sequence[SeatRow], number: int, player_id: int | None, words: str = ""
) -> Shuffle | None:
    """The shuffle of the game that the table plays, or plays next, for a player who has that seat or is to get it.

    `words` are those that they have just typed, if they have given none yet. None if the game has no seal.
    """
    seat, seal = seats[number], newest_seal(session, seats[number].table_id)
    if seal is None:
        return None
    parts, kept = parts_now(seats), seat.shuffle_words if seat.player_id == player_id else None
    return Shuffle(
        seal=seal.root,
        seat=number,
        words=kept or tidy(words),
        list=list_of(parts),
        others=list_of([*parts[:number], None, *parts[number + 1 :]]),
        parts=[(seat.name, seat.shuffle_part or "") for seat in seats],
    )


def others_before(session: Session, seat: SeatRow) -> str | None:
    """The digest of the others' parts, in few letters, for the receipt of a player who is about to give words in that
    seat; None if their words do not count any more, as the first ones stand.
    """
    shuffle = shuffle_of(session, table_seats(session, seat.table_id), seat.seat, seat.player_id)
    if shuffle is None or shuffle.words:
        return None
    return b64encode(bytes.fromhex(shuffle.others)).decode()


def receipt(session: Session, seat: SeatRow, others: str) -> list[str]:
    """The sentences of a receipt for the words that the player of the seat has given; `others` as `others_before` has
    it. Empty if they have given none.
    """
    shuffle = shuffle_of(session, table_seats(session, seat.table_id), seat.seat, seat.player_id)
    if shuffle is None or not shuffle.words:
        return []
    before = b64decode(others).hex()
    said = {"seat": seat.seat, "part": seat.shuffle_part, "seal": shuffle.seal, "others": before}
    return [sentence.format(**said) for sentence in RECEIPT]


def dealt_sentences(session: Session, stored: TableGame, seat: Seat) -> list[str]:
    """The sentences on a deal that a player should keep, of the hand that `stored` is about.

    They come with the first hand, and with each that was dealt with other words than the last or after a restore; with
    any other, and without a seal, there are none.
    """
    hand = stored.game.hand
    dealt, before = (session.get(DealtRow, (stored.id, number)) for number in (hand, hand - 1))
    seal = seal_of(session, stored.table.id, stored.row.number)
    if seal is None or dealt is None:
        return []
    is_restored = dealt.leaf // HANDS != (before.leaf // HANDS if before else 0)
    if before and before.parts == dealt.parts and not is_restored:
        return []
    words = stored.seats[seat].shuffle_words
    said = [DEALT.format(hand=hand, seal=seal.root, parts=list_of(dealt.parts))]
    said += [YOURS.format(seat=seat, words=words)] if words else []
    return said + ([RESTORED.format(hand=hand)] if is_restored else [])


def opened_sentences(session: Session, stored: TableGame, hands: Iterable[int]) -> list[str]:
    """The opened secrets of these hands, a sentence each; none for a hand that has no proof. Raises HandNotScored."""
    found = [(hand, opened_secret(session, stored, hand)) for hand in hands]
    return [OPENED.format(hand=hand, leaf=opened[0], secret=opened[1]) for hand, opened in found if opened]
