"""The number of a request, and what is logged under it: its turns and its page."""

import json

import pytest

from hearts.cards import card_text
from tests.cast import start_game
from tests.webapp.logged import line, logged_events
from webapp.core.log import LogFormat


@pytest.fixture
def events(client):
    """The structured lines that are logged, as mappings."""
    with logged_events() as made:
        yield made


@pytest.mark.parametrize(
    ("given_id", "is_kept"),
    [
        ("a1b2c3d4-proxy", True),
        ("short", False),
        ("x" * 65, False),
        ("two words here", False),
        ("ann@example.org", False),
    ],
)
def test_a_well_formed_number_of_a_proxy_is_kept(client, given_id, is_kept):
    returned = client.get("/healthz", headers={"X-Request-ID": given_id}).headers["X-Request-ID"]
    assert (returned == given_id) == is_kept
    assert len(returned) >= 8


def test_a_turn_and_its_page_share_the_logged_request_number(runtime, client, events):
    table = start_game(runtime)
    link = runtime.signer.local_url(table.turn_link(0))
    cards = [card_text(card) for card in list(table.game.held[0])[:3]]
    client.post(link, data={"card": cards}, headers={"X-Request-ID": "number-of-this"})
    client.get(link)
    own = [event for event in events if event.get("request") == "number-of-this"]
    assert [event["event"] for event in own] == ["turn", "page"]
    page = next(event for event in own if event["event"] == "page")
    assert (page["route"], page["method"]) == ("/turn/<token>", "POST")
    assert "request" not in json.loads(line(LogFormat.JSON, "afterwards"))
