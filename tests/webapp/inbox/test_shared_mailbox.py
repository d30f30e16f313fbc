"""A couple shares one mailbox, under two spellings of its address: each mail says for whom, and an answer finds it."""

import pytest

from tests.answers import mail, question, typed_pass, typed_turns
from tests.cast import address, start_game
from tests.runtimes import make_runtime
from tests.table import Table
from webapp.inbox import finding
from webapp.inbox.acting import process_inbound
from webapp.inbox.receiving import receive
from webapp.models import PlayerRow
from webapp.replies.received import parse_head
from worker.mail import compose

OURS, DIS = "hearts@example.org", "bo+di@example.org"


@pytest.fixture(params=["hearts+@example.org", OURS], ids=["plus addresses", "no plus addresses"])
def runtime(request, tmp_path):
    made = make_runtime(tmp_path / "var", reply_mailbox=request.param)
    yield made
    made.database.engine.dispose()


@pytest.fixture
def both(runtime):
    """The questions to Bo and to Di, whose mail comes to Bo's mailbox, too."""
    start_game(runtime)
    asked = {name: question(runtime, name) for name in ("Bo", "Di")}
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, asked["Di"].player_id).address = DIS
    return asked


def read(runtime, letter):
    with runtime.database.writing() as session:
        return compose(runtime, session, letter)


def test_each_mail_says_for_whom_it_is(runtime, both):
    for name, letter in both.items():
        message = read(runtime, letter)
        other = ({"Bo", "Di"} - {name}).pop()
        for kind in ("plain", "html"):
            text = message.get_body((kind,)).get_content()
            assert f"This email is for {name}." in text
            assert f"This email is for {other}." not in text
        assert str(message["To"]).startswith(f"{name} <")


@pytest.mark.parametrize("order", [("Bo", "Di"), ("Di", "Bo")])
def test_answers_of_a_couple_go_to_their_seats(runtime, both, order):
    game_id = both["Bo"].game_id
    for name in order:
        message = read(runtime, both[name])
        typed = typed_pass(Table(runtime, game_id), both[name].seat)
        headers = {"To": message["Reply-To"], "In_Reply_To": message["Message-ID"], "Message_ID": f"<{name}@home>"}
        raw = mail("Bo", typed, **headers)
        with runtime.database.reading() as session:
            (found,) = finding.addresses_of(session, runtime, parse_head(raw))
        receive(runtime, address("Bo"), found, raw)
        process_inbound(runtime)
        assert typed_turns(Table(runtime, game_id))[-1].turn.seat == both[name].seat
    assert len(typed_turns(Table(runtime, game_id))) == 2
