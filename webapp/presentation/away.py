"""A player's own settings in sentences: who plays for them while they are away, and when we mail them."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from webapp.core.say import later, say
from webapp.games.clock.days_off import today_of
from webapp.games.clock.vacation import vacation_until
from webapp.games.record.stand_in import is_lent, is_offered_by_host, is_stand_in_asked, own_name, owner_name
from webapp.models import Frequency, PlayerRow, SeatRow, TableRow, TableState
from webapp.presentation.phrasing import day_text, hour_text

# A player who is away, in sentences to themselves: who plays for them, and what is special at a table.

A_MOMENT = timedelta(seconds=1)
NOT_BEGUN = later("Not begun yet: if the game begins, a robot plays for you.")


def absence_sentence(seat: SeatRow, player: PlayerRow, now: datetime) -> str:
    """Says who plays for the player, who has or has lent this seat, and until when; empty if they are not away."""
    end = _last_day(seat, player, now)
    if seat.player_id != player.id:
        name = own_name(seat)
        if end:
            return say("{name} plays for you until the end of {day}.", name=name, day=end)
        return say("{name} plays for you until you are back.", name=name)
    if seat.away and is_stand_in_asked(seat):
        return say(
            "A robot plays for you until {name} says yes: you have asked them to play for you.", name=seat.offered_name
        )
    if seat.away and end:
        return say("A robot plays for you until the end of {day}.", day=end)
    if seat.away:
        return say("A robot plays for you until you are back.")
    if until := vacation_until(seat, player, now):
        return say("The table waits for you until the end of {day}.", day=day_text(until, today_of(player, now)))
    return ""


def note_sentence(table: TableRow, seat: SeatRow) -> str:
    """Says what is special at the table if the player of the seat goes away; mostly empty."""
    if is_lent(seat):
        return say("You play for {name} here: the seat goes back to them.", name=owner_name(seat))
    if table.state is not TableState.PLAYING:
        return say(NOT_BEGUN)
    if is_offered_by_host(seat):
        return say("The host has offered your seat to {name}, so no friend can play here.", name=seat.offered_name)
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
        return say("While a device tells you, no email asks for your turns.")
    match player.frequency:
        case Frequency.EVERY:
            return say("We email you when it's your turn.")
        case Frequency.DAILY:
            return say("We email you once a day, at {hour}.", hour=hour_text(player.daily_at))
        case Frequency.LAST:
            return say("We email you only before a deadline.")
