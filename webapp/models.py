"""The rows, from player to count. Every moment is aware UTC.

What they mean and how they change is for `store` (turns), `company` (people), `post` (mails owed, and how somebody
wants them), `inbox` (mails that came in) and `counts`.
"""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import (
    JSON,
    Column,
    Enum,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    Text,
    UniqueConstraint,
    text,
)
from sqlmodel import Field, SQLModel

from hearts.robot import Level

# Every constraint has a name, so that a migration can change it on either database.
SQLModel.metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _word(kind: type[StrEnum]) -> Any:
    """A column that holds one of the words of `kind` as plain text."""
    return Enum(kind, native_enum=False, length=20, values_callable=lambda words: [word.value for word in words])


class TableState(StrEnum):
    UNCONFIRMED = "unconfirmed"  # the host has not followed the link in her own inbox yet
    INVITING = "inviting"  # somebody has not accepted yet
    PLAYING = "playing"
    OVER = "over"


class SeatState(StrEnum):
    HOST = "host"
    INVITED = "invited"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    OPEN = "open"  # anybody may take it, from the lobby
    ROBOT = "robot"


class OfferState(StrEnum):
    """What has been agreed about a seat that its host has offered to a newcomer while somebody plays on it."""

    RELEASED = "released"  # its player hands it over as soon as the newcomer accepts
    ACCEPTED = "accepted"  # the newcomer gets it once the hand being played is over


class Talk(StrEnum):
    """What may be said at a table."""

    NONE = "none"
    PHRASES = "phrases"  # a few polite ones to choose from
    TEXT = "text"


class GameState(StrEnum):
    PLAYING = "playing"
    OVER = "over"


class TurnSource(StrEnum):
    """How a turn came to be played."""

    LINK = "link"
    PAGE = "page"
    REPLY = "reply"  # typed as the answer to a mail
    ORDER = "order"  # she is away: the robot plays for her at once, as she asked
    FORCED = "forced"  # there was nothing to choose: a deal, or the only legal card
    CLAIM = "claim"  # one seat could not but win every trick that was left, so the rest was played at once
    TIMEOUT = "timeout"
    ROBOT = "robot"


class Frequency(StrEnum):
    """How often somebody wants to hear of her turns."""

    EVERY = "every"  # each turn as it comes
    BUNDLED = "bundled"  # what came up within an hour in one mail
    DAILY = "daily"  # once a day, at her hour


class LetterKind(StrEnum):
    """Which mail; each has a folder of templates of that name."""

    CONFIRM = "confirm"
    INVITATION = "invitation"
    DECLINED = "declined"
    JOIN = "join"  # to whoever asks for an open chair, to prove that the address is hers
    OFFERED = "offered"  # to a player whose seat the host has offered to somebody else
    REPLACED = "replaced"  # her chair was given to somebody else
    OFFER_OVER = "offer_over"  # to a player who has accepted a seat, and won't get it after all
    ENDED = "ended"  # the host has ended the game before its end
    PASS = "pass"
    TURN = "turn"
    MOON = "moon"
    REMINDER = "reminder"
    PLAYED_FOR_YOU = "played_for_you"
    SCORE_SHEET = "score_sheet"
    FINAL_SHEET = "final_sheet"
    DIGEST = "digest"  # several of the above in one
    ANSWER = "answer"  # to a mail that we could not follow, or that changed something
    SIGN_IN = "sign_in"
    NEW_ADDRESS = "new_address"  # to the new one, to prove that it is hers
    ADDRESS_ASKED = "address_asked"  # to the current one: shall the games move?
    ADDRESS_CHANGED = "address_changed"  # to the old one
    ADDRESS_MOVED = "address_moved"  # to the new one, where nobody was looking when it happened
    TRIAL = "trial"  # to an operator who tries the way out


class LetterState(StrEnum):
    QUEUED = "owed"
    HELD = "held"  # waits to be told in a digest
    SENT = "sent"  # the relay took it
    KEPT = "kept"  # no relay is set: it can be read at /mailbox
    BUNDLED = "bundled"  # told in a digest
    NOTIFIED = "notified"  # told to her devices, in place of a mail
    SUPERSEDED = "superseded"  # what it asked for was over before it was sent
    FAILED = "failed"  # the relay refused it for good
    BOUNCED = "bounced"  # the relay took it, and it came back
    WITHHELD = "withheld"  # nothing goes to this address until its owner has proved it again


class ChangeState(StrEnum):
    """How far a player's move to another address has come."""

    OPEN = "open"
    DONE = "done"
    REFUSED = "refused"  # the owner of the old address said no
    DROPPED = "dropped"  # withdrawn, or another one was asked for
    UNDONE = "undone"  # the owner of an earlier address took the games back


class PlayerRow(SQLModel, table=True):
    __tablename__ = "player"

    id: int | None = Field(default=None, primary_key=True)
    address: str = Field(unique=True, max_length=254)  # lower case
    name: str = Field(max_length=40)
    time_zone: str = Field(default="UTC", max_length=64)
    sign_ins: int = 0  # a sign-in link carries this number and dies when it moves on
    # Likewise the link to the preferences; moves on with a new address, when that is undone, and with signing out
    # everywhere.
    generation: int = 0
    # Likewise every other link in a mail that is not to a seat; moves on when games are taken back from an intruder.
    links: int = 0
    letters_lost: int = 0  # letters up to this number are from before that, and cannot be answered any more
    frequency: Frequency = Field(default=Frequency.EVERY, sa_type=_word(Frequency))
    daily_at: int = 8  # the local hour of the daily digest
    quiet_from: int | None = 22  # local hours between which no mail about a game comes; None: any time will do
    quiet_to: int | None = 7
    reminders: bool = True
    invitations: bool = True  # False: has asked never to be invited again
    push_only: bool = False  # while one of her devices takes notifications, no mail asks for her turns
    two_colours: bool = False  # her cards are red and black, not of four colours
    large_index: bool = False  # her cards show a large rank and suit instead of a picture
    seen_at: datetime | None = None  # when she last did something herself
    bounce_score: int = 0
    bounced_on: date | None = None  # the day of the last bounce that counted
    unreachable_at: datetime | None = None  # since when nothing is sent to this address, because mails came back
    created_at: datetime


class SignInRow(SQLModel, table=True):
    """A browser that has signed in as a player, until the row is deleted. Its cookie holds the secret."""

    __tablename__ = "sign_in"

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    secret_hash: str = Field(unique=True, max_length=64)  # SHA-256 in hex
    browser: str = Field(max_length=40)  # "Firefox on Android"
    created_at: datetime
    seen_at: datetime  # to a day or so


class AddressChangeRow(SQLModel, table=True):
    """A player's move to another address: asked for, proved at the new one, agreed to at the old one, or waited for."""

    __tablename__ = "address_change"
    __table_args__: ClassVar[Any] = (
        Index(
            "ix_address_change_ready_at",
            "ready_at",
            postgresql_where=text("state = 'open'"),
            sqlite_where=text("state = 'open'"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    old_address: str = Field(max_length=254, index=True)
    new_address: str = Field(max_length=254)
    state: ChangeState = Field(default=ChangeState.OPEN, sa_type=_word(ChangeState))
    asked_at: datetime
    ready_at: datetime  # when it is done though the old address has said nothing
    proved_at: datetime | None = None
    agreed_at: datetime | None = None
    ended_at: datetime | None = None  # since when it is not open any more


class DeviceRow(SQLModel, table=True):
    """A browser that takes notifications for a player: where to, and the keys to write to it (RFC 8291)."""

    __tablename__ = "device"

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    endpoint: str = Field(unique=True, max_length=1000)
    public_key: str = Field(max_length=200)  # p256dh, base64url
    secret: str = Field(max_length=100)  # auth, base64url
    created_at: datetime


class TableRow(SQLModel, table=True):
    __tablename__ = "card_table"  # `table` is a reserved word

    id: int | None = Field(default=None, primary_key=True)
    code: str = Field(unique=True, max_length=8)  # what players see: table 7F3K
    host_id: int = Field(foreign_key="player.id", index=True)
    rules: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    pass_seconds: int
    play_seconds: int
    robots: Level = Field(default=Level.STRONG, sa_type=_word(Level))  # how well its robots play
    suggestions: bool = False  # whether a player may ask what the robot would play
    talk: Talk = Field(default=Talk.TEXT, sa_type=_word(Talk))
    paused_at: datetime | None = None  # since when the clock stands still
    state: TableState = Field(sa_type=_word(TableState))
    created_at: datetime
    confirmed_at: datetime | None = None

    @property
    def pass_time(self) -> timedelta:
        return timedelta(seconds=self.pass_seconds)

    @property
    def play_time(self) -> timedelta:
        return timedelta(seconds=self.play_seconds)


class SeatRow(SQLModel, table=True):
    __tablename__ = "seat"

    table_id: int = Field(foreign_key="card_table.id", primary_key=True)
    seat: int = Field(primary_key=True)
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)  # None: a robot
    name: str = Field(max_length=40)
    state: SeatState = Field(sa_type=_word(SeatState))
    away: bool = False  # played for at once
    missed: int = 0  # deadlines missed in a row
    mails: bool = True  # False: has unsubscribed from the mails of this table
    here_at: datetime | None = None  # when its player's browser last said that she is looking at the game
    # A link to the seat that stands in a mail carries the first number, one that only pages make (to play, to host) the
    # second, and dies when that moves on: both when games are taken back, the second also where `generation` does.
    links: int = 0
    visits: int = 0
    # To whom the host has offered the seat of somebody who plays. Nothing changes before the hand is over, and only if
    # the offer is accepted by then.
    offered_to: int | None = Field(default=None, foreign_key="player.id")
    offered_name: str | None = Field(default=None, max_length=40)
    offer_state: OfferState | None = Field(default=None, sa_type=_word(OfferState))  # None: nobody has answered yet


class TalkRow(SQLModel, table=True):
    """What somebody has said at a table. Append-only."""

    __tablename__ = "talk"

    id: int | None = Field(default=None, primary_key=True)
    table_id: int = Field(foreign_key="card_table.id", index=True)
    seat: int
    player_id: int = Field(foreign_key="player.id")
    name: str = Field(max_length=40)  # as the table knew her then
    text: str = Field(max_length=300)
    at: datetime


class GameRow(SQLModel, table=True):
    __tablename__ = "game"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("table_id", "number"),
        # The literal is part of the index: PostgreSQL may pass over a partial index for a bound value.
        Index(
            "ix_game_wake_at",
            "wake_at",
            postgresql_where=text("state = 'playing'"),
            sqlite_where=text("state = 'playing'"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    table_id: int = Field(foreign_key="card_table.id")
    number: int  # from 1 within its table
    state: GameState = Field(sa_type=_word(GameState))
    turns: int = 0  # how many records it has
    due_at: datetime | None = None  # the deadline of whoever is awaited
    asked_at: datetime | None = None  # since when it runs
    moved_by: int = 0  # seconds by which it was moved because a question was late
    wake_at: datetime | None = None  # when it next needs the service: now for robots, else the deadline, or a lease
    rings: int = 0  # how often a sweep has rung for it since that was set
    started_at: datetime
    ended_at: datetime | None = None
    # By seat, who played it; None as long as they still have their chairs.
    names: list[str] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    # Whose seats have changed hands since it began, in order: "seat", "name", and how many "turns" and whole "hands"
    # had been played by then.
    earlier: list[dict[str, Any]] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))


class TurnRow(SQLModel, table=True):
    """Append-only. The key decides who was first."""

    __tablename__ = "turn"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})  # from 1, without gaps
    turn: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    way: TurnSource = Field(sa_type=_word(TurnSource))
    # How a robot came to it: level, playouts and seed, by which it can be found again, and its reason for the player.
    choice: Mapping[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    at: datetime


class ReviewRow(SQLModel, table=True):
    """What the robot thinks of a finished hand; a cache, which can be made again from the turns."""

    __tablename__ = "review"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    hand: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    opinions: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))


# Questions that no relay has taken. A literal, as it stands in an index.
WAITING_QUESTION = "state = 'owed' AND kind IN ('pass', 'turn', 'moon')"


class LetterRow(SQLModel, table=True):
    """The outbox: one row for each mail owed. `message` is written once, so that every attempt sends the same bytes."""

    __tablename__ = "letter"
    __table_args__: ClassVar[Any] = (
        ForeignKeyConstraint(["table_id", "seat"], ["seat.table_id", "seat.seat"]),
        Index("ix_letter_thread", "game_id", "seat", "hand"),
        Index(
            "ix_letter_next_at",
            "next_at",
            postgresql_where=text("state = 'owed'"),
            sqlite_where=text("state = 'owed'"),
        ),
        Index(
            "ix_letter_waiting",
            "created_at",
            postgresql_where=text(WAITING_QUESTION),
            sqlite_where=text(WAITING_QUESTION),
        ),
        Index(
            "ix_letter_moved_at",
            "moved_at",
            postgresql_where=text("moved_at IS NOT NULL"),
            sqlite_where=text("moved_at IS NOT NULL"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: LetterKind = Field(sa_type=_word(LetterKind))
    dedupe: str = Field(unique=True, max_length=160)  # the same mail is never owed twice
    player_id: int = Field(foreign_key="player.id", index=True)
    address: str | None = Field(default=None, max_length=254)  # where it goes, if not to the player's own
    table_id: int | None = Field(default=None, foreign_key="card_table.id")
    seat: int | None = None
    game_id: int | None = Field(default=None, foreign_key="game.id")
    hand: int | None = None
    about: str | None = Field(default=None, max_length=60)  # within its kind: "trick 5", who declined, who would join
    reason: str | None = Field(default=None, max_length=20)  # why it is sent, within its kind
    requested: bool = False  # its reader asked for it, so it goes at once, wherever they are
    again: bool = False  # the second one, because nobody answered the first
    game_number: int | None = None  # within its table: the game it invites to, or that was ended
    change_id: int | None = Field(default=None, foreign_key="address_change.id")  # the move to another address
    newcomer_id: int | None = Field(default=None, foreign_key="player.id")  # to whom its reader's seat is offered
    turns: int | None = None  # it tells of the game after this many records
    message_id: str = Field(unique=True, max_length=200)
    thread_id: str | None = Field(default=None, max_length=200)  # Message-ID of the thread's first mail, if not itself
    state: LetterState = Field(default=LetterState.QUEUED, sa_type=_word(LetterState))
    tries: int = 0
    next_at: datetime | None  # when to try, or until when a worker has it
    claimed_by: str | None = Field(default=None, max_length=32)  # the claim by which a worker has it
    subject: str | None = None
    message: str | None = Field(default=None, sa_type=Text)  # RFC 5322, as composed
    problem: str | None = Field(default=None, sa_type=Text)  # what the relay last said
    told_by: int | None = None  # the digest that told it
    notified: bool = False  # her devices have been told of it, or cannot be
    told_at: datetime | None = None  # when a device was told of it
    moved_at: datetime | None = None  # when a deadline was moved because this question was late
    created_at: datetime
    sent_at: datetime | None = None


class InboundRow(SQLModel, table=True):
    """A mail that came in, kept as it was before anything is done about it."""

    __tablename__ = "inbound"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("recipient", "identity"),
        Index("ix_inbound_recipient", "recipient", "received_at"),
        Index("ix_inbound_sender", "sender", "received_at"),
        Index(
            "ix_inbound_next_at",
            "next_at",
            postgresql_where=text("handled_at IS NULL"),
            sqlite_where=text("handled_at IS NULL"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    sender: str = Field(max_length=320)  # of the envelope; empty for a delivery report
    recipient: str = Field(max_length=320)  # one of our signed addresses
    identity: str = Field(max_length=250)  # its Message-ID, else a digest of it: a copy is recognised
    raw: bytes | None = Field(default=None, sa_type=LargeBinary)  # forgotten after a while
    next_at: datetime | None  # when a worker should look at it, or until when one does
    received_at: datetime
    handled_at: datetime | None = None
    taken_for: str | None = Field(default=None, max_length=20)  # move, pass, command, autoreply, bounce, …
    outcome: str | None = Field(default=None, sa_type=Text)  # what came of it, in a sentence without its words


class PauseRow(SQLModel, table=True):
    """A domain that asked us to slow down."""

    __tablename__ = "pause"

    domain: str = Field(primary_key=True, max_length=254)
    until: datetime
    reason: str = Field(sa_type=Text)


class CountRow(SQLModel, table=True):
    """How much of what is limited somebody has had; the key is a digest, so that the row names nobody."""

    __tablename__ = "limit_count"

    key: str = Field(primary_key=True, max_length=120)
    used: int
    ends_at: datetime  # from then on it counts from nothing
