"""Tokens are signed as the library itsdangerous signs them, so that links in people's inboxes stay valid."""

import pytest
from itsdangerous import BadSignature, URLSafeTimedSerializer

from webapp.core.signing import COMPRESSED_FROM, TokenSerializer

OLD, NEW = "o" * 32, "n" * 32
SHORT, LONG = [1, 7, "trick 5", "é ♥"], [1, "ab" * COMPRESSED_FROM]
both = pytest.mark.parametrize("payload", [SHORT, LONG], ids=["short", "long"])


def library(*keys, purpose="turn"):
    return URLSafeTimedSerializer(list(keys), salt=purpose)


@both
def test_the_library_reads_our_tokens(payload):
    assert library(NEW).loads(TokenSerializer([OLD, NEW], "turn").dumps(payload)) == payload


@both
def test_we_read_the_library_s_tokens(payload):
    for key in (OLD, NEW):
        assert TokenSerializer([OLD, NEW], "turn").loads(library(key).dumps(payload)) == payload


def test_a_short_token_has_the_library_s_bytes_and_a_long_one_is_compressed(at):
    at(1000)
    for payload in (SHORT, LONG):
        assert TokenSerializer([OLD, NEW], "turn").dumps(payload) == library(OLD, NEW).dumps(payload)
    assert len(TokenSerializer([NEW], "turn").dumps(LONG)) < COMPRESSED_FROM


@pytest.mark.parametrize(
    "token",
    [
        pytest.param(library(NEW, purpose="seat").dumps(SHORT), id="for another purpose"),
        pytest.param(library("x" * 32).dumps(SHORT), id="by another key"),
        pytest.param(library(NEW).dumps(SHORT)[:-1], id="truncated"),
        pytest.param("é.é.é", id="no token"),
        pytest.param("", id="empty"),
    ],
)
def test_other_tokens_are_rejected(token):
    serializer = TokenSerializer([OLD, NEW], "turn")
    assert serializer.loads(serializer.dumps(SHORT)) == SHORT
    with pytest.raises(BadSignature):
        serializer.loads(token)
