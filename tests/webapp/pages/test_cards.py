"""Drawn cards and the first view of a turn: small, without shifts, with or without the picture, and thumb-sized."""

import gzip
import re
from itertools import pairwise

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import expect
from sqlmodel import update

from hearts.cards import card_text, parse_code
from hearts.game import Stage, legal
from hearts.rules import preset_rules
from tests import card_sheet
from tests.cast import start_game
from tests.every import of_every
from tests.gallery import PHONE, page_html
from tests.samples.games import first_game, following
from tests.samples.pages import pages
from tests.samples.sheets import sheet_of
from tests.syntax import ROOT
from webapp.core.say import LANGUAGES, speaking
from webapp.models import PlayerRow
from webapp.presentation.faces import face
from webapp.site import REMARKS

STATIC = ROOT / "webapp" / "static"
STYLE = (STATIC / "style.css").read_text()
FIRST_VIEW = 60_000  # bytes: a second on a slow phone's connection, which carries half a megabit a second
STYLES_AND_SCRIPTS = 20_000
LEAST_TAP = 44
BY_HAND = {"turn-first": 13, "turn-seventeen": 17, "pass-classic": 13, "pass-seventeen": 17}
SHIFTS = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((shift) => { sum += shift.value; }))
    .observe({type: 'layout-shift', buffered: true});
  setTimeout(() => done(sum), 300);
})"""
BLOCKING = """performance.getEntriesByType('resource').filter((one) => one.renderBlockingStatus === 'blocking')
  .map((one) => new URL(one.name).pathname)"""
FIRST_PIP = 24 / card_sheet.WIDE  # of a card's width: where the pips of a ten begin
TEN = """(rank) => {
  const range = document.createRange(), card = rank.parentElement.getBoundingClientRect();
  range.selectNodeContents(rank);
  return [range.getBoundingClientRect().right, card.left, card.width];
}"""
INK = """() => [
  getComputedStyle(document.body).color, getComputedStyle(document.querySelector('.hand .card')).printColorAdjust
]"""
BACK = "(card) => { const style = getComputedStyle(card); return style.backgroundColor + style.backgroundImage; }"
ADJUSTS = """() => [...document.querySelectorAll('.card, .card *, .mini, .mini *')]
  .map((one) => getComputedStyle(one).forcedColorAdjust)"""
# The cards of which a tap on their strip is taken by another; a strip's edges are rounded.
STRIPS = """() => {
  const held = [...document.querySelectorAll('.hand .held')], box = (element) => element.getBoundingClientRect();
  return held.filter((one, number) => {
    const { left, top, right, height } = box(one), next = held[number + 1];
    const end = next && Math.abs(box(next).top - top) < height / 2 ? box(next).left : right;
    return [0.1, 0.3, 0.5, 0.7, 0.96].some((down) => [0.2, 0.5, 0.8].some((across) => {
      const hit = document.elementFromPoint(left + (end - left) * across, top + height * down);
      return hit.closest('.held') !== one;
    }));
  }).map((one) => one.textContent);
}"""
# The words at seats that reach beyond the felt.
BEYOND = """() => {
  const felt = document.querySelector('#trick .ring').getBoundingClientRect(), beyond = [];
  for (const words of document.querySelectorAll('#trick :is(.who, .note)')) {
    const range = document.createRange();
    range.selectNodeContents(words);
    const { left, right } = range.getBoundingClientRect();
    if (left < felt.left - 0.5 || right > felt.right + 0.5) beyond.push(words.textContent);
  }
  return beyond;
}"""
SAMPLES = pages()


def asked_to_play(runtime):
    """The address of a turn in a game of four, after the pass and a card."""
    table = start_game(runtime)
    while table.game.stage is not Stage.PLAY or len(table.game.on_table) != 1:
        table.play_first()
    game = table.game
    return runtime.signer.local_url(table.turn_link(game.to_act[0])), card_text(min(legal(game, game.to_act[0])))


# the picture


def test_the_picture_is_as_drawn_and_its_address_marks_changes():
    assert (STATIC / "cards.svg").read_text() == card_sheet.sheet()
    assert set(re.findall(r"cards\.svg\?(\w+)", STYLE)) == {card_sheet.mark(card_sheet.sheet())}


@of_every(range(2, 11))
def test_a_face_has_as_many_pips_as_its_rank(rank):
    assert len("".join(card_sheet.face(str(rank), "s")).split("<use")) - 1 == rank


def test_every_card_has_its_place_in_the_picture():
    ranks = re.findall(r"\.r(\w+) \{ --rank: (\d+); \}", STYLE)
    assert [rank for rank, _ in ranks] == list(card_sheet.RANKS)
    assert [int(place) for _, place in ranks] == list(range(13))
    suits = re.findall(r"\.(\w+) \{ --suit: (\d);", STYLE)
    assert [(suit[0], int(place)) for suit, place in suits] == [(pip, row) for row, pip in enumerate(card_sheet.PIPS)]


def test_a_card_shows_rank_symbol_and_letter_without_the_picture():
    card = BeautifulSoup(page_html(SAMPLES["turn-first"]), "lxml").select_one(".hand .card")
    rank, symbol, code = (card.select_one(f".{part}").text for part in ("rank", "pip", "code"))
    assert symbol[0] in "♣♦♠♥"
    assert code[0] == ("T" if rank == "10" else rank)
    assert card["class"][:3] == [
        "card",
        {"C": "clubs", "D": "diamonds", "S": "spades", "H": "hearts"}[code[1]],
        f"r{rank}",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_button_writes_a_card_as_its_language_does(language):
    """The style sheet names the chosen card on the button, and has no catalogue."""
    tag = language.replace("_", "-")
    with speaking(language):
        letters = {court: face(parse_code(f"{court[0].upper()}S")).letter for court in ("jack", "queen", "king")}
        text = face(parse_code("QS")).text
    own = re.search(rf"^  :lang\({tag}\) {{ (--.*) }}$", STYLE, re.MULTILINE)
    named = dict(re.findall(r'--(\w+): "(.)";', own[1] if own else ""))
    assert named == {court: letter for court, letter in letters.items() if letter != court[0].upper()}
    assert (f":lang({tag})" in STYLE.partition(") .said::after")[0].rpartition(":is(")[2]) == text.startswith("♠")


def test_a_card_bears_the_letter_of_its_readers_language(runtime, client):
    link, _ = asked_to_play(runtime)
    with runtime.database.writing() as session:
        session.exec(update(PlayerRow).values(language="nl"))
    cards = BeautifulSoup(client.get(link).text, "lxml").select(".card:has(.rank)")
    shown = {card.select_one(".code").text: card.select_one(".rank").text for card in cards}
    with speaking("nl"):
        letters = {code: face(parse_code(code)).letter for code in shown}
    assert shown == letters
    assert set(letters.values()) & {"B", "V", "H"}


@pytest.mark.parametrize("language", ["de", "es", "nl", "pt_BR"])
def test_what_a_seat_says_stays_on_the_felt(phone, runtime, address, language):
    """Other languages have longer words for who led, who wins and who comes later."""
    link, _ = asked_to_play(runtime)
    with runtime.database.writing() as session:
        session.exec(update(PlayerRow).values(language=language))
    phone.set_viewport_size({"width": 320, "height": 640})
    phone.goto(address + link)
    expect(phone.locator("#trick .note").first).to_be_visible()
    assert phone.evaluate(BEYOND) == []


# bytes and requests


def got(client, address, encoding="gzip", **headers):
    with client.get(address, headers={"Accept-Encoding": encoding, **headers}) as answer:
        answer.get_data()
        return answer


def style_address(html):
    return re.search(r'rel="stylesheet" href="([^"]+)"', html)[1]


def test_the_first_view_of_a_turn_is_small(runtime, client):
    page = got(client, asked_to_play(runtime)[0])
    style = got(client, style_address(gzip.decompress(page.data).decode()))
    assert page.headers["Content-Encoding"] == style.headers["Content-Encoding"] == "gzip"
    assert len(page.data) + len(style.data) <= FIRST_VIEW


def test_styles_and_scripts_of_a_turn_are_small(runtime, client):
    page = gzip.decompress(got(client, asked_to_play(runtime)[0]).data).decode()
    loaded = re.findall(r'(?:src|href)="(/static/[\w-]+\.(?:css|js)[^"]*)"', page)
    assert {"style", "live", "motion", "tap"} <= {name.split(".")[0].removeprefix("/static/") for name in loaded}
    assert sum(len(got(client, name).data) for name in loaded) <= STYLES_AND_SCRIPTS


@of_every([name for name, (page, _) in SAMPLES.items() if page in ("turn", "pass", "moon")])
def test_no_turn_is_too_large(name):
    squeezed = [gzip.compress(text.encode(), 6) for text in (page_html(SAMPLES[name]), STYLE)]
    assert sum(map(len, squeezed)) <= FIRST_VIEW


def test_only_the_style_sheet_delays_the_first_view(browser, runtime, address):
    page = browser.new_page(viewport=PHONE)
    page.goto(address + asked_to_play(runtime)[0])
    assert page.evaluate(BLOCKING) == ["/static/style.css"]
    page.close()


def test_plain_text_comes_without_gzip_and_304_for_current_copies(client):
    style = style_address(client.get("/").text)
    plain, squeezed = got(client, style, "gzip;q=0"), got(client, style)
    assert "Content-Encoding" not in plain.headers
    assert plain.data == STYLE.encode()
    assert gzip.decompress(squeezed.data) == REMARKS["text/css"].sub(b"", plain.data)
    assert int(squeezed.headers["Content-Length"]) == len(squeezed.data) < len(plain.data) / 2
    assert squeezed.headers["ETag"] == f"W/{plain.headers['ETag']}"  # the same content, but not the same bytes
    assert plain.headers["Vary"] == squeezed.headers["Vary"] == "Accept-Encoding"
    assert got(client, style, **{"If-None-Match": squeezed.headers["ETag"]}).status_code == 304


def test_pictures_and_byte_ranges_are_sent_uncompressed(client):
    picture = got(client, "/static/icon-192.png")
    assert "Content-Encoding" not in picture.headers
    assert picture.data == (STATIC / "icon-192.png").read_bytes()
    part = got(client, style_address(client.get("/").text), Range="bytes=0-1023")
    assert part.status_code == 206
    assert part.data == STYLE.encode()[:1024]


# on a phone


@pytest.fixture
def phone(browser):
    context = browser.new_context(viewport=PHONE, java_script_enabled=True)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def screen(browser):
    """A phone that shows one sample after the other."""
    context = browser.new_context(viewport=PHONE)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("cards")
    (made / "static").symlink_to(STATIC)
    return made


def show(page, folder, sample):
    (folder / "page.html").write_text(page_html(sample).replace('"/static/', '"static/'))
    page.goto((folder / "page.html").as_uri())


@pytest.mark.parametrize("drawn", [True, False], ids=["with the picture", "without"])
def test_nothing_shifts_while_a_turn_page_loads(phone, runtime, address, drawn):
    asked = []
    phone.route("**/cards.svg*", lambda route: asked.append(route) or (route.continue_() if drawn else route.abort()))
    phone.goto(address + asked_to_play(runtime)[0], wait_until="networkidle")
    assert phone.evaluate(SHIFTS) == 0
    assert len({route.request.url for route in asked}) == 1
    assert phone.locator(".hand .rank").first.is_visible()


@pytest.mark.parametrize("name", BY_HAND)
def test_every_card_of_a_hand_has_room_for_a_thumb(screen, folder, name):
    show(screen, folder, SAMPLES[name])
    boxes = [card.bounding_box() for card in screen.locator(".hand .held").all()]
    assert len(boxes) == BY_HAND[name]
    for box, after in pairwise(boxes):
        in_one_row = abs(after["y"] - box["y"]) < box["height"] / 2
        assert (after["x"] - box["x"] if in_one_row else box["width"]) >= LEAST_TAP
        assert box["height"] >= LEAST_TAP
    assert max(box["x"] + box["width"] for box in boxes) <= PHONE["width"]
    assert screen.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("name", BY_HAND)
def test_a_tap_on_the_strip_chooses_its_card_only(screen, folder, name):
    show(screen, folder, SAMPLES[name])
    before = screen.url
    for card in screen.locator("label.held").all():
        box, chosen = card.bounding_box(), card.locator("input")
        for x in (3, LEAST_TAP - 3):
            chosen.evaluate("(input) => { input.checked = false; }")
            screen.mouse.click(box["x"] + x, box["y"] + 40)
            assert chosen.is_checked()
    assert screen.url == before


@pytest.mark.parametrize("name", ["turn-first", "turn-seventeen", "turn-large"])
def test_nothing_of_a_card_lies_over_another_cards_strip(screen, folder, name):
    show(screen, folder, SAMPLES[name])
    assert screen.locator(".came").count(), "a mark is a part of its card, too"
    assert screen.evaluate(STRIPS) == []


def test_a_page_from_right_to_left_keeps_seats_and_strips(screen, folder):
    cards = "[...document.querySelectorAll('.seated .card, .hand .card')]"
    places = f"{cards}.map((card) => card.getBoundingClientRect().x)"
    show(screen, folder, SAMPLES["turn-first"])
    left_to_right = screen.evaluate(places)
    screen.evaluate("document.documentElement.dir = 'rtl'")
    assert screen.evaluate(places) == left_to_right
    assert screen.evaluate(STRIPS) == []
    first, last = (screen.locator(f".bar {end}").bounding_box()["x"] for end in (".brand", "nav a:last-child"))
    assert last < first


def test_a_ten_does_not_touch_its_pips(screen, folder):
    show(screen, folder, SAMPLES["turn-first"])
    tens = [rank.evaluate(TEN) for rank in screen.locator(".hand .r10 .rank").all()]
    assert tens
    assert all(ends < begins + card * FIRST_PIP for ends, begins, card in tens)


def test_paper_gets_the_light_page_with_whole_cards(browser, folder):
    page = browser.new_page(viewport=PHONE, color_scheme="dark")
    show(page, folder, SAMPLES["turn-first"])
    dark = page.evaluate(INK)
    page.emulate_media(media="print")
    on_paper = page.evaluate(INK)
    page.emulate_media(media="screen", color_scheme="light")
    assert on_paper == [*page.evaluate(INK)[:1], "exact"] != dark
    page.close()


def test_forced_colours_hold_for_cards_that_may_not_be_played(browser, folder):
    page = browser.new_page(viewport=PHONE, forced_colors="active", color_scheme="dark")
    show(page, folder, SAMPLES["turn-first"])
    legal, dead = (page.locator(f".hand {which} .card").first.evaluate(BACK) for which in ("label", ".dead"))
    assert dead == legal
    page.close()


def test_forced_colours_put_no_plate_behind_a_letter(browser, folder):
    page = browser.new_page(viewport=PHONE, forced_colors="active")
    show(page, folder, SAMPLES["turn-first"])
    assert set(page.evaluate(ADJUSTS)) == {"none"}
    page.close()


@of_every(["style", "home", "relive", "mailbox"])
def test_a_browser_that_knows_no_layers_gets_a_plain_page(name):
    """One rule alone would hide the boxes that another one replaces."""
    rules = re.sub(r"/\*.*?\*/", "", (STATIC / f"{name}.css").read_text(), flags=re.DOTALL)
    assert {line.split()[0] for line in rules.splitlines() if line[:1].strip(" }")} <= {"@layer", "@font-face"}


@pytest.mark.parametrize("name", ["turn-first", "turn-seventeen", "turn-seven", "pass-classic"])
def test_headline_trick_hand_and_button_are_in_the_first_view(screen, folder, name):
    show(screen, folder, SAMPLES[name])
    button = screen.locator(".act button").bounding_box()
    assert button["y"] + button["height"] <= PHONE["height"]
    last = screen.locator(".hand .held").last.bounding_box()
    assert last["y"] + last["height"] <= screen.locator(".act").bounding_box()["y"] + 1
    assert screen.locator("h1").bounding_box()["y"] >= 0


@pytest.mark.parametrize("players", range(3, 8))
def test_no_card_of_the_trick_covers_another(screen, folder, players):
    game = first_game(preset_rules("classic", players=players), lambda game: following(game, trick=2, void=False))
    template, context = SAMPLES["turn-first"]
    show(
        screen,
        folder,
        (
            template,
            {
                **context,
                "sheet": sheet_of(game, ("Ann", "Bo", "Cy", "Di", "Emil", "Gus", "Ida")[:players]),
                "chosen": [],
            },
        ),
    )
    boxes = [card.bounding_box() for card in screen.locator(".seated > li > .card").all()]
    assert len(boxes) == players
    for number, one in enumerate(boxes):
        for other in boxes[:number]:
            apart = abs(one["x"] - other["x"]) >= one["width"] or abs(one["y"] - other["y"]) >= one["height"]
            assert apart, (one, other)
    felt = screen.locator(".felt").first.bounding_box()
    assert all(felt["y"] <= box["y"] and box["y"] + box["height"] <= felt["y"] + felt["height"] for box in boxes)


@of_every(["turn-first", "turn-following", "turn-leading", "turn-three", "turn-seven"])
def test_places_are_counted_clockwise_from_the_reader(name):
    seated = BeautifulSoup(page_html(SAMPLES[name]), "lxml").select_one(".seated")
    sitting = {int(place["class"][0].removeprefix("at-")): place.select_one(".who").text for place in seated("li")}
    clockwise = [person.name for person in SAMPLES[name][1]["sheet"].people]
    assert sitting == dict(enumerate(["You", *clockwise[1:]]))


def test_the_reader_sits_below_and_the_next_player_left(screen, folder):
    show(screen, folder, SAMPLES["turn-first"])
    seats = {who.inner_text(): who.bounding_box() for who in screen.locator(".seated .who").all()}
    sheet = SAMPLES["turn-first"][1]["sheet"]
    names = [person.name for person in sheet.people]  # clockwise, the reader first
    you, left, across, right = (seats["You"], *(seats[name] for name in names[1:]))
    assert left["x"] < you["x"] < right["x"]
    assert across["y"] < left["y"] < you["y"]


# the button


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_the_button_names_the_chosen_card(browser, folder, scripts):
    context = browser.new_context(viewport=PHONE, java_script_enabled=scripts)
    page = context.new_page()
    template, said = SAMPLES["turn-void"]
    show(page, folder, (template, {**said, "chosen": []}))
    expect(page.locator(".act").get_by_role("button")).to_have_accessible_name("Play a card")
    for held in (card for row in said["sheet"].suits for card in row.cards if card.legal):
        page.locator(f'label:has(input[value="{held.face.code}"])').click(position={"x": 8, "y": 40})
        expect(page.locator(".act").get_by_role("button")).to_have_accessible_name(f"Play {held.face.text}")
    context.close()


def test_the_links_card_is_chosen_and_named_at_once(phone, runtime, address):
    link, card = asked_to_play(runtime)
    phone.goto(f"{address}{link}?card={card}")
    assert phone.locator("input[name=card]:checked").get_attribute("value") == card
    expect(phone.get_by_role("button", name=re.compile("^Play (10|.)[♣♦♠♥]"))).to_be_visible()


def test_a_pass_button_names_its_cards_once_three_are_chosen(phone, runtime, address):
    phone.goto(address + runtime.signer.local_url(start_game(runtime).turn_link(0)))
    cards, names = phone.locator("label.held"), []
    for number in range(4):
        expect(phone.locator(".act").get_by_role("status")).to_have_text(f"{number} of 3 chosen")
        said = f"Pass {' '.join(names)} to Bo" if number == 3 else "Pass to Bo"
        expect(phone.locator(".act button")).to_have_text(said)
        card = cards.nth(number)
        names.append(card.locator(".rank").inner_text() + card.locator(".pip").inner_text())
        card.click(position={"x": 8, "y": 40})
    expect(phone.locator(".act").get_by_role("status")).to_have_text("4 of 3 chosen")
    expect(phone.locator(".act button")).to_have_text("Pass to Bo")


def test_a_pass_button_speaks_its_readers_language(phone, runtime, address):
    phone.goto(address + runtime.signer.local_url(start_game(runtime).turn_link(0)) + "?language=de")
    for number in range(3):
        phone.locator("label.held").nth(number).click(position={"x": 8, "y": 40})
    expect(phone.locator(".act").get_by_role("status")).to_have_text("3 von 3 gewählt")
    expect(phone.locator(".act button")).to_have_text(re.compile(r"(\S+ ){3}an Bo weitergeben"))


def test_an_illegal_card_leads_to_its_reason_and_stays_unplayed(browser, folder):
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    show(page, folder, SAMPLES["turn-first"])
    chosen = page.locator("input:checked").get_attribute("value")
    page.locator("a.held").first.click(position={"x": 8, "y": 40})
    assert page.url.endswith("#why")
    assert page.evaluate("scrollY") == 0, "the table stays where it is"
    why = page.locator("#why").bounding_box()
    assert why["y"] + 24 < page.locator(".act").bounding_box()["y"]
    assert page.locator("input:checked").get_attribute("value") == chosen
    context.close()
