"""A card by hand, a plan and its change, an answer ahead and a deadline at the same moment: what becomes of them."""

from dataclasses import replace

import pytest

from hearts.game import Stage, legal
from hearts.plans import ASK, Asking, Plan, Wake
from hearts.turns import Play
from tests.cast import PACE, give_plans, load, play_first, play_link
from tests.playing import following_cards, waiting_game
from tests.races import at_once, check_replays
from webapp import service
from webapp.games.due import due_of
from webapp.games.planning import awaited, pending
from webapp.models import TurnSource
from webapp.players import ahead, plans

ANN, BO, CY, DI = range(4)
MATTERS = Plan(asking=Asking.MATTERS)
WOKEN = replace(MATTERS, wakes=frozenset(Wake))


@pytest.mark.parametrize("_", range(2))
@pytest.mark.parametrize("cys_plan", [MATTERS, WOKEN], ids=["guard", "wake-up"])
def test_each_decision_is_taken_once_and_an_answer_that_was_kept_is_played(either_runtime, cys_plan, _):
    """Bo has led; Cy's deadline is over, Di has a plan, and Ann, who is last, answers ahead."""
    runtime = either_runtime
    game_id = waiting_game(runtime)
    give_plans(runtime, game_id, ASK, ASK, cys_plan, MATTERS)
    runtime.now.pass_by(2 * PACE)
    before, now = load(runtime, game_id), runtime.now()
    table_id, players = before.row.table_id, [seat.player_id for seat in before.seats]
    anns, cys = following_cards(runtime, game_id, ANN)[-1], next(iter(legal(before.game, CY)))
    link, due = play_link(runtime, game_id, ANN), due_of(before.game, CY)
    by_hand, kept, *others = at_once(
        lambda: service.take_turn(runtime, game_id, due, Play(CY, cys), TurnSource.LINK, now),
        lambda: ahead.choose_ahead(runtime, link, anns, frozenset(), None, now),
        lambda: plans.change_plan(runtime, players[CY], ASK, now, table_id),
        lambda: plans.change_plan(runtime, players[DI], WOKEN, now, table_id),
        lambda: service.play_for_absent(runtime, game_id),
        lambda: service.play_for_absent(runtime, game_id),
    )
    assert not [one for one in others if isinstance(one, Exception)]
    assert kept is None or isinstance(kept, ahead.TooLate)
    check_replays(runtime, game_id)
    finish_trick(runtime, game_id, len(before.game.tricks))
    after = load(runtime, game_id)
    played = {record.turn.seat: record for record in after.records[before.row.turns :][:3]}
    assert list(played) == [CY, DI, ANN]
    was_too_late = isinstance(by_hand, service.TurnOver)
    assert (played[CY].turn.card == cys and played[CY].source is TurnSource.LINK) is not was_too_late
    if kept is None:
        assert (played[ANN].turn.card, played[ANN].source) == (anns, TurnSource.AHEAD)
    assert pending(after) or awaited(after) == after.game.to_act


def finish_trick(runtime, game_id, tricks):
    """Plays a card by hand for each player who is asked, until one more trick than `tricks` is over."""
    while len((stored := load(runtime, game_id)).game.tricks) == tricks and stored.game.stage is Stage.PLAY:
        if pending(stored):
            service.play_for_absent(runtime, game_id)
        else:
            play_first(runtime, game_id)
