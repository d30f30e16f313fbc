"""The other addresses besides their own from which a player's answers count: who hears, who adds, who takes back."""

from datetime import timedelta

import pytest

from tests.cast import address, dump, letters, start_game
from tests.submitting import check_refused
from tests.webapp.accounts.intruder import composed, follow, newest, player_at, request_move
from tests.webapp.accounts.moving import DAY, at, changes, moved, preferences
from webapp.accounts import address_changes
from webapp.core.tokens import LinkInvalid, OtherAddressLink
from webapp.models import ChangeState, LetterKind, PlayerRow
from webapp.players import forgetting, own_data

WORK = "bo@work.example"
HEARD, COUNTS, DROPPED = ChangeState.HEARD, ChangeState.COUNTS, ChangeState.DROPPED


@pytest.fixture(autouse=True)
def _game(runtime):
    start_game(runtime)


@pytest.fixture
def bo(runtime):
    return player_at(runtime, address("Bo")).id


def hear(runtime, bo, *senders):
    for sender in senders:
        address_changes.hear(runtime, bo, sender, runtime.now())


def heard(runtime):
    return [(change.new_address, change.state) for change in changes(runtime)]


def counting(runtime, bo):
    with runtime.database.reading() as session:
        return address_changes.all_of(session, session.get_one(PlayerRow, bo)) - {at(runtime)}


def added(runtime, bo, client):
    """An address that Bo has added by the link in the mail. Returns the link's path."""
    hear(runtime, bo, WORK)
    assert "count" in follow(client, newest(runtime, LetterKind.ANSWERED_FROM), answer="yes").text
    assert counting(runtime, bo) == {WORK}
    return runtime.signer.local_url(OtherAddressLink(changes(runtime)[-1].id))


def test_a_player_hears_of_at_most_three_addresses_a_day(runtime, bo):
    hear(runtime, bo, WORK, "Bo+cards@Work.example", "eve@example.com", WORK, "eva@example.com", "evi@example.com")
    assert heard(runtime) == [(WORK, HEARD), ("eve@example.com", HEARD), ("eva@example.com", HEARD)]
    runtime.now.pass_by(DAY)
    hear(runtime, bo, WORK, "evi@example.com")
    asked = letters(runtime, LetterKind.ANSWERED_FROM)
    assert ([letter.address for letter in asked], len(heard(runtime))) == ([address("Bo")] * 4, 4)
    assert counting(runtime, bo) == set()


@pytest.mark.parametrize("sender", ["BO+cards@example.org", "no address", "eve@localhost"])
def test_nobody_hears_of_their_own_address_or_of_none(runtime, bo, sender):
    hear(runtime, bo, sender)
    assert heard(runtime) == []


def test_one_tap_adds_the_address_and_looking_does_not(runtime, bo, client):
    hear(runtime, bo, WORK)
    before, url = dump(runtime), runtime.signer.local_url(OtherAddressLink(1))
    assert WORK in composed(runtime, letters(runtime, LetterKind.ANSWERED_FROM)[0])
    assert client.get(url).status_code == client.head(url).status_code == 200
    check_refused(runtime, before, client.post(url), 400, "yes or no")
    follow(client, newest(runtime, LetterKind.ANSWERED_FROM), answer="yes")
    assert heard(runtime) == [(WORK, COUNTS)]
    assert composed(runtime, letters(runtime, LetterKind.ANSWERED_FROM)[0]) == "", "the mail is of no use any more"
    client.post(url, data={"answer": "no"})
    assert heard(runtime) == [(WORK, HEARD)]


def test_an_added_address_can_be_removed_in_the_preferences(runtime, bo, client):
    added(runtime, bo, client)
    page = client.get(preferences(runtime))
    assert WORK in page.text
    done = client.post(f"{preferences(runtime)}/address/uncount", data={"address": WORK}, follow_redirects=True)
    assert "Answers from there do nothing now." in done.text
    assert WORK not in done.text
    assert counting(runtime, bo) == set()


def test_the_preferences_of_somebody_else_remove_nothing(runtime, bo, client):
    added(runtime, bo, client)
    client.post(f"{preferences(runtime, number=1)}/address/uncount", data={"address": WORK})
    assert counting(runtime, bo) == {WORK}


def test_an_added_address_ends_when_its_player_moves(runtime, bo, client):
    """Somebody else may read the old address now, and can add none, either."""
    url = added(runtime, bo, client)
    moved(runtime)
    assert counting(runtime, bo) == set()
    assert "over" in client.post(url, data={"answer": "yes"}).text
    assert counting(runtime, bo) == set()
    hear(runtime, bo, WORK)
    assert letters(runtime, LetterKind.ANSWERED_FROM)[-1].address == at(runtime)


def test_a_refused_move_ends_every_other_address(runtime, bo, client):
    """An intruder may have added it."""
    url = added(runtime, bo, client)
    hear(runtime, bo, "eve@example.com")
    request_move(client, preferences(runtime), "eve@example.net")
    follow(client, newest(runtime, LetterKind.ADDRESS_ASKED), answer="no")
    client.post(url, data={"answer": "yes"})
    assert heard(runtime)[:2] == [(WORK, DROPPED), ("eve@example.com", DROPPED)]
    assert counting(runtime, bo) == set()


def test_an_address_never_added_is_forgotten_after_a_month(runtime, bo, client):
    added(runtime, bo, client)
    hear(runtime, bo, "eve@example.com")
    runtime.now.pass_by(address_changes.KEPT_FOR + timedelta(hours=1))
    with runtime.database.writing() as session:
        address_changes.forget_old(session, runtime.now())
    assert heard(runtime) == [(WORK, COUNTS), ("", HEARD)]
    address_changes.decide(runtime, OtherAddressLink(2), runtime.now(), counts=True)
    assert counting(runtime, bo) == {WORK}


def test_an_added_address_is_in_its_players_data(runtime, bo, client):
    added(runtime, bo, client)
    with runtime.database.reading() as session:
        (told,) = own_data.data_of(session, session.get_one(PlayerRow, bo))["address_changes"]
    assert (told["new_address"], told["state"]) == (WORK, "counts")
    forgetting.forget(runtime, bo, runtime.now())
    assert heard(runtime) == [("", DROPPED)]


def test_a_link_to_no_address_is_invalid(runtime):
    with pytest.raises(LinkInvalid):
        address_changes.decide(runtime, OtherAddressLink(7), runtime.now(), counts=True)
