"""Finds what a signed address of ours stands for: a letter, its player, and what the letter asked of their seat.

The address is the only key. `reading` decides whether the mail that came there is genuine, and what was typed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sqlmodel import Session

from hearts.ahead import choices_ahead
from hearts.cards import card_text
from hearts.game import Stage, legal
from hearts.seats import Seat
from hearts.view import view
from webapp.accounts import other_addresses
from webapp.core.addresses import Purpose
from webapp.core.runtime import Runtime
from webapp.games.asked.due import Due, due_of, later_due
from webapp.games.asked.whose_turn import asked_of
from webapp.games.record import store
from webapp.games.record.store import TableGame
from webapp.kinds import KINDS
from webapp.models import LetterKind, LetterRow, PlayerRow
from webapp.outbox.letters import asked_by
from webapp.replies.reading import SURE, Asked


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
    is_ended = named.letter_id <= player.letters_lost
    addresses = frozenset({letter.address}) if letter.address else other_addresses.all_of(session, player)
    if letter.game_id is None or letter.seat is None:
        asked = Asked(letter.seat or 0, 0, subject_of(letter), addresses)
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
        _asked(letter, addresses, stored, due),
        others=tuple(
            _asked(letter, addresses, stored.at(other.hand), other) for other in others.values() if other != due
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


def _asked(letter: LetterRow, addresses: frozenset[str], stored: TableGame, due: Due | None) -> Asked:
    """Returns the facts about the letter that `reading` needs in order to read an answer to it."""
    return Asked(
        seat=letter.of_seat,
        hand=due.hand if due else letter.hand or stored.game.hand,
        what=due.what if due else subject_of(letter),
        addresses=addresses,
        legal=_legal(stored, letter.of_seat, due),
        pass_count=stored.game.rules.pass_count,
    )


def _legal(stored: TableGame, seat: Seat, due: Due | None) -> tuple[str, ...]:
    """The codes of the cards that may be played, or chosen ahead, as long as `due` is not over; then none."""
    game = stored.game
    if due is not None and later_due(game, seat) == due:
        return tuple(map(card_text, choices_ahead(view(game, seat))))
    if game.stage is not Stage.PLAY or due_of(stored.game, seat) != due:
        return ()
    return tuple(map(card_text, legal(game, seat)))
