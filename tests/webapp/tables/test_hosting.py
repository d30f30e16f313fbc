"""What a host changes at her table beside its chairs: pace, the clock, the end; what follows for the game and mails."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from threading import Barrier

import pytest

from hearts.game import Stage
from hearts.robot import Level
from hearts.rules import preset_rules
from tests.answers import question
from tests.cast import (
    NAMES,
    PACE,
    dump,
    letters,
    load,
    open_table,
    play_first,
    play_hand,
    seat_link,
    seats,
    start_game,
    table,
    turn_link,
)
from tests.webapp.tables.hosted import (
    ANN,
    BO,
    CY,
    DI,
    HOUR,
    composed,
    first_pass,
    host_of,
    offer,
    seat_of,
    table_of,
    waiting,
)
from webapp import service
from webapp.core.refusal import Refused
from webapp.core.tokens import AgainLink, PlayLink
from webapp.games import presence, talk
from webapp.games.due import Due
from webapp.models import (
    Frequency,
    GameState,
    LetterKind,
    LetterState,
    PlayerRow,
    TableState,
    Talk,
    Way,
)
from webapp.outbox.letters import QUESTIONS
from webapp.players import preferences
from webapp.site import make_site
from webapp.tables import again, hosting, seating
from webapp.tables.again import Stand
from webapp.tables.hosting import Manners
from worker import postman


@pytest.fixture
def game_id(parts) -> int:
    return start_game(parts)


# pace


def test_what_is_asked_now_keeps_the_longer_time(parts, game_id) -> None:
    host, due_at = host_of(parts, table_of(parts, game_id)), load(parts, game_id).row.due_at
    hosting.change_pace(parts, host, HOUR, HOUR, parts.now())
    assert load(parts, game_id).row.due_at == due_at
    hosting.change_pace(parts, host, 3 * PACE, HOUR, parts.now())
    assert load(parts, game_id).row.due_at == parts.now() + 3 * PACE == load(parts, game_id).row.wake_at
    for _ in range(4):
        play_first(parts, game_id)
    assert load(parts, game_id).row.due_at == parts.now() + HOUR


def test_reminders_follow_the_pace_and_nobody_is_asked_twice(parts, game_id) -> None:
    asked = len(letters(parts, LetterKind.PASS))
    hosting.change_pace(parts, host_of(parts, table_of(parts, game_id)), 3 * PACE, PACE, parts.now())
    reminders = [letter for letter in letters(parts, LetterKind.REMINDER) if letter.state is LetterState.OWED]
    assert [letter.seat for letter in reminders] == [ANN, ANN, BO, BO, CY, CY, DI, DI]
    assert {letter.next_at for letter in reminders[1::2]} == {parts.now() + 3 * PACE - timedelta(hours=3)}
    assert len(letters(parts, LetterKind.PASS)) == asked


# the clock


def test_while_the_clock_is_paused_nobody_is_reminded_or_played_for(parts, game_id) -> None:
    hosting.pause(parts, host_of(parts, table_of(parts, game_id)), paused=True, now=parts.now())
    assert (load(parts, game_id).row.due_at, load(parts, game_id).row.wake_at) == (None, None)
    assert waiting(parts, LetterKind.REMINDER) == []
    parts.now.pass_by(30 * PACE)
    assert service.claim_due(parts, parts.now()) == []
    assert service.play_for_absent(parts, game_id) == 0


def test_who_likes_plays_on_while_the_clock_is_paused_and_robots_do(parts) -> None:
    game_id = start_game(parts, NAMES[:3], robots=1)
    hosting.pause(parts, host_of(parts, table_of(parts, game_id)), paused=True, now=parts.now())
    assert service.claim_due(parts, parts.now()) == [game_id]
    assert service.play_for_absent(parts, game_id) == 1
    for _ in range(3):
        play_first(parts, game_id)
    assert load(parts, game_id).game.stage is Stage.PLAY
    assert load(parts, game_id).row.due_at is None


def test_when_the_clock_goes_on_all_have_their_whole_time_and_no_second_question(parts, game_id) -> None:
    host = host_of(parts, table_of(parts, game_id))
    postman.deliver(parts)
    hosting.pause(parts, host, paused=True, now=parts.now())
    parts.now.pass_by(5 * PACE)
    hosting.pause(parts, host, paused=False, now=parts.now())
    assert load(parts, game_id).row.due_at == load(parts, game_id).row.wake_at == parts.now() + PACE
    assert len([letter for letter in letters(parts) if letter.kind in QUESTIONS]) == 4
    assert set(waiting(parts, LetterKind.REMINDER)) == {ANN, BO, CY, DI}


def test_pausing_twice_is_once(parts, game_id) -> None:
    host = host_of(parts, table_of(parts, game_id))
    hosting.pause(parts, host, paused=True, now=parts.now())
    since = table(parts, host.table_id).paused_at
    parts.now.pass_by(HOUR)
    hosting.pause(parts, host, paused=True, now=parts.now())
    assert table(parts, host.table_id).paused_at == since


def test_a_robot_that_thought_while_the_clock_was_stopped_does_not_play_for_anybody(parts, game_id) -> None:
    parts.now.pass_by(PACE)
    turn = first_pass(load(parts, game_id), BO)
    hosting.pause(parts, host_of(parts, table_of(parts, game_id)), paused=True, now=parts.now())
    with pytest.raises(service.TurnOver):
        service.take_turn(parts, game_id, Due(1, "pass"), turn, Way.TIMEOUT, parts.now())


def test_there_is_no_clock_to_pause_without_a_game(parts) -> None:
    table_id = open_table(parts)
    with pytest.raises(Refused, match="No game is played"):
        hosting.pause(parts, host_of(parts, table_id), paused=True, now=parts.now())


def test_a_question_mailed_while_the_clock_is_paused_says_so(parts, game_id) -> None:
    hosting.pause(parts, host_of(parts, table_of(parts, game_id)), paused=True, now=parts.now())
    for words in composed(parts, question(parts, "Bo")).values():
        assert "The host has paused the clock on" in words
        assert "a robot plays for you" not in words


def test_a_digest_sent_while_the_clock_is_paused_tells_no_deadline(parts, game_id) -> None:
    bo = seat_of(parts, game_id, BO).player_id or 0
    with parts.database.reading() as rows:
        hers = preferences.wishes_of(rows.get_one(PlayerRow, bo))
    preferences.change_wishes(parts, bo, replace(hers, frequency=Frequency.BUNDLED), parts.now())
    hosting.pause(parts, host_of(parts, table_of(parts, game_id)), paused=True, now=parts.now())
    parts.now.pass_by(timedelta(minutes=2))
    postman.deliver(parts)
    (digest,) = letters(parts, LetterKind.DIGEST)
    assert digest.subject == "1 turn waits for you"
    assert "The host has paused the clock on" in " ".join(digest.message.replace("=\n", "").split())


# the end


@pytest.fixture
def second_hand(parts) -> int:
    """A game in its second hand."""
    game_id = start_game(parts)
    play_hand(parts, game_id)
    play_first(parts, game_id)
    return game_id


def end(parts, game_id: int) -> None:
    hosting.end_game(parts, host_of(parts, table_of(parts, game_id)), parts.now())


def test_a_game_that_was_ended_is_that_of_its_finished_hands_and_asks_nobody(parts, second_hand) -> None:
    before = load(parts, second_hand)
    end(parts, second_hand)
    stored = load(parts, second_hand)
    assert (stored.row.state, table(parts, stored.row.table_id).state) == (GameState.OVER, TableState.OVER)
    assert (stored.row.due_at, stored.row.wake_at, stored.row.ended_at) == (None, None, parts.now())
    assert (stored.game.stage, stored.game.to_act, stored.game.scores) == (Stage.DEAL, (), before.game.scores)
    assert [record.turn for record in stored.records] == before.finished_turns()
    assert service.play_for_absent(parts, second_hand) == 0


def test_everybody_but_the_host_is_told_once_how_it_stood(parts, second_hand) -> None:
    end(parts, second_hand)
    before = dump(parts)
    end(parts, second_hand)
    assert dump(parts)["letter"] == before["letter"]
    assert [letter.seat for letter in letters(parts, LetterKind.ENDED)] == [BO, CY, DI]
    scores = load(parts, second_hand).game.scores
    for words in composed(parts, letters(parts, LetterKind.ENDED)[0]).values():
        assert "Ann, who hosts" in words
        assert all(str(total) in words for total in scores[-1].totals)


def test_nothing_is_asked_by_mail_of_a_game_that_was_ended(parts, second_hand) -> None:
    end(parts, second_hand)
    postman.deliver(parts)
    asked = [letter for letter in letters(parts) if letter.kind in QUESTIONS and letter.hand == 2]
    assert {letter.state for letter in asked} == {LetterState.SUPERSEDED}
    assert waiting(parts, LetterKind.REMINDER) == []


def test_no_page_shows_a_card_of_the_hand_that_was_not_finished(parts, second_hand) -> None:
    stored = load(parts, second_hand)
    table_id, link = stored.row.table_id, turn_link(parts, second_hand, stored.game.to_act[0])
    seat = seat_link(parts, table_id, link.seat)
    end(parts, second_hand)
    browser = make_site(parts).test_client()
    shown = browser.get(parts.signer.local_url(seat))
    assert shown.status_code == 200
    assert "The host ended the game after 1 hand." in shown.text
    assert "Your cards" not in shown.text
    over = browser.get(parts.signer.local_url(link))
    assert (over.status_code, "The host has ended the game." in over.text) == (200, True)
    record = browser.get(f"{parts.signer.local_url(seat)}/record.json").json
    assert len(record["hands"]) == 1


def test_a_turn_of_a_game_that_was_ended_is_over(parts, second_hand) -> None:
    stored = load(parts, second_hand)
    seat = stored.game.to_act[0]
    end(parts, second_hand)
    with pytest.raises(service.TurnOver):
        service.take_turn(parts, second_hand, Due(2, "pass"), first_pass(stored, seat), Way.PAGE, parts.now())


@pytest.mark.parametrize("round_", range(3))
def test_a_turn_against_the_end_is_one_or_the_other(either_parts, round_) -> None:
    parts = either_parts
    game_id = start_game(parts, NAMES[:3], robots=1)
    host, turn = host_of(parts, table_of(parts, game_id)), first_pass(load(parts, game_id), BO)
    barrier = Barrier(2)

    def play() -> bool:
        barrier.wait()
        try:
            service.take_turn(parts, game_id, Due(1, "pass"), turn, Way.PAGE, parts.now())
        except service.TurnOver:
            return False
        return True

    def stop() -> None:
        barrier.wait()
        hosting.end_game(parts, host, parts.now())

    with ThreadPoolExecutor(2) as pool:
        played, stopped = pool.submit(play), pool.submit(stop)
    stopped.result()
    stored = load(parts, game_id)
    assert (stored.row.turns, stored.row.state) == (1 + played.result(), GameState.OVER)
    assert stored.row.wake_at is None
    assert not set(waiting(parts, LetterKind.PASS))


@pytest.mark.parametrize("round_", range(2))
def test_the_last_card_against_the_end_ends_the_game_once(either_parts, round_) -> None:
    parts = either_parts
    game_id = start_game(parts, rules=preset_rules("classic", target=10))
    while len((stored := load(parts, game_id)).game.won) < 11:
        play_first(parts, game_id)
    host, barrier = host_of(parts, stored.row.table_id), Barrier(2)

    def play() -> None:
        barrier.wait()
        while load(parts, game_id).row.state is GameState.PLAYING:
            try:
                play_first(parts, game_id)
            except (service.TurnOver, IndexError):
                return

    def stop() -> None:
        barrier.wait()
        hosting.end_game(parts, host, parts.now())

    with ThreadPoolExecutor(2) as pool:
        done = [pool.submit(play), pool.submit(stop)]
    assert [one.result() for one in done] == [None, None]
    ended, final = letters(parts, LetterKind.ENDED), letters(parts, LetterKind.FINAL_SHEET)
    assert (len(ended), len(final)) in ((3, 0), (0, 4))


def test_another_game_can_be_played_after_the_end(parts, second_hand) -> None:
    table_id = table_of(parts, second_hand)
    offer(parts, second_hand, CY)
    hosting.pause(parts, host_of(parts, table_id), paused=True, now=parts.now())
    end(parts, second_hand)
    assert seats(parts, table_id)[CY].offered_to is None
    links = [AgainLink(table_id, seat.seat, seat.player_id or 0, 1) for seat in seats(parts, table_id)]
    with parts.database.reading() as rows:
        assert again.standing(rows, links[BO]).stand is Stand.OPEN
    for link in links:
        again.agree(parts, link, parts.now())
    with parts.database.reading() as rows:
        newest = seating.current_game(rows, table_id)
    assert (newest.number, newest.state) == (2, GameState.PLAYING)
    assert newest.due_at == parts.now() + PACE, "the pause is over with the game"


def test_host_players_and_clock_at_once_do_not_stand_in_each_others_way(either_parts) -> None:
    parts = either_parts
    game_id = start_game(parts, rules=preset_rules("classic", target=10))
    table_id = table_of(parts, game_id)
    host, di = host_of(parts, table_id), seats(parts, table_id)[DI].player_id or 0
    says = PlayLink(table_id, DI, di)
    barrier = Barrier(5)

    def often(act) -> None:
        barrier.wait()
        for number in range(12):
            with suppress(service.TurnOver, Refused, talk.TooMuch):
                act(number)

    acts = (
        lambda number: play_first(parts, game_id),
        lambda number: hosting.pause(parts, host, paused=number % 2 == 0, now=parts.now()),
        lambda number: preferences.set_away(parts, table_id, DI, away=number % 2 == 0, now=parts.now()),
        lambda number: presence.note_here(parts, table_id, DI, di, parts.now(), here=number % 2 == 0),
        lambda number: talk.say(parts, says, f"Hello {number}", parts.now()),
    )
    with ThreadPoolExecutor(len(acts)) as pool:
        done = [pool.submit(often, act) for act in acts]
    assert [one.result() for one in done] == [None] * len(acts)
    assert load(parts, game_id).row.turns > 1


# how it is played


def test_talk_suggestions_and_robots_are_changed_together(parts, game_id) -> None:
    host = host_of(parts, table_of(parts, game_id))
    hosting.change_manners(parts, host, Manners(Talk.PHRASES, True, Level.STEADY), parts.now())
    changed = table(parts, host.table_id)
    assert (changed.talk, changed.suggestions, changed.robots) == (Talk.PHRASES, True, Level.STEADY)
