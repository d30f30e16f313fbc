"""A signed-in browser."""

from flask.testing import FlaskClient

from tests.sites import site_of
from webapp.accounts import sign_ins
from webapp.core.runtime import Runtime
from webapp.pages.common import SIGN_IN


def browser_of(runtime: Runtime, player_id: int, user_agent: str = "Firefox/140.0") -> FlaskClient:
    """A browser that keeps the secret of a sign-in of that player."""
    client = site_of(runtime).test_client()
    let_in(client, runtime, player_id, user_agent)
    return client


def let_in(client: FlaskClient, runtime: Runtime, player_id: int, user_agent: str = "Firefox/140.0") -> None:
    """Signs this browser in as that player."""
    with runtime.database.writing() as session:
        secret = sign_ins.begin(session, player_id, user_agent, runtime.now())
    with client.session_transaction() as session:
        session[SIGN_IN] = secret
        session.permanent = True


def is_in(client: FlaskClient) -> bool:
    """Whether the browser is signed in."""
    return client.get("/games").status_code == 200
