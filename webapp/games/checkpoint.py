"""The checkpoint of a running game: what its play needs of the records before a deal, so that nobody has to read them.

It is made of the records and never instead of them: whoever doubts it folds the whole game. It may be old, or missing,
because the program of an earlier version deals without it; the records after it are then only more. Only
`store.append` writes it, in the transaction of the deal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, NamedTuple

from cachetools import LRUCache

from hearts.score import HandScore, parse_score, score_mapping
from hearts.seats import Seat
from hearts.turns import Deal
from webapp.games.records import Record
from webapp.models import GameRow, TurnSource

PARSED: Final = 1_000  # checkpoints are kept in one process: 10 MB, if their games are long
UNASKED: Final = (TurnSource.FORCED, TurnSource.CLAIM, TurnSource.PLAN)


class Asked(NamedTuple):
    """The last turn for which a seat's player was asked: the number of its record, and how it came to be played."""

    number: int
    source: TurnSource


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A game before a deal, after which no earlier hand is open."""

    turns: int = 0  # how many records came before
    last_cycle: int = 0  # how many of them came before the hand, or the hands side by side, that were dealt last
    scores: tuple[HandScore, ...] = ()  # of all hands so far
    asked: tuple[Asked | None, ...] = ()  # by seat; None for one that was never asked


BEGINNING: Final = Checkpoint()


class NotACheckpoint(ValueError):
    """The mapping is no checkpoint, or is in the form of another version of the program."""


class _Parsed(NamedTuple):
    mapping: Mapping[str, Any]
    checkpoint: Checkpoint


# By game, in one process. To compare two mappings takes a twentieth of the time that it takes to parse one.
_parsed: LRUCache[int, _Parsed] = LRUCache(PARSED)
_lock = Lock()  # the cache knows no threads


def before_deal(
    start: Checkpoint, records: Sequence[Record], scores: tuple[HandScore, ...], at_once: int, players: int
) -> Checkpoint:
    """The checkpoint of a game after these records, which begin at `start` and end with the last of the `scores`."""
    cycle = (one.number for one in records if one.hand > len(scores) - at_once)
    asked = tuple(last_asked(start, records, Seat(seat)) for seat in range(players))
    return Checkpoint(start.turns + len(records), next(cycle) - 1, scores, asked)


def last_asked(start: Checkpoint, records: Sequence[Record], seat: Seat) -> Asked | None:
    """The last turn for which the seat's player was asked, in these records or before them; None if there is none."""
    for record in reversed(records):
        if not isinstance(record.turn, Deal) and record.turn.seat == seat and record.source not in UNASKED:
            return Asked(record.number, record.source)
    return start.asked[seat] if start.asked else None


def checkpoint_of(row: GameRow) -> Checkpoint:
    """The checkpoint in the row of a running game; `BEGINNING` if there is none that this version can read."""
    try:
        return BEGINNING if row.checkpoint is None else _parsed_once(row.id, row.checkpoint)
    except NotACheckpoint:
        return BEGINNING


def _parsed_once(game_id: int, mapping: Mapping[str, Any]) -> Checkpoint:
    with _lock:
        kept = _parsed.get(game_id)
    if kept is None or kept.mapping != mapping:
        found = parse_checkpoint(mapping)
        kept = _Parsed(checkpoint_mapping(found), found)
        with _lock:
            _parsed[game_id] = kept
    return kept.checkpoint


def disagrees(row: GameRow, records: Sequence[Record], scores: tuple[HandScore, ...], players: int) -> bool:
    """Whether the row has a checkpoint that its whole game, with these records and scores, does not lead to."""
    if row.checkpoint is None:
        return False
    try:
        kept = parse_checkpoint(row.checkpoint)
    except NotACheckpoint:
        return True
    hands = len(kept.scores)
    before = [one for one in records if one.hand <= hands]
    if not before or before != list(records[: len(before)]):  # a hand beside one that goes on is no end of a cycle
        return True
    return kept != before_deal(BEGINNING, before, scores[:hands], row.at_once, players)


def checkpoint_mapping(checkpoint: Checkpoint) -> dict[str, Any]:
    """The checkpoint as a JSON mapping; `parse_checkpoint` reads it back."""
    return {
        "turns": checkpoint.turns,
        "last_cycle": checkpoint.last_cycle,
        "scores": [score_mapping(score) for score in checkpoint.scores],
        "asked": [None if one is None else {"number": one.number, "way": str(one.source)} for one in checkpoint.asked],
    }


def parse_checkpoint(mapping: Mapping[str, Any]) -> Checkpoint:
    """The checkpoint that `checkpoint_mapping` wrote. Raises NotACheckpoint."""
    try:
        turns, last_cycle = mapping["turns"], mapping["last_cycle"]
        if not (type(turns) is type(last_cycle) is int and 0 <= last_cycle < turns):
            raise NotACheckpoint(f"{last_cycle!r} and {turns!r} are no numbers of records")
        scores = tuple(map(parse_score, mapping["scores"]))
        return Checkpoint(turns, last_cycle, scores, tuple(map(_parse_asked, mapping["asked"])))
    except (KeyError, TypeError, ValueError) as error:
        raise NotACheckpoint(f"not a checkpoint: {error}") from error


def _parse_asked(mapping: Mapping[str, Any] | None) -> Asked | None:
    return None if mapping is None else Asked(int(mapping["number"]), TurnSource(mapping["way"]))
