"""The last mail to a player who has muted tables: once for each muting, with a way back."""

import re
from datetime import timedelta

import pytest

from tests.answers import answer, answered, mail, question
from tests.cast import letters, load, seats, start_game
from tests.mailing import preferences_url
from tests.sites import site_of
from tests.webapp.tables.hosted import composed
from webapp.core.tokens import UnsubscribeLink
from webapp.models import LetterKind, LetterState
from webapp.outbox.letters import ALL_TABLES
from worker import postman

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
    game_id = start_game(runtime)
    with runtime.database.writing() as session:
        session.merge(load(runtime, game_id).table).state = "over"
    stop(runtime, client, 1)
    assert muted(runtime) == []
