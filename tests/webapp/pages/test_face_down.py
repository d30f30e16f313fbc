"""What pages show while a card lies face down: its player sees it, and nobody else a difference."""

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from hearts.cards import card_text
from hearts.plans import ASK, Asking, Plan
from hearts.seats import Seat
from tests.cast import give_plans, load, opened, play_first, play_link, seat_link, turn_link
from tests.playing import following_cards, hide_speed, show_cards, waiting_game
from tests.submitting import FORM, soup, words
from webapp.core.tokens import HostLink, PlayLink
from webapp.games import deadlines, face_down, store
from webapp.games.running import running_games
from webapp.models import TableRow, TurnSource
from webapp.presentation.faces import face

# What a link is about, the second in which it was made, and its signature.
TOKEN = re.compile(rb"([\w-]+)\.[\w-]{6}\.[\w-]{27}")
ANN, BO, CY, DI = map(Seat, range(4))


@pytest.fixture
def game_id(runtime):
    """Bo has led, and Cy is to play; the table hides how fast cards are played."""
    made = waiting_game(runtime)
    hide_speed(runtime, made)
    return made


def pages_of(client, runtime, game_id, seat):
    """The bytes of all pages on which the player follows the game, and of the news for which they poll."""
    play = runtime.signer.local_url(play_link(runtime, game_id, seat))
    table = runtime.signer.local_url(seat_link(runtime, load(runtime, game_id).row.table_id, seat))
    paths = [play, f"{play}/now", f"{play}?hand=1", table, f"{table}/now"]
    found = {path: client.get(path) for path in paths}
    assert {one.status_code for one in found.values()} == {200}
    return [TOKEN.sub(rb"\1", one.data) for one in found.values()]


@pytest.mark.parametrize("seat", [ANN, BO, DI])
def test_no_page_of_another_player_changes_when_a_card_is_laid(client, runtime, game_id, seat):
    runtime.now.pass_by(timedelta(hours=7))
    before = pages_of(client, runtime, game_id, seat)
    play_first(runtime, game_id)
    assert face_down.lying(load(runtime, game_id))
    assert pages_of(client, runtime, game_id, seat) == before
    show_cards(runtime, game_id)
    assert pages_of(client, runtime, game_id, seat) != before


def test_the_pages_of_others_are_the_same_whether_a_player_is_asked_or_their_plan_has_played(client, runtime, game_id):
    give_plans(runtime, game_id, ASK, ASK, ASK, Plan(asking=Asking.MATTERS), guards=False)
    play_first(runtime, game_id)
    show_cards(runtime, game_id)
    by_plan = pages_of(client, runtime, game_id, ANN)
    assert face_down.lying(load(runtime, game_id)).source is TurnSource.PLAN
    give_plans(runtime, game_id, ASK, ASK, ASK, ASK, guards=False)
    with runtime.database.writing() as session:
        stored = store.load(session, game_id, lock=True)
        stored.row.face_down = None
        deadlines.for_all(session, stored, runtime.now())
    assert pages_of(client, runtime, game_id, ANN) == by_plan


def test_the_player_reads_what_lies_and_is_asked_nothing(client, runtime, game_id):
    link = runtime.signer.local_url(turn_link(runtime, game_id, CY))
    play = runtime.signer.local_url(play_link(runtime, game_id, CY))
    card = following_cards(runtime, game_id, CY)[0]
    version = client.get(f"{play}/now").json["version"]
    answer = client.post(link, data={"card": card_text(card)})
    assert opened(runtime, PlayLink, answer.headers["Location"]) == play_link(runtime, game_id, CY)
    text = words(client.get(play))
    assert f"{face(card).text} lies face down." in text
    assert "The others see it in a few minutes" in text
    assert client.get(f"{play}/now").json["version"] != version, "their other devices learn of it"
    shown = soup(client.get(play))
    assert not shown.select("form[action*='/turn/']")
    assert [note.text for note in shown.select(".ring .note")] == ["winning", "face down", "after you", "after you"]
    assert not shown.select(".ring .turn")
    assert "to play" not in text
    over = client.get(link)
    assert f"You played {face(card).text}" in words(over)
    assert f"{face(card).text} lies face down." in words(over)


def test_another_card_is_refused_with_the_one_that_lies(client, runtime, game_id):
    link = runtime.signer.local_url(turn_link(runtime, game_id, CY))
    low, *_, high = following_cards(runtime, game_id, CY)
    client.post(link, data={"card": card_text(low)})
    again = client.post(link, data={"card": card_text(high)})
    assert again.status_code == 409
    assert f"You played {face(low).text}" in words(again)
    assert client.post(link, data={"card": card_text(low)}).status_code == 303, "a second tap finds what it wants"


def test_no_list_of_games_asks_for_a_card_that_lies(runtime, game_id):
    play_first(runtime, game_id)
    with runtime.database.reading() as session:
        (running,) = running_games(session, load(runtime, game_id).seats[CY].player_id)
    assert (running.due, running.waiting) == (None, 0)


@pytest.mark.parametrize(("pace", "hides"), [("86400", True), ("60", False)], ids=["by mail", "live"])
def test_a_host_wants_it_when_opening_a_table_by_mail_and_its_pages_say_so(client, runtime, pace, hides):
    client.post("/tables/new", data={**FORM, "pass_time": pace, "play_time": pace, "hides_speed": "yes"})
    (opened,) = tables(runtime)
    assert opened.hides_speed is hides
    link = runtime.signer.local_url(seat_link(runtime, opened.id, ANN))
    assert ("Nobody can tell how fast you play" in words(client.get(link))) is hides


def test_a_host_changes_it_in_the_settings(client, runtime, game_id):
    table = load(runtime, game_id).table
    settings = runtime.signer.local_url(HostLink(table.id, table.host_id))
    box = "input[name=hides_speed]"
    assert soup(client.get(settings)).select_one(box).has_attr("checked")
    client.post(f"{settings}/manners", data={"talk": "none", "robots": "rule"})
    assert not load(runtime, game_id).table.hides_speed
    assert not soup(client.get(settings)).select_one(box).has_attr("checked")


def tables(runtime):
    with runtime.database.reading() as session:
        return list(session.exec(select(TableRow)))
