"""Composes the letters of a chunk: first their texts, and then, in one short transaction, what becomes of them.

The texts are composed while nothing is locked: SQLite lets nobody else write during a transaction, and composing takes
far longer than to store the texts. Rows that several letters need are loaded once: `get_one` finds without a statement
what its session has loaded. The transaction waits for no lock on a row while it holds several letters; what somebody
else has locked is composed by itself. `sending` sends what this module returns.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam
from sqlmodel import Session, and_, col, select

from webapp.accounts.devices import players_with_devices
from webapp.core.addresses import Purpose
from webapp.core.database import DatabaseDown
from webapp.core.idn import address_in_ascii
from webapp.core.log import about
from webapp.core.runtime import Runtime
from webapp.kinds import KINDS
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow, SeatRow
from webapp.outbox import allowance, bounces, digests, leases, letters, together
from webapp.robots import reviews
from worker import attempts
from worker.batch import Batch
from worker.mail import compose
from worker.notify import Notice, notice_of
from worker.text_parts import source

log = logging.getLogger(__name__)

# Built once, as those in `games.store`.
_LETTERS = select(LetterRow).where(col(LetterRow.id).in_(bindparam("ids", expanding=True)))
_PLAYERS = select(PlayerRow).where(col(PlayerRow.id).in_(bindparam("ids", expanding=True)))
_SEATS = (
    select(SeatRow)
    .join(LetterRow, and_(LetterRow.table_id == SeatRow.table_id, LetterRow.seat == SeatRow.seat))
    .where(col(LetterRow.id).in_(bindparam("ids", expanding=True)))
)


class Outgoing(NamedTuple):
    """A letter as the relay gets it. `is_new`: no earlier attempt can have delivered it."""

    letter: LetterRow
    sender: str
    address: str
    content: bytes
    is_new: bool


@dataclass(frozen=True, slots=True)
class Composed:
    """What came of a chunk: notices to send, letters for the relay, and the ids of those to compose by themselves."""

    notices: list[Notice] = field(default_factory=list)
    going: list[Outgoing] = field(default_factory=list)
    alone: list[int] = field(default_factory=list)


class _Text(NamedTuple):
    """The text of a letter to `address`, which covers so many turns of the game. Empty if nobody needs it any more."""

    address: str
    turns: int | None
    subject: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class _Chunk:
    """The letters of a chunk, locked, with what is loaded once for all of them."""

    runtime: Runtime
    session: Session
    now: datetime
    held: Sequence[LetterRow]
    texts: Mapping[int, _Text]
    pauses: Mapping[str, datetime]  # the end of each pause, by domain
    with_several: Collection[int]  # players with several questions that are due
    with_devices: Collection[int]  # players
    rows: tuple[Sequence[object], ...]  # held here, because a session forgets those that nobody holds
    made: Composed


def compose_chunk(runtime: Runtime, batch: Batch, ids: Sequence[int]) -> Composed:
    """Composes those of the letters that are still queued. One that cannot be composed is put off, and no other."""
    if len(ids) == 1:
        with about(letter=ids[0]):
            return _composed_alone(runtime, batch, ids[0])
    try:
        return _composed(runtime, batch, ids, _texts(runtime, batch, ids))
    except DatabaseDown:
        raise
    except Exception as error:  # noqa: BLE001  the letter at fault is found, and logged, when it is alone
        log.warning("%d letters are composed one by one (%s)", len(ids), type(error).__name__)
        return Composed(alone=list(ids))


def _composed_alone(runtime: Runtime, batch: Batch, letter_id: int) -> Composed:
    try:
        return _composed(runtime, batch, [letter_id], _texts(runtime, batch, [letter_id]))
    except DatabaseDown:
        raise
    except Exception:  # one letter that cannot be composed must not hold up the others
        log.exception("letter %d could not be composed", letter_id)
        attempts.put_off_not_composed(runtime, letter_id, batch.by)
        return Composed()


def _texts(runtime: Runtime, batch: Batch, ids: Sequence[int]) -> dict[int, _Text]:
    """The texts of the letters, as far as they can be composed without a lock, and need not be one mail with others."""
    plain = [one for one in ids if batch.kinds[one] is not LetterKind.DIGEST]
    for letter_id in plain:
        reviews.prepare(runtime, letter_id, batch.kinds[letter_id])
    if not plain:
        return {}
    found = {}
    with runtime.database.reading() as session:
        rows = session.exec(_LETTERS, params={"ids": plain}).all()
        players = {row.player_id for row in rows}
        session.exec(_PLAYERS, params={"ids": list(players)}).all()
        several = together.players_with_several(session, players, runtime.now())
        for row in rows:
            if row.player_id not in several and (text := _text(runtime, session, row)):
                found[row.id] = text
    return found


def _text(runtime: Runtime, session: Session, letter: LetterRow) -> _Text | None:
    """The text of a letter; None if it cannot be composed."""
    try:
        return _composed_text(runtime, session, letter)
    except DatabaseDown:
        raise
    except Exception:  # noqa: BLE001  it is composed once more by itself, and then this is logged
        return None


def _composed_text(runtime: Runtime, session: Session, letter: LetterRow) -> _Text:
    message = compose(runtime, session, letter)
    address = letter.address or session.get_one(PlayerRow, letter.player_id).address
    if message is None:
        return _Text(address, letter.turns)
    return _Text(address, letter.turns, message["Subject"], source(message))


def _composed(runtime: Runtime, batch: Batch, ids: Sequence[int], texts: Mapping[int, _Text]) -> Composed:
    """What becomes of these letters, in one transaction. A single one without a text is composed here."""
    with runtime.database.writing() as session:
        chunk = _locked(runtime, session, batch, ids, texts)
        drafts: list[tuple[LetterRow, _Text]] = []
        for letter in chunk.held:
            if leases.is_held(letter, batch.by):  # else a digest asks it by now, with another one of this chunk
                batch.begin(letter)
                text = _draft(chunk, letter, may_compose=len(ids) == 1)
                drafts.extend([(letter, text)] if text else [])
        waits = allowance.take(session, runtime, [(letter, _recipient(text)) for letter, text in drafts], chunk.now)
        for letter, text in drafts:
            if until := waits.get(letter.id):
                together.wait_for_room(session, runtime, letter, until, chunk.now)
            else:
                chunk.made.going.append(_outgoing(chunk, letter, text))
    return chunk.made


def _locked(runtime: Runtime, session: Session, batch: Batch, ids: Sequence[int], texts: Mapping[int, _Text]) -> _Chunk:
    """Locks those of the letters that are queued and that no other worker has; of several, those that are free."""
    if len(ids) == 1 and batch.kinds[ids[0]] is LetterKind.DIGEST:  # the lock order is players, then their letters
        bounces.lock_player(session, session.get_one(LetterRow, ids[0]))
    held = leases.held_letters(session, ids, batch.by, even_locked=len(ids) == 1)
    players, now = {letter.player_id for letter in held}, runtime.now()
    return _Chunk(
        runtime,
        session,
        now,
        held,
        texts,
        attempts.pauses(session, now),
        together.players_with_several(session, players, now),
        players_with_devices(session, players) if runtime.push_key else (),
        (
            session.exec(_PLAYERS, params={"ids": list(players)}).all(),
            session.exec(_SEATS, params={"ids": [letter.id for letter in held]}).all(),
        ),
        Composed(alone=[] if len(ids) == 1 else sorted({*ids} - {letter.id for letter in held})),
    )


def _draft(chunk: _Chunk, letter: LetterRow, *, may_compose: bool) -> _Text | None:
    """The text to send; None if the letter need not, or cannot go now. Adds to `chunk.made` what notifies devices.

    A question that is due together with others is not sent: a digest asks them all. It waits while somebody else has
    locked one of them.
    """
    session, runtime, due = chunk.session, chunk.runtime, [letter]
    if letter.player_id in chunk.with_several:
        due = together.due_together(session, letter, chunk.now)
    may_notify = letter.player_id in chunk.with_devices
    notices = [notice for one in due if may_notify and (notice := notice_of(runtime, session, one))]
    chunk.made.notices.extend(notices)
    notified = {notice.letter_id for notice in notices if notice.replaces_mail}
    mailed = [one for one in due if one.id not in notified]
    if len(mailed) > 1:
        together.ask_together(session, runtime, mailed, chunk.now)
        return None
    if letter not in mailed or _has_to_wait(chunk, letter):
        return None
    return _text_now(chunk, letter, may_compose=may_compose)


def _has_to_wait(chunk: _Chunk, letter: LetterRow) -> bool:
    """Whether the letter cannot go now, which is then recorded in its row."""
    player = chunk.session.get_one(PlayerRow, letter.player_id)
    if player.unreachable_at and letter.address is None and not KINDS[letter.kind].proves_address:
        letter.state, letter.next_at = LetterState.WITHHELD, None
        attempts.count(letter, "withheld", player.address)
        return True
    if letters.hold_back(chunk.session, letter, chunk.now):
        return True
    address = address_in_ascii(letter.address or player.address)
    if until := attempts.waits_for_domain(chunk.session, letter, address, chunk.pauses, chunk.now):
        leases.put_off(letter, until)
        return True
    return False


def _text_now(chunk: _Chunk, letter: LetterRow, *, may_compose: bool) -> _Text | None:
    """The text to send; None if the letter is superseded now, or has to be composed by itself."""
    text = chunk.texts.get(letter.id)
    address = letter.address or chunk.session.get_one(PlayerRow, letter.player_id).address
    if text is None or text.address != address:  # the player may have changed it since
        if not may_compose:
            chunk.made.alone.append(letter.id)
            return None
        text = _composed_text(chunk.runtime, chunk.session, letter)
    if not text.message:
        letter.state, letter.next_at = LetterState.SUPERSEDED, None
        return None
    return text


def _outgoing(chunk: _Chunk, letter: LetterRow, text: _Text) -> Outgoing:
    """The letter as the relay gets it. Stores its text: later attempts send the same, as this one may have arrived."""
    is_new = letter.message is None
    if is_new:
        letter.subject, letter.message, letter.turns = text.subject, text.message, text.turns
        if letter.kind is LetterKind.DIGEST:
            digests.mark_reported(chunk.session, letter)
    assert letter.message is not None
    # The text is ASCII by now, or UTF-8 if the address is: parsing it here would fold the lines anew.
    content = letter.message.replace("\r\n", "\n").replace("\n", "\r\n").encode()
    return Outgoing(letter, _envelope_sender(chunk.runtime, letter), _recipient(text), content, is_new)


def _recipient(text: _Text) -> str:
    return address_in_ascii(text.address)


def _envelope_sender(runtime: Runtime, letter: LetterRow) -> str:
    """The address for reports about this letter: one of its own if `inbox` takes mails, else that of MAIL_FROM."""
    if runtime.settings.reply_domain:
        return runtime.postmark.address(Purpose.BOUNCE, letter.id)
    return runtime.settings.sender.addr_spec
