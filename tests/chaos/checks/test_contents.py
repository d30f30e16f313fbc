"""The contents of mails: cards that are not their reader's to know are found, also once a seat has another player."""

from hearts.cards import Card, card_text
from hearts.turns import Play
from tests.cast import address, start_game
from tests.chaos.checks import contents
from tests.chaos.checks.planted import deliver, form, left_by, letter_to
from tests.chaos.clocks import JUMP
from tests.chaos.notes import Notes
from tests.chaos.relay import MoodyRelay
from tests.table import Table, ask_all
from webapp.core.runtime import Runtime
from webapp.games.record import changing
from webapp.models import LetterRow, PlayerRow, SeatState
from webapp.outbox.timing import Cause
from webapp.play import seat_transfer

ANN, BO = 0, 1


def held(table: Table, seat: int) -> list[Card]:
    return list(table.game.held[seat])


def give_to_eve(table: Table) -> LetterRow:
    """Eve has Bo's seat in the middle of a hand, and gets the letter that he had got."""
    letter = letter_to(table.runtime, BO)
    with changing.games(table.runtime, table.runtime.now()) as transaction:
        session = transaction.session
        eve = PlayerRow(name="Eve", address=address("Eve"), time_zone="UTC", created_at=table.runtime.now())
        session.add(eve)
        session.flush()
        game = transaction.game(table.game_id)
        occupant = seat_transfer.Occupant(eve.id, "Eve", SeatState.ACCEPTED)
        seat_transfer.transfer_seat(transaction, game.seats[BO], occupant, game)
        session.get_one(LetterRow, letter.id).player_id = eve.id
    return letter


def test_a_mail_that_names_a_neighbours_card_is_found(runtime: Runtime, relay: MoodyRelay) -> None:
    table = start_game(runtime)
    own, other = held(table, ANN)[0], held(table, BO)[0]
    deliver(relay, runtime, letter_to(runtime, ANN), f"Yours: {card_text(own)}")
    assert list(contents.check(left_by(runtime, relay))) == []
    deliver(relay, runtime, letter_to(runtime, ANN), f"Yours: {card_text(own)} {card_text(other)}")
    (fault,) = contents.check(left_by(runtime, relay))
    assert "names 1 cards that are not its reader's to know" in fault


def test_a_card_played_by_a_clock_ahead_is_known(runtime: Runtime, relay: MoodyRelay) -> None:
    table = start_game(runtime)
    letter = letter_to(runtime, ANN)
    table.pass_all()
    runtime.now.pass_by(JUMP)
    for _ in range(3):  # the third has no card that Ann was dealt
        table.play_first()
    runtime.now.pass_by(-JUMP)
    played = " ".join(card_text(record.turn.card) for record in table.records if isinstance(record.turn, Play))
    deliver(relay, runtime, letter, f"Played: {played}")
    left = left_by(runtime, relay)
    assert len(list(contents.check(left))) == 1
    left.apart += JUMP
    assert list(contents.check(left)) == []


def test_a_newcomer_who_is_shown_an_open_hand_is_found(runtime: Runtime, relay: MoodyRelay) -> None:
    table = start_game(runtime)
    letter = give_to_eve(table)
    deliver(relay, runtime, letter, f"Yours: {card_text(held(table, BO)[0])}")
    (fault,) = contents.check(left_by(runtime, relay))
    assert "not its reader's to know" in fault


def test_a_newcomer_may_see_a_hand_that_is_lent(runtime: Runtime, relay: MoodyRelay) -> None:
    table = start_game(runtime)
    letter = give_to_eve(table)
    deliver(relay, runtime, letter, f"Yours: {card_text(held(table, BO)[0])}")
    lent = Notes([form("Bo", "/preferences/x/away", "friend", at=runtime.now())])
    assert list(contents.check(left_by(runtime, relay, lent))) == []
    by_another = Notes([form("Cy", "/preferences/x/away", "friend", at=runtime.now())])
    assert len(list(contents.check(left_by(runtime, relay, by_another)))) == 1


def test_a_question_that_came_twice_is_found(runtime: Runtime, relay: MoodyRelay) -> None:
    start_game(runtime)
    ask_all(runtime)
    letter = letter_to(runtime, ANN)
    deliver(relay, runtime, letter, "Your turn")
    assert list(contents.check(left_by(runtime, relay))) == []
    with runtime.database.writing() as session:
        row = session.get_one(LetterRow, letter.id)
        row.reason, row.requested = Cause.NEXT, False
        again = {"message_id": "<again@example.org>", "dedupe": "again", "id": None}
        session.add(LetterRow(**{**row.model_dump(), **again}))
    deliver(relay, runtime, letter_to(runtime, ANN), "Your turn")
    (fault,) = contents.check(left_by(runtime, relay))
    assert "2 times the same mail" in fault
