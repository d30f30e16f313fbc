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
from tests.cast import PACE, address, letters, load, seat_link, seats, start_game, turn_link
from tests.playing import miss_deadline, pass_all, play_first, play_hand
from tests.races import check_replays
from tests.side_by_side import hand, play_in
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
    seat_of,
    status,
    table_of,
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
from webapp.play import due_games, taking
from webapp.tables import again
from worker import postman

# hands side by side, and vacation days


def asked_in(runtime, player_id: int) -> list[int]:
    """The hands in which a question waits for the player."""
    with runtime.database.reading() as session:
        waiting = turn_mail.waiting_for(session, session.get_one(PlayerRow, player_id))
    return sorted(one.key.hand for one in waiting)


def until_asked(runtime, game_id, number, rng) -> None:
    """The others play until that hand asks Bo's seat."""
    while BO not in (one := hand(runtime, game_id, number)).game.to_act:
        play_in(runtime, one, rng)


def test_every_hand_asks_the_friend_and_then_the_player(runtime) -> None:
    game_id, rng = start_game(runtime, at_once=4), random.Random(1)
    bo, hands = seat_of(runtime, game_id, BO).player_id, [1, 2, 3, 4]
    while hand(runtime, game_id, 2).game.stage is Stage.PASS:
        play_in(runtime, hand(runtime, game_id, 2), rng)
    link = ask(runtime, game_id)
    assert due_games.play_for_absent(runtime, game_id) >= 2, "a robot passes"
    for number in hands:
        until_asked(runtime, game_id, number, rng)
    runtime.now.pass_by(timedelta(hours=5))
    accept(runtime, link)
    assert asked_in(runtime, link.player_id) == hands
    assert due_games.play_for_absent(runtime, game_id) == 0, "the robot plays in none of them any more"
    assert {one.clock.due_at for one in load(runtime, game_id).open_hands()} == {runtime.now() + PACE}
    for number in (1, 3):
        turn = Play(Seat(BO), next(iter(legal(hand(runtime, game_id, number).game, Seat(BO)))))
        due = due_of(hand(runtime, game_id, number).game, Seat(BO))
        who = {"player_id": link.player_id}
        taking.take_turn(runtime, game_id, due, turn, TurnSource.PAGE, runtime.now(), **who)
    until_asked(runtime, game_id, 1, rng)
    if BO in hand(runtime, game_id, 3).game.to_act:
        play_in(runtime, hand(runtime, game_id, 3), rng)
    assert asked_in(runtime, link.player_id) == [1, 2, 4]
    runtime.now.pass_by(timedelta(hours=1))
    come_back(runtime, link, bo)
    assert (asked_in(runtime, link.player_id), asked_in(runtime, bo)) == ([], [1, 2, 4])
    dues = {one.game.hand: one.clock.due_at for one in load(runtime, game_id).open_hands()}
    assert {dues[number] for number in (1, 2, 4)} == {runtime.now() + PACE}
    assert due_games.play_for_absent(runtime, game_id) == 0
    check_replays(runtime, game_id)


def test_vacation_days_are_the_players_not_the_friends(runtime, game_id) -> None:
    bo = seat_of(runtime, game_id, BO).player_id
    with_vacation(runtime, game_id)
    take_by_hand(runtime, game_id, BO, 1)
    runtime.now.pass_by(timedelta(days=1))
    taken = vacation_of(seat_of(runtime, game_id, BO))
    link = ask(runtime, game_id)
    due_games.play_for_absent(runtime, game_id)
    pass_all(runtime, game_id, (ANN, CY, DI))
    while load(runtime, game_id).game.to_act != (BO,):
        play_first(runtime, game_id)
    accept(runtime, link)
    stored = load(runtime, game_id)
    assert (stored.row.due_at, days_left(stored.table, stored.seats[BO])) == (runtime.now() + PACE, 0)
    assert miss_deadline(runtime, game_id) > 0, "no day is taken for the friend"
    assert seat_of(runtime, game_id, BO).missed == 1
    come_back(runtime, link, bo)
    stored = load(runtime, game_id)
    assert (vacation_of(stored.seats[BO]), days_left(stored.table, stored.seats[BO])) == (taken, 2)


# the game's end, and the host


def test_at_the_games_end_the_seat_is_the_players_again(runtime, client) -> None:
    game_id = start_game(runtime, rules=preset_rules("classic", target=10))
    ann, table_id = seat_of(runtime, game_id, ANN).player_id, table_of(runtime, game_id)
    host = HostLink(table_id, ann)
    link = lend(runtime, game_id, ANN)
    assert status(runtime, host) == 403, "nobody hosts meanwhile"
    assert status(runtime, seat_link(runtime, table_id, BO)) == 200
    assert "hosts" not in shown(runtime, seat_link(runtime, table_id, ANN))
    with runtime.database.reading() as session:
        code = session.get_one(TableRow, table_id).code
    assert client.get(f"/lobby/{code}").status_code == 409, "the game is being played"
    play_hand(runtime, game_id)
    stored = load(runtime, game_id)
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
    assert load(runtime, game_id + 1).names == ["Ann", "Bo", "Cy", "Di"]
    assert status(runtime, host) == 200


def test_the_last_sheets_rank_the_player_whose_seat_was_lent(runtime) -> None:
    game_id = start_game(runtime, rules=preset_rules("classic", target=10))
    link = lend(runtime, game_id)
    play_hand(runtime, game_id)
    assert load(runtime, game_id).row.state is GameState.OVER
    ann = seat_of(runtime, game_id, ANN).player_id
    (sheet,) = mail_texts(runtime, LetterKind.FINAL_SHEET, ann)
    assert re.search(r"\d\. Bo: \d", sheet)
    assert "Eve (Bo):" not in sheet
    (hers,) = mail_texts(runtime, LetterKind.SCORE_SHEET, link.player_id)
    assert re.search(r"\d\. Bo: \d", hers)


def test_a_friend_whose_card_ends_the_game_reads_so(runtime, client) -> None:
    game_id = start_game(runtime, rules=preset_rules("classic", target=10))
    number, card = last_decision(runtime, game_id)
    lend(runtime, game_id, number)
    at = runtime.signer.local_url(turn_link(runtime, game_id, number))
    done = " ".join(client.post(at, data={"card": card_text(card.card)}).text.split())
    assert "is over, and the seat is" in done


def test_a_hosts_offer_replaces_the_players_request_of_a_friend(runtime, game_id) -> None:
    link = ask(runtime, game_id)
    offer(runtime, game_id)
    accept(runtime, link)
    assert seat_of(runtime, game_id, BO).name == "Bo", "until the hand is over"


def test_a_host_can_give_a_lent_seat_only_to_robots(runtime, game_id) -> None:
    bo, link = seat_of(runtime, game_id, BO).player_id, lend(runtime, game_id)
    with pytest.raises(Refused, match="Eve plays for Bo until they are back"):
        give(runtime, game_id, BO, NewSeat("Emil", address("Emil")))
    replace_by_robot(runtime, game_id, BO)
    row = seat_of(runtime, game_id, BO)
    assert (row.player_id, row.stands_in_for, row.lent) == (None, None, None)
    for player_id in (bo, link.player_id):
        sent = [one for one in letters(runtime, LetterKind.REPLACED) if one.player_id == player_id]
        assert "has given your seat to a robot" in composed(runtime, sent[-1])["plain"]
    postman.deliver(runtime)
    states = [(one.reason, one.state) for one in letters(runtime, LetterKind.REPLACED)]
    assert states == [("lent", LetterState.SUPERSEDED), (None, LetterState.KEPT), (None, LetterState.KEPT)]
