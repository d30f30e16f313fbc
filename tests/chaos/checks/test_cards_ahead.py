"""Cards ahead: kept ones are played; a robot plays another, or one of the same worth, only where they are dropped."""

import pytest
from sqlalchemy import delete, update
from sqlmodel import col

from hearts.cards import card_text
from hearts.game import Game, Stage, legal
from tests.cast import NAMES, start_game
from tests.chaos.checks import answers
from tests.chaos.checks.planted import form, left_by
from tests.chaos.notes import Notes
from tests.chaos.relay import MoodyRelay
from webapp.core.runtime import Runtime
from webapp.models import LetterRow, TurnRow, TurnSource


def _has_a_choice_after(game: Game, *, points: bool) -> bool:
    """Whether the seat at turn has two cards, and whether a penalty card lies behind the card led."""
    followed = game.on_table[1:]
    is_given = any(card in game.rules.penalty_cards for card in followed)
    return bool(followed) and len(legal(game, game.to_act[0])) > 1 and is_given == points


@pytest.mark.parametrize("source", [TurnSource.AWAY, TurnSource.AS_WISHED])
@pytest.mark.parametrize("points", [False, True])
def test_another_card_is_played_than_that_ahead_after_points_only(
    runtime: Runtime, relay: MoodyRelay, *, points: bool, source: TurnSource
) -> None:
    table = start_game(runtime)
    while table.game.stage is Stage.PASS:
        table.play_first()
    table.leap(lambda game: _has_a_choice_after(game, points=points))
    stored = table.stored
    game, number = stored.game, stored.last_turn + 1
    (seat,) = game.to_act
    chosen = list(legal(game, seat))[1]  # the first is the one that is played
    path = f"{runtime.signer.local_url(table.play_link(seat))}/ahead"
    deed = form(NAMES[seat], path, card_text(chosen), at=runtime.now(), about=f"trick {game.trick} {game.hand}")
    table.play_first()
    with runtime.database.writing() as session:
        session.exec(delete(LetterRow))  # nobody asks who has answered
        session.exec(update(TurnRow).where(col(TurnRow.number) == number).values(source=source))
    faults = list(answers.check(left_by(runtime, relay, Notes([deed]))))
    assert ["was kept, and the record says" in fault for fault in faults] == [True] * (not points)
