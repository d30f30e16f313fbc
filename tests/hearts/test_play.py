"""Leading and following: a row for each rule of play."""

import pytest

from hearts.cards import Cards, card_text, parse_code
from hearts.game import IllegalTurn, apply, legal, replay, why_not
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Pass, Play
from tests.hearts.builders import game_after, random_turn, rules_of

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
ROW = ("options", "held", "plays", "allowed", "refused")

OPENING = [
    pytest.param(
        {}, "2C AC QS AH", "", "2C", {"AC": "The first lead is 2♣, the lowest club."}, id="low-club: leads it"
    ),
    pytest.param(
        {"kitty": "first-trick"},
        {"s1": "3C AC QS AH", "kitty": "2C"},
        "",
        "3C",
        {"AC": "The first lead is 3♣, the lowest club."},
        id="low-club: the lowest club dealt to any hand, not one in the kitty",
    ),
    pytest.param(
        {"players": 5},
        {"s1": "3C AC QS AH"},
        "",
        "3C",
        {"QS": "The first lead is 3♣, the lowest club."},
        id="low-club: 2C may be removed",
    ),
    pytest.param(
        {"opening": "any-club"},
        "2C AC 5D 6D 7D 8D 9D TD JD QD KD QS AH",
        "",
        "2C AC",
        {"5D": "A club is led to the first trick.", "AH": "A club is led to the first trick."},
        id="any-club: the same player leads any club",
    ),
    pytest.param(
        {"opening": "eldest"},
        "4C AC 5D 6D 7D 8D 9D TD JD QD KD QS AH",
        "",
        "4C AC 5D 6D 7D 8D 9D TD JD QD KD",
        {"QS": "No points may be led to the first trick.", "AH": "No points may be led to the first trick."},
        id="eldest: leads, but no penalty cards",
    ),
    pytest.param(
        {"opening": "eldest", "opening_ban": "hearts"},
        "4C AC 5D 6D 7D 8D 9D TD JD QD KD QS AH",
        "",
        "4C AC 5D 6D 7D 8D 9D TD JD QD KD QS",
        {"AH": "No hearts may be led to the first trick."},
        id="eldest: leads, but no hearts",
    ),
    pytest.param(
        {"opening": "eldest", "queen_points": 0},
        "4C AC 5D 6D 7D 8D 9D TD JD QD KD QS AH",
        "",
        "4C AC 5D 6D 7D 8D 9D TD JD QD KD QS",
        {"AH": "No points may be led to the first trick."},
        id="eldest: QS is a penalty card only where it counts",
    ),
    pytest.param(
        {"opening": "eldest"},
        f"{HEARTS[:-3]} QS",
        "",
        f"{HEARTS[:-3]} QS",
        {},
        id="eldest: nothing but points: anything",
    ),
    pytest.param(
        {"opening": "eldest", "opening_ban": "hearts"},
        HEARTS,
        "",
        HEARTS,
        {},
        id="eldest: nothing but hearts: anything",
    ),
    pytest.param(
        {"opening": "eldest", "opening_ban": "hearts", "queen_lead": "after-broken"},
        "4C AC 5D 6D 7D 8D 9D TD JD QD KD QS KS",
        "",
        "4C AC 5D 6D 7D 8D 9D TD JD QD KD QS KS",
        {},
        id="leading to the first trick is ruled by opening alone: not by queen_lead",
    ),
    pytest.param(
        {"opening": "eldest", "hearts_lead": "anytime"},
        f"{HEARTS[:-3]} 5D",
        "",
        "5D",
        {"2H": "No points may be led to the first trick."},
        id="leading to the first trick is ruled by opening alone: not by hearts_lead",
    ),
]

LEADING = [
    pytest.param(
        {},
        "AC KS QS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH",
        "2C 3C 4C AC",
        "5D QS KS",
        {"2H": "Hearts are not broken yet.", "TH": "Hearts are not broken yet."},
        id="while hearts are not broken, hearts are barred",
    ),
    pytest.param(
        {"hearts_lead": "anytime"},
        "AC KS QS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH",
        "2C 3C 4C AC",
        "5D QS KS 2H 3H 4H 5H 6H 7H 8H 9H TH",
        {},
        id="hearts may be led anytime",
    ),
    pytest.param(
        {"queen_lead": "after-broken"},
        "AC KS QS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH",
        "2C 3C 4C AC",
        "5D KS",
        {"QS": "Hearts are not broken yet.", "2H": "Hearts are not broken yet."},
        id="and so is QS",
    ),
    pytest.param(
        {"queen_lead": "after-broken", "hearts_lead": "anytime"},
        "AC KS QS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH",
        "2C 3C 4C AC",
        "5D KS 2H 3H 4H 5H 6H 7H 8H 9H TH",
        {"QS": "Hearts are not broken yet."},
        id="QS is barred alone where hearts are free",
    ),
    pytest.param(
        {}, f"AC {HEARTS[3:]}", "2C 3C 4C AC", HEARTS[3:], {}, id="if that bars every card, nothing is barred"
    ),
    pytest.param(
        {},
        f"AC QS {HEARTS[6:]}",
        "2C 3C 4C AC",
        "QS",
        {"AH": "Hearts are not broken yet."},
        id="a hand of hearts and QS with queen_lead anytime must lead QS",
    ),
    pytest.param(
        {"queen_lead": "after-broken"},
        f"AC QS {HEARTS[6:]}",
        "2C 3C 4C AC",
        f"QS {HEARTS[6:]}",
        {},
        id="with after-broken it may lead either",
    ),
    pytest.param(
        {"first_trick_points": True, "queen_lead": "after-broken"},
        {"s0": "AC KS QS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH", "s3": "JH QH KH AH 2D 3D 4D 6D 7D 8D 9D TD JD"},
        "2C 3C JH AC",
        "KS QS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH",
        {},
        id="hearts are broken once a heart has been played: nothing is barred",
    ),
    pytest.param(
        {"first_trick_points": True, "queen_breaks": "led"},
        {"s0": "AC KS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH", "s3": "QS QH KH AH 2D 3D 4D 6D 7D 8D 9D TD JD"},
        "2C 3C QS AC",
        "KS 5D",
        {"2H": "Hearts are not broken yet."},
        id="queen_breaks led: a discarded QS breaks nothing",
    ),
    pytest.param(
        {"first_trick_points": True, "queen_breaks": "played"},
        {"s0": "AC KS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH", "s3": "QS QH KH AH 2D 3D 4D 6D 7D 8D 9D TD JD"},
        "2C 3C QS AC",
        "KS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH",
        {},
        id="queen_breaks played: played in any way",
    ),
    *(
        pytest.param(
            {"queen_breaks": breaks},
            {"s0": "AC QS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH", "s1": "2C AS QH KC", "s2": "3C 2S", "s3": "4C 3S"},
            "2C 3C 4C AC QS AS 2S 3S",
            None,
            {"QH": reason},
            id=f"queen_breaks {breaks}: a led QS",
        )
        for breaks, reason in (("no", "Hearts are not broken yet."), ("led", None), ("played", None))
    ),
]

FOLLOWING = [
    pytest.param(
        {},
        "5C AC QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH",
        "2C 3C 4C",
        "5C AC",
        {"QS": "You must follow clubs.", "2H": "You must follow clubs."},
        id="a card of the suit led if there is one",
    ),
    pytest.param(
        {},
        "QS KS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH",
        "2C 3C 4C",
        "KS 5D",
        {"QS": "No points on the first trick.", "2H": "No points on the first trick."},
        id="a player void in the first trick may not discard a penalty card",
    ),
    pytest.param(
        {"first_trick_points": True},
        "QS KS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH",
        "2C 3C 4C",
        "QS KS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH",
        {},
        id="first_trick_points true: any card",
    ),
    pytest.param({}, f"QS {HEARTS[3:]}", "2C 3C 4C", f"QS {HEARTS[3:]}", {}, id="unless it holds nothing else"),
    pytest.param(
        {"queen_points": 0},
        "QS KS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH",
        "2C 3C 4C",
        "QS KS 5D",
        {"2H": "No points on the first trick."},
        id="a QS that is worth nothing is no penalty card",
    ),
    pytest.param(
        {"queen_points": 0, "queen_discard": "after-broken"},
        "QS KS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH",
        "2C 3C 4C",
        "KS 5D",
        {"QS": "Hearts are not broken yet.", "2H": "No points on the first trick."},
        id="then QS while hearts are not broken",
    ),
    pytest.param(
        {"queen_discard": "after-broken"},
        f"QS {HEARTS[3:]}",
        "2C 3C 4C",
        HEARTS[3:],
        {"QS": "Hearts are not broken yet."},
        id="each step is skipped by itself if it would leave nothing",
    ),
    pytest.param(
        {"queen_discard": "after-broken", "queen_points": 0},
        f"QS {HEARTS[3:]}",
        "2C 3C 4C",
        "QS",
        {"3H": "No points on the first trick."},
        id="in this order: penalty cards first, though QS is all that is left",
    ),
    pytest.param(
        {"opening": "eldest"},
        {"s0": "QS KS AS 2D 3D 4D 5D 6D 7D 8D 9D TD JD", "s1": HEARTS},
        "2H 2S 3S",
        "KS AS 2D 3D 4D 5D 6D 7D 8D 9D TD JD",
        {"QS": "No points on the first trick."},
        id="no points on the first trick, hearts broken or not",
    ),
    pytest.param(
        {"queen_discard": "after-broken", "first_trick_points": True},
        {"s0": "QS KS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH", "s3": "QH KH AH 2D 3D 4D 6D 7D 8D 9D TD JD QD"},
        "2C 3C QH",
        "QS KS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH",
        {},
        id="hearts are broken at once, also for seats still to play to that trick",
    ),
    pytest.param(
        {"opening": "eldest", "queen_discard": "after-broken"},
        "QS KS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH",
        "2S 3S 4S",
        "QS KS",
        {"5D": "You must follow spades."},
        id="following suit is never barred: QS to spades in the first trick",
    ),
    pytest.param(
        {"opening": "eldest"},
        {"s0": "2H 2C 3C 5C 6C 7C 8C 9C TC JC QC KC AC", "s1": "QS 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"},
        "QS 3S 4S",
        "2C 3C 5C 6C 7C 8C 9C TC JC QC KC AC",
        {"2H": "No points on the first trick."},
        id="no points on the first trick even where it was led with points",
    ),
    pytest.param(
        {},
        {"s0": "3C QS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH", "s3": "2C AC KC"},
        "AC 3C 4C 5C KC",
        "QS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH",
        {},
        id="otherwise any card: after the first trick points may be discarded",
    ),
    pytest.param(
        {"queen_discard": "after-broken"},
        {"s0": "3C QS 5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH", "s3": "2C AC KC"},
        "AC 3C 4C 5C KC",
        "5D 2H 3H 4H 5H 6H 7H 8H 9H TH JH",
        {"QS": "Hearts are not broken yet."},
        id="queen_discard after-broken bars QS after the first trick too",
    ),
]


def position(options, held, plays, leader):
    options = {"opening": "any-club", **options} if plays.startswith("AC") else options
    held = held if isinstance(held, dict) else {("s0" if plays else "s1"): held}
    return game_after(plays, rules=rules_of(**options), leader=3 if plays.startswith("AC") else leader, **held)


@pytest.mark.parametrize(ROW, [*OPENING, *LEADING, *FOLLOWING])
def test_each_position_allows_exactly_its_legal_cards(options, held, plays, allowed, refused):
    game = position(options, held, plays, leader=1)
    seat = game.to_act[0]
    if allowed is not None:
        assert legal(game, seat) == Cards.parse(allowed)
    for code, reason in refused.items():
        why = why_not(game, seat, parse_code(code))
        assert (why and str(why)) == reason
    assert all(why_not(game, seat, card) is None for card in legal(game, seat))


def test_the_highest_card_of_the_suit_wins_and_leads():
    game = game_after("2C 9C AD TC", s3="AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D")
    assert game.won == (0,)
    assert game.to_act == (0,)


def test_after_passing_the_holder_of_the_lowest_club_leads_it():
    rules = rules_of(passing="left")
    game = game_after(rules=rules, s1="2C 3C 4C", s0="QS KS AS")
    for seat in (0, 1, 2, 3):
        cards = Cards.parse({0: "QS KS AS", 1: "2C 3C 4C"}.get(seat, "")) or Cards.of(list(game.held[seat])[:3])
        game = apply(game, Pass(Seat(seat), cards))
    assert game.to_act == (2,)
    assert legal(game, Seat(2)) == Cards.parse("2C")
    assert Cards.parse("QS KS AS") - game.held[1] == Cards()


@pytest.mark.parametrize(
    ("turn", "sentence"),
    [
        (Play(Seat(0), parse_code("QS")), "seat 0 may not play QS: it must follow clubs"),
        (Play(Seat(0), parse_code("2C")), "seat 0 may not play 2C: 2C is not in its hand"),
        (Play(Seat(2), parse_code("3C")), "seat 2 may not play 3C: it is the turn of seat 0"),
        (Play(Seat(7), parse_code("3C")), "seat 7 may not play 3C: it is the turn of seat 0"),
        (Pass(Seat(0), Cards.parse("QS")), "seat 0 may not pass QS: nothing is passed now"),
    ],
)
def test_a_refusal_names_the_seat_and_the_reason(turn, sentence):
    game = game_after("2C 3C 4C", s0="5C QS")
    with pytest.raises(IllegalTurn) as refusal:
        apply(game, turn)
    assert str(refusal.value) == sentence


def test_a_refusal_to_a_player_addresses_them():
    game = game_after("2C 3C 4C", s0="5C QS")
    assert str(why_not(game, Seat(0), parse_code("2C"))) == "2♣ is not in your hand."
    assert str(why_not(game, Seat(1), parse_code("3C"))) == "It is the turn of seat 0."
    assert str(why_not(replay(rules_of(), []), Seat(0), parse_code("2C"))) == "No card is played now."


def test_with_two_packs_a_card_held_twice_is_legal_once(rng):
    rules = preset_rules("cancellation", players=8, passing="none")
    game = replay(rules, [])
    while len(legal(game, game.to_act[0]) if game.to_act else ()) == len(
        set(game.held[game.to_act[0]] if game.to_act else ())
    ):
        game = apply(game, random_turn(game, rng, Seat(0)))
    seat = game.to_act[0]
    assert [card_text(card) for card in legal(game, seat)] == sorted(
        {card_text(card) for card in legal(game, seat)}, key=parse_code
    )
