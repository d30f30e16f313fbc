"""A letter that is owed, composed: the row in, the whole message out, in plain text and HTML.

Nothing is sent from here. What a player may see comes from `webapp.sheets`, the words from `templates/mail/`.
"""

from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cache
from pathlib import Path
from typing import Any

import css_inline
from jinja2 import Environment, FileSystemLoader, StrictUndefined
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

TEMPLATES = Path(__file__).parent.parent / "templates"
Words = dict[str, Any]


def compose(parts: Parts, rows: Session, letter: LetterRow) -> EmailMessage | None:
    """The mail that `letter` owes; None where what it asks for is over already."""
    player = rows.get_one(PlayerRow, letter.player_id)
    if letter.kind is LetterKind.SIGN_IN:
        link = parts.signer.url(SignInLink(letter.player_id, player.sign_ins))
        return _message(parts, letter, player, {"you": player.name, "link": link})
    if letter.game_id is None:
        if letter.kind is LetterKind.INVITATION and not _is_still_invited(rows, letter):
            return None
        return _message(parts, letter, player, _about_table(parts, rows, letter))
    stored = store.load(rows, letter.game_id)
    if is_stale(letter, stored):
        return None
    then = stored if letter.turns == stored.row.turns else store.load(rows, letter.game_id, turns=letter.turns)
    return _message(parts, letter, player, _about_game(parts, letter, then, player))


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


def _frame(parts: Parts, letter: LetterRow, table: TableRow, seats: Any) -> Words:
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


def _message(parts: Parts, letter: LetterRow, player: PlayerRow, words: Words) -> EmailMessage:
    message = EmailMessage()
    message["From"] = parts.settings.sender
    message["To"] = Address(display_name=_plain_name(player.name), addr_spec=player.address)
    message["Subject"] = " ".join(_rendered(letter.kind, "subject.txt", words).split())
    message["Date"] = format_datetime(letter.created_at)
    message["Message-ID"] = letter.message_id
    if letter.thread_id:
        message["In-Reply-To"] = message["References"] = letter.thread_id
    # Vacation notes would come back to nobody; delivery reports are wanted, so not "All".
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "OOF, NRN, AutoReply, RN"
    # Quoted-printable: no relay re-encodes it, so that signatures hold and no line is too long.
    message.set_content(_rendered(letter.kind, "body.txt", words), cte="quoted-printable")
    html = _inliner().inline(_rendered(letter.kind, "body.html", words))
    message.add_alternative(html, subtype="html", cte="quoted-printable")
    return message


def _plain_name(name: str) -> str:
    """A display name without what relays take for an address or refuse."""
    return "".join(letter for letter in name if letter not in '@:,;<>"\\()[]').strip()


def _rendered(kind: LetterKind, part: str, words: Words) -> str:
    return _templates().get_template(f"mail/{kind.value}/{part}").render(words)


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=lambda name: name is not None and name.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _inliner() -> css_inline.CSSInliner:
    # What cannot be inlined (dark mode, small screens) stays in the head.
    return css_inline.CSSInliner(keep_style_tags=False, keep_at_rules=True)
