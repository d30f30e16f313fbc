"""Every turn and every answer that was acknowledged is in the records, or was refused with a reason by mail."""

import re
from collections.abc import Iterator

from hearts.ahead import Ahead, has_points_since
from hearts.cards import card_text, parse_code
from hearts.seats import Seat
from hearts.turns import Moon, Pass
from hearts.view import view
from tests.chaos.checks.aftermath import Aftermath, Place, called
from tests.chaos.checks.holders import holder, tenures
from tests.chaos.notes import Deed, Way
from webapp.core.tokens import PlayLink, TurnLink
from webapp.games.asked.due import Decision, Due, answer_to, due_of, later_due
from webapp.games.asked.whose_turn import kept_ahead
from webapp.games.record import store
from webapp.games.record.store import CHOSEN, Record
from webapp.inbox.acting import LOST
from webapp.inbox.answering import AT_MOST, Reason
from webapp.models import InboundRow, LetterKind, LetterRow, LetterState, TurnSource
from webapp.models.mail import KINDS
from webapp.outbox.letters import asked_by

PLAYED = re.compile(r"You .+ in hand \d+\.|You had played it already\.")
KEPT = "Your card is kept until your turn."
BY_LINKS = "You can answer that email by its links only."
AWAY = "preferences/away"


def check(left: Aftermath) -> Iterator[str]:
    for deed in left.notes.acknowledged:
        yield from _form(left, deed) if deed.way is Way.FORM else _mail(left, deed)


def place_of(left: Aftermath, deed: Deed) -> Place | None:
    """The decision for which a player has chosen something; None if the deed is about none."""
    signer = left.signer
    if deed.way is Way.MAIL:
        letter = answered(left, deed)
        due = _decision(left, letter)
        return (letter.of_game, int(letter.of_seat), due) if due else None
    if deed.place == "turn":
        link = signer.read(TurnLink, deed.token, even_old=True)
        return link.game_id, link.seat, Due(link.hand, link.due)
    if deed.place == "play/ahead":
        visit = signer.read(PlayLink, deed.token, even_old=True)
        what, hand = deed.about.rsplit(" ", 1)
        (stored,) = (one for one in left.games.values() if one.table.id == visit.table_id)
        return stored.id, visit.seat, Due(int(hand), what)
    return None


def answered(left: Aftermath, deed: Deed) -> LetterRow:
    """The letter that an email of a player answers."""
    return left.by_id[left.runtime.postmark.read(deed.to).letter_id]


def is_written_anew(left: Aftermath, letter: LetterRow, deed: Deed) -> bool:
    """Whether a letter was written anew, from a backup, since it was answered: nobody knows what it asked then."""
    return left.lost is not None and letter.sent_at is not None and letter.sent_at > deed.ended


def _decision(left: Aftermath, letter: LetterRow) -> Due | None:
    """Returns the decision that a letter is about; an answer of the service's asks again."""
    if KINDS[letter.kind].is_question and letter.about is not None:
        return asked_by(letter)
    if letter.game_id is None:
        return None
    with left.runtime.database.reading() as session:
        game = store.load(session, letter.game_id, hand=letter.hand, turns=letter.turns).game
    return due_of(game, letter.of_seat) or later_due(game, letter.of_seat)


def chosen_by(turn: Decision) -> tuple[str, ...]:
    """Returns a turn as players choose it: codes of cards, or a word."""
    match turn:
        case Pass(cards=cards):
            return tuple(sorted(map(card_text, cards)))
        case Moon(choice=choice):
            return (choice.value,)
        case _:
            return (card_text(turn.card),)


def _form(left: Aftermath, deed: Deed) -> Iterator[str]:
    place = place_of(left, deed)
    match deed.place:
        case "turn":
            assert place is not None
            yield from _turn(left, place, deed)
        case "play/ahead":
            assert place is not None
            yield from _ahead(left, place, deed)


def _turn(left: Aftermath, place: Place, deed: Deed) -> Iterator[str]:
    record = record_at(left, place)
    if record is None and left.is_ended(left.games[place[0]]):  # with a hand that is not finished
        return
    if record is None or chosen_by(record.turn) != deed.chosen:
        yield f"{_called(left, place)}: {text_of(deed)} was acknowledged, and {played_text(record)}"


def _ahead(left: Aftermath, place: Place, deed: Deed) -> Iterator[str]:
    """A card ahead is played, or still kept, or its player was asked at their turn, or has lost or lent the
    seat since. Once it is dropped, a robot plays if they are away, and cards of the same worth go by themselves.

    `last_words` looks whether a later answer was played instead.
    """
    game_id, seat, due = place
    stored, record = left.games[game_id], record_at(left, place)
    player_id = left.player_at(deed.player)
    was_asked = bool(left.questions.get(place))
    number = record.number if record else stored.turns
    said_at = sum(row.at <= deed.ended for row in left.turns[game_id])
    has_passed = any(said_at <= one.until <= number for one in tenures(left, stored, seat))
    if was_asked or has_passed or left.is_ended(stored) or holder(left, stored, seat, number) != player_id:
        return
    if record is None:
        if not kept_ahead(stored.at(due.hand), Seat(seat)):
            yield f"{_called(left, place)}: the card ahead {text_of(deed)} is not kept"
    elif chosen_by(record.turn) != deed.chosen and record.source not in (TurnSource.FORCED, *CHOSEN):
        if record.source in (TurnSource.AWAY, TurnSource.AS_WISHED) and _is_dropped(left, place, record, deed):
            return
        yield f"{_called(left, place)}: the card ahead {text_of(deed)} was kept, and {played_text(record)}"


def _is_dropped(left: Aftermath, place: Place, record: Record, deed: Deed) -> bool:
    """Whether the trick got points behind the card led, which drops a card ahead."""
    game_id, seat, due = place
    with left.runtime.database.reading() as session:
        game = store.load(session, game_id, hand=due.hand, turns=record.number - 1).game
    ahead = Ahead(hand=due.hand, trick=game.trick, card=parse_code(*deed.chosen), seen=1)
    return has_points_since(ahead, view(game, Seat(seat)))


def _mail(left: Aftermath, deed: Deed) -> Iterator[str]:
    row = inbound_of(left, deed)
    if row is None:
        yield f"an email of {deed.player} was answered with 250, and is not there"
        return
    if row.handled_at is None:
        yield f"inbound {row.id} of {deed.player} was never read"
        return
    letter = answered(left, deed)
    if letter.kind is LetterKind.INVITATION or is_written_anew(left, letter, deed):  # `seats` looks what came of it
        return
    place = place_of(left, deed)
    if place is None:  # the digest's first choice was one that no letter asks: such a mail is answered by its links
        game = left.games.get(answered(left, deed).game_id or 0)
        is_over = game is not None and left.is_ended(game)  # an email has said that nothing is left to play
        if row.outcome != BY_LINKS and not is_over:
            yield f"inbound {row.id} of {deed.player} came to nothing ({row.outcome})"
        return
    if PLAYED.fullmatch(row.outcome or ""):
        yield from _turn(left, place, deed)
    elif row.outcome == KEPT:
        yield from _ahead(left, place, deed)
    elif not was_refused(left, deed, row):
        yield f"{_called(left, place)}: inbound {row.id} came to nothing ({row.outcome}), and no mail says why"


def inbound_of(left: Aftermath, deed: Deed) -> InboundRow | None:
    """The email of a player as the service has stored it."""
    same = (row for row in left.inbound if row.identity == deed.about and row.recipient == deed.to.lower())
    return next(same, None)


def was_refused(left: Aftermath, deed: Deed, row: InboundRow) -> bool:
    """Whether an email has told the player why their answer was refused; nobody gets more than `AT_MOST` a day.

    A player who has lost the seat was told so before, or plays for a friend and has left; an address that its player
    has left may be anybody's.
    """
    asked = answered(left, deed)
    due = _decision(left, asked)
    game = left.games.get(asked.game_id or 0)
    told = [one for one in left.letters if one.player_id == asked.player_id and left.went_out(one)]
    if any(one.kind is LetterKind.REPLACED and one.table_id == asked.table_id for one in told):
        return True
    if _has_left(left, asked) and (row.outcome == LOST or _is_taken_back(left, asked, due)):
        return True
    if game is not None and left.is_ended(game) and _is_taken_back(left, asked, due):
        return True
    if row.sender != left.players[asked.player_id].address and row.sender in left.addresses[asked.player_id]:
        return True
    answers = [one for one in told if one.kind is LetterKind.ANSWER]
    about = [one for one in answers if due and (one.game_id, one.hand) == (asked.game_id, due.hand)]
    is_told = any(due and (one.reason != Reason.OVER or one.about == due.what) for one in about)
    return is_told or len(answers) >= AT_MOST or left.is_unreachable(asked.player_id)


def _is_taken_back(left: Aftermath, asked: LetterRow, due: Due | None) -> bool:
    """Whether the answer was still in the outbox when its reader gave the seat back that they played for a friend, or
    when the host ended the game."""
    mine = [one for one in left.letters if (one.player_id, one.game_id) == (asked.player_id, asked.game_id)]
    unsent = [one for one in mine if (one.kind, one.state) == (LetterKind.ANSWER, LetterState.SUPERSEDED)]
    return due is not None and any((one.hand, one.about) == (due.hand, due.what) for one in unsent)


def _has_left(left: Aftermath, asked: LetterRow) -> bool:
    """Whether the reader of a letter has gone away from its table, which gives back a seat that they played."""
    return any(
        (deed.place, deed.about) == (AWAY, str(asked.table_id)) and left.player_at(deed.player) == asked.player_id
        for deed in left.notes.acknowledged
    )


def record_at(left: Aftermath, place: Place) -> Record | None:
    """The turn that was played for a decision; None if there is none yet."""
    game_id, seat, due = place
    return answer_to(left.games[game_id].records, Seat(seat), due)


def _called(left: Aftermath, place: Place) -> str:
    game_id, seat, due = place
    return called(left.games[game_id], seat, due)


def text_of(deed: Deed) -> str:
    return f"{' '.join(deed.chosen)} at {deed.at:%H:%M:%S} by {deed.way.value}"


def played_text(record: Record | None) -> str:
    if record is None:
        return "is not in the records"
    return f"the record says {' '.join(chosen_by(record.turn))} ({record.source.value})"  # type: ignore[arg-type]
