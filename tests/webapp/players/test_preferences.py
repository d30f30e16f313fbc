"""Mail preferences: the page, one click to unsubscribe, a new address, and Eve's attempts."""

from datetime import UTC, datetime, timedelta

import pytest
from bs4 import BeautifulSoup
from sqlmodel import select

from hearts.game import Stage
from tests.cast import NAMES, address, dump, letters, load, open_table, play_first, seats, start_game
from tests.mailing import letters_to, set_preferences
from tests.submitting import FORM, PREFERENCES, check_refused
from webapp import service
from webapp.core.tokens import (
    AddressLink,
    InvitationLink,
    NewAddressLink,
    OldAddressLink,
    PreferencesLink,
    TakeBackLink,
    UnsubscribeLink,
)
from webapp.games.clock import Quiet
from webapp.models import Frequency, LetterKind, LetterRow, LetterState, PlayerRow, SeatState
from webapp.outbox.digests import ALL_TABLES
from webapp.tables import seating


def player(runtime, name):
    with runtime.database.reading() as session:
        return session.exec(select(PlayerRow).where(PlayerRow.address == address(name))).one()


def preferences_url(runtime, name):
    return runtime.signer.local_url(PreferencesLink(player(runtime, name).id))


def stop_link(runtime, table_id, number):
    row = seats(runtime, table_id)[number]
    return UnsubscribeLink(table_id, number, row.player_id)


def stop_url(runtime, table_id, number):
    return runtime.signer.local_url(stop_link(runtime, table_id, number))


# the page


def test_the_page_shows_the_preferences_and_saving_them_unchanged_changes_nothing(runtime, client):
    start_game(runtime)
    url = preferences_url(runtime, "Bo")
    form = BeautifulSoup(client.get(url).data, "lxml").find("form", action=url)
    sent = {one["name"]: one["value"] for one in form.select("input[checked]")}
    sent |= {one.find_parent("select")["name"]: one["value"] for one in form.select("option[selected]")}
    before = player(runtime, "Bo")
    assert client.post(url, data=sent).status_code == 303
    after = player(runtime, "Bo")
    assert after.seen_at == runtime.now()
    assert after.model_dump(exclude={"seen_at"}) == before.model_dump(exclude={"seen_at"})


def test_the_chosen_preferences_are_saved(runtime, client):
    start_game(runtime)
    page = client.post(preferences_url(runtime, "Bo"), data=PREFERENCES, follow_redirects=True)
    assert "Saved" in page.text
    bo = player(runtime, "Bo")
    assert (bo.frequency, bo.daily_at, bo.time_zone) == (Frequency.DAILY, 9, "Asia/Tokyo")
    assert Quiet(bo.quiet_from, bo.quiet_to) == (23, 6)
    assert (bo.reminders, bo.invitations) == (True, False)
    without = {name: text for name, text in PREFERENCES.items() if name != "quiet"}
    client.post(preferences_url(runtime, "Bo"), data=without)
    assert player(runtime, "Bo").quiet_from is None


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        pytest.param("frequency", "hourly", "how often", id="unknown frequency"),
        pytest.param("daily_at", "24", "hour from the list", id="no such hour"),
        pytest.param("daily_at", "٩", "hour from the list", id="other digits"),
        pytest.param("quiet_from", "", "hour from the list", id="no hour"),
        pytest.param("quiet_to", "23", "from 1 to 16 hours", id="no hour between"),
        pytest.param("quiet_to", "22", "from 1 to 16 hours", id="all day but one hour"),
        pytest.param("time_zone", "Mars/Olympus", "time zone from the list", id="unknown time zone"),
        pytest.param("time_zone", "x" * 10_000, "time zone from the list", id="endless"),
    ],
)
def test_an_invalid_preference_is_rejected_with_a_message(runtime, client, field, value, sentence):
    start_game(runtime)
    before = dump(runtime)
    check_refused(
        runtime, before, client.post(preferences_url(runtime, "Bo"), data={**PREFERENCES, field: value}), 400, sentence
    )


def test_an_empty_form_gets_an_answer_and_not_a_failure(runtime, client):
    start_game(runtime)
    check_refused(runtime, dump(runtime), client.post(preferences_url(runtime, "Bo"), data={}), 400, "how often")


@pytest.mark.parametrize("want", ["away", "back", "mails", "no-mails"])
def test_each_button_of_a_table_does_what_it_says(runtime, client, want):
    game_id = start_game(runtime)
    table_id = load(runtime, game_id).row.table_id
    url = preferences_url(runtime, "Bo")
    for first in {"back": ["away"], "mails": ["no-mails"]}.get(want, []):
        client.post(f"{url}/table", data={"table": table_id, "want": first})
    assert client.post(f"{url}/table", data={"table": table_id, "want": want}).status_code == 303
    row = seats(runtime, table_id)[1]
    assert (row.away, row.mails) == {"away": (True, True), "no-mails": (False, False)}.get(want, (False, True))


def test_a_player_can_be_away_from_all_their_tables_at_once(runtime, client):
    tables_of_bo = [load(runtime, start_game(runtime)).row.table_id for _ in range(3)]
    url = preferences_url(runtime, "Bo")
    for want, away in (("away", True), ("back", False)):
        assert client.post(f"{url}/table", data={"table": "all", "want": want}).status_code == 303
        assert [seats(runtime, table_id)[1].away for table_id in tables_of_bo] == [away] * 3


@pytest.mark.parametrize(
    ("table", "want", "sentence"),
    [
        pytest.param("99", "away", "do not sit", id="no such table"),
        pytest.param("x", "away", "do not sit", id="no number"),
        pytest.param("1", "money", "use the buttons", id="no such button"),
        pytest.param("all", "no-mails", "use the buttons", id="not for all"),
    ],
)
def test_an_unknown_button_changes_nothing(runtime, client, table, want, sentence):
    start_game(runtime)
    response = client.post(f"{preferences_url(runtime, 'Bo')}/table", data={"table": table, "want": want})
    check_refused(runtime, dump(runtime), response, 400, sentence)


def test_a_player_who_mutes_a_table_gets_no_mails_until_they_unmute_it(runtime, client):
    game_id = start_game(runtime)
    table_id = load(runtime, game_id).row.table_id
    url = preferences_url(runtime, "Bo")
    client.post(f"{url}/table", data={"table": table_id, "want": "no-mails"})
    mine = [one for one in letters(runtime) if one.seat == 1 and one.game_id]
    assert {one.state for one in mine} == {LetterState.SUPERSEDED}
    client.post(f"{url}/table", data={"table": table_id, "want": "mails"})
    fresh = [one for one in letters(runtime, LetterKind.PASS) if one.seat == 1 and one.state is LetterState.QUEUED]
    assert len(fresh) == 1
    assert len({one.message_id for one in letters(runtime)}) == len(letters(runtime))


# one click


ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.mark.parametrize("body", [ONE_CLICK, {}, {"anything": "else"}], ids=["one-click", "button", "whatever"])
def test_one_post_without_cookies_mutes_the_table_and_repeating_it_changes_nothing(runtime, client, body):
    game_id = start_game(runtime)
    table_id = load(runtime, game_id).row.table_id
    url = stop_url(runtime, table_id, 3)
    for _ in range(2):
        response = client.post(url, data=body)
        assert (response.status_code, "Undo" in response.text) == (200, True)
        assert "Set-Cookie" not in response.headers
    row = seats(runtime, table_id)[3]
    assert (row.away, row.mails) == (True, False)
    assert {one.state for one in letters(runtime) if one.seat == 3 and one.game_id} == {LetterState.SUPERSEDED}
    assert service.play_for_absent(runtime, game_id) == 1, "and nobody waits for Di"
    assert not [one for one in letters(runtime) if one.seat == 3 and one.state is LetterState.QUEUED]


def test_opening_the_unsubscribe_page_mutes_nothing(runtime, client):
    game_id = start_game(runtime)
    url = stop_url(runtime, load(runtime, game_id).row.table_id, 3)
    before = dump(runtime)
    for method in (client.get, client.get, client.head):
        assert method(url).status_code == 200
    assert dump(runtime) == before
    assert "One mail a day" in client.get(url).text, "the milder way is offered"


def test_unsubscribing_is_undone_with_one_tap(runtime, client):
    game_id = start_game(runtime)
    table_id = load(runtime, game_id).row.table_id
    url = stop_url(runtime, table_id, 3)
    client.post(url, data=ONE_CLICK)
    assert client.post(f"{url}/back").status_code == 200
    row = seats(runtime, table_id)[3]
    assert (row.away, row.mails) == (False, True)
    waiting = [one for one in letters(runtime, LetterKind.PASS) if one.seat == 3 and one.state is LetterState.QUEUED]
    assert len(waiting) == 1, "Di is asked which cards to pass"


def test_unsubscribing_from_a_digest_mutes_all_tables(runtime, client):
    tables_of_di = [load(runtime, start_game(runtime)).row.table_id for _ in range(2)]
    url = runtime.signer.local_url(UnsubscribeLink(*ALL_TABLES, player(runtime, "Di").id))
    assert client.get(url).status_code == 200
    client.post(url, data=ONE_CLICK)
    assert [(seats(runtime, one)[3].away, seats(runtime, one)[3].mails) for one in tables_of_di] == [(True, False)] * 2
    client.post(f"{url}/back")
    assert [(seats(runtime, one)[3].away, seats(runtime, one)[3].mails) for one in tables_of_di] == [(False, True)] * 2


@pytest.mark.parametrize(
    ("want", "frequency", "quiet_from"),
    [("daily", Frequency.DAILY, None), ("quiet", Frequency.EVERY, 22)],
)
def test_a_player_may_choose_fewer_mails_instead_of_unsubscribing(runtime, client, want, frequency, quiet_from):
    game_id = start_game(runtime)
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, player(runtime, "Di").id).quiet_from = None
    url = stop_url(runtime, load(runtime, game_id).row.table_id, 3)
    assert client.post(f"{url}/less", data={"want": want}).status_code == 200
    di = player(runtime, "Di")
    assert (di.frequency, di.quiet_from) == (frequency, quiet_from)
    assert seats(runtime, load(runtime, game_id).row.table_id)[3].mails


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


def test_a_table_opened_earlier_does_not_invite_a_player_who_now_wants_no_invitations(runtime, client):
    first = open_table(runtime, NAMES[:2], robots=2)
    client.post("/tables/new", data=FORM)
    client.post(stop_url(runtime, first, 1))
    seating.confirm(runtime, seating.ConfirmLink(first + 1), runtime.now())
    assert seats(runtime, first + 1)[1].state is SeatState.DECLINED
    assert {one.table_id for one in letters(runtime, LetterKind.INVITATION)} == {first}


def test_an_invitation_gets_one_reminder_after_three_days(runtime):
    open_table(runtime, NAMES[:2], robots=2)
    first, second = letters(runtime, LetterKind.INVITATION)
    assert (first.next_at, second.next_at) == (runtime.now(), runtime.now() + timedelta(days=3))
    assert (second.again, second.thread_id) == (True, first.message_id)


# Eve


@pytest.mark.parametrize("path", ["wishes", "unsubscribe", "address", "new-address", "old-address", "take-back"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_token_for_another_purpose_opens_no_preferences(runtime, client, path, method):
    table_id = load(runtime, start_game(runtime)).row.table_id
    tokens = [runtime.signer.token(InvitationLink(table_id, 1, 2)), "x", "a" * 3000]
    for token in tokens:
        check_refused(runtime, dump(runtime), getattr(client, method)(f"/{path}/{token}"), 403, "doesn't work")


def test_a_genuine_link_of_an_unknown_player_gets_a_plain_page(runtime, client):
    gone = (PreferencesLink(99), UnsubscribeLink(1, 1, 99), AddressLink(99, "eve@example.org", -1))
    for link in (*gone, NewAddressLink(99), OldAddressLink(99), TakeBackLink(99)):
        url = runtime.signer.local_url(link)
        assert client.get(url).status_code == 403
        assert client.post(url, data=PREFERENCES).status_code == 403


def test_a_player_who_lost_the_seat_cannot_mute_its_new_player(runtime, client):
    table_id = load(runtime, start_game(runtime)).row.table_id
    stranger = UnsubscribeLink(table_id, 1, player(runtime, "Di").id)
    client.post(runtime.signer.local_url(stranger))
    assert (seats(runtime, table_id)[1].away, seats(runtime, table_id)[1].mails) == (False, True)


def test_a_row_of_the_outbox_is_never_lost(runtime, client):
    """Whatever a player prefers, every letter stays, under a name of its own."""
    start_game(runtime)
    url = preferences_url(runtime, "Bo")
    for frequency in ("daily", "bundled", "every", "daily"):
        client.post(url, data={**PREFERENCES, "frequency": frequency})
    with runtime.database.reading() as session:
        found = session.exec(select(LetterRow).where(LetterRow.kind == LetterKind.DIGEST)).all()
    assert len(found) == 3
    assert len({one.dedupe for one in found}) == 3


# days off


def test_on_days_off_the_time_of_a_player_stands_still(runtime, client):
    game_id = start_game(runtime, NAMES[:2], robots=2)
    for name in NAMES[:2]:
        weekend = {"day_off_5": "yes", "day_off_6": "yes"}
        assert client.post(preferences_url(runtime, name), data={**PREFERENCES, **weekend}).status_code == 303
        assert player(runtime, name).days_off == 0b1100000
    runtime.now.at = datetime(2026, 3, 6, 12, tzinfo=UTC)  # a Friday
    service.play_for_absent(runtime, game_id)
    for _ in range(2):
        play_first(runtime, game_id)
        service.play_for_absent(runtime, game_id)
    stored = load(runtime, game_id)
    assert stored.game.stage is Stage.PLAY
    assert stored.row.due_at == runtime.now() + timedelta(days=3), "not on Saturday, but on Monday"


def test_a_change_of_the_weekly_days_off_moves_the_deadlines_that_are_running(runtime):
    runtime.now.at = datetime(2026, 3, 3, 12, tzinfo=UTC)  # a Tuesday
    game_id = start_game(runtime, NAMES[:2], robots=2)
    live = start_game(runtime, NAMES[:2], robots=2, pace=timedelta(minutes=1))
    service.play_for_absent(runtime, game_id)
    asked, live_due = runtime.now(), load(runtime, live).row.due_at
    before = load(runtime, game_id).row.due_at
    runtime.now.pass_by(timedelta(hours=5))
    set_preferences(runtime, "Bo", days_off=frozenset({2, 3}))  # Wednesday and Thursday
    moved = load(runtime, game_id).row
    assert (moved.due_at, moved.wake_at) == (before + timedelta(days=2), before + timedelta(days=2))
    assert load(runtime, live).row.due_at == live_due
    waiting = [one for one in letters_to(runtime, "Bo", LetterKind.REMINDER) if one.state is LetterState.QUEUED]
    assert before < max(one.next_at for one in waiting if one.game_id == game_id) < moved.due_at
    set_preferences(runtime, "Bo", days_off=frozenset())
    assert load(runtime, game_id).row.due_at == before
    assert asked < before


def test_taking_every_day_off_as_it_comes_holds_up_no_game_for_ever(runtime):
    game_id = start_game(runtime, NAMES[:2], robots=2)
    service.play_for_absent(runtime, game_id)
    asked = runtime.now()
    while runtime.now() < load(runtime, game_id).row.due_at:
        today = runtime.now().weekday()
        set_preferences(runtime, "Bo", days_off=frozenset({today, (today + 1) % 7}))
        runtime.now.pass_by(timedelta(hours=8))
    assert runtime.now() - asked < timedelta(days=5)


def test_a_week_of_days_off_is_rejected(runtime, client):
    start_game(runtime)
    before = dump(runtime)
    every_day = {f"day_off_{day}": "yes" for day in range(7)}
    response = client.post(preferences_url(runtime, "Bo"), data={**PREFERENCES, **every_day})
    check_refused(runtime, before, response, 400, "Leave at least one day of the week")


def test_holidays_stop_the_time_of_a_player_at_all_their_tables(runtime, client):
    runtime.now.at = datetime(2026, 3, 3, 12, tzinfo=UTC)  # a Tuesday
    games = [start_game(runtime, NAMES[:2], robots=2) for _ in range(2)]
    live = start_game(runtime, NAMES[:2], robots=2, pace=timedelta(minutes=1))
    for game_id in games:
        service.play_for_absent(runtime, game_id)
    asked, due = runtime.now(), [load(runtime, game_id).row.due_at for game_id in (*games, live)]
    url = preferences_url(runtime, "Bo")

    def change(path, first, last=""):
        return client.post(f"{url}/{path}", data={"holiday_first": first, "holiday_last": last}, follow_redirects=True)

    def moved():
        return [load(runtime, one).row.due_at - before for one, before in zip((*games, live), due, strict=True)]

    none, days = timedelta(), timedelta(days=1)
    assert "Wed 4 March to Thu 5 March" in change("holidays", "2026-03-04", "2026-03-05").text
    assert moved() == [2 * days, 2 * days, none]
    reminders = [one for one in letters_to(runtime, "Bo", LetterKind.REMINDER) if one.state is LetterState.QUEUED]
    assert max(one.next_at for one in reminders) == load(runtime, games[1]).row.due_at - timedelta(hours=3)
    assert "Saved" in change("holidays", "2026-03-10").text
    assert moved() == [2 * days, 2 * days, none], "no time of theirs would pass then anyway"
    change("holidays/remove", "2026-03-04", "2026-03-05")
    assert moved() == [none, none, none], "as if it had never been"
    for _ in range(5):  # the days that are over stay, so a deadline does not move on each time
        change("holidays", f"{runtime.now():%Y-%m-%d}", "2026-03-20")
        runtime.now.pass_by(timedelta(days=1))
        change("holidays/remove", f"{runtime.now() - days:%Y-%m-%d}", "2026-03-20")
    assert player(runtime, "Bo").holidays == [[f"2026-03-0{day}"] * 2 for day in range(3, 8)] + [["2026-03-10"] * 2]
    runtime.now.at = max(load(runtime, game_id).row.due_at for game_id in games)
    assert asked + 5 * days < runtime.now() < asked + 7 * days
    assert "Sat 7 March" not in client.get(url).text, "a past one is not listed"


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        pytest.param("", "", "day from the calendar", id="no day"),
        pytest.param("2026-02-30", "", "day from the calendar", id="no such day"),
        pytest.param("2026-03-05", "tomorrow", "day from the calendar", id="no date"),
        pytest.param("2026-03-05", "2026-03-04", "before the first", id="backwards"),
        pytest.param("2026-03-01", "2026-03-04", "over already", id="begins in the past"),
        pytest.param("2027-03-04", "", "within the next year", id="too far ahead"),
        pytest.param("2026-03-05", "2026-05-04", "60 such days off", id="too many days"),
        pytest.param("2026-03-05", "9999-12-31", "within the next year", id="endless"),
    ],
)
def test_a_holiday_out_of_bounds_is_rejected_with_a_message(runtime, client, first, last, sentence):
    start_game(runtime)
    before, url = dump(runtime), preferences_url(runtime, "Bo")
    response = client.post(f"{url}/holidays", data={"holiday_first": first, "holiday_last": last})
    check_refused(runtime, before, response, 400, sentence)
