"""Knowledge of the unseen cards: where they may be, how many a seat has, and what is only likely."""

import pytest

from hearts.cards import Cards, parse_code
from hearts.robot import bits
from hearts.robot.knowledge import Contradiction, knowledge
from tests.hearts.robot.asked import seen

HELD = "3D 4D 5D 6D 7S 8S 9S TS JH 2H 3H KH"
FIRST = "2C 5C KC AC"  # the last player leads the next trick
PASSED = {"pass": "left", "given": "KS 9D 2S", "received": "2H 3H JH"}


def may_have(knows, seat):
    return Cards(knows.known[bits.MAY + seat])


def chance(knows, seat, code):
    return knows.known[bits.CHANCES + seat * 52 + parse_code(code)]


def test_a_seat_that_did_not_follow_lacks_the_suit():
    knows = knowledge(seen("3D 4D 5D 6D 7S 8S 9S TS JH 2H 3H", f"{FIRST} AD 9C 2D KD", leader=1))
    voids = [not may_have(knows, seat) & Cards(bits.DIAMONDS_MASK) for seat in range(4)]
    assert voids == [False, True, False, False]


def test_the_leader_of_an_unbroken_heart_has_hearts_alone():
    knows = knowledge(seen(HELD, f"{FIRST} 4H", leader=0))
    assert may_have(knows, 3) == Cards(bits.HEARTS_MASK)


def test_passed_cards_stay_with_their_recipient_until_they_are_played():
    place = seen(HELD, FIRST, leader=1, **PASSED)
    knows = knowledge(place)
    assert Cards(knows.state[bits.HELD + 1]) == place.given
    assert not set(place.given) & set(knows.unseen)


@pytest.mark.parametrize(("leader", "trick"), [(1, ""), (0, "2D"), (3, "2D 7D"), (2, "2D 7D 8D")])
def test_the_seats_have_room_for_every_unseen_card(leader, trick):
    knows = knowledge(seen(HELD, f"{FIRST} {trick}", leader=leader))
    rooms = knows.known[bits.ROOM : bits.ROOM + 5]
    assert rooms == [0, *(12 - (seat > 3 - len(trick.split())) for seat in (1, 2, 3)), 0]
    assert sum(rooms) == len(knows.unseen) == knows.groups[-1]


def test_a_seat_that_ducked_probably_holds_no_higher_ducking_card():
    place = seen(HELD, "2C KC 5C AC", leader=1)
    certain, likely = (knowledge(place, infer=infer) for infer in (False, True))
    assert {chance(certain, seat, code) for seat in (1, 2, 3) for code in ("3C", "QC")} == {64}
    assert chance(likely, 3, "QC") < chance(likely, 2, "QC") == 64


def test_a_seat_holding_more_than_its_tricks_is_a_contradiction():
    with pytest.raises(Contradiction, match="seat 1 would hold more cards"):
        knowledge(seen("2H", FIRST, leader=1, **PASSED))
