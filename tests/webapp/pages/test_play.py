"""The page that follows a game: what it shows, what it tells the script, and who is given a link to it."""

import re
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup

from hearts.cards import card_text
from hearts.game import Stage
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
    seat_link,
    seats,
    start_game,
    turn_link,
)
from tests.gallery import page_html
from tests.samples.pages import pages
from webapp.core.tokens import AgainLink, InvitationLink, PlayLink, SignInLink
from webapp.games import presence, talk
from webapp.models import GameRow, SeatRow, SeatState, TableRow
from webapp.site import make_site
from webapp.tables import again, seating
from worker.mail import compose

PAGES = pages()
FOLLOWING = [name for name, (template, _) in PAGES.items() if template in ("turn", "pass", "moon", "play", "table")]


def play_link(parts, table_id, seat):
    return PlayLink(table_id, seat, seats(parts, table_id)[seat].player_id)


@pytest.fixture
def game_id(parts):
    return start_game(parts)


@pytest.fixture
def table_id(parts, game_id):
    return load(parts, game_id).row.table_id


@pytest.fixture
def plays(parts, table_id):
    """Everybody's page, by seat."""
    return [parts.signer.local_url(play_link(parts, table_id, seat)) for seat in range(4)]


def soup(response):
    assert response.status_code in (200, 409), response.status_code
    return BeautifulSoup(response.data, "html.parser")


def words(response):
    return soup(response).main.get_text(" ", strip=True)


def turn_page(parts, game_id, seat):
    return parts.signer.local_url(turn_link(parts, game_id, seat))


def awaited(parts, game_id):
    (seat,) = load(parts, game_id).game.to_act
    return seat


def until_played(parts, game_id):
    """Until cards are played: everybody has passed."""
    while load(parts, game_id).game.stage is Stage.PASS:
        play_first(parts, game_id)


def first_cards(parts, game_id, seat, count=1):
    return [card_text(card) for card in load(parts, game_id).game.held[seat]][:count]


def test_whoever_has_passed_is_on_the_page_that_follows_the_game_and_reads_what_she_did(client, parts, game_id):
    posted = client.post(turn_page(parts, game_id, 0), data={"card": first_cards(parts, game_id, 0, 3)})
    assert posted.status_code == 303
    assert posted.location.startswith("/play/")
    told = words(client.get(posted.location))
    assert "You passed" in told
    assert "Bo, Cy and Di choose cards to pass" in told


def test_when_something_is_asked_it_is_the_page_of_that_turn(client, parts, game_id, plays):
    until_played(parts, game_id)
    seat = awaited(parts, game_id)
    page = soup(client.get(plays[seat]))
    offered = [box["value"] for box in page.select("input[name=card]")]
    same = soup(client.get(turn_page(parts, game_id, seat)))
    assert offered == [box["value"] for box in same.select("input[name=card]")] != []
    form = page.find("form", action=re.compile("^/turn/"))
    before = load(parts, game_id).row.turns
    assert client.post(form["action"], data={"card": offered[0], "way": "page"}).status_code == 303
    assert load(parts, game_id).row.turns > before


def test_the_trick_lies_on_the_table_until_the_next_is_led(client, parts, game_id, plays):
    until_played(parts, game_id)
    while len(load(parts, game_id).game.tricks) < 2 or load(parts, game_id).game.on_table:
        play_first(parts, game_id)
    leader = awaited(parts, game_id)
    trick = load(parts, game_id).game.tricks[-1]
    for seat in range(4):
        shown = [code.text for code in soup(client.get(plays[seat])).select("#trick .code")]
        assert shown == [card_text(card) for card in trick.cards]
    assert f"{NAMES[leader]} leads trick" in words(client.get(plays[(leader + 1) % 4]))


def test_whoever_was_played_for_reads_it_on_her_page(client, parts, game_id, plays):
    miss_deadline(parts, game_id)
    told = [words(client.get(play)) for play in plays]
    assert any("The deadline was over, so we passed" in one for one in told)
    assert all("for you" in one for one in told), "the two of clubs played itself"


def test_how_the_hand_before_ended_is_told_until_a_trick_is_over(client, parts, game_id, plays):
    assert "is over:" not in words(client.get(plays[0]))
    play_hand(parts, game_id)
    page = soup(client.get(plays[0]))
    assert "Hand 1 is over: Ann" in page.main.get_text()
    points = load(parts, game_id).game.scores[0].points
    assert [f"{name} {point:+}".replace("+0", "0") for name, point in zip(NAMES, points, strict=True)] == re.findall(
        r"(\w+ (?:\+\d+|0|-\d+))", page.find(id="last-hand").text
    )
    assert len(page.select("#hand-before .card")) == 4
    until_played(parts, game_id)
    while not load(parts, game_id).game.tricks:
        play_first(parts, game_id)
    assert "is over:" not in words(client.get(plays[0]))


def test_after_the_last_hand_the_result_and_another_game_are_there(client, parts, table_id, game_id, plays):
    while load(parts, game_id).game.stage is not Stage.OVER:
        play_first(parts, game_id)
    page = soup(client.get(plays[0]))
    assert "Another game?" in page.main.text
    assert page.select("table.score")
    assert not page.select("#trick, input[name=card]")
    assert len(page.select("#hand-before .card")) == 4, "the last trick"
    for seat in range(4):
        again.agree(parts, AgainLink(table_id, seat, seats(parts, table_id)[seat].player_id, 1), parts.now())
    assert "Choose three cards" in words(client.get(plays[0])), "the same page goes on with the next game"


def test_before_the_game_it_tells_who_is_missing(client, parts):
    table_id = open_table(parts)
    assert "Bo, Cy and Di" in words(client.get(parts.signer.local_url(play_link(parts, table_id, 0))))


def test_whoever_is_away_comes_back_from_her_page(client, parts, game_id, table_id, plays):
    play_first(parts, game_id)
    play_first(parts, game_id)
    change_row(parts, SeatRow, (table_id, 1), away=True)
    assert "You are away" in words(client.get(plays[1]))
    assert client.post(f"{plays[1]}/back").status_code == 303
    assert not seats(parts, table_id)[1].away


def test_a_page_whose_chair_is_somebody_elses_opens_nothing(client, parts, table_id, plays):
    with parts.database.writing() as rows:
        seat = rows.get_one(SeatRow, (table_id, 1))
        seat.player_id, seat.state = None, SeatState.ROBOT
    before = dump(parts)
    assert client.get(plays[1]).status_code == 403
    assert client.get(f"{plays[1]}/now").status_code == 403
    assert client.post(f"{plays[1]}/here").status_code == 403
    assert client.post(f"{plays[1]}/back").status_code == 403
    assert dump(parts) == before


@pytest.mark.parametrize("path", ["", "/now", "/here", "/back"])
def test_a_token_that_was_altered_or_is_of_another_kind_opens_nothing(client, parts, table_id, plays, path):
    method = client.post if path in ("/here", "/back") else client.get
    seat_token = parts.signer.token(seat_link(parts, table_id, 0))
    altered = plays[0][:-5] + plays[0][-5:].swapcase()
    assert altered != plays[0]
    for address in (altered, f"/play/{seat_token}", "/play/x"):
        assert method(f"{address}{path}").status_code == 403


# what the script asks


def version(client, address):
    answer = client.get(f"{address}/now")
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.json["version"]


def change_row(parts, row, key, **values):
    with parts.database.writing() as rows:
        found = rows.get_one(row, key)
        for name, value in values.items():
            setattr(found, name, value)


CHANGES = {
    "a turn": lambda parts, game: play_first(parts, game),
    "a line said": lambda parts, game: talk.say(parts, play_link(parts, 1, 2), "Well played", parts.now()),
    "somebody is here": lambda parts, _: presence.note_here(parts, 1, 2, 3, parts.now()),
    "the clock stands": lambda parts, _: change_row(parts, TableRow, 1, paused_at=parts.now()),
    "another deadline": lambda parts, game: change_row(parts, GameRow, game, due_at=parts.now() + timedelta(hours=7)),
    "somebody is away": lambda parts, _: change_row(parts, SeatRow, (1, 3), away=True),
    "another name": lambda parts, _: change_row(parts, SeatRow, (1, 3), name="Pip"),
    "no talk any more": lambda parts, _: change_row(parts, TableRow, 1, talk="none"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_the_news_differ_when_the_page_would(client, parts, game_id, table_id, plays, change):
    addresses = [plays[0], parts.signer.local_url(seat_link(parts, table_id, 0))]
    before = [version(client, address) for address in addresses]
    change(parts, game_id)
    assert all(version(client, one) != was for one, was in zip(addresses, before, strict=True))


def test_the_news_stay_the_same_while_nothing_happens_but_time_and_her_own_looking(client, parts, plays):
    before = version(client, plays[0])
    parts.now.pass_by(timedelta(minutes=5))
    client.post(f"{plays[0]}/here")
    assert version(client, plays[0]) == before


def test_a_page_knows_of_which_news_it_is(client, parts, game_id, table_id, plays):
    for address in (plays[0], parts.signer.local_url(seat_link(parts, table_id, 0)), turn_page(parts, game_id, 0)):
        follow = soup(client.get(address)).find(id="follow")
        assert follow["data-version"] == version(client, follow["data-page"])


def test_the_time_left_is_told_in_seconds(client, parts, plays):
    parts.now.pass_by(PACE - timedelta(seconds=90))
    assert client.get(f"{plays[0]}/now").json["left"] == 90


def test_looking_at_a_page_and_its_news_changes_no_row(client, parts, plays):
    before = dump(parts)
    for method in (client.get, client.head):
        for address in (plays[0], f"{plays[0]}/now"):
            assert method(address).status_code == 200
    assert dump(parts) == before


def test_the_others_see_who_is_here_until_she_has_gone(client, parts, plays):
    assert client.post(f"{plays[2]}/here").json["here"] == []
    assert "Cy is here" in words(client.get(plays[0]))
    assert client.get(f"{plays[0]}/now").json["here"] == [2]
    client.post(f"{plays[2]}/here", data={"here": "no"})
    assert "is here" not in words(client.get(plays[0]))


def test_the_news_hold_no_card_address_or_key(client, parts, game_id, plays):
    until_played(parts, game_id)
    told = client.get(f"{plays[0]}/now").text
    assert "@" not in told
    assert not re.search(r'"[2-9TJQKA][CDSH]"|[♣♦♠♥]', told)
    assert set(client.get(f"{plays[0]}/now").json) == {
        *("game", "table", "due", "said", "offer", "chairs", "here", "version", "left")
    }


@pytest.mark.parametrize("name", FOLLOWING)
def test_the_parts_that_follow_a_game_have_names_and_lie_beside_each_other(name):
    live = BeautifulSoup(page_html(PAGES[name]), "html.parser").select("main [data-live]")
    assert live
    assert all(part.get("id") and not part.find_parent(attrs={"data-live": True}) for part in live)


# who is given a link


def links_to_play(response):
    return re.findall(r"/play/[\w.-]+", response.get_data(as_text=True))


def test_a_turn_that_is_over_gives_nobody_the_way_to_play(client, parts, game_id):
    url = turn_page(parts, game_id, 0)
    cards = first_cards(parts, game_id, 0, 3)
    assert links_to_play(client.get(url)), "as long as it is asked"
    client.post(url, data={"card": cards})
    stranger = make_site(parts).test_client()
    assert not links_to_play(stranger.get(url))
    for data in ({"card": cards}, {"card": first_cards(parts, game_id, 0, 3)}, {"card": ["ZZ"]}):
        answer = stranger.post(url, data=data)
        assert answer.status_code in (303, 409)
        assert not links_to_play(answer)
        assert not (answer.location or "").startswith("/play/")


def test_whoever_was_on_the_page_when_somebody_was_faster_goes_on_there(client, parts, game_id, plays):
    url = turn_page(parts, game_id, 0)
    page = soup(client.get(url))
    field = page.find("input", attrs={"name": "play"})["value"]
    miss_deadline(parts, game_id)
    before = load(parts, game_id).row.turns
    answer = client.post(url, data={"card": ["2C", "3C", "4C"], "play": field})
    assert answer.status_code == 409
    assert "The deadline was over" in words(answer)
    assert soup(answer).find(id="follow")["data-page"] == field
    assert load(parts, game_id).row.turns == before
    somebody_elses = client.post(url, data={"card": ["2C", "3C", "4C"], "play": plays[1]})
    assert somebody_elses.status_code == 409
    assert not links_to_play(somebody_elses)


def test_a_double_click_is_one_turn_and_ends_on_the_same_page(client, parts, game_id):
    url = turn_page(parts, game_id, 0)
    data = {"card": first_cards(parts, game_id, 0, 3), "play": links_to_play(client.get(url))[0]}
    assert [client.post(url, data=data).location[:6] for _ in range(2)] == ["/play/", "/play/"]
    assert load(parts, game_id).row.turns == 2


def test_the_page_of_a_table_leads_to_play_only_whoever_is_signed_in(client, parts, game_id, table_id):
    table = parts.signer.local_url(seat_link(parts, table_id, 0))
    client.post(turn_page(parts, game_id, 0), data={"card": first_cards(parts, game_id, 0, 3)})
    assert not links_to_play(client.get(table))
    client.post(parts.signer.local_url(SignInLink(seats(parts, table_id)[0].player_id, 0)))
    assert soup(client.get(table)).find("a", string="Play here")["href"].startswith("/play/")
    other = parts.signer.local_url(seat_link(parts, table_id, 1))
    assert not links_to_play(client.get(other)), "another seat's page"


def test_no_mail_holds_a_link_to_play(parts, game_id):
    play_hand(parts, game_id)
    with parts.database.reading() as rows:
        mails = [mail.as_string() for letter in letters(parts) if (mail := compose(parts, rows, letter))]
    assert len(mails) > 10
    assert not any("/play/" in mail for mail in mails)


def test_a_page_at_a_live_pace_looks_again_without_a_script(client, parts, game_id, table_id, plays):
    play_first(parts, game_id)
    assert not soup(client.get(plays[0])).select("noscript meta")
    change_row(parts, TableRow, table_id, play_seconds=30)
    assert soup(client.get(plays[0])).select("noscript meta[http-equiv=refresh]")
    assert not soup(client.get(plays[1])).select("noscript meta"), "nobody's choice is taken from under her thumb"


def test_an_invitation_is_followed_on_the_page_of_the_table(client, parts):
    table_id = open_table(parts)
    address = parts.signer.local_url(seat_link(parts, table_id, 0))
    before = version(client, address)
    seating.accept(parts, InvitationLink(table_id, 1, seats(parts, table_id)[1].player_id), "Bo", "UTC", parts.now())
    assert version(client, address) != before
