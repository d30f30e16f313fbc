"""An evening together: the vote on its hour, the switch to a live pace and back, and what neither may lose."""

import random

import pytest

from hearts.game import legal
from hearts.turns import Play
from tests.cast import NAMES, PACE, leave, letters, load, play_link, start_game
from tests.playing import ask_all, awaited, beat, due_at, pass_all, play_first, records
from tests.races import at_once, check_replays
from tests.side_by_side import hand, play_in
from tests.together import (
    ANN,
    BO,
    CY,
    DI,
    HEARTBEAT,
    MINUTE,
    agree,
    beats,
    come_together,
    is_live,
    link_of,
    missed,
    newest,
    propose,
    seats_of,
    state,
    stay,
    sweep,
    vote,
)
from tests.webapp.going_away import set_away
from tests.webapp.tables.hosted import end_game, table_of
from webapp.core.refusal import Refused
from webapp.evenings import agreeing
from webapp.evenings.meeting import GONE_FOR, LATEST_START, WAIT
from webapp.games.asked.due import due_of
from webapp.games.clock.hours import fair_time
from webapp.games.clock.presence import MAX_MISSED_DEADLINES
from webapp.games.record.live import is_live as is_live_pace
from webapp.models import EveningState, GameState, LetterKind, LetterState, SeatRow, TurnSource
from webapp.play import due_games, taking
from webapp.tables import going_live


@pytest.fixture
def game_id(runtime):
    """A game of the whole cast, in which the players play the first trick."""
    made = start_game(runtime)
    pass_all(runtime, made)
    return made


def test_the_first_hour_that_suits_everybody_is_agreed_immediately(runtime, game_id):
    one, two, three = propose(runtime, game_id)
    assert seats_of(runtime, LetterKind.EVENING_ASKED) == [BO, CY, DI]
    vote(runtime, game_id, BO, one, three)
    vote(runtime, game_id, CY, two, three)
    assert state(runtime, game_id) is EveningState.OPEN
    vote(runtime, game_id, DI, one, two, three)
    evening_row = newest(runtime, game_id)
    assert (evening_row.state, evening_row.begins_at, evening_row.due_at) == (EveningState.AGREED, three, three)
    assert seats_of(runtime, LetterKind.EVENING_AGREED) == [ANN, BO, CY, DI]
    assert not is_live(runtime, game_id), "until then the game is slow"


def test_an_answer_may_be_changed_only_until_all_agree(runtime, game_id):
    one, two, _ = propose(runtime, game_id)
    number = newest(runtime, game_id).id
    vote(runtime, game_id, BO, one)
    vote(runtime, game_id, BO, two)
    vote(runtime, game_id, CY, one, two)
    vote(runtime, game_id, DI, one)
    assert state(runtime, game_id) is EveningState.OPEN, "the first answer of Bo does not count any more"
    vote(runtime, game_id, DI, two)
    assert newest(runtime, game_id).begins_at == two
    with pytest.raises(Refused, match="over"):
        agreeing.vote(runtime, link_of(runtime, game_id, BO), number, [one], runtime.now())


def test_a_vote_without_a_common_hour_ends_by_mail(runtime, game_id):
    one, two, _ = propose(runtime, game_id)
    vote(runtime, game_id, BO, one)
    vote(runtime, game_id, CY)
    vote(runtime, game_id, DI, two)
    runtime.now.at = newest(runtime, game_id).closes_at - MINUTE
    sweep(runtime)
    assert state(runtime, game_id) is EveningState.OPEN
    runtime.now.pass_by(MINUTE)
    assert (sweep(runtime), sweep(runtime)) == (1, 0)
    assert state(runtime, game_id) is EveningState.NONE
    assert seats_of(runtime, LetterKind.EVENING_OFF) == [ANN, BO, CY, DI]
    propose(runtime, game_id, seat=CY)
    assert state(runtime, game_id) is EveningState.OPEN, "anybody may try again"


def test_robots_and_away_players_are_neither_asked_nor_needed(runtime):
    game_id = start_game(runtime, NAMES[:3], robots=1)
    set_away(runtime, table_of(runtime, game_id), CY, away=True)
    first, *_ = propose(runtime, game_id)
    assert seats_of(runtime, LetterKind.EVENING_ASKED) == [BO]
    vote(runtime, game_id, BO, first)
    runtime.now.at = first
    beats(runtime, game_id, [ANN, BO])
    sweep(runtime)
    assert is_live(runtime, game_id)


def test_a_silent_player_going_away_does_not_stop_the_others(runtime, game_id):
    first, *_ = propose(runtime, game_id)
    for seat in (BO, CY):
        vote(runtime, game_id, seat, first)
    set_away(runtime, table_of(runtime, game_id), DI, away=True)
    runtime.now.at = newest(runtime, game_id).due_at
    sweep(runtime)
    assert newest(runtime, game_id).begins_at == first


@pytest.mark.parametrize(("people", "pace"), [(1, PACE), (4, MINUTE)], ids=["alone", "at a live table"])
def test_where_an_evening_makes_no_sense_none_can_be_proposed(runtime, people, pace):
    game_id = start_game(runtime, NAMES[:people], robots=4 - people, pace=pace)
    with pytest.raises(Refused, match="slow game"):
        propose(runtime, game_id)


def test_a_table_has_one_vote_at_a_time(runtime, game_id):
    propose(runtime, game_id)
    with pytest.raises(Refused, match="already"):
        propose(runtime, game_id, seat=BO)
    assert seats_of(runtime, LetterKind.EVENING_ASKED) == [BO, CY, DI]


def test_a_table_votes_three_times_a_day_at_most(runtime, game_id):
    for _ in range(agreeing.MOST_VOTES):
        propose(runtime, game_id)
        agreeing.cancel(runtime, link_of(runtime, game_id, ANN), newest(runtime, game_id).id, runtime.now())
    with pytest.raises(Refused, match="within a day"):
        propose(runtime, game_id, seat=BO)
    runtime.now.pass_by(agreeing.A_DAY)
    propose(runtime, game_id, seat=BO)


def test_the_last_two_votes_at_the_same_moment_agree_once(either_runtime):
    game_id = start_game(either_runtime)
    first, *_ = propose(either_runtime, game_id)
    vote(either_runtime, game_id, BO, first)
    done = at_once(*(lambda seat=seat: vote(either_runtime, game_id, seat, first) for seat in (CY, DI)))
    assert done == [None, None]
    assert newest(either_runtime, game_id).begins_at == first
    assert seats_of(either_runtime, LetterKind.EVENING_AGREED) == [ANN, BO, CY, DI]


def test_of_two_proposals_at_the_same_moment_one_is_made(either_runtime):
    game_id = start_game(either_runtime)
    done = at_once(*(lambda seat=seat: propose(either_runtime, game_id, seat=seat) for seat in (ANN, BO)))
    assert sorted(isinstance(one, Refused) for one in done) == [False, True]
    assert len(letters(either_runtime, LetterKind.EVENING_ASKED)) == 3


def test_several_workers_at_the_hour_go_live_once(either_runtime):
    game_id = start_game(either_runtime)
    either_runtime.now.at = agree(either_runtime, game_id)
    beats(either_runtime, game_id)
    assert not [one for one in at_once(*[lambda: sweep(either_runtime)] * 3) if isinstance(one, Exception)]
    assert is_live(either_runtime, game_id)
    assert newest(either_runtime, game_id).due_at > either_runtime.now()


def test_the_game_goes_live_once_all_players_are_there(runtime, game_id):
    runtime.now.at = agree(runtime, game_id)
    beats(runtime, game_id, [ANN, BO, CY])
    sweep(runtime)
    assert not is_live(runtime, game_id)
    assert state(runtime, game_id) is EveningState.AGREED
    runtime.now.pass_by(WAIT - MINUTE)
    beats(runtime, game_id)
    sweep(runtime)
    assert is_live(runtime, game_id)
    assert due_at(runtime, game_id) == runtime.now() + 2 * MINUTE, "the time to arrive at a pace of a minute"
    runtime.now.pass_by(MINUTE)
    beats(runtime, game_id)
    play_first(runtime, game_id)
    assert due_at(runtime, game_id) == runtime.now() + MINUTE


def test_the_game_stays_slow_and_unharmed_if_somebody_is_missing(runtime, game_id):
    runtime.now.at = agree(runtime, game_id)
    before, turns = due_at(runtime, game_id), len(records(runtime, game_id))
    sweep(runtime)
    stay(runtime, game_id, runtime.now() + WAIT, [ANN, BO, CY])
    sweep(runtime)
    assert state(runtime, game_id) is EveningState.MISSED
    assert not is_live(runtime, game_id)
    assert (due_at(runtime, game_id), len(records(runtime, game_id))) == (before, turns)


def test_after_an_outage_at_the_hour_players_can_still_come(runtime, game_id):
    runtime.now.at = agree(runtime, game_id) + LATEST_START - MINUTE
    sweep(runtime)
    assert state(runtime, game_id) is EveningState.AGREED
    runtime.now.pass_by(HEARTBEAT)
    beats(runtime, game_id)
    sweep(runtime)
    assert is_live(runtime, game_id)


def test_a_service_that_was_down_all_evening_lets_it_be(runtime, game_id):
    runtime.now.at = agree(runtime, game_id) + LATEST_START + MINUTE
    beats(runtime, game_id)
    sweep(runtime)
    assert state(runtime, game_id) is EveningState.MISSED


def test_an_evening_ends_when_a_player_is_gone_for_minutes(runtime, game_id):
    come_together(runtime, game_id)
    play_first(runtime, game_id)
    gone = (awaited(runtime, game_id) - 1) % 4  # the last one to be asked
    others = set(range(4)) - {gone}
    before = runtime.now()
    stay(runtime, game_id, before + GONE_FOR - HEARTBEAT, others)
    sweep(runtime)
    assert is_live(runtime, game_id)
    stay(runtime, game_id, before + GONE_FOR + HEARTBEAT, others)
    sweep(runtime)
    assert not is_live(runtime, game_id)
    assert state(runtime, game_id) is EveningState.OVER


def test_nobody_is_played_for_who_is_not_there(runtime, game_id):
    come_together(runtime, game_id)
    asked, turns = awaited(runtime, game_id), len(records(runtime, game_id))
    beat(runtime, game_id, asked, here=False)
    runtime.now.at = due_at(runtime, game_id)
    assert due_games.play_for_absent(runtime, game_id) == 0
    assert not is_live(runtime, game_id)
    assert len(records(runtime, game_id)) == turns
    assert due_at(runtime, game_id) >= runtime.now() + fair_time(PACE)
    assert missed(runtime, game_id) == [0, 0, 0, 0]


def test_who_leaves_while_the_robot_thinks_is_not_played_for(runtime, game_id):
    come_together(runtime, game_id)
    game = load(runtime, game_id).game
    (asked,) = game.to_act
    beat(runtime, game_id, asked, here=False)
    runtime.now.at = due_at(runtime, game_id)
    turn = Play(asked, next(iter(legal(game, asked))))
    with pytest.raises(taking.TurnOver):
        taking.take_turn(runtime, game_id, due_of(game, asked), turn, TurnSource.TIMEOUT, runtime.now())


def test_a_present_players_second_missed_deadline_ends_the_evening(runtime, game_id):
    come_together(runtime, game_id)
    asked = awaited(runtime, game_id)
    stay(runtime, game_id, due_at(runtime, game_id))
    assert due_games.play_for_absent(runtime, game_id) == 1
    while awaited(runtime, game_id) != asked:
        play_first(runtime, game_id)
    assert is_live(runtime, game_id)
    stay(runtime, game_id, due_at(runtime, game_id))
    assert due_games.play_for_absent(runtime, game_id) == 0
    timeouts = [record for record in records(runtime, game_id) if record.source is TurnSource.TIMEOUT]
    assert [record.turn.seat for record in timeouts] == [asked]
    assert not is_live(runtime, game_id)
    assert missed(runtime, game_id) == [0, 0, 0, 0], "what was missed in the evening does not count afterwards"


def test_after_the_evening_the_awaited_player_gets_time_and_mail(runtime, game_id):
    ask_all(runtime)
    come_together(runtime, game_id)
    for _ in range(3):
        play_first(runtime, game_id)
    asked, before = awaited(runtime, game_id), len(letters(runtime, LetterKind.TURNS))
    going_live.end(runtime, link_of(runtime, game_id, DI), runtime.now())
    assert state(runtime, game_id) is EveningState.OVER
    assert due_at(runtime, game_id) >= runtime.now() + PACE
    leave(runtime)
    new = letters(runtime, LetterKind.TURNS)[before:]
    assert [(letter.seat, letter.state) for letter in new] == [(asked, LetterState.QUEUED)]


def test_everybody_plays_each_card_in_an_evening(runtime, game_id):
    asked = awaited(runtime, game_id)
    with runtime.database.writing() as session:
        session.get_one(SeatRow, (table_of(runtime, game_id), asked)).robot_hand = 1
    come_together(runtime, game_id)
    turns = len(records(runtime, game_id))
    assert due_games.play_for_absent(runtime, game_id) == 0
    assert awaited(runtime, game_id) == asked
    play_first(runtime, game_id)
    due_games.play_for_absent(runtime, game_id)
    assert {record.source for record in records(runtime, game_id)[turns:]} <= {TurnSource.PAGE, TurnSource.FORCED}


def test_the_evening_plays_hands_side_by_side_one_by_one(runtime):
    game_id = start_game(runtime, at_once=4)
    come_together(runtime, game_id)
    assert [one.game.hand for one in load(runtime, game_id).open_hands()] == [1]
    clocks = load(runtime, game_id).clocks
    assert [number for number, clock in clocks.items() if clock.due_at] == [1]
    rng = random.Random(1)
    while hand(runtime, game_id, 1).game.to_act:
        play_in(runtime, hand(runtime, game_id, 1), rng)
    stored = load(runtime, game_id)
    assert [one.game.hand for one in stored.open_hands()] == [2]
    assert stored.row.due_at == stored.clocks[2].due_at == runtime.now() + MINUTE
    going_live.end(runtime, link_of(runtime, game_id, BO), runtime.now())
    stored = load(runtime, game_id)
    assert [one.game.hand for one in stored.open_hands()] == [2, 3, 4]
    assert all(one.clock.due_at >= runtime.now() + fair_time(PACE) for one in stored.open_hands())
    check_replays(runtime, game_id)


def test_a_hand_resumed_after_the_evening_keeps_cards_played_meanwhile(runtime):
    game_id = start_game(runtime, at_once=4)
    come_together(runtime, game_id)
    play_in(runtime, hand(runtime, game_id, 4), random.Random(1))
    assert hand(runtime, game_id, 4).clock.due_at is None
    going_live.end(runtime, link_of(runtime, game_id, BO), runtime.now())
    assert hand(runtime, game_id, 4).clock.due_at >= runtime.now() + PACE
    check_replays(runtime, game_id)


def test_who_has_agreed_may_call_it_off_until_it_begins(runtime, game_id):
    hour = agree(runtime, game_id)
    number = newest(runtime, game_id).id
    ask_all(runtime)
    agreeing.cancel(runtime, link_of(runtime, game_id, CY), number, runtime.now())
    assert (state(runtime, game_id), newest(runtime, game_id).cancelled_by) == (EveningState.CANCELLED, "Cy")
    assert seats_of(runtime, LetterKind.EVENING_OFF) == [ANN, BO, CY, DI]
    runtime.now.at = hour
    beats(runtime, game_id)
    assert sweep(runtime) == 0
    assert not is_live(runtime, game_id)


def test_only_its_proposer_cancels_a_vote_nobody_a_live_evening(runtime, game_id):
    propose(runtime, game_id)
    number = newest(runtime, game_id).id
    with pytest.raises(Refused):
        agreeing.cancel(runtime, link_of(runtime, game_id, BO), number, runtime.now())
    agreeing.cancel(runtime, link_of(runtime, game_id, ANN), number, runtime.now())
    assert {letter.state for letter in letters(runtime, LetterKind.EVENING_ASKED)} == {LetterState.SUPERSEDED}
    come_together(runtime, game_id)
    with pytest.raises(Refused):
        agreeing.cancel(runtime, link_of(runtime, game_id, ANN), newest(runtime, game_id).id, runtime.now())
    assert is_live(runtime, game_id)


def test_the_end_of_the_game_ends_its_evening(runtime, game_id):
    come_together(runtime, game_id)
    end_game(runtime, table_of(runtime, game_id))
    assert (state(runtime, game_id), newest(runtime, game_id).due_at) == (EveningState.OVER, None)
    assert not is_live(runtime, game_id)
    assert load(runtime, game_id).row.state is GameState.OVER
    assert letters(runtime, LetterKind.EVENING_OFF) == []


def test_missed_deadlines_of_before_do_not_end_the_evening(runtime, game_id):
    asked = awaited(runtime, game_id)
    with runtime.database.writing() as session:
        session.get_one(SeatRow, (table_of(runtime, game_id), asked)).missed = MAX_MISSED_DEADLINES - 1
    come_together(runtime, game_id)
    stay(runtime, game_id, due_at(runtime, game_id))
    assert due_games.play_for_absent(runtime, game_id) == 1
    assert is_live(runtime, game_id)


def test_the_pace_of_the_table_is_as_before_afterwards(runtime, game_id):
    come_together(runtime, game_id)
    stored = load(runtime, game_id)
    assert is_live_pace(stored.table.play_time)
    assert stored.table.play_seconds == PACE.total_seconds()
    assert play_link(runtime, game_id, ANN)
    going_live.end(runtime, link_of(runtime, game_id, ANN), runtime.now())
    assert load(runtime, game_id).table.play_time == PACE
