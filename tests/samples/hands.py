"""The cast, their hands and their score sheets, from which samples of pages and mails are made.

The hands are played at random under the real rules, until one of them shows the wanted state.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hearts.cards import Cards, card_text, in_suit, suit
from hearts.cycle import Cycle
from hearts.deal import deal
from hearts.game import Game, Stage, apply, legal, new_game, replay
from hearts.review import Opinion
from hearts.rules import Rules, preset_rules
from hearts.seats import Seat
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play, Turn
from hearts.view import view
from webapp.games.finished import FinishedHand, finished_hand
from webapp.games.folded import Record, numbered
from webapp.games.store import Stored
from webapp.models import GameState, TurnSource
from webapp.presentation.present import SeatLine, score_sheet, table_summary, timestamp, turn_sheet
from webapp.presentation.relive import scene
from webapp.presentation.sheets import last_hand_of, score_sheet_of
from webapp.presentation.story import story
from webapp.presentation.talk import TalkLine
from webapp.presentation.timestamps import talk_timestamp
from webapp.robots import suggestions
from webapp.robots.suggestions import RobotHelp
from webapp.robots.thinking import advise
from webapp.tables.lobby import OpenTable

ROOT = Path(__file__).parent.parent.parent
NOW = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
CAST = ("Ann", "Bo", "Cy", "Di")
CROWD = ("Ann", "Bo", "Cy", "Di", "Emil", "Fatima", "Gus", "Henrike", "Ida", "Joost", "Kai")
READER = Seat(3)  # who reads a page or a mail that is for one player: Di
NASTY = ('<b>"Ann"</b>', "Bo & Sons' \\", "Wilhelmina-Alexandra von Hohenstein-Bargo", "{{ 7 * 7 }}")
LINK = "https://hearts.example/turn/eyJnYW1lIjo3LCJzZWF0IjoyfQ.aZxY81.k3Jd0sPq7mN2vB5cX9zL4wT6rH8"
TABLE_LINK = "https://hearts.example/seat/eyJ0YWJsZSI6N30.aZxY81.p0Oi9uY7tR5eW3qA1sD"
RELIVE_LINK = "https://hearts.example/relive/WzEsNywxXQ.aZxY81.m4Lk7jH2gF9dS5aP0o"
AGAIN_LINK = "https://hearts.example/again/WzEsNywyLDUsMV0.aZxY81.q8We3rT6yU1iO4pA7s"
ADDRESS_LINK = "https://hearts.example/address/WzEsMywiZGkiXQ.aZxY81.n5Bv4cX3zA2sD1fG0h"
GAMES_LINK = "https://hearts.example/games"
NEW_TABLE_LINK = "https://hearts.example/tables/new"
WISHES_LINK = "https://hearts.example/wishes/WzEsM10.aZxY81.t6Yh5gT4rF3eD2wS1q"
FOOT = {
    "preferences_link": WISHES_LINK,
    "unsubscribe_link": "https://hearts.example/unsubscribe/WzEsNywyLDNd.aZxY81.u7Jm6nH5bG4vF3cD2x",
    "unsubscribe_text": "Mute this table",
}
RULES_LINK = "https://hearts.example/how-we-play/7F3K"
Sample = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Line:
    """Any object with the attributes that a template uses."""

    said: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.said[name]
        except KeyError:
            raise AttributeError(name) from None


def line(**said: Any) -> Line:
    return Line(said)


@cache
def environment(*, trim: bool = True) -> Environment:
    """Set up as in the site (which does not trim) and the worker (which does), but strict about names."""
    made = Environment(
        loader=FileSystemLoader(ROOT / "templates"),
        autoescape=lambda name: bool(name and name.endswith(".html")),
        undefined=StrictUndefined,
        trim_blocks=trim,
        lstrip_blocks=trim,
    )
    made.globals["static"] = lambda name: f"/static/{name}"
    return made


# games


def games(rules: Rules, seed: int) -> Iterator[Game]:
    """Every state of a random game."""
    rng = random.Random(seed)
    game = new_game(rules)
    while game.stage is not Stage.OVER:
        game = apply(game, _chance(game, rng))
        yield game


def _chance(game: Game, rng: random.Random) -> Turn:
    match game.stage:
        case Stage.DEAL:
            return deal(game.rules, Seat(game.hand % game.rules.players), rng)
        case Stage.PASS:
            seat = game.to_act[0]
            return Pass(seat, Cards.of(rng.sample(list(game.held[seat]), game.rules.pass_count)))
        case Stage.MOON:
            return Moon(game.to_act[0], MoonChoice.ADD)
        case _:
            seat = game.to_act[0]
            return Play(seat, rng.choice(list(legal(game, seat))))


def first_game(rules: Rules, wanted: Callable[[Game], bool]) -> Game:
    """The first state with the wanted feature, over all seeds."""
    return next(game for seed in range(500) for game in games(rules, seed) if wanted(game))


def finished_game(rules: Rules, seed: int = 3) -> Game:
    return list(games(rules, seed))[-1]


def following(game: Game, *, trick: int, void: bool) -> bool:
    """Whether a player must choose: in mid-trick, with or without the suit led, some of their cards illegal."""
    if game.stage is not Stage.PLAY or game.trick < trick or not 2 <= len(game.on_table) < game.rules.players:
        return False
    seat = game.to_act[0]
    has = bool(game.held[seat] & in_suit(suit(game.on_table[0])))
    return has is not void and len(legal(game, seat)) > 1


def holds_twins(game: Game, seat: Seat) -> bool:
    return len(game.held[seat]) > len(game.held[seat].faces())


def moon_game() -> Game:
    """A shooter who must choose how the moon counts: they had every high card."""
    rules = preset_rules("classic", moon="choice", passing="none", target=60)
    high = Cards.parse("AC KC QC JC AD KD QD AS KS QS AH KH QH")
    before = first_game(rules, lambda game: game.stage is Stage.DEAL and game.hand == 4)
    rest = list(Cards.of(card for held in deal(rules, Seat(0), random.Random(1)).held for card in held) - high)
    held = (high, *(Cards.of(rest[start::3]) for start in range(3)))
    game = apply(before, Deal(Seat((before.deal.dealer + 1) % 4 if before.deal else 0), held, Cards()))
    while game.stage is Stage.PLAY:
        seat = game.to_act[0]
        game = apply(game, Play(seat, max(legal(game, seat), key=lambda card: (card % 13, card))))
    return game


def sheet_of(game: Game, names: tuple[str, ...] = CAST, seat: Seat | None = None, *, soon: bool = False) -> Any:
    """The turn sheet of the awaited player, or of `seat`."""
    seat = game.to_act[0] if seat is None else seat
    at = NOW + (timedelta(minutes=50) if soon else timedelta(hours=23))
    return turn_sheet(view(game, seat), names, {Seat(1)} - {seat}, timestamp(at, NOW, "Europe/Berlin"))


def ahead_game() -> Game:
    """A game in which the last player to follow, who is left of nobody but the leader, has a choice; one card lies."""

    def has_choice(game: Game) -> bool:
        if game.stage is not Stage.PLAY or game.trick < 4 or len(game.on_table) != 1:
            return False
        return len(game.held[last_to_follow(game)] & in_suit(suit(game.on_table[0]))) > 2

    return first_game(CLASSIC, has_choice)


def last_to_follow(game: Game) -> Seat:
    assert game.leader is not None
    return Seat((game.leader - 1) % game.rules.players)


def sheet_ahead(names: tuple[str, ...] = CAST) -> Any:
    """The sheet of a player who is asked before their turn."""
    game = ahead_game()
    return turn_sheet(view(game, last_to_follow(game)), names, {Seat(1)}, None, is_ahead=True)


def score_of(game: Game, names: tuple[str, ...] = CAST) -> Any:
    return score_sheet(game.rules, names, game.scores, game.winners)


def summary(rules: Rules, names: tuple[str, ...] = CAST, states: tuple[str, ...] = ()) -> Any:
    states = (*states, *("host", "accepted", "accepted", "robot")[len(states) :], *("accepted",) * len(names))
    seats = [SeatLine(name, state) for name, state in zip(names, states, strict=False)]
    return table_summary("Table 7F3K", rules, seats, timedelta(days=1), timedelta(hours=12), RULES_LINK)


def live_summary() -> Any:
    seats = [SeatLine(name, state) for name, state in zip(CAST, ("host", "invited", "accepted", "robot"), strict=True)]
    return table_summary("Table 7F3K", CLASSIC, seats, timedelta(minutes=1), timedelta(seconds=30), RULES_LINK)


def talk(*texts: str, names: tuple[str, ...] = CAST, now: datetime | None = NOW) -> tuple[TalkLine, ...]:
    """Lines of talk, a minute apart; the first is the reader's own, at `now` (None: a mail)."""
    times = [NOW - timedelta(minutes=len(texts) - number) for number in range(len(texts))]
    return tuple(
        TalkLine(names[number % len(names)], text, talk_timestamp(at, "Europe/Berlin", now), number == 0)
        for number, (text, at) in enumerate(zip(texts, times, strict=True))
    )


def open_table(names: tuple[str, ...], host_name: str) -> OpenTable:
    """A table with two open seats, as strangers see it; the first of `names` is the host's."""
    seen = summary(CLASSIC, (names[0], "Player 2", "Open seat", "Open seat"), ("host", "accepted", "open", "open"))
    return OpenTable(7, "7F3K", host_name, seen, is_live=False, is_open=True)


CLASSIC = preset_rules("classic")
ELEVEN = preset_rules("cancellation", players=11)
SEVEN = preset_rules("classic", players=7)
KITTY = preset_rules("kitty", players=3, passing="left-right")
PARTNERS = preset_rules("partners")
OMNIBUS = preset_rules("omnibus", fifty_bonus=True, no_tricks_bonus=-5, jack_points=-10)


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


def pass_sheets() -> dict[str, Any]:
    return {
        "classic": sheet_of(first_game(CLASSIC, lambda game: game.stage is Stage.PASS)),
        "nasty": sheet_of(first_game(CLASSIC, lambda game: game.stage is Stage.PASS), NASTY),
        "seventeen": sheet_of(first_game(KITTY, lambda game: game.stage is Stage.PASS), CAST[:3]),
        "eleven": sheet_of(
            first_game(ELEVEN, lambda game: game.stage is Stage.PASS and holds_twins(game, game.to_act[0])), CROWD
        ),
    }


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


# finished hands


def stored_game(rules: Rules, names: tuple[str, ...], seed: int = 3) -> Stored:
    """A whole random game as loaded from the database; a robot played half of its turns."""
    game, turns = finished_game_and_turns(rules, seed)
    records = tuple(
        Record(turn, (TurnSource.PAGE, TurnSource.TIMEOUT)[number % 2]) for number, turn in enumerate(turns)
    )
    seats: Any = [line(name=name, seat=seat, state="accepted") for seat, name in enumerate(names)]
    row: Any = line(names=None, earlier=None, state=GameState.OVER, started_at=NOW, at_once=1)
    return Stored(row, row, seats, numbered(records), Cycle(rules, 1, (game,)), game)


def stored_after(game: Game, names: tuple[str, ...], turns: list[Turn]) -> Stored:
    """A running game as loaded from the database."""
    seats: Any = [line(name=name, seat=seat, state="accepted") for seat, name in enumerate(names)]
    row: Any = line(names=None, earlier=None, state=GameState.PLAYING, started_at=NOW, at_once=1)
    records = numbered([Record(turn, TurnSource.PAGE) for turn in turns])
    return Stored(row, row, seats, records, Cycle(game.rules, 1, (game,)), game)


def last_hand(rules: Rules, names: tuple[str, ...], hand: int = 3, seed: int = 3) -> Any:
    """How that hand of a game ended, as the first player sees it at the pass of the next one."""
    _, turns = finished_game_and_turns(rules, seed)
    deals = [number for number, turn in enumerate(turns) if isinstance(turn, Deal)]
    so_far = turns[: deals[hand] + 1]
    return last_hand_of(stored_after(replay(rules, so_far), names, so_far), Seat(0))


def finished_game_and_turns(rules: Rules, seed: int) -> tuple[Game, list[Turn]]:
    rng = random.Random(seed)
    game, turns = new_game(rules), []
    while game.stage is not Stage.OVER:
        turns.append(_chance(game, rng))
        game = apply(game, turns[-1])
    return game, turns


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
            made.append(Opinion(number, 0, record.turn.seat, str(given), better, 6.4, 5.1, 1.3, why))
        if isinstance(record.turn, Play) and cards in (6, 8):
            seat, held = record.turn.seat, hand.games[number - 2].held[record.turn.seat] - Cards.of([record.turn.card])
            why = "The queen is still out and you hold a card above it: get rid of it while clubs are led."
            played, better = card_text(record.turn.card), card_text(next(iter(held)))
            made.append(Opinion(number, hand.games[number - 2].trick, seat, played, better, 5.3, 1.2, 4.1, why))
    return tuple(made)


def relived(rules: Rules, names: tuple[str, ...], hand: int, step: int, *, reviewed: bool = True) -> dict[str, Any]:
    """The page of a finished hand at a step; as a player sees it, if `reviewed`, else as everybody does."""
    stored = stored_game(rules, names)
    finished = finished_hand(stored, hand)
    return {
        "scene": scene(finished, step, opinions_on(finished, READER) if reviewed else ()),
        "score": score_sheet(
            rules, names, stored.game.scores[:hand], (), [story(rules, names, one) for one in stored.game.scores[:hand]]
        ),
        "table_name": "Table 7F3K",
        "may_ask": False,
        "reviewed": reviewed,
    }


def first_score() -> Any:
    """After the first hand, as everybody sees it for the first time."""
    return score_of(first_game(CLASSIC, lambda game: game.stage is Stage.DEAL and game.hand == 1))


def advised(game: Game) -> RobotHelp:
    """The robot's real suggestion to the awaited player."""
    return RobotHelp("?suggest=1", suggestions.suggestion_of(advise(game, game.to_act[0], seed=1)))
