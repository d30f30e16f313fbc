"""A slow game's clock as text for one player: pauses, spare days, and playing on live.

`sheets` has the changes of pace that a host proposes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Final

from sqlmodel import Session

from hearts.deal import one_round
from hearts.rules import Rules
from hearts.seats import Seat
from webapp.core.say import later, say, say_many
from webapp.games.asked.whose_turn import asked_of
from webapp.games.clock import presence
from webapp.games.clock.hours import today_of
from webapp.games.clock.presence import plays_themselves
from webapp.games.clock.vacation import days_left, has_vacation, vacation_until, was_taken_for
from webapp.games.record.seats import is_lent
from webapp.games.record.store import TableGame
from webapp.models import Pause, PlayerRow, SeatRow, Stands, TableRow
from webapp.presentation.phrasing import day_text, listed, number_word, span, timestamp

GO_ON: Final = later("Let the game go on")

# A pause: why it is, who asks for one or for its end, and what the reader may do.


@dataclass(frozen=True, slots=True)
class PauseLine:
    """A line on a pause for a player's page, and its button. `wanted` is what the button asks for."""

    note: str
    button: str
    wanted: bool
    is_idle: bool = False  # the clock runs, and nobody has asked for anything


def pause_line(others: Sequence[str], *, is_asking: bool, is_paused: bool, anybodys: str = "") -> PauseLine:
    """The line for a player; `others` are the names of those who ask for a change, who are not enough yet.

    `anybodys` is what `pause_note` says.
    """
    if anybodys:
        return PauseLine(anybodys, say(GO_ON), wanted=True)
    if is_paused:
        note = say_many(
            len(others),
            "{names} wants the game to go on.",
            "{names} want the game to go on.",
            names=listed(others),
        )
        mine = say("You want the game to go on. It does once more than half of the players want it.")
        button = say("Leave it paused") if is_asking else say(GO_ON)
    else:
        note = say_many(len(others), "{names} asks for a pause.", "{names} ask for a pause.", names=listed(others))
        mine = say("You ask for a pause. It begins once more than half of the players want one.")
        button = say("No pause after all") if is_asking else say("Ask for a pause")
    notes = [*([note] if others else []), *([mine] if is_asking else [])]
    return PauseLine(" ".join(notes), button, not is_asking, is_idle=not (notes or is_paused))


def pause_note(pause: Pause | None, now: datetime, zone: str) -> str:
    """Says why there is a pause that anybody at the table may end, and what ends it else; empty if there is none."""
    if pause is None or pause.until is None:
        return ""
    ends = timestamp(pause.until, now, zone).text
    if pause.why is Stands.REST:
        return say(
            "Nobody is playing, so the game rests: no clock runs, and no robot plays. Anybody at the table can let it "
            "go on. Otherwise it is over on {time}.",
            time=ends,
        )
    return say(
        "Players asked for this pause. Anybody at the table can let the game go on; else it does so on {time}.",
        time=ends,
    )


# Spare days: how many are left, and for which absent player the table waits.


def left_sentence(left: int) -> str:
    """How many spare days the reader has left."""
    if not left:
        return say("You have no spare days left in this game.")
    return say_many(
        left,
        "You have one spare day left in this game.",
        "You have {word} spare days left in this game.",
        word=number_word(left),
    )


def had_bank_sentence(left: int) -> str:
    """Tells the reader, whose game began with time banks, what has come in their place."""
    gone = say("Time banks are gone. Each turn has its own time, and a missed deadline costs a spare day.")
    return f"{gone} {left_sentence(left)}"


def taken_sentence(left: int) -> str:
    """Tells the reader that we have used one of their spare days, and how many they have left."""
    used = say("You missed a deadline. We used one of your spare days, so no robot plays for you yet.")
    then = [say("We use the next one only after you have played.")] if left else []
    return " ".join([used, left_sentence(left), *then])


def left_note(table: TableRow, seat: SeatRow) -> str:
    """Returns a note on a player's spare days, for the others, beside their name; empty before the first is taken."""
    left = days_left(table, seat)
    has_taken = seat.vacation is not None and seat.player_id is not None and not is_lent(seat)
    if not has_taken or not has_vacation(table) or left == table.vacation_days:
        return ""
    if not left:
        return say("no spare days left")
    return say_many(left, "one spare day left", "{word} spare days left", word=number_word(left))


def spare_days_sentence(table: TableRow) -> str:
    """Says how many spare days each player of the table has; empty if they have none."""
    days = table.vacation_days
    if not has_vacation(table):
        return ""
    return say_many(
        days,
        "Each player has one spare day a game, for a deadline that they miss.",
        "Each player has {word} spare days a game, one for each deadline that they miss.",
        word=number_word(days),
    )


def clock_notes(session: Session, stored: TableGame, reader: Seat, now: datetime) -> Sequence[str]:
    """Notes on the other players for whom the table waits, or whose missed turn has taken a spare day; and on the
    reader's own days where these have taken the place of a time bank.
    """
    mine = stored.seats[reader]
    notes = [had_bank_sentence(days_left(stored.table, mine))] if mine.vacation and mine.vacation.had_bank else []
    others = [seat for seat in stored.seats if seat.vacation and seat.seat != reader and not seat.away]
    for seat in others if has_vacation(stored.table) else []:
        player = session.get_one(PlayerRow, seat.player_id)
        if until := vacation_until(seat, player, now):
            day = day_text(until, today_of(player, now))
            notes.append(say("{name} is away: the table waits until the end of {day}.", name=seat.name, day=day))
            continue
        due = asked_of(stored, Seat(seat.seat))
        if due is not None and was_taken_for(seat, due):
            notes.append(say("{name} missed a deadline: one of their spare days is used.", name=seat.name))
    return notes


# Playing on live: who wants it, and what the button does.


@dataclass(frozen=True, slots=True)
class LiveLine:
    """A line for a player's page, and its button, which asks for `wants`: "yes", "no" or "end"."""

    note: str
    button: str
    wants: str


def live_line(table: TableRow, seats: Sequence[SeatRow], reader: SeatRow, now: datetime) -> LiveLine | None:
    """The line for the player of the seat `reader`; None while not everybody is there, or at a live table."""
    if table.is_together:
        note = say("You play live: {time} for each card, until somebody leaves.", time=span(table.play_time))
        return LiveLine(note, say("Back to the usual pace"), "end")
    if not plays_themselves(reader) or not presence.may_go_live(table, seats, now):
        return None
    if reader.wants_live:
        missing = listed([seats[seat].name for seat in presence.waits_for(seats)])
        return LiveLine(say("You want to play on live. We wait for {names}.", names=missing), say("Not now"), "no")
    names = [seat.name for seat in seats if seat.wants_live and plays_themselves(seat)]
    pace = span(presence.LIVE_PACE)
    note = say("Everybody is here. Live, each card has {time}.", time=pace)
    if names:
        note = say_many(
            len(names),
            "{names} wants to play on live. Then each card has {time}.",
            "{names} want to play on live. Then each card has {time}.",
            names=listed(names),
            time=pace,
        )
    return LiveLine(note, say("Play on live"), "yes")


# How long a game takes: the days by mail, of people who look into their mail a few times a day, and the minutes live.
# Pages and mails say it by these functions. `make pace` measures the days, `python -m bench.live` the minutes
# (docs/pace.md).

SHORT: Final = 50  # points
HAND_LIVE: Final = 5  # minutes
HANDS_TO_HUNDRED: Final = 11  # half as many to 50 points


def days_of(rules: Rules, at_once: int) -> str:
    """How long a game takes of which so many hands are dealt at once: "about a week"."""
    is_round = 0 < rules.hands <= one_round(rules)
    if at_once == 1:
        return say("about a month") if is_round else say("some months")
    if rules.hands and not is_round:
        return say("some weeks")
    if is_round:
        return say("about a week")
    return say("about two weeks") if rules.target <= SHORT else say("about a month")


def round_takes() -> str:
    """How long the hands of all directions of the pass take, dealt at once."""
    return say("a week")


def live_length_of(rules: Rules) -> str:
    """How long a game takes that is played live: "about 20 minutes"."""
    hands = rules.hands or ceil(HANDS_TO_HUNDRED * rules.target / 100)
    hours, minutes = divmod(HAND_LIVE * hands, 60)
    if minutes >= 55:
        hours, minutes = hours + 1, 0
    if not hours:
        return say_many(minutes, "about {number} minute", "about {number} minutes")
    if minutes >= 30:
        return say("about {hours}½ hours", hours=hours)
    return say_many(hours, "about an hour", "about {number} hours")


def why_at_once(at_once: int) -> str:
    """Says why a table plays several hands at once, in two sentences; empty if it plays one after the other."""
    if at_once == 1:
        return ""
    return say(
        "We deal {word} hands at once, so that a round takes a week and not a month. Each waits for nobody but its own "
        "players.",
        word=number_word(at_once),
    )
