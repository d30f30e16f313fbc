"""A trick on the table: who played which card, who is winning, how many points it has."""

from collections.abc import Sequence
from dataclasses import dataclass

from hearts.cards import suit
from hearts.play import Trick, cancelled, winner
from hearts.rules import Cancellation, Rules
from hearts.score import points_in
from hearts.seats import Seat, across
from webapp.presentation.faces import Face, face, suit_symbol, suit_word
from webapp.presentation.phrasing import counted

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
    note: str


@dataclass(frozen=True, slots=True)
class TrickSheet:
    number: int
    laid: tuple[Laid, ...]  # in the order played
    awaited: tuple[Awaited, ...]  # in the order of play; empty in a finished trick
    led: str | None  # "spades"
    led_symbol: str | None
    points: int
    winner: str | None  # the name of who has won it, or is winning it so far; "You" for the reader
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
        return f"{counted(self.points, 'point')}{'!' if self.points >= MANY else ''}" if self.points else ""

    @property
    def winning(self) -> Face | None:
        return next((laid.face for laid in self.laid if laid.wins), None)


def trick_sheet(rules: Rules, names: Sequence[str], reader: Seat | None, number: int, trick: Trick) -> TrickSheet:
    """The trick as the player in `reader` sees it, or a neutral version if that is None.

    `names` are by seat, with "You" for the reader.
    """
    laid = _laid(rules, names, reader, trick)
    complete = len(trick.cards) == rules.players
    wins = next((card.name for card in laid if card.wins), None)
    points = trick_points(rules, trick)
    sentence = _winner_text(laid, wins, points) if complete else _equal_cards_warning(rules, trick)
    led = suit(trick.cards[0]) if trick.cards else None
    return TrickSheet(
        number=number,
        laid=laid,
        awaited=_awaited(rules, names, reader, trick),
        led=None if led is None else suit_word(led),
        led_symbol=None if led is None else suit_symbol(led),
        points=points,
        winner=wins,
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
        note = (
            "cancelled" if is_gone else ("won" if complete else "winning") if place == best else "" if place else "led"
        )
        is_partner = is_partner_of(rules, reader, seat)
        laid.append(Laid(names[seat], seat == reader, is_partner, face(card), place == best, is_gone, note))
    return tuple(laid)


def _awaited(rules: Rules, names: Sequence[str], reader: Seat | None, trick: Trick) -> tuple[Awaited, ...]:
    awaited = []
    reader_is_before = False
    for place in range(len(trick.cards), rules.players):
        seat = Seat((trick.leader + place) % rules.players)
        is_next = place == len(trick.cards)
        note = "now" if is_next else "after you" if reader_is_before else ""
        reader_is_before = reader_is_before or seat == reader
        is_partner = is_partner_of(rules, reader, seat)
        awaited.append(Awaited(names[seat], seat == reader, is_partner, is_next, note))
    return tuple(awaited)


def _winner_text(laid: Sequence[Laid], wins: str | None, points: int) -> str:
    if wins is None:
        return "Nobody won it: its cards are set aside for the winner of the next."
    card = next(one.face for one in laid if one.wins)
    if not points:
        return f"{wins} won it with {card.text}: no points."
    return f"{wins} won it with {card.text}: {counted(points, 'point')}."


def _equal_cards_warning(rules: Rules, trick: Trick) -> str:
    """A warning if equal cards have cancelled each other; else empty."""
    pairs = len(cancelled(trick.cards)) // 2 if rules.packs == 2 else 0
    if pairs >= 2 and rules.cancellation is Cancellation.TWO_PAIRS_VOID:
        return "Two pairs lie here, so nobody wins this trick."
    return "Equal cards cancel each other and cannot win." if pairs else ""
