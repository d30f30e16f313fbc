"""The tricks of a hand as pages and mails show them; the steps of one that is replayed, and all of it in one table."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from hearts.play import Trick, cancelled, winner
from hearts.rules import Cancellation, Rules
from hearts.score import points_in
from hearts.seats import Seat, across
from hearts.turns import Pass, Play
from webapp.core.say import say, say_as, say_many
from webapp.games.record.finished import FinishedHand
from webapp.presentation.faces import Face, face, faces
from webapp.presentation.phrasing import some_points
from webapp.presentation.scoresheet import short_names

# A trick on the table: who played which card, who is winning, how many points it has.

CROWD = 5  # more cards than this are drawn smaller
ROUND = 7  # more than this are drawn in rows, not around the table
MANY = 10  # points in one trick


@dataclass(frozen=True, slots=True)
class Laid:
    """A card in a trick. `name` is "You" for the reader's own."""

    name: str
    is_you: bool
    is_partner: bool  # plays with the reader
    face: Face
    wins: bool  # has won the trick, or is winning it so far
    cancelled: bool  # by an equal card
    note: str  # "led", "winning", "won", "cancelled" or nothing


@dataclass(frozen=True, slots=True)
class Awaited:
    """A place in a trick for a card that is still to come."""

    name: str
    is_you: bool
    is_partner: bool  # plays with the reader
    is_next: bool  # plays the next card
    note: str  # "now", "after you" or nothing
    is_after_you: bool  # the reader plays before


@dataclass(frozen=True, slots=True)
class TrickSheet:
    number: int
    laid: tuple[Laid, ...]  # in the order played
    awaited: tuple[Awaited, ...]  # in the order of play; empty in a finished trick
    points: int
    sentence: str

    @property
    def seats(self) -> int:
        return len(self.laid) + len(self.awaited)

    @property
    def is_crowded(self) -> bool:
        return self.seats > CROWD

    @property
    def is_round(self) -> bool:
        """Whether each card can be drawn at its player's place around the table."""
        return self.seats <= ROUND

    @property
    def first_seat(self) -> int:
        """The place of the first card, counted clockwise from the reader; 0 without a reader."""
        places: tuple[Laid | Awaited, ...] = (*self.laid, *self.awaited)
        mine = next((number for number, place in enumerate(places) if place.is_you), 0)
        return -mine % self.seats

    def place_of(self, number: int) -> int:
        """The place at the table of the card that is played as number `number`, counted as by `first_seat`."""
        return (self.first_seat + number) % self.seats

    @property
    def moment(self) -> str:
        """The trick's points, with an exclamation mark if they are many; empty without points."""
        if self.points >= MANY:
            return say_many(self.points, "{number} point!", "{number} points!")
        return some_points(self.points) if self.points else ""

    @property
    def winning(self) -> Face | None:
        return next((laid.face for laid in self.laid if laid.wins), None)


def trick_sheet(rules: Rules, names: Sequence[str], reader: Seat | None, number: int, trick: Trick) -> TrickSheet:
    """The trick as the player in `reader` sees it, or a neutral version if that is None.

    `names` are by seat.
    """
    laid = _laid(rules, names, reader, trick)
    complete = len(trick.cards) == rules.players
    points = trick_points(rules, trick)
    pairs = sum(one.cancelled for one in laid) // 2
    if complete:
        sentence = _winner_text(laid, points)
    elif pairs >= 2 and rules.cancellation is Cancellation.TWO_PAIRS_VOID:
        sentence = say("Two pairs lie here, so nobody wins this trick.")
    else:
        sentence = say("Equal cards cancel each other and cannot win.") if pairs else ""
    return TrickSheet(
        number=number,
        laid=laid,
        awaited=_awaited(rules, names, reader, trick),
        points=points,
        sentence=sentence,
    )


def trick_points(rules: Rules, trick: Trick) -> int:
    """The points of the penalty cards in it, without the jack of diamonds."""
    return points_in(rules, [trick.cards])[0]


def is_partner_of(rules: Rules, reader: Seat | None, seat: Seat) -> bool:
    """Whether `seat` plays with `reader`; False without a reader, and where everybody plays alone."""
    return reader is not None and rules.partnership and seat == across(reader, rules.players)


def _laid(rules: Rules, names: Sequence[str], reader: Seat | None, trick: Trick) -> tuple[Laid, ...]:
    complete = len(trick.cards) == rules.players
    best = winner(trick.cards, rules) if trick.cards else None
    gone = cancelled(trick.cards) if rules.packs == 2 else ()
    laid = []
    for place, card in enumerate(trick.cards):
        seat = Seat((trick.leader + place) % rules.players)
        is_gone = card in gone
        if is_gone:
            note = say_as("a card in a trick", "cancelled")
        elif place == best:
            note = say_as("a card in a trick", "won") if complete else say_as("a card in a trick", "winning")
        else:
            note = "" if place else say_as("a card in a trick", "led")
        is_partner = is_partner_of(rules, reader, seat)
        name = label_of(names[seat], is_you=seat == reader)
        laid.append(Laid(name, seat == reader, is_partner, face(card), place == best, is_gone, note))
    return tuple(laid)


def label_of(name: str, *, is_you: bool) -> str:
    """Labels a player's card or points."""
    return say_as("a player at the table", "You") if is_you else name


def _awaited(rules: Rules, names: Sequence[str], reader: Seat | None, trick: Trick) -> tuple[Awaited, ...]:
    awaited = []
    reader_is_before = False
    for place in range(len(trick.cards), rules.players):
        seat = Seat((trick.leader + place) % rules.players)
        is_next = place == len(trick.cards)
        after = reader_is_before and not is_next
        note = say_as("who plays next", "now") if is_next else say_as("who plays next", "after you") if after else ""
        reader_is_before = reader_is_before or seat == reader
        is_partner = is_partner_of(rules, reader, seat)
        name = label_of(names[seat], is_you=seat == reader)
        awaited.append(Awaited(name, seat == reader, is_partner, is_next, note, after))
    return tuple(awaited)


def _winner_text(laid: Sequence[Laid], points: int) -> str:
    best = next((one for one in laid if one.wins), None)
    if best is None:
        return say("Nobody won it: its cards are set aside for the winner of the next.")
    name, card = best.name, best.face.text
    if best.is_you:
        if not points:
            return say("You won it with {card}: no points.", card=card)
        return say_many(
            points, "You won it with {card}: {number} point.", "You won it with {card}: {number} points.", card=card
        )
    if not points:
        return say("{name} won it with {card}: no points.", name=name, card=card)
    return say_many(
        points,
        "{name} won it with {card}: {number} point.",
        "{name} won it with {card}: {number} points.",
        name=name,
        card=card,
    )


# The steps in which a finished hand is replayed, and the jumps between them. `relive` decides what a step shows.


class Kind(StrEnum):
    """The kinds of step."""

    DEAL = "deal"
    PASS = "pass"
    CARD = "card"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Step:
    """The hand after some of its turns."""

    kind: Kind
    turns: int  # the number of those turns; the deal is the first
    trick: int = 0  # the number of its trick; 0 if no card is played

    def shows(self, turn: int) -> bool:
        """Whether the step is about that turn of the hand, counted from 1."""
        return 1 < turn <= self.turns if self.kind is Kind.PASS else turn == self.turns


@dataclass(frozen=True, slots=True)
class Jumps:
    """The steps, counted from 1, to which one can jump from a step; None if there is none of a kind."""

    back: int | None
    next: int | None
    next_trick: int | None
    next_turning_point: int | None


def steps_of(hand: FinishedHand) -> tuple[Step, ...]:
    """The steps of a hand: the deal, the pass if there is one, every card, the score."""
    steps = [Step(Kind.DEAL, 1)]
    passes = [number for number, record in enumerate(hand.records, 1) if isinstance(record.turn, Pass)]
    if passes:
        steps.append(Step(Kind.PASS, passes[-1]))
    plays = [number for number, record in enumerate(hand.records, 1) if isinstance(record.turn, Play)]
    players = hand.rules.players
    steps += [Step(Kind.CARD, number, place // players + 1) for place, number in enumerate(plays)]
    return (*steps, Step(Kind.SCORE, len(hand.records)))


def step_of(steps: Sequence[Step], turn: int) -> int:
    """The number, from 1, of the step that shows that turn of the hand."""
    return next(number for number, step in enumerate(steps, 1) if step.shows(turn))


def end_of_trick(steps: Sequence[Step], trick: int) -> int:
    """The number, from 1, of the step that shows the last card of that trick."""
    return max(number for number, step in enumerate(steps, 1) if step.trick == trick)


def jumps(steps: Sequence[Step], number: int, turning_points: Collection[int]) -> Jumps:
    """The jumps from step `number`; `turning_points` are turns of the hand."""
    trick, later = steps[number - 1].trick, range(number + 1, len(steps) + 1)
    turning = {step_of(steps, turn) for turn in turning_points}
    return Jumps(
        back=number - 1 or None,
        next=next(iter(later), None),
        next_trick=next((at for at in later if steps[at - 1].trick > trick), None),
        next_turning_point=next((at for at in later if at in turning), None),
    )


# A finished hand on one page: a table of the cards passed and played to each trick, by seat, to read or print.


@dataclass(frozen=True, slots=True)
class LaidDown:
    """A card that was played to a trick."""

    face: Face
    step: int  # the step that shows it
    led: bool
    won: bool
    cancelled: bool
    is_turning_point: bool


@dataclass(frozen=True, slots=True)
class TrickLine:
    """One trick; `cards` are by seat."""

    number: int
    step: int  # the step that shows its lead
    cards: tuple[LaidDown, ...]
    points: int


@dataclass(frozen=True, slots=True)
class PassLine:
    """The cards passed, by seat."""

    step: int
    given: tuple[tuple[Face, ...], ...]
    are_turning_points: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class AllTricks:
    names: tuple[str, ...]  # by seat
    shorts: tuple[str, ...]  # short names, for narrow columns
    passed: PassLine | None
    tricks: tuple[TrickLine, ...]
    taken: tuple[int, ...]  # points, by seat

    @property
    def is_crowded(self) -> bool:
        return len(self.names) > 5

    @property
    def has_turning_points(self) -> bool:
        played = any(card.is_turning_point for line in self.tricks for card in line.cards)
        return played or bool(self.passed and any(self.passed.are_turning_points))


def all_tricks(hand: FinishedHand, steps: Sequence[Step], turning_points: Collection[int]) -> AllTricks:
    """The table of a hand with these steps; `turning_points` are turns of it, counted from 1."""
    at = [step_of(steps, turn) for turn in turning_points]
    players = hand.rules.players
    tricks = []
    for number, trick in enumerate(hand.games[-1].tricks, 1):
        sheet = trick_sheet(hand.rules, hand.names, None, number, trick)
        first = next(place for place, step in enumerate(steps, 1) if step.trick == number)
        laid = [
            LaidDown(one.face, first + place, place == 0, one.wins, one.cancelled, first + place in at)
            for place, one in enumerate(sheet.laid)
        ]
        cards = tuple(laid[(seat - trick.leader) % players] for seat in range(players))
        tricks.append(TrickLine(number, first, cards, sheet.points))
    passes = [(record.turn, turn) for turn, record in enumerate(hand.records, 1) if isinstance(record.turn, Pass)]
    passed = None
    if passes:
        by_seat = sorted(passes, key=lambda one: one[0].seat)
        costly = tuple(turn in turning_points for _, turn in by_seat)
        given = tuple(faces(one.cards) for one, _ in by_seat)
        passed = PassLine(step_of(steps, passes[0][1]), given, costly)
    return AllTricks(tuple(hand.names), tuple(short_names(hand.names)), passed, tuple(tricks), hand.score.taken)
