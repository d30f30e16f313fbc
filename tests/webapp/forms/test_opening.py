"""The form for a table: seats for eleven, the rules that it plays, and what is remembered of a choice."""

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from hearts.rules import choices, preset_rules, rules_mapping
from tests.cast import leave, letters, open_table, seat_link, seats, table_row
from tests.hearts.strategies import any_rules
from tests.webapp.forms.filled import filled, read, rules_of, sent
from webapp.core.tokens import ConfirmLink
from webapp.forms import options
from webapp.forms.opening import REMEMBERED, ROBOT_NAMES, blank_open_form, read_open_form, remembered_fields
from webapp.games.record.rows import table_rules
from webapp.models import LetterKind, SeatState
from webapp.tables import seating

# choices of the form


def test_the_page_has_eleven_seats_and_every_option(client):
    page = BeautifulSoup(client.get("/tables/new").data, "lxml")
    assert [tag["id"] for tag in page.select("select[name$=_kind]")] == [
        f"seat_{number}_kind" for number in range(1, 11)
    ]
    assert [tag["name"] for tag in page.select("#house-rules select")] == list(options.NAMES)
    for select in page.select("#house-rules select"):
        first, *others = select.find_all("option")
        assert (first["value"], first.text) == ("", "As chosen above")
        assert len(others) == len(choices(select["name"]))
    assert not page.select("details[open]")


@pytest.mark.parametrize(
    ("fields", "opened"),
    [
        pytest.param({"target": "7"}, ["choices"], id="an error among the choices"),
        pytest.param({"target": "7", "seat_5_kind": "robot"}, ["choices", "more-seats"], id="a taken seat"),
        pytest.param({"seat_10_kind": "cat"}, ["choices", "more-seats"], id="an invalid seat"),
        pytest.param({"target": "7", "sun": "true"}, ["choices", "house-rules"], id="an option that is set"),
        pytest.param({"moon": "ask"}, ["choices", "house-rules"], id="an option in error"),
        pytest.param(
            {"seat_5_kind": "robot", "partnership": "true"}, ["choices", "more-seats", "house-rules"], id="both"
        ),
    ],
)
def test_sections_with_a_choice_or_an_error_are_unfolded(client, fields, opened):
    page = BeautifulSoup(client.post("/tables/new", data=filled(**fields)).data, "lxml")
    assert [tag["id"] for tag in page.select("details[open]")] == opened


# the rules of a form


def test_a_live_table_with_only_a_preset_plays_that_preset():
    assert rules_of(when="now", preset="quick") == preset_rules("quick")
    assert rules_of(when="now", preset="cancellation", robots=10) == preset_rules("cancellation", players=11)
    assert rules_of(when="now", preset="omnibus", target="250") == preset_rules("omnibus", target=250)


def test_options_override_those_of_the_preset():
    rules = rules_of(preset="club", jack_points="-5", sun="true", pass_count="1", moon="choice", queen_points="0")
    assert rules == preset_rules("club", jack_points=-5, sun=True, pass_count=1, moon="choice", queen_points=0)


@given(any_rules(), st.data())
def test_every_possible_set_of_rules_can_be_chosen(rules, data):
    form = read(rules.players - 1, **{**sent(rules), "preset": rules.preset.value})
    assert form.errors == {}
    assert form.table.rules == rules
    mapping = rules_mapping(rules)
    fewer = {name: text for name, text in sent(rules).items() if name in mapping}
    assert rules_of(rules.players - 1, **{"preset": rules.preset.value, **fewer}) == rules


def test_a_preset_may_have_more_players_than_it_suggests():
    assert rules_of(robots=5, preset="quick", target="50") == preset_rules("quick", players=6)
    assert rules_of(robots=6, preset="traditional") == preset_rules("traditional", players=7)


def test_an_invalid_target_is_reported_once_and_at_its_field():
    for text in ("9", "501", "-20", "1e2", "5 0", "many", "٣٠"):
        assert read(target=text).errors == {
            "target": "The game ends at a whole number of points from 10 to 500.",
        }
    assert rules_of(target=" 500 ").target == 500


def test_an_invalid_number_of_hands_is_reported_at_its_field():
    for text in ("0", "41", "-1", "1e1", "a"):
        assert read(hands=text).errors == {"hands": "The game ends after a whole number of hands from 1 to 40."}
    assert rules_of(hands=" 40 ").hands == 40
    assert rules_of(hands="").hands == 0


# seats and robots


def test_a_full_table_of_eleven_is_opened_confirmed_and_dealt(runtime, client):
    fields = filled(10, preset="cancellation", cancellation="pairs", length="round")
    assert client.post("/tables/new", data=fields).status_code == 303
    assert table_rules(table_row(runtime, 1)) == preset_rules("cancellation", players=11, cancellation="pairs", hands=2)
    people = seats(runtime, 1)
    assert [seat.state for seat in people] == [SeatState.HOST] + [SeatState.ROBOT] * 10
    assert [seat.name for seat in people] == ["Ann", *ROBOT_NAMES[:10]]
    assert client.post(runtime.signer.local_url(ConfirmLink(1))).status_code == 303
    leave(runtime)
    assert [letter.about for letter in letters(runtime, LetterKind.TURNS)] == ["pass"]


def test_an_error_about_a_guest_names_their_seat():
    errors = read(seat_1_kind="player", seat_1_name="", seat_1_address="bo").errors
    assert {name: words.partition(":")[0] for name, words in errors.items()} == {
        "seat_1_name": "Seat 2",
        "seat_1_address": "Seat 2",
    }


def test_a_robot_takes_a_seat_that_is_left_empty():
    kinds = {f"seat_{number}_kind": "player" for number in (1, 2, 3)}
    form = read(0, **kinds, seat_1_name="Bo", seat_1_address="bo@example.org", seat_2_name=" ")
    assert form.errors == {}
    assert [(seat.name in ROBOT_NAMES, seat.address) for seat in form.table.seats] == [
        (False, "bo@example.org"),
        (True, None),
        (True, None),
    ]


@pytest.mark.parametrize(
    ("given_field", "text", "lacking"), [("name", "Di", "address"), ("address", "di@example.org", "name")]
)
def test_a_half_filled_seat_is_not_a_robots(given_field, text, lacking):
    form = read(2, seat_3_kind="player", **{f"seat_3_{given_field}": text})
    assert (form.table, list(form.errors)) == (None, [f"seat_3_{lacking}"])


def test_the_last_seat_can_be_a_guests(runtime, client):
    guest = {"seat_10_kind": "player", "seat_10_name": "Bo", "seat_10_address": "bo@example.org"}
    assert client.post("/tables/new", data=filled(2, **guest)).status_code == 303
    assert [(seat.name, seat.state) for seat in seats(runtime, 1)][3] == ("Bo", SeatState.INVITED)


@pytest.mark.parametrize("host", ["Ann", *ROBOT_NAMES])
def test_ten_robots_have_names_that_are_unique_at_the_table(host):
    form = read(10, preset="cancellation", host_name=host.upper())
    assert form.errors == {}
    names = [host, *(seat.name for seat in form.table.seats)]
    assert len({name.casefold() for name in names}) == 11


def test_a_robot_gives_up_its_name_to_a_later_guest():
    guest = {"seat_9_kind": "player", "seat_9_name": "pip", "seat_9_address": "pip@example.org"}
    form = read(2, **guest)
    assert form.errors == {}
    assert [seat.name for seat in form.table.seats] == ["Clover", "Ruby", "pip"]


def test_a_robot_filling_a_seat_later_has_a_unique_name(runtime):
    table_id = open_table(runtime, ("Ann", "pip", "Cy", "CLOVER"))
    seating.refill(runtime, seat_link(runtime, table_id, 0), 2, None, runtime.now())
    assert [seat.name for seat in seats(runtime, table_id)] == ["Ann", "pip", "Ruby", "CLOVER"]


# the remembered choice


def test_a_remembered_length_that_is_gone_is_a_round():
    assert [blank_open_form({"length": length}).values["length"] for length in ("express", "50")] == ["round", "50"]


def test_a_hosts_last_choice_is_preselected_the_next_time(client):
    chosen = {"preset": "club", "target": "60", "play_time": "3600", "moon": "choice", "no_tricks_bonus": "-5"}
    chosen |= {"talk": "phrases", "vacation_days": "5", "length": "50", "live_time": "15"}
    guest = {"seat_3_kind": "player", "seat_3_name": "Bo", "seat_3_address": "bo@example.org"}
    assert client.post("/tables/new", data={**filled(2, **chosen, **guest), "robots": "steady"}).status_code == 303
    answer = client.get("/tables/new")
    page = BeautifulSoup(answer.data, "lxml")
    typed = {field["name"]: field["value"] for field in page.select("input[type=text], input[type=email], #target")}
    assert {name: text for name, text in typed.items() if text} == {
        "host_name": "Ann",
        "host_address": "ann@example.org",
    }
    assert page.select_one("input[name=when][checked]")["value"] == "mail"
    assert page.select_one("input[name=length][checked]")["value"] == "50"
    assert page.select_one("input[name=preset][checked]")["value"] == "club"
    selected = {tag.find_parent("select")["name"]: tag["value"] for tag in page.select("option[selected]")}
    assert {name: value for name, value in selected.items() if value} == {
        "time_zone": "Europe/Berlin",
        "pass_time": "86400",
        "play_time": "3600",
        "vacation_days": "5",
        "live_time": "15",
        "moon": "choice",
        "no_tricks_bonus": "-5",
        "robots": "steady",
        **{f"seat_{number}_kind": "player" if number < 4 else "none" for number in range(1, 11)},
        "talk": "phrases",
    }
    assert "bo@example.org" not in answer.text
    assert [tag["id"] for tag in page.select("details[open]")] == ["house-rules"]


def test_a_rejected_form_is_not_remembered(client):
    client.post("/tables/new", data=filled(target="7", host_address="eve@example.org"))
    assert "eve@example.org" not in client.get("/tables/new").text


def test_signing_out_forgets_the_last_choice(client):
    client.post("/tables/new", data=filled())
    assert "ann@example.org" in client.get("/tables/new").text
    client.post("/sign-out")
    assert "ann@example.org" not in client.get("/tables/new").text


def test_the_remembered_choice_fits_a_cookie_and_outlives_the_session(client):
    longest = {name: max((value for value, _ in option.effects), key=len) for name, option in by_name().items()}
    longest |= {"packs": "1", "opening": "any-club", "partnership": "false"}
    address = f"{'a' * 64}@{'b' * 60}.{'c' * 60}.{'d' * 50}.org"
    fields = filled(3, **longest, host_name="\U0001f0cf" * 40, host_address=address, target="500", preset="kitty")
    answer = client.post("/tables/new", data=fields)
    assert answer.status_code == 303
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert len(cookie.partition(";")[0]) < 4000
    assert "Expires=" in cookie
    assert "HttpOnly" in cookie


def by_name():
    return {option.name: option for group in options.option_groups() for option in group.options}


def test_only_known_fields_are_remembered_and_read_back():
    form = read(**{"seat_1_name": "Bo", "rubbish": "x" * 300, "moon": "smart"})
    kept = remembered_fields(form)
    assert kept.keys() <= set(REMEMBERED)
    assert kept["moon"] == "smart"
    again = blank_open_form({**kept, "rubbish": "x", "seat_1_kind": "robot"})
    assert "rubbish" not in again.values
    assert again.values["seat_1_kind"] == "player"


@pytest.mark.parametrize(("typed", "level"), [("", "strong"), ("rule", "rule"), ("steady", "steady")])
def test_the_host_chooses_how_well_the_robots_play(typed, level):
    assert read_open_form({**filled(), "robots": typed}, None).table.robots == level


def test_an_unknown_strength_of_robots_is_rejected():
    assert "how well" in read_open_form({**filled(), "robots": "cheating"}, None).errors["robots"]


# the people whom the host invites


def test_whoever_opens_the_link_gets_a_seat_left_empty(client, runtime):
    names = {"seat_2_kind": "player", "seat_2_name": "Bo", "seat_2_address": "bo@example.org"}
    assert client.post("/tables/new", data=filled(by="link", seat_1_kind="player", **names)).status_code == 303
    assert [(seat.state, seat.by_link) for seat in seats(runtime, 1)] == [
        (SeatState.HOST, False),
        (SeatState.OPEN, True),
        (SeatState.INVITED, False),
        (SeatState.ROBOT, False),
    ]


def test_an_unknown_way_to_reach_friends_is_rejected():
    assert "one link" in read(by="pigeon").errors["by"]


def test_the_hosts_words_are_kept_or_rejected_with_a_sentence():
    assert read(words=" Come and play! ").table.words == "Come and play!"
    assert read().table.words is None
    assert "Links" in read(words="see evil.com").errors["words"]
