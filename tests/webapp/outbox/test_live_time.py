"""Live play and presence: how long a player has, when the others stop waiting for them, and which mails wait."""

import random
from collections import Counter
from concurrent import futures
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from hearts.cards import Cards
from hearts.game import Stage
from hearts.seats import Seat
from hearts.turns import Pass
from tests.cast import NAMES, PACE, ask_all, letters, load, miss_deadline, play_first, seats, start_game, turn_link
from tests.mailing import player_id, set_preferences
from tests.playing import BO, QUICK, awaited, beat, pass_all, records
from tests.remembered import remembered
from webapp import service
from webapp.games import presence, store
from webapp.games.clock import LIVE_PACES, arrival_time
from webapp.games.due import Due, due_of
from webapp.games.pace import set_wake
from webapp.games.presence import LEAVE_GRACE, PRESENT_FOR, is_present, was_present_recently
from webapp.kinds import QUESTIONS
from webapp.models import Frequency, LetterKind, LetterState, TurnSource
from webapp.outbox.timing import PAGE_GRACE
from webapp.players import preferences
from webapp.site import make_site
from worker import postman

LIVE = timedelta(seconds=15)
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
FIRST = timedelta(minutes=5)
GONE = PRESENT_FOR + LEAVE_GRACE
KEPT, QUEUED, HELD, SUPERSEDED = LetterState.KEPT, LetterState.QUEUED, LetterState.HELD, LetterState.SUPERSEDED


def live_game(runtime, here=(), pace=LIVE, names=NAMES, robots=0, rules=None):
    """A game at a live pace; the players of the seats `here` are present at its first question. Returns its id."""
    game_id = start_game(runtime, names, robots, rules, pace)
    if here:
        arrive(runtime, game_id, here)
    return game_id


def arrive(runtime, game_id, here=range(4)):
    for seat in here:
        beat(runtime, game_id, seat)


def play_at_deadline(runtime, game_id):
    """Plays for those who have not played at the deadline. Returns how many turns that is."""
    return miss_deadline(runtime, game_id)


def wait(runtime, time):
    runtime.now.pass_by(time)


def time_left(runtime, game_id):
    """How long the awaited player still has."""
    return load(runtime, game_id).row.due_at - runtime.now()


def seat_of(runtime, game_id, seat=BO):
    return load(runtime, game_id).seats[seat]


def mails(runtime, seat, game_id, *kinds):
    """The player's letters within the game that have not been superseded."""
    mine = [
        one for one in letters(runtime) if (one.seat, one.game_id) == (seat, game_id) and one.state is not SUPERSEDED
    ]
    return [one for one in mine if not kinds or one.kind in kinds]


@remembered
def play_until(runtime, game_id, seat=BO):
    """All who come before the player play at once, until the player is asked for a card."""
    while (game := load(runtime, game_id).game).stage is not Stage.PLAY or seat not in game.to_act:
        play_first(runtime, game_id)


# How long a player has


@pytest.mark.parametrize(
    ("pace", "first", "later"),
    [
        pytest.param(7, 300, 60, id="seconds"),
        pytest.param(30, 300, 60, id="half a minute"),
        pytest.param(60, 300, 120, id="a minute: twice that, so that one is left for a player who comes in time"),
        pytest.param(300, 600, 600, id="five minutes"),
    ],
)
def test_an_absent_player_has_time_to_come_and_more_of_it_at_first(pace, first, later):
    given = [arrival_time(timedelta(seconds=pace), is_first=is_first).total_seconds() for is_first in (True, False)]
    assert given == [first, later]


def test_at_the_first_question_an_absent_player_has_five_minutes(runtime):
    game_id = live_game(runtime)
    assert time_left(runtime, game_id) == FIRST


def test_a_present_player_has_the_pace_and_an_absent_one_time_to_come(runtime):
    game_id = live_game(runtime)
    pass_all(runtime, game_id)
    absent = (awaited(runtime, game_id) + 1) % 4  # who has not been asked for a card yet
    arrive(runtime, game_id, {0, 1, 2, 3} - {absent})
    play_until(runtime, game_id, absent)
    assert time_left(runtime, game_id) == MINUTE, "it is not the first question of the game"
    while awaited(runtime, game_id) == absent:
        play_first(runtime, game_id)
    assert time_left(runtime, game_id) == LIVE


@pytest.mark.parametrize("pace", [*LIVE_PACES])
def test_every_live_deadline_takes_effect_when_it_is_over_and_not_before(runtime, pace):
    game_id = live_game(runtime, pace=pace)
    pass_all(runtime, game_id)
    arrive(runtime, game_id)
    play_first(runtime, game_id)
    assert time_left(runtime, game_id) == pace
    wait(runtime, pace - SECOND)
    assert (service.claim_due(runtime, runtime.now()), service.play_for_absent(runtime, game_id)) == ([], 0)
    wait(runtime, SECOND)
    assert service.claim_due(runtime, runtime.now()) == [game_id]
    assert service.play_for_absent(runtime, game_id) >= 1


def test_passing_and_playing_have_separate_paces(runtime):
    game_id = live_game(runtime, pace=PACE)
    with runtime.database.writing() as session:
        store.load(session, game_id).table.play_seconds = 15
    arrive(runtime, game_id)
    assert time_left(runtime, game_id) == PACE, "passing is by mail"
    assert mails(runtime, BO, game_id, LetterKind.REMINDER)
    pass_all(runtime, game_id)
    assert time_left(runtime, game_id) == LIVE, "and later turns are live"


def test_a_player_who_comes_while_asked_has_the_pace_from_then_on(runtime):
    game_id = live_game(runtime)
    due_at = load(runtime, game_id).row.due_at
    wait(runtime, FIRST - LIVE - SECOND)
    beat(runtime, game_id)
    assert load(runtime, game_id).row.due_at == due_at, "it comes no earlier, and the player has more than the pace"
    wait(runtime, LIVE)
    beat(runtime, game_id, 2)
    row = load(runtime, game_id).row
    assert row.due_at == row.wake_at == runtime.now() + LIVE, "one second is not enough"


def test_a_deadline_claimed_before_the_player_came_still_takes_effect(runtime):
    game_id = live_game(runtime)
    wait(runtime, FIRST)
    assert service.claim_due(runtime, runtime.now()) == [game_id]
    beat(runtime, game_id)
    assert service.play_for_absent(runtime, game_id) == 0
    wait(runtime, LIVE)
    assert service.claim_due(runtime, runtime.now()) == [game_id], "and not only when the lease is over"


@pytest.mark.parametrize("pace", [timedelta(seconds=7), LIVE, MINUTE])
def test_coming_and_going_does_not_keep_the_others_waiting_for_ever(runtime, pace):
    game_id = live_game(runtime, pace=pace)
    pass_all(runtime, game_id)
    play_until(runtime, game_id)
    asked_at = runtime.now()
    for step in range(50):
        wait(runtime, 6 * SECOND)
        beat(runtime, game_id, here=step % 2 == 0)
    assert load(runtime, game_id).row.due_at <= asked_at + arrival_time(pace, is_first=False) + pace


@pytest.mark.parametrize("pace", LIVE_PACES)
def test_a_player_absent_when_asked_has_the_pace_on_coming_at_any_time(runtime, pace):
    game_id = live_game(runtime, pace=pace)
    pass_all(runtime, game_id)
    chance = random.Random(pace.seconds)
    for _ in range(3):
        play_until(runtime, game_id)
        gone_before, comes = chance.choice([5, 20, 60]), chance.random()
        beat(runtime, game_id)
        beat(runtime, game_id, here=False)
        while BO in load(runtime, game_id).game.to_act:
            play_first(runtime, game_id)
        wait(runtime, gone_before * SECOND)
        play_until(runtime, game_id)
        due_at = load(runtime, game_id).row.due_at
        wait(runtime, time_left(runtime, game_id) * comes)
        beat(runtime, game_id)
        assert time_left(runtime, game_id) >= pace
        assert load(runtime, game_id).row.due_at >= due_at


def test_at_other_paces_presence_changes_no_deadline(runtime):
    for pace in (SECOND, timedelta(minutes=10), PACE):
        game_id = start_game(runtime, pace=pace)
        due_at = load(runtime, game_id).row.due_at
        wait(runtime, pace / 2)
        arrive(runtime, game_id)
        assert load(runtime, game_id).row.due_at == due_at
        pass_all(runtime, game_id)
        assert time_left(runtime, game_id) >= pace


# When nobody waits for a player any more


def test_an_absent_player_who_misses_one_deadline_becomes_away_and_is_mailed_once(runtime):
    game_id = live_game(runtime, here={0, 2, 3})
    pass_all(runtime, game_id, {0, 2, 3})
    ask_all(runtime)
    wait(runtime, FIRST)
    arrive(runtime, game_id, {0, 2, 3})
    assert service.play_for_absent(runtime, game_id) >= 1
    assert seat_of(runtime, game_id).away
    while load(runtime, game_id).game.hand == 1:
        if BO in load(runtime, game_id).game.to_act:
            assert load(runtime, game_id).row.wake_at == runtime.now(), "nobody waits for the player"
            service.play_for_absent(runtime, game_id)
        else:
            play_first(runtime, game_id)
    kinds = [one.kind for one in mails(runtime, BO, game_id)]
    expected = [LetterKind.PASS, LetterKind.PLAYED_FOR_YOU]
    assert kinds == expected, "the first question, and then no card, no question, no sheet of a hand"


def test_a_slow_present_player_is_played_for_card_by_card_and_mailed_after_the_third(runtime):
    game_id = live_game(runtime)
    pass_all(runtime, game_id)
    for missed in (1, 2, 3):
        play_until(runtime, game_id)
        wait(runtime, load(runtime, game_id).row.due_at - runtime.now())
        arrive(runtime, game_id)
        wait(runtime, max(time_left(runtime, game_id), timedelta()))
        assert service.play_for_absent(runtime, game_id) >= 1
        assert (seat_of(runtime, game_id).missed, seat_of(runtime, game_id).away) == (missed, missed == 3)
        assert len(mails(runtime, BO, game_id, LetterKind.PLAYED_FOR_YOU)) == (missed == 3)


def test_the_players_page_shows_what_was_played_for_them(runtime):
    game_id = live_game(runtime, here=range(4))
    pass_all(runtime, game_id)
    play_until(runtime, game_id)
    url = runtime.signer.local_url(turn_link(runtime, game_id, BO))
    arrive(runtime, game_id)
    play_at_deadline(runtime, game_id)
    assert "The deadline was over. We played" in make_site(runtime).test_client().get(url).text


def test_a_player_whom_only_robots_wait_for_is_not_away_and_is_mailed_once(runtime):
    game_id = live_game(runtime, names=NAMES[:1], robots=3)
    for _ in range(4):
        play_at_deadline(runtime, game_id)
    assert (seat_of(runtime, game_id, 0).missed, seat_of(runtime, game_id, 0).away) == (4, False)
    assert len(mails(runtime, 0, game_id, LetterKind.PLAYED_FOR_YOU)) == 1


def test_a_player_back_from_being_away_is_mailed_again_and_has_time_to_come(runtime):
    game_id = live_game(runtime)
    table_id = load(runtime, game_id).row.table_id
    pass_all(runtime, game_id)
    play_until(runtime, game_id)
    play_at_deadline(runtime, game_id)
    play_until_bos_turn(runtime, game_id)
    service.play_for_absent(runtime, game_id)
    preferences.set_away(runtime, table_id, BO, away=False, now=runtime.now())
    play_until(runtime, game_id)
    assert time_left(runtime, game_id) == FIRST
    assert len(mails(runtime, BO, game_id, *QUESTIONS)) == 1
    play_first(runtime, game_id)
    play_until(runtime, game_id)
    assert not mails(runtime, BO, game_id, *QUESTIONS), "answered, and the next one is not mailed"


def play_until_bos_turn(runtime, game_id):
    """Everybody else plays until it is the turn of Bo, who is away."""
    while BO not in load(runtime, game_id).game.to_act:
        play_first(runtime, game_id)


# Which mails wait


@pytest.mark.parametrize("pace", [LIVE, PACE])
def test_a_question_to_a_present_player_waits_until_they_have_gone(runtime, pace):
    game_id = start_game(runtime, pace=pace)
    pass_all(runtime, game_id, {0, 2, 3})
    beat(runtime, game_id)
    (question,) = mails(runtime, BO, game_id, LetterKind.PASS)
    assert (question.state, question.next_at) == (QUEUED, runtime.now()), "Bo was absent when it was asked"
    postman.deliver(runtime)
    (question,) = mails(runtime, BO, game_id, LetterKind.PASS)
    assert (question.state, question.next_at) == (QUEUED, runtime.now() + GONE), "but is when it should go"
    wait(runtime, GONE - SECOND)
    beat(runtime, game_id)
    wait(runtime, SECOND)
    postman.deliver(runtime)
    assert mails(runtime, BO, game_id, LetterKind.PASS)[0].state is QUEUED, "Bo is still present"
    wait(runtime, GONE - SECOND)
    postman.deliver(runtime)
    (question,) = mails(runtime, BO, game_id, LetterKind.PASS)
    assert (question.state, question.sent_at, question.created_at) == (KEPT, runtime.now(), runtime.now())


def test_a_question_to_a_present_player_goes_after_two_minutes_at_the_earliest(runtime):
    game_id = start_game(runtime)
    beat(runtime, game_id)
    pass_all(runtime, game_id)
    play_until(runtime, game_id)
    (question,) = mails(runtime, BO, game_id, LetterKind.TURN)
    assert (question.state, question.next_at) == (QUEUED, runtime.now() + PAGE_GRACE)
    beat(runtime, game_id, here=False)
    postman.deliver(runtime)
    assert mails(runtime, BO, game_id, LetterKind.TURN)[0].state is QUEUED
    wait(runtime, PAGE_GRACE)
    postman.deliver(runtime)
    assert mails(runtime, BO, game_id, LetterKind.TURN)[0].state is KEPT


def test_a_question_answered_while_the_player_is_present_is_never_sent(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    beat(runtime, game_id)
    play_until(runtime, game_id)
    asked = due_of(load(runtime, game_id).game, Seat(BO))
    play_first(runtime, game_id)
    wait(runtime, PACE)
    postman.deliver(runtime)
    questions = [one for one in letters(runtime, LetterKind.TURN) if (one.seat, one.about) == (BO, asked.what)]
    assert [one.state for one in questions] == [SUPERSEDED]


def test_a_reminder_waits_while_the_player_is_present(runtime):
    game_id = start_game(runtime)
    postman.deliver(runtime)
    reminder = min(mails(runtime, BO, game_id, LetterKind.REMINDER), key=lambda one: one.next_at)
    wait(runtime, reminder.next_at - runtime.now())
    beat(runtime, game_id)
    postman.deliver(runtime)
    found = next(one for one in letters(runtime) if one.id == reminder.id)
    assert (found.state, found.next_at) == (QUEUED, runtime.now() + GONE)


def test_a_player_present_at_one_table_is_asked_by_mail_at_another(runtime):
    game_id, other = start_game(runtime), start_game(runtime)
    beat(runtime, game_id)
    postman.deliver(runtime)
    assert [mails(runtime, BO, one, LetterKind.PASS)[0].state for one in (game_id, other)] == [QUEUED, KEPT]


def test_a_mail_that_the_player_asks_for_goes_although_they_are_present(runtime):
    game_id = start_game(runtime)
    beat(runtime, game_id)
    stored = load(runtime, game_id)
    preferences.mail_again(runtime, game_id, Seat(BO), due_of(stored.game, Seat(BO)), runtime.now())
    postman.deliver(runtime)
    assert [one.state for one in mails(runtime, BO, game_id, LetterKind.PASS)] == [KEPT]


def test_the_score_sheet_of_a_hand_goes_to_everybody_and_waits_until_its_reader_has_gone(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    while load(runtime, game_id).game.hand == 1:
        beat(runtime, game_id)
        play_first(runtime, game_id)
    postman.deliver(runtime)
    assert sheets_by_seat(runtime) == {0: KEPT, BO: QUEUED, 2: KEPT, 3: KEPT}
    wait(runtime, PAGE_GRACE)
    beat(runtime, game_id)
    postman.deliver(runtime)
    assert sheets_by_seat(runtime)[BO] is QUEUED, "Bo is still present"
    wait(runtime, GONE)
    postman.deliver(runtime)
    assert sheets_by_seat(runtime)[BO] is KEPT


def sheets_by_seat(runtime):
    """The state of each seat's score sheet."""
    sheets = letters(runtime, LetterKind.SCORE_SHEET)
    assert len({one.seat for one in sheets}) == len(sheets)
    return {one.seat: one.state for one in sheets}


@pytest.mark.parametrize(("pace", "asked"), [(LIVE, {LetterKind.PASS}), (SECOND, {LetterKind.PASS, LetterKind.TURN})])
def test_live_play_mails_an_absent_player_the_first_question_and_the_last_score_sheet(runtime, pace, asked):
    game_id = start_game(runtime, rules=QUICK, pace=pace)
    arrive(runtime, game_id, (0, 2, 3))  # and they stay: the clock stands still
    while play_first(runtime, game_id).game.stage is not Stage.OVER:
        postman.deliver(runtime)
    postman.deliver(runtime)
    sent = Counter(one.kind for one in mails(runtime, BO, game_id) if one.state is KEPT)
    asking = {kind for kind in sent if kind in QUESTIONS}
    assert (asking, sent[LetterKind.FINAL_SHEET]) == (asked, 1)
    assert (LetterKind.SCORE_SHEET in sent) is (pace is SECOND), "the pace for trying out is a mail pace"
    assert sent[LetterKind.PASS] == 1 or pace is SECOND
    ends = [one.kind for seat in (0, 2, 3) for one in mails(runtime, seat, game_id) if one.state is KEPT]
    assert set(ends) <= {LetterKind.FINAL_SHEET, LetterKind.PASS}
    assert ends.count(LetterKind.FINAL_SHEET) == 3, "to keep, present or not"


def test_the_pace_for_trying_out_reports_every_card_played_for_somebody(runtime):
    game_id = start_game(runtime, pace=SECOND)
    play_at_deadline(runtime, game_id)
    assert [row.away for row in load(runtime, game_id).seats] == [False] * 4
    assert len(letters(runtime, LetterKind.PLAYED_FOR_YOU)) == 4


def test_a_digest_holds_its_mails_whether_the_player_is_present_or_not(runtime):
    game_id = start_game(runtime)
    set_preferences(runtime, "Bo", frequency=Frequency.BUNDLED)
    pass_all(runtime, game_id)
    beat(runtime, game_id)
    play_until(runtime, game_id)
    assert [one.state for one in mails(runtime, BO, game_id, LetterKind.TURN)] == [HELD]
    wait(runtime, 2 * MINUTE)
    postman.deliver(runtime)
    assert player_id(runtime, "Bo") in {
        one.player_id for one in letters(runtime, LetterKind.DIGEST) if one.state is KEPT
    }


def test_new_preferences_send_nothing_to_a_present_player(runtime):
    game_id = start_game(runtime)
    beat(runtime, game_id)
    set_preferences(runtime, "Bo")
    assert mails(runtime, BO, game_id, LetterKind.PASS)[0].next_at == runtime.now() + PAGE_GRACE


def test_a_player_present_at_night_counts_as_awake(runtime):
    wait(runtime, datetime(2026, 3, 2, 23, tzinfo=UTC) - runtime.now())
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    seat = (awaited(runtime, game_id) + 1) % 4  # who has not been asked yet
    wait(runtime, timedelta(hours=1))
    beat(runtime, game_id, seat)
    beat(runtime, game_id, seat, here=False)
    wait(runtime, MINUTE)
    play_until(runtime, game_id, seat)
    assert mails(runtime, seat, game_id, LetterKind.TURN)[-1].next_at == runtime.now()


# Simultaneous events, and any order of events


def test_of_a_beat_and_a_deadline_at_the_same_moment_only_one_wins(either_runtime):
    runtime = either_runtime
    for _ in range(4):
        game_id = live_game(runtime)
        pass_all(runtime, game_id, {0, 2, 3})
        ask_all(runtime)
        wait(runtime, time_left(runtime, game_id))
        before = load(runtime, game_id).row
        with ThreadPoolExecutor(2) as pool:
            played = pool.submit(service.play_for_absent, runtime, game_id)
            pool.submit(beat, runtime, game_id).result()
            played = played.result()
        after = load(runtime, game_id)
        assert is_present(after.seats[BO], runtime.now())
        if BO in after.game.to_act and after.game.stage is Stage.PASS:
            assert (played, after.row.due_at, after.seats[BO].away) == (0, before.due_at + LIVE, False)
        else:
            way = next(row.way for row in records(runtime, game_id) if row.turn.get("seat") == BO)
            assert (played >= 1, way) == (True, TurnSource.TIMEOUT)


def test_a_deadline_waits_for_a_beat_that_is_being_written_and_then_is_not_over(either_runtime, monkeypatch):
    runtime = either_runtime
    game_id = live_game(runtime)
    pass_all(runtime, game_id, {0, 2, 3})
    wait(runtime, time_left(runtime, game_id))
    cards = Cards.of(list(load(runtime, game_id).game.held[BO])[:3])

    def is_played_for():
        try:
            service.take_turn(
                runtime, game_id, Due(1, "pass"), Pass(Seat(BO), cards), TurnSource.TIMEOUT, runtime.now()
            )
        except service.TurnOver:
            return False
        return True

    with ThreadPoolExecutor(1) as pool:
        meanwhile = []

        def in_between(stored, now):
            meanwhile.append(pool.submit(is_played_for))
            futures.wait(meanwhile, timeout=0.5)
            set_wake(stored, now)

        monkeypatch.setattr(presence, "set_wake", in_between)
        beat(runtime, game_id)
        assert [played.result() for played in meanwhile] == [False]
    assert time_left(runtime, game_id) == LIVE
    assert seat_of(runtime, game_id).missed == 0


def test_many_simultaneous_beats_count_as_one_arrival(either_runtime):
    runtime = either_runtime
    game_id = live_game(runtime)
    wait(runtime, FIRST - SECOND)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: beat(runtime, game_id, number % 4), range(12)))
    assert time_left(runtime, game_id) == LIVE
    assert all(is_present(row, runtime.now()) for row in seats(runtime, load(runtime, game_id).row.table_id))


def test_beats_turns_preferences_and_mails_at_once_do_not_deadlock(either_runtime):
    runtime = either_runtime
    game_id = live_game(runtime, names=NAMES[:2], robots=2)
    table_id = load(runtime, game_id).row.table_id

    def does(number):
        match number % 5:
            case 0 | 1:
                beat(runtime, game_id, number % 2, here=number % 3 == 0)
            case 2:
                service.play_for_absent(runtime, game_id)
            case 3:
                preferences.set_away(runtime, table_id, BO, away=number % 2 == 0, now=runtime.now())
            case 4:
                postman.deliver(runtime)

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(does, range(40)))
    assert load(runtime, game_id).row.turns >= 1


@pytest.mark.parametrize("chance", range(3))
def test_in_any_order_of_events_an_absent_player_who_is_asked_has_exactly_one_mail(runtime, chance):
    """Half an hour of coming, going, playing, sweeping and sending, in any order."""
    chance = random.Random(chance)
    game_id = start_game(runtime)
    for _ in range(40):
        wait(runtime, chance.choice([1, 5, 10, 40, 100]) * SECOND)
        match chance.choice(["beat", "beat", "leave", "play", "send"]):
            case "beat" | "leave" as does:
                beat(runtime, game_id, chance.randrange(4), here=does == "beat")
            case "play":
                play_first(runtime, game_id)
            case "send":
                postman.deliver(runtime)
        stored = load(runtime, game_id)
        for seat in stored.game.to_act:
            due = due_of(stored.game, seat)
            about = (due.hand, due.what)
            asking = [one for one in mails(runtime, seat, game_id, *QUESTIONS) if (one.hand, one.about) == about]
            assert len(asking) == 1
            (one,) = asking
            assert one.state is KEPT or one.next_at <= runtime.now() + PAGE_GRACE
            if one.state is KEPT and one.sent_at == runtime.now():
                assert not was_present_recently(stored.seats[seat], runtime.now())
    wait(runtime, GONE + PAGE_GRACE)
    postman.deliver(runtime)
    stored = load(runtime, game_id)
    for seat in stored.game.to_act:
        about = due_of(stored.game, seat)
        kept = [
            one
            for one in mails(runtime, seat, game_id, *QUESTIONS)
            if (one.hand, one.about) == (about.hand, about.what)
        ]
        assert [one.state for one in kept] == [KEPT]
