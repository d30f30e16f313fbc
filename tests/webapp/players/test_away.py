"""Being away, and coming back: three people never wait for one, and one tap brings her back."""

from datetime import timedelta

import pytest

from hearts.game import Stage
from tests.cast import NAMES, PACE, letters, load, miss_deadline, seat_link, seats, start_game, turn_link
from tests.webapp.test_service import QUICK, codes, pass_all, pass_lowest, play_first, records
from webapp import service
from webapp.models import LetterKind, LetterState, Way
from webapp.players import preferences
from webapp.site import make_site

DI = 3
QUESTIONS = {LetterKind.PASS, LetterKind.TURN, LetterKind.MOON, LetterKind.REMINDER}


def go_away(parts, game_id, seat=DI, *, away=True):
    preferences.set_away(parts, load(parts, game_id).row.table_id, seat, away=away, now=parts.now())


def seat_of(parts, game_id, seat=DI):
    return load(parts, game_id).seats[seat]


def asked(parts, seat):
    """What still asks the player of the seat."""
    waiting = {LetterState.OWED, LetterState.HELD}
    return [one for one in letters(parts) if one.seat == seat and one.kind in QUESTIONS and one.state in waiting]


def test_a_robot_plays_at_once_for_whoever_is_away_and_nobody_waits(parts):
    game_id = start_game(parts)
    begun = parts.now()
    go_away(parts, game_id)
    while load(parts, game_id).game.hand == 1:
        stored = load(parts, game_id)
        if DI in stored.game.to_act:
            assert stored.row.wake_at == parts.now(), "the robot is wanted now"
            assert service.play_for_absent(parts, game_id) >= 1
        elif stored.game.stage is Stage.PASS:
            pass_lowest(parts, game_id, stored.game.to_act[0])
        else:
            play_first(parts, game_id)
    assert parts.now() == begun
    ways = {row.way for row in records(parts, game_id) if row.turn.get("seat") == DI}
    assert Way.ORDER in ways
    assert not ways & {Way.PAGE, Way.TIMEOUT, Way.ROBOT}
    kinds = {letter.kind for letter in letters(parts) if letter.seat == DI and letter.hand and letter.about != "pass"}
    assert kinds == {LetterKind.SCORE_SHEET}, "no questions, no news of each card, but the sheet"


def test_a_game_of_robots_and_people_who_are_away_ends_by_itself(parts):
    game_id = start_game(parts, NAMES[:2], robots=2, rules=QUICK)
    go_away(parts, game_id, 0)
    go_away(parts, game_id, 1)
    assert load(parts, game_id).row.wake_at == parts.now()
    service.play_for_absent(parts, game_id)
    assert load(parts, game_id).game.stage is Stage.OVER


def test_after_three_deadlines_missed_in_a_row_nobody_waits_any_more_and_the_mail_says_so(parts):
    game_id = start_game(parts)
    for missed in (1, 2, 3):
        while DI not in load(parts, game_id).game.to_act:
            play_first(parts, game_id)
        pass_all(parts, game_id, range(3)) if missed == 1 else None
        assert not seat_of(parts, game_id).away
        miss_deadline(parts, game_id)
        assert seat_of(parts, game_id).missed == missed
    assert seat_of(parts, game_id).away
    assert len([one for one in letters(parts, LetterKind.PLAYED_FOR_YOU) if one.seat == DI]) == 3


def test_where_nobody_would_have_to_wait_missed_deadlines_make_nobody_away(parts):
    """Three robots and a weekend without mails: the game must not be over on Monday."""
    game_id = start_game(parts, NAMES[:1], robots=3)
    service.play_for_absent(parts, game_id)
    for _ in range(5):
        assert miss_deadline(parts, game_id) >= 1
    assert (seat_of(parts, game_id, 0).missed, seat_of(parts, game_id, 0).away) == (5, False)
    assert load(parts, game_id).game.hand <= 2, "five turns, of which the last may have settled the hand"


def test_a_turn_of_her_own_begins_the_count_again(parts):
    game_id = start_game(parts)
    miss_deadline(parts, game_id)
    assert [row.missed for row in load(parts, game_id).seats] == [1, 1, 1, 1]
    (seat,) = load(parts, game_id).game.to_act
    play_first(parts, game_id)
    row = seat_of(parts, game_id, seat)
    assert (row.missed, row.away) == (0, False)


def test_whoever_comes_back_is_asked_and_has_her_whole_time(parts):
    game_id = start_game(parts)
    pass_all(parts, game_id, range(3))
    go_away(parts, game_id)
    parts.now.pass_by(timedelta(hours=5))
    go_away(parts, game_id, away=False)
    row = load(parts, game_id).row
    assert row.due_at == row.wake_at == parts.now() + PACE
    assert [one.kind for one in asked(parts, DI)].count(LetterKind.PASS) == 1
    assert service.play_for_absent(parts, game_id) == 0


def test_whoever_was_away_when_it_was_asked_gets_the_mail_when_she_is_back(parts):
    game_id = start_game(parts)
    pass_all(parts, game_id, range(3))
    go_away(parts, game_id)
    service.play_for_absent(parts, game_id)
    while DI not in load(parts, game_id).game.to_act:
        play_first(parts, game_id)
    assert not [one for one in letters(parts, LetterKind.TURN) if one.seat == DI]
    for _ in range(2):
        go_away(parts, game_id, away=False)
    assert len([one for one in letters(parts, LetterKind.TURN) if one.seat == DI]) == 1, "twice is once"


def test_nobody_gets_more_time_by_saying_that_she_is_back_who_never_was_away(parts):
    game_id = start_game(parts)
    due_at = load(parts, game_id).row.due_at
    parts.now.pass_by(timedelta(hours=5))
    go_away(parts, game_id, away=False)
    preferences.set_mails(parts, load(parts, game_id).row.table_id, DI, mails=False, now=parts.now())
    preferences.set_mails(parts, load(parts, game_id).row.table_id, DI, mails=True, now=parts.now())
    assert load(parts, game_id).row.due_at == due_at


def test_going_away_twice_is_going_once(parts):
    game_id = start_game(parts)
    for _ in range(2):
        go_away(parts, game_id)
    assert seat_of(parts, game_id).away
    assert service.play_for_absent(parts, game_id) == 1


@pytest.mark.parametrize("button", ["turn", "seat"])
def test_one_tap_on_an_old_page_brings_her_back(parts, client, button):
    game_id = start_game(parts)
    table_id = load(parts, game_id).row.table_id
    urls = {"turn": turn_link(parts, game_id, DI), "seat": seat_link(parts, table_id, DI)}
    url = parts.signer.local_url(urls[button])
    go_away(parts, game_id)
    service.play_for_absent(parts, game_id)
    page = client.get(url).text
    assert "You are away" in page
    assert f'action="{url}/back"' in page
    assert seat_of(parts, game_id).away, "looking brings nobody back"
    assert client.post(f"{url}/back").status_code == 303
    assert not seat_of(parts, game_id).away
    assert "You are away" not in client.get(url).text


def test_a_card_that_came_too_late_still_brings_her_back(parts, client):
    game_id = start_game(parts)
    url = parts.signer.local_url(turn_link(parts, game_id, DI))
    held = codes(list(load(parts, game_id).game.held[DI])[:3])
    go_away(parts, game_id)
    service.play_for_absent(parts, game_id)
    mine = [row.turn for row in records(parts, game_id) if row.turn.get("seat") == DI]
    response = client.post(url, data={"card": held})
    assert response.status_code in (303, 409), mine
    assert not seat_of(parts, game_id).away


def test_everybody_sees_who_is_away(parts):
    game_id = start_game(parts)
    url = parts.signer.local_url(seat_link(parts, load(parts, game_id).row.table_id, 0))
    site = make_site(parts).test_client()
    assert "away, a robot plays" not in site.get(url).text
    go_away(parts, game_id)
    assert "away, a robot plays" in site.get(url).text
    assert "/back" not in site.get(url).text, "she alone can come back"


def test_eve_brings_nobody_back(parts, client):
    game_id = start_game(parts)
    go_away(parts, game_id)
    token = parts.signer.token(seat_link(parts, load(parts, game_id).row.table_id, 0))
    assert client.post(f"/turn/{token}/back").status_code == 403
    assert client.post(f"/seat/{token}x/back").status_code == 403
    assert client.post(f"/seat/{token}/back").status_code == 303, "Ann's link is for Ann"
    assert seat_of(parts, game_id).away
    assert [row.away for row in seats(parts, load(parts, game_id).row.table_id)] == [False, False, False, True]
