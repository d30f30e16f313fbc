"""Spellings of an address that reach one mailbox, and others that do not."""

import pytest

from webapp.core.spelling import mailbox_of, sharing


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("bo@example.org", "BO@Example.org", id="capitals"),
        pytest.param("bo+hearts@example.org", "bo@example.org", id="a plus address"),
        pytest.param("b.o+x@gmail.com", "bo@googlemail.com", id="Gmail's dots and its other domain"),
        pytest.param("bo@exämple.org", "bo@xn--exmple-cua.org", id="an international domain"),
        pytest.param("bo@EXÄMPLE.org", "bo@xn--exmple-cua.org", id="an international domain in capitals"),
    ],
)
def test_spellings_of_one_mailbox_are_the_same(one, other):
    assert mailbox_of(one) == mailbox_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("b.o@example.org", "bo@example.org"),
        ("bo@example.org", "bo@example.com"),
        ("bo@gmail.com", "bo@example.org"),
        ("bo-x@example.org", "bo@example.org"),
        ("+bo@example.org", "+eve@example.org"),
    ],
)
def test_other_mailboxes_are_different(one, other):
    assert mailbox_of(one) != mailbox_of(other)


def test_who_shares_a_mailbox_is_found_in_order():
    people = [("Cy", "b.o@gmail.com"), ("Ann", "ann@gmail.com"), ("Bo", "bo+x@googlemail.com"), ("Di", "di@gmail.com")]
    assert sharing(people) == [["Cy", "Bo"]]
