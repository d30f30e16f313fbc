"""Outgoing letters: the relay's response decides what happens next, and nothing is lost or sent under two ids."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from tests.cast import NAMES, address, first_letters, letters, open_table, seat_link, start_game
from tests.languages import catalogues
from tests.mailing import player_id
from tests.servers import free_port
from tests.sites import site_of
from tests.worker.scripted import with_relay
from webapp.forms.opening import NewSeat
from webapp.models import LetterKind, LetterState, PlayerRow
from webapp.tables import seating
from worker import postman
from worker.attempts import GIVE_UP_ON_US_AFTER, SLOW


def due_letters(runtime, kind=None):
    return [letter for letter in first_letters(runtime) if kind in (None, letter.kind)]


def states(runtime):
    return Counter(letter.state for letter in due_letters(runtime))


def test_a_queued_letter_is_sent_once(runtime, smtp_server):
    open_table(runtime, NAMES[:2], robots=2)
    postman.deliver(runtime)
    assert postman.deliver(runtime) == 0
    assert [(mail.to, mail.subject) for mail in smtp_server.mails] == [
        (address("Ann"), "Confirm your table"),
        (address("Bo"), "Ann invites you to a game of Hearts by mail"),
    ]
    assert states(runtime) == {LetterState.SENT: 2}


def test_a_mail_has_the_headers_that_keep_machines_from_answering(runtime, smtp_server):
    start_game(runtime)
    postman.deliver(runtime)
    message = smtp_server.mails[-1].message
    assert message["From"] == "Hearts by Mail <hearts@hearts.localhost>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "OOF, NRN, AutoReply, RN"
    assert message["Message-ID"].endswith("@hearts.localhost>")
    assert message["Date"]


def speak(runtime, **languages):
    with runtime.database.writing() as session:
        for name, language in languages.items():
            session.get_one(PlayerRow, player_id(runtime, name)).language = language


def test_each_mail_is_in_the_language_of_its_reader(runtime, smtp_server, tmp_path):
    start_game(runtime)
    speak(runtime, Ann="ar", Bo="fr")
    with catalogues(tmp_path, {"ar": {}, "fr": {}}):
        postman.deliver(runtime)
    found = {name: smtp_server.to(address(name))[-1].message for name in ("Ann", "Bo")}
    assert {name: mail["Content-Language"] for name, mail in found.items()} == {"Ann": "ar", "Bo": "fr"}
    opened = {name: mail.get_body("html").get_content() for name, mail in found.items()}
    assert '<html lang="ar" dir="rtl">' in opened["Ann"]
    assert '<html lang="fr">' in opened["Bo"]


def test_a_reader_of_a_language_without_catalogue_gets_english(runtime, smtp_server):
    start_game(runtime)
    speak(runtime, Ann="eo")
    postman.deliver(runtime)
    assert smtp_server.to(address("Ann"))[-1].message["Content-Language"] == "en"


def test_a_games_mails_to_one_player_form_a_thread(runtime, smtp_server):
    table = start_game(runtime, NAMES[:1], robots=3)
    table.play_for_absent()
    for _ in range(3):
        postman.deliver(runtime)
        table.miss_deadline()
    postman.deliver(runtime)
    first, *others = [letter for letter in letters(runtime) if letter.game_id and letter.sent_at]
    assert others
    assert first.thread_id is None
    assert {letter.thread_id for letter in others} == {first.message_id}


def test_two_workers_on_one_outbox_send_each_letter_once(runtime, smtp_server):
    for _ in range(10):
        start_game(runtime)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: postman.deliver(runtime), range(4)))
    ids = [mail.message["Message-ID"] for mail in smtp_server.mails]
    assert len(ids) == len(set(ids))
    assert set(states(runtime)) == {LetterState.SENT, LetterState.SUPERSEDED}


def test_a_4xx_is_retried_with_growing_pauses(runtime, smtp_server):
    smtp_server.refuse[address("Bo")] = "450 mailbox busy"
    open_table(runtime, NAMES[:2], robots=2)
    pauses = []
    for _ in SLOW:
        postman.deliver(runtime)
        (letter,) = due_letters(runtime, LetterKind.INVITATION)
        assert (letter.state, letter.problem) == (LetterState.QUEUED, "450 mailbox busy")
        pauses.append(letter.next_at - runtime.now())
        runtime.now.pass_by(pauses[-1])
    assert pauses == sorted(pauses)
    assert all(pause <= waited <= pause * 1.2 for pause, waited in zip(SLOW, pauses, strict=True))
    del smtp_server.refuse[address("Bo")]
    postman.deliver(runtime)
    assert len(smtp_server.to(address("Bo"))) == 1


def test_after_weeks_without_a_relay_a_letter_is_given_up(runtime):
    down = with_relay(runtime, f"smtp://127.0.0.1:{free_port()}")
    open_table(runtime, NAMES[:2], robots=2)
    runtime.now.pass_by(GIVE_UP_ON_US_AFTER + timedelta(seconds=1))
    postman.deliver(down)
    assert states(runtime) == {LetterState.FAILED: 2}


def test_the_host_sees_whose_mail_was_refused(runtime, smtp_server):
    smtp_server.refuse[address("Bo")] = "550 no such person"
    table_id = open_table(runtime, NAMES[:2], robots=2)
    page = site_of(runtime).test_client()
    mine = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    assert "cannot be reached by mail" not in page.get(mine).text
    postman.deliver(runtime)
    assert "cannot be reached by mail" in page.get(mine).text
    seating.refill(runtime, seat_link(runtime, table_id, 0), 1, NewSeat("Cy", address("Cy")), runtime.now())
    postman.deliver(runtime)
    assert "cannot be reached by mail" not in page.get(mine).text
