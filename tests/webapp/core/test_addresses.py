"""Signed mail addresses: they survive what mail does to them, and no other address opens anything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.core.addresses import (
    AddressInvalid,
    LetterAddress,
    Postmark,
    Purpose,
    address_in_ascii,
    domain_in_ascii,
    mailbox_of,
    sharing,
)

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


@pytest.mark.parametrize(
    ("address", "found"),
    [
        pytest.param("ann@example.org", "ann@example.org", id="in ASCII already"),
        pytest.param("Ann@Example.ORG", "Ann@Example.ORG", id="in ASCII, as it is written"),
        pytest.param("bo@bücher.example.org", "bo@xn--bcher-kva.example.org", id="a domain outside ASCII"),
        pytest.param("bo@BÜCHER.example.org", "bo@xn--bcher-kva.example.org", id="in capitals"),
        pytest.param("bø@example.org", "bø@example.org", id="only the local part is outside ASCII"),
        pytest.param("cy@例え.jp", "cy@xn--r8jz45g.jp", id="another script"),
        pytest.param("bø@-ä-.org", "bø@-ä-.org", id="no domain at all"),
        pytest.param("no address, ä", "no address, ä", id="no address"),
    ],
)
def test_the_domain_is_converted_and_nothing_else(address, found):
    assert address_in_ascii(address) == found


def test_the_domain_by_itself_is_in_lower_case():
    assert domain_in_ascii("bo@BÜCHER.example.org") == "xn--bcher-kva.example.org"
    assert domain_in_ascii("Ann@Example.ORG") == "example.org"
