"""Rows in words: what one player may see of a table and its game, for pages and mails alike.

The only place where a game, stored or for practice, is made into a player's view; whoever renders gets that, and never
the game.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import Final

from sqlmodel import Session

from hearts.facts import Fact
from hearts.game import Game, apply
from hearts.review import Opinion
from hearts.seats import Seat
from hearts.story import facts
from hearts.view import view
from webapp.models import PlayerRow, SeatRow, TableRow
from webapp.practice import NAMES, ROBOTS, YOU, PracticeHand
from webapp.store import Stored, table_rules
from webapp.telling.faces import Face, faces
from webapp.telling.lessons import lesson_after
from webapp.telling.moments import Moment, moment
from webapp.telling.present import ScoreSheet, SeatLine, TableSummary, TurnSheet, score_sheet, table_summary, turn_sheet
from webapp.telling.story import story
from webapp.telling.tricks import TrickSheet

Opinions = Mapping[int, Sequence[Opinion]]
NO_OPINIONS: Final[Opinions] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PracticeSheet:
    """A practice hand as the newcomer sees it, and what helps her."""

    sheet: TurnSheet
    since: tuple[TrickSheet, ...]  # finished since her last choice
    forced: tuple[Face, ...]  # what she had to play since then
    lesson: str | None


def summary_of(table: TableRow, seats: Sequence[SeatRow]) -> TableSummary:
    lines = [SeatLine(seat.name, seat.state.value, is_away=seat.away) for seat in seats]
    return table_summary(
        f"Table {table.code}",
        table_rules(table),
        lines,
        table.pass_time,
        table.play_time,
        rules_path=f"/how-we-play/{table.code}",
        suggestions=table.suggestions,
    )


def deadline_of(stored: Stored, zone: str, now: datetime) -> Moment | None:
    """When whoever is awaited must have played, in the reader's time zone; None once the game is over."""
    return moment(stored.row.due_at, now, zone) if stored.row.due_at else None


def turn_sheet_of(stored: Stored, seat: Seat, zone: str, now: datetime) -> TurnSheet:
    """What `seat` sees of the hand being played."""
    deadline = deadline_of(stored, zone, now)
    return turn_sheet(view(stored.game, seat), stored.names, stored.robots, deadline)


def practice_sheet_of(hand: PracticeHand) -> PracticeSheet:
    """What the newcomer sees of a practice hand."""
    now, earlier = view(hand.game, YOU), [view(game, YOU) for game in hand.asked]
    sheet = turn_sheet(now, NAMES, ROBOTS, None)
    since = sheet.tricks[len(earlier[-1].tricks) :] if earlier else ()
    return PracticeSheet(sheet, since, faces(hand.forced), lesson_after(earlier, now))


def score_sheet_of(stored: Stored, *, hands: int | None = None, opinions: Opinions = NO_OPINIONS) -> ScoreSheet:
    """The sheet after the first `hands` hands (None: all that are played), with their stories.

    `opinions` are the robot's by hand, as far as there are any: where one card cost much, the story says so.
    """
    game = stored.game
    scores = game.scores[:hands]
    stories = [
        story(game.rules, stored.names, score, found)
        for score, found in zip(scores, _facts(stored, opinions), strict=False)
    ]
    return score_sheet(game.rules, stored.names, scores, game.winners if scores == game.scores else (), stories)


def _facts(stored: Stored, opinions: Opinions) -> Iterator[tuple[Fact, ...]]:
    """For each finished hand, what there is to tell of it."""
    games = accumulate((record.turn for record in stored.records), apply, initial=Game(stored.game.rules))
    for before, after in pairwise(games):
        if len(after.scores) > len(before.scores):
            yield facts(after, opinions.get(after.hand, ()))


def blank_score_sheet(table: TableRow, seats: Sequence[SeatRow]) -> ScoreSheet:
    """The sheet before the first game."""
    return score_sheet(table_rules(table), [seat.name for seat in seats], (), ())


def zone_of(session: Session, seat: SeatRow) -> str:
    """The time zone of whoever has the seat."""
    return session.get_one(PlayerRow, seat.player_id).time_zone if seat.player_id else "UTC"
