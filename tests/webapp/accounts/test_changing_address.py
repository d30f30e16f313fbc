"""Moving to another address: who has to agree, what a move ends and what it leaves, and which moves are refused."""

from datetime import timedelta

import pytest

from tests.cast import address, dump, leave, letters, open_table, seat_link, start_game
from tests.table import Table
from tests.webapp.accounts.intruder import follow, newest, player_of, preferences_of, request_move, sign_in
from tests.webapp.accounts.moving import A_MOMENT, BO, CY, DAY, NEW, asked, at, moved, preferences, states, waits
from tests.webapp.tables.lending import lend
from webapp.accounts import changing_address
from webapp.accounts.changing_address import AddressTaken
from webapp.core.tokens import LinkInvalid, NewAddressLink, OldAddressLink, PreferencesLink, TakeBackLink
from webapp.models import ChangeState, LetterKind, LetterState
from webapp.tables import seating
from worker import postman


@pytest.fixture(autouse=True)
def _game(runtime):
    start_game(runtime)


# consent


@pytest.mark.parametrize("first", ["new", "old"])
def test_the_games_move_once_both_addresses_have_agreed(runtime, client, first):
    request_move(client, preferences(runtime), NEW)
    mails = {"new": newest(runtime, LetterKind.NEW_ADDRESS, NEW)}
    mails["old"] = newest(runtime, LetterKind.ADDRESS_ASKED, address("Bo"))
    second = {"new": "old", "old": "new"}[first]
    follow(client, mails[first], answer="yes")
    assert at(runtime) == address("Bo")
    page = follow(client, mails[second], answer="yes")
    assert at(runtime) == NEW
    assert {"old": "Your games have moved", "new": "Your email comes here now"}[second] in page.text


def test_a_fresh_sign_in_agrees_for_the_old_address(runtime):
    client = sign_in(runtime, address("Bo"))
    assert "the link in that email is enough" in client.get(preferences_of(client)).text
    request_move(client, preferences_of(client), NEW)
    assert letters(runtime, LetterKind.ADDRESS_ASKED) == []
    follow(client, newest(runtime, LetterKind.NEW_ADDRESS))
    assert at(runtime) == NEW
    assert len(letters(runtime, LetterKind.ADDRESS_MOVED)) == 0, "the page says so"


@pytest.mark.parametrize("who", ["a sign-in of earlier", "another player", "one that was ended"])
def test_no_other_sign_in_agrees(runtime, who):
    client = sign_in(runtime, address("Cy" if who == "another player" else "Bo"))
    link = preferences(runtime)
    if who == "a sign-in of earlier":
        runtime.now.pass_by(timedelta(minutes=15))
    if who == "one that was ended":
        client.post("/signed-in/end", data={"sign_in": "all"})
        link = preferences(runtime)
    request_move(client, link, NEW)
    follow(client, newest(runtime, LetterKind.NEW_ADDRESS))
    assert at(runtime) == address("Bo")
    assert len(waits(runtime, LetterKind.ADDRESS_ASKED)) == 2


def test_only_the_old_address_agrees_and_the_new_one_proves(runtime, client):
    change = asked(runtime)
    for link in (NewAddressLink(change), OldAddressLink(change), TakeBackLink(change)):
        for path in ("new-address", "old-address", "take-back"):
            if path != link.path:
                response = client.post(f"/{path}/{runtime.signer.token(link)}", data={"answer": "yes"})
                assert response.status_code == 403
    assert states(runtime) == [ChangeState.OPEN]


def test_a_move_that_is_not_proved_within_two_days_expires(runtime, client):
    change = asked(runtime)
    changing_address.agree(runtime, OldAddressLink(change), runtime.now())
    runtime.now.pass_by(2 * DAY)
    page = client.post(runtime.signer.local_url(NewAddressLink(change)))
    assert "Nothing was changed" in page.text
    assert at(runtime) == address("Bo")
    runtime.now.pass_by(5 * DAY)
    changing_address.apply_ready_changes(runtime, runtime.now())
    assert (at(runtime), states(runtime)) == (address("Bo"), [ChangeState.DROPPED])


def test_the_old_address_may_change_its_mind(runtime):
    change = asked(runtime)
    changing_address.agree(runtime, OldAddressLink(change), runtime.now())
    assert changing_address.refuse(runtime, OldAddressLink(change), runtime.now()).state is ChangeState.REFUSED
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    assert at(runtime) == address("Bo")


def test_refusing_an_expired_move_ends_nothing_at_another_address(runtime):
    first = asked(runtime, "bo@first.example")
    moved(runtime)
    before = player_of(runtime, BO)
    changing_address.refuse(runtime, OldAddressLink(first), runtime.now())
    assert player_of(runtime, BO) == before


# effects of a move


def test_a_move_ends_sign_ins_and_preferences_links_only(runtime):
    bo, old = sign_in(runtime, address("Bo")), preferences(runtime)
    turn, seat = (runtime.signer.local_url(link) for link in (Table(runtime, 1).turn_link(1), seat_link(runtime, 1, 1)))
    moved(runtime)
    assert bo.get("/games").status_code == 303
    assert bo.get(old).status_code == 410
    assert bo.get(preferences(runtime)).status_code == 200
    assert [bo.get(path).status_code for path in (turn, seat)] == [200, 200], "an email at the old address plays on"


def test_a_move_mails_the_pending_question_to_the_new_address(runtime):
    postman.deliver(runtime)
    before = letters(runtime, LetterKind.TURNS)
    moved(runtime)
    after = letters(runtime, LetterKind.TURNS)
    assert [letter.player_id for letter in after[len(before) :]] == [BO]
    assert len([letter for letter in after if letter.player_id == BO and letter.state is LetterState.QUEUED]) == 1


def test_a_move_asks_a_friend_nothing_twice(runtime):
    link = lend(Table(runtime, 1))
    moved(runtime)
    leave(runtime)
    assert [one.about for one in letters(runtime, LetterKind.TURNS) if one.player_id == link.player_id] == ["pass"]


def test_the_other_players_are_not_notified_of_a_move(runtime):
    others = [letter.id for letter in letters(runtime) if letter.player_id != BO]
    moved(runtime)
    assert [letter.id for letter in letters(runtime) if letter.player_id != BO] == others


def test_the_old_address_can_reclaim_the_games_for_two_weeks(runtime, client):
    moved(runtime)
    mail = newest(runtime, LetterKind.ADDRESS_CHANGED, address("Bo"))
    runtime.now.pass_by(14 * DAY - A_MOMENT)
    assert "Your games are back" in follow(client, mail).text
    assert (at(runtime), states(runtime)) == (address("Bo"), [ChangeState.UNDONE])
    before = dump(runtime)
    assert "Your games are back" in follow(client, mail).text, "repeating it changes nothing"
    assert dump(runtime) == before


def test_after_two_weeks_the_old_address_cannot_reclaim_the_games(runtime, client):
    change = moved(runtime)
    runtime.now.pass_by(14 * DAY)
    before = dump(runtime)
    assert "cannot be undone" in client.post(runtime.signer.local_url(TakeBackLink(change))).text
    assert dump(runtime) == before


def test_a_player_may_move_back_and_forth(runtime):
    moved(runtime)
    moved(runtime, address("Bo"))
    moved(runtime)
    assert (at(runtime), states(runtime)) == (NEW, [ChangeState.DONE] * 3)


# other addresses, other moves


def test_a_new_move_cancels_the_one_before(runtime):
    first = asked(runtime, "bo@first.example")
    second = asked(runtime)
    changing_address.prove(runtime, NewAddressLink(first), runtime.now())
    changing_address.agree(runtime, OldAddressLink(first), runtime.now())
    assert (at(runtime), states(runtime)) == (address("Bo"), [ChangeState.DROPPED, ChangeState.OPEN])
    changing_address.prove(runtime, NewAddressLink(second), runtime.now())
    changing_address.agree(runtime, OldAddressLink(second), runtime.now())
    assert at(runtime) == NEW


def test_an_address_taken_by_somebody_meanwhile_cancels_the_move(runtime):
    change = asked(runtime)
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    with runtime.database.writing() as session:
        seating.player_at(session, NEW, "Eve", runtime.now())
    runtime.now.pass_by(7 * DAY)
    changing_address.apply_ready_changes(runtime, runtime.now())
    assert (at(runtime), states(runtime)) == (address("Bo"), [ChangeState.DROPPED])


def test_nobody_moves_to_an_address_that_may_still_be_reclaimed(runtime):
    moved(runtime)
    change = asked(runtime, address("Bo"), CY)
    with pytest.raises(AddressTaken):
        changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    runtime.now.pass_by(14 * DAY)
    late = asked(runtime, address("Bo"), CY)
    changing_address.prove(runtime, NewAddressLink(late), runtime.now())
    changing_address.agree(runtime, OldAddressLink(late), runtime.now())
    assert at(runtime, CY) == address("Bo")


def test_an_invitation_to_a_recently_left_address_finds_its_player(runtime):
    moved(runtime)
    table_id = open_table(runtime, ("Di", "Bo"), robots=2)
    invited = [letter for letter in letters(runtime, LetterKind.INVITATION) if letter.table_id == table_id]
    assert {letter.player_id for letter in invited} == {BO}


def test_a_link_of_an_unknown_player_requests_nothing(runtime):
    with pytest.raises(LinkInvalid):
        changing_address.request_change(runtime, PreferencesLink(99), NEW, None, runtime.now())
    for step, kind in (
        (changing_address.prove, NewAddressLink),
        (changing_address.agree, OldAddressLink),
        (changing_address.take_back, TakeBackLink),
    ):
        with pytest.raises(LinkInvalid):
            step(runtime, kind(99), runtime.now())
