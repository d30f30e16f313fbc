"""A host proposes, the others see it for a while or agree: no one player's change comes before the others can know."""

from datetime import timedelta

import pytest

from tests.cast import NAMES, PACE, dump, open_table, start_game, table_row
from tests.mailing import letters_to, player_id
from tests.races import at_once
from tests.table import ask_all
from tests.webapp.going_away import set_away, set_mails
from tests.webapp.tables.hosted import (
    ANN,
    BO,
    CY,
    DI,
    HOUR,
    accept,
    agree,
    end_game,
    give,
    host_of,
    offer,
    seats_mailed,
)
from webapp.core.say import Refused
from webapp.core.tokens import InvitationLink
from webapp.games.clock.hours import quiet_until
from webapp.games.clock.presence import quiet_of
from webapp.models import GameState, LetterKind, LetterState, PlayerRow, Proposed, SeatState
from webapp.tables import hosting
from webapp.tables.hosting import GivenTo, Pace
from worker import postman

LIVE = Pace(timedelta(seconds=30), timedelta(seconds=30))
QUICK = Pace(2 * HOUR, 2 * HOUR)


def propose_pace(runtime, table_id, wanted=QUICK):
    return hosting.change_pace(runtime, host_of(runtime, table_id), wanted, runtime.now())


def propose_end(runtime, table_id):
    return hosting.end_game(runtime, host_of(runtime, table_id), runtime.now())


def kept(runtime, table_id):
    return table_row(runtime, table_id).proposals or []


def only(runtime, table_id):
    (proposal,) = kept(runtime, table_id)
    return proposal


def pass_time(table, time):
    """Time passes with all mails sent, and whatever is due is played."""
    end = table.runtime.now() + time
    while (wake := table.row.wake_at) is not None and wake <= end:
        table.runtime.now.at = max(table.runtime.now(), wake)
        ask_all(table.runtime)
        table.play_for_absent()
    table.runtime.now.at = end


# a pace


@pytest.mark.parametrize("wanted", [LIVE, QUICK], ids=["live", "quick"])
def test_a_host_at_night_cannot_have_others_played_for(runtime, wanted):
    table = start_game(runtime)
    table.pass_all()
    table_id = table.table_id
    runtime.now.at = runtime.now().replace(hour=23)
    turns = table.stored.turns
    propose_pace(runtime, table_id, wanted)
    pass_time(table, timedelta(minutes=5))
    table.play_first()
    pass_time(table, timedelta(minutes=5))
    assert table.stored.turns == turns + 1
    assert seats_mailed(runtime, LetterKind.PROPOSED) == [BO, CY, DI]
    assert not propose_pace(runtime, table_id, Pace(PACE, PACE)), "it is set back"
    assert kept(runtime, table_id) == []


def test_a_pace_begins_with_the_next_hand_outside_of_nights(runtime):
    table = start_game(runtime)
    table_id = table.table_id
    runtime.now.at = runtime.now().replace(hour=20)
    assert propose_pace(runtime, table_id)
    ask_all(runtime)
    table.play_hand()
    assert (table_row(runtime, table_id).play_seconds, kept(runtime, table_id)) == (7200, [])
    stored = table.stored
    with runtime.database.reading() as session:
        asked = [session.get_one(PlayerRow, stored.seats[seat].player_id) for seat in stored.game.to_act]
    assert runtime.now() + 2 * HOUR < stored.row.due_at < runtime.now() + PACE
    assert [quiet_until(stored.row.due_at, one.time_zone, quiet_of(one)) for one in asked] == [None] * 4


def test_a_pace_waits_for_its_mails_to_go(runtime):
    table = start_game(runtime)
    table_id = table.table_id
    runtime.now.at = runtime.now().replace(hour=23)
    propose_pace(runtime, table_id)
    ask_all(runtime)
    table.play_hand()
    assert table_row(runtime, table_id).play_seconds == PACE.total_seconds(), (
        "the others sleep, and get it in the morning"
    )
    runtime.now.pass_by(9 * HOUR)
    ask_all(runtime)
    table.play_hand()
    assert table_row(runtime, table_id).play_seconds == 7200


def test_a_live_pace_does_not_begin_with_a_hand(runtime):
    table = start_game(runtime)
    propose_pace(runtime, table.table_id, LIVE)
    ask_all(runtime)
    table.play_hand()
    assert table.due_at >= runtime.now() + PACE
    assert only(runtime, table.table_id).what is Proposed.PACE


def test_with_everybodys_tap_a_pace_begins_at_once(runtime, table):
    table_id, told = table.table_id, table.due_at
    propose_pace(runtime, table_id, LIVE)
    for seat in (BO, CY, DI):
        assert table_row(runtime, table_id).play_seconds == PACE.total_seconds()
        agree(runtime, table_id, only(runtime, table_id), seat)
    assert (table_row(runtime, table_id).play_seconds, kept(runtime, table_id)) == (30, [])
    assert table.due_at == told, "what is asked keeps the longer time"


def test_of_several_paces_the_last_counts_and_is_mailed(runtime, table):
    table_id = table.table_id
    propose_pace(runtime, table_id, Pace(3 * PACE, 3 * PACE))
    agree(runtime, table_id, only(runtime, table_id), BO)
    runtime.now.pass_by(timedelta(minutes=1))
    propose_pace(runtime, table_id)
    assert only(runtime, table_id).agreed == frozenset()
    postman.deliver(runtime)
    sent = [one for one in letters_to(runtime, "Cy", LetterKind.PROPOSED) if one.state is LetterState.KEPT]
    (mail,) = [one.message.replace("=\n", "") for one in sent]
    assert "Until then: You have 1 day per turn." in mail
    assert "From then on: You have 2 hours per turn." in mail


def say_yes(runtime, table_id, number):
    name = NAMES[number]
    accept(runtime, InvitationLink(table_id, number, player_id(runtime, name)), name)


def test_before_the_first_deal_a_pace_is_proposed_too(runtime):
    table_id = open_table(runtime)
    assert not propose_pace(runtime, table_id), "nobody has accepted yet"
    say_yes(runtime, table_id, BO)
    assert propose_pace(runtime, table_id, LIVE)
    for seat in (CY, DI):
        say_yes(runtime, table_id, seat)
    assert table_row(runtime, table_id).play_seconds == 7200, "the game begins slowly"


def test_between_games_a_pace_holds_at_once(runtime, table):
    table_id = table.table_id
    end_game(runtime, table_id)
    assert not propose_pace(runtime, table_id, LIVE)
    assert table_row(runtime, table_id).play_seconds == 30


@pytest.mark.parametrize(("wanted", "seconds"), [(QUICK, 7200), (LIVE, 86400)], ids=["quick", "live"])
def test_at_the_end_of_the_game_all_proposals_end(runtime, table, wanted, seconds):
    table_id = table.table_id
    propose_pace(runtime, table_id, wanted)
    give(table, BO, None)
    propose_end(runtime, table_id)
    (end,) = [one for one in kept(runtime, table_id) if one.what is Proposed.END]
    for seat in (BO, CY):
        agree(runtime, table_id, end, seat)
    assert (kept(runtime, table_id), table_row(runtime, table_id).play_seconds) == ([], seconds)


# the end, and robots


def test_a_leading_host_can_neither_end_nor_replace_at_once(runtime, table):
    table_id, bo = table.table_id, player_id(runtime, "Bo")
    propose_end(runtime, table_id)
    assert give(table, BO, None) is GivenTo.PROPOSED
    assert sorted(seats_mailed(runtime, LetterKind.PROPOSED)) == [BO, BO, CY, CY, DI, DI]
    assert table.row.state is GameState.PLAYING
    assert table.seats[BO].player_id == bo


def test_half_of_the_others_let_it_take_effect(runtime, table):
    table_id = table.table_id
    give(table, BO, None)
    proposal = only(runtime, table_id)
    agree(runtime, table_id, proposal, CY)
    agree(runtime, table_id, proposal, CY)
    assert table.seats[BO].state is SeatState.ACCEPTED
    agree(runtime, table_id, proposal, DI)
    assert (table.seats[BO].state, kept(runtime, table_id)) == (SeatState.ROBOT, [])
    assert seats_mailed(runtime, LetterKind.REPLACED) == [BO]
    with pytest.raises(Refused, match="This proposal is over"):
        agree(runtime, table_id, proposal, CY)


def test_who_is_away_is_told_and_need_not_agree(runtime, table):
    table_id = table.table_id
    for seat in (CY, DI):
        set_away(runtime, table_id, seat, away=True)
    set_mails(runtime, table_id, DI, mails=False)
    propose_end(runtime, table_id)
    assert seats_mailed(runtime, LetterKind.PROPOSED) == [BO, CY]
    agree(runtime, table_id, only(runtime, table_id), BO)
    assert table.row.state is GameState.OVER


def test_a_player_whom_no_mail_reaches_is_replaced_at_once(runtime, table):
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, player_id(runtime, "Bo")).unreachable_at = runtime.now()
    assert give(table, BO, None) is GivenTo.ROBOT
    assert table.seats[BO].state is SeatState.ROBOT


def test_a_seats_new_player_is_not_to_be_replaced(runtime, table):
    accept(runtime, offer(table, BO))
    give(table, BO, None)
    table.play_hand()
    assert (table.seats[BO].name, kept(runtime, table.table_id)) == ("Eve", [])


def test_a_host_may_withdraw_and_does_not_count(runtime, table):
    table_id = table.table_id
    propose_end(runtime, table_id)
    proposal = only(runtime, table_id)
    with pytest.raises(Refused, match="This proposal is over"):
        agree(runtime, table_id, proposal, ANN)
    hosting.withdraw_proposal(runtime, host_of(runtime, table_id), proposal.key, runtime.now())
    assert kept(runtime, table_id) == []
    runtime.now.at = proposal.ends_at
    table.play_for_absent()
    assert table.row.state is GameState.PLAYING


def test_proposals_of_a_day_are_limited(runtime, table):
    table_id = table.table_id
    for hours in range(2, 7):
        runtime.now.pass_by(timedelta(minutes=1))
        assert propose_pace(runtime, table_id, Pace(hours * HOUR, HOUR))
    before = {name: rows for name, rows in dump(runtime).items() if name != "player"}
    with pytest.raises(Refused, match="five proposals"):
        propose_end(runtime, table_id)
    assert {name: rows for name, rows in dump(runtime).items() if name != "player"} == before
    assert propose_pace(runtime, table_id, Pace(6 * HOUR, HOUR)), "the same again is no other"


def test_the_last_yeses_at_one_moment_end_it_once(either_runtime):
    runtime = either_runtime
    table = start_game(runtime)
    table_id = table.table_id
    propose_end(runtime, table_id)
    proposal = only(runtime, table_id)
    found = at_once(*(lambda seat=seat: agree(runtime, table_id, proposal, seat) for seat in (BO, CY, DI)))
    assert [one for one in found if one is not None and not isinstance(one, Refused)] == []
    assert table.row.state is GameState.OVER
    assert seats_mailed(runtime, LetterKind.ENDED) == [ANN, BO, CY, DI]
