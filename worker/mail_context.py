"""Makes the context that the templates of a letter get, by the letter's kind.

`webapp.presentation.sheets` decides what a player may see; `mail` renders the templates.
"""

from collections.abc import Sequence
from typing import Any

from sqlmodel import Session

from webapp.accounts.devices import kind_of
from webapp.core.runtime import Runtime
from webapp.core.tokens import (
    ConfirmLink,
    DeviceLink,
    ForgetLink,
    HandOverLink,
    InvitationLink,
    JoinLink,
    Link,
    SignInLink,
)
from webapp.games import store, talk
from webapp.games.clock import is_live
from webapp.games.due import Due, answer_to, due_of, turn_link
from webapp.games.links import again_link, preferences_link, seat_link
from webapp.games.pace import pace_for
from webapp.games.rows import table_seats
from webapp.games.stand_in import is_stand_in_asked, name_to, own_name, owner_name
from webapp.games.store import TableGame
from webapp.games.trick_sheet import AHEAD, question_of
from webapp.games.vacation import days_left
from webapp.inbox.answering import Reason
from webapp.kinds import KINDS
from webapp.models import DeviceRow, LetterKind, LetterRow, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.outbox.about_accounts import link_number
from webapp.outbox.about_tables import NO_STAND_IN, SeatGiven
from webapp.outbox.lateness import as_if_asked
from webapp.outbox.letters import asked_by, is_stale, unsubscribe_link
from webapp.outbox.nudges import NUDGE
from webapp.presentation.scoresheet import ScoreSheet
from webapp.presentation.sheets import score_sheet_of, summary_of, turn_sheet_of
from webapp.presentation.talk import talk_lines
from webapp.presentation.timestamps import span, timestamp
from webapp.presentation.turn_text import is_by_plan, turn_sentence
from webapp.presentation.vacation_text import left_sentence
from webapp.tables import seating
from webapp.tables.again import who_wants_again
from webapp.tables.lobby import open_table
from webapp.tables.offers import is_offered, is_promised, offer_of
from worker.address_changes import address_change_context
from worker.answers import answer_context, answer_without_game
from worker.digest import digest_context
from worker.evenings import evening_context
from worker.gone_away import gone_away_context
from worker.muted import muted_context
from worker.questions import goal_with, more_sentence, question_context
from worker.scores import final_sheet_context, hand_sheet_context, latest
from worker.seats import is_news, seats_context

Context = dict[str, Any]


def letter_context(runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow) -> Context | None:
    """The context of the mail `letter` to `player`; None if what it asks for, or reports, is over already."""
    if letter.kind is LetterKind.MUTED:
        context = muted_context(runtime, session, letter, player)
        return context and context | _footer(runtime, letter, player)
    if letter.kind is LetterKind.DIGEST:
        context = digest_context(runtime, session, letter, player)
        return context and context | _footer(runtime, letter, player)
    if letter.kind is LetterKind.ANSWER and letter.game_id is None:
        # As in other mails to an address that is not proved, there is no link to the preferences.
        foot = _footer(runtime, letter, player) if letter.address is None else {}
        return {"you": player.name, **foot, **answer_without_game(session, letter)}
    if letter.table_id is None:
        return _about_address(runtime, session, letter, player)
    if letter.kind is LetterKind.JOIN:
        return _join(runtime, session, letter, player)
    if letter.game_id is None:
        if letter.kind is LetterKind.INVITATION and not _is_still_invited(session, letter):
            return None
        if letter.kind is LetterKind.REPLACED and (_has_seat(session, letter) or _is_lent_no_more(session, letter)):
            return None
        if letter.reason == NO_STAND_IN and not _is_away(session, letter):
            return None
        if letter.kind is LetterKind.OFFERED and not _may_hand_over(session, letter):
            return None
        if letter.kind is LetterKind.SEATS and not is_news(session, letter):
            return None
        if letter.kind is LetterKind.OFFER_OVER and _may_join(session, letter):
            return None
        return _about_table(runtime, session, letter, player)
    stored = store.load(session, letter.game_id, hand=letter.hand)
    if letter.evening_id is not None:
        context = evening_context(runtime, session, letter, stored, player)
        return context and _frame(runtime, letter, player, stored.table, stored.seats) | context
    if is_stale(letter, stored):
        return None
    if letter.reason == AHEAD and letter.message is None:  # it shows the trick as it is when the mail goes
        letter.turns = stored.row.turns
    then = stored
    if letter.turns != stored.row.turns:
        then = store.load(session, letter.game_id, hand=letter.hand, turns=letter.turns)
    if KINDS[letter.kind].is_question and due_of(stored.game, letter.of_seat) == asked_by(letter):
        then = as_if_asked(then, letter.created_at, runtime.now(), player)
    return _about_game(runtime, session, letter, then, player)


def _about_address(runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow) -> Context | None:
    """The context of a mail about a player's address.

    A mail to an address that is not proved, or not the player's any more, has no link to the preferences.
    """
    if letter.kind is LetterKind.SIGN_IN:
        link = runtime.signer.url(SignInLink(letter.player_id, player.sign_ins))
        return {"you": player.name, "link": link} | _footer(runtime, letter, player)
    if letter.kind is LetterKind.FORGET:
        link = runtime.signer.url(ForgetLink(letter.player_id, player.generation))
        return {"you": player.name, "link": link, "within": span(ForgetLink.ttl)} | _footer(runtime, letter, player)
    if letter.kind is LetterKind.DEVICE_ADDED:
        return _device_added(runtime, session, letter, player)
    if letter.kind is LetterKind.GONE_AWAY:
        gone = gone_away_context(runtime, session, player)
        return gone and gone | _footer(runtime, letter, player)
    assert letter.address is not None
    if letter.kind is LetterKind.TRIAL:
        return {"address": runtime.settings.address, "sender": runtime.settings.sender.addr_spec}
    context = address_change_context(runtime, session, letter, player)
    if context is None or letter.kind not in (LetterKind.ADDRESS_MOVED, LetterKind.ANSWERED_FROM):
        return context
    return context | _footer(runtime, letter, player)


def _join(runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow) -> Context:
    """The context of a mail to a player who asks for an open seat; it shows of the others what the lobby shows."""
    found = open_table(session.get_one(TableRow, letter.of_table), table_seats(session, letter.of_table))
    number = link_number(letter)
    return {
        "you": letter.about,
        "host_name": found.host_name,
        "table": found.summary,
        "rules_link": runtime.signer.absolute_url(found.summary.rules_path),
        "is_by_link": number > 0,
        "link": runtime.signer.url(JoinLink(letter.of_table, letter.player_id, player.links, number)),
        **_footer(runtime, letter, player),
    }


def _device_added(runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow) -> Context | None:
    """The context of a mail about a new device of the player's; None if it is forgotten already."""
    device = session.get(DeviceRow, int(letter.about or 0))
    if device is None or device.player_id != player.id:
        return None
    link = runtime.signer.absolute_url("/signed-in")
    if asks := not device.is_confirmed:
        link = runtime.signer.url(DeviceLink(player.id, device.id, player.generation))
    told = {"you": player.name, "device": kind_of(device.endpoint), "asks": asks, "link": link}
    return told | _footer(runtime, letter, player)


def _footer(runtime: Runtime, letter: LetterRow, player: PlayerRow) -> Context:
    """The context of a mail's footer: the links to the player's preferences, and to unsubscribe."""
    stop = unsubscribe_link(letter, player)
    return {
        "preferences_link": runtime.signer.url(preferences_link(player)),
        "privacy_link": runtime.signer.absolute_url("/privacy"),
        "unsubscribe_link": runtime.signer.url(stop) if stop else None,
        "unsubscribe_text": KINDS[letter.kind].stop_label,
    }


def _is_still_invited(session: Session, letter: LetterRow) -> bool:
    """Whether the seat, free or occupied, still waits for the player's answer to the invitation."""
    seat = session.get_one(SeatRow, (letter.table_id, letter.seat))
    is_open = session.get_one(TableRow, letter.table_id).state is TableState.INVITING
    is_invited = is_open and seat.state is SeatState.INVITED and seat.player_id == letter.player_id
    return is_invited or (is_offered(seat, letter.player_id) and not is_promised(seat, letter.player_id))


def _about_table(runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow) -> Context | None:
    """The context of a mail about the table itself; None if it says that a game rests that goes on again."""
    seats = table_seats(session, letter.of_table)
    table = session.get_one(TableRow, letter.of_table)
    own = seats[letter.of_seat]
    context, host_name = _frame(runtime, letter, player, table, seats), owner_name(seats[0])
    match letter.kind:
        case LetterKind.CONFIRM:
            context["link"] = runtime.signer.url(ConfirmLink(letter.of_table, player.links))
        case LetterKind.INVITATION:
            context |= _invitation(runtime, letter, player, seats)
            context["is_reminder"] = letter.again
            context["company"] = context["table"].company_of(letter.of_seat)
            if is_offered(own, letter.player_id):
                context |= {"you": own.offered_name, "table_link": None}
                context["stand_in_for"] = own.name if is_stand_in_asked(own) else None
                context["is_played"] = table.state is TableState.PLAYING
        case LetterKind.DECLINED:
            context["who"], context["is_stand_in"] = letter.about, letter.reason == NO_STAND_IN
            context["is_played"] = table.state is TableState.PLAYING
            context["may_fill_seat"] = letter.of_seat == 0  # other seats get this mail if the host has declined
        case LetterKind.SEATS:
            context |= seats_context(session, letter)
        case LetterKind.OFFERED:
            offer, newcomer = offer_of(session, own), own.offered_to or 0
            link = HandOverLink(letter.of_table, letter.of_seat, letter.player_id, newcomer, own.links)
            context |= {"offer": offer, "link": runtime.signer.url(link)}
        case LetterKind.REPLACED:  # somebody else has the seat, and so the table page of the seat
            context |= {"you": letter.about, "host_name": host_name}
            context["new_table_link"] = runtime.signer.absolute_url("/tables/new")
            context |= _new_occupant(letter, own)
            if letter.reason != SeatGiven.LENT:
                context["table_link"] = None
        case LetterKind.OFFER_OVER:
            context |= {"you": letter.about, "why": letter.reason, "host_name": host_name, "table_link": None}
            context["new_table_link"] = runtime.signer.absolute_url("/tables/new")
        case LetterKind.ENDED:
            context |= {"host_name": host_name, "score": _score_of_ended(session, letter)}
            context["why"] = letter.reason
        case LetterKind.RESTING:
            if table.resting_at is None or table.pause_ends_at is None:
                return None
            context["link"] = f"{context['table_link']}/rest"
            context["ends"] = timestamp(table.pause_ends_at, runtime.now(), player.time_zone).text
    return context


def _new_occupant(letter: LetterRow, seat: SeatRow) -> Context:
    """Why the letter's player has not the seat any more, and who has it: "Eve", or "a robot, Pip".

    `who` is the friend who plays for them, or the player for whom they played.
    """
    occupant = f"a robot, {seat.name}" if seat.state is SeatState.ROBOT else seat.name
    who = own_name(seat) if letter.reason == SeatGiven.LENT else owner_name(seat)
    return {"why": letter.reason, "who": who, "new_occupant": occupant}


def _may_hand_over(session: Session, letter: LetterRow) -> bool:
    """Whether the letter's player still has the seat, and it is still offered to the newcomer of the letter."""
    seat = session.get_one(SeatRow, (letter.table_id, letter.seat))
    is_same_offer = seat.player_id == letter.player_id and seat.offered_to == letter.newcomer_id
    return is_same_offer and offer_of(session, seat) is not None


def _may_join(session: Session, letter: LetterRow) -> bool:
    """Whether the player, whose offer the letter ends, has been offered the seat again, or has it."""
    seat = session.get_one(SeatRow, (letter.table_id, letter.seat))
    return seat.player_id == letter.player_id or is_offered(seat, letter.player_id)


def _is_lent_no_more(session: Session, letter: LetterRow) -> bool:
    """Whether the letter tells its player that a friend plays for them, and none does any more."""
    seat = session.get_one(SeatRow, (letter.table_id, letter.seat))
    return letter.reason == SeatGiven.LENT and seat.stands_in_for != letter.player_id


def _is_away(session: Session, letter: LetterRow) -> bool:
    """Whether the letter's player has the seat and is away."""
    return _has_seat(session, letter) and session.get_one(SeatRow, (letter.table_id, letter.seat)).away


def _has_seat(session: Session, letter: LetterRow) -> bool:
    return session.get_one(SeatRow, (letter.table_id, letter.seat)).player_id == letter.player_id


def _score_of_ended(session: Session, letter: LetterRow) -> ScoreSheet:
    """The score sheet of the game that the letter is about, which its host has ended."""
    assert letter.game_number is not None
    row = seating.game(session, letter.of_table, letter.game_number)
    assert row is not None
    return latest(score_sheet_of(store.load(session, row.id)))


def _invitation(runtime: Runtime, letter: LetterRow, player: PlayerRow, seats: Sequence[SeatRow]) -> Context:
    """The context of an invitation to the first game or to another one: who invites, and the link to answer."""
    if letter.game_number is None:
        link: Link = InvitationLink(letter.of_table, letter.of_seat, letter.player_id, player.links)
        context = {"link": runtime.signer.url(link), "host_name": owner_name(seats[0]), "who_again": None}
        return {**context, "stand_in_for": None, "is_played": is_offered(seats[letter.of_seat], letter.player_id)}
    link = again_link(seats[letter.of_seat], letter.game_number - 1, letter.player_id)
    context = {"link": runtime.signer.url(link), "host_name": owner_name(seats[0]), "who_again": who_wants_again(seats)}
    return {**context, "stand_in_for": None, "is_played": False}


def _about_game(runtime: Runtime, session: Session, letter: LetterRow, stored: TableGame, player: PlayerRow) -> Context:
    """The context of a mail about a game; `stored` is the game as it stood when the mail was queued."""
    context = _frame(runtime, letter, player, stored.table, stored.seats)
    seat, due = letter.of_seat, Due(letter.of_hand, letter.about or "")
    has_left = stored.seats[seat].player_id != letter.player_id
    match letter.kind:
        case LetterKind.SCORE_SHEET:
            context |= hand_sheet_context(runtime, session, letter, stored)
            if has_left:  # somebody else has the table page of the seat
                context |= {"you": stored.names_of_hand(letter.of_hand)[seat], "table_link": None}
        case LetterKind.FINAL_SHEET:
            context |= final_sheet_context(runtime, session, letter, stored)
        case LetterKind.PLAYED_FOR_YOU:
            record = answer_to(stored.of_hand(due.hand), seat, due)
            assert record is not None
            context["what"], context["is_by_plan"] = turn_sentence(record), is_by_plan(record)
            context["is_away"] = stored.seats[seat].away
            is_asked_live = is_live(pace_for(stored.table, due.what))
            context["is_live"] = is_asked_live
            context["back_link"] = runtime.signer.url(turn_link(stored, seat, due))
            context["sheet"] = turn_sheet_of(stored, seat, player.time_zone, runtime.now())
        case LetterKind.ANSWER:
            is_theirs = stored.seats[seat].player_id == letter.player_id
            asked = question_of(stored, seat) if is_theirs else None
            context |= answer_context(session, letter, stored)
            context |= question_context(runtime, stored, seat, asked, player) if asked else {"sheet": None}
            if asked and letter.reason == Reason.UNADDRESSED:
                more = more_sentence(runtime, session, stored, seat, asked, player)
                context["sentences"] += [more] if more else []
        case LetterKind.REMINDER:
            context |= question_context(runtime, stored, seat, due, player)
            context["is_nudge"] = letter.reason == NUDGE
            context["more_waits"] = more_sentence(runtime, session, stored, seat, due, player)
        case LetterKind.VACATION:
            context |= question_context(runtime, stored, seat, due, player)
            context["left"] = left_sentence(days_left(stored.table, stored.seats[seat]))
            context["no_vacation_link"] = f"{runtime.signer.url(preferences_link(player))}/no-vacation"
        case _:
            context |= question_context(runtime, stored, seat, due, player)
            context["goal"] = goal_with(session, stored, seat, due)
            context["more_waits"] = more_sentence(runtime, session, stored, seat, due, player)
    if KINDS[letter.kind].brings_talk:
        said = () if has_left else talk.unread(session, stored.table, letter, runtime.now())
        context["said"] = talk_lines(said, letter.player_id, player.time_zone)
    return context


def _frame(
    runtime: Runtime, letter: LetterRow, player: PlayerRow, table: TableRow, seats: Sequence[SeatRow]
) -> Context:
    """The context that every mail about a table has."""
    summary = summary_of(table, seats)
    return {
        "you": name_to(seats[letter.of_seat], letter.player_id),
        "table": summary,
        "rules_link": runtime.signer.absolute_url(summary.rules_path),
        "table_link": runtime.signer.url(seat_link(seats[letter.of_seat], letter.player_id)),
        "is_answered": bool(runtime.settings.incoming_domain),
        **_footer(runtime, letter, player),
    }
