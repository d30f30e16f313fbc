"""A plan in words."""

from types import SimpleNamespace

from hearts.cards import Cards, parse_code
from hearts.plans import LIMITS as POINTS
from hearts.plans import Asking, Order, Plan, Wake
from hearts.plans.ahead import Unless
from hearts.rules import Rules, preset_rules
from hearts.seats import Seat
from hearts.turns import Deal, Play
from webapp.games.planning import ROBOT
from webapp.games.records import Record, numbered
from webapp.games.store import Stored
from webapp.models import TurnSource
from webapp.presentation.ahead_text import LABELS
from webapp.presentation.faces import face
from webapp.presentation.plan_text import (
    LIMITS,
    ORDERS,
    WAKES,
    orders_for,
    plan_label,
    plan_options,
    played_by_plan,
    played_since_asked,
)

CARD = Play(Seat(0), parse_code("9S"))
NINE = face(CARD.card).text


def test_everything_that_can_be_chosen_has_words():
    assert list(ORDERS) == list(Order)
    assert list(WAKES) == list(Wake)
    assert list(LABELS) == list(Unless)
    assert [float(value) for value, _ in LIMITS] == list(POINTS)


def test_the_choices_go_from_cautious_to_bold():
    values = [option.value for option in plan_options(guards=True, hands=1)]
    assert values == [*Asking, ROBOT]
    assert [option.value for option in plan_options(guards=True, hands=0)] == [*Asking]


def test_where_no_guard_is_allowed_none_is_promised():
    plan = Plan(asking=Asking.MATTERS)
    assert plan_label(plan, guards=True) == "Ask me when it matters"
    assert plan_label(plan, guards=False) == "Play by my orders"
    lines = " ".join(option.line for option in plan_options(guards=False, hands=0))
    assert "a robot looks" not in lines.lower().replace("no robot looks", "")


def test_an_order_for_a_jack_is_offered_only_where_it_counts():
    assert Order.CATCH not in orders_for(Rules())
    assert Order.CATCH in orders_for(preset_rules("omnibus"))
    assert Order.CATCH in orders_for(None)


def test_a_mail_tells_what_was_played_since_its_reader_last_chose():
    """A card that they had to play is no choice of theirs."""
    deal = Record(Deal(Seat(0), (), Cards()), TurnSource.FORCED)
    ways = [TurnSource.PLAN, TurnSource.PAGE, TurnSource.PLAN, TurnSource.FORCED, TurnSource.PLAN]
    mine = [Record(CARD, way, {"by": Order.DUCK}) for way in ways]
    others = Record(Play(Seat(1), CARD.card), TurnSource.PLAN, {"by": Order.DUCK})
    stored = in_play([deal, *mine, others])
    told = played_since_asked(stored, Seat(0))
    assert [sentence.partition(":")[0] for sentence in told] == ["Trick 3", "Trick 5"]
    assert len(played_by_plan(stored, Seat(0))) == 3
    assert played_by_plan(in_play([deal, *mine, others, deal]), Seat(0)) == []


def in_play(records: list[Record]) -> Stored:
    """A game with these records, about its last hand."""
    kept = numbered(records)
    return Stored(None, None, [], kept, None, SimpleNamespace(hand=kept[-1].hand))
