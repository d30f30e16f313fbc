"""Does what an answer to a mail about no game asks for: it accepts or declines an invitation, lets answers from
another address count, or sets a game going that rests.

A mail that says what does work answers any other text. `acting` stops the mails for players who ask so.
"""

from contextlib import suppress

from sqlmodel import Session

from webapp.accounts import other_addresses
from webapp.accounts.other_addresses import may_decide
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.tokens import InvitationLink, LinkExpired, LinkInvalid, OtherAddressLink, SeatLent, SeatLost
from webapp.games.record.links import again_link, seat_link
from webapp.inbox.addressed import Addressed, subject_of
from webapp.inbox.answering import Outcome, Reason
from webapp.models import LetterKind, SeatRow
from webapp.tables import again, resting, seating
from webapp.tables.again import AnotherGameState
from webapp.tables.offers import is_offered


def follow(runtime: Runtime, to: Addressed, word: str | None, shuffle: str = "") -> Outcome:
    """Acts on the command `word`, which is None if there was none; `shuffle` are words behind a yes."""
    kind = subject_of(to.letter)
    if kind == LetterKind.INVITATION and word in ("ok", "no"):
        try:
            is_done = _accept(runtime, to, shuffle) if word == "ok" else _decline(runtime, to)
        except (Refused, LinkInvalid, LinkExpired):  # the page of its link says why
            is_done = False
        if is_done and word == "ok":
            return Outcome("You have accepted.", Reason.ACCEPTED)
        if is_done:
            return Outcome("You have declined.", Reason.DECLINED)
        kind = LetterKind.ANSWER.value
    if kind == LetterKind.ANSWERED_FROM and word in ("ok", "no") and to.letter.change_id is not None:
        link, counts = OtherAddressLink(to.letter.change_id), word == "ok"
        if may_decide(other_addresses.decide(runtime, link, runtime.now(), counts=counts), to.player):
            reason = Reason.COUNTS if counts else Reason.COUNTS_NOT
            return Outcome("You have said whether answers from another address count.", reason)
    if kind == LetterKind.RESTING and word == "back":
        with suppress(SeatLost, SeatLent, LinkExpired):
            with runtime.database.reading() as session:
                seat = session.get_one(SeatRow, (to.letter.of_table, to.letter.of_seat))
            resting.go_on(runtime, seat_link(seat, to.letter.player_id), runtime.now())
            return Outcome("You have set the game going.", Reason.WOKEN)
    return Outcome("You can answer that email by its links only.", Reason.BY_LINK, kind)


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
