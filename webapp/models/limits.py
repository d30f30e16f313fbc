"""Events that count against a limit. The keys are hashes, so that the rows identify nobody."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from webapp.models.columns import json_column


class CountRow(SQLModel, table=True):
    """A counter of a rate limit; the key is a hash, so that the row identifies nobody."""

    __tablename__ = "limit_count"

    key: str = Field(primary_key=True, max_length=120)
    used: int
    ends_at: datetime  # then it restarts at zero


class MailedRow(SQLModel, table=True):
    """The mails that an address has got within the last day; the key is a hash, so that the row identifies nobody."""

    __tablename__ = "mailed"

    whose: str = Field(primary_key=True, max_length=32)
    # By the letter's id, when it went to the relay, in seconds since 1970: mails about tables, and personal ones.
    about_tables: dict[str, int] = Field(sa_column=json_column())
    personal: dict[str, int] = Field(sa_column=json_column())
    ends_at: datetime  # when the newest of them no longer counts
