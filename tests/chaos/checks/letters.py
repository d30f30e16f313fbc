"""Every letter that is due was sent, and copies of a letter have one Message-ID and the same bytes."""

from collections import defaultdict
from collections.abc import Iterator

from tests.chaos.checks.aftermath import Aftermath, called
from tests.chaos.checks.holders import holder
from webapp.games.record.store import TableGame
from webapp.models import GameState, LetterKind, LetterRow, LetterState


def check(left: Aftermath) -> Iterator[str]:
    for letter in left.letters:
        if fault := _fault(left, letter):
            yield f"letter {letter.id} ({letter.kind.value}) of player {letter.player_id}: {fault}"
    yield from _copies(left)
    queued = {(one.kind, one.game_id, one.seat, one.hand) for one in left.letters}
    queued |= {(kind, game_id, seat, None) for kind, game_id, seat, _ in queued}
    for stored in left.games.values():
        for kind, seat, hand in _owed(left, stored):
            if (kind, stored.id, seat, hand) not in queued:
                yield f"{called(stored, seat)}: no {kind.value} was ever queued{f' of hand {hand}' if hand else ''}"


def _fault(left: Aftermath, letter: LetterRow) -> str | None:
    """Says what is wrong with a letter; None if nothing."""
    match letter.state:
        case LetterState.QUEUED:
            is_due = letter.next_at is None or letter.next_at < left.at - left.apart
            return f"due since {letter.next_at}, and not sent" if is_due else None
        case LetterState.SENT:
            return None if letter.message_id in left.relay.taken_at else "noted as sent, and it never came"
        case LetterState.FAILED | LetterState.WITHHELD:
            is_refused = left.is_unreachable(letter.player_id) or letter.address in left.relay.never
            return None if is_refused else f"{letter.state.value}, though nobody refused it"
        case LetterState.SUPERSEDED:
            return None
        case _:
            return f"it is {letter.state.value}"


def _copies(left: Aftermath) -> Iterator[str]:
    known = {letter.message_id: letter for letter in left.letters}
    copies = defaultdict(list)
    for mail in left.relay.mails:
        copies[str(mail.message["Message-ID"])].append(mail)
    for number, mails in copies.items():
        if number not in known:
            yield f"an email to {mails[0].to} came that is no letter: {mails[0].subject}"
        letter, readers = known[number], {mail.to for mail in mails}
        # A player who proves another address while a letter waits gets the next try there.
        if len({mail.source for mail in mails}) > 1 or (
            len(readers) > 1 and not readers <= left.addresses[letter.player_id]
        ):
            yield f"{len(mails)} mails with the Message-ID of letter {letter.id} are not copies of each other"


def _owed(left: Aftermath, stored: TableGame) -> Iterator[tuple[LetterKind, int, int | None]]:
    """The sheets that must have been queued, by the records alone, with kind, seat and hand.

    There is one for each hand, or for those side by side, but the last of the game, whose sheet may name any hand.
    """
    ended = {record.hand: record.number for record in stored.records}
    is_over = stored.row.state is GameState.OVER and not left.is_ended(stored)
    for seat in stored.seats:
        for hand in range(stored.row.at_once, len(stored.cycle.scores) + (not is_over), stored.row.at_once):
            if holder(left, stored, seat.seat, ended[hand]) is not None:
                yield LetterKind.SCORE_SHEET, seat.seat, hand
        if is_over and holder(left, stored, seat.seat, stored.turns) is not None:
            yield LetterKind.FINAL_SHEET, seat.seat, None
