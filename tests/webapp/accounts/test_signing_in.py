"""Signing in: a link works once, in one browser, and for nobody else."""

import pytest
from sqlmodel import select

from tests.cast import address, dump, letters, start_game
from tests.races import at_once
from webapp.accounts import sign_ins
from webapp.core.tokens import LinkInvalid, SignInLink
from webapp.models import LetterKind, SignInRow

ANN, BO = 1, 2
FIRST = SignInLink(BO, 0)


@pytest.fixture(autouse=True)
def _game(request):
    made = "either_runtime" if "either_runtime" in request.fixturenames else "runtime"
    start_game(request.getfixturevalue(made))


def player_of(runtime, secret):
    """Returns the id of the player whom the secret signs in; None if it signs in nobody."""
    found = sign_ins.find(runtime, secret, runtime.now())
    return found and found.player.id


def test_only_a_sign_in_link_signs_in_its_player(runtime):
    secret = sign_ins.sign_in(runtime, FIRST, "")
    assert player_of(runtime, secret) == BO
    before = dump(runtime)
    for link in (FIRST, SignInLink(BO, 2), SignInLink(99, 0)):
        with pytest.raises(LinkInvalid):
            sign_ins.sign_in(runtime, link, "")
    assert dump(runtime) == before
    assert player_of(runtime, sign_ins.sign_in(runtime, SignInLink(BO, 1), "")) == BO
    assert player_of(runtime, secret) == BO, "another browser stays signed in"


def test_one_of_two_browsers_following_a_link_is_signed_in(either_runtime):
    done = at_once(*[lambda: sign_ins.sign_in(either_runtime, FIRST, "")] * 4)
    (secret,) = [one for one in done if isinstance(one, str)]
    assert {type(one) for one in done if one is not secret} == {LinkInvalid}
    with either_runtime.database.reading() as session:
        assert len(session.exec(select(SignInRow)).all()) == 1
    assert player_of(either_runtime, secret) == BO


@pytest.mark.parametrize("owner", [ANN, BO])
def test_signing_in_ends_any_earlier_sign_in_of_that_browser(runtime, owner):
    old = sign_ins.sign_in(runtime, SignInLink(owner, 0), "")
    sign_ins.sign_in(runtime, SignInLink(BO, 1 if owner == BO else 0), "", replaced=old)
    assert player_of(runtime, old) is None


def test_signing_out_twice_ends_no_other_sign_in(runtime):
    here, there = (sign_ins.sign_in(runtime, SignInLink(BO, number), "") for number in (0, 1))
    for secret in (here, here, "no secret of ours"):
        sign_ins.sign_out(runtime, secret)
    assert (player_of(runtime, here), player_of(runtime, there)) == (None, BO)


@pytest.mark.parametrize(("name", "mails"), [("Bo", 1), ("Eve", 0)])
def test_only_a_player_is_mailed_a_link(runtime, name, mails):
    sign_ins.request_sign_in(runtime, address(name), runtime.now())
    assert len(letters(runtime, LetterKind.SIGN_IN)) == mails
