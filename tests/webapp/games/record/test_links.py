"""Links to seats and players: which still open what they name, and why the others don't."""

from datetime import UTC, datetime

import pytest

from webapp.core.tokens import (
    ForgetLink,
    InvitationLink,
    JoinLink,
    LinkExpired,
    LinkInvalid,
    PlayLink,
    PreferencesLink,
    ReliveLink,
    SeatLent,
    SeatLink,
    SeatLost,
    TurnLink,
    UnsubscribeLink,
)
from webapp.games.record.links import (
    PlayerForgotten,
    again_link,
    check_player,
    check_seat,
    play_link,
    preferences_link,
    relive_link,
    seat_link,
    still_names,
)
from webapp.models import PlayerRow, SeatRow, SeatState

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
ANN, BO, EVE = 1, 2, 9


def seat(**columns):
    given = {"player_id": ANN, "name": "Ann", "links": 4, "visits": 7, **columns}
    return SeatRow(table_id=1, seat=2, state=SeatState.ACCEPTED, **given)


def lent(**columns):
    """Eve plays for Ann."""
    return seat(player_id=EVE, name="Eve (Ann)", stands_in_for=ANN, **columns)


MADE = [
    pytest.param(seat_link, id="seat"),
    pytest.param(lambda row: again_link(row, 1), id="again"),
    pytest.param(lambda row: relive_link(row, 1, 1), id="relive"),
    pytest.param(play_link, id="play"),
]


@pytest.mark.parametrize("make", MADE)
def test_a_new_link_opens_the_seat_for_its_player_alone(make):
    row = seat()
    link = make(row)
    assert check_seat(link, row) is row
    with pytest.raises(SeatLost):
        check_seat(link, seat(player_id=EVE))
    with pytest.raises(LinkInvalid):
        check_seat(link, None)


@pytest.mark.parametrize(
    ("link", "moved", "is_open"),
    [
        pytest.param(SeatLink(1, 2, ANN, 4), {"visits": 8}, True, id="a mailed link, signed out"),
        pytest.param(SeatLink(1, 2, ANN, 4), {"links": 5}, False, id="a mailed link, taken back"),
        pytest.param(TurnLink(1, 2, 1, "pass", ANN, 4), {"links": 5}, False, id="a turn, taken back"),
        pytest.param(PlayLink(1, 2, ANN, 7), {"links": 5}, True, id="a page's link has a counter of its own"),
        pytest.param(PlayLink(1, 2, ANN, 7), {"visits": 8}, False, id="a page's link, signed out"),
    ],
)
def test_a_link_dies_when_its_counter_moves_on(link, moved, is_open):
    if is_open:
        assert check_seat(link, seat(**moved))
        return
    with pytest.raises(LinkExpired):
        check_seat(link, seat(**moved))


def test_a_lent_seat_opens_only_to_the_stand_in():
    assert check_seat(SeatLink(1, 2, EVE, 4), lent())
    with pytest.raises(SeatLent) as lent_out:
        check_seat(SeatLink(1, 2, ANN, 4), lent())
    assert (lent_out.value.table_id, lent_out.value.seat) == (1, 2)
    with pytest.raises(SeatLost) as lost:
        check_seat(SeatLink(1, 2, BO, 4), lent())
    assert not isinstance(lost.value, SeatLent)


def test_an_owners_revoked_link_does_not_mention_the_stand_in():
    with pytest.raises(LinkExpired):
        check_seat(SeatLink(1, 2, ANN, 3), lent())


@pytest.mark.parametrize(
    ("row", "names"),
    [(seat(), True), (seat(links=5), False), (seat(player_id=EVE), False), (lent(), False)],
    ids=["as it was", "revoked", "another player's", "lent"],
)
def test_a_relived_hand_names_the_seats_present_player(row, names):
    assert still_names(ReliveLink(1, 1, 2, ANN, 4), row) is names


def ann(**columns):
    given = {"generation": 5, "links": 3, **columns}
    return PlayerRow(id=ANN, address="ann@example.org", name="Ann", created_at=NOW, **given)


BY_GENERATION = [PreferencesLink(ANN, 5), ForgetLink(ANN, 5)]
BY_LINKS = [InvitationLink(1, 2, ANN, 3), JoinLink(1, ANN, 3), UnsubscribeLink(1, 2, ANN, 3)]


@pytest.mark.parametrize("link", [*BY_GENERATION, *BY_LINKS], ids=lambda link: link.path)
def test_a_link_to_a_player_dies_with_its_own_counter(link):
    assert check_player(link, ann())
    own, other = ("generation", "links") if link in BY_GENERATION else ("links", "generation")
    assert check_player(link, ann(**{other: 99}))
    with pytest.raises(LinkExpired):
        check_player(link, ann(**{own: 99}))


@pytest.mark.parametrize("link", [PreferencesLink(ANN, 5), JoinLink(1, ANN, 0)], ids=lambda link: link.path)
def test_a_link_says_whether_its_player_was_forgotten_or_unknown(link):
    with pytest.raises(LinkInvalid):
        check_player(link, None)
    with pytest.raises(PlayerForgotten):
        check_player(link, ann(forgotten_at=NOW))


def test_the_link_to_the_preferences_opens_them():
    assert check_player(preferences_link(ann()), ann())
