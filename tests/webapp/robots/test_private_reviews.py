"""Private reviews: what a turn cost is told to its player alone, if the table allows advice, on pages and by mail."""

import re
from dataclasses import replace

import pytest

from hearts.game import Stage
from hearts.review import Opinion, alternative_text
from hearts.rules import preset_rules
from hearts.seats import every_seat
from hearts.turns import Deal, Play
from hearts.words import Sentence
from tests.cast import letters, seat_link, seats, start_game
from tests.table import Table
from tests.webapp.tables.hosted import ANN, BO, CY, composed, take_at_once
from webapp.core.tokens import ReliveLink
from webapp.games.record.finished import finished_hand
from webapp.games.record.links import relive_link
from webapp.models import LetterKind, ReviewRow, SeatRow, TurnSource
from webapp.robots.reviews import reviews_for

LATE_STEPS = range(30, 56)  # those of the opinions, which are on the last choices, and all that name one of them
BLAME = re.compile(r"cost about|too dear|robot would have|robot's opinion|Its advice|only you", re.IGNORECASE)


def review_with_an_opinion_on_each_seat(table: Table) -> dict[int, str]:
    """A review of hand 1 that finds fault with the last choice of each seat. Returns its reason, by seat."""
    hand = finished_hand(table.stored, 1)
    turns = {record.turn.seat: number for number, record in enumerate(hand.records, 1) if is_chosen(record)}
    reasons = {seat: f"Reason for seat {seat}." for seat in every_seat(4)}
    opinions = []
    for seat, number in turns.items():
        turn = hand.records[number - 1].turn
        better = "2C" if alternative_text(turn) != "2C" else "3C"
        opinions.append(
            Opinion(
                number,
                hand.games[number - 2].trick,
                seat,
                alternative_text(turn),
                better,
                25,
                5,
                20,
                Sentence(reasons[seat]),
            )
        )
    assert len(opinions) == 4
    with table.runtime.database.writing() as session:
        session.add(ReviewRow(game_id=table.game_id, hand=1, opinions=tuple(opinions)))
    return reasons


def is_chosen(record) -> bool:
    return isinstance(record.turn, Play) and record.source is TurnSource.PAGE


@pytest.fixture
def reviewed(runtime) -> Table:
    """A game whose first hand the robot has reviewed; its table allows advice."""
    table = start_game(runtime)
    table.play_hand()
    table.allow_advice()
    review_with_an_opinion_on_each_seat(table)
    return table


def shown_to(table: Table, client, seat: int) -> dict[str, str]:
    """By name, the pages and mails that say something about the choices to the player of a seat."""
    stored = table.stored
    shown = {
        "table": client.get(table.runtime.signer.local_url(seat_link(table.runtime, stored.row.table_id, seat))).text
    }
    link = table.runtime.signer.local_url(relive_link(stored.seats[seat], table.game_id, 1))
    for step in (1, *LATE_STEPS):
        shown[f"relive {step}"] = client.get(f"{link}?step={step}").text
    for letter in letters(table.runtime, LetterKind.SCORE_SHEET):
        if letter.seat == seat:
            shown |= {f"mail, {part}": text for part, text in composed(table.runtime, letter).items()}
    return shown


def test_each_player_is_told_of_their_own_turn_only(runtime, reviewed, client):
    for seat in every_seat(4):
        shown = shown_to(reviewed, client, seat)
        own = [name for name, page in shown.items() if f"Reason for seat {seat}." in page]
        assert len(own) == 1, "at the step of the turn"
        for name in ("table", "mail, plain", "mail, html"):
            assert len(re.findall("Your .{2,40} cost about 20 points", shown[name])) == 1, name
        for other in set(every_seat(4)) - {seat}:
            assert not [name for name, page in shown.items() if f"Reason for seat {other}." in page]
        assert all(page.count("too dear") <= 1 for page in shown.values())


def test_a_table_that_allows_no_advice_tells_nobody(runtime, reviewed, client):
    reviewed.allow_advice(allowed=False)
    for seat in every_seat(4):
        for name, page in shown_to(reviewed, client, seat).items():
            assert not BLAME.search(page), name
        link = relive_link(reviewed.stored.seats[seat], reviewed.game_id, 1)
        assert client.post(runtime.signer.local_url(link)).status_code == 403


def test_a_nameless_link_shows_the_hand_and_no_opinion(runtime, reviewed, client):
    link = runtime.signer.local_url(ReliveLink(reviewed.game_id, 1))
    for step in (1, *LATE_STEPS):
        found = client.get(f"{link}?step={step}")
        assert found.status_code == 200
        assert not BLAME.search(found.text)
    assert client.post(link).status_code == 403


def test_a_revoked_link_still_shows_the_hand_and_no_opinion(runtime, reviewed, client):
    stored = reviewed.stored
    link = relive_link(stored.seats[BO], reviewed.game_id, 1)
    with runtime.database.writing() as session:
        session.get_one(SeatRow, (stored.row.table_id, BO)).links += 1
    for old in (link, replace(link, seat=CY), replace(link, player_id=99)):
        found = client.get(runtime.signer.local_url(old))
        assert found.status_code == 200
        assert not BLAME.search(found.text)


def test_a_newcomer_is_not_told_of_the_turns_before_them(runtime):
    """Eve takes Bo's seat in the middle of the hand."""
    table = start_game(runtime)
    while table.game.stage is Stage.PASS:
        table.play_first()
    take_at_once(table)
    table.allow_advice()
    table.play_hand()
    stored = table.stored
    turns = [record.turn for record in finished_hand(stored, 1).records]
    own = [number for number, turn in enumerate(turns, 1) if not isinstance(turn, Deal) and turn.seat == BO]
    made = [Opinion(number, 1, BO, "2C", "3C", 25, 5, 20, Sentence("Duck.")) for number in own]
    with runtime.database.writing() as session:
        session.add(ReviewRow(game_id=table.game_id, hand=1, opinions=made))
    with runtime.database.reading() as session:
        found = reviews_for(session, stored, BO, seats(runtime, stored.row.table_id)[BO].player_id)
    told = [opinion.turn for opinion in found[1]]
    assert own[0] not in told, "that was Bo's pass"
    assert told


def test_nobody_is_blamed_for_what_the_robot_chose(runtime):
    table = start_game(runtime, rules=preset_rules("classic", passing="none"))
    table.allow_advice()
    table.miss_deadline()
    table.play_hand()
    stored = table.stored
    chosen = {number for number, record in enumerate(stored.records, 1) if record.source is TurnSource.PAGE}
    late = [number for number, record in enumerate(stored.records, 1) if record.source is TurnSource.TIMEOUT]
    seat = stored.records[late[0] - 1].turn.seat
    own = [number for number, record in enumerate(stored.records, 1) if getattr(record.turn, "seat", None) == seat]
    made = [Opinion(number, 1, seat, "2C", "3C", 25, 5, 20, Sentence("Duck.")) for number in own if number < 54]
    with runtime.database.writing() as session:
        session.add(ReviewRow(game_id=table.game_id, hand=1, opinions=made))
    with runtime.database.reading() as session:
        found = reviews_for(session, stored, seat, stored.seats[seat].player_id)
    told = {opinion.turn for opinion in found[1]}
    assert late[0] not in told
    assert told
    assert told <= chosen


def test_another_players_number_reads_nothing(runtime, reviewed):
    stored = reviewed.stored
    with runtime.database.reading() as session:
        assert reviews_for(session, stored, ANN, stored.seats[BO].player_id) == {}
        assert reviews_for(session, stored, ANN, stored.seats[ANN].player_id) != {}
