"""The tables of the last state before 1.0, which a database has already: a new one gets those of the models"""

revision = "0027"
down_revision = None


def upgrade() -> None:
    raise RuntimeError("an empty database gets the tables of the models, and every other one has these already")
