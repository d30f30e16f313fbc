"""Being away, and coming back: three people never wait for one, and one tap brings that player back."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest

from hearts.game import Stage
from tests.answers import player
from tests.cast import NAMES, leave, letters, open_table, seat_link, seats, start_game
from tests.mailing import preferences_url, set_preferences
from tests.playing import codes
from tests.sites import site_of
from tests.submitting import PREFERENCES
from tests.webapp.going_away import set_away, set_mails
from tests.webapp.holidays import add_holiday
from tests.webapp.tables.hosted import composed
from webapp.core.tokens import InvitationLink
from webapp.models import LetterKind, LetterState, TurnSource
from webapp.outbox.timing import Cause
from webapp.players import away
from webapp.tables import seating

DI = 3


def go_away(table, seat=DI, *, away=True):
    set_away(table.runtime, table.table_id, seat, away=away)


def asked(runtime, seat):
    """The letters that still ask the player of the seat."""
    mine = [one for one in letters(runtime, LetterKind.TURNS) if one.seat == seat]
    return [one for one in mine if one.state is LetterState.QUEUED]


def test_a_robot_plays_at_once_for_an_away_player(runtime):
    table = start_game(runtime)
    begun = runtime.now()
    go_away(table)
    while table.game.hand == 1:
        stored = table.stored
        if DI in stored.game.to_act:
            assert stored.row.wake_at == runtime.now(), "the robot is due now"
            assert table.play_for_absent() >= 1
        elif stored.game.stage is Stage.PASS:
            table.pass_lowest(stored.game.to_act[0])
        else:
            table.play_first()
    assert runtime.now() == begun
    ways = {row.source for row in table.turns if getattr(row.turn, "seat", None) == DI}
    assert TurnSource.AWAY in ways
    assert not ways & {TurnSource.PAGE, TurnSource.TIMEOUT, TurnSource.ROBOT}
    kinds = {letter.kind for letter in letters(runtime) if letter.seat == DI and letter.hand and letter.about != "pass"}
    assert kinds == {LetterKind.SCORE_SHEET}, "no questions, no news of each card, but the sheet"


def test_two_missed_deadlines_make_a_player_away_until_one_tap(runtime, client):
    table = start_game(runtime)
    for missed in (1, 2):
        while DI not in table.game.to_act:
            table.play_first()
        table.pass_all(range(3)) if missed == 1 else None
        assert not table.seats[DI].away
        table.miss_deadline()
        assert table.seats[DI].missed == missed
    assert table.seats[DI].away
    told = [one for one in letters(runtime, LetterKind.TURNS) if one.seat == DI][-1]
    assert told.reason == Cause.MISSED
    (way, *_) = re.findall(r"http://[^/]+(/turn/\S+)", composed(runtime, told)["plain"])
    assert f'action="{way}/back"' in client.get(way).text
    client.post(f"{way}/back")
    assert not table.seats[DI].away


def test_missed_deadlines_make_nobody_away_where_only_robots_would_wait(runtime):
    """Three robots and a weekend without mails: the game must not be over on Monday."""
    table = start_game(runtime, NAMES[:1], robots=3)
    table.play_for_absent()
    for _ in range(2):  # after a third one the game rests
        assert table.miss_deadline() >= 1
    assert (table.seats[0].missed, table.seats[0].away) == (2, False)
    assert table.game.hand == 1


def test_a_players_own_turn_resets_the_count_of_missed_deadlines(runtime):
    table = start_game(runtime)
    table.miss_deadline()
    assert [row.missed for row in table.seats] == [1, 1, 1, 1]
    (seat,) = table.game.to_act
    table.play_first()
    row = table.seats[seat]
    assert (row.missed, row.away) == (0, False)


def test_a_player_who_comes_back_keeps_the_deadline(runtime):
    table = start_game(runtime)
    table.pass_all(range(3))
    due_at = table.due_at
    go_away(table)
    runtime.now.pass_by(timedelta(hours=5))
    go_away(table, away=False)
    row = table.row
    assert row.due_at == due_at
    leave(runtime)
    assert [one.kind for one in asked(runtime, DI)].count(LetterKind.TURNS) == 1
    assert table.play_for_absent() == 0


def test_a_player_away_when_asked_is_mailed_on_returning(runtime):
    table = start_game(runtime)
    table.pass_all(range(3))
    go_away(table)
    table.play_for_absent()
    while DI not in table.game.to_act:
        table.play_first()
    assert not [one for one in letters(runtime, LetterKind.TURNS) if one.seat == DI]
    for _ in range(2):
        go_away(table, away=False)
        leave(runtime)
    assert len([one for one in letters(runtime, LetterKind.TURNS) if one.seat == DI]) == 1, (
        "repeating it changes nothing"
    )


def test_coming_back_without_having_been_away_gives_no_more_time(runtime):
    table = start_game(runtime)
    due_at = table.due_at
    runtime.now.pass_by(timedelta(hours=5))
    go_away(table, away=False)
    set_mails(runtime, table.table_id, DI, mails=False)
    set_mails(runtime, table.table_id, DI, mails=True)
    assert table.due_at == due_at


def test_going_away_twice_is_the_same_as_once(runtime):
    table = start_game(runtime)
    for _ in range(2):
        go_away(table)
    assert table.seats[DI].away
    assert table.play_for_absent() == 1


@pytest.mark.parametrize("button", ["turn", "seat"])
def test_one_tap_on_an_old_page_brings_the_player_back(runtime, client, button):
    table = start_game(runtime)
    table_id = table.table_id
    urls = {"turn": table.turn_link(DI), "seat": seat_link(runtime, table_id, DI)}
    url = runtime.signer.local_url(urls[button])
    go_away(table)
    table.play_for_absent()
    page = client.get(url).text
    assert "You are away" in page
    assert f'action="{url}/back"' in page
    assert table.seats[DI].away, "opening the page brings nobody back"
    assert client.post(f"{url}/back").status_code == 303
    assert not table.seats[DI].away
    assert "You are away" not in client.get(url).text


def test_a_late_card_still_brings_the_player_back(runtime, client):
    table = start_game(runtime)
    url = runtime.signer.local_url(table.turn_link(DI))
    held = codes(list(table.game.held[DI])[:3])
    go_away(table)
    table.play_for_absent()
    mine = [row.turn for row in table.turns if getattr(row.turn, "seat", None) == DI]
    response = client.post(url, data={"card": held})
    assert response.status_code in (303, 409), mine
    assert not table.seats[DI].away


def test_everybody_sees_who_is_away(runtime):
    table = start_game(runtime)
    url = runtime.signer.local_url(seat_link(runtime, table.table_id, 0))
    site = site_of(runtime).test_client()
    assert "away, a robot plays" not in site.get(url).text
    go_away(table)
    assert "away, a robot plays" in site.get(url).text
    mailed = [composed(runtime, one)["plain"] for one in letters(runtime, LetterKind.TURNS)[:3]]
    assert ["Di is away, so a robot plays for them." in text for text in mailed] == [True, True, True]
    assert "/back" not in site.get(url).text, "only the player can come back"


def test_at_the_date_a_player_is_back_by_themselves(either_runtime):
    runtime = either_runtime
    table = start_game(runtime)
    table.pass_all(range(3))
    due_at, today = table.due_at, runtime.now().date()
    away.go_away(runtime, player(runtime, "Di").id, {1}, today, runtime.now())
    seen_at = player(runtime, "Di").seen_at
    back_at = table.seats[DI].away_until
    assert back_at == datetime(2026, 3, 3, tzinfo=UTC), "the midnight after that day"
    runtime.now.at = back_at - timedelta(seconds=1)
    away.end_due(runtime, runtime.now())
    assert table.seats[DI].away
    runtime.now.at = back_at
    for _ in range(2):
        away.end_due(runtime, runtime.now())
        row = table.seats[DI]
        assert (row.away, row.away_until) == (False, None)
        assert table.due_at == due_at
    assert len([one for one in asked(runtime, DI) if one.kind is LetterKind.TURNS]) == 1
    assert player(runtime, "Di").seen_at == seen_at, "they have done nothing themselves"


def test_the_end_of_a_day_is_the_players_own_midnight(runtime):
    table = start_game(runtime)
    set_preferences(runtime, "Di", time_zone="Asia/Tokyo")
    away.go_away(runtime, player(runtime, "Di").id, {1}, date(2026, 3, 9), runtime.now())
    assert table.seats[DI].away_until == datetime(2026, 3, 9, 15, tzinfo=UTC)


def test_a_seat_that_is_away_for_good_is_not_due(runtime):
    table = start_game(runtime)
    go_away(table)
    away.go_away(runtime, player(runtime, "Cy").id, {1}, runtime.now().date(), runtime.now())
    runtime.now.pass_by(timedelta(days=300))
    with runtime.database.reading() as session:
        assert [row.seat for row in away.due(session, runtime.now())] == [2]


def test_a_turn_of_their_own_ends_an_absence(runtime):
    table = start_game(runtime)
    away.go_away(runtime, player(runtime, "Di").id, {1}, date(2026, 3, 9), runtime.now())
    table.pass_lowest(DI)
    row = table.seats[DI]
    assert (row.away, row.away_until) == (False, None)


def test_whom_no_mail_reaches_is_not_back_at_a_date(runtime):
    table = start_game(runtime)
    away.go_away(runtime, player(runtime, "Di").id, {1}, date(2026, 3, 9), runtime.now())
    away.stop_waiting_for(runtime, player(runtime, "Di").id, runtime.now())
    row = table.seats[DI]
    assert (row.away, row.away_until) == (True, None)


def test_only_the_chosen_tables_are_left(runtime):
    games = [start_game(runtime) for _ in range(3)]
    away.go_away(runtime, player(runtime, "Di").id, {1, 3}, None, runtime.now())
    assert [table.seats[DI].away for table in games] == [True, False, True]
    away.come_back(runtime, player(runtime, "Di").id, runtime.now())
    assert [table.seats[DI].away for table in games] == [False] * 3


def test_an_absence_before_the_game_lasts_into_it(runtime):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    ann = seats(runtime, table_id)[0].player_id
    away.go_away(runtime, ann, {table_id}, date(2026, 3, 9), runtime.now())
    row = seats(runtime, table_id)[1]
    seating.accept(runtime, InvitationLink(table_id, 1, row.player_id), "Bo", "UTC", runtime.now())
    assert seats(runtime, table_id)[0].away
    runtime.now.pass_by(timedelta(days=9))
    away.end_due(runtime, runtime.now())
    assert not seats(runtime, table_id)[0].away


def test_eve_brings_nobody_back(runtime, client):
    table = start_game(runtime)
    go_away(table)
    token = runtime.signer.token(seat_link(runtime, table.table_id, 0))
    assert client.post(f"/turn/{token}/back").status_code == 403
    assert client.post(f"/seat/{token}x/back").status_code == 403
    assert client.post(f"/seat/{token}/back").status_code == 303, "Ann's link is for Ann"
    assert table.seats[DI].away
    assert [row.away for row in seats(runtime, table.table_id)] == [False, False, False, True]


def test_on_days_off_the_time_of_a_player_stands_still(runtime, client):
    table = start_game(runtime, NAMES[:2], robots=2)
    for name in NAMES[:2]:
        weekend = {"day_off_5": "yes", "day_off_6": "yes"}
        assert client.post(preferences_url(runtime, name), data={**PREFERENCES, **weekend}).status_code == 303
        assert player(runtime, name).days_off == 0b1100000
    runtime.now.at = datetime(2026, 3, 6, 12, tzinfo=UTC)  # a Friday
    table.play_for_absent()
    for _ in range(2):
        table.play_first()
        table.play_for_absent()
    stored = table.stored
    assert stored.game.stage is Stage.PLAY
    assert stored.row.due_at == runtime.now() + timedelta(days=3), "not on Saturday, but on Monday"


def test_changed_weekly_days_off_move_the_running_deadlines(runtime):
    runtime.now.at = datetime(2026, 3, 3, 12, tzinfo=UTC)  # a Tuesday
    table = start_game(runtime, NAMES[:2], robots=2)
    live = start_game(runtime, NAMES[:2], robots=2, pace=timedelta(minutes=1))
    table.play_for_absent()
    asked, live_due = runtime.now(), live.stored.row.due_at
    before = table.due_at
    runtime.now.pass_by(timedelta(hours=5))
    set_preferences(runtime, "Bo", days_off=frozenset({2, 3}))  # Wednesday and Thursday
    moved = table.row
    assert moved.due_at == before + timedelta(days=2)
    assert live.stored.row.due_at == live_due
    table.play_first()  # Ann, who else would keep the time that she was told
    set_preferences(runtime, "Bo", days_off=frozenset())
    assert table.due_at == before
    assert asked < before


def test_taking_every_day_off_delays_no_game_for_ever(runtime):
    table = start_game(runtime, NAMES[:2], robots=2)
    table.play_for_absent()
    asked = runtime.now()
    while runtime.now() < table.due_at:
        today = runtime.now().weekday()
        set_preferences(runtime, "Bo", days_off=frozenset({today, (today + 1) % 7}))
        runtime.now.pass_by(timedelta(hours=8))
    assert runtime.now() - asked < timedelta(days=5)


def test_holidays_stop_a_players_time_at_all_tables(runtime):
    runtime.now.at = datetime(2026, 3, 3, 12, tzinfo=UTC)  # a Tuesday
    games = [start_game(runtime, NAMES[:2], robots=2) for _ in range(2)]
    live = start_game(runtime, NAMES[:2], robots=2, pace=timedelta(minutes=1))
    for table in games:
        table.play_for_absent()
    due = [table.due_at for table in (*games, live)]
    bo = player(runtime, "Bo").id

    def moved():
        return [one.due_at - before for one, before in zip((*games, live), due, strict=True)]

    none, days = timedelta(), timedelta(days=1)
    add_holiday(runtime, bo, date(2026, 3, 4), date(2026, 3, 5), runtime.now())
    assert moved() == [2 * days, 2 * days, none]
