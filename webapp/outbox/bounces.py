"""Applies bounce reports and complaints to letters and their players.

A complaint silences an address at once: nothing more is sent to it. Bounces do so once their score reaches a threshold.
One report alone sets nobody away, but that there is no such user: servers report much that is not so. Only bounces that
blame the address count; after one for the letter's content or origin, or for a limit of ours, the letter is sent again,
and the operator reads of it in the log. A report that anybody may have written, because it only quotes the letter,
counts once a day like a full mailbox, and only for a player who has done nothing since a mail of days ago.
Source: RFC 3463 (status). `replies.bounces` parses the reports.
"""

import logging
from datetime import UTC, date, datetime, time, timedelta
from email import message_from_string
from email.utils import parseaddr
from enum import IntEnum
from typing import NamedTuple

from sqlalchemy import and_, or_, text
from sqlmodel import Session, col, select, update

from webapp.core import metrics
from webapp.core.addresses import address_in_ascii
from webapp.core.runtime import Runtime
from webapp.models import LetterRow, LetterState, PlayerRow
from webapp.models.mail import KINDS, USEFUL_LATER
from webapp.outbox import about_tables, holding, lateness, letters
from webapp.replies.bounces import Bounce
from webapp.replies.verdicts import Fault, Verdict

log = logging.getLogger(__name__)

NO_SUCH_USER = ("5.1.1", "5.1.6")  # there is none, or they have moved
HARD, SOFT = 3, 1  # what a bounce adds to the score: if there is no such user, or once a day for any other reason
THRESHOLD = 3
AGAIN_AFTER = tuple(timedelta(minutes=minutes) for minutes in (10, 60, 240, 720, 1440))  # a letter that came back
LATELY = timedelta(hours=1)
AT_LEAST = timedelta(minutes=1)
OUR_FAULT = "it came back through a fault of ours"
AGAIN_IF_QUOTED = 3  # so often at most, if anybody may have written the report
RESTS_AFTER, REST = 3, timedelta(minutes=5)  # so many players' letters came back for a fault of ours: all letters wait
SILENT_AFTER = timedelta(days=3)  # since a mail after which a player has done nothing
REPORTS_BELIEVED_FOR = timedelta(days=14)  # counted from when the letter was sent
ASSUMED_DELIVERED_AFTER = timedelta(days=1)  # after this time without a report, we take a mail to have arrived


class Proof(IntEnum):
    """How certain it is that a server has written a report about a letter."""

    NONE = 0  # it only quotes the letter's Message-ID, which forwarded mails show
    ADDRESS = 1  # it came to the letter's own bounce address
    SERVER = 2  # the same, with the null sender


class ReportOutcome(NamedTuple):
    """The effect of a report, as a sentence that names no address.

    `silenced` is the id of a player who gets no more mail. The caller must pass it to
    `players.away.stop_waiting_for` after the commit.
    """

    sentence: str
    silenced: int | None = None


def act_on_bounce(runtime: Runtime, letter_id: int, bounce: Bounce, now: datetime, proof: Proof) -> ReportOutcome:
    """Acts on a bounce report about a letter; a second report about it has no effect.

    One by a server is about the letter, whatever address it names, or if it names none: that may be one to which the
    player's mail is passed on. The caller must act on `ReportOutcome.silenced`.
    """
    with runtime.database.writing() as session:
        found = _reported(session, letter_id, now)
        if isinstance(found, ReportOutcome):
            return found
        letter, player = found
        if proof < Proof.SERVER and bounce.recipient.lower() != _recipient(letter):
            return ReportOutcome("It is about an address that we did not write to.")
        if not bounce.is_failure:
            return ReportOutcome(f"The mail is {bounce.action}; there is nothing to be done.")
        verdict = bounce.verdict
        if verdict.fault is Fault.UNSAID and _comes_back_from_most(session, letter, verdict, now):
            verdict = verdict._replace(fault=Fault.SENDER)
        if verdict.fault.is_ours and _send_again(session, letter, verdict, now, proof):
            return ReportOutcome(f"It is sent again ({verdict.status}): news for the operator.")
        # Else anybody who has seen a forwarded mail could have its player silenced.
        if proof is Proof.NONE and not _is_unheard(session, player, now):
            if player.seen_at is None and bounce.is_hard:  # an address with a mistake in it: its host looks at it again
                about_tables.queue_returned(session, runtime, letter, now)
            return ReportOutcome("Nothing was done: anybody may have written it, and the player may be there.")
        letter.state, letter.problem = LetterState.BOUNCED, _problem(verdict)
        about_tables.queue_returned(session, runtime, letter, now)
        _count_report(session, "bounced", _recipient(letter))
        # They have moved since: that the old address takes no mail says nothing about the new one.
        if _recipient(letter) != address_in_ascii(player.address):
            return ReportOutcome("It went to an address that is not the player's own.")
        return count(session, player, letter, verdict, now, softly=proof is Proof.NONE)


def act_on_complaint(runtime: Runtime, letter_id: int, now: datetime) -> ReportOutcome:
    """Acts on a complaint about a letter: silences the address that it went to.

    A second complaint has no effect. The caller must act on `ReportOutcome.silenced`.
    """
    with runtime.database.writing() as session:
        found = _reported(session, letter_id, now)
        if isinstance(found, ReportOutcome):
            return found
        letter, player = found
        _count_report(session, "complained", player.address)
        # The next owner of their old address may complain about mail that is not for them.
        if _recipient(letter) != address_in_ascii(player.address):
            return ReportOutcome("The mail went to an address that is not the player's own.")
        if player.unreachable_at is not None:
            return ReportOutcome("Nothing is sent to this address as it is.")
        player.unreachable_at = now
        log.warning("player %d has marked mail of ours as unwanted", player.id)
        return ReportOutcome("Nothing more is sent to this address: it has complained.")


def lock_player(session: Session, letter: LetterRow) -> PlayerRow:
    """Locks and returns the player of a letter, as `count` needs them. Lock a player before their letters."""
    locked = {"key_share": True}
    return session.get_one(PlayerRow, letter.player_id, with_for_update=locked, populate_existing=True)


def count(
    session: Session, player: PlayerRow, letter: LetterRow, verdict: Verdict, now: datetime, *, softly: bool = False
) -> ReportOutcome:
    """Counts a refused or bounced letter against its player's address. `player` comes from `lock_player`.

    `softly`: that there is no such user counts like any other reason.
    If the outcome names a silenced player, the caller must commit and then call `players.away.stop_waiting_for`.
    """
    status = verdict.status
    if verdict.fault in (Fault.SENDER, Fault.POLICY, Fault.MAIL):
        log.warning("letter %d was refused for what it is or where it comes from (%s)", letter.id, status)
        return ReportOutcome(f"It was refused for what it is or where it comes from ({status}): news for the operator.")
    # A slip in a change of address must not silence the address at which the player is.
    if letter.address is not None:
        return ReportOutcome("It went to an address that they have not got yet, or have no more.")
    if player.unreachable_at is not None:
        return ReportOutcome("Nothing is sent to this address as it is.")
    today, is_gone = now.astimezone(UTC).date(), status in NO_SUCH_USER and not softly
    # A provider's bad day sends back each of the day's mails, and is one trouble.
    if player.bounced_on == today and not is_gone:
        return ReportOutcome("Another one has been counted today.")
    # A mail has arrived in between: what came back before was a passing trouble.
    if player.bounced_on and _was_delivered_since(session, player, player.bounced_on, now):
        player.bounce_score = 0
    player.bounce_score += HARD if is_gone else SOFT
    player.bounced_on = today
    if player.bounce_score < THRESHOLD:
        return ReportOutcome(f"It counts against the address ({status}).")
    player.unreachable_at = now
    log.warning("player %d cannot be reached by mail (%s)", player.id, status)
    return ReportOutcome(f"Nothing more is sent to this address ({status}).", player.id)


def clear(session: Session, player: PlayerRow, now: datetime) -> None:
    """Resets the bounce score of a player who has proved their address.

    If the address was silenced, it also queues those withheld letters that are still useful.
    """
    was_silent = player.unreachable_at is not None
    player.bounce_score, player.bounced_on, player.unreachable_at = 0, None, None
    if was_silent:
        withheld = (col(LetterRow.player_id) == player.id, col(LetterRow.state) == LetterState.WITHHELD)
        useful = (*withheld, col(LetterRow.kind).in_(USEFUL_LATER))
        session.exec(update(LetterRow).where(*useful).values(state=LetterState.QUEUED, next_at=now))
        # While nothing was sent to them, questions have come up that no mail has shown.
        player.look_by(now)


def _reported(session: Session, letter_id: int, now: datetime) -> tuple[LetterRow, PlayerRow] | ReportOutcome:
    """Locks the letter that a report is about, and its player; says why if no such report can be believed."""
    letter = session.get(LetterRow, letter_id)
    if letter is None:
        return ReportOutcome("It is about no mail of ours.")
    # Before the letter: of two reports about one player, neither must wait for the other's lock.
    player = lock_player(session, letter)
    session.refresh(letter, with_for_update=True)
    if letter.sent_at is None or letter.state is not LetterState.SENT:
        return ReportOutcome("It is about no mail that is out.")
    if now - letter.sent_at > REPORTS_BELIEVED_FOR:
        return ReportOutcome("It is too old to be believed.")
    return letter, player


def _problem(verdict: Verdict) -> str:
    return f"{OUR_FAULT if verdict.fault is Fault.SENDER else 'it came back'} ({verdict.status})"


def _comes_back_from_most(session: Session, letter: LetterRow, verdict: Verdict, now: datetime) -> bool:
    """Whether letters come back without a reason from at least as many players as not, and from several: then a fault
    of ours may be the reason, in words that we do not know.
    """
    lately = select(LetterRow.player_id, LetterRow.state, LetterRow.problem).where(
        col(LetterRow.sent_at) > now - LATELY
    )
    # Players, not letters: one with many tables must not pass for most of them.
    back, went = {letter.player_id}, set()
    for player_id, state, problem in session.exec(lately.where(LetterRow.id != letter.id)):
        if state is LetterState.SENT:
            went.add(player_id)
        elif state is LetterState.BOUNCED and problem == _problem(verdict):
            back.add(player_id)
    return len(back) >= max(RESTS_AFTER, len(went - back))


def _send_again(session: Session, letter: LetterRow, verdict: Verdict, now: datetime, proof: Proof) -> bool:
    """Queues a letter again that came back through no fault of its reader; not for ever. Returns whether it did.

    If the letters of several players came back for a fault of ours, all letters wait for a moment. Whoever could write
    so many reports can hold up mail for that moment only: it is not made longer.
    """
    # Whoever can quote the letter could else have it mailed to its reader for ever.
    if letter.tries > (AGAIN_IF_QUOTED if proof is Proof.NONE else len(AGAIN_AFTER)):
        return False
    until, due_at = now + AGAIN_AFTER[max(0, letter.tries - 1)], lateness.deadline_of(session, letter)
    # A question is worth nothing after its deadline, and its answer needs most of the time until then.
    if due_at is not None:
        until = max(now + AT_LEAST, min(until, lateness.latest_retry_at(due_at, now)))
    letters.put_off(letter, until)
    log.warning("letter %d came back (%s, at fault: %s) and is sent again", letter.id, verdict.status, verdict.fault)
    _count_report(session, "put off", _recipient(letter))
    is_of_sender = verdict.fault is Fault.SENDER
    letter.problem = _problem(verdict)
    letter.sent_at, letter.refused = None, not is_of_sender
    if proof is not Proof.NONE and KINDS[letter.kind].is_question:
        letter.subject = letter.message = None  # it has certainly not arrived, and names an earlier deadline
    if is_of_sender and not holding.nothing_goes(session, now):
        # The count below is to include this letter.
        session.flush()
        back = (text("state = 'queued'"), col(LetterRow.problem).startswith(OUR_FAULT))
        if len(set(session.exec(select(LetterRow.player_id).where(*back)))) >= RESTS_AFTER:
            holding.pause(session, holding.EVERY_DOMAIN, now + REST, f"letters come back ({verdict.status})", now)
    return True


def _is_unheard(session: Session, player: PlayerRow, now: datetime) -> bool:
    """Whether something else says that mail does not reach the player: they have done nothing since a mail that went
    days ago, or since our relay has refused one to them.
    """
    since = player.seen_at or player.created_at
    went = and_(col(LetterRow.sent_at) > since, col(LetterRow.sent_at) <= now - SILENT_AFTER)
    was_refused = and_(
        col(LetterRow.state) == LetterState.FAILED, col(LetterRow.refused), col(LetterRow.created_at) > since
    )
    found = select(LetterRow.id).where(LetterRow.player_id == player.id, or_(went, was_refused)).limit(1)
    return session.exec(found).first() is not None


def _count_report(session: Session, outcome: metrics.LetterOutcome, address: str) -> None:
    metrics.count_after_commit(session, metrics.LETTERS.labels(outcome, metrics.provider(address)))


def _recipient(letter: LetterRow) -> str:
    """The address in the letter's To field; the player may have changed theirs since."""
    return parseaddr(str(message_from_string(letter.message)["To"]))[1].lower() if letter.message else ""


def _was_delivered_since(session: Session, player: PlayerRow, day: date, now: datetime) -> bool:
    """Whether a mail sent to the player after `day` has not bounced within a day."""
    # From the day after: the mails of that day are those that came back.
    since = datetime.combine(day, time(), UTC) + timedelta(days=1)
    out = (LetterRow.player_id == player.id, LetterRow.state == LetterState.SENT)
    when = (col(LetterRow.sent_at) >= since, col(LetterRow.sent_at) <= now - ASSUMED_DELIVERED_AFTER)
    return session.exec(select(LetterRow.id).where(*out, *when).limit(1)).first() is not None
