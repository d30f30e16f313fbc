"""The operators' page, as a player sees it."""

from tests.cast import load
from webapp.accounts import signing_in
from webapp.core.tokens import SignInLink
from webapp.pages.common import SIGN_IN
from webapp.site import make_site


def seen_by(runtime, game_id, seat):
    """The operators' page for the player of that seat, who is signed in."""
    number = load(runtime, game_id).seats[seat].player_id
    client = make_site(runtime).test_client()
    secret = signing_in.sign_in(runtime, SignInLink(number, 0), "Firefox/130")
    with client.session_transaction() as cookie:
        cookie[SIGN_IN] = secret
    return client.get("/operator")
