"""Shows the game of a table on the table page: the score, its finished hands, and for whom it waits now."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from sqlmodel import Session

from hearts.seats import Seat
from webapp.games.asked.due import due_of
from webapp.games.record import store
from webapp.games.record.links import relive_link
from webapp.games.record.store import TableGame
from webapp.models import GameState, SeatRow
from webapp.outbox import questions
from webapp.pages.common import runtime
from webapp.pages.following import FollowingPage
from webapp.pages.sharing import share_link
from webapp.presentation.chart import Chart, race
from webapp.presentation.clock_text import vacation_notes
from webapp.presentation.result import Result, result
from webapp.presentation.scoresheet import ScoreSheet
from webapp.presentation.sheets import deadline_of, score_sheet_of, turn_sheet_of, zone_of
from webapp.presentation.timestamps import Timestamp
from webapp.presentation.waiting import awaited_text
from webapp.robots.reviews import reviews_for
from webapp.tables import seating


@dataclass(frozen=True, slots=True)
class Awaited:
    """For whom the table waits, and until when: the first deadline of its hands."""

    sentence: str
    until: Timestamp | None


@dataclass(frozen=True, slots=True)
class GameBefore:
    """The game that the table played before the present one."""

    number: int
    score: ScoreSheet
    relive_links: Sequence[tuple[int, str]]
    record_link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGamePage(FollowingPage):
    """A page of a seat with the game of its table; the defaults are for a table without one."""

    score: ScoreSheet
    chart: Chart | None = None
    result: Result | None = None
    share_link: str | None = None
    record_link: str | None = None
    relive_links: Sequence[tuple[int, str]] = ()  # the numbers of the finished hands, each with its page
    before: GameBefore | None = None
    waiting: Awaited | None = None
    paused: Timestamp | None = None  # since when
    vacation_notes: Sequence[str] = ()
    is_asked: bool = False
    mail_action: str | None = None  # mails the reader, who is asked, the link to their turn


_Page = TypeVar("_Page", bound=TableGamePage)


def with_game(
    page: _Page, session: Session, stored: TableGame, seat: SeatRow, token: str, unreachable: set[int]
) -> _Page:
    """The page with the game; `token` is that of its link, `unreachable` the seats of players whom no mail reaches."""
    assert seat.player_id is not None
    me, now, zone = Seat(seat.seat), runtime().now(), zone_of(session, seat)
    opinions = reviews_for(session, stored, me, seat.player_id)
    score, deadline = score_sheet_of(stored, opinions=opinions), deadline_of(stored, zone, now)
    is_over = stored.row.state is GameState.OVER
    hands = list(stored.open_hands())
    page = replace(
        page,
        score=score,
        chart=race(score),
        result=result(stored.game.rules, score) if is_over and stored.game.scores else None,
        share_link=share_link(token, stored, seat.seat),
        record_link=f"/seat/{token}/record.json" if stored.game.scores else None,
        relive_links=relive_links(stored, seat),
        before=_game_before(session, stored, seat, token),
        waiting=_awaited(hands, me, [deadline_of(hand, zone, now) for hand in hands], unreachable),
        paused=deadline if deadline and deadline.is_pause else None,
    )
    if stored.row.state is not GameState.PLAYING:
        return page
    due = due_of(stored.game, me)
    return replace(
        page,
        sheet=turn_sheet_of(stored, me, zone, now),
        is_asked=due is not None,
        mail_action=f"/seat/{token}/mail" if due else None,
        mailed=page.mailed or (due is not None and questions.was_just_mailed(session, stored, seat, due, now)),
        vacation_notes=vacation_notes(session, stored, me, now),
    )


def _game_before(session: Session, stored: TableGame, seat: SeatRow, token: str) -> GameBefore | None:
    game = seating.game(session, seat.table_id, stored.row.number - 1) if stored.row.number > 1 else None
    if game is None:
        return None
    before = store.load(session, game.id)
    record = f"/seat/{token}/record.json?game={game.number}"
    return GameBefore(game.number, score_sheet_of(before), relive_links(before, seat), record)


def relive_links(stored: TableGame, seat: SeatRow) -> list[tuple[int, str]]:
    """The numbers of the finished hands of the game, each with the link to its page."""
    hands = [score.number for score in stored.game.scores]
    return [(hand, runtime().signer.local_url(relive_link(seat, stored.id, hand))) for hand in hands]


def _awaited(
    hands: Sequence[TableGame], me: Seat, deadlines: Iterable[Timestamp | None], unreachable: set[int]
) -> Awaited | None:
    """The line for the player of `me`; None if no hand waits for anybody."""
    awaited = sorted({seat for hand in hands for seat in hand.game.to_act}, key=lambda seat: (seat != me, seat))
    if not awaited:
        return None
    names = {seat: "you" if seat == me else hands[0].names[seat] for seat in awaited}
    lost = [name for seat, name in names.items() if seat in unreachable]
    until = [deadline for deadline in deadlines if deadline and not deadline.is_pause]
    return Awaited(awaited_text(list(names.values()), lost), min(until, key=lambda one: one.at, default=None))
