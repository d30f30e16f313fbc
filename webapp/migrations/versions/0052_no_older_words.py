"""Two words go that the program has not written since before 1.0: no row has them any more

An offer that was "released" is one without an answer. An answer to somebody with another address, which nobody has sent
in months, goes no more.
"""

from alembic import op

revision = "0052"
down_revision = "0051"


def upgrade() -> None:
    op.execute("UPDATE seat SET offer_state = NULL WHERE offer_state = 'released'")
    waiting = "state IN ('queued', 'withheld', 'failed')"
    op.execute(f"UPDATE letter SET state = 'superseded', next_at = NULL WHERE reason = 'other_sender' AND {waiting}")
