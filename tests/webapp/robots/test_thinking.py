"""The robot's thinking: how long it takes, and what is stored of a choice."""

import secrets

import pytest

from hearts.game import Stage
from hearts.robot import Level, consider
from hearts.view import view
from hearts.words import Sentence, later
from tests.samples.games import CLASSIC, games
from webapp.models import Grounds
from webapp.models.columns import json_of
from webapp.robots.thinking import strongest, think


def test_the_reason_that_a_player_reads_later_has_no_figures(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(secrets, "randbits", lambda bits: 1)
    asked = (game for game in games(CLASSIC, seed=5) if game.stage in (Stage.PASS, Stage.PLAY))
    for game in asked:
        choice = consider(view(game, game.to_act[0]), level=Level.STEADY, seed=1)
        if choice.reason != str(choice.why):
            break
    assert "points this hand" in choice.reason
    assert think(game, game.to_act[0], Level.STEADY).grounds.reason == choice.why


@pytest.mark.parametrize(("waiting", "level"), [(0, "strong"), (200, "strong"), (201, "steady"), (2001, "rule")])
def test_the_longer_the_queue_the_shorter_the_robot_thinks(waiting: int, level: str):
    assert strongest(waiting) == level


@pytest.mark.parametrize(
    ("kept", "reason"),
    [
        ("4♠ stays under K♠.", Sentence("4♠ stays under K♠.")),  # of an older row
        ('["{card} is low.", "", {"card": "4S"}]', later("{card} is low.", card="4S")),
    ],
)
def test_a_row_keeps_a_reason_to_be_said_later(kept: str, reason: Sentence):
    column = json_of(Grounds)
    assert column.read({"reason": kept}) == Grounds(reason=reason)
    assert column.write(Grounds(reason=reason)) == {"reason": kept}
