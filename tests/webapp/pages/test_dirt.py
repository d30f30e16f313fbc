"""Dirt at the end of links: they open all the same."""

import re

import pytest

from tests.playing import codes, waiting_game
from tests.submitting import soup
from tests.webapp.tables.hosted import CY
from webapp.core.tokens import PreferencesLink

ENDS = (".", ")", ">", '"', "%22", "*", "/", ",", ";", "!", "'", ").", ">.", "]", "}", "%3E", "»", "/.", "%E2%80%9D")
CARD_FORMS = ("?card={card}.", "?card={card})", "?card={card}%22", "?card={card}*", "?card={low}", "?card={low}.")
CARD_FORMS += ("%3Fcard={card}", "%3Fcard%3D{card}", "?amp;card={card}", "?x=1&amp;card={card}", "/?card={card}")


@pytest.fixture
def link(runtime):
    table = waiting_game(runtime)
    return runtime.signer.local_url(table.turn_link(CY)), codes(table.following_cards(CY))[0]


def test_a_link_with_dirt_at_its_end_opens(link, client):
    path, _ = link
    for end in ENDS:
        opened = client.get(f"{path}{end}", follow_redirects=True)
        assert (opened.status_code, opened.request.path) == (200, path), end


def test_a_dirty_link_of_a_card_chooses_the_card(link, client):
    path, card = link
    for form in CARD_FORMS:
        opened = client.get(path + form.format(card=card, low=card.lower()), follow_redirects=True)
        assert opened.status_code == 200, form
        assert soup(opened).select_one("[name=card][checked]")["value"] == card, form


def test_a_page_below_a_link_is_found_with_dirt(runtime, client, table):
    path = f"{runtime.signer.local_url(PreferencesLink(1))}/my-data"
    assert client.get(f"{path}).", follow_redirects=True).request.path == path


def test_every_page_of_a_link_is_found_with_dirt(client):
    rules = [rule for rule in client.application.url_map.iter_rules() if "token" in rule.arguments and opens(rule)]
    assert len(rules) > 30
    paths = [rule.rule.replace("<token>", "an.opened.link") for rule in rules]
    paths = [re.sub("<any[^>]*>", "play", re.sub("<int[^>]*>", "2", path)) for path in paths]
    assert [path for path in paths if client.get(f"{path}).").location != path] == []


def opens(rule):
    """Whether a browser shows the rule's page: it is no file."""
    return "GET" in rule.methods and "." not in rule.rule and "<path:" not in rule.rule


def test_a_cut_link_stays_a_problem(link, client):
    path, _ = link
    assert client.get(path[:-3], follow_redirects=True).status_code in (403, 404)
    assert client.get(f"{path}x", follow_redirects=True).status_code in (403, 404)
