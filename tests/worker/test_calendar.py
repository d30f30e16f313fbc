"""The calendar entry of an evening together: by the letter of RFC 5545, in the mail, and out of the calendar again."""

import re
from datetime import UTC, datetime, timedelta
from email import message_from_string, policy

from hypothesis import given
from hypothesis import strategies as st

from tests.answers import answer, mail
from tests.cast import letters, make_runtime, start_game
from tests.together import BO, CY, agree, link_of, newest, propose
from webapp.models import LetterKind, LetterState
from webapp.tables import evening
from worker import postman
from worker.calendar import LONGEST_LINE, Entry, Method, calendar_text

_PARAMETER = re.compile(r';([A-Z-]+)=(?:"([^"\x00-\x1f]*)"|([^";:,\x00-\x1f]*))')
_LINE = re.compile(rf"([A-Z-]+)((?:{_PARAMETER.pattern})*):(.*)", re.DOTALL)
_UNESCAPED = {"\\\\": "\\", "\\;": ";", "\\,": ",", "\\n": "\n", "\\N": "\n"}


def parse(text):
    """The lines of a calendar as (component, name, parameters, value); strict."""
    assert text.endswith("\r\n")
    raw = text.split("\r\n")[:-1]
    assert all("\n" not in line and "\r" not in line for line in raw)
    assert all(len(line.encode()) <= LONGEST_LINE for line in raw)
    lines, stack, found = "\r\n".join(raw).replace("\r\n ", "").split("\r\n"), [], []
    for line in lines:
        match = _LINE.fullmatch(line)
        assert match, line
        name, given_parameters, *_, value = match.groups()
        parameters = {key: quoted or plain for key, quoted, plain in _PARAMETER.findall(given_parameters)}
        if name == "BEGIN":
            stack.append(value)
        elif name == "END":
            assert stack.pop() == value
        else:
            found.append((stack[-1], name, parameters, value))
    assert stack == []
    return found


def text_value(value):
    assert not re.search(r"(?<!\\)(?:\\\\)*[;,]", value), "what separates values is escaped"
    return re.sub(r"\\.", lambda escape: _UNESCAPED[escape[0]], value)


def of_event(text):
    return {name: (parameters, value) for component, name, parameters, value in parse(text) if component == "VEVENT"}


def entry(**changes):
    usual = {
        "method": Method.REQUEST,
        "uid": "evening-1@hearts.example",
        "changes": 0,
        "written_at": datetime(2026, 3, 2, 12, tzinfo=UTC),
        "begins_at": datetime(2026, 3, 3, 20, tzinfo=UTC),
        "length": timedelta(hours=2),
        "title": "Hearts: an evening together",
        "text": "Come",
        "link": "https://hearts.example/evening/" + "x" * 120,
        "organizer": ("Hearts by Mail", "play@hearts.example"),
        "attendee": ("Ann", "ann@example.org"),
    }
    return Entry(**{**usual, **changes})


letters_of_text = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n"), max_size=200)


@given(letters_of_text, letters_of_text)
def test_any_text_survives_folding_and_escapes(text, name):
    event = of_event(calendar_text(entry(text=text, attendee=(name, "ann@example.org"))))
    assert text_value(event["DESCRIPTION"][1]) == text
    assert event["ATTENDEE"][0]["CN"] == name.replace('"', "'").replace("\n", " ")
    assert event["URL"][1] == entry().link


def test_times_are_in_utc_and_nobody_is_asked_again():
    event = of_event(calendar_text(entry()))
    assert (event["DTSTART"][1], event["DTEND"][1]) == ("20260303T200000Z", "20260303T220000Z")
    assert event["DTSTAMP"][1] == "20260302T120000Z"
    assert (event["ATTENDEE"][0]["PARTSTAT"], event["ATTENDEE"][0]["RSVP"]) == ("ACCEPTED", "FALSE")
    assert event["CLASS"][1] == "PRIVATE", "the link in it is its reader's alone"


def calendars(runtime, kind):
    """By seat, the method in the header of the calendar part of each such mail, and the part."""
    found = {}
    for letter in letters(runtime, kind):
        message = message_from_string(letter.message, policy=policy.default)
        (part,) = [one for one in message.walk() if one.get_content_type() == "text/calendar"]
        (file,) = [one for one in message.walk() if one.get_content_type() == "application/ics"]
        assert file.get_content() == part.get_payload(decode=True)
        found[letter.seat] = (part["Content-Type"].params["method"], part.get_payload(decode=True).decode())
    return found


def test_the_mails_enter_the_evening_in_the_calendar_and_take_it_out_again(tmp_path):
    runtime = make_runtime(tmp_path / "var", reply_domain="in.hearts.example")
    game_id = start_game(runtime)
    hour = agree(runtime, game_id)
    postman.deliver(runtime)
    evening.cancel(runtime, link_of(runtime, game_id, CY), newest(runtime, game_id).id, runtime.now())
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


def test_who_was_never_told_the_hour_gets_no_cancellation_for_the_calendar(tmp_path):
    runtime = make_runtime(tmp_path / "var")
    game_id = start_game(runtime)
    agree(runtime, game_id)
    evening.cancel(runtime, link_of(runtime, game_id, CY), newest(runtime, game_id).id, runtime.now())
    postman.deliver(runtime)
    assert {letter.state for letter in letters(runtime, LetterKind.EVENING_AGREED)} == {LetterState.SUPERSEDED}
    assert not any("text/calendar" in letter.message for letter in letters(runtime, LetterKind.EVENING_OFF))
    runtime.database.engine.dispose()


def test_a_reply_to_the_question_is_answered_and_a_calendars_own_is_not(tmp_path):
    runtime = make_runtime(tmp_path / "var", reply_domain="in.hearts.example")
    game_id = start_game(runtime)
    propose(runtime, game_id)
    postman.deliver(runtime)
    question = next(one for one in letters(runtime, LetterKind.EVENING_ASKED) if one.seat == BO)
    answer(runtime, question, mail("Bo", "Tuesday at eight suits me"))
    postman.deliver(runtime)
    (given_answer,) = letters(runtime, LetterKind.ANSWER)
    assert given_answer.reason == "evening"
    assert "Hours are chosen by a tap" in given_answer.subject
    reply = b"From: Bo <bo@example.org>\r\nContent-Type: text/calendar; method=REPLY\r\n\r\nBEGIN:VCALENDAR\r\n"
    answer(runtime, question, reply)
    assert len(letters(runtime, LetterKind.ANSWER)) == 1
    assert newest(runtime, game_id).votes.keys() == {str(link_of(runtime, game_id, 0).player_id)}
    runtime.database.engine.dispose()
