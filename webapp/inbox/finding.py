"""Finds our mail in a mailbox that also gets other mail: to which signed address of ours a mail belongs, if to any.

A mail is ours if it came to a signed address; if it answers a letter; if it is in the thread of one, and its sender is
that letter's player; or if it is a report about a letter. A letter is known by its Message-ID, which nobody can guess.
Other mail is none of our business, and so are our own letters: their player may read them in the same mailbox.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from sqlmodel import Session, col, select

from hearts.ahead import choices_ahead
from hearts.cards import card_text
from hearts.game import Stage, legal
from hearts.seats import Seat
from hearts.view import view
from webapp.accounts import address_changes
from webapp.core.addresses import AddressInvalid, Purpose, mailbox_of
from webapp.core.runtime import Runtime
from webapp.core.say import if_offered
from webapp.games.asked.due import Due, due_of, later_due
from webapp.games.asked.whose_turn import asked_of
from webapp.games.record import store
from webapp.games.record.store import TableGame
from webapp.models import InboundRow, LetterKind, LetterRow, PlayerRow
from webapp.models.mail import KINDS
from webapp.outbox.letters import asked_by
from webapp.replies.machine import is_from_daemon
from webapp.replies.reading import PEOPLE, SURE, Asked
from webapp.replies.received import Mail, addresses, body_lines, content_type, fields, parse_head, parse_mail
from webapp.replies.typed import top_lines

RECIPIENTS = ("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To", "X-Forwarded-To")
ANSWERED = ("In-Reply-To", "References")
# The fields of a mail's header that say whether it is ours, or needs an answer (`unaddressed`).
NEEDED = (*RECIPIENTS, *ANSWERED, "Message-ID", "Content-Type", "From", "Return-Path", "X-Failed-Recipients", "Date")
AT_MOST = 20  # Message-IDs of a mail that are looked up
_MESSAGE_ID = re.compile(r"<[^<>\s@\x00-\x1f]{1,80}@[^<>\s@\x00-\x1f]{1,120}>")  # PostgreSQL takes no zero byte
_RETURNED = re.compile(rb"^[ \t>|]*Message-ID:\s*(<[!-~]{3,200}>)", re.IGNORECASE | re.MULTILINE)


def known_ids(session: Session, heads: Iterable[Mail]) -> set[str]:
    """The Message-IDs of our letters that these mails name, found by one query for all of them."""
    named = {one for head in heads for one in _named(head)}
    return (
        set(session.exec(select(LetterRow.message_id).where(col(LetterRow.message_id).in_(named)))) if named else set()
    )


def may_be_ours(runtime: Runtime, head: Mail, known: Collection[str]) -> bool:
    """Whether the mail needs a closer look: it names a signed address or a letter of ours, or may be a report.

    `known` are the Message-IDs of our letters, as `known_ids` found them.
    """
    return any(one in known for one in _named(head)) or is_report(head) or bool(_signed(runtime, head))


def _named(head: Mail) -> list[str]:
    """The Message-IDs in the fields that name an answered mail."""
    values = (value for name in ANSWERED for value in fields(head, name))
    return [one for value in values for one in _MESSAGE_ID.findall(value)[-AT_MOST:]]


def addresses_of(session: Session, runtime: Runtime, head: Mail) -> list[str]:
    """The signed addresses of ours that a mail is for, by its header; empty if it is not ours, or a report."""
    if _letters(session, fields(head, "Message-ID")):
        return []
    if signed := _signed(runtime, head):
        return signed
    if is_report(head):
        return []
    answered = fields(head, "In-Reply-To")
    by = {mailbox_of(address) for value in fields(head, "From") for address in addresses(value)}
    for letter in _letters(session, (value for name in ANSWERED for value in fields(head, name))):
        is_answered = any(letter.message_id in value for value in answered)
        # Else its player must have sent it, by an address from which their answers count.
        theirs = address_changes.all_of(session, session.get_one(PlayerRow, letter.player_id))
        if is_answered or (len(by) == 1 and by <= set(map(mailbox_of, theirs))):
            return [runtime.postmark.address(Purpose.REPLY, letter.id)]
    return []


def is_report(head: Mail) -> bool:
    """Whether a mail server may have written the mail to report about another; its text says about which."""
    no_sender = any(value.strip() in ("<>", "") for value in fields(head, "Return-Path"))
    is_marked = content_type(head) == "multipart/report" or bool(fields(head, "X-Failed-Recipients"))
    return no_sender or is_marked or is_from_daemon(head)


def reported_by(session: Session, runtime: Runtime, raw: bytes) -> list[str]:
    """The address for reports that only quote the letter which `raw` returns; empty if it returns none of ours.

    Anybody who has a forwarded mail can write such a report: it proves less than one to the letter's bounce address.
    """
    head = parse_head(raw)
    found = [match.decode() for match in _RETURNED.findall(raw)[:AT_MOST]]
    found += [value for name in ANSWERED for value in fields(head, name)]
    return [runtime.postmark.address(Purpose.QUOTED, letter.id) for letter in _letters(session, found)][:1]


def sender_of(head: Mail) -> str:
    """The sender of the envelope: as the server has noted it, else that of From; empty for a report."""
    for value in fields(head, "Return-Path"):
        return next(iter(addresses(value)), "")
    return next((address for value in fields(head, "From") for address in addresses(value)), "")


def _signed(runtime: Runtime, head: Mail) -> list[str]:
    found = (address for name in RECIPIENTS for value in fields(head, name) for address in sorted(addresses(value)))
    signed: list[str] = []
    for address in dict.fromkeys(found):
        with suppress(AddressInvalid):
            runtime.postmark.read(address)
            signed.append(address)
    return signed


def _letters(session: Session, values: Iterable[str]) -> list[LetterRow]:
    """The letters whose Message-IDs are in `values`, in that order; the last of a field is the nearest."""
    found = dict.fromkeys(one for value in values for one in reversed(_MESSAGE_ID.findall(value)))
    named = list(found)[:AT_MOST]
    if not named:
        return []
    letters = session.exec(select(LetterRow).where(col(LetterRow.message_id).in_(named))).all()
    return sorted(letters, key=lambda letter: named.index(letter.message_id))


# Finds what a signed address of ours stands for: a letter, its player, and what the letter asked of their seat.
# The address is the only key. `reading` decides whether the mail that came there is genuine, and what was typed.


class MailOfLostSeat(LookupError):
    """The mail is about a seat that its player has lost."""


@dataclass(frozen=True, slots=True)
class Addressed:
    """The letter that an address stands for, and its player.

    `asked` is None if the letter is about a seat that its player has lost; `due` is None if it is about no decision.
    `is_ended`: the letter was sent before its player took their games back, so its addresses do nothing any more.
    `is_lent`: somebody else plays the seat for its player now. `others` is what each open hand of the game asks of the
    seat now.
    """

    purpose: Purpose
    letter: LetterRow
    player: PlayerRow
    asked: Asked | None = None
    due: Due | None = None
    is_ended: bool = False
    is_lent: bool = False
    others: Mapping[int, Due] = field(default_factory=dict)


def subject_of(letter: LetterRow) -> str:
    """The kind of mail that an answer to the letter is about: its own, that of the mail which it answers, or SURE."""
    if asks_back(letter):
        return SURE
    is_answer = letter.kind is LetterKind.ANSWER and letter.game_id is None
    return letter.about if is_answer and letter.about in list(LetterKind) else letter.kind.value


def asks_back(letter: LetterRow) -> bool:
    """Whether the letter asks its player if they themselves have asked for what is `about` there."""
    return letter.kind is LetterKind.ANSWER and letter.reason == SURE


def addressed_by(session: Session, runtime: Runtime, recipient: str) -> Addressed:
    """Returns the letter, its player and its purpose for which the address `recipient` stands.

    Raises AddressInvalid if we have not signed it, LookupError if the letter is gone, and MailOfLostSeat if it is for
    replies and somebody else has the seat. A player who has lost the seat still gets mail, such as the score sheet of a
    hand that they have played: they can unsubscribe, and reports about their address count.
    """
    named = runtime.postmark.read_anywhere(recipient)
    letter = session.get(LetterRow, named.letter_id)
    if letter is None:
        raise LookupError(f"no letter {named.letter_id}")
    player = session.get_one(PlayerRow, letter.player_id)
    language = if_offered(player.language)
    is_ended = named.letter_id <= player.letters_lost
    addresses = frozenset({letter.address}) if letter.address else address_changes.all_of(session, player)
    if letter.game_id is None or letter.seat is None:
        asked = Asked(letter.seat or 0, 0, subject_of(letter), addresses, language=language)
        return Addressed(named.purpose, letter, player, asked, is_ended=is_ended)
    stored = store.load(session, letter.game_id, hand=letter.hand)
    seat = stored.seats[letter.seat]
    if letter.player_id not in (seat.player_id, seat.stands_in_for):  # the owner of a lent seat may say "back"
        if named.purpose is Purpose.REPLY:
            raise MailOfLostSeat
        return Addressed(named.purpose, letter, player, is_ended=is_ended)
    due = _decision(session, letter, Seat(letter.seat))
    is_lent = letter.player_id != seat.player_id
    others = {hand.game.hand: other for hand in stored.open_hands() if (other := asked_of(hand, letter.of_seat))}
    for game_id, seat_number, hand, what in letter.asked or ():  # of those that it has shown, what it showed
        if (game_id, seat_number) == (stored.id, letter.seat) and hand in others:
            others[hand] = Due(hand, what)
    asked = replace(
        _asked(letter, addresses, language, stored, due),
        others=tuple(
            _asked(letter, addresses, language, stored.at(other.hand), other)
            for other in others.values()
            if other != due
        ),
    )
    return Addressed(named.purpose, letter, player, asked, due, is_ended, is_lent, others)


def _decision(session: Session, letter: LetterRow, seat: Seat) -> Due | None:
    """The decision that a letter is about; an answer of ours is about the turn for which it asked again."""
    if KINDS[letter.kind].is_question and letter.about is not None:
        return asked_by(letter)
    if letter.kind is not LetterKind.ANSWER or letter.game_id is None or asks_back(letter):
        return None
    game = store.load(session, letter.game_id, hand=letter.hand, turns=letter.turns).game
    return due_of(game, seat) or later_due(game, seat)


def _asked(letter: LetterRow, addresses: frozenset[str], language: str, stored: TableGame, due: Due | None) -> Asked:
    """Returns the facts about the letter that `reading` needs in order to read an answer to it."""
    return Asked(
        seat=letter.of_seat,
        hand=due.hand if due else letter.hand or stored.game.hand,
        what=due.what if due else subject_of(letter),
        addresses=addresses,
        legal=_legal(stored, letter.of_seat, due),
        pass_count=stored.game.rules.pass_count,
        language=language,
    )


def _legal(stored: TableGame, seat: Seat, due: Due | None) -> tuple[str, ...]:
    """The codes of the cards that may be played, or chosen ahead, as long as `due` is not over; then none."""
    game = stored.game
    if due is not None and later_due(game, seat) == due:
        return tuple(map(card_text, choices_ahead(view(game, seat))))
    if game.stage is not Stage.PLAY or due_of(stored.game, seat) != due:
        return ()
    return tuple(map(card_text, legal(game, seat)))


# Finds what a mail gateway puts above all answers: the latest mails of several players begin with the same lines.

LATEST = 40  # mails of other players that are compared
PLAYERS = 2  # besides the sender, who must have the line


def recurring_lines(session: Session, row: InboundRow) -> frozenset[str]:
    """The lines that stand above the answers of at least PLAYERS others in their latest mails."""
    others = select(InboundRow.player_id, InboundRow.raw).where(
        col(InboundRow.raw).is_not(None),
        col(InboundRow.player_id).is_not(None),
        InboundRow.player_id != row.player_id,
        col(InboundRow.taken_for).in_(PEOPLE),
    )
    found = session.exec(others.order_by(col(InboundRow.id).desc()).limit(LATEST)).all()
    tops = {(player, line) for player, raw in found if raw for line in top_lines(body_lines(parse_mail(raw)))}
    count = Counter(line for _, line in tops)
    return frozenset(line for line, players in count.items() if players >= PLAYERS)
