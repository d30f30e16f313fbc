"""A player's own settings in sentences: who plays for them while they are away, and when we mail them."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from webapp.games.clock.days_off import today_of
from webapp.games.clock.vacation import vacation_until
from webapp.games.record.stand_in import is_lent, is_offered_by_host, is_stand_in_asked, own_name, owner_name
from webapp.models import Frequency, PlayerRow, SeatRow, TableRow, TableState
from webapp.presentation.phrasing import day_text

# A player who is away, in sentences to themselves: who plays for them, and what is special at a table.

A_MOMENT = timedelta(seconds=1)
NOT_BEGUN = "Not begun yet: if the game begins, a robot plays for you."


def absence_sentence(seat: SeatRow, player: PlayerRow, now: datetime) -> str:
    """Says who plays for the player, who has or has lent this seat, and until when; empty if they are not away."""
    end = _last_day(seat, player, now)
    if seat.player_id != player.id:
        name = own_name(seat)
        return f"{name} plays for you until the end of {end}." if end else f"{name} plays for you until you are back."
    if seat.away and is_stand_in_asked(seat):
        return f"A robot plays for you until {seat.offered_name} says yes: you have asked them to play for you."
    if seat.away:
        return f"A robot plays for you until the end of {end}." if end else "A robot plays for you until you are back."
    if until := vacation_until(seat, player, now):
        return f"The table waits for you until the end of {day_text(until, today_of(player, now))}."
    return ""


def note_sentence(table: TableRow, seat: SeatRow) -> str:
    """Says what is special at the table if the player of the seat goes away; mostly empty."""
    if is_lent(seat):
        return f"You play for {owner_name(seat)} here: the seat goes back to them."
    if table.state is not TableState.PLAYING:
        return NOT_BEGUN
    if is_offered_by_host(seat):
        return f"The host has offered your seat to {seat.offered_name}, so no friend can play here."
    return ""


def _last_day(seat: SeatRow, player: PlayerRow, now: datetime) -> str:
    """The last day on which the player is away; empty if that is open."""
    if seat.away_until is None:
        return ""
    last = (seat.away_until - A_MOMENT).astimezone(ZoneInfo(player.time_zone)).date()
    return day_text(last, today_of(player, now))


# The setting for mail about turns, in words: when we email a player about theirs.


def mail_setting(player: PlayerRow) -> str:
    """Says to the player when we email them about their turns."""
    if player.push_only:
        return "While a device tells you, no email asks for your turns."
    match player.frequency:
        case Frequency.EVERY:
            return "We email you when it's your turn."
        case Frequency.DAILY:
            return f"We email you once a day, at {player.daily_at:02}:00."
        case Frequency.LAST:
            return "We email you only before a deadline."
