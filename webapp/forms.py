"""What people type into forms: read, checked, and answered with a sentence for each field that is wrong."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypeVar
from zoneinfo import available_timezones

from email_validator import EmailNotValidError, validate_email

from hearts.robot import Level
from hearts.rules import BadRules, Preset, Rules, preset_rules
from webapp import options
from webapp.models import Talk
from webapp.post.clock import LIVE_PACES
from webapp.telling.moments import span

LONGEST_NAME = 40
LONGEST_ECHO = 300  # what stands in a field when it is shown again
CHAIRS = tuple(f"seat_{number}" for number in range(1, 11))  # the prefixes of their fields; the host has one, too
FEWEST_PLAYERS = 3
TARGETS = range(10, 501)
UNPRINTABLE = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
JOINERS = "\u200c\u200d"  # parts of names in some scripts
T = TypeVar("T")
TIME_ZONES = ["UTC", *sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))]
LIVE = {pace: span(pace) for pace in LIVE_PACES}
BY_MAIL = {
    timedelta(minutes=10): "10 minutes",
    timedelta(hours=1): "1 hour",
    timedelta(hours=6): "6 hours",
    timedelta(hours=12): "12 hours",
    timedelta(days=1): "1 day",
    timedelta(days=2): "2 days",
    timedelta(days=3): "3 days",
    timedelta(days=7): "1 week",
}
# One more than there can be robots at a table, and so enough for any who share it with people of these names.
ROBOT_NAMES = ("Pip", "Clover", "Ruby", "Jack", "Hazel", "Basil", "Olive", "Otto", "Tansy", "Dot", "Fern")
ROBOT_LEVELS = {
    Level.RULE: "by rules of thumb, at once",
    Level.STEADY: "with some thought",
    Level.STRONG: "as well as they can",
}
STRONGEST = Level.STRONG
TALKS = {
    Talk.TEXT: "anything",
    Talk.PHRASES: "only a few polite phrases",
    Talk.NONE: "none",
}
FILLED = ("player", "robot", "open")  # the kinds of chairs that are part of the table
TICKED = "yes"  # what a box that is ticked sends; one that is not sends nothing
REMEMBERED = (
    *("host_name", "host_address", "time_zone", "preset", "target", "pass_time", "play_time", "robots", "suggestions"),
    *("talk", *options.NAMES),
)


class BadField(ValueError):
    """What was typed will not do; the text is the sentence for the person who typed it."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Somebody at the table beside the host. `address` is None for a robot, and for a chair that anybody may take."""

    name: str
    address: str | None
    is_open: bool = False


OPEN_CHAIR = Chair("Open chair", None, is_open=True)  # of which there may be several: it is nobody's name


@dataclass(frozen=True, slots=True)
class NewTable:
    host_name: str
    host_address: str
    time_zone: str
    chairs: tuple[Chair, ...]
    rules: Rules
    pass_time: timedelta
    play_time: timedelta
    robots: Level = STRONGEST
    suggestions: bool = False
    talk: Talk = Talk.TEXT


@dataclass(slots=True)
class Form:
    """What stands in the fields of a form, and what is wrong there."""

    values: dict[str, str]
    errors: dict[str, str] = field(default_factory=dict)

    def take(self, name: str, reader: Callable[[str], T]) -> T | None:
        """The field as `reader` reads it; None, and an error kept, where it will not do."""
        try:
            return reader(self.values.get(name, ""))
        except BadField as error:
            self.errors[name] = str(error)
            return None


@dataclass(slots=True)
class OpenForm(Form):
    """The open-a-table form. `table` is None where anything in it is wrong."""

    table: NewTable | None = None


def pace_groups(shortest: int | None) -> list[tuple[str, list[tuple[str, str]]]]:
    """What kinds of paces are on offer, each with value and label of its own, shortest first.

    `shortest` seconds are offered too where given: to try the service out, by mail.
    """
    by_mail = BY_MAIL
    if shortest is not None and (pace := timedelta(seconds=shortest)) not in LIVE | BY_MAIL:
        by_mail = {pace: f"{span(pace)} (to try it out)", **BY_MAIL}
    return [("Live, everybody is here", _valued(LIVE)), ("By mail", _valued(by_mail))]


def paces(shortest: int | None) -> list[tuple[str, str]]:
    """Value and label of each pace on offer."""
    return [pace for _, group in pace_groups(shortest) for pace in group]


def blank_open_form(last: Mapping[str, str] | None = None) -> OpenForm:
    """The form to begin with; `last` is what `worth_remembering` has kept of the last one."""
    values = {
        "time_zone": "UTC",
        "preset": Preset.CLASSIC.value,
        "pass_time": str(24 * 3600),
        "play_time": str(24 * 3600),
        "robots": STRONGEST.value,
        "talk": Talk.TEXT.value,
        **{f"{chair}_kind": "player" if chair in CHAIRS[:3] else "none" for chair in CHAIRS},
        **{name: text for name, text in (last or {}).items() if name in REMEMBERED},
    }
    return OpenForm(values)


def worth_remembering(form: OpenForm) -> dict[str, str]:
    """What a host will want again at her next table: everything but the guests."""
    return {name: form.values[name] for name in REMEMBERED if form.values.get(name)}


def read_open_form(fields: Mapping[str, str], shortest_pace: int | None) -> OpenForm:
    """The form as it was sent, read. Its `table` is there if and only if its `errors` are empty."""
    form = OpenForm({name: text[:LONGEST_ECHO] for name, text in fields.items()})
    offered = [value for value, _ in paces(shortest_pace)]
    host_name = form.take("host_name", read_name)
    host_address = form.take("host_address", read_address)
    time_zone = form.take("time_zone", read_time_zone)
    chairs = _take_chairs(form, host_name or "")
    rules = _take_rules(form, players=len(chairs) + 1)
    pass_time = form.take("pass_time", lambda text: read_pace(text, offered))
    play_time = form.take("play_time", lambda text: read_pace(text, offered))
    robots = form.take("robots", read_robots)
    talk = form.take("talk", read_talk)
    if host_name and host_address:
        _check_people(form, [Chair(host_name, host_address), *chairs.values()], ["host", *chairs])
    if form.errors or not (host_name and host_address and time_zone and rules and pass_time and play_time and robots):
        return form
    people = (host_name, host_address, time_zone, tuple(chairs.values()))
    suggestions = form.values.get("suggestions") == TICKED
    form.table = NewTable(*people, rules, pass_time, play_time, robots, suggestions, talk or Talk.TEXT)
    return form


def read_name(text: str) -> str:
    """A name as others will see it, white space made plain. Raises BadField."""
    name = " ".join(text.split())
    if not name:
        raise BadField("Please give a name.")
    if len(name) > LONGEST_NAME:
        raise BadField(f"A name has at most {LONGEST_NAME} letters.")
    if not all(map(is_printable, name)):
        raise BadField("A name is made of letters that can be seen.")
    return name


def is_printable(letter: str) -> bool:
    """Whether a letter can be seen, or belongs to one that can: no line break, no mark that turns a line round."""
    return unicodedata.category(letter) not in UNPRINTABLE or letter in JOINERS


def read_address(text: str) -> str:
    """A mail address in lower case, so that one person is one player. Raises BadField."""
    address = text.strip(" ")
    if not address:
        raise BadField("Please give a mail address.")
    try:
        return validate_email(address[:LONGEST_ECHO], check_deliverability=False).normalized.lower()
    except EmailNotValidError:
        raise BadField("This is not a mail address that we can write to.") from None


def read_time_zone(text: str) -> str:
    """A time zone by its usual name, such as Europe/Berlin. Raises BadField."""
    if text not in TIME_ZONES:
        raise BadField("Please choose a time zone from the list.")
    return text


def read_talk(text: str) -> Talk:
    """What may be said at a table; anything where that is not given. Raises BadField."""
    try:
        return Talk(text or Talk.TEXT)
    except ValueError:
        raise BadField("Please choose from the list what may be said at the table.") from None


def read_pace(text: str, offered: list[str]) -> timedelta:
    if text not in offered:
        raise BadField("Please choose a time from the list.")
    return timedelta(seconds=int(text))


def read_robots(text: str) -> Level:
    try:
        return Level(text or STRONGEST)
    except ValueError:
        raise BadField("Please choose from the list how well the robots play.") from None


def _valued(kind: Mapping[timedelta, str]) -> list[tuple[str, str]]:
    return [(str(int(pace.total_seconds())), words) for pace, words in kind.items()]


def _take_chairs(form: OpenForm, host_name: str) -> dict[str, Chair]:
    """The chairs that are taken, by the prefix of their fields; what is wrong with one has its error there."""
    kinds = {chair: form.take(f"{chair}_kind", _read_kind) for chair in CHAIRS}
    people = {chair: _take_person(form, chair) for chair, kind in kinds.items() if kind == "player"}
    taken = {name.casefold() for name in (host_name, *(person.name for person in people.values()))}
    free = iter([name for name in ROBOT_NAMES if name.casefold() not in taken])
    return {
        chair: OPEN_CHAIR if kind == "open" else people.get(chair) or Chair(next(free), None)
        for chair, kind in kinds.items()
        if kind in FILLED
    }


def _take_person(form: OpenForm, chair: str) -> Chair:
    """Whoever is to be invited, with an empty name or address where that will not do."""
    name = form.take(f"{chair}_name", read_name)
    address = form.take(f"{chair}_address", read_address)
    return Chair(name or "", address or "")


def _read_kind(text: str) -> str:
    if text not in (*FILLED, "none", ""):
        raise BadField("Please choose a player, a robot, anybody, or nobody.")
    return text or "none"


def _take_rules(form: OpenForm, players: int) -> Rules | None:
    """The preset with everything that the form sets instead. None where something in it is wrong, or in the chairs."""
    preset = form.take("preset", _read_preset)
    target = form.take("target", _read_target)
    chosen = {name: form.take(name, _option_reader(name)) for name in options.NAMES if form.values.get(name)}
    if players < FEWEST_PLAYERS:
        empty = next(chair for chair in CHAIRS if form.values.get(f"{chair}_kind") not in FILLED)
        form.errors.setdefault(f"{empty}_kind", "Hearts needs three players or more: fill this chair, too.")
        return None
    if preset is None or form.errors.keys() & {"target", *chosen, *(f"{chair}_kind" for chair in CHAIRS)}:
        return None
    given = {**chosen, "target": target} if target else chosen
    try:
        return preset_rules(preset, players=players, **given)
    except BadRules as error:
        field_name, sentence = options.misfit(error, preset, players, chosen)
        form.errors[field_name] = sentence
        return None


def _read_preset(text: str) -> Preset:
    try:
        return Preset(text)
    except ValueError:
        raise BadField("Please choose one of the ways to play from the list.") from None


def _read_target(text: str) -> int | None:
    """A number of points; None, as the preset has it, where nothing is given. Raises BadField."""
    typed = text.strip()
    if not typed:
        return None
    if not re.fullmatch("[0-9]{1,3}", typed) or int(typed) not in TARGETS:
        raise BadField(f"The game ends at a whole number of points from {TARGETS[0]} to {TARGETS[-1]}.")
    return int(typed)


def _option_reader(name: str) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            return options.read_option(name, text)
        except LookupError:
            raise BadField("Please choose one of the list.") from None

    return read


def _check_people(form: OpenForm, chairs: Sequence[Chair], prefixes: Sequence[str]) -> None:
    """Everybody at a table has a name and an address of her own."""
    names: set[str] = set()
    addresses: set[str] = set()
    for chair, prefix in zip(chairs, prefixes, strict=True):
        if chair.is_open:
            continue
        if chair.name.casefold() in names:
            form.errors.setdefault(f"{prefix}_name", "Two at this table have this name; please tell them apart.")
        if chair.address and chair.address in addresses:
            form.errors.setdefault(f"{prefix}_address", "This address sits at the table already.")
        names.add(chair.name.casefold() or prefix)
        addresses.add(chair.address or prefix)
