"""Live play and who is here: how long somebody has, when she is waited for no longer, and which mails wait."""

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
from tests.webapp.games.test_presence import BO, SECOND, beat
from tests.webapp.outbox.test_timing import player_id, wish
from tests.webapp.test_service import QUICK, pass_all, records
from webapp import service
from webapp.games import presence, store
from webapp.games.clock import LIVE_PACES, time_to_come
from webapp.games.due import Due, due_of
from webapp.games.pace import set_wake
from webapp.games.presence import HERE_FOR, LEAVES_FOR, is_about, is_here
from webapp.models import Frequency, LetterKind, LetterState, Way
from webapp.outbox.letters import QUESTIONS
from webapp.outbox.timing import ASKED_ON_PAGE
from webapp.players import preferences
from webapp.site import make_site
from worker import postman

LIVE = timedelta(seconds=15)
MINUTE = timedelta(minutes=1)
FIRST = timedelta(minutes=5)
GONE = HERE_FOR + LEAVES_FOR
KEPT, OWED, HELD, SUPERSEDED = LetterState.KEPT, LetterState.OWED, LetterState.HELD, LetterState.SUPERSEDED


def live_game(parts, here=(), pace=LIVE, names=NAMES, robots=0, rules=None):
    """A game at a live pace, at whose first question the players of the seats `here` are there. Returns its id."""
    game_id = start_game(parts, names, robots, rules, pace)
    if here:
        come(parts, game_id, here)
    return game_id


def come(parts, game_id, here=range(4)):
    for seat in here:
        beat(parts, game_id, seat)


def at_the_deadline(parts, game_id):
    """What is done for those who were asked and have not played by then. Returns how many turns that is."""
    return miss_deadline(parts, game_id)


def wait(parts, time):
    parts.now.pass_by(time)


def left(parts, game_id):
    """How long whoever is awaited still has."""
    return load(parts, game_id).row.due_at - parts.now()


def seat_of(parts, game_id, seat=BO):
    return load(parts, game_id).seats[seat]


def mails(parts, seat, game_id, *kinds):
    """Her letters within the game that have not been taken back."""
    mine = [one for one in letters(parts) if (one.seat, one.game_id) == (seat, game_id) and one.state is not SUPERSEDED]
    return [one for one in mine if not kinds or one.kind in kinds]


def awaited(parts, game_id):
    (seat,) = load(parts, game_id).game.to_act
    return seat


def play_until(parts, game_id, seat=BO):
    """All who are asked before her play at once, and then she is asked for a card."""
    while (game := load(parts, game_id).game).stage is not Stage.PLAY or seat not in game.to_act:
        play_first(parts, game_id)


# How long somebody has


@pytest.mark.parametrize(
    ("pace", "first", "later"),
    [
        pytest.param(7, 300, 60, id="seconds"),
        pytest.param(30, 300, 60, id="half a minute"),
        pytest.param(60, 300, 120, id="a minute: twice that, so that one is left to whoever comes in time"),
        pytest.param(300, 600, 600, id="five minutes"),
    ],
)
def test_whoever_is_not_there_has_time_to_come_and_more_of_it_at_first(pace, first, later):
    given = [time_to_come(timedelta(seconds=pace), is_first=is_first).total_seconds() for is_first in (True, False)]
    assert given == [first, later]


def test_at_the_first_question_whoever_is_not_there_has_five_minutes(parts):
    game_id = live_game(parts)
    assert left(parts, game_id) == FIRST


def test_whoever_is_here_has_the_pace_and_whoever_is_not_has_time_to_come(parts):
    game_id = live_game(parts)
    pass_all(parts, game_id)
    absent = (awaited(parts, game_id) + 1) % 4  # who has not been asked for a card yet
    come(parts, game_id, {0, 1, 2, 3} - {absent})
    play_until(parts, game_id, absent)
    assert left(parts, game_id) == MINUTE, "it is not the first question of the game"
    while awaited(parts, game_id) == absent:
        play_first(parts, game_id)
    assert left(parts, game_id) == LIVE


@pytest.mark.parametrize("pace", [*LIVE_PACES])
def test_every_live_pace_bites_when_it_is_over_and_not_before(parts, pace):
    game_id = live_game(parts, pace=pace)
    pass_all(parts, game_id)
    come(parts, game_id)
    play_first(parts, game_id)
    assert left(parts, game_id) == pace
    wait(parts, pace - SECOND)
    assert (service.claim_due(parts, parts.now()), service.play_for_absent(parts, game_id)) == ([], 0)
    wait(parts, SECOND)
    assert service.claim_due(parts, parts.now()) == [game_id]
    assert service.play_for_absent(parts, game_id) >= 1


def test_passing_and_playing_each_have_their_own_pace(parts):
    game_id = live_game(parts, pace=PACE)
    with parts.database.writing() as rows:
        store.load(rows, game_id).table.play_seconds = 15
    come(parts, game_id)
    assert left(parts, game_id) == PACE, "passing is by mail"
    assert mails(parts, BO, game_id, LetterKind.REMINDER)
    pass_all(parts, game_id)
    assert left(parts, game_id) == LIVE, "and what follows is live"


def test_whoever_comes_while_she_is_asked_has_the_pace_from_then_on(parts):
    game_id = live_game(parts)
    due_at = load(parts, game_id).row.due_at
    wait(parts, FIRST - LIVE - SECOND)
    beat(parts, game_id)
    assert load(parts, game_id).row.due_at == due_at, "it comes no earlier, and she has more than the pace"
    wait(parts, LIVE)
    beat(parts, game_id, 2)
    row = load(parts, game_id).row
    assert row.due_at == row.wake_at == parts.now() + LIVE, "one second would not do"


def test_a_deadline_that_was_claimed_before_she_came_still_bites(parts):
    game_id = live_game(parts)
    wait(parts, FIRST)
    assert service.claim_due(parts, parts.now()) == [game_id]
    beat(parts, game_id)
    assert service.play_for_absent(parts, game_id) == 0
    wait(parts, LIVE)
    assert service.claim_due(parts, parts.now()) == [game_id], "and not only when the lease is over"


@pytest.mark.parametrize("pace", [timedelta(seconds=7), LIVE, MINUTE])
def test_nobody_who_comes_and_goes_has_the_others_wait_for_ever(parts, pace):
    game_id = live_game(parts, pace=pace)
    pass_all(parts, game_id)
    play_until(parts, game_id)
    asked_at = parts.now()
    for step in range(200):
        wait(parts, 3 * SECOND)
        beat(parts, game_id, here=step % 2 == 0)
    assert load(parts, game_id).row.due_at <= asked_at + time_to_come(pace, is_first=False) + pace


@pytest.mark.parametrize("pace", LIVE_PACES)
def test_whenever_somebody_comes_who_was_not_there_when_she_was_asked_she_has_the_pace(parts, pace):
    game_id = live_game(parts, pace=pace)
    pass_all(parts, game_id)
    chance = random.Random(pace.seconds)
    for _ in range(6):
        play_until(parts, game_id)
        gone_before, comes = chance.choice([5, 20, 60]), chance.random()
        beat(parts, game_id)
        beat(parts, game_id, here=False)
        while BO in load(parts, game_id).game.to_act:
            play_first(parts, game_id)
        wait(parts, gone_before * SECOND)
        play_until(parts, game_id)
        due_at = load(parts, game_id).row.due_at
        wait(parts, left(parts, game_id) * comes)
        beat(parts, game_id)
        assert left(parts, game_id) >= pace
        assert load(parts, game_id).row.due_at >= due_at


def test_at_other_paces_nobody_gets_more_or_less_time_by_being_here(parts):
    for pace in (SECOND, timedelta(minutes=10), PACE):
        game_id = start_game(parts, pace=pace)
        due_at = load(parts, game_id).row.due_at
        wait(parts, pace / 2)
        come(parts, game_id)
        assert load(parts, game_id).row.due_at == due_at
        pass_all(parts, game_id)
        assert left(parts, game_id) >= pace


# Who is waited for no longer


def test_whoever_misses_one_deadline_and_is_not_there_is_played_for_from_then_on_and_told_once(parts):
    game_id = live_game(parts, here={0, 2, 3})
    pass_all(parts, game_id, {0, 2, 3})
    ask_all(parts)
    wait(parts, FIRST)
    come(parts, game_id, {0, 2, 3})
    assert service.play_for_absent(parts, game_id) >= 1
    assert seat_of(parts, game_id).away
    while load(parts, game_id).game.hand == 1:
        if BO in load(parts, game_id).game.to_act:
            assert load(parts, game_id).row.wake_at == parts.now(), "nobody waits for her"
            service.play_for_absent(parts, game_id)
        else:
            play_first(parts, game_id)
    told = [one.kind for one in mails(parts, BO, game_id)]
    expected = [LetterKind.PASS, LetterKind.PLAYED_FOR_YOU]
    assert told == expected, "the first question, and then no card, no question, no sheet of a hand"


def test_whoever_is_here_and_slow_is_played_for_card_by_card_and_told_when_that_was_the_third(parts):
    game_id = live_game(parts)
    pass_all(parts, game_id)
    for missed in (1, 2, 3):
        play_until(parts, game_id)
        wait(parts, load(parts, game_id).row.due_at - parts.now())
        come(parts, game_id)
        wait(parts, max(left(parts, game_id), timedelta()))
        assert service.play_for_absent(parts, game_id) >= 1
        assert (seat_of(parts, game_id).missed, seat_of(parts, game_id).away) == (missed, missed == 3)
        assert len(mails(parts, BO, game_id, LetterKind.PLAYED_FOR_YOU)) == (missed == 3)


def test_her_page_tells_what_was_played_for_her(parts):
    game_id = live_game(parts, here=range(4))
    pass_all(parts, game_id)
    play_until(parts, game_id)
    url = parts.signer.local_url(turn_link(parts, game_id, BO))
    come(parts, game_id)
    at_the_deadline(parts, game_id)
    assert "The deadline was over, so we played" in make_site(parts).test_client().get(url).text


def test_where_only_robots_would_wait_she_is_not_away_and_is_told_once(parts):
    game_id = live_game(parts, names=NAMES[:1], robots=3)
    for _ in range(4):
        at_the_deadline(parts, game_id)
    assert (seat_of(parts, game_id, 0).missed, seat_of(parts, game_id, 0).away) == (4, False)
    assert len(mails(parts, 0, game_id, LetterKind.PLAYED_FOR_YOU)) == 1


def test_whoever_is_back_from_being_away_is_asked_by_mail_once_more_and_has_time_to_come(parts):
    game_id = live_game(parts)
    table_id = load(parts, game_id).row.table_id
    pass_all(parts, game_id)
    play_until(parts, game_id)
    at_the_deadline(parts, game_id)
    play_until_asked_away(parts, game_id)
    service.play_for_absent(parts, game_id)
    preferences.set_away(parts, table_id, BO, away=False, now=parts.now())
    play_until(parts, game_id)
    assert left(parts, game_id) == FIRST
    assert len(mails(parts, BO, game_id, *QUESTIONS)) == 1
    play_first(parts, game_id)
    play_until(parts, game_id)
    assert not mails(parts, BO, game_id, *QUESTIONS), "answered, and the next one is not mailed"


def play_until_asked_away(parts, game_id):
    """The others play until a robot is to play for her."""
    while BO not in load(parts, game_id).game.to_act:
        play_first(parts, game_id)


# Which mails wait


@pytest.mark.parametrize("pace", [LIVE, PACE])
def test_what_somebody_is_asked_while_she_is_here_waits_until_she_has_gone(parts, pace):
    game_id = start_game(parts, pace=pace)
    pass_all(parts, game_id, {0, 2, 3})
    beat(parts, game_id)
    (question,) = mails(parts, BO, game_id, LetterKind.PASS)
    assert (question.state, question.next_at) == (OWED, parts.now()), "she was not there when it was asked"
    postman.deliver(parts)
    (question,) = mails(parts, BO, game_id, LetterKind.PASS)
    assert (question.state, question.next_at) == (OWED, parts.now() + GONE), "but is when it should go"
    wait(parts, GONE - SECOND)
    beat(parts, game_id)
    wait(parts, SECOND)
    postman.deliver(parts)
    assert mails(parts, BO, game_id, LetterKind.PASS)[0].state is OWED, "she is still here"
    wait(parts, GONE - SECOND)
    postman.deliver(parts)
    (question,) = mails(parts, BO, game_id, LetterKind.PASS)
    assert (question.state, question.sent_at, question.created_at) == (KEPT, parts.now(), parts.now())


def test_a_question_to_whoever_is_here_goes_two_minutes_after_it_at_the_earliest(parts):
    game_id = start_game(parts)
    beat(parts, game_id)
    pass_all(parts, game_id)
    play_until(parts, game_id)
    (question,) = mails(parts, BO, game_id, LetterKind.TURN)
    assert (question.state, question.next_at) == (OWED, parts.now() + ASKED_ON_PAGE)
    beat(parts, game_id, here=False)
    postman.deliver(parts)
    assert mails(parts, BO, game_id, LetterKind.TURN)[0].state is OWED
    wait(parts, ASKED_ON_PAGE)
    postman.deliver(parts)
    assert mails(parts, BO, game_id, LetterKind.TURN)[0].state is KEPT


def test_a_question_that_is_answered_while_she_is_here_is_never_sent(parts):
    game_id = start_game(parts)
    pass_all(parts, game_id)
    beat(parts, game_id)
    play_until(parts, game_id)
    asked = due_of(load(parts, game_id).game, Seat(BO))
    play_first(parts, game_id)
    wait(parts, PACE)
    postman.deliver(parts)
    told = [one for one in letters(parts, LetterKind.TURN) if (one.seat, one.about) == (BO, asked.what)]
    assert [one.state for one in told] == [SUPERSEDED]


def test_a_reminder_waits_while_she_is_here(parts):
    game_id = start_game(parts)
    postman.deliver(parts)
    reminder = min(mails(parts, BO, game_id, LetterKind.REMINDER), key=lambda one: one.next_at)
    wait(parts, reminder.next_at - parts.now())
    beat(parts, game_id)
    postman.deliver(parts)
    found = next(one for one in letters(parts) if one.id == reminder.id)
    assert (found.state, found.next_at) == (OWED, parts.now() + GONE)


def test_whoever_is_here_at_one_table_is_asked_by_mail_at_another(parts):
    game_id, other = start_game(parts), start_game(parts)
    beat(parts, game_id)
    postman.deliver(parts)
    assert [mails(parts, BO, one, LetterKind.PASS)[0].state for one in (game_id, other)] == [OWED, KEPT]


def test_a_mail_that_she_asks_for_goes_although_she_is_here(parts):
    game_id = start_game(parts)
    beat(parts, game_id)
    stored = load(parts, game_id)
    preferences.mail_again(parts, game_id, Seat(BO), due_of(stored.game, Seat(BO)), parts.now())
    postman.deliver(parts)
    assert [one.state for one in mails(parts, BO, game_id, LetterKind.PASS)] == [KEPT]


def test_the_sheet_of_a_hand_is_for_those_who_have_not_seen_it(parts):
    game_id = start_game(parts)
    pass_all(parts, game_id)
    while load(parts, game_id).game.hand == 1:
        beat(parts, game_id)
        play_first(parts, game_id)
    assert {one.seat for one in letters(parts, LetterKind.SCORE_SHEET)} == {0, 2, 3}


@pytest.mark.parametrize(("pace", "asked"), [(LIVE, {LetterKind.PASS}), (SECOND, {LetterKind.PASS, LetterKind.TURN})])
def test_live_play_mails_the_first_question_and_the_last_sheet_to_whoever_is_not_there(parts, pace, asked):
    game_id = start_game(parts, rules=QUICK, pace=pace)
    while load(parts, game_id).game.stage is not Stage.OVER:
        for seat in (0, 2, 3):
            beat(parts, game_id, seat)
        play_first(parts, game_id)
        postman.deliver(parts)
    sent = Counter(one.kind for one in mails(parts, BO, game_id) if one.state is KEPT)
    asking = {kind for kind in sent if kind in QUESTIONS}
    assert (asking, sent[LetterKind.FINAL_SHEET]) == (asked, 1)
    assert (LetterKind.SCORE_SHEET in sent) is (pace is SECOND), "a pace to try it out is one by mail"
    assert sent[LetterKind.PASS] == 1 or pace is SECOND
    ends = [one.kind for seat in (0, 2, 3) for one in mails(parts, seat, game_id) if one.state is KEPT]
    assert set(ends) <= {LetterKind.FINAL_SHEET, LetterKind.PASS}
    assert ends.count(LetterKind.FINAL_SHEET) == 3, "to keep, wherever she is"


def test_a_pace_to_try_it_out_tells_of_every_card_that_was_played_for_somebody(parts):
    game_id = start_game(parts, pace=SECOND)
    at_the_deadline(parts, game_id)
    assert [row.away for row in load(parts, game_id).seats] == [False] * 4
    assert len(letters(parts, LetterKind.PLAYED_FOR_YOU)) == 4


def test_what_somebody_wants_together_is_held_whether_she_is_here_or_not(parts):
    game_id = start_game(parts)
    wish(parts, "Bo", frequency=Frequency.BUNDLED)
    pass_all(parts, game_id)
    beat(parts, game_id)
    play_until(parts, game_id)
    assert [one.state for one in mails(parts, BO, game_id, LetterKind.TURN)] == [HELD]
    wait(parts, 2 * MINUTE)
    postman.deliver(parts)
    assert player_id(parts, "Bo") in {one.player_id for one in letters(parts, LetterKind.DIGEST) if one.state is KEPT}


def test_new_wishes_send_nothing_to_whoever_is_here(parts):
    game_id = start_game(parts)
    beat(parts, game_id)
    wish(parts, "Bo")
    assert mails(parts, BO, game_id, LetterKind.PASS)[0].next_at == parts.now() + ASKED_ON_PAGE


def test_whoever_is_here_at_night_is_up(parts):
    wait(parts, datetime(2026, 3, 2, 23, tzinfo=UTC) - parts.now())
    game_id = start_game(parts)
    pass_all(parts, game_id)
    seat = (awaited(parts, game_id) + 1) % 4  # who has not been asked yet
    wait(parts, timedelta(hours=1))
    beat(parts, game_id, seat)
    beat(parts, game_id, seat, here=False)
    wait(parts, MINUTE)
    play_until(parts, game_id, seat)
    assert mails(parts, seat, game_id, LetterKind.TURN)[-1].next_at == parts.now()


# Several at once, and whatever happens


def test_a_beat_and_the_deadline_at_the_same_moment_do_not_both_win(either_parts):
    parts = either_parts
    for _ in range(4):
        game_id = live_game(parts)
        pass_all(parts, game_id, {0, 2, 3})
        ask_all(parts)
        wait(parts, left(parts, game_id))
        before = load(parts, game_id).row
        with ThreadPoolExecutor(2) as pool:
            played = pool.submit(service.play_for_absent, parts, game_id)
            pool.submit(beat, parts, game_id).result()
            played = played.result()
        after = load(parts, game_id)
        assert is_here(after.seats[BO], parts.now())
        if BO in after.game.to_act and after.game.stage is Stage.PASS:
            assert (played, after.row.due_at, after.seats[BO].away) == (0, before.due_at + LIVE, False)
        else:
            way = next(row.way for row in records(parts, game_id) if row.turn.get("seat") == BO)
            assert (played >= 1, way) == (True, Way.TIMEOUT)


def test_a_deadline_waits_for_the_beat_that_is_being_written_and_is_then_not_over(either_parts, monkeypatch):
    parts = either_parts
    game_id = live_game(parts)
    pass_all(parts, game_id, {0, 2, 3})
    wait(parts, left(parts, game_id))
    cards = Cards.of(list(load(parts, game_id).game.held[BO])[:3])

    def is_played_for():
        try:
            service.take_turn(parts, game_id, Due(1, "pass"), Pass(Seat(BO), cards), Way.TIMEOUT, parts.now())
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
        beat(parts, game_id)
        assert [played.result() for played in meanwhile] == [False]
    assert left(parts, game_id) == LIVE
    assert seat_of(parts, game_id).missed == 0


def test_many_beats_at_once_are_one_coming(either_parts):
    parts = either_parts
    game_id = live_game(parts)
    wait(parts, FIRST - SECOND)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: beat(parts, game_id, number % 4), range(12)))
    assert left(parts, game_id) == LIVE
    assert all(is_here(row, parts.now()) for row in seats(parts, load(parts, game_id).row.table_id))


def test_beats_turns_wishes_and_mails_at_once_do_not_wait_for_each_other_for_ever(either_parts):
    parts = either_parts
    game_id = live_game(parts, names=NAMES[:2], robots=2)
    table_id = load(parts, game_id).row.table_id

    def does(number):
        match number % 5:
            case 0 | 1:
                beat(parts, game_id, number % 2, here=number % 3 == 0)
            case 2:
                service.play_for_absent(parts, game_id)
            case 3:
                preferences.set_away(parts, table_id, BO, away=number % 2 == 0, now=parts.now())
            case 4:
                postman.deliver(parts)

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(does, range(40)))
    assert load(parts, game_id).row.turns >= 1


@pytest.mark.parametrize("chance", range(4))
def test_whatever_they_do_whoever_is_gone_and_asked_has_a_mail_and_nobody_has_two(parts, chance):
    """An hour of coming, going, playing, sweeping and sending, in any order."""
    chance = random.Random(chance)
    game_id = start_game(parts)
    for _ in range(120):
        wait(parts, chance.choice([1, 5, 10, 40, 100]) * SECOND)
        match chance.choice(["beat", "beat", "leave", "play", "send"]):
            case "beat" | "leave" as does:
                beat(parts, game_id, chance.randrange(4), here=does == "beat")
            case "play":
                play_first(parts, game_id)
            case "send":
                postman.deliver(parts)
        stored = load(parts, game_id)
        for seat in stored.game.to_act:
            due = due_of(stored.game, seat)
            about = (due.hand, due.what)
            asking = [one for one in mails(parts, seat, game_id, *QUESTIONS) if (one.hand, one.about) == about]
            assert len(asking) == 1
            (one,) = asking
            assert one.state is KEPT or one.next_at <= parts.now() + ASKED_ON_PAGE
            if one.state is KEPT and one.sent_at == parts.now():
                assert not is_about(stored.seats[seat], parts.now())
    wait(parts, GONE + ASKED_ON_PAGE)
    postman.deliver(parts)
    stored = load(parts, game_id)
    for seat in stored.game.to_act:
        about = due_of(stored.game, seat)
        kept = [
            one for one in mails(parts, seat, game_id, *QUESTIONS) if (one.hand, one.about) == (about.hand, about.what)
        ]
        assert [one.state for one in kept] == [KEPT]
