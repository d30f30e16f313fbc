"""The operators' page, as a player sees it."""

from tests.cast import load
from tests.sites import site_of
from webapp.accounts import signing_in
from webapp.core.tokens import SignInLink
from webapp.pages.common import SIGN_IN


def seen_by(runtime, game_id, seat):
    """The operators' page for the player of that seat, who is signed in."""
    number = load(runtime, game_id).seats[seat].player_id
    client = site_of(runtime).test_client()
    secret = signing_in.sign_in(runtime, SignInLink(number, 0), "Firefox/130")
    with client.session_transaction() as cookie:
        cookie[SIGN_IN] = secret
    return client.get("/operator")
