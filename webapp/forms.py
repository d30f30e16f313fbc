"""What people type into forms: read, checked, and answered with a sentence for each field that is wrong."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar
from zoneinfo import available_timezones

from email_validator import EmailNotValidError, validate_email

from hearts.rules import PRESETS, BadRules, Preset, Rules, preset_rules

LONGEST_NAME = 40
LONGEST_ECHO = 300  # what stands in a field when it is shown again
MOST_CHAIRS = 5
UNPRINTABLE = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
JOINERS = "\u200c\u200d"  # parts of names in some scripts
T = TypeVar("T")
TIME_ZONES = ["UTC", *sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))]
PACES = {
    timedelta(minutes=10): "10 minutes",
    timedelta(hours=1): "1 hour",
    timedelta(hours=6): "6 hours",
    timedelta(hours=12): "12 hours",
    timedelta(days=1): "1 day",
    timedelta(days=2): "2 days",
    timedelta(days=3): "3 days",
    timedelta(days=7): "1 week",
}
ROBOT_NAMES = ("Pip", "Clover", "Ruby", "Jack")


class BadField(ValueError):
    """What was typed will not do; the text is the sentence for the person who typed it."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Somebody at the table beside the host. `address` is None for a robot."""

    name: str
    address: str | None


@dataclass(frozen=True, slots=True)
class NewTable:
    host_name: str
    host_address: str
    time_zone: str
    chairs: tuple[Chair, ...]
    rules: Rules
    pass_time: timedelta
    play_time: timedelta


@dataclass(slots=True)
class OpenForm:
    """The open-a-table form: what stands in its fields, and what is wrong there. `table` is None where anything is."""

    values: dict[str, str]
    errors: dict[str, str] = field(default_factory=dict)
    table: NewTable | None = None

    def take(self, name: str, reader: Callable[[str], T]) -> T | None:
        """The field as `reader` reads it; None, and an error kept, where it will not do."""
        try:
            return reader(self.values.get(name, ""))
        except BadField as error:
            self.errors[name] = str(error)
            return None


def paces(shortest: int | None) -> list[tuple[str, str]]:
    """Value and label of each pace on offer, shortest first; `shortest` seconds are offered too where given."""
    offered = [(str(int(pace.total_seconds())), label) for pace, label in PACES.items()]
    return offered if shortest is None else [(str(shortest), f"{shortest} seconds (to try it out)"), *offered]


def blank_open_form() -> OpenForm:
    values = {
        "time_zone": "UTC",
        "preset": Preset.CLASSIC.value,
        "target": "100",
        "pass_time": str(24 * 3600),
        "play_time": str(24 * 3600),
    }
    for number in range(1, MOST_CHAIRS):
        values[f"seat_{number}_kind"] = "player" if number <= 3 else "none"
    return OpenForm(values)


def read_open_form(fields: Mapping[str, str], shortest_pace: int | None) -> OpenForm:
    """The form as it was sent, read. Its `table` is there if and only if its `errors` are empty."""
    form = OpenForm({name: text[:LONGEST_ECHO] for name, text in fields.items()})
    offered = [value for value, _ in paces(shortest_pace)]
    host_name = form.take("host_name", read_name)
    host_address = form.take("host_address", read_address)
    time_zone = form.take("time_zone", read_time_zone)
    chairs = _take_chairs(form)
    rules = _take_rules(form, players=len(chairs) + 1)
    pass_time = form.take("pass_time", lambda text: _read_pace(text, offered))
    play_time = form.take("play_time", lambda text: _read_pace(text, offered))
    if host_name and host_address:
        _check_people(form, [Chair(host_name, host_address), *chairs.values()], ["host", *chairs])
    if not form.errors and host_name and host_address and time_zone and rules and pass_time and play_time:
        form.table = NewTable(host_name, host_address, time_zone, tuple(chairs.values()), rules, pass_time, play_time)
    return form


def read_name(text: str) -> str:
    """A name as others will see it, white space made plain. Raises BadField."""
    name = " ".join(text.split())
    if not name:
        raise BadField("Please give a name.")
    if len(name) > LONGEST_NAME:
        raise BadField(f"A name has at most {LONGEST_NAME} letters.")
    if any(unicodedata.category(letter) in UNPRINTABLE and letter not in JOINERS for letter in name):
        raise BadField("A name is made of letters that can be seen.")
    return name


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


def _read_pace(text: str, offered: list[str]) -> timedelta:
    if text not in offered:
        raise BadField("Please choose a time from the list.")
    return timedelta(seconds=int(text))


def _take_chairs(form: OpenForm) -> dict[str, Chair]:
    """The chairs that are taken, by the prefix of their fields; wrong ones are left out and have their errors."""
    chairs = {}
    robot_names = iter(ROBOT_NAMES)
    for number in range(1, MOST_CHAIRS):
        prefix = f"seat_{number}"
        kind = form.take(f"{prefix}_kind", _read_kind)
        if kind == "robot":
            chairs[prefix] = Chair(next(robot_names), None)
        elif kind == "player":
            name = form.take(f"{prefix}_name", read_name)
            address = form.take(f"{prefix}_address", read_address)
            chairs[prefix] = Chair(name or "", address or "")
    return chairs


def _read_kind(text: str) -> str:
    if text not in ("player", "robot", "none", ""):
        raise BadField("Please choose a player, a robot, or nobody.")
    return text or "none"


def _take_rules(form: OpenForm, players: int) -> Rules | None:
    preset = form.take("preset", _read_preset)
    target = form.take("target", _read_target)
    if preset is None or target is None:
        return None
    if players not in PRESETS[preset].players:
        form.errors["preset"] = (
            f"{PRESETS[preset].label} is for {_range(PRESETS[preset].players)} players with the host."
        )
        return None
    try:
        return preset_rules(preset, players=players, target=target)
    except BadRules as error:
        form.errors["preset"] = f"{error}"
        return None


def _read_preset(text: str) -> Preset:
    try:
        return Preset(text)
    except ValueError:
        raise BadField("Please choose one of the ways to play from the list.") from None


def _read_target(text: str) -> int:
    if not re.fullmatch("[0-9]{1,3}", text.strip()):
        raise BadField("The game ends at a whole number of points from 10 to 500.")
    return int(text)


def _range(numbers: Sequence[int]) -> str:
    return f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}"


def _check_people(form: OpenForm, chairs: Sequence[Chair], prefixes: Sequence[str]) -> None:
    """Everybody at a table has a name and an address of her own."""
    names: set[str] = set()
    addresses: set[str] = set()
    for chair, prefix in zip(chairs, prefixes, strict=True):
        if chair.name.casefold() in names:
            form.errors.setdefault(f"{prefix}_name", "Two at this table have this name; please tell them apart.")
        if chair.address and chair.address in addresses:
            form.errors.setdefault(f"{prefix}_address", "This address sits at the table already.")
        names.add(chair.name.casefold() or prefix)
        addresses.add(chair.address or prefix)
