"""Signs players in by a link that we mail to them, and that works once."""

from datetime import datetime

from sqlmodel import select

from webapp.accounts import sign_ins
from webapp.core.runtime import Runtime
from webapp.core.tokens import LinkInvalid, SignInLink
from webapp.models import PlayerRow
from webapp.outbox import about_accounts, bounces


def request_sign_in(runtime: Runtime, address: str, now: datetime) -> None:
    """Queues a sign-in link to the player of that address, if there is one.

    The caller does not learn whether there is one, so that nobody can find out who plays here.
    """
    with runtime.database.writing() as session:
        player = session.exec(select(PlayerRow).where(PlayerRow.address == address)).first()
        if player is None:
            return
        about_accounts.queue_sign_in(session, runtime, player, now)
    runtime.bell.deliver()


def sign_in(runtime: Runtime, link: SignInLink, user_agent: str, replaced: str | None = None) -> str:
    """Signs a browser in as the player of the link, and uses the link up. Returns the secret for the browser's cookie.

    `replaced` is the secret of the browser's earlier sign-in, which ends. Raises LinkInvalid if the link was used.
    """
    with runtime.database.writing() as session:
        player = session.get(PlayerRow, link.player_id, with_for_update={"key_share": True})
        if player is None or player.sign_ins != link.sign_ins:
            raise LinkInvalid
        player.sign_ins += 1
        player.seen_at = runtime.now()
        bounces.clear(session, player, runtime.now())
        if replaced is not None:
            sign_ins.end(session, replaced)
        return sign_ins.begin(session, link.player_id, user_agent, runtime.now())


def sign_out(runtime: Runtime, secret: str) -> None:
    """Ends the sign-in with that secret. Idempotent."""
    with runtime.database.writing() as session:
        sign_ins.end(session, secret)
