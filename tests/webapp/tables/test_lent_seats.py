"""A lent seat in a longer game: hands side by side, vacation days, the end of the game, and what the host may do."""

import random
import re
from datetime import timedelta

import pytest

from hearts.cards import card_text
from hearts.game import Stage, legal
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Play
from tests.cast import PACE, address, letters, seat_link, seats, start_game
from tests.races import check_replays
from tests.side_by_side import play_in
from tests.table import Table
from tests.webapp.tables.hosted import (
    ANN,
    BO,
    CY,
    DI,
    accept,
    composed,
    give,
    last_decision,
    offer,
    replace_by_robot,
    status,
)
from tests.webapp.tables.lending import ask, come_back, lend, mail_texts, shown
from tests.webapp.vacations import take_by_hand, with_vacation
from webapp.core.say import Refused
from webapp.core.tokens import AgainLink, HostLink
from webapp.forms.opening import NewSeat
from webapp.games.asked.due import due_of
from webapp.games.clock.vacation import days_left, vacation_of
from webapp.models import GameState, LetterKind, LetterState, PlayerRow, SeatState, TableRow, TurnSource
from webapp.outbox import turn_mail
from webapp.play import taking
from webapp.tables import again
from worker import postman

# hands side by side, and vacation days


def asked_in(runtime, player_id: int) -> list[int]:
    """The hands in which a question waits for the player."""
    with runtime.database.reading() as session:
        waiting = turn_mail.waiting_for(session, session.get_one(PlayerRow, player_id))
    return sorted(one.key.hand for one in waiting)


def until_asked(table, number, rng) -> None:
    """The others play until that hand asks Bo's seat."""
    while BO not in (one := table.hand(number)).game.to_act:
        play_in(table.runtime, one, rng)


def test_every_hand_asks_the_friend_and_then_the_player(runtime) -> None:
    table, rng = start_game(runtime, at_once=4), random.Random(1)
    bo, hands = table.seats[BO].player_id, [1, 2, 3, 4]
    while table.hand(2).game.stage is Stage.PASS:
        play_in(runtime, table.hand(2), rng)
    link = ask(table)
    assert table.play_for_absent() >= 2, "a robot passes"
    for number in hands:
        until_asked(table, number, rng)
    runtime.now.pass_by(timedelta(hours=5))
    accept(runtime, link)
    assert asked_in(runtime, link.player_id) == hands
    assert table.play_for_absent() == 0, "the robot plays in none of them any more"
    assert {one.clock.due_at for one in table.stored.open_hands()} == {runtime.now() + PACE}
    for number in (1, 3):
        turn = Play(Seat(BO), next(iter(legal(table.hand(number).game, Seat(BO)))))
        due = due_of(table.hand(number).game, Seat(BO))
        who = {"player_id": link.player_id}
        taking.take_turn(runtime, table.game_id, due, turn, TurnSource.PAGE, runtime.now(), **who)
    until_asked(table, 1, rng)
    if BO in table.hand(3).game.to_act:
        play_in(runtime, table.hand(3), rng)
    assert asked_in(runtime, link.player_id) == [1, 2, 4]
    runtime.now.pass_by(timedelta(hours=1))
    come_back(runtime, link, bo)
    assert (asked_in(runtime, link.player_id), asked_in(runtime, bo)) == ([], [1, 2, 4])
    dues = {one.game.hand: one.clock.due_at for one in table.stored.open_hands()}
    assert {dues[number] for number in (1, 2, 4)} == {runtime.now() + PACE}
    assert table.play_for_absent() == 0
    check_replays(table)


def test_vacation_days_are_the_players_not_the_friends(runtime, table) -> None:
    bo = table.seats[BO].player_id
    with_vacation(table)
    take_by_hand(table, BO, 1)
    runtime.now.pass_by(timedelta(days=1))
    taken = vacation_of(table.seats[BO])
    link = ask(table)
    table.play_for_absent()
    table.pass_all((ANN, CY, DI))
    while table.game.to_act != (BO,):
        table.play_first()
    accept(runtime, link)
    stored = table.stored
    assert (stored.row.due_at, days_left(stored.table, stored.seats[BO])) == (runtime.now() + PACE, 0)
    assert table.miss_deadline() > 0, "no day is taken for the friend"
    assert table.seats[BO].missed == 1
    come_back(runtime, link, bo)
    stored = table.stored
    assert (vacation_of(stored.seats[BO]), days_left(stored.table, stored.seats[BO])) == (taken, 2)


# the game's end, and the host


def test_at_the_games_end_the_seat_is_the_players_again(runtime, client) -> None:
    table = start_game(runtime, rules=preset_rules("classic", target=10))
    ann, table_id = table.seats[ANN].player_id, table.table_id
    host = HostLink(table_id, ann)
    link = lend(table, ANN)
    assert status(runtime, host) == 403, "nobody hosts meanwhile"
    assert status(runtime, seat_link(runtime, table_id, BO)) == 200
    assert "hosts" not in shown(runtime, seat_link(runtime, table_id, ANN))
    with runtime.database.reading() as session:
        code = session.get_one(TableRow, table_id).code
    assert client.get(f"/lobby/{code}").status_code == 409, "the game is being played"
    table.play_hand()
    stored = table.stored
    assert stored.row.state is GameState.OVER
    row = stored.seats[ANN]
    assert (row.player_id, row.name, row.state, row.away) == (ann, "Ann", SeatState.HOST, False)
    assert stored.names_of_hand(1)[ANN] == "Eve (Ann)"
    final = [one for one in letters(runtime, LetterKind.FINAL_SHEET) if one.state is LetterState.QUEUED]
    assert {one.player_id for one in final} == {seat.player_id for seat in stored.seats}
    assert len(mail_texts(runtime, LetterKind.SCORE_SHEET, link.player_id)) == 1
    (over,) = mail_texts(runtime, LetterKind.REPLACED, link.player_id)
    assert "Thank you for playing for Ann." in over
    for seat in seats(runtime, table_id):
        again.agree(runtime, AgainLink(table_id, seat.seat, seat.player_id or 0, 1), runtime.now())
    assert Table(runtime, table.game_id + 1).stored.names == ["Ann", "Bo", "Cy", "Di"]
    assert status(runtime, host) == 200


def test_the_last_sheets_rank_the_player_whose_seat_was_lent(runtime) -> None:
    table = start_game(runtime, rules=preset_rules("classic", target=10))
    link = lend(table)
    table.play_hand()
    assert table.row.state is GameState.OVER
    ann = table.seats[ANN].player_id
    (sheet,) = mail_texts(runtime, LetterKind.FINAL_SHEET, ann)
    assert re.search(r"\d\. Bo: \d", sheet)
    assert "Eve (Bo):" not in sheet
    (hers,) = mail_texts(runtime, LetterKind.SCORE_SHEET, link.player_id)
    assert re.search(r"\d\. Bo: \d", hers)


def test_a_friend_whose_card_ends_the_game_reads_so(runtime, client) -> None:
    table = start_game(runtime, rules=preset_rules("classic", target=10))
    number, card = last_decision(table)
    lend(table, number)
    at = runtime.signer.local_url(table.turn_link(number))
    done = " ".join(client.post(at, data={"card": card_text(card.card)}).text.split())
    assert "is over, and the seat is" in done


def test_a_hosts_offer_replaces_the_players_request_of_a_friend(runtime, table) -> None:
    link = ask(table)
    offer(table)
    accept(runtime, link)
    assert table.seats[BO].name == "Bo", "until the hand is over"


def test_a_host_can_give_a_lent_seat_only_to_robots(runtime, table) -> None:
    bo, link = table.seats[BO].player_id, lend(table)
    with pytest.raises(Refused, match="Eve plays for Bo until they are back"):
        give(table, BO, NewSeat("Emil", address("Emil")))
    replace_by_robot(table, BO)
    row = table.seats[BO]
    assert (row.player_id, row.stands_in_for, row.lent) == (None, None, None)
    for player_id in (bo, link.player_id):
        sent = [one for one in letters(runtime, LetterKind.REPLACED) if one.player_id == player_id]
        assert "has given your seat to a robot" in composed(runtime, sent[-1])["plain"]
    postman.deliver(runtime)
    states = [(one.reason, one.state) for one in letters(runtime, LetterKind.REPLACED)]
    assert states == [("lent", LetterState.SUPERSEDED), (None, LetterState.KEPT), (None, LetterState.KEPT)]
