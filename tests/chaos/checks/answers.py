"""Every turn and every answer that was acknowledged is in the records, or was refused with a reason by mail."""

from collections.abc import Iterator

from hearts.cards import card_text
from hearts.seats import Seat
from hearts.turns import Moon, Pass
from tests.chaos.checks.aftermath import Aftermath, Place, called
from tests.chaos.notes import Deed, Way
from webapp.core.tokens import ConfirmLink, InvitationLink, PlayLink, TurnLink
from webapp.games.due import Decision, Due, answer_to
from webapp.games.planning import kept_ahead
from webapp.games.records import Record
from webapp.games.store import Stored
from webapp.inbox.addressed import addressed_by
from webapp.inbox.answering import AT_MOST, Reason
from webapp.models import LetterKind, LetterRow, SeatState, TableState, TurnSource

PLAYED = ("It was played.", "It was played already.")
KEPT = "It is kept until their turn."


def check(left: Aftermath) -> Iterator[str]:
    for deed in left.notes.acknowledged:
        yield from _form(left, deed) if deed.way is Way.FORM else _mail(left, deed)


def place_of(left: Aftermath, deed: Deed) -> Place | None:
    """The decision for which a player has chosen something; None if the deed is about none."""
    if deed.way is Way.MAIL:
        with left.runtime.database.reading() as session:
            to = addressed_by(session, left.runtime, deed.to)
        letter = to.letter
        return (letter.of_game, int(letter.of_seat), to.due) if to.due and letter.game_id is not None else None
    _, kind, token, *rest = deed.to.split("/")
    signer = left.runtime.signer
    if kind == "turn" and not rest:
        link = signer.read(TurnLink, token, even_old=True)
        return link.game_id, link.seat, Due(link.hand, link.due)
    if kind == "play" and rest == ["ahead"]:
        visit = signer.read(PlayLink, token, even_old=True)
        what, hand = deed.about.rsplit(" ", 1)
        (stored,) = (one for one in left.games.values() if one.table.id == visit.table_id)
        return stored.id, visit.seat, Due(int(hand), what)
    return None


def chosen_by(turn: Decision) -> tuple[str, ...]:
    """What a turn says, as players choose it: codes of cards, or a word."""
    match turn:
        case Pass(cards=cards):
            return tuple(sorted(map(card_text, cards)))
        case Moon(choice=choice):
            return (choice.value,)
        case _:
            return (card_text(turn.card),)


def _form(left: Aftermath, deed: Deed) -> Iterator[str]:
    _, kind, token, *rest = deed.to.split("/")
    signer = left.runtime.signer
    match kind:
        case "turn" if not rest:
            link = signer.read(TurnLink, token, even_old=True)
            stored = left.games[link.game_id]
            yield from _turn(stored, link.seat, Due(link.hand, link.due), deed)
        case "play" if rest == ["ahead"]:
            visit = signer.read(PlayLink, token, even_old=True)
            what, hand = deed.about.rsplit(" ", 1)
            (stored,) = (one for one in left.games.values() if one.table.id == visit.table_id)
            yield from _ahead(left, stored, visit.seat, Due(int(hand), what), deed)
        case "confirm":
            table_id = signer.read(ConfirmLink, token, even_old=True).table_id
            if next(table for table in left.tables if table.id == table_id).state is TableState.UNCONFIRMED:
                yield f"table {table_id} is not confirmed, though {deed.player} has done so"
        case "invitation":
            invited = signer.read(InvitationLink, token, even_old=True)
            (seat,) = (one for one in left.seats if (one.table_id, one.seat) == (invited.table_id, invited.seat))
            if seat.state is not SeatState.ACCEPTED:
                yield f"table {seat.table_id}: {deed.player} has accepted, and the seat says {seat.state.value}"


def _turn(stored: Stored, seat: int, due: Due, deed: Deed) -> Iterator[str]:
    record = answer_to(stored.records, Seat(seat), due)
    if record is None or chosen_by(record.turn) != deed.chosen:
        yield f"{called(stored, seat, due)}: {_text(deed)} was acknowledged, and {_played(record)}"


def _ahead(left: Aftermath, stored: Stored, seat: int, due: Due, deed: Deed) -> Iterator[str]:
    """An answer ahead is played, or still kept, or its player was asked again at their turn."""
    record = answer_to(stored.records, Seat(seat), due)
    asked_again = any(letter.reason is None for letter in left.questions.get((stored.id, seat, due), []))
    if record is None:
        if not (kept_ahead(stored.at(due.hand), Seat(seat)) or asked_again):
            yield f"{called(stored, seat, due)}: the answer ahead {_text(deed)} is not kept"
        return
    last = [one for one in left.notes.acknowledged if _is_same_question(one, deed)]
    if chosen_by(record.turn) in [one.chosen for one in last] or asked_again:
        return
    if record.source is not TurnSource.FORCED:
        yield f"{called(stored, seat, due)}: the answer ahead {_text(deed)} was kept, and {_played(record)}"


def _is_same_question(one: Deed, deed: Deed) -> bool:
    return one.player == deed.player and (one.way is not Way.FORM or one.about == deed.about)


def _mail(left: Aftermath, deed: Deed) -> Iterator[str]:
    same = [row for row in left.inbound if row.identity == deed.about and row.recipient == deed.to.lower()]
    if not same:
        yield f"an email of {deed.player} was answered with 250, and is not there"
        return
    (row,) = same
    if row.handled_at is None:
        yield f"inbound {row.id} of {deed.player} was never read"
        return
    with left.runtime.database.reading() as session:
        to = addressed_by(session, left.runtime, deed.to)
    letter, due = to.letter, to.due
    assert letter.game_id is not None
    assert letter.seat is not None
    assert due is not None
    stored = left.games[letter.game_id]
    if row.outcome in PLAYED:
        yield from _turn(stored, letter.seat, due, deed)
    elif row.outcome == KEPT:
        yield from _ahead(left, stored, letter.seat, due, deed)
    elif not _was_refused(left, stored, letter, due):
        where = called(stored, letter.seat, due)
        yield f"{where}: inbound {row.id} came to nothing ({row.outcome}), and no mail says why"


def _was_refused(left: Aftermath, stored: Stored, asked: LetterRow, due: Due) -> bool:
    """Whether an email has told the player why their answer was refused; nobody gets more than `AT_MOST` a day."""
    told = [one for one in left.letters if one.kind is LetterKind.ANSWER and one.player_id == asked.player_id]
    about = [one for one in told if (one.game_id, one.hand) == (stored.id, due.hand)]
    is_told = any(left.went_out(one) and (one.reason != Reason.OVER or one.about == due.what) for one in about)
    return is_told or len(told) >= AT_MOST or left.is_unreachable(asked.player_id)


def _text(deed: Deed) -> str:
    return f"{' '.join(deed.chosen)} at {deed.at:%H:%M:%S} by {deed.way.value}"


def _played(record: Record | None) -> str:
    if record is None:
        return "is not in the records"
    return f"the record says {' '.join(chosen_by(record.turn))} ({record.source.value})"  # type: ignore[arg-type]
