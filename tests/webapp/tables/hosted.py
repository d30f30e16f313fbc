"""A table whose host changes something, and what there is to see of it, for the tests of that."""

from datetime import timedelta
from functools import reduce

from hearts.cards import Cards
from hearts.claim import claim, played_out
from hearts.game import Game, Stage, apply, legal
from hearts.seats import Seat
from hearts.turns import Pass, Play
from hearts.view import view
from tests.cast import (
    address,
    letters,
    load,
    play_first,
    seats,
)
from webapp.core.tokens import HandOverLink, HostLink, InvitationLink
from webapp.forms.opening import Chair
from webapp.models import (
    LetterKind,
    LetterRow,
    LetterState,
    SeatRow,
)
from webapp.site import make_site
from webapp.tables import hosting, seating
from webapp.tables.hosting import Given
from worker.mail import compose

ANN, BO, CY, DI = range(4)
EVE = Chair("Eve", address("Eve"))
HOUR = timedelta(hours=1)


def table_of(parts, game_id: int) -> int:
    return load(parts, game_id).row.table_id


def host_of(parts, table_id: int) -> HostLink:
    return HostLink(table_id, seats(parts, table_id)[ANN].player_id or 0)


def give(parts, game_id: int, number: int, chair: Chair | None) -> Given:
    table_id = table_of(parts, game_id)
    return hosting.give_chair(parts, host_of(parts, table_id), number, chair, parts.now())


def offer(parts, game_id: int, number: int = BO, chair: Chair = EVE) -> InvitationLink:
    """The link by which Eve, or whoever else it is offered to, answers."""
    assert give(parts, game_id, number, chair) is Given.OFFERED
    table_id = table_of(parts, game_id)
    return InvitationLink(table_id, number, seats(parts, table_id)[number].offered_to or 0)


def accept(parts, link: InvitationLink, name: str = "Eve") -> None:
    seating.accept(parts, link, name, "UTC", parts.now())


def hand_over_link(parts, link: InvitationLink) -> HandOverLink:
    """By which whoever plays on the offered seat may hand it over."""
    return HandOverLink(link.table_id, link.seat, seats(parts, link.table_id)[link.seat].player_id or 0, link.player_id)


def hand_over(parts, link: InvitationLink, *, at_once: bool = True) -> None:
    """Whoever plays on the offered seat lets the newcomer have it in the middle of the hand."""
    seating.hand_over(parts, hand_over_link(parts, link), parts.now(), at_once=at_once)


def take_at_once(parts, game_id: int, number: int = BO) -> InvitationLink:
    """Eve gets the seat in the middle of the hand, as its player wants. Returns the link by which she took it."""
    link = offer(parts, game_id, number)
    hand_over(parts, link)
    accept(parts, link)
    return link


def seat_of(parts, game_id: int, number: int) -> SeatRow:
    return seats(parts, table_of(parts, game_id))[number]


def first_pass(stored, seat: int) -> Pass:
    """The first three cards that the seat holds."""
    return Pass(Seat(seat), Cards.of(list(stored.game.held[seat])[:3]))


def last_decision(parts, game_id: int) -> tuple[int, Play]:
    """Plays until the next card ends the hand, whatever follows from it by itself. Returns whose and which it is."""
    while True:
        stored = load(parts, game_id)
        if stored.game.stage is Stage.PLAY:
            turn = Play(stored.game.to_act[0], next(iter(legal(stored.game, stored.game.to_act[0]))))
            if _played_by_itself(apply(stored.game, turn)).stage is Stage.DEAL:
                return turn.seat, turn
        play_first(parts, game_id)


def _played_by_itself(game: Game) -> Game:
    """The game after all that nobody must decide: single legal cards, and tricks that one seat cannot but win."""
    while game.stage is Stage.PLAY:
        (seat,) = game.to_act
        cards, rest = set(legal(game, seat)), claim(view(game, seat))
        if len(cards) == 1:
            game = apply(game, Play(seat, cards.pop()))
        elif rest and rest.any_order:
            game = reduce(apply, played_out(game, rest), game)
        else:
            break
    return game


def composed(parts, letter) -> dict[str, str]:
    """The text and the HTML of a mail."""
    with parts.database.reading() as rows:
        message = compose(parts, rows, rows.get_one(LetterRow, letter.id))
    return {kind: " ".join(message.get_body((kind,)).get_content().split()) for kind in ("plain", "html")}


def waiting(parts, kind: LetterKind) -> list[int]:
    """The seats to which mails of that kind are owed."""
    return [letter.seat for letter in letters(parts, kind) if letter.state is LetterState.OWED]


def status(parts, link) -> int:
    return make_site(parts).test_client().get(parts.signer.local_url(link)).status_code
