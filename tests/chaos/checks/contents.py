"""No question comes twice, and each names its reader's own cards, what lies or lay on the table, and nobody else's."""

import re
from collections import Counter
from collections.abc import Iterator

from hearts.cards import Card, parse_code
from hearts.turns import Deal, Play
from hearts.view import view
from tests.chaos.checks.aftermath import Aftermath, called
from webapp.games import store
from webapp.games.due import Due
from webapp.games.trick_sheet import AHEAD
from webapp.kinds import KINDS
from webapp.models import LetterKind, LetterRow, LetterState

_CODE = re.compile(r"\b[2-9TJQKA][CDSH]\b")
_LINK = re.compile(r"https?://\S+")
_FACE = re.compile(r"(10|[2-9JQKA])([♣♦♠♥])")
_SUITS = dict(zip("♣♦♠♥", "CDSH", strict=True))
MOST_REMINDERS = 2  # at half time, and before the deadline


def check(left: Aftermath) -> Iterator[str]:
    yield from _twice(left)
    yield from _cards(left)


def _twice(left: Aftermath) -> Iterator[str]:
    asked: Counter[tuple[object, ...]] = Counter()
    for letter in left.letters:
        is_mine = KINDS[letter.kind].is_question or letter.kind is LetterKind.REMINDER
        if is_mine and letter.state is LetterState.SENT and not letter.requested:
            # If an answer ahead cannot be played, its player is asked once more, at their turn.
            place = (letter.game_id, letter.seat, letter.hand, letter.about)
            asked[letter.kind, *place, letter.reason if letter.reason == AHEAD else None, letter.player_id] += 1
    for (kind, game_id, seat, hand, about, *_), times in asked.items():
        if times > (MOST_REMINDERS if kind is LetterKind.REMINDER else 1):
            yield f"game {game_id}, seat {seat}, hand {hand}, {about}: {times} times {kind}"


def _cards(left: Aftermath) -> Iterator[str]:
    letters = {letter.message_id: letter for letter in left.letters if KINDS[letter.kind].is_question}
    for mail in left.relay.mails:
        if letter := letters.get(str(mail.message["Message-ID"])):
            text = mail.message.get_body(("plain",)).get_content()
            if strange := named_in(text) - _known_to_reader(left, letter):
                where = called(left.games[letter.of_game], letter.of_seat, Due(letter.hand or 0, letter.about or ""))
                yield f"{where}: letter {letter.id} names {len(strange)} cards that are not its reader's to know"


def named_in(text: str) -> set[Card]:
    """The cards that a text names, by their codes or their faces."""
    text = _LINK.sub(" ", text)  # a token may hold any two letters
    faces = {parse_code(rank.replace("10", "T") + _SUITS[suit]) for rank, suit in _FACE.findall(text)}
    return {parse_code(code) for code in _CODE.findall(text)} | faces


def _known_to_reader(left: Aftermath, letter: LetterRow) -> set[Card]:
    """The cards of the hand that its reader had been dealt, held, or seen played when the letter was written."""
    with left.runtime.database.reading() as session:
        then = store.load(session, letter.of_game, hand=letter.hand, turns=letter.turns)
    known = set(view(then.game, letter.of_seat).held)
    for record in then.records:
        if record.hand != then.game.hand:
            continue
        match record.turn:
            case Deal(held=held):
                known |= set(held[letter.of_seat])
            case Play(card=card):
                known.add(card)
    return known
