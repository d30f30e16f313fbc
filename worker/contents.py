"""What each kind of letter says: a row of the outbox in, the words for its templates out.

What a player may see comes from `webapp.sheets`; nothing is rendered here.
"""

from collections.abc import Sequence
from typing import Any

from sqlmodel import Session

from hearts.cards import card_text
from hearts.game import legal
from hearts.seats import Seat
from hearts.turns import MoonChoice
from webapp import store
from webapp.due import answer_to
from webapp.letters import asked_by, is_stale
from webapp.models import LetterKind, LetterRow, PlayerRow, SeatRow, SeatState, TableRow
from webapp.parts import Parts
from webapp.sheets import deadline_of, score_sheet_of, summary_of, turn_sheet_of
from webapp.store import Stored, table_seats
from webapp.tokens import ConfirmLink, InvitationLink, SeatLink, SignInLink, TurnLink
from webapp.told import how_it_was_played

Words = dict[str, Any]


def contents(parts: Parts, rows: Session, letter: LetterRow, player: PlayerRow) -> Words | None:
    """The words of the mail that `letter` owes to `player`; None where what it asks for is over already."""
    if letter.kind is LetterKind.SIGN_IN:
        link = parts.signer.url(SignInLink(letter.player_id, player.sign_ins))
        return {"you": player.name, "link": link}
    if letter.game_id is None:
        if letter.kind is LetterKind.INVITATION and not _is_still_invited(rows, letter):
            return None
        return _about_table(parts, rows, letter)
    stored = store.load(rows, letter.game_id)
    if is_stale(letter, stored):
        return None
    then = stored if letter.turns == stored.row.turns else store.load(rows, letter.game_id, turns=letter.turns)
    return _about_game(parts, letter, then, player)


def _is_still_invited(rows: Session, letter: LetterRow) -> bool:
    seat = rows.get_one(SeatRow, (letter.table_id, letter.seat))
    return seat.state is SeatState.INVITED and seat.player_id == letter.player_id


def _about_table(parts: Parts, rows: Session, letter: LetterRow) -> Words:
    """The words of a mail about the table itself."""
    assert letter.table_id is not None
    assert letter.seat is not None
    seats = table_seats(rows, letter.table_id)
    words = _frame(parts, letter, rows.get_one(TableRow, letter.table_id), seats)
    match letter.kind:
        case LetterKind.CONFIRM:
            words["link"] = parts.signer.url(ConfirmLink(letter.table_id))
        case LetterKind.INVITATION:
            words["link"] = parts.signer.url(InvitationLink(letter.table_id, letter.seat, letter.player_id))
            words["host_name"] = seats[0].name
        case LetterKind.DECLINED:
            words["who"] = letter.about
    return words


def _about_game(parts: Parts, letter: LetterRow, stored: Stored, player: PlayerRow) -> Words:
    """The words of a mail about a game, as it stood when the mail came to be owed."""
    assert letter.seat is not None
    assert letter.hand is not None
    words = _frame(parts, letter, stored.table, stored.seats)
    seat, due = Seat(letter.seat), asked_by(letter)
    match letter.kind:
        case LetterKind.SCORE_SHEET:
            words["score"] = score_sheet_of(stored, hands=letter.hand)
            words["hand"] = words["score"].hands[-1]
        case LetterKind.FINAL_SHEET:
            words["score"] = score_sheet_of(stored)
            words["record_link"] = f"{words['table_link']}/record.json"
        case LetterKind.PLAYED_FOR_YOU:
            record = answer_to(stored.records, seat, due)
            assert record is not None
            words["what"] = how_it_was_played(record)
            words["sheet"] = turn_sheet_of(stored, seat, player.time_zone, parts.now())
        case _:
            link = parts.signer.url(TurnLink(stored.id, letter.seat, due.hand, due.what))
            codes = [*map(card_text, legal(stored.game, seat)), *_moon_choices(letter)]
            words["sheet"] = turn_sheet_of(stored, seat, player.time_zone, parts.now())
            words["link"] = link
            words["card_links"] = {code: f"{link}?card={code}" for code in codes}
            words["deadline"] = deadline_of(stored, player.time_zone, parts.now())
    return words


def _moon_choices(letter: LetterRow) -> list[str]:
    return [choice.value for choice in MoonChoice] if letter.kind is LetterKind.MOON else []


def _frame(parts: Parts, letter: LetterRow, table: TableRow, seats: Sequence[SeatRow]) -> Words:
    """What every mail about a table bears."""
    assert letter.table_id is not None
    assert letter.seat is not None
    summary = summary_of(table, seats)
    return {
        "you": seats[letter.seat].name,
        "table": summary,
        "rules_link": parts.signer.whole(summary.rules_path),
        "table_link": parts.signer.url(SeatLink(letter.table_id, letter.seat, letter.player_id)),
    }
