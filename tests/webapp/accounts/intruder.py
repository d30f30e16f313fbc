"""Eve has one mail of Bo's that he forwarded, and moves his games to herself: what she does, as her browser would."""

import re
from datetime import timedelta

from bs4 import BeautifulSoup
from flask.testing import FlaskClient
from sqlmodel import select

from tests.cast import address, letters, start_game
from webapp.accounts import moving
from webapp.core.runtime import Parts
from webapp.models import LetterKind, LetterRow, PlayerRow
from webapp.site import make_site
from worker.mail import compose

KEYS = "wishes|seat|turn|play|host|again|invitation|confirm|unsubscribe"  # links that let somebody in as Bo
OURS = re.compile(r"http://127\.0\.0\.1:8000(/[^\s\"<>]*)")
BOS, EVES = address("Bo"), address("Eve")
WEEK_OF_SILENCE = timedelta(days=7)


def host_bo(parts: Parts) -> int:
    """A game at a table that Bo hosts. Returns his number."""
    start_game(parts, ("Bo", "Ann", "Cy", "Di"))
    bo = player_at(parts, BOS).id
    assert bo is not None
    return bo


def player_at(parts: Parts, at: str) -> PlayerRow:
    """The player who has that address now."""
    with parts.database.reading() as session:
        return session.exec(select(PlayerRow).where(PlayerRow.address == at)).one()


def player_of(parts: Parts, player_id: int) -> PlayerRow:
    with parts.database.reading() as session:
        return session.get_one(PlayerRow, player_id)


def composed(parts: Parts, letter: LetterRow) -> str:
    """The text of a mail as the worker writes it now; empty where it sends none."""
    with parts.database.reading() as session:
        mail = compose(parts, session, letter)
    return mail.get_body(("plain",)).get_content() if mail else ""


def newest(parts: Parts, kind: LetterKind, to: str | None = None) -> str:
    """The newest mail of that kind, to that address if it is named."""
    found = [letter for letter in letters(parts, kind) if to is None or letter.address == to]
    return composed(parts, found[-1])


def question_to(parts: Parts, player_id: int) -> str:
    """The newest mail that asks the player to pass."""
    return composed(parts, [letter for letter in letters(parts, LetterKind.PASS) if letter.player_id == player_id][-1])


def paths_in(text: str) -> list[str]:
    return OURS.findall(text)


def keys_in(text: str) -> set[str]:
    """The links of a mail that let somebody in as its reader."""
    return {path for path in paths_in(text) if re.match(rf"/({KEYS})/", path)}


def link_in(text: str, kind: str) -> str:
    """The first link of that kind in a mail."""
    return next(path for path in paths_in(text) if path.startswith(f"/{kind}/"))


def links_on(client: FlaskClient, path: str) -> set[str]:
    """Every link of a page that lets somebody in."""
    page = BeautifulSoup(client.get(path).data, "html.parser")
    found = {str(tag.get("href") or tag.get("action")) for tag in page.select("[href], [action]")}
    return {link for link in found if re.match(rf"/({KEYS})/", link)}


def open_pages(client: FlaskClient, starts: set[str]) -> set[str]:
    """Every page that lets somebody in, as far as links lead from these."""
    found: set[str] = set()
    new = set(starts)
    while new:
        found |= new
        new = {link for path in new for link in links_on(client, path)} - found
    return {path for path in found if client.get(path).status_code == 200}


def kinds_of(paths: set[str]) -> set[str]:
    return {path.split("/")[1] for path in paths}


def follow(client: FlaskClient, text: str, **form: str):
    """Opens the first link of a mail, and presses the button of its page."""
    path = paths_in(text)[0]
    assert client.get(path).status_code == 200
    return client.post(path, data=form)


def browser(parts: Parts) -> FlaskClient:
    return make_site(parts).test_client()


def sign_in(parts: Parts, at: str) -> FlaskClient:
    """The browser of whoever reads the mails to that address, signed in."""
    client = browser(parts)
    parts.now.pass_by(timedelta(seconds=1))
    assert client.post("/sign-in", data={"address": at}).status_code == 200
    assert follow(client, newest(parts, LetterKind.SIGN_IN)).status_code == 303
    return client


def preferences_of(client: FlaskClient) -> str:
    """Where somebody who is signed in finds their preferences."""
    return next(path for path in links_on(client, "/games") if path.startswith("/wishes/"))


def ask_move(client: FlaskClient, preferences: str, to: str):
    return client.post(f"{preferences}/address", data={"address": to})


def take_over(parts: Parts, bo: int) -> FlaskClient:
    """Eve moves the games by the link that stands in every mail, while Bo reads none. Returns her browser."""
    eve = browser(parts)
    assert ask_move(eve, link_in(question_to(parts, bo), "wishes"), EVES).status_code == 303
    follow(eve, newest(parts, LetterKind.NEW_ADDRESS))
    parts.now.pass_by(WEEK_OF_SILENCE)
    assert moving.move_ready(parts, parts.now()) == 1
    assert player_of(parts, bo).address == EVES
    return sign_in(parts, EVES)


def take_back(parts: Parts) -> None:
    """Bo follows the link that was mailed to the address he had."""
    assert follow(browser(parts), newest(parts, LetterKind.ADDRESS_CHANGED, BOS)).status_code == 200
