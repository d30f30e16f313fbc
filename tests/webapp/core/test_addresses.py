"""Signed mail addresses: they survive what mail does to them, and no other address opens anything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.core.addresses import AddressInvalid, LetterAddress, Postmark, Purpose

DOMAIN = "in.hearts.example"
OLD, NEW = "o" * 40, "n" * 40
postmark = Postmark([NEW, OLD], DOMAIN)
BY_BOTH = st.builds(LetterAddress, st.sampled_from(Purpose), st.integers(0, 2**40 - 1))


@given(BY_BOTH)
def test_an_address_names_its_letter(named):
    assert postmark.read(postmark.address(named.purpose, named.letter_id)) == named


@given(BY_BOTH)
def test_an_address_survives_brackets_blanks_and_capitals(named):
    address = postmark.address(named.purpose, named.letter_id)
    assert postmark.read(f" <{address.upper()}> ") == named


@given(BY_BOTH)
def test_a_local_part_may_have_sixty_four_characters(named):
    assert len(postmark.address(named.purpose, named.letter_id).split("@")[0]) <= 64


def test_one_changed_character_makes_an_address_invalid():
    local, domain = postmark.address(Purpose.REPLY, 7).split("@")
    for place, letter in enumerate(local):
        other = "b" if letter != "b" else "c"
        with pytest.raises(AddressInvalid):
            postmark.read(f"{local[:place]}{other}{local[place + 1 :]}@{domain}")


@pytest.mark.parametrize(
    "address",
    [
        pytest.param("", id="nothing"),
        pytest.param("hearts@in.hearts.example", id="a word"),
        pytest.param("r-@in.hearts.example", id="cut off"),
        pytest.param("r-ünïcödé@in.hearts.example", id="no letters of ours"),
        pytest.param(Postmark(["e" * 40], DOMAIN).address(Purpose.REPLY, 7), id="signed by Eve"),
        pytest.param(Postmark([NEW], "eve.example").address(Purpose.REPLY, 7), id="another domain"),
        pytest.param("b" + postmark.address(Purpose.REPLY, 7)[1:], id="made for another purpose"),
        pytest.param(postmark.address(Purpose.REPLY, 7).replace("-", "+", 1), id="another sign"),
        pytest.param("x" + postmark.address(Purpose.REPLY, 7), id="something before it"),
    ],
)
def test_an_address_that_we_have_not_made_opens_nothing(address):
    with pytest.raises(AddressInvalid):
        postmark.read(address)


def test_addresses_of_an_older_key_last_until_its_removal():
    old = Postmark([OLD], DOMAIN).address(Purpose.BOUNCE, 3)
    assert postmark.read(old) == LetterAddress(Purpose.BOUNCE, 3)
    with pytest.raises(AddressInvalid):
        Postmark([NEW], DOMAIN).read(old)


def test_an_address_begins_with_the_name_of_a_mailbox():
    plus = Postmark([NEW], "example.org", before="hearts+")
    address = plus.address(Purpose.REPLY, 7)
    assert address.startswith("hearts+r-")
    assert plus.read(address.upper()) == LetterAddress(Purpose.REPLY, 7)
    with pytest.raises(AddressInvalid):
        plus.read(address.removeprefix("hearts+"))


@pytest.mark.parametrize(
    ("address", "is_role"),
    [
        ("postmaster@in.hearts.example", True),
        ("<Abuse@IN.hearts.example>", True),
        ("feedback@hearts.example", False),
        ("ann@in.hearts.example", False),
        ("postmaster", False),
    ],
)
def test_the_operators_have_names_at_our_domain(address, is_role):
    assert postmark.is_role(address) is is_role


def test_a_domain_that_takes_no_mail_has_no_operators():
    assert not Postmark([NEW], "").is_role("postmaster@")


def test_a_report_names_its_letter_by_the_bounce_address_alone():
    for purpose in Purpose:
        text = f"Return-Path: <b-{'a' * 24}@{DOMAIN}>\nX: <{postmark.address(purpose, 7)}>\n"
        assert postmark.letter_reported_in(text) == (7 if purpose is Purpose.BOUNCE else None)
