"""Whether one tap plays a card: as the player has chosen, or as the pace of the table suggests."""

import pytest

from tests.mailing import player_id
from webapp.core.tokens import LinkInvalid
from webapp.players.tap import change_tap, tap_plays


def plays(runtime, player, *, is_live):
    with runtime.database.reading() as session:
        return tap_plays(session, player, is_live=is_live)


@pytest.mark.parametrize("is_live", [True, False])
@pytest.mark.parametrize("chosen", [None, True, False])
def test_a_tap_plays_as_chosen_or_at_a_live_table(runtime, game_id, chosen, is_live):
    ann = player_id(runtime, "Ann")
    if chosen is not None:
        change_tap(runtime, ann, plays=not chosen, now=runtime.now())
        change_tap(runtime, ann, plays=chosen, now=runtime.now())
    assert plays(runtime, ann, is_live=is_live) is (is_live if chosen is None else chosen)
    assert plays(runtime, player_id(runtime, "Bo"), is_live=is_live) is is_live, "the choice is Ann's alone"


@pytest.mark.parametrize("nobody", [None, 99])
def test_without_a_player_the_pace_decides(runtime, nobody):
    assert [plays(runtime, nobody, is_live=is_live) for is_live in (True, False)] == [True, False]


def test_nobody_can_choose_for_a_player_who_is_not_there(runtime):
    with pytest.raises(LinkInvalid):
        change_tap(runtime, 99, plays=True, now=runtime.now())
