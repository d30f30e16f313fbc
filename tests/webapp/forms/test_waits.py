"""The form that says how long to wait for a player where it hardly matters."""

import pytest

from webapp.forms.waits import read_wait_form
from webapp.models import Wait


def read(fields, *, may_hand_over=True):
    return read_wait_form(fields, may_hand_over=may_hand_over)


@pytest.mark.parametrize("wait", Wait)
def test_each_wait_is_read(wait):
    assert read({"wait": wait.value}).wait is wait


def test_a_box_makes_the_wait_that_of_all_tables():
    assert read({"wait": "none", "everywhere": "yes"}).is_everywhere
    assert not read({"wait": "none"}).is_everywhere


def test_a_hand_is_handed_over_only_while_one_is_played():
    assert read({"wait": "robot"}).is_robot
    form = read({"wait": "robot"}, may_hand_over=False)
    assert not form.is_robot
    assert form.errors == {"wait": "Choose how long we wait for you."}


@pytest.mark.parametrize("fields", [{}, {"wait": "cat"}, {"wait": ""}, {"asking": "ask"}])
def test_anything_else_is_rejected_with_a_message(fields):
    form = read(fields)
    assert form.wait is None
    assert list(form.errors.values()) == ["Choose how long we wait for you."]
