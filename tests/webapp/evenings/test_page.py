"""The page of an evening together: what GET shows, what its buttons do, and whom a link lets in."""

import re
from datetime import timedelta

import pytest

from tests.answers import player
from tests.cast import dump, letters, play_link, seat_link, start_game
from tests.submitting import check_refused, soup, words
from tests.together import ANN, BO, CY, DI, HOUR, MINUTE, agree, come_together, is_live, link_of, newest, propose, vote
from tests.webapp.tables.hosted import composed, end_game, table_of
from webapp.evenings.meeting import DOORS_OPEN
from webapp.models import EveningState, LetterKind, LetterRow, PlayerRow


def path_of(runtime, game_id, seat):
    """The address of the page in the mails to the player of `seat`."""
    return runtime.signer.local_url(link_of(runtime, game_id, seat))


def from_table(runtime, game_id, seat):
    """The address of the same page on the table page, which others may have seen."""
    return runtime.signer.local_url(seat_link(runtime, table_of(runtime, game_id), seat)) + "/evening"


def play_page(runtime, game_id, seat):
    return runtime.signer.local_url(play_link(runtime, game_id, seat))


def move(runtime, name, zone):
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, player(runtime, name).id).time_zone = zone


def sent(hour):
    return f"{hour:%Y-%m-%dT%H:%MZ}"


def ticked(response):
    return [box["value"] for box in soup(response).select("input[name=hour][checked]")]


def letter_to(runtime, kind, seat) -> LetterRow:
    return next(letter for letter in letters(runtime, kind) if letter.seat == seat)


def test_a_link_to_an_hour_ticks_it_and_changes_nothing(runtime, game_id, client):
    _, hour, _ = propose(runtime, game_id)
    mail = composed(runtime, letter_to(runtime, LetterKind.EVENING_ASKED, BO))
    (link,) = set(re.findall(rf"/evening/[\w.-]+\?hour={sent(hour)}", mail["plain"] + mail["html"]))
    before = dump(runtime)
    for _ in range(2):
        assert ticked(client.get(link)) == [sent(hour)]
    assert client.head(link).status_code == 200
    assert dump(runtime) == before


def test_hours_are_proposed_and_voted_on_by_forms(runtime, game_id, client):
    anns, bos = path_of(runtime, game_id, ANN), path_of(runtime, game_id, BO)
    move(runtime, "Ann", "Europe/Berlin")
    offered = [box["value"] for box in soup(client.get(anns)).select("input[name=hour]")]
    typed = {"day": "2026-03-05", "time": "21:30", "pace": "15"}
    assert client.post(anns, data={"want": "propose", "hour": offered[:2], **typed}).status_code == 303
    evening = newest(runtime, game_id)
    assert [hour[11:16] for hour in evening.hours] == ["19:00", "19:00", "20:30"], "in UTC"
    assert evening.pace_seconds == 15
    number = soup(client.get(bos)).select_one("input[name=evening]")["value"]
    answer = {"want": "vote", "evening": number, "hour": offered[1]}
    assert "Saved." in words(client.post(bos, data=answer, follow_redirects=True))
    assert ticked(client.get(bos)) == [offered[1]]
    assert "Bo can." in words(client.get(anns))
    assert client.post(bos, data={"want": "vote", "evening": number}).status_code == 303
    assert ticked(client.get(bos)) == []


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Choose an hour that suits you"),
        ({"day": "2026-03-03"}, "both a day and an hour"),
        ({"time": "20:00"}, "both a day and an hour"),
        ({"day": "2026-13-40", "time": "x"}, "both a day and an hour"),
        ({"day": "2026-03-02", "time": "12:10"}, "not within the next hour"),
        ({"day": "2026-06-01", "time": "20:00"}, "within the next 14 days"),
        ({"hour": "2026-03-01T20:00Z"}, "too close"),
        ({"hour": [f"2026-03-04T{hour}:00Z" for hour in range(10, 18)]}, "at most 6 hours"),
        ({"hour": "tomorrow; DROP TABLE"}, "Choose an hour that suits you"),
        ({"hour": "2026-03-04T20:00Z", "pace": "86400"}, "from the list"),
    ],
)
def test_an_invalid_proposal_is_rejected_with_a_sentence(runtime, game_id, client, fields, sentence):
    path, before = path_of(runtime, game_id, ANN), dump(runtime)
    response = client.post(path, data={"want": "propose", "pace": "60", **fields})
    check_refused(runtime, before, response, 400, sentence)


@pytest.mark.parametrize(("fields", "status"), [({"want": "vote", "evening": "99"}, 409), ({"want": "x"}, 400)])
def test_a_form_of_another_vote_changes_nothing(runtime, game_id, client, fields, status):
    propose(runtime, game_id)
    path, before = path_of(runtime, game_id, BO), dump(runtime)
    response = client.post(path, data=fields)
    assert response.status_code == status
    assert dump(runtime) == before


def test_an_answer_after_the_game_is_refused(runtime, game_id, client):
    hour, *_ = propose(runtime, game_id)
    number, path = newest(runtime, game_id).id, path_of(runtime, game_id, BO)
    end_game(runtime, table_of(runtime, game_id))
    before = dump(runtime)
    fields = {"want": "vote", "evening": str(number), "hour": sent(hour)}
    check_refused(runtime, before, client.post(path, data=fields), 409, "No game is played")
    assert "No evening together is planned" in words(client.get(path))


def test_everybody_reads_the_hour_in_their_own_zone(runtime, game_id, client):
    move(runtime, "Bo", "Asia/Tokyo")
    move(runtime, "Cy", "America/New_York")
    hour = agree(runtime, game_id)
    shown = {BO: "Wed 4 March, 05:00", CY: "Tue 3 March, 15:00", DI: "Tue 3 March, 20:00"}
    for seat, text in shown.items():
        mail = composed(runtime, letter_to(runtime, LetterKind.EVENING_AGREED, seat))
        assert text in mail["plain"]
        assert text in mail["html"]
    runtime.now.at = hour - 2 * HOUR
    for path in (play_page(runtime, game_id, DI), from_table(runtime, game_id, DI)):
        assert "Tonight, 20:00: together at the table" in words(client.get(path))
    assert "Today, 15:00: together at the table" in words(client.get(play_page(runtime, game_id, CY)))
    assert "Today, 05:00: together at the table" in words(client.get(play_page(runtime, game_id, BO)))


def test_only_the_mailed_link_opens_the_door_around_the_hour(runtime, game_id, client):
    hour = agree(runtime, game_id)
    mailed, seen = path_of(runtime, game_id, BO), from_table(runtime, game_id, BO)
    for at, is_open in ((hour - DOORS_OPEN - MINUTE, False), (hour - DOORS_OPEN, True), (hour, True)):
        runtime.now.at = at
        assert ("Come to the table" in words(client.get(mailed))) == is_open
        assert client.post(mailed, data={"want": "enter"}).location.startswith("/play/" if is_open else mailed)
        assert "Come to the table" not in words(client.get(seen))
        assert client.post(seen, data={"want": "enter"}).location == seen
    assert client.get(client.post(mailed, data={"want": "enter"}).location).status_code == 200


def test_a_tap_on_the_games_page_ends_a_live_evening(runtime, game_id, client):
    come_together(runtime, game_id)
    bos = play_page(runtime, game_id, BO)
    shown = soup(client.get(bos))
    assert "You play live: 1 minute for each card" in shown.get_text()
    form = shown.select_one("form[action*='/live']")
    response = client.post(form["action"], data={form.button["name"]: form.button["value"]})
    assert response.location.startswith(bos)
    assert not is_live(runtime, game_id)
    assert newest(runtime, game_id).state is EveningState.OVER
    assert "The evening together is over" in words(client.get(bos))


def test_pages_that_follow_the_game_hear_of_an_evening(runtime, game_id, client):
    path = f"{play_page(runtime, game_id, DI)}/now"
    versions = [client.get(path).json["version"]]
    hour, *_ = propose(runtime, game_id)
    versions.append(client.get(path).json["version"])
    for seat in (BO, CY, DI):
        vote(runtime, game_id, seat, hour)
        versions.append(client.get(path).json["version"])
    assert len(set(versions)) == len(versions)


def test_the_page_tells_an_evenings_outcome_for_half_a_day(runtime, game_id, client):
    agree(runtime, game_id)
    path = path_of(runtime, game_id, CY)
    fields = {"want": "cancel", "evening": str(newest(runtime, game_id).id)}
    assert client.post(path, data=fields).status_code == 303
    game_page = play_page(runtime, game_id, BO)
    assert "Cy has called off the evening together." in words(client.get(game_page))
    runtime.now.pass_by(timedelta(hours=11))
    assert "called off" in words(client.get(play_page(runtime, game_id, BO)))
    runtime.now.pass_by(timedelta(hours=2))
    text = words(client.get(runtime.signer.local_url(play_link(runtime, game_id, BO))))
    assert "called off" not in text
    assert "Propose an evening together" in text


def test_a_player_with_robots_alone_is_offered_no_evening(runtime, client):
    game_id = start_game(runtime, ("Ann",), robots=3)
    assert "Propose an evening" not in words(client.get(play_page(runtime, game_id, ANN)))
    assert "No evening together is planned" in words(client.get(path_of(runtime, game_id, ANN)))
