"""The open-a-table form: chairs, rules, pace; what a table is to be made of, or what is wrong at which field."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from hearts.robot import Level
from hearts.rules import BadRules, Preset, Rules, preset_rules
from webapp.forms import options
from webapp.forms.fields import (
    LONGEST_ECHO,
    STRONGEST,
    TICKED,
    BadField,
    Form,
    paces,
    read_address,
    read_name,
    read_pace,
    read_robots,
    read_talk,
    read_time_zone,
)
from webapp.models import Talk

CHAIRS = tuple(f"seat_{number}" for number in range(1, 11))  # the prefixes of their fields; the host has one, too
FEWEST_PLAYERS = 3
TARGETS = range(10, 501)
# One more than there can be robots at a table, and so enough for any who share it with people of these names.
ROBOT_NAMES = ("Pip", "Clover", "Ruby", "Jack", "Hazel", "Basil", "Olive", "Otto", "Tansy", "Dot", "Fern")
FILLED = ("player", "robot", "open")  # the kinds of chairs that are part of the table
REMEMBERED = (
    *("host_name", "host_address", "time_zone", "preset", "target", "pass_time", "play_time", "robots", "suggestions"),
    *("talk", *options.NAMES),
)


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
class OpenForm(Form):
    """The open-a-table form. `table` is None where anything in it is wrong."""

    table: NewTable | None = None


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
