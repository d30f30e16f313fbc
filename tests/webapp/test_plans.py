"""Plans in the path of a turn: what they play, whom they leave to be asked, and what happens at the same moment."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import select

from hearts.game import Stage, apply, legal, new_game
from hearts.plans import ASK, Asking, Order, Plan, Wake, by_guard, parse_plan, plan_mapping, planned
from hearts.rules import preset_rules
from hearts.turns import Play
from hearts.view import view
from tests.cast import NAMES, PACE, dump, give_plans, letters, load, miss_deadline, play_first, seats, start_game, table
from tests.playing import pass_all
from tests.races import at_once, check_replays
from tests.webapp.tables.hosted import composed
from webapp import due_games, service
from webapp.core.tokens import PlayLink
from webapp.games.due import due_of
from webapp.games.planning import awaited, pending
from webapp.kinds import QUESTIONS
from webapp.models import LetterKind, LetterState, PlayerRow, SeatRow, TableRow, TurnSource
from webapp.players import plans, preferences
from webapp.presentation.turn_text import turn_sentence
from webapp.robots import thinking

pytestmark = pytest.mark.usefixtures("same_seed")
SAME, MATTERS = Plan(asking=Asking.SAME), Plan(asking=Asking.MATTERS)
ORDERS_ONLY = replace(MATTERS, orders=frozenset(Order) - {Order.LEAD})


def started(runtime, *chosen, guards=True):
    """A game of four people with these plans, after the pass."""
    game_id = start_game(runtime)
    give_plans(runtime, game_id, *chosen, guards=guards)
    pass_all(runtime, game_id)
    return game_id


def player_of(runtime, game_id, seat):
    return seats(runtime, load(runtime, game_id).row.table_id)[seat].player_id


def play_hand_by_hand(runtime, game_id):
    """Answers what is left to the players, until the hand is scored. Returns how often somebody was waited for."""
    waits = 0
    while not load(runtime, game_id).game.scores:
        due_games.play_for_absent(runtime, game_id)
        stored = load(runtime, game_id)
        if stored.game.scores:
            break
        assert awaited(stored) == stored.game.to_act
        play_first(runtime, game_id)
        waits += 1
    return waits


def questions(runtime):
    return [letter for letter in letters(runtime) if letter.kind in QUESTIONS and letter.hand == 1]


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


def test_every_card_of_a_plan_can_be_checked_from_its_record(runtime):
    game_id = started(runtime, *[MATTERS] * 4)
    play_hand_by_hand(runtime, game_id)
    game, found = new_game(load(runtime, game_id).game.rules), []
    for turn, source, choice, *_ in load(runtime, game_id).records:
        if source is TurnSource.PLAN:
            seen = view(game, turn.seat)
            first = planned(seen, MATTERS, guards=True)
            assert (first.card, first.by) == (turn.card, choice["by"])
            if first.guarded:
                price = by_guard(seen, MATTERS, first, choice["seed"]).price
                assert (price.cost, price.playouts) == (choice["cost"], choice["playouts"])
                assert price.cost < choice["limit"]
            found.append(choice["by"])
        game = apply(game, turn)
    assert len(found) > 13, "more cards than one player holds"


def test_a_guard_leaves_a_decision_to_its_player_once(runtime, monkeypatch):
    monkeypatch.setattr(thinking, "by_guard", lambda *_: None)
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


def test_nobody_is_asked_on_the_page_while_a_guard_is_about_to_look(runtime, client):
    """Else the plan might play while they choose."""
    game_id = started(runtime, *[MATTERS] * 4)
    seat, stored = pending(load(runtime, game_id)).seat, load(runtime, game_id)
    page = runtime.signer.local_url(PlayLink(stored.row.table_id, seat, player_of(runtime, game_id, seat)))
    html = client.get(page).get_data(as_text=True)
    assert "Your plan looks at your cards" in html
    assert 'name="card"' not in html
    assert "data-asked" not in html


def test_a_worker_that_dies_while_it_looks_is_followed_by_another(runtime):
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
def test_at_a_missed_deadline_the_plan_plays_if_it_can_and_says_by_what(runtime, plan, guards, plays):
    game_id = started(runtime, *[plan] * 4, guards=guards)
    due_games.play_for_absent(runtime, game_id)
    before, found = load(runtime, game_id), None
    while before.game.trick < 2 or bool(found := by_plan(before, plan, guards)) is not plays:
        before = play_first(runtime, game_id)
    miss_deadline(runtime, game_id)
    record = load(runtime, game_id).records[len(before.records)]
    assert (record.source, record.turn.seat) == (TurnSource.TIMEOUT, before.game.to_act[0])
    if found:
        assert (record.turn.card, record.choice["by"]) == (found.card, found.by)
        assert turn_sentence(record).startswith("The deadline was over. Your plan ")
    else:
        assert record.choice["reason"] in turn_sentence(record)
    (letter,) = [one for one in letters(runtime, LetterKind.PLAYED_FOR_YOU) if one.hand == 1]
    assert ("made by a robot" in composed(runtime, letter)["plain"]) is not bool(found)


def by_plan(stored, plan, guards):
    """What the plan plays for the seat at turn if it is not woken."""
    seen = view(stored.game, stored.game.to_act[0])
    found = planned(seen, replace(plan, after_trick=0), guards=guards)
    return by_guard(seen, plan, found, 7) if found and found.guarded else found


def test_what_the_guard_refused_is_not_played_at_a_missed_deadline(runtime, monkeypatch):
    monkeypatch.setattr(thinking, "guarded", lambda *_: None)
    game_id = started(runtime, *[MATTERS] * 4)
    due_games.play_for_absent(runtime, game_id)
    late = load(runtime, game_id).game.to_act[0]
    monkeypatch.setattr(thinking, "guarded", lambda _, waiting: waiting.found)  # it is not asked a second time
    miss_deadline(runtime, game_id)
    plays = [record for record in load(runtime, game_id).records if isinstance(record.turn, Play)]
    record = next(record for record in plays if record.turn.seat == late)
    assert record.source is TurnSource.TIMEOUT
    assert record.choice["reason"]


def test_the_table_s_plan_holds_for_those_who_have_chosen_none(runtime):
    game_id = start_game(runtime)
    with runtime.database.writing() as session:
        row = session.get_one(TableRow, load(runtime, game_id).row.table_id)
        row.plan, row.guards = plan_mapping(MATTERS), False
        session.get_one(SeatRow, (row.id, 1)).plan = plan_mapping(ASK)
    pass_all(runtime, game_id)
    play_hand_by_hand(runtime, game_id)
    sources = {seat: set() for seat in range(4)}
    for turn, source, *_ in load(runtime, game_id).records:
        if isinstance(turn, Play):
            sources[turn.seat].add(source)
    assert TurnSource.PLAN not in sources[1]
    assert all(TurnSource.PLAN in sources[seat] for seat in (0, 2, 3))


def test_a_new_plan_plays_at_once_and_another_asks_again(runtime):
    game_id = started(runtime)
    stored = load(runtime, game_id)
    (seat,) = stored.game.to_act
    player = player_of(runtime, game_id, seat)
    give_plans(runtime, game_id, guards=False)
    plans.change_plan(runtime, player, MATTERS, runtime.now(), stored.row.table_id)
    after = load(runtime, game_id)
    assert after.game.to_act != (seat,)
    assert next(one.source for one in after.records[stored.row.turns :]) is TurnSource.PLAN
    assert after.row.due_at is not None


def test_changing_back_and_forth_gives_no_more_time_and_no_second_mail(runtime):
    game_id = started(runtime)
    stored = load(runtime, game_id)
    (seat,) = stored.game.to_act
    player, asked = player_of(runtime, game_id, seat), len(letters(runtime))
    for _ in range(3):
        runtime.now.pass_by(timedelta(hours=1))
        for plan in (replace(MATTERS, wakes=frozenset(Wake), after_trick=1, orders=frozenset()), ASK):
            plans.change_plan(runtime, player, plan, runtime.now(), stored.row.table_id)
    after = load(runtime, game_id)
    assert after.row.turns == stored.row.turns
    assert after.row.due_at == stored.row.due_at
    assert len([letter for letter in letters(runtime) if letter.state is LetterState.QUEUED]) <= asked


def test_a_plan_that_waits_for_its_guard_can_be_taken_back(runtime):
    game_id = started(runtime, *[MATTERS] * 4)
    waiting = pending(load(runtime, game_id))
    table_id = load(runtime, game_id).row.table_id
    plans.change_plan(runtime, player_of(runtime, game_id, waiting.seat), ASK, runtime.now(), table_id)
    stored = load(runtime, game_id)
    assert awaited(stored) == (waiting.seat,)
    assert stored.row.due_at == runtime.now() + PACE
    assert [letter.seat for letter in questions(runtime) if letter.about != "pass"] == [waiting.seat]


def test_a_card_to_which_the_guard_agrees_is_not_played_if_the_plan_was_taken_back_meanwhile(runtime, monkeypatch):
    game_id = started(runtime, *[MATTERS] * 4)
    waiting = pending(load(runtime, game_id))
    player, table_id = player_of(runtime, game_id, waiting.seat), load(runtime, game_id).row.table_id

    def taken_back(_, looked_at):
        plans.change_plan(runtime, player, ASK, runtime.now(), table_id)
        return looked_at.found

    monkeypatch.setattr(thinking, "guarded", taken_back)
    assert due_games.play_for_absent(runtime, game_id) == 0
    stored = load(runtime, game_id)
    assert awaited(stored) == (waiting.seat,)
    assert not [record for record in stored.records if record.source is TurnSource.PLAN]


def test_a_decision_that_was_left_to_the_player_is_looked_at_again_under_another_plan(runtime, monkeypatch):
    monkeypatch.setattr(thinking, "guarded", lambda *_: None)
    game_id = started(runtime, *[MATTERS] * 4)
    due_games.play_for_absent(runtime, game_id)
    (seat,) = awaited(load(runtime, game_id))
    bolder = replace(MATTERS, limit=2.0)
    plans.change_plan(
        runtime, player_of(runtime, game_id, seat), bolder, runtime.now(), load(runtime, game_id).row.table_id
    )
    assert pending(load(runtime, game_id)).plan == bolder


def test_a_robot_plays_one_hand_for_a_player_who_asks_for_it(runtime):
    game_id = start_game(runtime, NAMES[:2], robots=2, rules=preset_rules("quick", passing="none"))
    stored = load(runtime, game_id)
    plans.hand_over_hand(runtime, player_of(runtime, game_id, 0), stored.row.table_id, stored.game.hand, runtime.now())
    while not load(runtime, game_id).game.scores:
        due_games.play_for_absent(runtime, game_id)
        if not load(runtime, game_id).game.scores:
            assert awaited(load(runtime, game_id)) == (1,), "only Bo is asked"
            play_first(runtime, game_id)
    anns = [record for record in load(runtime, game_id).records if getattr(record.turn, "seat", None) == 0]
    assert {record.source for record in anns} <= {TurnSource.PLAN, TurnSource.FORCED, TurnSource.CLAIM}
    assert {record.choice["by"] for record in anns if record.source is TurnSource.PLAN} == {"robot"}
    due_games.play_for_absent(runtime, game_id)
    while awaited(load(runtime, game_id)) == (1,):
        play_first(runtime, game_id)
        due_games.play_for_absent(runtime, game_id)
    assert awaited(load(runtime, game_id)) == (0,), "in the next hand she plays herself"


def test_a_player_who_takes_a_card_themselves_has_the_hand_back(runtime):
    game_id = started(runtime)
    stored = load(runtime, game_id)
    (seat,) = stored.game.to_act
    table_id = stored.row.table_id
    plans.hand_over_hand(runtime, player_of(runtime, game_id, seat), table_id, 1, runtime.now())
    assert awaited(load(runtime, game_id)) == ()
    play_first(runtime, game_id)
    assert seats(runtime, table_id)[seat].robot_hand is None


def test_a_player_who_is_back_has_the_hand_back_and_a_full_deadline(runtime):
    game_id = started(runtime)
    (seat,) = load(runtime, game_id).game.to_act
    table_id = load(runtime, game_id).row.table_id
    plans.hand_over_hand(runtime, player_of(runtime, game_id, seat), table_id, 1, runtime.now())
    runtime.now.pass_by(timedelta(hours=5))
    preferences.set_away(runtime, table_id, seat, away=False, now=runtime.now())
    stored = load(runtime, game_id)
    assert awaited(stored) == (seat,)
    assert stored.row.due_at == runtime.now() + PACE


def test_a_default_is_for_all_tables_and_new_games(runtime):
    first = start_game(runtime)
    ann = player_of(runtime, first, 0)
    plans.change_plan(runtime, ann, MATTERS, runtime.now())
    assert parse_plan(seats(runtime, load(runtime, first).row.table_id)[0].plan) == MATTERS
    second = start_game(runtime)
    own = seats(runtime, load(runtime, second).row.table_id)
    assert parse_plan(own[0].plan) == MATTERS
    assert [seat.plan for seat in own[1:]] == [None, None, None]
    with runtime.database.reading() as session:
        assert [row.id for row in session.exec(select(PlayerRow).where(PlayerRow.plan.is_not(None)))] == [ann]


def test_a_live_table_asks_for_every_card(runtime):
    game_id = start_game(runtime, pace=timedelta(seconds=60))
    give_plans(runtime, game_id, *[MATTERS] * 4, guards=False)
    pass_all(runtime, game_id)
    assert awaited(load(runtime, game_id)) == load(runtime, game_id).game.to_act
    assert not [record for record in load(runtime, game_id).records if record.source is TurnSource.PLAN]


def test_a_change_at_one_table_changes_no_other(runtime):
    first, second = start_game(runtime), start_game(runtime)
    table_id = load(runtime, first).row.table_id
    plans.change_plan(runtime, player_of(runtime, first, 0), MATTERS, runtime.now(), table_id)
    assert seats(runtime, load(runtime, second).row.table_id)[0].plan is None
    assert table(runtime, table_id).plan is None


# at the same moment


def test_a_card_by_hand_and_the_same_seat_s_plan_make_one_record(either_runtime):
    for _ in range(5):
        game_id = started(either_runtime, *[MATTERS] * 4)
        stored = load(either_runtime, game_id)
        waiting = pending(stored)
        due = due_of(stored.game, waiting.seat)
        card = next(iter(legal(stored.game, waiting.seat)))
        link = (either_runtime, game_id, due, Play(waiting.seat, card), TurnSource.LINK, either_runtime.now())
        by_hand, *_ = at_once(
            lambda link=link: service.take_turn(*link),
            lambda game_id=game_id: due_games.play_for_absent(either_runtime, game_id),
            lambda game_id=game_id: due_games.play_for_absent(either_runtime, game_id),
        )
        answer = [record for record in load(either_runtime, game_id).records if isinstance(record.turn, Play)]
        first = next(record for record in answer if record.turn.seat == waiting.seat)
        assert (first.source is TurnSource.LINK) is not isinstance(by_hand, service.TurnOver)
        check_replays(either_runtime, game_id)


def test_a_plan_taken_back_while_its_guard_looks_plays_nothing(either_runtime):
    for _ in range(5):
        game_id = started(either_runtime, *[MATTERS] * 4)
        table_id = load(either_runtime, game_id).row.table_id
        players = [player_of(either_runtime, game_id, seat) for seat in range(4)]
        outcomes = at_once(
            *(
                lambda player=player, table_id=table_id: plans.change_plan(
                    either_runtime, player, ASK, either_runtime.now(), table_id
                )
                for player in players
            ),
            lambda game_id=game_id: due_games.play_for_absent(either_runtime, game_id),
        )
        assert not [one for one in outcomes if isinstance(one, Exception)]
        check_replays(either_runtime, game_id)
        stored = load(either_runtime, game_id)
        assert awaited(stored) == stored.game.to_act
        assert stored.row.due_at is not None
        asked = [one for one in letters(either_runtime) if one.game_id == game_id and one.about != "pass"]
        asked = [one for one in asked if one.kind in QUESTIONS and one.state is LetterState.QUEUED]
        assert [one.seat for one in asked] == list(stored.game.to_act)


def test_a_plan_and_a_deadline_at_once_leave_a_game_that_goes_on(either_runtime):
    for _ in range(3):
        game_id = started(either_runtime, ASK, MATTERS, ASK, MATTERS)
        either_runtime.now.pass_by(PACE * 2)
        outcomes = at_once(*[lambda game_id=game_id: due_games.play_for_absent(either_runtime, game_id)] * 3)
        assert not [one for one in outcomes if isinstance(one, Exception)]
        check_replays(either_runtime, game_id)
        stored = load(either_runtime, game_id)
        assert awaited(stored) == stored.game.to_act
        assert stored.row.due_at is not None or stored.game.stage is Stage.OVER


def test_a_refused_change_of_plan_changes_nothing(runtime):
    game_id = started(runtime)
    before = dump(runtime)
    with pytest.raises(ValueError, match="limit"):
        plans.change_plan(runtime, 1, Plan(limit=3), runtime.now(), load(runtime, game_id).row.table_id)
    assert dump(runtime) == before
