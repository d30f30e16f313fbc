"""Forms as browsers submit them, and the look of a refusal."""

from collections import Counter
from collections.abc import Callable
from functools import partial

from bs4 import BeautifulSoup
from flask.testing import FlaskClient
from lxml.html import document_fromstring
from werkzeug.test import TestResponse

from hearts.cards import card_text
from tests.cast import dump
from tests.races import none_fails
from tests.sites import site_of
from tests.table import Table
from webapp.core.runtime import Runtime

FORM = {
    "host_name": "Ann",
    "host_address": "ann@example.org",
    "time_zone": "Europe/Berlin",
    "seat_1_kind": "player",
    "seat_1_name": "Bo",
    "seat_1_address": "bo@example.org",
    "seat_2_kind": "robot",
    "seat_3_kind": "robot",
    "seat_4_kind": "none",
    "when": "mail",
    "length": "100",
    "preset": "classic",
    "pass_time": "86400",
    "play_time": "86400",
}
PREFERENCES = {
    "frequency": "daily",
    "daily_at": "9",
    "quiet": "yes",
    "quiet_from": "23",
    "quiet_to": "6",
    "time_zone": "Asia/Tokyo",
}
UNREAD = ("script", "style", "template")


def held(table: Table, seat: int) -> list[str]:
    """The cards of a seat, as forms submit them."""
    return [card_text(card) for card in table.game.held[seat]]


def soup(response: TestResponse) -> BeautifulSoup:
    """The page, without what is in templates: a browser's selectors do not find that, and those of soupsieve do before
    its version 3.
    """
    page = BeautifulSoup(response.data, "lxml")
    for template in page.find_all("template"):
        template.clear()
    return page


def words(response: TestResponse) -> str:
    return words_of(response.data) if response.data else ""


def words_of(page: bytes | str) -> str:
    """The words of a page, in one line. To make a `soup` of it takes eight times as long."""
    texts = document_fromstring(page).xpath(f"//text()[not({' or '.join(f'ancestor::{tag}' for tag in UNREAD)})]")
    return " ".join(text.strip() for text in texts if text.strip())


def check_refused(
    runtime: Runtime, before: dict[str, object], response: TestResponse, status: int, sentence: str
) -> None:
    """The response is a page with the message and the status, no trace, and nothing has changed."""
    assert response.status_code == status
    assert sentence in words(response)
    assert "Traceback" not in words(response)
    assert response.mimetype == "text/html"
    assert dump(runtime) == before


def posts_at_once(runtime: Runtime, count: int, post: Callable[[FlaskClient], TestResponse]) -> Counter[int]:
    """`post(client)` by `count` browsers at the same moment. Returns the statuses."""
    site = site_of(runtime)
    answers = none_fails(*(partial(post, site.test_client()) for _ in range(count)))
    return Counter(answer.status_code for answer in answers)
