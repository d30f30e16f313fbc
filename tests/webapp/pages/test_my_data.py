"""A player looks at what is kept, gets a file with all that is theirs, and has everything deleted."""

import io
import json
import zipfile
from datetime import timedelta

import pytest

from hearts.record import parse_record
from tests.cast import address, dump, letters, load, play_first, play_hand
from webapp import acts
from webapp.accounts import signing_in
from webapp.accounts.sign_ins import FRESH_FOR
from webapp.core.tokens import ForgetLink, SignInLink
from webapp.inbox import receiving
from webapp.models import InboundRow, LetterKind, LetterState, PlayerRow
from webapp.outbox.letters import KEPT_FOR
from webapp.pages.common import SIGN_IN
from webapp.players import own_data
from webapp.presentation.timestamps import span
from webapp.tables import run_out
from worker import postman

FILE = "/my-data/hearts-by-mail.zip"


@pytest.fixture
def bo(runtime, game_id, client):
    """Bo, who has just signed in with the client."""
    number = load(runtime, game_id).seats[1].player_id
    secret = signing_in.sign_in(runtime, SignInLink(number, 0), "Firefox/130")
    with client.session_transaction() as cookie:
        cookie[SIGN_IN] = secret
    return number


def data_of(runtime, number):
    with runtime.database.reading() as session:
        return own_data.data_of(session, session.get_one(PlayerRow, number))


def test_what_we_keep_is_linked_from_every_page_and_mail_and_names_the_real_times(runtime, client, game_id):
    assert 'href="/privacy"' in client.get("/lobby").text
    postman.deliver(runtime)
    assert all("/privacy" in letter.message for letter in letters(runtime) if letter.state is LetterState.KEPT)
    said = client.get("/privacy").text
    for kept in (KEPT_FOR, receiving.KEPT_FOR, acts.KEPT_FOR):
        assert f"after {span(kept)}" in said
    assert f"runs out {span(run_out.KEPT_FOR)} after our last email" in said


def test_the_file_holds_finished_hands_and_what_is_ones_own_but_no_others_address(runtime, client, game_id, bo):
    postman.deliver(runtime)
    play_hand(runtime, game_id)
    play_first(runtime, game_id)
    response = client.get(FILE)
    assert response.mimetype == "application/zip"
    with zipfile.ZipFile(io.BytesIO(response.data)) as file:
        content = {name: file.read(name).decode() for name in file.namelist()}
    record = parse_record(content[f"games/{load(runtime, game_id).table.code}-1.json"])
    assert len(record.hands) == 1
    said = json.loads(content["data.json"])
    assert said["player"]["address"] == address("Bo")
    assert {mail["kind"] for mail in said["mails_to_you"]} >= {"pass", "score_sheet"}
    assert said["sign_ins"][0]["browser"] == "Firefox"
    for other in ("Ann", "Cy", "Di"):
        assert address(other) not in "".join(content.values())


def test_the_file_holds_the_mails_to_and_from_the_player_as_long_as_their_texts_are_kept(runtime, client, bo):
    postman.deliver(runtime)
    with runtime.database.writing() as session:
        for name, raw in (("Bo", b"4C, please"), ("Bo", None), ("Cy", b"9D")):
            recipient, now = f"r-{name}@in.hearts.example", runtime.now()
            came = {"identity": str(raw), "raw": raw, "next_at": None, "received_at": now}
            session.add(InboundRow(sender=address(name), recipient=recipient, **came))
    with zipfile.ZipFile(io.BytesIO(client.get(FILE).data)) as file:
        mails = {name: file.read(name).decode() for name in file.namelist() if name.startswith("mails")}
    own = [letter for letter in letters(runtime) if letter.player_id == bo and letter.message]
    assert own
    assert mails == {f"mails-to-you/{one.id}.eml": one.message for one in own} | {"mails-from-you/1.eml": "4C, please"}


def test_every_column_that_is_kept_of_a_player_is_in_the_file_or_left_out_on_purpose(runtime, bo):
    counters = {"id", "sign_ins", "generation", "links", "letters_lost", "forgotten_at"}
    assert data_of(runtime, bo)["player"].keys() == set(PlayerRow.model_fields) - counters


def test_without_a_fresh_sign_in_there_is_neither_a_file_nor_a_mail(runtime, client, bo):
    runtime.now.pass_by(FRESH_FOR)
    before = dump(runtime)
    for response in (client.get(FILE), client.post("/my-data/forget")):
        assert response.status_code == 403
        assert "sign in afresh" in response.text
    assert dump(runtime) == before


@pytest.mark.parametrize(("method", "path"), [("get", "/my-data"), ("get", FILE), ("post", "/my-data/forget")])
def test_a_stranger_is_asked_to_sign_in(client, game_id, method, path):
    response = getattr(client, method)(path)
    assert (response.status_code, response.location) == (303, "/sign-in")


def test_a_player_is_forgotten_after_a_mail_and_a_tap_and_not_by_looking(runtime, client, bo):
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
