"""A card chosen ahead: kept until the turn, played with it, and not lost to what happens at the same moment."""

from dataclasses import replace

import pytest

from hearts.cards import HEARTS, suit
from hearts.game import Stage, legal
from hearts.seats import Seat
from hearts.turns import Play
from tests.cast import PACE, leave, letters
from tests.playing import waiting_game
from tests.races import at_once, check_replays
from tests.table import ask_all
from tests.webapp.chosen_ahead import choose, due, with_a_heart_led
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import awaited
from webapp.games.record.store import TableGame
from webapp.models import LetterKind, TurnSource
from webapp.play import taking
from webapp.players import ahead

ANN, BO, CY, DI = map(Seat, range(4))


@pytest.fixture
def table(runtime, same_seed):
    """Bo has led, Cy is to play, Di and Ann follow; each has a choice of cards."""
    return waiting_game(runtime)


@pytest.fixture
def hearts_led(runtime, same_seed):
    return with_a_heart_led(runtime)


def lowest_of(table, seat):
    return min(table.game.held[seat] & HEARTS)


@pytest.mark.parametrize("comes", ["before", "with", "after"])
def test_one_card_serves_before_and_at_the_turn(runtime, table, comes):
    what, card = due(table), table.following_cards(DI)[0]
    if comes == "before":
        assert choose(table, DI, card, what) is True
    table.play_first()
    if comes == "with":
        assert choose(table, DI, card, what) is False
    if comes == "after":
        table.play_first()
        with pytest.raises(ahead.TooLate):
            choose(table, DI, card, what)
    else:
        (source,) = [one.source for one in table.records if one.turn == Play(DI, card)]
        assert source is (TurnSource.PAGE if comes == "with" else TurnSource.AHEAD)


def test_a_card_that_cannot_follow_is_refused(runtime, table):
    game, led = table.game, suit(table.game.on_table[0])
    with pytest.raises(ahead.Barred, match="to this trick"):
        choose(table, DI, next(card for card in game.held[DI] if suit(card) is not led))
    assert table.seats[DI].ahead is None


@pytest.mark.parametrize("is_turn", [False, True], ids=["before the turn", "at the turn"])
def test_a_card_chosen_before_points_fell_is_refused(runtime, hearts_led, is_turn):
    what, card = due(hearts_led), lowest_of(hearts_led, DI if is_turn else ANN)
    hearts_led.play_first()
    turns = hearts_led.stored.row.turns
    with pytest.raises(ahead.HasPoints, match="then the trick got points"):
        choose(hearts_led, DI if is_turn else ANN, card, what, seen=1)
    assert hearts_led.stored.row.turns == turns
    assert not any(seat.ahead for seat in hearts_led.stored.seats)


def test_points_drop_the_card_and_its_player_is_asked(runtime, hearts_led):
    choose(hearts_led, DI, lowest_of(hearts_led, DI))
    hearts_led.play_first()
    stored = hearts_led.stored
    assert awaited(stored) == (DI,)
    trick = f"trick {stored.game.trick}"
    leave(runtime)
    assert [one for one in letters(runtime, LetterKind.TURNS) if (one.seat, one.about) == (DI, trick)]


def test_points_that_lay_there_before_drop_nothing(runtime, hearts_led):
    hearts_led.play_first()
    card = lowest_of(hearts_led, ANN)
    choose(hearts_led, ANN, card)
    kept = hearts_led.stored.seats[ANN].ahead
    assert [one.ahead.seen for one in kept.values()] == [2]


@pytest.mark.parametrize("claimed", [1, 99], ids=["as shown", "made up"])
def test_nobody_has_seen_more_cards_than_lie_there(runtime, hearts_led, claimed):
    choose(hearts_led, DI, lowest_of(hearts_led, DI), seen=claimed)
    hearts_led.play_first()
    assert awaited(hearts_led.stored) == (DI,)


def test_a_card_for_another_trick_is_not_taken_back(runtime, table):
    choose(table, DI, table.following_cards(DI)[0])
    what = due(table)
    link, earlier = table.play_link(DI), replace(what, what="trick 1")
    for wrong in {earlier, replace(what, hand=9)} - {what}:
        with pytest.raises(ahead.TooLate):
            ahead.take_back(runtime, link, wrong, runtime.now())
    assert table.seats[DI].ahead
    ahead.take_back(runtime, link, what, runtime.now())
    assert table.seats[DI].ahead is None


# at the same moment


@pytest.mark.parametrize("_", range(2))
def test_simultaneous_decisions_are_taken_once_and_kept_cards_are_played(either_runtime, _):
    """Bo has led; Cy's deadline is over, and Ann, who is last, chooses ahead."""
    runtime = either_runtime
    table = waiting_game(runtime)
    runtime.now.pass_by(2 * PACE)
    before, now = table.stored, runtime.now()
    anns, cys = table.following_cards(ANN)[-1], next(iter(legal(before.game, CY)))
    asked, trick = due_of(before.game, CY), due(table)
    by_hand, kept, *others = at_once(
        lambda: taking.take_turn(runtime, table.game_id, asked, Play(CY, cys), TurnSource.LINK, now),
        lambda: choose(table, ANN, anns, trick),
        lambda: table.play_for_absent(),
        lambda: table.play_for_absent(),
    )
    assert not [one for one in others if isinstance(one, Exception)]
    assert isinstance(kept, bool | ahead.TooLate)
    check_replays(table)
    finish_trick(table, len(before.game.tricks))
    after = table.stored
    played = {record.turn.seat: record for record in after.records[before.row.turns :][:3]}
    assert list(played) == [CY, DI, ANN]
    was_too_late = isinstance(by_hand, taking.TurnOver)
    assert (played[CY].turn.card == cys and played[CY].source is TurnSource.LINK) is not was_too_late
    if isinstance(kept, bool):
        source = TurnSource.AHEAD if kept else TurnSource.PAGE
        assert (played[ANN].turn.card, played[ANN].source) == (anns, source)
    assert awaited(after) == after.game.to_act


def test_no_card_chosen_before_the_turn_is_ever_lost(either_runtime):
    """Cy's deadline is over and Cy plays, Ann chooses, and workers look at all of them."""
    runtime = either_runtime
    table = waiting_game(runtime)
    ask_all(runtime)
    runtime.now.pass_by(2 * PACE)
    before, now = table.stored, runtime.now()
    what = due_of(before.game, CY)
    anns, cys = table.following_cards(ANN)[-1], next(iter(legal(before.game, CY)))
    link = table.play_link(ANN)
    by_hand, is_kept, *others = at_once(
        lambda: taking.take_turn(runtime, table.game_id, what, Play(CY, cys), TurnSource.LINK, now),
        lambda: ahead.choose(runtime, link, what, anns, now, seen=1),
        lambda: table.play_for_absent(),
        lambda: table.play_for_absent(),
    )
    assert not [one for one in (is_kept, *others) if isinstance(one, Exception)]
    assert isinstance(by_hand, TableGame | taking.TurnOver)
    check_replays(table)
    finish_trick(table, len(before.game.tricks))
    played = {one.turn.seat: one for one in table.records[before.row.turns :][:3]}
    assert played[ANN].turn.card == anns
    assert played[ANN].source is (TurnSource.AHEAD if is_kept else TurnSource.PAGE)
    mailed = [one for one in letters(runtime, LetterKind.TURNS) if (one.seat, one.about) == (ANN, what.what)]
    assert not (is_kept and mailed), "who has chosen is not asked"


def finish_trick(table, tricks):
    """Plays a card by hand for each player who is asked, until one more trick than `tricks` is over."""
    while len((stored := table.stored).game.tricks) == tricks and stored.game.stage is Stage.PLAY:
        table.play_first()
