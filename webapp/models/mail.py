"""Mail as rows: letters and the properties of each kind, incoming mail, and the domains and connections to them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar, Final

from sqlalchemy import BigInteger, ForeignKeyConstraint, Index, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from hearts.seats import Seat
from webapp.core.say import later
from webapp.models.columns import nullable_json_column, partial_index, word

# The outbox: letters, the domains that have asked us to slow down, and the connections to domains.


class LetterKind(StrEnum):
    """The kinds of mail; each has a folder of templates of that name."""

    CONFIRM = "confirm"
    INVITATION = "invitation"
    DECLINED = "declined"
    SEATS = "seats"  # to a host: an invitation came back or is not answered, or everybody is there and they deal
    JOIN = "join"  # to a newcomer who asks for an open seat, to prove that the address is theirs
    OFFERED = "offered"  # to a player whose seat the host has offered to somebody else
    REPLACED = "replaced"  # to a player whose seat somebody else has now, or has again
    OFFER_OVER = "offer_over"  # to a newcomer who has accepted a seat and won't get it after all
    ENDED = "ended"  # the host has ended the game before its end, or nobody has set it going for long
    PROPOSED = "proposed"  # the host proposes another pace, the end of the game, or a robot for a player
    RESTING = "resting"  # nobody has played the game for days: it goes on when somebody wants
    MUTED = "muted"  # the last one to a player who has muted a table where they play: did they mean it?
    TURNS = "turns"  # all that waits for its reader, at all tables, and what was played for them
    SCORE_SHEET = "score_sheet"
    FINAL_SHEET = "final_sheet"
    YEAR = "year"  # in January: the year of its reader's tables, as their books have it
    ANSWER = "answer"  # to a reply that we could not follow, or that changed something
    SIGN_IN = "sign_in"
    NEW_ADDRESS = "new_address"  # to the new one, to prove that it is theirs
    ADDRESS_ASKED = "address_asked"  # to the current one: shall the games move?
    ADDRESS_CHANGED = "address_changed"  # to the old one
    ADDRESS_MOVED = "address_moved"  # to the new one, where nobody was looking when it happened
    ANSWERED_FROM = "answered_from"  # a mail of theirs was answered from another address: is it theirs, too?
    DEVICE_ADDED = "device_added"  # a device gets notifications of its reader's turns from now on
    GONE_AWAY = "gone_away"  # somebody with a link of its reader's has set them as away
    FORGET = "forget"  # to a player who wants everything of theirs deleted
    UNREAD = "unread"  # to an operator: answers by mail cannot be read
    TRIAL = "trial"  # to an operator who tests the delivery of mail


class LetterState(StrEnum):
    QUEUED = "queued"
    SENT = "sent"  # the relay took it
    KEPT = "kept"  # no relay is set: it can be read at /mailbox
    NOTIFIED = "notified"  # the player's devices got a notification instead of the mail
    SUPERSEDED = "superseded"  # nobody needed it any more before it was sent
    FAILED = "failed"  # the relay refused it for good
    BOUNCED = "bounced"  # the relay took it, and it came back
    WITHHELD = "withheld"  # we send nothing to this address until its owner has proved it again


# Questions that no relay has accepted. It is a literal because it is part of an index.
WAITING_QUESTION = "state = 'queued' AND kind = 'turns'"
# Letters that are about a person, by name; likewise.
NAMING = "kind IN ('declined','join','replaced','offer_over')"


class LetterRow(SQLModel, table=True):
    """The outbox: one row for each mail. `message` is written once, so that every attempt sends the same bytes."""

    __tablename__ = "letter"
    __table_args__: ClassVar[Any] = (
        ForeignKeyConstraint(["table_id", "seat"], ["seat.table_id", "seat.seat"]),
        Index("ix_letter_thread", "game_id", "seat", "hand"),
        Index("ix_letter_player", "player_id", "kind", "sent_at"),
        partial_index("ix_letter_next_at", "next_at", "state = 'queued'"),
        partial_index("ix_letter_waiting", "created_at", WAITING_QUESTION),
        partial_index("ix_letter_naming", "table_id", NAMING),
        partial_index("ix_letter_moved_at", "moved_at", "moved_at IS NOT NULL"),
    )

    id: int = Field(default=None, primary_key=True)
    kind: LetterKind = Field(sa_type=word(LetterKind))
    dedupe: str = Field(unique=True, max_length=160)  # the same mail is never queued twice
    player_id: int = Field(foreign_key="player.id")
    address: str | None = Field(default=None, max_length=254)  # the recipient, if not the player's own address
    table_id: int | None = Field(default=None, foreign_key="card_table.id")
    seat: int | None = None
    game_id: int | None = Field(default=None, foreign_key="game.id")
    hand: int | None = None
    about: str | None = Field(default=None, max_length=60)  # within its kind: "trick 5", who declined, who would join
    reason: str | None = Field(default=None, max_length=20)  # why it is sent, within its kind
    requested: bool = False  # its reader asked for it, so it goes at once, wherever they are
    again: bool = False  # the second one, because nobody answered the first
    game_number: int | None = None  # in its table: the game that was ended, or that it invites to (None: the first)
    change_id: int | None = Field(default=None, foreign_key="address_change.id")  # about which other address it is
    newcomer_id: int | None = Field(default=None, foreign_key="player.id")  # whom the host asks
    turns: int | None = None  # it shows the game after this many records
    # The questions that it has asked, as composed: game, seat, hand, what. The first is also in the columns above.
    asked: list[list[Any]] | None = Field(default=None, sa_column=nullable_json_column())
    message_id: str = Field(unique=True, max_length=200)
    thread_id: str | None = Field(default=None, max_length=200)  # Message-ID of the thread's first mail, if not itself
    state: LetterState = Field(default=LetterState.QUEUED, sa_type=word(LetterState))
    tries: int = 0
    next_at: datetime | None  # the next attempt, or the end of a worker's lease
    held_at: datetime | None = None  # since when it waits, or once waited, for its reader to leave the game
    claimed_by: str | None = Field(default=None, max_length=32)  # the claim under which a worker has it
    subject: str | None = Field(default=None, sa_type=Text)
    message: str | None = Field(default=None, sa_type=Text)  # RFC 5322, as composed
    problem: str | None = Field(default=None, sa_type=Text)  # the relay's last response
    refused: bool = False  # that was a no to this letter, and not due to a trouble of the relay itself
    notified: bool = False  # the player's devices have got a notification of it, or cannot get one
    # When a device got a notification of it.
    notified_at: datetime | None = Field(default=None)
    moved_at: datetime | None = None  # when a deadline was postponed because this question went out late
    created_at: datetime
    sent_at: datetime | None = None

    @property
    def of_table(self) -> int:
        """The table that the letter is about. There must be one; so with what follows."""
        return _known(self.table_id)

    @property
    def of_game(self) -> int:
        return _known(self.game_id)

    @property
    def of_seat(self) -> Seat:
        return Seat(_known(self.seat))

    @property
    def of_hand(self) -> int:
        return _known(self.hand)


def _known(value: int | None) -> int:
    assert value is not None
    return value


class PauseRow(SQLModel, table=True):
    """A domain that asked us to slow down, or all of them: see `outbox.holding`."""

    __tablename__ = "pause"

    domain: str = Field(primary_key=True, max_length=254)
    until: datetime
    reason: str = Field(sa_type=Text)
    since: datetime | None = None  # since when our relay has taken no mail; None for a domain


# Incoming mail, how far the mailbox is read that it is fetched from, and when mail could come in.


class InboundRow(SQLModel, table=True):
    """An incoming mail, stored as received before it is processed."""

    __tablename__ = "inbound"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("recipient", "identity"),
        Index("ix_inbound_recipient", "recipient", "received_at"),
        Index("ix_inbound_sender", "sender", "received_at"),
        partial_index("ix_inbound_next_at", "next_at", "handled_at IS NULL"),
        partial_index("ix_inbound_player_id", "player_id", "handled_at IS NULL"),
    )

    id: int = Field(default=None, primary_key=True)
    sender: str = Field(max_length=320)  # the envelope's; empty for a delivery report
    recipient: str = Field(max_length=320)  # one of our signed addresses
    identity: str = Field(max_length=250)  # its Message-ID, else a hash of the mail, to recognise copies
    player_id: int | None = None  # whose letter it answers; None if there was none, and in older rows
    copies: int = 0  # how often it has come again
    raw: bytes | None = Field(default=None, sa_type=LargeBinary)  # deleted after a while
    next_at: datetime | None  # when a worker should process it, or the end of a worker's lease
    received_at: datetime
    handled_at: datetime | None = None
    taken_for: str | None = Field(default=None, max_length=20)  # move, pass, command, autoreply, bounce, …
    outcome: str | None = Field(default=None, sa_type=Text)  # the result, as a sentence to its sender


class MailboxRow(SQLModel, table=True):
    """How far a mailbox has been read; the numbers are those of its server (RFC 9051)."""

    __tablename__ = "mailbox"

    name: str = Field(primary_key=True, max_length=32)  # a hash of its server, user and folder
    validity: int = Field(sa_type=BigInteger)  # other numbers than before: the server has counted its mails anew
    last_uid: int = Field(sa_type=BigInteger)  # every mail up to it is stored, or is none of ours


class WayInRow(SQLModel, table=True):
    """A stretch of time in which answers came in, see `games.clock.way_in`; between two of them none could."""

    __tablename__ = "way_in"

    id: int = Field(default=None, primary_key=True)
    opened_at: datetime
    read_up_to: datetime  # all answers that had come by then are stored
    # For the time since then: when a scheduler last looked, and for how long the service ran and read nothing.
    looked_at: datetime | None = None
    shut_seconds: int = 0
    told_at: datetime | None = None  # when a mail told the host


# The properties of each kind of mail: one row a kind, read by the code that queues, times, sends and answers mails.
# CONTRIBUTING.md says how to add a kind.


class Cut(Enum):
    """When mails of a kind begin to wait, because their address has got many within a day (`outbox.allowance`).

    The value is how many, as a share of the setting MAILS_A_DAY.
    """

    FIRST = Fraction(2, 3)
    QUESTIONS = Fraction(5, 6)
    SHEETS = Fraction(1)
    LAST = Fraction(4, 3)  # personal mails: their reader waits for them, or must be warned


@dataclass(frozen=True, slots=True)
class MailKind:
    """The properties of one kind of mail; a row names only those that differ from these defaults."""

    is_question: bool = False  # asks its reader for turns: composed of what waits when it goes
    at_once: bool = False  # ignores frequency and quiet hours: its reader waits for it, or must see it now
    cut: Cut = Cut.FIRST  # when the limit of mails to an address makes it wait
    shown_on_page: bool = False  # waits a little while its reader reads the game, whose page shows the same
    proves_address: bool = False  # anybody can trigger it; also sent to an address that has bounced, to prove it again
    ignores_mute: bool = False  # sent to players who have muted the table
    shows_cards: bool = False  # not sent once somebody else has the seat, whose cards it would show
    repeats: bool = False  # may be for a fixed day, which preferences do not move
    brings_talk: bool = False  # quotes what was said at the table since the last such mail
    tells_story: bool = False  # includes the robot's review of the hand
    useful_later: bool = False  # still sent once an address that had bounced works again
    has_stop: bool = True  # has an unsubscribe link
    stop_label: str = later("Mute this table")


_TO_PROVE: Final = MailKind(at_once=True, cut=Cut.LAST, proves_address=True, has_stop=False)

KINDS: Final[Mapping[LetterKind, MailKind]] = MappingProxyType(
    {
        LetterKind.CONFIRM: MailKind(
            at_once=True, cut=Cut.LAST, proves_address=True, has_stop=False, ignores_mute=True
        ),
        LetterKind.INVITATION: MailKind(
            at_once=True, cut=Cut.QUESTIONS, repeats=True, useful_later=True, stop_label=later("No more invitations")
        ),
        LetterKind.DECLINED: MailKind(),
        LetterKind.SEATS: MailKind(repeats=True),
        LetterKind.JOIN: _TO_PROVE,
        LetterKind.OFFERED: MailKind(),
        LetterKind.REPLACED: MailKind(ignores_mute=True),
        LetterKind.OFFER_OVER: MailKind(),
        LetterKind.ENDED: MailKind(),
        LetterKind.PROPOSED: MailKind(cut=Cut.SHEETS, useful_later=True),
        LetterKind.RESTING: MailKind(cut=Cut.SHEETS, useful_later=True),
        LetterKind.MUTED: MailKind(at_once=True, cut=Cut.LAST, ignores_mute=True, has_stop=False),
        LetterKind.TURNS: MailKind(is_question=True, cut=Cut.QUESTIONS, brings_talk=True),
        LetterKind.SCORE_SHEET: MailKind(cut=Cut.SHEETS, shown_on_page=True, brings_talk=True, tells_story=True),
        LetterKind.FINAL_SHEET: MailKind(cut=Cut.SHEETS, brings_talk=True, tells_story=True),
        LetterKind.YEAR: MailKind(stop_label=later("No such email next year")),
        LetterKind.ANSWER: MailKind(at_once=True, cut=Cut.LAST, ignores_mute=True, shows_cards=True, has_stop=False),
        LetterKind.SIGN_IN: _TO_PROVE,
        LetterKind.NEW_ADDRESS: _TO_PROVE,
        LetterKind.ADDRESS_ASKED: MailKind(at_once=True, cut=Cut.LAST, repeats=True),
        LetterKind.ADDRESS_CHANGED: MailKind(at_once=True, cut=Cut.LAST),
        LetterKind.ADDRESS_MOVED: MailKind(at_once=True, cut=Cut.LAST),
        LetterKind.ANSWERED_FROM: MailKind(at_once=True, cut=Cut.LAST, has_stop=False),
        LetterKind.DEVICE_ADDED: MailKind(at_once=True, cut=Cut.LAST, has_stop=False),
        LetterKind.GONE_AWAY: MailKind(at_once=True, cut=Cut.LAST, has_stop=False),
        LetterKind.FORGET: MailKind(at_once=True, cut=Cut.LAST, has_stop=False),
        LetterKind.UNREAD: MailKind(at_once=True, cut=Cut.LAST, has_stop=False),
        LetterKind.TRIAL: MailKind(at_once=True, cut=Cut.LAST),
    }
)


def _kinds(has: Callable[[MailKind], bool]) -> tuple[LetterKind, ...]:
    return tuple(kind for kind, row in KINDS.items() if has(row))


# The same for queries, which need the kinds by name.
IGNORING_MUTE: Final = _kinds(lambda kind: kind.ignores_mute)
SHOWING_CARDS: Final = _kinds(lambda kind: kind.shows_cards)
BRINGING_TALK: Final = _kinds(lambda kind: kind.brings_talk)
USEFUL_LATER: Final = _kinds(lambda kind: kind.useful_later)
