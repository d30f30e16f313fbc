"""A view in words and faces: what it shows, and that it shows no more than its seat has seen."""

import re

import pytest

from hearts.cards import card_text
from hearts.game import Stage, new_game
from hearts.rules import Rules, preset_rules
from hearts.seats import Seat
from hearts.view import View, view
from tests.samples.cast import CAST, CROWD
from tests.samples.games import CLASSIC, ELEVEN, KITTY, OMNIBUS, PARTNERS, first_game, following, games, moon_game
from tests.samples.sheets import sheet_of
from webapp.presentation.present import turn_sheet


def test_a_refusal_is_shown_at_each_card_and_once_overall() -> None:
    sheet = sheet_of(first_game(CLASSIC, lambda game: following(game, trick=5, void=False)))
    (refusal,) = sheet.refusals
    barred = [held for row in sheet.suits for held in row.cards if not held.legal]
    assert refusal.sentence == f"You must follow {sheet.trick.laid[0].face.suit}."
    assert [held.face for held in barred] == list(refusal.faces)
    assert all(held.spoken.startswith(held.face.name) for held in barred)
    assert all(held.spoken.endswith(f". Not now: {refusal.sentence}") for held in barred)


def test_set_aside_cards_disappear_once_somebody_has_won_them() -> None:
    game = first_game(
        ELEVEN,
        lambda game: game.stage is Stage.PLAY and None in game.won and bool(game.won) and game.won[-1] is not None,
    )
    assert sheet_of(game, CROWD).set_aside == ()


def test_passed_cards_are_remembered_and_the_new_cards_marked() -> None:
    game = first_game(CLASSIC, lambda game: game.stage is Stage.PLAY)
    sheet = sheet_of(game)
    new = {held.face for row in sheet.suits for held in row.cards if held.received}
    assert len(sheet.given) == len(sheet.received) == 3
    assert new == set(sheet.received)


def test_no_card_is_new_once_a_trick_is_over() -> None:
    sheet = sheet_of(first_game(CLASSIC, lambda game: game.stage is Stage.PLAY and game.trick == 2))
    assert sheet.received
    assert not any(held.received for row in sheet.suits for held in row.cards)


def test_a_kitty_is_announced_and_only_its_winner_sees_it() -> None:
    waits = sheet_of(first_game(KITTY, lambda game: game.stage is Stage.PLAY))
    assert "1 card lies face down and goes to the winner of the first trick with a penalty card." in waits.remarks
    game = first_game(KITTY, lambda game: game.stage is Stage.PLAY and any(view(game, Seat(n)).kitty for n in range(3)))
    sheets = [sheet_of(game, CAST[:3], Seat(number)) for number in range(3)]
    assert sum(bool(sheet.kitty) for sheet in sheets) == 1
    assert all("collected the card that lay face down." in sheet.remarks[-1] for sheet in sheets)


def test_a_shooter_sees_the_result_of_each_choice() -> None:
    game = moon_game()
    sheet = sheet_of(game)
    add, subtract = sheet.moon_options
    totals = view(game, game.to_act[0]).totals
    assert (add.value, add.label) == ("add", "26 points for everybody else")
    assert f"You stand at {totals[0]}, Bo at {totals[1] + 26}," in add.effect
    assert (subtract.value, subtract.label) == ("subtract", "26 points off for you")
    assert f"You stand at {totals[0] - 26}, Bo at {totals[1]}," in subtract.effect
    assert add.effect.endswith("The game ends, and you win.")
    assert subtract.effect.endswith("The game goes on.")


def test_people_are_listed_clockwise_with_robots_and_partners() -> None:
    game = first_game(PARTNERS, lambda game: game.stage is Stage.PLAY)
    sheet = turn_sheet(view(game, Seat(2)), CAST, {Seat(3)}, None)
    assert [person.name for person in sheet.people] == ["Cy", "Di", "Ann", "Bo"]
    assert [person.partner for person in sheet.people] == ["Ann", "Bo", "Cy", "Di"]
    assert [person.is_robot for person in sheet.people] == [False, True, False, False]


def test_one_line_says_who_else_is_away() -> None:
    seen = view(first_game(CLASSIC, lambda game: game.stage is Stage.PLAY), Seat(2))
    remarks = [turn_sheet(seen, CAST, (), None, away=map(Seat, away)).remarks[1:] for away in ([2], [1, 2], [1, 3])]
    assert remarks == [
        (),
        ("Bo is away, so a robot plays for them.",),
        ("Bo and Di are away, so a robot plays for them.",),
    ]


def test_points_so_far_name_everybody_who_has_some() -> None:
    sheet = sheet_of(moon_game())
    assert sheet.points_sentence == "You 26 points; the others none."
    assert sheet_of(first_game(CLASSIC, lambda game: game.stage is Stage.PLAY)).points_sentence == (
        "Nobody has taken a point yet."
    )


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(preset_rules("classic", players=3, moon="choice"), id="three"),
        pytest.param(CLASSIC, id="classic"),
        pytest.param(PARTNERS, id="partners"),
        pytest.param(OMNIBUS, id="omnibus"),
        pytest.param(KITTY, id="kitty"),
        pytest.param(preset_rules("kitty", players=7, kitty="last-trick"), id="kitty of seven"),
        pytest.param(ELEVEN, id="eleven"),
    ],
)
def test_a_sheet_names_only_cards_its_seat_has_seen(rules: Rules) -> None:
    for game in games(rules, seed=5):
        if game.hand > 2:
            break
        for seat in map(Seat, range(rules.players)):
            seen = view(game, seat)
            sheet = turn_sheet(seen, CROWD[: rules.players], (), None)
            assert set(re.findall(r"code='(..)'", repr(sheet))) <= _known(seen)


def _known(seen: View) -> set[str]:
    own = [cards for cards in (seen.held, seen.given, seen.received, seen.kitty) if cards is not None]
    return {card_text(card) for cards in (*own, seen.plays) for card in cards}


def test_a_sheet_before_the_first_deal_asks_nothing() -> None:

    sheet = turn_sheet(view(new_game(CLASSIC), Seat(0)), CAST, (), None)
    assert (sheet.is_mine, sheet.suits, sheet.trick, sheet.pass_to) == (False, (), None, None)


def test_a_mails_heading_names_its_hand_among_others() -> None:
    seen = view(new_game(CLASSIC), Seat(0))
    alone, beside = (turn_sheet(seen, CAST, (), None, is_beside=one) for one in (False, True))
    assert (alone.mail_headline, beside.mail_headline) == (alone.headline, f"{alone.headline} (hand {seen.hand})")
