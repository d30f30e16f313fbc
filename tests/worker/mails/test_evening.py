"""The mails about an evening together: its hour enters the reader's calendar and leaves it again."""

from email import message_from_string, policy

from tests.answers import answer, mail
from tests.cast import letters, start_game
from tests.runtimes import make_runtime
from tests.together import BO, CY, agree, link_of, newest, propose
from tests.worker.icalendar import of_event, parse
from webapp.evenings import agreeing
from webapp.models import LetterKind, LetterState
from worker import postman

OFF = LetterKind.EVENING_OFF  # a file of it would be added by some calendars as one more appointment


def calendars(runtime, kind):
    """By seat, the method in the header of the calendar part of each such mail, and the part."""
    found = {}
    for letter in letters(runtime, kind):
        message = message_from_string(letter.message, policy=policy.default)
        (part,) = [one for one in message.walk() if one.get_content_type() == "text/calendar"]
        files = [one for one in message.walk() if one.get_content_type() == "application/ics"]
        assert [file.get_content() for file in files] == [part.get_payload(decode=True)] * (kind is not OFF)
        found[letter.seat] = (part["Content-Type"].params["method"], part.get_payload(decode=True).decode())
    return found


def test_mails_enter_an_evening_in_the_calendar_and_remove_it(tmp_path):
    runtime = make_runtime(tmp_path / "var", reply_domain="in.hearts.example")
    game_id = start_game(runtime)
    hour = agree(runtime, game_id)
    postman.deliver(runtime)
    agreeing.cancel(runtime, link_of(runtime, game_id, CY), newest(runtime, game_id).id, runtime.now())
    postman.deliver(runtime)
    entered = calendars(runtime, LetterKind.EVENING_AGREED)
    removed = calendars(runtime, LetterKind.EVENING_OFF)
    assert list(entered) == list(removed) == [0, 1, 2, 3]
    for seat, (method, text) in entered.items():
        first, then = of_event(text), of_event(removed[seat][1])
        assert (method, removed[seat][0]) == ("REQUEST", "CANCEL")
        assert [one for one in parse(removed[seat][1]) if one[1] == "METHOD"] == [("VCALENDAR", "METHOD", {}, "CANCEL")]
        assert first["UID"] == then["UID"]
        assert first["ORGANIZER"] == then["ORGANIZER"]
        assert int(then["SEQUENCE"][1]) > int(first["SEQUENCE"][1])
        assert then["STATUS"][1] == "CANCELLED"
        assert first["DTSTART"][1] == f"{hour:%Y%m%dT%H%M%SZ}"
    assert len({of_event(text)["UID"][1] for _, text in entered.values()}) == 4, "each in a calendar of its own"
    runtime.database.engine.dispose()


def test_a_player_never_told_the_hour_gets_no_calendar_cancellation(tmp_path):
    runtime = make_runtime(tmp_path / "var")
    game_id = start_game(runtime)
    agree(runtime, game_id)
    agreeing.cancel(runtime, link_of(runtime, game_id, CY), newest(runtime, game_id).id, runtime.now())
    postman.deliver(runtime)
    assert {letter.state for letter in letters(runtime, LetterKind.EVENING_AGREED)} == {LetterState.SUPERSEDED}
    assert not any("text/calendar" in letter.message for letter in letters(runtime, LetterKind.EVENING_OFF))
    runtime.database.engine.dispose()


def test_a_persons_reply_is_answered_and_a_calendars_is_not(tmp_path):
    runtime = make_runtime(tmp_path / "var", reply_domain="in.hearts.example")
    game_id = start_game(runtime)
    propose(runtime, game_id)
    postman.deliver(runtime)
    question = next(one for one in letters(runtime, LetterKind.EVENING_ASKED) if one.seat == BO)
    answer(runtime, question, mail("Bo", "Tuesday at eight suits me"))
    postman.deliver(runtime)
    (given_answer,) = letters(runtime, LetterKind.ANSWER)
    assert given_answer.reason == "evening"
    assert "Please tap the hours instead" in given_answer.subject
    reply = b"From: Bo <bo@example.org>\r\nContent-Type: text/calendar; method=REPLY\r\n\r\nBEGIN:VCALENDAR\r\n"
    answer(runtime, question, reply)
    assert len(letters(runtime, LetterKind.ANSWER)) == 1
    assert newest(runtime, game_id).votes.keys() == {str(link_of(runtime, game_id, 0).player_id)}
    runtime.database.engine.dispose()
