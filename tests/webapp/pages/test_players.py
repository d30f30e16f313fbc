"""Signing in by a link from an email, which reveals to nobody who plays here."""

import re
from datetime import timedelta

from bs4 import BeautifulSoup

from tests.cast import letters, load, seat_link, start_game
from tests.sites import site_of
from tests.submitting import words
from webapp.core.tokens import SignInLink
from webapp.models import LetterKind


def test_signing_in_needs_a_mailed_link_valid_once(runtime, client):
    game_id = start_game(runtime)
    assert client.post("/sign-in", data={"address": "ANN@example.org"}).status_code == 200
    (letter,) = letters(runtime, LetterKind.SIGN_IN)
    url = runtime.signer.local_url(SignInLink(letter.player_id, 0))
    assert client.get("/games").status_code == 303
    assert client.get(url).status_code == 200
    assert client.get("/games").status_code == 303, "opening the link signs nobody in"
    assert client.post(url).status_code == 303
    games = client.get("/games")
    assert "It is your turn" in words(games)
    link = BeautifulSoup(games.data, "lxml").find("a", href=re.compile("^/play/"))["href"]
    assert client.get(link).status_code == 200
    table = runtime.signer.local_url(seat_link(runtime, load(runtime, game_id).row.table_id, 0))
    assert "/play/" in client.get(table).text
    assert "/turn/" not in site_of(runtime).test_client().get(table).text, "the seat's link alone does not play"
    assert client.get(url).location == client.post(url).location == "/games", "they are signed in here"
    other = site_of(runtime).test_client()
    for used in (other.get(url), other.post(url)):
        assert used.status_code == 410
        assert "This link has been used" in words(used)
    before = len(letters(runtime, LetterKind.SIGN_IN))
    runtime.now.pass_by(timedelta(seconds=1))
    assert "on its way to you" in words(other.post(f"{url}/again"))
    assert len(letters(runtime, LetterKind.SIGN_IN)) == before + 1
    assert client.post("/sign-out").status_code == 303
    assert client.get("/games").status_code == 303
    assert load(runtime, game_id).row.turns == 1


def test_asking_to_sign_in_does_not_reveal_who_plays(runtime, client):
    start_game(runtime)
    ours = words(client.post("/sign-in", data={"address": "ann@example.org"}))
    eve = words(client.post("/sign-in", data={"address": "eve@example.org"}))
    assert ours.replace("ann@", "eve@") == eve
    assert client.post("/sign-in", data={"address": "nobody"}).status_code == 400
