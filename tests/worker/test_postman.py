"""Letters out: what the relay says decides what happens next, and nothing is lost or sent under two names."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from tests.cast import NAMES, address, letters, open_table, seat_link, start_game
from tests.servers import free_port
from tests.webapp.test_service import pass_all
from tests.worker.scripted import with_relay
from webapp import service
from webapp.forms.opening import Chair
from webapp.models import LetterKind, LetterState
from webapp.outbox.leases import LEASE, claim, new_claim
from webapp.outbox.letters import REMINDER, forget_old
from webapp.site import make_site
from webapp.tables import seating
from worker import postman
from worker.outcome import GIVE_UP_AFTER, QUICK, SLOW


def due_letters(parts, kind=None):
    """The letters without the reminders, which are for another day."""
    return [letter for letter in letters(parts, kind) if REMINDER not in (letter.kind, letter.about)]


def states(parts):
    return Counter(letter.state for letter in due_letters(parts))


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
        assert len(claim(rows, parts.now(), 10, new_claim())) == 2
    assert postman.deliver(parts) == 0
    parts.now.pass_by(LEASE)
    assert postman.deliver(parts) == 2
    assert len(smtp_server.mails) == 2


def test_a_question_that_was_answered_meanwhile_is_not_sent(parts, smtp_server):
    game_id = start_game(parts)
    pass_all(parts, game_id)
    postman.deliver(parts)
    passes = [letter for letter in letters(parts, LetterKind.PASS) if letter.hand == 1]
    assert {letter.state for letter in passes} == {LetterState.SUPERSEDED}
    assert not [mail for mail in smtp_server.mails if "pass to" in mail.subject]


def test_an_invitation_to_a_chair_that_was_given_away_is_not_sent(parts, smtp_server):
    table_id = open_table(parts, NAMES[:2], robots=2)
    seating.refill(parts, seat_link(parts, table_id, 0), 1, None, parts.now())
    postman.deliver(parts)
    assert not smtp_server.to(address("Bo"))


def test_a_4xx_waits_and_tries_again_with_growing_pauses(parts, smtp_server):
    smtp_server.refuse[address("Bo")] = "450 mailbox busy"
    open_table(parts, NAMES[:2], robots=2)
    pauses = []
    for _ in SLOW:
        postman.deliver(parts)
        (letter,) = due_letters(parts, LetterKind.INVITATION)
        assert (letter.state, letter.problem) == (LetterState.OWED, "450 mailbox busy")
        pauses.append(letter.next_at - parts.now())
        parts.now.pass_by(pauses[-1])
    assert pauses == sorted(pauses)
    assert all(pause <= waited <= pause * 1.2 for pause, waited in zip(SLOW, pauses, strict=True))
    del smtp_server.refuse[address("Bo")]
    postman.deliver(parts)
    assert len(smtp_server.to(address("Bo"))) == 1


def test_a_5xx_stops_and_keeps_what_the_relay_said(parts, smtp_server):
    smtp_server.refuse[address("Bo")] = "550 no such person"
    open_table(parts, NAMES[:2], robots=2)
    postman.deliver(parts)
    (letter,) = due_letters(parts, LetterKind.INVITATION)
    assert (letter.state, letter.problem, letter.next_at) == (LetterState.FAILED, "550 no such person", None)
    assert len(smtp_server.to(address("Ann"))) == 1, "one refusal does not hold up the others"


def test_a_relay_that_is_down_costs_time_and_nothing_else(parts, smtp_server):
    down = with_relay(parts, f"smtp://127.0.0.1:{free_port()}")
    open_table(parts, NAMES[:2], robots=2)
    postman.deliver(down)
    assert states(parts) == {LetterState.OWED: 2}
    parts.now.pass_by(QUICK[0] * 2)
    postman.deliver(parts)
    assert states(parts) == {LetterState.SENT: 2}


def test_after_days_of_silence_a_letter_is_given_up(parts):
    down = with_relay(parts, f"smtp://127.0.0.1:{free_port()}")
    open_table(parts, NAMES[:2], robots=2)
    parts.now.pass_by(GIVE_UP_AFTER + timedelta(seconds=1))
    postman.deliver(down)
    assert states(parts) == {LetterState.FAILED: 2}


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
    assert [letter.message for letter in due_letters(parts)] == [None, None]


def test_the_host_sees_whose_mail_was_refused(parts, smtp_server):
    smtp_server.refuse[address("Bo")] = "550 no such person"
    table_id = open_table(parts, NAMES[:2], robots=2)
    page = make_site(parts).test_client()
    mine = parts.signer.local_url(seat_link(parts, table_id, 0))
    assert "cannot be reached by mail" not in page.get(mine).text
    postman.deliver(parts)
    assert "cannot be reached by mail" in page.get(mine).text
    seating.refill(parts, seat_link(parts, table_id, 0), 1, Chair("Cy", address("Cy")), parts.now())
    postman.deliver(parts)
    assert "cannot be reached by mail" not in page.get(mine).text
