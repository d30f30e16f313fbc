"""Offers of a seat: what its player may do, and what everybody concerned learns of it."""

import re

import pytest

from hearts.rules import preset_rules
from tests.cast import address, dump, letters, seat_link, seats, start_game
from tests.sites import site_of
from tests.webapp.accounts.signed_in import browser_of
from tests.webapp.going_away import set_away
from tests.webapp.tables.hosted import (
    ANN,
    BO,
    CY,
    EVE,
    HOUR,
    accept,
    composed,
    end_game,
    give,
    host_of,
    offer,
    page,
    replace_by_robot,
    take_at_once,
)
from webapp.core.say import Refused
from webapp.core.tokens import AgainLink, PlayLink
from webapp.forms.opening import NewSeat
from webapp.models import GameState, LetterKind, LetterState, PlayerRow
from webapp.outbox.letters import unsubscribe_link
from webapp.players import preferences
from webapp.tables import again, hosting, seating
from webapp.tables.again import AnotherGameState
from worker import postman


def plain(runtime, kind: LetterKind) -> str:
    """The text of the one email of that kind."""
    (letter,) = letters(runtime, kind)
    return composed(runtime, letter)["plain"]


# news for the seat's player


def test_a_waiting_mail_about_the_offer_shows_its_current_state(runtime, table) -> None:
    link = offer(table)
    accept(runtime, link)
    assert "to Eve. Eve has accepted. You play this hand to its end" in plain(runtime, LetterKind.OFFERED)
    hosting.withdraw_offer(runtime, host_of(runtime, link.table_id), BO, runtime.now())
    postman.deliver(runtime)
    assert [letter.state for letter in letters(runtime, LetterKind.OFFERED)] == [LetterState.SUPERSEDED]
    offer(table)
    postman.deliver(runtime)
    assert [letter.state for letter in letters(runtime, LetterKind.OFFERED)] == [LetterState.KEPT]


def test_a_live_page_updates_at_each_step_of_the_offer(runtime, table) -> None:
    table_id, bo = table.table_id, table.seats[BO].player_id or 0
    at = f"{runtime.signer.local_url(PlayLink(table_id, BO, bo))}/now"
    client, versions = site_of(runtime).test_client(), []
    link = None
    for step in ("nothing", "offered", "accepted"):
        if step == "offered":
            link = offer(table)
        elif step == "accepted":
            accept(runtime, link)
        versions.append(client.get(at).json["version"])
    assert len(set(versions)) == 3


@pytest.mark.parametrize("to", ["a robot", "Eve"])
def test_a_former_player_learns_who_gave_the_seat_to_whom(runtime, table, to) -> None:
    if to == "Eve":
        accept(runtime, offer(table))
        table.play_hand()
    else:
        replace_by_robot(table, BO)
    text = plain(runtime, LetterKind.REPLACED)
    heir = "Eve" if to == "Eve" else f"a robot, {table.seats[BO].name}"
    assert re.search(rf"Hello Bo, Ann, who hosts the table, has given your seat to {heir}, so that", text)


# news for the newcomer and the host


def test_a_guest_who_has_accepted_gets_no_reminder(runtime, table) -> None:
    link = offer(table)
    postman.deliver(runtime)
    accept(runtime, link)
    host = host_of(runtime, link.table_id)
    runtime.now.pass_by(2 * HOUR)
    with pytest.raises(Refused, match="Eve has accepted"):
        hosting.remind(runtime, host, BO, runtime.now())
    runtime.now.pass_by(96 * HOUR)
    postman.deliver(runtime)
    sent = [letter.state for letter in letters(runtime, LetterKind.INVITATION) if letter.player_id == link.player_id]
    assert sent == [LetterState.KEPT, LetterState.SUPERSEDED]


def test_a_guest_may_withdraw_acceptance_and_the_host_is_notified(runtime, table) -> None:
    link = offer(table)
    accept(runtime, link)
    left = site_of(runtime).test_client().post(runtime.signer.local_url(link), data={"answer": "decline"})
    assert "You have declined" in left.text
    assert table.seats[BO].offered_to is None
    assert [(letter.seat, letter.about) for letter in letters(runtime, LetterKind.DECLINED)] == [(ANN, "Eve")]
    table.play_hand()
    assert table.seats[BO].name == "Bo"


def test_a_guest_who_unsubscribes_after_accepting_does_not_come(runtime, table) -> None:
    link = offer(table)
    accept(runtime, link)
    (sent,) = (
        one for one in letters(runtime, LetterKind.INVITATION) if one.player_id == link.player_id and not one.again
    )
    with runtime.database.reading() as session:
        stops = unsubscribe_link(sent, session.get_one(PlayerRow, sent.player_id))
    preferences.unsubscribe(runtime, stops, runtime.now())
    table.play_hand()
    assert table.seats[BO].name == "Bo"


def test_a_withdrawn_seat_is_explained_and_can_be_offered_again(runtime, table) -> None:
    link = offer(table)
    postman.deliver(runtime)
    accept(runtime, link)
    host = host_of(runtime, link.table_id)
    for _ in range(2):
        hosting.withdraw_offer(runtime, host, BO, runtime.now())
    text = plain(runtime, LetterKind.OFFER_OVER)
    assert "Hello Eve. Ann, who hosts the table," in text
    assert "has withdrawn the seat that you had accepted" in text
    postman.deliver(runtime)
    with pytest.raises(seating.SeatGone):
        accept(runtime, link)
    runtime.now.pass_by(HOUR)
    offer(table)
    postman.deliver(runtime)
    sent = [letter for letter in letters(runtime, LetterKind.INVITATION) if letter.player_id == link.player_id]
    assert sum(letter.state is LetterState.KEPT and not letter.again for letter in sent) == 2
    accept(runtime, link)
    table.play_hand()
    assert table.seats[BO].name == "Eve"


def test_a_withdrawal_undone_before_its_mail_goes_is_not_mailed(runtime, table) -> None:
    link = offer(table)
    accept(runtime, link)
    hosting.withdraw_offer(runtime, host_of(runtime, link.table_id), BO, runtime.now())
    offer(table)
    postman.deliver(runtime)
    assert [letter.state for letter in letters(runtime, LetterKind.OFFER_OVER)] == [LetterState.SUPERSEDED]


def test_offering_the_seat_to_another_notifies_the_accepted_guest(runtime, table) -> None:
    link = offer(table)
    accept(runtime, link)
    accept(runtime, offer(table, BO, NewSeat("Emil", address("Emil"))), "Emil")
    assert [letter.player_id for letter in letters(runtime, LetterKind.OFFER_OVER)] == [link.player_id]
    table.play_hand()
    assert table.seats[BO].name == "Emil"


def test_offering_the_seat_again_to_its_guest_changes_nothing(runtime, table) -> None:
    accept(runtime, offer(table), "Eva")
    before = dump(runtime)["seat"]
    give(table, BO, EVE)
    assert dump(runtime)["seat"] == before


def test_an_offer_never_repeats_a_name_at_the_table(runtime, table) -> None:
    accept(runtime, offer(table), "Pip")
    with pytest.raises(Refused, match="this name already"):
        give(table, CY, NewSeat("pip", address("Emil")))
    for number in (CY, BO):
        replace_by_robot(table, number)
    names = [seat.name.casefold() for seat in table.seats]
    assert len({*names, "pip"}) == 5


# the game ends first


def test_after_the_last_hand_the_old_player_keeps_the_seat(runtime) -> None:
    table = start_game(runtime, rules=preset_rules("classic", target=10))  # over after a hand
    bo, link = table.seats[BO].player_id, offer(table)
    accept(runtime, link)
    table.play_hand()
    stored = table.stored
    assert stored.row.state is GameState.OVER
    row = stored.seats[BO]
    assert (row.player_id, row.offered_to, row.offer_state) == (bo, None, None)
    assert "The game at Ann's table" in plain(runtime, LetterKind.OFFER_OVER)
    assert bo in {letter.player_id for letter in letters(runtime, LetterKind.FINAL_SHEET)}
    assert letters(runtime, LetterKind.REPLACED) == []
    postman.deliver(runtime)
    assert [one.player_id for one in letters(runtime, LetterKind.OFFER_OVER) if one.message] == [link.player_id]
    assert "Score sheet" in page(runtime, seat_link(runtime, link.table_id, BO))


def test_a_host_ending_the_game_notifies_the_newcomer(runtime, table) -> None:
    link = offer(table)
    accept(runtime, link)
    end_game(runtime, link.table_id)
    row = table.seats[BO]
    assert (row.name, row.offered_to, row.offer_state) == ("Bo", None, None)
    assert "Ann, who hosts the table," in plain(runtime, LetterKind.OFFER_OVER)
    assert "has ended the game before you could join" in plain(runtime, LetterKind.OFFER_OVER)
    assert {letter.seat for letter in letters(runtime, LetterKind.ENDED)} == {0, 1, 2, 3}
    for seat in seats(runtime, link.table_id):
        again.agree(runtime, AgainLink(link.table_id, seat.seat, seat.player_id or 0, 1), runtime.now())
    with runtime.database.reading() as session:
        standing = again.another_game(session, AgainLink(link.table_id, BO, row.player_id or 0, 1))
    assert standing.state is AnotherGameState.BEGUN


# pages of the newcomer and of the host


def test_my_games_shows_offered_seats_and_nothing_of_the_game(runtime, table) -> None:
    link = offer(table)
    client = browser_of(runtime, link.player_id)
    for words in ("You are offered a seat.", "You join once the hand being played is over."):
        shown = client.get("/games").text
        assert words in shown
        assert not re.search(r"/(seat|turn|play)/", shown)
        (way,) = re.findall(r'href="(/invitation/[^"]+)"', shown)
        assert client.get(way).status_code == 200
        accept(runtime, link)
    table.play_hand()
    assert "It is your turn: pass, hand 2." in client.get("/games").text


def test_the_invitation_says_who_finishes_the_hand(runtime, client, table) -> None:
    link = offer(table)
    accept(runtime, link)
    at = runtime.signer.local_url(link)
    assert "Bo plays this hand to its end." in client.get(at).text
    set_away(runtime, link.table_id, BO, away=True)
    assert "A robot plays this hand to its end." in client.get(at).text


def test_a_newcomer_in_mid_hand_is_credited_with_that_hand(runtime, table) -> None:
    take_at_once(table)
    table.play_hand()
    assert table.stored.names_of_hand(1)[BO] == "Eve"
