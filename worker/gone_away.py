"""Makes the context of the mail to a player whom somebody with a link of theirs has set as away: was it them?"""

from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from webapp.core.runtime import Runtime
from webapp.games.links import preferences_link
from webapp.games.rows import table_seats
from webapp.models import PlayerRow
from webapp.players.own_seats import tables_of
from webapp.presentation.away_text import absence_sentence
from webapp.presentation.sheets import summary_of


@dataclass(frozen=True, slots=True)
class LeftTable:
    """A table from which the player is away, and who plays for them until when, in a sentence."""

    name: str
    absence: str


def gone_away_context(runtime: Runtime, session: Session, player: PlayerRow) -> dict[str, Any] | None:
    """The context of the mail; None if the player is back everywhere."""
    now, left = runtime.now(), []
    for seat, table in tables_of(session, player.id):
        if absence := absence_sentence(seat, player, now):
            left.append(LeftTable(summary_of(table, table_seats(session, table.id)).hosts, absence))
    if not left:
        return None
    return {
        "you": player.name,
        "tables": left,
        "back_link": f"{runtime.signer.url(preferences_link(player))}/away",
        "devices_link": runtime.signer.absolute_url("/signed-in"),
    }
