"""Changes a player's preferences: how often and when mails come, being away, muting tables, unsubscribing.

Each change is one transaction unless its function says otherwise, and is idempotent. `service` applies a change to the
running games, `letters` to queued mails. `accounts.changing_address` changes the player's address.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from sqlmodel import Session, or_, select

from hearts.seats import Seat
from webapp import seat_transfer, service
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.tokens import InvitationLink, LinkInvalid, UnsubscribeLink
from webapp.forms.preferences import NIGHT, Preferences
from webapp.games import store
from webapp.games.days_off import weekdays_off
from webapp.games.due import Due, answer_to, due_of
from webapp.games.links import check_player
from webapp.games.presence import note_seen, quiet_of
from webapp.games.rows import lock_players
from webapp.games.stand_in import is_lent, mark_back
from webapp.models import Frequency, PlayerRow, SeatRow
from webapp.outbox import digests, questions, superseding
from webapp.outbox.about_tables import SeatGiven
from webapp.outbox.rescheduling import reschedule
from webapp.players.holidays import move_deadlines
from webapp.players.own_seats import locked_games, locked_player, seats_of
from webapp.tables import seating, stand_ins


class Stopped(StrEnum):
    """What an unsubscribe link stops."""

    TABLE = "table"  # the mails of one table, where the player is away from then on
    ALL = "all"  # the same at all tables of the player
    INVITATIONS = "invitations"  # this invitation, which is declined, and all further ones
    REST = "rest"  # what is still queued about a table at which the player has no seat any more


def preferences_of(player: PlayerRow) -> Preferences:
    """The present preferences of the player."""
    timing = (player.time_zone, player.frequency, player.daily_at, quiet_of(player))
    return Preferences(*timing, player.reminders, player.invitations, weekdays_off(player), player.auto_vacation)


def change_preferences(runtime: Runtime, player_id: int, preferences: Preferences, now: datetime) -> None:
    """Sets the player's preferences, and reschedules their queued mails; moves their deadlines if their weekly days off
    change. Raises LinkInvalid if there is no player.
    """
    with runtime.database.writing() as session:
        games = locked_games(session, player_id, None)
        player = locked_player(session, player_id)
        before, player.seen_at = player.days_off, now
        _set_preferences(session, runtime, player, preferences, now)
        if player.days_off != before:
            move_deadlines(session, runtime, player_id, games, now)
    runtime.bell.deliver()


def set_away(
    runtime: Runtime, table_id: int, seat: int, *, away: bool, now: datetime, player_id: int | None = None
) -> None:
    """Sets the player of the seat as away, so that a robot plays for them at once, or as back.

    A player who is back gets the mails of the table again, and is asked for an open turn; if somebody plays for them,
    in a transaction before, they get their seat back. A stand-in who is away gives the seat back.

    `player_id` names the player who asks for this: nothing happens if somebody else has the seat by now. Raises
    LinkInvalid if no player has the seat.
    """

    def change(row: SeatRow) -> None:
        _set_away(row, away=away)

    player_id = player_id or _player_of(runtime, table_id, seat)
    if not away:
        stand_ins.take_back(runtime, player_id, now, table_id)
    _change_seats(runtime, player_id, change, now, table_id)


def give_back(runtime: Runtime, table_id: int, player_id: int, now: datetime) -> None:
    """Gives the seat that the player plays for somebody else back to its owner, for whom a robot plays until they are
    back. Does nothing if the player has no such seat at the table.
    """

    def change(row: SeatRow) -> None:
        row.away = row.away or is_lent(row)

    _change_seats(runtime, player_id, change, now, table_id)


def set_away_everywhere(runtime: Runtime, player_id: int, *, away: bool, now: datetime) -> None:
    """Does what `set_away` does, at all tables of the player. Raises LinkInvalid if there is no such player."""

    def change(row: SeatRow) -> None:
        _set_away(row, away=away)

    if not away:
        stand_ins.take_back(runtime, player_id, now)
    _change_seats(runtime, player_id, change, now)


def set_mails(
    runtime: Runtime, table_id: int, seat: int, *, mails: bool, now: datetime, player_id: int | None = None
) -> None:
    """Sets whether the player of the seat gets the mails of this table.

    Without them the player keeps playing: the page of their games shows the open turns. `player_id` as in `set_away`.
    Raises LinkInvalid if no player has the seat.
    """

    def change(row: SeatRow) -> None:
        row.mails = mails

    _change_seats(runtime, player_id or _player_of(runtime, table_id, seat), change, now, table_id)


def stopped_by(session: Session, link: UnsubscribeLink) -> Stopped:
    """What the link would stop now. Raises LinkInvalid if there is no such player, LinkExpired if they ended the link.

    Only the link of an invitation stops invitations, while it is open or after it was declined. The link of a mail
    about a seat that another player has by now does not.
    """
    check_player(link, session.get(PlayerRow, link.player_id))
    if (link.table_id, link.seat) == digests.ALL_TABLES:
        return Stopped.ALL
    if seats_of(session, link.player_id, link.table_id) or stand_ins.lent_by(session, link.player_id, link.table_id):
        return Stopped.TABLE
    row = session.get(SeatRow, (link.table_id, link.seat))
    is_invited = row is not None and link.player_id in (row.player_id, row.offered_to)
    return Stopped.INVITATIONS if is_invited else Stopped.REST


def unsubscribe(runtime: Runtime, link: UnsubscribeLink, now: datetime) -> Stopped:
    """Stops what the link is for, with one click.

    A player with a seat gets no more mails of the link's table, or of any table, and is away there from now on. A
    player who was only invited declines, and nobody can invite them again. A player who has lost the seat gets no more
    mails about the table, and declines a seat that is offered to them there. Several transactions, each idempotent.
    Raises LinkInvalid if there is no such player, LinkExpired if they have ended the link.
    """
    with runtime.database.reading() as session:
        stopped = stopped_by(session, link)
    if stopped is Stopped.INVITATIONS:
        _decline_for_good(runtime, link, now)
        return stopped
    table_id = None if stopped is Stopped.ALL else link.table_id
    if stopped is Stopped.REST:
        _decline_at(runtime, link, now)
    else:
        _change_seats(runtime, link.player_id, _mute, now, table_id)
        stand_ins.mute(runtime, link.player_id, table_id, now)
    with runtime.database.writing() as session:
        locked_player(session, link.player_id)
        superseding.supersede_without_seat(session, link.player_id, table_id)
    return stopped


def undo_unsubscribe(runtime: Runtime, link: UnsubscribeLink, now: datetime) -> Stopped:
    """Undoes `unsubscribe`: the player is back and gets the mails again, or can be invited again.

    A declined invitation stays declined: somebody else may have the seat by now. Raises LinkInvalid or LinkExpired.
    """
    with runtime.database.reading() as session:
        stopped = stopped_by(session, link)
    if stopped in (Stopped.INVITATIONS, Stopped.REST):
        with runtime.database.writing() as session:
            locked_player(session, link.player_id).invitations = True
        return Stopped.INVITATIONS

    def change(row: SeatRow) -> None:
        _set_away(row, away=False)

    table_id = None if stopped is Stopped.ALL else link.table_id
    stand_ins.take_back(runtime, link.player_id, now, table_id)
    _change_seats(runtime, link.player_id, change, now, table_id)
    return stopped


def prefer_less_mail(runtime: Runtime, link: UnsubscribeLink, *, daily: bool, now: datetime) -> Preferences:
    """Sets what a player may prefer to no mails at all: one a day, or (not `daily`) quiet hours at night.

    Quiet hours that the player has already stay as they are. Returns the new preferences. Raises LinkInvalid if there
    is no such player, LinkExpired if they have ended the link.
    """
    with runtime.database.writing() as session:
        player = check_player(link, locked_player(session, link.player_id))
        preferences = preferences_of(player)
        changed = (
            replace(preferences, frequency=Frequency.DAILY)
            if daily
            else replace(preferences, quiet=preferences.quiet or NIGHT)
        )
        _set_preferences(session, runtime, player, changed, now)
    return changed


def mail_again(runtime: Runtime, game_id: int, seat: Seat, due: Due, now: datetime) -> None:
    """Queues the mail that asks the seat for its turn once more. A player who was away is back.

    Raises LookupError if there is no such game, TurnOver if the seat is not asked for `due` any more, Refused if its
    player has muted the table, and TooSoon if such a mail has just been queued.
    """
    with runtime.database.writing() as session:
        stored = store.load(session, game_id, hand=due.hand, lock=True)
        row = stored.seats[seat]
        if due_of(stored.game, seat) != due:
            raise service.TurnOver(answer_to(stored.records, seat, due))
        if not row.mails or row.player_id is None:
            raise Refused("You have muted this table.")
        lock_players(session, stored.seats)
        note_seen(session, row.player_id, now)
        if row.away:
            _set_away(row, away=False)
            service.preferences_changed(session, runtime, stored.row, seat, was_away=True, now=now)
        questions.queue_on_request(session, runtime, stored, row, now)
    runtime.bell.deliver()


def _set_preferences(
    session: Session, runtime: Runtime, player: PlayerRow, preferences: Preferences, now: datetime
) -> None:
    player.time_zone, player.frequency, player.daily_at = (
        preferences.time_zone,
        preferences.frequency,
        preferences.daily_at,
    )
    player.quiet_from, player.quiet_to = preferences.quiet or (None, None)
    player.days_off = sum(1 << day for day in preferences.days_off)
    player.reminders, player.invitations = preferences.reminders, preferences.invitations
    player.auto_vacation = preferences.auto_vacation
    reschedule(session, runtime, player, now)


def _mute(row: SeatRow) -> None:
    row.away, row.mails = True, False


def _set_away(row: SeatRow, *, away: bool) -> None:
    row.away = away
    if not away:  # a player who is back wants to know when it is their turn
        mark_back(row)
        row.mails = True


def _change_seats(
    runtime: Runtime, player_id: int, change: Callable[[SeatRow], None], now: datetime, table_id: int | None = None
) -> None:
    """Applies `change` to the player's seat at a table, or to all their seats (None), and to the running games.

    One transaction. Raises LinkInvalid if there is no such player.
    """
    with runtime.database.writing() as session:
        games = locked_games(session, player_id, table_id)
        own = seats_of(session, player_id, table_id)
        before = {row.table_id: (row.away, row.robot_hand, row.mails) for row in own}
        for row in own:
            change(row)
        given_back = {row.table_id for row in own if is_lent(row) and row.away}
        for game in (game for game in games if game.table_id in given_back):
            stored = store.load(session, game.id, lock=True)
            seat_transfer.give_back_from_absent(session, runtime, stored, now, SeatGiven.GIVEN_BACK)
        note_seen(session, player_id, now)
        superseding.supersede_for_muted_seats(session, [row for row in own if not row.mails])
        changed = {row.table_id: row for row in own if (row.away, row.robot_hand, row.mails) != before[row.table_id]}
        for game in games:
            if row_now := changed.get(game.table_id):
                was_away, robot_hand, _ = before[game.table_id]
                was_played = was_away or robot_hand is not None
                service.preferences_changed(session, runtime, game, Seat(row_now.seat), was_away=was_played, now=now)
    runtime.bell.deliver()
    for game in games:
        service.ring(runtime, game, now)


def _player_of(runtime: Runtime, table_id: int, seat: int) -> int:
    with runtime.database.reading() as session:
        row = session.get(SeatRow, (table_id, seat))
    if row is None or row.player_id is None:
        raise LinkInvalid
    return row.player_id


def _decline_for_good(runtime: Runtime, link: UnsubscribeLink, now: datetime) -> None:
    with runtime.database.writing() as session:
        locked_player(session, link.player_id).invitations = False
    _decline(runtime, InvitationLink(link.table_id, link.seat, link.player_id, link.links), now)


def _decline_at(runtime: Runtime, link: UnsubscribeLink, now: datetime) -> None:
    """Declines every seat to which the player of the link is invited at the link's table, and no other."""
    invited = or_(SeatRow.player_id == link.player_id, SeatRow.offered_to == link.player_id)
    with runtime.database.reading() as session:
        seats = session.exec(select(SeatRow).where(SeatRow.table_id == link.table_id, invited)).all()
    for seat in seats:
        _decline(runtime, InvitationLink(link.table_id, seat.seat, link.player_id, link.links), now)


def _decline(runtime: Runtime, link: InvitationLink, now: datetime) -> None:
    with suppress(seating.SeatGone, LinkInvalid):  # somebody else has the seat by now, or the table is gone
        seating.decline(runtime, link, now)
