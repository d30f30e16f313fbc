"""Asking on: who answers a mail of several questions gets the next one by mail."""

from tests.answers import answer, mail, question, typed_pass
from tests.cast import letters, start_game
from tests.runtimes import make_runtime
from webapp.models import Frequency, LetterKind, LetterState, PlayerRow
from worker import postman

ANN = 0


def begun(runtime):
    """A game of four hands at once, whose passes a mail asks Ann for."""
    game_id = start_game(runtime, at_once=4)
    postman.deliver(runtime)
    return game_id


def passes(runtime):
    """The hand and state of each mail that asks Ann to pass."""
    asked = [one for one in letters(runtime, LetterKind.PASS) if one.seat == ANN]
    return [(one.hand, one.state) for one in asked]


def passed_by_mail(runtime, game_id):
    """Ann answers the first of the questions."""
    first = next(one for one in letters(runtime, LetterKind.PASS) if (one.seat, one.hand) == (ANN, 1))
    return answer(runtime, first, mail("Ann", typed_pass(runtime, game_id)))


def test_an_answer_to_the_first_brings_the_next(runtime):
    game_id = begun(runtime)
    assert {state for _, state in passes(runtime)} == {LetterState.BUNDLED}
    assert passed_by_mail(runtime, game_id).taken_for == "pass"
    asked_on = [one for one in letters(runtime, LetterKind.PASS) if one.requested]
    assert [(one.seat, one.hand, one.state) for one in asked_on] == [(ANN, 2, LetterState.QUEUED)]
    postman.deliver(runtime)
    assert answer(runtime, question(runtime, "Ann"), mail("Ann", "help")).outcome == "You asked for help."


def test_a_reader_of_digests_waits_for_the_next(runtime):
    game_id = begun(runtime)
    with runtime.database.writing() as session:
        ann = letters(runtime, LetterKind.PASS)[0].player_id
        session.get_one(PlayerRow, ann).frequency = Frequency.DAILY
    passed_by_mail(runtime, game_id)
    assert [one for one in letters(runtime, LetterKind.PASS) if one.requested] == []


def test_where_nobody_opens_pages_one_mail_shows_all(tmp_path, smtp_server):
    own = {"base_url": "none", "smtp_url": smtp_server.url, "reply_mailbox": "hearts@example.org"}
    runtime = make_runtime(tmp_path / "var", **own)
    game_id = begun(runtime)
    assert {state for _, state in passes(runtime)} == {LetterState.BUNDLED}
    passed_by_mail(runtime, game_id)
    assert [one for one in letters(runtime, LetterKind.PASS) if one.requested] == []
    runtime.database.engine.dispose()
