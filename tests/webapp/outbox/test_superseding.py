"""Superseding: which kinds of unsent letters lose their purpose with a seat, a game or a muted table."""

import pytest
from sqlmodel import text, update

from tests.cast import letters, start_game
from webapp.models import LetterKind, LetterRow, LetterState, SeatRow
from webapp.models.mail import KINDS
from webapp.outbox.letters import (
    supersede_for_ended_game,
    supersede_for_lost_seat,
    supersede_for_muted_seats,
    supersede_without_seat,
)

BO = 1


@pytest.fixture
def bo(runtime):
    """Bo's seat in a game, about which one letter of each kind waits for him."""
    stored = start_game(runtime).stored
    seat = stored.seats[BO]
    with runtime.database.writing() as session:
        session.exec(update(LetterRow).values(state=LetterState.SENT, next_at=None))
        for kind in LetterKind:
            about = {"table_id": seat.table_id, "seat": BO, "player_id": seat.player_id, "game_id": stored.id}
            times = {"state": LetterState.QUEUED, "next_at": runtime.now(), "created_at": runtime.now()}
            session.add(LetterRow(kind=kind, **about, **times, dedupe=f"test {kind}", message_id=f"test {kind}"))
    return seat


def waiting(runtime):
    """The kinds of the letters that still wait."""
    return {one.kind for one in letters(runtime) if one.state is LetterState.QUEUED}


def test_after_losing_a_seat_only_its_score_sheets_still_come(runtime, bo):
    with runtime.database.writing() as session:
        supersede_for_lost_seat(session, session.get_one(SeatRow, (bo.table_id, BO)))
    assert waiting(runtime) == {LetterKind.SCORE_SHEET, LetterKind.TURNS}


def test_an_ended_game_asks_nothing_and_shows_no_card(runtime, bo):
    with runtime.database.writing() as session:
        supersede_for_ended_game(session, 1)
    assert waiting(runtime) == {kind for kind, row in KINDS.items() if not row.shows_cards}


def test_a_muted_table_sends_only_what_ignores_that(runtime, bo):
    with runtime.database.writing() as session:
        supersede_for_muted_seats(session, [session.get_one(SeatRow, (bo.table_id, BO))])
    assert waiting(runtime) == {
        LetterKind.CONFIRM,
        LetterKind.TURNS,
        LetterKind.REPLACED,
        LetterKind.MUTED,
        LetterKind.ANSWER,
    }


@pytest.mark.parametrize(
    "others",
    [
        pytest.param({"seat": 2}, id="about another seat"),
        pytest.param({"player_id": 3}, id="to another player"),
        pytest.param({"table_id": None, "seat": None}, id="about no table"),
    ],
)
def test_letters_about_other_seats_and_to_others_stay(runtime, bo, others):
    with runtime.database.writing() as session:
        session.exec(update(LetterRow).where(LetterRow.kind == LetterKind.RESTING).values(**others))
        seat = session.get_one(SeatRow, (bo.table_id, BO))
        supersede_for_lost_seat(session, seat)
        supersede_for_muted_seats(session, [seat])
    assert LetterKind.RESTING in waiting(runtime)


@pytest.mark.parametrize(
    ("columns", "table_id", "stays"),
    [
        pytest.param({"seat": 2}, 1, False, id="a seat that is not theirs"),
        pytest.param({"seat": 2}, None, False, id="the same, at any table"),
        pytest.param({"seat": 2}, 9, True, id="the same, for another table"),
        pytest.param({"seat": BO}, 1, True, id="their own seat"),
        pytest.param({"seat": 2, "player_id": 3}, None, True, id="somebody else's letter"),
        pytest.param({"seat": None}, None, True, id="no seat"),
    ],
)
def test_a_player_gets_no_more_mail_about_lost_seats(runtime, bo, columns, table_id, stays):
    with runtime.database.writing() as session:
        session.exec(update(LetterRow).where(LetterRow.kind == LetterKind.RESTING).values(**columns))
        supersede_without_seat(session, bo.player_id, table_id)
    assert (LetterKind.RESTING in waiting(runtime)) is stays


def test_only_queued_letters_are_superseded(runtime, bo):
    with runtime.database.writing() as session:
        session.exec(update(LetterRow).where(LetterRow.kind == LetterKind.RESTING).values(state=LetterState.KEPT))
        supersede_for_muted_seats(session, [session.get_one(SeatRow, (bo.table_id, BO))])
    found = {one.kind: (one.state, one.next_at) for one in letters(runtime)}
    assert found[LetterKind.DECLINED] == (LetterState.SUPERSEDED, None)
    assert found[LetterKind.RESTING][0] is LetterState.KEPT


def test_a_kind_of_a_newer_program_is_left_alone(runtime, bo):
    newer = "UPDATE letter SET kind = 'of_tomorrow' WHERE message_id = 'test resting'"
    with runtime.database.writing() as session:
        session.exec(text(newer))
        supersede_for_muted_seats(session, [session.get_one(SeatRow, (bo.table_id, BO))])
        supersede_for_lost_seat(session, session.get_one(SeatRow, (bo.table_id, BO)))
        supersede_without_seat(session, bo.player_id, bo.table_id)
        (state,) = session.exec(text("SELECT state FROM letter WHERE kind = 'of_tomorrow'")).one()
    assert state == LetterState.QUEUED
