"""The mails about an evening together: who gets that it is off, and that none comes too late."""

from tests.answers import player
from tests.cast import letters
from tests.together import ANN, BO, CY, DI, HOUR, agree, link_of, newest, seats_of, state
from tests.webapp.tables.hosted import host_of, table_of
from webapp.models import EveningState, LetterKind
from webapp.players import preferences
from webapp.tables import evening, hosting


def test_who_has_gone_away_since_is_told_that_it_is_off(runtime, game_id):
    agree(runtime, game_id)
    preferences.set_away(runtime, table_of(runtime, game_id), DI, away=True, now=runtime.now())
    evening.cancel(runtime, link_of(runtime, game_id, CY), newest(runtime, game_id).id, runtime.now())
    assert seats_of(runtime, LetterKind.EVENING_OFF) == [ANN, BO, CY, DI], "it is in their calendar"


def test_the_end_of_the_game_calls_off_an_evening_that_was_agreed_on(runtime, game_id):
    agree(runtime, game_id)
    hosting.end_game(runtime, host_of(runtime, table_of(runtime, game_id)), runtime.now())
    assert state(runtime, game_id) is EveningState.OVER
    assert seats_of(runtime, LetterKind.EVENING_OFF) == [ANN, BO, CY, DI]


def test_a_mail_about_an_hour_that_is_close_does_not_wait_for_the_morning(runtime, game_id):
    hour = agree(runtime, game_id)
    with runtime.database.writing() as session:
        row = session.get_one(type(player(runtime, "Di")), player(runtime, "Di").id)
        row.quiet_from, row.quiet_to, row.seen_at = 10, 20, None
    runtime.now.at = hour - 3 * HOUR
    evening.cancel(runtime, link_of(runtime, game_id, CY), newest(runtime, game_id).id, runtime.now())
    dis = next(letter for letter in letters(runtime, LetterKind.EVENING_OFF) if letter.seat == DI)
    assert dis.next_at == hour - HOUR
