"""Bounces: what counts against an address, from when on it is silenced, and how that ends."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlmodel import select, update

from tests.cast import NAMES, address, letters, open_table, seats, start_game
from tests.copying import copied
from tests.races import until_another_waits
from webapp.accounts import sign_ins
from webapp.core.tokens import SignInLink
from webapp.models import GameRow, LetterKind, LetterRow, LetterState, PlayerRow, TurnSource
from webapp.outbox import bounces, holding
from webapp.outbox.bounces import Proof
from webapp.players import away
from webapp.replies.bounces import Bounce
from webapp.replies.verdicts import by_status
from worker import postman

DAY = timedelta(days=1)
FULL, GONE, SPAM = "5.2.2", "5.1.1", "5.7.1"


def bo(runtime):
    with runtime.database.reading() as session:
        return session.exec(select(PlayerRow).where(PlayerRow.name == "Bo")).one()


def sent(runtime, kind=LetterKind.INVITATION):
    """A letter to Bo that the relay has taken just now."""
    postman.deliver(runtime)
    with runtime.database.writing() as session:
        letter = next(session.merge(letter) for letter in letters(runtime, kind) if letter.player_id == bo(runtime).id)
        letter.state, letter.sent_at = LetterState.SENT, runtime.now()
    return letter.id


@copied
def invited(runtime):
    """The letter that invites Bo to a table, which the relay has taken just now."""
    open_table(runtime, NAMES[:2], robots=2)
    return sent(runtime)


def came_back(runtime, letter_id, status=GONE, recipient=None, action="failed", proof=Proof.SERVER):
    report = Bounce(address("Bo") if recipient is None else recipient, action, by_status(status))
    counted = bounces.act_on_bounce(runtime, letter_id, report, runtime.now(), proof)
    if counted.silenced is not None:
        away.stop_waiting_for(runtime, counted.silenced, runtime.now())
    return counted.sentence


def letter(runtime, letter_id):
    with runtime.database.reading() as session:
        return session.get_one(LetterRow, letter_id)


def another_sent(runtime):
    """One more mail to Bo that has gone out."""
    runtime.now.pass_by(timedelta(minutes=20))
    sign_ins.request_sign_in(runtime, address("Bo"), runtime.now())
    postman.deliver(runtime)
    with runtime.database.writing() as session:
        row = session.merge(letters(runtime, LetterKind.SIGN_IN)[-1])
        row.state, row.sent_at = LetterState.SENT, runtime.now()
    return row.id


def test_an_address_that_does_not_exist_is_silenced_at_once(runtime):
    invitation = invited(runtime)
    assert came_back(runtime, invitation) == "Nothing more is sent to this address (5.1.1)."
    assert bo(runtime).unreachable_at == runtime.now()
    assert (letter(runtime, invitation).state, letter(runtime, invitation).problem) == (
        LetterState.BOUNCED,
        "it came back (5.1.1)",
    )


def test_a_hard_bounce_silences_an_address_after_a_soft_one(runtime):
    came_back(runtime, invited(runtime), FULL)
    assert bo(runtime).unreachable_at is None
    came_back(runtime, another_sent(runtime), GONE)
    assert bo(runtime).unreachable_at == runtime.now()


@pytest.mark.parametrize(
    ("status", "action", "score"),
    [
        pytest.param(FULL, "failed", 1, id="a full mailbox: soft"),
        pytest.param("4.4.7", "failed", 1, id="given up after days: soft"),
        pytest.param("5.0.0", "failed", 1, id="no reason given: soft"),
        pytest.param("5.2.1", "failed", 1, id="closed: soft, for it may be opened again"),
        pytest.param("5.1.8", "failed", 0, id="the sender's address: the operator's news"),
        pytest.param(SPAM, "failed", 0, id="taken for spam: the operator's news"),
        pytest.param("4.7.1", "failed", 0, id="likewise, for a while: the operator's news"),
        pytest.param("5.6.1", "failed", 0, id="its content: the operator's news"),
        pytest.param("4.4.1", "delayed", 0, id="delayed: no failure"),
        pytest.param("2.0.0", "delivered", 0, id="delivered: no failure"),
    ],
)
def test_each_status_adds_its_score_to_the_address(runtime, status, action, score):
    invitation = invited(runtime)
    came_back(runtime, invitation, status, action=action)
    assert bo(runtime).bounce_score == score
    is_ours = by_status(status).fault.is_ours
    back = LetterState.QUEUED if is_ours else LetterState.BOUNCED
    assert letter(runtime, invitation).state is (back if action == "failed" else LetterState.SENT)


def test_a_letter_that_returned_through_us_is_sent_again(runtime):
    invitation, states = invited(runtime), []
    for _ in range(len(bounces.AGAIN_AFTER) + 1):
        came_back(runtime, invitation, SPAM)
        states.append(letter(runtime, invitation).state)
        runtime.now.pass_by(DAY)
        postman.deliver(runtime)
        with runtime.database.writing() as session:  # as it would be with a relay
            row = session.get_one(LetterRow, invitation)
            if row.state is LetterState.KEPT:
                row.state, row.sent_at = LetterState.SENT, runtime.now()
    assert states == [LetterState.QUEUED] * len(bounces.AGAIN_AFTER) + [LetterState.BOUNCED]


@pytest.mark.parametrize("status", [SPAM, "5.1.8", "4.7.1"])
def test_what_returns_through_us_for_good_counts_against_nobody(runtime, status):
    invitation = invited(runtime)
    with runtime.database.writing() as session:
        session.get_one(LetterRow, invitation).tries = len(bounces.AGAIN_AFTER) + 1
    came_back(runtime, invitation, status)
    assert letter(runtime, invitation).state is LetterState.BOUNCED
    assert (bo(runtime).bounce_score, bo(runtime).unreachable_at) == (0, None)


def rests_until(runtime):
    with runtime.database.reading() as session:
        down = holding.resting(session, runtime.now())
    return down and down.until


@pytest.mark.parametrize(("others", "states"), [(0, ["bounced", "bounced", "queued"]), (9, ["bounced"] * 3)])
def test_letters_that_most_get_back_are_ours(runtime, others, states):
    start_game(runtime)
    postman.deliver(runtime)
    questions = letters(runtime, LetterKind.TURNS)[:3]
    with runtime.database.writing() as session:
        for one in questions:
            row = session.get_one(LetterRow, one.id)
            row.state, row.sent_at = LetterState.SENT, runtime.now()
        for number in range(others):
            session.add(PlayerRow(address=f"{number}@example.org", name="Eve", created_at=runtime.now()))
    for number in range(others):
        sign_ins.request_sign_in(runtime, f"{number}@example.org", runtime.now())
    with runtime.database.writing() as session:
        arrived = update(LetterRow).where(LetterRow.kind == LetterKind.SIGN_IN)
        session.exec(arrived.values(state=LetterState.SENT, sent_at=runtime.now()))
    for one, name in zip(questions, ("Ann", "Bo", "Cy"), strict=True):
        came_back(runtime, one.id, "5.0.0", address(name))
    assert [letter(runtime, one.id).state for one in questions] == states


@pytest.mark.parametrize(("status", "rests"), [("5.1.8", True), (SPAM, False)])
def test_all_letters_rest_if_several_players_come_back(runtime, status, rests):
    start_game(runtime)
    postman.deliver(runtime)
    questions = letters(runtime, LetterKind.TURNS)
    with runtime.database.writing() as session:
        for one in questions:
            row = session.get_one(LetterRow, one.id)
            row.state, row.sent_at = LetterState.SENT, runtime.now()
    for one, name in zip(questions[:2], ("Ann", "Bo"), strict=True):
        came_back(runtime, one.id, status, address(name))
        assert rests_until(runtime) is None, "two may be by chance, or by a player"
    came_back(runtime, questions[2].id, status, address("Cy"))
    until = runtime.now() + bounces.REST if rests else None
    assert rests_until(runtime) == until
    runtime.now.pass_by(timedelta(minutes=1))
    came_back(runtime, questions[3].id, status, address("Di"))
    assert rests_until(runtime) == until, "nobody makes it longer by reports"


def test_a_returned_question_waits_a_part_of_its_time_only(runtime):
    table = start_game(runtime)
    question = sent(runtime, LetterKind.TURNS)
    table.set_due(runtime.now() + timedelta(minutes=20))
    came_back(runtime, question, SPAM)
    assert letter(runtime, question).next_at == runtime.now() + timedelta(minutes=5)
    assert letter(runtime, question).message is None, "it names its new deadline"


def seen(runtime):
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, bo(runtime).id).seen_at = runtime.now()


def quoted(runtime, letter_id, status=GONE):
    """The effect of a report that anybody may have written."""
    return came_back(runtime, letter_id, status, proof=Proof.NONE)


@pytest.mark.parametrize("status", [GONE, FULL])
def test_a_report_without_proof_harms_no_player_who_acts(runtime, status):
    invited(runtime)
    for _ in range(bounces.THRESHOLD + 1):
        seen(runtime)
        reported = another_sent(runtime)
        runtime.now.pass_by(DAY)
        assert "anybody may have written it" in quoted(runtime, reported, status)
        assert letter(runtime, reported).state is LetterState.SENT
    assert (bo(runtime).bounce_score, bo(runtime).unreachable_at) == (0, None)


def test_without_proof_a_dead_mailbox_is_noticed_in_the_end(runtime):
    invited(runtime)
    seen(runtime)
    days = 0
    while bo(runtime).unreachable_at is None:
        days += 1
        assert days < 9
        quoted(runtime, another_sent(runtime))
        runtime.now.pass_by(DAY)
    assert days > bounces.THRESHOLD, "and no earlier"


def test_a_refusal_of_our_relay_is_a_second_sign(runtime):
    invited(runtime)
    refused, reported = another_sent(runtime), another_sent(runtime)
    with runtime.database.writing() as session:
        row = session.get_one(LetterRow, refused)
        row.state, row.refused = LetterState.FAILED, True
    assert quoted(runtime, reported) == "It counts against the address (5.1.1)."
    assert bo(runtime).unreachable_at is None


def test_without_proof_a_letter_is_sent_again_some_times_only(runtime):
    invitation, states = invited(runtime), []
    for tries in range(1, len(bounces.AGAIN_AFTER) + 1):
        with runtime.database.writing() as session:
            row = session.get_one(LetterRow, invitation)
            row.state, row.sent_at, row.tries = LetterState.SENT, runtime.now(), tries
        quoted(runtime, invitation, SPAM)
        states.append(letter(runtime, invitation).state)
    assert states == [LetterState.QUEUED] * bounces.AGAIN_IF_QUOTED + [LetterState.SENT] * 2


def test_a_problem_for_the_operator_is_logged_without_the_address(runtime, caplog):
    invitation = invited(runtime)
    came_back(runtime, invitation, SPAM)
    assert f"letter {invitation} came back (5.7.1, at fault: policy) and is sent again" in caplog.text
    assert address("Bo") not in caplog.text


def test_three_soft_bounces_silence_an_address_unless_on_one_day(runtime):
    invited(runtime)
    for _ in range(3):
        came_back(runtime, another_sent(runtime), FULL)
    assert (bo(runtime).bounce_score, bo(runtime).unreachable_at) == (1, None)
    for _ in range(2):
        runtime.now.pass_by(DAY)
        came_back(runtime, another_sent(runtime), FULL)
    assert bo(runtime).unreachable_at == runtime.now()


def test_of_an_address_that_has_complained_no_bounce_is_counted(runtime):
    first, second = invited(runtime), another_sent(runtime)
    bounces.act_on_complaint(runtime, first, runtime.now())
    came_back(runtime, second)
    assert (bo(runtime).bounce_score, bo(runtime).bounced_on) == (0, None)
    assert bo(runtime).unreachable_at == runtime.now()


def test_a_delivered_mail_in_between_restarts_the_count(runtime):
    invited(runtime)
    came_back(runtime, another_sent(runtime), FULL)
    for _ in range(2):
        runtime.now.pass_by(DAY)
        another_sent(runtime)
        runtime.now.pass_by(DAY)
        came_back(runtime, another_sent(runtime), FULL)
        assert (bo(runtime).bounce_score, bo(runtime).unreachable_at) == (1, None)


def test_the_same_report_counts_once(runtime):
    invitation = invited(runtime)
    came_back(runtime, invitation, FULL)
    runtime.now.pass_by(DAY)
    assert came_back(runtime, invitation, FULL) == "It is about no mail that is out."
    assert bo(runtime).bounce_score == 1


@pytest.mark.parametrize("recipient", ["eve@example.org", "", "ann@example.org"])
def test_a_report_without_proof_about_another_address_does_nothing(runtime, recipient):
    invitation = invited(runtime)
    report = Bounce(recipient, "failed", by_status(GONE))
    counted = bounces.act_on_bounce(runtime, invitation, report, runtime.now(), Proof.ADDRESS)
    assert "an address that we did not write to" in counted.sentence
    assert (bo(runtime).bounce_score, letter(runtime, invitation).state) == (0, LetterState.SENT)


@pytest.mark.parametrize("recipient", ["forwarded@elsewhere.example", ""])
def test_a_report_with_proof_counts_whatever_address_it_names(runtime, recipient):
    invitation = invited(runtime)
    assert came_back(runtime, invitation, FULL, recipient) == f"It counts against the address ({FULL})."
    assert letter(runtime, invitation).state is LetterState.BOUNCED


def test_a_report_counts_for_two_weeks(runtime):
    invitation = invited(runtime)
    runtime.now.pass_by(14 * DAY + timedelta(seconds=1))
    assert came_back(runtime, invitation) == "It is too old to be believed."
    assert bo(runtime).bounce_score == 0


def test_a_report_about_no_letter_does_nothing(runtime):
    assert came_back(runtime, 77) == "It is about no mail of ours."


def test_a_report_about_the_old_address_spares_the_new_one(runtime):
    invitation = invited(runtime)
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, bo(runtime).id).address = "bo@elsewhere.example"
    came_back(runtime, invitation)
    assert letter(runtime, invitation).state is LetterState.BOUNCED
    assert (bo(runtime).bounce_score, bo(runtime).unreachable_at) == (0, None)


def test_a_report_processed_by_two_workers_counts_once(either_runtime):
    invitation = invited(either_runtime)
    with ThreadPoolExecutor(4) as pool:
        said = list(pool.map(lambda _: came_back(either_runtime, invitation, FULL), range(4)))
    assert Counter(said) == {"It counts against the address (5.2.2).": 1, "It is about no mail that is out.": 3}
    assert bo(either_runtime).bounce_score == 1


def test_a_delayed_report_sees_the_effect_of_the_one_before(either_runtime):
    invitation = invited(either_runtime)
    with ThreadPoolExecutor(1) as pool:
        with either_runtime.database.writing() as session:
            row = session.get_one(LetterRow, invitation)
            bounces.lock_player(session, row)
            other = pool.submit(came_back, either_runtime, invitation, FULL)
            until_another_waits(either_runtime)
            row.state = LetterState.BOUNCED
        assert other.result() == "It is about no mail that is out."


def test_nobody_waits_for_a_player_who_cannot_be_reached(runtime):
    table = start_game(runtime, NAMES[:2], robots=2)
    question = sent(runtime, LetterKind.TURNS)
    came_back(runtime, question)
    (seat,) = [seat for seat in seats(runtime, table.table_id) if seat.name == "Bo"]
    assert seat.away
    with runtime.database.reading() as session:
        assert session.get_one(GameRow, table.game_id).wake_at <= runtime.now()
    table.play_for_absent()
    assert [record.source for record in table.records if getattr(record.turn, "seat", None) == 1] == [TurnSource.AWAY]


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        (LetterKind.INVITATION, LetterState.QUEUED),
        (LetterKind.TURNS, LetterState.WITHHELD),
        (LetterKind.SCORE_SHEET, LetterState.WITHHELD),
    ],
)
def test_a_sign_in_ends_the_silence_and_sends_useful_mails(runtime, kind, state):
    start_game(runtime, NAMES[:2], robots=2)
    came_back(runtime, sent(runtime, LetterKind.TURNS))
    with runtime.database.writing() as session:
        withheld = session.merge(letters(runtime, LetterKind.TURNS)[0])
        withheld.player_id, withheld.state, withheld.next_at = bo(runtime).id, LetterState.WITHHELD, None
        withheld.kind = kind
    sign_ins.sign_in(runtime, SignInLink(bo(runtime).id, 0), "Firefox")
    assert (bo(runtime).bounce_score, bo(runtime).bounced_on, bo(runtime).unreachable_at) == (0, None, None)
    again = letter(runtime, withheld.id)
    assert (again.state, again.next_at) == (state, runtime.now() if state is LetterState.QUEUED else None)
