"""Code of all commands in a terminal: the operator whom a note names, and moments as operators read them."""

import logging
import os
import pwd
from datetime import UTC, datetime, timedelta, timezone

import pytest

from tests.cast import start_game
from webapp import acts
from webapp.operators.terminal import LONGEST_BY, moment


def test_the_account_is_noted_unless_the_operator_gives_a_name(runtime, run, caplog):
    caplog.set_level(logging.INFO, "webapp.events")
    start_game(runtime)
    run("mail", "hold")
    runtime.now.pass_by(timedelta(minutes=1))
    run("mail", "resume", "--by", "ann@example.org")
    account = pwd.getpwuid(os.getuid()).pw_name
    newest, oldest = run("acts").stdout.splitlines()
    assert newest == f"{runtime.now():%Y-%m-%d %H:%M} UTC  ann@example.org: mail resume"
    assert oldest.endswith(f" UTC  {account}: mail hold")
    fields = [record.fields for record in caplog.records if record.msg == "operator act"]
    assert fields == [{"act": "mail hold", "by": account}, {"act": "mail resume", "by": "(an address)"}]
    for name in ("", " ", "a\nb", 61 * "a"):
        assert run("mail", "hold", "--by", name).exit_code == 2


def by(runtime):
    """Returns the operator whom the newest act names."""
    with runtime.database.reading() as session:
        return acts.newest(session, 1)[0].by


def test_through_sudo_the_account_before_it_is_noted(runtime, run):
    assert run("mail", "hold", env={"SUDO_USER": "bo"}).exit_code == 0
    assert by(runtime) == "bo"
    assert run("mail", "resume", "--by", "Ann", env={"SUDO_USER": "bo"}).exit_code == 0
    assert by(runtime) == "Ann"


@pytest.mark.parametrize(("typed", "name"), [("  Ann ", "Ann"), ("x" * LONGEST_BY, "x" * LONGEST_BY), ("Ève", "Ève")])
def test_a_name_is_noted_without_the_blanks_around_it(runtime, run, typed, name):
    assert run("mail", "hold", "--by", typed).exit_code == 0
    assert by(runtime) == name


@pytest.mark.parametrize(
    ("at", "text"),
    [
        pytest.param(datetime(2026, 3, 2, 9, 5, 59, tzinfo=UTC), "2026-03-02 09:05 UTC", id="in UTC"),
        pytest.param(
            datetime(2026, 3, 2, 0, 30, tzinfo=timezone(timedelta(hours=1))), "2026-03-01 23:30 UTC", id="elsewhere"
        ),
        pytest.param(None, "-", id="never"),
    ],
)
def test_a_moment_is_read_in_utc(at, text):
    assert moment(at) == text
