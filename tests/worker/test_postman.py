"""Letters out: what the relay says decides what happens next, and nothing is lost or sent under two names."""

import socketserver
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta

import pytest

from tests.cast import NAMES, address, letters, new_table, open_table, seat_link, start_game
from tests.servers import free_port
from webapp import service, tables
from webapp.forms import Chair
from webapp.letters import LEASE, claim, forget_old
from webapp.models import LetterKind, LetterState
from webapp.parts import Parts
from webapp.site import make_site
from worker import postman
from worker.postman import GIVE_UP_AFTER, MAYBE_SENT_PAUSE, PAUSES


def with_relay(parts: Parts, url: str) -> Parts:
    made = Parts(parts.settings.model_copy(update={"smtp_url": url}), parts.now)
    made.__dict__["database"] = parts.database  # the same engine, which is closed with `parts`
    return made


def states(parts):
    return Counter(letter.state for letter in letters(parts))


def test_a_letter_that_is_owed_goes_out_once(parts, smtp_server):
    open_table(parts, NAMES[:2], robots=2)
    postman.deliver(parts)
    assert postman.deliver(parts) == 0
    assert [(mail.to, mail.subject) for mail in smtp_server.mails] == [
        (address("Ann"), "Confirm your table"),
        (address("Bo"), "Ann invites you to a game of Hearts by mail"),
    ]
    assert states(parts) == {LetterState.SENT: 2}


def test_a_mail_bears_the_headers_that_keep_machines_from_answering(parts, smtp_server):
    start_game(parts)
    postman.deliver(parts)
    message = smtp_server.mails[-1].message
    assert message["From"] == "Hearts by Mail <hearts@hearts.localhost>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "OOF, NRN, AutoReply, RN"
    assert message["Message-ID"].endswith("@hearts.localhost>")
    assert message["Date"]


def test_the_mails_of_one_hand_to_one_player_are_one_thread(parts, smtp_server):
    game_id = start_game(parts, NAMES[:1], robots=3)
    service.play_for_absent(parts, game_id)
    parts.now.pass_by(timedelta(days=1))
    service.play_for_absent(parts, game_id)
    postman.deliver(parts)
    first, *others = [letter for letter in letters(parts) if letter.game_id]
    assert first.thread_id is None
    assert {letter.thread_id for letter in others if letter.hand == 1} == {first.message_id}
    sent = [mail.message for mail in smtp_server.mails if mail.message["References"]]
    assert {message["References"] for message in sent} == {first.message_id}


def test_two_workers_on_one_outbox_send_each_letter_once(parts, smtp_server):
    for _ in range(10):
        start_game(parts)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: postman.deliver(parts), range(4)))
    ids = [mail.message["Message-ID"] for mail in smtp_server.mails]
    assert len(ids) == len(set(ids))
    assert set(states(parts)) == {LetterState.SENT, LetterState.SUPERSEDED}


def test_a_letter_whose_worker_died_goes_out_when_the_lease_is_over(parts, smtp_server):
    open_table(parts, NAMES[:2], robots=2)
    with parts.database.writing() as rows:
        assert len(claim(rows, parts.now(), 10)) == 2
    assert postman.deliver(parts) == 0
    parts.now.pass_by(LEASE)
    assert postman.deliver(parts) == 2
    assert len(smtp_server.mails) == 2


def test_a_question_that_was_answered_meanwhile_is_not_sent(parts, smtp_server):
    game_id = start_game(parts)
    parts.now.pass_by(timedelta(days=1))
    service.play_for_absent(parts, game_id)
    postman.deliver(parts)
    passes = [letter for letter in letters(parts, LetterKind.PASS) if letter.hand == 1]
    assert {letter.state for letter in passes} == {LetterState.SUPERSEDED}
    assert not [mail for mail in smtp_server.mails if "pass to" in mail.subject]


def test_an_invitation_to_a_chair_that_was_given_away_is_not_sent(parts, smtp_server):
    table_id = open_table(parts, NAMES[:2], robots=2)
    tables.refill(parts, seat_link(parts, table_id, 0), 1, None, parts.now())
    postman.deliver(parts)
    assert not smtp_server.to(address("Bo"))


def test_a_4xx_waits_and_tries_again_with_growing_pauses(parts, smtp_server):
    smtp_server.refuse[address("Bo")] = "450 mailbox busy"
    open_table(parts, NAMES[:2], robots=2)
    pauses = []
    for _ in PAUSES:
        postman.deliver(parts)
        (letter,) = letters(parts, LetterKind.INVITATION)
        assert (letter.state, letter.problem) == (LetterState.OWED, "450 mailbox busy")
        pauses.append(letter.next_at - parts.now())
        parts.now.pass_by(pauses[-1])
    assert pauses == sorted(pauses)
    assert all(pause <= waited <= pause * 1.2 for pause, waited in zip(PAUSES, pauses, strict=True))
    del smtp_server.refuse[address("Bo")]
    postman.deliver(parts)
    assert len(smtp_server.to(address("Bo"))) == 1


def test_a_5xx_stops_and_keeps_what_the_relay_said(parts, smtp_server):
    smtp_server.refuse[address("Bo")] = "550 no such person"
    open_table(parts, NAMES[:2], robots=2)
    postman.deliver(parts)
    (letter,) = letters(parts, LetterKind.INVITATION)
    assert (letter.state, letter.problem, letter.next_at) == (LetterState.FAILED, "550 no such person", None)
    assert len(smtp_server.to(address("Ann"))) == 1, "one refusal does not hold up the others"


def test_a_relay_that_is_down_costs_time_and_nothing_else(parts, smtp_server):
    down = with_relay(parts, f"smtp://127.0.0.1:{free_port()}")
    open_table(parts, NAMES[:2], robots=2)
    postman.deliver(down)
    assert states(parts) == {LetterState.OWED: 2}
    parts.now.pass_by(PAUSES[0] * 2)
    postman.deliver(parts)
    assert states(parts) == {LetterState.SENT: 2}


def test_after_days_of_silence_a_letter_is_given_up(parts):
    down = with_relay(parts, f"smtp://127.0.0.1:{free_port()}")
    open_table(parts, NAMES[:2], robots=2)
    parts.now.pass_by(GIVE_UP_AFTER + timedelta(seconds=1))
    postman.deliver(down)
    assert states(parts) == {LetterState.FAILED: 2}


@contextmanager
def relay_that_breaks_off(after: str):
    """A server that says yes to all and hangs up after the command that begins with `after`, or the dot."""

    class Answer(socketserver.StreamRequestHandler):
        def handle(self):
            self.wfile.write(b"220 here\r\n")
            in_content = False
            for line in self.rfile:
                if in_content:
                    in_content = line != b".\r\n"
                    if in_content:
                        continue
                    kept.append(b"one mail")
                    if after == "dot":
                        return
                elif line.upper().startswith(after.encode()):
                    return
                in_content = line.upper().startswith(b"DATA")
                self.wfile.write(b"354 go on\r\n" if in_content else b"250 fine\r\n")

    kept = []
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answer) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"smtp://127.0.0.1:{server.server_address[1]}", kept
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("after", "longest"),
    [("MAIL", PAUSES[0] * 1.2), ("RCPT", PAUSES[0] * 1.2), ("DOT", None)],
)
def test_a_relay_that_breaks_off_is_tried_again_with_the_same_message(parts, smtp_server, after, longest):
    tables.open_table(parts, new_table(), parts.now())
    with relay_that_breaks_off(after if after != "DOT" else "dot") as (url, kept):
        postman.deliver(with_relay(parts, url))
    (letter,) = letters(parts, LetterKind.CONFIRM)
    waits = letter.next_at - parts.now()
    assert letter.state is LetterState.OWED
    if after == "DOT":
        assert len(kept) == 1, "the relay had the mail already"
        assert waits >= MAYBE_SENT_PAUSE, "a copy may be on its way: no hurry"
    else:
        assert waits <= longest
    parts.now.pass_by(waits)
    postman.deliver(parts)
    (mail,) = smtp_server.mails
    assert mail.message["Message-ID"] == letter.message_id
    assert mail.message["Subject"] == letter.subject


def test_a_letter_that_cannot_be_composed_holds_up_no_other(parts, smtp_server):
    open_table(parts, NAMES[:2], robots=2)
    with parts.database.writing() as rows:
        broken = rows.merge(letters(parts, LetterKind.CONFIRM)[0])
        broken.kind, broken.game_id = LetterKind.SCORE_SHEET, None
    postman.deliver(parts)
    assert [mail.to for mail in smtp_server.mails] == [address("Bo")]
    assert letters(parts)[0].state is LetterState.OWED


def test_old_bodies_are_forgotten_and_the_rows_stay(parts):
    open_table(parts, NAMES[:2], robots=2)
    postman.deliver(parts)
    parts.now.pass_by(timedelta(days=31))
    with parts.database.writing() as rows:
        forget_old(rows, parts.now())
    assert [letter.message for letter in letters(parts)] == [None, None]


def test_the_host_sees_whose_mail_was_refused(parts, smtp_server):
    smtp_server.refuse[address("Bo")] = "550 no such person"
    table_id = open_table(parts, NAMES[:2], robots=2)
    page = make_site(parts).test_client()
    mine = parts.signer.local_url(seat_link(parts, table_id, 0))
    assert "cannot be reached by mail" not in page.get(mine).text
    postman.deliver(parts)
    assert "cannot be reached by mail" in page.get(mine).text
    tables.refill(parts, seat_link(parts, table_id, 0), 1, Chair("Cy", address("Cy")), parts.now())
    postman.deliver(parts)
    assert "cannot be reached by mail" not in page.get(mine).text
