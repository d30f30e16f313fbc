"""Talk at a table: who may say what, who reads it where, and that it has no other effect."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.message import EmailMessage

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import expect
from sqlmodel import select

from hearts.cards import card_text
from hearts.game import Stage, legal
from hearts.rules import preset_rules
from tests.answers import answer, player, question, typed_turns
from tests.cast import dump, letters, load, make_runtime, play_first, play_hand, seat_link, seats, start_game
from tests.submitting import soup
from tests.webapp.replies.clients import CLIENTS
from tests.webapp.replies.sent import WRITERS
from tests.webapp.tables.hosted import table_of
from webapp.core.refusal import Refused
from webapp.core.tokens import LinkInvalid, PlayLink
from webapp.forms.opening import blank_open_form, read_open_form, remembered_fields
from webapp.games import talk
from webapp.kinds import BRINGING_TALK
from webapp.models import LetterKind, LetterState, SeatRow, TableRow, Talk, TalkRow
from webapp.replies.reading import Asked, Classification, Envelope, read
from webapp.site import make_site
from worker.mail import compose
from worker.postman import deliver

ANN, BO, CY, DI = range(4)
MINUTE = timedelta(minutes=1)


def link(runtime, game_id, seat):
    table_id = table_of(runtime, game_id)
    return PlayLink(table_id, seat, seats(runtime, table_id)[seat].player_id)


def say(runtime, game_id, seat, text):
    talk.say(runtime, link(runtime, game_id, seat), text, runtime.now())


def allow(runtime, game_id, what):
    with runtime.database.writing() as session:
        session.get_one(TableRow, table_of(runtime, game_id)).talk = what


def said(runtime):
    with runtime.database.reading() as session:
        return [row.text for row in session.exec(select(TalkRow).order_by(TalkRow.id))]


def url(runtime, game_id, seat):
    return runtime.signer.local_url(link(runtime, game_id, seat))


def shown(page):
    """The lines on a page, in order."""
    return [" ".join(line.get_text().split()) for line in page.select("#talk li")]


def mails(runtime, kind, name):
    """The mails of that kind to a player, written as they stand now."""
    with runtime.database.reading() as session:
        found = [one for one in letters(runtime, kind) if one.player_id == player(runtime, name).id]
        return [compose(runtime, session, letter) for letter in found]


def quoted_talk(mail: EmailMessage):
    """The talk that a mail quotes, in plain text and in HTML, which must be the same."""
    text = mail.get_body(("plain",)).get_content()
    _, found, below = text.partition("SAID AT THE TABLE\n")
    lines = [line.strip() for line in below.partition("\n\n")[0].splitlines()] if found else []
    html = BeautifulSoup(mail.get_body(("html",)).get_content(), "lxml")
    assert [" ".join(line.get_text().split()) for line in html.select("p.said")] == lines
    return [re.fullmatch(r"(.*) \(\w+ \d+ \w+, \d\d:\d\d\)", line)[1] for line in lines]


# at the table


def test_everybody_at_the_table_reads_the_talk(runtime, client, game_id):
    say(runtime, game_id, BO, "Good luck, everybody")
    runtime.now.pass_by(MINUTE)
    say(runtime, game_id, CY, "Thank you, Bo")
    read = ["Bo Good luck, everybody today 12:15", "Cy Thank you, Bo today 12:16"]
    assert shown(soup(client.get(url(runtime, game_id, DI)))) == read
    mine = soup(client.get(url(runtime, game_id, CY)))
    assert shown(mine)[1].startswith("You Thank you"), "one's own lines are marked"
    own_table = soup(client.get(runtime.signer.local_url(seat_link(runtime, table_of(runtime, game_id), DI))))
    assert shown(own_table) == read
    assert not own_table.select("#say"), "the mailed link shows the talk and cannot add to it"


def test_a_time_is_shown_in_the_readers_own_zone(runtime, client, game_id):
    runtime.now.at = runtime.now().replace(hour=22, minute=30)
    say(runtime, game_id, BO, "Ouch")
    assert shown(soup(client.get(url(runtime, game_id, ANN)))) == ["Bo Ouch today 23:30"], "Europe/Berlin"
    runtime.now.pass_by(timedelta(minutes=45))
    assert shown(soup(client.get(url(runtime, game_id, ANN)))) == ["Bo Ouch Mon 2 March, 23:30"], (
        "in her zone it is Tuesday"
    )
    assert shown(soup(client.get(url(runtime, game_id, DI)))) == ["Bo Ouch today 22:30"], "UTC"


def test_one_tap_sends_a_phrase_and_leads_back_to_the_talk(runtime, client, game_id):
    page = url(runtime, game_id, BO)
    for field, text in (("phrase", "Well played"), ("text", "See you at eight")):
        answered = client.post(f"{page}/talk", data={field: text})
        assert (answered.status_code, answered.location) == (303, f"{page}#talk")
    assert said(runtime) == ["Well played", "See you at eight"]


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        pytest.param("  See you\r\n at eight ", "See you at eight", id="on one line, without blanks around it"),
        pytest.param("a\u202eb\u2066c\u200fd", "abcd", id="without marks that turn a line round"),
        pytest.param("x\u0000\u001b[31my", "x[31my", id="without control characters"),
        pytest.param("a \u00ad b\u2028c\u0085d", "a b c d", id="without any kind of line break"),
        pytest.param("می\u200cخواهم", "می\u200cخواهم", id="joined as some scripts are"),
        pytest.param("\U0001f469\u200d\U0001f373", "\U0001f469\u200d\U0001f373", id="a picture of two"),
        pytest.param("x" * 280, "x" * 280, id="280 letters"),
    ],
)
def test_a_line_is_sent_as_its_visible_text(runtime, game_id, typed, line):
    say(runtime, game_id, BO, typed)
    assert said(runtime) == [line]


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
def test_an_invalid_line_is_rejected_with_a_message_and_stays_in_the_form(
    runtime, client, game_id, allowed, typed, sentence
):
    allow(runtime, game_id, allowed)
    before = dump(runtime)
    refused = client.post(f"{url(runtime, game_id, BO)}/talk", data={"text": typed})
    page = soup(refused)
    assert refused.status_code == 400
    assert page.select_one("#talk-error").text == sentence
    assert dump(runtime) == before
    field = page.select_one("#talk-text")
    assert (field is None) is (allowed is not Talk.TEXT)
    assert field is None or field["value"].split() == typed.split()
    assert len(page.select("input[name=card]")) == 13, "the question stays"


def test_at_a_table_of_phrases_only_phrases_can_be_sent(runtime, client, game_id):
    allow(runtime, game_id, Talk.PHRASES)
    page = soup(client.get(url(runtime, game_id, BO)))
    offered = [button["value"] for button in page.select("#say button")]
    assert offered == list(talk.PHRASES)
    assert not page.select("#say input")
    for phrase in offered:
        runtime.now.pass_by(MINUTE)
        say(runtime, game_id, BO, phrase)
    assert said(runtime) == offered


def test_no_phrase_mentions_cards():
    cards = r"card|suit|club|diamond|spade|heart|queen|king|jack|ace|trick|lead|pass|moon|shoot|point|high|low"
    assert not [phrase for phrase in talk.PHRASES if re.search(cards, phrase, re.IGNORECASE)]


def test_a_host_who_turns_talk_off_hides_all_lines_everywhere(runtime, client, game_id):
    say(runtime, game_id, BO, "Ouch")
    allow(runtime, game_id, Talk.NONE)
    for address in (
        url(runtime, game_id, DI),
        runtime.signer.local_url(seat_link(runtime, table_of(runtime, game_id), DI)),
    ):
        shown_now = client.get(address)
        assert shown_now.status_code == 200
        assert b"Ouch" not in shown_now.data
        assert not soup(shown_now).select("#talk, #say")
    assert quoted_talk(*mails(runtime, LetterKind.PASS, "Di")) == []


def test_another_players_latest_line_stands_beside_the_cards(runtime, client, game_id):
    say(runtime, game_id, BO, "Give me a minute")
    heard = soup(client.get(url(runtime, game_id, DI))).select_one("#talk-heard a")
    assert heard["href"] == "#talk"
    assert heard.text == "Just said: Bo: Give me a minute"
    assert not soup(client.get(url(runtime, game_id, BO))).select("#talk-heard"), "Bo knows his own line"
    runtime.now.pass_by(5 * MINUTE)
    assert not soup(client.get(url(runtime, game_id, DI))).select("#talk-heard"), "that was some time ago"


def test_talk_is_kept_after_the_hand(runtime, client, game_id):
    say(runtime, game_id, BO, "Ouch")
    play_hand(runtime, game_id)
    assert shown(soup(client.get(url(runtime, game_id, DI)))) == [f"Bo Ouch today {runtime.now():%H:%M}"]


def test_a_page_shows_at_most_thirty_lines_of_thirty_days(runtime, client, game_id):
    say(runtime, game_id, BO, "long ago")
    runtime.now.pass_by(timedelta(days=30))
    for number in range(31):
        runtime.now.pass_by(MINUTE)
        say(runtime, game_id, BO, f"line {number}")
    lines = shown(soup(client.get(url(runtime, game_id, DI))))
    assert [line.split(" today")[0] for line in lines] == [f"Bo line {number}" for number in range(1, 31)]
    runtime.now.pass_by(timedelta(days=30, minutes=-5))
    assert len(shown(soup(client.get(url(runtime, game_id, DI))))) == 5


def test_talking_counts_as_activity(runtime, game_id):
    runtime.now.pass_by(timedelta(hours=1))
    say(runtime, game_id, BO, "Ouch")
    assert player(runtime, "Bo").seen_at == runtime.now()


# players without a seat


def test_a_player_who_lost_the_seat_cannot_talk_from_it(runtime, client, game_id):
    old, page = link(runtime, game_id, BO), url(runtime, game_id, BO)
    with runtime.database.writing() as session:
        session.get_one(SeatRow, (old.table_id, BO)).player_id = None  # a robot has it
    before = dump(runtime)
    for stranger in (old, PlayLink(old.table_id, BO, 0), PlayLink(old.table_id, 9, old.player_id), PlayLink(99, BO, 1)):
        with pytest.raises(LinkInvalid):
            talk.say(runtime, stranger, "Ouch", runtime.now())
    assert client.post(f"{page}/talk", data={"text": "Ouch"}).status_code == 403
    assert dump(runtime) == before


def test_eve_cannot_say_anything(runtime, client, game_id):
    seat = runtime.signer.token(seat_link(runtime, table_of(runtime, game_id), BO))  # forwarded with a mail
    mine = runtime.signer.token(link(runtime, game_id, BO))
    for token in (seat, mine[:-1], f"{mine}x", "x"):
        assert client.post(f"/play/{token}/talk", data={"text": "Ouch"}).status_code == 403
    assert said(runtime) == []


def test_opening_a_page_sends_no_line(runtime, client, game_id):
    page, before = url(runtime, game_id, BO), dump(runtime)
    assert client.get(f"{page}/talk?text=Ouch&phrase=Ouch").status_code == 405
    assert client.get(f"{page}?text=Ouch&phrase=Ouch").status_code == 200
    assert client.head(page).status_code == 200
    assert dump(runtime) == before


# limits


def test_at_most_eight_lines_a_minute_are_accepted(runtime, client, game_id):
    page = url(runtime, game_id, BO)
    for number in range(8):
        assert client.post(f"{page}/talk", data={"text": f"line {number}"}).status_code == 303
    before = dump(runtime)
    ninth = client.post(f"{page}/talk", data={"text": "line 8"})
    assert ninth.status_code == 429
    assert "within a minute" in soup(ninth).select_one("#talk-error").text
    assert soup(ninth).select_one("#talk-text")["value"] == "line 8"
    assert dump(runtime) == before
    say(runtime, game_id, CY, "Ouch")  # another player may
    runtime.now.pass_by(MINUTE)
    assert client.post(f"{page}/talk", data={"text": "line 8"}).status_code == 303


def test_at_most_sixty_lines_an_hour_are_accepted(runtime, game_id):
    for number in range(60):
        say(runtime, game_id, BO, f"line {number}")
        runtime.now.pass_by(timedelta(seconds=10))
    with pytest.raises(talk.TalkLimitReached, match="within an hour"):
        say(runtime, game_id, BO, "line 60")
    runtime.now.pass_by(timedelta(minutes=50))
    say(runtime, game_id, BO, "line 60")
    assert len(said(runtime)) == 61


def test_a_double_click_sends_a_line_once(runtime, game_id):
    for seconds, count in ((0, 1), (9, 1), (10, 2), (0, 2)):
        runtime.now.pass_by(timedelta(seconds=seconds if count == 1 else 1 if seconds else 0))
        say(runtime, game_id, BO, "Ouch")
        assert len(said(runtime)) == count
    say(runtime, game_id, CY, "Ouch")
    assert len(said(runtime)) == 3, "two players may say the same"


@pytest.mark.parametrize(("texts", "kept"), [(["Ouch"] * 6, 1), ([f"line {number}" for number in range(16)], 8)])
def test_simultaneous_clicks_are_counted_one_by_one(either_runtime, texts, kept):
    game_id = start_game(either_runtime)
    bo, together = link(either_runtime, game_id, BO), threading.Barrier(len(texts))

    def click(text):
        together.wait()
        try:
            talk.say(either_runtime, bo, text, either_runtime.now())
        except talk.TalkLimitReached:
            return False
        return True

    with ThreadPoolExecutor(len(texts)) as pool:
        outcomes = list(pool.map(click, texts))
    assert len(said(either_runtime)) == kept
    assert outcomes.count(True) == (len(texts) if kept == 1 else kept)


# without reloading


def test_a_line_reaches_the_others_and_a_rejected_one_stays_to_be_corrected(browser, runtime, address, game_id):
    phone = {"width": 360, "height": 740}
    anns, bos = (browser.new_page(viewport=phone) for _ in range(2))
    for page, seat in ((anns, ANN), (bos, BO)):
        page.goto(address + url(runtime, game_id, seat))
    anns.locator("input[name=card]").first.check(force=True)
    bos.get_by_label("Say something to the table").fill("Good luck, everybody")
    bos.get_by_role("button", name="Say it").click()
    expect(anns.locator("#talk li")).to_contain_text("Bo Good luck, everybody")
    expect(anns.locator("#talk-heard")).to_have_text("Just said: Bo: Good luck, everybody")
    assert anns.locator("input[name=card]").first.is_checked()
    expect(bos.locator("#talk li")).to_contain_text("You Good luck, everybody")
    expect(bos.locator("#talk-text")).to_have_value("")
    allow(runtime, game_id, Talk.PHRASES)
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


# by mail


def test_a_mail_quotes_the_talk_since_the_previous_mail(runtime, game_id):
    assert said_until_ann_is_asked(runtime, game_id, "Good luck, everybody") == ["Bo: Good luck, everybody"]
    deliver(runtime)
    assert said_until_ann_is_asked(runtime, game_id, "Thank you") == ["Bo: Thank you"]


def said_until_ann_is_asked(runtime, game_id, text):
    """Bo says something, then everybody plays until Ann is asked for her next card. Returns what her mail quotes."""
    runtime.now.pass_by(MINUTE)
    say(runtime, game_id, BO, text)
    runtime.now.pass_by(MINUTE)
    game = play_first(runtime, game_id).game
    while game.to_act != (ANN,) or game.stage is not Stage.PLAY:
        game = play_first(runtime, game_id).game
    return quoted_talk([mail for mail in mails(runtime, LetterKind.TURN, "Ann") if mail][-1])


def test_a_mail_quotes_the_last_five_lines(runtime, game_id):
    for number in range(7):
        say(runtime, game_id, CY, f"line {number}")
    assert quoted_talk(*mails(runtime, LetterKind.PASS, "Di")) == [f"Cy: line {number}" for number in range(2, 7)]


def test_a_mail_quotes_nothing_older_than_its_readers_own_last_line(runtime, game_id):
    say(runtime, game_id, BO, "Ouch")
    say(runtime, game_id, DI, "Sorry")
    say(runtime, game_id, CY, "Take your time")
    assert quoted_talk(*mails(runtime, LetterKind.PASS, "Di")) == ["Cy: Take your time"], (
        "Di saw the others when she spoke"
    )
    assert quoted_talk(*mails(runtime, LetterKind.PASS, "Ann")) == ["Bo: Ouch", "Di: Sorry", "Cy: Take your time"]


def test_lines_of_a_mail_that_never_went_are_quoted_by_the_next(runtime, game_id):
    say(runtime, game_id, BO, "Ouch")
    with runtime.database.writing() as session:
        for letter in letters(runtime, LetterKind.PASS):
            session.merge(letter).state = LetterState.FAILED
    runtime.now.pass_by(MINUTE)
    play_hand(runtime, game_id)
    assert quoted_talk(mails(runtime, LetterKind.SCORE_SHEET, "Di")[0]) == ["Bo: Ouch"]


def test_score_sheets_quote_the_talk_and_other_news_do_not(runtime):
    game_id = start_game(runtime, rules=preset_rules("classic", target=10))
    deliver(runtime)
    while load(runtime, game_id).row.state == "playing":
        play_hand(runtime, game_id)
    runtime.now.pass_by(MINUTE)
    say(runtime, game_id, BO, "Good game")
    for kind in (LetterKind.SCORE_SHEET, LetterKind.FINAL_SHEET):
        assert quoted_talk(mails(runtime, kind, "Cy")[-1]) == ["Bo: Good game"]
    assert {letter.kind for letter in letters(runtime)} >= set(BRINGING_TALK) - {LetterKind.MOON}


def test_a_reminder_quotes_no_talk(runtime, game_id):
    say(runtime, game_id, BO, "Ouch")
    reminders = [mail for mail in mails(runtime, LetterKind.REMINDER, "Di") if mail]
    assert reminders
    assert all("Ouch" not in mail.as_string() for mail in reminders)


SNARES = ("QS", "stop", f"{'x' * 60} QS", "> 2C", "On Mon, 2 Mar 2026, Bo wrote:")


@pytest.fixture(scope="module")
def ensnared(tmp_path_factory):
    """A sent turn mail to Bo that quotes what looks like answers: runtime, game, letter, and mail."""
    runtime = make_runtime(tmp_path_factory.mktemp("ensnared"))
    game_id = start_game(runtime)
    while BO not in load(runtime, game_id).game.to_act or load(runtime, game_id).game.stage is not Stage.PLAY:
        play_first(runtime, game_id)
    for text in SNARES:
        runtime.now.pass_by(MINUTE)
        say(runtime, game_id, CY, text)
    letter = question(runtime, "Bo")
    with runtime.database.writing() as session:
        sent = compose(runtime, session, letter)
        session.merge(letter).message = sent.as_string()
    yield runtime, game_id, letter, sent
    runtime.database.engine.dispose()


@pytest.mark.parametrize("client", CLIENTS)
def test_a_card_in_the_talk_that_a_reply_quotes_is_never_played(ensnared, client):
    runtime, game_id, letter, sent = ensnared
    assert len(quoted_talk(sent)) == 5
    before = load(runtime, game_id).records
    mail = CLIENTS[client]("", sent).raw().replace(b"<c0ffee", f"<{client}".replace(" ", "").encode())
    inbound = answer(runtime, letter, mail)
    assert inbound.taken_for in ("quoted-only", "empty"), inbound.outcome
    assert load(runtime, game_id).records == before
    assert typed_turns(runtime, game_id) == []
    seat = seats(runtime, table_of(runtime, game_id))[BO]
    assert (seat.away, seat.mails) == (False, True)


@pytest.mark.parametrize("client", CLIENTS)
def test_no_line_of_talk_makes_a_reply_unreadable(ensnared, client):
    runtime, game_id, letter, sent = ensnared
    card = card_text(min(legal(load(runtime, game_id).game, BO)))
    asked = Asked(BO, letter.hand, letter.about, frozenset({WRITERS["Bo"]}))
    reading = read(CLIENTS[client](card, sent).raw(), Envelope(WRITERS["Bo"], "r-x@in.example"), asked, sent)
    assert (reading.classification, reading.cards) == (Classification.MOVE, (card,))


# whatever is typed


@pytest.fixture(scope="module")
def lasting(tmp_path_factory):
    """A game that many examples share, at its own table, and a browser."""
    made = make_runtime(tmp_path_factory.mktemp("talk"))
    yield made, start_game(made), make_site(made).test_client()
    made.database.engine.dispose()


@pytest.fixture(scope="module")
def plainly(lasting):
    """The outline of the page and the mail with a few plain words."""
    runtime, game_id, browser = lasting
    say(runtime, game_id, BO, "plain words")
    return [outline(html) for html in page_and_mail(runtime, game_id, browser)[:2]]


def outline(html):
    """The outline of a page or a mail, without its words."""
    return [(tag.name, sorted(tag.attrs)) for tag in BeautifulSoup(html, "lxml").find_all(True)]


def page_and_mail(runtime, game_id, browser):
    """Di's page and her mail, and the plain text of that."""
    (mail,) = mails(runtime, LetterKind.PASS, "Di")
    html, text = (mail.get_body((kind,)).get_content() for kind in ("html", "plain"))
    return browser.get(url(runtime, game_id, DI)).get_data(as_text=True), html, text


@settings(max_examples=25)
@given(typed=st.one_of(st.text(max_size=300), st.text("<>&\"'{}%#/\\ \n=;QS♠", max_size=60)))
def test_no_typed_line_breaks_a_page_or_a_mail(lasting, plainly, typed):
    runtime, game_id, browser = lasting
    runtime.now.pass_by(timedelta(days=40))  # so that it is the only line there
    try:
        say(runtime, game_id, BO, typed)
    except Refused:
        return
    line = said(runtime)[-1]
    assert line == " ".join(line.split())
    assert len(line.splitlines()) == 1
    page, html, text = page_and_mail(runtime, game_id, browser)
    assert line in BeautifulSoup(page, "lxml").get_text()
    assert line in BeautifulSoup(html, "lxml").get_text()
    assert f"  Bo: {line} (" in text
    assert [outline(page), outline(html)] == plainly


# kinds of talk


def test_the_host_chooses_the_kind_of_talk_and_the_browser_remembers_it(client, runtime):
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


def test_the_table_page_says_what_kind_of_talk_is_allowed(runtime, client, game_id):
    page = runtime.signer.local_url(seat_link(runtime, table_of(runtime, game_id), ANN))
    for allowed, words in (
        (Talk.TEXT, "Players may talk to each other."),
        (Talk.PHRASES, "Players may say a few set phrases to each other."),
        (Talk.NONE, None),
    ):
        allow(runtime, game_id, allowed)
        facts = soup(client.get(page)).select_one("dl.facts")
        found = facts.find("dt", string="Talk")
        assert (found and found.find_next_sibling("dd").text) == words
