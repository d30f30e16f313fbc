"""Signed links: each opens one thing, and nothing else does."""

from dataclasses import dataclass
from datetime import timedelta
from itertools import permutations
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.every import of_every
from webapp.core.eras import TOLERANCE
from webapp.core.tokens import (
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


@pytest.mark.parametrize("link", LINKS, ids=lambda link: link.path)
def test_a_link_expires_five_minutes_after_its_ttl(link, at):
    token, ttl = SIGNER.token(link), link.ttl.total_seconds()
    at(ttl + MINUTES - 5)
    assert SIGNER.read(type(link), token) == link
    at(ttl + MINUTES + 5)
    with pytest.raises(LinkExpired):
        SIGNER.read(type(link), token)


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
    @dataclass(frozen=True)
    class Shorter(Link):
        path: ClassVar[str] = TurnLink.path
        ttl: ClassVar[timedelta] = TurnLink.ttl
        game_id: int

    with pytest.raises(LinkInvalid):
        SIGNER.read(TurnLink, SIGNER.token(Shorter(1)))
