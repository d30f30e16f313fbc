"""Several questions that are due together make one email; a single one stays the mail that it is."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlmodel import select

from hearts.cards import card_text
from hearts.seats import Seat
from tests.answers import answer, first_cards, mail
from tests.cast import address, load, start_game, turn_link
from tests.mailing import DAILY, letters_to, set_preferences
from tests.playing import beat, pass_lowest
from tests.runtimes import make_runtime
from webapp.inbox.addressed import addressed_by
from webapp.inbox.finding import addresses_of
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from webapp.outbox.digests import Why
from webapp.replies.received import parse_head
from worker import postman

BO = 1


@pytest.fixture
def runtime(tmp_path, smtp_server):
    made = make_runtime(tmp_path / "var", smtp_url=smtp_server.url, reply_domain="in.hearts.example")
    yield made
    made.database.engine.dispose()


def mails_to_bo(smtp_server):
    return [(one.subject, one.text) for one in smtp_server.to(address("Bo"))]


def test_tables_in_one_mail_keep_their_own_reply_addresses(runtime, smtp_server):
    games = [start_game(runtime) for _ in range(3)]
    beat(runtime, games[2])  # Bo is looking at the third table
    postman.deliver(runtime)
    ((subject, text),) = mails_to_bo(smtp_server)
    assert subject == "Ann's table and 2 more: 3 choices wait for you"
    assert "You get these together" not in text
    for game_id in games:
        assert runtime.signer.url(turn_link(runtime, game_id, BO)).rpartition("/")[2].partition(".")[0] in text
    reply_to = smtp_server.to(address("Bo"))[0].message["Reply-To"].addresses[0].addr_spec
    addresses = [reply_to, *re.findall(r"\br-\w+@in\.hearts\.example", text)]
    with runtime.database.reading() as session:
        asked = [addressed_by(session, runtime, one).letter for one in addresses]
    assert [one.game_id for one in asked] == games
    assert {one.state for one in asked} == {LetterState.BUNDLED}
    cards = " ".join(map(card_text, first_cards(runtime, games[1], BO)))
    answer(runtime, asked[1], mail("Bo", cards))
    assert [Seat(BO) in load(runtime, game_id).game.to_act for game_id in games] == [True, False, True]
    runtime.now.pass_by(timedelta(minutes=5))
    postman.deliver(runtime)
    assert len(mails_to_bo(smtp_server)) == 1, "the third question is not mailed once more"


def test_the_first_mail_of_four_hands_links_the_others(runtime, smtp_server):
    start_game(runtime, at_once=4)
    postman.deliver(runtime)
    ((_, text),) = mails_to_bo(smtp_server)
    assert "You play four hands at once." in text
    assert re.findall(r"^hand \d:", text, re.IGNORECASE | re.MULTILINE) == ["HAND 1:", "Hand 2:", "Hand 3:", "Hand 4:"]


def test_a_reply_plays_in_the_hand_it_begins_with(runtime, smtp_server):
    game_id = start_game(runtime, at_once=4)
    postman.deliver(runtime)
    ((subject, _),) = mails_to_bo(smtp_server)
    assert subject == "Ann's table: your first hands"
    first = letters_to(runtime, "Bo", LetterKind.PASS)[0]
    for typed, hands in (("", [1]), ("hand 3 ", [1, 3]), ("hand 9 ", [1, 3])):
        held = load(runtime, game_id).at(hands[-1]).game.held[BO]
        answer(runtime, first, mail("Bo", typed + " ".join(map(card_text, sorted(held)[:3]))))
        waits = {one.game.hand for one in load(runtime, game_id).open_hands() if Seat(BO) in one.game.to_act}
        assert waits - {4} == {1, 2, 3} - {*hands}, "in hand 4 nobody passes"


def test_without_pages_a_mail_shows_each_question_in_full(tmp_path, smtp_server):
    own = {"smtp_url": smtp_server.url, "reply_domain": "in.hearts.example.org"}
    runtime = make_runtime(tmp_path / "var", base_url="none", **own)
    for _ in range(2):
        start_game(runtime, at_once=4)
    postman.deliver(runtime)
    (mail,) = (mail for mail in smtp_server.to(address("Bo")) if "wait for you" in mail.subject)
    text, answered_at = mail.message.get_content(), mail.message["Reply-To"].addresses[0].addr_spec
    others = re.findall(r"Answer by an email to (\S+)\.\s", text)
    assert len({answered_at, *others}) == 1 + len(others) >= 4, "each of the second table has an address of its own"
    asked = text.count("YOUR CARDS") + text.count("YOU MAY PLAY")
    assert asked == 1 + len(others) + text.count('as in "hand ')
    runtime.database.engine.dispose()


def test_a_question_goes_alone_if_no_other_is_due_unseen(runtime, smtp_server):
    games = [start_game(runtime) for _ in range(3)]
    pass_lowest(runtime, games[0], Seat(BO))
    beat(runtime, games[1])
    postman.deliver(runtime)
    assert [subject for subject, _ in mails_to_bo(smtp_server)] == ["Ann's table 3: Pass three cards to Cy"]
    assert not letters_to(runtime, "Bo", LetterKind.DIGEST)
    runtime.now.pass_by(timedelta(minutes=5))
    postman.deliver(runtime)
    assert [subject for subject, _ in mails_to_bo(smtp_server)] == [
        f"Ann's table {number}: Pass three cards to Cy" for number in (3, 2)
    ]


def test_questions_for_a_digest_or_requested_are_left_alone(runtime, smtp_server):
    start_game(runtime)
    set_preferences(runtime, "Bo", frequency=DAILY)
    start_game(runtime)
    with runtime.database.writing() as session:
        _, last = (session.get_one(LetterRow, row.id) for row in letters_to(runtime, "Cy", LetterKind.PASS))
        last.requested = True
    postman.deliver(runtime)
    assert mails_to_bo(smtp_server) == []
    assert not [row for row in letters_to(runtime, "Bo", LetterKind.DIGEST) if row.reason == Why.TOGETHER]
    assert [one.subject[:11] for one in smtp_server.to(address("Cy"))] == ["Ann's table"] * 2


def test_late_questions_sent_together_still_move_their_deadlines(runtime):
    games = [start_game(runtime) for _ in range(2)]
    before = [load(runtime, game_id).row.due_at for game_id in games]
    runtime.now.pass_by(timedelta(hours=5))
    late = [runtime.now() - letter.created_at for letter in letters_to(runtime, "Bo", LetterKind.PASS)]
    postman.deliver(runtime)
    moved = [load(runtime, game_id).row.due_at - at for game_id, at in zip(games, before, strict=True)]
    assert moved == late


# on PostgreSQL, where others have locked one of the rows


@pytest.fixture
def on_postgres(tmp_path, postgres_url, smtp_server):
    made = make_runtime(tmp_path / "var", postgres_url, smtp_url=smtp_server.url)
    yield made
    made.database.engine.dispose()


@contextmanager
def locked(runtime, row) -> Iterator[None]:
    """Another transaction is at work on it, and leaves its key free."""
    kind = type(row)
    with runtime.database.writing() as session:
        session.exec(select(kind).where(kind.id == row.id).with_for_update(key_share=True)).one()
        yield


def player(runtime, name):
    with runtime.database.reading() as session:
        return session.exec(select(PlayerRow).where(PlayerRow.name == name)).one()


@pytest.mark.parametrize("which", ["player", "question"])
def test_questions_wait_for_a_held_lock_and_go_together(on_postgres, smtp_server, which):
    runtime = on_postgres
    for _ in range(3):
        start_game(runtime)
    row = player(runtime, "Bo") if which == "player" else letters_to(runtime, "Bo", LetterKind.PASS)[1]
    with locked(runtime, row):
        postman.deliver(runtime)
    assert mails_to_bo(smtp_server) == []
    runtime.now.pass_by(timedelta(seconds=1))
    postman.deliver(runtime)
    ((subject, _),) = mails_to_bo(smtp_server)
    assert subject == "Ann's table and 2 more: 3 choices wait for you"


@pytest.fixture
def by_mail_alone(tmp_path, smtp_server):
    """A service without pages, whose mailbox keeps no signed address."""
    made = make_runtime(
        tmp_path / "alone", smtp_url=smtp_server.url, base_url="none", reply_mailbox="hearts@example.org"
    )
    yield made
    made.database.engine.dispose()


def test_an_answer_by_message_id_finds_its_table(by_mail_alone, smtp_server):
    """Without pages and signed addresses, a mail asks for one table; of that table it asks for every hand."""
    games = [start_game(by_mail_alone), start_game(by_mail_alone, at_once=4)]
    for _ in range(3):
        postman.deliver(by_mail_alone)
        by_mail_alone.now.pass_by(timedelta(minutes=1))
    mails = smtp_server.to(address("Bo"))
    assert len(mails) == 2
    found = {}
    for one in mails:
        head = parse_head(f"From: {address('Bo')}\nIn-Reply-To: {one.message['Message-ID']}\n\n".encode())
        with by_mail_alone.database.reading() as session:
            (at,) = addresses_of(session, by_mail_alone, head)
            found[addressed_by(session, by_mail_alone, at).letter.game_id] = one.text
    assert found.keys() == set(games)
    assert [found[game].count("YOUR CARDS") for game in games] == [1, 3], "nobody passes in the fourth hand"
    asking = letters_to(by_mail_alone, "Bo", LetterKind.PASS)
    assert {one.state for one in asking} <= {LetterState.SENT, LetterState.BUNDLED}


def test_a_held_question_of_another_table_goes_by_itself(by_mail_alone, smtp_server):
    start_game(by_mail_alone)
    set_preferences(by_mail_alone, "Bo", frequency=DAILY)
    games = {start_game(by_mail_alone), start_game(by_mail_alone)}
    by_mail_alone.now.pass_by(timedelta(days=1))
    for _ in range(3):
        postman.deliver(by_mail_alone)
        by_mail_alone.now.pass_by(timedelta(minutes=1))
    asking = [one for one in letters_to(by_mail_alone, "Bo", LetterKind.PASS) if one.game_id in games]
    assert sorted(one.state for one in asking) == [LetterState.BUNDLED, LetterState.SENT]
    assert all(one.text.count("YOUR CARDS") == 1 for one in smtp_server.to(address("Bo")))
