"""Bits: masks of faces, random numbers from a state, and the places of its parts."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.cards import Suit, in_suit
from hearts.robot import bits


@given(st.sets(st.integers(0, 51), min_size=1))
def test_a_mask_has_its_faces_lowest_to_highest(faces):
    mask = sum(1 << face for face in faces)
    assert (bits.count(mask), bits.lowest(mask), bits.highest(mask)) == (len(faces), min(faces), max(faces))


@pytest.mark.parametrize("suit", Suit)
def test_a_suit_has_the_same_mask_as_among_the_cards(suit):
    assert bits.suit_mask(suit) == in_suit(suit).faces().mask


def drawn(seed, limit, times):
    state = [0] * bits.STATE
    state[bits.RANDOM] = seed
    return [bits.below(state, limit) for _ in range(times)]


@given(st.integers(0, 2**63 - 1), st.integers(1, 10**6))
def test_a_random_number_is_below_its_limit(seed, limit):
    assert all(0 <= number < limit for number in drawn(seed, limit, 20))


def test_numbers_are_drawn_evenly_and_a_seed_repeats_them():
    numbers = drawn(7, 6, 6000)
    assert all(900 < numbers.count(number) < 1100 for number in range(6))
    assert numbers == drawn(7, 6, 6000) != drawn(8, 6, 6000)


@pytest.mark.parametrize(
    ("parts", "room"),
    [
        (("TABLE", "HELD", "TWICE", "TAKEN", "WON", "JACKS", "SHOOTS", "STOPS", "THREAT"), bits.SLOTS),
        (("VOIDS", "STATE"), len(Suit)),
        (("TOTALS", "WEIGHTS", "JUDGES"), bits.MAX_SEATS),
        (("MAY", "ROOM", "CHANCES"), bits.SLOTS),
        (("FREE", "POINTS", "PLACES"), bits.SLOTS),
        (("PLACES", "GIVEN"), 104),
    ],
)
def test_each_part_of_a_list_has_room_before_the_next(parts, room):
    places = [getattr(bits, part) for part in parts]
    assert all(after - before >= room for before, after in pairwise(places))
