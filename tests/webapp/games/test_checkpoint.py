"""A running game is folded from its checkpoint, and is what it is when all its records are folded."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from sqlmodel import Session, col, update

from hearts.cycle import apply_to_hand, new_cycle
from hearts.deal import deal, dealer_after, hands_at_once
from hearts.game import IllegalTurn, Stage
from hearts.rules import Rules, preset_rules, rules_mapping
from hearts.seats import Seat
from hearts.turns import Deal
from tests.cast import load, load_to_change, play_first, play_hand, start_game
from tests.hearts.builders import random_turn
from tests.playing import in_play
from tests.statements import turns_read
from webapp.core.runtime import Runtime
from webapp.games import checkpoint, store
from webapp.games.checkpoint import (
    BEGINNING,
    UNASKED,
    Asked,
    Checkpoint,
    before_deal,
    checkpoint_mapping,
    checkpoint_of,
    parse_checkpoint,
)
from webapp.games.pace import is_first_question
from webapp.games.records import Record
from webapp.games.running import running_games
from webapp.games.store import NotLoaded, Stored, Whole
from webapp.models import GameRow, GameState, PlayerRow, SeatRow, SeatState, TableRow, TableState, TurnSource

FOUR = preset_rules("classic", target=500)
SHORT = {"target": 200}
PRESETS = [
    *(preset_rules(name, **SHORT) for name in ("classic", "rulebook", "club", "partners", "omnibus")),
    preset_rules("kitty", players=3, **SHORT),
    preset_rules("cancellation", players=6, **SHORT),
]


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.preset)
def test_from_its_checkpoint_a_game_is_the_same_after_every_record(runtime: Runtime, rules: Rules) -> None:
    hands = 4 if rules.preset == "classic" else 2
    for kept, truth in loaded_after_each(runtime, rules, 1, hands, every=1 if hands == 4 else 7):
        check_same(kept, truth)


@pytest.mark.parametrize("rules", [preset_rules("classic", **SHORT), preset_rules("kitty", players=3, **SHORT)])
def test_and_so_is_one_of_hands_side_by_side(runtime: Runtime, rules: Rules) -> None:
    at_once = hands_at_once(rules)[-1]
    for kept, truth in loaded_after_each(runtime, rules, at_once, 2 * at_once, every=23):
        check_same(kept, truth)


def test_an_older_checkpoint_is_as_good_and_a_missing_one_comes_with_the_next_deal(either_runtime: Runtime) -> None:
    """The program of an earlier version deals without writing one."""
    runtime, game_id = either_runtime, start_game(either_runtime, rules=FOUR)
    play_hand(runtime, game_id)
    first = load(runtime, game_id).row.checkpoint
    play_hand(runtime, game_id)
    second = load(runtime, game_id).row.checkpoint
    for kept, hand in ((second, 3), (first, 2), (None, 1)):
        set_checkpoint(runtime, game_id, kept)
        found = in_play(runtime, game_id)
        assert (found.latest[0].turn.__class__, found.latest[0].hand) == (Deal, hand)
        assert found.cycle == load(runtime, game_id).cycle
        with runtime.database.reading() as session:
            assert [(one.hand.hand, one.hand.deal) for one in running_games(session, 1)] == [(3, found.game.deal)]
    play_hand(runtime, game_id)
    assert len(checkpoint_of(load(runtime, game_id).row).scores) == 3
    assert in_play(runtime, game_id).latest[0].hand == 4


def test_a_checkpoint_is_parsed_once_until_its_row_has_another(
    runtime: Runtime, game_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_hand(runtime, game_id)
    kept, parsed = load(runtime, game_id).row.checkpoint, []

    def noted(mapping: dict[str, Any]) -> Checkpoint:
        parsed.append(mapping)
        return parse_checkpoint(mapping)

    monkeypatch.setattr(checkpoint, "parse_checkpoint", noted)
    other = {**kept, "scores": [{**kept["scores"][0], "totals": [1, 2, 3, 4]}]}
    for written in (other, other, kept):
        set_checkpoint(runtime, game_id, written)
        assert checkpoint_mapping(in_play(runtime, game_id).start) == written
    assert parsed == [other, kept]


def test_records_before_the_hands_in_play_are_refused_where_they_were_not_read(runtime: Runtime, game_id: int) -> None:
    play_hand(runtime, game_id)
    found = in_play(runtime, game_id)
    assert not isinstance(found, Whole)
    assert (found.of_hand(2), found.since(found.start.turns)) == (found.latest, found.latest)
    with pytest.raises(NotLoaded):
        found.of_hand(1)
    with pytest.raises(NotLoaded):
        found.since(found.start.turns - 1)


@pytest.mark.parametrize(("at_once", "cycles"), [(1, 3), (4, 2)])
def test_of_an_earlier_hand_its_records_alone_are_had(runtime: Runtime, at_once: int, cycles: int) -> None:
    game_id = random_game(runtime, at_once, at_once * cycles)
    everything = load(runtime, game_id)
    with runtime.database.reading() as session:
        found = store.load(session, game_id)
        read = turns_read(runtime)
        for hand in range(1, at_once * (cycles + 1) + 1):
            assert store.records_of(session, found, hand) == everything.of_hand(hand)
    after = [parameters[1] for parameters in read]
    assert after == [0] * (cycles - 1) * at_once + [found.start.last_cycle] * at_once, "the last one needs no others"


def test_only_the_records_since_the_last_deal_are_read(runtime: Runtime, game_id: int) -> None:
    for _ in range(2):
        play_hand(runtime, game_id)
    row = load(runtime, game_id).row
    another = Runtime(runtime.settings, runtime.now)
    read = turns_read(another)
    assert len(in_play(another, game_id).latest) == 1
    assert read == [(game_id, row.turns - 1)]
    another.database.engine.dispose()


def test_as_it_was_before_the_last_deal_a_game_is_read_from_its_first_one(runtime: Runtime, game_id: int) -> None:
    play_hand(runtime, game_id)
    turns = load(runtime, game_id).row.turns
    play_first(runtime, game_id)
    with runtime.database.reading() as session:
        at_end, dealt, after = (store.load(session, game_id, turns=number) for number in (turns - 1, turns, turns + 1))
    assert isinstance(at_end, Whole)
    assert (at_end.game.stage, at_end.game.hand, at_end.turns) == (Stage.DEAL, 1, turns - 1)
    assert [len(one.latest) for one in (dealt, after)] == [1, 2]


def test_a_game_that_is_over_is_read_whole(runtime: Runtime, game_id: int) -> None:
    play_hand(runtime, game_id)
    with runtime.database.writing() as session:
        session.exec(update(GameRow).values(state=GameState.OVER))
    found = in_play(runtime, game_id)
    assert isinstance(found, Whole)
    assert {one.hand for one in found.records} == {1}, "of an ended game only the finished hands are loaded"


def test_who_was_asked_in_an_earlier_hand_is_not_asked_for_the_first_time(runtime: Runtime, game_id: int) -> None:
    assert is_first_question(in_play(runtime, game_id), Seat(0))
    play_hand(runtime, game_id)
    found = in_play(runtime, game_id)
    assert not isinstance(found, Whole)
    assert [is_first_question(found, Seat(seat)) for seat in range(4)] == [False] * 4


def test_a_checkpoint_that_disagrees_is_logged_as_soon_as_the_whole_game_is_read(
    runtime: Runtime, game_id: int, caplog: pytest.LogCaptureFixture
) -> None:
    play_hand(runtime, game_id)
    kept = load(runtime, game_id).row.checkpoint
    kept["scores"][0]["totals"][0] += 1
    set_checkpoint(runtime, game_id, kept)
    in_play(runtime, game_id)
    assert not caplog.messages
    with runtime.database.reading() as session:
        store.load_whole(session, game_id)
    assert [message for message in caplog.messages if f"game {game_id}: its checkpoint disagrees" in message]


@pytest.mark.parametrize(
    "bent", [{"turns": 0}, {"turns": "57"}, {"last_cycle": -1}, {"scores": [{}]}, {"asked": [{"way": "dream"}]}]
)
def test_a_checkpoint_that_cannot_be_read_is_passed_over(runtime: Runtime, game_id: int, bent: dict[str, Any]) -> None:
    play_hand(runtime, game_id)
    row = load(runtime, game_id).row
    assert checkpoint_mapping(parse_checkpoint(row.checkpoint)) == row.checkpoint
    set_checkpoint(runtime, game_id, {**row.checkpoint, **bent})
    assert isinstance(in_play(runtime, game_id), Whole)


@pytest.mark.parametrize("at_once", [1, 4])
def test_a_checkpoint_of_other_records_does_not_load(runtime: Runtime, at_once: int) -> None:
    """The first record after it is no deal, or not that of the next hand."""
    game_id = random_game(runtime, at_once, at_once)
    kept = load(runtime, game_id).row.checkpoint
    for turns in (kept["turns"] - 1, kept["turns"] + 1):
        set_checkpoint(runtime, game_id, {**kept, "turns": turns})
        with pytest.raises(IllegalTurn):
            in_play(runtime, game_id)


def random_game(runtime: Runtime, at_once: int, hands: int) -> int:
    """A random game that has a few records of the hands after so many. Returns its id."""
    *_, (kept, _) = loaded_after_each(runtime, FOUR, at_once, hands, every=10**6)
    return kept.id


def test_a_checkpoint_that_cuts_hands_side_by_side_apart_or_is_ahead_of_the_game_disagrees(runtime: Runtime) -> None:
    found = load_to_change(runtime, random_game(runtime, 4, 4))
    kept = found.row.checkpoint
    three = [record for record in found.records if record.hand <= 3]
    cut = checkpoint_mapping(before_deal(BEGINNING, three, found.cycle.scores[:3], 4, 4))
    for bent in (cut, {**kept, "scores": kept["scores"] * 2}):
        found.row.checkpoint = bent
        assert store.has_bent_checkpoint(found)


class Truth:
    """A game whose every turn was folded here, and never read back."""

    def __init__(self, rules: Rules, at_once: int) -> None:
        self.cycle = new_cycle(rules, at_once)
        self.records: list[Record] = []

    def add(self, record: Record, hand: int) -> None:
        self.cycle = apply_to_hand(self.cycle, hand, record.turn)
        self.records.append(record._replace(hand=hand, number=len(self.records) + 1))

    def last_asked(self, seat: int) -> Asked | None:
        mine = [one for one in self.records if getattr(one.turn, "seat", None) == seat and one.source not in UNASKED]
        return Asked(mine[-1].number, mine[-1].source) if mine else None


def loaded_after_each(
    runtime: Runtime, rules: Rules, at_once: int, hands: int, every: int
) -> Iterator[tuple[Stored, Truth]]:
    """A random game as it is loaded after each deal and after `every` few records, with what it should be.

    It ends a few records after so many hands.
    """
    rng, truth = random.Random(5), Truth(rules, at_once)
    dealer, rest = Seat(rng.randrange(rules.players)), 10
    with runtime.database.writing() as session:
        stored: Stored = new_game(session, rules, at_once, runtime)
        while rest and truth.cycle.stage is not Stage.OVER:
            is_deal = truth.cycle.stage is Stage.DEAL
            stored = stored if is_deal else stored.at(rng.choice(truth.cycle.open_hands).hand)
            turn = deal(rules, dealer, rng) if is_deal else random_turn(stored.game, rng, None)
            dealer = dealer_after(dealer, rules) if is_deal else dealer
            record = Record(turn, rng.choice(list(TurnSource)))
            stored = store.append(session, stored, record, runtime.now())
            truth.add(record, stored.game.hand)
            if is_deal or len(truth.records) % every == 0:
                stored = store.load(session, stored.id, lock=True)
                yield stored, truth
            rest -= len(truth.cycle.scores) >= hands
        check_whole(session, stored.id, truth)


def new_game(session: Session, rules: Rules, at_once: int, runtime: Runtime) -> Stored:
    """A game before its first deal, as rows: Ann, whose row is number 1, plays against robots."""
    now = runtime.now()
    host = PlayerRow(address="ann@example.org", name="Ann", created_at=now)
    session.add(host)
    session.flush()
    pace = {"pass_seconds": 86400, "play_seconds": 86400}
    table = TableRow(
        code="7F3K", host_id=host.id, rules=rules_mapping(rules), state=TableState.PLAYING, created_at=now, **pace
    )
    session.add(table)
    session.flush()
    session.add(SeatRow(table_id=table.id, seat=0, player_id=host.id, name="Ann", state=SeatState.HOST))
    robots = ((seat, f"Robot {seat}") for seat in range(1, rules.players))
    session.add_all(SeatRow(table_id=table.id, seat=seat, name=name, state=SeatState.ROBOT) for seat, name in robots)
    row = GameRow(table_id=table.id, number=1, state=GameState.PLAYING, at_once=at_once, started_at=now)
    session.add(row)
    session.flush()
    return store.load(session, row.id, lock=True)


def check_same(kept: Stored, truth: Truth) -> None:
    assert kept.cycle == truth.cycle
    assert list(kept.latest) == truth.records[kept.start.turns :]
    assert kept.turns == len(truth.records)
    dealt_before = (truth.cycle.hands[0].hand - 1) // truth.cycle.at_once * truth.cycle.at_once
    assert len(kept.start.scores) == dealt_before
    for seat in range(truth.cycle.rules.players):
        assert kept.last_asked(Seat(seat)) == truth.last_asked(seat)


def check_whole(session: Session, game_id: int, truth: Truth) -> None:
    everything = store.load_whole(session, game_id)
    assert list(everything.records) == truth.records
    assert everything == store.whole(session, store.load(session, game_id))
    assert everything.row.checkpoint
    check_listed(session, truth)
    assert not store.has_bent_checkpoint(everything)


def check_listed(session: Session, truth: Truth) -> None:
    """The list of Ann's games, which reads them in a way of its own, has a hand of this one as it is."""
    (listed,) = running_games(session, 1)
    game = truth.cycle.hand(listed.hand.hand)
    assert game is not None
    for part in ("stage", "to_act", "deal", "passes", "on_table", "gathered", "held_masks", "allowed_mask"):
        assert getattr(listed.hand, part) == getattr(game, part)


def set_checkpoint(runtime: Runtime, game_id: int, kept: dict[str, Any] | None) -> None:
    with runtime.database.writing() as session:
        session.exec(update(GameRow).where(col(GameRow.id) == game_id).values(checkpoint=kept))
