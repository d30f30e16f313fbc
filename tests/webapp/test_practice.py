"""A practice hand: stored only in its address, which reveals none of the cards."""

import hashlib
import random
from base64 import urlsafe_b64decode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.cards import Card, Cards, parse_card
from hearts.deal import deal
from hearts.game import IllegalTurn, Stage, legal
from hearts.seats import Seat
from hearts.turns import Pass, Play
from tests.webapp.practising import played_out, turn_of_chance
from webapp.core.tokens import LinkExpired, LinkInvalid, PracticeLink
from webapp.practice import RULES, YOU, after, from_the_start, hand_of, new_hand

KEYS = ["a" * 32]


# the hand


@settings(max_examples=15)
@given(st.integers())
def test_every_hand_ends_and_asks_only_for_choices(seed):
    chance = random.Random(seed)
    link = new_hand(KEYS, chance.randbytes)
    while (hand := hand_of(KEYS, link)).score is None:
        assert hand.game.to_act == (YOU,)
        assert hand.game.stage is Stage.PASS or len(set(legal(hand.game, YOU))) > 1
        link = after(hand, turn_of_chance(hand.game, chance))
    assert sum(hand.score.taken) == 26
    assert len(hand.game.plays) == 52
    assert len(hand.asked) + len(hand.forced) <= 14
    assert hand_of(KEYS, link).game == hand.game


def test_each_link_is_always_the_same_hand_of_its_own():
    link = new_hand(KEYS)
    assert hand_of(KEYS, link).game == hand_of(KEYS, from_the_start(played_out(KEYS, link).link)).game
    deals = {hand_of(KEYS, new_hand(KEYS)).game.deal for _ in range(20)}
    assert len(deals) == 20


def test_a_hand_survives_a_new_key_until_its_own_ends():
    link = new_hand(KEYS)
    assert hand_of(["b" * 32, *KEYS], link).game == hand_of(KEYS, link).game
    with pytest.raises(LinkInvalid):
        hand_of(["b" * 32], link)


def test_a_hand_whose_cards_no_longer_fit_has_expired():
    """The newcomer's cards stop fitting if robots play in another way."""
    link = new_hand(KEYS)
    held = hand_of(KEYS, link).game.held[YOU]
    chosen = next(letters for letters in ("abc", "def", "ghi", "jkl", "mno") if not _are_held(held, letters))
    with pytest.raises(LinkExpired):
        hand_of(KEYS, PracticeLink(link.deal, chosen))


def _are_held(held, letters):
    return all(Card("abcdefghijklmno".index(letter)) in held for letter in letters)


def test_an_illegal_turn_makes_no_link():
    hand = hand_of(KEYS, new_hand(KEYS))
    with pytest.raises(IllegalTurn):
        after(hand, Play(YOU, parse_card("2C")))
    with pytest.raises(IllegalTurn):
        after(hand, Pass(YOU, Cards.of(list(hand.game.held[YOU])[:2])))


# secrets


def dealt_with(seed):
    """The deal for somebody who took `seed` for the source of the cards."""
    chance = random.Random(seed)
    return deal(RULES, Seat(chance.randrange(RULES.players)), chance)


def test_the_address_alone_does_not_reveal_the_hands(runtime, client):
    """Everything readable in it, taken as the seed in any form, deals other cards; so does another key."""
    token = client.get("/practice").location.rpartition("/")[2]
    link = runtime.signer.read(PracticeLink, token)
    dealt = hand_of(runtime.settings.keys(), link).game.deal
    raw = urlsafe_b64decode(link.deal)
    readable = [token, token.encode(), link.deal, link.deal.encode(), raw, raw[:9], raw[9:], int.from_bytes(raw)]
    readable += [hashlib.sha256(one).digest() for one in readable if isinstance(one, bytes)]
    assert dealt not in [dealt_with(seed) for seed in readable]
    assert not any(card in token for card in map(str, dealt.held))
    for key in ("b" * 32, "", "a"):
        with pytest.raises(LinkInvalid):
            hand_of([key], link)
