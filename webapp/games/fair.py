"""The fairness of deals as text: seal, words, and what players were dealt beside what chance gives."""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from sqlmodel import Session, and_, col, select

from hearts.cards import QUEENS_OF_SPADES
from hearts.deal import cards_each, pack
from hearts.fair import HANDS, tidy
from hearts.rules import Rules
from hearts.score import points_in
from hearts.seats import Seat
from webapp.core.say import later, say
from webapp.games.record.finished import finished_hand, opened_secret
from webapp.games.record.rows import table_seats
from webapp.games.record.sealed import list_of, newest_seal, parts_now
from webapp.games.record.store import TableGame
from webapp.models import DealtRow, SealRow, SeatRow

# The shuffle of a game as its players see it: the seal, and the words that were given for it so far.

DEALT: Final = later(
    "With these two numbers you can check the cards of hand {hand} later. Our seal: {seal}. "
    "The list of everybody's words: {parts}."
)
YOURS: Final = later("You are seat {seat}, counted from 0, and your words are “{words}”.")
RECEIPT: Final = (
    later("We stir your words into the shuffle. You are seat {seat}, counted from 0, and your part is {part}."),
    later("Our seal: {seal}. The list of the others' words before yours: {others}."),
)
OPENED: Final = later("The secret of hand {hand}, number {leaf}, is open: {secret}.")
RESTORED: Final = later("Hand {hand} is the first after this service was restored from a backup.")


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
    return [say(sentence, **said) for sentence in RECEIPT]


def dealt_sentences(session: Session, stored: TableGame, seat: Seat) -> list[str]:
    """The sentences on a deal that a player should keep, of the hand that `stored` is about.

    They come with the first hand, and with each that was dealt with other words than the last or after a restore; with
    any other, and without a seal, there are none.
    """
    hand = stored.game.hand
    sealed = and_(SealRow.table_id == stored.table.id, SealRow.game_number == stored.row.number)
    deals = select(DealtRow, SealRow).join(SealRow, sealed).where(DealtRow.game_id == stored.id)
    deals = deals.where(col(DealtRow.hand).in_((hand - 1, hand)))
    found = {dealt.hand: (dealt, seal) for dealt, seal in session.exec(deals)}
    if hand not in found:
        return []
    (dealt, seal), (before, _) = found[hand], found.get(hand - 1, (None, None))
    is_restored = dealt.leaf // HANDS != (before.leaf // HANDS if before else 0)
    if before and before.parts == dealt.parts and not is_restored:
        return []
    words = stored.seats[seat].shuffle_words
    said = [say(DEALT, hand=hand, seal=seal.root, parts=list_of(dealt.parts))]
    said += [say(YOURS, seat=seat, words=words)] if words else []
    return said + ([say(RESTORED, hand=hand)] if is_restored else [])


def opened_sentences(session: Session, stored: TableGame, hands: Iterable[int]) -> list[str]:
    """The opened secrets of these hands, a sentence each; none for a hand that has no proof. Raises HandNotScored."""
    found = [(hand, opened_secret(session, stored, hand)) for hand in hands]
    return [say(OPENED, hand=hand, leaf=opened[0], secret=opened[1]) for hand, opened in found if opened]


# The cards that the players of a table were dealt, beside what chance gives: of finished hands only.

NEARLY_ALWAYS = 2  # standard deviations: chance stays within them in 19 of 20 cases


@dataclass(frozen=True, slots=True)
class Range:
    """A number, and the limits between which chance alone leaves it in 19 of 20 cases."""

    found: float
    least: float
    most: float

    @property
    def is_usual(self) -> bool:
        return self.least <= self.found <= self.most


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards that one player was dealt in the hands that they finished."""

    name: str
    hands: int
    queens: Range  # of spades, in all hands
    points: Range  # in a hand, on the average


@dataclass(slots=True)
class _Sums:
    """The same while it is summed up: numbers found, expected, and their variances."""

    hands: int = 0
    queens: list[float] = field(default_factory=lambda: [0, 0, 0])
    points: list[float] = field(default_factory=lambda: [0, 0, 0])


def dealt_at_table(games: Iterable[TableGame]) -> list[Dealt]:
    """By player, in the order in which they first finished a hand, what they were dealt in these games."""
    sums: dict[str, _Sums] = {}
    for stored in games:
        for number in range(1, len(stored.cycle.scores) + 1):
            hand = finished_hand(stored, number)
            deal = hand.games[0].deal
            assert deal is not None
            dealt_points = points_in(hand.rules, deal.held)
            for name, held, points in zip(hand.names, deal.held, dealt_points, strict=True):
                _add(sums.setdefault(name, _Sums()), hand.rules, len(held & QUEENS_OF_SPADES), points)
    return [Dealt(name, one.hands, _range(one.queens), _range(one.points, one.hands)) for name, one in sums.items()]


def _add(sums: _Sums, rules: Rules, queens: int, points: int) -> None:
    sums.hands += 1
    in_pack = [points_in(rules, [[card]])[0] for card in pack(rules)]
    of_queen = [int(card in QUEENS_OF_SPADES) for card in pack(rules)]
    drawn, size = cards_each(rules), len(in_pack)
    for summed, found, values in ((sums.queens, queens, of_queen), (sums.points, points, in_pack)):
        mean = sum(values) / size
        spread = sum((value - mean) ** 2 for value in values) / size
        summed[0] += found
        summed[1] += drawn * sum(values) / size
        summed[2] += drawn * spread * (size - drawn) / (size - 1)  # of a sum, drawn without putting back


def _range(sums: Sequence[float], parts: int = 1) -> Range:
    """The found sum or, of several parts, the average, with its limits."""
    found, expected, variance = sums
    spread = NEARLY_ALWAYS * sqrt(variance)
    return Range(found / parts, max(0, expected - spread) / parts, (expected + spread) / parts)
