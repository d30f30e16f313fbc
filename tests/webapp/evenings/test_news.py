"""The mails about an evening together: who gets that it is off, and that none comes too late."""

from email import message_from_string, policy

from tests.answers import player
from tests.cast import letters, load
from tests.together import ANN, BO, CY, DI, HOUR, agree, link_of, newest, seats_of, state
from tests.webapp.going_away import set_away, set_mails
from tests.webapp.tables.hosted import end_game, replace_by_robot, table_of
from webapp.evenings import agreeing
from webapp.models import EveningState, LetterKind, LetterState
from worker import postman


def test_a_player_since_gone_away_learns_of_the_cancellation(runtime, game_id):
    agree(runtime, game_id)
    set_away(runtime, table_of(runtime, game_id), DI, away=True)
    agreeing.cancel(runtime, link_of(runtime, game_id, CY), newest(runtime, game_id).id, runtime.now())
    assert seats_of(runtime, LetterKind.EVENING_OFF) == [ANN, BO, CY, DI], "it is in their calendar"


def test_a_player_since_muted_or_gone_learns_of_the_cancellation(runtime, game_id):
    agree(runtime, game_id)
    postman.deliver(runtime)
    dis = load(runtime, game_id).seats[DI].player_id
    set_mails(runtime, table_of(runtime, game_id), CY, mails=False)
    replace_by_robot(runtime, game_id, DI)
    agreeing.cancel(runtime, link_of(runtime, game_id, BO), newest(runtime, game_id).id, runtime.now())
    postman.deliver(runtime)
    off = {letter.player_id: letter for letter in letters(runtime, LetterKind.EVENING_OFF)}
    seats = load(runtime, game_id).seats
    assert set(off) == {*(seats[seat].player_id for seat in (ANN, BO, CY)), dis}
    assert {letter.state for letter in off.values()} == {LetterState.KEPT}
    for letter in off.values():
        mail = message_from_string(letter.message, policy=policy.default)
        parts = {part.get_content_type(): part for part in mail.walk()}
        assert "application/ics" not in parts, "some calendars would add it"
        calendar = parts["text/calendar"].get_payload(decode=True).decode()
        assert "SUMMARY:Called off: " in calendar
        assert "METHOD:CANCEL" in calendar
    assert "/evening/" not in off[dis].message, "the seat is somebody else's"


def test_the_end_of_the_game_cancels_an_agreed_evening(runtime, game_id):
    agree(runtime, game_id)
    end_game(runtime, table_of(runtime, game_id))
    assert state(runtime, game_id) is EveningState.OVER
    assert seats_of(runtime, LetterKind.EVENING_OFF) == [ANN, BO, CY, DI]


def test_a_mail_about_a_close_hour_ignores_quiet_hours(runtime, game_id):
    hour = agree(runtime, game_id)
    with runtime.database.writing() as session:
        row = session.get_one(type(player(runtime, "Di")), player(runtime, "Di").id)
        row.quiet_from, row.quiet_to, row.seen_at = 10, 20, None
    runtime.now.at = hour - 3 * HOUR
    agreeing.cancel(runtime, link_of(runtime, game_id, CY), newest(runtime, game_id).id, runtime.now())
    dis = next(letter for letter in letters(runtime, LetterKind.EVENING_OFF) if letter.seat == DI)
    assert dis.next_at == hour - HOUR
