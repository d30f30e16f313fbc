"""Seats that a host opens to others, given away or offered: who has them then, and what becomes of links and mails.

`test_seat_transfer` tests which hands a newcomer sees.
"""

import pytest

from hearts.cards import card_text
from hearts.robot import Level
from tests.answers import answer, first_cards, question
from tests.answers import mail as typed
from tests.cast import (
    NAMES,
    PACE,
    address,
    dump,
    leave,
    letters,
    open_table,
    seat_link,
    seats,
    start_game,
)
from tests.races import at_once
from tests.sites import site_of
from tests.webapp.tables.hosted import (
    ANN,
    BO,
    CY,
    DI,
    EVE,
    HOUR,
    accept,
    composed,
    first_pass,
    give,
    host_of,
    offer,
    replace_by_robot,
    status,
    take_at_once,
    transfer,
)
from webapp.core.say import Refused
from webapp.core.tokens import HostLink, InvitationLink, LinkInvalid, UnsubscribeLink
from webapp.forms.opening import OPEN_SEAT, NewSeat
from webapp.games.asked.due import Due
from webapp.models import (
    LetterKind,
    LetterState,
    PlayerRow,
    SeatRow,
    SeatState,
    Talk,
    TurnSource,
)
from webapp.play import taking
from webapp.players import preferences
from webapp.tables import hosting, seating
from webapp.tables.hosting import GivenTo, TableOptions
from worker import postman

OPTIONS = TableOptions(Talk.NONE, True, Level.RULE, False)


def test_a_robot_takes_the_seat_and_cards_at_once(runtime, table) -> None:
    held, bo = table.game.held[BO], table.seats[BO].player_id
    replace_by_robot(table, BO)
    stored = table.stored
    assert (stored.seats[BO].state, stored.seats[BO].player_id) == (SeatState.ROBOT, None)
    assert stored.game.held[BO] == held
    assert stored.row.wake_at == runtime.now(), "the robot's turn"
    assert table.play_for_absent() == 1
    assert table.records[-1].source is TurnSource.ROBOT
    assert [letter.player_id for letter in letters(runtime, LetterKind.REPLACED)] == [bo]


def test_a_former_player_is_notified_once_without_a_card(runtime, table) -> None:
    postman.deliver(runtime)
    replace_by_robot(table, BO)
    replace_by_robot(table, BO)
    postman.deliver(runtime)
    (notice,) = letters(runtime, LetterKind.REPLACED)
    assert notice.state is LetterState.KEPT
    assert "Hello Bo," in notice.message
    assert not {"♠", "♥", "♦", "♣"} & set(notice.message)


def test_waiting_mails_to_a_former_player_are_not_sent(runtime, table) -> None:
    assert letters(runtime, LetterKind.TURNS), "they are queued"
    replace_by_robot(table, BO)
    postman.deliver(runtime)
    assert {letter.state for letter in letters(runtime, LetterKind.TURNS) if letter.seat == BO} == {
        LetterState.SUPERSEDED
    }


def test_an_unaccepted_offer_changes_nothing_for_the_seats_player(runtime, table) -> None:
    before, bos = table.stored, table.turn_link(BO)
    offer(table)
    after = table.stored
    assert (after.row.due_at, after.row.wake_at, after.records) == (
        before.row.due_at,
        before.row.wake_at,
        before.records,
    )
    assert after.seats[BO].name == "Bo"
    assert table.turn_link(BO) == bos
    assert letters(runtime, LetterKind.REPLACED) == []


def test_a_newcomer_takes_the_seat_with_a_full_deadline(either_runtime) -> None:
    runtime = either_runtime
    table = start_game(runtime)
    postman.deliver(runtime)
    held = table.game.held[BO]
    runtime.now.pass_by(6 * HOUR)
    with runtime.database.writing() as session:
        row = session.get_one(SeatRow, (table.table_id, BO))
        row.away, row.missed, row.here_at = True, 2, runtime.now()
    take_at_once(table)
    stored = table.stored
    bo = stored.seats[BO]
    assert (bo.name, bo.state, bo.away, bo.missed, bo.mails, bo.here_at) == (
        *("Eve", SeatState.ACCEPTED),
        *(False, 0, True, None),
    )
    assert (bo.offered_to, bo.offered_name, bo.offer_state) == (None, None, None)
    assert stored.game.held[BO] == held
    assert stored.row.due_at == runtime.now() + PACE
    asked = [letter for letter in letters(runtime, LetterKind.TURNS) if letter.seat == BO]
    assert [letter.player_id == bo.player_id for letter in asked] == [False, True]
    assert asked[1].thread_id is None, "not in a thread of another player's mails"
    assert len(letters(runtime, LetterKind.REPLACED)) == 1
    postman.deliver(runtime)
    asked = [letter for letter in letters(runtime, LetterKind.TURNS) if letter.seat == BO]
    assert [letter.state for letter in asked] == [LetterState.KEPT] * 2


def test_a_former_players_links_open_nothing(runtime, table) -> None:
    old = [table.turn_link(BO), seat_link(runtime, table.table_id, BO)]
    assert [status(runtime, link) for link in old] == [200, 200]
    take_at_once(table)
    assert [status(runtime, link) for link in old] == [403, 403]
    cards = list(map(card_text, first_cards(table, BO)))
    before = dump(runtime)
    assert (
        site_of(runtime).test_client().post(runtime.signer.local_url(old[0]), data={"card": cards}).status_code == 403
    )
    assert dump(runtime) == before
    assert status(runtime, table.turn_link(BO)) == 200, "that of the present player"


@pytest.mark.parametrize("word", ["the cards", "away", "help"])
def test_a_former_players_mailed_answer_does_nothing(runtime, table, word) -> None:
    letter = question(runtime, "Bo")
    take_at_once(table)
    records = table.records
    cards = " ".join(map(card_text, first_cards(table, BO)))
    answered = answer(runtime, letter, typed("Bo", cards if word == "the cards" else word))
    assert table.records == records
    assert not table.seats[BO].away
    assert "Somebody else has the seat" in answered.outcome
    assert letters(runtime, LetterKind.ANSWER) == []


def test_an_answer_read_before_the_transfer_plays_nothing_after_it(runtime, table) -> None:
    bo = table.seats[BO].player_id
    take_at_once(table)
    stored = table.stored
    turn = first_pass(stored, BO)
    with pytest.raises(LookupError):
        taking.take_turn(runtime, table.game_id, Due(1, "pass"), turn, TurnSource.REPLY, runtime.now(), player_id=bo)


def test_a_regained_seat_is_not_reported_lost(runtime, table) -> None:
    replace_by_robot(table, BO)
    give(table, BO, NewSeat("Bo", address("Bo")))
    bo = table.seats[BO].offered_to or 0
    accept(runtime, InvitationLink(table.table_id, BO, bo), "Bo")
    table.play_hand()
    postman.deliver(runtime)
    assert [letter.state for letter in letters(runtime, LetterKind.REPLACED)] == [LetterState.SUPERSEDED]
    leave(runtime)
    postman.deliver(runtime)
    asked = [letter for letter in letters(runtime, LetterKind.TURNS) if letter.seat == BO]
    assert [(letter.hand, letter.state) for letter in asked] == [(2, LetterState.KEPT)]


def test_a_robots_seat_can_be_offered_to_a_late_friend(runtime) -> None:
    table = start_game(runtime, NAMES[:3], robots=1)
    accept(runtime, offer(table, DI))
    assert table.seats[DI].state is SeatState.ROBOT
    table.play_hand()
    assert table.seats[DI].state is SeatState.ACCEPTED
    leave(runtime)
    assert {letter.seat for letter in letters(runtime, LetterKind.TURNS)} == {ANN, BO, CY, DI}
    assert letters(runtime, LetterKind.REPLACED) == [], "robots get no mail"


def test_declining_clears_the_offer_and_notifies_the_host(runtime, table) -> None:
    link = offer(table)
    seating.decline(runtime, link, runtime.now())
    assert table.seats[BO].offered_to is None
    assert [(letter.seat, letter.about) for letter in letters(runtime, LetterKind.DECLINED)] == [(ANN, "Eve")]
    assert table.seats[BO].state is SeatState.ACCEPTED
    assert "plays on" in composed(runtime, letters(runtime, LetterKind.DECLINED)[0])["plain"]
    with pytest.raises(seating.SeatGone):
        accept(runtime, link)


def test_unsubscribing_from_an_offer_declines_it(runtime, table) -> None:
    link = offer(table)
    preferences.unsubscribe(runtime, UnsubscribeLink(link.table_id, link.seat, link.player_id), runtime.now())
    assert table.seats[BO].offered_to is None
    assert table.seats[BO].player_id != link.player_id


def invitations(runtime, link):
    """The first invitation to the seat, and further ones that are no reminder of it."""
    found = letters(runtime, LetterKind.INVITATION)
    return [letter for letter in found if letter.player_id == link.player_id and not letter.again]


def test_a_withdrawn_offer_opens_nothing_but_can_be_repeated(runtime, table) -> None:
    link = offer(table)
    host = host_of(runtime, link.table_id)
    hosting.withdraw_offer(runtime, host, BO, runtime.now())
    postman.deliver(runtime)
    assert [letter.state for letter in invitations(runtime, link)] == [LetterState.SUPERSEDED]
    with pytest.raises(seating.SeatGone):
        accept(runtime, link)
    offer(table)
    postman.deliver(runtime)
    assert [letter.state for letter in invitations(runtime, link)] == [LetterState.KEPT]
    accept(runtime, link)
    table.play_hand()
    assert table.seats[BO].name == "Eve"


@pytest.mark.parametrize(
    ("number", "newcomer", "sentence"),
    [
        pytest.param(BO, NewSeat("cy", address("Eve")), "this name already", id="a name of the table"),
        pytest.param(BO, NewSeat("Eve", address("Cy")), "sits at the table", id="a player at this table"),
        pytest.param(BO, NewSeat("Eve", address("Bo")), "sits at the table", id="the seat's own player"),
        pytest.param(BO, OPEN_SEAT, "Somebody plays on this seat", id="anybody"),
    ],
)
def test_a_seat_cannot_be_offered_to(runtime, table, number, newcomer, sentence) -> None:
    before = dump(runtime)
    with pytest.raises(Refused, match=sentence):
        give(table, number, newcomer)
    assert dump(runtime) == before


def test_a_player_declining_invitations_cannot_be_offered_a_seat(runtime, table) -> None:
    with runtime.database.writing() as session:
        session.add(PlayerRow(address=address("Eve"), name="Eve", invitations=False, created_at=runtime.now()))
    with pytest.raises(seating.NotInvitable):
        give(table, BO, EVE)


def test_nobody_gets_two_seats(runtime, table) -> None:
    link = offer(table, BO)
    with pytest.raises(Refused, match="is invited to it"):
        give(table, CY, EVE)
    with runtime.database.writing() as session:
        session.get_one(SeatRow, (link.table_id, CY)).offered_to = link.player_id
    accept(runtime, link)
    for _ in ("promised to her", "hers"):
        with pytest.raises(seating.SeatGone):
            accept(runtime, InvitationLink(link.table_id, CY, link.player_id), "Eve too")
        table.play_hand()


def test_the_host_keeps_their_own_seat(runtime, table) -> None:
    for newcomer in (None, EVE):
        with pytest.raises(seating.SeatGone):
            give(table, ANN, newcomer)


def test_a_free_seat_is_given_away_before_the_game_too(runtime) -> None:
    table_id = open_table(runtime)
    host = host_of(runtime, table_id)
    assert hosting.give_seat(runtime, host, BO, None, runtime.now()) is GivenTo.ROBOT
    assert hosting.give_seat(runtime, host, CY, EVE, runtime.now()) is GivenTo.INVITED
    assert hosting.give_seat(runtime, host, DI, OPEN_SEAT, runtime.now()) is GivenTo.OPEN
    assert [seat.state for seat in seats(runtime, table_id)[1:]] == [
        *(SeatState.ROBOT, SeatState.INVITED, SeatState.OPEN)
    ]


def test_a_guest_is_reminded_once_after_the_first_hour(runtime) -> None:
    table_id = open_table(runtime)
    host = host_of(runtime, table_id)
    postman.deliver(runtime)
    with pytest.raises(Refused, match="within the last hour"):
        hosting.remind(runtime, host, BO, runtime.now())
    runtime.now.pass_by(2 * HOUR)
    hosting.remind(runtime, host, BO, runtime.now())
    postman.deliver(runtime)
    sent = [letter for letter in letters(runtime, LetterKind.INVITATION) if letter.seat == BO]
    assert [letter.state for letter in sent] == [LetterState.KEPT] * 2
    with pytest.raises(Refused, match="third time"):
        hosting.remind(runtime, host, BO, runtime.now())


def test_only_the_host_changes_anything(runtime, table) -> None:
    table_id, other = table.table_id, start_game(runtime, ("Bo", "Ann", "Cy", "Di")).table_id
    strangers = [HostLink(table_id, table.seats[BO].player_id or 0), HostLink(99, 1)]
    strangers.append(HostLink(other, host_of(runtime, table_id).player_id))
    before, now = dump(runtime), runtime.now()
    for link in strangers:
        for change in (
            lambda link: hosting.give_seat(runtime, link, CY, None, now),
            lambda link: hosting.withdraw_offer(runtime, link, CY, now),
            lambda link: hosting.remind(runtime, link, CY, now),
            lambda link: hosting.change_pace(runtime, link, hosting.Pace(HOUR, HOUR), now),
            lambda link: hosting.pause(runtime, link, paused=True, now=now),
            lambda link: hosting.change_options(runtime, link, OPTIONS, now),
            lambda link: hosting.end_game(runtime, link, now),
        ):
            with pytest.raises(LinkInvalid):
                change(link)
    assert dump(runtime) == before


@pytest.mark.parametrize("round_", range(3))
def test_a_turn_and_its_seats_transfer_cannot_both_happen(either_runtime, round_) -> None:
    runtime = either_runtime
    table = start_game(runtime)
    link, bos = offer(table), table.turn_link(BO)
    turn = first_pass(table.stored, BO)
    who = (runtime.now(), None, bos.player_id)
    played, taken = at_once(
        lambda: taking.take_turn(runtime, table.game_id, Due(1, "pass"), turn, TurnSource.PAGE, *who),
        lambda: transfer(table, BO),
    )
    assert not isinstance(taken, Exception)
    is_played = not isinstance(played, LookupError)
    assert len(table.records) == 1 + is_played
    assert table.seats[BO].name == "Eve"
    asked = [letter for letter in letters(runtime, LetterKind.TURNS) if letter.player_id == link.player_id]
    assert len(asked) == (0 if is_played else 1)
