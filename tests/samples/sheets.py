"""The sheets of turns: what a player sees who is asked for a card, a pass or the moon."""

from datetime import timedelta
from functools import cache
from typing import Any

from hearts.game import Game, Stage
from hearts.seats import Seat
from hearts.view import view
from tests.samples.cast import CAST, CROWD, NASTY, NOW
from tests.samples.games import (
    CLASSIC,
    ELEVEN,
    KITTY,
    PARTNERS,
    SEVEN,
    first_game,
    following,
    holds_twins,
)
from webapp.presentation.phrasing import timestamp
from webapp.presentation.present import turn_sheet
from webapp.robots import thinking
from webapp.robots.thinking import RobotHelp, advise


def sheet_of(game: Game, names: tuple[str, ...] = CAST, seat: Seat | None = None, *, soon: bool = False) -> Any:
    """The turn sheet of the awaited player, or of `seat`."""
    seat = game.to_act[0] if seat is None else seat
    at = NOW + (timedelta(minutes=50) if soon else timedelta(hours=23))
    return turn_sheet(view(game, seat), names, {Seat(1)} - {seat}, timestamp(at, NOW, "Europe/Berlin"))


@cache
def sheets() -> dict[str, Any]:
    """Turn sheets at stage play, by the feature they show."""
    follow = first_game(CLASSIC, lambda game: following(game, trick=5, void=False))
    aside = first_game(
        ELEVEN,
        lambda game: game.stage is Stage.PLAY and bool(game.won) and game.won[-1] is None and len(game.on_table) > 5,
    )
    return {
        "following": sheet_of(follow),
        "void": sheet_of(first_game(CLASSIC, lambda game: following(game, trick=1, void=True))),
        "nasty": sheet_of(follow, NASTY, soon=True),
        "leading": sheet_of(
            first_game(CLASSIC, lambda g: g.stage is Stage.PLAY and g.trick == 3 and not g.on_table and not g.broken)
        ),
        "eleven": sheet_of(aside, CROWD),
        "three": sheet_of(first_game(KITTY, lambda game: following(game, trick=2, void=False)), CAST[:3]),
        "partners": sheet_of(first_game(PARTNERS, lambda game: following(game, trick=7, void=False))),
        "first": sheet_of(first_game(CLASSIC, lambda game: following(game, trick=1, void=False))),
        "seventeen": sheet_of(first_game(KITTY, lambda game: following(game, trick=1, void=False)), CAST[:3]),
        "seven": sheet_of(first_game(SEVEN, lambda game: following(game, trick=2, void=False)), CROWD[:7]),
    }


@cache
def pass_sheets() -> dict[str, Any]:
    return {
        "classic": sheet_of(first_game(CLASSIC, lambda game: game.stage is Stage.PASS)),
        "nasty": sheet_of(first_game(CLASSIC, lambda game: game.stage is Stage.PASS), NASTY),
        "seventeen": sheet_of(first_game(KITTY, lambda game: game.stage is Stage.PASS), CAST[:3]),
        "eleven": sheet_of(
            first_game(ELEVEN, lambda game: game.stage is Stage.PASS and holds_twins(game, game.to_act[0])), CROWD
        ),
    }


def advised(game: Game) -> RobotHelp:
    """The robot's real suggestion to the awaited player."""
    return RobotHelp("?suggest=1", thinking.suggestion_of(advise(game, game.to_act[0], seed=1)))
