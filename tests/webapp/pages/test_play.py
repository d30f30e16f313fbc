"""The live page: what it shows, what it sends to the script, and who gets a link to it."""

import re

import pytest

from tests.cast import dump, leave, letters, seat_link, seats
from tests.sites import site_of
from tests.submitting import held, soup, words
from webapp.games.clock.presence import READING_FOR
from webapp.models import SeatRow, SeatState, TableRow
from worker import postman
from worker.mail import compose


def test_an_away_player_comes_back_from_their_page(client, runtime, table, table_id, plays):
    table.play_first()
    table.play_first()
    change_row(runtime, SeatRow, (table_id, 1), away=True)
    assert "You are away" in words(client.get(plays[1]))
    assert client.post(f"{plays[1]}/back").status_code == 303
    assert not seats(runtime, table_id)[1].away


def test_a_page_of_a_seat_that_changed_hands_opens_nothing(client, runtime, table_id, plays):
    with runtime.database.writing() as session:
        seat = session.get_one(SeatRow, (table_id, 1))
        seat.player_id, seat.state = None, SeatState.ROBOT
    before = dump(runtime)
    assert client.get(plays[1]).status_code == 403
    assert client.get(f"{plays[1]}/now").status_code == 403
    assert client.post(f"{plays[1]}/here").status_code == 403
    assert client.post(f"{plays[1]}/back").status_code == 403
    assert dump(runtime) == before


@pytest.mark.parametrize("path", ["", "/now", "/here", "/back"])
def test_an_altered_or_foreign_token_opens_nothing(client, runtime, table_id, plays, path):
    method = client.post if path in ("/here", "/back") else client.get
    seat_token = runtime.signer.token(seat_link(runtime, table_id, 0))
    altered = plays[0][:-5] + plays[0][-5:].swapcase()
    assert altered != plays[0]
    for address in (altered, f"/play/{seat_token}", "/play/x"):
        assert method(f"{address}{path}").status_code == 403


# requests of the script


def change_row(runtime, row, key, **values):
    with runtime.database.writing() as session:
        found = session.get_one(row, key)
        for name, value in values.items():
            setattr(found, name, value)


def test_opening_a_page_and_asking_for_news_changes_no_row(client, runtime, plays):
    before = dump(runtime)
    for method in (client.get, client.head):
        for address in (plays[0], f"{plays[0]}/now"):
            assert method(address).status_code == 200
    assert dump(runtime) == before


def test_the_others_see_a_player_as_present_until_they_leave(client, runtime, plays):
    assert client.post(f"{plays[2]}/here", data={"idle": "0"}).json["here"] == []
    assert "Cy is here" in words(client.get(plays[0]))
    assert client.get(f"{plays[0]}/now").json["here"] == [2]
    client.post(f"{plays[2]}/here", data={"here": "no"})
    assert "is here" not in words(client.get(plays[0]))


@pytest.mark.parametrize("idle", ["180", "-1", "1e3", "٣", "9" * 9, ""])
def test_a_page_left_open_does_not_make_its_player_present(client, runtime, plays, idle):
    runtime.now.pass_by(READING_FOR)
    client.post(f"{plays[2]}/here", data={"idle": idle})
    assert "is here" not in words(client.get(plays[0]))


# links to the page


def links_to_play(response):
    return re.findall(r"/play/[\w.-]+", response.get_data(as_text=True))


def test_a_finished_turn_leads_nobody_to_the_live_page(client, runtime, table):
    url = runtime.signer.local_url(table.turn_link(0))
    cards = held(table, 0)[:3]
    assert links_to_play(client.get(url)), "while the turn is pending"
    client.post(url, data={"card": cards})
    stranger = site_of(runtime).test_client()
    assert not links_to_play(stranger.get(url))
    for data in ({"card": cards}, {"card": held(table, 0)[:3]}, {"card": ["ZZ"]}):
        answer = stranger.post(url, data=data)
        assert answer.status_code in (303, 409)
        assert not links_to_play(answer)
        assert not (answer.location or "").startswith("/play/")


def test_a_player_whose_turn_was_taken_continues_on_that_page(client, runtime, table, plays):
    url = runtime.signer.local_url(table.turn_link(0))
    page = soup(client.get(url))
    field = page.find("input", attrs={"name": "play"})["value"]
    table.miss_deadline()
    before = table.row.turns
    answer = client.post(url, data={"card": ["2C", "3C", "4C"], "play": field})
    assert answer.status_code == 409
    assert "The deadline was over" in words(answer)
    assert soup(answer).find(id="follow")["data-page"] == field
    assert table.row.turns == before
    somebody_elses = client.post(url, data={"card": ["2C", "3C", "4C"], "play": plays[1]})
    assert somebody_elses.status_code == 409
    assert not links_to_play(somebody_elses)


def test_a_double_click_is_one_turn_on_one_page(client, runtime, table):
    url = runtime.signer.local_url(table.turn_link(0))
    data = {"card": held(table, 0)[:3], "play": links_to_play(client.get(url))[0]}
    assert [client.post(url, data=data).location[:6] for _ in range(2)] == ["/play/", "/play/"]
    assert table.row.turns == 2


def test_no_mail_holds_a_link_to_the_live_page(runtime, table):
    postman.deliver(runtime)
    table.play_hand()
    leave(runtime)
    with runtime.database.reading() as session:
        mails = [mail.as_string() for letter in letters(runtime) if (mail := compose(runtime, session, letter))]
    assert len(mails) > 8
    assert not any("/play/" in mail for mail in mails)


def test_without_a_script_a_live_page_refreshes_itself(client, runtime, table, table_id, plays):
    table.play_first()
    assert not soup(client.get(plays[0])).select("noscript meta")
    change_row(runtime, TableRow, table_id, play_seconds=30)
    assert soup(client.get(plays[0])).select("noscript meta[http-equiv=refresh]")
    assert not soup(client.get(plays[1])).select("noscript meta"), "no choice disappears under the player's thumb"
