"""The calendar entry of an evening together: by the letter of RFC 5545."""

import re
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.worker.icalendar import of_event
from worker.calendar import Entry, Method, calendar_text

_UNESCAPED = {"\\\\": "\\", "\\;": ";", "\\,": ",", "\\n": "\n", "\\N": "\n"}


def text_value(value):
    assert not re.search(r"(?<!\\)(?:\\\\)*[;,]", value), "what separates values is escaped"
    return re.sub(r"\\.", lambda escape: _UNESCAPED[escape[0]], value)


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
