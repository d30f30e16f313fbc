"""An answer ahead: kept until the turn, played with it, and not lost to what happens at the same moment."""

import pytest

from hearts.game import Stage, legal
from hearts.turns import Play
from hearts.waits.ahead import Unless
from tests.cast import PACE, give_waits, letters, load, play_link
from tests.playing import ask_all, following_cards, play_first, waiting_game
from tests.races import at_once, check_replays
from tests.webapp.asked_ahead import answer, due, set_table
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import awaited, pending
from webapp.games.record.store import TableGame
from webapp.models import LetterKind, TableRow, TurnSource, Wait
from webapp.play import due_games, taking
from webapp.players import ahead, waits

ANN, BO, CY, DI = range(4)


@pytest.fixture
def game_id(runtime, same_seed):
    """Bo has led, Cy is to play, Di and Ann follow; each has a choice of cards. The table asks at once."""
    made = waiting_game(runtime)
    set_table(runtime, made, asks_ahead=True)
    return made


@pytest.mark.parametrize("comes", ["before", "with", "after"])
def test_one_answer_serves_before_and_at_the_turn(runtime, game_id, comes):
    due_games.play_for_absent(runtime, game_id)
    what, card = due(runtime, game_id), following_cards(runtime, game_id, DI)[0]
    if comes == "before":
        assert answer(runtime, game_id, DI, card, what) is True
    play_first(runtime, game_id)
    if comes == "with":
        assert answer(runtime, game_id, DI, card, what) is False
    if comes == "after":
        play_first(runtime, game_id)
        with pytest.raises(ahead.TooLate):
            answer(runtime, game_id, DI, card, what)
    else:
        (source,) = [one.source for one in load(runtime, game_id).records if one.turn == Play(DI, card)]
        assert source is (TurnSource.PAGE if comes == "with" else TurnSource.AHEAD)


def test_a_choice_whose_exception_has_come_is_refused(runtime, game_id):
    what, card = due(runtime, game_id), following_cards(runtime, game_id, DI)[-1]
    play_first(runtime, game_id)
    turns = load(runtime, game_id).row.turns
    with pytest.raises(ahead.HasCome, match="would win the trick"):
        answer(runtime, game_id, DI, card, what, unless=frozenset({Unless.WIN}))
    assert load(runtime, game_id).row.turns == turns
    assert load(runtime, game_id).seats[DI].ahead is None


def test_a_second_card_is_played_where_its_case_has_come(runtime, game_id):
    low, *_, high = following_cards(runtime, game_id, DI)
    answer(runtime, game_id, DI, high, unless=frozenset({Unless.WIN}), instead=low)
    play_first(runtime, game_id)
    assert [one.source for one in load(runtime, game_id).records if one.turn == Play(DI, low)] == [TurnSource.AHEAD]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"instead": "same", "unless": frozenset({Unless.WIN})}, "in which case"),
        ({"instead": "other"}, "in which case"),
        ({"instead": "gone", "unless": frozenset({Unless.WIN})}, "to this trick"),
        ({"instead": "other", "lead": "other", "unless": frozenset({Unless.WIN})}, "and lead it, too"),
    ],
)
def test_a_second_card_must_make_sense(runtime, game_id, more, sentence):
    card, other, *_ = following_cards(runtime, game_id, DI)
    named = {"same": card, "other": other, "gone": load(runtime, game_id).game.on_table[0]}
    meant = {name: named.get(value, value) if isinstance(value, str) else value for name, value in more.items()}
    with pytest.raises(ahead.CannotAnswer, match=sentence):
        answer(runtime, game_id, DI, card, **meant)
    assert load(runtime, game_id).seats[DI].ahead is None


# at the same moment


@pytest.mark.parametrize("_", range(2))
@pytest.mark.parametrize("cys_wait", [Wait.NONE, Wait.SHORT])
def test_simultaneous_decisions_are_taken_once_and_kept_answers_are_played(either_runtime, cys_wait, _):
    """Bo has led; Cy's deadline is over, Di wants no wait, and Ann, who is last, answers ahead."""
    runtime = either_runtime
    game_id = waiting_game(runtime)
    give_waits(runtime, game_id, None, None, cys_wait, Wait.NONE)
    runtime.now.pass_by(2 * PACE)
    before, now = load(runtime, game_id), runtime.now()
    table_id, players = before.row.table_id, [seat.player_id for seat in before.seats]
    anns, cys = following_cards(runtime, game_id, ANN)[-1], next(iter(legal(before.game, CY)))
    asked, trick = due_of(before.game, CY), due(runtime, game_id)
    by_hand, kept, *others = at_once(
        lambda: taking.take_turn(runtime, game_id, asked, Play(CY, cys), TurnSource.LINK, now),
        lambda: answer(runtime, game_id, ANN, anns, trick),
        lambda: waits.change_wait(runtime, players[CY], Wait.FULL, now, table_id),
        lambda: waits.change_wait(runtime, players[DI], Wait.SHORT, now, table_id),
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
    assert pending(after) or awaited(after) == after.game.to_act


def test_no_answer_given_before_the_turn_is_ever_lost(either_runtime):
    """Cy's deadline is over and Cy plays, Di changes her wait, Ann answers, and workers look at all of them."""
    runtime = either_runtime
    game_id = waiting_game(runtime)
    give_waits(runtime, game_id, None, None, None, Wait.NONE)
    with runtime.database.writing() as session:
        session.get_one(TableRow, load(runtime, game_id).row.table_id).asks_ahead = True
    due_games.play_for_absent(runtime, game_id)
    ask_all(runtime)
    runtime.now.pass_by(2 * PACE)
    before, now = load(runtime, game_id), runtime.now()
    what, players = due_of(before.game, CY), [seat.player_id for seat in before.seats]
    anns, cys = following_cards(runtime, game_id, ANN)[-1], next(iter(legal(before.game, CY)))
    given = ahead.AnswerAhead(card=anns, unless=frozenset())
    link = play_link(runtime, game_id, ANN)
    by_hand, is_kept, *others = at_once(
        lambda: taking.take_turn(runtime, game_id, what, Play(CY, cys), TurnSource.LINK, now),
        lambda: ahead.answer(runtime, link, what, given, now),
        lambda: waits.change_wait(runtime, players[DI], Wait.SHORT, now, before.row.table_id),
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
    mailed = [one for one in letters(runtime, LetterKind.TURN) if (one.seat, one.about) == (ANN, what.what)]
    assert len(mailed) == 1, "one question, whatever happened"


def finish_trick(runtime, game_id, tricks):
    """Plays a card by hand for each player who is asked, until one more trick than `tricks` is over."""
    while len((stored := load(runtime, game_id)).game.tricks) == tricks and stored.game.stage is Stage.PLAY:
        if pending(stored):
            due_games.play_for_absent(runtime, game_id)
        else:
            play_first(runtime, game_id)
