"""Eve has one mail of Bo's that he passed on, and takes his games by it: what she does, as her browser would."""

import re
from datetime import timedelta

from bs4 import BeautifulSoup
from sqlmodel import select

from tests.cast import address, letters
from webapp.models import LetterKind, LetterRow, PlayerRow
from webapp.site import make_site
from worker.mail import compose

KEYS = "wishes|seat|turn|play|host|again|invitation|confirm|unsubscribe"  # links that let somebody in as Bo
OURS = re.compile(r"http://127\.0\.0\.1:8000(/[^\s\"<>]*)")
EVES = address("Eve")


def player(parts, name) -> PlayerRow:
    """The player who has that address now."""
    with parts.database.reading() as session:
        return session.exec(select(PlayerRow).where(PlayerRow.address == address(name))).one()


def composed(parts, letter: LetterRow) -> str:
    """The text of a mail as the worker writes it now; empty where it sends none."""
    with parts.database.reading() as session:
        mail = compose(parts, session, letter)
    return mail.get_body(("plain",)).get_content() if mail else ""


def paths_in(text: str) -> list[str]:
    return OURS.findall(text)


def keys_in(text: str) -> set[str]:
    """The links of a mail that let somebody in as its reader."""
    return {path for path in paths_in(text) if re.match(rf"/({KEYS})/", path)}


def link_in(text: str, kind: str) -> str:
    """The first link of that kind in a mail."""
    return next(path for path in paths_in(text) if path.startswith(f"/{kind}/"))


def newest(parts, kind: LetterKind, to: str | None = None) -> str:
    """The newest mail of that kind, to that address if it is named."""
    found = [letter for letter in letters(parts, kind) if to is None or letter.address == to]
    return composed(parts, found[-1])


def follow(client, text: str):
    """Opens the first link of a mail and presses the first button of its page."""
    path = paths_in(text)[0]
    assert client.get(path).status_code == 200
    return client.post(path)


def sign_in(parts, at: str):
    """The browser of whoever reads the mails to that address, signed in."""
    client = make_site(parts).test_client()
    assert client.post("/sign-in", data={"address": at}).status_code == 200
    assert follow(client, newest(parts, LetterKind.SIGN_IN)).status_code == 303
    return client


def links_on(client, path: str) -> set[str]:
    """Every link of a page that carries a token."""
    page = BeautifulSoup(client.get(path).data, "html.parser")
    found = {str(tag.get("href") or tag.get("action")) for tag in page.select("[href], [action]")}
    return {link for link in found if re.match(rf"/({KEYS})/", link)}


WEEK_OF_SILENCE = timedelta(days=8)
