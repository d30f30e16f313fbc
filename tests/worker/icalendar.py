"""Calendars, read strictly by the letter of RFC 5545."""

import re

from worker.calendar import LONGEST_LINE

_PARAMETER = re.compile(r';([A-Z-]+)=(?:"([^"\x00-\x1f]*)"|([^";:,\x00-\x1f]*))')
_LINE = re.compile(rf"([A-Z-]+)((?:{_PARAMETER.pattern})*):(.*)", re.DOTALL)


def parse(text):
    """The lines of a calendar as (component, name, parameters, value); strict."""
    assert text.endswith("\r\n")
    raw = text.split("\r\n")[:-1]
    assert all("\n" not in line and "\r" not in line for line in raw)
    assert all(len(line.encode()) <= LONGEST_LINE for line in raw)
    lines, stack, found = "\r\n".join(raw).replace("\r\n ", "").split("\r\n"), [], []
    for line in lines:
        match = _LINE.fullmatch(line)
        assert match, line
        name, given_parameters, *_, value = match.groups()
        parameters = {key: quoted or plain for key, quoted, plain in _PARAMETER.findall(given_parameters)}
        if name == "BEGIN":
            stack.append(value)
        elif name == "END":
            assert stack.pop() == value
        else:
            found.append((stack[-1], name, parameters, value))
    assert stack == []
    return found


def of_event(text):
    """By name, the parameters and the value of each line of the event."""
    return {name: (parameters, value) for component, name, parameters, value in parse(text) if component == "VEVENT"}
