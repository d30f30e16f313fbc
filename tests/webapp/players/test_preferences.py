"""Preferences about mail: muting a table, one click to unsubscribe, and who cannot mute whom."""

import pytest

from tests.answers import player
from tests.cast import NAMES, dump, leave, letters, load, open_table, seats, start_game
from tests.mailing import preferences_url
from tests.playing import miss_deadline, pass_all
from tests.submitting import FORM, check_refused
from webapp.core.tokens import UnsubscribeLink
from webapp.models import LetterKind, LetterState, SeatRow, SeatState
from webapp.outbox import turn_mail
from webapp.outbox.letters import ALL_TABLES
from webapp.play import due_games
from webapp.tables import seating


def stop_link(runtime, table_id, number):
    row = seats(runtime, table_id)[number]
    return UnsubscribeLink(table_id, number, row.player_id)


def stop_url(runtime, table_id, number):
    return runtime.signer.local_url(stop_link(runtime, table_id, number))


def test_muting_a_table_stops_its_mails_until_it_is_unmuted(runtime, client):
    game_id = start_game(runtime)
    table_id = load(runtime, game_id).row.table_id
    url = preferences_url(runtime, "Bo")
    client.post(f"{url}/table", data={"table": table_id, "want": "no-mails"})
    leave(runtime)
    turn_mail.queue_due(runtime, runtime.now())
    assert {one.seat for one in letters(runtime, LetterKind.TURNS)} == {0, 2, 3}
    client.post(f"{url}/table", data={"table": table_id, "want": "mails"})
    leave(runtime)
    turn_mail.queue_due(runtime, runtime.now())
    fresh = [one for one in letters(runtime, LetterKind.TURNS) if one.seat == 1 and one.state is LetterState.QUEUED]
    assert len(fresh) == 1
    assert len({one.message_id for one in letters(runtime)}) == len(letters(runtime))


# one click
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.mark.parametrize("body", [ONE_CLICK, {}, {"anything": "else"}], ids=["one-click", "button", "whatever"])
def test_a_post_without_cookies_mutes_the_table_even_when_repeated(runtime, client, body):
    game_id = start_game(runtime)
    table_id = load(runtime, game_id).row.table_id
    url = stop_url(runtime, table_id, 3)
    for _ in range(2):
        response = client.post(url, data=body)
        assert (response.status_code, "Undo" in response.text) == (200, True)
        assert "Set-Cookie" not in response.headers
    row = seats(runtime, table_id)[3]
    assert (row.away, row.mails) == (False, False)
    turn_mail.queue_due(runtime, runtime.now())
    assert {one.seat for one in letters(runtime, LetterKind.TURNS)} == {0, 1, 2}
    assert due_games.play_for_absent(runtime, game_id) == 0, "the seat stays Di's"
    waiting = [one.kind for one in letters(runtime) if one.seat == 3 and one.state is LetterState.QUEUED]
    assert waiting == [LetterKind.MUTED], "one last mail, however often"


def test_opening_the_unsubscribe_page_mutes_nothing(runtime, client):
    game_id = start_game(runtime)
    url = stop_url(runtime, load(runtime, game_id).row.table_id, 3)
    before = dump(runtime)
    for method in (client.get, client.get, client.head):
        assert method(url).status_code == 200
    assert dump(runtime) == before
    assert "Fewer emails" in client.get(url).text, "the milder way is named"


def test_a_muted_player_is_late_like_anybody_else(runtime, client):
    game_id = start_game(runtime)
    table_id = load(runtime, game_id).row.table_id
    pass_all(runtime, game_id, range(3))
    due_at = load(runtime, game_id).row.due_at
    client.post(stop_url(runtime, table_id, 3), data=ONE_CLICK)
    assert load(runtime, game_id).row.due_at == due_at
    assert miss_deadline(runtime, game_id) >= 1
    row = seats(runtime, table_id)[3]
    assert (row.missed, row.away, row.mails) == (1, False, False)


def test_a_player_who_comes_back_stays_muted(runtime, client):
    game_id = start_game(runtime)
    table_id = load(runtime, game_id).row.table_id
    url = preferences_url(runtime, "Di")
    client.post(f"{url}/table", data={"table": table_id, "want": "no-mails"})
    client.post(f"{url}/away", data={"table": table_id, "answer": "robot"})
    client.post(f"{url}/away/back")
    row = seats(runtime, table_id)[3]
    assert (row.away, row.mails) == (False, False)


def test_undoing_a_mute_ends_no_absence_with_a_date(runtime, client):
    game_id = start_game(runtime)
    table_id = load(runtime, game_id).row.table_id
    url, stop = preferences_url(runtime, "Di"), stop_url(runtime, table_id, 3)
    client.post(f"{url}/away", data={"table": table_id, "answer": "robot", "until": "2026-03-09"})
    client.post(stop, data=ONE_CLICK)
    assert not letters(runtime, LetterKind.MUTED), "a robot plays anyway, so nothing is missed"
    client.post(f"{stop}/back")
    row = seats(runtime, table_id)[3]
    assert (row.away, row.mails) == (True, True)


def test_undoing_an_old_unsubscribe_brings_the_player_back(runtime, client):
    """In version 1.0 it set them away, too."""
    table_id = load(runtime, start_game(runtime)).row.table_id
    with runtime.database.writing() as session:
        row = session.get_one(SeatRow, (table_id, 3))
        row.away, row.mails = True, False
    client.post(f"{stop_url(runtime, table_id, 3)}/back")
    row = seats(runtime, table_id)[3]
    assert (row.away, row.mails) == (False, True)


def test_unsubscribing_is_undone_with_one_tap(runtime, client):
    game_id = start_game(runtime)
    table_id = load(runtime, game_id).row.table_id
    url = stop_url(runtime, table_id, 3)
    client.post(url, data=ONE_CLICK)
    assert "Undo" in client.get(url).text, "the link in the last mail leads here"
    assert client.post(f"{url}/back").status_code == 200
    row = seats(runtime, table_id)[3]
    assert (row.away, row.mails) == (False, True)
    leave(runtime)
    turn_mail.queue_due(runtime, runtime.now())
    waiting = [one for one in letters(runtime, LetterKind.TURNS) if one.seat == 3 and one.state is LetterState.QUEUED]
    assert len(waiting) == 1, "Di is asked which cards to pass"


def test_unsubscribing_from_a_digest_mutes_all_tables(runtime, client):
    tables_of_di = [load(runtime, start_game(runtime)).row.table_id for _ in range(2)]
    url = runtime.signer.local_url(UnsubscribeLink(*ALL_TABLES, player(runtime, "Di").id))
    assert client.get(url).status_code == 200
    client.post(url, data=ONE_CLICK)
    assert [(seats(runtime, one)[3].away, seats(runtime, one)[3].mails) for one in tables_of_di] == [(False, False)] * 2
    client.post(f"{url}/back")
    assert [(seats(runtime, one)[3].away, seats(runtime, one)[3].mails) for one in tables_of_di] == [(False, True)] * 2


def test_unsubscribing_from_an_invitation_declines_it_and_all_later_ones(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    url = stop_url(runtime, table_id, 1)
    for _ in range(2):
        assert client.post(url, data=ONE_CLICK).status_code == 200
    assert seats(runtime, table_id)[1].state is SeatState.DECLINED
    assert [one.about for one in letters(runtime, LetterKind.DECLINED)] == ["Bo"], "the host is notified once"
    before = dump(runtime)
    check_refused(runtime, before, client.post("/tables/new", data=FORM), 400, "does not want invitations")
    client.post(f"{url}/back")
    assert client.post("/tables/new", data=FORM).status_code == 303


def test_an_earlier_table_respects_a_wish_for_no_invitations(runtime, client):
    first = open_table(runtime, NAMES[:2], robots=2)
    client.post("/tables/new", data=FORM)
    client.post(stop_url(runtime, first, 1))
    seating.confirm(runtime, seating.ConfirmLink(first + 1), runtime.now())
    assert seats(runtime, first + 1)[1].state is SeatState.DECLINED
    assert {one.table_id for one in letters(runtime, LetterKind.INVITATION)} == {first}


def test_a_former_player_cannot_mute_the_seats_new_one(runtime, client):
    table_id = load(runtime, start_game(runtime)).row.table_id
    stranger = UnsubscribeLink(table_id, 1, player(runtime, "Di").id)
    client.post(runtime.signer.local_url(stranger))
    assert (seats(runtime, table_id)[1].away, seats(runtime, table_id)[1].mails) == (False, True)
