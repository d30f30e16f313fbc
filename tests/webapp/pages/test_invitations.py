"""The page of an invitation: accepting it, and answers that it rejects."""

import pytest

from tests.cast import NAMES, dump, leave, letters, open_table, seats
from tests.submitting import check_refused, soup, words
from webapp.core.tokens import InvitationLink
from webapp.models import LetterKind


def test_accepting_an_invitation_takes_a_name_and_time_zone(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    seat = seats(runtime, table_id)[1]
    url = runtime.signer.local_url(InvitationLink(table_id, 1, seat.player_id))
    page = client.post(url, data={"answer": "accept", "name": "Bobby", "time_zone": "Asia/Tokyo"})
    assert page.status_code == 200
    assert seats(runtime, table_id)[1].name == "Bobby"
    leave(runtime)
    assert len(letters(runtime, LetterKind.TURNS)) == 2, "everybody is there: the first hand is dealt"


def test_an_invitation_shows_three_cards_as_an_example(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    url = runtime.signer.local_url(InvitationLink(table_id, 1, seats(runtime, table_id)[1].player_id))
    page = soup(client.get(url))
    shown = page.find(string="An example of cards you might hold.").find_parent(class_="felt")
    assert [code.text for code in shown.select(".card .code")] == ["4C", "QS", "KH"]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        pytest.param({}, "Choose whether you will play", id="no answer"),
        pytest.param({"answer": "perhaps"}, "Choose whether you will play", id="another answer"),
        pytest.param({"answer": "accept", "name": "B" * 10_000}, "at most 40", id="an endless name"),
        pytest.param({"answer": "accept", "name": "ann"}, "has this name already", id="the host's name"),
        pytest.param({"answer": "accept", "time_zone": "x"}, "time zone", id="no time zone"),
    ],
)
def test_an_invalid_answer_leaves_the_invitation_open(runtime, client, answer, sentence):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    before = dump(runtime)
    url = runtime.signer.local_url(InvitationLink(table_id, 1, seats(runtime, table_id)[1].player_id))
    check_refused(runtime, before, client.post(url, data=answer), 400, sentence)


def test_an_answered_invitation_still_leads_to_the_table(runtime, client):
    table_id = open_table(runtime, NAMES[:3], robots=1)
    url = runtime.signer.local_url(InvitationLink(table_id, 1, seats(runtime, table_id)[1].player_id))
    client.post(url, data={"answer": "accept", "name": "Bo"})
    again = client.get(url)
    assert "We deal the first hand as soon as every seat is taken." in words(again)
    button = soup(again).select_one("main .button")
    assert client.get(button["href"]).status_code == 200
    assert button["href"].startswith("/seat/"), "a link that was mailed shows, and does not play"
