"""Turns at a deadline: who was asked before, and what a run counts and what it calls a violation."""

from datetime import timedelta

from tests.cast import NAMES, address, ask_all, letters, load, start_game
from tests.chaos.checks import turns
from tests.chaos.checks.planted import left_by
from tests.chaos.relay import MoodyRelay
from webapp import due_games
from webapp.core.runtime import Runtime
from webapp.models import TurnSource

TEN = timedelta(minutes=10)


def reach_deadline(runtime: Runtime, game_id: int) -> int:
    """Returns how many turns were played at it."""
    runtime.now.at = load(runtime, game_id).row.due_at
    due_games.play_for_absent(runtime, game_id)
    return sum(record.source is TurnSource.TIMEOUT for record in load(runtime, game_id).records)


def test_turns_after_a_deadline_that_moved_once_are_counted_if_no_email_had_asked(
    runtime: Runtime, relay: MoodyRelay
) -> None:
    game_id = start_game(runtime, pace=TEN)
    assert reach_deadline(runtime, game_id) == 0
    assert reach_deadline(runtime, game_id) == len(NAMES)
    left = left_by(runtime, relay)
    assert (turns.count_unasked(left), list(turns.check(left))) == (len(NAMES), [])


def test_turns_of_players_whom_an_email_had_asked_or_cannot_reach_are_not_counted(
    runtime: Runtime, relay: MoodyRelay
) -> None:
    game_id = start_game(runtime, pace=TEN)
    relay.taken_at = {one.message_id: runtime.now() for one in letters(runtime) if one.seat in (0, 1)}
    reach_deadline(runtime, game_id)
    reach_deadline(runtime, game_id)
    assert turns.count_unasked(left_by(runtime, relay)) == 2
    relay.never = {address("Cy")}
    assert turns.count_unasked(left_by(runtime, relay)) == 1


def test_a_turn_at_the_first_deadline_is_a_violation_if_no_email_had_asked(runtime: Runtime, relay: MoodyRelay) -> None:
    game_id = start_game(runtime, pace=TEN)
    ask_all(runtime)  # so the service says, but no email came
    assert reach_deadline(runtime, game_id) == len(NAMES)
    left = left_by(runtime, relay)
    assert turns.count_unasked(left) == len(NAMES)
    assert [fault.rpartition(", and ")[2] for fault in turns.check(left)] == ["never asked"] * len(NAMES)
