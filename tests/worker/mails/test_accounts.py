"""The mails about accounts: another address, away by a link, muted tables."""

import re
from datetime import timedelta

import pytest

from tests.answers import answer, answered, mail, question
from tests.cast import address, letters, seats, start_game
from tests.mailing import letters_to, player_id, preferences_url
from tests.runtimes import make_runtime
from tests.sites import site_of
from tests.webapp.accounts.signed_in import browser_of
from tests.webapp.tables.hosted import composed
from webapp.accounts import changing_address
from webapp.core import tokens
from webapp.core.tokens import UnsubscribeLink
from webapp.games.clock import way_in
from webapp.models import LetterKind, LetterState
from webapp.outbox.letters import ALL_TABLES
from worker import postman, scheduler
from worker.mail import compose


def test_a_move_sends_one_link_to_each_address(runtime, smtp_server):
    start_game(runtime)
    bo, new = letters_to(runtime, "Bo", LetterKind.TURNS)[0].player_id, "bo@new.example"
    changing_address.request_change(runtime, tokens.PreferencesLink(bo), new, None, runtime.now())
    postman.deliver(runtime)
    (proof,) = smtp_server.to(new)
    asked = smtp_server.to(address("Bo"))[-1]
    assert asked.subject == "Shall your games move to another address?"
    assert (kinds_in(proof), kinds_in(asked)) == ({"new-address"}, {"old-address"})
    assert [mail.message["List-Unsubscribe"] for mail in (proof, asked)] == [None, None]
    changing_address.prove(runtime, tokens.NewAddressLink(1), runtime.now())
    changing_address.agree(runtime, tokens.OldAddressLink(1), runtime.now())
    postman.deliver(runtime)
    subject = "Your email goes to another address now"
    (to_bo,) = [mail for mail in smtp_server.to(address("Bo")) if mail.subject == subject]
    assert kinds_in(to_bo) == {"take-back"}
    assert all(new not in mail.message.as_string() for mail in (asked, to_bo)), "the mail does not name the new address"
    assert {"Your email comes here now", "Is this your new address?"} <= {mail.subject for mail in smtp_server.to(new)}


def kinds_in(mail):
    """The kinds of links in an email."""
    return set(re.findall(r"http://127\.0\.0\.1:8000/([\w-]+)/", mail.message.as_string().replace("=\n", "")))


@pytest.mark.parametrize("want", ["mails", "no-mails"])
def test_a_player_away_by_a_link_alone_is_mailed(runtime, want):
    client, table = site_of(runtime).test_client(), start_game(runtime)
    table_id, url = table.table_id, f"{preferences_url(runtime, 'Bo')}/away"
    client.post(f"{preferences_url(runtime, 'Bo')}/table", data={"table": table_id, "want": want})
    browser_of(runtime, player_id(runtime, "Bo")).post(url, data={"table": table_id, "answer": "robot"})
    assert letters(runtime, LetterKind.GONE_AWAY) == []
    for _ in range(2):
        client.post(url, data={"table": table_id, "answer": "robot"})
    (told,) = letters(runtime, LetterKind.GONE_AWAY)
    text = composed(runtime, told)["plain"]
    assert "A robot plays for you until you are back." in text
    (back,) = re.findall(r"http\S+(/preferences/\S+/away)\b", text)
    client.post(f"{back}/back")
    postman.deliver(runtime)
    assert [one.state for one in letters(runtime, LetterKind.GONE_AWAY)] == [LetterState.SUPERSEDED]


DI = 3


@pytest.fixture
def client(runtime):
    return site_of(runtime).test_client()


def stop(runtime, client, table_id, seat=DI):
    player_id = seats(runtime, 1)[DI].player_id
    return client.post(runtime.signer.local_url(UnsubscribeLink(table_id, seat, player_id)))


def muted(runtime):
    return letters(runtime, LetterKind.MUTED)


def test_its_link_undoes_the_mute(runtime, client):
    start_game(runtime)
    stop(runtime, client, 1)
    postman.deliver(runtime)
    (letter,) = muted(runtime)
    assert letter.state is LetterState.SENT
    assert letter.subject == "Ann's table goes on without mail to you"
    text = composed(runtime, letter)["plain"]
    (undo,) = re.findall(r"http://[^/]+(/unsubscribe/\S+)", text)
    client.post(f"{undo}/back")
    assert seats(runtime, 1)[DI].mails


def test_the_mail_goes_once_daily_however_often_tables_are_muted(runtime, client):
    start_game(runtime)
    url = f"{preferences_url(runtime, 'Di')}/table"
    for day in (1, 2):
        for want in ("no-mails", "mails", "no-mails", "no-mails"):
            client.post(url, data={"table": 1, "want": want})
            postman.deliver(runtime)
        assert len(muted(runtime)) == day
        client.post(url, data={"table": 1, "want": "mails"})
        runtime.now.pass_by(timedelta(days=1))


def test_one_mail_is_about_all_tables_that_one_click_mutes(runtime, client):
    for _ in range(2):
        start_game(runtime)
    stop(runtime, client, *ALL_TABLES)
    postman.deliver(runtime)
    (letter,) = muted(runtime)
    assert "you have muted all your tables" in composed(runtime, letter)["plain"]
    assert not [
        one for one in letters(runtime) if one.player_id == letter.player_id and one.state is LetterState.QUEUED
    ]


def test_an_undone_mute_sends_no_mail(runtime, client):
    start_game(runtime)
    link = runtime.signer.local_url(UnsubscribeLink(1, DI, seats(runtime, 1)[DI].player_id))
    client.post(link)
    client.post(f"{link}/back")
    postman.deliver(runtime)
    assert [one.state for one in muted(runtime)] == [LetterState.SUPERSEDED]


def test_the_word_stop_is_answered_by_that_mail_alone(runtime):
    start_game(runtime)
    asked = question(runtime, "Di")
    assert answer(runtime, asked, mail("Di", "stop")).outcome == "No more mail comes (table)."
    assert (len(muted(runtime)), answered(runtime)) == (1, [])
    row = seats(runtime, 1)[DI]
    assert (row.away, row.mails) == (False, False)
    answer(runtime, asked, mail("Di", "back"))
    assert seats(runtime, 1)[DI].mails


def test_muting_a_table_without_coming_games_sends_nothing(runtime, client):
    table = start_game(runtime)
    with runtime.database.writing() as session:
        session.merge(table.stored.table).state = "over"
    stop(runtime, client, 1)
    assert muted(runtime) == []


def test_it_says_what_helps_without_links_of_a_player(tmp_path):
    settings = {"smtp_url": "smtp://127.0.0.1:9", "reply_domain": "in.hearts.localhost"}
    runtime = make_runtime(tmp_path / "var", **settings, operator_address="eve@example.org")
    way_in.note_read(runtime, runtime.now())
    for _ in range(30):
        runtime.now.pass_by(timedelta(minutes=1))
        scheduler.tell_of_unread_answers(runtime)
    (letter,) = letters(runtime, LetterKind.UNREAD)
    with runtime.database.reading() as session:
        message = compose(runtime, session, letter)
    text = message.get_body(("plain",)).get_content()
    assert "Emails still go out." in text
    assert "hearts-by-mail mail check" in text
    assert [line for line in text.splitlines() if "http" in line] == [runtime.settings.address]
    runtime.database.engine.dispose()
