"""Banks of time at a table: what they cost and add, whom they wait for, and that nothing counts twice."""

from datetime import UTC, date, datetime, timedelta

import pytest

from hearts.cards import Cards
from hearts.game import Stage
from hearts.seats import Seat
from hearts.turns import Pass
from tests.cast import PACE, dump, leave, load, play_link, start_game, table
from tests.mailing import letters_to, player_id
from tests.playing import ask_all, miss_deadline, pass_all, play_first, waiting_game
from tests.races import at_once, check_replays
from tests.side_by_side import hand
from tests.submitting import words
from tests.together import come_together, part
from tests.webapp.going_away import set_away
from tests.webapp.holidays import add_holiday
from tests.webapp.tables.hosted import change_pace, composed, host_of, replace_by_robot, seat_of, table_of, take_at_once
from webapp.core.refusal import Refused
from webapp.games.asked.due import due_of
from webapp.games.clock.banks import left_at
from webapp.games.clock.hours import NO_BANK, Bank
from webapp.games.record import changing, store
from webapp.models import BankLeft, LetterKind, LetterRow, LetterState, PlayerRow, TurnSource
from webapp.outbox.about_tables import OfferOver, SeatGiven
from webapp.outbox.lateness import postpone_for_late_mail
from webapp.play import advancing, due_games, taking
from webapp.play.seat_transfer import give_back, lend
from webapp.tables import hosting
from webapp.tables.hosting import Pace

ANN, BO, CY, DI = range(4)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
BANK = Bank(3 * DAY, 12 * HOUR, 5 * DAY)


def with_bank(runtime, game_id, bank=BANK):
    """The game, whose host has just chosen the bank. Returns its id."""
    change_pace(runtime, table_of(runtime, game_id), Pace(PACE, PACE, bank=bank))
    return game_id


def left(runtime, game_id, seat):
    with runtime.database.reading() as session:
        stored = store.load(session, game_id)
        player = session.get_one(PlayerRow, stored.seats[seat].player_id)
        return left_at(stored.table, stored.seats[seat], player, runtime.now())


def due_at(runtime, game_id, number=1):
    return load(runtime, game_id).at(number).clock.due_at


def waits_for_cy(runtime):
    """A game with banks that has just asked Cy."""
    return with_bank(runtime, waiting_game(runtime))


def test_a_decision_costs_its_time_and_adds_the_increment(runtime):
    game_id = waits_for_cy(runtime)
    assert due_at(runtime, game_id) == runtime.now() + 3 * DAY
    runtime.now.pass_by(30 * HOUR)
    assert left(runtime, game_id, CY) == 42 * HOUR
    play_first(runtime, game_id)
    assert [left(runtime, game_id, seat) for seat in (CY, DI)] == [54 * HOUR, 3 * DAY]
    runtime.now.pass_by(DAY)
    assert [left(runtime, game_id, seat) for seat in (CY, DI)] == [54 * HOUR, 2 * DAY], "only the time of who is asked"


def test_a_question_is_due_when_the_bank_ends_by_day(runtime):
    game_id = waits_for_cy(runtime)
    runtime.now.at = datetime(2026, 3, 4, 23, tzinfo=UTC)
    play_first(runtime, game_id)
    assert left(runtime, game_id, DI) == 3 * DAY
    assert due_at(runtime, game_id) == datetime(2026, 3, 8, 10, tzinfo=UTC)


@pytest.mark.parametrize("slow", [timedelta(days=4), timedelta(days=20)])
def test_an_empty_bank_still_gives_the_time_of_the_increment(runtime, slow):
    game_id = waits_for_cy(runtime)
    runtime.now.pass_by(slow)
    play_first(runtime, game_id)
    assert left(runtime, game_id, CY) == 12 * HOUR


def test_coming_back_adds_nothing_to_an_almost_empty_bank(runtime):
    game_id = waits_for_cy(runtime)
    table_id, due = table_of(runtime, game_id), due_at(runtime, game_id)
    runtime.now.pass_by(71 * HOUR)
    set_away(runtime, table_id, CY, away=True)
    set_away(runtime, table_id, CY, away=False)
    assert left(runtime, game_id, CY) == HOUR
    assert due_at(runtime, game_id) == due


def test_a_missed_deadline_leaves_the_least_and_robots_use_none(runtime):
    game_id = waits_for_cy(runtime)
    assert miss_deadline(runtime, game_id) == 1
    assert left(runtime, game_id, CY) == 12 * HOUR
    replace_by_robot(runtime, game_id, DI)
    assert seat_of(runtime, game_id, DI).bank is None


def test_a_decision_that_nobody_waited_for_adds_nothing(runtime):
    game_id = with_bank(runtime, start_game(runtime))
    pass_all(runtime, game_id)
    before = {seat: left(runtime, game_id, seat) for seat in range(4)}
    count = len(load(runtime, game_id).records)
    while not (new := [one for one in load(runtime, game_id).records[count:] if one.source is TurnSource.WAIT]):
        count = len(load(runtime, game_id).records)
        before = {seat: left(runtime, game_id, seat) for seat in range(4)}
        play_first(runtime, game_id)
    by_hand = load(runtime, game_id).records[count].turn.seat
    unasked = {one.turn.seat for one in new} - {by_hand}
    assert unasked
    assert all(left(runtime, game_id, seat) == before[seat] for seat in unasked)
    assert left(runtime, game_id, by_hand) == min(5 * DAY, before[by_hand] + 12 * HOUR)


def test_time_stands_still_while_off_away_or_paused(runtime):
    game_id = waits_for_cy(runtime)
    table_id, link = table_of(runtime, game_id), host_of(runtime, table_of(runtime, game_id))
    add_holiday(runtime, player_id(runtime, "Cy"), date(2026, 3, 3), date(2026, 3, 3), runtime.now())
    assert due_at(runtime, game_id) == runtime.now() + 4 * DAY
    runtime.now.pass_by(2 * DAY)
    assert left(runtime, game_id, CY) == 2 * DAY, "the day off is no part of it"
    hosting.pause(runtime, link, paused=True, now=runtime.now())
    runtime.now.pass_by(10 * DAY)
    assert left(runtime, game_id, CY) == 2 * DAY
    hosting.pause(runtime, link, paused=False, now=runtime.now())
    assert due_at(runtime, game_id) == runtime.now() + 2 * DAY
    runtime.now.pass_by(HOUR)
    with runtime.database.writing() as session:
        store.load(session, game_id).seats[DI].away = True  # a second player to wait for, so that a robot may play
    set_away(runtime, table_id, CY, away=True)
    runtime.now.pass_by(10 * DAY)
    assert left(runtime, game_id, CY) == 47 * HOUR
    set_away(runtime, table_id, CY, away=False)
    assert due_at(runtime, game_id) == runtime.now() + 47 * HOUR


def test_playing_on_live_costs_no_time(runtime):
    game_id = waits_for_cy(runtime)
    runtime.now.pass_by(HOUR)
    come_together(runtime, game_id)
    before = left(runtime, game_id, CY)
    assert before < BANK.start, "until then it had run"
    runtime.now.pass_by(timedelta(minutes=2))
    part(runtime, game_id, BO)
    assert left(runtime, game_id, CY) == before
    runtime.now.pass_by(HOUR)
    assert left(runtime, game_id, CY) == before - HOUR


def test_taking_back_or_repeating_a_day_off_changes_no_deadline(runtime):
    game_id, cy = waits_for_cy(runtime), player_id(runtime, "Cy")
    day = date(2026, 3, 4)
    add_holiday(runtime, cy, day, day, runtime.now())
    later = due_at(runtime, game_id)
    for _ in range(3):
        runtime.now.pass_by(5 * HOUR)
        add_holiday(runtime, cy, day, day, runtime.now())
        assert due_at(runtime, game_id) == later


def pass_in(runtime, game_id, number, seat=ANN, source=TurnSource.PAGE):
    game = hand(runtime, game_id, number).game
    turn = Pass(Seat(seat), Cards.of(list(game.held[seat])[:3]))
    return taking.take_turn(runtime, game_id, due_of(game, Seat(seat)), turn, source, runtime.now())


def test_hands_side_by_side_use_one_banks_time_once(runtime):
    game_id = with_bank(runtime, start_game(runtime, at_once=4))
    first = {number: due_at(runtime, game_id, number) for number in (1, 2, 3)}
    assert len(set(first.values())) == 1
    runtime.now.pass_by(DAY)
    assert left(runtime, game_id, ANN) == 2 * DAY
    pass_in(runtime, game_id, 1)
    assert left(runtime, game_id, ANN) == 2.5 * DAY
    assert [due_at(runtime, game_id, number) for number in (2, 3)] == [datetime(2026, 3, 6, 9, tzinfo=UTC)] * 2, (
        "morning"
    )
    assert due_at(runtime, game_id, 1) == first[1], "the others still pass there"
    runtime.now.pass_by(HOUR)
    pass_in(runtime, game_id, 2)
    pass_in(runtime, game_id, 3)
    assert left(runtime, game_id, ANN) == 3.5 * DAY - HOUR


def test_two_decisions_at_the_same_moment_spend_the_time_once(either_runtime):
    runtime = either_runtime
    game_id = with_bank(runtime, start_game(runtime, at_once=4))
    runtime.now.pass_by(DAY)
    done = at_once(*[lambda number=number: pass_in(runtime, game_id, number) for number in (1, 2, 3)])
    assert not [one for one in done if isinstance(one, Exception)]
    assert left(runtime, game_id, ANN) == 3.5 * DAY
    check_replays(runtime, game_id)


def test_simultaneously_missed_deadlines_of_several_hands_leave_one_increment(runtime):
    game_id = with_bank(runtime, start_game(runtime, at_once=4))
    ask_all(runtime)
    runtime.now.pass_by(10 * DAY)
    due_games.play_for_absent(runtime, game_id)
    assert all(game.stage is not Stage.PASS for game in load(runtime, game_id).cycle.hands)
    assert [left(runtime, game_id, seat) for seat in range(4)] == [12 * HOUR] * 4
    assert max(seat.missed for seat in load(runtime, game_id).seats) == 1


def test_newcomers_and_everybody_in_another_game_get_full_banks(runtime):
    game_id = waits_for_cy(runtime)
    runtime.now.pass_by(2 * DAY)
    take_at_once(runtime, game_id, CY)
    assert left(runtime, game_id, CY) == 3 * DAY
    runtime.now.pass_by(DAY)
    with changing.game(runtime, game_id, runtime.now()) as game:
        advancing.end_game(game, OfferOver.ENDED)
        advancing.start_game(game.transaction, game.table)
    assert left(runtime, game_id + 1, CY) == 3 * DAY


def test_a_lent_seat_keeps_its_bank_and_brings_it_back(runtime):
    game_id = waits_for_cy(runtime)
    runtime.now.pass_by(DAY)
    with changing.game(runtime, game_id, runtime.now()) as game:
        session, seat = game.session, game.seats[CY]
        eve = PlayerRow(address="eve@example.org", name="Eve", created_at=runtime.now())
        session.add(eve)
        session.flush()
        seat.offered_to, seat.away = eve.id, True
        kept = seat.bank = BankLeft(HOUR)
        lend(game, seat, "Eve")
        assert seat.bank == kept
        give_back(game, seat, SeatGiven.OWNER_BACK, away=True)
        assert seat.bank == kept


def test_changing_to_a_bank_and_back_brings_no_deadline_closer(runtime):
    game_id = waiting_game(runtime)
    link, before = host_of(runtime, table_of(runtime, game_id)), due_at(runtime, game_id)
    with_bank(runtime, game_id)
    assert before < due_at(runtime, game_id) == runtime.now() + 3 * DAY
    with_bank(runtime, game_id, NO_BANK)
    assert due_at(runtime, game_id) == runtime.now() + 3 * DAY
    assert (table(runtime, table_of(runtime, game_id)).bank, seat_of(runtime, game_id, CY).bank) == (None, None)
    with_bank(runtime, game_id)
    rows = dump(runtime)
    with pytest.raises(Refused, match="live"):
        hosting.change_pace(runtime, link, Pace(timedelta(seconds=15), PACE), runtime.now())
    assert dump(runtime) == rows
    hosting.change_pace(runtime, link, Pace(PACE, PACE), runtime.now())
    assert table(runtime, table_of(runtime, game_id)).bank, "a form from before there were banks"


def test_what_a_mail_was_late_is_not_spent(runtime):
    game_id = waits_for_cy(runtime)
    play_first(runtime, game_id)
    before = due_at(runtime, game_id)
    leave(runtime)
    (letter,) = letters_to(runtime, "Di", LetterKind.TURNS)[-1:]
    runtime.now.pass_by(10 * HOUR)
    postpone_for_late_mail(runtime, letter, runtime.now())
    with runtime.database.writing() as session:
        session.get_one(LetterRow, letter.id).state = LetterState.SENT
    assert due_at(runtime, game_id) > before
    assert left(runtime, game_id, DI) == 3 * DAY
    runtime.now.pass_by(HOUR)
    assert left(runtime, game_id, DI) == 71 * HOUR, "from now on it counts, though the deadline has moved past a night"


def test_a_question_that_has_not_gone_out_costs_no_time(runtime):
    game_id = waits_for_cy(runtime)
    before = runtime.now.at = due_at(runtime, game_id)
    assert due_games.play_for_absent(runtime, game_id) == 0, "Cy was not asked"
    assert due_at(runtime, game_id) > before
    assert left(runtime, game_id, CY) == 3 * DAY


def test_a_vacation_day_comes_before_a_robot_at_any_pace(runtime):
    game_id = waits_for_cy(runtime)
    change_pace(runtime, table_of(runtime, game_id), Pace(HOUR, HOUR, vacation_days=1))
    before = due_at(runtime, game_id)
    assert miss_deadline(runtime, game_id) == 0
    assert due_at(runtime, game_id) == before + DAY
    play_first(runtime, game_id)
    assert left(runtime, game_id, CY) == 12 * HOUR


def test_players_read_their_own_bank_and_that_of_awaited_players(runtime, client):
    game_id = waits_for_cy(runtime)
    runtime.now.pass_by(20 * HOUR)
    pages = [
        words(client.get(runtime.signer.local_url(play_link(runtime, game_id, seat)), follow_redirects=True))
        for seat in (CY, BO)
    ]
    assert "You have 2 days 4 hours in your time bank." in pages[0]
    assert "You have 3 days in your time bank. Cy has 2 days 4 hours left." in pages[1]
    runtime.now.pass_by(3 * DAY)
    shown = words(client.get(runtime.signer.local_url(play_link(runtime, game_id, BO))))
    assert "The time bank of Cy is empty." in shown
    letter = letters_to(runtime, "Cy", LetterKind.TURNS)[-1]
    assert all("As we write, your time bank is empty." in text for text in composed(runtime, letter).values())
    assert "time bank" not in words(client.get(runtime.signer.local_url(play_link(runtime, start_game(runtime), BO))))
