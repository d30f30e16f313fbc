"""The table settings other than seats: pace, the clock, the end; and the consequences for the game and its mails."""

from contextlib import suppress
from functools import partial

import pytest

from hearts.game import Stage
from hearts.robot import Level
from hearts.rules import preset_rules
from tests.answers import question
from tests.cast import NAMES, PACE, dump, letters, open_table, seat_link, seats, start_game, table_row
from tests.races import at_once, none_fails
from tests.sites import site_of
from tests.table import Table
from tests.webapp.going_away import set_away
from tests.webapp.tables.hosted import (
    ANN,
    BO,
    CY,
    DI,
    HOUR,
    agree,
    change_pace,
    composed,
    end_game,
    first_pass,
    host_of,
    offer,
    seats_mailed,
)
from webapp.core.say import Refused
from webapp.core.tokens import AgainLink, PlayLink
from webapp.games import talk
from webapp.games.asked.due import Due
from webapp.games.clock import arriving
from webapp.models import (
    GameState,
    LetterKind,
    TableState,
    Talk,
    TurnSource,
)
from webapp.play import due_games, taking
from webapp.tables import again, hosting, seating
from webapp.tables.again import AnotherGameState
from webapp.tables.hosting import Pace, TableOptions
from worker import postman

# pace


def test_a_pending_question_keeps_the_longer_of_two_deadlines(runtime, table) -> None:
    table_id, due_at = table.table_id, table.due_at
    change_pace(runtime, table_id, Pace(HOUR, HOUR))
    assert table.due_at == due_at
    change_pace(runtime, table_id, Pace(3 * PACE, HOUR))
    assert table.due_at == runtime.now() + 3 * PACE
    for _ in range(4):
        table.play_first()
    assert table.due_at == runtime.now() + HOUR


def test_with_a_new_pace_nobody_is_asked_twice(runtime, table) -> None:
    postman.deliver(runtime)
    asked = len(letters(runtime, LetterKind.TURNS))
    change_pace(runtime, table.table_id, Pace(3 * PACE, PACE))
    runtime.now.pass_by(PACE / 4)
    assert len(letters(runtime, LetterKind.TURNS)) == asked


# the clock


def test_a_paused_clock_reminds_and_plays_for_nobody(runtime, table) -> None:
    hosting.pause(runtime, host_of(runtime, table.table_id), paused=True, now=runtime.now())
    assert (table.due_at, table.row.wake_at) == (None, None)
    runtime.now.pass_by(30 * PACE)
    assert due_games.claim_due(runtime, runtime.now()) == []
    assert table.play_for_absent() == 0


def test_players_and_robots_may_play_on_while_paused(runtime) -> None:
    table = start_game(runtime, NAMES[:3], robots=1)
    hosting.pause(runtime, host_of(runtime, table.table_id), paused=True, now=runtime.now())
    assert due_games.claim_due(runtime, runtime.now()) == [table.game_id]
    assert table.play_for_absent() == 1
    for _ in range(3):
        table.play_first()
    assert table.game.stage is Stage.PLAY
    assert table.due_at is None


def test_a_resumed_clock_gives_full_deadlines_without_second_questions(runtime, table) -> None:
    host = host_of(runtime, table.table_id)
    postman.deliver(runtime)
    hosting.pause(runtime, host, paused=True, now=runtime.now())
    runtime.now.pass_by(5 * PACE)
    hosting.pause(runtime, host, paused=False, now=runtime.now())
    assert table.due_at == runtime.now() + PACE


def test_pausing_twice_is_the_same_as_once(runtime, table) -> None:
    host = host_of(runtime, table.table_id)
    hosting.pause(runtime, host, paused=True, now=runtime.now())
    since = table_row(runtime, host.table_id).pause
    runtime.now.pass_by(HOUR)
    hosting.pause(runtime, host, paused=True, now=runtime.now())
    assert table_row(runtime, host.table_id).pause == since


def test_a_robot_thinking_as_the_clock_stops_plays_for_nobody(runtime, table) -> None:
    runtime.now.pass_by(PACE)
    turn = first_pass(table.stored, BO)
    hosting.pause(runtime, host_of(runtime, table.table_id), paused=True, now=runtime.now())
    with pytest.raises(taking.TurnOver):
        taking.take_turn(runtime, table.game_id, Due(1, "pass"), turn, TurnSource.TIMEOUT, runtime.now())


def test_a_table_without_a_game_has_no_clock_to_pause(runtime) -> None:
    table_id = open_table(runtime)
    with pytest.raises(Refused, match="No game is played"):
        hosting.pause(runtime, host_of(runtime, table_id), paused=True, now=runtime.now())


def test_a_question_mailed_while_paused_mentions_the_pause(runtime, table) -> None:
    hosting.pause(runtime, host_of(runtime, table.table_id), paused=True, now=runtime.now())
    for words in composed(runtime, question(runtime, "Bo")).values():
        assert "The clock has been paused since" in words
        assert "a robot plays for you" not in words


# the end


@pytest.fixture
def second_hand(runtime) -> Table:
    """A game in its second hand."""
    table = start_game(runtime)
    table.play_hand()
    table.play_first()
    return table


def end(table: Table) -> None:
    end_game(table.runtime, table.table_id)


def last_yes(table: Table, *before: int):
    """The act that ends the game: Cy agrees to the host's proposal, as the players of `before` have."""
    table_id = table.table_id
    hosting.end_game(table.runtime, host_of(table.runtime, table_id), table.runtime.now())
    (proposal,) = table_row(table.runtime, table_id).proposals
    for seat in before:
        agree(table.runtime, table_id, proposal, seat)
    return partial(agree, table.runtime, table_id, proposal, CY)


def test_an_ended_game_keeps_its_finished_hands_and_asks_nobody(runtime, second_hand) -> None:
    before = second_hand.stored
    end(second_hand)
    stored = second_hand.stored
    assert (stored.row.state, table_row(runtime, stored.row.table_id).state) == (GameState.OVER, TableState.OVER)
    assert (stored.row.due_at, stored.row.wake_at, stored.row.ended_at) == (None, None, runtime.now())
    assert (stored.game.stage, stored.game.to_act, stored.game.scores) == (Stage.DEAL, (), before.game.scores)
    assert [record.turn for record in stored.records] == before.finished_turns()
    assert second_hand.play_for_absent() == 0


def test_everybody_is_mailed_the_standings_once(runtime, second_hand) -> None:
    end(second_hand)
    before = dump(runtime)
    end(second_hand)
    assert dump(runtime)["letter"] == before["letter"]
    assert [letter.seat for letter in letters(runtime, LetterKind.ENDED)] == [ANN, BO, CY, DI]
    scores = second_hand.stored.game.scores
    for words in composed(runtime, letters(runtime, LetterKind.ENDED)[0]).values():
        assert "as Ann, who hosts the table, proposed" in words
        assert all(str(total) in words for total in scores[-1].totals)


def test_an_ended_game_mails_no_question(runtime, second_hand) -> None:
    end(second_hand)
    postman.deliver(runtime)
    assert [letter for letter in letters(runtime, LetterKind.TURNS) if letter.hand == 2] == []


def test_no_page_shows_a_card_of_the_unfinished_hand(runtime, second_hand) -> None:
    stored = second_hand.stored
    table_id, link = stored.row.table_id, second_hand.turn_link(stored.game.to_act[0])
    seat = seat_link(runtime, table_id, link.seat)
    end(second_hand)
    browser = site_of(runtime).test_client()
    shown = browser.get(runtime.signer.local_url(seat))
    assert shown.status_code == 200
    assert "The game ended early, after 1 hand." in shown.text
    assert "Your cards" not in shown.text
    over = browser.get(runtime.signer.local_url(link))
    assert (over.status_code, "The host has ended the game." in over.text) == (200, True)
    record = browser.get(f"{runtime.signer.local_url(seat)}/record.json").json
    assert len(record["hands"]) == 1


def test_a_turn_of_an_ended_game_is_over(runtime, second_hand) -> None:
    stored = second_hand.stored
    seat = stored.game.to_act[0]
    end(second_hand)
    with pytest.raises(taking.TurnOver):
        taking.take_turn(
            runtime, second_hand.game_id, Due(2, "pass"), first_pass(stored, seat), TurnSource.PAGE, runtime.now()
        )


@pytest.mark.parametrize("round_", range(3))
def test_a_simultaneous_turn_and_end_cannot_both_take_effect(either_runtime, round_) -> None:
    runtime = either_runtime
    table = start_game(runtime, NAMES[:3], robots=1)
    end_it, turn = last_yes(table), first_pass(table.stored, BO)
    played, stopped = at_once(
        lambda: taking.take_turn(runtime, table.game_id, Due(1, "pass"), turn, TurnSource.PAGE, runtime.now()),
        end_it,
    )
    assert stopped is None
    stored = table.stored
    was_over = isinstance(played, taking.TurnOver)
    assert (stored.row.turns, stored.row.state) == (1 if was_over else 2, GameState.OVER)
    assert stored.row.wake_at is None
    assert not set(seats_mailed(runtime, LetterKind.TURNS))


def test_a_simultaneous_last_card_and_hosts_end_finish_once(either_runtime) -> None:
    runtime = either_runtime
    table = start_game(runtime, rules=preset_rules("classic", target=10))
    table.pass_all()
    table.leap(lambda game: len(game.won) >= 9)
    end_it = last_yes(table, BO)

    def play() -> None:
        while table.row.state is GameState.PLAYING:
            table.play_first()

    played, stopped = at_once(play, end_it)
    assert stopped is None or isinstance(stopped, Refused)
    assert played is None or isinstance(played, taking.TurnOver | IndexError)
    ended, final = letters(runtime, LetterKind.ENDED), letters(runtime, LetterKind.FINAL_SHEET)
    assert (len(ended), len(final)) in ((4, 0), (0, 4))


def test_another_game_can_be_played_after_the_end(runtime, second_hand) -> None:
    table_id = second_hand.table_id
    offer(second_hand, CY)
    hosting.pause(runtime, host_of(runtime, table_id), paused=True, now=runtime.now())
    end(second_hand)
    assert seats(runtime, table_id)[CY].offered_to is None
    links = [AgainLink(table_id, seat.seat, seat.player_id or 0, 1) for seat in seats(runtime, table_id)]
    with runtime.database.reading() as session:
        assert again.another_game(session, links[BO]).state is AnotherGameState.OPEN
    for link in links:
        again.agree(runtime, link, runtime.now())
    with runtime.database.reading() as session:
        newest = seating.current_game(session, table_id)
    assert (newest.number, newest.state) == (2, GameState.PLAYING)
    assert newest.due_at == runtime.now() + PACE, "the pause is over with the game"


def test_host_players_and_clock_do_not_block_each_other(either_runtime) -> None:
    runtime = either_runtime
    table = start_game(runtime, rules=preset_rules("classic", target=10))
    table_id = table.table_id
    host, di = host_of(runtime, table_id), seats(runtime, table_id)[DI].player_id or 0
    says = PlayLink(table_id, DI, di)

    def often(act) -> None:
        for number in range(12):
            with suppress(taking.TurnOver, Refused, talk.TalkLimitReached):
                act(number)

    acts = (
        lambda number: table.play_first(),
        lambda number: hosting.pause(runtime, host, paused=number % 2 == 0, now=runtime.now()),
        lambda number: set_away(runtime, table_id, DI, away=number % 2 == 0),
        lambda number: arriving.note_presence(runtime, table_id, DI, di, runtime.now(), here=number % 2 == 0),
        lambda number: talk.add_line(runtime, says, f"Hello {number}", runtime.now()),
    )
    none_fails(*(partial(often, act) for act in acts))
    assert table.row.turns > 1


# other settings


def test_talk_suggestions_and_robots_are_set_in_one_form(runtime, table) -> None:
    host = host_of(runtime, table.table_id)
    hosting.change_options(runtime, host, TableOptions(Talk.PHRASES, True, Level.STEADY, True), runtime.now())
    changed = table_row(runtime, host.table_id)
    assert (changed.talk, changed.suggestions, changed.robots) == (Talk.PHRASES, True, Level.STEADY)
    assert changed.at_once == 4
