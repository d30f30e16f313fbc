"""Signed links: each opens one thing, and nothing else does."""

import time
from dataclasses import MISSING, fields
from datetime import UTC, datetime
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.every import of_every
from webapp.core import tokens
from webapp.core.tokens import (
    TOLERANCE,
    ConfirmLink,
    HostLink,
    InvitationLink,
    JoinLink,
    Link,
    LinkExpired,
    LinkInvalid,
    MessengerLink,
    PlayLink,
    PracticeLink,
    SeatLink,
    Signer,
    SignInLink,
    TurnLink,
)

MINUTES = TOLERANCE.total_seconds()
ADDRESS = "https://hearts.example.org"
SIGNER = Signer(["a" * 32], ADDRESS)
LINKS = [
    ConfirmLink(7),
    InvitationLink(7, 1, 3),
    TurnLink(12, 2, 3, "trick 5", 7),
    SeatLink(7, 1, 3),
    SignInLink(3, 0),
    PlayLink(7, 1, 3),
    HostLink(7, 3),
    JoinLink(7, 3),
    MessengerLink(7, 1),
    PracticeLink("AAAAAAAAAAAAH0dh", "abcQ"),
]

SIGNED_AT = datetime(2026, 10, 10, 12, tzinfo=UTC).timestamp()
# Tokens as they lie in inboxes and browsers, made at that time: for how many days each is valid, and what it opens. The
# first of a kind leaves its counters of 0 out. A row goes no sooner than the last such token has expired.
OLDER = [
    (60, tokens.AgainLink(11, 2, 13, 14), "WzEsMTEsMiwxMywxNF0.asoowA.-EIRqZ9xaFO-knwCUj96jn0dWOk"),
    (60, tokens.AgainLink(11, 2, 13, 14, 15), "WzEsMTEsMiwxMywxNCwxNV0.asoowA.YnshHw0FF4VspSGXqzoVZEqvvFo"),
    (30, tokens.MessengerLink(11, 12), "WzEsMTEsMTJd.asoowA.R4HJuOjwJ2uopYfIeH1lCneJqrg"),
    (7, tokens.ConfirmLink(11), "WzEsMTFd.asoowA.fhAkjJeUhD4fyytT1hLCigf53JA"),
    (7, tokens.ConfirmLink(11, 12), "WzEsMTEsMTJd.asoowA._tETKydWFbYTtJa4ugWAYIFnd08"),
    (2, tokens.DeviceLink(11, 12), "WzEsMTEsMTJd.asoowA.VWa5p_3YC4AgkhmeOXo8eC5EVRA"),
    (2, tokens.DeviceLink(11, 12, 13), "WzEsMTEsMTIsMTNd.asoowA.n1_K-GFn9qRbkqztUdJwfunEp_k"),
    (120, tokens.EveningLink(11, 2, 13), "WzEsMTEsMiwxM10.asoowA.i4GpSHSGdCAaEKI-iS_1zFmHbRw"),
    (120, tokens.EveningLink(11, 2, 13, 14), "WzEsMTEsMiwxMywxNF0.asoowA.VmPp9s70WBRMmubiCXuvv6d09B0"),
    (1, tokens.ForgetLink(11), "WzEsMTFd.asoowA.808-bccG6YZLPCOq2Bsddth42qE"),
    (1, tokens.ForgetLink(11, 12), "WzEsMTEsMTJd.asoowA.JgBKBCym60miNhNQDf9ogN2qOus"),
    (120, tokens.HandOverLink(11, 2, 13, 14), "WzEsMTEsMiwxMywxNF0.asoowA.at__oeAQW0HfG4C3paa-x6RzlmM"),
    (120, tokens.HandOverLink(11, 2, 13, 14, 15), "WzEsMTEsMiwxMywxNCwxNV0.asoowA.9HvqxRSDJLtuHCQhzShcMbS5H2I"),
    (2, tokens.HostLink(11, 12), "WzEsMTEsMTJd.asoowA.MBDS5j4uO4DcP1RpUBof9OAqmIg"),
    (2, tokens.HostLink(11, 12, 13), "WzEsMTEsMTIsMTNd.asoowA._Srxiq36xELRGKGOi-8se45b8E8"),
    (30, tokens.InvitationLink(11, 2, 13), "WzEsMTEsMiwxM10.asoowA.-aUbV0coWpa9L0JAXO7qZFYC4Jk"),
    (30, tokens.InvitationLink(11, 2, 13, 14), "WzEsMTEsMiwxMywxNF0.asoowA.ENQnSLkiIZ8-zgs8Jt5Ik7gs7uE"),
    (3, tokens.JoinLink(11, 12), "WzEsMTEsMTJd.asoowA.JKIrjjv5zKQ8nnbqLGSu9loXB4s"),
    (3, tokens.JoinLink(11, 12, 13, 14), "WzEsMTEsMTIsMTMsMTRd.asoowA.2m1jyNzYzHpnbbn8oelJ2yS1h80"),
    (120, tokens.LeaveLink(11, 2, 13), "WzEsMTEsMiwxM10.asoowA.OO8S2PycoeYR3435WhZgWURCTOc"),
    (120, tokens.LeaveLink(11, 2, 13, 14), "WzEsMTEsMiwxMywxNF0.asoowA.vQZ9PHF7HDft7xFFLU4TZWNRZRw"),
    (14, tokens.NewAddressLink(11), "WzEsMTFd.asoowA.GMQcY7qIhdf8qvkEmWkjBbd1btU"),
    (14, tokens.OldAddressLink(11), "WzEsMTFd.asoowA.uQIMXNx6jfUPWAKk6tL1ToUzn3Q"),
    (14, tokens.OtherAddressLink(11), "WzEsMTFd.asoowA.fzplmaBRA8g8nR9oxKl75oM0WmA"),
    (0.5, tokens.PlayLink(11, 2, 13), "WzEsMTEsMiwxM10.asoowA.NhuKwkVkdpjJa0UsclJcqHXp08c"),
    (0.5, tokens.PlayLink(11, 2, 13, 14), "WzEsMTEsMiwxMywxNF0.asoowA.qx7GcyNzrskGMBlwsGN1hKf6SdU"),
    (
        400,
        tokens.PracticeLink("AAAAAAAAAAAAH0dh", "abcQ"),
        ".eJyLNtRRckQCHgYpGUo6SolJyYFKsQBsXgeR.asoowA.yH0gCnkqlGkiqg590m_q2XCHofI",
    ),
    (400, tokens.PreferencesLink(11), "WzEsMTFd.asoowA.FxreE8eZJinJj5Mw9QUQd5aqm-E"),
    (400, tokens.PreferencesLink(11, 12), "WzEsMTEsMTJd.asoowA.5NJ9nvJ457sBgZy6a2OHCNcm69M"),
    (4000, tokens.ReliveLink(11, 3), "WzEsMTEsM10.asoowA.nFQ_JUqT1BdEePHyEDJyDGnrX40"),
    (4000, tokens.ReliveLink(11, 3, 2, 14, 15), "WzEsMTEsMywyLDE0LDE1XQ.asoowA.1TI9pAWduz2Tkzg0z77WldEMcYA"),
    (400, tokens.SeatLink(11, 2, 13), "WzEsMTEsMiwxM10.asoowA.07lAJRLNb8Wrk0MqPCPw6x11VDY"),
    (400, tokens.SeatLink(11, 2, 13, 14), "WzEsMTEsMiwxMywxNF0.asoowA.E8ZJk71AsogzmBh1uTyIAmfyg3Q"),
    (4000, tokens.SharedLink(11, 12), "WzEsMTEsMTJd.asoowA.yhzgfiSBYwYD5JFsTPlq4G0e044"),
    (1 / 48, tokens.SignInLink(11, 12), "WzEsMTEsMTJd.asoowA.DnkGYhioMrWg6pkx_nu_V3O2mE4"),
    (14, tokens.TakeBackLink(11), "WzEsMTFd.asoowA.pWNfO-ipDZXLFzDxKBUHt2CJJaU"),
    (
        120,
        tokens.TurnLink(11, 2, 3, "trick 5", 15),
        "WzEsMTEsMiwzLCJ0cmljayA1IiwxNV0.asoowA.ZixTs5IejCPsQvQaYqZaH-Vlzms",
    ),
    (
        120,
        tokens.TurnLink(11, 2, 3, "trick 5", 15, 16),
        "WzEsMTEsMiwzLCJ0cmljayA1IiwxNSwxNl0.asoowA.FWYDC0Nq_tpu_buUaIYYdh6ZZaE",
    ),
    (400, tokens.UnsubscribeLink(11, 2, 13), "WzEsMTEsMiwxM10.asoowA.MWNLiH2Dd9bHCatcWrkl70rhj9k"),
    (400, tokens.UnsubscribeLink(11, 2, 13, 14), "WzEsMTEsMiwxMywxNF0.asoowA.OOJrucXxNoQMztWZrqSH0ewRkYY"),
    (400, tokens.FormerPreferencesLink(11), "WzEsMTFd.asoowA.rNhrbiBVDAxHenKVtkaDa9b-9rc"),
    (400, tokens.FormerPreferencesLink(11, 12), "WzEsMTEsMTJd.asoowA.BtOJJqFHbzLU8AXoJsf_jHm4V_E"),
]


def test_each_kind_of_link_is_among_the_older_ones():
    kinds = {kind for kind in vars(tokens).values() if isinstance(kind, type) and issubclass(kind, Link)}
    assert {type(link) for _, link, _ in OLDER} == kinds - {tokens.Link, tokens.OfSeat, tokens.OfChange}


def test_a_number_that_a_token_leaves_out_is_zero():
    assert {field.default for _, link, _ in OLDER for field in fields(link)} == {MISSING, 0}


@of_every(OLDER)
def test_an_older_token_opens_the_same_until_it_expires(older):
    days, link, token = older
    ends = SIGNED_AT + days * 24 * 60 * 60 + MINUTES
    with pytest.MonkeyPatch.context() as clock:
        clock.setattr(time, "time", lambda: ends - 1)
        assert SIGNER.read(type(link), token) == link
        clock.setattr(time, "time", lambda: ends + 1)
        with pytest.raises(LinkExpired):
            SIGNER.read(type(link), token)


@pytest.mark.parametrize("link", LINKS, ids=lambda link: link.path)
def test_a_link_opens_its_own_purpose(link):
    url = SIGNER.url(link)
    assert url.startswith(f"{ADDRESS}/{link.path}/")
    assert SIGNER.read(type(link), url.rpartition("/")[2]) == link


@of_every([*permutations(LINKS, 2)])
def test_a_link_of_one_kind_is_never_accepted_as_another(two):
    link, other = two
    with pytest.raises(LinkInvalid):
        SIGNER.read(type(other), SIGNER.token(link))


@given(st.data())
def test_a_link_with_one_altered_letter_opens_nothing(data):
    token = SIGNER.token(LINKS[2])
    place = data.draw(st.integers(0, len(token) - 1))
    letter = data.draw(st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."))
    altered = token[:place] + letter + token[place + 1 :]
    try:
        opened = SIGNER.read(TurnLink, altered)
    except (LinkInvalid, LinkExpired):
        return
    assert opened == LINKS[2], "an altered token opened something else"


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "…", "W10.x.y", "%00", "A" * 5000])
def test_a_nonsense_token_opens_nothing(token):
    with pytest.raises(LinkInvalid):
        SIGNER.read(TurnLink, token)


def test_a_forged_link_opens_nothing():
    with pytest.raises(LinkInvalid):
        SIGNER.read(TurnLink, Signer(["b" * 32], ADDRESS).token(LINKS[2]))


@pytest.mark.parametrize("ahead", [0.1, 1, MINUTES - 5], ids=lambda ahead: f"{ahead} seconds ahead")
@pytest.mark.parametrize("link", LINKS, ids=lambda link: link.path)
def test_a_link_from_a_slightly_fast_clock_opens(link, ahead, at):
    at(ahead)
    token = SIGNER.token(link)
    at(-1)  # the time within a token has whole seconds
    assert SIGNER.read(type(link), token) == link


def test_a_link_from_a_clock_far_ahead_opens_nothing(at):
    at(MINUTES + 5)
    token = SIGNER.token(LINKS[2])
    at(0)
    with pytest.raises(LinkExpired):
        SIGNER.read(TurnLink, token)


def test_a_new_key_signs_and_an_old_key_still_opens():
    old = SIGNER.token(LINKS[2])
    rotated = Signer(["b" * 32, "a" * 32], ADDRESS)
    assert rotated.read(TurnLink, old) == LINKS[2]
    with pytest.raises(LinkInvalid):
        SIGNER.read(TurnLink, rotated.token(LINKS[2]))


def test_a_removed_key_opens_nothing():
    with pytest.raises(LinkInvalid):
        Signer(["b" * 32], ADDRESS).read(TurnLink, SIGNER.token(LINKS[2]))


def test_a_link_that_lacks_a_field_of_today_opens_nothing():
    class Shorter(Link):
        game_id: int

    Shorter.path = TurnLink.path  # set here, since a path that a class is made with is the class's in all tests
    with pytest.raises(LinkInvalid):
        SIGNER.read(TurnLink, SIGNER.token(Shorter(1)))
