"""Everything that happened while a player was not there: the tricks, the cards that we played for them, the talk."""

from dataclasses import replace

import pytest

from hearts.game import Stage, replay
from hearts.seats import Seat
from hearts.turns import Deal
from hearts.view import view
from tests.samples.cast import CAST
from tests.samples.finished import stored_after
from tests.samples.games import CLASSIC, finished_game_and_turns
from webapp.games.record.store import numbered
from webapp.models import TurnSource
from webapp.presentation.happened import Happened, TalkLine, Told, Weight, happened, told, told_of_hand, told_talk
from webapp.presentation.present import finished_tricks, turn_sheet

ANN = Seat(0)


def since(turns, sources=()):
    """Returns what happened to Ann up to then. `sources` are those of her last turns; all other turns were chosen."""
    stored = stored_with(turns, sources)
    return happened(stored, ANN, turn_sheet(view(stored.game, ANN), CAST, set(), None))


def stored_with(turns, sources=()):
    """The game of these turns; `sources` are those of Ann's last ones."""
    stored = stored_after(replay(CLASSIC, turns), CAST, turns)
    hers = [
        place for place, one in enumerate(stored.records) if not isinstance(one.turn, Deal) and one.turn.seat == ANN
    ]
    records = list(stored.records)
    for place, source in zip(hers[len(hers) - len(sources) :], sources, strict=True):
        records[place] = records[place]._replace(source=source)
    return replace(stored, records=numbered(records))


def turns_until(wanted):
    """The turns of a game until it is as `wanted`."""
    _, turns = finished_game_and_turns(CLASSIC, 3)
    return next(turns[:count] for count in range(1, len(turns)) if wanted(replay(CLASSIC, turns[:count])))


def is_hers(trick):
    return lambda game: game.stage is Stage.PLAY and game.trick == trick and game.to_act == (ANN,)


def test_nothing_has_happened_at_the_first_pass():
    assert since(turns_until(lambda game: game.stage is Stage.PASS)) == Happened()


def test_the_last_choices_trick_is_shown_first():
    shown = since(turns_until(is_hers(5)))
    assert [one.number for one in shown.tricks] == [4]
    assert 1 <= shown.laid <= 4
    assert shown.sentences == ()
    assert shown.summary == "What happened: 1 trick"


def test_after_a_robots_cards_all_tricks_since_are_shown():
    shown = since(turns_until(is_hers(5)), [TurnSource.TIMEOUT] * 2)
    assert [one.number for one in shown.tricks] == [2, 3, 4]
    assert len(shown.sentences) == 2
    assert shown.summary == "We played two cards for you."


@pytest.mark.parametrize("source", [TurnSource.TIMEOUT, TurnSource.FORCED, TurnSource.AS_WISHED])
def test_a_single_card_is_told_in_the_summary(source):
    shown = since(turns_until(is_hers(3)), [source])
    assert shown.summary == shown.sentences[0]


def test_a_card_laid_last_shows_its_trick_as_won():
    turns = turns_until(lambda game: game.trick == 5 and not game.on_table and game.stage is Stage.PLAY)
    last = turns[-1].seat
    stored = stored_after(replay(CLASSIC, turns), CAST, turns)
    shown = happened(stored, last, turn_sheet(view(stored.game, last), CAST, set(), None))
    assert [(one.number, shown.laid) for one in shown.tricks] == [(4, 4)]


# in a mail


def told_to(turns, sources=(), after=0, *, is_beside=False, end=""):
    """The lines about the hand for Ann; `sources` as in `since`."""
    stored = stored_with(turns, sources)
    tricks = finished_tricks(view(stored.game, ANN), CAST)
    return told_of_hand(stored.of_hand(stored.game.hand), ANN, after, tricks, end, is_beside=is_beside)


def test_each_finished_trick_is_a_line_that_names_it():
    turns = turns_until(is_hers(4))
    lines = told_to(turns)
    assert [one.place for one in lines] == ["Trick 1", "Trick 2", "Trick 3"]
    assert all(" won it with " in one.sentence for one in lines)
    assert told_to(turns, is_beside=True)[0].place == "Hand 1, trick 1"


def test_tricks_that_were_finished_before_are_no_news():
    before, turns = turns_until(is_hers(4)), turns_until(is_hers(6))
    assert [one.place for one in told_to(turns, after=len(before))] == ["Trick 4", "Trick 5"]
    assert told_to(turns, after=len(turns)) == []


@pytest.mark.parametrize(
    ("sources", "place", "sentence"),
    [
        ([TurnSource.TIMEOUT], "Trick 4", "The deadline was over. We played "),
        ([TurnSource.TIMEOUT] * 2, "", "The deadlines were over. We played "),
        ([TurnSource.AWAY] * 3, "", "You were away. We played "),
    ],
)
def test_cards_that_we_played_for_the_reader_are_one_line(sources, place, sentence):
    (line,) = [one for one in told_to(turns_until(is_hers(5)), sources) if one.weight is Weight.FOR_YOU]
    assert line.place == place
    assert line.sentence.startswith(sentence)
    assert line.sentence.count(" and ") == (len(sources) > 1)


@pytest.mark.parametrize("source", [TurnSource.FORCED, TurnSource.CLAIM, TurnSource.PAGE])
def test_other_cards_of_the_readers_have_no_line(source):
    assert [one for one in told_to(turns_until(is_hers(5)), [source]) if one.weight is Weight.FOR_YOU] == []


@pytest.mark.parametrize(("is_beside", "place"), [(False, "Trick 4"), (True, "Hand 1, trick 4")])
def test_a_card_played_by_reply_is_told_as_a_receipt(is_beside, place):
    lines = told_to(turns_until(is_hers(5)), [TurnSource.REPLY], is_beside=is_beside)
    (line,) = [one for one in lines if one.weight is Weight.REPLIED]
    assert line.place == place
    assert line.sentence.startswith("You played ")


def test_the_end_of_a_hand_stands_for_its_tricks():
    (line,) = told_to(turns_until(is_hers(6)), end="Hand 1 is over: Ann +3.")
    assert line.sentence == "Hand 1 is over: Ann +3."


LINES = [
    *(Told(Weight.TRICK, f"t{number}", number=number) for number in range(3)),
    *(Told(Weight.POINTS, f"p{number}", number=number, points=number) for number in (3, 4, 5)),
    *told_talk([TalkLine("Bo", "Ouch", "today", is_yours=False)]),
    Told(Weight.FOR_YOU, "for you", number=2),
]


def words(lines):
    return [one.said.text if one.said else one.sentence for one in lines]


@pytest.mark.parametrize(
    ("most", "kept"),
    [
        (8, ["for you", "t0", "t1", "t2", "p3", "p4", "p5", "Ouch"]),
        (6, ["for you", "t2", "p3", "p4", "p5", "Ouch"]),
        (4, ["for you", "p3", "p4", "p5"]),
        (2, ["for you", "p5"]),
    ],
)
def test_the_most_important_lines_stay(most, kept):
    assert words(told([LINES], most)[0]) == kept


def test_several_tables_have_six_lines_in_all():
    first, second = told([LINES, [Told(Weight.POINTS, "of another", points=26)]])
    assert words(first) == ["for you", "p3", "p4", "p5", "Ouch"]
    assert words(second) == ["of another"]
