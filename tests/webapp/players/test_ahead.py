"""A card chosen ahead: kept until the turn, played with it, and not lost to what happens at the same moment."""

from dataclasses import replace

import pytest

from hearts.cards import HEARTS, suit
from hearts.game import Stage, legal
from hearts.seats import Seat
from hearts.turns import Play
from tests.cast import PACE, leave, letters, load, play_link
from tests.playing import ask_all, following_cards, play_first, waiting_game
from tests.races import at_once, check_replays
from tests.webapp.chosen_ahead import choose, due, with_a_heart_led
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import awaited
from webapp.games.record.store import TableGame
from webapp.models import LetterKind, TurnSource
from webapp.play import due_games, taking
from webapp.players import ahead

ANN, BO, CY, DI = map(Seat, range(4))


@pytest.fixture
def game_id(runtime, same_seed):
    """Bo has led, Cy is to play, Di and Ann follow; each has a choice of cards."""
    return waiting_game(runtime)


@pytest.fixture
def hearts_led(runtime, same_seed):
    return with_a_heart_led(runtime)


def lowest_of(runtime, game_id, seat):
    return min(load(runtime, game_id).game.held[seat] & HEARTS)


@pytest.mark.parametrize("comes", ["before", "with", "after"])
def test_one_card_serves_before_and_at_the_turn(runtime, game_id, comes):
    what, card = due(runtime, game_id), following_cards(runtime, game_id, DI)[0]
    if comes == "before":
        assert choose(runtime, game_id, DI, card, what) is True
    play_first(runtime, game_id)
    if comes == "with":
        assert choose(runtime, game_id, DI, card, what) is False
    if comes == "after":
        play_first(runtime, game_id)
        with pytest.raises(ahead.TooLate):
            choose(runtime, game_id, DI, card, what)
    else:
        (source,) = [one.source for one in load(runtime, game_id).records if one.turn == Play(DI, card)]
        assert source is (TurnSource.PAGE if comes == "with" else TurnSource.AHEAD)


def test_a_card_that_cannot_follow_is_refused(runtime, game_id):
    game, led = load(runtime, game_id).game, suit(load(runtime, game_id).game.on_table[0])
    with pytest.raises(ahead.Barred, match="to this trick"):
        choose(runtime, game_id, DI, next(card for card in game.held[DI] if suit(card) is not led))
    assert load(runtime, game_id).seats[DI].ahead is None


@pytest.mark.parametrize("is_turn", [False, True], ids=["before the turn", "at the turn"])
def test_a_card_chosen_before_points_fell_is_refused(runtime, hearts_led, is_turn):
    what, card = due(runtime, hearts_led), lowest_of(runtime, hearts_led, DI if is_turn else ANN)
    play_first(runtime, hearts_led)
    turns = load(runtime, hearts_led).row.turns
    with pytest.raises(ahead.HasPoints, match="then the trick got points"):
        choose(runtime, hearts_led, DI if is_turn else ANN, card, what, seen=1)
    assert load(runtime, hearts_led).row.turns == turns
    assert not any(seat.ahead for seat in load(runtime, hearts_led).seats)


def test_points_drop_the_card_and_its_player_is_asked(runtime, hearts_led):
    choose(runtime, hearts_led, DI, lowest_of(runtime, hearts_led, DI))
    play_first(runtime, hearts_led)
    stored = load(runtime, hearts_led)
    assert awaited(stored) == (DI,)
    trick = f"trick {stored.game.trick}"
    leave(runtime)
    assert [one for one in letters(runtime, LetterKind.TURNS) if (one.seat, one.about) == (DI, trick)]


def test_points_that_lay_there_before_drop_nothing(runtime, hearts_led):
    play_first(runtime, hearts_led)
    card = lowest_of(runtime, hearts_led, ANN)
    choose(runtime, hearts_led, ANN, card)
    kept = load(runtime, hearts_led).seats[ANN].ahead
    assert [one.ahead.seen for one in kept.values()] == [2]


@pytest.mark.parametrize("claimed", [1, 99], ids=["as shown", "made up"])
def test_nobody_has_seen_more_cards_than_lie_there(runtime, hearts_led, claimed):
    choose(runtime, hearts_led, DI, lowest_of(runtime, hearts_led, DI), seen=claimed)
    play_first(runtime, hearts_led)
    assert awaited(load(runtime, hearts_led)) == (DI,)


def test_a_card_for_another_trick_is_not_taken_back(runtime, game_id):
    choose(runtime, game_id, DI, following_cards(runtime, game_id, DI)[0])
    what = due(runtime, game_id)
    link, earlier = play_link(runtime, game_id, DI), replace(what, what="trick 1")
    for wrong in {earlier, replace(what, hand=9)} - {what}:
        with pytest.raises(ahead.TooLate):
            ahead.take_back(runtime, link, wrong, runtime.now())
    assert load(runtime, game_id).seats[DI].ahead
    ahead.take_back(runtime, link, what, runtime.now())
    assert load(runtime, game_id).seats[DI].ahead is None


# at the same moment


@pytest.mark.parametrize("_", range(2))
def test_simultaneous_decisions_are_taken_once_and_kept_cards_are_played(either_runtime, _):
    """Bo has led; Cy's deadline is over, and Ann, who is last, chooses ahead."""
    runtime = either_runtime
    game_id = waiting_game(runtime)
    runtime.now.pass_by(2 * PACE)
    before, now = load(runtime, game_id), runtime.now()
    anns, cys = following_cards(runtime, game_id, ANN)[-1], next(iter(legal(before.game, CY)))
    asked, trick = due_of(before.game, CY), due(runtime, game_id)
    by_hand, kept, *others = at_once(
        lambda: taking.take_turn(runtime, game_id, asked, Play(CY, cys), TurnSource.LINK, now),
        lambda: choose(runtime, game_id, ANN, anns, trick),
        lambda: due_games.play_for_absent(runtime, game_id),
        lambda: due_games.play_for_absent(runtime, game_id),
    )
    assert not [one for one in others if isinstance(one, Exception)]
    assert isinstance(kept, bool | ahead.TooLate)
    check_replays(runtime, game_id)
    finish_trick(runtime, game_id, len(before.game.tricks))
    after = load(runtime, game_id)
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
    game_id = waiting_game(runtime)
    ask_all(runtime)
    runtime.now.pass_by(2 * PACE)
    before, now = load(runtime, game_id), runtime.now()
    what = due_of(before.game, CY)
    anns, cys = following_cards(runtime, game_id, ANN)[-1], next(iter(legal(before.game, CY)))
    link = play_link(runtime, game_id, ANN)
    by_hand, is_kept, *others = at_once(
        lambda: taking.take_turn(runtime, game_id, what, Play(CY, cys), TurnSource.LINK, now),
        lambda: ahead.choose(runtime, link, what, anns, now, seen=1),
        lambda: due_games.play_for_absent(runtime, game_id),
        lambda: due_games.play_for_absent(runtime, game_id),
    )
    assert not [one for one in (is_kept, *others) if isinstance(one, Exception)]
    assert isinstance(by_hand, TableGame | taking.TurnOver)
    check_replays(runtime, game_id)
    finish_trick(runtime, game_id, len(before.game.tricks))
    played = {one.turn.seat: one for one in load(runtime, game_id).records[before.row.turns :][:3]}
    assert played[ANN].turn.card == anns
    assert played[ANN].source is (TurnSource.AHEAD if is_kept else TurnSource.PAGE)
    mailed = [one for one in letters(runtime, LetterKind.TURNS) if (one.seat, one.about) == (ANN, what.what)]
    assert not (is_kept and mailed), "who has chosen is not asked"


def finish_trick(runtime, game_id, tricks):
    """Plays a card by hand for each player who is asked, until one more trick than `tricks` is over."""
    while len((stored := load(runtime, game_id)).game.tricks) == tricks and stored.game.stage is Stage.PLAY:
        play_first(runtime, game_id)
