"""Changes a player's preferences: when mails come, muting tables, unsubscribing; how cards look and are played.

Each change is one transaction unless its function says otherwise, and is idempotent. `play.course` applies a change to
the running games, `letters` to queued mails. Muting is about mail alone: `away` decides who plays for whom.
`accounts.changing_address` changes the player's address.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from sqlmodel import Session, or_, select

from hearts.cards import parse_code
from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.core.say import Refused, say
from webapp.core.tokens import InvitationLink, LinkInvalid, UnsubscribeLink
from webapp.forms.preferences import Preferences
from webapp.games.asked.due import Due, answer_to, due_of
from webapp.games.clock.hours import weekdays_off
from webapp.games.clock.presence import note_act, note_seen, quiet_of
from webapp.games.record import changing
from webapp.games.record.links import check_player
from webapp.games.record.rows import locked_player
from webapp.games.record.seats import is_lent, mark_back, may_answer
from webapp.models import PlayerRow, SeatRow, Section, TableRow, TableState
from webapp.outbox import about_tables, letters, questions
from webapp.outbox.letters import ALL_TABLES, THE_YEAR
from webapp.play import course, taking
from webapp.players import away
from webapp.players.away import move_deadlines
from webapp.players.own_seats import change_seats, locked_games, seats_of
from webapp.presentation.faces import Face, faces
from webapp.tables import seating


class Stopped(StrEnum):
    """The mails that an unsubscribe link stops."""

    TABLE = "table"  # the mails of one table
    ALL = "all"  # the same at all tables of the player
    INVITATIONS = "invitations"  # this invitation, which is declined, and all further ones
    YEAR = "year"  # the mail in January
    REST = "rest"  # what is still queued about a table at which the player has no seat any more


def preferences_of(player: PlayerRow) -> Preferences:
    """The present preferences of the player."""
    shown = frozenset(section for section in Section if section not in (player.closed or ()))
    timing = (player.time_zone, player.frequency, player.daily_at, quiet_of(player))
    return Preferences(*timing, player.invitations, weekdays_off(player), player.year_mail, shown)


def change_preferences(runtime: Runtime, player_id: int, preferences: Preferences, now: datetime) -> None:
    """Sets the player's preferences; moves their deadlines if their weekly days off change. Raises LinkInvalid if there
    is no player.
    """
    with changing.games(runtime, now) as transaction:
        session = transaction.session
        games = locked_games(session, player_id, None)
        player = locked_player(session, player_id)
        before = player.days_off
        player.time_zone, player.frequency = preferences.time_zone, preferences.frequency
        player.daily_at = preferences.daily_at
        player.quiet_from, player.quiet_to = preferences.quiet or (None, None)
        player.days_off = sum(1 << day for day in preferences.days_off)
        player.invitations = preferences.invitations
        player.year_mail = preferences.year_mail
        player.closed = sorted(set(Section) - preferences.shown) or None
        note_act(player, now)
        if player.days_off != before:
            move_deadlines(transaction, player_id, games)


def change_language(runtime: Runtime, player_id: int, language: str, now: datetime) -> None:
    """Sets the language of the player's pages and mails, one of those that are offered. Raises LinkInvalid if there is
    no player.
    """
    with runtime.database.writing() as session:
        player = locked_player(session, player_id)
        player.language = language
        note_act(player, now)


def give_back(runtime: Runtime, table_id: int, player_id: int, now: datetime) -> None:
    """Gives the seat that the player plays for somebody else back to its owner, for whom a robot plays until they are
    back. Does nothing if the player has no such seat at the table.
    """
    with change_seats(runtime, player_id, now, table_id) as (_, seats):
        for row in filter(is_lent, seats):
            row.away = True


def set_mails(runtime: Runtime, player_id: int, table_id: int, *, mails: bool, now: datetime) -> None:
    """Sets whether the player gets the mails of this table. Does nothing if they have no seat there.

    Without them the player keeps playing: the page of their games shows the open turns. One last mail says so, where
    they would miss their turns. Raises LinkInvalid if there is no such player.
    """
    with change_seats(runtime, player_id, now, table_id) as (session, seats):
        if mails:
            _unmute(seats)
        else:
            _mute(session, runtime, seats, now)


def stopped_by(session: Session, link: UnsubscribeLink) -> Stopped:
    """Returns what the link would stop. Raises LinkInvalid if there is no such player, LinkExpired for an ended link.

    Only the link of an invitation stops invitations, while it is open or after it was declined. The link of a mail
    about a seat that has passed to another player does not.
    """
    check_player(link, session.get(PlayerRow, link.player_id))
    if (link.table_id, link.seat) == ALL_TABLES:
        return Stopped.ALL
    if (link.table_id, link.seat) == THE_YEAR:
        return Stopped.YEAR
    if seats_of(session, link.player_id, link.table_id) or away.lent_by(session, link.player_id, link.table_id):
        return Stopped.TABLE
    row = session.get(SeatRow, (link.table_id, link.seat))
    is_invited = row is not None and may_answer(row, link.player_id)
    return Stopped.INVITATIONS if is_invited else Stopped.REST


def is_stopped(session: Session, link: UnsubscribeLink) -> bool:
    """Whether the player of the link has muted what it mutes: the seats that they have at its table, or at all, or the
    mail in January.
    """
    if (link.table_id, link.seat) == THE_YEAR:
        return not session.get_one(PlayerRow, link.player_id).year_mail
    seats = seats_of(session, link.player_id, _table_of(link))
    return bool(seats) and not any(row.mails for row in seats)


class Unsubscribed(NamedTuple):
    """The mails that a link has stopped, and whether one last mail asks its player whether they meant it."""

    stopped: Stopped
    is_asked: bool = False


def unsubscribe(runtime: Runtime, link: UnsubscribeLink, now: datetime) -> Unsubscribed:
    """Stops what the link is for, with one click.

    A player with a seat gets no more mails of the link's table, or of any table, and keeps the seat. If they would now
    miss their turns, one last mail asks whether they meant it. A player who was only invited declines, and nobody can
    invite them again. A player who has lost the seat gets no more mails about the table, and declines a seat that is
    offered to them there. Several transactions, each idempotent. Raises LinkInvalid if there is no such player,
    LinkExpired if they have ended the link.
    """
    with runtime.database.reading() as session:
        stopped = stopped_by(session, link)
    if stopped is Stopped.INVITATIONS:
        with runtime.database.writing() as session:
            locked_player(session, link.player_id).invitations = False
        _decline(runtime, InvitationLink(link.table_id, link.seat, link.player_id, link.links), now)
        return Unsubscribed(stopped)
    if stopped is Stopped.YEAR:
        _set_year_mail(runtime, link.player_id, wanted=False)
        return Unsubscribed(stopped)
    table_id, is_asked = _table_of(link), False
    if stopped is Stopped.REST:
        # Every seat to which they are invited at this table, and no other.
        invited = or_(SeatRow.player_id == link.player_id, SeatRow.offered_to == link.player_id)
        with runtime.database.reading() as session:
            asked = session.exec(select(SeatRow).where(SeatRow.table_id == link.table_id, invited)).all()
        for seat in asked:
            _decline(runtime, InvitationLink(link.table_id, seat.seat, link.player_id, link.links), now)
    else:
        with change_seats(runtime, link.player_id, now, table_id) as (session, seats):
            is_asked = _mute(session, runtime, seats, now)
        away.mute(runtime, link.player_id, table_id, now)
    with runtime.database.writing() as session:
        locked_player(session, link.player_id)
        letters.supersede_without_seat(session, link.player_id, table_id)
    return Unsubscribed(stopped, is_asked)


def undo_unsubscribe(runtime: Runtime, link: UnsubscribeLink, now: datetime) -> Stopped:
    """Undoes `unsubscribe`: the player gets the mails again, or can be invited again.

    A robot that has played for them since then plays no longer, unless they are away until a date. A declined
    invitation stays declined: somebody else may have the seat. Raises LinkInvalid or LinkExpired.
    """
    with runtime.database.reading() as session:
        stopped = stopped_by(session, link)
    if stopped is Stopped.YEAR:
        _set_year_mail(runtime, link.player_id, wanted=True)
        return stopped
    if stopped in (Stopped.INVITATIONS, Stopped.REST):
        with runtime.database.writing() as session:
            locked_player(session, link.player_id).invitations = True
        return Stopped.INVITATIONS
    away.mute(runtime, link.player_id, _table_of(link), now, mails=True)
    with change_seats(runtime, link.player_id, now, _table_of(link)) as (_, seats):
        for row in (one for one in seats if not one.mails and one.away_until is None):
            mark_back(row)
        _unmute(seats)
    return stopped


def mail_again(runtime: Runtime, game_id: int, seat: Seat, due: Due, now: datetime) -> None:
    """Queues the mail that asks the seat for its turn once more. A player who was away is back.

    Raises LookupError if there is no such game, TurnOver if the seat is not asked for `due` any more, Refused if its
    player has muted the table, and TooSoon if such a mail has just been queued.
    """
    with changing.game(runtime, game_id, now, due.hand) as game:
        session, row = game.session, game.seats[seat]
        if due_of(game.stored.game, seat) != due:
            raise taking.TurnOver(answer_to(game.stored.records, seat, due))
        if not row.mails or row.player_id is None:
            raise Refused(say("You have muted this table."))
        note_seen(session, row.player_id, now)
        if row.away:
            mark_back(row)
            course.preferences_changed(game, seat, was_away=True)
        questions.queue_on_request(session, runtime, game.stored, row, now)


def _set_year_mail(runtime: Runtime, player_id: int, *, wanted: bool) -> None:
    with runtime.database.writing() as session:
        locked_player(session, player_id).year_mail = wanted


def _table_of(link: UnsubscribeLink) -> int | None:
    """The table that the link is about; None if it is about all."""
    return None if (link.table_id, link.seat) == ALL_TABLES else link.table_id


def _mute(session: Session, runtime: Runtime, seats: Sequence[SeatRow], now: datetime) -> bool:
    """Mutes seats, and queues one last mail about those where their player would now miss their turns.

    Returns whether it queued one.
    """
    muted = [row for row in seats if row.mails]
    goes_on = (TableState.INVITING, TableState.PLAYING)
    missing = [row for row in muted if not row.away and session.get_one(TableRow, row.table_id).state in goes_on]
    for row in muted:
        row.mails = False
    return bool(missing) and about_tables.queue_muted(session, runtime, missing, now)


def _unmute(seats: Sequence[SeatRow]) -> None:
    for row in seats:
        row.mails = True


def _decline(runtime: Runtime, link: InvitationLink, now: datetime) -> None:
    with suppress(seating.SeatGone, LinkInvalid):  # somebody else has the seat, or the table is gone
        seating.decline(runtime, link, now)


# Lets a robot play a hand for a player, as they ask for it, or gives the hand back to them.


def set_robot_hand(runtime: Runtime, player_id: int, table_id: int, hand: int | None, now: datetime) -> None:
    """Lets a robot play that hand of the table's game for the player, and those beside it; None: it plays no hand for
    them. Raises LinkInvalid if there is no such player.
    """
    with change_seats(runtime, player_id, now, table_id) as (_, own):
        for row in own:
            row.robot_hand = hand


# Keeps whether one tap plays a card on a player's pages, instead of a tap and the button.


def tap_plays(session: Session, player_id: int | None, *, is_live: bool) -> bool:
    """Whether one tap plays a card for the player; where they have not chosen, it does so at a live table."""
    player = session.get(PlayerRow, player_id) if player_id is not None else None
    return is_live if player is None or player.tap_plays is None else player.tap_plays


def read_tap(text: str) -> bool:
    """Reads whether the button asks for on or off. Raises Refused."""
    if text not in ("on", "off"):
        raise Refused(say("Please use the button on the page of the game."))
    return text == "on"


def change_tap(runtime: Runtime, player_id: int, *, plays: bool, now: datetime) -> None:
    """Sets it, at all tables. Raises LinkInvalid if there is no such player."""
    with runtime.database.writing() as session:
        player = locked_player(session, player_id)
        player.tap_plays = plays
        note_act(player, now)


# Keeps how cards look on a player's own pages: in four colours or two, with pictures or a large rank and suit.
# A card style is a pair of classes of the style sheet. In every style shape and letter distinguish the suits; mails
# always use four colours.


@dataclass(frozen=True, slots=True)
class CardStyle:
    """One way for cards to look; `CardStyle()` is the usual one."""

    two_colours: bool = False
    large_index: bool = False

    @property
    def name(self) -> str:
        """The style's value in a form: "four", "two-large", …"""
        if self.large_index:
            return "two-large" if self.two_colours else "four-large"
        return "two" if self.two_colours else "four"

    @property
    def classes(self) -> str:
        """The classes of the style sheet, for a page or a part of it."""
        colours = "two-colours" if self.two_colours else "four-colours"
        return " ".join([colours, "large-index" if self.large_index else "pictures"])

    @property
    def label(self) -> str:
        """The style's name for players."""
        if self.large_index:
            return say("Two colours, large") if self.two_colours else say("Four colours, large")
        return say("Two colours") if self.two_colours else say("Four colours")


USUAL = CardStyle()
CARD_STYLES = tuple(CardStyle(two, large) for large in (False, True) for two in (False, True))
SAMPLE_CARDS = faces(parse_code(code) for code in ("AC", "TD", "QS", "KH"))  # every suit; ace, number and pictures


@dataclass(frozen=True, slots=True)
class CardStyleChoice:
    """The form in which a player chooses a card style: its URL, the present style, and cards to show each style by."""

    action: str
    chosen: CardStyle
    styles: tuple[CardStyle, ...] = CARD_STYLES
    samples: tuple[Face, ...] = SAMPLE_CARDS


def card_style_of(session: Session, player_id: int | None) -> CardStyle:
    """The card style of a player; the usual one if the id is None or there is no such player."""
    return card_style_of_player(session.get(PlayerRow, player_id) if player_id is not None else None)


def card_style_of_player(player: PlayerRow | None) -> CardStyle:
    """The card style in a player's row; the usual one for None, somebody who is not a known player."""
    return CardStyle(player.two_colours, player.large_index) if player else USUAL


def read_card_style(fields: Mapping[str, str]) -> CardStyle:
    """The card style that a form asks for. Raises Refused if it names none."""
    try:
        return next(style for style in CARD_STYLES if style.name == fields.get("look"))
    except StopIteration:
        raise Refused(say("Choose one of these four looks.")) from None


def change_card_style(runtime: Runtime, player_id: int, style: CardStyle, now: datetime) -> None:
    """Sets the card style of the player. Raises LinkInvalid if there is no such player."""
    with runtime.database.writing() as session:
        player = session.get(PlayerRow, player_id)
        if player is None:
            raise LinkInvalid
        player.two_colours, player.large_index = style.two_colours, style.large_index
        note_act(player, now)
