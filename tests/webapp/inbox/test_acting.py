"""A reply has the effect of the button on the page, by the same path, once; and who is answered, how often."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from hearts.cards import card_text, parse_card
from hearts.game import legal
from hearts.seats import Seat
from hearts.turns import Pass, Play
from tests.answers import (
    answer,
    answered,
    first_cards,
    inbound,
    leader_after_pass,
    mail,
    player,
    question,
    send,
    typed_turns,
)
from tests.cast import NAMES, PACE, address, dump, letters, load, open_table, seats, start_game
from webapp import service
from webapp.games.due import answer_to, due_of
from webapp.inbox import acting, answering, receiving
from webapp.inbox.acting import process_inbound
from webapp.inbox.answering import AT_MOST, WITHIN
from webapp.models import LetterKind, LetterRow, LetterState, TurnSource
from webapp.players import preferences
from worker import postman
from worker.mail import compose

DAEMON = "From: MAILER-DAEMON@mx.example.org\nSubject: Undelivered Mail\nContent-Type: multipart/report; "
REPORT = (
    DAEMON + 'report-type=delivery-status; boundary="b"\n\n--b\nContent-Type: text/plain\n\nSorry.\n'
    "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n"
    "Final-Recipient: rfc822; {address}\nAction: failed\nStatus: 5.1.1\n\n--b--\n"
)


@pytest.fixture
def game_id(either_runtime):
    return start_game(either_runtime)


@pytest.fixture
def leads(runtime):
    """A game in which a player must choose a card: its id, their name, the letter to them, and their legal cards."""
    game_id = start_game(runtime)
    name = NAMES[leader_after_pass(runtime, game_id)]
    return game_id, name, question(runtime, name), codes(runtime, game_id)


def codes(runtime, game_id):
    game = load(runtime, game_id).game
    return [card_text(card) for card in legal(game, game.to_act[0])]


def typed_pass(runtime, game_id, seat=0):
    return " ".join(card_text(card) for card in first_cards(runtime, game_id, seat))


# turns


def test_cards_typed_in_a_reply_are_passed(either_runtime, game_id):
    cards = first_cards(either_runtime, game_id, 0)
    row = answer(either_runtime, question(either_runtime, "Ann"), mail("Ann", typed_pass(either_runtime, game_id)))
    (record,) = typed_turns(either_runtime, game_id)
    assert (record.turn.seat, list(record.turn.cards)) == (0, cards)
    assert (row.taken_for, row.outcome, row.next_at) == ("pass", "It was played.", None)
    assert row.handled_at == either_runtime.now()
    assert answered(either_runtime) == [], "the next turn's mail says it"


def test_a_card_typed_in_a_reply_is_played(runtime, leads):
    game_id, name, letter, may_play = leads
    row = answer(runtime, letter, mail(name, f"{may_play[-1].lower()}\n\nCheers\n"))
    (record,) = typed_turns(runtime, game_id)
    assert record.turn == Play(Seat(letter.seat), parse_card(may_play[-1]))
    assert row.taken_for == "move"


def test_a_reply_counts_as_activity(runtime, leads):
    _, name, letter, may_play = leads
    runtime.now.pass_by(timedelta(hours=1))
    assert player(runtime, name).seen_at != runtime.now()
    answer(runtime, letter, mail(name, may_play[0]))
    assert player(runtime, name).seen_at == runtime.now()


def test_a_reply_to_our_answer_plays_too(runtime, leads):
    game_id, name, letter, may_play = leads
    answer(runtime, letter, mail(name, "What a lovely hand"))
    (ours,) = letters(runtime, LetterKind.ANSWER)
    answer(runtime, ours, mail(name, may_play[0]))
    assert len(typed_turns(runtime, game_id)) == 1


def test_a_reply_of_ok_plays_nothing_while_there_is_a_choice(runtime, leads):
    game_id, name, letter, _ = leads
    answer(runtime, letter, mail(name, "ok"))
    assert typed_turns(runtime, game_id) == []
    assert answered(runtime) == ["unclear"]


def test_an_empty_reply_plays_nothing_whatever_it_quotes(runtime, leads):
    game_id, name, letter, may_play = leads
    postman.deliver(runtime)
    (sent,) = [one for one in letters(runtime) if one.id == letter.id]
    quoted = "\n".join(f"> {line}" for line in sent.message.splitlines())
    row = answer(runtime, letter, mail(name, f"\n\nOn Monday, Hearts by Mail wrote:\n{quoted}\n> {may_play[0]}\n"))
    assert (row.taken_for, typed_turns(runtime, game_id)) == ("quoted-only", [])


# one turn, one record


def test_two_workers_process_one_mail_once(either_runtime, game_id):
    inbound_id = send(either_runtime, question(either_runtime, "Ann"), mail("Ann", typed_pass(either_runtime, game_id)))
    with ThreadPoolExecutor(4) as pool:
        seen = list(pool.map(lambda _: process_inbound(either_runtime), range(4)))
    assert sum(seen) == 1, "a mail is claimed by one of them"
    assert len(typed_turns(either_runtime, game_id)) == 1
    assert inbound(either_runtime, inbound_id).outcome == "It was played."


def test_a_reply_and_a_click_at_once_make_one_turn(either_runtime, game_id):
    """Ann types one thing and clicks another, at the same moment."""
    send(either_runtime, question(either_runtime, "Ann"), mail("Ann", typed_pass(either_runtime, game_id)))
    game = load(either_runtime, game_id).game
    others = type(game.held[0]).of(list(game.held[0])[-3:])
    turn = Pass(Seat(0), others)

    def click():
        try:
            service.take_turn(
                either_runtime, game_id, due_of(game, Seat(0)), turn, TurnSource.LINK, either_runtime.now()
            )
        except service.TurnOver:
            return "too late"
        return "in time"

    with ThreadPoolExecutor(2) as pool:
        clicked, _ = pool.submit(click), pool.submit(process_inbound, either_runtime).result()
    mine = [record for record in load(either_runtime, game_id).records if getattr(record.turn, "seat", None) == 0]
    assert [record.source for record in mine] == [
        TurnSource.LINK if clicked.result() == "in time" else TurnSource.REPLY
    ]
    assert answered(either_runtime) == (["over pass"] if clicked.result() == "in time" else [])


def test_processing_the_same_mail_again_changes_nothing(either_runtime, game_id):
    letter, raw = (
        question(either_runtime, "Ann"),
        mail("Ann", typed_pass(either_runtime, game_id), Message_ID="<1@home>"),
    )
    first = answer(either_runtime, letter, raw)
    before = dump(either_runtime)
    assert answer(either_runtime, letter, raw).id == first.id
    assert dump(either_runtime) == before


def test_repeating_the_card_in_another_mail_is_no_mistake(runtime, leads):
    game_id, name, letter, may_play = leads
    for number in (1, 2):
        answer(runtime, letter, mail(name, may_play[0], Message_ID=f"<{number}@home>"))
    assert len(typed_turns(runtime, game_id)) == 1
    assert answered(runtime) == []


def test_a_worker_killed_between_acting_and_storing_leaves_one_turn(either_runtime, game_id, monkeypatch):
    inbound_id = send(either_runtime, question(either_runtime, "Ann"), mail("Ann", typed_pass(either_runtime, game_id)))

    class Killed(BaseException):
        """No handler of ours catches it, as none catches a kill by the kernel."""

    def die(*_):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(acting, "_record", die)
        with pytest.raises(Killed):
            process_inbound(either_runtime)
    assert len(typed_turns(either_runtime, game_id)) == 1
    assert process_inbound(either_runtime) == 0, "until the lease is over it belongs to the dead worker"
    either_runtime.now.pass_by(receiving.LEASE)
    process_inbound(either_runtime)
    assert len(typed_turns(either_runtime, game_id)) == 1
    assert inbound(either_runtime, inbound_id).outcome == "It was played already."
    assert answered(either_runtime) == []


def test_a_mail_that_cannot_be_processed_delays_no_other(runtime, leads, monkeypatch):
    _, name, letter, may_play = leads
    bad = send(runtime, letter, mail(name, "one"))
    good = send(runtime, letter, mail(name, may_play[0]))
    real = acting.read
    monkeypatch.setattr(acting, "read", lambda raw, *rest: real(raw, *rest) if b"one" not in raw else 1 / 0)
    process_inbound(runtime)
    assert inbound(runtime, good).outcome == "It was played."
    pauses = []
    for _ in range(4):
        row = inbound(runtime, bad)
        assert row.handled_at is None
        pauses.append(row.next_at - runtime.now())
        runtime.now.pass_by(pauses[-1])
        assert process_inbound(runtime) == 1
    assert pauses == [receiving.LEASE * factor for factor in (1, 1, 2, 4)]
    monkeypatch.undo()
    runtime.now.pass_by(timedelta(days=1))
    process_inbound(runtime)
    assert inbound(runtime, bad).taken_for == "garbage", "it is processed as soon as possible"


# which senders are believed, and which are answered


@pytest.mark.parametrize(
    ("raw", "taken_for"),
    [
        pytest.param(mail("Eve", "{card}"), "spoof", id="a stranger"),
        pytest.param(
            mail("Ann", "{card}", Authentication_Results="hearts.localhost; dmarc=fail"), "spoof", id="by our server"
        ),
        pytest.param(mail("Ann", "{card}", Auto_Submitted="auto-replied (vacation)"), "autoreply", id="a vacation"),
        pytest.param(mail("Ann", "Back on Monday", Subject="Automatic reply: Your turn"), "autoreply", id="by subject"),
        pytest.param(mail("Ann", "{card}", List_Id="<hearts.example.org>"), "autoreply", id="a list"),
        pytest.param(REPORT.format(address=address("Ann")).encode(), "bounce", id="a report"),
    ],
)
def test_mails_from_machines_and_impostors_play_nothing_and_get_no_answer(runtime, raw, taken_for):
    game_id = start_game(runtime)
    raw = raw.replace(b"{card}", typed_pass(runtime, game_id).encode())
    letter, before = question(runtime, "Ann"), dump(runtime)
    row = answer(runtime, letter, raw)
    assert row.taken_for == taken_for
    assert dump(runtime) | {"inbound": None} == before | {"inbound": None}


def test_the_null_sender_is_never_answered(runtime, leads):
    game_id, name, letter, may_play = leads
    answer(runtime, letter, mail(name, may_play[0]), sender="<>")
    assert (typed_turns(runtime, game_id), answered(runtime)) == ([], [])


def test_another_players_reply_address_opens_nothing(runtime, leads):
    """Bo has seen the address in a forwarded mail."""
    game_id, name, letter, may_play = leads
    other = next(one for one in NAMES if one != name)
    row = answer(runtime, letter, mail(other, may_play[0]))
    assert (row.taken_for, typed_turns(runtime, game_id), answered(runtime)) == ("spoof", [], [])


def test_each_different_fault_of_a_reply_is_answered_once_a_turn(runtime, leads):
    _, name, letter, _ = leads
    for number, typed in enumerate(("Which one would you take?", "Hello?", "QS", "QS")):
        answer(runtime, letter, mail(name, typed, Message_ID=f"<{number}@example.org>"))
    assert answered(runtime) == ["unclear", "illegal QS"]


def test_every_request_for_help_is_answered_and_hides_no_later_fault(runtime):
    start_game(runtime)
    letter = question(runtime, "Ann")
    for number, typed in enumerate(("help", "help", "4D", "4D 5D", "4D")):
        answer(runtime, letter, mail("Ann", typed, Message_ID=f"<{number}@example.org>"))
    assert answered(runtime) == ["help", "help", "unclear", "unclear"], "one card, and two, are not three"


def test_a_player_gets_at_most_ten_answers_a_day(runtime):
    for _ in range(AT_MOST + 1):
        start_game(runtime)
    for letter in letters(runtime, LetterKind.PASS):
        if letter.player_id == player(runtime, "Ann").id:
            answer(runtime, letter, mail("Ann", "What now?"))
    assert answered(runtime) == ["unclear"] * AT_MOST
    runtime.now.pass_by(WITHIN)
    answer(runtime, question(runtime, "Ann"), mail("Ann", "And now?"))
    assert len(answered(runtime)) == AT_MOST + 1


def test_two_mails_at_once_do_not_exceed_the_daily_limit_of_answers(either_runtime, monkeypatch):
    for _ in range(AT_MOST + 2):
        start_game(either_runtime)
    for letter in letters(either_runtime, LetterKind.PASS):
        if letter.player_id == player(either_runtime, "Ann").id:
            send(either_runtime, letter, mail("Ann", "What now?"))
    counts = answering._has_enough

    def counts_slowly(*args):
        enough = counts(*args)
        time.sleep(0.1)  # in which another worker could count the same
        return enough

    monkeypatch.setattr(answering, "_has_enough", counts_slowly)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: process_inbound(either_runtime), range(4)))
    assert len(answered(either_runtime)) == AT_MOST


def test_our_answer_goes_to_the_players_own_address_in_the_same_thread(runtime, leads):
    _, name, letter, _ = leads
    postman.deliver(runtime)
    answer(runtime, letter, mail(name, "Hm", Reply_To="eve@example.org", Return_Path="<eve@example.org>"))
    postman.deliver(runtime)
    (ours,) = letters(runtime, LetterKind.ANSWER)
    assert ours.state is LetterState.KEPT
    assert f"<{address(name)}>" in ours.message.split("\n\n")[0]
    assert ours.thread_id == (letter.thread_id or letter.message_id)
    assert "eve@" not in ours.message


# our answers


def said(runtime):
    """Subject and text of our only answer."""
    (ours,) = letters(runtime, LetterKind.ANSWER)
    with runtime.database.reading() as session:
        composed = compose(runtime, session, ours)
    return composed["Subject"], composed.get_body(("plain",)).get_content()


def test_help_shows_the_legal_cards_with_links(runtime, leads):
    _, name, letter, may_play = leads
    answer(runtime, letter, mail(name, "help"))
    subject, text = said(runtime)
    assert subject == "How to answer by mail"
    assert all(f"?card={code}" in text for code in may_play)
    assert f"such as {may_play[0]}" in text


def test_the_instructions_in_the_answer_fit_the_question(runtime):
    game_id = start_game(runtime)
    letter = question(runtime, "Ann")
    answer(runtime, letter, mail("Ann", "Which three?"))
    subject, text = said(runtime)
    assert subject == "We couldn't read your answer"
    assert "The first line that you write must be three cards to pass, and nothing else." in text
    assert f"such as {typed_pass(runtime, game_id)}," in text


def test_a_player_who_is_asked_nothing_reads_whose_turn_it_is(runtime):
    game_id = start_game(runtime)
    letter = question(runtime, "Ann")
    answer(runtime, letter, mail("Ann", typed_pass(runtime, game_id)))
    answer(runtime, letter, mail("Ann", "And now?"))
    text = said(runtime)[1]
    assert "Nothing is asked of you just now." in text
    assert "Waiting for Bo, Cy and Di." in text
    assert "?card=" not in text


def test_the_answer_to_an_illegal_card_says_why(runtime, leads):
    game_id, name, letter, _ = leads
    held = {card_text(card) for card in load(runtime, game_id).game.held[letter.seat]}
    (foreign, *_) = sorted({"2H", "3H", "4H", "5H", "6H"} - held)
    row = answer(runtime, letter, mail(name, foreign))
    assert (row.taken_for, row.outcome) == ("move", "The rules do not allow it.")
    assert answered(runtime) == [f"illegal {foreign}"]
    subject, text = said(runtime)
    assert "may not be played now" in subject
    assert "is not in your hand" in text
    assert "Nothing was played." in text


def test_the_answer_to_a_late_reply_says_what_was_played(runtime, leads):
    game_id, name, letter, may_play = leads
    runtime.now.pass_by(PACE * 2)
    service.play_for_absent(runtime, game_id)
    record = answer_to(load(runtime, game_id).records, Seat(letter.seat), due := acting.Due(1, "trick 1"))
    other = next(code for code in may_play if parse_card(code) != record.turn.card)
    for number in (1, 2):
        answer(runtime, letter, mail(name, other, Message_ID=f"<{number}@home>"))
    assert answered(runtime) == [f"over {due.what}"], "said once"
    assert "The deadline was over. We played" in said(runtime)[1]


def test_the_answer_to_a_late_reply_tells_an_away_player_how_to_come_back(runtime):
    game_id = start_game(runtime)
    letter, cards = question(runtime, "Ann"), typed_pass(runtime, game_id)
    preferences.set_away(runtime, letter.table_id, 0, away=True, now=runtime.now())
    service.play_for_absent(runtime, game_id)
    (mine,) = [one.turn for one in load(runtime, game_id).records if getattr(one.turn, "seat", None) == 0]
    other = " ".join(card_text(card) for card in list(load(runtime, game_id).game.held[0] - mine.cards)[-3:])
    answer(runtime, letter, mail("Ann", other if other != cards else cards))
    assert answered(runtime) == ["over pass"]
    assert 'Answer "back" to this mail' in said(runtime)[1]


# words


def test_away_and_back_take_effect_and_are_confirmed(either_runtime, game_id):
    letter = question(either_runtime, "Ann")
    answer(either_runtime, letter, mail("Ann", "away"))
    assert seats(either_runtime, letter.table_id)[0].away
    answer(either_runtime, letter, mail("Ann", "back"))
    assert not seats(either_runtime, letter.table_id)[0].away
    assert answered(either_runtime) == ["away", "back"]


@pytest.mark.parametrize(("word", "asking"), [("ask", "ask"), ("same", "same"), ("matters", "matters")])
def test_a_reply_changes_the_plan_and_is_confirmed(either_runtime, game_id, word, asking):
    letter = question(either_runtime, "Ann")
    answer(either_runtime, letter, mail("Ann", f"Plan {word}, please"))
    assert seats(either_runtime, letter.table_id)[0].plan["asking"] == asking
    assert answered(either_runtime) == ["plan"]


def test_a_robot_plays_one_hand_for_a_player_who_replies_so(runtime):
    game_id = start_game(runtime)
    answer(runtime, question(runtime, "Ann"), mail("Ann", "plan robot"))
    service.play_for_absent(runtime, game_id)
    (mine,) = [one for one in load(runtime, game_id).records if getattr(one.turn, "seat", None) == 0]
    assert mine.source is TurnSource.PLAN
    assert "A robot plays this hand." in said(runtime)[1]
    assert not seats(runtime, load(runtime, game_id).row.table_id)[0].away


def test_a_reply_of_plan_alone_changes_nothing_and_is_answered(runtime):
    start_game(runtime)
    letter = question(runtime, "Ann")
    answer(runtime, letter, mail("Ann", "plan"))
    assert seats(runtime, letter.table_id)[0].plan is None
    assert answered(runtime) == ["unclear"]


def test_a_robot_plays_at_once_for_a_player_who_replies_away(runtime):
    game_id = start_game(runtime)
    answer(runtime, question(runtime, "Ann"), mail("Ann", "Away."))
    service.play_for_absent(runtime, game_id)
    (mine,) = [one for one in load(runtime, game_id).records if getattr(one.turn, "seat", None) == 0]
    assert mine.source is TurnSource.ORDER
    assert "a robot plays your turns at once" in said(runtime)[1]


def test_a_reply_of_stop_mutes_the_table_and_is_confirmed(either_runtime, game_id):
    letter = question(either_runtime, "Ann")
    answer(either_runtime, letter, mail("Ann", "STOP"))
    ann = seats(either_runtime, letter.table_id)[0]
    assert (ann.away, ann.mails) == (True, False)
    assert answered(either_runtime) == ["stopped"]
    postman.deliver(either_runtime)
    (ours,) = letters(either_runtime, LetterKind.ANSWER)
    assert ours.state is LetterState.KEPT, "the last mail of the table, with the way back"
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


def test_a_mail_to_the_unsubscribe_address_mutes_the_table_without_a_confirmation(runtime):
    start_game(runtime)
    letter = question(runtime, "Ann")
    send(runtime, letter, mail("Ann", ""), to="u")
    process_inbound(runtime)
    ann = seats(runtime, letter.table_id)[0]
    assert (ann.away, ann.mails, answered(runtime)) == (True, False, [])


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
def test_a_complaint_silences_the_address_and_ends_the_wait_for_its_player(runtime, kind, is_silent):
    start_game(runtime)
    letter = question(runtime, "Bo")
    postman.deliver(runtime)
    with runtime.database.writing() as session:
        session.get_one(LetterRow, letter.id).state = LetterState.SENT  # as it would be with a relay
    send(runtime, letter, COMPLAINT.format(kind=kind).encode(), sender="reports@mailprovider.example", to="b")
    process_inbound(runtime)
    assert (player(runtime, "Bo").unreachable_at is not None, seats(runtime, letter.table_id)[1].away) == (
        is_silent,
    ) * 2
    assert answered(runtime) == []


def test_a_vacation_note_to_the_bounce_address_counts_for_nothing(runtime):
    start_game(runtime)
    letter = question(runtime, "Bo")
    row_id = send(runtime, letter, mail("Bo", "I am away until Monday", Auto_Submitted="auto-replied"), "<>", to="b")
    process_inbound(runtime)
    assert inbound(runtime, row_id).taken_for == "autoreply"
    assert player(runtime, "Bo").bounce_score == 0
    assert not seats(runtime, letter.table_id)[1].away, "the mail program says so, not the player"
