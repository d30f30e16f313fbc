"""A table whose host changes something, and its pages and mails, for the tests of that."""

from datetime import timedelta
from functools import reduce

from hearts.cards import Cards
from hearts.claim import claim, played_out
from hearts.game import Game, Stage, apply, legal
from hearts.robot import has_a_choice
from hearts.seats import Seat
from hearts.turns import Pass, Play
from hearts.view import view
from tests.cast import address, letters, seat_link, seats, table_row
from tests.sites import site_of
from tests.table import Table
from tests.webapp.accounts.signed_in import browser_of
from webapp.core.tokens import HostLink, InvitationLink
from webapp.forms.opening import NewSeat
from webapp.models import LetterKind, LetterRow, LetterState, Proposal
from webapp.play import course, seat_transfer
from webapp.tables import agreeing, hosting, seating
from webapp.tables.hosting import GivenTo, Pace
from worker.mail import compose

ANN, BO, CY, DI = range(4)
EVE = NewSeat("Eve", address("Eve"))
HOUR = timedelta(hours=1)


def host_of(runtime, table_id: int) -> HostLink:
    return HostLink(table_id, seats(runtime, table_id)[ANN].player_id or 0)


def give(table: Table, number: int, newcomer: NewSeat | None) -> GivenTo:
    table_id = table.table_id
    return hosting.give_seat(table.runtime, host_of(table.runtime, table_id), number, newcomer, table.runtime.now())


def agree(runtime, table_id: int, proposal: Proposal, number: int) -> None:
    """The player of that seat agrees to what the host proposes."""
    agreeing.agree(runtime, seat_link(runtime, table_id, number), proposal.key, runtime.now())


def let_agree(runtime, table_id: int) -> None:
    """All others agree to whatever the host proposes, until it is carried out."""
    while proposals := table_row(runtime, table_id).proposals:
        here = (seat.seat for seat in seats(runtime, table_id) if seat.player_id and not seat.away and seat.seat != ANN)
        agree(runtime, table_id, proposals[0], next(one for one in here if not _agrees(runtime, table_id, one)))


def _agrees(runtime, table_id: int, number: int) -> bool:
    (first, *_) = table_row(runtime, table_id).proposals or ()
    return seats(runtime, table_id)[number].player_id in first.agreed


def change_pace(runtime, table_id: int, wanted: Pace) -> None:
    """The host chooses another pace, and all agree."""
    hosting.change_pace(runtime, host_of(runtime, table_id), wanted, runtime.now())
    let_agree(runtime, table_id)


def end_game(runtime, table_id: int) -> None:
    """The host ends the game, and the others agree."""
    hosting.end_game(runtime, host_of(runtime, table_id), runtime.now())
    let_agree(runtime, table_id)


def replace_by_robot(table: Table, number: int) -> None:
    """A robot gets the seat: the host wants it, and the others agree."""
    give(table, number, None)
    let_agree(table.runtime, table.table_id)


def offer(table: Table, number: int = BO, newcomer: NewSeat = EVE) -> InvitationLink:
    """The link by which Eve, or another invited guest, answers."""
    assert give(table, number, newcomer) is GivenTo.OFFERED
    table_id = table.table_id
    return InvitationLink(table_id, number, seats(table.runtime, table_id)[number].offered_to or 0)


def accept(runtime, link: InvitationLink, name: str = "Eve") -> None:
    seating.accept(runtime, link, name, "UTC", runtime.now())


def transfer(table: Table, number: int) -> None:
    """The newcomer whom the seat is offered to gets it now, in the middle of the hand, as a stand-in does."""
    with table.changing() as game:
        seat = game.seats[number]
        seat_transfer.transfer_seat(game.transaction, seat, seat_transfer.newcomer(seat), game)
        course.preferences_changed(game, Seat(number), was_away=True)


def take_at_once(table: Table, number: int = BO) -> InvitationLink:
    """Eve gets the seat in the middle of the hand. Returns the link that invited her."""
    link = offer(table, number)
    transfer(table, number)
    return link


def first_pass(stored, seat: int) -> Pass:
    """The first three cards that the seat holds."""
    return Pass(Seat(seat), Cards.of(list(stored.game.held[seat])[:3]))


def last_decision(table: Table) -> tuple[int, Play]:
    """Plays until the next card ends the hand, with all that follows automatically. Returns its seat and the card."""
    while table.game.stage is not Stage.PLAY:
        table.play_first()
    table.leap(
        lambda game: (
            _after_automatic_turns(game) is game
            and _after_automatic_turns(apply(game, _first(game))).stage in (Stage.DEAL, Stage.OVER)
        ),
    )
    turn = _first(table.game)
    return turn.seat, turn


def _first(game: Game) -> Play:
    return Play(game.to_act[0], next(iter(legal(game, game.to_act[0]))))


def _after_automatic_turns(game: Game) -> Game:
    """The game after all automatic turns: single legal cards, tricks that one seat must win, cards of equal worth."""
    while game.stage is Stage.PLAY:
        (seat,) = game.to_act
        cards, rest = set(legal(game, seat)), claim(view(game, seat))
        if len(cards) == 1:
            game = apply(game, Play(seat, cards.pop()))
        elif rest and rest.any_order:
            game = reduce(apply, played_out(game, rest), game)
        elif not has_a_choice(view(game, seat)):
            game = apply(game, Play(seat, min(cards)))
        else:
            break
    return game


def composed(runtime, letter) -> dict[str, str]:
    """The text and the HTML of an email."""
    with runtime.database.reading() as session:
        message = compose(runtime, session, session.get_one(LetterRow, letter.id))
    return {kind: " ".join(message.get_body((kind,)).get_content().split()) for kind in ("plain", "html")}


def seats_mailed(runtime, kind: LetterKind) -> list[int]:
    """The seats for which mails of that kind are queued."""
    return [letter.seat for letter in letters(runtime, kind) if letter.state is LetterState.QUEUED]


def status(runtime, link) -> int:
    return site_of(runtime).test_client().get(runtime.signer.local_url(link)).status_code


def page(runtime, link, *, player: int | None = None) -> str:
    """The page of a link, for a browser in which that player is signed in, or nobody."""
    client = site_of(runtime).test_client() if player is None else browser_of(runtime, player)
    shown = client.get(runtime.signer.local_url(link))
    assert shown.status_code == 200
    return " ".join(shown.text.split())
