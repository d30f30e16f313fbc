"""A shared result: what anybody with the link sees, what nobody does, and how it ends."""

import re
from collections.abc import Iterable
from io import BytesIO

import pytest
from bs4 import BeautifulSoup
from PIL import Image
from sqlmodel import select

from hearts.game import replay
from hearts.rules import preset_rules
from tests.cast import dump, seat_link, start_game
from tests.languages import catalogues
from tests.runtimes import make_runtime
from tests.submitting import words_of
from tests.table import Table
from tests.webapp.accounts.signed_in import browser_of
from tests.webapp.pages.results import PEOPLE, ROBOT, SAID, finish, finished, share, sharing_page
from tests.webapp.tables.hosted import ANN, BO, accept, offer
from webapp.core.tokens import LinkInvalid, SharedLink
from webapp.games import shares
from webapp.games.record.links import relive_link
from webapp.models import GameRow, SeatRow, SeatState, ShareRow
from webapp.results.pictures import result_png

LINKS = re.compile(r"/(?!shared|static|practice|lobby|tables/new|sign-in|manifest|games|$)[a-z-]+/[\w.-]{20,}")


@pytest.fixture(scope="module")
def runtime(tmp_path_factory):
    made = make_runtime(tmp_path_factory.mktemp("shared"))
    yield made
    made.database.engine.dispose()


@pytest.fixture(scope="module")
def over(runtime) -> Table:
    return finished(runtime)


@pytest.fixture
def table(runtime, over):
    """A finished game without a shared link."""
    yield over
    with runtime.database.writing() as session:
        for row in session.exec(select(ShareRow)).all():
            session.delete(row)


def everything_public(client, path: str, steps: Iterable[int] = range(1, 56)) -> dict[str, str]:
    """Each page that can be reached from the link, at these steps of every hand."""
    shown = {path: client.get(path).text}
    for link in BeautifulSoup(shown[path], "lxml").select(".numbers a"):
        for step in steps:
            found = client.get(f"{link['href']}?step={step}")
            assert found.status_code == 200
            shown[f"{link['href']}?step={step}"] = found.text
    return shown


# what it shows


def test_the_shared_page_shows_the_result_and_every_hand(runtime, table, client):
    path = share(table, client)
    page = BeautifulSoup(client.get(path).data, "lxml")
    stored = table.stored
    totals = sorted(int(total.text) for total in page.select(".people .value"))
    assert totals == sorted(stored.game.totals)
    assert page.select_one("svg.race")
    hands = [link.text for link in page.select(".numbers a")]
    assert len(hands) == len(stored.game.scores)
    for link in page.select(".numbers a"):
        hand = BeautifulSoup(client.get(link["href"]).data, "lxml")
        assert hand.select(".open-hands li")
        assert hand.select_one("a[rel=next]")
        assert hand.find("a", href=path), "a way back"
    assert client.get(f"{path}/hand/{len(hands) + 1}").status_code == 404
    assert client.get(f"{path}/hand/0").status_code == 404


def test_no_public_page_shows_private_facts_or_hidden_names(runtime, table, client):
    path = share(table, client)
    stored = table.stored
    shown = everything_public(client, path)
    assert len(shown) > 50
    for name, page in shown.items():
        text = words_of(page)
        assert "@" not in page, name
        assert SAID not in page
        assert stored.table.code not in page
        assert not re.search(r"\b(Bo|Cyrano)\b", page), name
        assert not re.search(r"deadline|was away|robot chose|cost about|opinion|only you", text), name
        assert not LINKS.search(page), name
    front = shown[path]
    assert {"Ann", ROBOT, "West", "North"} <= set(re.findall(rf"Ann|{ROBOT}|West|North|East", front))
    late = relive_link(stored.seats[ANN], table.game_id, 1)
    private = [client.get(f"{runtime.signer.local_url(late)}?step={step}").text for step in range(1, 56)]
    assert any("so the robot chose" in page or "The deadline was over" in page for page in private), "the table knows"


def test_the_others_are_named_only_if_the_player_says_so(runtime, table, client):
    path = share(table, client, BO, names="yes")
    page = client.get(path).text
    assert all(name in page for name in (*PEOPLE, ROBOT))
    share(table, client, BO)
    page = client.get(path).text  # the first link still opens it
    assert not re.search(r"\b(Ann|Cyrano)\b", page)
    assert re.search(r"\bBo\b", page)


def test_a_player_who_had_a_seat_before_is_never_named(runtime, client):
    """Bo plays the first hand, Eve the others."""
    table = start_game(runtime, ("Ann", "Bo", "Cy", "Di"), rules=preset_rules("classic", target=60))
    accept(runtime, offer(table))
    finish(table)
    assert table.stored.names == ["Ann", "Eve", "Cy", "Di"]
    path = share(table, client, names="yes")
    shown = everything_public(client, path, range(1, 56, 6))  # each step names all players
    assert not [name for name, page in shown.items() if re.search(r"\bBo\b", page)]
    first, second = client.get(f"{path}/hand/1").text, client.get(f"{path}/hand/2").text
    assert "West" in first
    assert "Eve" not in BeautifulSoup(first, "lxml").select_one("#film").text
    assert "Eve" in second


def test_a_hidden_name_stays_hidden_when_a_robot_follows(runtime, client):
    table = finished(runtime)
    path = share(table, client)
    with runtime.database.writing() as session:
        session.get_one(GameRow, table.game_id).names = [*PEOPLE, ROBOT]
        seat = session.get_one(SeatRow, (table.table_id, BO))
        seat.player_id, seat.name, seat.state = None, "Pip", SeatState.ROBOT
    page = client.get(path).text
    assert not re.search(r"\b(Bo|Pip)\b", page)
    assert "West" in page


# Open Graph


def test_other_sites_find_a_title_and_a_rightly_sized_picture(runtime, table, client):
    path = share(table, client)
    page = BeautifulSoup(client.get(path).data, "lxml")
    tags = {tag.get("property") or tag.get("name"): tag["content"] for tag in page.select("meta[content]")}
    assert tags["og:url"] == f"{runtime.settings.address}{path}"
    assert tags["og:title"] == page.h1.text
    assert str(max(table.game.totals)) in tags["og:description"]
    assert (tags["twitter:card"], tags["robots"]) == ("summary_large_image", "noindex")
    assert tags["og:image"] == tags["twitter:image"]
    assert tags["og:image"].startswith(f"{runtime.settings.address}{path}/picture.png")
    assert tags["og:image:alt"]
    found = client.get(tags["og:image"].removeprefix(runtime.settings.address))
    assert found.mimetype == tags["og:image:type"] == "image/png"
    with Image.open(BytesIO(found.data)) as image:
        assert image.size == (int(tags["og:image:width"]), int(tags["og:image:height"]))


def test_an_unchanged_picture_is_confirmed_without_drawing_it(runtime, table, client):
    path = f"{share(table, client)}/picture.png"
    first = client.get(path)
    assert (first.status_code, first.headers["Cache-Control"]) == (200, "public, no-cache")
    drawn = result_png.cache_info()
    known = {"If-None-Match": first.headers["ETag"]}
    again = client.get(path, headers=known)
    assert (again.status_code, again.data) == (304, b"")
    assert result_png.cache_info() == drawn
    share(table, client, names="yes")
    assert client.get(path, headers=known).status_code == 200, "the names have changed"
    shares.stop(runtime, table.game_id, table.seats[ANN].player_id, runtime.now())
    assert client.get(path, headers=known).status_code == 410


def test_a_shared_result_is_in_its_readers_language(runtime, table, client, tmp_path):
    path = share(table, client)
    with catalogues(tmp_path, {"de": {}, "fr": {}}):
        readers = [{"Accept-Language": language} for language in ("de", "fr")]
        pages = [BeautifulSoup(client.get(path, headers=reader).text, "lxml") for reader in readers]
        assert [page.html["lang"] for page in pages] == ["de", "fr"]
        pictures = [page.find(property="og:image")["content"].partition("?")[2] for page in pages]
        tags = {client.get(f"{path}/picture.png?{query}").headers["ETag"] for query in pictures}
    assert len(tags) == 2, "no cache shows one reader what another reads"


def test_opening_the_pages_changes_no_row(runtime, table, client):
    path = share(table, client)
    before = dump(runtime)
    for url in (path, f"{path}/hand/1?step=7", f"{path}/picture.png", sharing_page(table)):
        for open_it in (client.head, client.get):
            assert open_it(url).status_code == 200
    assert dump(runtime) == before


# who makes it, and how it ends


def test_nothing_is_public_before_a_player_shares_it(runtime, table, client):
    for link in (SharedLink(1, 1), SharedLink(table.game_id, 1)):
        for rest in ("", "/hand/1", "/picture.png"):
            assert client.get(runtime.signer.local_url(link) + rest).status_code == 403
    assert client.get(sharing_page(table)).status_code == 200
    assert BeautifulSoup(client.get(sharing_page(table)).data, "lxml").select_one("#link") is None


def test_a_link_taken_back_opens_nothing_even_after_sharing_again(runtime, table, client):
    old = share(table, client)
    assert client.post(sharing_page(table), data={"want": "stop"}).status_code == 303

    def check_gone() -> None:
        for rest in ("", "/hand/1", "/hand/1?step=20", "/picture.png"):
            for open_it in (client.get, client.head):
                found = open_it(old + rest)
                assert found.status_code == 410
        page = BeautifulSoup(client.get(old).data, "lxml")
        assert page.h1.text == "This result is not shared any more"
        assert not re.search("Ann|West", page.text)

    check_gone()
    new = share(table, client)
    assert new != old
    assert client.get(new).status_code == 200
    check_gone()


def test_each_player_ends_only_their_own_link(runtime, table, client):
    anns, bos = share(table, client, ANN), share(table, client, BO)
    assert anns != bos
    client.post(sharing_page(table, ANN), data={"want": "stop"})
    assert (client.get(anns).status_code, client.get(bos).status_code) == (410, 200)


@pytest.fixture
def running(runtime):
    """A game with a finished hand, and another one in its third trick."""
    table = start_game(runtime, PEOPLE, robots=1)
    table.play_hand()
    while len(table.game.tricks) < 2 or not table.game.scores:
        table.play_first()
    return table


def test_a_running_games_page_ignores_the_hand_in_play(runtime, running, client):
    path = share(running, client)
    with runtime.database.reading() as session:
        known = shares.shared_game(
            session, session.exec(select(ShareRow).where(ShareRow.game_id == running.game_id)).one()
        )
    stored = running.stored
    assert [record.turn for record in known.records] == stored.finished_turns()
    assert known.game == replay(stored.game.rules, stored.finished_turns())
    assert not any(known.game.held)
    assert "The game is still going on." in client.get(sharing_page(running)).text
    assert (client.get(f"{path}/hand/1").status_code, client.get(f"{path}/hand/2").status_code) == (200, 404)
    assert client.get(path).status_code == client.get(f"{path}/picture.png").status_code == 200


def test_a_running_games_page_has_each_finished_hand(runtime, running, client):
    path = share(running, client)
    running.play_hand()
    assert client.get(f"{path}/hand/2").status_code == 200


def test_who_leaves_a_running_game_shares_it_no_more(runtime, client):
    table = start_game(runtime)
    table.play_hand()
    path = share(table, client, BO)
    accept(runtime, offer(table))
    assert client.get(path).status_code == 200
    table.play_hand()
    assert table.seats[BO].name == "Eve"
    assert client.get(path).status_code == 410


def test_a_seat_at_one_table_shares_no_game_of_another(runtime, table):
    eves = seat_link(runtime, start_game(runtime, ("Eve", "Fay", "Gus", "Hal")).table_id, ANN)
    with pytest.raises(LinkInvalid):
        shares.share(runtime, eves, table.game_id, runtime.now(), names=True)


def test_a_signed_in_former_player_takes_the_link_back(runtime, client):
    table = finished(runtime)
    path = share(table, client, BO)
    bo, ann = (table.seats[seat].player_id for seat in (BO, ANN))
    with runtime.database.writing() as session:
        session.get_one(GameRow, table.game_id).names = [*PEOPLE, ROBOT]
        seat = session.get_one(SeatRow, (table.table_id, BO))
        seat.player_id, seat.name, seat.state = None, "Pip", SeatState.ROBOT
    stopping = f"{path}/stop"
    anns = browser_of(runtime, ann)
    for browser in (client, anns):
        assert "Stop sharing" not in browser.get(path).text
        assert browser.post(stopping).status_code == 403
    bos = browser_of(runtime, bo)
    assert BeautifulSoup(bos.get(path).data, "lxml").find("form", action=stopping)
    for elsewhere in ("cross-site", ""):  # the link alone, which anybody has, must not be enough to use the cookie
        assert bos.post(stopping, headers={"Sec-Fetch-Site": elsewhere}).status_code == 403
    assert client.get(path).status_code == 200
    assert bos.post(stopping).status_code == 303
    assert client.get(path).status_code == 410
