"""Records the result of an attempt to send a letter: it is sent, tried again, or given up; other letters may wait.

| the relay's answer                                    | the letter                            | other letters       |
|-------------------------------------------------------|---------------------------------------|---------------------|
| none, or 4xx before the recipient was named           | tried again, quickly at first         | all wait            |
| no to us: a limit, our account, our sender, a relay   | tried again, ever more rarely, once   | all wait            |
| that does not know us; or 5xx before the recipient    | the others have been                  |                     |
| 4xx, or a policy                                      | tried again, until nobody needs it    |                     |
| 421 or 4.7.x after the recipient was named            | the same                              | that domain's wait  |
| 5xx about the address                                 | given up, and counts as a bounce      |                     |
| any other 5xx                                         | given up; at RCPT it counts as bounce |                     |
| none after the whole mail                             | tried once more, then counts as sent  |                     |

Whatever the pause, a question is tried again after a fraction of the time that its player still has.
"""

import random
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import bindparam
from sqlmodel import Session, col, update

from webapp.core import metrics
from webapp.core.addresses import domain_in_ascii
from webapp.core.database import one_by_one
from webapp.core.log import log_event
from webapp.core.runtime import Runtime
from webapp.models import LetterRow, LetterState, PauseRow, PlayerRow
from webapp.models.mail import KINDS
from webapp.outbox import bounces, holding, lateness, letters
from worker.relay import NotSent, SmtpStep

QUICK = tuple(timedelta(seconds=seconds) for seconds in (10, 30, 60, 300, 900))
SLOW = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 10, 20, 30, 60))
DOMAIN_PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60))
QUICK_CODES = (421, 422, 431, 432, 442, 447, 452)  # too much at once, or a lost connection: soon over
GIVE_UP_AFTER = timedelta(days=3)
ALIKE = 3  # players in a row whose letters a relay refuses without a reason
GIVE_UP_ON_US_AFTER = timedelta(days=14)  # if the fault is ours: a host may be away for a while
MAYBE_ARRIVED_PAUSE = timedelta(minutes=10)
MAYBE_ARRIVED = NotSent(SmtpStep.DOT).reason
RELAY_PAUSES = QUICK[:3]  # an attempt each minute costs nothing, and questions wait
SHORTEST_REST, LONGEST_REST = timedelta(minutes=1), timedelta(minutes=15)  # after a no; each as long as all before
BEHIND = SLOW[:3]  # a letter with which the relay has said no to us waits for the others, and then so much more


def letter_pause(refusal: NotSent, tries: int) -> timedelta:
    """How long a letter waits by itself that was refused so at the last of these tries."""
    if refusal.may_have_arrived:
        return MAYBE_ARRIVED_PAUSE
    is_quick = refusal.code is None or refusal.is_about_us or refusal.code in QUICK_CODES
    return _nth(QUICK if is_quick else SLOW, tries)


def domain_pause(refusal: NotSent, tries: int) -> timedelta | None:
    """How long all letters to the same domain wait then; None if they do not."""
    return _nth(DOMAIN_PAUSES, tries) if refusal.asks_to_slow_down else None


def relay_pause(refusal: NotSent, tries: int, down_for: timedelta) -> timedelta:
    """How long all letters wait after a refusal that is about us, if the relay has taken none for so long."""
    if refusal.is_no_to_us:
        return min(max(down_for, SHORTEST_REST), LONGEST_REST)
    return _nth(RELAY_PAUSES, tries)


def _nth(pauses: Sequence[timedelta], number: int) -> timedelta:
    """The pause of that number, from 1; the last one ever after."""
    return pauses[min(number, len(pauses)) - 1]


def paused_until(session: Session, domain: str, now: datetime) -> datetime | None:
    """Until when nothing may be sent to `domain`; None if mails may go now."""
    pause = session.get(PauseRow, domain)
    return pause.until if pause and pause.until > now else None


def waits_for_domain(session: Session, letter: LetterRow, address: str, now: datetime) -> datetime | None:
    """Until when the letter waits because the domain of `address` is paused; None if it may go now.

    A question waits only a fraction of the time that its player has, and is then tried in spite of the pause.
    """
    until = paused_until(session, domain_in_ascii(address), now)
    if until is None:
        return None
    latest = letter.created_at + lateness.longest_wait(session, letter)
    return None if latest <= now else min(until, latest)


# Built once, as each mail needs it.
_NOTE_SENT = update(LetterRow).where(col(LetterRow.id) == bindparam("letter"), col(LetterRow.sent_at).is_(None))
_NOTE_SENT = _NOTE_SENT.values(state=bindparam("as_state"), sent_at=bindparam("at"), next_at=None, problem=None)
_NOTE_SENT = _NOTE_SENT.values(tries=col(LetterRow.tries) + 1)


def note_sent(session: Session, letter_id: int, at: datetime, *, is_kept: bool) -> None:
    """Records that the relay has accepted the letter, sent `at`, or (`is_kept`) that it is kept for /mailbox.

    Does so even if another worker has claimed it since. If it is sent already, that worker has recorded it first.
    """
    state = LetterState.KEPT if is_kept else LetterState.SENT
    # Past the ORM: no caller has loaded the letter.
    session.connection().execute(_NOTE_SENT, {"letter": letter_id, "as_state": state, "at": at})


def count(letter: LetterRow, outcome: metrics.LetterOutcome, address: str) -> None:
    """Counts, and logs as an event, what came of a letter to `address`."""
    metrics.LETTERS.labels(outcome, metrics.provider(address)).inc()
    log_event("letter", kind=letter.kind.value, outcome=outcome, **({"game": letter.game_id} if letter.game_id else {}))


def put_off_not_composed(runtime: Runtime, letter_id: int, by: str) -> None:
    """Puts off a letter that could not be composed, if the claim `by` still holds it."""
    now = runtime.now()

    def put_off(_: int, *, is_readable: bool) -> None:
        with runtime.database.writing() as session:
            for letter in letters.held_letters(session, [letter_id], by):
                letter.tries += 1
                letter.problem = "it could not be composed"
                until = now + _spread(_nth(QUICK, letter.tries))
                if is_readable:
                    _wait(session, letter, until, now, about_us=True)
                else:  # not even the deadline that it names
                    letters.put_off(letter, until)

    one_by_one("letter", [letter_id], partial(put_off, is_readable=True), partial(put_off, is_readable=False))


def is_for_all(session: Session, letter_id: int, refusal: NotSent, now: datetime) -> bool:
    """Whether a relay that gives no reason against a letter would refuse all others as well: it took no mail before, or
    has refused those of several players so, and let none go in between. Words for a limit are many.

    The others' letters, which it has refused so, are tried again.
    """
    if not refusal.is_about_recipient or refusal.verdict.is_hard:
        return False
    if holding.down_since(session, now) < now:
        return True
    players = holding.players_refused(session, session.get_one(LetterRow, letter_id).player_id, now)
    if len(players) < ALIKE:
        return False
    alike = (col(LetterRow.state) == LetterState.FAILED, col(LetterRow.problem).startswith(f"{refusal.code}"))
    lately = (col(LetterRow.player_id).in_(players), col(LetterRow.created_at) > now - GIVE_UP_AFTER)
    again = update(LetterRow).where(*alike, *lately, col(LetterRow.refused))
    session.exec(again.values(state=LetterState.QUEUED, next_at=now, claimed_by=None))
    return True


def note_refusal(
    session: Session, letter_id: int, by: str, refusal: NotSent, now: datetime, *, is_new: bool = False
) -> int | None:
    """Records why the relay has not accepted a letter of the claim `by`, and puts the letter off or gives it up.

    `is_new`: no earlier attempt can have delivered the letter, so that it may be composed again. A letter that is
    answered, or that another worker has claimed, stays as it is. Returns the id of a player whose address is
    silent from now on, for `absence.stop_waiting_for` after the commit; None if there is none.
    """
    silenced = None
    if refusal.is_about_recipient:
        letter = session.get_one(LetterRow, letter_id)
        player = bounces.lock_player(session, letter)
        silenced = bounces.count(session, player, letter, refusal.verdict, now).silenced
    for letter in letters.held_letters(session, [letter_id], by):
        _apply_refusal(session, letter, refusal, now)
        if is_new and not refusal.may_have_arrived and KINDS[letter.kind].is_question:
            letter.subject = letter.message = None
    return silenced


def _apply_refusal(session: Session, letter: LetterRow, refusal: NotSent, now: datetime) -> None:
    letter.tries += 1
    before, letter.problem, letter.refused = letter.problem, refusal.reason, refusal.is_about_mail
    if refusal.may_have_arrived and before == MAYBE_ARRIVED:
        letter.state, letter.next_at, letter.sent_at = LetterState.SENT, None, now
    elif refusal.is_final:
        letter.state, letter.next_at = LetterState.FAILED, None
    else:
        until = now + _spread(letter_pause(refusal, letter.tries))
        if (pause := domain_pause(refusal, letter.tries)) is not None:
            domain = domain_in_ascii(letter.address or session.get_one(PlayerRow, letter.player_id).address)
            until = max(until, holding.pause(session, domain, now + _spread(pause), refusal.log_text))
        _wait(session, letter, until, now, about_us=refusal.is_about_us)


def note_relay_unavailable(
    session: Session, letter_id: int, others: Collection[int], by: str, refusal: NotSent, now: datetime
) -> datetime:
    """Pauses all letters after an attempt with `letter_id` has found the relay unavailable. Returns until when.

    The `others` of the claim `by` are put off as well, and lose no try; a letter that another worker has locked only
    loses its lease in time: a worker that holds letters waits for no other.
    """
    tried, since = session.get_one(LetterRow, letter_id), holding.down_since(session, now)
    pause = relay_pause(refusal, tried.tries, now - since)
    until = holding.pause(session, holding.EVERY_DOMAIN, now + _spread(pause), refusal.words, since)
    if tried.state is LetterState.QUEUED and tried.claimed_by is None:
        # The no may be to this letter alone, and then must not hold up the others again and again.
        behind = timedelta() if refusal.is_early else _nth(BEHIND, tried.tries)
        tried.next_at = until + _spread(behind)
    for letter in letters.held_letters(session, others, by, even_locked=False):
        _wait(session, letter, until, now, about_us=True)
    return until


def _wait(session: Session, letter: LetterRow, until: datetime, now: datetime, *, about_us: bool) -> None:
    """Puts a letter off, a question no longer than its deadline allows; gives up a letter that nobody needs now."""
    due_at = lateness.deadline_of(session, letter)
    needed_until = letter.created_at + (GIVE_UP_ON_US_AFTER if about_us else GIVE_UP_AFTER)
    if now > needed_until and due_at is None:  # what a player is asked is needed until they have answered
        letter.state, letter.next_at = LetterState.FAILED, None
    else:
        letters.put_off(letter, until if due_at is None else min(until, lateness.latest_retry_at(due_at, now)))


def _spread(pause: timedelta) -> timedelta:
    """The pause, lengthened by up to a fifth at random: not all letters come at once when the relay is back."""
    return pause * random.uniform(1, 1.2)
