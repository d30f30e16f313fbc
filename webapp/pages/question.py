"""Makes the page that asks a player for a card, a pass, or how a moon counts, for all addresses at which it opens."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from flask import request

from hearts.seats import Seat
from webapp.games.asked.due import Due
from webapp.games.record.store import TableGame
from webapp.models import TurnSource
from webapp.pages.at_table import AtTable, Place, framed, pause_line_of, place_in, tabs_of
from webapp.pages.common import reading, runtime
from webapp.pages.robot_hand import robot_hand
from webapp.presentation.happened import happened
from webapp.presentation.present import TurnSheet
from webapp.presentation.sheets import goal_for_newcomer, turn_sheet_of, zone_of
from webapp.robots.suggestions import ASKED, RobotHelp, robot_help


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPage(AtTable):
    """A page that asks for something; a practice hand needs no more than what has no default."""

    sheet: TurnSheet
    chosen: Sequence[str]
    way: TurnSource
    action: str | None = None  # None: the address of the page
    shown: int | None = None  # up to which record the reader was shown how hands ended
    robot: RobotHelp | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPage(QuestionPage):
    """Asks for a card of a trick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassPage(QuestionPage):
    goal: str = ""  # of the game, for a newcomer


@dataclass(frozen=True, slots=True, kw_only=True)
class MoonPage(QuestionPage):
    """Asks how a moon counts."""


PAGES: Final[dict[str, type[QuestionPage]]] = {"pass": PassPage, "moon": MoonPage}  # everything else is a trick


def question(
    stored: TableGame,
    seat: Seat,
    due: Due,
    *,
    follows: str | None,
    action: str,
    chosen: Sequence[str] = (),
    error: str | None = None,
) -> QuestionPage:
    """The page that asks the player of `seat` for `due`, for which the seat must be asked now.

    `follows` is the URL of the page that follows the game for this player, `action` the URL of the turn.
    """
    row, moment = stored.seats[seat], runtime().now()
    now = Place(place_in(stored, seat).shown, at=due.hand)
    robot = robot_help(stored, seat, asked=request.args.get(ASKED) == "1", chosen=chosen)
    with reading() as session:
        sheet = turn_sheet_of(stored, seat, zone_of(session, row), moment)
        page = PAGES.get(due.what, TurnPage)(
            sheet=sheet,
            chosen=chosen,
            way=TurnSource.LINK if chosen and not error else TurnSource.PAGE,
            error=error,
            action=action,
            kind=f"{stored.row.number} {due.hand} {due.what}",
            shown=now.shown,
            since=happened(stored, seat, sheet),
            tabs=tabs_of(stored, seat, follows, now),
            pause=pause_line_of(stored, seat) if follows else None,
            robot_hand=robot_hand(stored, row, follows),
            robot=robot,
        )
        if isinstance(page, PassPage):
            page = replace(page, goal=goal_for_newcomer(session, stored, row))
        return framed(page, session, stored.table, stored.row, stored.seats, row, follows, now)
