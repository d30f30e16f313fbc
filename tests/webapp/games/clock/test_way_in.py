"""Nobody is played for who may have answered by mail, and no time counts in which no answer could come in."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import select, update

from hearts.cards import card_text
from tests.answers import inbound, mail, question, send
from tests.cast import PACE, letters, start_game
from tests.runtimes import make_runtime
from tests.side_by_side import play_in
from tests.table import ask_all
from tests.webapp.going_away import set_away, set_mails
from webapp.games.clock import way_in
from webapp.inbox.acting import process_inbound
from webapp.models import InboundRow, LetterKind, TurnSource, WayInRow
from webapp.outbox.lateness import given_back, postpone_for_late_mail
from webapp.play import due_games

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
SLEPT = 3 * DAY
AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
BY_MAIL = {"smtp_url": "smtp://127.0.0.1:9", "reply_domain": "in.hearts.localhost"}


def made_with(folder, url="", **settings):
    made = make_runtime(folder / "var", url, **{**BY_MAIL, **settings})
    open_way(made)
    return made


@pytest.fixture
def runtime(tmp_path):
    made = made_with(tmp_path)
    yield made
    made.database.engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request, tmp_path):
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else ""
    made = made_with(tmp_path, url)
    yield made
    made.database.engine.dispose()


def open_way(runtime, ago=timedelta()):
    """Everything that had come until then is read."""
    way_in.note_read(runtime, runtime.now() - ago)


def go_on_to(runtime, at):
    """Time passes up to `at`, in which all mail is read."""
    runtime.now.at = at
    with runtime.database.writing() as session:
        session.exec(update(WayInRow).values(read_up_to=at))


def asked(runtime, **more):
    """A game that has just asked all its players by mail."""
    table = start_game(runtime, **more)
    ask_all(runtime)
    open_way(runtime)
    return table


def sweep(runtime):
    while due_games.play_due(runtime):
        pass


def ways(table):
    return [row.source for row in table.turns if row.source is not TurnSource.FORCED]


def typed(runtime, name="Bo", cards="2C 3C 4C"):
    """An answer of a player, as `inbox` stores it."""
    return send(runtime, question(runtime, name), mail(name, cards))


def first_three(table, seat=1):
    return " ".join(card_text(card) for card in list(table.game.held[seat])[:3])


def newest(runtime):
    with runtime.database.reading() as session:
        return way_in.newest(session)


# which times are given back


@pytest.mark.parametrize(
    ("notes", "since", "later"),
    [
        pytest.param([(0, 0), (30, 60)], 0, 30, id="a gap while it is asked"),
        pytest.param([(0, 0), (5, 60)], 0, 0, id="five minutes are none"),
        pytest.param([(0, 0), (6, 60)], 0, 6, id="more than that are one"),
        pytest.param([(0, 10), (30, 40), (70, 90)], 0, 50, id="two gaps"),
        pytest.param([(0, 10), (30, 40)], 20, 10, id="of a gap in which it was asked, the rest"),
        pytest.param([(0, 10), (30, 40)], 30, 0, id="no gap before it was asked"),
        pytest.param([(0, 99), (200, 300)], 0, 101, id="all of a gap that began before the deadline"),
        pytest.param([(0, 100), (200, 300)], 0, 0, id="no gap from the deadline on"),
        pytest.param([(0, 90), (120, 125), (140, 150)], 0, 45, id="a gap before the deadline that the first has moved"),
    ],
)
def test_a_deadline_moves_by_gaps_while_its_question_is_open(notes, since, later):
    """In minutes: from when to when answers came in, when a question was asked, and by how much it moves from 100."""
    at = [WayInRow(opened_at=AT + MINUTE * opened, read_up_to=AT + MINUTE * read) for opened, read in notes]
    since, due_at = AT + MINUTE * since, AT + MINUTE * 100
    assert way_in.later_by(due_at, since, way_in.gaps(at, since)) - due_at == MINUTE * later


# for whom nobody plays


@pytest.mark.parametrize(
    ("settings", "is_read", "pace", "mails", "expected"),
    [
        pytest.param({}, True, PACE, True, True, id="who answers by mail"),
        pytest.param({}, False, PACE, True, False, id="no mailbox was ever read"),
        pytest.param({"reply_domain": ""}, True, PACE, True, False, id="no answers come by mail"),
        pytest.param({"smtp_url": ""}, True, PACE, True, False, id="mail is kept"),
        pytest.param({}, True, MINUTE, True, False, id="at a live pace"),
        pytest.param({}, True, PACE, False, False, id="who gets no mail"),
    ],
)
def test_a_deadline_waits_for_who_may_have_answered_by_mail(tmp_path, settings, is_read, pace, mails, expected):
    runtime = make_runtime(tmp_path / "var", **{**BY_MAIL, **settings})
    table = start_game(runtime, pace=pace)
    if is_read:
        open_way(runtime)
    for seat in () if mails else range(4):
        set_mails(runtime, table.table_id, seat, mails=False)
    runtime.now.at = table.due_at + SLEPT
    assert waits(table) is expected
    runtime.database.engine.dispose()


def waits(table):
    """Whether the table waits for answers that may have come by mail, or for the time in which none could."""
    settings, stored = table.runtime.settings, table.stored
    with table.runtime.database.reading() as session:
        may = way_in.may_have_answered(session, settings, stored, table.runtime.now())
        return may or given_back(session, settings, stored) is not None


@pytest.mark.parametrize(("later", "expected"), [(way_in.READ_WITHIN, True), (HOUR, False)], ids=["is next", "fails"])
def test_a_mail_that_fails_holds_up_its_player_no_longer(runtime, later, expected):
    table = asked(runtime)
    go_on_to(runtime, table.due_at)
    typed(runtime)
    with runtime.database.writing() as session:
        session.exec(update(InboundRow).values(next_at=runtime.now() + later))
    assert waits(table) is expected


@pytest.mark.parametrize(("left", "expected"), [(1, True), (0, False)])
def test_a_way_in_shut_for_days_stops_no_game(runtime, left, expected):
    table = asked(runtime)
    runtime.now.at = table.due_at
    with runtime.database.writing() as session:
        session.exec(update(WayInRow).values(shut_seconds=way_in.WAITS_AT_MOST.total_seconds() - left))
    assert waits(table) is expected


# the service obeys


def test_after_a_sleep_an_answer_counts_before_anybody_is_played(either):
    table = asked(either)
    before = table.due_at
    either.now.pass_by(SLEPT)
    assert before < either.now()
    sweep(either)
    assert ways(table) == [], "the mailbox may hold their answers"
    inbound_id = typed(either, cards=first_three(table))
    open_way(either)
    sweep(either)
    process_inbound(either)
    assert inbound(either, inbound_id).outcome.startswith("You passed")
    assert ways(table) == [TurnSource.REPLY]
    assert table.due_at == before + SLEPT


def test_time_without_a_mailbox_is_given_back_once(runtime):
    table = asked(runtime)
    before = table.due_at
    for _ in range(30):  # nobody is away, but no mailbox can be read
        runtime.now.pass_by(HOUR)
        sweep(runtime)
    open_way(runtime)
    for _ in range(3):
        sweep(runtime)
        open_way(runtime)
        runtime.now.pass_by(MINUTE)
    assert table.due_at == before + 30 * HOUR
    assert ways(table) == []
    go_on_to(runtime, table.due_at)
    sweep(runtime)
    assert TurnSource.TIMEOUT in ways(table), "then it is over"


def test_a_deadline_ahead_moves_when_answers_come_in_again(runtime):
    table = asked(runtime)
    before = table.due_at
    runtime.now.pass_by(PACE / 4)
    open_way(runtime)
    sweep(runtime)
    assert table.due_at == before + PACE / 4


def test_a_restart_moves_nothing_but_answers_are_read_first(runtime):
    table = asked(runtime)
    before = table.due_at
    go_on_to(runtime, before - MINUTE)
    runtime.now.at = before + MINUTE
    sweep(runtime)
    assert ways(table) == []
    open_way(runtime)
    runtime.now.pass_by(MINUTE)  # the lease is over
    inbound_id = typed(runtime, cards=first_three(table))
    sweep(runtime)
    assert ways(table) == [], "it is stored, and not acted on"
    process_inbound(runtime)
    runtime.now.pass_by(MINUTE)
    sweep(runtime)
    assert inbound(runtime, inbound_id).outcome.startswith("You passed")
    assert ways(table)[:2] == [TurnSource.REPLY, TurnSource.TIMEOUT]


def test_a_late_question_and_a_gap_count_once(runtime):
    table = start_game(runtime)
    open_way(runtime)
    before = table.due_at
    passes = letters(runtime, LetterKind.TURNS)
    assert len(passes) == 4
    runtime.now.pass_by(SLEPT)
    for letter in passes[:2]:
        postpone_for_late_mail(runtime, letter, runtime.now())
    open_way(runtime)
    sweep(runtime)
    for letter in passes[2:]:
        postpone_for_late_mail(runtime, letter, runtime.now())
    assert before + SLEPT - MINUTE < table.due_at <= before + SLEPT


def test_robots_go_on_in_one_hand_while_others_wait(runtime):
    table = asked(runtime, at_once=4)
    set_away(runtime, table.table_id, 3, away=True)
    sweep(runtime)
    rng = random.Random(1)
    while table.hand(1).game.to_act != (3,):
        play_in(runtime, table.hand(1), rng)
    before = ways(table)
    runtime.now.pass_by(SLEPT)
    sweep(runtime)
    assert set(ways(table)[len(before) :]) == {TurnSource.AWAY}


def look(runtime, times, every=MINUTE):
    """A scheduler looks each minute. Returns what it was told to tell."""
    told = []
    for _ in range(times):
        runtime.now.pass_by(every)
        with runtime.database.writing() as session:
            told.append(way_in.look(session, runtime.settings, runtime.now()))
    return [since for since in told if since]


def test_the_host_is_told_once_of_each_gap(runtime):
    shut = runtime.now()
    assert look(runtime, 60) == [shut]
    assert newest(runtime).shut_seconds == 54 * 60, "once five minutes were tolerated, and one look has begun to count"
    open_way(runtime)
    assert look(runtime, 4) == []
    again = newest(runtime).read_up_to
    assert look(runtime, 60) == [again]


def test_time_asleep_is_no_time_in_which_reading_failed(runtime):
    assert look(runtime, 5, every=12 * HOUR) == []
    assert newest(runtime).shut_seconds == 0


def test_a_slow_pass_of_another_process_opens_no_gap(runtime):
    table = asked(runtime)
    before = table.due_at
    for _ in range(10):
        runtime.now.pass_by(MINUTE)
        open_way(runtime)
    open_way(runtime, ago=9 * MINUTE)
    runtime.now.pass_by(MINUTE)
    open_way(runtime)
    sweep(runtime)
    assert table.due_at == before


def test_a_clock_set_back_is_believed(runtime):
    table = asked(runtime)
    right = runtime.now()
    runtime.now.pass_by(300 * DAY)
    open_way(runtime)
    runtime.now.at = right + MINUTE
    open_way(runtime)
    assert newest(runtime).read_up_to == runtime.now()
    sweep(runtime)
    runtime.now.at = table.due_at
    assert runtime.now() > right
    sweep(runtime)
    assert ways(table) == [], "what came since is not read"


def test_old_notes_are_forgotten_and_the_last_stays(runtime):
    for _ in range(3):
        runtime.now.pass_by(way_in.KEPT_FOR)
        open_way(runtime)
    runtime.now.pass_by(2 * way_in.KEPT_FOR)
    with runtime.database.writing() as session:
        way_in.forget_old(session, runtime.now())
        assert [row.read_up_to for row in session.exec(select(WayInRow))] == [newest(runtime).read_up_to]
