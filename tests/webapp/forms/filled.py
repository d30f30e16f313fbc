"""The form for a table as Ann's browser sends it."""

from hearts.rules import OPTIONS
from webapp.forms.opening import SEAT_PREFIXES, read_open_form

NOT_SENT = {"preset", "players"}


def filled(robots=3, **fields):
    """The form that Ann's browser sends with that many robots at her table."""
    host = {"host_name": "Ann", "host_address": "ann@example.org", "time_zone": "Europe/Berlin"}
    kinds = {f"{seat}_kind": "robot" if number < robots else "none" for number, seat in enumerate(SEAT_PREFIXES)}
    pace = {"when": "mail", "length": "100", "live_time": "30", "pass_time": "86400", "play_time": "43200"}
    return {**host, **kinds, **pace, "preset": "classic", "target": "", **fields}


def read(robots=3, **fields):
    return read_open_form(filled(robots, **fields), shortest_pace=None)


def rules_of(robots=3, **fields):
    form = read(robots, **fields)
    assert form.errors == {}
    return form.table.rules


def sent(rules):
    """The fields of a form that sets every option, whatever the preset has."""
    values = {name: getattr(rules, name) for name in OPTIONS if name not in NOT_SENT} | {"hands": rules.hands or ""}
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in values.items()}
