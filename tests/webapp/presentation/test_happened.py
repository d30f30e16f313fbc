"""Everything that happened since a player's last choice: the tricks, and the cards that we played for them."""

from dataclasses import replace

import pytest

from hearts.game import Stage, replay
from hearts.seats import Seat
from hearts.turns import Deal
from hearts.view import view
from tests.samples.cast import CAST
from tests.samples.finished import stored_after
from tests.samples.games import CLASSIC, finished_game_and_turns
from webapp.games.record.records import numbered
from webapp.models import TurnSource
from webapp.presentation.happened import Happened, happened
from webapp.presentation.present import turn_sheet

ANN = Seat(0)


def since(turns, sources=()):
    """Returns what happened to Ann up to then. `sources` are those of her last turns; all other turns were chosen."""
    stored = stored_after(replay(CLASSIC, turns), CAST, turns)
    hers = [
        place for place, one in enumerate(stored.records) if not isinstance(one.turn, Deal) and one.turn.seat == ANN
    ]
    records = list(stored.records)
    for place, source in zip(hers[len(hers) - len(sources) :], sources, strict=True):
        records[place] = records[place]._replace(source=source)
    stored = replace(stored, records=numbered(records))
    return happened(stored, ANN, turn_sheet(view(stored.game, ANN), CAST, set(), None))


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


@pytest.mark.parametrize("source", [TurnSource.TIMEOUT, TurnSource.FORCED, TurnSource.WAIT])
def test_a_single_card_is_told_in_the_summary(source):
    shown = since(turns_until(is_hers(3)), [source])
    assert shown.summary == shown.sentences[0]


def test_a_card_laid_last_shows_its_trick_as_won():
    turns = turns_until(lambda game: game.trick == 5 and not game.on_table and game.stage is Stage.PLAY)
    last = turns[-1].seat
    stored = stored_after(replay(CLASSIC, turns), CAST, turns)
    shown = happened(stored, last, turn_sheet(view(stored.game, last), CAST, set(), None))
    assert [(one.number, shown.laid) for one in shown.tricks] == [(4, 4)]
