"""Turns at a deadline: who was asked before, and what a run counts and what it calls a violation."""

from datetime import timedelta

from sqlalchemy import update
from sqlmodel import col

from tests.cast import NAMES, address, letters, start_game
from tests.chaos.checks import turns
from tests.chaos.checks.answers import chosen_by
from tests.chaos.checks.planted import form, left_by, queue_mails
from tests.chaos.notes import Notes
from tests.chaos.relay import MoodyRelay
from tests.table import Table, ask_all
from webapp.core.runtime import Runtime
from webapp.models import LetterRow, TurnRow, TurnSource

TEN = timedelta(minutes=10)


def reach_deadline(table: Table) -> int:
    """Returns how many turns were played at it."""
    table.runtime.now.at = table.due_at
    table.play_for_absent()
    return sum(record.source is TurnSource.TIMEOUT for record in table.records)


def have_mails_refused(runtime: Runtime) -> None:
    """The players' mail servers have put the mails off, so the service waits only once for them."""
    with runtime.database.writing() as session:
        session.exec(update(LetterRow).values(tries=1, refused=True))


def test_turns_after_a_moved_deadline_count_unless_mail_had_asked(runtime: Runtime, relay: MoodyRelay) -> None:
    table = start_game(runtime, pace=TEN)
    queue_mails(runtime)
    have_mails_refused(runtime)
    assert reach_deadline(table) == 0
    assert reach_deadline(table) == len(NAMES)
    left = left_by(runtime, relay)
    assert (turns.count_unasked(left), list(turns.check(left))) == (len(NAMES), [])


def test_turns_of_players_asked_or_unreachable_are_not_counted(runtime: Runtime, relay: MoodyRelay) -> None:
    table = start_game(runtime, pace=TEN)
    queue_mails(runtime)
    have_mails_refused(runtime)
    relay.taken_at = {one.message_id: runtime.now() for one in letters(runtime) if one.seat in (0, 1)}
    reach_deadline(table)
    reach_deadline(table)
    assert turns.count_unasked(left_by(runtime, relay)) == 2
    relay.never = {address("Cy")}
    assert turns.count_unasked(left_by(runtime, relay)) == 1


def test_a_turn_at_the_first_deadline_without_mail_is_found(runtime: Runtime, relay: MoodyRelay) -> None:
    table = start_game(runtime, pace=TEN)
    ask_all(runtime)  # so the service says, but no email came
    assert reach_deadline(table) == len(NAMES)
    left = left_by(runtime, relay)
    assert turns.count_unasked(left) == len(NAMES)
    assert [fault.rpartition(", and ")[2] for fault in turns.check(left)] == ["never asked"] * len(NAMES)
    with runtime.database.writing() as session:
        session.exec(update(LetterRow).values(notified_at=runtime.now() - TEN))
    assert turns.count_unasked(left_by(runtime, relay)) == 0, "their devices have shown it"


def test_a_turn_chosen_for_another_decision_is_found(runtime: Runtime, relay: MoodyRelay) -> None:
    table = start_game(runtime)
    mine, others = (runtime.signer.local_url(table.turn_link(seat)) for seat in (0, 1))
    (played,) = [chosen_by(one.turn) for one in table.play_first().records[1:]]
    for name, path, is_found in (("Ann", mine, False), ("Ann", others, True), ("Bo", mine, True)):
        notes = Notes([form(name, path, *played, at=runtime.now())])
        faults = list(turns.check(left_by(runtime, relay, notes)))
        assert ["which they never chose for this" in fault for fault in faults] == [True] * is_found


def test_a_robot_that_plays_for_a_present_player_is_found(runtime: Runtime, relay: MoodyRelay) -> None:
    table = start_game(runtime)
    table.play_first()
    with runtime.database.writing() as session:
        session.exec(update(TurnRow).where(col(TurnRow.number) == 2).values(source=TurnSource.AWAY))
    path, at = "/preferences/x/away", runtime.now() - TEN
    deeds = [form("Ann", path, "robot", at=at), form("Ann", f"{path}/back", at=at + TEN / 2)]
    for known, is_found in ((0, True), (1, False), (2, True)):
        faults = list(turns.check(left_by(runtime, relay, Notes(deeds[:known]))))
        assert ["though they were not away" in fault for fault in faults] == [True] * is_found
