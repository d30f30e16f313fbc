"""The database tables. All timestamps are aware UTC.

The rooms that own them say how rows change: `games` (turns, talk, shares), `tables` and `players` (people), `accounts`
(sign-ins, addresses), `outbox` (letters), `inbox` (incoming mail) and `counts`.
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
    """A column type that stores the values of `kind` as plain text."""
    return Enum(kind, native_enum=False, length=20, values_callable=lambda words: [word.value for word in words])


class TableState(StrEnum):
    UNCONFIRMED = "unconfirmed"  # the host has not followed the link in their mail yet
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
    """How far the offer of an occupied seat to a newcomer has come."""

    RELEASED = "released"  # the player hands the seat over as soon as the newcomer accepts
    ACCEPTED = "accepted"  # the newcomer gets the seat once this hand is over
    STAND_IN = "stand_in"  # the player, who is away, asks the newcomer to play for them as soon as they accept


class Talk(StrEnum):
    """What may be said at a table."""

    NONE = "none"
    PHRASES = "phrases"  # a few polite ones
    TEXT = "text"


class GameState(StrEnum):
    PLAYING = "playing"
    OVER = "over"


class EveningState(StrEnum):
    """How far an evening together has come."""

    OPEN = "open"  # the players say which hours suit them
    AGREED = "agreed"  # they have agreed on an hour
    LIVE = "live"  # they are at the table, and the game has a live pace
    OVER = "over"  # it was live, or its game has ended
    MISSED = "missed"  # not everybody came
    NONE = "none"  # no hour suited everybody
    CANCELLED = "cancelled"  # by one of the players


class TurnSource(StrEnum):
    """How a turn came to be played."""

    LINK = "link"
    PAGE = "page"
    REPLY = "reply"  # typed as the answer to a mail
    AHEAD = "ahead"  # chosen by the player before it was their turn
    ORDER = "order"  # the player is away: the robot plays for them at once, as they asked
    PLAN = "plan"  # the player's plan played it; the record's `choice` says by what
    FORCED = "forced"  # there was no choice: a deal, or the only legal card
    CLAIM = "claim"  # one seat was certain to win all remaining tricks, so the rest was played at once
    TIMEOUT = "timeout"
    ROBOT = "robot"


class Frequency(StrEnum):
    """How often a player wants mail about their turns."""

    EVERY = "every"  # each turn as it comes
    BUNDLED = "bundled"  # the turns of an hour in one mail
    DAILY = "daily"  # once a day, at the player's hour


class LetterKind(StrEnum):
    """The kinds of mail; each has a folder of templates of that name."""

    CONFIRM = "confirm"
    INVITATION = "invitation"
    DECLINED = "declined"
    JOIN = "join"  # to a newcomer who asks for an open seat, to prove that the address is theirs
    OFFERED = "offered"  # to a player whose seat the host has offered to somebody else
    REPLACED = "replaced"  # to a player whose seat somebody else has now, or has again
    OFFER_OVER = "offer_over"  # to a newcomer who has accepted a seat and won't get it after all
    ENDED = "ended"  # the host has ended the game before its end
    PASS = "pass"
    TURN = "turn"
    MOON = "moon"
    REMINDER = "reminder"
    VACATION = "vacation"  # a vacation day was taken for its reader, who missed a deadline; asks once more
    PLAYED_FOR_YOU = "played_for_you"
    SCORE_SHEET = "score_sheet"
    FINAL_SHEET = "final_sheet"
    EVENING_ASKED = "evening_asked"  # which hours suit its reader for an evening together?
    EVENING_AGREED = "evening_agreed"  # on an hour, with an entry for the calendar
    EVENING_OFF = "evening_off"  # there will be none: no hour suited everybody, or it was cancelled
    DIGEST = "digest"  # several of the above in one
    ANSWER = "answer"  # to a reply that we could not follow, or that changed something
    SIGN_IN = "sign_in"
    NEW_ADDRESS = "new_address"  # to the new one, to prove that it is theirs
    ADDRESS_ASKED = "address_asked"  # to the current one: shall the games move?
    ADDRESS_CHANGED = "address_changed"  # to the old one
    ADDRESS_MOVED = "address_moved"  # to the new one, where nobody was looking when it happened
    FORGET = "forget"  # to a player who wants everything of theirs deleted
    TRIAL = "trial"  # to an operator who tests the delivery of mail


class LetterState(StrEnum):
    QUEUED = "owed"
    HELD = "held"  # waits for a digest
    SENT = "sent"  # the relay took it
    KEPT = "kept"  # no relay is set: it can be read at /mailbox
    BUNDLED = "bundled"  # part of a digest
    NOTIFIED = "notified"  # the player's devices got a notification instead of the mail
    SUPERSEDED = "superseded"  # its question was over before it was sent
    FAILED = "failed"  # the relay refused it for good
    BOUNCED = "bounced"  # the relay took it, and it came back
    WITHHELD = "withheld"  # we send nothing to this address until its owner has proved it again


class ChangeState(StrEnum):
    """How far a player's move to another address has come."""

    OPEN = "open"
    DONE = "done"
    REFUSED = "refused"  # the owner of the old address said no
    DROPPED = "dropped"  # withdrawn, or another one was asked for
    UNDONE = "undone"  # the owner of an earlier address took the games back


class OperatorAct(StrEnum):
    """What operators do to games, players and mail, as they type it; commands that only show something are none."""

    PAUSE = "games pause"
    GO_ON = "games pause --off"
    END = "games end"
    SHOW_CARDS = "games export --all"
    RENAME = "players rename"
    EXPORT = "players export"
    FORGET = "players forget"
    RETRY = "mail retry"
    HOLD = "mail hold"
    RESUME = "mail resume"


class PlayerRow(SQLModel, table=True):
    __tablename__ = "player"

    id: int = Field(default=None, primary_key=True)
    address: str = Field(unique=True, max_length=254)  # lower case
    name: str = Field(max_length=40)
    time_zone: str = Field(default="UTC", max_length=64)
    sign_ins: int = 0  # a sign-in link carries this number and dies when it moves on
    # Likewise the link to the preferences; moves on with a new address, when that is undone, and with signing out
    # everywhere.
    generation: int = 0
    # Likewise every other link in a mail that is not to a seat; moves on when games are taken back from an intruder.
    links: int = 0
    letters_lost: int = 0  # the last letter from before that: older ones cannot be answered any more
    frequency: Frequency = Field(default=Frequency.EVERY, sa_type=_word(Frequency))
    daily_at: int = 8  # the local hour of the daily digest
    quiet_from: int | None = 22  # local hours between which no mail about a game comes; None: no quiet hours
    quiet_to: int | None = 7
    days_off: int = 0  # weekdays on which no time of theirs passes: bit 0 is Monday
    # Single days on which none passes: pairs of the first and the last day, in ISO format. Past ones count for a year.
    holidays: list[list[str]] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    auto_vacation: bool = True  # whether a vacation day is taken for them if they miss a deadline
    reminders: bool = True
    invitations: bool = True  # False: has asked never to be invited again
    push_only: bool = False  # while one of their devices takes notifications, no mail asks for their turns
    two_colours: bool = False  # their cards are red and black, not of four colours
    # The plan (`hearts.plans`) with which they begin a game; None: the table's.
    plan: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    large_index: bool = False  # their cards show a large rank and suit instead of a picture
    tap_plays: bool | None = None  # whether one tap plays a card on their pages; None: only at a live table
    seen_at: datetime | None = None  # when they were last active themselves
    bounce_score: int = 0
    bounced_on: date | None = None  # the day of the last bounce that counted
    unreachable_at: datetime | None = None  # since when we send nothing to this address, because of bounces
    forgotten_at: datetime | None = None  # when they had everything of theirs deleted; the row then names nobody
    created_at: datetime


class SignInRow(SQLModel, table=True):
    """A browser that is signed in as a player, until the row is deleted. Its cookie holds the secret."""

    __tablename__ = "sign_in"

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    secret_hash: str = Field(unique=True, max_length=64)  # SHA-256 in hex
    browser: str = Field(max_length=40)  # "Firefox on Android"
    created_at: datetime
    seen_at: datetime  # accurate to about a day


class AddressChangeRow(SQLModel, table=True):
    """A player's move to another address: requested, proved at the new one, approved at the old one."""

    __tablename__ = "address_change"
    __table_args__: ClassVar[Any] = (
        Index(
            "ix_address_change_ready_at",
            "ready_at",
            postgresql_where=text("state = 'open'"),
            sqlite_where=text("state = 'open'"),
        ),
    )

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    old_address: str = Field(max_length=254, index=True)
    new_address: str = Field(max_length=254)
    state: ChangeState = Field(default=ChangeState.OPEN, sa_type=_word(ChangeState))
    asked_at: datetime
    ready_at: datetime  # when it takes effect without an answer from the old address
    proved_at: datetime | None = None
    agreed_at: datetime | None = None
    ended_at: datetime | None = None  # since when it is no longer open


class DeviceRow(SQLModel, table=True):
    """A browser that takes a player's notifications: its push address and its keys for encryption (RFC 8291)."""

    __tablename__ = "device"

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    endpoint: str = Field(unique=True, max_length=1000)
    public_key: str = Field(max_length=200)  # p256dh, base64url
    secret: str = Field(max_length=100)  # auth, base64url
    created_at: datetime


class TableRow(SQLModel, table=True):
    __tablename__ = "card_table"  # `table` is a reserved word

    id: int = Field(default=None, primary_key=True)
    code: str = Field(unique=True, max_length=8)  # what players see: table 7F3K
    host_id: int = Field(foreign_key="player.id", index=True)
    rules: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    pass_seconds: int
    play_seconds: int
    # The bank of time of each player, instead of a time for each turn: "start", "increment" and "cap" in seconds.
    bank: dict[str, int] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    vacation_days: int = 0  # of each player in each game
    robots: Level = Field(default=Level.STRONG, sa_type=_word(Level))  # how well its robots play
    suggestions: bool = False  # whether a player may ask what the robot would play
    # The plan of every seat whose player has chosen none; None: they are asked for every card.
    plan: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    guards: bool = True  # whether plans may ask the robot what a card would cost
    asks_ahead: bool = False  # whether all who follow in a trick are asked as soon as the table waits for one of them
    hides_speed: bool = False  # whether a card lies face down for a random while before the others see it
    at_once: int = 1  # how many hands its next games play side by side
    talk: Talk = Field(default=Talk.TEXT, sa_type=_word(Talk))
    paused_at: datetime | None = None  # since when the clock is paused
    live_seconds: int | None = None  # the pace of every question during an evening together; None: at no such time
    evening_changes: int = 0  # moves on with what pages say about an evening together
    state: TableState = Field(sa_type=_word(TableState))
    created_at: datetime
    confirmed_at: datetime | None = None

    @property
    def pass_time(self) -> timedelta:
        """The time to pass cards that holds now: during an evening together, a live pace."""
        return timedelta(seconds=self.live_seconds or self.pass_seconds)

    @property
    def play_time(self) -> timedelta:
        """The time to play a card that holds now, likewise."""
        return timedelta(seconds=self.live_seconds or self.play_seconds)

    @property
    def is_together(self) -> bool:
        """Whether its players spend an evening together now."""
        return self.live_seconds is not None


class SeatRow(SQLModel, table=True):
    __tablename__ = "seat"

    table_id: int = Field(foreign_key="card_table.id", primary_key=True)
    seat: int = Field(primary_key=True)
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)  # None: a robot
    name: str = Field(max_length=40)
    state: SeatState = Field(sa_type=_word(SeatState))
    away: bool = False  # a robot plays for the player at once
    plan: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))  # None: the table's
    # The player's answer ahead (`hearts.plans.ahead`): sealed until it is a card; it names its hand and trick.
    ahead: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    robot_hand: int | None = None  # the hand that a robot plays for the player, because they asked for that
    missed: int = 0  # deadlines missed in a row
    wants_pause: bool = False  # whether the player asks to pause the clock or, while it is paused, to let it go on
    # The vacation days of the seat in the present game, see `games.vacation`.
    vacation: Mapping[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    # What the player has in their bank of time, see `games.banks`; None: what everybody begins with.
    bank: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    mails: bool = True  # False: has unsubscribed from the mails of this table
    here_at: datetime | None = None  # the last heartbeat of a page on which the player follows the game
    # A mailed link to the seat carries the first counter, and one that only pages make (to play, to host) the second;
    # a link dies when its counter moves on. Both do when games are taken back, the second also when `generation` does.
    links: int = 0
    visits: int = 0
    # The owner of a lent seat, which `player_id` plays while the owner is away. `lent` keeps what the owner had there
    # ("owner", their name; "plan"; "mails"; "bank") and the stand-in's own name ("stand_in").
    stands_in_for: int | None = Field(default=None, foreign_key="player.id", index=True)
    lent: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    # The newcomer to whom the host has offered this occupied seat. It passes to them after the hand in which they
    # accept. With STAND_IN, the friend whom its player has asked to play for them.
    offered_to: int | None = Field(default=None, foreign_key="player.id", index=True)
    offered_name: str | None = Field(default=None, max_length=40)
    offer_state: OfferState | None = Field(default=None, sa_type=_word(OfferState))  # None: no answer yet

    @property
    def has_run_out(self) -> bool:
        """Whether the seat is free because nobody answered the invitation to it."""
        return self.state is SeatState.DECLINED and self.player_id is None


class TalkRow(SQLModel, table=True):
    """A line that somebody has said at a table. Append-only."""

    __tablename__ = "talk"

    id: int = Field(default=None, primary_key=True)
    table_id: int = Field(foreign_key="card_table.id", index=True)
    seat: int
    player_id: int = Field(foreign_key="player.id", index=True)
    name: str = Field(max_length=40)  # the player's name at that time
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

    id: int = Field(default=None, primary_key=True)
    table_id: int = Field(foreign_key="card_table.id")
    number: int  # from 1 within its table
    state: GameState = Field(sa_type=_word(GameState))
    turns: int = 0  # the number of its records
    at_once: int = 1  # how many hands it plays side by side; each then has a clock of its own
    # What its play needs of the records before a deal, see `games.checkpoint`; made of them, and never instead of them.
    checkpoint: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    due_at: datetime | None = None  # the deadline of the present question; of several hands, the first
    asked_at: datetime | None = None  # since when it runs
    moved_by: int = 0  # seconds by which it was postponed because a question went out late
    wake_at: datetime | None = (
        None  # when it next needs the service: now for robots, else the deadline, or a lease's end
    )
    # The number of its records when a guard last left the decision to the player.
    guard_asked: int = 0
    # Who was asked before their turn, see `games.trick_sheet`; sealed: no other player learns of it.
    asked_ahead: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    # By the number of the hand, the card that lies face down in it, see `games.face_down`: only its player sees it.
    face_down: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    rings: int = 0  # how often a sweep has rung for it since `wake_at` was set
    started_at: datetime
    ended_at: datetime | None = None
    # By seat, the names of those who played it; None as long as they still have their seats.
    names: list[str] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    # The players whose seats have changed hands since it began, in order: "seat", "name", "player" (missing in older
    # games), the numbers of "turns" and scored "hands" that had been played by then, and which hands after these were
    # "done" (missing in older games).
    earlier: list[dict[str, Any]] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))

    def are_together(self, one: int, other: int) -> bool:
        """Whether two hands are the same, or are played side by side."""
        return (one - 1) // self.at_once == (other - 1) // self.at_once


class ClockRow(SQLModel, table=True):
    """The clock of one of the hands that a game plays side by side; that of a single hand is in the game's row."""

    __tablename__ = "hand_clock"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    hand: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    due_at: datetime | None = None  # the deadline of the hand's present question
    asked_at: datetime | None = None  # since when it runs
    moved_by: int = 0  # seconds by which it was postponed because a question went out late
    guard_asked: int = 0  # the number of the hand's last record when a guard last left the decision to the player
    asked_ahead: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))


class EveningRow(SQLModel, table=True):
    """An evening together: hours that a player of a slow game proposes, the votes on them, and what came of it."""

    __tablename__ = "evening"
    __table_args__: ClassVar[Any] = (
        Index(
            "ix_evening_due_at",
            "due_at",
            postgresql_where=text("due_at IS NOT NULL"),
            sqlite_where=text("due_at IS NOT NULL"),
        ),
    )

    id: int = Field(default=None, primary_key=True)
    table_id: int = Field(foreign_key="card_table.id", index=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    proposed_by: int = Field(foreign_key="player.id")
    name: str = Field(max_length=40)  # the proposer's at the table
    pace_seconds: int  # for a card, while it lasts
    hours: list[str] = Field(sa_column=Column(JSON, nullable=False))  # on offer: UTC, in ISO format, in order
    # By the id of a player, the hours that suit them; an empty list is the answer that none does.
    votes: dict[str, list[str]] = Field(sa_column=Column(JSON, nullable=False))
    state: EveningState = Field(default=EveningState.OPEN, sa_type=_word(EveningState))
    due_at: datetime | None  # when the service next looks at it; None once it is over
    closes_at: datetime  # when the vote ends
    begins_at: datetime | None = None  # the hour that was agreed on
    waits_until: datetime | None = None  # until when the table waits for those who have not come; set at the hour
    cancelled_by: str | None = Field(default=None, max_length=40)  # their name at the table
    created_at: datetime
    changed_at: datetime  # when its state last changed


class TurnRow(SQLModel, table=True):
    """Append-only. The key decides who was first."""

    __tablename__ = "turn"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})  # from 1, without gaps
    turn: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    hand: int | None = None  # the number of its hand, if hands are played side by side; else the deals are counted
    way: TurnSource = Field(sa_type=_word(TurnSource))
    # If a robot chose: level, playouts and seed, which reproduce the choice, and its reason, for the player. If a plan
    # chose: "by" which order or rule, and what the guard found.
    choice: Mapping[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    at: datetime


class ReviewRow(SQLModel, table=True):
    """The robot's opinions on a finished hand; a cache, which can be recomputed from the turns."""

    __tablename__ = "review"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    hand: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    opinions: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))


class ShareRow(SQLModel, table=True):
    """The result of a game that a player shows to anybody who has its link.

    The link carries `number`, which moves on when the player stops sharing.
    """

    __tablename__ = "share"
    __table_args__: ClassVar[Any] = (UniqueConstraint("game_id", "player_id"),)

    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    player_id: int = Field(foreign_key="player.id", index=True)
    seat: int  # the player's in that game
    number: int = 1
    names: bool = False  # whether the page names the other players
    shared_at: datetime
    ended_at: datetime | None = None  # since when it is not shared; None while it is


# Questions that no relay has accepted. It is a literal because it is part of an index.
WAITING_QUESTION = "state = 'owed' AND kind IN ('pass', 'turn', 'moon')"
# Letters that are about a person, by name; likewise.
NAMING = "kind IN ('declined','join','replaced','offer_over')"


class LetterRow(SQLModel, table=True):
    """The outbox: one row for each mail. `message` is written once, so that every attempt sends the same bytes."""

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
        Index("ix_letter_naming", "table_id", postgresql_where=text(NAMING), sqlite_where=text(NAMING)),
        Index(
            "ix_letter_moved_at",
            "moved_at",
            postgresql_where=text("moved_at IS NOT NULL"),
            sqlite_where=text("moved_at IS NOT NULL"),
        ),
    )

    id: int = Field(default=None, primary_key=True)
    kind: LetterKind = Field(sa_type=_word(LetterKind))
    dedupe: str = Field(unique=True, max_length=160)  # the same mail is never queued twice
    player_id: int = Field(foreign_key="player.id", index=True)
    address: str | None = Field(default=None, max_length=254)  # the recipient, if not the player's own address
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
    evening_id: int | None = Field(default=None, foreign_key="evening.id")  # the evening together that it is about
    turns: int | None = None  # it shows the game after this many records
    message_id: str = Field(unique=True, max_length=200)
    thread_id: str | None = Field(default=None, max_length=200)  # Message-ID of the thread's first mail, if not itself
    state: LetterState = Field(default=LetterState.QUEUED, sa_type=_word(LetterState))
    tries: int = 0
    next_at: datetime | None  # the next attempt, or the end of a worker's lease
    claimed_by: str | None = Field(default=None, max_length=32)  # the claim under which a worker has it
    subject: str | None = None
    message: str | None = Field(default=None, sa_type=Text)  # RFC 5322, as composed
    problem: str | None = Field(default=None, sa_type=Text)  # the relay's last response
    told_by: int | None = None  # the digest that includes it
    notified: bool = False  # the player's devices have got a notification of it, or cannot get one
    told_at: datetime | None = None  # when a device got a notification of it
    moved_at: datetime | None = None  # when a deadline was postponed because this question went out late
    created_at: datetime
    sent_at: datetime | None = None


class InboundRow(SQLModel, table=True):
    """An incoming mail, stored as received before it is processed."""

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

    id: int = Field(default=None, primary_key=True)
    sender: str = Field(max_length=320)  # the envelope's; empty for a delivery report
    recipient: str = Field(max_length=320)  # one of our signed addresses
    identity: str = Field(max_length=250)  # its Message-ID, else a hash of the mail, to recognise copies
    raw: bytes | None = Field(default=None, sa_type=LargeBinary)  # deleted after a while
    next_at: datetime | None  # when a worker should process it, or the end of a worker's lease
    received_at: datetime
    handled_at: datetime | None = None
    taken_for: str | None = Field(default=None, max_length=20)  # move, pass, command, autoreply, bounce, …
    outcome: str | None = Field(default=None, sa_type=Text)  # the result, in a sentence that quotes nothing of the mail


class PauseRow(SQLModel, table=True):
    """A domain that asked us to slow down."""

    __tablename__ = "pause"

    domain: str = Field(primary_key=True, max_length=254)
    until: datetime
    reason: str = Field(sa_type=Text)


class MailedRow(SQLModel, table=True):
    """The mails that an address has got within the last day; the key is a hash, so that the row identifies nobody."""

    __tablename__ = "mailed"

    whose: str = Field(primary_key=True, max_length=32)
    # By the letter's id, when it went to the relay, in seconds since 1970: mails about tables, and personal ones.
    about_tables: dict[str, int] = Field(sa_column=Column(JSON, nullable=False))
    personal: dict[str, int] = Field(sa_column=Column(JSON, nullable=False))
    ends_at: datetime  # when the newest of them no longer counts


class OperatorActRow(SQLModel, table=True):
    """What an operator has done: a note that names nobody but them."""

    __tablename__ = "operator_act"

    id: int = Field(default=None, primary_key=True)
    at: datetime
    by: str = Field(max_length=254)  # the operator: the name of an account, or what they said with --by
    act: OperatorAct = Field(sa_type=_word(OperatorAct))
    game_id: int | None = Field(default=None, foreign_key="game.id")
    player_id: int | None = Field(default=None, foreign_key="player.id")
    letter_id: int | None = Field(default=None, foreign_key="letter.id")


class HeartbeatRow(SQLModel, table=True):
    """The last sign of life of a kind of process, whichever machine it came from."""

    __tablename__ = "heartbeat"

    process: str = Field(primary_key=True, max_length=20)
    seen_at: datetime


class CountRow(SQLModel, table=True):
    """A counter of a rate limit; the key is a hash, so that the row identifies nobody."""

    __tablename__ = "limit_count"

    key: str = Field(primary_key=True, max_length=120)
    used: int
    ends_at: datetime  # then it restarts at zero
