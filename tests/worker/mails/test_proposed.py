"""The mail about what a host proposes goes to all others, as it concerns each, while the proposal lasts."""

import pytest

from tests.cast import letters, start_game, table_row
from tests.mailing import letters_to
from tests.webapp.tables.hosted import BO, composed, give, host_of, seats_mailed
from webapp.models import LetterKind, LetterState
from webapp.tables import hosting
from worker import postman


@pytest.fixture
def table(runtime):
    return start_game(runtime)


def test_each_reads_of_their_own_seat_or_anothers(runtime, table):
    give(table, BO, None)
    (bos,), (cys,) = (letters_to(runtime, name, LetterKind.PROPOSED) for name in ("Bo", "Cy"))
    for words in composed(runtime, bos).values():
        assert "Ann proposes that a robot takes your seat" in words
    for words in composed(runtime, cys).values():
        assert "Ann proposes that a robot takes the seat of Bo" in words
    assert "/seat/" in composed(runtime, cys)["plain"]


def test_a_proposal_that_is_over_is_not_mailed(runtime, table):
    table_id = table.table_id
    hosting.end_game(runtime, host_of(runtime, table_id), runtime.now())
    assert len(seats_mailed(runtime, LetterKind.PROPOSED)) == 3
    (proposal,) = table_row(runtime, table_id).proposals
    hosting.withdraw_proposal(runtime, host_of(runtime, table_id), proposal.key, runtime.now())
    postman.deliver(runtime)
    assert {one.state for one in letters(runtime, LetterKind.PROPOSED)} == {LetterState.SUPERSEDED}
