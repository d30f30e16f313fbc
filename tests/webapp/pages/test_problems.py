"""The pages about problems: forged, foreign and old links, forms that are too large or malformed, faults of ours."""

import logging
from datetime import timedelta

import pytest

from tests.cast import dump, seat_link, start_game
from tests.mailing import preferences_url
from tests.submitting import FORM, check_refused, held, words
from tests.webapp.tables.hosted import host_of
from webapp.core.tokens import ConfirmLink, SignInLink, TurnLink
from webapp.games.record import store


def test_a_form_that_is_too_large_is_refused(runtime, client):
    response = client.post("/tables/new", data={**FORM, "host_name": "A" * 200_000})
    check_refused(runtime, dump(runtime), response, 413, "longer than any form of ours")


def test_a_malformed_form_is_refused(runtime, client):
    table = start_game(runtime)
    before = dump(runtime)
    url = runtime.signer.local_url(table.turn_link(0))
    broken = b"--x\r\nContent-Disposition: form-data; name=card\r\n\r\nQS"
    response = client.post(url, data=broken, content_type="multipart/form-data; boundary=y")
    assert response.status_code == 400
    assert dump(runtime) == before


@pytest.mark.parametrize("number", [str(10**30), "-1"], ids=["huge", "negative"])
def test_no_number_in_a_form_or_address_is_a_fault(runtime, client, number):
    table = start_game(runtime)
    table_id, url = table.table_id, runtime.signer.local_url
    seat, host = url(seat_link(runtime, table_id, 0)), url(host_of(runtime, table_id))
    play, before = url(table.play_link(0)), dump(runtime)
    sent = {"seat": number, "device": number, "number": number, "table": number, "hand": number}
    for path, want in [
        *((f"{seat}/fill", ""), (f"{seat}/remind", ""), (f"{seat}/guests", "refuse"), (f"{seat}/guests", "new-link")),
        *((f"{host}/fill", ""), (f"{host}/remind", ""), (f"{host}/withdraw", "")),
        (f"{preferences_url(runtime, 'Ann')}/devices/forget", ""),
        *((f"{preferences_url(runtime, 'Ann')}/table", "no-mails"), (f"{play}/ahead", "take-back")),
    ]:
        assert client.post(path, data={**sent, "kind": "robot", "want": want}).status_code in (303, 400, 404, 409), path
    for name in ("shown", "hand", "at"):
        assert client.get(f"{play}?{name}={number}").status_code == 200, name
    assert dump(runtime) == before


LINKS = ["confirm", "invitation", "turn", "seat", "sign-in"]


@pytest.mark.parametrize("path", LINKS)
@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("token", ["x", "WzEsMSwwLDEsInBhc3MiXQ.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb", "a" * 3000])
def test_a_forged_token_gets_a_plain_page(runtime, client, path, method, token):
    if (path, method) == ("seat", "post"):
        token += "/fill"
    response = getattr(client, method)(f"/{path}/{token}", data={"card": "QS"})
    check_refused(runtime, dump(runtime), response, 403, "doesn't work")


def test_a_missing_games_genuine_token_gets_a_plain_page(runtime, client):
    for link in (TurnLink(99, 0, 1, "pass", 1), ConfirmLink(99), SignInLink(99, 0)):
        assert client.get(runtime.signer.local_url(link)).status_code == 403
        assert client.post(runtime.signer.local_url(link), data={"card": "2C"}).status_code == 403


def test_eves_token_for_her_own_seat_opens_no_other(runtime, client):
    """Foreign: a genuine turn link with its path changed, or another purpose's token in its place."""
    table = start_game(runtime)
    token = runtime.signer.token(seat_link(runtime, table.table_id, 1))
    response = client.post(f"/turn/{token}", data={"card": held(table, 1)[:3]})
    check_refused(runtime, dump(runtime), response, 403, "doesn't work")


def test_an_expired_token_is_reported_as_expired(runtime, client, monkeypatch):
    table = start_game(runtime)
    url = runtime.signer.local_url(table.turn_link(0))
    monkeypatch.setattr(TurnLink, "ttl", timedelta(minutes=-6))
    response = client.post(url, data={"card": held(table, 0)[:3]})
    check_refused(runtime, dump(runtime), response, 410, "This link is too old")


def test_unknown_addresses_and_methods_get_an_error_page_of_ours(runtime, client):
    before = dump(runtime)
    check_refused(runtime, before, client.get("/nowhere"), 404, "Page not found")
    check_refused(runtime, before, client.put("/tables/new"), 405, "cannot be done here")


def test_a_failure_shows_no_trace_and_logs_no_token(runtime, client, monkeypatch, caplog):
    table = start_game(runtime)
    url = runtime.signer.local_url(table.turn_link(0))

    def fail(*_, **__):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(store, "load", fail)
    with caplog.at_level(logging.DEBUG):
        response = client.get(url)
    assert response.status_code == 500
    assert "Nothing is lost" in words(response)
    assert "a fault of ours" not in words(response)
    assert "a fault of ours" in caplog.text
    assert url.rpartition("/")[2] not in caplog.text
