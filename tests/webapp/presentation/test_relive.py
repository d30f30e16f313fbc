"""A finished hand step by step: every card as it was played, the way on, and no card of a hand still in play."""

import re

import pytest
from bs4 import BeautifulSoup

from hearts.cards import Cards, rank
from hearts.game import Stage, legal, replay
from hearts.review import Opinion
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play
from tests.cast import allow_advice, dump, load, make_runtime, play_first, play_hand, seat_link, seats, start_game
from tests.samples.cast import CAST
from tests.samples.finished import stored_after, stored_game
from tests.samples.games import CLASSIC, KITTY
from tests.submitting import words_of
from tests.webapp.presentation.presets import PRESETS
from webapp.core.tokens import ReliveLink, SeatLink
from webapp.games.finished import HandNotScored, finished_hand
from webapp.games.links import relive_link
from webapp.models import ReviewRow
from webapp.presentation.faces import face
from webapp.presentation.relive import scene
from webapp.presentation.steps import Kind, steps_of

ALL_MINE = (
    "AC KC QC AD KD QD AS KS QS JS AH KH QH",
    "2C 3C 4C 5C 2D 3D 4D 5D 2S 3S 2H 3H 4H",
    "6C 7C 8C 6D 7D 8D 9D 4S 5S 6S 5H 6H 7H",
    "9C TC JC TD JD 7S 8S 9S TS 8H 9H TH JH",
)


@pytest.fixture(scope="module")
def runtime(tmp_path_factory):
    made = make_runtime(tmp_path_factory.mktemp("relive"))
    yield made
    made.database.engine.dispose()


@pytest.fixture(scope="module")
def game_id(runtime):
    """A game whose first hand is finished; the next turn belongs to another."""
    game_id = start_game(runtime)
    play_hand(runtime, game_id)
    return game_id


def path(runtime, game_id, hand=1, step=None, reader=None):
    """The path of the page; `reader` is the seat of the player whom the link names."""
    link = ReliveLink(game_id, hand)
    if reader is not None:
        link = relive_link(seats(runtime, load(runtime, game_id).row.table_id)[reader], game_id, hand)
    return runtime.signer.local_url(link) + ("" if step is None else f"?step={step}")


def words(page):
    return " ".join(words_of(page).split())


def held_in(shown):
    """The cards that a scene shows in hands."""
    return [held.face for person in shown.people for row in person.suits for held in row.cards]


# contents of a scene


@pytest.mark.parametrize(("rules", "names"), PRESETS)
def test_hands_and_tricks_make_up_the_whole_pack_at_every_step(rules, names):
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


def test_the_pass_shows_who_gave_what_to_whom_and_marks_it_as_new():
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


def test_the_winner_of_the_kitty_gets_it_once_and_by_name():
    hand = finished_hand(stored_game(KITTY, CAST[:3]), 1)
    heard = [sentence for step in range(1, 60) for sentence in scene(hand, step).sentences if "left over" in sentence]
    assert len(set(heard)) == 1
    assert scene(hand, 1).left_over != ()
    assert scene(hand, len(steps_of(hand))).left_over == ()


def test_a_step_says_so_if_the_robot_chose_for_the_player():
    hand = finished_hand(stored_game(CLASSIC, CAST), 1)  # every other record is of a deadline
    for step, shown in ((step, scene(hand, step)) for step in range(3, 55)):
        late = hand.records[steps_of(hand)[step - 1].turns - 1].source == "timeout"
        assert any("so the choice was made for" in sentence for sentence in shown.sentences) is late


@pytest.mark.parametrize(("asked", "step"), [(-3, 1), (0, 1), (1, 1), (55, 55), (56, 55), (9999, 55)])
def test_a_step_beyond_an_end_shows_the_step_at_that_end(asked, step):
    assert scene(finished_hand(stored_game(CLASSIC, CAST), 1), asked).step == step


# the robot's opinion


def test_a_turning_point_says_what_the_robot_would_have_played_and_why():
    hand = finished_hand(stored_game(CLASSIC, CAST), 1)
    record = hand.records[26]
    opinion = Opinion(27, 6, record.turn.seat, str(Cards.of([record.turn.card])), "3C", 5.3, 1.2, 4.1, "Keep low.")
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


def test_a_loss_of_less_than_a_point_is_no_turning_point():
    hand = finished_hand(stored_game(CLASSIC, CAST), 1)
    cheap = [Opinion(27, 6, hand.records[26].turn.seat, "3C", "4C", 2.0, 1.1, 0.9, "Keep low.")]
    assert scene(hand, 1, cheap).turning_points == ()


# the page


def test_anybody_with_the_link_can_step_through_the_hand(runtime, game_id, client):
    found = client.get(path(runtime, game_id))
    assert found.status_code == 200
    seen, page = [], BeautifulSoup(found.data, "lxml")
    while following := page.select_one(".ways a[rel=next]"):
        seen.append(page.h2.get_text(" ", strip=True))
        page = BeautifulSoup(client.get(path(runtime, game_id) + following["href"]).data, "lxml")
    assert len(seen) == 54
    assert page.h2.get_text(" ", strip=True).startswith("The score")


def test_opening_a_step_changes_no_row_and_no_search_engine_indexes_it(runtime, game_id, client):
    before = dump(runtime)
    found = client.get(path(runtime, game_id, step=20))
    assert dump(runtime) == before
    assert (found.headers["X-Robots-Tag"], found.headers["Cache-Control"]) == ("noindex", "no-store")


def test_asking_the_robot_stores_its_opinions_and_leads_back_to_the_step(runtime, game_id, client):
    allow_advice(runtime, game_id)
    url = path(runtime, game_id, reader=0)
    page = BeautifulSoup(client.get(f"{url}?step=20").data, "lxml")
    answer = client.post(url + page.form["action"])
    assert (answer.status_code, answer.location) == (303, f"{url}?step=20")
    with runtime.database.reading() as session:
        assert session.get_one(ReviewRow, (game_id, 1)).opinions
    assert BeautifulSoup(client.get(answer.location).data, "lxml").form is None


@pytest.mark.parametrize("step", ["", "x", "-1", "0", "1e3", "²", "99999999999999999999", "7", "٣"])
def test_any_step_in_the_address_opens_a_page(runtime, game_id, client, step):
    assert client.get(path(runtime, game_id, step=step)).status_code == 200


def test_the_table_page_leads_to_every_finished_hand(runtime, game_id, client):
    table_id = load(runtime, game_id).row.table_id
    url = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    links = BeautifulSoup(client.get(url).data, "lxml").select(".numbers a")
    assert [link.get_text(strip=True) for link in links] == ["Relive hand1"]
    assert words(client.get(links[0]["href"]).data).count("The deal") == 2, "in the title, and as a heading"


# unfinished hands


def test_no_step_of_an_unfinished_hand_shows_anything(runtime, client):
    game_id = start_game(runtime)
    for hand in (1, 2):
        for turn in range(200):
            if turn % 14 == 0:
                for step in ("", 1, 20, 55):
                    found = client.get(path(runtime, game_id, hand=hand, step=step))
                    assert found.status_code == 409
                    assert not re.search("[♣♦♠♥]", words(found.data))
                assert client.post(path(runtime, game_id, hand=hand)).status_code == 409
            if len(play_first(runtime, game_id).game.scores) == hand:
                break
        assert client.get(path(runtime, game_id, hand=hand)).status_code == 200, "now it is finished"


def test_the_page_of_a_finished_hand_does_not_depend_on_later_deals(runtime, client):
    game_id = start_game(runtime)
    play_hand(runtime, game_id)
    pages = [client.get(path(runtime, game_id, step=step)).data for step in (1, 2, 30, 55)]
    for _ in range(20):
        play_first(runtime, game_id)
    stored = load(runtime, game_id)
    assert stored.game.hand == 2
    assert [client.get(path(runtime, game_id, step=step)).data for step in (1, 2, 30, 55)] == pages
    assert {type(record.turn) for record in finished_hand(stored, 1).records[1:]} == {Pass, Play}


def test_a_moon_not_yet_scored_keeps_the_hand_closed():
    rules = preset_rules("rulebook", moon="choice", passing="none")
    held = tuple(map(Cards.parse, ALL_MINE))
    turns = [Deal(Seat(3), held, Cards())]
    while (game := replay(rules, turns)).stage is Stage.PLAY:
        turns.append(Play(game.to_act[0], max(legal(game, game.to_act[0]), key=rank)))
    assert game.stage is Stage.MOON
    waiting = stored_after(game, CAST, turns)
    with pytest.raises(HandNotScored):
        finished_hand(waiting, 1)
    turns.append(Moon(game.to_act[0], MoonChoice.ADD))
    counted = stored_after(replay(rules, turns), CAST, turns)
    assert scene(finished_hand(counted, 1), 99).heading == "The score"


@pytest.mark.parametrize("hand", [0, -1])
def test_an_impossible_hand_opens_nothing(runtime, game_id, client, hand):
    for method in (client.get, client.post):
        assert method(path(runtime, game_id, hand=hand)).status_code == 403


def test_eve_opens_nothing_with_a_token_of_another_kind_or_for_another_game(runtime, game_id, client):
    other = runtime.signer.local_url(SeatLink(1, 0, 1)).replace("/seat/", "/relive/")
    altered = path(runtime, game_id)[:-2] + "xx"
    for url in (other, altered, "/relive/nonsense", path(runtime, 999)):
        for method in (client.get, client.post):
            assert method(url).status_code == 403
