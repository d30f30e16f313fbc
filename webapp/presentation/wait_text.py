"""How long we wait for a player where a choice hardly matters, for that player alone, and what we played for them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from hearts.seats import Seat
from hearts.turns import Deal, Play
from webapp.games.asked.whose_turn import short_wait_of, wait_of
from webapp.games.record.records import CHOSEN, Record
from webapp.games.record.store import TableGame
from webapp.models import TurnSource, Wait
from webapp.presentation.faces import face
from webapp.presentation.phrasing import by_number, counted
from webapp.presentation.timestamps import Timestamp, at_hour, timestamp
from webapp.presentation.turn_text import turn_sentence

MOST_IN_A_MAIL: Final = 3
LABELS: Final[Mapping[Wait, str]] = {Wait.FULL: "the full time", Wait.SHORT: "4 hours", Wait.NONE: "not at all"}
LINES: Final[Mapping[Wait, str]] = {
    Wait.FULL: "You choose every card that makes a difference. The others wait longest.",
    Wait.SHORT: "At least 4 waking hours. Then we play the card for you.",
    Wait.NONE: "We play the card for you at once. The others wait least.",
}
_SENTENCES: Final[Mapping[Wait, str]] = {
    Wait.FULL: "We wait the full time for each of your choices.",
    Wait.SHORT: "When a choice hardly matters, we wait at least 4 hours for you.",
    Wait.NONE: "When a choice hardly matters, we play at once for you.",
}


@dataclass(frozen=True, slots=True)
class WaitOption:
    """An answer to "When it hardly matters, wait for me"."""

    value: str
    label: str
    line: str
    is_chosen: bool


def wait_options(chosen: Wait | None) -> list[WaitOption]:
    """The answers, the longest wait first; who has chosen none, and is asked for every card, has the full time."""
    return [WaitOption(one.value, LABELS[one], LINES[one], one is (chosen or Wait.FULL)) for one in Wait]


def wait_sentence(chosen: Wait | None) -> str:
    """The same as a sentence to the player."""
    return _SENTENCES[chosen or Wait.FULL]


def robot_label(hands: int) -> str:
    """Labels the choice to let a robot play: the hand, or all hands that are played side by side."""
    return by_number(hands, "A robot plays this hand", f"A robot plays these {counted(hands, 'hand')}")


def sentence_at_table(stored: TableGame, seat: Seat) -> str:
    """How long we wait for the seat's player, or that a robot plays for them."""
    row = stored.seats[seat]
    if stored.has_handed_over(row):
        return f"{robot_label(stored.row.at_once)}."
    return wait_sentence(wait_of(stored.table, row))


def short_deadline(stored: TableGame, seat: Seat, zone: str, now: datetime) -> Timestamp | None:
    """When we play for the seat, and which card, in the reader's time zone; None if it has no short wait."""
    short = short_wait_of(stored)
    if short is None or short.seat != seat:
        return None
    until = timestamp(short.until, now, zone)
    return replace(until, plays=face(short.card).text, at_hour=at_hour(short.until, zone, now))


def played_for(stored: TableGame, seat: Seat) -> list[str]:
    """Tells the player which cards we have played for them in the present hand, a sentence for each trick."""
    return [sentence for sentence, _ in _cards_for(stored, seat)]


def played_since_asked(stored: TableGame, seat: Seat) -> list[str]:
    """The same since the player last chose a turn: the newest, as many as a mail has room for."""
    played = stored.of_hand(stored.game.hand)
    last = max((one.number for one in played if _is_chosen_by(one, seat)), default=0)
    return [sentence for sentence, number in _cards_for(stored, seat) if number > last][-MOST_IN_A_MAIL:]


def _cards_for(stored: TableGame, seat: Seat) -> list[tuple[str, int]]:
    """Returns a sentence and the record's number for each card that we have played in the present hand."""
    found: list[tuple[str, int]] = []
    trick = 0
    for record in stored.of_hand(stored.game.hand):
        if isinstance(record.turn, Play) and record.turn.seat == seat:
            trick += 1
            if record.source is TurnSource.WAIT:
                found.append((f"Trick {trick}: {turn_sentence(record)}", record.number))
    return found


def _is_chosen_by(record: Record, seat: Seat) -> bool:
    return not isinstance(record.turn, Deal) and record.turn.seat == seat and record.source in CHOSEN
