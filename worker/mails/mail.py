"""A mail that is being composed: its letter and reader, with the parts that mails of many kinds share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from sqlmodel import Session

from webapp.core.runtime import Runtime
from webapp.core.say import say
from webapp.core.templates import Context
from webapp.core.tokens import Link
from webapp.games import talk
from webapp.games.record import store
from webapp.games.record.links import preferences_link, seat_link
from webapp.games.record.rows import table_seats
from webapp.games.record.sealed import newest_seal
from webapp.games.record.seats import name_to, owner_name
from webapp.games.record.store import TableGame
from webapp.models import LetterRow, PlayerRow, SeatRow, TableRow
from webapp.models.mail import KINDS
from webapp.outbox.letters import is_stale, unsubscribe_link
from webapp.outbox.turn_mail import Look
from webapp.presentation.happened import TalkLine, talk_lines
from webapp.presentation.sheets import summary_of
from webapp.presentation.summary import TableSummary
from worker.attachments import Enclosed


class Foot(TypedDict):
    """The links of a mail's footer: to the player's preferences, and to unsubscribe."""

    preferences_link: str
    privacy_link: str
    unsubscribe_link: str | None
    unsubscribe_text: str


class Frame(Foot):
    """The frame that every mail about a table has, with its footer."""

    you: str | None
    table: TableSummary
    table_link: str | None
    rules_link: str
    is_answered: bool


class Sealing(TypedDict):
    """The seal of the game that the table plays, or plays next, and the page that says what it is for."""

    seal: str | None  # None: the game has none
    fair_link: str


class GameFrame(Frame):
    """The same for a mail about a game."""

    said: Sequence[TalkLine]
    in_game: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MailContext(Context):
    """The variables of the templates of a mail, with those that `base.html` and `base.txt` use."""

    you: str | None = None
    table: TableSummary | None = None
    table_link: str | None = None  # None: somebody else has the page of the seat
    rules_link: str | None = None
    is_answered: bool = False  # mails may be answered
    in_game: bool = False  # the reader plays, and may go away
    said: Sequence[TalkLine] = ()  # since the reader's last mail of the game
    preferences_link: str | None = None  # None: the address is not proved, or not the player's any more
    privacy_link: str | None = None
    unsubscribe_link: str | None = None
    unsubscribe_text: str = ""
    enclosed: Sequence[Enclosed] = ()
    reply_to: str | None = None


@dataclass(frozen=True, slots=True)
class Mail:
    """A letter, the player who reads it, and what its context is read from."""

    runtime: Runtime
    session: Session
    letter: LetterRow
    player: PlayerRow
    look: Look | None = None  # of a mail about turns

    def url(self, link: Link) -> str:
        """The address of a signed link."""
        return self.runtime.signer.url(link)

    def page(self, path: str) -> str:
        """The address of a page that everybody may open."""
        return self.runtime.signer.absolute_url(path)

    def foot(self) -> Foot:
        stop = unsubscribe_link(self.letter, self.player)
        return {
            "preferences_link": self.url(preferences_link(self.player)),
            "privacy_link": self.page("/privacy"),
            "unsubscribe_link": self.url(stop) if stop else None,
            "unsubscribe_text": say(KINDS[self.letter.kind].stop_label),
        }

    def frame(self, table: TableRow, seats: Sequence[SeatRow]) -> Frame:
        summary, own = summary_of(table, seats), seats[self.letter.of_seat]
        return {
            "you": name_to(own, self.letter.player_id),
            "table": summary,
            "rules_link": self.page(summary.rules_path),
            "table_link": self.url(seat_link(own, self.letter.player_id)),
            "is_answered": bool(self.runtime.settings.incoming_domain),
            **self.foot(),
        }


@dataclass(frozen=True, slots=True)
class AtTable:
    """The table that a mail is about, its seats, and the reader's own, with the frame of the mail."""

    table: TableRow
    seats: Sequence[SeatRow]
    own: SeatRow
    frame: Frame

    @property
    def host_name(self) -> str:
        return owner_name(self.seats[0])


def at_table(mail: Mail) -> AtTable:
    """The table of a mail that is about no game."""
    table = mail.session.get_one(TableRow, mail.letter.of_table)
    seats = table_seats(mail.session, mail.letter.of_table)
    return AtTable(table, seats, seats[mail.letter.of_seat], mail.frame(table, seats))


def sealing(mail: Mail) -> Sealing:
    """The seal of the table's game, for a mail to those who may give words for its shuffle."""
    seal = newest_seal(mail.session, mail.letter.of_table)
    return {"seal": seal.root if seal else None, "fair_link": mail.page("/fair")}


def has_seat(mail: Mail) -> bool:
    """Whether the reader has the seat of the mail."""
    return own_seat(mail).player_id == mail.letter.player_id


def own_seat(mail: Mail) -> SeatRow:
    """The seat that the mail is about."""
    return mail.session.get_one(SeatRow, (mail.letter.table_id, mail.letter.seat))


def game_of(mail: Mail) -> TableGame | None:
    """The game that the mail is about, as it stood when the mail was queued; None if the mail is stale."""
    session, letter = mail.session, mail.letter
    stored = store.load(session, letter.of_game, hand=letter.hand)
    if is_stale(letter, stored):
        return None
    if letter.turns == stored.row.turns:
        return stored
    return store.load(session, letter.of_game, hand=letter.hand, turns=letter.turns)


def has_left(mail: Mail, stored: TableGame) -> bool:
    """Whether somebody else has the seat that the reader had."""
    return stored.seats[mail.letter.of_seat].player_id != mail.letter.player_id


def in_game(mail: Mail, stored: TableGame) -> GameFrame:
    """The frame of a mail about a game."""
    hears = KINDS[mail.letter.kind].brings_talk and not has_left(mail, stored)
    said = talk.unread(mail.session, stored.table, mail.letter, mail.runtime.now()) if hears else ()
    lines = talk_lines(said, mail.letter.player_id, mail.player.time_zone)
    return {**mail.frame(stored.table, stored.seats), "said": lines, "in_game": True}
