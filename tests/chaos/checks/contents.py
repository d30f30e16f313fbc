"""No mail about turns comes twice, and each mail names its reader's own cards and those that were played, and no other.

A reader may know the cards of a seat while they have it, in a hand that they began themselves or took over from a
player who lent them the seat or handed it over.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from hearts.cards import Card, parse_code
from hearts.seats import Seat
from hearts.turns import Deal, Play
from hearts.view import view
from tests.chaos.checks.aftermath import Aftermath, called
from tests.chaos.checks.holders import has_then, may_see, tenures
from webapp.core.tokens import PlayLink
from webapp.games.asked.due import Due
from webapp.games.record import store
from webapp.games.record.store import TableGame
from webapp.models import LetterKind, LetterRow, LetterState
from webapp.models.mail import KINDS
from webapp.outbox.timing import Cause
from webapp.presentation import faces

_CODE = re.compile(r"\b[2-9TJQKA][CDSH]\b")
_LINK = re.compile(r"https?://\S+")
_FACE = re.compile(r"(10|[2-9JQKA])([♣♦♠♥])")
_SUITS = dict(zip("♣♦♠♥", "CDSH", strict=True))
SHEETS = (LetterKind.SCORE_SHEET, LetterKind.FINAL_SHEET)
SHOWING = tuple(kind for kind, row in KINDS.items() if row.shows_cards)
EXAMPLE = '"hand 2 QS"'  # of a word that works


def check(left: Aftermath) -> Iterator[str]:
    yield from _twice(left)
    yield from _cards(left)


def _twice(left: Aftermath) -> Iterator[str]:
    """A second mail with the same questions needs a reason: a last call, a nudge, a deadline missed, a reply."""
    asked: Counter[tuple[object, ...]] = Counter()
    inboxes = defaultdict(str, {str(mail.message["Message-ID"]): mail.to for mail in left.relay.mails})
    for letter in left.letters:
        if letter.reason == Cause.NEXT and letter.state is LetterState.SENT and not letter.requested:
            # Everybody is asked once more when a game that has rested goes on.
            # A player who moves to another address is asked there again. So is one who was away and comes back, and one
            # whose game goes on after a pause.
            keys = tuple(tuple(one) for one in letter.asked or ())
            since = _rests(left, letter), _starts(left, letter)
            asked[letter.player_id, keys, inboxes[letter.message_id], since] += 1
    for (player_id, keys, *_), times in asked.items():
        if times > 1:
            yield f"player {player_id}: {times} times the same mail about {keys}"


def _rests(left: Aftermath, letter: LetterRow) -> int:
    """How often the game had been put to rest when the letter was queued."""
    rests = {one.created_at for one in left.rests if one.table_id == letter.table_id}
    return sum(at < letter.created_at for at in rests)


def _starts(left: Aftermath, letter: LetterRow) -> int:
    """How often, by then, its reader had come back after they had been away, or somebody had set its game going on."""
    deeds = [deed for deed in left.notes.deeds if deed.at < letter.created_at]
    backs = (deed for deed in deeds if deed.place == "preferences/away/back")
    pauses = (deed for deed in deeds if deed.place == "play/pause")
    return sum(left.player_at(deed.player) == letter.player_id for deed in backs) + sum(
        left.signer.read(PlayLink, deed.token, even_old=True).table_id == letter.table_id for deed in pauses
    )


def _cards(left: Aftermath) -> Iterator[str]:
    ended = {stored.id for stored in left.games.values() if left.is_ended(stored)}
    for mail in left.relay.mails:
        letter = left.by_message_id[str(mail.message["Message-ID"])]
        if letter.kind in SHEETS:  # they tell the story of a finished hand
            continue
        if ended & {letter.game_id, *(one[0] for one in letter.asked or ())}:  # whose last hand is not in the records
            continue
        known = _known_at_tables(left, letter) if KINDS[letter.kind].is_question else _known_to_reader(left, letter)
        strange = named_in(mail.message.get_body(("plain",)).get_content()) - known
        if letter.kind is LetterKind.INVITATION:  # which shows an example
            strange -= {parse_code(face.code) for face in faces.example()}
        if strange:
            yield f"{_about(left, letter)} names {len(strange)} cards that are not its reader's to know"


def _about(left: Aftermath, letter: LetterRow) -> str:
    what = f"letter {letter.id} ({letter.kind.value})"
    if letter.game_id is None or letter.seat is None:
        return what
    due = Due(letter.hand or 0, letter.about or "")
    return f"{called(left.games[letter.game_id], letter.seat, due)}: {what}"


def named_in(text: str) -> set[Card]:
    """The cards that a text names, by their codes or their faces."""
    text = _LINK.sub(" ", text).replace(EXAMPLE, "")  # a token may hold any two letters
    faces = {parse_code(rank.replace("10", "T") + _SUITS[suit]) for rank, suit in _FACE.findall(text)}
    return {parse_code(code) for code in _CODE.findall(text)} | faces


def _known_to_reader(left: Aftermath, letter: LetterRow) -> set[Card]:
    """Returns the cards that the reader of a letter knew when it was queued; none for a letter about no hand."""
    if letter.game_id is None or letter.hand is None or letter.kind not in SHOWING:
        return set()
    stored = left.games[letter.game_id]
    return _known(left, stored, letter.of_seat, letter.hand, letter.player_id, letter.turns or stored.turns)


def _known_at_tables(left: Aftermath, letter: LetterRow) -> set[Card]:
    """Returns the cards of all hands at the tables of its reader that they knew when the mail about turns went."""
    known: set[Card] = set()
    for stored in left.games.values():
        # It was composed at some moment before it was taken: its reader may have lost a seat in between. A worker whose
        # clock is ahead gives turns a later time than the relay gives the mail that shows them.
        times = (letter.created_at - left.skew, left.relay.taken_at[letter.message_id] + left.skew)
        first, last = (sum(row.at <= at for row in left.turns[stored.id]) for at in times)
        changes = {one.until for seat in stored.seats for one in tenures(left, stored, seat.seat)}
        for turns in {first, last, *(number for number in changes if first < number < last)} - {0}:
            mine = [one.seat for one in stored.seats if has_then(left, stored, one.seat, letter.player_id, turns)]
            for hand in {record.hand for record in stored.records[:turns]} if mine else ():
                known |= set().union(*(_known(left, stored, seat, hand, letter.player_id, turns) for seat in mine))
    return known


def _known(left: Aftermath, stored: TableGame, seat: int, hand: int, player_id: int, turns: int) -> set[Card]:
    """The cards of the hand that were played by then, and what the seat was dealt or held if the player may see it."""
    with left.runtime.database.reading() as session:
        then = store.load(session, stored.id, hand=hand, turns=turns)
    records = [record for record in then.records if record.hand == hand]
    known = {record.turn.card for record in records if isinstance(record.turn, Play)}
    if may_see(left, stored, seat, hand, player_id, turns):
        known |= set(view(then.game, Seat(seat)).held)
        known |= {card for record in records if isinstance(record.turn, Deal) for card in record.turn.held[seat]}
    return known
