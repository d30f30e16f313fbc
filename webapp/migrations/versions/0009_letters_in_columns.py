"""Letters in columns: why a letter is sent, whether its reader asked for it, which game, move or newcomer it is about

Until now these stood in the texts `about` and `dedupe`. A text that says nothing of the kind stays as it is.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

ASKED_FOR = " at her wish"  # ended the dedupe key of a mail that its reader had asked for
LETTER = sa.table(
    "letter",
    sa.column("id", sa.Integer),
    sa.column("kind", sa.String),
    sa.column("dedupe", sa.String),
    sa.column("about", sa.String),
    sa.column("reason", sa.String),
    sa.column("requested", sa.Boolean),
    sa.column("again", sa.Boolean),
    sa.column("game_number", sa.Integer),
    sa.column("change_id", sa.Integer),
    sa.column("newcomer_id", sa.Integer),
)
# By kind, what `about` says, as a pattern whose groups are columns.
CHANGE = r"(?P<again>reminder )?(?P<change_id>\d{1,9})"
PATTERNS = {
    "invitation": r"(?P<again>reminder ?)?(again (?P<game_number>\d{1,9})|(?P<about>replace( \d+)?))?",
    "ended": r"game (?P<game_number>\d{1,9})",
    "offered": r"(?P<newcomer_id>\d{1,9})",
    "offer_over": r"(?P<reason>withdrawn|over|ended) (?P<about>.*)",
    "answer": r"(?P<reason>unclear|illegal|over|ended|help|away|back|stopped)( (?P<about>.*))?",
    "new_address": CHANGE,
    "address_asked": CHANGE,
    "address_changed": CHANGE,
    "address_moved": CHANGE,
}
Row = Mapping[Any, Any]


def upgrade() -> None:
    with op.batch_alter_table("letter") as letter:
        letter.add_column(sa.Column("reason", sa.String(20)))
        for name in ("requested", "again"):
            letter.add_column(sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
        letter.add_column(sa.Column("game_number", sa.Integer()))
        letter.add_column(sa.Column("change_id", sa.Integer()))
        letter.add_column(sa.Column("newcomer_id", sa.Integer()))
        letter.create_foreign_key(op.f("fk_letter_change_id_address_change"), "address_change", ["change_id"], ["id"])
        letter.create_foreign_key(op.f("fk_letter_newcomer_id_player"), "player", ["newcomer_id"], ["id"])
    _each(LETTER.c.kind.in_(PATTERNS), _columns)
    asked_for = LETTER.c.dedupe.like(f"%{ASKED_FOR}")
    op.execute(LETTER.update().where(asked_for).values(requested=sa.true()))


def downgrade() -> None:
    _each(LETTER.c.kind.in_(PATTERNS), _about)
    with op.batch_alter_table("letter") as letter:
        letter.drop_constraint(op.f("fk_letter_change_id_address_change"), type_="foreignkey")
        letter.drop_constraint(op.f("fk_letter_newcomer_id_player"), type_="foreignkey")
        for name in ("reason", "requested", "again", "game_number", "change_id", "newcomer_id"):
            letter.drop_column(name)


def _each(which: Any, change: Callable[[Row], dict[str, Any]]) -> None:
    """Changes every letter of these that says something of the kind."""
    connection = op.get_bind()
    for row in connection.execute(sa.select(LETTER).where(which)).mappings().all():
        if values := change(row):
            connection.execute(LETTER.update().where(LETTER.c.id == row["id"]).values(values))


def _columns(row: Row) -> dict[str, Any]:
    """What `about` says, as columns."""
    found = re.fullmatch(PATTERNS[row["kind"]], row["about"] or "")
    if found is None or not row["about"]:
        return {}
    said: dict[str, Any] = {"about": None, **found.groupdict()}
    said |= {name: int(said[name]) for name in ("game_number", "change_id", "newcomer_id") if said.get(name)}
    return said | {"again": said.get("again") is not None}


def _about(row: Row) -> dict[str, Any]:
    """What the columns say, as `about`."""
    number, reason = row["game_number"], row["reason"]
    second = "reminder " if row["again"] else ""
    match row["kind"]:
        case "invitation":
            said = f"{second}{f'again {number}' if number else row['about'] or ''}".strip()
        case "ended" if number:
            said = f"game {number}"
        case "offered" if row["newcomer_id"]:
            said = str(row["newcomer_id"])
        case "offer_over" | "answer" if reason:
            said = f"{reason} {row['about'] or ''}".strip()
        case _ if row["change_id"]:
            said = f"{second}{row['change_id']}"
        case _:
            return {}
    return {"about": said or None}
