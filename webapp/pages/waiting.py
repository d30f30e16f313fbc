"""Makes the page of a player who waits: for others, for a hand that goes on by itself, or for their pass to be seen."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlmodel import Session

from hearts.ahead import choices_ahead, has_points_since
from hearts.cards import card_text
from hearts.seats import Seat, side_of
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play, Turn
from hearts.view import view
from webapp.core.say import later, say
from webapp.games.asked.due import due_of
from webapp.games.asked.running import NextGame
from webapp.games.asked.visit import StepKind, hands_of, next_step
from webapp.games.asked.whose_turn import ahead_of, first_asked
from webapp.games.clock.pace import plays_live
from webapp.games.record import links
from webapp.games.record.links import relive_link
from webapp.games.record.rows import table_seats
from webapp.games.record.seats import owner_name
from webapp.games.record.store import BY_PLAYER, Record, TableGame
from webapp.models import GameState, PlayerRow, SeatRow, TableRow, TurnSource
from webapp.outbox import questions
from webapp.pages.at_table import (
    AtTable,
    GamePage,
    Place,
    framed,
    pause_line_of,
    place,
    robot_hand,
    share_link_of,
    tabs_of,
)
from webapp.pages.common import runtime
from webapp.pages.games import next_game_of
from webapp.pages.guest_list import GuestList, PlayNow, guest_list, play_now_line
from webapp.pages.invitations import AgainText, again_text_on_table
from webapp.pages.table import relive_links
from webapp.pages.ways_in import OldLinkPage
from webapp.presentation.clock_text import clock_notes
from webapp.presentation.faces import face
from webapp.presentation.happened import HandEnd, Phrase, phrases
from webapp.presentation.present import TurnSheet
from webapp.presentation.scoresheet import ScoreSheet
from webapp.presentation.sheets import (
    blank_score_sheet,
    hand_end_of,
    score_sheet_of,
    standings_of,
    summary_of,
    turn_sheet_of,
    zone_of,
)
from webapp.presentation.summary import TableSummary
from webapp.presentation.turn_text import (
    Onward,
    awaited_at_table,
    dropped_sentence,
    onward_text,
    that_is_it,
    turn_sentence,
    who_acts,
)
from webapp.results.result import Result, own_game, result
from webapp.robots.reviews import reviews_for

MAY_CHOOSE: Final = later("Tap a card to choose it before your turn.")
CHOSEN: Final = later("{card} plays at your turn. Tap to take back.")


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
    reminders: Sequence[Phrase] = ()  # phrases that remind whom the table waits for
    clock_notes: Sequence[str] = ()
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
    if has_passed:
        heading = sheet.gave
    elif not is_over or plays_live(stored.table) or stored.is_played_by_robot(me):
        heading = who_acts(sheet)
    else:  # their visit ends here, for nothing waits for them
        acting = {other for hand in stored.open_hands() for other in hand.game.to_act}
        mails = session.get_one(PlayerRow, seat.player_id).frequency if seat.mails else None
        heading = that_is_it([stored.names[other] for other in sorted(acting)], mails)
    # From there on, their pass counts as seen, too.
    passed = [one.chosen for one in hands_of(stored, me) if one.is_passed and one.number == stored.game.hand]
    after = Place(max([now.shown or 0, *passed]), waits=kind is not StepKind.GOES_ON)
    page = WaitingPage(
        heading=heading,
        says=heading,
        who=who_acts(sheet),
        sheet=sheet,
        kind="waiting" if kind is StepKind.NOTHING else kind.value,
        done=None if has_passed else _what_was_done(stored, me, sheet),
        go_on=onward(stored, me, address, stored.game.hand, after),
        standings=standings_of(stored),
        back_action=f"{address}/back" if seat.away else None,
        ahead=_ahead_form(stored, me, f"{address}/ahead{now.query}"),
        reminders=phrases(questions.phrases(session, stored, me, moment)),
        clock_notes=clock_notes(session, stored, me, moment),
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
    may_choose = " ".join(filter(None, (dropped_sentence(stored, me), say(MAY_CHOOSE))))
    return AheadForm(
        action=action,
        due=f"trick {len(seen.tricks) + 1}",
        seen=len(seen.trick.cards),
        cards=frozenset(map(card_text, cards)),
        chosen="" if chosen is None else card_text(chosen),
        line=may_choose if chosen is None else say(CHOSEN, card=face(chosen).text),
    )


def _what_was_done(stored: TableGame, seat: Seat, sheet: TurnSheet) -> str | None:
    """Says what the last turn of the seat in the current hand was, and what a pass brought; None if there is none."""
    played = reversed(stored.of_hand(stored.game.hand)[1:])
    last = next((one for one in played if not isinstance(one.turn, Deal) and one.turn.seat == seat), None)
    if last is None or not isinstance(last.turn, Pass):
        return turn_sentence(last) if last else None
    gave = sheet.gave if last.source in BY_PLAYER else turn_sentence(last)
    return f"{gave} {sheet.got}".strip()


# Makes the pages of a turn that is over: what was played, who plays now, and how its player gets there.

HEADINGS = {
    TurnSource.TIMEOUT: later("We played for you"),
    TurnSource.AWAY: later("We played for you"),
    TurnSource.AHEAD: later("You chose ahead"),
    TurnSource.AS_WISHED: later("We played for you"),
    TurnSource.FORCED: later("It played itself"),
    TurnSource.CLAIM: later("It played itself"),
}


def turn_over(stored: TableGame, seat: Seat, answer: Record | None, path: str) -> OldLinkPage:
    """The page that says what was played for this turn and who plays now, and has their turn mailed to its player.

    `path` is that of the turn's own page.
    """
    row = stored.seats[seat]
    if answer is None:
        heading = say("It is not your turn")
    elif answer.source in HEADINGS:
        heading = say(HEADINGS[answer.source])
    else:
        heading = _played_heading(answer.turn)
    return OldLinkPage(
        reader=row.player_id,
        heading=heading,
        sentences=[
            *([turn_sentence(answer)] if answer else []),
            awaited_at_table(first_asked(stored, seat), seat),
        ],
        action=f"{path}/back" if row.away or is_asked(stored, seat) else None,
        is_away=row.away,
        table_link=runtime().signer.local_url(links.seat_link(row)),
    )


def handed_on(stored: TableGame, seat: Seat, turn: Turn) -> OldLinkPage:
    """The page for a player whose card has ended the hand, after which somebody else has got their seat."""
    newcomer, host = stored.seats[seat].name, owner_name(stored.seats[0])
    sentence = say(
        "The hand is over. {host}, who hosts the table, has given your seat to {newcomer} from the next one on.",
        host=host,
        newcomer=newcomer,
    )
    if stored.row.state is GameState.OVER:  # then only a lent seat passes to somebody else
        sentence = say("The game is over, and the seat is {name}'s again.", name=newcomer)
    return OldLinkPage(heading=_played_heading(turn), sentences=[sentence, say("Thank you for playing.")])


def is_asked(stored: TableGame, seat: Seat) -> bool:
    """Whether a hand of the game asks the player of the seat now."""
    return stored.row.state is GameState.PLAYING and due_of(first_asked(stored, seat).game, seat) is not None


def _played_heading(turn: Turn) -> str:
    match turn:
        case Play(card=card):
            return say("You played {card}", card=face(card).text)
        case Pass(cards=cards):
            return say("You passed {cards}", cards=" ".join(face(card).text for card in cards))
        case Moon(choice=MoonChoice.ADD):
            return say("You gave the points of the moon to everybody else")
        case _:
            return say("You had the points of the moon taken off")


# Makes the page that shows a player how a hand has ended, before anything else comes.

GO_ON: Final = later("Go on")
SEE_SCORE: Final = later("See the score")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEndPage(AtTable):
    heading: str
    end: HandEnd
    go_on: Onward
    share_link: str | None = None
    relive_link: str | None = None  # None as long as the hand is not counted


def hand_end(session: Session, seat: SeatRow, stored: TableGame, hand: int, now: Place, address: str) -> HandEndPage:
    me, now = Seat(seat.seat), replace(now, at=None)
    end = hand_end_of(stored, me, hand)
    last = max(one.number for one in stored.of_hand(hand))
    shown = now.shown or 0
    is_skipping = any(shown < one.ended < last for one in hands_of(stored, me))  # another end, which comes first
    after = Place(now.shown if is_skipping else max(last, shown))
    usual = Onward(f"{address}{after.query}", say(SEE_SCORE if stored.row.state is GameState.OVER else GO_ON))
    page = HandEndPage(
        heading=say("Hand {number} is over", number=hand),
        says=end.sentence,
        end=end,
        sheet=end.sheet,
        since=end.since,
        kind=f"{stored.row.number} {hand} over",
        go_on=onward(stored, me, address, hand, after) or usual,
        share_link=share_link_of(stored, seat) if end.chart else None,
        relive_link=runtime().signer.local_url(relive_link(seat, stored.id, hand)) if end.chart else None,
        tabs=tabs_of(stored, me, address, now),
    )
    return framed(page, session, stored.table, stored.row, stored.seats, seat, address, now)


# Makes the page of a player whose table plays no game: before the first one, or after the last one.


@dataclass(frozen=True, slots=True, kw_only=True)
class BetweenGames(GamePage):
    template = "play_between"
    heading: str
    table: TableSummary
    score: ScoreSheet
    result: Result | None = None
    own: Sequence[tuple[str, str | None]] = ()  # how the reader played, each with the link to what it is about
    relive_links: Sequence[tuple[int, str]] = ()  # the numbers of the finished hands, each with its page
    share_link: str | None = None
    guests: GuestList | None = None
    play_now: PlayNow | None = None
    hosts: bool = False
    again: AgainText | None = None
    next_game: NextGame | None = None


def between_games(session: Session, seat: SeatRow, stored: TableGame | None, address: str) -> BetweenGames:
    """The page; `stored` is the last game, None before the first one."""
    table, seats = session.get_one(TableRow, seat.table_id), table_seats(session, seat.table_id)
    summary = summary_of(table, seats)
    score = score_sheet_of(stored) if stored else blank_score_sheet(table, seats)
    rules = stored.game.rules if stored else table.rules
    side = side_of(Seat(seat.seat), partnership=rules.partnership)
    heading = score.headline_for(side) if score.hands else summary.name
    page = BetweenGames(
        heading=heading,
        says=heading,
        score=score,
        result=result(rules, score) if score.hands else None,
        own=_own(session, seat, stored) if stored else (),
        relive_links=relive_links(stored, seat) if stored else (),
        share_link=share_link_of(stored, seat) if stored else None,
        table=summary,
        guests=guest_list(table, seats, seat, address),
        play_now=play_now_line(session, table, seats, seat, address),
        hosts=seat.player_id == table.host_id,
        kind="between games",
        again=again_text_on_table(session, seat, stored.row, summary) if stored else None,
        next_game=next_game_of(seat),
    )
    return framed(page, session, table, stored.row if stored else None, seats, seat, address, place())


def _own(session: Session, seat: SeatRow, stored: TableGame) -> list[tuple[str, str | None]]:
    """How the player of the seat has played the game, each line with the link to what it is about."""
    me, links = Seat(seat.seat), dict(relive_links(stored, seat))
    opinions = reviews_for(session, stored, me, seat.player_id) if seat.player_id else {}
    lines = own_game(stored, me, opinions)
    return [(line.text, f"{links[line.hand]}?step={line.step}#film" if line.hand else None) for line in lines]
