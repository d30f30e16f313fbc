"""From old pages and links a player gets back to their game, and nobody else does."""

import re
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup

from hearts.game import Stage
from tests.cast import dump, letters, open_table, opened, seats, start_game
from tests.sites import site_of
from tests.submitting import held, soup, words
from tests.webapp.accounts.signed_in import let_in
from tests.webapp.tables import open_seats
from tests.webapp.tables.open_seats import PIP, RUBY
from webapp.accounts import access
from webapp.core.tokens import ConfirmLink, InvitationLink, JoinLink, PlayLink, SignInLink
from webapp.forms.opening import OPEN_SEAT
from webapp.games.record import links
from webapp.models import LetterKind
from webapp.outbox import turn_mail
from worker import postman
from worker.mail import compose

ANN, BO = 0, 1
LIVE = timedelta(seconds=30)


def buttons(response):
    return [button.text for button in soup(response).main.find_all("button")]


# a page that has grown old


@pytest.fixture
def old_page(runtime, table, monkeypatch):
    """The page on which Ann follows her game, thirteen hours later."""
    url = runtime.signer.local_url(links.play_link(table.seats[ANN]))
    monkeypatch.setattr(PlayLink, "ttl", timedelta(hours=-13))
    return url


def test_an_old_page_plays_nothing_and_offers_a_fresh_link(client, old_page):
    response = client.get(old_page)
    assert response.status_code == 410
    assert buttons(response) == ["Mail me a fresh link"]
    assert not soup(response).select("[name=card]")


def test_an_old_page_leads_the_player_to_their_turn(client, runtime, table, old_page):
    postman.deliver(runtime)
    runtime.now.pass_by(turn_mail.AGAIN_AFTER)
    before = len(letters(runtime, LetterKind.TURNS))
    response = client.post(f"{old_page}/mail")
    assert "on its way" in words(response)
    assert len(letters(runtime, LetterKind.TURNS)) == before + 1
    assert not letters(runtime, LetterKind.SIGN_IN)


def test_an_old_page_offers_others_a_sign_in_link(client, runtime, table, old_page):
    table.play_first()
    assert client.post(f"{old_page}/mail").status_code == 200
    (letter,) = letters(runtime, LetterKind.SIGN_IN)
    assert letter.player_id == table.seats[ANN].player_id


def test_an_old_page_whose_link_was_ended_sends_nothing(client, runtime, table, old_page):
    access.sign_out_everywhere(runtime, table.seats[ANN].player_id, runtime.now())
    before = dump(runtime)
    response = client.post(f"{old_page}/mail")
    assert response.status_code == 410
    assert "This link is too old" in words(response)
    assert dump(runtime) == before


def test_an_old_page_leads_its_signed_in_player_on(client, runtime, table):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PlayLink, "ttl", timedelta(hours=-13))
        url = runtime.signer.local_url(links.play_link(table.seats[ANN]))
        let_in(client, runtime, table.seats[ANN].player_id)
        response = client.get(url)
    assert soup(client.get(response.location)).select("[name=card]")


# a browser in which somebody has just played


def pass_cards(table, client, seat):
    """Passes by the link of a mail. Returns that link."""
    old = table.runtime.signer.local_url(table.turn_link(seat))
    cards = [box["value"] for box in soup(client.get(old)).select("[name=card]")[:3]]
    assert client.post(old, data={"card": cards}).status_code == 303
    return old


def test_old_links_lead_on_where_their_player_just_played(client, runtime, table):
    old = pass_cards(table, client, ANN)
    while table.game.stage is not Stage.PLAY or ANN not in table.game.to_act:
        table.play_first()
    assert soup(client.get(old, follow_redirects=True)).select("[name=card]")
    shown = soup(client.get(table_page(table, ANN)))
    assert soup(client.get(shown.select_one("#go-on a")["href"])).select("[name=card]")


def test_it_leads_nobody_on_who_has_played_another_seat(client, runtime, table):
    pass_cards(table, client, BO)
    assert buttons(client.get(table_page(table, ANN))) == ["Mail me my turn"]


def test_an_old_link_leads_on_for_twelve_hours_only(client, runtime, table, monkeypatch):
    pass_cards(table, client, ANN)
    url = table_page(table, ANN)
    assert soup(client.get(url)).select("#go-on a")
    with monkeypatch.context() as patch:
        patch.setattr(PlayLink, "ttl", timedelta(hours=-13))
        assert not soup(client.get(url)).select("#go-on a")
    access.sign_out_everywhere(runtime, table.seats[ANN].player_id, runtime.now())
    assert not soup(client.get(table_page(table, ANN))).select("#go-on a")


def test_a_browser_keeps_the_five_tables_it_played_last(client, runtime):
    games = [start_game(runtime) for _ in range(6)]
    for table in games:
        pass_cards(table, client, ANN)
    pages = [soup(client.get(table_page(table, ANN))) for table in games]
    assert [bool(page.select("#go-on a")) for page in pages] == [False, *[True] * 5]


# the table page


def table_page(table, seat):
    return table.runtime.signer.local_url(links.seat_link(table.seats[seat]))


def test_a_table_page_says_that_the_turn_was_just_mailed(client, runtime, table):
    postman.deliver(runtime)
    page = client.get(table_page(table, ANN))
    assert buttons(page) == []
    assert "unless one came within the last ten minutes: then use that" in words(page)
    runtime.now.pass_by(turn_mail.AGAIN_AFTER)
    assert buttons(client.get(table_page(table, ANN))) == ["Mail me my turn"]


def test_the_table_page_mails_a_player_their_turn(client, runtime, table):
    postman.deliver(runtime)
    runtime.now.pass_by(turn_mail.AGAIN_AFTER)
    url = table_page(table, ANN)
    assert buttons(client.get(url)) == ["Mail me my turn"]
    before = len(letters(runtime, LetterKind.TURNS))
    response = client.post(f"{url}/mail", follow_redirects=True)
    assert "An email with the link is on its way" in words(response)
    assert len(letters(runtime, LetterKind.TURNS)) == before + 1


def test_the_table_page_offers_mail_only_to_the_awaited_player(client, runtime, table):
    table.play_first()
    assert buttons(client.get(table_page(table, ANN))) == []


# a turn that is over


def test_an_old_turns_page_mails_the_present_turn(client, runtime, table):
    old = runtime.signer.local_url(table.turn_link(ANN))
    while table.game.stage is not Stage.PLAY or ANN not in table.game.to_act:
        table.play_first()
    page = client.get(old)
    assert "It's your turn." in words(page)
    assert buttons(page) == ["Mail me my turn", "Mail me a sign-in link"]
    form = soup(page).main.find("form")
    before = len(letters(runtime, LetterKind.TURNS))
    asked = client.post(form["action"], follow_redirects=True)
    assert "is on its way to you" in words(asked)
    assert soup(asked).select("[name=card]") == [], "whoever has a forwarded mail may not play"
    assert len(letters(runtime, LetterKind.TURNS)) == before + 1
    let_in(client, runtime, table.seats[ANN].player_id)
    assert soup(client.get(old, follow_redirects=True)).select("[name=card]")
    assert soup(client.post(form["action"], follow_redirects=True)).select("[name=card]")


def test_an_old_turns_page_leads_nowhere_while_others_are_asked(client, runtime, table):
    old = runtime.signer.local_url(table.turn_link(ANN))
    table.play_first()
    assert buttons(client.get(old)) == ["Mail me a sign-in link"]


# the browsers of a player


def other_browser(runtime):
    return site_of(runtime).test_client()


def until_asked(table, seat):
    """Plays for everybody until a card is asked of the seat. Returns the path of the mailed link to that turn."""
    while table.game.stage is not Stage.PLAY or seat not in table.game.to_act:
        table.play_first()
    return table.runtime.signer.local_url(table.turn_link(seat))


def goes_on(page):
    """Whether a page gives a link that plays later turns, or one that is the host's alone."""
    return bool(re.search(r"/play/|/host/", page.text))


def played_by(client, turn):
    """Plays a card of the page of a turn, as its form does. Returns the page that follows."""
    form = soup(client.get(turn)).select_one("form.mine")
    fields = {box["name"]: box["value"] for box in form.select("input[type=hidden]")}
    card = form.select_one("[name=card]")["value"]
    return client.post(turn, data={**fields, "card": card}, follow_redirects=True)


@pytest.mark.parametrize("keeps_page", [True, False], ids=["a page was opened", "posted at once"])
def test_another_browser_plays_what_the_mail_asks_and_no_more(client, runtime, table, keeps_page):
    if keeps_page:
        pass_cards(table, client, ANN)
    else:
        cards = {"card": held(table, ANN)[:3]}
        client.post(runtime.signer.local_url(table.turn_link(ANN)), data=cards)
    turn, stranger = until_asked(table, ANN), other_browser(runtime)
    asked = stranger.get(turn)
    assert not goes_on(asked)
    assert "This browser is new to us, so it plays this turn alone" in words(asked)
    over = played_by(stranger, turn)
    assert soup(over).h1.text.startswith("You played")
    assert not goes_on(over)
    assert "To go on in this browser, sign in." in words(over)
    assert goes_on(client.get(until_asked(table, ANN))), "the player's own browser goes on"


def test_the_first_browser_goes_on_and_so_it_stays(client, runtime, table):
    asked = client.get(runtime.signer.local_url(table.turn_link(ANN)))
    assert goes_on(asked)
    pass_cards(table, client, ANN)
    for _ in range(2):
        assert goes_on(played_by(client, until_asked(table, ANN)))
        runtime.now.pass_by(timedelta(days=10))


def test_a_second_device_goes_on_once_it_has_signed_in(client, runtime, table):
    pass_cards(table, client, ANN)
    turn, desk = until_asked(table, ANN), other_browser(runtime)
    form = soup(desk.get(turn)).find("form", action=re.compile("/sign-in$"))
    assert "on its way" in words(desk.post(form["action"], data={"do": "yes"}))
    let_in(desk, runtime, table.seats[ANN].player_id)
    assert goes_on(desk.get(turn))
    assert goes_on(client.get(turn)), "and the first one stays the player's"


def test_no_cookie_reveals_whom_a_forwarded_mail_was_for(client, runtime, table):
    pass_cards(table, client, ANN)
    turn, stranger = until_asked(table, ANN), other_browser(runtime)
    form = soup(stranger.get(turn)).find("form", action=re.compile("/sign-in$"))
    assert stranger.post(form["action"], data={"do": "yes"}).status_code == 200
    with stranger.session_transaction() as cookie:
        assert cookie, "it says what was asked for here"
        assert "ann@" not in str(dict(cookie))


def test_two_players_of_one_browser_both_go_on(client, runtime, table):
    for seat in (ANN, BO):
        pass_cards(table, client, seat)
    let_in(client, runtime, table.seats[ANN].player_id)
    assert goes_on(client.get(until_asked(table, BO)))
    client.post("/sign-out", data={"do": "yes"})
    assert goes_on(client.get(until_asked(table, BO))), "Ann alone has left"
    assert not goes_on(client.get(until_asked(table, ANN)))


def test_a_browser_without_cookies_goes_on_while_none_is_known(runtime, table):
    dillo = site_of(runtime).test_client(use_cookies=False)
    turn = runtime.signer.local_url(table.turn_link(ANN))
    form = soup(dillo.get(turn)).select_one("form.mine")
    fields = {box["name"]: box["value"] for box in form.select("input[type=hidden]")}
    cards = [box["value"] for box in form.select("[name=card]")[:3]]
    assert goes_on(dillo.post(turn, data={**fields, "card": cards}, follow_redirects=True))
    assert goes_on(played_by(dillo, until_asked(table, ANN)))


def test_a_page_that_follows_the_game_goes_on_without_cookies(client, runtime, table):
    dillo = site_of(runtime).test_client(use_cookies=False)
    page = dillo.get(runtime.signer.local_url(table.turn_link(ANN)))
    pass_cards(table, client, ANN)  # now another browser is known
    until_asked(table, ANN)
    page = dillo.get(soup(page).select_one("[name=play]")["value"])
    form = soup(page).select_one("form.mine")
    fields = {box["name"]: box["value"] for box in form.select("input[type=hidden]")}
    played = dillo.post(form["action"], data={**fields, "card": form.select_one("[name=card]")["value"]})
    assert played.location.startswith("/play/")


def test_ending_all_access_ends_the_known_browsers_too(client, runtime, table):
    pass_cards(table, client, ANN)
    access.sign_out_everywhere(runtime, table.seats[ANN].player_id, runtime.now())
    assert goes_on(played_by(other_browser(runtime), until_asked(table, ANN))), "the first one since"
    assert not goes_on(client.get(until_asked(table, ANN)))


def test_a_signed_in_browser_is_the_first_one(client, runtime, table):
    client.post(runtime.signer.local_url(SignInLink(table.seats[ANN].player_id, 0)))
    assert not goes_on(other_browser(runtime).get(until_asked(table, ANN)))
    assert goes_on(client.get(until_asked(table, ANN)))


def test_looking_at_a_turn_makes_no_browser_the_players(client, runtime, table):
    turn = runtime.signer.local_url(table.turn_link(ANN))
    before = dump(runtime)
    client.get(turn)
    assert dump(runtime) == before
    assert goes_on(other_browser(runtime).get(turn)), "a scanner of mails has looked"


def test_an_invitation_accepted_elsewhere_gives_no_cards(client, runtime, table):
    pass_cards(table, client, BO)
    table_id = open_seats.open_table(runtime, open_seats.BO, PIP)
    link = runtime.signer.local_url(open_seats.invitation(runtime, table_id, 1))
    accepted = other_browser(runtime).post(link, data={"answer": "accept"})
    assert "/play/" not in accepted.text


# the host, once they have confirmed


def test_a_host_with_robots_goes_straight_to_the_cards(client, runtime):
    table_id = open_seats.open_table(runtime, PIP, RUBY, confirmed=False)
    response = client.post(runtime.signer.local_url(ConfirmLink(table_id)), follow_redirects=True)
    assert "Pass three cards" in words(response)


def test_a_host_waiting_for_guests_follows_the_table(client, runtime):
    table_id = open_seats.open_table(runtime, open_seats.BO, PIP, confirmed=False)
    link = runtime.signer.local_url(ConfirmLink(table_id))
    response = client.post(link, follow_redirects=True)
    assert response.request.path.startswith("/play/")
    assert soup(response).select_one("#follow")["data-kind"] == "between games"
    assert buttons(client.get(link)) == ["Go to the table", "Play now with robots"]
    assert client.post(link).headers["Location"].startswith("/play/")


# live tables


def live_table(runtime):
    return open_table(runtime, pace=LIVE)


def invitation(runtime, table_id, seat):
    player = seats(runtime, table_id)[seat].player_id
    return runtime.signer.local_url(InvitationLink(table_id, seat, player))


def test_a_live_tables_invitation_says_that_all_play_together(client, runtime):
    table_id = live_table(runtime)
    mails = [letter for letter in letters(runtime, LetterKind.INVITATION) if letter.table_id == table_id]
    with runtime.database.reading() as session:
        bodies = [compose(runtime, session, letter) for letter in mails]
        texts = [mail.get_body((kind,)).get_content() for mail in bodies for kind in ("plain", "html")]
    for text in [*texts, words(client.get(invitation(runtime, table_id, BO)))]:
        assert "at the same time" in text
        assert "30 seconds per turn" in text
        assert "whenever it suits you" not in text


def test_the_invitation_leads_back_to_a_live_table(client, runtime):
    table_id = live_table(runtime)
    url = invitation(runtime, table_id, BO)
    accepted = client.post(url, data={"answer": "accept", "name": "Bo"})
    assert "Go to the table" in words(accepted)
    again = client.get(url)
    assert buttons(again) == ["Go to the table"]
    assert "/play/" not in again.get_data(as_text=True), "a scanner that follows links gets no link that plays"
    entered = client.post(url, data={"answer": "enter"})
    link = opened(runtime, PlayLink, entered.headers["Location"])
    assert (link.table_id, link.seat) == (table_id, BO)


def test_the_invitation_leads_nobody_in_who_has_not_accepted(client, runtime):
    table_id = live_table(runtime)
    before = dump(runtime)
    assert client.post(invitation(runtime, table_id, BO), data={"answer": "enter"}).status_code == 400
    assert dump(runtime) == before


def test_the_invitation_to_a_slow_table_plays_only_once(client, runtime):
    table_id = open_table(runtime)
    url = invitation(runtime, table_id, BO)
    assert "Go to the table" in words(client.post(url, data={"answer": "accept", "name": "Bo"}))
    assert buttons(client.get(url)) == []
    assert client.post(url, data={"answer": "enter"}).status_code == 400


def test_the_lobbys_mail_leads_back_to_a_live_table(client, runtime):
    table_id = open_seats.open_table(runtime, OPEN_SEAT, OPEN_SEAT, PIP, pace=LIVE)
    link = JoinLink(table_id, open_seats.player(runtime, "Eve"))
    url = runtime.signer.local_url(link)
    client.post(url, data={"name": "Eve"})
    assert buttons(client.get(url)) == ["Go to the table"]
    assert client.post(url).headers["Location"].startswith("/play/")


# the mail that asks for a pass


def test_a_card_in_a_pass_mail_is_chosen_when_opened(client, runtime, table):
    letter = next(one for one in letters(runtime, LetterKind.TURNS) if one.seat == ANN)
    with runtime.database.reading() as session:
        mail = compose(runtime, session, letter).get_body(("html",)).get_content()
    cards = [a["href"] for a in BeautifulSoup(mail, "lxml").select("a.card")]
    assert len(cards) == 13
    for url in cards:
        page = soup(client.get(url.removeprefix("http://127.0.0.1:8000")))
        (chosen,) = page.select("[name=card][checked]")
        assert url.endswith(f"?card={chosen['value']}")
