"""The form of the preferences: what it begins with, what it yields, and what is rejected."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.forms.preferences import Preferences, preferences_form, read_preferences_form
from webapp.games.clock.hours import LONGEST_QUIET, MOST_DAYS_OFF, Quiet
from webapp.models import Frequency, Section

HOURS = st.integers(0, 23)
QUIET = st.builds(Quiet, HOURS, HOURS).filter(lambda quiet: 0 < quiet.hours <= LONGEST_QUIET)
CHOICES = st.builds(
    Preferences,
    time_zone=st.sampled_from(["UTC", "Europe/Berlin"]),
    frequency=st.sampled_from(Frequency),
    daily_at=HOURS,
    quiet=st.none() | QUIET,
    invitations=st.booleans(),
    days_off=st.frozensets(st.integers(0, 6), max_size=MOST_DAYS_OFF),
    year_mail=st.booleans(),
    shown=st.frozensets(st.sampled_from(Section)),
)
ANNS = Preferences("UTC", Frequency.EVERY, 8, Quiet(22, 7), invitations=True)


@given(CHOICES)
def test_the_form_as_it_was_shown_yields_the_same_preferences(preferences):
    form = read_preferences_form(preferences_form(preferences).values)
    assert (form.errors, form.preferences) == ({}, preferences)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("time_zone", "Berlin"),
        ("frequency", "never"),
        ("frequency", None),
        ("daily_at", "24"),
        ("daily_at", "08"),
        ("daily_at", "٩"),
        ("quiet_from", "-1"),
        ("quiet_to", ""),
    ],
)
def test_an_invalid_field_is_rejected_at_its_place(name, text):
    sent = {**preferences_form(ANNS).values, name: text}
    form = read_preferences_form({field: value for field, value in sent.items() if value is not None})
    assert form.preferences is None
    assert list(form.errors) == [name]


@pytest.mark.parametrize(
    ("hours", "allowed"), [(0, False), (1, True), (LONGEST_QUIET, True), (LONGEST_QUIET + 1, False)]
)
def test_quiet_hours_have_a_longest_and_a_shortest_length(hours, allowed):
    sent = {**preferences_form(ANNS).values, "quiet_from": "20", "quiet_to": str((20 + hours) % 24)}
    form = read_preferences_form(sent)
    assert (form.preferences is not None, "quiet_to" in form.errors) == (allowed, not allowed)
    del sent["quiet"]
    assert read_preferences_form(sent).preferences == replace(ANNS, quiet=None), "what is not ticked has no length"


@pytest.mark.parametrize(("days", "allowed"), [(MOST_DAYS_OFF, True), (MOST_DAYS_OFF + 1, False)])
def test_a_week_has_so_many_days_off(days, allowed):
    sent = {**preferences_form(ANNS).values, **{f"day_off_{day}": "yes" for day in range(days)}}
    assert (read_preferences_form(sent).preferences is not None) is allowed
