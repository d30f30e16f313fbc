"""Takes a running game as far as it goes without anybody's answer: deals, cards that need no choice, the end of a hand
or of the game. Then sets the clock and queues the mails.
"""

from collections.abc import Iterable

from sqlmodel import select

from hearts.game import Stage
from webapp.games import book
from webapp.games.asked.whose_turn import awaited, deal_record, unasked_records
from webapp.games.clock import clocks, proposals, rest
from webapp.games.clock.pace import plays_live
from webapp.games.record import sealed
from webapp.games.record.changing import OpenGame, Transaction
from webapp.games.record.store import Record, TableGame
from webapp.models import GameRow, GameState, TableRow, TableState
from webapp.outbox import about_tables, questions
from webapp.outbox.about_tables import OfferOver
from webapp.play import seat_transfer


def start_game(transaction: Transaction, table: TableRow) -> None:
    """Starts the table's next game and deals it."""
    session = transaction.session
    earlier = session.exec(select(GameRow).where(GameRow.table_id == table.id)).all()
    at_once = 1 if plays_live(table) else table.at_once
    number, now = len(earlier) + 1, transaction.now
    row = GameRow(table_id=table.id, number=number, state=GameState.PLAYING, at_once=at_once, started_at=now)
    session.add(row)
    session.flush()
    game = transaction.game(row.id)
    _begin_pace(game)
    for seat in game.seats:
        seat.vacation = None
    advance(game)


def advance(game: OpenGame, before: TableGame | None = None) -> None:
    """Appends every record that needs no decision, then sets the clock and queues the mails.

    `before` is the game as it was before the turns that have just been taken; None: none have.
    """
    session, runtime, now = game.session, game.runtime, game.now
    before, hand = before or game.stored, game.stored.game.hand
    while records := _without_asking(game):
        append(game, records)
    if game.stored.game.stage is Stage.OVER:
        # Before `end_game`, which gives lent seats back: the friend gets the sheet of the hand that they played.
        questions.queue_score_sheets(session, runtime, game.stored, now)
        end_game(game, OfferOver.GAME_OVER)
    else:
        clocks.settle(session, game.stored, now)
    questions.queue_new_questions(session, before, game.stored, now)
    # What followed may have led to another hand; the caller goes on about its own.
    game.stored = game.stored.at(hand)


def append(game: OpenGame, records: Iterable[Record]) -> None:
    """Appends records that nobody has decided on."""
    for record in records:
        game.append(record)
        rest.note_turn(game.stored, record.source, game.now)


def unasked(hand: TableGame) -> list[Record]:
    """The next records of a hand that need nobody's answer now; empty if it waits for a seat, or is over."""
    return unasked_records(hand) if hand.game.to_act else []


def end_game(game: OpenGame, why: OfferOver) -> None:
    """Ends the game: clears its deadline and the table's pause, ends what its host has proposed, and live play,
    withdraws offers of seats with `why` as the reason, gives lent seats back, and writes it into the table's book.
    """
    row, table = game.row, game.table
    row.state, row.ended_at = GameState.OVER, game.now
    table.state, table.pause = TableState.OVER, None
    table.live_seconds = None
    proposals.end_with_game(table)
    clocks.settle(game.session, game.stored, game.now)
    for seat in game.seats:
        seat.wants_live = seat.wants_pause = False
        seat_transfer.withdraw(game.transaction, seat, why)
    seat_transfer.give_back_at_end(game)
    book.reckon(game.session, game.stored)
    sealed.seal_next(game.session, game.runtime.chance, table.id, row.number + 1, game.seats, game.now)


def ask_anew(game: OpenGame, hand: TableGame) -> None:
    """Plans the mails anew to the players whom the hand asks, after its deadline has moved."""
    for seat in awaited(hand):
        questions.queue_question(game.session, hand, hand.seats[seat], game.now)


def _without_asking(game: OpenGame) -> list[Record]:
    """The next records that need nobody's answer now; the game is about the hand to which they belong then.

    Empty if somebody has to answer in each hand, or the game is over.
    """
    if game.stored.cycle.stage is Stage.DEAL:
        # Not before the first deal: no hand has a sheet yet.
        if game.stored.game.stage is Stage.DEAL and game.stored.game.scores:
            questions.queue_score_sheets(game.session, game.runtime, game.stored, game.now)
            # Newcomers get their seats, and a new pace begins, only before a deal.
            seat_transfer.seat_newcomers(game)
            _begin_pace(game)
        return [deal_record(game)]
    for hand in game.stored.open_hands():
        if records := unasked(hand):
            game.stored = hand
            return records
    return []


def _begin_pace(game: OpenGame) -> None:
    """Lets a new pace begin with a deal, if the mails about it have gone."""
    table = game.table
    proposal = proposals.for_next_deal(table)
    # A hand that is dealt at night would have a pace whose mails wait for the morning.
    if proposal and proposal.pace and about_tables.told_at(game.session, table.id, proposal):
        proposals.drop(table, proposal)
        proposals.begin(table, proposal.pace)
