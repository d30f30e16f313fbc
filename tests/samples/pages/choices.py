"""Choices that forms on several pages offer."""

from typing import Any
from zoneinfo import available_timezones

from webapp.forms.fields import BANK_CHOICES, ROBOT_LEVELS, TALKS, VACATIONS, pace_groups

ZONES = ["UTC", *sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))]
# The choices of a host who opens a table, who may change them later.
OF_A_HOST: dict[str, Any] = {
    "paces": pace_groups(None),
    "talks": [(talk.value, words) for talk, words in TALKS.items()],
    "vacations": list(VACATIONS.items()),
    "banks": BANK_CHOICES,
    "robot_levels": [(level.value, words) for level, words in ROBOT_LEVELS.items()],
}
