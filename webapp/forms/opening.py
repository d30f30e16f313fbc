"""The form to open a table, with seats, rules and pace: it yields a `NewTable`, or a message at each invalid field."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from hearts.deal import hands_at_once
from hearts.robot import Level
from hearts.rules import BadRules, Preset, Rules, preset_rules
from webapp.core.addresses import mailbox_of
from webapp.core.names import outline
from webapp.core.say import later, say
from webapp.forms import options
from webapp.forms.fields import (
    STRONGEST,
    TICKED,
    USUAL_VACATION,
    BadField,
    Form,
    one_of,
    read_address,
    read_name,
    read_robots,
    read_talk,
    read_time_zone,
    read_vacation,
    read_words,
)
from webapp.forms.terms import USUAL_LIVE, USUAL_PACE, Length, When, take_terms, with_length
from webapp.models import Talk

SEAT_PREFIXES = tuple(
    f"seat_{number}" for number in range(1, 11)
)  # of the names of a seat's fields; the host's is "host"
FEWEST_PLAYERS = 3
OWN_MAILBOXES = later(
    "Two players at this table would share a mailbox. That is for tables of friends: where anybody may take a seat, "
    "each player has a mailbox of their own."
)
TARGETS = range(10, 501)
HANDS = range(1, 41)
WRONG_TARGET = later("The game ends at a whole number of points from {least} to {most}.")
WRONG_HANDS = later("The game ends after a whole number of hands from {least} to {most}.")
# One more than a table can have robots: enough even if a player has one of these names.
ROBOT_NAMES = ("Pip", "Clover", "Ruby", "Jack", "Hazel", "Basil", "Olive", "Otto", "Tansy", "Dot", "Fern")
FILLED = ("player", "robot", "open")  # the kinds of seat that count as filled
REMEMBERED = (
    *("host_name", "host_address", "time_zone", "by", "when", "length", "live_time", "pass_time", "play_time"),
    *("preset", "vacation_days", "robots", "suggestions", "talk", *options.NAMES),
)


@dataclass(frozen=True, slots=True)
class NewSeat:
    """A seat of a new table, besides the host's. `address` is None for a robot and for an open seat."""

    name: str
    address: str | None
    is_open: bool = False
    by_link: bool = False  # open to whoever has the host's link, rather than in the lobby


OPEN_SEAT = NewSeat(later("Open seat"), None, is_open=True)  # a table may have several, all of this name
LINK_SEAT = NewSeat(later("Open seat"), None, is_open=True, by_link=True)
OPEN_SEATS = {"open": OPEN_SEAT, "link": LINK_SEAT}  # by what a form sends


class By(StrEnum):
    """How a host reaches their friends; it decides who gets a seat that they leave empty."""

    NAMES = "names"  # by names and addresses; a robot gets the seat
    LINK = "link"  # by a link for any messenger; a guest who opens it gets the seat


_KINDS = (*FILLED, "none")
_read_by = one_of({by.value: by for by in By}, later("Choose names and addresses, or one link."), By.NAMES)
_read_kind = one_of({kind: kind for kind in _KINDS}, later("Choose a player, a robot, anybody, or nobody."), "none")
_read_preset = one_of(
    {preset.value: preset for preset in Preset}, later("Choose one of the ways to play from the list.")
)
_READ_OPTION = {name: one_of(options.values_of(name), later("Choose one of the list.")) for name in options.NAMES}


@dataclass(frozen=True, slots=True)
class NewTable:
    host_name: str
    host_address: str
    time_zone: str
    seats: tuple[NewSeat, ...]
    rules: Rules
    pass_time: timedelta
    play_time: timedelta
    robots: Level = STRONGEST
    suggestions: bool = False
    talk: Talk = Talk.TEXT
    at_once: int = 1  # how many hands are played side by side
    vacation_days: int = 0  # of each player in each game
    words: str | None = None  # a line of the host's to the people they invite


@dataclass(slots=True)
class OpenForm(Form):
    """The form to open a table. `table` is None if any field is invalid."""

    table: NewTable | None = None


def blank_open_form(last: Mapping[str, str] | None = None) -> OpenForm:
    """The initial form; `last` are the `remembered_fields` of the host's last one."""
    values = {
        "time_zone": "UTC",
        "by": By.NAMES.value,
        "when": When.MAIL.value,
        "length": Length.ROUND.value,
        "live_time": USUAL_LIVE,
        "preset": Preset.CLASSIC.value,
        "pass_time": USUAL_PACE,
        "play_time": USUAL_PACE,
        "vacation_days": USUAL_VACATION,
        "robots": STRONGEST.value,
        "talk": Talk.TEXT.value,
        **{f"{seat}_kind": "player" if seat in SEAT_PREFIXES[:3] else "none" for seat in SEAT_PREFIXES},
        **{name: text for name, text in (last or {}).items() if name in REMEMBERED},
    }
    if values["length"] not in list(Length):  # the form had another one
        values["length"] = Length.ROUND.value
    return OpenForm(values)


def remembered_fields(form: OpenForm) -> dict[str, str]:
    """The fields that a host will want again for their next table: all but the guests."""
    return {name: form.values[name] for name in REMEMBERED if form.values.get(name)}


def read_open_form(fields: Mapping[str, str], shortest_pace: int | None) -> OpenForm:
    """Parses the form as it was sent. Either its `table` is set or it has `errors`."""
    form = OpenForm.sent(fields)
    host_name = form.take("host_name", read_name)
    host_address = form.take("host_address", read_address)
    time_zone = form.take("time_zone", read_time_zone)
    words = form.take("words", read_words)
    seats = _take_seats(form, host_name or "")
    terms = take_terms(form, shortest_pace)
    rules = _take_rules(form, len(seats) + 1, terms.length if terms else None)
    robots = form.take("robots", read_robots)
    talk = form.take("talk", read_talk)
    vacation_days = form.take("vacation_days", read_vacation)
    if host_name and host_address:
        _check_people(form, [NewSeat(host_name, host_address), *seats.values()], ["host", *seats])
    if form.errors or not (host_name and host_address and time_zone and rules and terms and robots):
        return form
    is_shared = any(seat.address or seat.is_open for seat in seats.values())
    form.table = NewTable(
        host_name,
        host_address,
        time_zone,
        tuple(seats.values()),
        rules,
        terms.pass_time,
        terms.play_time,
        robots,
        suggestions=form.values.get("suggestions") == TICKED,
        talk=talk or Talk.TEXT,
        at_once=hands_at_once(rules)[-1] if terms.length and is_shared else 1,
        vacation_days=vacation_days or 0,
        words=words,
    )
    return form


def read_occupant(fields: Mapping[str, str]) -> NewSeat | None:
    """The player who gets a seat from the host (None: a robot). Raises BadField."""
    match fields.get("kind"):
        case "robot":
            return None
        case "open" | "link" as kind:
            return OPEN_SEATS[kind]
        case "player":
            return NewSeat(read_name(fields.get("name", "")), read_address(fields.get("address", "")))
        case _:
            raise BadField(say("Choose who gets the seat."))


def _take_seats(form: OpenForm, host_name: str) -> dict[str, NewSeat]:
    """The filled seats, by the prefix of their fields; adds errors for invalid fields."""
    by = form.take("by", _read_by) or By.NAMES
    kinds: dict[str, str | None] = {}
    for seat in SEAT_PREFIXES:
        kind = form.take(f"{seat}_kind", _read_kind)
        is_empty = not any(form.values.get(f"{seat}_{field}", "").strip() for field in ("name", "address"))
        if kind == "player" and is_empty:  # the host has named nobody: a robot or a guest by link plays
            kind = "robot" if by is By.NAMES else "link"
        kinds[seat] = kind
    people = {seat: _take_person(form, seat) for seat, kind in kinds.items() if kind == "player"}
    taken = {outline(name) for name in (host_name, *(person.name for person in people.values()))}
    free = iter([name for name in ROBOT_NAMES if outline(name) not in taken])
    return {
        seat: OPEN_SEATS.get(kind or "") or people.get(seat) or NewSeat(next(free), None)
        for seat, kind in kinds.items()
        if kind not in ("none", None)
    }


def _take_person(form: OpenForm, seat: str) -> NewSeat:
    """The seat of a player to invite; an invalid name or address is left empty, and its error names the seat."""
    name = form.take(f"{seat}_name", read_name)
    address = form.take(f"{seat}_address", read_address)
    for field in (f"{seat}_name", f"{seat}_address"):
        if field in form.errors:
            number, sentence = SEAT_PREFIXES.index(seat) + 2, form.errors[field]
            form.errors[field] = say("Seat {number}: {sentence}", number=number, sentence=sentence)
    return NewSeat(name or "", address or "")


def _take_rules(form: OpenForm, players: int, length: Length | None) -> Rules | None:
    """The preset with the options that the form sets; None if any of these, or the number of players, is invalid.

    A number of points or hands that is typed comes before the length.
    """
    preset = form.take("preset", _read_preset)
    ends = {
        "target": form.take("target", lambda text: _read_number(text, TARGETS, WRONG_TARGET)),
        "hands": form.take("hands", lambda text: _read_number(text, HANDS, WRONG_HANDS)),
    }
    chosen = {name: form.take(name, reader) for name, reader in _READ_OPTION.items() if form.values.get(name)}
    if players < FEWEST_PLAYERS:
        empty = next(seat for seat in SEAT_PREFIXES if form.values.get(f"{seat}_kind") not in FILLED)
        form.errors.setdefault(f"{empty}_kind", say("Hearts needs three players or more: fill this seat, too."))
        return None
    if preset is None or form.errors.keys() & {*ends, *chosen, *(f"{seat}_kind" for seat in SEAT_PREFIXES)}:
        return None
    given = {**chosen, **{name: number for name, number in ends.items() if number}}
    try:
        rules = preset_rules(preset, players=players, **given)
    except BadRules as error:
        field_name, sentence = options.misfit(error, preset, players, chosen)
        form.errors[field_name] = sentence
        return None
    return rules if length is None or any(ends.values()) else with_length(rules, length)


def _read_number(text: str, numbers: range, wrong: str) -> int | None:
    """A number of points or hands; None, as the preset has it, if the field is empty. Raises BadField."""
    typed = text.strip()
    if not typed:
        return None
    if not re.fullmatch("[0-9]{1,3}", typed) or int(typed) not in numbers:
        raise BadField(say(wrong, least=numbers[0], most=numbers[-1]))
    return int(typed)


def _check_people(form: OpenForm, seats: Sequence[NewSeat], prefixes: Sequence[str]) -> None:
    """Adds errors for names and addresses that occur twice at the table, and mailboxes if strangers may sit there."""
    for_strangers = OPEN_SEAT in seats
    names: set[str] = set()
    addresses: set[str] = set()
    mailboxes: set[str] = set()
    for seat, prefix in zip(seats, prefixes, strict=True):
        if seat.is_open:
            continue
        if outline(seat.name) in names:
            form.errors.setdefault(f"{prefix}_name", say("Two at this table have this name; please tell them apart."))
        if seat.address and seat.address in addresses:
            form.errors.setdefault(f"{prefix}_address", say("This address sits at the table already."))
        elif seat.address and mailbox_of(seat.address) in mailboxes and for_strangers:
            form.errors.setdefault(f"{prefix}_address", say(OWN_MAILBOXES))
        names.add(outline(seat.name) or prefix)
        addresses.add(seat.address or prefix)
        mailboxes.add(mailbox_of(seat.address) if seat.address else prefix)
