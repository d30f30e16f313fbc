"""The situation of a player in words: whom they pass to, what they follow, and for whom they wait."""

import pytest

from hearts.cards import card_text, suit
from hearts.game import Stage, legal
from hearts.seats import Seat, every_seat
from hearts.view import view
from tests.hearts.builders import game_after, rules_of
from tests.samples.games import CLASSIC, first_game, following
from tests.samples.sheets import sheet_of
from webapp.presentation.situation import gets_from, passes_to


def test_a_player_who_can_follow_reads_which_suit_to_follow() -> None:
    game = first_game(CLASSIC, lambda game: following(game, trick=5, void=False))
    sheet, seat, led = sheet_of(game), game.to_act[0], suit(game.on_table[0]).name.lower()
    assert sheet.is_mine
    assert sheet.subject == f"Your turn: trick {game.trick}, {led} led"
    assert sheet.choice == f"Follow {led}."
    assert {one.code for one in sheet.legal_faces} == {card_text(card) for card in legal(game, seat)}


def test_a_leader_reads_that_hearts_are_not_broken() -> None:
    wanted = lambda game: game.stage is Stage.PLAY and game.trick == 3 and not game.on_table and not game.broken  # noqa: E731
    sheet = sheet_of(first_game(CLASSIC, wanted))
    assert sheet.subject == "Your turn: you lead trick 3"
    assert sheet.situation == "You won the last trick. Hearts are not broken yet."
    assert "Hearts are not broken yet." in sheet.remarks


def test_a_pass_names_its_recipient_and_its_giver() -> None:
    sheet = sheet_of(first_game(CLASSIC, lambda game: game.stage is Stage.PASS))
    assert sheet.subject == "Pass three cards to Bo"
    assert (sheet.pass_to, sheet.pass_from, sheet.pass_button) == ("Bo", "Di", "Pass to Bo")
    assert all(held.legal for row in sheet.suits for held in row.cards)


def test_a_player_who_has_passed_is_asked_nothing_while_waiting() -> None:
    game = first_game(CLASSIC, lambda game: game.stage is Stage.PASS and len(game.to_act) == 2)
    sheet = sheet_of(game, seat=Seat(0))
    assert not sheet.is_mine
    assert sheet.situation == "You have chosen. Waiting for Cy and Di."
    assert not any(held.legal for row in sheet.suits for held in row.cards)


@pytest.mark.parametrize(
    ("passing", "players", "to"),
    [("left", 4, 1), ("right", 4, 3), ("left", 3, 1), ("right", 7, 6), ("left-right", 5, 1)],
)
def test_a_seat_gets_cards_from_the_seat_passing_to_it(passing: str, players: int, to: int) -> None:
    game = game_after(rules=rules_of(passing=passing, players=players))
    views = {seat: view(game, seat) for seat in every_seat(players)}
    assert passes_to(views[0]) == to
    assert all(gets_from(views[passes_to(views[seat])]) == seat for seat in every_seat(players))


def test_where_nothing_is_passed_nobody_gets_anything() -> None:
    seen = view(game_after(rules=rules_of()), Seat(0))
    assert (passes_to(seen), gets_from(seen)) == (None, None)


@pytest.mark.parametrize("is_led", [False, True])
def test_the_first_trick_says_that_nobody_passes(is_led: bool) -> None:
    begun = lambda game: game.stage is Stage.PLAY and game.trick == 1 and bool(game.on_table) == is_led  # noqa: E731
    said = [sheet_of(first_game(CLASSIC, lambda game, hand=hand: game.hand == hand and begun(game))) for hand in (3, 4)]
    assert ["Nobody passes in this hand." in sheet.situation for sheet in said] == [False, True]
    never = game_after(rules=rules_of())
    assert "Nobody passes" not in sheet_of(never).situation, "where no hand of the game has a pass"
