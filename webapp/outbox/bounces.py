"""What a mail that came back, or was complained of, does to its letter and to its player.

A complaint silences the address at once, mails that came back from a threshold on. Of those only the address counts
against its owner: what was refused for its content, or for where it came from, is news for the operator. Source: RFC
3463 (status). Reading a report is for `inbox.bounces` and `inbox.complaints`.
"""

import logging
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from email import message_from_string
from email.utils import parseaddr
from typing import NamedTuple

from sqlmodel import Session, col, select, update

from webapp.core.idn import address_in_ascii
from webapp.core.runtime import Runtime
from webapp.kinds import USEFUL_LATER
from webapp.models import LetterRow, LetterState, PlayerRow
from webapp.replies.bounces import Bounce

log = logging.getLogger(__name__)

HARD, SOFT = 3, 1  # soft ones are counted once a day
THRESHOLD = 3
BELIEVED_FOR = timedelta(days=14)  # after its letter went out
ARRIVED_AFTER = timedelta(days=1)  # without a report, a mail is taken to have arrived
# What an address that is good again is sent after all, if it is still asked for.


class Counted(NamedTuple):
    """What came of a report, in a sentence without addresses.

    `silenced` is a player to whom nothing is sent from now on: after the commit the caller calls
    `away.stop_waiting_for`.
    """

    sentence: str
    silenced: int | None = None


def take(runtime: Runtime, letter_id: int, bounce: Bounce, now: datetime) -> Counted:
    """Acts on a report about a letter, once. The caller then sees to `Counted.silenced`."""

    def count_it(session: Session, letter: LetterRow, player: PlayerRow) -> Counted:
        return _take(session, letter, player, bounce, now)

    return _act_on(runtime, letter_id, count_it, now)


def take_complaint(runtime: Runtime, letter_id: int, now: datetime) -> Counted:
    """Acts on a complaint about a letter, once: nothing more goes to its address.

    The caller then sees to `Counted.silenced`.
    """

    def heed(_: Session, letter: LetterRow, player: PlayerRow) -> Counted:
        return _take_complaint(letter, player, now)

    return _act_on(runtime, letter_id, heed, now)


def lock_player(session: Session, letter: LetterRow) -> PlayerRow:
    """The player of a letter, for `count`; whoever changes a player locks her before anything else."""
    locked = {"key_share": True}
    return session.get_one(PlayerRow, letter.player_id, with_for_update=locked, populate_existing=True)


def count(session: Session, player: PlayerRow, letter: LetterRow, status: str, now: datetime) -> Counted:
    """Counts a letter that was refused or came back against the address of its player, who is locked.

    Where it names somebody, the caller commits, and then calls `away.stop_waiting_for`.
    """
    if _is_about_us(status):
        log.warning("letter %d was refused for what it is or where it comes from (%s)", letter.id, status)
        return Counted(f"It was refused for what it is or where it comes from ({status}): news for the operator.")
    if letter.address is not None:
        return Counted("It went to an address that she has not got yet, or has no more.")
    today, is_hard = now.astimezone(UTC).date(), Bounce("", status, "failed").is_hard
    if player.bounced_on == today and not is_hard:
        return Counted("Another one has been counted today.")
    if player.bounced_on and _has_reached_since(session, player, player.bounced_on, now):
        player.bounce_score = 0
    player.bounce_score += HARD if is_hard else SOFT
    player.bounced_on = today
    if player.bounce_score < THRESHOLD or player.unreachable_at is not None:
        return Counted(f"It counts against the address ({status}).")
    player.unreachable_at = now
    log.warning("player %d cannot be reached by mail (%s)", player.id, status)
    return Counted(f"Nothing more is sent to this address ({status}).", player.id)


def clear(session: Session, player: PlayerRow, now: datetime) -> None:
    """The player has proved that mails reach her: forgets the score, and owes again what is still of use."""
    was_silent = player.unreachable_at is not None
    player.bounce_score, player.bounced_on, player.unreachable_at = 0, None, None
    if was_silent:
        withheld = (col(LetterRow.player_id) == player.id, col(LetterRow.state) == LetterState.WITHHELD)
        useful = (*withheld, col(LetterRow.kind).in_(USEFUL_LATER))
        session.exec(update(LetterRow).where(*useful).values(state=LetterState.QUEUED, next_at=now))


def _act_on(
    runtime: Runtime, letter_id: int, take: Callable[[Session, LetterRow, PlayerRow], Counted], now: datetime
) -> Counted:
    """What came of a report about a letter: by `take` if it is believed, with the letter and its player locked."""
    with runtime.database.writing() as session:
        letter = session.get(LetterRow, letter_id)
        if letter is None:
            return Counted("It is about no mail of ours.")
        player = lock_player(session, letter)
        if why := _why_not_believed(session, letter, now):
            return Counted(why)
        return take(session, letter, player)


def _take(session: Session, letter: LetterRow, player: PlayerRow, bounce: Bounce, now: datetime) -> Counted:
    if not bounce.is_failure:
        return Counted(f"The mail is {bounce.action}; there is nothing to be done.")
    if bounce.recipient.lower() != _went_to(letter):
        return Counted("It is about an address that we did not write to.")
    letter.state, letter.problem = LetterState.BOUNCED, f"it came back ({bounce.status})"
    if _went_to(letter) != address_in_ascii(player.address):
        return Counted("It went to an address that is not the player's own.")
    return count(session, player, letter, bounce.status, now)


def _take_complaint(letter: LetterRow, player: PlayerRow, now: datetime) -> Counted:
    if _went_to(letter) != address_in_ascii(player.address):
        return Counted("The mail went to an address that is not the player's own.")
    if player.unreachable_at is not None:
        return Counted("Nothing is sent to this address as it is.")
    player.unreachable_at = now
    log.warning("player %d has marked a mail of ours as unwanted", player.id)
    return Counted("Nothing more is sent to this address: it has complained.", player.id)


def _why_not_believed(session: Session, letter: LetterRow, now: datetime) -> str | None:
    """Why a report about a letter is not acted upon, in a sentence; None where it is. The letter is locked."""
    session.refresh(letter, with_for_update=True)
    if letter.sent_at is None or letter.state is not LetterState.SENT:
        return "It is about no mail that is out."
    if now - letter.sent_at > BELIEVED_FOR:
        return "It is too old to be believed."
    return None


def _is_about_us(status: str) -> bool:
    """Whether a status blames the mail (x.6) or a policy (x.7), and not the address."""
    return status.split(".")[1:2] in (["6"], ["7"])


def _went_to(letter: LetterRow) -> str:
    """The address that the letter bears, which the player may have changed since."""
    return parseaddr(str(message_from_string(letter.message)["To"]))[1].lower() if letter.message else ""


def _has_reached_since(session: Session, player: PlayerRow, day: date, now: datetime) -> bool:
    """Whether a mail has gone out after `day`, and has not come back within a day."""
    since = datetime.combine(day, time(), UTC) + timedelta(days=1)
    out = (LetterRow.player_id == player.id, LetterRow.state == LetterState.SENT)
    when = (col(LetterRow.sent_at) >= since, col(LetterRow.sent_at) <= now - ARRIVED_AFTER)
    return session.exec(select(LetterRow.id).where(*out, *when).limit(1)).first() is not None
