"""The findings about trial mails to our own mailbox; `tests/mta` sends such mails through a real provider."""

import threading

import pytest

from tests.scripted_imap import PASSWORD, USER, ScriptedImap, nothing_by_numbers, without
from tests.worker.scripted import ScriptedRelay
from webapp.core.config import read_settings
from webapp.operators import mail_loop
from webapp.operators.mail_loop import Loop, findings_of
from webapp.operators.mail_servers import State

MAILBOX = {"inbox_url": "imaps://hearts@example.org@imap.example.org", "inbox_password": "x"}


def settings(reply_mailbox="hearts+@example.org", **more):
    return read_settings(reply_mailbox=reply_mailbox, smtp_url="smtp://127.0.0.1:1", **{**MAILBOX, **more})


@pytest.mark.parametrize(
    ("back", "address", "states", "sentence"),
    [
        pytest.param(Loop(), "hearts+@", ["missing"], "did not come in", id="nothing came"),
        pytest.param(
            Loop(2, True, True, verdict_by="mx.a.example"), "hearts+@", ["ok"] * 4, "after 2 seconds", id="all is well"
        ),
        pytest.param(
            Loop(2, True, True), "hearts@", ["ok"] * 3 + ["not used"], "makes use of that", id="a plus is possible"
        ),
        pytest.param(
            Loop(2, False, True), "hearts+@", ["ok", "missing", "ok", "not used"], "REPLY_MAILBOX=hearts@", id="no plus"
        ),
        pytest.param(
            Loop(2, False, True), "hearts@", ["ok", "not used", "ok", "not used"], "does not come in", id="none wanted"
        ),
        pytest.param(
            Loop(2, True, False), "hearts+@", ["ok", "ok", "not used", "not used"], "other ones", id="other Message-IDs"
        ),
        pytest.param(
            Loop(2, False, False),
            "hearts@",
            ["ok", "not used", "missing", "not used"],
            "other ones",
            id="no way at all",
        ),
        pytest.param(Loop(2, True, True, True), "hearts+@", ["missing", "ok", "ok", "not used"], "spam", id="spam"),
    ],
)
def test_each_way_for_answers_is_named(back, address, states, sentence):
    found = list(findings_of(settings(f"{address}example.org", verdicts_by="mx.a.example"), back))
    assert [one.state.value for one in found] == states
    assert sentence in " ".join(one.text for one in found)


def test_a_server_that_does_not_answer_leaves_it_open():
    (found,) = mail_loop.findings(settings())
    assert (found.state, "could not try" in found.text) == (State.UNKNOWN, True)


@pytest.mark.parametrize(
    ("server", "found", "state", "sentence"),
    [
        ("imap.gmail.com", "mx.google.com", "ok", "mx.google.com says who has sent a mail"),
        ("imap.fastmail.com", "phl-mx-07.messagingengine.com", "ok", "says who has sent a mail"),
        ("outlook.office365.com", "unnamed", "ok", "unnamed says who"),
        ("imap.gmail.com", None, "not used", "those that mx.google.com signs count"),
        ("imap.gmail.com", "mx.a.example", "not used", "VERDICTS_BY=mx.a.example"),
        ("imap.example.org", "mx.a.example", "not used", "VERDICTS_BY=mx.a.example"),
        ("imap.example.org", None, "not used", "asked back by mail"),
    ],
)
def test_whether_a_verdict_is_there_is_said(server, found, state, sentence):
    made = settings("hearts@example.org", inbox_url=f"imaps://hearts@example.org@{server}")
    *_, said = findings_of(made, Loop(2, True, True, verdict_by=found))
    assert (said.state.value, sentence in said.text) == (state, True)


@pytest.mark.parametrize("before", [(), (b"Subject: Lunch?\n\nToday?\n",)], ids=["empty", "with mail"])
def test_the_trial_finds_its_mails_on_an_odd_server(monkeypatch, before):
    """By commands that such a server answers when the service gives them, too."""
    monkeypatch.setattr(mail_loop, "LOOK_EVERY", 0.02)
    odd = {"UID SEARCH": nothing_by_numbers, "SELECT": without("UIDNEXT"), "EXAMINE": without("UIDNEXT")}
    with ScriptedRelay() as relay, ScriptedImap(*before, odd=odd) as server:

        def deliver():
            while not over.wait(0.02):
                while relay.kept:
                    server.put(relay.kept.pop(0).replace(b"\r\n", b"\n"))

        over = threading.Event()
        thread = threading.Thread(target=deliver)
        thread.start()
        try:
            own = {"inbox_url": server.url, "inbox_password": PASSWORD, "smtp_url": relay.url, "reply_mailbox": USER}
            found = mail_loop.try_loop(read_settings(mail_from=f"Hearts <{USER}>", **own))
        finally:
            over.set()
            thread.join()
        assert (found.keeps_plus, found.keeps_message_id, found.is_spam) == (True, True, False)
        assert list(server.mails.values()) == list(before)
