"""Eve has one email that Bo forwarded, and moves his games to herself: her steps, as her browser would do them."""

import re
from datetime import timedelta

from bs4 import BeautifulSoup
from flask.testing import FlaskClient
from sqlmodel import select
from werkzeug.test import TestResponse

from tests.cast import address, letters, start_game
from tests.sites import site_of
from webapp.accounts import changing_address
from webapp.core.runtime import Runtime
from webapp.models import LetterKind, LetterRow, PlayerRow
from worker.mail import compose

KEYS = "preferences|seat|turn|play|host|again|invitation|confirm|unsubscribe"  # links that let somebody in as Bo
OURS = re.compile(r"http://127\.0\.0\.1:8000(/[^\s\"<>]*)")
BOS, EVES = address("Bo"), address("Eve")
WEEK_OF_SILENCE = timedelta(days=7)


def host_bo(runtime: Runtime) -> int:
    """A game at a table that Bo hosts. Returns his number."""
    start_game(runtime, ("Bo", "Ann", "Cy", "Di"))
    bo = player_at(runtime, BOS).id
    assert bo is not None
    return bo


def player_at(runtime: Runtime, at: str) -> PlayerRow:
    """The player who has that address now."""
    with runtime.database.reading() as session:
        return session.exec(select(PlayerRow).where(PlayerRow.address == at)).one()


def player_of(runtime: Runtime, player_id: int) -> PlayerRow:
    with runtime.database.reading() as session:
        return session.get_one(PlayerRow, player_id)


def composed(runtime: Runtime, letter: LetterRow) -> str:
    """The text of an email as the worker composes it now; empty if it sends none."""
    with runtime.database.reading() as session:
        mail = compose(runtime, session, letter)
    return mail.get_body(("plain",)).get_content() if mail else ""


def newest(runtime: Runtime, kind: LetterKind, to: str | None = None) -> str:
    """The newest mail of that kind, to that address if it is given."""
    found = [letter for letter in letters(runtime, kind) if to is None or letter.address == to]
    return composed(runtime, found[-1])


def question_to(runtime: Runtime, player_id: int) -> str:
    """The newest mail that asks the player to pass."""
    return composed(
        runtime, [letter for letter in letters(runtime, LetterKind.TURNS) if letter.player_id == player_id][-1]
    )


def paths_in(text: str) -> list[str]:
    return OURS.findall(text)


def keys_in(text: str) -> set[str]:
    """The links of an email that let somebody in as its reader."""
    return {path for path in paths_in(text) if re.match(rf"/({KEYS})/", path)}


def link_in(text: str, kind: str) -> str:
    """The first link of that kind in an email."""
    return next(path for path in paths_in(text) if path.startswith(f"/{kind}/"))


def links_on(client: FlaskClient, path: str) -> set[str]:
    """Every link of a page that lets somebody in."""
    return links_in(client.get(path))


def links_in(answer: TestResponse) -> set[str]:
    page = BeautifulSoup(answer.data, "lxml")
    found = {str(tag.get("href") or tag.get("action")) for tag in page.select("[href], [action]")}
    return {link for link in found if re.match(rf"/({KEYS})/", link)}


def open_pages(client: FlaskClient, starts: set[str]) -> set[str]:
    """Every page that lets somebody in and can be reached by links from these, each by one of its links."""
    opened: set[str] = set()
    opens: set[str] = set()
    new = list(starts)
    while new:
        path = new.pop()
        if opens_what(path) in opened:
            continue
        opened.add(opens_what(path))
        page = client.get(path)
        opens |= {path} if page.status_code == 200 else set()
        new += links_in(page)
    return opens


def opens_what(path: str) -> str:
    """Returns a link's address without time and signature, which differ between a page and its next view."""
    return re.sub(r"(?<=\.)[\w-]+\.[\w=-]+", "", path)


def kinds_of(paths: set[str]) -> set[str]:
    return {path.split("/")[1] for path in paths}


def follow(client: FlaskClient, text: str, **form: str):
    """Opens the first link of an email, and presses the button of its page."""
    path = paths_in(text)[0]
    assert client.get(path).status_code == 200
    return client.post(path, data=form)


def browser(runtime: Runtime) -> FlaskClient:
    return site_of(runtime).test_client()


def sign_in(runtime: Runtime, at: str) -> FlaskClient:
    """A signed-in browser of the owner of that address."""
    client = browser(runtime)
    runtime.now.pass_by(timedelta(seconds=1))
    assert client.post("/sign-in", data={"address": at}).status_code == 200
    assert follow(client, newest(runtime, LetterKind.SIGN_IN)).status_code == 303
    return client


def preferences_of(client: FlaskClient) -> str:
    """The address of the preferences of a signed-in browser."""
    return next(path for path in links_on(client, "/games") if re.fullmatch("/preferences/[^/]+", path))


def request_move(client: FlaskClient, preferences: str, to: str):
    return client.post(f"{preferences}/address", data={"address": to})


def take_over(runtime: Runtime, bo: int) -> FlaskClient:
    """Eve moves the games by the link that stands in every email, while Bo reads none. Returns her browser."""
    eve = browser(runtime)
    assert request_move(eve, link_in(question_to(runtime, bo), "preferences"), EVES).status_code == 303
    follow(eve, newest(runtime, LetterKind.NEW_ADDRESS))
    runtime.now.pass_by(WEEK_OF_SILENCE)
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 1
    assert player_of(runtime, bo).address == EVES
    return sign_in(runtime, EVES)


def take_back(runtime: Runtime) -> None:
    """Bo follows the link mailed to his former address."""
    assert follow(browser(runtime), newest(runtime, LetterKind.ADDRESS_CHANGED, BOS)).status_code == 200
