"""The connection to the relay: how many mails it carries, when it is closed and opened again, and what it transmits."""

import pytest

from tests.cast import NAMES, address, first_letters, open_table
from tests.worker.one_letter import confirm_letter, only
from tests.worker.scripted import CUT, ScriptedRelay, with_relay
from webapp.models import LetterState, PlayerRow
from worker import postman, relay
from worker.relay import NotSent, SmtpStep


def test_one_connection_sends_a_batch_even_after_a_refusal(runtime):
    open_table(runtime, NAMES)
    with ScriptedRelay({f"RCPT {address('Bo')}": ["550 5.1.1 nobody"]}) as scripted:
        postman.deliver(with_relay(runtime, scripted.url))
    assert scripted.connections == 1
    assert len(scripted.kept) == 4, "two invitations, the host's own mail, and that one invitation came back"
    assert scripted.heard[-1] == "quit"


def test_a_connection_is_closed_after_a_fixed_number_of_mails(runtime, monkeypatch):
    monkeypatch.setattr(relay, "MAILS_AT_MOST", 3)
    open_table(runtime, NAMES)
    with ScriptedRelay() as scripted:
        postman.deliver(with_relay(runtime, scripted.url))
    assert (scripted.connections, len(scripted.kept)) == (2, 4)


@pytest.mark.parametrize(
    ("script", "step"),
    [
        pytest.param({"MAIL": ["451 later"]}, SmtpStep.SENDER, id="sender"),
        pytest.param({"RCPT": ["550 5.1.1 nobody"]}, SmtpStep.RECIPIENT, id="recipient"),
        pytest.param({"DATA": ["452 4.3.1 full"]}, SmtpStep.CONTENT, id="content"),
    ],
)
def test_the_mail_after_a_refusal_reaches_its_own_recipient(script, step):
    with ScriptedRelay(script) as scripted, relay.Relay(scripted.url) as line:
        with pytest.raises(NotSent) as refused:
            line.send("us@example.org", "ann@example.org", b"one\r\n")
        assert refused.value.step is step
        line.send("us@example.org", "bo@example.org", b"two\r\n")
    assert (scripted.connections, scripted.kept) == (1, [b"two\r\n"])


@pytest.mark.parametrize("smuggled", ["<ann@x>\r\nRCPT TO:<eve@x>", "ann@x\r\nRCPT TO:eve@x", "ann@x\nRCPT TO:eve@x"])
def test_an_address_with_a_line_break_is_no_command(smuggled):
    refused = pytest.raises(ValueError, match="line")
    with ScriptedRelay() as scripted, relay.Relay(scripted.url) as line, refused:
        line.send("us@example.org", smuggled, b"one\r\n")
    assert not any("eve" in command for command in scripted.heard)


@pytest.mark.parametrize("given", [("us@x>SIZE=0<", "ann@example.org"), ("us@example.org", "ann@x>NOTIFY=NEVER<")])
def test_an_address_with_a_bracket_brings_no_option(given):
    refused = pytest.raises(ValueError, match="bracket")
    with ScriptedRelay() as scripted, relay.Relay(scripted.url) as line, refused:
        line.send(*given, b"one\r\n")
    assert not any(command.startswith(("mail", "rcpt")) for command in map(str.lower, scripted.heard))


@pytest.mark.parametrize("answer", [CUT, "421 enough for one session"])
def test_a_relay_that_closes_the_connection_is_called_again_once(runtime, answer):
    open_table(runtime, NAMES)
    with ScriptedRelay({"MAIL": ["250 fine", "250 fine", answer]}) as scripted:
        postman.deliver(with_relay(runtime, scripted.url))
    assert (scripted.connections, len(scripted.kept)) == (2, 4)
    assert {letter.state for letter in first_letters(runtime)} == {LetterState.SENT}


@pytest.mark.parametrize("answer", [CUT, "421 timed out"])
def test_a_dead_idle_connection_is_noticed_before_it_is_used(monkeypatch, answer):
    with ScriptedRelay({"NOOP": [answer]}) as scripted, relay.Relay(scripted.url) as line:
        line.send("us@example.org", "ann@example.org", b"one\r\n")
        monkeypatch.setattr(relay, "IDLE", 0.0)
        line.send("us@example.org", "ann@example.org", b"two\r\n")
    assert (scripted.connections, scripted.kept) == (2, [b"one\r\n", b"two\r\n"])


def test_a_line_that_begins_with_a_dot_arrives_unchanged():
    content = b".\r\n..\r\n.hidden\r\nand a. dot\r\n"
    with ScriptedRelay() as scripted, relay.Relay(scripted.url) as line:
        line.send("us@example.org", "ann@example.org", content)
    assert scripted.kept == [content]


@pytest.mark.parametrize("greeting", ["SMTPUTF8", "relay"])
def test_an_address_beyond_ascii_needs_a_relay_that_supports_it(runtime, greeting):
    confirm_letter(runtime)
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, only(runtime).player_id).address = "jürg@exämple.org"
    with ScriptedRelay(greeting=f"relay\r\n250-{greeting}") as scripted:
        postman.deliver(with_relay(runtime, scripted.url))
    letter = only(runtime)
    if greeting == "relay":
        assert letter.state is LetterState.FAILED
        assert "cannot write to addresses with letters beyond a to z" in letter.problem
        return
    assert letter.state is LetterState.SENT
    assert "rcpt to:<jürg@xn--exmple-cua.org>" in scripted.heard
    assert "To: Ann <jürg@xn--exmple-cua.org>".encode() in scripted.kept[0]


@pytest.mark.parametrize(
    ("refusal", "reason", "logged"),
    [
        pytest.param(
            NotSent(SmtpStep.RECIPIENT, 550, "5.1.1", "550 5.1.1 no such person"),
            "550 5.1.1 no such person",
            "550 5.1.1 (recipient)",
            id="in the relay's words, where they are about the mail",
        ),
        pytest.param(
            NotSent(SmtpStep.SENDER, 550, "", "550 secret.example is blocked"),
            "the relay does not take our mail now (550)",
            "550 (sender)",
            id="not in its words, where they are about us",
        ),
        pytest.param(
            NotSent(SmtpStep.RECIPIENT, 535, "5.7.8", "535 5.7.8 wrong password for play@hearts"),
            "the relay does not take our mail now (535)",
            "535 5.7.8 (recipient)",
            id="about us at any step",
        ),
        pytest.param(
            NotSent(SmtpStep.CONTENT),
            "the relay broke off (content)",
            "broken off (content)",
            id="it hung up before the end",
        ),
        pytest.param(
            NotSent(SmtpStep.DOT),
            "the relay broke off after the whole mail; it may have arrived",
            "broken off (dot)",
            id="it hung up after the end",
        ),
        pytest.param(
            NotSent(SmtpStep.CONNECTING, local_problem="SMTP_URL asks for TLS"),
            "the relay is not used until its settings are mended",
            "SMTP_URL asks for TLS",
            id="our settings",
        ),
    ],
)
def test_a_refusal_is_shown_to_its_player_and_not_logged(refusal, reason, logged):
    assert refusal.reason == reason
    assert refusal.log_text == logged


def test_a_relays_response_is_kept_as_one_short_line():
    answer = "550-5.7.1 first\r\n550 5.7.1 " + "x" * 600
    with ScriptedRelay({"RCPT": [answer]}) as scripted, relay.Relay(scripted.url) as line, pytest.raises(NotSent) as no:
        line.send("us@example.org", "ann@example.org", b"one\r\n")
    refusal = no.value
    assert (refusal.step, refusal.code, refusal.status) == (SmtpStep.RECIPIENT, 550, "5.7.1")
    assert refusal.text.startswith("550 5.7.1 first 5.7.1 xxx")
    assert len(refusal.text) == 500
