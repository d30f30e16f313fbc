"""A seat passes to another player between two hands: a player never sees a hand of which another held cards."""

from datetime import timedelta

import pytest

from hearts.cards import card_text
from hearts.turns import Play
from tests.cast import address, leave, letters, mentions, open_table, seat_link, seats, start_game
from tests.races import none_fails
from tests.sites import site_of
from tests.table import Table
from tests.webapp.tables.hosted import (
    ANN,
    BO,
    CY,
    DI,
    accept,
    composed,
    host_of,
    last_decision,
    offer,
    replace_by_robot,
)
from tests.webapp.tables.peeking import cards_in, shown_to
from webapp.core.tokens import InvitationLink, LinkInvalid, PlayLink
from webapp.forms.opening import NewSeat
from webapp.games.asked.due import Due
from webapp.games.asked.visit import hands_of
from webapp.games.clock.arriving import note_presence
from webapp.games.record import store
from webapp.games.record.finished import finished_hand
from webapp.models import LetterKind, LetterState, SeatRow, SeatState, TurnSource
from webapp.play import taking
from webapp.players import away
from webapp.presentation.sheets import hand_end_of, score_sheet_of
from webapp.tables import hosting, seating
from webapp.tables.hosting import GivenTo
from worker import postman

ROUNDS = 2


def dealt_and_held(table: Table, seat: int) -> set[int]:
    """All the cards that the seat has held since the deal."""
    game = table.game
    return {*game.deal.held[seat], *game.held[seat]}


def sheets_to(runtime, player_id: int | None) -> list[int | None]:
    """The hands whose score sheet is queued for the player."""
    return [letter.hand for letter in letters(runtime, LetterKind.SCORE_SHEET) if letter.player_id == player_id]


# hidden cards


@pytest.mark.parametrize("turns", [0, 2, 9], ids=["before the pass", "after the pass", "in the play"])
@pytest.mark.parametrize("is_robots", [False, True], ids=["her own", "given to a robot first"])
def test_a_newcomer_in_mid_hand_sees_none_of_its_cards(runtime, table, is_robots, turns) -> None:
    if is_robots:
        replace_by_robot(table, BO)
    for _ in range(turns):
        table.play_first()
    link = offer(table)
    accept(runtime, link)
    held = dealt_and_held(table, BO)
    assert held
    assert cards_in(shown_to(table, link.player_id, BO), held) == {}


def test_a_later_robot_does_not_let_the_newcomer_in_either(runtime, table) -> None:
    link = offer(table)
    accept(runtime, link)
    for _ in range(6):
        table.play_first()
    replace_by_robot(table, BO)
    assert table.seats[BO].state is SeatState.ROBOT
    assert cards_in(shown_to(table, link.player_id, BO), dealt_and_held(table, BO)) == {}
    table.play_hand()
    assert table.seats[BO].name == "Eve"


def test_the_peeking_check_notices_the_newcomers_own_next_cards(runtime, table) -> None:
    link = offer(table)
    accept(runtime, link)
    table.play_hand()
    leave(runtime)
    postman.deliver(runtime)
    shown = cards_in(shown_to(table, link.player_id, BO), table.game.held[BO])
    assert {where.split(",")[-1].split("/")[1] if "/" in where else "mail" for where in shown} >= {"play", "mail"}


# the change of players


def test_the_old_player_finishes_the_hand_undisturbed(runtime, table) -> None:
    before, link = table.stored, table.turn_link(BO)
    accept(runtime, offer(table))
    after = table.stored
    assert (after.row.due_at, after.row.wake_at) == (before.row.due_at, before.row.wake_at)
    assert after.records == before.records
    assert (after.seats[BO].name, after.seats[BO].player_id) == ("Bo", before.seats[BO].player_id)
    assert letters(runtime, LetterKind.REPLACED) == []
    cards = [card_text(card) for card in list(after.game.held[BO])[:3]]
    played = site_of(runtime).test_client().post(runtime.signer.local_url(link), data={"card": cards})
    assert played.status_code == 303
    assert played.location.startswith("/play/")


def test_from_the_next_deal_the_newcomer_is_asked_instead(either_runtime) -> None:
    runtime = either_runtime
    table = start_game(runtime)
    bo = table.seats[BO].player_id
    link = offer(table)
    accept(runtime, link, "Eva")
    table.play_hand()
    row = table.seats[BO]
    assert (row.player_id, row.name, row.state) == (link.player_id, "Eva", SeatState.ACCEPTED)
    assert (row.offered_to, row.offered_name, row.offer_state) == (None, None, None)
    leave(runtime)
    asked = [letter for letter in letters(runtime, LetterKind.TURNS) if letter.seat == BO]
    assert [(letter.hand, letter.player_id) for letter in asked] == [(2, link.player_id)]
    postman.deliver(runtime)
    waits = [letter for letter in letters(runtime) if letter.player_id == bo and letter.state is LetterState.QUEUED]
    assert waits == []
    told = {letter.kind for letter in letters(runtime) if letter.player_id == bo and letter.sent_at}
    assert told >= {LetterKind.SCORE_SHEET, LetterKind.REPLACED}
    assert letters(runtime, LetterKind.TURNS)[-1].thread_id is None


def test_a_hand_ended_by_robot_or_deadline_transfers_the_seat(runtime, table) -> None:
    link = offer(table)
    accept(runtime, link)
    replace_by_robot(table, CY)
    table.pass_all()
    table.leap(lambda game: max(map(len, game.held)) <= 2 and len(game.on_table) == 2)
    while table.game.hand == 1:
        runtime.now.pass_by(timedelta(days=3))
        table.play_for_absent()
    assert table.seats[BO].player_id == link.player_id
    assert not table.seats[BO].away


def test_before_the_first_deal_a_seat_passes_at_once(runtime) -> None:
    table_id = open_table(runtime)
    for number in (BO, CY):
        player = seats(runtime, table_id)[number].player_id or 0
        seating.accept(runtime, InvitationLink(table_id, number, player), "BoCy"[number - 1 :], "UTC", runtime.now())
    hosting.give_seat(runtime, host_of(runtime, table_id), BO, NewSeat("Eve", address("Eve")), runtime.now())
    eve = seats(runtime, table_id)[BO].offered_to or 0
    assert letters(runtime, LetterKind.OFFERED) == [], "there is no hand to be played to its end"
    accept(runtime, InvitationLink(table_id, BO, eve))
    assert seats(runtime, table_id)[BO].player_id == eve
    assert len(letters(runtime, LetterKind.REPLACED)) == 1


def test_an_offer_without_a_state_follows_the_same_rule(runtime, table) -> None:
    link = offer(table)
    with runtime.database.writing() as session:
        session.get_one(SeatRow, (link.table_id, BO)).offer_state = None
    accept(runtime, link)
    assert table.seats[BO].name == "Bo"
    table.play_hand()
    assert table.seats[BO].name == "Eve"


def test_several_seats_pass_at_one_deal(either_runtime) -> None:
    runtime = either_runtime
    table = start_game(runtime)
    for number, name in ((DI, "Emil"), (BO, "Eve")):
        given = hosting.give_seat(
            runtime, host_of(runtime, table.table_id), number, NewSeat(name, address(name)), runtime.now()
        )
        assert given is GivenTo.OFFERED
        newcomer = table.seats[number].offered_to or 0
        accept(runtime, InvitationLink(table.table_id, number, newcomer), name)
    table.play_hand()
    assert [seat.name for seat in table.seats] == ["Ann", "Eve", "Cy", "Emil"]
    assert len(letters(runtime, LetterKind.REPLACED)) == 2


def test_a_live_newcomer_is_mailed_and_has_time_to_come(runtime) -> None:
    table = start_game(runtime, pace=timedelta(seconds=30))
    link = offer(table)
    accept(runtime, link)
    table.play_hand()
    stored = table.stored
    assert [letter.hand for letter in letters(runtime, LetterKind.TURNS) if letter.player_id == link.player_id] == [2]
    assert stored.row.due_at == runtime.now() + timedelta(minutes=5)


# the player of a hand


def test_a_hands_score_sheet_goes_to_its_own_player(runtime, table) -> None:
    bo, link = table.seats[BO].player_id, offer(table)
    accept(runtime, link)
    note_presence(
        runtime, link.table_id, BO, bo or 0, runtime.now()
    )  # others are shown it, but the former player cannot look any more
    table.play_hand()
    assert (sheets_to(runtime, bo), sheets_to(runtime, link.player_id)) == ([1], [])
    sheet = next(letter for letter in letters(runtime, LetterKind.SCORE_SHEET) if letter.player_id == bo)
    for text in composed(runtime, sheet).values():
        assert mentions(text, "Bo")
        assert not mentions(text, "Eve")
        assert "because you sat at" in text
        assert "/seat/" not in text
        assert "/relive/" in text


def test_every_score_sheet_names_each_hands_own_player(runtime, table) -> None:
    accept(runtime, offer(table))
    table.play_hand()
    table.play_hand()
    stored = table.stored
    assert stored.names == ["Ann", "Eve", "Cy", "Di"]
    assert [finished_hand(stored, hand).names[BO] for hand in (1, 2)] == ["Bo", "Eve"]
    assert [score_sheet_of(stored, hands=hand).sides[BO].name for hand in (1, 2)] == ["Bo", "Eve"]
    first, second = score_sheet_of(stored).hands
    assert "Eve" not in " ".join(first.story)
    assert "Bo" not in " ".join(second.story)
    cys = [letter for letter in letters(runtime, LetterKind.SCORE_SHEET) if letter.seat == CY]
    assert [mentions(composed(runtime, letter)["plain"], "Eve") for letter in cys] == [False, True]


def test_a_hand_that_a_robot_finishes_counts_as_the_robots(runtime, table) -> None:
    accept(runtime, offer(table))
    replace_by_robot(table, BO)
    robot = table.seats[BO].name
    table.play_hand()
    table.play_hand()
    assert [table.stored.names_of_hand(hand)[BO] for hand in (1, 2, 3)] == [robot, "Eve", "Eve"]


def test_a_newcomer_is_not_shown_the_previous_hands_end(runtime, table) -> None:
    accept(runtime, offer(table))
    table.play_hand()
    with runtime.database.reading() as session:
        stored = store.load(session, table.game_id)
    assert [one.ended for one in hands_of(stored, BO)] == [0, 0]
    assert [one.ended > 0 for one in hands_of(stored, CY)] == [True, False]
    assert sorted(line.name for line in hand_end_of(stored, CY, 1).lines) == ["Ann", "Bo", "Cy", "Di"]


def test_the_last_cards_player_cannot_enter_the_newcomers_seat(runtime) -> None:
    seat = ANN
    while seat == ANN:  # Ann keeps her seat
        table = start_game(runtime)
        seat, turn = last_decision(table)
    assert isinstance(turn, Play)
    accept(runtime, offer(table, seat))
    theirs, name = table.turn_link(seat), table.seats[seat].name
    follows = PlayLink(table.table_id, seat, theirs.player_id)
    form = {"card": card_text(turn.card), "play": runtime.signer.local_url(follows)}
    client = site_of(runtime).test_client()
    played = client.post(runtime.signer.local_url(theirs), data=form)
    assert table.game.hand == 2
    assert played.status_code == 200
    assert "Ann, who hosts the table, has given your seat to Eve from the next one on." in played.text
    assert cards_in({"page": played.text}, set(table.game.held[seat]) - {turn.card}) == {}
    assert "/play/" not in played.text
    assert "/turn/" not in played.text.partition("<footer")[0]
    again = client.post(runtime.signer.local_url(theirs), data=form, follow_redirects=True)
    assert again.status_code == 403
    assert "Ann, who hosts the table" in again.text
    assert name == table.stored.names_of_hand(1)[seat]


def test_old_pages_tell_former_players_who_gave_the_seat(runtime, client, table) -> None:
    table_id, bo = table.table_id, table.seats[BO].player_id or 0
    old = [table.turn_link(BO), seat_link(runtime, table_id, BO), PlayLink(table_id, BO, bo)]
    replace_by_robot(table, BO)
    for link in old:
        page = client.get(runtime.signer.local_url(link))
        assert page.status_code == 403
        assert "Ann, who hosts the table" in page.text
        assert "Mail programs sometimes break" not in page.text
    said = client.post(f"{runtime.signer.local_url(old[2])}/talk", data={"text": "Hello"})
    assert (said.status_code, "Somebody else has your seat now" in said.text) == (403, True)


# races


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_accepting_during_the_last_card_waits_at_most_a_hand(either_runtime, round_):
    runtime = either_runtime
    table = start_game(runtime)
    link = offer(table)
    last_decision(table)
    none_fails(lambda: accept(runtime, link), lambda: table.play_first())
    stored = table.stored
    assert stored.game.hand == 2
    is_in = stored.seats[BO].player_id == link.player_id
    leave(runtime)
    asked = {
        letter.player_id for letter in letters(runtime, LetterKind.TURNS) if letter.hand == 2 and letter.seat == BO
    }
    assert asked == {stored.seats[BO].player_id}
    assert len(letters(runtime, LetterKind.REPLACED)) == is_in
    if not is_in:
        held = dealt_and_held(table, BO)
        assert cards_in(shown_to(table, link.player_id, BO), held) == {}
        table.play_hand()
    assert table.seats[BO].player_id == link.player_id


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_withdrawing_during_acceptance_keeps_the_seat_and_notifies(either_runtime, round_):
    runtime = either_runtime
    table = start_game(runtime)
    link = offer(table)
    host = host_of(runtime, link.table_id)
    gone = []

    def take() -> None:
        try:
            accept(runtime, link)
        except seating.SeatGone:
            gone.append("withdrawn")

    none_fails(take, lambda: hosting.withdraw_offer(runtime, host, BO, runtime.now()))
    row = table.seats[BO]
    assert (row.name, row.offered_to, row.offer_state) == ("Bo", None, None)
    assert len(letters(runtime, LetterKind.OFFER_OVER)) + len(gone) == 1


def test_a_former_players_turn_at_the_deal_is_refused(runtime, table) -> None:
    bo = table.seats[BO].player_id
    accept(runtime, offer(table))
    table.play_hand()
    stored = table.stored
    link = table.turn_link(BO)
    turn = Play(BO, next(iter(stored.game.held[BO])))
    with pytest.raises(LookupError):
        taking.take_turn(runtime, table.game_id, Due(2, link.due), turn, TurnSource.PAGE, runtime.now(), player_id=bo)
    with pytest.raises(LinkInvalid):
        note_presence(runtime, table.table_id, BO, bo or 0, runtime.now())
    away.go_away(runtime, bo, {table.table_id}, None, runtime.now())
    assert not table.seats[BO].away, "the mail was read before the deal, and is processed after it"
