"""Fields that several forms share: what is offered, and what is rejected with a sentence."""

from datetime import timedelta

import pytest

from hearts.robot import Level
from webapp.forms.fields import (
    VACATION_DAYS,
    BadField,
    Form,
    pace_groups,
    pace_reader,
    read_address,
    read_robots,
    read_talk,
    read_time_zone,
    read_vacation,
    read_words,
    robot_levels,
    take_guest,
    talks,
    vacations,
)
from webapp.models import Talk


@pytest.mark.parametrize(
    ("shortest", "first_by_mail"),
    [
        pytest.param(None, ("600", "10 minutes"), id="none to try it out"),
        pytest.param(1, ("1", "1 second (to try it out)"), id="one to try it out"),
        pytest.param(15, ("600", "10 minutes"), id="a seat already offered"),
    ],
)
def test_live_paces_are_offered_beside_mail_paces_and_none_twice(shortest, first_by_mail):
    (live, at_once), (mail, slow) = pace_groups(shortest)
    assert (live, mail, slow[0]) == ("Live, everybody is here", "By mail", first_by_mail)
    assert [words for _, words in at_once] == ["7 seconds", "15 seconds", "30 seconds", "1 minute", "5 minutes"]
    slower = ["1 hour", "6 hours", "12 hours", "1 day", "2 days", "3 days", "1 week"]
    assert [words for _, words in slow][-7:] == slower
    values = [value for _, group in pace_groups(shortest) for value, _ in group]
    assert len(set(values)) == len(values)


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("ann@example.org", "ann@example.org"),
        ("  Ann@Example.ORG ", "ann@example.org"),
        ("bo+hearts@example.org", "bo+hearts@example.org"),
        ("bo@bücher.example.org", "bo@bücher.example.org"),
        *(("Ann@Box.Local", "ann@box.local"), ("ann@home.arpa", "ann@home.arpa"), ("a@b.HOME.arpa", "a@b.home.arpa")),
    ],
)
def test_an_address_is_one_whatever_its_letters(typed, address):
    assert read_address(typed) == address


@pytest.mark.parametrize(
    "typed",
    [
        *("", " ", "ann", "@example.org", "ann@", "ann@example", "ann@@example.org", "a" * 400 + "@example.org"),
        *("ann@example.org, bo@example.org", "Ann <ann@example.org>"),
        *("ann@local", "ann@box.local\n", "ann@xhome.arpa", "ann@1.in-addr.arpa", "ann@localhost", ".@box.local"),
        *("ann@example.org\n", "ann@example.org\nBcc: eve@example.org", "ann@example.org\r\nX: y"),
    ],
)
def test_what_is_no_single_address_is_rejected(typed):
    with pytest.raises(BadField, match="email address"):
        read_address(typed)


@pytest.mark.parametrize(
    ("read", "typed", "value"),
    [
        pytest.param(read_time_zone, "Europe/Berlin", "Europe/Berlin", id="a time zone"),
        pytest.param(read_time_zone, "UTC", "UTC", id="the zone of nobody"),
        pytest.param(read_talk, "phrases", Talk.PHRASES, id="talk"),
        pytest.param(read_talk, "", Talk.TEXT, id="talk, not chosen"),
        pytest.param(read_vacation, "14", 14, id="vacation"),
        pytest.param(read_vacation, "", 0, id="vacation, not chosen"),
        pytest.param(pace_reader([("60", ""), ("600", "")]), "600", timedelta(minutes=10), id="a pace"),
    ],
)
def test_a_choice_from_a_list_is_read(read, typed, value):
    assert read(typed) == value


def test_a_list_offers_all_that_can_be_read():
    assert {read_talk(value) for value, _ in talks()} == {*Talk}
    assert {read_robots(value) for value, _ in robot_levels()} == {*Level}
    assert {read_vacation(value) for value, _ in vacations()} == {*VACATION_DAYS}


@pytest.mark.parametrize(
    ("read", "typed"),
    [
        *((read_time_zone, text) for text in ("", "Berlin", "europe/berlin", "Etc/GMT+1", "../UTC")),
        *((read_talk, text) for text in ("shouting", "TEXT")),
        *((read_vacation, text) for text in ("4", "-1", "3.0", "³")),
        *((read_robots, text) for text in ("genius", "STRONG")),
        *((pace_reader([("60", "")]), text) for text in ("", "600", "60.0", " 60")),
    ],
)
def test_what_is_not_in_the_list_is_rejected(read, typed):
    with pytest.raises(BadField, match=r"^Choose .*\.$"):
        read(typed)


def test_a_form_keeps_a_fields_message_without_a_value():
    form = Form({"time_zone": "Berlin", "talk": "none"})
    assert form.take("time_zone", read_time_zone) is None
    assert form.take("talk", read_talk) is Talk.NONE
    assert form.take("missing", read_vacation) == 0
    assert form.errors == {"time_zone": "Choose a time zone from the list."}


GUEST = {"name": "Eve", "address": "eve@example.org", "time_zone": "UTC"}


@pytest.mark.parametrize(("wrong", "typed"), [("name", ""), ("name", "Away"), ("address", "eve"), ("time_zone", "")])
def test_a_guest_with_one_field_wrong_is_none(wrong, typed):
    assert take_guest(Form(dict(GUEST))) == tuple(GUEST.values())
    form = Form({**GUEST, wrong: typed})
    assert take_guest(form) is None
    assert [*form.errors] == [wrong]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        pytest.param("", None, id="nothing"),
        pytest.param(" \u200b\u202e\n", None, id="nothing to be seen"),
        pytest.param(" Come\r\nand  play! ", "Come and play!", id="one line"),
        pytest.param("a\u202eb", "ab", id="no mark that turns the text round"),
        pytest.param(
            "\u05d1\u05d5\u05d0", "\u2068\u05d1\u05d5\u05d0\u2069", id="from right to left, apart from what follows"
        ),
        pytest.param("<b>Hi</b>", "<b>Hi</b>", id="brackets, which pages and mails escape"),
        pytest.param("x" * 140, "x" * 140, id="as long as it may be"),
    ],
)
def test_a_hosts_words_are_kept_as_one_clean_line(typed, kept):
    assert read_words(typed) == kept


@pytest.mark.parametrize("typed", ["x" * 141, "see evil.com", "http://x", "eve@example.org", "call 0123456789"])
def test_words_too_long_or_resembling_a_link_are_rejected(typed):
    with pytest.raises(BadField):
        read_words(typed)
