"""Hands side by side in the path of a turn: each with a clock, questions and a card ahead of its own."""

import random
from datetime import timedelta

import pytest

from hearts.ahead import choices_ahead
from hearts.cards import card_text, suit
from hearts.deal import hands_at_once
from hearts.game import Stage
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Play
from hearts.view import view
from tests.answers import answer, mail
from tests.cast import NAMES, PACE, letters, seat_link, start_game
from tests.races import at_once, check_replays
from tests.side_by_side import finish, play_hands, play_in, play_on
from tests.submitting import soup, words
from tests.webapp import chosen_ahead
from tests.webapp.going_away import set_away
from tests.webapp.tables.hosted import composed, end_game, host_of, take_at_once
from webapp.core.say import Refused
from webapp.games.asked.due import Due
from webapp.games.asked.running import running_games
from webapp.games.asked.whose_turn import ahead_of, awaited, first_asked
from webapp.games.clock.vacation import vacation_of
from webapp.games.record import store
from webapp.models import GameState, LetterKind, TurnSource
from webapp.players import ahead
from webapp.players.preferences import set_robot_hand
from webapp.tables import hosting
from worker import postman

ANN, BO, CY, DI = range(4)
SHORT = preset_rules("classic", target=20)


@pytest.fixture
def beside(runtime):
    """A game that plays four hands at once, in which nobody has passed yet."""
    return start_game(runtime, at_once=4)


def clocks(table):
    """By hand, its deadline."""
    return {stored.game.hand: stored.clock.due_at for stored in table.stored.open_hands()}


def test_a_game_played_in_any_order_is_mailed_by_cycles(runtime):
    table, rng = start_game(runtime, rules=SHORT, at_once=4), random.Random(2)
    while (stored := table.stored).row.state is GameState.PLAYING:
        open_hands = list(stored.open_hands())
        assert all(one.clock.due_at > runtime.now() for one in open_hands)
        assert stored.row.due_at == min(one.clock.due_at for one in open_hands)
        play_on(table, rng.choice(open_hands), rng)
        runtime.now.pass_by(timedelta(minutes=1))
    check_replays(table)
    assert stored.row.clocks is None
    assert stored.cycle.stage is Stage.OVER
    assert len(stored.cycle.scores) % 4 == 0
    sheets = letters(runtime, LetterKind.SCORE_SHEET)
    assert sorted({letter.hand for letter in sheets}) == list(range(4, len(stored.cycle.scores), 4))
    assert len(letters(runtime, LetterKind.FINAL_SHEET)) == 4


@pytest.mark.parametrize(
    ("limit", "sheets"),
    [pytest.param(4, [], id="one round"), pytest.param(6, [4], id="two hands are left after a cycle")],
)
def test_a_game_of_so_many_hands_deals_no_more(runtime, limit, sheets):
    table = start_game(runtime, rules=preset_rules("classic", target=500, hands=limit), at_once=4)
    stored = play_hands(table, limit, random.Random(2))
    assert (stored.row.state, stored.cycle.stage, len(stored.cycle.scores)) == (GameState.OVER, Stage.OVER, limit)
    assert sorted({letter.hand for letter in letters(runtime, LetterKind.SCORE_SHEET)}) == sheets
    final = letters(runtime, LetterKind.FINAL_SHEET)
    words = " ".join(composed(runtime, final[0])["plain"].split())
    assert "The game ends after" in words
    assert "The lowest total wins." in words
    assert "None" not in words
    assert len(final) == 4


def test_each_hand_has_its_own_pass_and_clock(runtime, beside):
    stored = beside.stored
    assert [game.stage for game in stored.cycle.hands] == [Stage.PASS, Stage.PASS, Stage.PASS, Stage.PLAY]
    asked = [one for letter in letters(runtime, LetterKind.TURNS) for one in letter.asked if one[3] == "pass"]
    assert sorted((number, seat) for _, seat, number, _ in asked) == [
        (number, seat) for number in (1, 2, 3) for seat in range(4)
    ]
    before, rng = clocks(beside), random.Random(1)
    runtime.now.pass_by(timedelta(hours=5))
    while beside.hand(2).game.stage is Stage.PASS:
        play_in(runtime, beside.hand(2), rng)
    after = clocks(beside)
    assert after[2] > before[2]
    (asked,) = beside.hand(2).game.to_act
    assert first_asked(beside.stored, asked).game.hand != 2, "a page stays with what has waited longest"
    assert {number: at for number, at in after.items() if number != 2} == {
        number: at for number, at in before.items() if number != 2
    }


def test_a_deadline_is_missed_in_its_hand_alone(runtime, beside):
    rng = random.Random(1)
    postman.deliver(runtime)
    runtime.now.pass_by(timedelta(hours=5))
    for number in (1, 3, 4):
        before = beside.hand(number).game.stage
        while beside.hand(number).game.stage is before is Stage.PASS:
            play_in(runtime, beside.hand(number), rng)
    play_in(runtime, beside.hand(4), rng)
    postman.deliver(runtime)
    runtime.now.at = clocks(beside)[2]
    held = {number: beside.hand(number).game for number in (1, 3, 4)}
    beside.play_for_absent()
    assert beside.hand(2).game.stage is Stage.PLAY
    assert {number: beside.hand(number).game for number in (1, 3, 4)} == held
    assert {record.source for record in beside.hand(2).of_hand(2)[1:5]} == {TurnSource.TIMEOUT}


def test_deadlines_missed_together_count_once_towards_being_away(runtime, beside):
    postman.deliver(runtime)
    runtime.now.pass_by(2 * PACE)
    beside.play_for_absent()
    assert [(seat.missed, seat.away) for seat in beside.stored.seats] == [(1, False)] * 4
    assert beside.row.unattended.deadlines == 1, "towards the game's rest, too"
    postman.deliver(runtime)
    runtime.now.pass_by(2 * PACE)
    beside.play_for_absent()
    assert max(seat.missed for seat in beside.stored.seats) == 2
    assert any(seat.away for seat in beside.stored.seats)


def test_one_vacation_day_counts_for_all_hands_meanwhile(runtime, beside):
    with runtime.database.writing() as session:
        store.load(session, beside.game_id).table.vacation_days = 3
    postman.deliver(runtime)
    runtime.now.pass_by(2 * PACE)
    beside.play_for_absent()
    stored = beside.stored
    assert all(game.stage is Stage.PASS for game in stored.cycle.hands[:3])
    assert [vacation_of(seat).days for seat in stored.seats] == [1] * 4
    assert {at > runtime.now() for at in clocks(beside).values()} == {True}
    postman.deliver(runtime)
    runtime.now.pass_by(2 * PACE)
    beside.play_for_absent()
    assert all(game.stage is Stage.PLAY for game in beside.stored.cycle.hands)
    assert [vacation_of(seat).days for seat in beside.stored.seats] == [1] * 4


def test_an_away_player_is_played_for_everywhere_until_they_return(runtime, beside):
    table_id = beside.stored.row.table_id
    set_away(runtime, table_id, DI, away=True)
    beside.play_for_absent()
    assert all(DI not in game.to_act for game in beside.stored.cycle.hands)
    set_away(runtime, table_id, DI, away=False)
    rng = random.Random(3)
    while len([one for one in beside.stored.open_hands() if DI in awaited(one)]) < 2:
        play_in(runtime, next(one for one in beside.stored.open_hands() if DI not in one.game.to_act), rng)
    before = clocks(beside)
    runtime.now.pass_by(timedelta(hours=5))
    set_away(runtime, table_id, DI, away=True)
    set_away(runtime, table_id, DI, away=False)
    assert clocks(beside) == before


def test_a_card_ahead_is_kept_and_played_in_its_hand(runtime, beside):
    rng, kept = random.Random(8), {}
    while len(kept) < 2:
        stored = beside.stored
        ready = [one for one in stored.open_hands() if one.game.hand not in kept and may_choose(one)]
        if ready:
            number = ready[0].game.hand
            kept[number] = max(choices_ahead(view(ready[0].game, Seat(ANN))))
            chosen_ahead.choose(beside, ANN, kept[number], Due(number, f"trick {ready[0].game.trick}"))
        else:
            go_on = [one for one in stored.open_hands() if one.game.hand not in kept]
            play_in(runtime, rng.choice(go_on), rng)
    for number, card in kept.items():
        assert ahead_of(beside.hand(number), Seat(ANN)).card == card
        while not [one for one in beside.hand(number).of_hand(number) if one.turn == Play(Seat(ANN), card)]:
            play_in(runtime, beside.hand(number), rng)
        played = next(one for one in beside.hand(number).of_hand(number) if one.turn == Play(Seat(ANN), card))
        assert played.source is TurnSource.AHEAD


def test_a_card_ahead_for_a_finished_hand_is_too_late(runtime, beside):
    stored, rng = beside.stored, random.Random(8)
    while not may_choose(first := next(beside.stored.open_hands())):
        stored = play_in(runtime, rng.choice(list(stored.open_hands())), rng)
    card = max(choices_ahead(view(first.game, Seat(ANN))))
    with pytest.raises(ahead.TooLate):
        chosen_ahead.choose(beside, ANN, card, Due(9, "trick 1"))
    assert beside.stored.seats[ANN].ahead is None


def may_choose(stored):
    """Whether Ann has several cards of the suit led, and may choose one ahead."""
    choices = list(choices_ahead(view(stored.game, Seat(ANN))))
    return len(choices) > 1 and suit(choices[0]) == suit(stored.game.on_table[0])


def test_a_robot_asked_to_play_gives_the_next_cycle_back(runtime, beside):
    stored = beside.stored
    set_robot_hand(runtime, stored.seats[DI].player_id, stored.row.table_id, 2, runtime.now())
    rng = random.Random(5)
    while beside.stored.cycle.hands[0].hand == 1:
        beside.play_for_absent()
        open_hands = [one for one in beside.stored.open_hands() if awaited(one)]
        assert all(DI not in awaited(one) for one in open_hands if one.game.hand < 5)
        play_on(beside, rng.choice(open_hands), rng)
    assert any(DI in awaited(one) for one in beside.stored.open_hands())


def test_a_robot_is_asked_to_play_all_hands(runtime, beside, client):
    link = runtime.signer.local_url(beside.play_link(DI))
    assert "Let a robot play these 4 hands" in words(client.get(link))
    client.post(f"{link}/robot", data={"who": "robot"})
    assert DI not in awaited(beside.hand(4))
    assert "A robot plays these 4 hands for you." in words(client.get(f"{link}?hand=4"))


def test_a_cycles_passes_are_one_mail_answered_hand_by_hand(runtime, beside):
    postman.deliver(runtime)
    mails = letters(runtime, LetterKind.TURNS)
    assert sorted(len(one.asked) for one in mails) == [3, 3, 3, 4]
    held = list(beside.hand(3).game.held[BO])[:3]
    answer(
        runtime, next(one for one in mails if one.seat == BO), mail("Bo", f"hand 3 {' '.join(map(card_text, held))}")
    )
    assert list(beside.hand(3).game.passes[BO]) == held
    assert [beside.hand(number).game.passes[BO] for number in (1, 2)] == [None, None]


def test_the_pages_lead_through_the_hands_that_wait(runtime, beside, client):
    link = runtime.signer.local_url(beside.play_link(ANN))
    first = first_asked(beside.stored, Seat(ANN)).game.hand
    for left in (3, 2, 1):
        page = soup(client.get(link))
        assert len(page.select("#tabs .waits")) == left + (ANN in beside.hand(4).game.to_act)
        number = first_asked(beside.stored, Seat(ANN)).game.hand
        form = page.select_one("form.mine")
        chosen = [box["value"] for box in form.select("input[name=card]")][:3]
        assert client.post(form["action"], data={"card": chosen}).headers["Location"].startswith("/play/")
        assert beside.hand(number).game.passes[ANN] is not None
        if number == first:
            again = client.get(f"{link}?hand={number}")
            assert "Waiting for" in words(again)
            assert soup(again).select_one("#tabs [aria-current]")["href"].startswith(f"{link}?hand={number}&")
            assert soup(again).select_one("#follow")["data-shows"].startswith(f"?hand={number}&")


def test_the_table_page_names_each_awaited_player_once(runtime, beside, client):
    with runtime.database.reading() as session:
        (mine,) = running_games(session, beside.stored.seats[BO].player_id)
        assert (mine.waiting, mine.due.what) == (3 + (BO in beside.stored.cycle.hands[3].to_act), "pass")
    link = runtime.signer.local_url(seat_link(runtime, beside.stored.row.table_id, BO))
    page = words(client.get(link))
    assert "Waiting for you, Ann, Cy and Di." in page


def test_scores_wait_for_earlier_hands_and_reach_open_ones(runtime, beside):
    finish(beside, 2)
    assert beside.stored.cycle.scores == ()
    assert beside.hand(2).clock.due_at is None
    stored = play_hands(beside, 2, random.Random(6))
    assert all(game.scores == stored.cycle.scores for game in stored.cycle.hands)
    check_replays(beside)


def test_a_finished_hand_is_credited_to_its_earlier_player(runtime, beside):
    finish(beside, 2)
    assert beside.hand(2).game.stage is Stage.DONE
    take_at_once(beside, BO)
    stored = beside.stored
    assert [stored.names_of_hand(number)[BO] for number in (1, 2, 3, 4)] == ["Eve", "Bo", "Eve", "Eve"]
    assert [stored.has_played(Seat(BO), number) for number in (1, 2, 3, 4)] == [True, False, True, True]


def test_a_host_ending_the_game_keeps_its_scored_hands(runtime, beside):
    play_hands(beside, 1, random.Random(6))
    table_id = beside.stored.row.table_id
    end_game(runtime, table_id)
    stored = beside.stored
    assert stored.was_ended
    assert {record.hand for record in stored.records} == set(range(1, len(stored.cycle.scores) + 1))


def test_turns_in_several_hands_at_the_same_moment_all_count(either_runtime):
    runtime, rng = either_runtime, random.Random(7)
    table = start_game(runtime, at_once=4)
    for _ in range(6):
        open_hands = [one for one in table.stored.open_hands() if awaited(one)]
        before = table.row.turns
        acts = [lambda one=one: play_in(runtime, one, random.Random(one.game.hand)) for one in open_hands]
        done = at_once(*acts, lambda: table.play_for_absent())
        assert not [one for one in done if isinstance(one, Exception)]
        assert table.row.turns >= before + len(open_hands)
        check_replays(table)
    assert rng


def test_a_live_table_plays_one_hand_at_a_time(runtime, beside):
    live = start_game(
        runtime, NAMES[:3], rules=preset_rules("classic", players=3), pace=timedelta(seconds=60), at_once=3
    )
    assert live.stored.row.at_once == 1
    table_id, minute = beside.stored.row.table_id, timedelta(seconds=60)
    with pytest.raises(Refused, match="several hands at once"):
        hosting.change_pace(runtime, host_of(runtime, table_id), hosting.Pace(minute, minute), runtime.now())
    assert beside.stored.table.play_time == PACE
    assert hands_at_once(live.stored.game.rules) == (1, 3)
