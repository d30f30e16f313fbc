"""A finished hand step by step: every card as it was played, and what the robot would have played."""

import re

import pytest

from hearts.cards import Cards, rank
from hearts.game import Stage, legal, replay
from hearts.review import Opinion
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play
from hearts.words import Sentence
from tests.samples.cast import CAST
from tests.samples.finished import stored_after, stored_game
from tests.samples.games import CLASSIC, KITTY
from tests.webapp.presentation.presets import PRESETS
from webapp.games.record.finished import HandNotScored, finished_hand
from webapp.presentation.faces import face
from webapp.presentation.tricks import Kind, steps_of
from webapp.results.relive import scene

ALL_MINE = (
    "AC KC QC AD KD QD AS KS QS JS AH KH QH",
    "2C 3C 4C 5C 2D 3D 4D 5D 2S 3S 2H 3H 4H",
    "6C 7C 8C 6D 7D 8D 9D 4S 5S 6S 5H 6H 7H",
    "9C TC JC TD JD 7S 8S 9S TS 8H 9H TH JH",
)


def held_in(shown):
    """The cards that a scene shows in hands."""
    return [held.face for person in shown.people for row in person.suits for held in row.cards]


# contents of a scene


@pytest.mark.parametrize(("rules", "names"), PRESETS)
def test_hands_and_tricks_always_make_up_the_pack(rules, names):
    stored = stored_game(rules, names)
    for number in (1, 2):
        hand = finished_hand(stored, number)
        every = Cards.of(card for held in (*hand.games[0].deal.held, hand.games[0].deal.kitty) for card in held)
        for step in range(1, len(steps_of(hand))):  # at the score nobody holds a card
            shown = scene(hand, step)
            game = hand.games[steps_of(hand)[step - 1].turns - 1]
            assert len(held_in(shown)) == sum(map(len, game.held))
            assert len(held_in(shown)) + len(game.plays) + len(hand.games[0].deal.kitty) == len(every)


@pytest.mark.parametrize(("rules", "names"), PRESETS)
def test_every_card_has_its_own_step_and_names_its_player(rules, names):
    hand = finished_hand(stored_game(rules, names), 2)
    plays = [record.turn for record in hand.records if isinstance(record.turn, Play)]
    cards = [step for step in range(1, len(steps_of(hand)) + 1) if scene(hand, step).kind is Kind.CARD]
    assert len(cards) == len(plays)
    for step, play in zip(cards, plays, strict=True):
        shown = scene(hand, step)
        verb = "led" if len([place for place in shown.places if place.face]) == 1 else "played"
        assert shown.sentences[0] == f"{names[play.seat]} {verb} {face(play.card).text}."
        newest = [place for place in shown.places if place.face][-1]
        assert (newest.seat, newest.face) == (play.seat, face(play.card))


@pytest.mark.parametrize(("rules", "names"), PRESETS)
def test_points_so_far_end_at_the_score(rules, names):
    hand = finished_hand(stored_game(rules, names), 1)
    last_card = len(steps_of(hand)) - 1
    shown = [int(re.sub(r"\D", "", person.points) or 0) for person in scene(hand, last_card).people]
    assert tuple(shown) == hand.score.taken == scene(hand, 1).table.taken


def test_the_pass_shows_who_gave_each_new_card_to_whom():
    hand = finished_hand(stored_game(CLASSIC, CAST), 1)
    shown = scene(hand, 2)
    given = {record.turn.seat: record.turn.cards for record in hand.records if isinstance(record.turn, Pass)}
    assert [(line.giver, line.receiver) for line in shown.passed] == [
        ("Ann", "Bo"),
        ("Bo", "Cy"),
        ("Cy", "Di"),
        ("Di", "Ann"),
    ]
    for seat, person in enumerate(shown.people):
        new = Cards.parse(" ".join(held.face.code for row in person.suits for held in row.cards if held.received))
        assert new == given[(seat - 1) % 4]


def test_a_hand_without_a_pass_begins_with_the_first_card():
    hand = finished_hand(stored_game(CLASSIC, CAST), 4)
    assert scene(hand, 1).sentences[-1] == "Nothing is passed in this hand."
    assert [scene(hand, step).kind for step in (1, 2)] == [Kind.DEAL, Kind.CARD]


def test_the_kittys_winner_gets_it_once_by_name():
    hand = finished_hand(stored_game(KITTY, CAST[:3]), 1)
    heard = [sentence for step in range(1, 60) for sentence in scene(hand, step).sentences if "left over" in sentence]
    assert len(set(heard)) == 1
    assert scene(hand, 1).left_over != ()
    assert scene(hand, len(steps_of(hand))).left_over == ()


def test_a_step_says_when_the_robot_chose():
    hand = finished_hand(stored_game(CLASSIC, CAST), 1)  # every other record is of a deadline
    for step, shown in ((step, scene(hand, step)) for step in range(3, 55)):
        late = hand.records[steps_of(hand)[step - 1].turns - 1].source == "timeout"
        assert any("so the choice was made for" in sentence for sentence in shown.sentences) is late


@pytest.mark.parametrize(("asked", "step"), [(-3, 1), (0, 1), (1, 1), (55, 55), (56, 55), (9999, 55)])
def test_a_step_beyond_an_end_shows_that_end(asked, step):
    assert scene(finished_hand(stored_game(CLASSIC, CAST), 1), asked).step == step


# the robot's opinion


def test_a_turning_point_says_the_robots_card_and_reason():
    hand = finished_hand(stored_game(CLASSIC, CAST), 1)
    record = hand.records[26]
    opinion = Opinion(
        27, 6, record.turn.seat, str(Cards.of([record.turn.card])), "3C", 5.3, 1.2, 4.1, Sentence("Keep low.")
    )
    step = next(at for at, one in enumerate(steps_of(hand), 1) if one.turns == 27)
    (line,) = scene(hand, step, [opinion]).opinions
    assert (line.is_pass, line.better[0].code) == (False, "3C")
    assert line.figures == "About 1.2 points in this hand instead of 5.3."
    assert line.advice == "Keep low."
    assert scene(hand, step + 1, [opinion]).opinions == ()
    (point,) = scene(hand, 1, [opinion]).turning_points
    assert (point.step, point.label) == (
        step,
        f"Trick 6: you played {face(record.turn.card).text}, about 4.1 points too dear",
    )
    marked = [
        card.step for row in scene(hand, 1, [opinion]).table.tricks for card in row.cards if card.is_turning_point
    ]
    assert marked == [step]


def test_losing_less_than_a_point_is_no_turning_point():
    hand = finished_hand(stored_game(CLASSIC, CAST), 1)
    cheap = [Opinion(27, 6, hand.records[26].turn.seat, "3C", "4C", 2.0, 1.1, 0.9, Sentence("Keep low."))]
    assert scene(hand, 1, cheap).turning_points == ()


# an unfinished hand


def moon_to_choose():
    """The rules, the turns, and the game, in which a player has all points and is to say how they count."""
    rules = preset_rules("rulebook", moon="choice", passing="none")
    held = tuple(map(Cards.parse, ALL_MINE))
    turns = [Deal(Seat(3), held, Cards())]
    while (game := replay(rules, turns)).stage is Stage.PLAY:
        turns.append(Play(game.to_act[0], max(legal(game, game.to_act[0]), key=rank)))
    assert game.stage is Stage.MOON
    return rules, turns, game


def test_a_moon_counted_the_dear_way_is_a_turning_point():
    rules, turns, game = moon_to_choose()
    turns.append(Moon(game.to_act[0], MoonChoice.ADD))
    hand = finished_hand(stored_after(replay(rules, turns), CAST, turns), 1)
    opinion = Opinion(len(turns), 13, game.to_act[0], "add", "subtract", 9.0, 4.0, 5.0, Sentence("Keep low."))
    (point,) = scene(hand, 1, [opinion]).turning_points
    assert point.label == "The score: you chose how the moon counts, about 5.0 points too dear"


def test_a_moon_not_yet_scored_keeps_the_hand_closed():
    rules, turns, game = moon_to_choose()
    waiting = stored_after(game, CAST, turns)
    with pytest.raises(HandNotScored):
        finished_hand(waiting, 1)
    turns.append(Moon(game.to_act[0], MoonChoice.ADD))
    counted = stored_after(replay(rules, turns), CAST, turns)
    assert scene(finished_hand(counted, 1), 99).heading == "The score"
