"""My data: a player looks at what is kept, gets a file with all that is theirs, and has everything deleted."""

from datetime import timedelta

import pytest

from tests.cast import dump, letters
from webapp import acts
from webapp.accounts import sign_ins
from webapp.accounts.sign_ins import FRESH_FOR
from webapp.core.tokens import ForgetLink, SignInLink
from webapp.inbox import receiving
from webapp.models import LetterKind, LetterState, PlayerRow
from webapp.outbox.letters import KEPT_FOR
from webapp.pages.common import SIGN_IN
from webapp.presentation.phrasing import span
from webapp.tables import run_out
from worker import postman

FILE = "/my-data/hearts-by-mail.zip"


@pytest.fixture
def bo(runtime, table, client):
    """Bo, who has just signed in with the client."""
    number = table.seats[1].player_id
    secret = sign_ins.sign_in(runtime, SignInLink(number, 0), "Firefox/130")
    with client.session_transaction() as cookie:
        cookie[SIGN_IN] = secret
    return number


def test_every_page_and_mail_links_to_what_we_keep(runtime, client, table):
    assert 'href="/privacy"' in client.get("/lobby").text
    postman.deliver(runtime)
    assert all("/privacy" in letter.message for letter in letters(runtime) if letter.state is LetterState.KEPT)
    said = client.get("/privacy").text
    for kept in (KEPT_FOR, receiving.KEPT_FOR, acts.KEPT_FOR):
        assert f"after {span(kept)}" in said
    assert f"runs out {span(run_out.KEPT_FOR)} after our last email" in said


def test_no_file_or_mail_comes_without_a_fresh_sign_in(runtime, client, bo):
    runtime.now.pass_by(FRESH_FOR)
    before = dump(runtime)
    for response in (client.get(FILE), client.post("/my-data/forget")):
        assert response.status_code == 403
        assert "sign in afresh" in response.text
    assert dump(runtime) == before


@pytest.mark.parametrize(("method", "path"), [("get", "/my-data"), ("get", FILE), ("post", "/my-data/forget")])
def test_a_stranger_is_asked_to_sign_in(client, table, method, path):
    response = getattr(client, method)(path)
    assert (response.status_code, response.location) == (303, "/sign-in")


def test_forgetting_a_player_takes_a_mail_and_a_tap(runtime, client, bo):
    assert "We have written to you" in client.post("/my-data/forget").text
    postman.deliver(runtime)
    assert "/forget/" in letters(runtime, LetterKind.FORGET)[-1].message
    link = runtime.signer.local_url(ForgetLink(bo, 0))
    before = dump(runtime)
    assert "Shall we forget you, Bo?" in client.get(link).text
    assert dump(runtime) == before
    assert "You are forgotten" in client.post(link).text
    assert client.get(link).status_code == 410
    assert client.get("/my-data").status_code == 303  # signed out
    with runtime.database.reading() as session:
        assert session.get_one(PlayerRow, bo).name == "Somebody"


def test_signing_out_everywhere_ends_a_link_to_delete_everything(runtime, client, bo):
    client.post("/signed-in/end", data={"sign_in": "all"})
    assert client.post(runtime.signer.local_url(ForgetLink(bo, 0))).status_code == 410
    with runtime.database.reading() as session:
        assert session.get_one(PlayerRow, bo).name == "Bo"


def test_the_mails_that_ask_are_limited(runtime, client, bo):
    statuses = []
    for _ in range(6):
        runtime.now.pass_by(timedelta(seconds=1))
        statuses.append(client.post("/my-data/forget").status_code)
    assert statuses == [200] * 5 + [429]


def test_the_link_expires_within_a_day(runtime, client, bo):
    link = runtime.signer.local_url(ForgetLink(bo, 0))
    assert timedelta(days=1) == ForgetLink.ttl
    assert client.get(link).status_code == 200
