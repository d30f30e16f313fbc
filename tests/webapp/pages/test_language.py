"""In which language a page is, and how its reader chooses another."""

import pytest
from sqlmodel import select

from tests.cast import address, dump, open_table, seats
from tests.languages import catalogues
from tests.mailing import player_id
from tests.sites import site_of
from tests.submitting import FORM, check_refused, soup
from tests.webapp.accounts.signed_in import browser_of
from webapp.core import tokens
from webapp.core.say import speaking, spoken
from webapp.core.tokens import ConfirmLink, InvitationLink, PreferencesLink, ReliveLink
from webapp.models import PlayerRow
from webapp.pages import language
from webapp.pages.language import NAME

OFFERED = ("de", "fr", "pt_BR", "pt_PT", "ar")
GERMAN = {"Accept-Language": "de"}


@pytest.fixture(autouse=True)
def _offered(tmp_path):
    with catalogues(tmp_path, {one: {} for one in OFFERED}):
        yield


def tag_of(answer):
    return soup(answer).html["lang"]


def language_of(runtime, name="Ann"):
    with runtime.database.reading() as session:
        return session.exec(select(PlayerRow.language).where(PlayerRow.address == address(name))).one()


def set_language(runtime, name, chosen):
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, player_id(runtime, name)).language = chosen


def choose(client, chosen, back="/"):
    return client.post("/language", data={NAME: chosen, "back": back})


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT, en;q=0.5", "de"),
        ("zh-Hant-TW, zh;q=0.9, fr;q=0.4, en;q=0.2", "fr"),
        ("zh", "en"),
        ("pt", "pt-BR"),
        ("pt-br", "pt-BR"),
        ("pt-PT", "pt-PT"),
        ("pt-AO", "pt-PT"),
        ("nl, *;q=0.1", "en"),
        ("fr;q=0, de;q=0.1", "de"),
        (";;,=;q=x,-", "en"),
    ],
)
def test_a_visitor_reads_what_the_browser_asks_for(client, asked, expected):
    answer = client.get("/", headers={"Accept-Language": asked})
    assert (tag_of(answer), answer.headers["Content-Language"]) == (expected, expected)
    assert {"Accept-Language", "Cookie"} <= set(answer.vary)


def test_a_page_from_right_to_left_says_so(client):
    pages = [client.get("/", headers={"Accept-Language": asked}) for asked in ("ar", "de")]
    assert [soup(page).html.get("dir") for page in pages] == ["rtl", None]


def test_a_choice_in_the_browser_outlasts_the_visit(client):
    answer = choose(client, "fr", "/privacy")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/privacy")
    assert [tag_of(client.get(page, headers=GERMAN)) for page in ("/privacy", "/lobby")] == ["fr"] * 2
    assert client.get_cookie(NAME).max_age == language.KEPT_FOR


def links(table):
    play = table.play_link(0)
    ann = play.player_id
    seat = {"table_id": play.table_id, "seat": 0, "player_id": ann}
    return {
        "play": (play, True),
        "preferences": (PreferencesLink(ann), True),
        "seat": (tokens.SeatLink(**seat), True),
        "turn": (tokens.TurnLink(table.game_id, 0, 1, "pass", ann), True),
        "confirm": (ConfirmLink(play.table_id), True),
        "host": (tokens.HostLink(play.table_id, ann), True),
        "relive": (ReliveLink(table.game_id, 1, 0, ann), False),
        "revoked": (PreferencesLink(ann, 7), False),
        "somebody else's seat": (tokens.SeatLink(**seat | {"seat": 1}), False),
    }


CASES = ("play", "preferences", "seat", "turn", "confirm", "host", "relive", "revoked", "somebody else's seat")


@pytest.mark.parametrize("case", CASES)
def test_the_page_of_a_link_speaks_its_players_language(runtime, client, table, case):
    link, may_choose = links(table)[case]
    page = runtime.signer.local_url(link)
    set_language(runtime, "Ann", "de")
    answer = client.get(page, headers={"Accept-Language": "ar"})
    assert tag_of_any(answer) == "de", f"{answer.status_code}: {soup(answer).title.text}"
    assert choose(client, "fr", page).headers["Location"] == page
    assert language_of(runtime) == ("fr" if may_choose else "de")


def tag_of_any(answer):
    assert answer.status_code < 500
    return tag_of(answer)


def test_another_device_speaks_the_players_language(runtime, client, table):
    page = runtime.signer.local_url(table.play_link(0))
    choose(client, "de", page)
    other = site_of(runtime).test_client()
    assert tag_of(other.get(page)) == "de"
    assert tag_of(browser_of(runtime, player_id(runtime, "Ann")).get("/lobby")) == "de"
    assert tag_of(other.get("/")) == "en", "nobody is known there"


def test_who_is_signed_in_chooses_on_any_page(runtime, table):
    browser = browser_of(runtime, player_id(runtime, "Ann"))
    choose(browser, "fr", "/lobby")
    assert language_of(runtime) == "fr"


def test_signing_out_in_another_language_shows_nobody_signed_in(runtime, table):
    browser = browser_of(runtime, player_id(runtime, "Ann"))
    set_language(runtime, "Ann", "de")
    page = browser.post("/sign-out")
    assert "signed in as" not in browser.get(page.headers.get("Location", "/")).text


def test_an_invitation_is_in_the_language_of_its_host(runtime, client):
    with speaking("de"):
        table_id = open_table(runtime, ["Ann", "Bo"], robots=2)
    page = runtime.signer.local_url(InvitationLink(table_id, 1, seats(runtime, table_id)[1].player_id))
    assert (language_of(runtime, "Ann"), language_of(runtime, "Bo")) == ("de", "de")
    assert tag_of(client.get(page, headers={"Accept-Language": "fr"})) == "de"


def test_an_invitation_keeps_the_language_in_which_it_was_accepted(runtime, client):
    table_id = open_table(runtime, ["Ann", "Bo"], robots=2)
    page = runtime.signer.local_url(InvitationLink(table_id, 1, seats(runtime, table_id)[1].player_id))
    before = dump(runtime)
    assert tag_of(client.get(f"{page}?{NAME}=fr")) == "fr"
    assert dump(runtime) == before, "a program that opens links decides nothing"
    assert tag_of(client.get(page)) == "fr", "the browser keeps it"
    client.post(page, data={"answer": "accept"})
    assert language_of(runtime, "Bo") == "fr"


def test_a_host_has_the_language_of_their_browser(runtime, client):
    client.post("/tables/new", data=FORM, headers=GERMAN)
    assert (language_of(runtime, "Ann"), language_of(runtime, "Bo")) == ("de", "de")


@pytest.mark.parametrize("chosen", ["", "xx", "nl", "pt-BR", "de\n"])
def test_a_language_that_is_not_offered_is_refused(runtime, client, table, chosen):
    before = dump(runtime)
    check_refused(runtime, before, choose(client, chosen), 400, "We cannot read what your browser sent.")
    assert tag_of(client.get("/", query_string={NAME: chosen})) == "en"


def test_a_cookie_of_an_unknown_language_counts_for_nothing(client):
    client.set_cookie(NAME, "xx")
    assert tag_of(client.get("/", headers=GERMAN)) == "de"


@pytest.mark.parametrize(
    ("back", "expected"),
    [
        ("/lobby?", "/lobby"),
        ("/practice?a=1&language=de&b=2", "/practice?a=1&b=2"),
        ("/preferences/x/table", "/preferences/x"),
        ("https://example.com/lobby", "/lobby"),
        ("//example.com/lobby", "/lobby"),
        ("//example.com", "/"),
        ("////example.com", "/"),
        ("/\\example.com", "/"),
        ("javascript:alert(1)", "/"),
        ("lobby", "/"),
        ("http://[", "/"),
        ("", "/"),
    ],
)
def test_a_choice_leads_back_to_our_own_pages_alone(client, back, expected):
    assert choose(client, "fr", back).headers["Location"] == expected


def test_another_site_cannot_choose(runtime, client):
    answer = client.post("/language", data={NAME: "fr"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert (answer.status_code, client.get_cookie(NAME)) == (403, None)


def test_every_foot_offers_the_languages_by_their_own_names(client):
    form = soup(client.get("/lobby?x=1", headers=GERMAN)).select_one("footer form")
    buttons = form.select("button")
    assert [button.text for button in buttons][:3] == ["English", "Deutsch", "Français"]
    assert [button["lang"] for button in buttons] == ["en", "de", "fr", "pt-BR", "pt-PT", "ar"]
    assert [button.text for button in buttons if button.get("aria-current")] == ["Deutsch"]
    assert form.select_one("[name=back]")["value"] == "/lobby?x=1"


def test_the_settings_change_the_language(runtime, client, table):
    page = runtime.signer.local_url(PreferencesLink(player_id(runtime, "Ann")))
    set_language(runtime, "Ann", "de")
    form = soup(client.get(page)).select_one("form:has(select[name=language])")
    chosen = [option["value"] for option in form.select("option") if option.has_attr("selected")]
    assert (chosen, form["action"]) == (["de"], "/language")
    answer = choose(client, "pt_PT", form.select_one("[name=back]")["value"])
    assert (answer.headers["Location"], language_of(runtime)) == (page, "pt_PT")


def test_no_language_is_left_when_a_request_ends(client):
    client.get("/", headers=GERMAN)
    client.get("/nowhere", headers=GERMAN)
    assert spoken() == "en"


def test_a_page_without_words_asks_for_no_language(runtime):
    endpoints = set(site_of(runtime).view_functions)
    assert set(language._WITHOUT_WORDS) <= endpoints


def test_somebody_elses_choice_in_the_browser_changes_no_player(runtime, client, table):
    set_language(runtime, "Bo", "de")
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, player_id(runtime, "Bo")).seen_at = runtime.now()
    table_id = open_table(runtime, ["Ann", "Bo"], robots=2)
    choose(client, "fr")
    page = runtime.signer.local_url(InvitationLink(table_id, 1, seats(runtime, table_id)[1].player_id))
    assert tag_of(client.get(page)) == "de"
    client.post(page, data={"answer": "decline"})
    assert language_of(runtime, "Bo") == "de"
