"""Notes of what operators do: when, who, what, and to which game, player or letter, by number and never by name.

A note is written in the transaction of the act, and logged once that is committed.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import event
from sqlmodel import Session, col, delete, select

from webapp.core import log
from webapp.models import OperatorAct, OperatorActRow

KEPT_FOR = timedelta(days=365)


def note_act(session: Session, act: OperatorAct, by: str, now: datetime, **about: int | None) -> None:
    """Notes that `by`, an account or an operator, does this; `about` are `game_id`, `player_id` and `letter_id`."""
    session.add(OperatorActRow(at=now, by=by, act=act, **about))  # type: ignore[arg-type]
    fields = {name.removesuffix("_id"): number for name, number in about.items() if number is not None}

    def log_it(_: Session) -> None:
        log.log_event("operator act", act=act.value, by=log.hidden(by), **fields)

    event.listen(session, "after_commit", log_it, once=True)


def newest(session: Session, most: int) -> Sequence[OperatorActRow]:
    """Up to `most` acts, the newest first."""
    return session.exec(select(OperatorActRow).order_by(col(OperatorActRow.id).desc()).limit(most)).all()


def about_text(row: OperatorActRow) -> str:
    """Names the subject of an act by its number: "game 3"; empty if it has none."""
    named = {"game": row.game_id, "player": row.player_id, "letter": row.letter_id}
    return ", ".join(f"{name} {number}" for name, number in named.items() if number is not None)


def forget_old(session: Session, now: datetime) -> None:
    """Deletes the notes that are older than KEPT_FOR."""
    session.exec(delete(OperatorActRow).where(col(OperatorActRow.at) < now - KEPT_FOR))
