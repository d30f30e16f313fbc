"""The page "Table settings": who can open it, one message for each change, and one for an invalid form."""

import re
from datetime import timedelta

import pytest

from tests.cast import address, dump, letters, open_table, seat_link, seats, start_game, table_row
from tests.submitting import soup, words
from tests.webapp.accounts.signed_in import let_in
from tests.webapp.tables.hosted import change_pace, let_agree
from webapp.core.tokens import ConfirmLink, HostLink, InvitationLink, PlayLink, TurnLink
from webapp.models import LetterKind, SeatState, Talk
from webapp.pages.host import DONE
from webapp.tables.hosting import Pace
from worker import postman

ANN, BO, CY, DI = range(4)


@pytest.fixture
def settings(client, runtime, table) -> str:
    """The address of the page, for a table of four who play; its host has just signed in."""
    table_id = table.table_id
    let_in(client, runtime, seats(runtime, table_id)[ANN].player_id or 0)
    return address_of(runtime, table_id)


def address_of(runtime, table_id: int) -> str:
    return runtime.signer.local_url(HostLink(table_id, seats(runtime, table_id)[ANN].player_id or 0))


def message_after(client, response) -> str:
    """The message on the page after a change."""
    assert response.status_code == 303
    shown = client.get(response.location)
    assert shown.status_code == 200
    found = re.search(r'role="status"><p><strong>(.*?)</strong>', shown.text)
    assert found
    return found[1]


# the way there


def test_only_the_host_finds_the_settings_link_on_their_pages(client, runtime, table) -> None:
    table_id = table.table_id
    for seat in (ANN, BO):
        link = PlayLink(table_id, seat, seats(runtime, table_id)[seat].player_id or 0)
        for page in (table.turn_link(seat), link, seat_link(runtime, table_id, seat)):
            shown = client.get(runtime.signer.local_url(page)).text
            is_way = seat == ANN and isinstance(page, TurnLink | PlayLink)
            assert ("/host/" in shown) == is_way, "the table's page only shows, and may have been forwarded"


def test_a_signed_in_hosts_table_page_links_to_the_settings(client, runtime, table) -> None:
    stored = table.stored
    let_in(client, runtime, stored.seats[ANN].player_id)
    assert "/host/" in client.get(runtime.signer.local_url(seat_link(runtime, stored.row.table_id, ANN))).text


def test_the_settings_link_follows_the_first_confirmation_only(client, runtime) -> None:
    table_id = open_table(runtime)
    link = runtime.signer.local_url(ConfirmLink(table_id))
    assert "/host/" in client.post(link, follow_redirects=True).text
    assert "/host/" not in client.get(link).text


def test_no_mail_holds_the_settings_link(runtime, table) -> None:
    postman.deliver(runtime)
    assert not [letter for letter in letters(runtime) if "/host/" in (letter.message or "")]


def test_a_stranger_cannot_open_the_settings(client, runtime, table, settings) -> None:
    table_id = table.table_id
    for link in (HostLink(table_id, seats(runtime, table_id)[BO].player_id or 0), HostLink(99, 1)):
        at = runtime.signer.local_url(link)
        assert [client.get(at).status_code, client.get(f"{at}/end").status_code] == [403, 403]
        for path in ("fill", "withdraw", "remind", "pace", "clock", "manners", "end"):
            form = {"seat": "1", "kind": "robot", "want": "pause", "pass_time": "3600", "play_time": "3600"}
            assert client.post(f"{at}/{path}", data=form).status_code == 403
    assert client.get(f"{settings}x").status_code == 403


def test_opening_the_settings_changes_nothing(client, runtime, settings) -> None:
    before = dump(runtime)
    for path in ("", "/end", "?done=paused", "?done=<b>"):
        assert client.get(settings + path).status_code == 200
        client.head(settings + path)
    assert dump(runtime) == before


# changes


@pytest.mark.parametrize(
    ("path", "form", "done"),
    [
        pytest.param("clock", {"want": "pause"}, "paused", id="pause"),
        pytest.param("clock", {"want": "go-on"}, "going", id="go on"),
        pytest.param("pace", {"pass_time": "3600", "play_time": "21600"}, "proposed", id="pace"),
        pytest.param("manners", {"talk": "none", "robots": "rule"}, "manners", id="manners"),
        pytest.param("fill", {"seat": "1", "kind": "robot"}, "proposed", id="robot"),
        pytest.param(
            "fill", {"seat": "1", "kind": "player", "name": "Eve", "address": "eve@example.org"}, "offered", id="offer"
        ),
        pytest.param("withdraw", {"seat": "1"}, "withdrawn", id="withdraw"),
    ],
)
def test_each_change_is_confirmed_and_takes_effect_once(client, runtime, settings, path, form, done) -> None:
    assert message_after(client, client.post(f"{settings}/{path}", data=form)) == DONE[done]
    before = {name: rows for name, rows in dump(runtime).items() if name != "player"}  # players are seen at each visit
    assert message_after(client, client.post(f"{settings}/{path}", data=form)) == DONE[done]
    assert {name: rows for name, rows in dump(runtime).items() if name != "player"} == before


@pytest.mark.parametrize("suggestions", [["yes"], []])
def test_the_form_shows_the_current_settings(client, runtime, table, settings, suggestions) -> None:
    change_pace(runtime, table.table_id, Pace(timedelta(hours=1), timedelta(hours=6)))
    client.post(f"{settings}/manners", data={"talk": "phrases", "robots": "steady", "suggestions": suggestions})
    page = soup(client.get(settings))
    for name, value in {"pass_time": "3600", "play_time": "21600", "talk": "phrases", "robots": "steady"}.items():
        assert [one["value"] for one in page.select(f"select[name={name}] option[selected]")] == [value]
    assert [one["value"] for one in page.select("input[name=suggestions][checked]")] == suggestions
    changed = table_row(runtime, table.table_id)
    assert (changed.pass_seconds, changed.play_seconds) == (3600, 21600)
    assert (changed.talk, changed.suggestions, changed.robots.value) == (Talk.PHRASES, bool(suggestions), "steady")


@pytest.mark.parametrize(
    ("path", "form", "sentence"),
    [
        pytest.param("fill", {"seat": "x", "kind": "robot"}, "use the form on this page", id="no seat"),
        pytest.param("fill", {"seat": "²", "kind": "robot"}, "use the form on this page", id="a number of sorts"),
        pytest.param("fill", {"seat": "1"}, "who gets the seat", id="nobody"),
        pytest.param("fill", {"seat": "1", "kind": "cat"}, "who gets the seat", id="a cat"),
        pytest.param("fill", {"seat": "1", "kind": "player"}, "Enter a name", id="no name"),
        pytest.param(
            "fill",
            {"seat": "1", "kind": "player", "name": "Eve", "address": "eve"},
            "not an email address",
            id="address",
        ),
        pytest.param("fill", {"seat": "1", "kind": "open"}, "Somebody plays on this seat", id="open"),
        pytest.param("withdraw", {}, "use the form on this page", id="withdraw nothing"),
        pytest.param("remind", {"seat": ""}, "use the form on this page", id="remind whom"),
        pytest.param("pace", {"pass_time": "5", "play_time": "3600"}, "time from the list", id="pace"),
        pytest.param("pace", {}, "time from the list", id="no pace"),
        pytest.param("clock", {"want": "back"}, "use the buttons on this page", id="clock"),
        pytest.param("manners", {"talk": "shout"}, "what may be said at the table", id="talk"),
        pytest.param("manners", {"robots": "best"}, "how well the robots play", id="robots"),
    ],
)
def test_an_invalid_form_changes_nothing_and_says_why(client, runtime, settings, path, form, sentence) -> None:
    before = dump(runtime)
    refused = client.post(f"{settings}/{path}", data=form)
    assert refused.status_code == 400
    assert sentence in refused.text
    assert dump(runtime) == before


@pytest.mark.parametrize("seat", ["0", "7"])
def test_a_seat_that_cannot_be_given_away_is_refused(client, runtime, settings, seat) -> None:
    before = dump(runtime)
    assert client.post(f"{settings}/fill", data={"seat": seat, "kind": "robot"}).status_code == 409
    assert dump(runtime) == before


def test_the_form_of_each_seat_keeps_its_typed_values(client, settings) -> None:
    form = {"seat": "2", "kind": "player", "name": "<Eve>", "address": "eve at home"}
    shown = client.post(f"{settings}/fill", data=form).text
    assert "<details open>" in shown
    assert shown.count('value="&lt;Eve&gt;"') == shown.count('value="eve at home"') == 1


def test_a_forwarded_mail_offers_nobody_a_seat(client, runtime, table) -> None:
    settings = address_of(runtime, table.table_id)
    form = {"seat": "1", "kind": "player", "name": "Eve", "address": address("Eve")}
    assert 'name="address"' not in client.get(settings).text
    before = dump(runtime)
    refused = client.post(f"{settings}/fill", data=form)
    assert (refused.status_code, "Please sign in first" in refused.text) == (403, True)
    assert dump(runtime) == before
    assert message_after(client, client.post(f"{settings}/sign-in")) == DONE["signing-in"]
    (mailed,) = letters(runtime, LetterKind.SIGN_IN)
    assert mailed.player_id == seats(runtime, table.table_id)[ANN].player_id
    robot = client.post(f"{settings}/fill", data={"seat": "1", "kind": "robot"})
    assert message_after(client, robot) == DONE["proposed"]


@pytest.mark.parametrize("form", [{}, {"proposal": "x"}, {"proposal": "end None \x00"}])
def test_what_no_page_has_sent_withdraws_nothing(client, runtime, settings, form) -> None:
    client.post(f"{settings}/end")
    before = dump(runtime)
    refused = client.post(f"{settings}/take-back", data=form)
    assert (refused.status_code, "This proposal is over" in refused.text) == (400, True)
    assert dump(runtime) == before


def test_a_host_sees_and_withdraws_what_they_proposed(client, runtime, table, settings) -> None:
    client.post(f"{settings}/pace", data={"pass_time": "3600", "play_time": "21600"})
    shown = words(client.get(settings))
    assert "Until then You have 1 day per turn." in shown
    assert "From then on You have 1 hour to pass and 6 hours per card." in shown
    (proposal,) = table_row(runtime, table.table_id).proposals
    withdrawn = client.post(f"{settings}/take-back", data={"proposal": proposal.key})
    assert message_after(client, withdrawn) == DONE["taken-back"]
    assert table_row(runtime, table.table_id).proposals is None


def test_a_host_among_robots_ends_the_game_at_once(client, runtime) -> None:
    table = start_game(runtime, ("Ann",), robots=3)
    settings = address_of(runtime, table.table_id)
    assert "It is over at once." in words(client.get(f"{settings}/end"))
    assert "No game is played" in client.post(f"{settings}/end", follow_redirects=True).text
    assert not letters(runtime, LetterKind.ENDED)


# effects on other pages


def test_an_invitation_page_accepts_an_offer_for_the_next_hand(client, runtime, table, settings) -> None:
    form = {"seat": "1", "kind": "player", "name": "Eve", "address": address("Eve")}
    client.post(f"{settings}/fill", data=form)
    assert "Offered to Eve, who has not answered yet." in client.get(settings).text
    table_id = table.table_id
    invitation = InvitationLink(table_id, BO, seats(runtime, table_id)[BO].offered_to or 0)
    link = runtime.signer.local_url(invitation)
    asked = client.get(link).text
    assert "You join after this hand" in asked
    assert 'value="Eve"' in asked
    taken = client.post(link, data={"answer": "accept", "name": "Eve", "time_zone": "Europe/Berlin"})
    for again in (taken, client.get(link), client.post(link, data={"answer": "accept"})):
        assert again.status_code == 200
        assert "You join at the next hand" in again.text
        assert "Bo plays this hand to its end." in again.text
        assert not re.search(r"/(play|seat|turn)/", again.text)
    assert "Eve joins after this hand." in client.get(settings).text
    table.play_hand()
    assert "You have a seat" in client.get(link).text
    assert "/play/" not in client.get(link).text, "the mail with that link may have been forwarded"
    bos = runtime.signer.local_url(InvitationLink(table_id, BO, seats(runtime, table_id)[CY].player_id or 0))
    assert client.get(bos).status_code == 409


def test_an_offer_is_declined_on_the_invitation_page(client, runtime, table, settings) -> None:
    form = {"seat": "1", "kind": "player", "name": "Eve", "address": address("Eve")}
    client.post(f"{settings}/fill", data=form)
    table_id = table.table_id
    link = runtime.signer.local_url(InvitationLink(table_id, BO, seats(runtime, table_id)[BO].offered_to or 0))
    declined = client.post(link, data={"answer": "decline"})
    assert "You have declined" in declined.text
    assert seats(runtime, table_id)[BO].state is SeatState.ACCEPTED
    assert client.get(link).status_code == 409
    assert len(letters(runtime, LetterKind.DECLINED)) == 1


def test_a_paused_clock_is_shown_in_place_of_the_deadline(client, runtime, table, settings) -> None:
    client.post(f"{settings}/clock", data={"want": "pause"})
    sentence = "The clock has been paused since"
    table_id = table.table_id
    pages = [table.turn_link(BO), seat_link(runtime, table_id, BO)]
    assert all(sentence in client.get(runtime.signer.local_url(page)).text for page in pages)
    for _ in range(4):
        table.play_first()
    lead = table.game.to_act[0]
    other = seat_link(runtime, table_id, (lead + 1) % 4)
    assert sentence in client.get(runtime.signer.local_url(other)).text
    client.post(f"{settings}/clock", data={"want": "go-on"})
    assert sentence not in client.get(runtime.signer.local_url(other)).text


def test_ending_the_game_asks_for_confirmation_and_then_reports_it(client, runtime, table, settings) -> None:
    assert "End the game at Ann's table?" in words(client.get(f"{settings}/end"))
    assert message_after(client, client.post(f"{settings}/end")) == DONE["proposed"]
    let_agree(runtime, table.table_id)
    ended = client.post(f"{settings}/end")
    assert ended.status_code == 303
    assert "No game is played" in client.get(ended.location).text
    assert len(letters(runtime, LetterKind.ENDED)) == 4
    shown = client.get(settings).text
    assert "End the game" not in shown
    assert "Pause the clock" not in shown
    refused = client.post(f"{settings}/clock", data={"want": "pause"})
    assert (refused.status_code, "No game is played" in refused.text) == (400, True)


def test_after_the_end_every_page_of_the_game_still_opens(client, runtime, table, settings) -> None:
    table_id = table.table_id
    player = seats(runtime, table_id)[BO].player_id or 0
    turn = table.turn_link(BO)
    client.post(f"{settings}/end")
    let_agree(runtime, table_id)
    let_in(client, runtime, player)
    seat = runtime.signer.local_url(seat_link(runtime, table_id, BO))
    play = runtime.signer.local_url(PlayLink(table_id, BO, player))
    for page in (seat, f"{seat}/record.json", f"{play}", f"{play}/now", runtime.signer.local_url(turn), "/games"):
        assert client.get(page, follow_redirects=True).status_code == 200
