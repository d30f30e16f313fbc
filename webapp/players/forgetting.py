"""Deletes what is kept about a player, at their wish, and leaves the games of the others whole.

The player's row stays, because games and letters refer to it, but names nobody. Their turns stay: they are the game.
Asking takes a fresh sign-in, and the link that does it comes by mail.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from sqlalchemy import ColumnElement
from sqlmodel import Session, and_, col, delete, exists, func, or_, select, text, update

from webapp import acts
from webapp.accounts import access, sign_ins
from webapp.accounts.address_changes import UNDONE_WITHIN, addresses_of
from webapp.core.addresses import forms_of
from webapp.core.database import in_batches
from webapp.core.runtime import Runtime
from webapp.core.say import ENGLISH, Refused, if_offered, later, say, speaking
from webapp.core.tokens import ForgetLink
from webapp.games.record.links import check_player
from webapp.games.record.rows import lock_tables
from webapp.models import (
    NAMING,
    AddressChangeRow,
    ChangeState,
    GameRow,
    InboundRow,
    LetterKind,
    LetterRow,
    LetterState,
    OperatorAct,
    PlayerRow,
    SeatRow,
    SeatState,
    ShareRow,
    TableRow,
    TableState,
    TalkRow,
)
from webapp.outbox import about_accounts
from webapp.outbox.letters import supersede
from webapp.players.renaming import replace_name, traces_of
from webapp.tables import leaving
from webapp.tables.run_out import KEPT_FOR

SOMEBODY = later("Somebody")
NO_FRESH_SIGN_IN = later("Please sign in afresh first: your sign-in is older than a few minutes.")
JUST_MOVED = later(
    "The address of these games changed not long ago, and the owner of the old one may still take them back. Until "
    "then nothing can be deleted."
)


def ask(runtime: Runtime, player_id: int, sign_in_id: int, now: datetime) -> None:
    """Queues the mail with the link that deletes everything. Raises Refused without a fresh sign-in, or as `forget`."""
    with runtime.database.writing() as session:
        player = session.get_one(PlayerRow, player_id)
        if not sign_ins.is_fresh(session, sign_in_id, player_id, now):
            raise Refused(say(NO_FRESH_SIGN_IN))
        _check_may_forget(session, player, now)
        about_accounts.queue_forget(session, runtime, player, now)
    runtime.bell.deliver()


def player_of(session: Session, link: ForgetLink) -> PlayerRow:
    """The player of the link. Raises LinkInvalid if there is none, LinkExpired if they were forgotten since."""
    return check_player(link, session.get(PlayerRow, link.player_id))


def forget_by_link(runtime: Runtime, link: ForgetLink, now: datetime) -> None:
    """Forgets the player of the link. Raises LinkInvalid, LinkExpired, and Refused as `forget` does."""
    with runtime.database.reading() as session:
        player_of(session, link)
    forget(runtime, link.player_id, now)


def forget(runtime: Runtime, player_id: int, now: datetime, *, by: str | None = None) -> None:
    """Makes the player leave all tables, and deletes what is kept about them. Notes the operator `by`, if one does it.

    Raises LinkInvalid if there is no such player, and Refused while somebody may still take the games back to another
    address. Idempotent: if the process ends in between, the same call does the rest.
    """
    with runtime.database.writing() as session:
        player, _ = access.lock_player_and_games(session, player_id)
        _check_may_forget(session, player, now)
    leaving.leave_all(runtime, player, now)
    with runtime.database.writing() as session:
        player, _ = access.lock_player_and_games(session, player_id)
        erase(session, player, now)
        if by is not None:
            acts.note_act(session, OperatorAct.FORGET, by, now, player_id=player_id)


def erase(session: Session, player: PlayerRow, now: datetime) -> None:
    """Deletes what is kept about a player who has left all tables. Needs a lock on them and their tables."""
    access.end_all_access(session, player, now)
    _forget_mail(session, player)
    # What they said at tables, wrote to guests and gave for shuffles, and the links to results that they share.
    session.exec(delete(TalkRow).where(col(TalkRow.player_id) == player.id))
    session.exec(update(TableRow).where(col(TableRow.host_id) == player.id).values(words=None))
    session.exec(update(SeatRow).where(col(SeatRow.player_id) == player.id).values(shuffle_words=None))
    for seat in session.exec(select(SeatRow).where(SeatRow.stands_in_for == player.id)):
        seat.lent = seat.lent and replace(seat.lent, words=None)
    shared = (col(ShareRow.player_id) == player.id, col(ShareRow.ended_at).is_(None))
    session.exec(update(ShareRow).where(*shared).values(number=col(ShareRow.number) + 1, ended_at=now))
    # Others at their tables may read another language; most share that of the player.
    with speaking(if_offered(player.language)):
        replace_name(session, player, say(SOMEBODY))
    _empty(player, now)


def _check_may_forget(session: Session, player: PlayerRow, now: datetime) -> None:
    """Else an intruder who has changed the address could delete what its owner may take back."""
    done = select(AddressChangeRow.id).where(AddressChangeRow.player_id == player.id)
    done = done.where(AddressChangeRow.state == ChangeState.DONE, col(AddressChangeRow.ended_at) > now - UNDONE_WITHIN)
    if session.exec(done.limit(1)).first() is not None:
        raise Refused(say(JUST_MOVED))


def _forget_mail(session: Session, player: PlayerRow) -> None:
    """Deletes the texts and addresses of all mail to and from the player, and their name from letters to others.

    Nothing more is sent.
    """
    own = select(LetterRow).where(LetterRow.player_id == player.id)
    supersede(session.exec(own.where(LetterRow.state == LetterState.QUEUED)))
    session.flush()
    gone = {"message": None, "subject": None, "problem": None, "address": None}
    session.exec(update(LetterRow).where(col(LetterRow.player_id) == player.id).values(**gone))
    asked_as = (col(LetterRow.player_id) == player.id, col(LetterRow.kind) == LetterKind.JOIN)
    session.exec(update(LetterRow).where(*asked_as).values(about=SOMEBODY))
    # Letters to others at their tables may be about them.
    traces = traces_of(session, player)
    at_tables = col(LetterRow.table_id).in_({table for table, _ in traces.places})
    naming = select(LetterRow).where(text(NAMING), at_tables, col(LetterRow.about).in_(traces.names))
    for letter in session.exec(naming):
        letter.about, letter.dedupe = SOMEBODY, f"{letter.kind} {letter.id} about somebody"
    addresses = addresses_of(session, player)
    theirs = or_(func.lower(InboundRow.sender).in_(forms_of(addresses)), InboundRow.player_id == player.id)
    session.exec(update(InboundRow).where(theirs).values(raw=None, sender=""))
    own_changes = col(AddressChangeRow.player_id) == player.id
    session.exec(update(AddressChangeRow).where(own_changes).values(old_address="", new_address=""))


def _empty(player: PlayerRow, now: datetime) -> None:
    """Leaves nothing in the row that says who the player was. Nothing is ever sent to its address."""
    player.address = f"{player.id}@forgotten.invalid"  # no address ends like that (RFC 2606)
    player.time_zone, player.language = "UTC", ENGLISH
    player.seen_at = player.browser_at = player.turns_at = None
    player.quiet_from = player.quiet_to = player.holidays = player.closed = None
    player.rating_mean = player.rating_doubt = None
    player.days_off, player.daily_at = 0, 8
    player.invitations = player.year_mail = player.push_only = False
    player.unreachable_at = player.forgotten_at = now


# Forgets people whom others have named and who never did anything here themselves: guests, friends, typing errors.
# Their row stays without a name, as that of a player who wants to be forgotten. People who want no more mail keep their
# address, which is how that wish is kept: see `_is_forgettable`.

PLAYERS_AT_ONCE = 5  # each takes some twenty statements


def forget_silent_guests(runtime: Runtime, now: datetime) -> int:
    """Forgets everybody who has done nothing, has no seat, and got no mail for KEPT_FOR. Idempotent.

    Each transaction forgets a few. Returns how many it has forgotten.
    """
    find, change = partial(_players_after, now=now), partial(_forget, now=now)
    return in_batches(runtime.database, find, change, "player")


def _players_after(session: Session, last: int, *, now: datetime) -> Sequence[int]:
    found = select(PlayerRow.id).where(_is_forgettable(now), PlayerRow.id > last)
    return session.exec(found.order_by(col(PlayerRow.id)).limit(PLAYERS_AT_ONCE)).all()


def _forget(session: Session, player_ids: Sequence[int], *, now: datetime) -> int:
    """Forgets those of the players who still may be forgotten once they are locked. Returns how many."""
    lock_tables(session, session.exec(select(SeatRow.table_id).where(col(SeatRow.player_id).in_(player_ids))).all())
    # Their keys, too. We pass over a person whom a host is just inviting; a later invitation adds a new player.
    locked = select(PlayerRow.id).where(col(PlayerRow.id).in_(player_ids)).with_for_update(skip_locked=True)
    held = session.exec(locked).all()
    # A statement of its own sees what was committed before the locks.
    found = select(PlayerRow).where(col(PlayerRow.id).in_(held), _is_forgettable(now)).order_by(col(PlayerRow.id))
    players = session.exec(found.execution_options(populate_existing=True)).all()
    for player in players:
        erase(session, player, now)
    return len(players)


def _is_forgettable(now: datetime) -> ColumnElement[bool]:
    """Selects players who never did anything, whom nobody has asked for KEPT_FOR, and who have no seat.

    Not those who want no invitations, or whose address has complained or bounced: nothing may be sent there again.
    """
    before, player_id = now - KEPT_FOR, col(PlayerRow.id)
    was_mailed = exists().where(col(LetterRow.player_id) == player_id, col(LetterRow.created_at) > before)
    # A seat that they declined or never confirmed is none.
    is_begun = exists().where(col(GameRow.table_id) == col(TableRow.id))
    is_closed = and_(col(TableRow.state) == TableState.OVER, ~is_begun)
    is_left = or_(col(SeatRow.state) == SeatState.DECLINED, is_closed)
    own = exists().where(col(SeatRow.player_id) == player_id, col(SeatRow.table_id) == col(TableRow.id), ~is_left)
    offered = exists().where(col(SeatRow.offered_to) == player_id)
    lent = exists().where(col(SeatRow.stands_in_for) == player_id)
    return and_(
        *(col(PlayerRow.seen_at).is_(None), col(PlayerRow.forgotten_at).is_(None)),
        *(col(PlayerRow.invitations).is_(True), col(PlayerRow.unreachable_at).is_(None)),
        *(col(PlayerRow.created_at) < before, ~was_mailed, ~or_(own, offered, lent)),
    )
