"""The path of a turn, and what must hold when several want to go it at once."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlmodel import select

from hearts.cards import NONE, Cards, card_text, rank
from hearts.game import Game, IllegalTurn, Stage, apply, legal
from hearts.robot import Level, consider
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Deal, Pass, Play
from hearts.view import view
from tests.cast import NAMES, PACE, letters, load, make_due_games, miss_deadline, start_game, table, turn_link
from webapp import service
from webapp.games.due import Due, due_of
from webapp.models import GameState, LetterKind, TableState, TurnRow, Way
from webapp.outbox.letters import QUESTIONS
from webapp.presentation.told import how_it_was_claimed
from webapp.robots.thinking import strongest
from webapp.site import make_site

QUICK = preset_rules("quick", target=30)
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


def pass_lowest(parts, game_id, seat):
    held = load(parts, game_id).game.held[seat]
    turn = Pass(Seat(seat), Cards.of(list(held)[:3]))
    return service.take_turn(parts, game_id, Due(1, "pass"), turn, Way.PAGE, parts.now())


def pass_all(parts, game_id, seats=range(4)):
    for seat in seats:
        pass_lowest(parts, game_id, seat)


def play_first(parts, game_id, way=Way.PAGE):
    """Whoever is awaited plays the first of her legal cards."""
    return play(parts, game_id, lambda cards: next(iter(cards)), way)


def play(parts, game_id, pick, way=Way.PAGE):
    """Whoever is awaited plays what `pick` takes of her legal cards."""
    game = load(parts, game_id).game
    (seat,) = game.to_act
    return service.take_turn(parts, game_id, due_of(game, seat), Play(seat, pick(legal(game, seat))), way, parts.now())


def play_trick_of_high_cards(parts, game_id):
    while not load(parts, game_id).game.won:
        play(parts, game_id, lambda cards: max(cards, key=rank))


def records(parts, game_id):
    with parts.database.reading() as rows:
        return rows.exec(select(TurnRow).where(TurnRow.game_id == game_id).order_by(TurnRow.number)).all()


def posts_at_once(parts, count, post):
    """`post(client)` by `count` browsers at the same moment. Returns the statuses."""
    site = make_site(parts)
    barrier = threading.Barrier(count)

    def one(_):
        with site.test_client() as client:
            barrier.wait()
            return post(client).status_code

    with ThreadPoolExecutor(count) as pool:
        return Counter(pool.map(one, range(count)))


def test_turns_are_numbered_without_gaps_from_one_and_say_by_what_way(parts):
    game_id = start_game(parts)
    pass_all(parts, game_id)
    while load(parts, game_id).game.hand == 1:
        play_first(parts, game_id)
    rows = records(parts, game_id)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    assert load(parts, game_id).row.turns == len(rows)
    assert {row.way for row in rows} - {Way.CLAIM} == {Way.FORCED, Way.PAGE}


def test_the_only_legal_card_plays_itself(parts):
    game_id = start_game(parts)
    pass_all(parts, game_id)
    lead = next(row for row in records(parts, game_id) if row.turn["turn"] == "play")
    assert (lead.turn["card"], lead.way) == ("2C", Way.FORCED)
    while load(parts, game_id).game.hand == 1:
        play_first(parts, game_id)
    last_trick = [row for row in records(parts, game_id) if row.turn["turn"] == "play"][-4:]
    assert {row.way for row in last_trick} in ({Way.FORCED}, {Way.CLAIM})
    assert not [letter for letter in letters(parts, LetterKind.TURN) if letter.about == "trick 13"]


def test_a_rest_that_one_seat_cannot_but_win_is_played_at_once(parts, monkeypatch):
    held = tuple(map(Cards.parse, ALL_THE_TOP))
    monkeypatch.setattr(service, "deal", lambda rules, dealer, chance: Deal(dealer, held, NONE))
    game_id = start_game(parts, rules=preset_rules("rulebook"))
    play_trick_of_high_cards(parts, game_id)
    ways = [row.way for row in records(parts, game_id) if row.turn["turn"] == "play"]
    assert ways[:4].count(Way.PAGE) == 3
    assert ways[4:52] == [Way.CLAIM] * 48
    assert load(parts, game_id).game.scores[0].moon == 0
    told = how_it_was_claimed(load(parts, game_id).records, 1, NAMES)
    assert told == "From trick 2 on every trick had to go to Ann, so the rest played itself."
    assert how_it_was_claimed(load(parts, game_id).records, 9, NAMES) is None, "there was no such hand"
    asked = {letter.about for letter in letters(parts, LetterKind.TURN) if letter.hand == 1}
    assert asked == {"trick 1"}, "nobody is asked for what can change nothing"


def test_a_rest_that_might_be_lost_on_purpose_is_asked_for(parts, monkeypatch):
    held = tuple(map(Cards.parse, ONE_SPADE_OUT))
    monkeypatch.setattr(service, "deal", lambda rules, dealer, chance: Deal(dealer, held, NONE))
    game_id = start_game(parts, rules=preset_rules("rulebook"))
    play_trick_of_high_cards(parts, game_id)
    assert load(parts, game_id).game.to_act == (0,)


def test_nobody_is_asked_twice_for_the_same_thing(parts):
    game_id = start_game(parts)
    pass_all(parts, game_id)
    asked = [(letter.seat, letter.about) for letter in letters(parts) if letter.kind in QUESTIONS]
    assert len(asked) == len(set(asked))
    assert Counter(about for _, about in asked)["pass"] == 4


def test_a_turn_that_the_rules_refuse_changes_nothing(parts):
    game_id = start_game(parts)
    before = records(parts, game_id)
    turn = Pass(Seat(0), Cards.of(list(load(parts, game_id).game.held[1])[:3]))
    with pytest.raises(IllegalTurn):
        service.take_turn(parts, game_id, Due(1, "pass"), turn, Way.PAGE, parts.now())
    assert records(parts, game_id) == before


def test_a_turn_that_is_over_answers_with_what_was_played(parts):
    game_id = start_game(parts)
    played = pass_lowest(parts, game_id, 0).records[-1].turn
    with pytest.raises(service.TurnOver) as over:
        pass_lowest(parts, game_id, 0)
    assert over.value.answer.turn == played


def test_twenty_simultaneous_posts_of_one_turn_make_one_record(either_parts):
    parts = either_parts
    game_id = start_game(parts)
    url = parts.signer.local_url(turn_link(parts, game_id, 0))
    held = list(load(parts, game_id).game.held[0])
    before = len(records(parts, game_id))
    statuses = posts_at_once(parts, 20, lambda client: client.post(url, data={"card": codes(held[:3])}))
    assert statuses == {303: 20}, "the same cards again are the same success"
    assert len(records(parts, game_id)) == before + 1


def test_of_twenty_different_answers_at_once_one_is_played_and_the_others_are_told(either_parts):
    parts = either_parts
    game_id = start_game(parts)
    url = parts.signer.local_url(turn_link(parts, game_id, 0))
    held = list(load(parts, game_id).game.held[0])
    choices = iter([codes([held[n % 13], held[(n + 1) % 13], held[(n + 5) % 13]]) for n in range(13)])
    statuses = posts_at_once(parts, 13, lambda client: client.post(url, data={"card": next(choices)}))
    assert statuses == {303: 1, 409: 12}
    assert [row.turn["turn"] for row in records(parts, game_id)] == ["deal", "pass"]


def test_a_post_against_the_deadlines_sweep_makes_one_record(either_parts):
    parts = either_parts
    for _ in range(6):
        game_id = start_game(parts)
        pass_all(parts, game_id, range(1, 4))
        before = len(records(parts, game_id))
        parts.now.pass_by(PACE + timedelta(seconds=1))
        url = parts.signer.local_url(turn_link(parts, game_id, 0))
        held = list(load(parts, game_id).game.held[0])
        barrier = threading.Barrier(2)

        def sweep(game_id=game_id, barrier=barrier):
            barrier.wait()
            return service.play_for_absent(parts, game_id)

        def click(url=url, held=held, barrier=barrier):
            with make_site(parts).test_client() as client:
                barrier.wait()
                return client.post(url, data={"card": codes(held[:3])}).status_code

        with ThreadPoolExecutor(2) as pool:
            swept, clicked = pool.submit(sweep), pool.submit(click)
        passes = [row for row in records(parts, game_id)[before:] if row.turn["turn"] == "pass"]
        assert len(passes) == 1
        assert (swept.result() >= 1) == (passes[0].way is Way.TIMEOUT)
        assert clicked.result() in (303, 409)


def test_two_schedulers_over_200_due_games_have_each_played_once(either_parts):
    parts = either_parts
    games = 200 if parts.settings.database_url else 50  # on SQLite they take turns anyway
    make_due_games(parts, games, Level.RULE)
    barrier = threading.Barrier(2)

    def sweep_and_play(_):
        barrier.wait()
        claimed = service.claim_due(parts, parts.now())
        return claimed, sum(service.play_for_absent(parts, game_id) for game_id in claimed)

    with ThreadPoolExecutor(2) as pool:
        (one, played), (other, also_played) = pool.map(sweep_and_play, range(2))
    assert sorted(one + other) == list(range(1, games + 1))
    with parts.database.reading() as rows:
        turns = rows.exec(select(TurnRow.game_id, TurnRow.turn, TurnRow.way)).all()
    passes = Counter((game, turn["seat"]) for game, turn, _ in turns if turn["turn"] == "pass")
    assert passes == {(game, seat): 1 for game in range(1, games + 1) for seat in range(4)}
    assert played + also_played == sum(way in (Way.ROBOT, Way.TIMEOUT) for *_, way in turns)


def test_two_workers_on_the_same_games_play_each_robot_once(either_parts):
    parts = either_parts
    make_due_games(parts, 20, Level.RULE)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda game: service.play_for_absent(parts, game), [*range(1, 21)] * 2))
    for game in range(1, 21):
        passes = [row.turn["seat"] for row in records(parts, game) if row.turn["turn"] == "pass"]
        assert sorted(passes) == [0, 1, 2, 3]


def test_a_claimed_game_is_due_again_once_its_lease_is_over(parts):
    game_id = start_game(parts, NAMES[:1], robots=3)
    assert service.claim_due(parts, parts.now()) == [game_id]
    assert service.claim_due(parts, parts.now()) == []
    parts.now.pass_by(service.LEASES[0])
    assert service.claim_due(parts, parts.now()) == [game_id]


def test_whoever_misses_the_deadline_is_played_for_and_told(parts):
    game_id = start_game(parts)
    pass_all(parts, game_id, range(3))
    assert service.play_for_absent(parts, game_id) == 0, "the deadline is not over"
    assert miss_deadline(parts, game_id) == 1
    assert records(parts, game_id)[4].way is Way.TIMEOUT
    assert [letter.seat for letter in letters(parts, LetterKind.PLAYED_FOR_YOU)] == [3]


def test_passing_does_not_move_the_deadline_of_those_who_have_not(parts):
    game_id = start_game(parts)
    due_at = load(parts, game_id).row.due_at
    parts.now.pass_by(timedelta(hours=5))
    pass_lowest(parts, game_id, 0)
    assert load(parts, game_id).row.due_at == due_at


def test_each_card_has_a_deadline_of_its_own(parts):
    game_id = start_game(parts)
    pass_all(parts, game_id)
    parts.now.pass_by(timedelta(hours=5))
    play_first(parts, game_id)
    assert load(parts, game_id).row.due_at == parts.now() + PACE


def test_every_hand_brings_each_player_one_score_sheet_and_the_end_a_final_one(parts):
    game_id = start_game(parts, NAMES[:2], robots=2, rules=QUICK)
    while load(parts, game_id).game.stage is not Stage.OVER:
        service.play_for_absent(parts, game_id)
        parts.now.pass_by(PACE)
    stored = load(parts, game_id)
    hands = range(1, len(stored.game.scores) + 1)
    sheets = [(letter.seat, letter.hand) for letter in letters(parts, LetterKind.SCORE_SHEET)]
    assert sorted(sheets) == [(seat, hand) for seat in (0, 1) for hand in hands]
    assert [letter.seat for letter in letters(parts, LetterKind.FINAL_SHEET)] == [0, 1]
    assert stored.row.state is GameState.OVER
    assert (stored.row.due_at, stored.row.wake_at) == (None, None)
    assert table(parts, stored.row.table_id).state is TableState.OVER


def test_a_game_loaded_as_of_an_earlier_turn_is_the_game_of_then(parts):
    game_id = start_game(parts)
    pass_all(parts, game_id)
    with parts.database.reading() as rows:
        then = service.store.load(rows, game_id, turns=1)
    assert then.game.stage is Stage.PASS
    assert then.game.to_act == (0, 1, 2, 3)


def codes(cards):
    return [card_text(card) for card in cards]


def test_every_automatic_card_can_be_found_again_from_its_record(parts):
    game_id = start_game(parts, NAMES[:2], robots=2)
    miss_deadline(parts, game_id)
    automatic = [record for record in load(parts, game_id).records if record.way in (Way.TIMEOUT, Way.ROBOT)]
    assert {record.way: record.choice["level"] for record in automatic} == {Way.ROBOT: "rule", Way.TIMEOUT: "strong"}
    game = Game(load(parts, game_id).game.rules)
    for turn, _, choice in load(parts, game_id).records:
        if choice:
            asked = {"level": Level(choice["level"]), "playouts": choice["playouts"], "seed": choice["seed"]}
            assert consider(view(game, turn.seat), **asked).turn == turn
        game = apply(game, turn)


@pytest.mark.parametrize(("waiting", "level"), [(0, "strong"), (200, "strong"), (201, "steady"), (2001, "rule")])
def test_the_longer_the_queue_the_shorter_the_thought(waiting, level):
    assert strongest(waiting) == level
