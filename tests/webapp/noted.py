"""The acts of operators that are noted."""

from sqlmodel import select

from webapp import acts
from webapp.models import OperatorActRow


def noted(runtime):
    """The acts that are noted, the oldest first, each with what it is about."""
    with runtime.database.reading() as session:
        rows = session.exec(select(OperatorActRow).order_by(OperatorActRow.id)).all()
    return [(row.act, acts.about_text(row)) for row in rows]
