"""Changes of address that happen at once: with their reversals, with each other, and with sign-outs."""

from contextlib import suppress
from datetime import timedelta

import pytest

from tests.cast import address, letters, start_game
from tests.races import at_once
from tests.table import Table
from tests.webapp.accounts.intruder import player_of
from tests.webapp.accounts.moving import ANN, BO, CY, DAY, NEW, asked, at, changes, moved, states
from webapp.accounts import access, changing_address
from webapp.accounts.changing_address import AddressTaken
from webapp.core.tokens import LinkExpired, LinkInvalid, NewAddressLink, OldAddressLink, TakeBackLink
from webapp.games.record.links import preferences_link
from webapp.models import ChangeState, LetterKind


@pytest.fixture(autouse=True)
def _game(either_runtime):
    start_game(either_runtime)


def refused(*acts):
    """Runs these at the same moment, and returns how those that were refused were."""
    failed = [one for one in at_once(*acts) if isinstance(one, Exception)]
    assert all(isinstance(one, LinkExpired | LinkInvalid | AddressTaken) for one in failed)
    return [type(one) for one in failed]


def test_a_simultaneous_change_and_reversal_leave_the_games_in_place(either_runtime):
    """Eve moves the games on while Bo takes them back: in either order, Bo has them, or can still have them."""
    runtime = either_runtime
    for _ in range(5):
        runtime.now.pass_by(timedelta(hours=1))  # only a few mails an hour go to new addresses
        first = moved(runtime, "eve@example.org")
        second = asked(runtime, "eve@second.example")
        changing_address.prove(runtime, NewAddressLink(second), runtime.now())
        refused(
            lambda change=second: changing_address.agree(runtime, OldAddressLink(change), runtime.now()),
            lambda change=first: changing_address.take_back(runtime, TakeBackLink(change), runtime.now()),
        )
        assert at(runtime) == address("Bo")
        last = {change.id: change.state for change in changes(runtime)}
        assert last[first] is ChangeState.UNDONE
        assert last[second] in (ChangeState.UNDONE, ChangeState.DROPPED)
        changing_address.take_back(runtime, TakeBackLink(second), runtime.now())
        assert at(runtime) == address("Bo")


def test_of_two_moves_requested_at_once_one_is_pending(either_runtime):
    runtime = either_runtime
    link = preferences_link(player_of(runtime, BO))
    refused(
        *(
            lambda n=n: changing_address.request_change(runtime, link, f"bo@{n}.example", None, runtime.now())
            for n in range(4)
        )
    )
    assert sorted(states(runtime)) == sorted([ChangeState.DROPPED] * 3 + [ChangeState.OPEN])


def test_one_of_two_simultaneous_moves_gets_the_same_address(either_runtime):
    runtime = either_runtime
    proofs = []
    for number in (BO, CY):
        change = asked(runtime, NEW, number)
        changing_address.agree(runtime, OldAddressLink(change), runtime.now())
        proofs.append(lambda change=change: changing_address.prove(runtime, NewAddressLink(change), runtime.now()))
    assert refused(*proofs) == [AddressTaken]
    assert sorted([at(runtime), at(runtime, CY)]).count(NEW) == 1


def test_simultaneous_sweeps_complete_a_move_once(either_runtime):
    runtime = either_runtime
    changing_address.prove(runtime, NewAddressLink(asked(runtime)), runtime.now())
    runtime.now.pass_by(7 * DAY)
    refused(*(lambda: changing_address.apply_ready_changes(runtime, runtime.now()) for _ in range(4)))
    assert at(runtime) == NEW
    assert player_of(runtime, BO).generation == 1
    assert len(letters(runtime, LetterKind.ADDRESS_CHANGED)) == len(letters(runtime, LetterKind.ADDRESS_MOVED)) == 1


def test_signing_out_everywhere_leaves_no_simultaneous_address_change_pending(either_runtime):
    """In either order, no move requested by the old link is pending afterwards."""
    runtime = either_runtime
    for _ in range(5):
        runtime.now.pass_by(timedelta(hours=1))
        link = preferences_link(player_of(runtime, BO))
        refused(
            lambda link=link: changing_address.request_change(runtime, link, NEW, None, runtime.now()),
            lambda: access.sign_out_everywhere(runtime, BO, runtime.now()),
        )
        assert ChangeState.OPEN not in states(runtime)


def test_simultaneous_moves_turns_and_sign_outs_block_nobody(either_runtime):
    runtime = either_runtime
    first = moved(runtime, "eve@example.org")

    def play():
        for _ in range(6):
            with suppress(Exception):
                Table(runtime, 1).play_first()

    refused(
        play,
        lambda: changing_address.take_back(runtime, TakeBackLink(first), runtime.now()),
        lambda: access.sign_out_everywhere(runtime, ANN, runtime.now()),
        lambda: access.sign_out_everywhere(runtime, CY, runtime.now()),
    )
    assert at(runtime) == address("Bo")
