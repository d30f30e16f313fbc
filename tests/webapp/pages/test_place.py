"""A reader's place in their visit: what the address of its page says, and how it is read again."""

import pytest
from flask import Flask

from webapp.pages.at_table import Place, place

PLACES = [Place(), Place(0), Place(57, at=2), Place(57, hand=4), Place(0, waits=False)]


@pytest.mark.parametrize("here", PLACES)
def test_a_place_is_read_from_the_address_that_it_makes(here):
    with Flask(__name__).test_request_context(f"/play/x{here.query}"):
        assert place() == here


def test_a_place_at_the_beginning_leaves_the_address_bare():
    assert Place().query == ""


def test_a_form_names_what_its_page_has_shown():
    with Flask(__name__).test_request_context("/turn/x", method="POST", data={"shown": "57"}):
        assert place() == Place(57)


@pytest.mark.parametrize("query", ["?shown=x", "?at=", "?hand=1.5", "?shown=%00", "?shown=-1", f"?at={10**30}"])
def test_a_broken_address_is_a_place_at_the_beginning(query):
    with Flask(__name__).test_request_context(f"/play/x{query}"):
        assert place() == Place()
