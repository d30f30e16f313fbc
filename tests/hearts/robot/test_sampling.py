"""Sampling: unseen cards go at random to slots that may hold them and have room."""

from hearts.robot import bits
from hearts.robot.sampling import deal_unseen
from tests.every import of_every

ANY = (1 << 52) - 1


def mask(*cards):
    return sum(1 << card for card in cards)


def dealt(seed, unseen, rooms, may=(), chances=()):
    """The state after a deal to as many slots as `rooms`; `may` and `chances` limit some of them."""
    rules, state, known = [0] * bits.RULES, [0] * bits.STATE, [64] * bits.KNOWN
    rules[bits.PLAYERS] = len(rooms) - 1
    state[bits.RANDOM] = seed
    for slot, room in enumerate(rooms):
        known[bits.ROOM + slot] = room
        known[bits.MAY + slot] = ANY
    for slot, allowed in may:
        known[bits.MAY + slot] = allowed
    for slot, card, chance in chances:
        known[bits.CHANCES + slot * 52 + card] = chance
    deal_unseen(state, rules, known, list(unseen), [len(unseen)], [0] * bits.WORK)
    return state


@of_every(range(20))
def test_every_card_is_dealt_once_and_every_slot_filled(seed):
    rooms = (5, 3, 4, 1)
    state = dealt(seed, range(13), rooms)
    held = state[bits.HELD : bits.HELD + 4]
    assert tuple(map(bits.count, held)) == rooms
    assert sum(held) == mask(*range(13))


@of_every(range(20))
def test_a_card_yields_to_one_that_has_no_other_place(seed):
    """Slot 0 may hold either card and slot 1 only the second: whichever comes first, there is one way."""
    state = dealt(seed, (4, 5), (1, 1, 0), may=[(1, mask(5))])
    assert state[bits.HELD : bits.HELD + 2] == [mask(4), mask(5)]


@of_every(range(20))
def test_no_slot_gets_what_it_may_not_hold(seed):
    state = dealt(seed, range(8), (2, 3, 3), may=[(0, mask(0, 1, 2)), (1, mask(2, 3, 4, 5))])
    assert state[bits.HELD] & ~mask(0, 1, 2) == 0
    assert state[bits.HELD + 1] & ~mask(2, 3, 4, 5) == 0
    assert sum(map(bits.count, state[bits.HELD : bits.HELD + 3])) == 8


def test_two_copies_of_a_face_in_one_slot_count_twice():
    state = dealt(1, (7, 7), (2, 0, 0))
    assert (state[bits.HELD], state[bits.TWICE]) == (mask(7), mask(7))


def test_a_card_is_most_often_where_it_is_most_likely():
    found = [dealt(seed, (7,), (1, 1, 0), chances=[(0, 7, 16)])[bits.HELD] for seed in range(0, 10**15, 10**12)]
    assert 0.15 < found.count(mask(7)) / len(found) < 0.25
