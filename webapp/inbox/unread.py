"""Tells an operator that answers by mail cannot be read, by the way that still works, and the log."""

import logging
from datetime import datetime

from webapp.core.runtime import Runtime
from webapp.games.clock import way_in
from webapp.outbox import about_accounts
from webapp.tables.seating import player_at

OPERATOR = "Operator"  # the name of one who is no player
log = logging.getLogger(__name__)


def tell(runtime: Runtime, now: datetime) -> None:
    """Queues a mail to OPERATOR_ADDRESS, if it is set, once for each time in which the way in is shut for long.

    A scheduler calls it every `way_in.LOOK_EVERY`. Raises DatabaseDown.
    """
    address = runtime.settings.operator_address
    with runtime.database.reading() as session:
        if way_in.shut_since(session, runtime.settings, now) is None:
            return
    with runtime.database.writing() as session:
        since = way_in.look(session, runtime.settings, now)
        if since is None:
            return
        log.error("answers cannot be read since %s UTC", since.strftime("%Y-%m-%d %H:%M"))
        if address:
            about_accounts.queue_unread(session, runtime, player_at(session, address, OPERATOR, now), since, now)
    runtime.bell.deliver()
