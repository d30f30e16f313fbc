"""The tables, with their seats and what is said at them."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import Column
from sqlmodel import Field, Relationship, SQLModel

from hearts.robot import Level
from hearts.rules import Rules
from webapp.models.columns import (
    AHEAD,
    RULES,
    KeptAhead,
    Lent,
    Pause,
    Proposal,
    Stands,
    Vacation,
    json_of,
    nullable_json_column,
    partial_index,
    word,
)
from webapp.models.players import PlayerRow


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
    OPEN = "open"  # anybody may take it, from the lobby or by the link that the host sends
    ROBOT = "robot"


class OfferState(StrEnum):
    """How far the offer of an occupied seat to a newcomer has come."""

    ACCEPTED = "accepted"  # the newcomer gets the seat once this hand is over
    STAND_IN = "stand_in"  # the player, who is away, asks the newcomer to play for them as soon as they accept


class Talk(StrEnum):
    """The kind of talk that a table allows."""

    NONE = "none"
    PHRASES = "phrases"  # a few polite ones
    TEXT = "text"


class TableRow(SQLModel, table=True):
    __tablename__ = "card_table"  # `table` is a reserved word

    id: int = Field(default=None, primary_key=True)
    code: str = Field(unique=True, max_length=8)  # what players see: table 7F3K
    host_id: int = Field(foreign_key="player.id", index=True)
    rules: Rules = Field(sa_column=Column(RULES, nullable=False))
    pass_seconds: int
    play_seconds: int
    vacation_days: int = 0  # of each player in each game
    robots: Level = Field(default=Level.STRONG, sa_type=word(Level))  # how well its robots play
    suggestions: bool = False  # whether a player may ask what the robot would play
    at_once: int = 1  # how many hands its next games play side by side
    talk: Talk = Field(default=Talk.TEXT, sa_type=word(Talk))
    has_strangers: bool = False  # whether somebody has come from the lobby
    words: str | None = Field(default=None, max_length=160)  # a line of the host's to the people they invite
    # The link that its host sends by messenger (`tables.messenger`): moves on when the host takes the link back.
    link_number: int = 1
    refused: list[int] | None = Field(default=None, sa_column=nullable_json_column())  # players who may not come back
    # What its host has proposed to the others, and has not come about yet.
    proposals: list[Proposal] | None = Field(default=None, sa_column=Column(json_of(list[Proposal])))
    # Since when the clock stands still, and who may let it go on; None: it runs.
    pause: Pause | None = Field(default=None, sa_column=Column(json_of(Pause)))
    live_seconds: int | None = None  # the pace of every question while a slow game is played live; None: it is not
    state: TableState = Field(sa_type=word(TableState))
    created_at: datetime
    confirmed_at: datetime | None = None

    @property
    def pass_time(self) -> timedelta:
        """The time to pass cards that holds now: a live pace while a slow game is played live."""
        return timedelta(seconds=self.live_seconds or self.pass_seconds)

    @property
    def play_time(self) -> timedelta:
        """The time to play a card that holds now, likewise."""
        return timedelta(seconds=self.live_seconds or self.play_seconds)

    @property
    def rests(self) -> bool:
        """Whether the clock stands still because nobody played: then no robot plays, either."""
        return self.pause is not None and self.pause.why is Stands.REST

    @property
    def is_together(self) -> bool:
        """Whether its players, who play a slow game, are all there now and play it live."""
        return self.live_seconds is not None


class SeatRow(SQLModel, table=True):
    __tablename__ = "seat"
    __table_args__: ClassVar[Any] = (partial_index("ix_seat_away_until", "away_until", "away_until IS NOT NULL"),)

    table_id: int = Field(foreign_key="card_table.id", primary_key=True)
    seat: int = Field(primary_key=True)
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)  # None: a robot
    name: str = Field(max_length=40)
    state: SeatState = Field(sa_type=word(SeatState))
    table_number: int = 1  # of a host's seat: tells the table from their other open ones, as its name does
    by_link: bool = False  # until the deal: it is for whoever opens the host's link, or such a guest has it
    away: bool = False  # a robot plays for the player at once
    # When the player is back by themselves, though a robot or a friend plays for them, or the table waits. None: not
    # before they say so.
    away_until: datetime | None = None
    # The cards that the player has chosen ahead, by the numbers of their hands: each is sealed until it is played.
    ahead: dict[int, KeptAhead] | None = Field(default=None, sa_column=Column(AHEAD))
    robot_hand: int | None = None  # the hand that a robot plays for the player, because they asked for that
    missed: int = 0  # deadlines missed in a row
    wants_live: bool = False  # whether the player would play on live, since all are there (`games.clock.presence`)
    wants_pause: bool = False  # whether the player asks to pause the clock or, while it is paused, to let it go on
    # The vacation days of the seat in the present game, see `games.clock.vacation`.
    vacation: Vacation | None = Field(default=None, sa_column=Column(json_of(Vacation)))
    # As loaded with the seats of a table (`games.record.rows`), so that the session needs no other query for the row.
    player: PlayerRow | None = Relationship(
        sa_relationship_kwargs={"foreign_keys": "SeatRow.player_id", "viewonly": True, "lazy": "raise"}
    )
    mails: bool = True  # False: has unsubscribed from the mails of this table
    talk_read: int | None = None  # the id of the last line of talk that the player was shown
    here_at: datetime | None = None  # the last heartbeat of a page on which the player follows the game
    # Mailed links to the seat carry `links`, and links that only pages make (to play, to host) carry `visits`. A link
    # dies when its number moves on: both do when games are taken back, and `visits` also when `generation` does.
    links: int = 0
    visits: int = 0
    # The owner of a lent seat, which `player_id` plays while the owner is away.
    stands_in_for: int | None = Field(default=None, foreign_key="player.id", index=True)
    lent: Lent | None = Field(default=None, sa_column=Column(json_of(Lent)))
    # The host offers this occupied seat to this newcomer, who gets it after the hand in which they accept. With
    # STAND_IN, its player has asked this friend to play for them.
    offered_to: int | None = Field(default=None, foreign_key="player.id", index=True)
    offered_name: str | None = Field(default=None, max_length=40)
    offer_state: OfferState | None = Field(default=None, sa_type=word(OfferState))  # None: no answer yet
    offered_words: str | None = Field(default=None, max_length=100)  # the newcomer's, for the shuffle
    # The present player's words for the shuffle of this game, or of the next one; and what they, or the last words that
    # somebody gave in this seat, add to it (`games.record.sealed`).
    shuffle_words: str | None = Field(default=None, max_length=100)
    shuffle_part: str | None = Field(default=None, max_length=64)

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
    # The finished trick that it is about: the number of the game at the table, the hand, the trick. None: about none.
    game_number: int | None = None
    hand: int | None = None
    trick: int | None = None
