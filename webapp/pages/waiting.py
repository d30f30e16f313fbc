"""Makes the page of a player who waits: for others, for a hand that goes on by itself, or for their pass to be seen."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlmodel import Session

from hearts.ahead import choices_ahead, has_points_since
from hearts.cards import card_text
from hearts.seats import Seat
from hearts.turns import Deal, Pass
from hearts.view import view
from webapp.games.asked.running import NextGame
from webapp.games.asked.visit import StepKind, hands_of, next_step
from webapp.games.asked.whose_turn import ahead_of
from webapp.games.record.live import plays_live
from webapp.games.record.records import BY_PLAYER, Record
from webapp.games.record.store import TableGame
from webapp.models import PlayerRow, SeatRow
from webapp.outbox import nudges
from webapp.pages.at_table import AtTable, framed, pause_line_of, tabs_of
from webapp.pages.common import runtime
from webapp.pages.games import next_game_of
from webapp.pages.place import Place
from webapp.pages.robot_hand import robot_hand
from webapp.presentation.clock_text import vacation_notes
from webapp.presentation.faces import face
from webapp.presentation.present import TurnSheet
from webapp.presentation.scoresheet import ScoreSheet
from webapp.presentation.sheets import standings_of, turn_sheet_of, zone_of
from webapp.presentation.turn_text import dropped_sentence, turn_sentence
from webapp.presentation.waiting import Onward, onward_text, that_is_it, who_acts

MAY_CHOOSE: Final = "Tap a card to choose it before your turn."
CHOSEN: Final = "{card} plays at your turn. Tap to take back."


@dataclass(frozen=True, slots=True)
class AheadForm:
    """The cards of a player who plays later to the trick on the table, each to choose ahead by one tap."""

    action: str
    due: str  # the trick: "trick 5"
    seen: int  # how many cards lie there
    cards: frozenset[str]  # the codes of those that can be chosen
    chosen: str  # the code of the one that is; empty if none is
    line: str  # what a tap does, or has done


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingPage(AtTable):
    template = "play"
    heading: str
    who: str  # acts now
    sheet: TurnSheet
    standings: ScoreSheet
    back_action: str | None = None  # None: the reader is not away
    ahead: AheadForm | None = None
    go_on: Onward | None = None
    reminders: Sequence[str] = ()  # phrases that remind whom the table waits for
    vacation_notes: Sequence[str] = ()
    next_game: NextGame | None = None


def waiting(
    session: Session, seat: SeatRow, stored: TableGame, address: str, now: Place, kind: StepKind
) -> WaitingPage:
    """The page of a player who waits: nothing waits for them, or the hand goes on by itself, or they have just passed
    (`kind`), or they look at the hand that they have chosen. `address` is the URL of the page that follows the game.
    """
    me, now, moment = Seat(seat.seat), replace(now, at=None), runtime().now()
    has_passed = kind is StepKind.PASSED
    sheet = turn_sheet_of(stored, me, zone_of(session, seat), moment)
    is_over = kind is StepKind.NOTHING and now.hand is None
    heading = sheet.gave if has_passed else _heading(session, stored, seat, sheet, is_over=is_over)
    page = WaitingPage(
        heading=heading,
        says=heading,
        who=who_acts(sheet),
        sheet=sheet,
        kind="waiting" if kind is StepKind.NOTHING else kind.value,
        done=None if has_passed else _what_was_done(stored, me, sheet),
        go_on=onward(stored, me, address, stored.game.hand, _after_waiting(stored, me, now, kind)),
        standings=standings_of(stored),
        back_action=f"{address}/back" if seat.away else None,
        ahead=_ahead_form(stored, me, f"{address}/ahead{now.query}"),
        reminders=nudges.phrases(session, stored, me, moment),
        vacation_notes=vacation_notes(session, stored, me, moment),
        tabs=tabs_of(stored, me, address, now),
        pause=pause_line_of(stored, me),
        robot_hand=robot_hand(stored, seat, address),
        next_game=next_game_of(seat),
    )
    page = framed(page, session, stored.table, stored.row, stored.seats, seat, address, now)
    if page.follow is None or kind is not StepKind.GOES_ON:
        return page
    return replace(page, follow=replace(page.follow, goes_on=True))


def onward(stored: TableGame, me: Seat, address: str, shown: int, after: Place) -> Onward | None:
    """The way to the step at the place `after`; None if it is in the hand `shown`."""
    step = next_step(hands_of(stored, me), after.shown or 0, waits=after.waits)
    text = onward_text(step, shown)
    return (
        Onward(f"{address}{after.query}", text, asks=step.kind in (StepKind.DECISION, StepKind.RESULT))
        if text
        else None
    )


def _ahead_form(stored: TableGame, me: Seat, action: str) -> AheadForm | None:
    """The form of the cards that the seat's player may choose ahead; None if they have no choice among them."""
    seen = view(stored.game, me)
    cards = choices_ahead(seen)
    if len(cards) < 2 or seen.trick is None or stored.is_played_by_robot(me):
        return None
    kept = ahead_of(stored, me)
    chosen = kept.card if kept and not has_points_since(kept, seen) else None
    may_choose = " ".join(filter(None, (dropped_sentence(stored, me), MAY_CHOOSE)))
    return AheadForm(
        action=action,
        due=f"trick {len(seen.tricks) + 1}",
        seen=len(seen.trick.cards),
        cards=frozenset(map(card_text, cards)),
        chosen="" if chosen is None else card_text(chosen),
        line=may_choose if chosen is None else CHOSEN.format(card=face(chosen).text),
    )


def _heading(session: Session, stored: TableGame, seat: SeatRow, sheet: TurnSheet, *, is_over: bool) -> str:
    """Returns the heading for a player who waits; with `is_over`, their visit ends here, for nothing waits for them."""
    me = Seat(seat.seat)
    if not is_over or plays_live(stored.table) or stored.is_played_by_robot(me):
        return who_acts(sheet)
    acting = {other for hand in stored.open_hands() for other in hand.game.to_act}
    mails = session.get_one(PlayerRow, seat.player_id).frequency if seat.mails else None
    return that_is_it([stored.names[other] for other in sorted(acting)], mails)


def _after_waiting(stored: TableGame, me: Seat, now: Place, kind: StepKind) -> Place:
    """Returns the place of a reader who has seen their pass, or does not want to wait for the hand or look at it."""
    passed = [one.chosen for one in hands_of(stored, me) if one.is_passed and one.number == stored.game.hand]
    return Place(max([now.shown or 0, *passed]), waits=kind is not StepKind.GOES_ON)


def _what_was_done(stored: TableGame, seat: Seat, sheet: TurnSheet) -> str | None:
    """Says what the last turn of the seat in the current hand was, and what a pass brought; None if there is none."""
    last = _last_of(stored, seat)
    if last is None or not isinstance(last.turn, Pass):
        return turn_sentence(last) if last else None
    gave = sheet.gave if last.source in BY_PLAYER else turn_sentence(last)
    return f"{gave} {sheet.got}".strip()


def _last_of(stored: TableGame, seat: Seat) -> Record | None:
    """The last turn of the seat in the current hand; None if there is none."""
    played = reversed(stored.of_hand(stored.game.hand)[1:])
    return next((one for one in played if not isinstance(one.turn, Deal) and one.turn.seat == seat), None)
