"""A plan in words, for its player alone: what is chosen, what can be chosen, and what it has played."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hearts.plans import Asking, Order, Plan, Wake
from hearts.rules import Rules
from hearts.seats import Seat
from hearts.turns import Deal, Play
from webapp.games.planning import ROBOT, plan_of
from webapp.games.presence import CHOSEN
from webapp.games.records import Record
from webapp.games.store import Stored
from webapp.models import TurnSource
from webapp.presentation.phrasing import by_number, counted
from webapp.presentation.turn_text import turn_sentence

MOST_IN_A_MAIL: Final = 3
_LABELS: Final[Mapping[str, str]] = {
    Asking.ASK: "Ask me every time",
    Asking.SAME: "Skip what makes no difference",
    Asking.MATTERS: "Ask me when it matters",
}
_BY_ORDERS: Final = "Play by my orders"
# How many questions a hand are left: measured as docs/pace.md says.
_LINES: Final[Mapping[str, str]] = {
    Asking.ASK: "You choose every card, unless only one may be played. Nine or ten questions a hand.",
    Asking.SAME: "Your plan plays cards that are worth the same, such as 5♣ and 6♣. About nine questions a hand.",
    Asking.MATTERS: (
        "A robot that sees only your cards looks at each decision. It plays the card of your orders if that costs less "
        "than a point, and asks you otherwise. About two questions a hand."
    ),
}
_LINE_BY_ORDERS: Final = (
    "Your plan plays the card of your orders, and no robot looks at it. That may cost you two or three points a hand. "
    "It asks you where no order fits."
)
LIMITS: Final = (
    ("0.25", "a quarter of a point"),
    ("0.5", "half a point"),
    ("1.0", "one point"),
    ("2.0", "two points"),
)
ORDERS: Final[Mapping[Order, str]] = {
    Order.CATCH: "Last in a trick, win the jack of diamonds",
    Order.TAKE: "Last in a trick without points, take it with a high card",
    Order.DUCK: "Play the highest card that does not win",
    Order.WIN: "If every card wins: the highest when last, else the lowest",
    Order.QUEEN: "Discard the queen of spades as soon as I can",
    Order.SPADES: "Discard the ace and king of spades while the queen is out",
    Order.HEARTS: "Discard my highest heart",
    Order.SHORT: "Discard from my shortest suit",
    Order.LEAD: "Lead what the robot would lead",
}
WAKES: Final[Mapping[Wake, str]] = {
    Wake.POINTS: "I would win a trick with points",
    Wake.QUEEN: "Spades are led and the queen is still out",
    Wake.MOON: "One player has taken every point so far",
    Wake.BROKEN: "Hearts have just been broken",
    Wake.LEAD: "It is my lead",
}


@dataclass(frozen=True, slots=True)
class PlanOption:
    """One of the choices of the form."""

    value: str
    label: str
    line: str


def plan_options(*, guards: bool, hands: int) -> list[PlanOption]:
    """The choices, from cautious to bold; `guards` as the table allows, `hands` as many as are played side by side.

    Without any hand, a robot cannot play it.
    """
    labels = _LABELS if guards else {**_LABELS, Asking.MATTERS: _BY_ORDERS}
    lines = _LINES if guards else {**_LINES, Asking.MATTERS: _LINE_BY_ORDERS}
    options = [PlanOption(value, label, lines[value]) for value, label in labels.items()]
    return [*options, PlanOption(ROBOT, robot_label(hands), _robot_line(hands))] if hands else options


def robot_label(hands: int) -> str:
    """What a robot plays for the player: it covers all hands that are played side by side."""
    return by_number(hands, "A robot plays this hand", f"A robot plays these {counted(hands, 'hand')}")


def _robot_line(hands: int) -> str:
    one = "It stops when the hand is over, or when you choose something else here."
    return by_number(hands, one, "It stops when all of them are over, or when you choose something else here.")


def plan_label(plan: Plan, *, guards: bool) -> str:
    """The plan in a few words."""
    return _BY_ORDERS if plan.asking is Asking.MATTERS and not guards else _LABELS[plan.asking]


def label_at_table(stored: Stored, seat: Seat) -> str:
    """What the seat's plan is now, in a few words."""
    row = stored.seats[seat]
    if stored.has_handed_over(row):
        return robot_label(stored.row.at_once)
    return plan_label(plan_of(stored.table, row), guards=stored.table.guards)


def orders_for(rules: Rules | None) -> dict[Order, str]:
    """The orders that may fit under these rules; None: under any."""
    return {
        order: text for order, text in ORDERS.items() if rules is None or order is not Order.CATCH or rules.jack_points
    }


def played_by_plan(stored: Stored, seat: Seat) -> list[str]:
    """What the plan of the seat has played in the present hand, a sentence for each trick."""
    return [sentence for sentence, _ in _planned_cards(stored, seat)]


def played_since_asked(stored: Stored, seat: Seat) -> list[str]:
    """The same since its player last chose a turn: the newest, as many as a mail has room for."""
    played = stored.of_hand(stored.game.hand)
    last = max((one.number for one in played if _is_chosen_by(one, seat)), default=0)
    return [sentence for sentence, number in _planned_cards(stored, seat) if number > last][-MOST_IN_A_MAIL:]


def _planned_cards(stored: Stored, seat: Seat) -> list[tuple[str, int]]:
    """Of each card that the plan has played in the present hand: a sentence, and the number of its record."""
    found: list[tuple[str, int]] = []
    trick = 0
    for record in stored.of_hand(stored.game.hand):
        if isinstance(record.turn, Play) and record.turn.seat == seat:
            trick += 1
            if record.source is TurnSource.PLAN:
                found.append((f"Trick {trick}: {turn_sentence(record)}", record.number))
    return found


def _is_chosen_by(record: Record, seat: Seat) -> bool:
    return not isinstance(record.turn, Deal) and record.turn.seat == seat and record.source in CHOSEN
