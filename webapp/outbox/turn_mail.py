"""The mail about a player's turns: one at a time, composed when it goes, with all that waits for them at all tables.

`timing` says when it goes. Nothing is queued while nothing goes: `PlayerRow.turns_at` is when to look next.
Whoever gives a player a question, hears from them or moves a deadline notes that; a worker that finds the time come
calls `queue_due`. Players are locked before their letters, and one player in a transaction, so that no turn waits for
long.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any, Final, NamedTuple, Self

from sqlalchemy import ColumnElement, and_, bindparam, case
from sqlmodel import Session, col, func, or_, select, update
from sqlmodel.sql.sqltypes import UTCDateTime

from hearts.seats import Seat
from hearts.turns import Deal
from webapp.core.database import one_by_one
from webapp.core.runtime import Runtime
from webapp.games.asked.due import due_of
from webapp.games.asked.running import RunningGame, running_games
from webapp.games.asked.whose_turn import asked_of
from webapp.games.clock.pace import is_first_question, is_live, pace_for, pace_of
from webapp.games.clock.presence import READING_FOR, absent_from
from webapp.games.clock.vacation import vacation_of, was_taken_for
from webapp.games.record.store import TableGame
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow, SeatRow, TurnRow, TurnSource
from webapp.outbox.letters import message_id_of, new_letter, put_off, supersede
from webapp.outbox.timing import A_DAY, DAY, GAP, Cause, Key, Mailed, Missed, Waiting, When, next_turn_mail

AT_ONCE: Final = 50  # players at whom a worker looks before it sends what it has found
LOOK_AGAIN: Final = timedelta(minutes=10)  # while a mail is on its way, which mostly goes at once
AGAIN_AFTER: Final = timedelta(minutes=10)  # after the last mail, before its player can have it sent again
FAILED_FOR: Final = timedelta(minutes=1)  # a player who cannot be looked at is looked at again then
PLAYED: Final = "played"  # in the key of what was missed: we have played for its player
_OUT: Final = (LetterState.SENT, LetterState.KEPT, LetterState.NOTIFIED, LetterState.BOUNCED, LetterState.FAILED)
_TURNS: Final = LetterRow.kind == LetterKind.TURNS
_UNLIMITED: Final = (Cause.CALL, Cause.REPLY, Cause.NUDGE)


def gap_of(runtime: Runtime) -> timedelta:
    """The least time between two of these mails; on a service for trials, a tenth of the shortest pace there."""
    shortest = runtime.settings.shortest_pace_seconds
    return GAP if shortest is None else min(GAP, timedelta(seconds=shortest) / 10)


class _TurnMail(NamedTuple):
    shown: list[list[Any]] | None  # the questions that it has shown, as its row keeps them
    reason: str | None
    sent_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Look:
    """The facts that decide on a player's mail about turns, and that it shows: read once for each mail."""

    waiting: Sequence[Waiting]
    mailed: Mailed
    missed: Sequence[Missed]

    def next_mail(self, runtime: Runtime, player: PlayerRow) -> When | None:
        """When the next mail should go; it may be in the past. None: never by itself."""
        return next_turn_mail(player, self.waiting, self.mailed, self.missed, gap_of(runtime))

    def once_gone(self, letter: LetterRow, now: datetime) -> Self:
        """The same once the letter has gone: its player has been shown what it asks, and what they missed."""
        asked, (lately, _, called_at) = _asked(letter), self.mailed
        lately = lately if letter.reason in _UNLIMITED else [now, *lately][:A_DAY]
        return replace(
            self,
            waiting=[replace(one, shown_at=now) if one.key in asked else one for one in self.waiting],
            mailed=Mailed(lately, now, now if letter.reason == Cause.CALL else called_at),
            missed=(),
        )


def look_at(session: Session, player: PlayerRow, now: datetime) -> Look:
    games = _mailed_games(session, player)
    asked = _waiting_in_all(games, player)
    # As far back as a rule looks: a day for the limit, and all since they did something for last calls.
    since = min(now - DAY, player.seen_at or player.created_at, *(one.asked_at for one in asked))
    mails = _mails_since(session, player, since)
    mailed = _mailed(mails, now)
    return Look(_with_mails(asked, mails), mailed, missed_by(session, player, mailed, games))


def waiting_for(session: Session, player: PlayerRow) -> list[Waiting]:
    """The questions to the player at all tables that they have not muted, the earliest deadline first; at a live pace
    only the first question of a game. Nothing that a robot plays, nothing where the game rests.
    """
    asked = _waiting_in_all(_mailed_games(session, player), player)
    since = min((one.asked_at for one in asked), default=None)
    return _with_mails(asked, _mails_since(session, player, since)) if since else []


def _waiting_in_all(games: Sequence[RunningGame], player: PlayerRow) -> list[Waiting]:
    """The questions in these `_mailed_games`, the earliest deadline first, without what mails have shown."""
    found = [
        one
        for game in games
        if game.waiting and not game.mine.away
        for hand in game.stored.open_hands()
        if (one := _waiting_in(hand, game.mine, player)) is not None
    ]
    return sorted(found, key=_urgency)


def _mailed_games(session: Session, player: PlayerRow) -> list[RunningGame]:
    games = running_games(session, player.id)
    return [game for game in games if game.mine.mails and not game.table.rests]


def _waiting_in(hand: TableGame, mine: SeatRow, player: PlayerRow) -> Waiting | None:
    """The question of the hand to the player of the seat, and when the table's page has shown it; None without any."""
    seat, pace = Seat(mine.seat), pace_of(hand)
    due, asked_at = asked_of(hand, seat), hand.clock.asked_since(mine.seat, mine.player_id)
    if due is None or asked_at is None:
        return None
    # After their first card all are at a live table: each further mail would come after its answer.
    if is_live(pace) and not is_first_question(hand, seat):
        return None
    one = Waiting(hand, Key(hand.id, mine.seat, due.hand, due.what), asked_at, hand.clock.due_at, pace)
    if is_live(pace):
        page_at = absent_from(mine)
    else:
        # An open page asks by itself whether there is news: only a touch says that somebody looks.
        page_at = min(mine.here_at, player.seen_at) if mine.here_at and player.seen_at else None
    # A page that was left before the question came up has not shown it.
    return replace(one, shown_at=page_at) if page_at and page_at >= asked_at else one


# Built once, as each mail about turns needs it. Mails whose links are dead and whose answers do not count have shown
# nothing.
_HAS_SHOWN = and_(col(LetterRow.id) > bindparam("lost"), col(LetterRow.state).in_(_OUT))
_SINCE = or_(col(LetterRow.sent_at) >= bindparam("since"), col(LetterRow.created_at) >= bindparam("since"))
_SHOWN = case((_HAS_SHOWN, col(LetterRow.asked)))
_MAILS = select(_SHOWN, LetterRow.reason, LetterRow.sent_at, LetterRow.created_at).order_by(col(LetterRow.id))
_MAILS = _MAILS.where(LetterRow.player_id == bindparam("player"), _TURNS, _SINCE)


def _mails_since(session: Session, player: PlayerRow, since: datetime) -> Sequence[_TurnMail]:
    """The mails about turns to the player that went, or should have gone, since then, oldest first."""
    found = session.exec(_MAILS, params={"player": player.id, "lost": player.letters_lost, "since": since})
    return [_TurnMail(*one) for one in found]


def _with_mails(asked: Sequence[Waiting], mails: Iterable[_TurnMail]) -> list[Waiting]:
    """The same questions, with when mails have shown them; not mails that went before they were asked anew."""
    shown = {Key(*one): mail.sent_at or mail.created_at for mail in mails for one in mail.shown or ()}

    def shown_at(one: Waiting) -> datetime | None:
        mailed_at = shown.get(one.key)
        # A question that came back, as after a rest, was not shown by the mail before that.
        times = [one.shown_at, mailed_at if mailed_at and mailed_at >= one.asked_at else None]
        return max((at for at in times if at), default=None)

    return [replace(one, shown_at=shown_at(one)) for one in asked]


def _urgency(one: Waiting) -> tuple[bool, datetime, Key]:
    return one.due_at is None, one.due_at or one.asked_at, one.key


def missed_by(session: Session, player: PlayerRow, mailed: Mailed, games: Sequence[RunningGame]) -> list[Missed]:
    """The deadlines that the player has missed since the last mail about their turns, and since they did something, in
    these `_mailed_games`.
    """
    since = max((at for at in (mailed.last_at, player.seen_at) if at), default=None)
    played = [one for game in games for one in _played_for(session, game, since)]
    return played + [one for game in games for one in _spared(session, game, since)]


def _played_for(session: Session, game: RunningGame, since: datetime | None) -> list[Missed]:
    """The turns that we have played for the player of a game who was late; not for who had their seat before.

    At a live pace, once: when a robot plays on for them, or when they missed their first without being there.
    """
    first, pace = game.stored.turns_before(game.seat), pace_for(game.table, "play")
    late = (one for one in game.stored.records[first:] if one.source is TurnSource.TIMEOUT)
    numbers = [one.number for one in late if not isinstance(one.turn, Deal) and one.turn.seat == game.seat]
    if not numbers:
        return []
    # Their rows alone know when each was played.
    rows = select(TurnRow).where(TurnRow.game_id == game.row.id, col(TurnRow.number).in_(numbers))
    rows = rows if since is None else rows.where(col(TurnRow.at) > since)
    mine = session.exec(rows.order_by(col(TurnRow.number))).all()
    if not mine or (is_live(pace) and not game.mine.away and game.mine.missed != 1):
        return []
    if is_live(pace) and not game.mine.away:
        leaves_at = absent_from(game.mine)
        # Who was at the page has seen it happen.
        mine = [row for row in mine if leaves_at is None or leaves_at <= row.at]
    goes_on = game.mine.away or is_live(pace)
    keys = ((row, Key(game.row.id, game.mine.seat, row.hand or game.hand.hand, PLAYED)) for row in mine)
    return [Missed(key, game.table.id, row.at, pace, goes_on) for row, key in keys]


def _spared(session: Session, game: RunningGame, since: datetime | None) -> list[Missed]:
    """The spare day that was taken for the player instead, if it still runs; of several hands, for one of them."""
    taken_at = vacation_of(game.mine).taken_at
    if taken_at is None or (since is not None and taken_at <= since):
        return []
    for hand in game.stored.open_hands():
        due = due_of(hand.game, game.seat)
        if due is not None and was_taken_for(game.mine, due):
            key = Key(hand.id, game.mine.seat, due.hand, due.what)
            return [Missed(key, game.table.id, taken_at, pace_of(hand))]
    return []


def _mailed(mails: Iterable[_TurnMail], now: datetime) -> Mailed:
    """The same mails as the rules for the next one see them."""
    sent = [(one.sent_at, one.reason) for one in mails if one.sent_at]
    sent.sort(key=itemgetter(0), reverse=True)
    lately = [at for at, why in sent if at > now - DAY and why not in _UNLIMITED]
    called_at = next((at for at, why in sent if why == Cause.CALL), None)
    return Mailed(lately[:A_DAY], sent[0][0] if sent else None, called_at)


def queue_due(runtime: Runtime, now: datetime, most: int = AT_ONCE) -> int:
    """Queues the mails about turns whose time has come. Returns at how many players it looked, `most` at most.

    A player whom another transaction has locked is left to the next look.
    """
    until = _noted_by(runtime, now)
    # Found without a lock, and each looked at in a transaction of their own: that folds many games.
    with runtime.database.reading() as session:
        due = select(PlayerRow.id).where(*_is_due(until)).order_by(col(PlayerRow.turns_at)).limit(most)
        player_ids = session.exec(due).all()

    def look(player_id: int) -> None:
        with runtime.database.writing() as session:
            found = select(PlayerRow).where(PlayerRow.id == player_id, *_is_due(until))
            for player in session.exec(found.with_for_update(key_share=True, skip_locked=True)):
                plan(session, runtime, player, now)

    def put_off(player_id: int) -> None:
        with runtime.database.writing() as session:
            session.get_one(PlayerRow, player_id, with_for_update={"key_share": True}).turns_at = now + FAILED_FOR

    one_by_one("player", player_ids, look, put_off)
    return len(player_ids)


def count_due(session: Session, runtime: Runtime, now: datetime) -> int:
    """How many players wait for a worker to look whether a mail about their turns goes."""
    return session.exec(select(func.count()).select_from(PlayerRow).where(*_is_due(_noted_by(runtime, now)))).one()


def _noted_by(runtime: Runtime, now: datetime) -> datetime:
    """The latest `PlayerRow.turns_at` that is due at `now`. Code that notes an act does not know the gap."""
    return now + READING_FOR - min(READING_FOR, gap_of(runtime))


def plan(session: Session, runtime: Runtime, player: PlayerRow, now: datetime) -> None:
    """Queues the mail about the player's turns if it should go by now, else notes when to look again.

    The player is locked. While one is on its way there is no other: it shows what waits when it goes.
    """
    since = min(player.turns_at or now, now)
    # `bounces.clear` has a worker look again once their address works.
    if player.unreachable_at is not None:
        player.turns_at = None
        return
    last, is_coming = _last(session, player.id)
    if is_coming:
        player.turns_at = now + LOOK_AGAIN
        return
    look = look_at(session, player, now)
    when = look.next_mail(runtime, player)
    player.turns_at = when.at if when is not None and when.at > now else None
    if when is not None and when.at <= now:
        # Dated when it should have gone: a deadline moves by as long as the workers were down.
        letter = _queue(session, runtime, player, last, when.why, max(when.at, since), now)
        note_asked(letter, look.waiting, look.missed)


def mail_now(
    session: Session, runtime: Runtime, player: PlayerRow, now: datetime, why: Cause = Cause.REPLY
) -> LetterRow | None:
    """Mails what waits for the player at once, read or not: they have just answered by mail, or somebody wants them to
    be asked again. Returns the letter; None if nothing waits, or nothing may be sent. The player is locked.
    """
    # What the caller has just changed is to count.
    session.flush()
    waiting = waiting_for(session, player)
    if not waiting or player.unreachable_at is not None:
        return None
    letter = _pending(session, player.id)
    if letter is not None and letter.message is not None:  # it shows what was, perhaps with dead links
        supersede([letter])
        letter = None
    letter = letter or _queue(session, runtime, player, _last(session, player.id)[0], why, now, now)
    letter.requested, letter.reason = True, why
    note_asked(letter, waiting)
    put_off(letter, now)
    return letter


def after_reply(runtime: Runtime, player_id: int, now: datetime) -> None:
    """Mails what waits for a player who has just answered by mail, unless a mail that shows it went meanwhile, or is on
    its way.
    """
    with runtime.database.writing() as session:
        player = session.get_one(PlayerRow, player_id, with_for_update={"key_share": True})
        letter = _pending(session, player_id)
        coming = _asked(letter) if letter and letter.message else set()
        shown_since = player.seen_at or now
        waiting = waiting_for(session, player)
        if all(one.key in coming or (one.shown_at and one.shown_at > shown_since) for one in waiting):
            return
        mail_now(session, runtime, player, now)
    runtime.bell.deliver()


def look_before(session: Session, runtime: Runtime, letter: LetterRow, player: PlayerRow, now: datetime) -> Look | None:
    """The look at what a queued mail about turns shows, if it goes now, as things stand by now; None if not. Then the
    mail is superseded, and the next planned.

    The player is locked. One that may have arrived goes once more as it was, if anything of it still waits.
    """
    look = look_at(session, player, now)
    if letter.message is not None:
        asked = _asked(letter)
        goes = not asked or any(one.key in asked for one in look.waiting)
    elif letter.requested:
        # Who has asked for it gets it, whatever gap and limit say.
        goes = bool(look.waiting)
    else:
        when = look.next_mail(runtime, player)
        if goes := when is not None and when.at <= now:
            letter.reason = when.why
    if goes:
        return look
    supersede([letter])
    # The row must say first that this letter goes not: else it is taken for one on its way.
    session.flush()
    plan(session, runtime, player, now)
    return None


def note_asked(letter: LetterRow, waiting: Sequence[Waiting], missed: Sequence[Missed] = ()) -> None:
    """Notes what a mail shows that is composed with what waits; the columns name the first, so that a reply finds it.
    Where nothing waits any more, they name what was missed, so that a reply can say "back".
    """
    letter.asked = [list(one.key) for one in waiting]
    if waiting:
        key, letter.table_id, letter.turns = waiting[0].key, waiting[0].stored.table.id, waiting[0].stored.row.turns
    elif missed:
        key, letter.table_id, letter.turns = missed[-1].key, missed[-1].table_id, None
    else:
        return
    letter.game_id, letter.seat, letter.hand, letter.about = key


_NOTED = col(PlayerRow.turns_at)
_NOW, _NEXT = (bindparam(name, type_=UTCDateTime()) for name in ("now", "next"))
# Built once. What somebody has noted meanwhile, the time that was found when the mail was composed does not know.
_NOTE_OUT = update(PlayerRow).where(col(PlayerRow.id) == bindparam("player"))
_NOTE_OUT = _NOTE_OUT.values(turns_at=case((_NOTED.is_(None), _NEXT), (_NOTED < _NOW, _NOTED), else_=_NOW))


def note_out(session: Session, player_id: int, now: datetime, next_at: datetime | None) -> None:
    """Notes when a worker looks next, mostly for a last call, once a mail about turns has gone, whose row the caller
    changes: at `next_at`, which was found when it was composed. Locks the player.
    """
    # Past the ORM: no caller has loaded the player.
    session.connection().execute(_NOTE_OUT, {"player": player_id, "now": now, "next": next_at})


def _asked(letter: LetterRow) -> set[Key]:
    return {Key(*one) for one in letter.asked or ()}


def was_just_mailed(session: Session, player_id: int, key: Key, now: datetime) -> bool:
    """Whether a mail that shows the question went out less than `AGAIN_AFTER` ago, or was just asked for."""
    since = now - AGAIN_AFTER
    # Also one that was asked for and has not gone yet: two taps within a second are one mail.
    out = or_(col(LetterRow.state).in_(_OUT), col(LetterRow.requested))
    lately = or_(col(LetterRow.sent_at) > since, LetterRow.created_at > since)
    found = select(LetterRow.asked).where(LetterRow.player_id == player_id, _TURNS, out, lately)
    return any(list(key) in (asked or ()) for asked in session.exec(found))


def was_nudged(session: Session, player_id: int, key: Key, since: datetime) -> bool:
    """Whether somebody at the table has had the player reminded of the question, asked at `since`."""
    nudges = (LetterRow.player_id == player_id, _TURNS, LetterRow.reason == Cause.NUDGE, LetterRow.created_at >= since)
    return any(list(key) in (asked or ()) for asked in session.exec(select(LetterRow.asked).where(*nudges)))


def unshown(session: Session, stored: TableGame, seat: Seat, now: datetime) -> tuple[LetterRow | None, datetime] | None:
    """The mail that should have shown the hand's question to the seat's player, and when it should have gone; None if
    they have seen it, or need no mail. None for the letter: no worker has queued it yet.
    """
    row = stored.seats[seat]
    player = session.get(PlayerRow, row.player_id) if row.player_id and row.mails else None
    found = _waiting_in(stored, row, player) if player is not None and player.unreachable_at is None else None
    if player is None or found is None:
        return None
    (found,) = _with_mails([found], _mails_since(session, player, found.asked_at))
    if found.shown_at is not None:
        return None
    letter = _pending(session, player.id)
    planned = letter.created_at if letter else player.turns_at or found.asked_at
    # One that was to come later, as in the morning, is not late.
    return None if planned > now else (letter, max(found.asked_at, planned))


def _is_due(now: datetime) -> tuple[ColumnElement[bool], ...]:
    return col(PlayerRow.turns_at).is_not(None), col(PlayerRow.turns_at) <= now


def _pending(session: Session, player_id: int) -> LetterRow | None:
    """The mail about turns that is on its way to the player."""
    found = select(LetterRow).where(LetterRow.player_id == player_id, _TURNS, LetterRow.state == LetterState.QUEUED)
    return session.exec(found).first()


def _last(session: Session, player_id: int) -> tuple[int, bool]:
    """The number of the player's last mail about turns, 0 if there is none, and whether any is on its way."""
    pending = func.count().filter(col(LetterRow.state) == LetterState.QUEUED)
    found = select(func.max(LetterRow.id), pending).where(LetterRow.player_id == player_id, _TURNS)
    last, number = session.exec(found).one()
    return last or 0, number > 0


def _queue(
    session: Session, runtime: Runtime, player: PlayerRow, last: int, why: Cause, at: datetime, now: datetime
) -> LetterRow:
    """Queues the mail after the `last` one, which should have gone at `at`. It is composed when it goes, and says what
    waits then.
    """
    letter = new_letter(LetterKind.TURNS, player.id, at, reason=why)
    letter.next_at = now
    # The key follows from the last one: of two that are planned at once, the second is refused.
    letter.dedupe = f"{LetterKind.TURNS} {player.id} after {last}"
    letter.message_id = message_id_of(runtime, letter.dedupe)
    session.add(letter)
    return letter
