"""What becomes of a letter after an attempt: sent, later again, or never; and who has to wait meanwhile.

| what the relay said                                   | the letter                            | others              |
|-------------------------------------------------------|---------------------------------------|---------------------|
| nothing, no, or 421 before a recipient was named      | again, quickly at first               | all wait with it    |
| 4xx                                                   | again, until nobody needs it          |                     |
| 421 or 4.7.x once the recipient was named             | the same                              | her domain waits    |
| 5xx                                                   | never; at the recipient it is a bounce|                     |
| nothing, after the whole mail                         | once more after a while, then let be  |                     |

Whatever the pause, a question is tried again after a part of the time that its player still has.
"""

import random
from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from webapp.core.idn import address_in_ascii
from webapp.kinds import KINDS
from webapp.models import LetterKind, LetterRow, LetterState, PauseRow, PlayerRow
from webapp.outbox import bounces, lateness, leases
from worker.relay import NotSent, Step

QUICK = tuple(timedelta(seconds=seconds) for seconds in (10, 30, 60, 300, 900))
SLOW = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 10, 20, 30, 60))
DOMAIN_PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60))
QUICK_CODES = (421, 422, 431, 432, 442, 447, 452)  # too much at once, or a line that was lost: soon over
GIVE_UP_AFTER = timedelta(days=3)
MAYBE_ARRIVED_PAUSE = timedelta(minutes=10)
MAYBE_ARRIVED = NotSent(Step.DOT).reason
EVERY_DOMAIN = "*"  # while the relay itself does not take our mails
RELAY_PAUSES = QUICK[:3]  # one knock a minute costs nobody anything, and questions wait


def domain_of(address: str) -> str:
    return address.rpartition("@")[2].lower()


def paused_until(session: Session, domain: str, now: datetime) -> datetime | None:
    """Until when nothing goes to `domain`; None where it may."""
    pause = session.get(PauseRow, domain)
    return pause.until if pause and pause.until > now else None


def waits_for_domain(session: Session, letter: LetterRow, address: str, now: datetime) -> datetime | None:
    """Until when a letter waits because the domain of `address` has been given a pause; None where it goes now.

    A question waits no longer than a part of the time that its player has: then it is tried all the same.
    """
    until = paused_until(session, domain_of(address), now)
    latest = letter.created_at + lateness.longest_wait(session, letter)
    return None if until is None or latest <= now else min(until, latest)


def note_gone(session: Session, letter_id: int, now: datetime, *, is_kept: bool) -> None:
    """Notes that the relay has taken a letter, whoever has it by now; or (`is_kept`) that it is there at /mailbox."""
    locked = {"key_share": True}
    letter = session.get_one(LetterRow, letter_id, with_for_update=locked, populate_existing=True)
    if letter.sent_at is not None:  # another worker has sent it, too, and was faster to say so
        return
    letter.tries += 1
    letter.state = LetterState.KEPT if is_kept else LetterState.SENT
    letter.next_at, letter.sent_at, letter.problem = None, now, None


def note_not_composed(session: Session, letter_id: int, by: str, now: datetime) -> None:
    """Has a letter of the claim `by` that could not be composed wait for the next attempt."""
    for letter in leases.held_letters(session, [letter_id], by):
        letter.tries += 1
        letter.problem = "it could not be composed"
        _wait(session, letter, now + _spread(QUICK[min(letter.tries, len(QUICK)) - 1]), now, about_us=True)


def note_refusal(
    session: Session, letter_id: int, by: str, refusal: NotSent, now: datetime, *, is_new: bool = False
) -> int | None:
    """Notes why the relay has not taken a letter of the claim `by`, and has it wait, or end.

    `is_new`: no earlier attempt can have handed it over, so that a question may be composed again. What is answered by
    now, or in other hands, stays as it is. Returns the player whom nobody is to wait for any more, for
    `away.stop_waiting_for` after the commit.
    """
    silenced = None
    if refusal.is_final and refusal.step is Step.RECIPIENT:
        letter = session.get_one(LetterRow, letter_id)
        player = bounces.lock_player(session, letter)
        silenced = bounces.count(session, player, letter, refusal.status or f"{str(refusal.code)[0]}.0.0", now).silenced
    for letter in leases.held_letters(session, [letter_id], by):
        _refused(session, letter, refusal, now)
        if is_new and not refusal.may_have_arrived and KINDS[letter.kind].names_deadline:
            letter.subject = letter.message = None
    return silenced


def _refused(session: Session, letter: LetterRow, refusal: NotSent, now: datetime) -> None:
    letter.tries += 1
    before, letter.problem = letter.problem, refusal.reason
    if refusal.may_have_arrived and before == MAYBE_ARRIVED:
        letter.state, letter.next_at, letter.sent_at = LetterState.SENT, None, now
    elif refusal.is_final:
        letter.state, letter.next_at = LetterState.FAILED, None
    else:
        until = now + _pause_after(letter, refusal)
        if refusal.asks_to_slow_down:
            until = max(until, _pause_its_domain(session, letter, refusal, now))
        _wait(session, letter, until, now, about_us=refusal.is_about_us)


def _pause_its_domain(session: Session, letter: LetterRow, refusal: NotSent, now: datetime) -> datetime:
    pause = DOMAIN_PAUSES[min(letter.tries, len(DOMAIN_PAUSES)) - 1]
    address = letter.address or session.get_one(PlayerRow, letter.player_id).address
    return pause_domain(session, domain_of(address_in_ascii(address)), now + _spread(pause), refusal.for_the_log)


def note_nobody_can_send(
    session: Session, letter_id: int, others: Collection[int], by: str, refusal: NotSent, now: datetime
) -> None:
    """The relay is unavailable, as one letter has found: all wait with it, and none of the others has used a try."""
    met = session.get_one(LetterRow, letter_id)
    pause = _spread(RELAY_PAUSES[min(met.tries, len(RELAY_PAUSES)) - 1])
    until = pause_domain(session, EVERY_DOMAIN, now + pause, refusal.for_the_log)
    if met.state is LetterState.QUEUED and met.claimed_by is None:
        met.next_at = until
    for letter in leases.held_letters(session, others, by):
        _wait(session, letter, until, now, about_us=True)


def pause_domain(session: Session, domain: str, until: datetime, reason: str) -> datetime:
    """Nothing goes to `domain` before the moment that comes back: `until`, or later where somebody said so already."""
    pause = session.get(PauseRow, domain, with_for_update=True)
    if pause is None:
        try:
            with session.begin_nested():
                session.add(PauseRow(domain=domain, until=until, reason=reason))
            return until
        except IntegrityError:  # another worker has just met the same
            pause = session.get_one(PauseRow, domain, populate_existing=True)
    pause.until, pause.reason = max(pause.until, until), reason
    return pause.until


def _pause_after(letter: LetterRow, refusal: NotSent) -> timedelta:
    if refusal.may_have_arrived:
        return _spread(MAYBE_ARRIVED_PAUSE)
    is_quick = refusal.code is None or refusal.is_about_us or refusal.code in QUICK_CODES
    pauses = QUICK if is_quick else SLOW
    return _spread(pauses[min(letter.tries, len(pauses)) - 1])


def _wait(session: Session, letter: LetterRow, until: datetime, now: datetime, *, about_us: bool) -> None:
    """Has a letter wait, but no longer than its question allows; or gives it up once nobody needs it any more."""
    due_at = lateness.deadline_of(session, letter)
    needed_until = letter.created_at + GIVE_UP_AFTER
    if letter.kind is LetterKind.REMINDER and not about_us:
        needed_until = due_at or needed_until
    is_asked = KINDS[letter.kind].is_question and due_at is not None  # until it is answered, and taken back
    if now > needed_until and not is_asked:
        letter.state, letter.next_at = LetterState.FAILED, None
    else:
        leases.put_off(letter, until if due_at is None else min(until, lateness.latest_try(due_at, now)))


def _spread(pause: timedelta) -> timedelta:
    """Not all at once when the relay is back."""
    return pause * random.uniform(1, 1.2)
