"""Queues our answers to inbound mails: few, so that two machines never write to each other for long.

We answer every command ("help", "cards", "score", "away", "back", "stop"). About each question we answer once
for every different thing that was wrong with what was typed, and once a game about words below a card. We ask once a
day for each command whether it was the player who has sent it. A player gets ten answers a day, of which the tenth says
so; then only cards that do not count are answered. `acting` and `unaddressed` decide which mails we answer at all.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import blake2b

from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from webapp.core.runtime import Runtime
from webapp.inbox.finding import Addressed
from webapp.models import GameRow, LetterKind, LetterRow, PlayerRow
from webapp.outbox import letters
from webapp.outbox.timing import Waiting

AT_MOST = 10  # a day: somebody who learns how to answer stays below, and a machine that echoes us stops there
WITHIN = timedelta(days=1)


class Reason(StrEnum):
    """Why we answer."""

    UNCLEAR = "unclear"
    ILLEGAL = "illegal"  # about the cards that were typed
    DOUBTFUL = "doubtful"  # about the card that "Ah!" or "as" alone would be, or those that letters may name
    SEVERAL = "several"  # of the answers for several hands some do not count; about the mail, by its number
    AHEAD = "ahead"  # a card is kept until the turn, about the trick
    CANNOT = "cannot"  # the trick does not allow it; about the card
    HAS_COME = "has_come"  # the trick got points since; about the card
    LENT = "lent"  # somebody plays for its sender, until they say "back"
    WORDS = "words"  # typed below a card, which was played: the table does not see them
    OVER = "over"  # about what had been asked: "trick 5"
    ENDED = "ended"  # the answered mail was sent before its player ended all links
    SURE = "sure"  # somebody asked in the player's name for what lasts, about the command: was it they?
    HELP = "help"
    CARDS = "cards"  # shows them
    SCORE = "score"  # shows it
    AWAY = "away"
    BACK = "back"
    WAIT = "wait"  # they want us to wait so or so long
    EVENING = "evening"  # to players who had agreed on an hour for an evening together: it is off
    STOPPED = "stopped"
    ACCEPTED = "accepted"  # an invitation
    DECLINED = "declined"
    WOKEN = "woken"  # a game that rested
    COUNTS = "counts"  # answers from another address, from now on
    COUNTS_NOT = "counts_not"  # answers from it, or not any more
    UNADDRESSED = "unaddressed"  # it answered no mail of ours
    BY_LINK = "by_link"  # a mail that only its links answer, about its kind


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a mail, in a sentence for the database; `reason` and `about` say what to answer (None: nothing).

    `counts`: what was typed is played or kept; `is_played`: it was played just now.
    """

    sentence: str
    reason: Reason | None = None
    about: str | None = None
    counts: bool = False
    is_played: bool = False


ALWAYS = {Reason.ILLEGAL, Reason.CANNOT, Reason.HAS_COME, Reason.SEVERAL}  # cards that do not count
KEPT = {Reason.AHEAD}  # answered each time: the answer may have been another one
CHANGES = {Reason.AWAY, Reason.BACK, Reason.STOPPED, Reason.COUNTS, Reason.COUNTS_NOT}
COMMANDS = {
    Reason.HELP,
    Reason.CARDS,
    Reason.SCORE,
    Reason.WAIT,
    Reason.ACCEPTED,
    Reason.DECLINED,
    Reason.WOKEN,
    *CHANGES,
}


def queue(
    session: Session,
    runtime: Runtime,
    to: Addressed,
    reason: Reason,
    about: str | None,
    wrong: str,
    inbound_id: int,
    now: datetime,
) -> bool:
    """Queues the answer to a mail, for a `reason` and `about` what belongs to it; `wrong` says what was wrong.

    Returns False, and queues nothing, if the player has had this answer, or enough answers for a day and this is none
    that we always give. Locks the player, so that two mails at once are counted one after the other.
    """
    player = session.get_one(PlayerRow, to.player.id, with_for_update={"key_share": True})
    said = wrong if reason is Reason.SEVERAL else about or wrong
    dedupe = f"answer {_occasion(to, reason, said, inbound_id, now)}"
    is_enough = reason not in ALWAYS and _has_enough(session, player, now)
    if is_enough or _was_said(session, dedupe):
        return False
    game_id = to.letter.game_id
    letter = letters.new_letter(
        LetterKind.ANSWER,
        to.letter.player_id,
        now,
        address=to.letter.address,
        table_id=to.letter.table_id,
        seat=to.letter.seat,
        game_id=game_id,
        hand=to.asked.hand if to.asked and game_id else to.letter.hand,
        reason=reason,
        about=about,
        game_number=to.letter.game_number,
        change_id=to.letter.change_id,
        turns=session.get_one(GameRow, game_id).turns if game_id else None,  # the game as it stands now
        thread_id=to.letter.thread_id or to.letter.message_id,
    )
    letters.queue_letter(session, runtime, letter, dedupe)
    return True


def queue_unaddressed(
    session: Session, runtime: Runtime, player: PlayerRow, waiting: Waiting | None, now: datetime
) -> bool:
    """Queues the answer to a player who has written to us without answering a letter, with the question that waits.

    Returns False, and queues nothing, if they have had this answer today, or enough answers. Locks the player.
    """
    player = session.get_one(PlayerRow, player.id, with_for_update={"key_share": True})
    dedupe = f"answer {Reason.UNADDRESSED} {player.id} {now:%Y-%m-%d}"
    if _has_enough(session, player, now) or _was_said(session, dedupe):
        return False
    letter = letters.new_letter(LetterKind.ANSWER, player.id, now, reason=Reason.UNADDRESSED)
    if waiting is not None:
        letter.table_id, letter.turns = waiting.stored.table.id, waiting.stored.row.turns
        letter.game_id, letter.seat, letter.hand, _ = waiting.key
    letters.queue_letter(session, runtime, letter, dedupe)
    return True


def _occasion(to: Addressed, reason: Reason, wrong: str, inbound_id: int, now: datetime) -> str:
    """The part of the dedupe key that makes us answer only once."""
    if reason in COMMANDS | KEPT:
        return f"{reason} {inbound_id}"
    if reason is Reason.SURE:
        return f"{reason} {to.player.id} {to.letter.table_id} {wrong.partition(' ')[0]} {now:%Y-%m-%d}"
    if reason is Reason.WORDS:
        return f"{reason} {to.letter.game_id} {to.letter.player_id}"
    what = blake2b(wrong.encode(), digest_size=8).hexdigest()
    if to.due is None:
        return f"{reason} letter {to.letter.id} {what}"
    return f"{reason} {to.letter.game_id} {to.letter.seat} {to.due.hand} {to.due.what} {what}"


def _was_said(session: Session, dedupe: str) -> bool:
    return session.exec(select(LetterRow.id).where(LetterRow.dedupe == dedupe)).first() is not None


def is_last_of_day(session: Session, letter: LetterRow) -> bool:
    """Whether the answer `letter` is the last but those that we always give, for a day."""
    earlier = _answers(letter.player_id, letter.created_at).where(LetterRow.id < letter.id)
    return session.exec(earlier).one() >= AT_MOST - 1


def _has_enough(session: Session, player: PlayerRow, now: datetime) -> bool:
    return session.exec(_answers(player.id, now)).one() >= AT_MOST


def _answers(player_id: int, until: datetime) -> SelectOfScalar[int]:
    """Counts the answers to the player within the day that ends at `until`."""
    answers = (LetterRow.player_id == player_id, LetterRow.kind == LetterKind.ANSWER)
    return select(func.count()).select_from(LetterRow).where(*answers, col(LetterRow.created_at) > until - WITHIN)
