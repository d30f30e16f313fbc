"""What becomes of a letter after an attempt: sent, later again, or never; and who has to wait meanwhile.

| what the relay said                                   | the letter                            | others              |
|-------------------------------------------------------|---------------------------------------|---------------------|
| nothing, no, or 421 before a recipient was named      | again, quickly at first               | all wait with it    |
| 4xx                                                   | again, until nobody needs it          |                     |
| 421 or 4.7.x once the recipient was named             | the same                              | her domain waits    |
| 5xx                                                   | never; at the recipient it is a bounce|                     |
| nothing, after the whole mail                         | once more after a while, then let be  |                     |
"""

import random
from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, update

from webapp.models import GameRow, LetterKind, LetterRow, LetterState, PauseRow, PlayerRow
from webapp.post import bounces
from webapp.post.idn import written_address
from worker.relay import NotSent, Step

QUICK = tuple(timedelta(seconds=seconds) for seconds in (10, 30, 60, 300, 900))
SLOW = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 10, 20, 30, 60))
DOMAIN_PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60))
QUICK_CODES = (421, 422, 431, 432, 442, 447, 452)  # too much at once, or a line that was lost: soon over
GIVE_UP_AFTER = timedelta(days=3)
MAYBE_ARRIVED_PAUSE = timedelta(minutes=10)
MAYBE_ARRIVED = NotSent(Step.DOT).reason
EVERY_DOMAIN = "*"  # while the relay itself does not take our mails
ASKS = (LetterKind.PASS, LetterKind.TURN, LetterKind.MOON, LetterKind.REMINDER)


def domain_of(address: str) -> str:
    return address.rpartition("@")[2].lower()


def paused_until(rows: Session, domain: str, now: datetime) -> datetime | None:
    """Until when nothing goes to `domain`; None where it may."""
    pause = rows.get(PauseRow, domain)
    return pause.until if pause and pause.until > now else None


def note_sent(letter: LetterRow, now: datetime) -> None:
    letter.tries += 1
    letter.state, letter.next_at, letter.sent_at, letter.problem = LetterState.SENT, None, now, None


def note_not_composed(rows: Session, letter: LetterRow, now: datetime) -> None:
    letter.tries += 1
    letter.problem = "it could not be composed"
    _wait(rows, letter, now + _spread(QUICK[min(letter.tries, len(QUICK)) - 1]), now, about_us=True)


def note_refusal(rows: Session, letter: LetterRow, refusal: NotSent, now: datetime) -> int | None:
    """Notes why the relay has not taken `letter`, and has it wait, or end.

    Returns the player whom nobody is to wait for any more, for `bounces.wait_no_longer` after the commit.
    """
    silenced = None
    if refusal.is_final and refusal.step is Step.RECIPIENT:
        player = bounces.lock_player(rows, letter)
        silenced = bounces.count(rows, player, letter, refusal.status or f"{str(refusal.code)[0]}.0.0", now).silenced
    letter.tries += 1
    before, letter.problem = letter.problem, refusal.reason
    if letter.state is not LetterState.OWED:  # answered while it was on its way
        return silenced
    if refusal.may_have_arrived and before == MAYBE_ARRIVED:
        letter.state, letter.next_at, letter.sent_at = LetterState.SENT, None, now
    elif refusal.is_final:
        letter.state, letter.next_at = LetterState.FAILED, None
    else:
        _wait(rows, letter, now + _pause_after(letter, refusal), now, about_us=refusal.is_about_us)
    if refusal.asks_to_slow_down and not refusal.is_final:
        pause = DOMAIN_PAUSES[min(letter.tries, len(DOMAIN_PAUSES)) - 1]
        address = letter.address or rows.get_one(PlayerRow, letter.player_id).address
        until = pause_domain(rows, domain_of(written_address(address)), now + _spread(pause), refusal.for_the_log)
        letter.next_at = letter.next_at and max(letter.next_at, until)
    return silenced


def note_nobody_can_send(rows: Session, letter_id: int, others: Iterable[int], refusal: NotSent, now: datetime) -> None:
    """The relay is of no use now, as one letter has found: all wait with it, and none of the others has used a try."""
    met = rows.get_one(LetterRow, letter_id)
    pause = _spread(QUICK[min(met.tries, len(QUICK)) - 1])
    until = pause_domain(rows, EVERY_DOMAIN, now + pause, refusal.for_the_log)
    if met.next_at is not None:
        met.next_at = until
    for letter_id in others:
        letter = rows.get_one(LetterRow, letter_id)
        if letter.state is LetterState.OWED:
            _wait(rows, letter, until, now, about_us=True)


def pause_domain(rows: Session, domain: str, until: datetime, reason: str) -> datetime:
    """Nothing goes to `domain` before the moment that comes back: `until`, or later where somebody said so already."""
    pause = rows.get(PauseRow, domain, with_for_update=True)
    if pause is None:
        try:
            with rows.begin_nested():
                rows.add(PauseRow(domain=domain, until=until, reason=reason))
            return until
        except IntegrityError:  # another worker has just met the same
            pause = rows.get_one(PauseRow, domain, populate_existing=True)
    pause.until, pause.reason = max(pause.until, until), reason
    return pause.until


def hand_back(rows: Session, letter_ids: list[int], now: datetime) -> None:
    """Gives claimed letters free for whoever comes next."""
    waiting = (col(LetterRow.id).in_(letter_ids), col(LetterRow.state) == LetterState.OWED)
    rows.exec(update(LetterRow).where(*waiting).values(next_at=now))


def _pause_after(letter: LetterRow, refusal: NotSent) -> timedelta:
    if refusal.may_have_arrived:
        return _spread(MAYBE_ARRIVED_PAUSE)
    is_quick = refusal.code is None or refusal.is_about_us or refusal.code in QUICK_CODES
    pauses = QUICK if is_quick else SLOW
    return _spread(pauses[min(letter.tries, len(pauses)) - 1])


def _wait(rows: Session, letter: LetterRow, until: datetime, now: datetime, *, about_us: bool) -> None:
    """Has a letter wait, or gives it up once nobody needs it any more."""
    needed_until = letter.created_at + GIVE_UP_AFTER
    if letter.kind in ASKS and letter.game_id is not None and not about_us:
        needed_until = rows.get_one(GameRow, letter.game_id).due_at or needed_until
    if now > needed_until:
        letter.state, letter.next_at = LetterState.FAILED, None
    else:
        letter.next_at = until


def _spread(pause: timedelta) -> timedelta:
    """Not all at once when the relay is back."""
    return pause * random.uniform(1, 1.2)
