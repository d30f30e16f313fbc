"""Refusals and other faults of a relay: nothing is lost or gets a second Message-ID; only affected letters wait."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email import message_from_bytes

import pytest
from sqlmodel import select

from tests.cast import NAMES, address, first_letters, letters, open_table, seats, start_game
from tests.races import until_another_waits
from tests.runtimes import make_runtime
from tests.worker.one_letter import confirm_letter, only
from tests.worker.scripted import CUT, SILENCE, ScriptedRelay, with_relay
from webapp.accounts import sign_ins
from webapp.models import LetterKind, LetterState, PauseRow, PlayerRow
from webapp.outbox import holding
from webapp.outbox.holding import EVERY_DOMAIN
from worker import postman, relay
from worker.attempts import (
    BEHIND,
    DOMAIN_PAUSES,
    GIVE_UP_AFTER,
    LONGEST_REST,
    MAYBE_ARRIVED,
    MAYBE_ARRIVED_PAUSE,
    QUICK,
    RELAY_PAUSES,
    SHORTEST_REST,
    SLOW,
    domain_pause,
    letter_pause,
    relay_pause,
)
from worker.relay import NotSent, SmtpStep


def ids(scripted):
    return [message_from_bytes(mail)["Message-ID"] for mail in scripted.kept]


def pauses(runtime):
    with runtime.database.reading() as session:
        return {row.domain: row for row in session.exec(select(PauseRow))}


# what an answer means

LIMIT = "550 5.4.5 Daily user sending limit exceeded"
CPANEL = "550 Domain hearts.example has exceeded the max emails per hour (50/50 (100%)) allowed. Message discarded."
FOREIGN = "550 5.1.1 no such person"
HARD, SOFT = "hard", "soft"


def refusal(script, monkeypatch):
    """How a relay with this script refuses a mail."""
    monkeypatch.setattr(relay, "TIMEOUT", 1.0 if [SILENCE] in script.values() else relay.TIMEOUT)
    with (
        ScriptedRelay(script, greeting="relay\r\n250-AUTH PLAIN") as scripted,
        relay.Relay(scripted.url.replace("//", "//us:secret@")) as line,
        pytest.raises(NotSent) as refused,
    ):
        line.send("us@example.org", address("Ann"), b"one\r\n")
    return refused.value


@pytest.mark.parametrize(
    ("script", "waits", "pause"),
    [
        pytest.param({"banner": ["421 busy"]}, "all", RELAY_PAUSES[0], id="421 at the banner"),
        pytest.param({"banner": [SILENCE]}, "all", RELAY_PAUSES[0], id="silence at the banner"),
        pytest.param({"MAIL": ["421 busy"]}, "all", RELAY_PAUSES[0], id="421 at the sender"),
        pytest.param({"MAIL": ["451 later"]}, "all", RELAY_PAUSES[0], id="451 at the sender"),
        pytest.param({"MAIL": ["550 not you"]}, "all", SHORTEST_REST, id="550 at the sender: ours to correct"),
        pytest.param({"RCPT": ["530 5.7.0 log in first"]}, "all", SHORTEST_REST, id="530: the same"),
        pytest.param({"banner": ["554 5.7.1 suspended"]}, "all", SHORTEST_REST, id="554 at the banner"),
        pytest.param({"EHLO": ["550 not you"], "HELO": ["550 not you"]}, "all", SHORTEST_REST, id="550 at EHLO"),
        pytest.param({"AUTH": ["535 5.7.8 not accepted"]}, "all", SHORTEST_REST, id="our password"),
        pytest.param({"MAIL": [LIMIT]}, "all", SHORTEST_REST, id="a limit at the sender"),
        pytest.param(
            {"MAIL": ["553 5.1.8 Domain of sender address h@hearts.example does not exist"]},
            "all",
            SHORTEST_REST,
            id="our domain has lapsed",
        ),
        pytest.param({"RCPT": [LIMIT]}, "all", SHORTEST_REST, id="a limit at the recipient"),
        pytest.param({"RCPT": [CPANEL]}, "all", SHORTEST_REST, id="an hour's limit at the recipient"),
        pytest.param({"RCPT": ["554 5.7.1 Relay access denied"]}, "all", SHORTEST_REST, id="a relay for others"),
        pytest.param(
            {"RCPT": ["450 4.1.8 Sender address rejected: Domain not found"]}, "all", SHORTEST_REST, id="450: lapsed"
        ),
        pytest.param({"RCPT": ["550 5.1.1 the sender is blocked"]}, "all", SHORTEST_REST, id="we are blocked"),
        pytest.param({"DATA": [LIMIT]}, "all", SHORTEST_REST, id="a limit before the content"),
        pytest.param({"dot": [CPANEL]}, "all", SHORTEST_REST, id="a limit at the dot"),
        pytest.param({"RCPT": ["550 5.7.1 blocked"]}, "letter", SLOW[0], id="a policy at the recipient"),
        pytest.param({"dot": ["554 5.7.1 looks like spam"]}, "letter", SLOW[0], id="a policy at the dot"),
        pytest.param({"RCPT": ["550 try again later"]}, "letter", SLOW[0], id="550 for now"),
        pytest.param({"RCPT": ["450 4.2.0 greylisted"]}, "letter", SLOW[0], id="450 at the recipient"),
        pytest.param({"RCPT": ["452 4.3.1 disk full"]}, "letter", QUICK[0], id="452 at the recipient"),
        pytest.param({"RCPT": ["421 closing"]}, "domain", DOMAIN_PAUSES[0], id="421 at the recipient"),
        pytest.param({"RCPT": ["451 4.7.1 slow down"]}, "domain", DOMAIN_PAUSES[0], id="4.7.1 at the recipient"),
        pytest.param({"RCPT": [CUT]}, "letter", QUICK[0], id="cut at the recipient"),
        pytest.param({"RCPT": [SILENCE]}, "letter", QUICK[0], id="silence at the recipient"),
        pytest.param({"DATA": ["451 later"]}, "letter", SLOW[0], id="451 before the content"),
        pytest.param({"DATA": [CUT]}, "letter", QUICK[0], id="cut before the content"),
        pytest.param({"dot": ["451 later"]}, "letter", SLOW[0], id="451 at the dot"),
        pytest.param({"dot": ["421 closing"]}, "domain", DOMAIN_PAUSES[0], id="421 at the dot"),
        pytest.param({"dot": [CUT]}, "letter", MAYBE_ARRIVED_PAUSE, id="cut after the dot"),
        pytest.param({"dot": [SILENCE]}, "letter", MAYBE_ARRIVED_PAUSE, id="silence after the dot"),
    ],
)
def test_a_first_refusal_says_who_waits_and_how_long(script, waits, pause, monkeypatch):
    first = refusal(script, monkeypatch)
    assert not first.is_final
    if first.is_about_us:
        assert (waits, pause) == ("all", relay_pause(first, 1, timedelta()))
    elif (for_domain := domain_pause(first, 1)) is not None:
        assert (waits, pause) == ("domain", for_domain)
    else:
        assert (waits, pause) == ("letter", letter_pause(first, 1))


@pytest.mark.parametrize(
    ("script", "counts"),
    [
        pytest.param({"RCPT": [FOREIGN]}, HARD, id="no such address"),
        pytest.param({"DATA": [FOREIGN]}, HARD, id="no such address, before the content"),
        pytest.param({"dot": [FOREIGN]}, HARD, id="no such address, at the dot"),
        pytest.param({"RCPT": ["552 5.2.2 mailbox full"]}, SOFT, id="full"),
        pytest.param({"RCPT": ["550 no"]}, SOFT, id="without a status, at the recipient"),
        pytest.param({"DATA": ["554 no"]}, None, id="without a status, before the content"),
        pytest.param({"dot": ["552 5.3.4 too large"]}, None, id="the mail is too large"),
    ],
)
def test_a_final_refusal_counts_as_bounce_if_about_the_address(script, counts, monkeypatch):
    final = refusal(script, monkeypatch)
    assert final.is_final
    assert counts == ((HARD if final.verdict.is_hard else SOFT) if final.is_about_recipient else None)


NO, DOWN = NotSent(SmtpStep.RECIPIENT, 550, "5.4.5", LIMIT), NotSent(SmtpStep.CONNECTING)


@pytest.mark.parametrize(
    ("says", "tries", "down_for", "pause"),
    [
        pytest.param(NO, 1, timedelta(), SHORTEST_REST, id="a first no"),
        pytest.param(NO, 9, 3 * SHORTEST_REST, 3 * SHORTEST_REST, id="as long again as it has said no"),
        pytest.param(NO, 1, timedelta(days=1), LONGEST_REST, id="but not for ever"),
        pytest.param(DOWN, 1, timedelta(days=1), RELAY_PAUSES[0], id="nobody is there: seconds"),
        pytest.param(DOWN, 2, timedelta(days=1), RELAY_PAUSES[1], id="still nobody: longer"),
        pytest.param(DOWN, 9, timedelta(days=1), timedelta(minutes=1), id="a dead relay is called every minute"),
    ],
)
def test_a_relay_that_says_no_is_asked_ever_more_rarely(says, tries, down_for, pause):
    assert relay_pause(says, tries, down_for) == pause


@pytest.mark.parametrize(("tries", "quick", "slow"), [(2, QUICK[1], SLOW[1]), (9, QUICK[-1], SLOW[-1])])
def test_a_letter_waits_longer_each_time(tries, quick, slow):
    assert letter_pause(NotSent(SmtpStep.RECIPIENT, 452, "4.3.1"), tries) == quick
    assert letter_pause(NotSent(SmtpStep.RECIPIENT, 450, "4.2.0"), tries) == slow


# the service obeys


@pytest.mark.parametrize(
    ("script", "pause"),
    [
        pytest.param({"banner": ["421 busy"]}, RELAY_PAUSES[0], id="all wait"),
        pytest.param({"RCPT": ["530 5.7.0 log in first"]}, SHORTEST_REST + BEHIND[0], id="it waits for the others"),
        pytest.param({"RCPT": ["421 closing"]}, DOMAIN_PAUSES[0], id="its domain waits"),
        pytest.param({"dot": ["451 later"]}, SLOW[0], id="it waits"),
        pytest.param({"dot": [CUT]}, MAYBE_ARRIVED_PAUSE, id="it may have arrived"),
    ],
)
def test_a_temporary_refusal_is_retried_with_the_same_message(runtime, script, pause):
    confirm_letter(runtime)
    with ScriptedRelay(script) as scripted:
        there = with_relay(runtime, scripted.url)
        postman.deliver(there)
        letter = only(runtime)
        assert (letter.state, letter.tries) == (LetterState.QUEUED, 1)
        waits = letter.next_at - runtime.now()
        assert pause <= waits <= pause * 1.2
        postman.deliver(there)
        assert only(runtime).tries == 1, "not before its time"
        runtime.now.pass_by(waits)
        postman.deliver(there)
    sent = only(runtime)
    assert (sent.state, sent.problem, sent.sent_at) == (LetterState.SENT, None, runtime.now())
    assert set(ids(scripted)) == {letter.message_id}
    assert len(set(scripted.kept)) == 1, "every attempt sends the same bytes"


@pytest.mark.parametrize(
    ("script", "score"),
    [
        pytest.param({"dot": [FOREIGN]}, 3, id="no such address"),
        pytest.param({"RCPT": ["550 no"]}, 1, id="nobody knows why"),
        pytest.param({"DATA": ["554 no"]}, 0, id="not about the address"),
    ],
)
def test_a_permanent_refusal_is_not_retried(runtime, script, score):
    problem = next(iter(script.values()))[0]
    confirm_letter(runtime)
    with ScriptedRelay(script) as scripted:
        postman.deliver(with_relay(runtime, scripted.url))
        refused_at = runtime.now()
        runtime.now.pass_by(timedelta(hours=12))
        assert postman.deliver(with_relay(runtime, scripted.url)) == 0
    letter = only(runtime)
    assert (letter.state, letter.problem, letter.next_at) == (LetterState.FAILED, problem, None)
    with runtime.database.reading() as session:
        player = session.get_one(PlayerRow, letter.player_id)
    assert (player.bounce_score, player.unreachable_at) == (score, refused_at if score == 3 else None)


def scores(runtime):
    with runtime.database.reading() as session:
        return {player.bounce_score for player in session.exec(select(PlayerRow))}


def test_after_a_no_to_us_all_letters_wait(runtime):
    open_table(runtime, NAMES, robots=0)
    began, rests = runtime.now(), []
    with ScriptedRelay({"RCPT": [LIMIT] * 3}) as scripted:
        there = with_relay(runtime, scripted.url)
        for _ in range(3):
            assert postman.deliver(there) == 1
            assert pauses(runtime)[EVERY_DOMAIN].since == began
            assert postman.deliver(there) == 0
            rests.append(pauses(runtime)[EVERY_DOMAIN].until - runtime.now())
            runtime.now.pass_by(rests[-1])
        queued = first_letters(runtime)
        assert {letter.state for letter in queued} == {LetterState.QUEUED}
        assert sum(letter.tries for letter in queued) == 3, "one each time"
        assert not any(letter.refused for letter in queued), "so deadlines move"
        runtime.now.pass_by(2 * BEHIND[1])
        postman.deliver(there)
    assert {letter.state for letter in first_letters(runtime)} == {LetterState.SENT}, "without anybody's help"
    assert rests[2] > 2 * SHORTEST_REST > rests[0], "it is asked ever more rarely"
    assert scores(runtime) == {0}


def test_a_no_to_three_players_is_one_to_us(runtime):
    """Nobody knows its words."""
    open_table(runtime, NAMES, robots=0)
    with ScriptedRelay({"RCPT": ["550 Kontingent alle"] * 5}) as scripted:
        there = with_relay(runtime, scripted.url)
        postman.deliver(there)
        assert {letter.state for letter in first_letters(runtime)} == {LetterState.QUEUED}
        for _ in range(4):
            runtime.now.pass_by(LONGEST_REST * 2)
            postman.deliver(there)
    assert {letter.state for letter in first_letters(runtime)} == {LetterState.SENT}
    assert max(scores(runtime)) <= 1


def test_refusals_between_mails_that_go_are_each_ones_own(runtime):
    open_table(runtime, NAMES, robots=0)
    with ScriptedRelay({"RCPT": ["550 no", "250 fine", "550 no", "550 no"]}) as scripted:
        postman.deliver(with_relay(runtime, scripted.url))
    assert sorted(letter.state for letter in first_letters(runtime)) == [*[LetterState.FAILED] * 3, LetterState.SENT]


@pytest.mark.parametrize(("answer", "state"), [(LIMIT, LetterState.SENT), ("450 busy", LetterState.FAILED)])
def test_a_letter_outlasts_a_relays_no_of_days(runtime, answer, state):
    confirm_letter(runtime)
    with ScriptedRelay({"RCPT": [answer] * 2}) as scripted:
        for _ in range(3):
            postman.deliver(with_relay(runtime, scripted.url))
            runtime.now.pass_by(GIVE_UP_AFTER + timedelta(hours=1))
    assert only(runtime).state is state


def test_a_no_after_mails_that_went_begins_anew(runtime):
    open_table(runtime, NAMES, robots=0)
    with ScriptedRelay({"RCPT": [LIMIT] * 4 + ["250 fine", LIMIT]}) as scripted:
        for _ in range(5):
            postman.deliver(with_relay(runtime, scripted.url))
            since, until = pauses(runtime)[EVERY_DOMAIN].since, pauses(runtime)[EVERY_DOMAIN].until
            runtime.now.pass_by(until + timedelta(seconds=1) - runtime.now())
    assert until - since <= SHORTEST_REST * 1.2


def test_a_letter_that_alone_is_refused_holds_up_no_others(runtime):
    open_table(runtime, NAMES, robots=0)
    no = {f"RCPT {address('Ann')}": ["554 5.7.1 Relay access denied"] * 20}
    with ScriptedRelay(no) as scripted:
        for _ in range(4):
            postman.deliver(with_relay(runtime, scripted.url))
            runtime.now.pass_by(2 * SHORTEST_REST)
    states = [letter.state for letter in first_letters(runtime)]
    assert sorted(states) == [LetterState.QUEUED, *[LetterState.SENT] * 3]


def test_a_relay_accepting_no_mail_costs_the_batch_one_try(runtime):
    open_table(runtime, NAMES, robots=0)
    with ScriptedRelay({"banner": ["421 busy"]}) as scripted:
        there = with_relay(runtime, scripted.url)
        assert postman.deliver(there) == 1
        assert scripted.connections == 1
        queued = first_letters(runtime)
        assert sorted(letter.tries for letter in queued) == [0, 0, 0, 1]
        (until,) = {letter.next_at for letter in queued}
        assert pauses(runtime)[EVERY_DOMAIN].until == until
        sign_ins.request_sign_in(runtime, address("Ann"), runtime.now())
        assert postman.deliver(there) == 0
        assert scripted.connections == 1, "nobody calls the relay before the pause is over"
        runtime.now.pass_by(until - runtime.now())
        assert postman.deliver(there) == 5
    assert len(set(ids(scripted))) == len(ids(scripted)) == 5


def test_throttling_by_one_domain_delays_no_other(runtime):
    with runtime.database.writing() as session:
        session.add(PlayerRow(address="cy@elsewhere.example", name="Cy", created_at=runtime.now()))
    open_table(runtime, ("Ann", "Bo", "Di"), robots=1)
    with runtime.database.writing() as session:
        (di,) = [player for player in session.exec(select(PlayerRow)) if player.name == "Di"]
        di.address = "di@elsewhere.example"
    with ScriptedRelay({f"RCPT {address('Ann')}": ["451 4.7.1 slow down"]}) as scripted:
        there = with_relay(runtime, scripted.url)
        postman.deliver(there)
        tries = {letter.player_id: letter.tries for letter in first_letters(runtime)}
        assert sorted(tries.values()) == [0, 1, 1], "Bo's waits with Ann's and has used up no try"
        assert [mail for mail in scripted.heard if mail.startswith("RCPT") or mail.startswith("rcpt")] == [
            f"rcpt to:<{address('Ann')}>",
            "rcpt to:<di@elsewhere.example>",
        ]
        assert set(pauses(runtime)) == {"example.org"}
        runtime.now.pass_by(DOMAIN_PAUSES[0] * 1.2)
        postman.deliver(there)
    assert len(set(ids(scripted))) == 3


def test_a_longer_pause_is_not_shortened(runtime):
    now = runtime.now()
    with runtime.database.writing() as session:
        holding.pause(session, "example.org", now + timedelta(hours=1), "421")
    with runtime.database.writing() as session:
        assert holding.pause(session, "example.org", now + timedelta(minutes=1), "421") == now + timedelta(hours=1)


def test_two_workers_meeting_a_throttling_domain_both_pause_it(tmp_path, postgres_url):
    runtime = make_runtime(tmp_path / "var", postgres_url)
    now, soon, later = (runtime.now() + timedelta(minutes=minutes) for minutes in (0, 1, 5))
    with ThreadPoolExecutor(1) as pool:
        with runtime.database.writing() as session:
            holding.pause(session, "example.org", later, "421")
            other = pool.submit(pause_in_its_own_transaction, runtime, soon)
            until_another_waits(runtime)
        assert other.result() == later
    assert pauses(runtime)["example.org"].until == later > now
    runtime.database.engine.dispose()


def pause_in_its_own_transaction(runtime, until):
    with runtime.database.writing() as session:
        return holding.pause(session, "example.org", until, "450 4.7.1")


def test_a_mail_lost_twice_after_its_end_counts_as_sent(runtime):
    confirm_letter(runtime)
    with ScriptedRelay({"dot": [CUT, CUT]}) as scripted:
        there = with_relay(runtime, scripted.url)
        for _ in range(4):
            postman.deliver(there)
            runtime.now.pass_by(timedelta(hours=1))
    letter = only(runtime)
    assert (letter.state, letter.problem, letter.tries) == (LetterState.SENT, MAYBE_ARRIVED, 2)
    assert ids(scripted) == [letter.message_id] * 2


def test_questions_are_retried_while_pending_and_other_mails_for_days(runtime):
    table = start_game(runtime, NAMES[:1], robots=3)
    postman.deliver(runtime)
    table.set_due(runtime.now() + timedelta(days=9))
    sign_ins.request_sign_in(runtime, address("Ann"), runtime.now())
    with runtime.database.writing() as session:
        question = session.merge(letters(runtime, LetterKind.TURNS)[0])
        question.state, question.next_at, question.message = LetterState.QUEUED, runtime.now(), None
        question.sent_at = None
    with ScriptedRelay({"RCPT": ["450 busy"] * 100}) as scripted:
        there = with_relay(runtime, scripted.url)
        for moment, sign_in, asks in [
            (timedelta(), LetterState.QUEUED, LetterState.QUEUED),
            (GIVE_UP_AFTER + timedelta(hours=1), LetterState.FAILED, LetterState.QUEUED),
            (timedelta(days=6), LetterState.FAILED, LetterState.QUEUED),
        ]:
            runtime.now.pass_by(moment)
            postman.deliver(there)
            assert letters(runtime, LetterKind.SIGN_IN)[-1].state is sign_in
            assert letters(runtime, LetterKind.TURNS)[0].state is asks


def test_a_slow_relay_leaves_the_batchs_rest_to_others(runtime, monkeypatch):
    open_table(runtime, NAMES)
    monkeypatch.setattr(postman, "BATCH_SECONDS", 0.05)
    waited = []

    def slow(*_, **__):
        waited.append(time.sleep(0.1))

    monkeypatch.setattr(relay.Relay, "send", slow)
    claimed = []
    claim = postman.letters.claim
    monkeypatch.setattr(postman.letters, "claim", lambda *args: claimed.append(claim(*args)) or dict(claimed[-1]))
    assert postman.deliver(runtime) == 4
    assert [len(batch) for batch in claimed] == [4, 3, 2, 1, 0]


def test_no_refusal_puts_an_address_into_the_log(runtime, caplog):
    confirm_letter(runtime)
    with ScriptedRelay({"RCPT": [f"550 5.1.1 <{address('Ann')}> unknown"]}) as scripted:
        postman.deliver(with_relay(runtime, scripted.url))
    assert "letter 1 was not sent: 550 5.1.1 (recipient)" in caplog.text
    assert address("Ann") not in caplog.text


def test_a_silenced_address_gets_only_mails_that_prove_it(runtime, smtp_server):
    table_id = start_game(runtime) and 1
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, seats(runtime, table_id)[1].player_id).unreachable_at = runtime.now()
    sign_ins.request_sign_in(runtime, address("Bo"), runtime.now())
    postman.deliver(runtime)
    assert [mail.subject for mail in smtp_server.to(address("Bo"))] == ["Your link to sign in"]
    assert [letter for letter in letters(runtime, LetterKind.TURNS) if letter.seat == 1] == []


@pytest.mark.parametrize("seed", range(3))
def test_every_letter_arrives_under_one_id_whatever_the_relays_faults(runtime, seed):
    chance = random.Random(seed)
    troubles = {
        "banner": ["421 busy", CUT],
        "MAIL": ["421 busy", "451 later", CUT],
        "RCPT": ["450 later", "451 4.7.1 slow", "421 closing", CUT],
        "DATA": ["451 later", CUT],
        "dot": ["451 later", "421 closing", CUT],
    }
    script = {step: [chance.choice([*words, "", ""]) for _ in range(12)] for step, words in troubles.items()}
    good = {"banner": "220 here", "DATA": "354 go on"}
    script = {step: [word or good.get(step, "250 fine") for word in words] for step, words in script.items()}
    open_table(runtime, NAMES)
    with ScriptedRelay(script) as scripted:
        for _ in range(40):
            postman.deliver(with_relay(runtime, scripted.url))
            runtime.now.pass_by(timedelta(minutes=30))
            queued = first_letters(runtime)
            if {letter.state for letter in queued} == {LetterState.SENT}:
                break
    assert {letter.state for letter in queued} == {LetterState.SENT}
    assert set(ids(scripted)) == {letter.message_id for letter in queued}
    assert len(set(scripted.kept)) == len(queued), "a copy is the same to the byte"
