"""Does what an answer to a mail about no game asks for: it accepts or declines an invitation, lets answers from
another address count, or sets a game going that rests.

A mail that says what does work answers any other text. `acting` stops the mails for players who ask so.
"""

import logging
from contextlib import suppress
from datetime import timedelta

from sqlmodel import Session, col, select

from webapp.accounts import address_changes
from webapp.accounts.address_changes import may_decide
from webapp.core.addresses import forms_of, mailbox_of
from webapp.core.runtime import Runtime
from webapp.core.say import Refused, say
from webapp.core.tokens import InvitationLink, LinkExpired, LinkInvalid, OtherAddressLink, SeatLent, SeatLost
from webapp.games.fair import others_before
from webapp.games.record.links import again_link, seat_link
from webapp.games.record.seats import is_offered
from webapp.inbox import answering
from webapp.inbox.answering import Outcome, Reason
from webapp.inbox.finding import ANSWERED, Addressed, sender_of, subject_of
from webapp.models import InboundRow, LetterKind, PlayerRow, SeatRow
from webapp.outbox import bounces
from webapp.outbox.bounces import Proof, ReportOutcome
from webapp.outbox.turn_mail import waiting_for
from webapp.replies.bounces import bounce_of, is_complaint
from webapp.replies.machine import machine_reason
from webapp.replies.reading import PEOPLE, Envelope, read
from webapp.replies.received import Mail, addresses, date_of, fields, parse_mail
from webapp.tables import again, agreeing, seating
from webapp.tables.again import AnotherGameState


def follow(runtime: Runtime, to: Addressed, word: str | None, shuffle: str = "") -> Outcome:
    """Acts on the command `word`, which is None if there was none; `shuffle` are words behind a yes."""
    kind = subject_of(to.letter)
    if kind == LetterKind.INVITATION and word in ("ok", "no"):
        try:
            others = _others_before(runtime, to) if word == "ok" and shuffle else None
            is_done = _accept(runtime, to, shuffle) if word == "ok" else _decline(runtime, to)
        except (Refused, LinkInvalid, LinkExpired):  # the page of its link says why
            is_done, others = False, None
        if is_done and word == "ok":
            return Outcome(say("You have accepted."), Reason.ACCEPTED, others)
        if is_done:
            return Outcome(say("You have declined."), Reason.DECLINED)
        kind = LetterKind.ANSWER.value
    if kind == LetterKind.ANSWERED_FROM and word in ("ok", "no") and to.letter.change_id is not None:
        link, counts = OtherAddressLink(to.letter.change_id), word == "ok"
        if may_decide(address_changes.decide(runtime, link, runtime.now(), counts=counts), to.player):
            reason = Reason.COUNTS if counts else Reason.COUNTS_NOT
            return Outcome(say("You have said whether answers from another address count."), reason)
    if kind == LetterKind.RESTING and word == "back":
        with suppress(SeatLost, SeatLent, LinkExpired):
            with runtime.database.reading() as session:
                seat = session.get_one(SeatRow, (to.letter.of_table, to.letter.of_seat))
            agreeing.go_on(runtime, seat_link(seat, to.letter.player_id), runtime.now())
            return Outcome(say("You have set the game going."), Reason.WOKEN)
    return Outcome(say("You can answer that email by its links only."), Reason.BY_LINK, kind)


def _accept(runtime: Runtime, to: Addressed, words: str) -> bool:
    """Accepts the invitation under the name by which the host has invited the player, with their words for the shuffle.

    Returns whether they have the seat.
    """
    link = _link(to)
    with runtime.database.reading() as session:
        seat = seating.invited_seat(session, link)
        name = seat.offered_name if is_offered(seat, link.player_id) else seat.name
        is_still_asked = _is_still_asked(session, to, seat)
    if not is_still_asked:
        return False
    if to.letter.game_number is None:
        seating.accept(runtime, link, name or to.player.name, to.player.time_zone, runtime.now(), words)
    else:
        again.agree(runtime, again_link(seat, to.letter.game_number - 1, link.player_id), runtime.now(), words)
    return True


def _others_before(runtime: Runtime, to: Addressed) -> str | None:
    """The digest of the others' words, for the receipt: before those of the player count, so that it never has words
    that were given after theirs.
    """
    with runtime.database.reading() as session:
        seat = session.get_one(SeatRow, (to.letter.of_table, to.letter.of_seat))
        return others_before(session, seat) if seat.player_id == to.letter.player_id else None


def _decline(runtime: Runtime, to: Addressed) -> bool:
    link = _link(to)
    with runtime.database.reading() as session:
        if not _is_still_asked(session, to, seating.invited_seat(session, link)):
            return False
    seating.decline(runtime, link, runtime.now())
    return True


def _is_still_asked(session: Session, to: Addressed, seat: SeatRow) -> bool:
    """Whether the game that the mail invites to is the next one; it may be an old mail about another."""
    number = to.letter.game_number
    if number is None:
        return True
    another = again.another_game(session, again_link(seat, number - 1, to.letter.player_id))
    return another.number == number and another.state in (AnotherGameState.ASKED, AnotherGameState.AGREED)


def _link(to: Addressed) -> InvitationLink:
    return InvitationLink(to.letter.of_table, to.letter.of_seat, to.letter.player_id, to.player.links)


# Handles mail to the names of our domain that need no signature: postmaster, abuse, feedback.
# A report of spam counts if it has the bounce address of the mail that it is about. The operators find the number of
# any other mail in the log, and read it by a command.

log = logging.getLogger(__name__)

NOTHING = ReportOutcome("Nothing was done: it is about no mail of ours, and no person wrote it.")


def follow_operators_mail(runtime: Runtime, row: InboundRow) -> ReportOutcome:
    """Acts on a stored mail. The caller must act on `ReportOutcome.silenced`."""
    raw = row.raw or b""
    mail, letter_id = parse_mail(raw), runtime.postmark.letter_reported_in(raw.decode("latin-1"))
    if letter_id is not None and is_complaint(mail):
        return bounces.act_on_complaint(runtime, letter_id, runtime.now())
    if bounce := bounce_of(mail, row.sender):
        if letter_id is None:
            return NOTHING
        return bounces.act_on_bounce(runtime, letter_id, bounce, runtime.now(), Proof.ADDRESS)
    if machine_reason(mail, row.sender, None):
        return NOTHING
    log.warning("mail %d is for the operators: hearts-by-mail mail show %d", row.id, row.id)
    return ReportOutcome("It is for the operators.")


# Answers a player who writes to our mailbox without answering a letter of ours: once a day, with what waits for them.
# Nothing is played, stored or moved, for nobody knows what such a mail is about. The mailbox may be somebody's own: who
# writes to a player there gets no answer, and neither does a stranger, a machine, or who goes on with another mail.

TO = ("To", "Cc")
WITHIN = timedelta(days=1)  # a mail that has lain for longer needs no answer


def is_to_us(runtime: Runtime, head: Mail) -> bool:
    """Whether a mail was written to our mailbox just now, and begins a thread. The caller rules out what is ours."""
    sent = date_of(head)
    if any(fields(head, name) for name in ANSWERED) or sent is None or abs(runtime.now() - sent) >= WITHIN:
        return False
    own, signed = runtime.settings.mailbox_address, runtime.settings.before_signature
    to = {address for name in TO for value in fields(head, name) for address in addresses(value)}
    return any(mailbox_of(one) == mailbox_of(own) or one.startswith(signed) for one in to)


def answer(runtime: Runtime, head: Mail, raw: bytes) -> None:
    """Queues the answer to such a mail, if a player has written it, and has had none today."""
    by = read(raw, Envelope(sender_of(head), ""), None, None, runtime.settings.verdict_authority)
    if by.classification not in PEOPLE:
        return
    senders, now = forms_of(addresses(fields(head, "From")[0])), runtime.now()
    with runtime.database.writing() as session:
        if _player_at(session, {runtime.settings.mailbox_address}) is not None:
            return
        player = _player_at(session, senders)
        if player is None:
            return
        waiting = next(iter(waiting_for(session, player)), None)
        is_queued = answering.queue_unaddressed(session, runtime, player, waiting, now)
    if is_queued:
        runtime.bell.deliver()


def _player_at(session: Session, forms: set[str]) -> PlayerRow | None:
    return session.exec(select(PlayerRow).where(col(PlayerRow.address).in_(forms))).first()
