"""A move to another address that the old one does not answer: how long silence counts, and who is reminded."""

from datetime import timedelta

import pytest

from tests.cast import address, letters, start_game
from tests.submitting import PREFERENCES
from tests.webapp.accounts.intruder import composed, player_of
from tests.webapp.accounts.moving import A_MOMENT, BO, CY, DAY, NEW, asked, at, preferences, states, waits
from webapp.accounts import changing_address
from webapp.core.bell import DO_DUE
from webapp.core.tokens import NewAddressLink, OldAddressLink
from webapp.models import ChangeState, LetterKind, PlayerRow
from worker import scheduler


@pytest.fixture(autouse=True)
def _game(runtime):
    start_game(runtime)


def test_silence_counts_as_consent_only_after_seven_days(runtime):
    change = asked(runtime)
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    runtime.now.pass_by(7 * DAY - A_MOMENT)
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 0
    runtime.now.pass_by(A_MOMENT)
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 1
    assert (at(runtime), states(runtime)) == (NEW, [ChangeState.DONE])
    assert [letter.address for letter in letters(runtime, LetterKind.ADDRESS_MOVED)] == [NEW]
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 0


def test_three_days_of_silence_count_as_consent_where_mails_bounced(runtime):
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, BO).unreachable_at = runtime.now()
    change = asked(runtime)
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    assert len(waits(runtime, LetterKind.ADDRESS_ASKED)) == 2, "a full inbox may have room again"
    runtime.now.pass_by(3 * DAY - A_MOMENT)
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 0
    runtime.now.pass_by(A_MOMENT)
    changing_address.apply_ready_changes(runtime, runtime.now())
    assert at(runtime) == NEW
    assert player_of(runtime, BO).unreachable_at is None


def test_without_a_sweep_the_new_address_completes_the_move(runtime, client):
    change = asked(runtime)
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    runtime.now.pass_by(7 * DAY)
    page = client.post(runtime.signer.local_url(NewAddressLink(change)))
    assert "Your email comes here now" in page.text
    assert at(runtime) == NEW


def test_an_unanswered_old_address_is_reminded_two_days_before(runtime):
    change = asked(runtime)
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    first, second = waits(runtime, LetterKind.ADDRESS_ASKED)
    assert (first.next_at, second.next_at) == (runtime.now(), runtime.now() + 5 * DAY)
    assert "somebody has asked" in composed(runtime, second)
    changing_address.agree(runtime, OldAddressLink(change), runtime.now())
    assert composed(runtime, first) == composed(runtime, second) == ""


def test_the_reminder_keeps_its_day_when_preferences_are_saved(runtime, client):
    asked(runtime)
    day = waits(runtime, LetterKind.ADDRESS_ASKED)[1].next_at
    assert client.post(preferences(runtime), data=PREFERENCES).status_code == 303
    assert waits(runtime, LetterKind.ADDRESS_ASKED)[1].next_at == day


def test_the_scheduler_rings_for_a_move_only_when_due(runtime):
    rung = []
    change = asked(runtime)
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    object.__setattr__(runtime.bell, "ring", lambda task, *_: rung.append(task))
    scheduler.sweep_others(runtime)
    assert DO_DUE not in rung
    runtime.now.pass_by(7 * DAY)
    scheduler.sweep_others(runtime)
    assert rung.count(DO_DUE) == 1
    changing_address.apply_ready_changes(runtime, runtime.now())
    scheduler.sweep_others(runtime)
    assert rung.count(DO_DUE) == 1


def test_one_failing_move_does_not_hold_up_the_others(runtime, monkeypatch):
    for number, to in ((BO, NEW), (CY, "cy@new.example")):
        changing_address.prove(runtime, NewAddressLink(asked(runtime, to, number)), runtime.now())
    runtime.now.pass_by(7 * DAY)
    clear = changing_address.bounces.clear

    def fails_for_bo(session, player, now):
        if player.id == BO:
            raise RuntimeError
        clear(session, player, now)

    monkeypatch.setattr(changing_address.bounces, "clear", fails_for_bo)
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 2
    assert (at(runtime), at(runtime, CY)) == (address("Bo"), "cy@new.example")
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 0, "it is not tried at each sweep"
    monkeypatch.undo()
    runtime.now.pass_by(timedelta(hours=1))
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 1
    assert at(runtime) == NEW
