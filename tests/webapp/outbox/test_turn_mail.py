"""One mail about turns: when it goes, what it holds, and when a question counts as asked."""

from datetime import timedelta
from random import Random

import pytest
from sqlmodel import select

from hearts.cards import Cards, card_text
from hearts.seats import Seat
from hearts.turns import Pass
from tests.answers import answer, mail, typed_pass
from tests.cast import NAMES, leave, seats, start_game
from tests.mailing import letters_to, player_id
from tests.runtimes import make_runtime
from tests.side_by_side import play_in
from tests.webapp.outbox.late import run_for
from webapp.games.asked.due import Due
from webapp.games.clock.presence import READING_FOR
from webapp.models import Frequency, LetterKind, LetterRow, LetterState, PlayerRow, TurnSource
from webapp.outbox import turn_mail
from webapp.outbox.timing import Cause
from webapp.play import taking
from webapp.players import preferences
from worker import postman

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
ANN, BO = 0, 1


@pytest.fixture
def runtime(tmp_path, brief_robots):
    made = make_runtime(tmp_path / "var", reply_mailbox="hearts@example.org", smtp_url="")
    made.now.at = made.now.at.replace(hour=9)
    yield made
    made.database.engine.dispose()


def of(runtime, name="Ann"):
    postman.deliver(runtime)
    return letters_to(runtime, name, LetterKind.TURNS)


def whys(runtime, name="Ann"):
    return [Cause(one.reason) for one in of(runtime, name)]


def test_one_mail_holds_all_hands_and_tables(runtime):
    start_game(runtime, at_once=4, pace=DAY)
    start_game(runtime, pace=DAY)
    (first,) = of(runtime)
    assert len(first.asked) == 4
    assert (first.state, first.about, first.hand) == (LetterState.KEPT, "pass", first.asked[0][2])


def test_each_gets_the_mails_that_they_have_chosen(runtime):
    table = start_game(runtime, NAMES[:2], robots=2, pace=DAY)
    due_at = table.due_at
    with runtime.database.writing() as session:
        for name, setting in (("Ann", Frequency.EVERY), ("Bo", Frequency.LAST)):
            player = session.get_one(PlayerRow, player_id(runtime, name))
            player.frequency, player.quiet_from = setting, None
    assert (whys(runtime), whys(runtime, "Bo")) == ([Cause.NEXT], [])
    runtime.now.at = due_at - DAY / 2
    assert (whys(runtime), whys(runtime, "Bo")) == ([Cause.NEXT], [Cause.CALL])
    runtime.now.at = due_at - DAY / 4
    assert (whys(runtime), whys(runtime, "Bo")) == ([Cause.NEXT, Cause.CALL], [Cause.CALL])
    assert table.due_at == due_at, "no setting moves a deadline"
    table.miss_deadline()
    assert (whys(runtime)[2:], whys(runtime, "Bo")[1:]) == ([Cause.MISSED], [])


def test_an_unread_mail_holds_back_the_next_unless_urgent(runtime):
    def deal(pace):
        with runtime.database.reading() as session:
            seen_at = session.get_one(PlayerRow, player_id(runtime)).seen_at
        table = start_game(runtime, pace=pace)
        with runtime.database.writing() as session:  # as if others had dealt
            session.get_one(PlayerRow, player_id(runtime)).seen_at = seen_at
        return table.game_id

    start_game(runtime, pace=DAY)
    assert whys(runtime) == [Cause.NEXT]
    runtime.now.pass_by(HOUR)
    second = deal(DAY)
    assert (whys(runtime), whys(runtime, "Bo")) == ([Cause.NEXT], [Cause.NEXT] * 2), "Bo has been on our pages"
    assert {one[0] for one in of(runtime, "Bo")[1].asked} == {1, second}
    deal(3 * HOUR)
    assert whys(runtime) == [Cause.NEXT, Cause.SOONER]


def test_a_reply_brings_the_next_at_once(runtime):
    table = start_game(runtime, at_once=4, pace=DAY)
    (first,) = of(runtime)
    runtime.now.pass_by(MINUTE)
    assert answer(runtime, first, mail("Ann", typed_pass(table))).taken_for == "pass"
    first, second = of(runtime)
    assert (second.reason, len(second.asked), second.hand) == (Cause.REPLY, 2, 2)
    held = list(table.stored.at(3).game.held[ANN])[:3]
    typed = f"hand 3 {' '.join(map(card_text, held))}"
    assert answer(runtime, second, mail("Ann", typed)).taken_for == "pass"
    assert len(of(runtime)[-1].asked) == 1


def test_an_answer_brings_no_mail_of_what_one_showed_since(runtime):
    table = start_game(runtime, pace=DAY)
    assert len(of(runtime)) == 1
    table.beat(ANN)
    for expected in (2, 2):
        runtime.now.pass_by(MINUTE)
        turn_mail.after_reply(runtime, player_id(runtime, "Ann"), runtime.now())
        assert len(of(runtime)) == expected


def test_a_reply_about_another_hand_means_what_was_shown(runtime):
    """Hand 2 has gone on to a trick since the mail was written, in which the same card would be legal."""
    table = start_game(runtime, at_once=4, pace=DAY)
    (first,) = of(runtime)
    held = list(table.stored.at(2).game.held[ANN])[:3]
    for seat in map(Seat, range(4)):
        cards = Cards.of(list(table.stored.at(2).game.held[seat])[:3])
        taking.take_turn(runtime, table.game_id, Due(2, "pass"), Pass(seat, cards), TurnSource.PAGE, runtime.now())
    while (stored := table.stored.at(2)).game.to_act != (ANN,):
        play_in(runtime, stored, Random(1))
    row = answer(runtime, first, mail("Ann", f"hand 2 {' '.join(map(card_text, held))}"))
    assert row.outcome in ("You had played it already.", "That turn was over.")


def test_a_waiting_mail_is_dropped_once_all_was_seen(runtime):
    table = start_game(runtime, pace=DAY)
    (queued,) = letters_to(runtime, "Bo", LetterKind.TURNS)
    assert queued.state is LetterState.QUEUED
    runtime.now.pass_by(MINUTE)
    table.beat(BO)
    assert [one.state for one in of(runtime, "Bo")] == [LetterState.SUPERSEDED]
    with runtime.database.reading() as session:
        assert session.get_one(PlayerRow, player_id(runtime, "Bo")).turns_at > runtime.now(), "a last call is planned"


def test_nothing_is_planned_for_whom_no_mail_may_reach(runtime):
    table = start_game(runtime, pace=DAY)
    table_id = table.table_id
    bo, cy = player_id(runtime, "Bo"), player_id(runtime, "Cy")
    preferences.set_mails(runtime, bo, table_id, mails=False, now=runtime.now())
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, cy).unreachable_at = runtime.now()
    leave(runtime)
    assert (of(runtime, "Bo"), of(runtime, "Cy")) == ([], [])
    with runtime.database.reading() as session:
        assert [session.get_one(PlayerRow, one).turns_at for one in (bo, cy)] == [None, None]
    preferences.set_mails(runtime, bo, table_id, mails=True, now=runtime.now())
    run_for(runtime, READING_FOR)
    assert whys(runtime, "Bo") == [Cause.NEXT]


def test_a_letter_asks_as_soon_as_it_is_queued(runtime):
    start_game(runtime, pace=DAY)
    (queued,) = letters_to(runtime, "Bo", LetterKind.TURNS)
    assert (queued.state, queued.asked) == (LetterState.QUEUED, [[1, BO, 1, "pass"]])


def test_a_resent_mail_keeps_what_it_has_asked(runtime):
    table = start_game(runtime, pace=DAY)
    (letter,) = of(runtime, "Bo")
    asked = letter.asked
    table.pass_lowest(ANN)
    with runtime.database.writing() as session:
        row = session.get_one(LetterRow, letter.id)
        row.state, row.next_at, row.sent_at = LetterState.QUEUED, runtime.now(), None
    (again,) = of(runtime, "Bo")
    assert (again.state, again.asked, again.message) == (LetterState.KEPT, asked, letter.message)


def test_a_player_who_cannot_be_read_delays_no_other(runtime, monkeypatch):
    start_game(runtime, pace=DAY)
    real, ann = turn_mail.plan, player_id(runtime)

    def plan(session, runtime, player, now):
        if player.id == ann:
            raise RuntimeError
        real(session, runtime, player, now)

    monkeypatch.setattr(turn_mail, "plan", plan)
    assert (of(runtime), len(of(runtime, "Bo"))) == ([], 1)
    monkeypatch.undo()
    runtime.now.pass_by(turn_mail.FAILED_FOR)
    assert len(of(runtime)) == 1
    assert {seat.name for seat in seats(runtime, 1)} == set(NAMES)


def test_a_service_for_trials_looks_again_without_a_ring(tmp_path):
    trial = make_runtime(tmp_path / "var", shortest_pace_seconds=1)
    start_game(trial, pace=DAY)
    with trial.database.writing() as session:
        for player in session.exec(select(PlayerRow)):
            player.turns_at = trial.now() + READING_FOR
    trial.now.pass_by(timedelta(seconds=1))
    with trial.database.reading() as session:
        assert turn_mail.count_due(session, trial, trial.now()) == len(NAMES)
    trial.database.engine.dispose()


def test_a_mail_plans_the_next_as_a_new_look_would(runtime):
    def planned():
        with runtime.database.reading() as session:
            return {one.name: one.turns_at for one in session.exec(select(PlayerRow))}

    def looked():
        with runtime.database.writing() as session:
            for player in session.exec(select(PlayerRow)):
                turn_mail.plan(session, runtime, player, runtime.now())
        return planned()

    start_game(runtime, pace=DAY, at_once=4)
    with runtime.database.writing() as session:
        for name, setting in zip(NAMES, Frequency, strict=False):
            session.get_one(PlayerRow, player_id(runtime, name)).frequency = setting
    postman.deliver(runtime)
    first = planned()
    assert first == looked()
    runtime.now.at = max(at for at in first.values() if at is not None)
    postman.deliver(runtime)
    assert first != planned() == looked()


@pytest.mark.parametrize("waits", [False, True], ids=["since", "the page waited for the lock"])
def test_who_plays_before_their_mail_goes_has_read_it(runtime, monkeypatch, waits):
    table = start_game(runtime, pace=DAY)
    (letter,) = letters_to(runtime, "Ann", LetterKind.TURNS)
    began, compose = runtime.now(), postman.compose_letter
    turn = Pass(Seat(ANN), Cards.of(list(table.game.held[ANN])[:3]))
    runtime.now.pass_by(MINUTE)

    def composed(there, batch, letter_id):
        made = compose(there, batch, letter_id)
        if letter_id == letter.id:
            runtime.now.pass_by(MINUTE)
            at = began if waits else runtime.now()
            taking.take_turn(runtime, table.game_id, Due(1, "pass"), turn, TurnSource.PAGE, at)
            runtime.now.pass_by(MINUTE)
        return made

    monkeypatch.setattr(postman, "compose_letter", composed)
    assert whys(runtime) == [Cause.NEXT]
    table.pass_all((1, 2, 3))
    while table.game.to_act != (ANN,):
        table.play_first()
    run_for(runtime, HOUR)
    assert whys(runtime) == [Cause.NEXT, Cause.NEXT]


@pytest.mark.parametrize("noted", [MINUTE, -MINUTE])
def test_what_was_noted_while_a_mail_went_is_looked_at(runtime, noted):
    start_game(runtime, pace=DAY)
    with runtime.database.writing() as session:
        player = session.get_one(PlayerRow, player_id(runtime))
        player.turns_at = runtime.now() + noted
        session.flush()
        turn_mail.note_out(session, player.id, runtime.now(), runtime.now() + DAY)
        session.refresh(player)
        assert player.turns_at == min(runtime.now(), runtime.now() + noted)
