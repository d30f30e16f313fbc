"""An invitation is not sent once its seat is answered for or given away."""

from datetime import timedelta

import pytest
from bs4 import BeautifulSoup

from tests.cast import NAMES, address, letters, open_table, seat_link, start_game
from tests.languages import catalogues
from tests.mailing import player_id
from tests.webapp.tables.open_seats import open_table as open_table_of
from tests.worker.delivered import deliver_later, text_of
from webapp.forms.opening import NewSeat
from webapp.models import LetterKind, LetterState, PlayerRow
from webapp.tables import seating
from worker import postman


def test_an_answered_invitation_gets_no_reminder(runtime, smtp_server):
    start_game(runtime)
    deliver_later(runtime, timedelta(days=4))
    assert not [mail for mail in smtp_server.mails if "no answer" in text_of(mail)]
    reminders = [letter for letter in letters(runtime, LetterKind.INVITATION) if letter.again]
    assert {letter.state for letter in reminders} == {LetterState.SUPERSEDED}


def test_an_invitation_to_a_seat_given_away_is_not_sent(runtime, smtp_server):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    seating.refill(runtime, seat_link(runtime, table_id, 0), 1, None, runtime.now())
    postman.deliver(runtime)
    assert not smtp_server.to(address("Bo"))


def test_an_invitation_says_who_share_a_mailbox(runtime, smtp_server):
    couple = (NewSeat("Bo", "ann+bo@example.org"), NewSeat("Cy", address("Cy")))
    open_table_of(runtime, *couple)
    postman.deliver(runtime)
    (mail,) = smtp_server.to(address("Cy"))
    assert "Ann Smith and Bo share a mailbox." in " ".join(text_of(mail).split())


def test_an_invitation_leads_to_itself_in_other_languages(runtime, smtp_server, tmp_path):
    open_table(runtime, NAMES[:2], robots=2)
    with catalogues(tmp_path, {"ja": {}, "pt_BR": {}}):
        postman.deliver(runtime)
    (mail,) = smtp_server.to(address("Bo"))
    page = BeautifulSoup(mail.message.get_body(("html",)).get_content(), "lxml")
    (button,) = page.select("a.button")
    links = [page.find("a", lang=tag) for tag in ("pt-BR", "ja")]
    assert [link.text for link in links] == ["Português (Brasil)", "日本語"]
    assert [link["href"] for link in links] == [f"{button['href']}?language={one}" for one in ("pt_BR", "ja")]
    assert f"日本語: {links[1]['href']}" in " ".join(text_of(mail).split())


@pytest.mark.parametrize("has_been_here", [True, False])
def test_only_newcomers_choose_among_languages(runtime, smtp_server, tmp_path, has_been_here):
    open_table(runtime, NAMES[:2], robots=2)
    if has_been_here:
        with runtime.database.writing() as session:
            session.get_one(PlayerRow, player_id(runtime, "Bo")).seen_at = runtime.now()
    with catalogues(tmp_path, {"ja": {}}):
        postman.deliver(runtime)
    (mail,) = smtp_server.to(address("Bo"))
    assert ("日本語" in text_of(mail)) is not has_been_here


def test_an_invitation_shows_three_cards_as_an_example(runtime, smtp_server):
    open_table(runtime, NAMES[:2], robots=2)
    postman.deliver(runtime)
    (mail,) = smtp_server.to(address("Bo"))
    assert "An example of cards you might hold." in text_of(mail)
    html = mail.message.get_body(("html",)).get_content()
    assert "An example of cards you might hold." in html
    assert html.count('class="card lying') == 3
