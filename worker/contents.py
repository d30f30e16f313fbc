"""What each kind of letter says: a row of the outbox in, the words for its templates out.

What a player may see comes from `webapp.presentation.sheets`; nothing is rendered here.
"""

from collections.abc import Sequence
from typing import Any

from sqlmodel import Session

from hearts.seats import Seat
from webapp.accounts import changing_address
from webapp.core.runtime import Runtime
from webapp.core.tokens import AddressLink, ConfirmLink, HandOverLink, InvitationLink, JoinLink, Link, SignInLink
from webapp.games import store, talk
from webapp.games.clock import is_live
from webapp.games.due import Due, answer_to, due_of, turn_link
from webapp.games.links import again_link, preferences_link, seat_link
from webapp.games.pace import pace_for
from webapp.games.store import Stored, table_seats
from webapp.kinds import KINDS
from webapp.models import LetterKind, LetterRow, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.outbox.lateness import as_if_asked
from webapp.outbox.letters import is_stale, unsubscribe_link
from webapp.presentation.moments import span
from webapp.presentation.scoresheet import ScoreSheet
from webapp.presentation.sheets import score_sheet_of, summary_of, turn_sheet_of
from webapp.presentation.talk import talk_lines
from webapp.presentation.told import how_it_was_played
from webapp.tables import seating
from webapp.tables.again import who_wants
from webapp.tables.lobby import open_table
from webapp.tables.offers import is_offered, is_promised, offer_of
from worker.answers import answer_words
from worker.asked import question_words
from worker.digest import digest_words
from worker.moves import move_words
from worker.scores import final_sheet, hand_sheet, latest

Words = dict[str, Any]


def contents(runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow) -> Words | None:
    """The words of the mail that `letter` owes to `player`; None where what it asks for is over already."""
    if letter.kind is LetterKind.DIGEST:
        words = digest_words(runtime, session, letter, player)
        return words and words | _preferences(runtime, letter, player)
    if letter.table_id is None:
        return _about_address(runtime, session, letter, player)
    if letter.kind is LetterKind.JOIN:
        return _join(runtime, session, letter, player)
    if letter.game_id is None:
        if letter.kind is LetterKind.INVITATION and not _is_still_invited(session, letter):
            return None
        if letter.kind is LetterKind.REPLACED and _has_chair(session, letter):
            return None
        if letter.kind is LetterKind.OFFERED and not _may_hand_over(session, letter):
            return None
        if letter.kind is LetterKind.OFFER_OVER and _may_join(session, letter):
            return None
        return _about_table(runtime, session, letter, player)
    stored = store.load(session, letter.game_id)
    if is_stale(letter, stored):
        return None
    then = stored if letter.turns == stored.row.turns else store.load(session, letter.game_id, turns=letter.turns)
    if KINDS[letter.kind].is_question:
        then = as_if_asked(then, letter.created_at, runtime.now(), player)
    return _about_game(runtime, session, letter, then, player)


def _about_address(runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow) -> Words | None:
    """The words of a mail about a player's address. To one that is not proved, or not hers any more, go no wishes."""
    if letter.kind is LetterKind.SIGN_IN:
        link = runtime.signer.url(SignInLink(letter.player_id, player.sign_ins))
        return {"you": player.name, "link": link} | _preferences(runtime, letter, player)
    assert letter.address is not None
    if letter.kind is LetterKind.TRIAL:
        return {"address": runtime.settings.address, "sender": runtime.settings.sender.addr_spec}
    if letter.change_id is None:  # owed by the first version
        undo = AddressLink(letter.player_id, letter.address, changing_address.UNDO)
        is_undo = letter.kind is LetterKind.ADDRESS_CHANGED
        undoing = {"you": player.name, "link": runtime.signer.url(undo), "masked": None}
        return {**undoing, "undone_within": span(AddressLink.ttl)} if is_undo else None
    words = move_words(runtime, session, letter, player)
    return words | _preferences(runtime, letter, player) if words and letter.kind is LetterKind.ADDRESS_MOVED else words


def _join(runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow) -> Words:
    """The words of a mail to whoever asks for an open chair; of the others there she learns what the lobby tells."""
    assert letter.table_id is not None
    found = open_table(session.get_one(TableRow, letter.table_id), table_seats(session, letter.table_id))
    return {
        "you": letter.about,
        "host_name": found.host_name,
        "table": found.summary,
        "rules_link": runtime.signer.absolute_url(found.summary.rules_path),
        "link": runtime.signer.url(JoinLink(letter.table_id, letter.player_id, player.links)),
        **_preferences(runtime, letter, player),
    }


def _preferences(runtime: Runtime, letter: LetterRow, player: PlayerRow) -> Words:
    """For the foot of a mail: how its reader gets her mails, and what one click stops."""
    stop = unsubscribe_link(letter, player)
    return {
        "preferences_link": runtime.signer.url(preferences_link(player)),
        "unsubscribe_link": runtime.signer.url(stop) if stop else None,
        "unsubscribe_words": KINDS[letter.kind].stop_label,
    }


def _is_still_invited(session: Session, letter: LetterRow) -> bool:
    """Whether the chair still waits for her answer, be it that somebody else plays on it until then."""
    seat = session.get_one(SeatRow, (letter.table_id, letter.seat))
    is_open = session.get_one(TableRow, letter.table_id).state is TableState.INVITING
    is_hers = is_open and seat.state is SeatState.INVITED and seat.player_id == letter.player_id
    return is_hers or (is_offered(seat, letter.player_id) and not is_promised(seat, letter.player_id))


def _about_table(runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow) -> Words:
    """The words of a mail about the table itself."""
    assert letter.table_id is not None
    assert letter.seat is not None
    seats = table_seats(session, letter.table_id)
    table = session.get_one(TableRow, letter.table_id)
    words = _frame(runtime, letter, player, table, seats)
    match letter.kind:
        case LetterKind.CONFIRM:
            words["link"] = runtime.signer.url(ConfirmLink(letter.table_id, player.links))
        case LetterKind.INVITATION:
            words |= _invitation(runtime, letter, player, seats)
            words["is_reminder"] = letter.again
            if is_offered(seats[letter.seat], letter.player_id):
                words |= {"you": seats[letter.seat].offered_name, "table_link": None}
                words["is_played"] = table.state is TableState.PLAYING
        case LetterKind.DECLINED:
            words["who"] = letter.about
            words["is_played"] = table.state is TableState.PLAYING
            words["is_hers_to_fill"] = letter.seat == 0  # else it was the host who declined
        case LetterKind.OFFERED:
            offer, newcomer = offer_of(session, seats[letter.seat]), seats[letter.seat].offered_to or 0
            link = HandOverLink(letter.table_id, letter.seat, letter.player_id, newcomer, seats[letter.seat].links)
            words |= {"offer": offer, "link": runtime.signer.url(link)}
        case LetterKind.REPLACED:  # the chair and its page are somebody else's
            words |= {"you": letter.about, "host_name": seats[0].name, "table_link": None}
            words |= {
                "new_table_link": runtime.signer.absolute_url("/tables/new"),
                "has_it_now": _sitter(seats[letter.seat]),
            }
        case LetterKind.OFFER_OVER:
            words |= {"you": letter.about, "why": letter.reason, "host_name": seats[0].name, "table_link": None}
            words["new_table_link"] = runtime.signer.absolute_url("/tables/new")
        case LetterKind.ENDED:
            words |= {"host_name": seats[0].name, "score": _score_of_ended(session, letter)}
    return words


def _sitter(seat: SeatRow) -> str:
    """Who has the seat, as somebody who had it before is told."""
    return f"a robot, {seat.name}" if seat.state is SeatState.ROBOT else seat.name


def _may_hand_over(session: Session, letter: LetterRow) -> bool:
    """Whether the seat is still that of whoever is told that it is offered to somebody, and offered to that one."""
    seat = session.get_one(SeatRow, (letter.table_id, letter.seat))
    is_theirs = seat.player_id == letter.player_id and seat.offered_to == letter.newcomer_id
    return is_theirs and offer_of(session, seat) is not None


def _may_join(session: Session, letter: LetterRow) -> bool:
    """Whether whoever is told that they do not get the seat has been offered it again, or has it."""
    seat = session.get_one(SeatRow, (letter.table_id, letter.seat))
    return seat.player_id == letter.player_id or is_offered(seat, letter.player_id)


def _has_chair(session: Session, letter: LetterRow) -> bool:
    return session.get_one(SeatRow, (letter.table_id, letter.seat)).player_id == letter.player_id


def _score_of_ended(session: Session, letter: LetterRow) -> ScoreSheet:
    """How the game stood that the letter is about, which its host has ended."""
    assert letter.table_id is not None
    assert letter.game_number is not None
    row = seating.game(session, letter.table_id, letter.game_number)
    assert row is not None
    assert row.id is not None
    return latest(score_sheet_of(store.load(session, row.id)))


def _invitation(runtime: Runtime, letter: LetterRow, player: PlayerRow, seats: Sequence[SeatRow]) -> Words:
    """Who asks, and the link to answer: to a first game, or to another one."""
    assert letter.table_id is not None
    assert letter.seat is not None
    if letter.game_number is None:
        link: Link = InvitationLink(letter.table_id, letter.seat, letter.player_id, player.links)
        words = {"link": runtime.signer.url(link), "host_name": seats[0].name, "who_again": None}
        return {**words, "is_played": is_offered(seats[letter.seat], letter.player_id)}
    link = again_link(seats[letter.seat], letter.game_number - 1, letter.player_id)
    words = {"link": runtime.signer.url(link), "host_name": seats[0].name, "who_again": who_wants(seats)}
    return {**words, "is_played": False}


def _about_game(runtime: Runtime, session: Session, letter: LetterRow, stored: Stored, player: PlayerRow) -> Words:
    """The words of a mail about a game, as it stood when the mail came to be owed."""
    assert letter.seat is not None
    assert letter.hand is not None
    words = _frame(runtime, letter, player, stored.table, stored.seats)
    seat, due = Seat(letter.seat), Due(letter.hand, letter.about or "")
    has_left = stored.seats[seat].player_id != letter.player_id
    match letter.kind:
        case LetterKind.SCORE_SHEET:
            words |= hand_sheet(runtime, session, letter, stored)
            if has_left:  # the page of the table is somebody else's
                words |= {"you": stored.names_of_hand(letter.hand)[seat], "table_link": None}
        case LetterKind.FINAL_SHEET:
            words |= final_sheet(runtime, session, letter, stored)
        case LetterKind.PLAYED_FOR_YOU:
            record = answer_to(stored.records, seat, due)
            assert record is not None
            words["what"] = how_it_was_played(record)
            words["is_away"] = stored.seats[seat].away
            is_asked_live = is_live(pace_for(stored.table, due.what))
            words["live_link"] = runtime.signer.url(turn_link(stored, seat, due)) if is_asked_live else None
            words["sheet"] = turn_sheet_of(stored, seat, player.time_zone, runtime.now())
        case LetterKind.ANSWER:
            asked = due_of(stored.game, seat)
            words |= answer_words(letter, stored)
            words |= question_words(runtime, stored, seat, asked, player) if asked else {"sheet": None}
        case _:
            words |= question_words(runtime, stored, seat, due, player)
    if KINDS[letter.kind].brings_talk:
        said = () if has_left else talk.unread(session, stored.table, letter, runtime.now())
        words["said"] = talk_lines(said, letter.player_id, player.time_zone)
    return words


def _frame(runtime: Runtime, letter: LetterRow, player: PlayerRow, table: TableRow, seats: Sequence[SeatRow]) -> Words:
    """What every mail about a table bears."""
    assert letter.seat is not None
    summary = summary_of(table, seats)
    return {
        "you": seats[letter.seat].name,
        "table": summary,
        "rules_link": runtime.signer.absolute_url(summary.rules_path),
        "table_link": runtime.signer.url(seat_link(seats[letter.seat], letter.player_id)),
        "is_answered": bool(runtime.settings.incoming_domain),
        **_preferences(runtime, letter, player),
    }
