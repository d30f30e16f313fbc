"""Changes whom a game waits for, and until when, without a turn: pauses, rests, paces, live play, proposals."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games import book
from webapp.games.asked.whose_turn import awaited
from webapp.games.clock import clocks, presence, proposals, rest
from webapp.games.clock.clocks import set_wake
from webapp.games.clock.presence import plays_themselves
from webapp.games.record import changing
from webapp.games.record.changing import OpenGame, Transaction
from webapp.games.record.rows import table_seats
from webapp.games.record.store import TableGame
from webapp.models import GameState, Pause, PlayerRow, Proposal, SeatRow, SeatState, Stands, TableRow
from webapp.outbox import about_tables, letters, questions
from webapp.outbox.about_tables import OfferOver, SeatGiven
from webapp.play import seat_transfer
from webapp.play.advancing import advance, ask_anew, end_game
from webapp.play.seat_transfer import Occupant


def preferences_changed(game: OpenGame, seat: Seat, *, was_away: bool) -> None:
    """Updates a running game after the player of `seat` went away, came back, or changed preferences.

    If it is their turn, a player who is back, or has just got the seat, gets their deadline and a turn mail.
    """
    game.session.flush()
    # It rests because nobody came: now somebody has.
    if was_away and plays_themselves(game.seats[seat]) and game.table.rests:
        start_clock(game)
    clocks.settle(game.session, game.stored, game.now)
    for hand in game.stored.open_hands():
        if seat in awaited(hand):
            questions.queue_question(game.session, hand, hand.seats[seat], game.now)


def clock_changed(game: OpenGame) -> None:
    """Updates a running game after its pace was changed, or its clock paused or resumed.

    The players whose turn it is get the deadline that follows from it, or keep the old one if that is later; nobody is
    asked twice for the same decision.
    """
    clocks.settle(game.session, game.stored, game.now)
    for hand in game.stored.open_hands():
        ask_anew(game, hand)


def stop_clock(game: OpenGame, why: Stands, lasts: timedelta | None = None) -> None:
    """Lets the clock stand still, for that long at most; nobody asks for that any more. Does nothing if it stands.

    At rest, no robot plays either, and each player gets one mail.
    """
    _end_vote(game)
    if game.table.pause is not None:
        return
    game.table.pause = Pause(why, game.now, game.now + lasts if lasts else None)
    clock_changed(game)
    for seat in game.seats if why is Stands.REST else ():
        about_tables.queue_resting(game.session, game.runtime, seat, game.row.number, game.now)


def start_clock(game: OpenGame) -> None:
    """Lets the game go on: everybody who is asked has the time that was left, or after a rest a full time, and is asked
    by mail again. Does nothing if the clock runs.
    """
    _end_vote(game)
    if game.table.rests:
        rest.forget(game.stored)
        clocks.forget(game.stored)
    if game.table.pause is not None:
        game.table.pause = None
        clock_changed(game)


def _end_vote(game: OpenGame) -> None:
    for seat in game.seats:
        seat.wants_pause = False


def close(game: OpenGame, why: str, told: int | None = None) -> None:
    """Ends a game early: it consists of its finished hands, and each player gets a mail that says `why`, with the
    sheet. The player `told` knows, and gets none.
    """
    # Before the mails that are queued below, which are about the same game.
    letters.supersede_for_ended_game(game.session, game.row.id)
    end_game(game, OfferOver.ENDED)
    for seat in game.seats:
        if seat.player_id not in (None, told):
            about_tables.queue_ended(game.session, game.runtime, seat, game.row.number, game.now, reason=why)


def give_seat(transaction: Transaction, seat: SeatRow, occupant: Occupant, why: SeatGiven | None = None) -> None:
    """Gives the seat to `occupant` now, even in the middle of a hand, and asks a new player for the seat's turn.

    The player who loses it gets a mail: `why`, or None if the host wants it.
    """
    game = transaction.running(seat.table_id)
    seat_transfer.transfer_seat(transaction, seat, occupant, game, why)
    if game is not None:
        # As if they had been away: the time that ran for somebody else was not theirs.
        preferences_changed(game, Seat(seat.seat), was_away=True)


def give_to_robot(transaction: Transaction, seat: SeatRow, why: SeatGiven | None = None) -> None:
    """Gives the seat to a robot, likewise. A newcomer to whom it is offered can still accept it, and joins after the
    hand.
    """
    name = seat_transfer.free_robot_name(table_seats(transaction.session, seat.table_id))
    give_seat(transaction, seat, Occupant(None, name, SeatState.ROBOT), why)


def go_on(game: OpenGame) -> None:
    """Sets a game going that stands still: plays what needs no decision, and asks those for whom it then waits."""
    advance(game)
    clock_changed(game)


def come_together(game: OpenGame) -> None:
    """Gives a running game a live pace, for which all needed players are there.

    Questions that wait in the outbox are not sent: their readers see the game. Each of them plays themselves from now
    on, also where a robot was to play the hand for them.
    """
    game.table.live_seconds = int(presence.LIVE_PACE.total_seconds())
    for seat in game.seats:
        seat.wants_live = False
    for seat in filter(plays_themselves, game.seats):
        seat.missed, seat.robot_hand = 0, None
    clocks.settle(game.session, game.stored, game.now)


def part(game: OpenGame) -> None:
    """Ends live play of a slow game, if there is any: the running game has its own pace again.

    Everybody whose turn it is has the time that was left, and is asked by mail; deadlines missed meanwhile do not
    count.
    """
    if not game.table.is_together:
        return
    game.table.live_seconds = None
    for seat in filter(plays_themselves, game.seats):
        seat.missed = 0
    go_on(game)


def hours_changed(game: OpenGame, seat: Seat) -> None:
    """Updates a running game after the hours of the player of `seat` have changed: its deadline."""
    game.session.flush()
    for hand in clocks.settle(game.session, game.stored, game.now, changed=game.seats[seat].player_id):
        ask_anew(game, hand)


# Carries out what a host has proposed and the others have seen or agreed on.


def carry_out(
    transaction: Transaction,
    table: TableRow,
    seats: Sequence[SeatRow],
    game: OpenGame | None,
    proposal: Proposal,
    *,
    is_agreed: bool = True,
) -> None:
    """Carries out the proposal at the table; `game` is the one that it plays. The end of none does nothing."""
    proposals.drop(table, proposal)
    if proposal.pace is not None:
        proposals.begin(table, proposal.pace)
        if game is not None:
            clock_changed(game)
    elif proposal.seat is not None:
        give_to_robot(transaction, seats[proposal.seat])
    elif game is not None:
        # A host among robots has ended the game by a tap of their own, and needs no mail about it.
        is_host_alone = not proposals.others(table, seats)
        why = about_tables.PROPOSED
        if table.has_strangers and not is_agreed and game.stored.cycle.scores:
            # A host who ends a game that goes badly has left it: the others share the win.
            left = {seat.player_id: 1 for seat in proposals.others(table, seats) if seat.player_id}
            book.rate(transaction.session, left | {table.host_id: 2})
        close(game, why, told=table.host_id if is_host_alone else None)


def run_due(runtime: Runtime, loaded: TableGame, now: datetime) -> bool:
    """Carries out the proposals of the game's table that take effect now, or puts each off until the others have seen
    it for a day: its mails may have waited. Returns whether there were any.
    """
    if not _due(loaded, now):
        return False
    with changing.game(runtime, loaded.id, now, wakes_for_games=False) as game:
        # One by one, and looked at anew: one that ends the game leaves nothing for the next.
        while game.row.state is GameState.PLAYING and (due := _due(game.stored, now)):
            proposal = due[0]
            others = proposals.others(game.table, game.seats)
            players = [game.session.get_one(PlayerRow, seat.player_id) for seat in others]
            # Its day begins when its last mail went: one that waited for the morning has told nobody.
            told_at = about_tables.told_at(game.session, game.table.id, proposal)
            ends_at = proposals.ends_at(players, told_at or game.now)
            if ends_at > now:
                proposals.put(game.table, replace(proposal, ends_at=ends_at))
                set_wake(game.stored, now)
            else:
                carry_out(game.transaction, game.table, game.seats, game, proposal, is_agreed=False)
    return True


def _due(stored: TableGame, now: datetime) -> list[Proposal]:
    return [one for one in stored.table.proposals or () if proposals.is_due(one, now)]
