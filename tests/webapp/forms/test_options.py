"""The options of the rules in a form: each is offered once, and conflicts are explained where they arise."""

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from hearts.rules import OPTIONS, choices
from tests.cast import dump
from tests.hearts.strategies import any_rules
from tests.webapp.forms.filled import NOT_SENT, filled, read, sent
from webapp.forms import options


def test_the_form_offers_every_rule_option_once_with_each_value():
    offered = [option for group in options.option_groups() for option in group.options]
    assert sorted(option.name for option in offered) == sorted(set(OPTIONS) - NOT_SENT - {"target", "hands"})
    for option in offered:
        values, effects = zip(*option.effects, strict=True)
        assert values[0] == options.PRESETS_CHOICE
        assert [options.values_of(option.name)[value] for value in values[1:]] == list(choices(option.name))
        assert len(set(effects)) == len(effects)
        assert all(effect[0] == effect[0].upper() and effect[-1] != "." for effect in effects)


@pytest.mark.parametrize(
    ("robots", "fields", "at", "sentence"),
    [
        pytest.param(
            7,
            {},
            "preset",
            "You are eight, and that takes two packs: choose Cancellation, or at most seven seats.",
            id="eight players with one pack",
        ),
        pytest.param(
            7,
            {"preset": "cancellation", "packs": "1"},
            "packs",
            "You are eight, and that takes two packs: choose two, or at most seven seats.",
            id="eight players with one pack, chosen",
        ),
        pytest.param(
            3,
            {"preset": "cancellation"},
            "preset",
            "Cancellation is for six to eleven players, and you are four: choose another way to play, or fill more"
            " seats.",
            id="two packs for four",
        ),
        pytest.param(
            4,
            {"packs": "2"},
            "packs",
            "Two packs are for six to eleven players, and you are five: choose one, or fill more seats.",
            id="two packs for five, chosen",
        ),
        pytest.param(
            2,
            {"preset": "partners"},
            "preset",
            "Partners is for four players, and you are three: seat four, or choose another way to play.",
            id="partners of three",
        ),
        pytest.param(
            4,
            {"partnership": "true"},
            "partnership",
            "Teams are for four players, and you are five: seat four, or let everybody play alone.",
            id="teams of five, chosen",
        ),
        pytest.param(
            7,
            {"preset": "cancellation", "kitty": "first-heart"},
            "kitty",
            "A kitty is for one pack, and these are two: choose none, or one pack.",
            id="a kitty with two packs, chosen",
        ),
        pytest.param(
            5,
            {"preset": "kitty", "packs": "2"},
            "packs",
            "Kitty has a kitty, which is for one pack: choose one pack, or no kitty.",
            id="two packs for a kitty, chosen",
        ),
        pytest.param(
            7,
            {"preset": "cancellation", "opening": "low-club"},
            "opening",
            "With two packs nobody alone holds the lowest club. Let the player left of the dealer lead.",
            id="low-club with two packs, chosen",
        ),
        pytest.param(
            7,
            {"packs": "2"},
            "packs",
            "With two packs nobody alone holds the lowest club. Choose Cancellation, or let the player left of the"
            " dealer lead.",
            id="two packs for low-club, chosen",
        ),
        pytest.param(3, {"moon": "ask"}, "moon", "Choose one of the list.", id="no such value"),
        pytest.param(3, {"sun": "True"}, "sun", "Choose one of the list.", id="a value in other letters"),
        pytest.param(3, {"pass_count": "6"}, "pass_count", "Choose one of the list.", id="too many cards"),
        pytest.param(3, {"jack_points": "\u0000"}, "jack_points", "Choose one of the list.", id="a null byte"),
        pytest.param(
            1,
            {},
            "seat_2_kind",
            "Hearts needs three players or more: fill this seat, too.",
            id="two players",
        ),
    ],
)
def test_conflicting_choices_are_explained_at_the_field_that_causes_them(runtime, client, robots, fields, at, sentence):
    assert read(robots, **fields).errors == {at: sentence}
    before = dump(runtime)
    answer = client.post("/tables/new", data=filled(robots, **fields))
    page = BeautifulSoup(answer.data, "lxml")
    assert answer.status_code == 400
    assert page.find(class_="error", id=f"{at}-error").text == sentence
    assert page.find(role="alert").find("a", href=f"#{at}").text == sentence
    assert page.find(id=at) is not None
    assert dump(runtime) == before


@given(any_rules(), st.sampled_from(options.NAMES), st.integers(2, 10), st.data())
def test_conflicting_options_always_get_a_readable_message(rules, name, robots, data):
    """The words of the game record stay in the game record."""
    fields = {**sent(rules), name: data.draw(st.sampled_from(choices(name)))}
    fields[name] = str(fields[name]).lower() if isinstance(fields[name], bool) else str(fields[name])
    form = read(robots, preset=rules.preset.value, **fields)
    assert (form.table is None) == bool(form.errors)
    for at, sentence in form.errors.items():
        assert at in (*options.NAMES, "preset")
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert not any(word in sentence for word in ("set ", "false", "true", "low-club", "eldest", "off,"))
