"""A reply has the effect of the button on the page, by the same path, once; and whose mails have none."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from time import sleep

import pytest
from sqlmodel import update

from hearts.cards import parse_card
from hearts.seats import Seat
from hearts.turns import Pass, Play
from tests.answers import (
    answer,
    answered,
    codes,
    first_cards,
    inbound,
    leader_after_pass,
    mail,
    player,
    question,
    said,
    send,
    typed_pass,
    typed_turns,
)
from tests.cast import NAMES, address, dump, letters, open_table, seats, start_game
from tests.languages import catalogues
from tests.races import at_once
from tests.runtimes import make_runtime
from tests.webapp.tables.hosted import take_at_once
from webapp.accounts import sign_ins
from webapp.core.addresses import Purpose
from webapp.core.say import spoken
from webapp.games.asked.due import due_of
from webapp.inbox import acting, receiving
from webapp.inbox.acting import process_inbound
from webapp.inbox.finding import reported_by
from webapp.migrations import upgrade
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow, TurnSource
from webapp.play import taking
from webapp.players import preferences
from webapp.presentation.faces import face
from worker import postman

DAEMON = "From: MAILER-DAEMON@mx.example.org\nSubject: Undelivered Mail\nContent-Type: multipart/report; "
REPORT = (
    DAEMON + 'report-type=delivery-status; boundary="b"\n\n--b\nContent-Type: text/plain\n\nSorry.\n'
    "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n"
    "Final-Recipient: rfc822; {address}\nAction: failed\nStatus: 5.1.1\n\n--b--\n"
)


@pytest.fixture
def table(either_runtime):
    return start_game(either_runtime)


# turns


def test_cards_typed_in_a_reply_are_passed(either_runtime, table):
    cards = first_cards(table, 0)
    row = answer(either_runtime, question(either_runtime, "Ann"), mail("Ann", typed_pass(table)))
    (record,) = typed_turns(table)
    assert (record.turn.seat, list(record.turn.cards)) == (0, cards)
    shown = " ".join(face(card).text for card in cards)
    assert (row.taken_for, row.outcome, row.next_at) == ("pass", f"You passed {shown} in hand 1.", None)
    assert row.handled_at == either_runtime.now()
    assert answered(either_runtime) == [], "the next turn's mail says it"


def test_a_card_typed_in_a_reply_is_played(runtime, leads):
    table, name, letter, may_play = leads
    row = answer(runtime, letter, mail(name, f"{may_play[-1].lower()}\n\nCheers\n"))
    (record,) = typed_turns(table)
    assert record.turn == Play(Seat(letter.seat), parse_card(may_play[-1]))
    assert row.taken_for == "move"
    assert answered(runtime) == [], "a single word is no talk"


def test_words_below_a_card_get_one_answer_a_game(runtime):
    table = start_game(runtime)
    answer(runtime, question(runtime, "Ann"), mail("Ann", f"{typed_pass(table)}\n\nhi all"))
    assert answered(runtime) == ["words"]
    leader_after_pass(table)
    while 0 not in table.game.to_act:
        table.play_first()
    answer(runtime, question(runtime, "Ann"), mail("Ann", f"{codes(table)[0]}\nsee you tomorrow"))
    assert len(typed_turns(table)) == 2
    assert answered(runtime) == ["words"]


def test_a_reply_counts_as_activity(runtime, leads):
    _, name, letter, may_play = leads
    runtime.now.pass_by(timedelta(hours=1))
    assert player(runtime, name).seen_at != runtime.now()
    answer(runtime, letter, mail(name, may_play[0]))
    assert player(runtime, name).seen_at == runtime.now()


def test_a_reply_to_our_answer_plays_too(runtime, leads):
    table, name, letter, may_play = leads
    answer(runtime, letter, mail(name, "What a lovely hand"))
    (ours,) = letters(runtime, LetterKind.ANSWER)
    answer(runtime, ours, mail(name, may_play[0]))
    assert len(typed_turns(table)) == 1


def test_a_reply_of_ok_plays_nothing_given_a_choice(runtime, leads):
    table, name, letter, _ = leads
    answer(runtime, letter, mail(name, "ok"))
    assert typed_turns(table) == []
    assert answered(runtime) == ["unclear"]


def test_an_empty_reply_plays_nothing_whatever_it_quotes(runtime, leads):
    table, name, letter, may_play = leads
    postman.deliver(runtime)
    (sent,) = [one for one in letters(runtime) if one.id == letter.id]
    quoted = "\n".join(f"> {line}" for line in sent.message.splitlines())
    row = answer(runtime, letter, mail(name, f"\n\nOn Monday, Hearts by Mail wrote:\n{quoted}\n> {may_play[0]}\n"))
    assert (row.taken_for, typed_turns(table)) == ("quoted-only", [])


# one turn, one record


def test_two_workers_process_one_mail_once(either_runtime, table):
    inbound_id = send(either_runtime, question(either_runtime, "Ann"), mail("Ann", typed_pass(table)))
    with ThreadPoolExecutor(4) as pool:
        seen = list(pool.map(lambda _: process_inbound(either_runtime), range(4)))
    assert sum(seen) == 1, "an email is claimed by one of them"
    assert len(typed_turns(table)) == 1
    assert inbound(either_runtime, inbound_id).outcome.startswith("You passed ")


def test_a_reply_and_a_click_at_once_make_one_turn(either_runtime, table):
    """Ann types one thing and clicks another, at the same moment."""
    send(either_runtime, question(either_runtime, "Ann"), mail("Ann", typed_pass(table)))
    game = table.game
    others = type(game.held[0]).of(list(game.held[0])[-3:])
    turn = Pass(Seat(0), others)

    def click():
        try:
            taking.take_turn(
                either_runtime, table.game_id, due_of(game, Seat(0)), turn, TurnSource.LINK, either_runtime.now()
            )
        except taking.TurnOver:
            return "too late"
        return "in time"

    with ThreadPoolExecutor(2) as pool:
        clicked, _ = pool.submit(click), pool.submit(process_inbound, either_runtime).result()
    mine = [record for record in table.records if getattr(record.turn, "seat", None) == 0]
    assert [record.source for record in mine] == [
        TurnSource.LINK if clicked.result() == "in time" else TurnSource.REPLY
    ]
    assert answered(either_runtime) == (["over pass"] if clicked.result() == "in time" else [])


def test_processing_the_same_mail_again_changes_nothing(either_runtime, table):
    letter, raw = (
        question(either_runtime, "Ann"),
        mail("Ann", typed_pass(table), Message_ID="<1@home>"),
    )
    first = answer(either_runtime, letter, raw)
    before = dump(either_runtime)
    again = answer(either_runtime, letter, raw)
    assert (again.id, again.copies) == (first.id, 1)
    for rows in (before, after := dump(either_runtime)):
        del rows["inbound"]
    assert after == before


def test_repeating_the_card_in_another_mail_is_no_mistake(runtime, leads):
    table, name, letter, may_play = leads
    for number in (1, 2):
        answer(runtime, letter, mail(name, may_play[0], Message_ID=f"<{number}@home>"))
    assert len(typed_turns(table)) == 1
    assert answered(runtime) == []


def test_a_reply_is_answered_in_the_language_of_its_player(runtime, monkeypatch, tmp_path):
    start_game(runtime)
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, player(runtime, "Ann").id).language = "de"
    heard, real = [], acting.read
    monkeypatch.setattr(acting, "read", lambda *given: heard.append(spoken()) or real(*given))
    with catalogues(tmp_path, {"de": {}}):
        answer(runtime, question(runtime, "Ann"), mail("Ann", "help"))
    assert (heard, spoken()) == (["de"], "en")


def test_a_worker_killed_between_acting_and_storing_leaves_one_turn(either_runtime, table, monkeypatch):
    inbound_id = send(either_runtime, question(either_runtime, "Ann"), mail("Ann", typed_pass(table)))

    class Killed(BaseException):
        """No handler of ours catches it, as none catches a kill by the kernel."""

    def die(*_):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(acting, "_record", die)
        with pytest.raises(Killed):
            process_inbound(either_runtime)
    assert len(typed_turns(table)) == 1
    assert process_inbound(either_runtime) == 0, "until the lease is over it belongs to the dead worker"
    either_runtime.now.pass_by(receiving.LEASE)
    process_inbound(either_runtime)
    assert len(typed_turns(table)) == 1
    assert inbound(either_runtime, inbound_id).outcome == "You had played it already."
    assert answered(either_runtime) == []


def test_two_mails_of_a_player_are_acted_on_in_order(either_runtime, table, monkeypatch):
    letter, reading = question(either_runtime, "Ann"), acting.read
    sent = [
        send(either_runtime, letter, mail("Ann", word, Message_ID=f"<{word}@home>"), verdict="dmarc=pass")
        for word in ("away", "back")
    ]

    def slow(raw, *rest):
        sleep(0.3 * (b"away" in raw))  # meanwhile another worker may have the other mail
        return reading(raw, *rest)

    monkeypatch.setattr(acting, "read", slow)
    at_once(*[lambda: process_inbound(either_runtime)] * 2)
    assert [inbound(either_runtime, one).outcome for one in sent] == ["You are away.", "You are back."]
    assert not table.seats[0].away


def test_a_report_counts_only_where_the_envelope_sends_it(runtime):
    start_game(runtime)
    letter = question(runtime, "Ann")
    report = b"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/feedback-report\n\n"
    report += b"Feedback-Type: abuse\n\n--b--\n"
    for purpose in Purpose:
        row = receiving.receive(runtime, "", runtime.postmark.address(purpose, letter.id), report)
        process_inbound(runtime)
        counts = "counts only" not in inbound(runtime, row).outcome
        assert counts == (purpose in (Purpose.BOUNCE, Purpose.QUOTED)), inbound(runtime, row).outcome


@pytest.mark.parametrize("report", ["complaint", "no such user", "several days"])
def test_a_strangers_report_in_a_mailbox_harms_nobody(tmp_path, report):
    """Eve has Ann's letter by a forwarded mail, and so its Message-ID."""
    runtime = make_runtime(tmp_path / "var", reply_mailbox="hearts@example.org")
    table = start_game(runtime)
    for day in range(5 if report == "several days" else 1):
        letter = question(runtime, "Ann") if day == 0 else asked_again(runtime)
        postman.deliver(runtime)
        with runtime.database.writing() as session:
            row = session.get_one(LetterRow, letter.id)
            row.state, row.sent_at = LetterState.SENT, runtime.now()
        raw = COMPLAINT.format(kind="abuse") if report == "complaint" else REPORT.format(address=address("Ann"))
        raw = f"Return-Path: <>\n{raw}\nMessage-ID: {letter.message_id}\n".encode()
        with runtime.database.reading() as session:
            (recipient,) = reported_by(session, runtime, raw)
        receiving.receive(runtime, "", recipient, raw)
        runtime.now.pass_by(timedelta(days=1))
        assert process_inbound(runtime) == 1
        with runtime.database.reading() as session:
            assert session.get_one(LetterRow, letter.id).state is LetterState.SENT
    assert (player(runtime, "Ann").bounce_score, player(runtime, "Ann").unreachable_at) == (0, None)
    assert not table.seats[0].away
    runtime.database.engine.dispose()


def asked_again(runtime):
    """A letter to Ann of a new day, on which she has been here."""
    with runtime.database.writing() as session:
        session.exec(update(PlayerRow).where(PlayerRow.name == "Ann").values(seen_at=runtime.now()))
    sign_ins.request_sign_in(runtime, address("Ann"), runtime.now())
    return letters(runtime, LetterKind.SIGN_IN)[-1]


def test_a_mail_that_cannot_be_processed_delays_no_other(runtime, leads, monkeypatch):
    _, name, letter, may_play = leads
    bad = send(runtime, letter, mail(name, "one"))
    good = send(runtime, letter, mail(name, may_play[0]))
    real = acting.read
    monkeypatch.setattr(acting, "read", lambda raw, *rest: real(raw, *rest) if b"one" not in raw else 1 / 0)
    process_inbound(runtime)
    assert inbound(runtime, good).outcome.startswith("You played ")
    pauses = []
    for _ in range(4):
        row = inbound(runtime, bad)
        assert row.handled_at is None
        pauses.append(row.next_at - runtime.now())
        runtime.now.pass_by(pauses[-1])
        assert process_inbound(runtime) == 1
    assert pauses == [receiving.PUT_OFF * factor for factor in (1, 1, 2, 4)]
    monkeypatch.undo()
    runtime.now.pass_by(timedelta(days=1))
    process_inbound(runtime)
    assert inbound(runtime, bad).taken_for == "garbage", "it is processed as soon as possible"


# which senders are believed


@pytest.mark.parametrize(
    ("raw", "taken_for"),
    [
        pytest.param(
            mail("Ann", "{card}", Authentication_Results="hearts.localhost; dmarc=fail"), "spoof", id="by our server"
        ),
        pytest.param(mail("Ann", "{card}", Auto_Submitted="auto-replied (vacation)"), "autoreply", id="a vacation"),
        pytest.param(mail("Ann", "Back on Monday", Subject="Automatic reply: Your turn"), "autoreply", id="by subject"),
        pytest.param(mail("Ann", "{card}", List_Id="<hearts.example.org>"), "autoreply", id="a list"),
        pytest.param(REPORT.format(address=address("Ann")).encode(), "bounce", id="a report"),
    ],
)
def test_mails_from_machines_and_impostors_do_nothing_and_go_unanswered(runtime, raw, taken_for):
    table = start_game(runtime)
    raw = raw.replace(b"{card}", typed_pass(table).encode())
    letter, before = question(runtime, "Ann"), dump(runtime)
    row = answer(runtime, letter, raw)
    assert row.taken_for == taken_for
    assert dump(runtime) | {"inbound": None} == before | {"inbound": None}


def test_another_players_reply_address_opens_nothing(runtime, leads):
    """Bo has seen the address in a forwarded mail."""
    table, name, letter, may_play = leads
    other = next(one for one in NAMES if one != name)
    row = answer(runtime, letter, mail(other, may_play[0]))
    assert (row.taken_for, typed_turns(table)) == ("spoof", [])
    assert answered(runtime) == []
    (ours,) = letters(runtime, LetterKind.ANSWERED_FROM)
    assert (ours.player_id, ours.address) == (letter.player_id, address(name)), "only the player hears of it"


def test_an_answer_counts_from_an_address_its_player_added(runtime, leads):
    table, name, letter, may_play = leads
    work = {"From": "Desk@work.example"}
    answer(runtime, letter, mail(name, may_play[0], **work, Message_ID="<1@home>"))
    assert typed_turns(table) == []
    (asked,) = letters(runtime, LetterKind.ANSWERED_FROM)
    answer(runtime, asked, mail(name, "Yes"))
    assert answered(runtime) == ["counts"]
    answer(runtime, letter, mail("Eve", may_play[0]))
    assert typed_turns(table) == []
    answer(runtime, letter, mail(name, may_play[0], **work, Message_ID="<2@home>"))
    assert len(typed_turns(table)) == 1


def test_only_the_players_own_address_adds_another_one(runtime, leads):
    """Eve has the mail that asks, and an address that was added adds no further one, either."""
    table, name, letter, may_play = leads
    for sender in ("desk@work.example", "eve@example.com"):
        answer(runtime, letter, mail("Eve", may_play[0], From=sender))
    first, second = letters(runtime, LetterKind.ANSWERED_FROM)
    answer(runtime, first, mail(name, "yes"))
    for sender in ("eve@example.com", "desk@work.example"):
        assert answer(runtime, second, mail("Eve", "yes", From=sender)).taken_for == "spoof"
    answer(runtime, letter, mail("Eve", may_play[0], From="eve@example.com", Message_ID="<2@home>"))
    assert (typed_turns(table), answered(runtime)) == ([], ["counts"])


def test_a_no_ends_answers_from_another_address(runtime, leads):
    table, name, letter, may_play = leads
    answer(runtime, letter, mail(name, may_play[0], From="desk@work.example"))
    (asked,) = letters(runtime, LetterKind.ANSWERED_FROM)
    answer(runtime, asked, mail(name, "yes"))
    answer(runtime, asked, mail(name, "no"))
    answer(runtime, letter, mail(name, may_play[0], From="desk@work.example", Message_ID="<2@home>"))
    assert (typed_turns(table), answered(runtime)) == ([], ["counts", "counts_not"])


def test_anything_but_yes_or_no_about_another_address_changes_nothing(runtime, leads):
    _, name, letter, may_play = leads
    answer(runtime, letter, mail(name, may_play[0], From="desk@work.example"))
    (asked,) = letters(runtime, LetterKind.ANSWERED_FROM)
    answer(runtime, asked, mail(name, "Who is that?"))
    assert '"yes" or "no"' in said(runtime)[1]


# words


def test_away_to_a_day_is_confirmed_with_that_day(either_runtime, table):
    letter = question(either_runtime, "Ann")
    answer(either_runtime, letter, mail("Ann", "away 5 days"))
    row = seats(either_runtime, letter.table_id)[0]
    assert (row.away, row.away_until) == (True, datetime(2026, 3, 7, 23, tzinfo=UTC))
    postman.deliver(either_runtime)
    (told,) = letters(either_runtime, LetterKind.ANSWER)
    assert "until the end of Sat 7 March" in told.message.replace("=\n", "")


def test_away_and_back_take_effect_and_are_confirmed(either_runtime, table):
    letter = question(either_runtime, "Ann")
    answer(either_runtime, letter, mail("Ann", "away"))
    assert seats(either_runtime, letter.table_id)[0].away
    answer(either_runtime, letter, mail("Ann", "back"))
    assert not seats(either_runtime, letter.table_id)[0].away
    assert answered(either_runtime) == ["away", "back"]


@pytest.mark.parametrize("typed", ["Wait full, please", "wait 4 hours", "wait none", "plan ask", "plan robot"])
def test_a_reply_to_wait_learns_that_we_do(runtime, typed):
    table = start_game(runtime)
    turns = table.stored.turns
    answer(runtime, question(runtime, "Ann"), mail("Ann", typed), verdict=None)
    assert answered(runtime) == ["wait"]
    assert "Each question waits its full time for you" in " ".join(said(runtime)[1].split())
    assert table.stored.turns == turns


def test_a_reply_of_plan_alone_changes_nothing_and_is_answered(runtime):
    start_game(runtime)
    letter = question(runtime, "Ann")
    answer(runtime, letter, mail("Ann", "plan"))
    assert answered(runtime) == ["unclear"]


def test_a_robot_plays_at_once_after_a_reply_of_away(runtime):
    table = start_game(runtime)
    answer(runtime, question(runtime, "Ann"), mail("Ann", "Away."))
    table.play_for_absent()
    (mine,) = [one for one in table.records if getattr(one.turn, "seat", None) == 0]
    assert mine.source is TurnSource.AWAY
    assert "a robot plays your turns at once" in said(runtime)[1]


def test_a_reply_of_stop_mutes_the_table_and_is_confirmed(either_runtime, table):
    letter = question(either_runtime, "Ann")
    answer(either_runtime, letter, mail("Ann", "STOP"))
    ann = seats(either_runtime, letter.table_id)[0]
    assert (ann.away, ann.mails) == (False, False)
    assert answered(either_runtime) == []
    postman.deliver(either_runtime)
    (ours,) = letters(either_runtime, LetterKind.MUTED)
    assert ours.state is LetterState.KEPT, "the last email of the table, with the way back"
    answer(either_runtime, ours, mail("Ann", "back"))
    ann = seats(either_runtime, letter.table_id)[0]
    assert (ann.away, ann.mails) == (False, True)


def test_a_stranger_cannot_make_anybody_away(runtime):
    start_game(runtime)
    letter = question(runtime, "Ann")
    for word in ("away", "stop", "help"):
        answer(runtime, letter, mail("Eve", word))
    ann = seats(runtime, letter.table_id)[0]
    assert (ann.away, ann.mails, answered(runtime)) == (False, True, [])
    assert len(letters(runtime, LetterKind.ANSWERED_FROM)) == 1


def test_a_mail_to_the_unsubscribe_address_mutes_without_confirmation(runtime):
    start_game(runtime)
    letter = question(runtime, "Ann")
    send(runtime, letter, mail("Ann", ""), to="u")
    process_inbound(runtime)
    ann = seats(runtime, letter.table_id)[0]
    assert (ann.away, ann.mails, answered(runtime)) == (False, False, [])


def test_unsubscribing_from_an_invitation_by_mail_declines_it(runtime):
    open_table(runtime, NAMES[:2], robots=2)
    (invitation, *_) = letters(runtime, LetterKind.INVITATION)
    send(runtime, invitation, mail("Bo", "unsubscribe"), to="u")
    process_inbound(runtime)
    assert not player(runtime, "Bo").invitations
    assert preferences.preferences_of(player(runtime, "Bo")).invitations is False


def test_a_report_to_the_bounce_address_counts_against_the_address(runtime):
    start_game(runtime)
    letter = question(runtime, "Bo")
    postman.deliver(runtime)
    with runtime.database.writing() as session:
        session.get_one(LetterRow, letter.id).state = LetterState.SENT  # as it would be with a relay
    inbound_id = send(runtime, letter, REPORT.format(address=address("Bo")).encode(), sender="<>", to="b")
    process_inbound(runtime)
    assert inbound(runtime, inbound_id).taken_for == "bounce"
    with runtime.database.reading() as session:
        assert session.get_one(LetterRow, letter.id).state is LetterState.BOUNCED
    assert player(runtime, "Bo").unreachable_at == runtime.now()


@pytest.mark.parametrize(("sender", "counts"), [("<>", True), ("postmaster@mx.example.org", False)])
def test_a_note_that_names_nobody_counts_with_the_null_sender(runtime, sender, counts):
    start_game(runtime)
    letter = question(runtime, "Bo")
    postman.deliver(runtime)
    with runtime.database.writing() as session:
        session.get_one(LetterRow, letter.id).state = LetterState.SENT  # as it would be with a relay
    note = "From: MAILER-DAEMON <>\nSubject: failure notice\n\n550 5.1.1 Nobody here: unknown user\n"
    send(runtime, letter, note.encode(), sender=sender, to="b")
    process_inbound(runtime)
    assert (player(runtime, "Bo").unreachable_at is not None) is counts


COMPLAINT = """From: reports@mailprovider.example
To: hearts@hearts.example
Subject: FW: Your turn
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="=="

--==
Content-Type: text/plain

One of our users has reported this.
--==
Content-Type: message/feedback-report

Feedback-Type: {kind}
User-Agent: Example/1.0
Version: 1
--==--
"""


@pytest.mark.parametrize(("kind", "is_silent"), [("abuse", True), ("Fraud", True), ("not-spam", False)])
def test_a_complaint_silences_the_address_and_sets_nobody_away(runtime, kind, is_silent):
    start_game(runtime)
    letter = question(runtime, "Bo")
    postman.deliver(runtime)
    with runtime.database.writing() as session:
        session.get_one(LetterRow, letter.id).state = LetterState.SENT  # as it would be with a relay
    send(runtime, letter, COMPLAINT.format(kind=kind).encode(), sender="reports@mailprovider.example", to="b")
    process_inbound(runtime)
    assert (player(runtime, "Bo").unreachable_at is not None) is is_silent
    assert not seats(runtime, letter.table_id)[1].away, "one report alone sets nobody away"
    assert answered(runtime) == []


@pytest.mark.parametrize("mailbox", ["hearts+@example.org", "hearts@example.org"])
def test_a_report_of_any_form_is_one_in_a_mailbox(tmp_path, mailbox):
    runtime = make_runtime(tmp_path / "var", reply_mailbox=mailbox)
    start_game(runtime)
    text = b"From: mx@example.org\nSubject: Re: Your turn\n\nann@example.org: 550 5.1.1 no such user\n"
    inbound_id = send(runtime, question(runtime, "Ann"), text, sender="", to="b")
    process_inbound(runtime)
    assert inbound(runtime, inbound_id).taken_for == "bounce"
    runtime.database.engine.dispose()


@pytest.mark.parametrize(
    "then",
    [
        pytest.param({"reply_mailbox": "hearts+@mailbox.example"}, id="a mailbox"),
        pytest.param({"reply_mailbox": "hearts@mailbox.example"}, id="a mailbox without plus addresses"),
        pytest.param(
            {
                "reply_mailbox": "hearts+@mailbox.example",
                "inbox_url": "imaps://hearts@imap.mailbox.example",
                "reply_domain": "in.hearts.example.org",
            },
            id="a mailbox beside a domain",
        ),
        pytest.param({"reply_domain": "in.before.example"}, id="another domain"),
    ],
)
def test_answers_to_an_earlier_address_count_after_a_move(tmp_path, then):
    """An `inbox` with the earlier settings goes on to take them; the workers have the new ones."""
    before, now = (
        make_runtime(tmp_path / name, f"sqlite:///{tmp_path / 'before'}/hearts.db", secret_keys="k" * 40, **one)
        for name, one in (("before", then), ("now", {"reply_domain": "in.hearts.example.org"}))
    )
    upgrade(before.settings.database)
    table = start_game(now)
    to = before.postmark.address(Purpose.REPLY, question(now, "Ann").id)
    receiving.receive(before, address("Ann"), to, mail("Ann", typed_pass(table)))
    process_inbound(now)
    assert typed_turns(table)[-1].turn.seat == 0
    for runtime in (before, now):
        runtime.database.engine.dispose()


@pytest.mark.parametrize("report", [REPORT.format(address=address("Bo")), COMPLAINT.format(kind="abuse")])
def test_a_report_about_a_former_player_of_the_seat_counts(runtime, report):
    table = start_game(runtime)
    letter = question(runtime, "Bo")
    postman.deliver(runtime)
    with runtime.database.writing() as session:
        session.get_one(LetterRow, letter.id).state = LetterState.SENT  # as it would be with a relay
    take_at_once(table)
    send(runtime, letter, report.encode(), sender="<>", to="b")
    process_inbound(runtime)
    assert player(runtime, "Bo").unreachable_at == runtime.now()
    assert not any(seat.away for seat in seats(runtime, letter.table_id)), "nobody waits for Bo"


def test_a_vacation_note_to_the_bounce_address_counts_for_nothing(runtime):
    start_game(runtime)
    letter = question(runtime, "Bo")
    row_id = send(runtime, letter, mail("Bo", "I am away until Monday", Auto_Submitted="auto-replied"), "<>", to="b")
    process_inbound(runtime)
    assert inbound(runtime, row_id).taken_for == "autoreply"
    assert player(runtime, "Bo").bounce_score == 0
    assert not seats(runtime, letter.table_id)[1].away, "the mail program says so, not the player"


@pytest.mark.parametrize("typed", ["I can't today, sorry!", "2C 3C"], ids=["no answer", "a wrong one"])
def test_an_answer_in_vain_shows_that_its_mail_was_read(either_runtime, table, typed):
    letter = question(either_runtime, "Ann")
    either_runtime.now.pass_by(timedelta(hours=1))
    answer(either_runtime, letter, mail("Ann", typed))
    assert player(either_runtime, "Ann").seen_at == either_runtime.now()
