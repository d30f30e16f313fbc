"""The path of a turn, and what must hold when several take it at once."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlmodel import select

from hearts.cards import NONE, Cards, rank
from hearts.game import IllegalTurn, Stage, apply, legal, new_game
from hearts.robot import Level, consider
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Deal, Pass, Play
from hearts.view import view
from tests.cast import (
    NAMES,
    PACE,
    letters,
    load,
    make_due_games,
    miss_deadline,
    play_first,
    play_hand,
    start_game,
    table,
    turn_link,
)
from tests.playing import QUICK, codes, pass_all, pass_lowest, records
from tests.submitting import posts_at_once
from webapp import service
from webapp.games import forced
from webapp.games.due import Due, due_of
from webapp.kinds import QUESTIONS
from webapp.models import GameState, LetterKind, TableState, TurnRow, TurnSource
from webapp.presentation.turn_text import claim_sentence
from webapp.robots.thinking import strongest
from webapp.site import make_site

# Hands by seat; in the second one Ann could take every trick from the top, or lose one to 5♠ with 4♠ if she wanted to.
ALL_THE_TOP = (
    "AC KC QC AD KD QD AS KS QS JS AH KH QH",
    "2C 3C 4C 5C 2D 3D 4D 5D 2S 3S 2H 3H 4H",
    "6C 7C 8C 6D 7D 8D 9D 4S 5S 6S 5H 6H 7H",
    "9C TC JC TD JD 7S 8S 9S TS 8H 9H TH JH",
)
ONE_SPADE_OUT = (
    "AC AS KS QS JS TS 9S 8S 7S 6S 4S 3S 2S",
    "2C 3C 4C 5C 2D 3D 4D 5D 5S 2H 3H 4H 5H",
    "6C 7C 8C 9C 6D 7D 8D 9D TD 6H 7H 8H 9H",
    "TC JC QC KC JD QD KD AD TH JH QH KH AH",
)


def play(runtime, game_id, pick, way=TurnSource.PAGE):
    """The awaited player plays what `pick` selects from their legal cards."""
    game = load(runtime, game_id).game
    (seat,) = game.to_act
    return service.take_turn(
        runtime, game_id, due_of(game, seat), Play(seat, pick(legal(game, seat))), way, runtime.now()
    )


def play_trick_of_high_cards(runtime, game_id):
    while not load(runtime, game_id).game.won:
        play(runtime, game_id, lambda cards: max(cards, key=rank))


def test_turns_are_numbered_without_gaps_from_one_and_name_their_source(runtime):
    game_id = start_game(runtime)
    play_hand(runtime, game_id)
    rows = records(runtime, game_id)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    assert load(runtime, game_id).row.turns == len(rows)
    assert {row.way for row in rows} - {TurnSource.CLAIM} == {TurnSource.FORCED, TurnSource.PAGE}


def test_the_only_legal_card_is_played_automatically(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    lead = next(row for row in records(runtime, game_id) if row.turn["turn"] == "play")
    assert (lead.turn["card"], lead.way) == ("2C", TurnSource.FORCED)
    play_hand(runtime, game_id)
    last_trick = [row for row in records(runtime, game_id) if row.turn["turn"] == "play"][-4:]
    assert {row.way for row in last_trick} in ({TurnSource.FORCED}, {TurnSource.CLAIM})
    assert not [letter for letter in letters(runtime, LetterKind.TURN) if letter.about == "trick 13"]


def test_a_rest_that_one_seat_must_win_is_played_at_once(runtime, monkeypatch):
    held = tuple(map(Cards.parse, ALL_THE_TOP))
    monkeypatch.setattr(forced, "deal", lambda rules, dealer, chance: Deal(dealer, held, NONE))
    game_id = start_game(runtime, rules=preset_rules("rulebook"))
    play_trick_of_high_cards(runtime, game_id)
    ways = [row.way for row in records(runtime, game_id) if row.turn["turn"] == "play"]
    assert ways[:4].count(TurnSource.PAGE) == 3
    assert ways[4:52] == [TurnSource.CLAIM] * 48
    assert load(runtime, game_id).game.scores[0].moon == 0
    sentence = claim_sentence(load(runtime, game_id).of_hand(1), NAMES)
    assert sentence == "From trick 2 on every trick had to go to Ann, so the rest played itself."
    asked = {letter.about for letter in letters(runtime, LetterKind.TURN) if letter.hand == 1}
    assert asked == {"trick 1"}, "nobody is asked for a turn that changes nothing"


def test_a_rest_that_could_be_lost_on_purpose_is_asked_for(runtime, monkeypatch):
    held = tuple(map(Cards.parse, ONE_SPADE_OUT))
    monkeypatch.setattr(forced, "deal", lambda rules, dealer, chance: Deal(dealer, held, NONE))
    game_id = start_game(runtime, rules=preset_rules("rulebook"))
    play_trick_of_high_cards(runtime, game_id)
    assert load(runtime, game_id).game.to_act == (0,)


def test_nobody_is_asked_the_same_question_twice(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    asked = [(letter.seat, letter.about) for letter in letters(runtime) if letter.kind in QUESTIONS]
    assert len(asked) == len(set(asked))
    assert Counter(about for _, about in asked)["pass"] == 4


def test_an_illegal_turn_changes_nothing(runtime):
    game_id = start_game(runtime)
    before = records(runtime, game_id)
    turn = Pass(Seat(0), Cards.of(list(load(runtime, game_id).game.held[1])[:3]))
    with pytest.raises(IllegalTurn):
        service.take_turn(runtime, game_id, Due(1, "pass"), turn, TurnSource.PAGE, runtime.now())
    assert records(runtime, game_id) == before


def test_an_expired_turn_is_answered_with_what_was_played(runtime):
    game_id = start_game(runtime)
    played = pass_lowest(runtime, game_id, 0).records[-1].turn
    with pytest.raises(service.TurnOver) as over:
        pass_lowest(runtime, game_id, 0)
    assert over.value.answer.turn == played


def test_twenty_simultaneous_posts_of_one_turn_make_one_record(either_runtime):
    runtime = either_runtime
    game_id = start_game(runtime)
    url = runtime.signer.local_url(turn_link(runtime, game_id, 0))
    held = list(load(runtime, game_id).game.held[0])
    before = len(records(runtime, game_id))
    statuses = posts_at_once(runtime, 20, lambda client: client.post(url, data={"card": codes(held[:3])}))
    assert statuses == {303: 20}, "the same cards again are the same success"
    assert len(records(runtime, game_id)) == before + 1


def test_of_twenty_different_answers_at_once_one_is_played_and_the_others_learn_which(either_runtime):
    runtime = either_runtime
    game_id = start_game(runtime)
    url = runtime.signer.local_url(turn_link(runtime, game_id, 0))
    held = list(load(runtime, game_id).game.held[0])
    choices = iter([codes([held[n % 13], held[(n + 1) % 13], held[(n + 5) % 13]]) for n in range(13)])
    statuses = posts_at_once(runtime, 13, lambda client: client.post(url, data={"card": next(choices)}))
    assert statuses == {303: 1, 409: 12}
    assert [row.turn["turn"] for row in records(runtime, game_id)] == ["deal", "pass"]


def test_a_post_and_the_sweep_at_the_deadline_make_one_record(either_runtime):
    runtime = either_runtime
    for _ in range(4):
        game_id = start_game(runtime)
        pass_all(runtime, game_id, range(1, 4))
        before = len(records(runtime, game_id))
        runtime.now.pass_by(PACE + timedelta(seconds=1))
        url = runtime.signer.local_url(turn_link(runtime, game_id, 0))
        held = list(load(runtime, game_id).game.held[0])
        barrier = threading.Barrier(2)

        def sweep(game_id=game_id, barrier=barrier):
            barrier.wait()
            return service.play_for_absent(runtime, game_id)

        def click(url=url, held=held, barrier=barrier):
            with make_site(runtime).test_client() as client:
                barrier.wait()
                return client.post(url, data={"card": codes(held[:3])}).status_code

        with ThreadPoolExecutor(2) as pool:
            swept, clicked = pool.submit(sweep), pool.submit(click)
        passes = [row for row in records(runtime, game_id)[before:] if row.turn["turn"] == "pass"]
        assert len(passes) == 1
        assert (swept.result() >= 1) == (passes[0].way is TurnSource.TIMEOUT)
        assert clicked.result() in (303, 409)


def test_two_schedulers_play_each_of_many_due_games_once(either_runtime):
    runtime = either_runtime
    games = 20 if runtime.settings.database_url else 8  # on SQLite they take turns anyway
    make_due_games(runtime, games, Level.RULE)
    barrier = threading.Barrier(2)

    def sweep_and_play(_):
        barrier.wait()
        claimed = service.claim_due(runtime, runtime.now())
        return claimed, sum(service.play_for_absent(runtime, game_id) for game_id in claimed)

    with ThreadPoolExecutor(2) as pool:
        (one, played), (other, also_played) = pool.map(sweep_and_play, range(2))
    assert sorted(one + other) == list(range(1, games + 1))
    with runtime.database.reading() as session:
        turns = session.exec(select(TurnRow.game_id, TurnRow.turn, TurnRow.way)).all()
    passes = Counter((game, turn["seat"]) for game, turn, _ in turns if turn["turn"] == "pass")
    assert passes == {(game, seat): 1 for game in range(1, games + 1) for seat in range(4)}
    assert played + also_played == sum(way in (TurnSource.ROBOT, TurnSource.TIMEOUT) for *_, way in turns)


def test_two_workers_on_the_same_games_play_each_robot_once(either_runtime):
    runtime = either_runtime
    make_due_games(runtime, 8, Level.RULE)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda game: service.play_for_absent(runtime, game), [*range(1, 9)] * 2))
    for game in range(1, 9):
        passes = [row.turn["seat"] for row in records(runtime, game) if row.turn["turn"] == "pass"]
        assert sorted(passes) == [0, 1, 2, 3]


def test_a_claimed_game_is_due_again_when_its_lease_is_over(runtime):
    game_id = start_game(runtime, NAMES[:1], robots=3)
    assert service.claim_due(runtime, runtime.now()) == [game_id]
    assert service.claim_due(runtime, runtime.now()) == []
    runtime.now.pass_by(service.LEASES[0])
    assert service.claim_due(runtime, runtime.now()) == [game_id]


def test_a_player_who_misses_the_deadline_is_played_for_and_notified(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id, range(3))
    assert service.play_for_absent(runtime, game_id) == 0, "the deadline is not over"
    assert miss_deadline(runtime, game_id) == 1
    assert records(runtime, game_id)[4].way is TurnSource.TIMEOUT
    assert [letter.seat for letter in letters(runtime, LetterKind.PLAYED_FOR_YOU)] == [3]


def test_passing_does_not_move_the_deadline_of_the_others(runtime):
    game_id = start_game(runtime)
    due_at = load(runtime, game_id).row.due_at
    runtime.now.pass_by(timedelta(hours=5))
    pass_lowest(runtime, game_id, 0)
    assert load(runtime, game_id).row.due_at == due_at


def test_each_card_has_its_own_deadline(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    runtime.now.pass_by(timedelta(hours=5))
    play_first(runtime, game_id)
    assert load(runtime, game_id).row.due_at == runtime.now() + PACE


def test_every_hand_sends_each_player_one_score_sheet_and_the_end_a_final_one(runtime):
    game_id = start_game(runtime, NAMES[:2], robots=2, rules=QUICK)
    while load(runtime, game_id).game.stage is not Stage.OVER:
        service.play_for_absent(runtime, game_id)
        runtime.now.pass_by(PACE)
    stored = load(runtime, game_id)
    hands = range(1, len(stored.game.scores) + 1)
    sheets = [(letter.seat, letter.hand) for letter in letters(runtime, LetterKind.SCORE_SHEET)]
    assert sorted(sheets) == [(seat, hand) for seat in (0, 1) for hand in hands]
    assert [letter.seat for letter in letters(runtime, LetterKind.FINAL_SHEET)] == [0, 1]
    assert stored.row.state is GameState.OVER
    assert (stored.row.due_at, stored.row.wake_at) == (None, None)
    assert table(runtime, stored.row.table_id).state is TableState.OVER


def test_a_game_loaded_at_an_earlier_turn_is_the_game_as_it_was_then(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    with runtime.database.reading() as session:
        then = service.store.load(session, game_id, turns=1)
    assert then.game.stage is Stage.PASS
    assert then.game.to_act == (0, 1, 2, 3)


def test_every_automatic_card_can_be_reproduced_from_its_record(runtime):
    game_id = start_game(runtime, NAMES[:2], robots=2)
    miss_deadline(runtime, game_id)
    automatic = [
        record for record in load(runtime, game_id).records if record.source in (TurnSource.TIMEOUT, TurnSource.ROBOT)
    ]
    assert {record.source: record.choice["level"] for record in automatic} == {
        TurnSource.ROBOT: "rule",
        TurnSource.TIMEOUT: "strong",
    }
    game = new_game(load(runtime, game_id).game.rules)
    for turn, _, choice, *_ in load(runtime, game_id).records:
        if choice:
            asked = {"level": Level(choice["level"]), "playouts": choice["playouts"], "seed": choice["seed"]}
            assert consider(view(game, turn.seat), **asked).turn == turn
        game = apply(game, turn)


@pytest.mark.parametrize(("waiting", "level"), [(0, "strong"), (200, "strong"), (201, "steady"), (2001, "rule")])
def test_the_longer_the_queue_the_shorter_the_robot_thinks(waiting, level):
    assert strongest(waiting) == level
