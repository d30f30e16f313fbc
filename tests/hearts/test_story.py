"""The facts of a hand: each as it was played, and consistent with the score."""

import random
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.cards import (
    HEARTS,
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    Cards,
    Suit,
    card_text,
    in_suit,
    parse_code,
    rank,
    suit,
)
from hearts.deal import deal, pack
from hearts.facts import (
    CleanHand,
    HeartsBroken,
    How,
    JackTaken,
    LastTrickPoints,
    MoonShot,
    MoonStopped,
    MostPoints,
    QueenDucked,
    QueenPassed,
    QueenTaken,
    TurningPoint,
    WonNoTrick,
    worth,
)
from hearts.game import Stage, apply, legal, new_game
from hearts.review import Opinion
from hearts.rules import PRESETS, choices, preset_rules
from hearts.seats import Seat, side_of
from hearts.story import facts, points_by_trick
from hearts.turns import Deal, MoonChoice, Play
from hearts.words import Sentence
from tests.hearts.builders import random_games, random_turn, rules_of, top_heavy
from tests.hearts.strategies import any_rules

SEEDS = st.integers(0, 2**32)


def facts_of(game, *kinds, opinions=()):
    """The facts of these kinds, in the order of the story."""
    return [fact for fact in facts(game, opinions) if isinstance(fact, kinds)]


def finished(rules, rng):
    """A game whose first hand has been played at random."""
    *_, (_, _, game) = random_games(rules, rng, 1)
    return game


@settings(max_examples=25)
@given(any_rules(), SEEDS)
def test_points_by_trick_add_up_to_those_taken(rules, seed):
    game = finished(rules, random.Random(seed))
    points = points_by_trick(game)
    assert len(points) == len(game.tricks)
    assert tuple(map(sum, zip(*points, strict=True))) == game.scores[0].taken
    assert all(sum(one) == 0 for one, winner in zip(points, game.won, strict=True) if winner is None)


OPEN = {"opening": "eldest", "opening_ban": "hearts", "first_trick_points": True, "hearts_lead": "anytime"}


def played(*tricks, **options):
    """A game after a hand of these tricks, each a line of cards from its lead, all dealt as they play; seat 0 opens."""
    rules = rules_of(**{**OPEN, **options})
    held, lines, leader = [[], [], [], []], [[parse_code(code) for code in trick.split()] for trick in tricks], 0
    for cards in lines:
        for place, card in enumerate(cards):
            held[(leader + place) % 4].append(card)
        leader = (leader + cards.index(max(card for card in cards if suit(card) == suit(cards[0])))) % 4
    game = apply(new_game(rules), Deal(Seat(3), tuple(map(Cards.of, held)), Cards()))
    for card in chain.from_iterable(lines):
        game = apply(game, Play(game.to_act[0], card))
    return game


def filled(*tricks, last="JC JD JH 4S", **options):
    """A game after a hand that begins with these tricks and ends with `last`; in between everybody follows suit."""
    gone = Cards.parse(" ".join((*tricks, last)))
    rest = [pack(rules_of()) - gone & in_suit(of_suit) for of_suit in Suit]
    lines = [" ".join(map(card_text, cards)) for of_suit in rest for cards in batched(of_suit)]
    return played(*tricks, *lines, last, **options)


def batched(cards):
    some = list(cards)
    return [some[at : at + 4] for at in range(0, len(some), 4)]


# Seat 0 leads every trick with high cards until the last ones; the holders of low cards do not matter.
CLUBS = ("AC 2C 3C 4C", "KC 5C 6C 7C", "QC 8C 9C TC")
DIAMONDS = ("AD 2D 3D 4D", "KD 5D 6D 7D", "QD 8D 9D TD")
HEART_TRICKS = ("AH 2H 3H 4H", "KH 5H 6H 7H", "QH 8H 9H TH")
ENDS = ("JC JD JH JS", "AS 2S 3S 4S", "KS 5S 6S 7S", "QS 8S 9S TS")


def test_a_moon_comes_first_and_no_other_points_are_mentioned():
    game = played(*CLUBS, *DIAMONDS, *ENDS[:1], *HEART_TRICKS, *ENDS[1:])
    assert game.scores[-1].moon == 0
    assert facts(game)[0] == MoonShot(0, (Seat(0),), MoonChoice.ADD, sun=False)
    assert facts_of(game, CleanHand, MostPoints, MoonStopped) == []
    assert facts_of(game, WonNoTrick) == [WonNoTrick((Seat(1), Seat(2), Seat(3)))]
    assert facts_of(game, QueenTaken) == [QueenTaken(Seat(0), 13, Seat(0), How.LED)]
    assert facts_of(game, LastTrickPoints) == [LastTrickPoints(Seat(0), 13)]


def test_a_sun_is_reported_as_a_sun():
    game = played(*CLUBS, *DIAMONDS, *ENDS[:1], *HEART_TRICKS, *ENDS[1:], sun=True)
    assert facts_of(game, MoonShot) == [MoonShot(0, (Seat(0),), MoonChoice.ADD, sun=True)]


def test_the_story_says_who_stopped_a_moon_and_where():
    """Seat 0 takes all hearts but the jack; that goes to seat 1 with the last trick but one."""
    game = played(*CLUBS, *DIAMONDS, *HEART_TRICKS, "AS 2S 3S 4S", "QS 8S 9S TS", "JS KS 5S JH", "6S 7S JC JD")
    assert facts_of(game, MoonStopped) == [MoonStopped(Seat(0), Seat(1), 12, 25)]
    assert facts(game)[0] == MoonStopped(Seat(0), Seat(1), 12, 25)
    assert facts_of(game, MostPoints) == [MostPoints((Seat(0),), 25)]
    assert facts_of(game, CleanHand) == [CleanHand((Seat(2), Seat(3)))]
    assert facts_of(game, HeartsBroken) == [HeartsBroken(Seat(0), 7, parse_code("AH"))]
    assert facts_of(game, LastTrickPoints) == []


def test_every_heart_without_the_queen_is_a_stopped_moon_too():
    game = played(*CLUBS, *DIAMONDS, *HEART_TRICKS, "JH JC JD 2S", "AS 3S 4S 5S", "TS KS 6S 7S", "QS JS 8S 9S")
    assert facts_of(game, MoonStopped) == [MoonStopped(Seat(0), Seat(1), 13, 13)]


def test_the_queen_alone_is_no_attempt_at_the_moon():
    game = filled("QS 2S 3S 5S", "AC KC QC TC", "JS TS 9S KS", "2H 3H 4H 5H")
    assert game.scores[-1].taken[0] == 13
    assert facts_of(game, MoonStopped) == []


@pytest.mark.parametrize(
    ("trick", "taken"),
    [
        pytest.param("QS KS 3S 5S", QueenTaken(Seat(1), 1, Seat(0), How.LED), id="led under a king"),
        pytest.param("KS QS 3S 5S", QueenTaken(Seat(0), 1, Seat(1), How.FOLLOWED), id="given to the king"),
        pytest.param("QS 2S 3S 5S", QueenTaken(Seat(0), 1, Seat(0), How.LED), id="taken by its leader"),
    ],
)
def test_the_story_says_who_took_the_queen_and_how(trick, taken):
    assert facts_of(filled(trick), QueenTaken) == [taken]


def test_a_discarded_queen_goes_to_the_winner_of_the_trick():
    game = filled(last="JC JD JH QS")
    leader = game.tricks[-1].leader
    assert facts_of(game, QueenTaken) == [QueenTaken(leader, 13, Seat((leader + 3) % 4), How.DISCARDED)]
    assert facts_of(game, LastTrickPoints) == [LastTrickPoints(leader, 14)]


def test_players_who_ducked_while_the_queen_was_out_are_counted():
    """Seat 0 has the queen, seat 1 the king, seat 2 the ace: both duck twice, and the queen falls to the ace."""
    game = filled("2S 5S 3S JS", "TS 6S 7S 8S", "9S QS KS AS")
    assert facts_of(game, QueenDucked) == [QueenDucked(Seat(1), 2), QueenDucked(Seat(2), 2)]
    assert facts_of(game, QueenTaken) == [QueenTaken(Seat(2), 3, Seat(0), How.FOLLOWED)]


@pytest.mark.parametrize(
    "tricks",
    [
        pytest.param(("AS QS 3S 5S", "2S 6S JS 7S", "8S 9S TS KS"), id="a queen already played"),
        pytest.param(("3S JS 2S 5S", "6S 7S QS KS", "8S 9S TS AS"), id="by leading low"),
    ],
)
def test_these_tricks_contain_no_ducking(tricks):
    assert facts_of(filled(*tricks), QueenDucked) == []


@pytest.mark.parametrize(("breaks", "broken_in"), [("no", "2H"), ("led", "QS")])
def test_hearts_are_broken_as_the_table_of_the_rules_says(breaks, broken_in):
    (fact,) = facts_of(filled("QS KS 3S 5S", queen_breaks=breaks), HeartsBroken)
    assert fact.card == parse_code(broken_in)
    assert (fact.seat, fact.trick) == ((0, 1) if broken_in == "QS" else (fact.seat, 10))


@pytest.mark.parametrize("kitty", choices("kitty"))
def test_the_kitty_is_reported_with_the_trick_that_won_it(kitty):
    rules, brought = rules_of("kitty", kitty=kitty, players=4, jack_points=-5), 0
    for seed in range(12 if kitty != "off" else 1):
        game = finished(rules, random.Random(seed))
        assert_agrees(game)
        for it in facts_of(game, QueenTaken, JackTaken):
            if it.how is How.LEFT_OVER:
                brought += 1
                assert game.won[it.trick - 1] == it.seat
                assert it.trick == {"first-trick": 1, "last-trick": 12}.get(kitty, it.trick)
        for it in facts_of(game, LastTrickPoints):
            over = len(game.deal.kitty & HEARTS) + 13 * (QUEEN_OF_SPADES in game.deal.kitty)
            trick = Cards.of(game.tricks[-1].cards)
            lies = len(trick & HEARTS) + 13 * (QUEEN_OF_SPADES in trick)
            assert it.points == lies + (over if kitty == "last-trick" else 0)
    assert brought > 0 or kitty == "off"


def test_playing_under_a_partner_is_no_ducking():
    game = filled("2S 5S 3S JS", "TS 6S 7S 8S", "9S QS KS AS", partnership=True)
    assert facts_of(game, QueenDucked) == [QueenDucked(Seat(2), 2)]


def test_without_queen_points_the_story_does_not_mention_the_queen():
    game = filled("KS QS 3S 5S", queen_points=0)
    assert facts_of(game, QueenTaken, QueenDucked, QueenPassed) == []


def test_the_jack_is_reported_where_it_counts():
    found = [facts_of(filled("JD KD 2D 3D", last="JC AD JH 4S", jack_points=jack), JackTaken) for jack in (-10, 0)]
    assert found == [[JackTaken(Seat(1), 1, Seat(0), How.LED)], []]


def test_turning_points_are_ordered_among_the_facts_by_their_cost():
    dear = Opinion(9, 3, Seat(1), "AS", "4S", 12.0, 3.0, 9.0, Sentence("Duck."))
    cheap = Opinion(5, 2, Seat(2), "AC", "4C", 4.5, 3.0, 1.5, Sentence("Duck."))
    game = filled("KS QS 3S 5S")
    assert facts_of(game, TurningPoint, QueenTaken, opinions=(cheap, dear)) == [
        QueenTaken(Seat(0), 1, Seat(1), How.FOLLOWED),
        TurningPoint(Seat(1), 3, "AS", "4S", 9.0),
        TurningPoint(Seat(2), 2, "AC", "4C", 1.5),
    ]


def test_an_unfinished_hand_has_no_story():
    rng = random.Random(1)
    game = finished(rules_of(), rng)
    for unfinished in (new_game(rules_of()), apply(game, deal(game.rules, Seat((game.deal.dealer + 1) % 4), rng))):
        with pytest.raises(ValueError, match="no story"):
            facts(unfinished)


def assert_agrees(game):
    """The facts agree with the score."""
    score, rules = game.scores[-1], game.rules
    seats = range(rules.players)
    found = facts(game)
    assert [worth(fact) for fact in found] == sorted(map(worth, found), reverse=True)
    queens, jacks = facts_of(game, QueenTaken), facts_of(game, JackTaken)
    if rules.queen_points:
        assert [sum(it.seat == seat for it in queens) for seat in seats] == list(score.queens)
    if rules.jack_points:
        assert [sum(it.seat == seat for it in jacks) for seat in seats] == list(score.jacks)
    for card, kind in ((QUEEN_OF_SPADES, queens), (JACK_OF_DIAMONDS, jacks)):
        assert all(was_played(game, it.played_by, it.trick, card) for it in kind if it.how is not How.LEFT_OVER)
        assert all(card in game.deal.kitty for it in kind if it.how is How.LEFT_OVER)
    assert [(it.side, it.sun, it.choice) for it in facts_of(game, MoonShot)] == (
        [] if score.moon is None else [(score.moon, score.sun, score.moon_choice)]
    )
    assert bool(facts_of(game, HeartsBroken)) == game.broken
    idle = tuple(seat for seat in seats if not score.tricks_won[seat])
    assert facts_of(game, WonNoTrick) == ([WonNoTrick(idle)] if idle else [])
    assert_agrees_on_points(game, score)


def was_played(game, seat, number, card):
    trick = game.tricks[number - 1]
    return trick.cards[(seat - trick.leader) % game.rules.players] == card


def assert_agrees_on_points(game, score):
    partnership = game.rules.partnership
    if score.moon is None:
        clean = tuple(seat for seat, taken in enumerate(score.taken) if not taken)
        assert facts_of(game, CleanHand) == ([CleanHand(clean)] if clean else [])
        assert {it.points for it in facts_of(game, MostPoints)} == {max(score.taken)} - {0}
    for it in facts_of(game, MoonStopped):
        mates = [seat for seat in range(game.rules.players) if same_side(seat, it.seat, partnership)]
        assert score.moon is None
        assert it.points <= sum(score.taken[seat] for seat in mates)
        assert it.by is None or (it.by not in mates and score.taken[it.by] > 0)
    for it in facts_of(game, LastTrickPoints):
        assert it.seat == game.won[-1]
        assert 0 < it.points <= score.taken[it.seat]
    for it in facts_of(game, QueenPassed):
        assert QUEEN_OF_SPADES in game.passes[it.giver]
        received = game.deal.held[it.receiver] - game.passes[it.receiver] + game.passes[it.giver]
        assert QUEEN_OF_SPADES in received
        assert Cards.of(cards_of(game, it.receiver)) == received


def cards_of(game, seat):
    return [trick.cards[(seat - trick.leader) % game.rules.players] for trick in game.tricks]


def same_side(one, other, partnership):
    return side_of(one, partnership=partnership) == side_of(other, partnership=partnership)


@settings(max_examples=50)
@given(any_rules(), SEEDS, st.booleans())
def test_the_facts_agree_with_the_score(rules, seed, heavy):
    rng = random.Random(seed)
    assert_agrees(by_high_cards(rules, rng) if heavy else finished(rules, rng))


def by_high_cards(rules, rng):
    """A hand in which one seat has most high cards and leads them: moons are near."""
    game = apply(new_game(rules), top_heavy(rules, Seat(rng.randrange(rules.players)), rng))
    while not game.scores:
        if game.stage is Stage.PLAY and not game.on_table:
            seat = game.to_act[0]
            game = apply(game, Play(seat, max(legal(game, seat), key=rank)))
        else:
            game = apply(game, random_turn(game, rng, Seat(0)))
    return game


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_a_story(preset):
    for seed in range(6):
        rules = preset_rules(preset, players=PRESETS[preset].players[seed % len(PRESETS[preset].players)])
        game = finished(rules, random.Random(seed))
        assert_agrees(game)
        assert facts(game)
