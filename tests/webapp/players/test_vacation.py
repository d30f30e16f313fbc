"""Vacation days: taken by a tap, or by themselves at a missed deadline; the table waits, but not for ever."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta

import pytest

from tests.cast import (
    dump,
    letters,
    load,
    miss_deadline,
    play_first,
    seat_link,
    seats,
    start_game,
    table,
)
from tests.mailing import letters_to, player_id, set_preferences
from tests.playing import due_at, pass_lowest, records, waiting_game
from tests.submitting import FORM, check_refused, words
from webapp import due_games, service
from webapp.core.tokens import PreferencesLink
from webapp.games import store
from webapp.games.days_off import Holiday
from webapp.games.links import host_link
from webapp.games.vacation import days_left, vacation_of
from webapp.models import LetterKind, LetterState, PlayerRow, SeatState, TurnSource
from webapp.outbox.about_tables import OfferOver
from webapp.players import preferences
from webapp.players.holidays import add_holiday
from webapp.players.vacation import take_vacation
from webapp.seat_transfer import Occupant, transfer_seat
from worker import postman

ANN, BO, CY, DI = range(4)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def with_vacation(runtime, game_id, days=3):
    """The game at a table whose players have so many vacation days. Returns its id."""
    with runtime.database.writing() as session:
        store.load(session, game_id).table.vacation_days = days
    return game_id


def left(runtime, game_id, seat=CY):
    stored = load(runtime, game_id)
    return days_left(stored.table, stored.seats[seat])


def play_until(runtime, game_id, seat):
    """The others play until it is the turn of `seat`."""
    while load(runtime, game_id).game.to_act[0] != seat:
        play_first(runtime, game_id)


def preferences_url(runtime, name="Cy"):
    return runtime.signer.local_url(PreferencesLink(player_id(runtime, name)))


def table_url(runtime, game_id, seat):
    return runtime.signer.local_url(seat_link(runtime, load(runtime, game_id).row.table_id, seat))


def test_a_missed_deadline_takes_one_vacation_day_before_a_robot_plays(runtime, client):
    game_id = with_vacation(runtime, waiting_game(runtime))
    runtime.now.at = due_at(runtime, game_id) - HOUR
    question = letters_to(runtime, "Cy", LetterKind.TURN)[-1]
    asked = due_at(runtime, game_id)
    assert miss_deadline(runtime, game_id) == 0
    assert (due_at(runtime, game_id), left(runtime, game_id)) == (asked + DAY, 2)
    assert load(runtime, game_id).seats[CY].missed == 0
    (letter,) = letters_to(runtime, "Cy", LetterKind.VACATION)
    assert (letter.about, letter.thread_id) == (question.about, question.thread_id or question.message_id)
    postman.deliver(runtime)
    mail = letters_to(runtime, "Cy", LetterKind.VACATION)[0].message
    assert "You have two vacation days left in this game." in mail.replace("=\n", "")
    reminders = [one for one in letters_to(runtime, "Cy", LetterKind.REMINDER) if one.state is LetterState.QUEUED]
    assert {one.next_at for one in reminders} == {asked + DAY - 3 * HOUR, asked.replace(hour=7, minute=0) + DAY}
    shown = words(client.get(table_url(runtime, game_id, BO)))
    assert "Cy missed a deadline, and took a vacation day." in shown
    assert "plays, two vacation days left" in shown
    add_holiday(runtime, player_id(runtime, "Cy"), Holiday(date(2026, 6, 1), date(2026, 6, 1)), runtime.now())
    assert due_at(runtime, game_id) == asked + DAY, "the day stays, whatever else changes"
    assert miss_deadline(runtime, game_id) == 1, "a day for each decision at most"
    assert records(runtime, game_id)[-1].source is TurnSource.TIMEOUT
    play_until(runtime, game_id, CY)
    assert miss_deadline(runtime, game_id) == 1, "none for a player who has vanished"
    assert (load(runtime, game_id).seats[CY].away, left(runtime, game_id)) == (True, 2)
    preferences.set_away(runtime, load(runtime, game_id).row.table_id, CY, away=False, now=runtime.now())
    play_first(runtime, game_id)
    play_until(runtime, game_id, CY)
    assert miss_deadline(runtime, game_id) == 0, "they have played themselves since"
    assert left(runtime, game_id) == 1


def test_those_who_miss_a_deadline_together_each_spend_a_day_and_the_table_waits_for_the_last(runtime, client):
    game_id = with_vacation(runtime, start_game(runtime), days=1)
    pass_lowest(runtime, game_id, ANN)
    no_vacation = f"{preferences_url(runtime, 'Di')}/no-vacation"
    assert "Play for me instead" in client.get(no_vacation).text
    with runtime.database.reading() as session:
        assert session.get_one(PlayerRow, player_id(runtime, "Di")).auto_vacation, "a GET only looks"
    assert client.post(no_vacation).status_code == 303
    set_preferences(runtime, "Cy", time_zone="Asia/Tokyo", days_off=frozenset({2}))
    runtime.now.at = due_at(runtime, game_id)  # a Tuesday, Wednesday in Tokyo from 15:00 on
    assert miss_deadline(runtime, game_id) == 0
    assert [left(runtime, game_id, seat) for seat in (ANN, BO, CY, DI)] == [1, 0, 0, 1]
    assert due_at(runtime, game_id) == runtime.now() + 2 * DAY, "a day, and Cy's day off"
    assert [letter.player_id for letter in letters(runtime, LetterKind.VACATION)] == [
        player_id(runtime, "Bo"),
        player_id(runtime, "Cy"),
    ]
    tomorrow = runtime.now().date() + DAY
    add_holiday(runtime, player_id(runtime, "Bo"), Holiday(tomorrow, tomorrow + 5 * DAY), runtime.now())
    assert {letter.state for letter in letters(runtime, LetterKind.VACATION)} == {LetterState.QUEUED}, "still told"
    assert miss_deadline(runtime, game_id) == 3
    assert [load(runtime, game_id).seats[seat].missed for seat in (ANN, BO, CY, DI)] == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("days", "pace", "wanted"),
    [
        pytest.param(0, DAY, True, id="the table has none"),
        pytest.param(3, 6 * HOUR, True, id="a quick table"),
        pytest.param(3, HOUR / 60, True, id="a live table"),
        pytest.param(3, DAY, False, id="Cy wants none"),
    ],
)
def test_without_a_vacation_day_a_robot_plays_at_the_deadline(runtime, days, pace, wanted):
    game_id = with_vacation(runtime, start_game(runtime, pace=pace), days)
    set_preferences(runtime, "Cy", auto_vacation=wanted)
    for seat in (ANN, BO, DI):
        pass_lowest(runtime, game_id, seat)
    assert miss_deadline(runtime, game_id) >= 1
    assert not letters(runtime, LetterKind.VACATION)
    assert vacation_of(load(runtime, game_id).seats[CY]).days == 0


def test_while_a_player_is_on_vacation_the_table_waits_until_they_are_back(runtime, client):
    game_id = with_vacation(runtime, waiting_game(runtime), days=4)
    table_id, url = load(runtime, game_id).row.table_id, preferences_url(runtime)
    set_preferences(runtime, "Cy", days_off=frozenset({3}))  # Thursdays

    def change(**form):
        return client.post(f"{url}/vacation", data={"table": table_id, **form}, follow_redirects=True)

    assert runtime.now().date() == datetime(2026, 3, 2, tzinfo=UTC).date(), "a Monday"
    assert "on vacation until Wed 4 March" in words(change(want="vacation", days="3"))
    assert left(runtime, game_id) == 1
    assert due_at(runtime, game_id) == datetime(2026, 3, 7, 10, tzinfo=UTC), "Friday is a whole day, and then the night"
    assert "Cy is on vacation until Wed 4 March." in words(client.get(table_url(runtime, game_id, BO)))
    assert "on vacation until" not in words(client.get(table_url(runtime, game_id, BO))).replace("Cy is on", "")
    assert "until Fri 6 March" in words(change(want="vacation", days="1")), "Thursday is no vacation day"
    runtime.now.at = datetime(2026, 3, 4, 9, tzinfo=UTC)
    assert due_games.play_for_absent(runtime, game_id) == 0
    assert "Welcome back" in words(change(want="back"))
    assert left(runtime, game_id) == 2, "Monday and Tuesday are gone"
    assert due_at(runtime, game_id) == datetime(2026, 3, 6, 10, tzinfo=UTC), "Wednesday is a whole day, Thursday is off"
    assert letters_to(runtime, "Cy", LetterKind.REMINDER)[-1].next_at < due_at(runtime, game_id)
    play_first(runtime, game_id)
    take_vacation(runtime, player_id(runtime, "Cy"), table_id, 2, runtime.now())
    play_until(runtime, game_id, CY)
    assert due_at(runtime, game_id) > datetime(2026, 3, 7, tzinfo=UTC), "a new question waits, too"


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        pytest.param({"days": "4"}, "so many vacation days", id="more than are left"),
        pytest.param({"days": "0"}, "so many vacation days", id="none"),
        pytest.param({"days": "-1"}, "buttons on this page", id="less than none"),
        pytest.param({"days": "²"}, "buttons on this page", id="no number"),
        pytest.param({"days": "1", "want": "money"}, "buttons on this page", id="something else"),
        pytest.param({"days": "1", "table": "x"}, "buttons on this page", id="no table"),
        pytest.param({"days": "1", "table": "999"}, "No game is played", id="another's table"),
    ],
)
def test_vacation_that_cannot_be_taken_is_rejected_with_a_message(runtime, client, form, sentence):
    game_id = with_vacation(runtime, start_game(runtime))
    before, data = dump(runtime), {"table": load(runtime, game_id).row.table_id, "want": "vacation", **form}
    check_refused(runtime, before, client.post(f"{preferences_url(runtime)}/vacation", data=data), 400, sentence)
    if "table" not in form:
        response = client.post(f"{table_url(runtime, game_id, CY)}/vacation", data=data)
        check_refused(runtime, before, response, 400, sentence)


def test_a_player_who_is_away_has_to_come_back_before_their_vacation(runtime, client):
    game_id = with_vacation(runtime, start_game(runtime))
    table_id, url = load(runtime, game_id).row.table_id, table_url(runtime, game_id, CY)
    assert "You have three vacation days left" in words(client.get(url))
    preferences.set_away(runtime, table_id, CY, away=True, now=runtime.now())
    assert "vacation days left" not in words(client.get(url))
    before = dump(runtime)
    response = client.post(f"{url}/vacation", data={"want": "vacation", "days": "1"})
    check_refused(runtime, before, response, 400, "Come back first")
    preferences.set_away(runtime, table_id, CY, away=False, now=runtime.now())
    assert client.post(f"{url}/vacation", data={"want": "vacation", "days": "1"}).status_code == 303
    assert left(runtime, game_id) == 2


def test_a_day_is_taken_once_whoever_sweeps_and_never_after_a_card(either_runtime):
    runtime = either_runtime
    game_id = with_vacation(runtime, waiting_game(runtime))
    runtime.now.at = due_at(runtime, game_id) - HOUR
    postman.deliver(runtime)
    runtime.now.at = due_at(runtime, game_id)
    with ThreadPoolExecutor(4) as pool:
        sweeps = [pool.submit(due_games.play_for_absent, runtime, game_id) for _ in range(3)]
        card = pool.submit(play_first, runtime, game_id)
    assert sum(sweep.result() for sweep in sweeps) == 0
    card.result()
    taken = len(letters_to(runtime, "Cy", LetterKind.VACATION))
    assert taken == 3 - left(runtime, game_id) <= 1
    assert records(runtime, game_id)[-1].source is not TurnSource.TIMEOUT


def test_the_host_chooses_the_vacation_days_of_a_table_and_may_change_them(runtime, client):
    page = client.get("/tables/new").text
    assert '<option value="3" selected>3 days</option>' in page
    for days, status in (("4", 400), ("-1", 400), ("5", 303)):
        assert client.post("/tables/new", data={**FORM, "vacation_days": days}).status_code == status
    game_id = start_game(runtime)
    stored = load(runtime, game_id)
    url = runtime.signer.local_url(host_link(stored.table, stored.seats[ANN]))
    pace = {"pass_time": "86400", "play_time": "43200"}
    assert table(runtime, 1).vacation_days == 5
    before = dump(runtime)
    response = client.post(f"{url}/pace", data={**pace, "vacation_days": "6"})
    check_refused(runtime, before, response, 400, "Choose the vacation days from the list.")
    for sent, days, sentence in (
        ({"vacation_days": "2"}, 2, "Each player has two vacation days a game."),
        ({}, 2, "two vacation days"),  # a form from before there were any
        ({"vacation_days": "1"}, 1, "one vacation day"),
    ):
        assert client.post(f"{url}/pace", data={**pace, **sent}).status_code == 303
        assert table(runtime, stored.row.table_id).vacation_days == days
        assert sentence in words(client.get(table_url(runtime, game_id, BO)))
    client.post(f"{url}/pace", data={**pace, "play_time": "21600"})
    assert "vacation" not in words(client.get(table_url(runtime, game_id, BO))), "not at a quick pace"


def test_vacation_days_begin_anew_with_a_game_and_with_a_player(runtime):
    game_id = with_vacation(runtime, start_game(runtime))
    table_id = load(runtime, game_id).row.table_id
    take_vacation(runtime, player_id(runtime, "Cy"), table_id, 3, runtime.now())
    assert left(runtime, game_id) == 0
    with runtime.database.writing() as session:
        stored = store.load(session, game_id, lock=True)
        transfer_seat(session, runtime, stored.seats[CY], Occupant(None, "Pip", SeatState.ROBOT), stored, runtime.now())
        assert stored.seats[CY].vacation is None
        stored.seats[DI].vacation = {"dates": [], "automatic": 3, "for": []}
        service.end_game(session, runtime, stored, OfferOver.ENDED, runtime.now())
        service.start_game(session, runtime, stored.table, runtime.now())
    assert [seat.vacation for seat in seats(runtime, table_id)] == [None] * 4
