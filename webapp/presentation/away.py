"""A player who is away, in sentences to themselves: who plays for them, and what each answer means at a table."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from webapp.games.clock.days_off import today_of
from webapp.games.clock.vacation import next_days, vacation_until
from webapp.games.record.stand_in import is_lent, is_offered_by_host, is_stand_in_asked, own_name, owner_name
from webapp.models import PlayerRow, SeatRow, TableRow, TableState
from webapp.presentation.phrasing import by_number, number_word
from webapp.presentation.timestamps import day_text

A_MOMENT = timedelta(seconds=1)
NOT_BEGUN = "Not begun yet: if the game begins, a robot plays for you."
NO_SPARE_DAYS = "You have no spare days here, so the table can't wait: a robot plays instead."


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


def offer_sentence(table: TableRow, seat: SeatRow, player: PlayerRow, now: datetime) -> str:
    """Says what happens at the table if the player, who has or has lent this seat, goes away."""
    if is_lent(seat):
        return f"You play for {owner_name(seat)} here: the seat goes back to them."
    if table.state is not TableState.PLAYING:
        return NOT_BEGUN
    days = next_days(table, seat, player, now)
    sentence = NO_SPARE_DAYS
    if days:
        last = day_text(days[-1], today_of(player, now))
        sentence = by_number(
            len(days),
            f"You have one spare day here: the table can wait until the end of {last}.",
            f"You have {number_word(len(days))} spare days here: the table can wait until the end of {last}.",
        )
    if is_offered_by_host(seat):
        return f"{sentence} The host has offered your seat to {seat.offered_name}, so no friend can play here."
    return sentence


def _last_day(seat: SeatRow, player: PlayerRow, now: datetime) -> str:
    """The last day on which the player is away; empty if that is open."""
    if seat.away_until is None:
        return ""
    last = (seat.away_until - A_MOMENT).astimezone(ZoneInfo(player.time_zone)).date()
    return day_text(last, today_of(player, now))
