"""The pages as a browser without scripts sees them, and their responses to bad input."""

import json
import logging
import re
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from pydantic import SecretStr

from hearts.cards import card_text
from hearts.game import legal
from hearts.turns import Pass
from tests.cast import (
    NAMES,
    dump,
    letters,
    load,
    miss_deadline,
    open_table,
    play_hand,
    seat_link,
    seats,
    start_game,
    turn_link,
)
from tests.mailing import player_id
from tests.playing import awaited
from tests.submitting import FORM, check_refused, soup, words
from tests.webapp.accounts.signed_in import browser_of
from webapp import service
from webapp.core.tokens import ConfirmLink, InvitationLink, SignInLink, TurnLink
from webapp.models import LetterKind, SeatState
from webapp.presentation.faces import face
from webapp.site import make_site
from webapp.tables import seating


def held(runtime, game_id, seat):
    return [card_text(card) for card in load(runtime, game_id).game.held[seat]]


def test_the_home_page_has_a_hand_to_play_at_once_and_a_button_to_open_a_table(client):
    page = BeautifulSoup(client.get("/").data, "lxml")
    assert [button["href"] for button in page.main.select("a.button")] == ["/tables/new"]
    assert len(page.select("form [name=card]")) == 13
    cards = [card["value"] for card in page.select("form [name=card]")][:3]
    asked = soup(client.post(page.form["action"], data={"card": cards}, follow_redirects=True))
    assert asked.select_one("#trick")
    assert len(asked.select(".held")) in (12, 13), "a card that must be played plays itself"


def test_the_home_page_of_a_player_who_is_signed_in_is_their_games(runtime):
    start_game(runtime)
    answer = browser_of(runtime, player_id(runtime)).get("/")
    assert (answer.status_code, answer.location) == (302, "/games")


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        pytest.param("host_name", "", "Enter a name", id="no name"),
        pytest.param("host_name", "\u200d\u200c", "Enter a name", id="a name of joiners alone"),
        pytest.param("host_name", "A" * 10_000, "at most 40 letters", id="a name of 10,000 letters"),
        pytest.param("host_name", "Ann\u202e", "letters that can be seen", id="a name that turns the text around"),
        pytest.param("host_address", "ann", "not an email address", id="no address"),
        pytest.param("host_address", "a@example.org\nBcc: b@example.org", "not an email address", id="two lines"),
        pytest.param("host_address", "a@example.org\r\nX: y", "not an email address", id="two lines, CR LF"),
        pytest.param("host_address", "a" * 10_000 + "@example.org", "not an email address", id="endless address"),
        pytest.param("time_zone", "Mars/Olympus", "time zone from the list", id="unknown time zone"),
        pytest.param("seat_1_kind", "cat", "a player, a robot, anybody, or nobody", id="neither player nor robot"),
        pytest.param("seat_1_name", "ann", "tell them apart", id="two of one name"),
        pytest.param("seat_1_address", "ANN@example.org", "sits at the table already", id="two of one address"),
        pytest.param("seat_2_kind", "none", None, id="three players are fine"),
        pytest.param("preset", "whist", "ways to play from the list", id="unknown preset"),
        pytest.param("preset", "quick\x00", "ways to play from the list", id="a null byte"),
        pytest.param("target", "9", "10", id="too short a game"),
        pytest.param("target", "501", "500", id="too long a game"),
        pytest.param("target", "many", "whole number", id="a target in words"),
        pytest.param("target", "٣٠", "whole number", id="other digits"),
        pytest.param("pass_time", "1", "time from the list", id="an unknown pace"),
        pytest.param("play_time", "-86400", "time from the list", id="a negative pace"),
        pytest.param("bank", "endless", "time bank from the list", id="an unknown time bank"),
    ],
)
def test_the_form_for_a_table_explains_each_invalid_field(runtime, client, field, value, sentence):
    before = dump(runtime)
    response = client.post("/tables/new", data={**FORM, field: value})
    if sentence is None:
        assert response.status_code == 303
    else:
        check_refused(runtime, before, response, 400, sentence)


def test_a_rejected_form_keeps_its_values(client):
    page = BeautifulSoup(client.post("/tables/new", data={**FORM, "target": "7"}).data, "lxml")
    assert page.find("input", {"name": "host_name"})["value"] == "Ann"
    assert page.find("input", {"name": "seat_1_address"})["value"] == "bo@example.org"


def test_two_players_are_too_few(client):
    response = client.post("/tables/new", data={**FORM, "seat_2_kind": "none", "seat_3_kind": "none"})
    assert response.status_code == 400
    assert "three players or more" in words(response)


def test_after_opening_a_table_the_page_names_the_address_known_to_the_browser(runtime, client):
    without_cookies = words(client.get("/tables/opened"))
    assert "the address that you gave" in without_cookies
    assert "None" not in without_cookies
    client.post("/tables/new", data=FORM)
    assert "ann@example.org" in words(client.get("/tables/opened"))


def test_an_empty_form_gets_an_answer_and_not_a_failure(runtime, client):
    check_refused(runtime, dump(runtime), client.post("/tables/new", data={}), 400, "Enter a name")


def test_a_form_that_is_too_large_is_refused(runtime, client):
    response = client.post("/tables/new", data={**FORM, "host_name": "A" * 200_000})
    check_refused(runtime, dump(runtime), response, 413, "longer than any form of ours")


def test_a_malformed_form_is_refused(runtime, client):
    game_id = start_game(runtime)
    before = dump(runtime)
    url = runtime.signer.local_url(turn_link(runtime, game_id, 0))
    broken = b"--x\r\nContent-Disposition: form-data; name=card\r\n\r\nQS"
    response = client.post(url, data=broken, content_type="multipart/form-data; boundary=y")
    assert response.status_code == 400
    assert dump(runtime) == before


def test_a_table_mails_its_host_for_confirmation_at_most_five_times_an_hour(runtime, client):
    statuses = [client.post("/tables/new", data=FORM).status_code for _ in range(6)]
    assert statuses == [303] * 5 + [429]
    runtime.now.pass_by(timedelta(hours=1, seconds=1))
    assert client.post("/tables/new", data=FORM).status_code == 303


LINKS = ["confirm", "invitation", "turn", "seat", "sign-in"]


@pytest.mark.parametrize("path", LINKS)
@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("token", ["x", "WzEsMSwwLDEsInBhc3MiXQ.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb", "a" * 3000])
def test_a_forged_token_gets_a_plain_page(runtime, client, path, method, token):
    if (path, method) == ("seat", "post"):
        token += "/chair"
    response = getattr(client, method)(f"/{path}/{token}", data={"card": "QS"})
    check_refused(runtime, dump(runtime), response, 403, "doesn't work")


def test_a_genuine_token_of_a_missing_game_gets_a_plain_page(runtime, client):
    for link in (TurnLink(99, 0, 1, "pass"), ConfirmLink(99), SignInLink(99, 0)):
        assert client.get(runtime.signer.local_url(link)).status_code == 403
        assert client.post(runtime.signer.local_url(link), data={"card": "2C"}).status_code == 403


def test_eves_token_for_her_own_seat_opens_no_other(runtime, client):
    """Foreign: a genuine turn link with its path changed, or another purpose's token in its place."""
    game_id = start_game(runtime)
    token = runtime.signer.token(seat_link(runtime, load(runtime, game_id).row.table_id, 1))
    response = client.post(f"/turn/{token}", data={"card": held(runtime, game_id, 1)[:3]})
    check_refused(runtime, dump(runtime), response, 403, "doesn't work")


def test_an_expired_token_is_reported_as_expired(runtime, client, monkeypatch):
    game_id = start_game(runtime)
    url = runtime.signer.local_url(turn_link(runtime, game_id, 0))
    monkeypatch.setattr(TurnLink, "ttl", timedelta(minutes=-6))
    response = client.post(url, data={"card": held(runtime, game_id, 0)[:3]})
    check_refused(runtime, dump(runtime), response, 410, "This link is too old")


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        pytest.param([], "Choose three more cards.", id="none"),
        pytest.param([0, 1], "Choose one more card.", id="two"),
        pytest.param([0, 1, 2, 3], "Choose one card fewer.", id="four"),
        pytest.param([0, 0, 1], "not in your hand", id="one twice"),
        pytest.param([0, 0, 0], "You can't pass the same card twice", id="one three times"),
        pytest.param(["ZZ", 0, 1], "not a card", id="no card at all"),
        pytest.param(["Q" * 10_000, 0, 1], "not a card", id="endless nonsense"),
    ],
)
def test_an_invalid_pass_is_rejected_with_a_message(runtime, client, cards, sentence):
    game_id = start_game(runtime)
    before = dump(runtime)
    mine = held(runtime, game_id, 0)
    chosen = [card if isinstance(card, str) else mine[card] for card in cards]
    response = client.post(runtime.signer.local_url(turn_link(runtime, game_id, 0)), data={"card": chosen})
    check_refused(runtime, before, response, 400, sentence)


def test_a_card_that_is_not_held_is_rejected(runtime, client):
    game_id = start_game(runtime)
    before = dump(runtime)
    cards = [held(runtime, game_id, 1)[0], *held(runtime, game_id, 0)[:2]]
    response = client.post(runtime.signer.local_url(turn_link(runtime, game_id, 0)), data={"card": cards})
    check_refused(runtime, before, response, 400, "not in your hand")


def pass_all(runtime, game_id):
    site = make_site(runtime)
    for seat in range(4):
        url = runtime.signer.local_url(turn_link(runtime, game_id, seat))
        assert site.test_client().post(url, data={"card": held(runtime, game_id, seat)[:3]}).status_code == 303


def test_a_card_that_the_rules_forbid_is_rejected_in_the_words_of_the_rule(runtime, client):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    seat = awaited(runtime, game_id)
    stored = load(runtime, game_id)
    forbidden = next(iter(stored.game.held[seat] - legal(stored.game, seat)))
    before = dump(runtime)
    url = runtime.signer.local_url(turn_link(runtime, game_id, seat))
    check_refused(runtime, before, client.post(url, data={"card": card_text(forbidden)}), 400, "You can't play")
    check_refused(runtime, before, client.post(url, data={"card": []}), 400, "Choose a card")
    two = held(runtime, game_id, seat)[:2]
    check_refused(runtime, before, client.post(url, data={"card": two}), 400, "Choose a card")


def test_repeating_a_turn_succeeds_again_and_a_different_card_shows_what_was_played(runtime, client):
    game_id = start_game(runtime)
    url = runtime.signer.local_url(turn_link(runtime, game_id, 0))
    mine = held(runtime, game_id, 0)
    assert client.post(url, data={"card": mine[:3]}).status_code == 303
    before = dump(runtime)
    assert client.post(url, data={"card": mine[:3]}).status_code == 303
    check_refused(runtime, before, client.post(url, data={"card": mine[3:6]}), 409, "You passed")
    page = client.get(url)
    assert page.status_code == 200
    assert "You passed" in words(page)
    assert "Waiting for Bo, Cy and Di" in words(page)


def test_a_link_used_after_the_deadline_shows_what_was_played(runtime, client):
    game_id = start_game(runtime)
    url = runtime.signer.local_url(turn_link(runtime, game_id, 3))
    miss_deadline(runtime, game_id)
    assert "We passed" in words(client.get(url))


def test_the_card_of_the_link_is_chosen_only_if_it_is_legal(runtime, client):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    seat = awaited(runtime, game_id)
    stored = load(runtime, game_id)
    allowed = [card_text(card) for card in legal(stored.game, seat)]
    illegal = [card for card in held(runtime, game_id, seat) if card not in allowed]
    url = runtime.signer.local_url(turn_link(runtime, game_id, seat))

    def chosen(card):
        page = BeautifulSoup(client.get(f"{url}?card={card}").data, "lxml")
        return [box["value"] for box in page.select("input[name=card][checked]")]

    assert chosen(allowed[0]) == [allowed[0]]
    assert chosen(illegal[0]) == []
    assert chosen("%3Cscript%3E") == []


def test_the_record_says_whether_the_link_in_the_mail_was_used(runtime, client):
    game_id = start_game(runtime)
    url = runtime.signer.local_url(turn_link(runtime, game_id, 0))
    client.post(url, data={"card": held(runtime, game_id, 0)[:3], "way": "link"})
    url = runtime.signer.local_url(turn_link(runtime, game_id, 1))
    client.post(url, data={"card": held(runtime, game_id, 1)[:3], "way": "robot"})
    assert [record.source.value for record in load(runtime, game_id).records] == ["forced", "link", "page"]


def test_an_invitation_is_accepted_with_a_name_and_a_time_zone(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    seat = seats(runtime, table_id)[1]
    url = runtime.signer.local_url(InvitationLink(table_id, 1, seat.player_id))
    page = client.post(url, data={"answer": "accept", "name": "Bobby", "time_zone": "Asia/Tokyo"})
    assert page.status_code == 200
    assert seats(runtime, table_id)[1].name == "Bobby"
    assert len(letters(runtime, LetterKind.PASS)) == 2, "everybody is there: the first hand is dealt"


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        pytest.param({}, "Choose whether you will play", id="no answer"),
        pytest.param({"answer": "perhaps"}, "Choose whether you will play", id="another answer"),
        pytest.param({"answer": "accept", "name": "B" * 10_000}, "at most 40", id="an endless name"),
        pytest.param({"answer": "accept", "name": "ann"}, "has this name already", id="the host's name"),
        pytest.param({"answer": "accept", "time_zone": "x"}, "time zone", id="no time zone"),
    ],
)
def test_an_invalid_answer_leaves_the_invitation_open(runtime, client, answer, sentence):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    before = dump(runtime)
    url = runtime.signer.local_url(InvitationLink(table_id, 1, seats(runtime, table_id)[1].player_id))
    check_refused(runtime, before, client.post(url, data=answer), 400, sentence)


def test_a_robot_takes_a_declined_seat_and_the_game_begins(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    url = runtime.signer.local_url(InvitationLink(table_id, 1, seats(runtime, table_id)[1].player_id))
    client.post(url, data={"answer": "decline"})
    assert [letter.about for letter in letters(runtime, LetterKind.DECLINED)] == ["Bo"]
    mine = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    assert client.post(f"{mine}/chair", data={"seat": "1", "kind": "robot"}).status_code == 303
    assert seats(runtime, table_id)[1].state is SeatState.ROBOT
    assert len(letters(runtime, LetterKind.PASS)) == 1
    assert client.post(url, data={"answer": "accept"}).status_code == 409, "the seat is somebody else's now"


def test_a_declined_seat_can_be_offered_to_somebody_else(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    seating.decline(runtime, InvitationLink(table_id, 1, seats(runtime, table_id)[1].player_id), runtime.now())
    mine = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    cy = {"seat": "1", "kind": "player", "name": "Cy", "address": "cy@example.org"}
    assert client.post(f"{mine}/chair", data=cy).status_code == 303
    assert seats(runtime, table_id)[1].name == "Cy"
    assert [letter.again for letter in letters(runtime, LetterKind.INVITATION)] == [False, True] * 2


@pytest.mark.parametrize(
    ("form", "status", "sentence"),
    [
        pytest.param({"seat": "0", "kind": "robot"}, 409, "seat is taken", id="the host's own"),
        pytest.param({"seat": "2", "kind": "robot"}, 409, "seat is taken", id="a robot's"),
        pytest.param({"seat": "77", "kind": "robot"}, 409, "seat is taken", id="none"),
        pytest.param({"seat": "x", "kind": "robot"}, 400, "form on this page", id="no number"),
        pytest.param({"seat": "1", "kind": "cat"}, 400, "Choose a robot", id="to a cat"),
        pytest.param({"seat": "1", "kind": "player", "name": "Cy", "address": "cy"}, 400, "not an email", id="cy"),
        pytest.param(
            {"seat": "1", "kind": "player", "name": "Ann", "address": "cy@example.org"},
            400,
            "this name",
            id="the host's name",
        ),
        pytest.param(
            {"seat": "1", "kind": "player", "name": "Cy", "address": "ann@example.org"}, 400, "already", id="herself"
        ),
    ],
)
def test_the_host_can_give_away_only_a_free_seat(runtime, client, form, status, sentence):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    before = dump(runtime)
    mine = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    check_refused(runtime, before, client.post(f"{mine}/chair", data=form), status, sentence)


def test_only_the_host_can_give_away_a_seat(runtime, client):
    table_id = open_table(runtime, NAMES[:3], robots=1)
    before = dump(runtime)
    his = runtime.signer.local_url(seat_link(runtime, table_id, 1))
    response = client.post(f"{his}/chair", data={"seat": "2", "kind": "robot"})
    check_refused(runtime, before, response, 409, "seat is taken")


def test_confirming_twice_invites_once(runtime, client):
    client.post("/tables/new", data=FORM)
    url = runtime.signer.local_url(ConfirmLink(1))
    assert client.get(url).status_code == 200
    assert letters(runtime, LetterKind.INVITATION) == [], "only the button confirms"
    assert [client.post(url).status_code, client.post(url).status_code] == [303, 303]
    assert [letter.again for letter in letters(runtime, LetterKind.INVITATION)] == [False, True]


def test_signing_in_needs_a_link_from_the_mail_which_works_once(runtime, client):
    game_id = start_game(runtime)
    assert client.post("/sign-in", data={"address": "ANN@example.org"}).status_code == 200
    (letter,) = letters(runtime, LetterKind.SIGN_IN)
    url = runtime.signer.local_url(SignInLink(letter.player_id, 0))
    assert client.get("/games").status_code == 303
    assert client.get(url).status_code == 200
    assert client.get("/games").status_code == 303, "opening the link signs nobody in"
    assert client.post(url).status_code == 303
    games = client.get("/games")
    assert "It is your turn" in words(games)
    link = BeautifulSoup(games.data, "lxml").find("a", href=re.compile("^/turn/"))["href"]
    assert client.get(link).status_code == 200
    table = runtime.signer.local_url(seat_link(runtime, load(runtime, game_id).row.table_id, 0))
    assert "/turn/" in client.get(table).text
    assert "/turn/" not in make_site(runtime).test_client().get(table).text, "the seat's link alone does not play"
    assert client.post(url).status_code == 403, "a used link is invalid"
    assert client.post("/sign-out").status_code == 303
    assert client.get("/games").status_code == 303
    assert load(runtime, game_id).row.turns == 1


def test_a_request_to_sign_in_does_not_reveal_who_plays_here(runtime, client):
    start_game(runtime)
    ours = words(client.post("/sign-in", data={"address": "ann@example.org"}))
    eve = words(client.post("/sign-in", data={"address": "eve@example.org"}))
    assert ours.replace("ann@", "eve@") == eve
    assert client.post("/sign-in", data={"address": "nobody"}).status_code == 400


def test_repeated_requests_to_sign_in_reveal_no_player_and_send_five_mails_an_hour(runtime, client):
    start_game(runtime)
    runtime.now.pass_by(timedelta(hours=2))
    answers = {}
    for known in ("bo@example.org", "eve@example.org"):
        answers[known] = []
        for _ in range(7):
            runtime.now.pass_by(timedelta(seconds=1))
            answer = client.post("/sign-in", data={"address": known})
            answers[known].append((answer.status_code, words(answer).replace(known, "…")))
    assert answers["bo@example.org"] == answers["eve@example.org"]
    assert len(letters(runtime, LetterKind.SIGN_IN)) == 5


def test_the_record_holds_finished_hands_only(runtime, client):
    game_id = start_game(runtime, NAMES[:1], robots=3)
    table_id = load(runtime, game_id).row.table_id
    url = f"{runtime.signer.local_url(seat_link(runtime, table_id, 0))}/record.json"
    assert json.loads(client.get(url).data)["hands"] == []
    play_hand(runtime, game_id)
    downloaded = json.loads(client.get(url).data)
    assert downloaded["format"] == "hearts-record"
    assert len(downloaded["hands"]) == 1


def test_unknown_addresses_and_methods_get_an_error_page_of_ours(runtime, client):
    before = dump(runtime)
    check_refused(runtime, before, client.get("/nowhere"), 404, "Page not found")
    check_refused(runtime, before, client.put("/tables/new"), 405, "cannot be done here")


def test_a_failure_shows_no_trace_and_logs_no_token(runtime, client, monkeypatch, caplog):
    game_id = start_game(runtime)
    url = runtime.signer.local_url(turn_link(runtime, game_id, 0))

    def fail(*_, **__):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(service.store, "load", fail)
    with caplog.at_level(logging.DEBUG):
        response = client.get(url)
    assert response.status_code == 500
    assert "Nothing is lost" in words(response)
    assert "a fault of ours" not in words(response)
    assert "a fault of ours" in caplog.text
    assert url.rpartition("/")[2] not in caplog.text


def test_every_page_opened_by_a_link_is_private(runtime, client):
    game_id = start_game(runtime)
    response = client.get(runtime.signer.local_url(turn_link(runtime, game_id, 0)))
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert response.headers["X-Robots-Tag"] == "noindex"
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    assert "Set-Cookie" not in response.headers


def test_the_mailbox_exists_only_while_mails_are_kept(runtime, tmp_path):
    assert make_site(runtime).test_client().get("/mailbox").status_code == 200
    relayed = type(runtime)(
        runtime.settings.model_copy(update={"smtp_url": SecretStr("smtp://127.0.0.1:2525")}), runtime.now
    )
    assert make_site(relayed).test_client().get("/mailbox").status_code == 404


def test_the_health_page_answers(client):
    assert client.get("/healthz").get_json() == {"status": "ok"}


def test_the_link_of_a_turn_in_an_earlier_hand_still_says_what_was_played(client, runtime, game_id):
    links = {}
    for hand in (1, 2):
        links[hand] = runtime.signer.local_url(turn_link(runtime, game_id, 0))
        play_hand(runtime, game_id)
    for hand, link in links.items():
        turns = [one.turn for one in load(runtime, game_id).of_hand(hand)]
        (passed,) = [turn for turn in turns if isinstance(turn, Pass) and turn.seat == 0]
        cards = " ".join(face(card).text for card in passed.cards)
        assert f"You passed {cards}" in words(client.get(link))
