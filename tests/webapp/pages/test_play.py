"""The live page: what it shows, what it sends to the script, and who gets a link to it."""

import re
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup

from hearts.cards import card_text
from hearts.game import Stage
from hearts.rules import preset_rules
from tests.cast import (
    NAMES,
    PACE,
    dump,
    letters,
    load,
    miss_deadline,
    open_table,
    play_first,
    play_hand,
    play_link,
    seat_link,
    seats,
    start_game,
    turn_link,
)
from tests.gallery import page_html
from tests.playing import awaited
from tests.samples.pages import pages
from tests.webapp.with_waits import started
from webapp.core.tokens import AgainLink, InvitationLink, PlayLink, SignInLink
from webapp.games import talk
from webapp.games.asked.whose_turn import pending
from webapp.games.clock import presence
from webapp.games.clock.presence import READING_FOR
from webapp.games.following import GOES_ON_POLL_MS
from webapp.models import GameRow, SeatRow, SeatState, TableRow, Wait
from webapp.site import make_site
from webapp.tables import again, seating
from worker.mail import compose

PAGES = pages()
FOLLOWING = [name for name, (template, _) in PAGES.items() if template in ("turn", "pass", "moon", "play", "table")]


def link_at_table(runtime, table_id, seat):
    return PlayLink(table_id, seat, seats(runtime, table_id)[seat].player_id)


@pytest.fixture
def game_id(request, runtime):
    """A game by rules that a test may choose, in place of the usual ones."""
    return start_game(runtime, rules=getattr(request, "param", None))


@pytest.fixture
def table_id(runtime, game_id):
    return load(runtime, game_id).row.table_id


@pytest.fixture
def plays(runtime, table_id):
    """Everybody's page, by seat."""
    return [runtime.signer.local_url(link_at_table(runtime, table_id, seat)) for seat in range(4)]


def soup(response):
    assert response.status_code in (200, 409), response.status_code
    return BeautifulSoup(response.data, "lxml")


def words(response):
    return soup(response).main.get_text(" ", strip=True)


def turn_page(runtime, game_id, seat):
    return runtime.signer.local_url(turn_link(runtime, game_id, seat))


def until_played(runtime, game_id):
    """Plays until everybody has passed."""
    while load(runtime, game_id).game.stage is Stage.PASS:
        play_first(runtime, game_id)


def first_cards(runtime, game_id, seat, count=1):
    return [card_text(card) for card in load(runtime, game_id).game.held[seat]][:count]


def test_a_player_who_has_passed_reads_that_on_the_page(client, runtime, game_id):
    posted = client.post(turn_page(runtime, game_id, 0), data={"card": first_cards(runtime, game_id, 0, 3)})
    assert posted.status_code == 303
    assert posted.location.startswith("/play/")
    text = words(client.get(posted.location))
    assert "You passed" in text
    assert "Bo, Cy and Di choose cards to pass" in text


def test_the_page_becomes_the_turns_when_the_player_is_asked(client, runtime, game_id, plays):
    until_played(runtime, game_id)
    seat = awaited(runtime, game_id)
    page = soup(client.get(plays[seat]))
    offered = [box["value"] for box in page.select("input[name=card]")]
    same = soup(client.get(turn_page(runtime, game_id, seat)))
    assert offered == [box["value"] for box in same.select("input[name=card]")] != []
    form = page.find("form", action=re.compile("^/turn/"))
    before = load(runtime, game_id).row.turns
    assert client.post(form["action"], data={"card": offered[0], "way": "page"}).status_code == 303
    assert load(runtime, game_id).row.turns > before


def test_the_trick_stays_on_the_table_until_the_next_lead(client, runtime, game_id, plays):
    until_played(runtime, game_id)
    while len(load(runtime, game_id).game.tricks) < 2 or load(runtime, game_id).game.on_table:
        play_first(runtime, game_id)
    leader = awaited(runtime, game_id)
    trick = load(runtime, game_id).game.tricks[-1]
    for seat in range(4):
        shown = [code.text for code in soup(client.get(plays[seat])).select("#trick .code")]
        assert shown == [card_text(card) for card in trick.cards]
    assert f"{NAMES[leader]} leads trick" in words(client.get(plays[(leader + 1) % 4]))


def test_a_player_reads_what_was_played_for_them(client, runtime, game_id, plays):
    miss_deadline(runtime, game_id)
    texts = [words(client.get(play)) for play in plays]
    assert any("The deadline was over. We passed" in one for one in texts)
    assert all("for you" in one for one in texts), "the two of clubs was played automatically"


def test_a_player_who_waits_reads_whose_time_runs(client, runtime, game_id, plays):
    play_first(runtime, game_id)  # Ann passes
    page = soup(client.get(plays[0]))
    assert page.find(id="clock").text.startswith("Bo, Cy and Di: ")
    assert page.select_one(".deadline").text.startswith("Bo, Cy and Di: due by ")
    asked = soup(client.get(plays[1]))
    assert "Bo" not in asked.find(id="clock").text
    assert asked.select_one(".deadline").text.startswith("Choose by ")


def go_on(page):
    """Returns the address to which the page of a result leads."""
    return page.select_one(".act a.go-on")["href"]


def test_a_hands_result_is_shown_before_the_next_pass(client, runtime, game_id, plays):
    play_hand(runtime, game_id)
    page = soup(client.get(plays[0]))
    assert page.h1.text == "Hand 1 is over"
    assert not page.select("[name=card]")
    (score,) = load(runtime, game_id).game.scores
    shown = {line.span.text: line.strong.text for line in page.select("#points li")}
    assert {name: int(points) for name, points in shown.items()} == dict(zip(NAMES, score.points, strict=True))
    assert len(page.select("#trick .card")) == 4
    taker = NAMES[score.queens.index(1)]
    assert re.search(rf"{taker} Q♠", page.find(id="points").get_text(" ", strip=True).replace("\ufe0e", ""))
    assert page.select("svg.race .race-side")
    assert page.select_one(".act a.go-on").text == "Go on to hand 2"
    assert "Pass three cards" in words(client.get(go_on(page)))
    assert "is over" in words(client.get(plays[0])), "a link that was not shown the result"


def test_who_has_chosen_since_is_not_shown_the_result_again(client, runtime, game_id, plays):
    play_hand(runtime, game_id)
    action = soup(client.get(go_on(soup(client.get(plays[0]))))).find("form", action=re.compile("^/turn/"))["action"]
    client.post(action, data={"card": first_cards(runtime, game_id, 0, 3)})
    assert "That's it." in words(client.get(plays[0]))


@pytest.mark.parametrize("game_id", [preset_rules("classic", target=10)], ids=["of one hand"], indirect=True)
def test_after_the_last_hand_the_page_offers_another_game(client, runtime, table_id, game_id, plays):
    while load(runtime, game_id).game.stage is not Stage.OVER:
        play_hand(runtime, game_id)
    last = soup(client.get(plays[0]))
    assert len(last.select("#trick .card")) == 4, "the last trick"
    assert last.select_one(".act a.go-on").text == "See the score"
    page = soup(client.get(go_on(last)))
    assert "Another game?" in page.main.text
    assert page.select("table.score")
    assert not page.select("#trick, input[name=card]")
    for seat in range(4):
        again.agree(runtime, AgainLink(table_id, seat, seats(runtime, table_id)[seat].player_id, 1), runtime.now())
    assert "Pass three cards" in words(client.get(plays[0])), "the same page goes on with the next game"


def test_before_the_game_the_page_says_who_is_missing(client, runtime):
    table_id = open_table(runtime)
    assert "Bo, Cy and Di" in words(client.get(runtime.signer.local_url(link_at_table(runtime, table_id, 0))))


def test_an_away_player_comes_back_from_their_page(client, runtime, game_id, table_id, plays):
    play_first(runtime, game_id)
    play_first(runtime, game_id)
    change_row(runtime, SeatRow, (table_id, 1), away=True)
    assert "You are away" in words(client.get(plays[1]))
    assert client.post(f"{plays[1]}/back").status_code == 303
    assert not seats(runtime, table_id)[1].away


def test_a_page_of_a_seat_that_changed_hands_opens_nothing(client, runtime, table_id, plays):
    with runtime.database.writing() as session:
        seat = session.get_one(SeatRow, (table_id, 1))
        seat.player_id, seat.state = None, SeatState.ROBOT
    before = dump(runtime)
    assert client.get(plays[1]).status_code == 403
    assert client.get(f"{plays[1]}/now").status_code == 403
    assert client.post(f"{plays[1]}/here").status_code == 403
    assert client.post(f"{plays[1]}/back").status_code == 403
    assert dump(runtime) == before


@pytest.mark.parametrize("path", ["", "/now", "/here", "/back"])
def test_an_altered_or_foreign_token_opens_nothing(client, runtime, table_id, plays, path):
    method = client.post if path in ("/here", "/back") else client.get
    seat_token = runtime.signer.token(seat_link(runtime, table_id, 0))
    altered = plays[0][:-5] + plays[0][-5:].swapcase()
    assert altered != plays[0]
    for address in (altered, f"/play/{seat_token}", "/play/x"):
        assert method(f"{address}{path}").status_code == 403


# requests of the script


def version(client, address):
    answer = client.get(f"{address}/now")
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.json["version"]


def change_row(runtime, row, key, **values):
    with runtime.database.writing() as session:
        found = session.get_one(row, key)
        for name, value in values.items():
            setattr(found, name, value)


CHANGES = {
    "a turn": lambda runtime, game: play_first(runtime, game),
    "a line said": lambda runtime, game: talk.say(runtime, link_at_table(runtime, 1, 2), "Well played", runtime.now()),
    "somebody is here": lambda runtime, _: presence.note_presence(runtime, 1, 2, 3, runtime.now()),
    "the clock stands": lambda runtime, _: change_row(runtime, TableRow, 1, paused_at=runtime.now()),
    "another deadline": lambda runtime, game: change_row(
        runtime, GameRow, game, due_at=runtime.now() + timedelta(hours=7)
    ),
    "somebody is away": lambda runtime, _: change_row(runtime, SeatRow, (1, 3), away=True),
    "another name": lambda runtime, _: change_row(runtime, SeatRow, (1, 3), name="Pip"),
    "no talk any more": lambda runtime, _: change_row(runtime, TableRow, 1, talk="none"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_the_version_changes_whenever_the_page_would(client, runtime, game_id, table_id, plays, change):
    addresses = [plays[0], runtime.signer.local_url(seat_link(runtime, table_id, 0))]
    before = [version(client, address) for address in addresses]
    change(runtime, game_id)
    assert all(version(client, one) != was for one, was in zip(addresses, before, strict=True))


def test_time_and_the_players_own_heartbeats_keep_the_version(client, runtime, plays):
    before = version(client, plays[0])
    runtime.now.pass_by(timedelta(minutes=5))
    client.post(f"{plays[0]}/here")
    assert version(client, plays[0]) == before


def test_a_page_names_its_own_version(client, runtime, game_id, table_id, plays):
    for address in (
        plays[0],
        runtime.signer.local_url(seat_link(runtime, table_id, 0)),
        turn_page(runtime, game_id, 0),
    ):
        follow = soup(client.get(address)).find(id="follow")
        assert follow["data-version"] == version(client, follow["data-page"])


def test_the_time_left_is_given_in_seconds(client, runtime, plays):
    runtime.now.pass_by(PACE - timedelta(seconds=90))
    assert client.get(f"{plays[0]}/now").json["left"] == 90


def test_opening_a_page_and_asking_for_news_changes_no_row(client, runtime, plays):
    before = dump(runtime)
    for method in (client.get, client.head):
        for address in (plays[0], f"{plays[0]}/now"):
            assert method(address).status_code == 200
    assert dump(runtime) == before


def test_the_others_see_a_player_as_present_until_they_leave(client, runtime, plays):
    assert client.post(f"{plays[2]}/here", data={"idle": "0"}).json["here"] == []
    assert "Cy is here" in words(client.get(plays[0]))
    assert client.get(f"{plays[0]}/now").json["here"] == [2]
    client.post(f"{plays[2]}/here", data={"here": "no"})
    assert "is here" not in words(client.get(plays[0]))


@pytest.mark.parametrize("idle", ["180", "-1", "1e3", "٣", "9" * 9, ""])
def test_a_page_left_open_does_not_make_its_player_present(client, runtime, plays, idle):
    runtime.now.pass_by(READING_FOR)
    client.post(f"{plays[2]}/here", data={"idle": idle})
    assert "is here" not in words(client.get(plays[0]))


def test_the_news_contain_no_card_address_or_key(client, runtime, game_id, plays):
    until_played(runtime, game_id)
    text = client.get(f"{plays[0]}/now").text
    assert "@" not in text
    assert not re.search(r'"[2-9TJQKA][CDSH]"|[♣♦♠♥]', text)
    assert set(client.get(f"{plays[0]}/now").json) == {
        *("game", "table", "due", "said", "offer", "seats", "here", "version", "left")
    }


@pytest.mark.parametrize("name", FOLLOWING)
def test_the_live_sections_have_ids_and_are_not_nested(name):
    live = BeautifulSoup(page_html(PAGES[name]), "lxml").select("main [data-live]")
    assert live
    assert all(part.get("id") and not part.find_parent(attrs={"data-live": True}) for part in live)


# links to the page


def links_to_play(response):
    return re.findall(r"/play/[\w.-]+", response.get_data(as_text=True))


def test_a_finished_turn_leads_nobody_to_the_live_page(client, runtime, game_id):
    url = turn_page(runtime, game_id, 0)
    cards = first_cards(runtime, game_id, 0, 3)
    assert links_to_play(client.get(url)), "while the turn is pending"
    client.post(url, data={"card": cards})
    stranger = make_site(runtime).test_client()
    assert not links_to_play(stranger.get(url))
    for data in ({"card": cards}, {"card": first_cards(runtime, game_id, 0, 3)}, {"card": ["ZZ"]}):
        answer = stranger.post(url, data=data)
        assert answer.status_code in (303, 409)
        assert not links_to_play(answer)
        assert not (answer.location or "").startswith("/play/")


def test_a_player_whose_turn_was_taken_continues_on_that_page(client, runtime, game_id, plays):
    url = turn_page(runtime, game_id, 0)
    page = soup(client.get(url))
    field = page.find("input", attrs={"name": "play"})["value"]
    miss_deadline(runtime, game_id)
    before = load(runtime, game_id).row.turns
    answer = client.post(url, data={"card": ["2C", "3C", "4C"], "play": field})
    assert answer.status_code == 409
    assert "The deadline was over" in words(answer)
    assert soup(answer).find(id="follow")["data-page"] == field
    assert load(runtime, game_id).row.turns == before
    somebody_elses = client.post(url, data={"card": ["2C", "3C", "4C"], "play": plays[1]})
    assert somebody_elses.status_code == 409
    assert not links_to_play(somebody_elses)


def test_a_double_click_is_one_turn_on_one_page(client, runtime, game_id):
    url = turn_page(runtime, game_id, 0)
    data = {"card": first_cards(runtime, game_id, 0, 3), "play": links_to_play(client.get(url))[0]}
    assert [client.post(url, data=data).location[:6] for _ in range(2)] == ["/play/", "/play/"]
    assert load(runtime, game_id).row.turns == 2


def test_the_table_page_leads_only_signed_in_players_to_play(client, runtime, game_id, table_id):
    table = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    make_site(runtime).test_client().post(
        turn_page(runtime, game_id, 0), data={"card": first_cards(runtime, game_id, 0, 3)}
    )
    assert not links_to_play(client.get(table)), "in another browser than the one that has played"
    client.post(runtime.signer.local_url(SignInLink(seats(runtime, table_id)[0].player_id, 0)))
    assert soup(client.get(table)).find("a", string="Play here")["href"].startswith("/play/")
    other = runtime.signer.local_url(seat_link(runtime, table_id, 1))
    assert not links_to_play(client.get(other)), "another seat's page"


def test_no_mail_holds_a_link_to_the_live_page(runtime, game_id):
    play_hand(runtime, game_id)
    with runtime.database.reading() as session:
        mails = [mail.as_string() for letter in letters(runtime) if (mail := compose(runtime, session, letter))]
    assert len(mails) > 8
    assert not any("/play/" in mail for mail in mails)


def test_without_a_script_a_live_page_refreshes_itself(client, runtime, game_id, table_id, plays):
    play_first(runtime, game_id)
    assert not soup(client.get(plays[0])).select("noscript meta")
    change_row(runtime, TableRow, table_id, play_seconds=30)
    assert soup(client.get(plays[0])).select("noscript meta[http-equiv=refresh]")
    assert not soup(client.get(plays[1])).select("noscript meta"), "no choice disappears under the player's thumb"


def test_an_accepted_invitation_changes_the_version_of_the_table_page(client, runtime):
    table_id = open_table(runtime)
    address = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    before = version(client, address)
    seating.accept(
        runtime, InvitationLink(table_id, 1, seats(runtime, table_id)[1].player_id), "Bo", "UTC", runtime.now()
    )
    assert version(client, address) != before


def test_every_page_looks_again_until_the_robot_has_looked(runtime, client):
    game_id = started(runtime, *[Wait.NONE] * 4)
    looked_at = pending(load(runtime, game_id)).seat
    for seat in range(4):
        shown = soup(client.get(runtime.signer.local_url(play_link(runtime, game_id, seat))))
        follow = shown.find(id="follow")
        assert (shown.h1.text == "One moment") == (seat == looked_at)
        assert (follow["data-version"], int(follow["data-every"])) == ("", GOES_ON_POLL_MS)
