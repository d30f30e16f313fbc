"""A game record is checked move by move: its events, up to the first fault of play."""

import random
import re

import pytest

from hearts.cards import Cards, card_text
from hearts.game import Stage, apply, legal
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Play
from tests.hearts.builders import random_games, shot
from tests.hearts.recorded import END, STEPS, TURNS, recorded, spoilt


def test_a_whole_game_is_printed_move_by_move(replay):
    status, events, err = replay(recorded(TURNS))
    assert (status, err) == (0, "")
    rest = iter(events)
    for before, turn, after in STEPS:
        if after.hand > before.hand:
            direction = ("left", "right", "keep")[(after.hand - 1) % 3]
            assert next(rest) == {"event": "deal", "hand": after.hand, "dealer": turn.dealer, "pass": direction}
        if len(after.plays) > len(before.plays):
            assert_play(next(rest), before, turn)
        if len(after.won) > len(before.won):
            trick = {"event": "trick", "hand": after.hand, "trick": len(after.won), "winner": after.won[-1]}
            assert next(rest) == {**trick, "cards": " ".join(map(card_text, after.plays[-4:]))}
        if len(after.scores) > len(before.scores):
            assert_hand(next(rest), after.scores[-1])
    assert next(rest) == {
        "event": "game",
        "hands": len(END.scores),
        "over": True,
        "totals": list(END.totals),
        "winners": list(END.winners),
        "stage": "over",
        "to_act": [],
    }
    assert next(rest, None) is None


def assert_play(event, before, turn):
    allowed = sorted(map(card_text, legal(before, turn.seat)))
    assert sorted(event.pop("legal")) == allowed
    play = {
        "event": "play",
        "hand": before.hand,
        "trick": before.trick,
        "seat": turn.seat,
        "card": card_text(turn.card),
    }
    assert event == play


def assert_hand(event, score):
    assert event == {
        "event": "hand",
        "hand": score.number,
        "taken": list(score.taken),
        "moon": score.moon,
        "points": list(score.points),
        "totals": list(score.totals),
    }


@pytest.mark.parametrize("upto", [0, 1, 3, 5, 6, 20, 56, 57, 58, len(TURNS)])
def test_an_unfinished_game_says_what_is_awaited(replay, upto):
    game = STEPS[upto - 1][2] if upto else STEPS[0][0]
    status, events, err = replay(recorded(TURNS[:upto]))
    assert (status, err) == (0, "")
    last = events[-1]
    assert (last["event"], last["stage"], last["to_act"]) == ("game", game.stage, list(game.to_act))
    assert (last["hands"], last["totals"]) == (len(game.scores), list(game.totals))
    assert (last["over"], last["winners"]) == (game.stage is Stage.OVER, list(game.winners))
    assert ("legal" in last) == (game.stage is Stage.PLAY)
    if game.stage is Stage.PLAY:
        assert Cards.parse(" ".join(last["legal"])) == legal(game, game.to_act[0])


def test_missing_passes_mean_that_nobody_has_passed_yet(replay):
    for passes in ({}, {"passes": [None] * 4}):
        record = recorded(TURNS[:1])
        record["hands"][0].update(passes)
        status, events, _ = replay(record)
        assert (status, events[-1]["stage"], events[-1]["to_act"]) == (0, "pass", [0, 1, 2, 3])


def moon_record(**changes):
    game = shot()
    turns = [game.deal, *(Play(Seat(0), card) for card in game.plays)]
    record = recorded([*turns, Moon(Seat(0), MoonChoice.SUBTRACT)], game.rules)
    record["hands"][0].update(changes)
    return record


def test_the_shooters_choice_is_printed_with_the_hand(replay):
    status, events, _ = replay(moon_record())
    assert status == 0
    assert (events[-2]["moon"], events[-2]["points"], events[-2]["taken"]) == (0, [-26, 0, 0, 0], [26, 0, 0, 0])
    assert events[-1]["stage"] == "deal"


def test_an_awaited_choice_is_the_stage_moon(replay):
    record = moon_record()
    del record["hands"][0]["moon"]
    status, events, _ = replay(record)
    assert (status, events[-2]["event"], events[-1]["stage"], events[-1]["to_act"]) == (0, "trick", "moon", [0])


def test_a_trick_that_nobody_won_has_no_winner(replay):
    rules = preset_rules("cancellation", players=11, passing="none")
    turns = [turn for _, turn, _ in random_games(rules, random.Random(3), 3)]
    status, events, _ = replay(recorded(turns, rules, ["Ann"] * 11))
    assert status == 0
    assert None in [event["winner"] for event in events if event["event"] == "trick"]


HAND_1 = slice(0, 57)
"""The turns of the first hand: a deal, four passes, 52 plays."""


def revoke():
    """A record in whose third trick a seat revokes, and the sentence about it."""
    at = next(
        n for n, (game, _, _) in enumerate(STEPS) if game.trick == 3 and len(game.on_table) == 1 and can_revoke(game)
    )
    game = STEPS[at][0]
    seat = game.to_act[0]
    wrong = next(card for card in game.held[seat] if card not in legal(game, seat))
    record = recorded(TURNS[:at])
    record["hands"][0]["plays"] += f" {card_text(wrong)}"
    suit = {"C": "clubs", "D": "diamonds", "S": "spades", "H": "hearts"}[card_text(game.on_table[0])[1]]
    return record, f"hand 1, trick 3: seat {seat} may not play {card_text(wrong)}: it must follow {suit}"


def can_revoke(game):
    return legal(game, game.to_act[0]) != game.held[game.to_act[0]].faces()


def with_first(record, seat, change):
    """Changes the first card dealt to a seat in hand 1."""
    cards = record["hands"][0]["deal"][seat].split()
    cards[0] = change(cards)
    record["hands"][0]["deal"][seat] = " ".join(cards)
    return record


def without(text):
    return text.rsplit(" ", 1)[0]


def play_faults():
    """How a record is damaged, the record, the sentence, and the last event that is still printed."""
    whole = recorded(TURNS)
    hands, plays, passes = whole["hands"], whole["hands"][0]["plays"], whole["hands"][0]["passes"]
    last = len(hands)
    dealer = hands[0]["dealer"]
    held_by_1 = hands[0]["deal"][1].split()[0]
    finished = recorded(TURNS[HAND_1])["hands"][0]
    yield "a dealer out of turn", spoilt(1, dealer=dealer), f"hand 2: seat {dealer} may not deal", "hand"
    yield "a dealer who is no seat", spoilt(0, dealer=4), "hand 1: seat 4 may not deal: there are seats 0 to 3", None
    yield "a dealer below zero", spoilt(0, dealer=-1), "hand 1: seat -1 may not deal", None
    twice = with_first(recorded(TURNS), 0, lambda cards: cards[1])
    yield "a card dealt twice", twice, "hand 1: the cards are not the pack", None
    thrice = with_first(recorded(TURNS), 0, lambda cards: cards[1])
    thrice["hands"][0]["deal"][0] = " ".join([thrice["hands"][0]["deal"][0].split()[1]] * 13)
    yield "a card dealt thirteen times", thrice, "hand 1: the cards are not the pack: .. is there three times", None
    yield (
        "three hands for four players",
        spoilt(0, deal=hands[0]["deal"][:3]),
        "hand 1: cards are dealt to 3 seats",
        None,
    )
    short = [without(hands[0]["deal"][0]), *hands[0]["deal"][1:]]
    yield "a hand too short", spoilt(0, deal=short), "hand 1: seat 0 is dealt 12 cards, not 13", None
    yield (
        "a kitty where nothing is left over",
        spoilt(0, kitty="2D"),
        "hand 1: the cards left over must be 0, not 1",
        None,
    )
    over = recorded(TURNS)
    over["hands"].append(hands[-1])
    yield "a hand after the end", over, f"hand {last + 1}: the game ended with hand {last}", "hand"
    yield "a hand after an unfinished one", spoilt(0, plays=without(plays)), "hand 2: hand 1 is not finished", "play"
    yield (
        "a hand after one that waits for passes",
        spoilt(0, plays="", passes=[None] * 4),
        "hand 2: hand 1 is not",
        "deal",
    )
    wrong = [f"{held_by_1} {passes[0][3:]}", *passes[1:]]
    not_held = f"hand 1, passing: seat 0 may not pass .*: {held_by_1} is not in its hand"
    yield "a pass of a card not held", spoilt(0, passes=wrong), not_held, "deal"
    few = [without(passes[0]), *passes[1:]]
    yield (
        "a pass of two",
        spoilt(0, passes=few),
        "hand 1, passing: seat 0 .*: exactly 3 cards are passed, not 2",
        "deal",
    )
    same = [f"{passes[0][:2]} {passes[0][:2]} {passes[0][:2]}", *passes[1:]]
    yield "a pass of one card thrice", spoilt(0, passes=same), "passing: seat 0 may not pass .*three times", "deal"
    yield "passes of three seats", spoilt(0, passes=passes[:3]), "passing: passes are given for 3 seats, not 4", "deal"
    yield "no passes at all", spoilt(0, passes=[]), "passing: passes are given for 0 seats, not 4", "deal"
    yield "passes where cards are kept", spoilt(2, passes=passes), "hand 3, passing: nothing is passed", "deal"
    yield "nulls where cards are kept", spoilt(2, passes=[None] * 4), "hand 3, passing: nothing is passed", "deal"
    some = [passes[0], None, passes[2], None]
    early = "hand 1, trick 1: 2C is played before seat 1 and seat 3 passed"
    yield "a play before everybody passed", spoilt(0, passes=some), early, "deal"
    nobody = recorded(TURNS)
    del nobody["hands"][0]["passes"]
    yield "plays where nobody has chosen", nobody, "hand 1, trick 1: 2C is played before seat 0 and", "deal"
    yield "a first lead that is not 2C", spoilt(0, plays=plays[3:]), "hand 1, trick 1: seat . may not play", "deal"
    yield "a card played twice", spoilt(0, plays=f"2C {plays}"), "may not play 2C: 2C is not in its hand", "play"
    extra = {**recorded(TURNS[HAND_1]), "hands": [{**finished, "plays": f"{plays} 2C"}]}
    yield "cards after the last trick", extra, "hand 1: 2C is played after the last trick", "hand"
    moon = {**recorded(TURNS[HAND_1]), "hands": [{**finished, "moon": "add"}]}
    yield "moon where no choice is due", moon, "hand 1: moon is given, but no choice of a shooter is due", "trick"
    both = {**moon, "hands": [{**finished, "moon": "add", "plays": f"{plays} 2C"}]}
    yield "moon and cards too many: moon first", both, "hand 1: moon is given", "trick"
    early = {**moon, "hands": [{**finished, "moon": "add", "plays": without(plays)}]}
    yield "moon before the last trick is over", early, "hand 1: moon is given", "play"
    awaited = moon_record(plays=moon_record()["hands"][0]["plays"] + " 2C")
    yield "cards after the last trick and its moon", awaited, "hand 1: 2C is played after the last trick", "hand"
    unsaid = moon_record(plays=awaited["hands"][0]["plays"])
    del unsaid["hands"][0]["moon"]
    yield "cards while the shooter is awaited", unsaid, "hand 1: 2C is played after the last trick", "trick"
    skipped = moon_record()
    del skipped["hands"][0]["moon"]
    skipped["hands"].append(skipped["hands"][0])
    yield "a hand while the shooter is awaited", skipped, "hand 2: hand 1 is not finished", "trick"
    yield "a revoke", *revoke(), "play"


@pytest.mark.parametrize(
    ("record", "sentence", "last"), [pytest.param(*fault, id=name) for name, *fault in play_faults()]
)
def test_an_illegal_play_is_reported_after_everything_before_it(replay, record, sentence, last):
    status, events, err = replay(record)
    assert status == 1
    assert err.count("\n") == 1
    assert err.endswith("\n")
    assert re.search(sentence, err), err
    assert (events[-1]["event"] if events else None) == last
    assert all(event["event"] != "game" for event in events)


def test_a_revoke_is_reported_as_the_rules_of_play_say(replay):
    record, sentence = revoke()
    assert replay(record)[2] == f"{sentence}\n"


def test_apply_makes_the_moves_that_replay_prints(replay):
    game = STEPS[6][2]
    turn = Play(game.to_act[0], next(iter(legal(game, game.to_act[0]))))
    assert replay(recorded([*TURNS[:7], turn]))[1][-1]["to_act"] == list(apply(game, turn).to_act)
