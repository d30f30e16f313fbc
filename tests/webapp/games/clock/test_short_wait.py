"""The short wait: a choice that hardly matters has some waking hours, and nobody else can tell."""

from datetime import UTC, datetime, timedelta

import pytest

from hearts.seats import Seat
from hearts.turns import Play
from hearts.waits import Price
from tests.cast import NAMES, PACE, letters, load
from tests.mailing import set_preferences
from tests.playing import play_first, records, waiting_game
from tests.webapp.with_waits import player_of, set_going
from webapp.games.asked import whose_turn
from webapp.games.asked.whose_turn import HARDLY, awaited, short_wait_of
from webapp.games.clock.hours import DaysOff, Quiet, after_waking
from webapp.games.record import changing
from webapp.models import BankTimes, Grounds, LetterKind, TableRow, TurnSource, Wait
from webapp.play import course, due_games
from webapp.players import waits
from webapp.robots import thinking

ANN, BO, CY, DI = map(Seat, range(4))
HOUR = timedelta(hours=1)
SHORTEST, LONGEST = timedelta(hours=4), timedelta(hours=5)


@pytest.fixture
def hardly_matters(monkeypatch):
    """Makes the robot find that every card costs a tenth of a point."""
    monkeypatch.setattr(thinking, "small_price", lambda *_: Price(0.1, 100, 7))


@pytest.fixture
def matters(monkeypatch):
    """Makes the robot find that every card costs too much."""
    monkeypatch.setattr(thinking, "small_price", lambda *_: None)


@pytest.fixture
def game_id(runtime):
    """Bo has led, Cy is to play, Di and Ann follow. It is noon; nobody has quiet hours or has been asked by mail."""
    made = waiting_game(runtime)
    for name in NAMES:
        set_preferences(runtime, name, quiet=None)
    return made


def short_wait(runtime, game_id):
    return short_wait_of(load(runtime, game_id))


def turn_mails(runtime, seat):
    return [one for one in letters(runtime, LetterKind.TURNS) if one.seat == seat and one.next_at is not None]


def last_record(runtime, game_id):
    return records(runtime, game_id)[-1]


@pytest.mark.usefixtures("hardly_matters")
def test_what_hardly_matters_waits_some_hours_without_a_mail(runtime, game_id):
    set_going(runtime, game_id, *[Wait.SHORT] * 4)
    for _ in (CY, DI):
        play_first(runtime, game_id)
        due_games.play_for_absent(runtime, game_id)
    stored = load(runtime, game_id)
    assert awaited(stored) == (ANN,)
    assert SHORTEST <= short_wait_of(stored).until - runtime.now() <= LONGEST
    assert stored.row.wake_at == short_wait_of(stored).until
    assert not turn_mails(runtime, ANN)


@pytest.mark.usefixtures("hardly_matters")
def test_a_choice_to_shed_the_queen_has_the_full_time(runtime, game_id, monkeypatch):
    monkeypatch.setattr(whose_turn, "may_shed_queen", lambda seen: seen.seat == DI)
    set_going(runtime, game_id, *[Wait.SHORT] * 4)
    play_first(runtime, game_id)
    due_games.play_for_absent(runtime, game_id)
    stored = load(runtime, game_id)
    assert awaited(stored) == (DI,)
    assert short_wait_of(stored) is None
    assert len(turn_mails(runtime, DI)) == 1


@pytest.mark.usefixtures("hardly_matters")
def test_at_its_end_the_named_card_is_played(runtime, game_id):
    set_going(runtime, game_id, *[Wait.SHORT] * 4)
    short = short_wait(runtime, game_id)
    runtime.now.at = short.until
    due_games.play_for_absent(runtime, game_id)
    mine = [one for one in load(runtime, game_id).records if one.turn == Play(CY, short.card)]
    assert [one.source for one in mine] == [TurnSource.WAIT]
    assert mine[0].choice == Grounds(HARDLY, limit=0.25, cost=0.1, playouts=100, seed=7)
    assert load(runtime, game_id).seats[CY].missed == 0
    assert not letters(runtime, LetterKind.PLAYED_FOR_YOU)


@pytest.mark.usefixtures("hardly_matters")
def test_a_card_chosen_meanwhile_is_played(runtime, game_id):
    set_going(runtime, game_id, *[Wait.SHORT] * 4)
    play_first(runtime, game_id)
    assert last_record(runtime, game_id).source is TurnSource.PAGE
    assert short_wait(runtime, game_id) is None or short_wait(runtime, game_id).seat == DI


@pytest.mark.usefixtures("matters")
def test_what_matters_has_the_full_time_and_a_mail(runtime, game_id):
    set_going(runtime, game_id, *[Wait.SHORT] * 4)
    play_first(runtime, game_id)
    due_games.play_for_absent(runtime, game_id)
    assert short_wait(runtime, game_id) is None
    assert len(turn_mails(runtime, DI)) == 1
    assert load(runtime, game_id).row.wake_at > runtime.now() + LONGEST


@pytest.mark.usefixtures("hardly_matters")
@pytest.mark.parametrize(("wait", "turns"), [(Wait.FULL, 0), (Wait.NONE, 1)], ids=["full time", "not at all"])
def test_the_other_settings_have_no_short_wait(runtime, game_id, wait, turns):
    before = load(runtime, game_id).turns
    set_going(runtime, game_id, Wait.FULL, Wait.FULL, wait, Wait.FULL)
    assert short_wait(runtime, game_id) is None
    assert load(runtime, game_id).turns - before == turns


@pytest.mark.usefixtures("hardly_matters")
def test_a_wait_is_not_set_anew_by_its_player(runtime, game_id):
    set_going(runtime, game_id, *[Wait.SHORT] * 4)
    asked_at = runtime.now()
    for wait in (Wait.FULL, Wait.SHORT) * 2:
        runtime.now.pass_by(HOUR)
        waits.change_wait(runtime, player_of(runtime, game_id, CY), wait, runtime.now())
        due_games.play_for_absent(runtime, game_id)
    assert short_wait(runtime, game_id).until - asked_at <= LONGEST


@pytest.mark.usefixtures("hardly_matters")
def test_who_wants_the_full_time_instead_is_mailed(runtime, game_id):
    set_going(runtime, game_id, *[Wait.SHORT] * 4)
    play_first(runtime, game_id)
    due_games.play_for_absent(runtime, game_id)
    waits.change_wait(runtime, player_of(runtime, game_id, DI), Wait.FULL, runtime.now())
    assert short_wait(runtime, game_id) is None
    assert len(turn_mails(runtime, DI)) == 1
    runtime.now.pass_by(LONGEST)
    assert due_games.play_for_absent(runtime, game_id) == 0


@pytest.mark.usefixtures("hardly_matters")
def test_a_pause_stops_it_too(runtime, game_id):
    set_going(runtime, game_id, *[Wait.SHORT] * 4)
    for paused in (True, False) * 2:
        with changing.game(runtime, game_id, runtime.now()) as game:
            course.set_paused(game, paused=paused)
        runtime.now.pass_by(LONGEST if paused else HOUR)
        assert due_games.play_for_absent(runtime, game_id) == 0
    assert short_wait(runtime, game_id).until > runtime.now()


@pytest.mark.usefixtures("hardly_matters")
def test_a_bank_of_time_knows_no_short_wait(runtime, game_id):
    with runtime.database.writing() as session:
        table = session.get_one(TableRow, load(runtime, game_id).row.table_id)
        table.bank = BankTimes(timedelta(days=3), timedelta(hours=12), timedelta(days=5))
    set_going(runtime, game_id, *[Wait.SHORT] * 4)
    assert short_wait(runtime, game_id) is None
    assert awaited(load(runtime, game_id)) == (CY,)


@pytest.mark.usefixtures("hardly_matters")
def test_the_others_see_the_deadline_of_the_whole_pace(runtime, game_id):
    set_going(runtime, game_id, *[Wait.SHORT] * 4)
    assert load(runtime, game_id).row.due_at - load(runtime, game_id).row.asked_at >= PACE


@pytest.mark.parametrize(
    ("since", "quiet", "off", "until"),
    [
        ((2, 12), Quiet(22, 7), (), (2, 16)),
        ((2, 20), Quiet(22, 7), (), (3, 9)),
        ((2, 23), Quiet(22, 7), (), (3, 11)),
        ((2, 21), None, (), (3, 9)),
        ((2, 3), Quiet(1, 6), (), (2, 10)),
        ((2, 20), None, (1,), (4, 8)),
        ((2, 20), Quiet(8, 20), (), (3, 0)),
    ],
)
def test_the_wait_passes_in_waking_hours(since, quiet, off, until):
    days_off = DaysOff(frozenset(off))
    (day, hour), (end_day, end_hour) = since, until
    found = after_waking(datetime(2026, 3, day, hour, tzinfo=UTC), timedelta(hours=4), "UTC", quiet, days_off)
    assert found == datetime(2026, 3, end_day, end_hour, tzinfo=UTC)
