"""The mail for which somebody at the table has asked: it goes at once, read or not, and once for a question."""

from datetime import timedelta

from tests.cast import letters, play_link, start_game
from tests.playing import pass_all
from webapp.games.record import store
from webapp.models import LetterKind, LetterState
from webapp.outbox.nudges import nudge_of
from webapp.outbox.turn_mail_times import Why
from webapp.players.nudging import nudge
from worker import postman

BO, DI = 1, 3


def test_a_nudge_mails_who_has_not_read_the_last(runtime):
    game_id = start_game(runtime)
    postman.deliver(runtime)
    pass_all(runtime, game_id, (0, BO, 2))
    runtime.now.pass_by(timedelta(hours=6))
    nudge(runtime, play_link(runtime, game_id, BO), runtime.now())
    postman.deliver(runtime)
    asked = [letter for letter in letters(runtime, LetterKind.TURNS) if letter.seat == DI]
    assert [(one.reason, one.state) for one in asked] == [
        (Why.NEXT, LetterState.KEPT),
        (Why.NUDGE, LetterState.KEPT),
    ]
    with runtime.database.reading() as session:
        assert nudge_of(session, store.load(session, game_id), BO, runtime.now()).done == (DI,)
