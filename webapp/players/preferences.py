"""What a player wants, and how it is changed: how often her mails come and when, being away, no mails.

Each change is one transaction, and doing it twice is doing it once. What follows for a running game is for `service`,
for mails that wait for `letters`; a new address is for `accounts.changing_address`.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from sqlmodel import Session, col, or_, select

from hearts.seats import Seat
from webapp import service
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.tokens import InvitationLink, LinkInvalid, UnsubscribeLink
from webapp.forms.preferences import NIGHT, Preferences
from webapp.games import store
from webapp.games.due import Due, answer_to, due_of
from webapp.games.links import check_player
from webapp.games.presence import lock_players, note_seen, quiet_of
from webapp.models import Frequency, GameRow, GameState, PlayerRow, SeatRow, SeatState
from webapp.outbox import digests, letters, questions
from webapp.tables import seating

SITS = (SeatState.HOST, SeatState.ACCEPTED)


class Stopped(StrEnum):
    """What an unsubscribe link stops."""

    TABLE = "table"  # the mails of one table, from which the player is away then
    ALL = "all"  # the same for all her tables
    INVITATIONS = "invitations"  # this one is declined, and no others come
    REST = "rest"  # what still waits about a table at which the player has no seat any more


def preferences_of(player: PlayerRow) -> Preferences:
    """What the player wants now."""
    about_time = (player.time_zone, player.frequency, player.daily_at, quiet_of(player))
    return Preferences(*about_time, player.reminders, player.invitations)


def change_preferences(runtime: Runtime, player_id: int, preferences: Preferences, now: datetime) -> None:
    """Sets how the player wants her mails; those that wait go accordingly. Raises LinkInvalid: no such player."""
    with runtime.database.writing() as session:
        player = _player(session, player_id)
        player.seen_at = now
        _set_preferences(session, runtime, player, preferences, now)
    runtime.bell.deliver()


def set_away(
    runtime: Runtime, table_id: int, seat: int, *, away: bool, now: datetime, player_id: int | None = None
) -> None:
    """The player of the seat is away: a robot plays for her at once. Or she is back, gets her mails, and is asked.

    `player_id` is who says so, where that is a player themselves: nothing is done once somebody else has the seat.
    Raises LinkInvalid where no player sits there.
    """

    def change(row: SeatRow) -> None:
        _set_away(row, away=away)

    _change_seats(runtime, player_id or _player_of(runtime, table_id, seat), change, now, table_id)


def set_away_everywhere(runtime: Runtime, player_id: int, *, away: bool, now: datetime) -> None:
    """The same at all tables of a player. Raises LinkInvalid where there is no such player."""

    def change(row: SeatRow) -> None:
        _set_away(row, away=away)

    _change_seats(runtime, player_id, change, now)


def set_mails(runtime: Runtime, table_id: int, seat: int, *, mails: bool, now: datetime) -> None:
    """Whether mails of this table come to the player of the seat, who goes on playing: her games show what is asked.

    Raises LinkInvalid where no player sits there.
    """

    def change(row: SeatRow) -> None:
        row.mails = mails

    _change_seats(runtime, _player_of(runtime, table_id, seat), change, now, table_id)


def what_stops(session: Session, link: UnsubscribeLink) -> Stopped:
    """What the link stops, as things stand. Raises LinkInvalid: no such player, LinkExpired: they ended the link.

    A mail about a seat that another player has by now stops no invitations; only an invitation does that, while it is
    open or once it is declined.
    """
    check_player(link, session.get(PlayerRow, link.player_id))
    if (link.table_id, link.seat) == digests.ALL_TABLES:
        return Stopped.ALL
    if _seats(session, link.player_id, link.table_id):
        return Stopped.TABLE
    row = session.get(SeatRow, (link.table_id, link.seat))
    is_invited = row is not None and link.player_id in (row.player_id, row.offered_to)
    return Stopped.INVITATIONS if is_invited else Stopped.REST


def unsubscribe(runtime: Runtime, link: UnsubscribeLink, now: datetime) -> Stopped:
    """One click: no more mails of this table, whose player is away from now on; or of all her tables.

    A player who only was invited declines, and is not invited again, by anybody. A player who has lost the seat gets
    nothing more about that table, and declines any seat offered to them there. Raises LinkInvalid: no such player.
    """
    with runtime.database.reading() as session:
        stopped = what_stops(session, link)
    if stopped is Stopped.INVITATIONS:
        _decline_for_good(runtime, link, now)
        return stopped
    table_id = None if stopped is Stopped.ALL else link.table_id
    if stopped is Stopped.REST:
        _decline_at(runtime, link, now)
    else:
        _change_seats(runtime, link.player_id, _mute, now, table_id)
    with runtime.database.writing() as session:
        _player(session, link.player_id)
        letters.supersede_all_to(session, link.player_id, table_id)
    return stopped


def take_back(runtime: Runtime, link: UnsubscribeLink, now: datetime) -> Stopped:
    """Undoes `unsubscribe`: the player is back, and gets her mails; or may be invited again. Raises LinkInvalid.

    A declined invitation stays declined, and its seat may be somebody else's by now.
    """
    with runtime.database.reading() as session:
        stopped = what_stops(session, link)
    if stopped in (Stopped.INVITATIONS, Stopped.REST):
        with runtime.database.writing() as session:
            _player(session, link.player_id).invitations = True
        return Stopped.INVITATIONS

    def change(row: SeatRow) -> None:
        _set_away(row, away=False)

    _change_seats(runtime, link.player_id, change, now, None if stopped is Stopped.ALL else link.table_id)
    return stopped


def want_less(runtime: Runtime, link: UnsubscribeLink, *, daily: bool, now: datetime) -> Preferences:
    """What somebody may want instead of no mails: one a day, or (not `daily`) none at night. Returns what she wants.

    Raises LinkInvalid where there is no such player, LinkExpired where they have ended the link.
    """
    with runtime.database.writing() as session:
        player = check_player(link, _player(session, link.player_id))
        preferences = preferences_of(player)
        changed = (
            replace(preferences, frequency=Frequency.DAILY)
            if daily
            else replace(preferences, quiet=preferences.quiet or NIGHT)
        )
        _set_preferences(session, runtime, player, changed, now)
    return changed


def mail_again(runtime: Runtime, game_id: int, seat: Seat, due: Due, now: datetime) -> None:
    """Owes the mail of what the seat is asked once more; whoever wants that is not away.

    Raises LookupError where there is no such game, TurnOver where the seat is not asked for `due`, Refused where its
    player wants no mails of this table, and TooSoon.
    """
    with runtime.database.writing() as session:
        stored = store.load(session, game_id, lock=True)
        row = stored.seats[seat]
        if due_of(stored.game, seat) != due:
            raise service.TurnOver(answer_to(stored.records, seat, due))
        if not row.mails or row.player_id is None:
            raise Refused("You have asked for no mails of this table.")
        lock_players(session, stored.seats)
        note_seen(session, row.player_id, now)
        if row.away:
            _set_away(row, away=False)
            service.preferences_changed(session, runtime, stored.row, seat, was_away=True, now=now)
        questions.queue_again(session, runtime, stored, row, now)
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
    player.reminders, player.invitations = preferences.reminders, preferences.invitations
    letters.retime(session, runtime, player, now)


def _mute(row: SeatRow) -> None:
    row.away, row.mails = True, False


def _set_away(row: SeatRow, *, away: bool) -> None:
    row.away = away
    if not away:  # whoever is back wants to know when it is her turn
        row.missed, row.mails = 0, True


def _change_seats(
    runtime: Runtime, player_id: int, change: Callable[[SeatRow], None], now: datetime, table_id: int | None = None
) -> None:
    """One transaction on a player's seat at a table, or on all her seats (None), and what follows in their games."""
    with runtime.database.writing() as session:
        games = _locked_games(session, player_id, table_id)
        mine = _seats(session, player_id, table_id)
        before = {row.table_id: (row.away, row.mails) for row in mine}
        for row in mine:
            change(row)
        note_seen(session, player_id, now)
        letters.supersede_mails_of(session, [row for row in mine if not row.mails])
        changed = {row.table_id: row for row in mine if (row.away, row.mails) != before[row.table_id]}
        for game in games:
            if row_now := changed.get(game.table_id):
                was_away, _ = before[game.table_id]
                service.preferences_changed(session, runtime, game, Seat(row_now.seat), was_away=was_away, now=now)
    runtime.bell.deliver()
    for game in games:
        service.ring(runtime, game, now)


def _locked_games(session: Session, player_id: int, table_id: int | None) -> list[GameRow]:
    """The running games of the seats, and then the players of all of them, locked in the order that all keep to."""
    mine = [row.table_id for row in _seats(session, player_id, table_id)]
    store.lock_tables(session, mine)
    running = select(GameRow).where(col(GameRow.table_id).in_(mine), GameRow.state == GameState.PLAYING)
    games = list(session.exec(running.order_by(col(GameRow.id)).with_for_update(key_share=True)).all())
    tables = {game.table_id for game in games}
    lock_players(session, session.exec(select(SeatRow).where(col(SeatRow.table_id).in_(tables))).all())
    _player(session, player_id)
    session.expire_all()  # as they are now that nobody else writes
    return games


def _seats(session: Session, player_id: int, table_id: int | None) -> list[SeatRow]:
    mine = select(SeatRow).where(SeatRow.player_id == player_id, col(SeatRow.state).in_(SITS))
    mine = mine if table_id is None else mine.where(SeatRow.table_id == table_id)
    return list(session.exec(mine.order_by(col(SeatRow.table_id))).all())


def _player(session: Session, player_id: int) -> PlayerRow:
    """The player, locked. Raises LinkInvalid where there is none."""
    player = session.get(PlayerRow, player_id, with_for_update={"key_share": True}, populate_existing=True)
    if player is None:
        raise LinkInvalid
    return player


def _player_of(runtime: Runtime, table_id: int, seat: int) -> int:
    with runtime.database.reading() as session:
        row = session.get(SeatRow, (table_id, seat))
    if row is None or row.player_id is None:
        raise LinkInvalid
    return row.player_id


def _decline_for_good(runtime: Runtime, link: UnsubscribeLink, now: datetime) -> None:
    with runtime.database.writing() as session:
        _player(session, link.player_id).invitations = False
    _decline(runtime, InvitationLink(link.table_id, link.seat, link.player_id, link.links), now)


def _decline_at(runtime: Runtime, link: UnsubscribeLink, now: datetime) -> None:
    """Declines whatever the player of the link is invited to at its table, and nothing beyond."""
    invited = or_(SeatRow.player_id == link.player_id, SeatRow.offered_to == link.player_id)
    with runtime.database.reading() as session:
        seats = session.exec(select(SeatRow).where(SeatRow.table_id == link.table_id, invited)).all()
    for seat in seats:
        _decline(runtime, InvitationLink(link.table_id, seat.seat, link.player_id, link.links), now)


def _decline(runtime: Runtime, link: InvitationLink, now: datetime) -> None:
    with suppress(seating.SeatGone, LinkInvalid):  # somebody else has the seat by now, or the table is gone
        seating.decline(runtime, link, now)
