"""Everything that one player may see of a table and its game, for pages and mails alike.

Only this module makes a player's view of a game, be it stored or for practice. Pages and mails get the result, and
never the game.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import reduce
from types import MappingProxyType
from typing import Final

from sqlmodel import Session

from hearts.cards import Card
from hearts.cycle import FINISHED, before_hand
from hearts.game import Game, Stage, apply, replay_hand
from hearts.review import Opinion
from hearts.score import HandScore
from hearts.seats import Seat, every_seat
from hearts.story import facts
from hearts.view import view
from webapp.core.addresses import sharing
from webapp.core.say import say, say_many
from webapp.games import talk
from webapp.games.asked.running import RunningGame
from webapp.games.clock import proposals
from webapp.games.clock.presence import is_reading
from webapp.games.record.rows import is_guest, table_rules, waits_for_host
from webapp.games.record.seats import is_lent, joins_next, own_name, owner_name, table_name
from webapp.games.record.store import Record, TableGame
from webapp.models import (
    GameState,
    PaceTimes,
    PlayerRow,
    Proposal,
    Proposed,
    SeatRow,
    SeatState,
    TableRow,
    Talk,
    TalkRow,
)
from webapp.presentation.chart import race
from webapp.presentation.clock_text import left_note, spare_days_sentence
from webapp.presentation.faces import Face, faces
from webapp.presentation.happened import (
    Bubble,
    HandEnd,
    TalkSheet,
    Told,
    end_lines,
    end_sentence,
    happened,
    heard,
    moon_text,
    phrases,
    talk_lines,
    told_of_hand,
)
from webapp.presentation.house_rules import goal_text, lesson_after
from webapp.presentation.phrasing import Timestamp, listed, timestamp
from webapp.presentation.present import TurnSheet, finished_tricks, turn_sheet
from webapp.presentation.scoresheet import ScoreSheet, score_sheet
from webapp.presentation.story import story
from webapp.presentation.summary import BY_LINK, RAN_OUT, SeatLine, TableSummary, table_summary
from webapp.presentation.tricks import TrickSheet

Opinions = Mapping[int, Sequence[Opinion]]
NO_OPINIONS: Final[Opinions] = MappingProxyType({})
JUST_NOW: Final = timedelta(minutes=5)  # how long a line of talk is shown beside the cards, too


@dataclass(frozen=True, slots=True)
class PracticeSheet:
    """A practice hand as the newcomer sees it, with help."""

    sheet: TurnSheet
    since: tuple[TrickSheet, ...]  # finished since the newcomer's last choice
    forced: tuple[Face, ...]  # the cards that they had to play since then
    seen: int  # cards of the first trick of `since` that the newcomer has seen: those up to their own
    lesson: str | None


def summary_of(table: TableRow, seats: Sequence[SeatRow]) -> TableSummary:
    lines = [
        SeatLine(
            seat.name,
            seat_word(seat),
            is_away=seat.away,
            joins=joins_next(seat),
            owner=owner_name(seat) if is_lent(seat) else None,
            vacation=left_note(table, seat),
        )
        for seat in seats
    ]
    return table_summary(
        table_name(seats),
        table_rules(table),
        lines,
        timedelta(seconds=table.pass_seconds),
        timedelta(seconds=table.play_seconds),
        rules_path=f"/how-we-play/{table.code}",
        suggestions=table.suggestions,
        talk=table.talk,
        at_once=table.at_once,
        vacation=spare_days_sentence(table),
        words=table.words or "",
        has_guests=any(map(is_guest, seats)),
        waits_for_host=waits_for_host(table, seats),
        shares=shared_mailboxes(seats),
    )


def shared_mailboxes(seats: Sequence[SeatRow]) -> str:
    """Says which players read one mailbox, and so may see each other's cards; empty if each has their own.

    Copies of seats for people outside the table (`stand_in.shown_as`) have no player, and so nobody is named.
    """
    here = [seat for seat in seats if seat.state is not SeatState.DECLINED]
    found = [(own_name(seat), seat.player.address) for seat in here if seat.player is not None]
    return " ".join(say("{names} share a mailbox.", names=listed(names)) for names in sharing(found))


def seat_word(seat: SeatRow) -> str:
    """The state of a seat, as `SeatLine` has it."""
    if seat.has_run_out:
        return RAN_OUT
    return BY_LINK if seat.by_link and seat.state is SeatState.OPEN else seat.state.value


def deadline_of(stored: TableGame | RunningGame, zone: str, now: datetime) -> Timestamp | None:
    """The deadline in the reader's time zone; None once the game is over.

    While the clock is paused, the time of the pause, with `is_pause`.
    """
    pause = stored.table.pause
    if pause is not None and stored.row.state is GameState.PLAYING:
        return replace(timestamp(pause.since, now, zone), is_pause=True)
    due_at = stored.clock.due_at
    return timestamp(due_at, now, zone) if due_at else None


def turn_sheet_of(stored: TableGame, seat: Seat, zone: str, now: datetime) -> TurnSheet:
    """Returns the present hand as `seat` sees it."""
    deadline = deadline_of(stored, zone, now)
    here = {Seat(other.seat) for other in stored.seats if is_reading(other, other.player, now)}
    away = {Seat(other.seat) for other in stored.seats if other.away}
    seen, is_beside = view(stored.game, seat), stored.row.at_once > 1
    people = (stored.names, stored.robots, deadline, here, away)
    return turn_sheet(seen, *people, is_beside=is_beside)


def hand_end_of(stored: TableGame, seat: Seat, hand: int) -> HandEnd:
    """How a finished hand of the game ended, for the player of `seat`, who has played it."""
    rules, scores, names = stored.game.rules, stored.game.scores[:hand], stored.names_of_hand(hand)
    after, score = _counted(stored, hand)
    is_counted = len(scores) == hand
    before = turn_sheet(view(after, seat), names, stored.robots, None)
    return HandEnd(
        sheet=before,
        since=happened(stored, seat, before),
        lines=end_lines(rules, names, score, is_counted=is_counted),
        story=story(rules, names, score, facts(after)),
        chart=race(score_sheet(rules, names, scores)) if is_counted else None,
        running=tuple(game.hand for game in stored.cycle.hands if game.hand < hand and game.to_act),
        moon=moon_text(rules, names, score),
    )


def _counted(stored: TableGame, hand: int) -> tuple[Game, HandScore]:
    """The end of a finished hand, and its score; fifties count only once the hands before it are over, too."""
    rules, scores, records = stored.game.rules, stored.game.scores[:hand], stored.of_hand(hand)
    if len(scores) == hand:
        return _end_of(stored, records), scores[-1]
    after = replay_hand(rules, hand, [record.turn for record in records])
    return after, replace(after.scores[-1], fifties=())


def told_since(stored: TableGame, seat: Seat, after: int) -> list[Told]:
    """The lines about the game since its first `after` records, for the player of `seat`, hand by hand."""
    found: list[Told] = []
    for number in sorted({one.hand for one in stored.records if one.number > after}):
        records, names = stored.of_hand(number), stored.names_of_hand(number)
        game = stored.cycle.hand(number)
        is_over = game is None or game.stage in FINISHED
        end: str = ""
        tricks: tuple[TrickSheet, ...] = ()
        if is_over:
            _, score = _counted(stored, number)
            end = end_sentence(number, end_lines(stored.game.rules, names, score, is_counted=False))
        elif game is not None:
            tricks = finished_tricks(view(game, seat), names)
        found += told_of_hand(records, seat, after, tricks, end, is_beside=stored.row.at_once > 1)
    return found


def standings_of(stored: TableGame) -> ScoreSheet:
    """The score sheet so far, without stories."""
    return score_sheet(stored.game.rules, stored.names, stored.game.scores)


def practice_sheet_of(
    game: Game, asked: Sequence[Game], forced: Iterable[Card], seat: Seat, names: Sequence[str]
) -> PracticeSheet:
    """Returns a practice hand against robots as the newcomer in `seat` sees it.

    `asked` are the games at each of their choices so far, `forced` the cards that they had to play since the last.
    """
    now, earlier = view(game, seat), [view(before, seat) for before in asked]
    robots = frozenset(every_seat(game.rules.players)) - {seat}
    sheet = turn_sheet(now, names, robots, None)
    since = sheet.tricks[len(earlier[-1].tricks) :] if earlier else ()
    seen = 0
    if earlier and earlier[-1].stage is Stage.PLAY:
        trick = earlier[-1].trick
        seen = len(trick.cards) + 1 if trick else 1
    return PracticeSheet(sheet, since, faces(forced), seen, lesson_after(earlier, now))


def score_sheet_of(stored: TableGame, *, hands: int | None = None, opinions: Opinions = NO_OPINIONS) -> ScoreSheet:
    """The sheet after the first `hands` hands (None: all finished ones), with their stories.

    A story names the players of its hand. The sheet names those of the last of `hands`, or, once the game is over and
    with None, those who have the seats and so the points: not who stood in for a winner.
    `opinions` are the robot's, by hand, as far as they exist; a story mentions a card that cost many points.
    """
    game = stored.game
    scores = game.scores[:hands]
    stories = []
    for score in scores:
        found = facts(_end_of(stored, stored.of_hand(score.number)), opinions.get(score.number, ()))
        stories.append(story(game.rules, stored.names_of_hand(score.number), score, found))
    winners = game.winners if scores == game.scores else ()
    is_ended = stored.was_ended and hands is None
    names = stored.names if hands is None or winners else stored.names_of_hand(hands)
    return score_sheet(game.rules, names, scores, winners, stories, is_ended=is_ended)


def _end_of(stored: TableGame, records: Sequence[Record]) -> Game:
    """The game at the end of a finished hand, which has these records."""
    turns = (record.turn for record in records)
    return reduce(apply, turns, before_hand(stored.game.rules, records[0].hand, stored.game.scores))


def blank_score_sheet(table: TableRow, seats: Sequence[SeatRow]) -> ScoreSheet:
    """The sheet before the first game."""
    return score_sheet(table_rules(table), [seat.name for seat in seats], (), ())


def talk_sheet_of(
    rows: Sequence[TalkRow],
    table: TableRow,
    seats: Sequence[SeatRow],
    reader: SeatRow,
    zone: str,
    now: datetime,
    play_link: str | None = None,
) -> TalkSheet | None:
    """The talk of the table, its recent lines `rows`, for the player of `reader`; None if the table has none.

    The player can talk only on the page that follows their seat; `play_link` is its address, None anywhere else.
    """
    if table.talk is Talk.NONE:
        return None
    lines = talk_lines(rows, reader.player_id, zone, now)
    is_heard = bool(rows) and now - rows[-1].at < JUST_NOW and not lines[-1].is_yours
    newest = rows[-1].id if rows else None
    sheet = TalkSheet(lines, lines[-1] if is_heard else None, _bubbles(rows, seats, reader, now), newest)
    return _with_form(sheet, table, play_link and f"{play_link}/talk")


def trick_talk_of(
    rows: Sequence[TalkRow], table: TableRow, reader: SeatRow, zone: str, now: datetime, trick: int, action: str | None
) -> TalkSheet | None:
    """The talk about a trick, of the lines `rows` about its hand, for the player of `reader`, who says more at
    `action`.

    None if nobody has said anything and the player may not, either.
    """
    if table.talk is Talk.NONE or not (rows or action):
        return None
    lines = talk_lines([row for row in rows if row.trick == trick], reader.player_id, zone, now)
    return _with_form(TalkSheet(lines, heading=say("Said about trick {trick}", trick=trick)), table, action)


def _with_form(sheet: TalkSheet, table: TableRow, action: str | None) -> TalkSheet:
    """The same with what its reader may say, if there is an address for that."""
    if action is None:
        return sheet
    return replace(
        sheet,
        action=action,
        reactions=talk.REACTIONS,
        phrases=phrases(text for text in talk.PHRASES if text not in talk.REACTIONS),
        may_type=table.talk is Talk.TEXT,
        longest=talk.LONGEST,
    )


def goal_for_newcomer(session: Session, stored: TableGame, seat: SeatRow) -> str:
    """Says what the game is about to a player who came to the service with this hand; empty for all others."""
    player = session.get(PlayerRow, seat.player_id) if seat.player_id else None
    is_first = stored.row.number == 1 and stored.game.hand == 1
    if player is None or not is_first or player.created_at < stored.table.created_at:
        return ""
    return goal_text(stored.game.rules)


def _bubbles(
    rows: Sequence[TalkRow], seats: Sequence[SeatRow], reader: SeatRow, now: datetime
) -> tuple[Bubble | None, ...]:
    """Returns, by place, the reader's own first: each other player's latest line, if it is unread or was said just now.

    Empty if there is none.
    """
    latest = {(row.seat, row.player_id): row for row in rows}
    bubbles: list[Bubble | None] = [None]
    for place in range(1, len(seats)):
        seat = seats[(reader.seat + place) % len(seats)]
        row = latest.get((seat.seat, seat.player_id)) if seat.player_id else None
        is_unread = row is not None and row.id > (reader.talk_read or 0)
        is_shown = row is not None and (is_unread or now - row.at < JUST_NOW)
        bubbles.append(Bubble(row.name, heard(row.text), is_unread) if row and is_shown else None)
    return tuple(bubbles) if any(bubbles) else ()


def zone_of(session: Session, seat: SeatRow) -> str:
    """The time zone of the seat's player."""
    return session.get_one(PlayerRow, seat.player_id).time_zone if seat.player_id else "UTC"


# The proposals of a host, as text for one player of the table: on pages, and in the mail about each.


@dataclass(frozen=True, slots=True)
class ProposalLine:
    """A proposal as one player reads it. `key` names it in a form."""

    key: str
    heading: str
    sentence: str
    note: str = ""  # who agrees
    may_agree: bool = False
    pace: str = ""  # that holds
    new_pace: str = ""


def proposal_lines(
    table: TableRow, seats: Sequence[SeatRow], reader: int | None, zone: str, now: datetime
) -> list[ProposalLine]:
    """The table's proposals for the player of that id."""
    return [proposal_line(table, seats, one, reader, zone, now) for one in table.proposals or ()]


def proposal_line(
    table: TableRow, seats: Sequence[SeatRow], proposal: Proposal, reader: int | None, zone: str, now: datetime
) -> ProposalLine:
    agreeing = [seat for seat in proposals.agreeing(table, seats, proposal) if seat.player_id != reader]
    names = [seat.name for seat in agreeing]
    is_asked = any(seat.player_id == reader for seat in proposals.asked(table, seats))
    agree = say_many(len(names), "{names} agrees.", "{names} agree.", names=listed(names))
    notes = [agree] if names else []
    notes += [say("You agree.")] if is_asked and reader in proposal.agreed else []
    ends = timestamp(proposal.ends_at, now, zone).text if proposal.ends_at else ""
    seat = seats[proposal.seat] if proposal.seat is not None else None
    heading, sentence = _words(proposal, owner_name(seats[0]), seat, reader, ends)
    return ProposalLine(
        proposal.key,
        heading,
        sentence,
        " ".join(notes),
        is_asked and reader not in proposal.agreed,
        *(
            (_pace_text(table, seats, proposals.pace_of_table(table)), _pace_text(table, seats, proposal.pace))
            if proposal.pace
            else ()
        ),
    )


def _words(proposal: Proposal, host: str, seat: SeatRow | None, reader: int | None, ends: str) -> tuple[str, str]:
    """The heading, and what is proposed, with when it takes effect."""
    if proposals.needs_all(proposal):
        return say("A live game?"), say(
            "{host} proposes another pace. It begins once all the others agree, and not before.", host=host
        )
    if proposal.what is Proposed.PACE:
        return say("Another pace"), say(
            "{host} chose another pace. It begins with the next hand, or once all the others agree.", host=host
        )
    if seat is None:
        return say("The end of the game?"), say(
            "{host} proposes to end the game. It ends on {time}, or once half of the other players agree. The hand "
            "being played would not count.",
            host=host,
            time=ends,
        )
    if reader is not None and seat.player_id == reader:
        return say("A robot for your seat?"), say(
            "{host} proposes that a robot takes your seat, with its points. It does on {time}, or once half of the "
            "players but {host} agree.",
            host=host,
            time=ends,
        )
    return say("A robot for the seat of {name}?", name=seat.name), say(
        "{host} proposes that a robot takes the seat of {name}, with its points. It does on {time}, or once half of "
        "the players but {host} agree.",
        host=host,
        name=seat.name,
        time=ends,
    )


def _pace_text(table: TableRow, seats: Sequence[SeatRow], pace: PaceTimes) -> str:
    """The time that a player has to answer at that pace."""
    times = {"pass_seconds": pace.pass_seconds, "play_seconds": pace.play_seconds}
    row = TableRow(**{**dict(table), **times, "vacation_days": pace.vacation_days})
    summary = summary_of(row, seats)
    return f"{summary.pace_sentence} {summary.vacation}".rstrip()
