"""A letter: a row of the outbox, queued in the transaction of the event that causes it.

The row says what the mail is about; a worker composes the text when it sends it. `timing` decides when that is.
`about_tables`, `about_accounts`, `questions` and `turn_mail` queue the mails on their subjects; here is what they have
in common, and the lease that a worker has on each.
"""

import hashlib
import hmac
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import datetime, timedelta
from functools import partial
from types import TracebackType
from typing import Any, NamedTuple
from uuid import uuid4

from sqlalchemy import text
from sqlmodel import Session, col, func, or_, select, update

from webapp.core import database
from webapp.core.database import DatabaseDown, in_batches
from webapp.core.runtime import Runtime
from webapp.core.tokens import UnsubscribeLink
from webapp.games.asked.due import Due
from webapp.games.record.store import TableGame
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow, SeatRow, TableRow
from webapp.models.mail import IGNORING_MUTE, KINDS, SHOWING_CARDS
from webapp.outbox import timing

# Leases on letters: one worker claims a letter; if the worker dies, the lease ends, and another can claim it.
# Each claim has a unique name, which is stored in the row. A worker that was frozen until its leases ended finds
# another name there, and does not send those letters.

LEASE = timedelta(seconds=30)  # of a letter that its worker has not begun
_QUEUED = text("state = 'queued'")  # as a literal, as in the index


def new_claim() -> str:
    """A unique name for a claim."""
    return uuid4().hex


class Claimed(NamedTuple):
    """A letter as its worker knows it before it locks it."""

    kind: LetterKind
    player_id: int


def claim(session: Session, now: datetime, most: int, by: str) -> dict[int, Claimed]:
    """Claims up to `most` letters, longest due first, for one lease by the claim `by`. Returns them by id.

    Leaves letters of a kind that this version does not know to a newer one, which may run beside it.
    """
    until, known = now + LEASE, col(LetterRow.kind).in_(list(LetterKind))
    due_at = col(LetterRow.next_at)
    ids = database.claim(session, LetterRow, due_at, _QUEUED, now, most, known, next_at=until, claimed_by=by)
    found = select(LetterRow.id, LetterRow.kind, LetterRow.player_id).where(col(LetterRow.id).in_(ids))
    rows = session.exec(found.order_by(col(LetterRow.id))) if ids else ()
    return {letter_id: Claimed(LetterKind(kind), player_id) for letter_id, kind, player_id in rows}


def held_letters(
    session: Session, letter_ids: Collection[int], by: str, *, even_locked: bool = True
) -> list[LetterRow]:
    """Locks and returns those of the letters that are still queued and that the claim `by` still has.

    Waits for those that another transaction has locked; not `even_locked`: leaves them out.
    """
    held = select(LetterRow).where(col(LetterRow.id).in_(letter_ids), LetterRow.claimed_by == by, _QUEUED)
    # By number: of two workers that lock some of the same letters, neither waits for ever.
    held = held.order_by(col(LetterRow.id)).with_for_update(key_share=True, skip_locked=not even_locked)
    # Read anew: what this session has read before the lock may be older than another worker's note.
    return list(session.exec(held.execution_options(populate_existing=True)))


def hand_back(session: Session, letter_ids: Collection[int], by: str, now: datetime) -> None:
    """Ends the leases of the letters that the claim `by` still has, so that another worker can claim them.

    Leaves the lease as it is of a letter that is locked by another transaction, which mostly answers it.
    """
    for letter in held_letters(session, letter_ids, by, even_locked=False):
        put_off(letter, now)


def put_off(letter: LetterRow, until: datetime) -> None:
    """Makes a letter wait in the queue until `until`, and ends its lease."""
    letter.state, letter.next_at, letter.claimed_by = LetterState.QUEUED, until, None


def count_queued(session: Session, now: datetime) -> int:
    """How many queued letters are due and not claimed by any worker."""
    return session.exec(select(func.count()).select_from(LetterRow).where(_QUEUED, col(LetterRow.next_at) <= now)).one()


NO_ADDRESS = ""  # of a letter whose recipient is deleted; None would be its player's own
SECOND = "reminder"  # in the dedupe key of a second mail
ALL_TABLES = (0, 0)  # instead of a table and a seat, in a link that is about all of a player's tables
THE_YEAR = (0, 1)  # likewise, in a link that is about the mail in January


def new_letter(kind: LetterKind, player_id: int, at: datetime, **columns: Any) -> LetterRow:
    """A letter for the time `at` that is not queued yet, and so has no dedupe key; `columns` are those of its row."""
    return LetterRow(kind=kind, player_id=player_id, next_at=at, created_at=at, dedupe="", message_id="", **columns)


def letter_to(
    session: Session, kind: LetterKind, seat: SeatRow, now: datetime, *, about: str | None, **columns: Any
) -> LetterRow:
    """A letter to the player of `seat` that is not queued yet; `columns` are those of its row."""
    assert seat.player_id is not None
    letter = new_letter(kind, seat.player_id, now, table_id=seat.table_id, seat=seat.seat, about=about, **columns)
    schedule(session, letter, session.get_one(PlayerRow, seat.player_id), now)
    return letter


def queue_letter(session: Session, runtime: Runtime, letter: LetterRow, dedupe: str) -> None:
    """Queues a letter under the key `dedupe`, which no other letter has; its Message-ID follows from the key."""
    letter.dedupe = dedupe
    letter.message_id = message_id_of(runtime, dedupe)
    session.add(letter)


def queue_once(session: Session, runtime: Runtime, letter: LetterRow, occasion: str, now: datetime) -> LetterRow | None:
    """Queues a new letter about a table, and returns it; None where the same one is queued or has been sent.

    One that was superseded unsent is queued again, and returned in place of the new one.
    """
    dedupe = f"{letter.kind} {letter.table_id} {letter.seat} {letter.player_id} {occasion}"
    earlier = session.exec(select(LetterRow).where(LetterRow.dedupe == dedupe)).first()
    if earlier is None:
        queue_letter(session, runtime, letter, dedupe)
        return letter
    # A composed one may have arrived, and mail programs hide a second with its Message-ID.
    if earlier.state is not LetterState.SUPERSEDED or earlier.message is not None:
        return None
    schedule(session, earlier, session.get_one(PlayerRow, letter.player_id), now)
    return earlier


def schedule(session: Session, letter: LetterRow, player: PlayerRow, now: datetime) -> None:
    """Sets when a letter is sent, and ends a worker's claim on it.

    A letter that waits for the morning is dated then: so it is on top in the inbox, and not too old to be sent.
    """
    letter.state, letter.claimed_by = LetterState.QUEUED, None
    seat = own_seat(session, letter)
    longest = None if seat is None else timing.longest_hold(session.get_one(TableRow, seat.table_id), letter.about)
    at, held_at = timing.schedule(letter.kind, player, now, seat, longest)
    # From the first time on: else a page that is opened again and again holds it for ever.
    letter.held_at = letter.held_at or held_at
    letter.next_at = letter.created_at = at


def message_id_of(runtime: Runtime, dedupe: str) -> str:
    """The Message-ID for a dedupe key: the same each time, so that mail programs recognise a copy.

    Nobody can guess it, and so nobody can forge a mail that seems to be this one.
    """
    eras = runtime.eras()
    return f"<{message_tag(runtime.keys[0], dedupe, eras[-1].era if eras else '')}@{runtime.settings.sender.domain}>"


def message_tag(key: str, dedupe: str, era: str = "") -> str:
    """Returns the part of a Message-ID before the @, made from that key, era and dedupe key.

    Otherwise a mail program would take a mail after a restore for a copy of one that the restore has lost.
    """
    return hmac.new(key.encode(), f"message-id {dedupe}{era}".encode(), hashlib.sha256).hexdigest()[:32]


def is_stale(letter: LetterRow, stored: TableGame) -> bool:
    """Whether a mail about a game, other than that about turns, need not be sent any more: its reader has muted it.

    Once somebody else has the seat, a mail that shows cards is stale, too; the player who lost it still gets the sheets
    of the hands that they played.
    """
    seat = stored.seats[letter.of_seat]
    if seat.player_id != letter.player_id:
        if letter.kind is LetterKind.ANSWER and seat.stands_in_for == letter.player_id:
            return False  # their own answer, which shows them no card
        return KINDS[letter.kind].shows_cards
    return letter.kind is not LetterKind.ANSWER and not seat.mails  # to that, its reader has just written to us


def hold_back(session: Session, letter: LetterRow, now: datetime) -> bool:
    """Puts off a due letter whose reader is reading the game, unless they requested it. Returns whether it did."""
    until = held_until(session, letter, now)
    if until is None:
        return False
    letter.held_at = letter.held_at or now
    put_off(letter, until)
    # A composed one keeps its date, since an earlier attempt may have arrived.
    if letter.message is None:
        letter.created_at = until
    return True


def held_until(session: Session, letter: LetterRow, now: datetime) -> datetime | None:
    """Until when a letter waits because its reader, who has not requested it, is reading the game; None if it need
    not wait.
    """
    row = None if letter.requested else own_seat(session, letter)
    if row is None:
        return None
    player = session.get_one(PlayerRow, letter.player_id)
    longest = timing.longest_hold(session.get_one(TableRow, row.table_id), letter.about)
    return timing.held_until(letter.kind, row, player, now, letter.held_at or now, longest)


def asked_by(letter: LetterRow) -> Due:
    """The decision that a letter within a game is about."""
    assert letter.about is not None
    return Due(letter.of_hand, letter.about)


def unsubscribe_link(letter: LetterRow, player: PlayerRow) -> UnsubscribeLink | None:
    """The link by which one click stops mail to `player`: about the letter's table, or, if it asks at several, about
    all.

    None if the kind of mail has no such link.
    """
    is_stoppable = letter.kind is LetterKind.YEAR or (letter.table_id is not None and letter.seat is not None)
    return stop_link(letter, player) if is_stoppable and KINDS[letter.kind].has_stop else None


def stop_link(letter: LetterRow, player: PlayerRow) -> UnsubscribeLink:
    """The link that stops what a "stop" in answer to the letter does: mail about its table, or about all, or those of
    its kind.
    """
    if letter.kind is LetterKind.YEAR:
        return UnsubscribeLink(*THE_YEAR, letter.player_id, player.links)
    games = {one[0] for one in letter.asked or ()}
    # After one tap no such mail may come: to mute one of its tables would not stop the next.
    if len(games) > 1 or letter.table_id is None or letter.seat is None:
        return UnsubscribeLink(*ALL_TABLES, letter.player_id, player.links)
    return UnsubscribeLink(letter.table_id, letter.seat, letter.player_id, player.links)


def own_seat(session: Session, letter: LetterRow) -> SeatRow | None:
    """The seat that the letter is about; None if it is about none, or its reader no longer has the seat."""
    if letter.table_id is None or letter.seat is None:
        return None
    row = session.get(SeatRow, (letter.table_id, letter.seat))
    return row if row and row.player_id == letter.player_id else None


# Supersedes unsent letters that have lost their purpose: the seat or the game is over, or the table is muted.
# The mail about turns is none of them: it is composed when it goes, of what waits then.

# While machines are updated one after the other, a newer program may have queued kinds that this one does not know.
_KNOWN = col(LetterRow.kind).in_([kind for kind in LetterKind if kind is not LetterKind.TURNS])
_UNSENT = LetterRow.state == LetterState.QUEUED


def supersede(letters: Iterable[LetterRow]) -> None:
    """Marks letters as superseded: none of them is sent, or sent again."""
    for letter in letters:
        letter.state, letter.next_at = LetterState.SUPERSEDED, None


def supersede_for_lost_seat(session: Session, seat: SeatRow) -> None:
    """Supersedes the unsent letters to the player of `seat`, who is about to lose it.

    They still get the score sheets of hands that they have played.
    """
    unsent = select(LetterRow).where(*_unsent_to_player(seat))
    supersede(session.exec(unsent.where(LetterRow.kind != LetterKind.SCORE_SHEET)))


def supersede_without_seat(session: Session, player_id: int, table_id: int | None) -> None:
    """Supersedes the unsent letters to a player about seats that they do not have, at that table or (None) at any.

    `supersede_for_muted_seats` does the same for seats that they have.
    """
    waiting = select(LetterRow).where(LetterRow.player_id == player_id, _UNSENT, _KNOWN)
    waiting = waiting.where(col(LetterRow.seat).is_not(None))
    waiting = waiting if table_id is None else waiting.where(LetterRow.table_id == table_id)
    supersede([letter for letter in session.exec(waiting).all() if own_seat(session, letter) is None])


def supersede_for_ended_game(session: Session, game_id: int) -> None:
    """Supersedes the unsent letters of a game that the host has ended, if they show cards."""
    waiting = select(LetterRow).where(LetterRow.game_id == game_id, _UNSENT)
    # Else who typed a wrong card just before is told to play another one, in a game that is over.
    supersede(session.exec(waiting.where(col(LetterRow.kind).in_(SHOWING_CARDS))))


def supersede_for_muted_seats(session: Session, seats: Iterable[SeatRow]) -> None:
    """Supersedes the unsent letters about these seats to their players, except those of kinds that ignore muting."""
    for seat in seats:
        unsent = select(LetterRow).where(*_unsent_to_player(seat))
        supersede(session.exec(unsent.where(col(LetterRow.kind).not_in(IGNORING_MUTE))))


def _unsent_to_player(seat: SeatRow) -> tuple[Any, ...]:
    """The conditions that letters about `seat` to its player, still unsent, meet."""
    about = (LetterRow.table_id == seat.table_id, LetterRow.seat == seat.seat)
    return *about, LetterRow.player_id == seat.player_id, _UNSENT, _KNOWN


# Deletes old letters' texts every day.

KEPT_FOR = timedelta(days=30)
AT_ONCE = 200  # letters that one transaction changes


def forget_texts(runtime: Runtime, now: datetime) -> int:
    """Deletes the composed text of letters older than `KEPT_FOR`, what the relay said, which may quote addresses, and
    recipients that are not their players' own addresses. Returns the number of these letters.

    The rows stay, so that no worker sends a mail twice. Each transaction changes a few, so that no turn waits long.
    """
    return in_batches(runtime.database, partial(_old_with_text, now=now), _forget, "letter")


def _old_with_text(session: Session, last: int, *, now: datetime) -> Sequence[int]:
    """The next few of these letters, by number."""
    # One that is still queued may have arrived, and must go once more as it was.
    old = (col(LetterRow.created_at) < now - KEPT_FOR, col(LetterRow.state) != LetterState.QUEUED)
    has_text = or_(col(LetterRow.message).is_not(None), col(LetterRow.address) != NO_ADDRESS)
    found = select(LetterRow.id).where(*old, has_text, LetterRow.id > last)
    return session.exec(found.order_by(col(LetterRow.id)).limit(AT_ONCE)).all()


def _forget(session: Session, letter_ids: Sequence[int]) -> int:
    """Forgets what these letters said, but not what an operator has just queued again. Returns their number."""
    these = col(LetterRow.id).in_(letter_ids), col(LetterRow.state) != LetterState.QUEUED
    session.exec(update(LetterRow).where(*these, col(LetterRow.address).is_not(None)).values(address=NO_ADDRESS))
    return session.exec(update(LetterRow).where(*these).values(message=None, problem=None)).rowcount


# The letters that a worker has claimed: it begins one after the other, and hands back those that it has not begun.
# A letter gets a longer lease when it is begun, because with a slow relay it may take that long.

BEGUN = timedelta(seconds=90)  # the lease of the letter that is being sent
MARGIN = timedelta(seconds=3)  # before the end of a lease, as other machines' clocks may be ahead


class Batch(AbstractContextManager["Batch"]):
    """The letters of the claim `by`, by id. Leaving its context hands back those not begun."""

    def __init__(self, runtime: Runtime, claimed: Mapping[int, Claimed], by: str) -> None:
        self.by = by
        self.claimed = claimed
        self.rest = list(claimed)  # the letters not begun
        self._runtime = runtime
        self._until = runtime.now()  # the end of the lease of the letter begun last

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self.rest:
            with suppress(DatabaseDown), self._runtime.database.writing() as session:  # else their leases end soon
                hand_back(session, self.rest, self.by, self._runtime.now())

    def each(self, seconds: float) -> Iterator[int]:
        """Yields the ids of the letters, one by one; begins none later than `seconds` from now."""
        ends = time.monotonic() + seconds
        while self.rest and time.monotonic() < ends:
            yield self.rest.pop(0)

    @property
    def done(self) -> int:
        """How many letters were begun."""
        return len(self.claimed) - len(self.rest)

    def begin(self, letter: LetterRow) -> None:
        """Gives a letter from `letters.held_letters` its lease, which counts once that transaction has committed."""
        letter.next_at = self._until = self._runtime.now() + BEGUN

    def holds(self) -> bool:
        """Whether the lease of the begun letter still holds, so that no other worker can have claimed it."""
        return self._runtime.now() < self._until - MARGIN
