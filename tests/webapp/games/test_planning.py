"""Plans at the table: what they play, whom they leave to be asked, and what happens at the same moment."""

from dataclasses import replace
from datetime import timedelta

import pytest

from hearts.game import Stage, apply, legal, new_game
from hearts.plans import ASK, Order, by_guard, planned
from hearts.turns import Play
from hearts.view import view
from tests.cast import PACE, give_plans, letters, load, miss_deadline, play_first, start_game
from tests.playing import pass_all
from tests.races import at_once, check_replays
from tests.webapp.tables.hosted import composed
from tests.webapp.with_plans import MATTERS, SAME, play_hand_by_hand, player_of, questions, started
from webapp.core.tokens import PlayLink
from webapp.games.due import due_of
from webapp.games.planning import awaited, pending
from webapp.models import LetterKind, SeatRow, TableRow, TurnSource
from webapp.play import due_games, taking
from webapp.presentation.turn_text import turn_sentence
from webapp.robots import thinking

pytestmark = pytest.mark.usefixtures("same_seed")
ORDERS_ONLY = replace(MATTERS, orders=frozenset(Order) - {Order.LEAD})


@pytest.mark.parametrize(
    ("plan", "guards", "most"),
    [(ASK, True, 52), (SAME, True, 48), (MATTERS, True, 20), (MATTERS, False, 0), (ORDERS_ONLY, False, 13)],
    ids=["ask", "same", "matters", "orders", "orders but leads"],
)
def test_the_bolder_the_plans_the_less_often_the_table_waits(runtime, plan, guards, most):
    game_id = started(runtime, *[plan] * 4, guards=guards)
    waits = play_hand_by_hand(runtime, game_id)
    assert waits <= most
    assert len(questions(runtime)) == 4 + waits, "everybody's pass, and nothing that a plan has played"


def test_every_planned_card_can_be_checked_from_its_record(runtime):
    game_id = started(runtime, *[MATTERS] * 4)
    play_hand_by_hand(runtime, game_id)
    game, found = new_game(load(runtime, game_id).game.rules), []
    for turn, source, choice, *_ in load(runtime, game_id).records:
        if source is TurnSource.PLAN:
            seen = view(game, turn.seat)
            first = planned(seen, MATTERS, guards=True)
            assert (first.card, first.by) == (turn.card, choice.by)
            if first.guarded:
                price = by_guard(seen, MATTERS, first, choice.seed).price
                assert (price.cost, price.playouts) == (choice.cost, choice.playouts)
                assert price.cost < choice.limit
            found.append(choice.by)
        game = apply(game, turn)
    assert len(found) > 13, "more cards than one player holds"


def test_a_guard_leaves_a_decision_to_its_player_once(runtime, monkeypatch):
    looks = []
    monkeypatch.setattr(thinking, "guarded", lambda *given: looks.append(given) and None)
    game_id = started(runtime, *[MATTERS] * 4)
    assert pending(load(runtime, game_id))
    assert not [letter for letter in questions(runtime) if letter.about != "pass"], "nobody is asked yet"
    assert load(runtime, game_id).row.due_at is None
    runtime.now.pass_by(timedelta(seconds=3))
    assert due_games.claim_due(runtime, runtime.now()) == [game_id]
    assert due_games.play_for_absent(runtime, game_id) == 0
    stored = load(runtime, game_id)
    assert awaited(stored) == stored.game.to_act
    assert stored.row.due_at == runtime.now() + PACE
    assert [letter.about for letter in questions(runtime) if letter.about != "pass"] == ["trick 1"]
    assert due_games.play_for_absent(runtime, game_id) == 0
    assert len(looks) == 1
    assert due_games.claim_due(runtime, runtime.now()) == [], "the game sleeps until the deadline"


def test_no_page_asks_while_a_guard_is_about_to_look(runtime, client):
    """Else the plan might play while they choose."""
    game_id = started(runtime, *[MATTERS] * 4)
    seat, stored = pending(load(runtime, game_id)).seat, load(runtime, game_id)
    page = runtime.signer.local_url(PlayLink(stored.row.table_id, seat, player_of(runtime, game_id, seat)))
    html = client.get(page).get_data(as_text=True)

    assert 'name="card"' not in html
    assert "data-asked" not in html


def test_another_worker_replaces_one_that_dies_while_looking(runtime):
    game_id = started(runtime, *[MATTERS] * 4)
    assert pending(load(runtime, game_id))
    assert due_games.claim_due(runtime, runtime.now()) == [game_id]
    runtime.now.pass_by(due_games.LEASES[0])
    assert due_games.claim_due(runtime, runtime.now()) == [game_id]


WOKEN = replace(MATTERS, after_trick=1)


@pytest.mark.parametrize(
    ("plan", "guards", "plays"),
    [(WOKEN, False, True), (WOKEN, True, True), (replace(WOKEN, limit=0.25), True, False), (ASK, False, False)],
    ids=["orders", "a guard that agrees", "a guard that refuses", "no plan"],
)
def test_a_missed_deadline_lets_the_plan_play_and_says_so(runtime, plan, guards, plays):
    game_id = started(runtime, *[plan] * 4, guards=guards)
    due_games.play_for_absent(runtime, game_id)
    before, found = load(runtime, game_id), None
    while before.game.trick < 2 or bool(found := by_plan(before, plan, guards)) is not plays:
        before = play_first(runtime, game_id)
    miss_deadline(runtime, game_id)
    record = load(runtime, game_id).records[len(before.records)]
    assert (record.source, record.turn.seat) == (TurnSource.TIMEOUT, before.game.to_act[0])
    if found:
        assert (record.turn.card, record.choice.by) == (found.card, found.by)
        assert turn_sentence(record).startswith("The deadline was over. We ")
    else:
        assert record.choice.reason in turn_sentence(record)
    (letter,) = [one for one in letters(runtime, LetterKind.PLAYED_FOR_YOU) if one.hand == 1]
    assert ("made by a robot" in composed(runtime, letter)["plain"]) is not bool(found)


def by_plan(stored, plan, guards):
    """Returns the plan's card for the seat at turn if no wake-up stops it."""
    seen = view(stored.game, stored.game.to_act[0])
    found = planned(seen, replace(plan, after_trick=0), guards=guards)
    return by_guard(seen, plan, found, 7) if found and found.guarded else found


def test_a_missed_deadline_plays_nothing_that_the_guard_refused(runtime, monkeypatch):
    monkeypatch.setattr(thinking, "guarded", lambda *_: None)
    game_id = started(runtime, *[MATTERS] * 4)
    due_games.play_for_absent(runtime, game_id)
    late = load(runtime, game_id).game.to_act[0]
    monkeypatch.setattr(thinking, "guarded", lambda _, waiting: waiting.found)  # it is not asked a second time
    miss_deadline(runtime, game_id)
    plays = [record for record in load(runtime, game_id).records if isinstance(record.turn, Play)]
    record = next(record for record in plays if record.turn.seat == late)
    assert record.source is TurnSource.TIMEOUT
    assert record.choice.reason


def test_the_tables_plan_holds_for_players_without_a_choice(runtime):
    game_id = start_game(runtime)
    with runtime.database.writing() as session:
        row = session.get_one(TableRow, load(runtime, game_id).row.table_id)
        row.plan, row.guards = MATTERS, False
        session.get_one(SeatRow, (row.id, 1)).plan = ASK
    pass_all(runtime, game_id)
    play_hand_by_hand(runtime, game_id)
    sources = {seat: set() for seat in range(4)}
    for turn, source, *_ in load(runtime, game_id).records:
        if isinstance(turn, Play):
            sources[turn.seat].add(source)
    assert TurnSource.PLAN not in sources[1]
    assert all(TurnSource.PLAN in sources[seat] for seat in (0, 2, 3))


def test_a_live_table_asks_for_every_card(runtime):
    game_id = start_game(runtime, pace=timedelta(seconds=60))
    give_plans(runtime, game_id, *[MATTERS] * 4, guards=False)
    pass_all(runtime, game_id)
    assert awaited(load(runtime, game_id)) == load(runtime, game_id).game.to_act
    assert not [record for record in load(runtime, game_id).records if record.source is TurnSource.PLAN]


# at the same moment


def test_a_simultaneous_card_and_plan_make_one_record(either_runtime):
    for _ in range(5):
        game_id = started(either_runtime, *[MATTERS] * 4)
        stored = load(either_runtime, game_id)
        waiting = pending(stored)
        due = due_of(stored.game, waiting.seat)
        card = next(iter(legal(stored.game, waiting.seat)))
        link = (either_runtime, game_id, due, Play(waiting.seat, card), TurnSource.LINK, either_runtime.now())
        by_hand, *_ = at_once(
            lambda link=link: taking.take_turn(*link),
            lambda game_id=game_id: due_games.play_for_absent(either_runtime, game_id),
            lambda game_id=game_id: due_games.play_for_absent(either_runtime, game_id),
        )
        answer = [record for record in load(either_runtime, game_id).records if isinstance(record.turn, Play)]
        first = next(record for record in answer if record.turn.seat == waiting.seat)
        assert (first.source is TurnSource.LINK) is not isinstance(by_hand, taking.TurnOver)
        check_replays(either_runtime, game_id)


def test_a_game_survives_a_simultaneous_plan_and_deadline(either_runtime):
    for _ in range(3):
        game_id = started(either_runtime, ASK, MATTERS, ASK, MATTERS)
        either_runtime.now.pass_by(PACE * 2)
        outcomes = at_once(*[lambda game_id=game_id: due_games.play_for_absent(either_runtime, game_id)] * 3)
        assert not [one for one in outcomes if isinstance(one, Exception)]
        check_replays(either_runtime, game_id)
        stored = load(either_runtime, game_id)
        assert awaited(stored) == stored.game.to_act
        assert stored.row.due_at is not None or stored.game.stage is Stage.OVER
