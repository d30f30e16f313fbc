"""The talk on the pages of a table: who reads it, what the form accepts, and what kind of talk the host allows."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect
from sqlmodel import select

from tests.cast import dump, seat_link, seats, start_game
from tests.servers import wait_until
from tests.submitting import soup
from tests.webapp.games.talking import ANN, BO, CY, DI, MINUTE, mails, quoted_talk, said, say, url
from tests.webapp.tables.lending import lend
from webapp.forms.opening import blank_open_form, read_open_form, remembered_fields
from webapp.games import talk
from webapp.models import LetterKind, TableRow, Talk


def allow(table, what):
    with table.runtime.database.writing() as session:
        session.get_one(TableRow, table.table_id).talk = what


def shown(page):
    """The lines on a page, in order."""
    return [" ".join(line.get_text().split()) for line in page.select("#talk li")]


# at the table


def test_everybody_at_the_table_reads_the_talk(runtime, client, table):
    say(table, BO, "Good luck, everybody")
    runtime.now.pass_by(MINUTE)
    say(table, CY, "Thank you, Bo")
    read = ["Bo Good luck, everybody today 12:15", "Cy Thank you, Bo today 12:16"]
    assert shown(soup(client.get(url(table, DI)))) == read
    mine = soup(client.get(url(table, CY)))
    assert shown(mine)[1].startswith("You Thank you"), "one's own lines are marked"
    own_table = soup(client.get(runtime.signer.local_url(seat_link(runtime, table.table_id, DI))))
    assert shown(own_table) == read
    assert not own_table.select("#say"), "the mailed link shows the talk and cannot add to it"


def test_a_time_is_shown_in_the_readers_own_zone(runtime, client, table):
    runtime.now.at = runtime.now().replace(hour=22, minute=30)
    say(table, BO, "Ouch")
    assert shown(soup(client.get(url(table, ANN)))) == ["Bo Ouch today 23:30"], "Europe/Berlin"
    runtime.now.pass_by(timedelta(minutes=45))
    assert shown(soup(client.get(url(table, ANN)))) == ["Bo Ouch Mon 2 March, 23:30"], "in her zone it is Tuesday"
    assert shown(soup(client.get(url(table, DI)))) == ["Bo Ouch today 22:30"], "UTC"


def test_one_tap_sends_a_phrase_and_returns_to_the_talk(runtime, client, table):
    page = url(table, BO)
    for field, text in (("phrase", "Well played"), ("text", "See you at eight")):
        answered = client.post(f"{page}/talk", data={field: text})
        assert (answered.status_code, answered.location) == (303, f"{page}#talk")
    assert said(runtime) == ["Well played", "See you at eight"]


@pytest.mark.parametrize(
    ("allowed", "typed", "sentence"),
    [
        (Talk.TEXT, " \n ", "Please write what you want to say."),
        (Talk.TEXT, "\u200d \u202e", "Please write what you want to say."),
        (Talk.TEXT, "x" * 281, "That is 281 letters long; please say it in 280 at most."),
        (Talk.PHRASES, "Shooting the moon?", "At this table only the phrases on this page can be said."),
        (Talk.PHRASES, "well played", "At this table only the phrases on this page can be said."),
        (Talk.NONE, "Well played", "There is no talk at this table."),
    ],
)
def test_an_invalid_line_is_rejected_but_stays_to_be_corrected(runtime, client, table, allowed, typed, sentence):
    allow(table, allowed)
    before = dump(runtime)
    refused = client.post(f"{url(table, BO)}/talk", data={"text": typed})
    page = soup(refused)
    assert refused.status_code == 400
    assert page.select_one("#talk-error").text == sentence
    assert dump(runtime) == before
    field = page.select_one("#talk-text")
    assert (field is None) is (allowed is not Talk.TEXT)
    assert field is None or field["value"].split() == typed.split()
    assert len(page.select("input[name=card]")) == 13, "the question stays"


def test_at_a_table_of_phrases_only_phrases_can_be_sent(runtime, client, table):
    allow(table, Talk.PHRASES)
    page = soup(client.get(url(table, BO)))
    offered = [button["value"] for button in page.select("#react button, #say button")]
    assert offered == list(talk.PHRASES)
    assert not page.select("#say input")
    for phrase in offered:
        runtime.now.pass_by(MINUTE)
        say(table, BO, phrase)
    assert said(runtime) == offered


def test_a_host_who_turns_talk_off_hides_all_lines_everywhere(runtime, client, table):
    say(table, BO, "Ouch")
    allow(table, Talk.NONE)
    for address in (
        url(table, DI),
        runtime.signer.local_url(seat_link(runtime, table.table_id, DI)),
    ):
        shown_now = client.get(address)
        assert shown_now.status_code == 200
        assert b"Ouch" not in shown_now.data
        assert not soup(shown_now).select("#talk, #say")
    assert quoted_talk(*mails(runtime, LetterKind.TURNS, "Di")) == []


def test_another_players_latest_line_stands_beside_the_cards(runtime, client, table):
    say(table, BO, "Give me a minute")
    heard = soup(client.get(url(table, DI))).select_one("#talk-heard a")
    assert heard["href"] == "#talk"
    assert heard.text == "Just said: Bo: Give me a minute"
    assert not soup(client.get(url(table, BO))).select("#talk-heard"), "Bo knows his own line"
    runtime.now.pass_by(5 * MINUTE)
    assert not soup(client.get(url(table, DI))).select("#talk-heard"), "that was some time ago"


def bubbles(page):
    """Returns the lines at the seats of the others, as a screen reader reads them."""
    return [bubble.text for bubble in soup(page).select(".trick .bubble")]


def test_a_line_is_a_bubble_at_its_players_seat(runtime, client, table):
    say(table, BO, "Ouch")
    say(table, CY, "Thank you, Bo")
    at_table = soup(client.get(url(table, DI))).select("#passing .trick > li")
    places = [(seat.select_one(".who").text, seat.select_one(".bubble bdi")) for seat in at_table]
    assert [(name, said and said.text) for name, said in places] == [
        *(("You", None), ("Ann", None), ("Bo", "Ouch"), ("Cy", "Thank you, Bo"))
    ]


def test_a_bubble_is_marked_and_stays_until_it_was_read(runtime, client, table):
    page = url(table, DI)
    for line in ("Hello, everybody", "Ouch"):
        say(table, BO, line)
    runtime.now.pass_by(timedelta(days=2))
    assert bubbles(client.get(page)) == ["Not read yet: Bo said: Ouch"]
    newest = soup(client.get(page)).select_one("#follow")["data-said"]
    client.post(f"{page}/here", data={"read": str(int(newest) - 1)})
    assert bubbles(client.get(page)) == ["Not read yet: Bo said: Ouch"]
    client.post(f"{page}/here", data={"read": newest})
    assert bubbles(client.get(page)) == [], "that was some time ago"
    assert bubbles(client.get(url(table, ANN))) == ["Not read yet: Bo said: Ouch"]
    say(table, BO, "Well played")
    client.post(f"{page}/here", data={"read": str(int(newest) + 1)})
    assert bubbles(client.get(page)) == ["Bo said: Well played"], "it was said just now"


def test_who_says_something_has_read_what_was_said(runtime, client, table):
    say(table, BO, "Hello, everybody")
    say(table, DI, "Ouch")
    runtime.now.pass_by(5 * MINUTE)
    assert bubbles(client.get(url(table, DI))) == []


@pytest.mark.parametrize("read", ["", "0", "-1", "x", "9" * 9, "9" * 40])
def test_only_lines_of_the_table_can_be_read(runtime, client, table, read):
    page = url(table, DI)
    say(table, BO, "Ouch")
    assert client.post(f"{page}/here", data={"read": read}).status_code == 200
    say(table, CY, "Well played")
    assert "Not read yet: Cy said: Well played" in bubbles(client.get(page))


def test_a_new_player_of_a_seat_has_read_nothing(runtime, client, table):
    say(table, ANN, "Ouch")
    say(table, BO, "Well played")
    lend(table, BO)
    assert bubbles(client.get(url(table, BO))) == ["Not read yet: Ann said: Ouch"]


def test_one_tap_answers_with_a_sign(runtime, client, table):
    page = url(table, BO)
    signs = soup(client.get(page)).select("#react button")
    assert [sign["value"] for sign in signs] == list(talk.REACTIONS)
    client.post(f"{page}/talk", data={"phrase": signs[0]["value"]})
    assert said(runtime) == [talk.REACTIONS[0]]


def test_talk_is_kept_after_the_hand(runtime, client, table):
    say(table, BO, "Ouch")
    table.play_hand()
    assert shown(soup(client.get(url(table, DI)))) == [f"Bo Ouch today {runtime.now():%H:%M}"]


def test_a_page_shows_at_most_thirty_lines_of_thirty_days(runtime, client, table):
    say(table, BO, "long ago")
    runtime.now.pass_by(timedelta(days=30))
    for number in range(31):
        runtime.now.pass_by(MINUTE)
        say(table, BO, f"line {number}")
    lines = shown(soup(client.get(url(table, DI))))
    assert [line.split(" today")[0] for line in lines] == [f"Bo line {number}" for number in range(1, 31)]
    runtime.now.pass_by(timedelta(days=30, minutes=-5))
    assert len(shown(soup(client.get(url(table, DI))))) == 5


def test_opening_a_page_sends_no_line(runtime, client, table):
    page, before = url(table, BO), dump(runtime)
    assert client.get(f"{page}/talk?text=Ouch&phrase=Ouch").status_code == 405
    assert client.get(f"{page}?text=Ouch&phrase=Ouch").status_code == 200
    assert client.head(page).status_code == 200
    assert dump(runtime) == before


# without reloading


def test_an_open_page_says_what_its_reader_has_read(browser, runtime, address, table):
    say(table, BO, "Ouch")
    page = browser.new_page()
    page.goto(address + url(table, DI))
    wait_until("it is read", lambda: seats(runtime, table.table_id)[DI].talk_read == 1)
    page.close()


def test_lines_reach_others_and_rejected_ones_can_be_corrected(browser, runtime, address, table):
    phone = {"width": 360, "height": 740}
    anns, bos = (browser.new_page(viewport=phone) for _ in range(2))
    for page, seat in ((anns, ANN), (bos, BO)):
        page.goto(address + url(table, seat))
    anns.locator("input[name=card]").first.check(force=True)
    bos.get_by_label("Say something to the table").fill("Good luck, everybody")
    bos.get_by_role("button", name="Say it").click()
    expect(anns.locator("#talk li")).to_contain_text("Bo Good luck, everybody")
    expect(anns.locator("#talk-heard")).to_have_text("Just said: Bo: Good luck, everybody")
    assert anns.locator("input[name=card]").first.is_checked()
    expect(bos.locator("#talk li")).to_contain_text("You Good luck, everybody")
    expect(bos.locator("#talk-text")).to_have_value("")
    allow(table, Talk.PHRASES)
    bos.get_by_label("Say something to the table").fill("See you at eight")
    bos.get_by_label("Say something to the table").press("Enter")
    expect(bos.locator("#talk-error")).to_contain_text("only the phrases")
    expect(bos.locator("#talk-text")).to_have_value("See you at eight")
    bos.get_by_text("Or choose what to say").click()
    bos.get_by_role("button", name="Well played").click()
    expect(anns.locator("#talk li").last).to_contain_text("Bo Well played")
    expect(bos.locator("#talk-error")).to_have_count(0)
    assert said(runtime) == ["Good luck, everybody", "Well played"]
    sizes = [button.bounding_box() for button in bos.locator("#say button, #say input, #say summary").all()]
    assert min(size["height"] for size in sizes) >= 44
    for page in (anns, bos):
        assert page.evaluate("document.documentElement.scrollWidth") <= phone["width"]
        page.close()


def test_who_says_something_stays_at_their_hand(browser, runtime, address):
    beside = start_game(runtime, at_once=4)
    page = browser.new_page()
    page.goto(f"{address}{url(beside, ANN)}?hand=2")
    page.get_by_role("link", name="Hand 3").click()
    expect(page.locator("#follow")).to_have_attribute("data-kind", "1 3 pass")
    page.get_by_text("Or choose what to say").click()
    for button in (page.get_by_role("button", name="Well played"), page.locator("#react button").first):
        button.click()
        expect(page.locator("#talk li").last).to_contain_text(button.inner_text())
        expect(page.locator("#follow")).to_have_attribute("data-kind", "1 3 pass")
    page.get_by_label("Say something to the table").fill("Good luck")
    page.get_by_role("button", name="Say it").click()
    expect(page.locator("#talk li").last).to_contain_text("Good luck")
    expect(page.locator("#follow")).to_have_attribute("data-kind", "1 3 pass")
    page.close()


# kinds of talk


def test_the_host_chooses_the_talk_and_browsers_remember_it(client, runtime):
    values = {"host_name": "Ann", "host_address": "ann@example.org"}
    values |= {f"seat_{number}_kind": "robot" for number in (1, 2, 3)}
    for chosen, allowed in (("", Talk.TEXT), ("text", Talk.TEXT), ("phrases", Talk.PHRASES), ("none", Talk.NONE)):
        fields = {**blank_open_form().values, **values, "talk": chosen}
        form = read_open_form(fields, None)
        assert form.table.talk is allowed
        client.post("/tables/new", data=fields)
        with runtime.database.reading() as session:
            assert session.exec(select(TableRow).order_by(TableRow.id.desc())).first().talk is allowed
        assert blank_open_form(remembered_fields(form)).values["talk"] == (chosen or "text")
    wrong = read_open_form({**blank_open_form().values, **values, "talk": "shouting"}, None)
    assert (wrong.table, list(wrong.errors)) == (None, ["talk"])


def test_the_table_page_says_what_kind_of_talk_is_allowed(runtime, client, table):
    page = runtime.signer.local_url(seat_link(runtime, table.table_id, ANN))
    for allowed, words in (
        (Talk.TEXT, "Players may talk to each other."),
        (Talk.PHRASES, "Players may say a few set phrases to each other."),
        (Talk.NONE, None),
    ):
        allow(table, allowed)
        facts = soup(client.get(page)).select_one("dl.facts")
        found = facts.find("dt", string="Talk")
        assert (found and found.find_next_sibling("dd").text) == words
