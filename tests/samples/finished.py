"""Finished hands and games: as they are stored, as score sheets, and what the robot thinks of them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from hearts.cards import Cards, card_text
from hearts.cycle import Cycle
from hearts.game import Game, Stage, replay
from hearts.review import Opinion
from hearts.rules import Rules
from hearts.seats import Seat
from hearts.turns import Deal, Pass, Play, Turn
from hearts.words import Sentence
from tests.samples.cast import CAST, CROWD, NASTY, NOW, READER
from tests.samples.games import CLASSIC, ELEVEN, OMNIBUS, PARTNERS, finished_game_and_turns, first_game
from tests.samples.links import RELIVE_LINK
from tests.samples.rendering import line
from webapp.games.record.finished import FinishedHand, finished_hand
from webapp.games.record.store import Record, TableGame, numbered
from webapp.models import GameState, TurnSource
from webapp.presentation.scoresheet import score_sheet
from webapp.presentation.sheets import hand_end_of, score_sheet_of
from webapp.results.result import own_game


def score_of(game: Game, names: tuple[str, ...] = CAST) -> Any:
    return score_sheet(game.rules, names, game.scores, game.winners)


@cache
def scores() -> dict[str, tuple[Any, tuple[str, ...], Rules]]:
    """Finished games: the score sheet, the names, the rules."""
    return {
        "classic": (score_with_stories(CLASSIC, CAST), CAST, CLASSIC),
        "eleven": (score_with_stories(ELEVEN, CROWD), CROWD, ELEVEN),
        "partners": (score_with_stories(PARTNERS, CAST), CAST, PARTNERS),
        "omnibus": (score_with_stories(OMNIBUS, CAST), CAST, OMNIBUS),
        "nasty": (score_with_stories(CLASSIC, NASTY), NASTY, CLASSIC),
    }


def score_with_stories(rules: Rules, names: tuple[str, ...]) -> Any:
    """The score sheet of a finished game with its stories, some with the robot's opinions."""
    stored = stored_game(rules, names)
    return score_sheet_of(stored, opinions={2: opinions_on(finished_hand(stored, 2), READER)})


def first_score() -> Any:
    """After the first hand, as everybody sees it for the first time."""
    return score_of(first_game(CLASSIC, lambda game: game.stage is Stage.DEAL and game.hand == 1))


def stored_game(rules: Rules, names: tuple[str, ...], seed: int = 3) -> TableGame:
    """A whole random game as loaded from the database; a robot played half of its turns."""
    game, turns = finished_game_and_turns(rules, seed)
    records = tuple(
        Record(turn, (TurnSource.PAGE, TurnSource.TIMEOUT)[number % 2]) for number, turn in enumerate(turns)
    )
    seats: Any = [line(name=name, seat=seat, state="accepted") for seat, name in enumerate(names)]
    row: Any = line(names=None, earlier=None, state=GameState.OVER, started_at=NOW, at_once=1)
    return TableGame(row, row, seats, numbered(records), Cycle(rules, 1, (game,)), game)


def stored_after(game: Game, names: tuple[str, ...], turns: Sequence[Turn]) -> TableGame:
    """A running game as loaded from the database."""
    seats: Any = [line(name=name, seat=seat, state="accepted") for seat, name in enumerate(names)]
    row: Any = line(names=None, earlier=None, state=GameState.PLAYING, started_at=NOW, at_once=1)
    records = numbered([Record(turn, TurnSource.PAGE) for turn in turns])
    return TableGame(row, row, seats, records, Cycle(game.rules, 1, (game,)), game)


def hand_end(rules: Rules, names: tuple[str, ...], hand: int = 3, seed: int = 3) -> Any:
    """How that hand of a game ended, as the first player sees it at the pass of the next one."""
    _, turns = finished_game_and_turns(rules, seed)
    deals = [number for number, turn in enumerate(turns) if isinstance(turn, Deal)]
    so_far = turns[: deals[hand] + 1]
    return hand_end_of(stored_after(replay(rules, so_far), names, so_far), Seat(0), hand)


def opinions_on(hand: FinishedHand, reader: Seat) -> tuple[Opinion, ...]:
    """Three made-up opinions on the reader's turns: a costly pass, and two costly cards."""
    made, cards = [], 0
    for number, record in enumerate(hand.records, 1):
        if isinstance(record.turn, Deal) or record.turn.seat != reader:
            continue
        cards += isinstance(record.turn, Play)
        if isinstance(record.turn, Pass):
            given, kept = record.turn.cards, hand.games[0].held[record.turn.seat] - record.turn.cards
            better = str(Cards.of(list(kept)[:3]))
            why = "You have three low spades to guard the queen: keep it, and pass what would win tricks."
            made.append(Opinion(number, 0, record.turn.seat, str(given), better, 6.4, 5.1, 1.3, Sentence(why)))
        if isinstance(record.turn, Play) and cards in (6, 8):
            seat, held = record.turn.seat, hand.games[number - 2].held[record.turn.seat] - Cards.of([record.turn.card])
            why = "The queen is still out and you hold a card above it: get rid of it while clubs are led."
            played, better = card_text(record.turn.card), card_text(next(iter(held)))
            made.append(
                Opinion(number, hand.games[number - 2].trick, seat, played, better, 5.3, 1.2, 4.1, Sentence(why))
            )
    return tuple(made)


@cache
def own_lines(rules: Rules, names: tuple[str, ...]) -> tuple[tuple[str, str | None], ...]:
    """The lines of the last sheet about the reader's own game, each with its link, after a review of it all."""
    stored = stored_game(rules, names)
    opinions = {score.number: opinions_on(finished_hand(stored, score.number), READER) for score in stored.game.scores}
    opinions[1] = tuple(replace(one, cost=one.cost + 3 * (number == 1)) for number, one in enumerate(opinions[1]))
    return tuple(
        (one.text, f"{RELIVE_LINK}{one.hand}?step={one.step}#film" if one.hand else None)
        for one in own_game(stored, READER, opinions)
    )
