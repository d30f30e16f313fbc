"""The score sheet as on paper: who took the queen, who shot the moon, and how the game stands."""

from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from hearts.rules import Rules, preset_rules
from hearts.turns import MoonChoice
from tests.cast import NAMES, letters, start_game
from tests.samples.cast import CAST, CROWD
from tests.samples.games import CLASSIC, ELEVEN, PARTNERS, finished_game
from tests.webapp.presentation.scored import NO_QUEEN, line
from webapp.models import LetterKind
from webapp.presentation.scoresheet import MOON, QUEEN, SUN, score_sheet, short_names
from worker import postman


@pytest.mark.parametrize(
    ("rules", "said", "marks", "text"),
    [
        pytest.param(CLASSIC, {"queens": (0, 1, 0, 0), "points": (0, 13, 0, 0)}, (QUEEN,), "+13Q", id="the queen"),
        pytest.param(
            CLASSIC,
            {"queens": (0, 1, 0, 0), "moon": 1, "moon_choice": MoonChoice.SUBTRACT, "points": (0, -26, 0, 0)},
            (QUEEN, MOON),
            "-26QM",
            id="the moon",
        ),
        pytest.param(
            CLASSIC,
            {"queens": (0, 1, 0, 0), "moon": 1, "moon_choice": MoonChoice.ADD, "sun": True},
            (QUEEN, SUN),
            "0QS",
            id="the sun",
        ),
        pytest.param(NO_QUEEN, {"queens": (0, 1, 0, 0)}, (), "0", id="the queen counts nothing"),
    ],
)
def test_each_event_is_marked_in_the_cell_that_it_changes(rules: Rules, said: dict, marks: tuple, text: str) -> None:
    sheet = score_sheet(rules, CAST, [line(**said)])
    cell = sheet.hands[0].cells[1]
    assert (cell.marks, cell.points_text) == (marks, text)
    assert sheet.legend == marks
    assert not any(other.marks for other in sheet.hands[0].cells if other is not cell)


def test_partners_are_marked_as_one_side() -> None:
    score = line(queens=(0, 0, 0, 1), points=(0, 13), totals=(0, 13))
    cells = score_sheet(PARTNERS, CAST, [score]).hands[0].cells
    assert [cell.marks for cell in cells] == [(), (QUEEN,)]


def test_two_queens_are_marked_as_two() -> None:
    game = finished_game(ELEVEN)
    cells = [cell for hand in score_sheet(ELEVEN, CROWD, game.scores).hands for cell in hand.cells]
    assert sum(len(cell.marks) for cell in cells) == sum(sum(score.queens) for score in game.scores)
    both = next(cell for cell in cells if len(cell.marks) == 2)
    assert both.noted == (("2Q♠\ufe0e", "took both queens of spades"),)
    assert both.points_text.endswith("QQ")


def test_a_line_of_plain_text_has_room_for_every_column() -> None:
    for rules, names in ((CLASSIC, CAST), (ELEVEN, CROWD)):
        sheet = score_sheet(rules, names, finished_game(rules).scores)
        texts = [text for hand in sheet.hands for cell in hand.cells for text in (cell.points_text, str(cell.total))]
        assert max(map(len, texts)) < sheet.column
        assert 4 + sheet.column * len(sheet.sides) <= 72


def test_a_name_cut_for_a_column_drops_trailing_small_words() -> None:
    names = ["Eve (Ann)", "Eve", "Mary Ann Lee", "ann b"]
    assert short_names(names) == ["Eve1", "Eve2", "Mary An", "ann b"]
    assert short_names(["Eve (Ann)", "Bo", "Cy", "Di"])[0] == "Eve"


def test_a_kept_mail_shows_its_picture(runtime, client) -> None:
    """A browser cannot show attachments, and the policy of the page allows nothing else."""
    table = start_game(runtime, NAMES[:1], robots=3)
    table.play_hand()
    postman.deliver(runtime)
    letter = letters(runtime, LetterKind.SCORE_SHEET)[0]
    answer = client.get(f"/mailbox/letters/{letter.id}/html")
    picture = BeautifulSoup(answer.text, "lxml").img
    assert picture["src"].startswith("data:image/png;base64,iVBOR")
    assert "img-src data:" in answer.headers["Content-Security-Policy"]
    assert "The race after 1 hand" in picture["alt"]


@pytest.mark.parametrize(
    ("totals", "winners", "headline", "sentence"),
    [
        pytest.param(
            (22, 40, 64, 31),
            (),
            "Ann leads with 22",
            "Ann leads with 22 points. The game ends at 100; Cy is nearest to it with 64.",
            id="running",
        ),
        pytest.param(
            (22, 22, 64, 64),
            (),
            "Ann and Bo lead with 22",
            "Ann and Bo lead with 22 points each. The game ends at 100; Cy and Di are nearest to it with 64.",
            id="ties",
        ),
        pytest.param((1, 40, 103, 31), (0,), "Ann wins with 1", "Ann wins with 1 point, after 1 hand.", id="over"),
        pytest.param(
            (7, 40, 103, 7),
            (0, 3),
            "Ann and Di share the win with 7",
            "Ann and Di share the win with 7 points each, after 1 hand.",
            id="shared",
        ),
    ],
)
def test_a_score_sheet_says_how_the_game_stands(
    totals: tuple[int, ...], winners: tuple[int, ...], headline: str, sentence: str
) -> None:
    sheet = score_sheet(CLASSIC, CAST, [line(totals=totals)], winners)
    assert (sheet.headline, sheet.sentence, sheet.over) == (headline, sentence, bool(winners))


@pytest.mark.parametrize(
    ("winners", "headlines"),
    [
        pytest.param((), ["Ann leads with 7"] * 2, id="running"),
        pytest.param((0,), ["You win with 7", "Ann wins with 7"], id="one winner"),
        pytest.param((0, 3), ["Ann and Di share the win with 7"] * 2, id="two winners"),
    ],
)
def test_a_player_who_has_won_alone_reads_that_they_win(winners: tuple[int, ...], headlines: list[str]) -> None:
    totals = (7, 40, 103, 7 if 3 in winners else 31)
    sheet = score_sheet(CLASSIC, CAST, [line(totals=totals)], winners)
    assert [sheet.headline_for(side) for side in (0, 1)] == headlines


@pytest.mark.parametrize(
    ("options", "hand", "ending"),
    [
        pytest.param({"hands": 4}, 1, "Ann leads with 7 points. 3 more hands are to be played.", id="hands to come"),
        pytest.param({"hands": 4}, 3, "Ann leads with 7 points. One more hand is to be played.", id="the last hand"),
        pytest.param(
            {"hands": 4, "target": 50},
            2,
            "2 more hands are to be played. The game ends at 50, if that comes first.",
            id="a target that may come first",
        ),
    ],
)
def test_the_hands_to_come_are_counted_where_they_are_limited(options: dict, hand: int, ending: str) -> None:
    rules = preset_rules("classic", **options)
    sheet = score_sheet(rules, CAST, [replace(line(totals=(7, 10, 43, 8)), number=hand)])
    assert sheet.sentence.endswith(ending)
    assert sheet.target == options.get("target")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "The game ends at 100."),
        ({"hands": 4}, "The game ends after four hands."),
        ({"hands": 1}, "The game ends after one hand."),
        ({"hands": 6, "target": 50}, "The game ends at 50, or after six hands."),
    ],
)
def test_the_sheet_says_when_the_game_ends(options: dict, text: str) -> None:
    sheet = score_sheet(preset_rules("classic", **options), CAST, [])
    assert (sheet.end_text, sheet.sentence) == (text, f"No hand has been scored yet. {text}")


@pytest.mark.parametrize("hand", [4, 5])
def test_an_extra_hand_after_the_last_one_is_announced(hand: int) -> None:
    rules = preset_rules("classic", tie_break="extra-hand", hands=4)
    sheet = score_sheet(rules, CAST, [replace(line(totals=(7, 40, 33, 7)), number=hand)])
    assert sheet.sentence.endswith("Nobody has the lowest total alone, so another hand is played.")


def test_an_extra_hand_for_a_tie_is_announced() -> None:
    rules = preset_rules("classic", tie_break="extra-hand")
    sheet = score_sheet(rules, CAST, [line(totals=(7, 40, 103, 7))])
    assert sheet.sentence.endswith("Nobody has the lowest total alone, so another hand is played.")


def test_equal_totals_share_a_place() -> None:
    sheet = score_sheet(CLASSIC, CAST, [line(totals=(22, 7, 64, 22))])
    assert [(side.place, side.name) for side in sheet.standings] == [(1, "Bo"), (2, "Ann"), (2, "Di"), (4, "Cy")]


def test_the_score_sheet_of_a_game_has_its_statistics() -> None:
    game = finished_game(CLASSIC)
    sheet = score_sheet(game.rules, CAST, game.scores, game.winners)
    assert [[cell.total for cell in hand.cells] for hand in sheet.hands] == [list(one.totals) for one in game.scores]
    assert [[cell.points for cell in hand.cells] for hand in sheet.hands] == [list(one.points) for one in game.scores]
    assert [side.total for side in sheet.sides] == list(game.totals)
    assert [number for number, side in enumerate(sheet.sides) if side.is_winner] == list(game.winners)


def test_teams_are_scored_and_named_as_teams() -> None:
    game = finished_game(PARTNERS)
    sheet = score_sheet(game.rules, CAST, game.scores, game.winners)
    assert [(side.name, side.short) for side in sheet.sides] == [("Ann and Cy", "Ann+Cy"), ("Bo and Di", "Bo+Di")]
    assert any(sheet.headline_for(side).startswith("Your team wins with ") for side in (0, 1))


def test_short_names_are_always_distinct() -> None:
    names = ("Maximilian", "Maximiliane", "Max", "Maxi")
    shorts = [side.short for side in score_sheet(CLASSIC, names, ()).sides]
    assert len(set(shorts)) == 4
    eleven = [side.short for side in score_sheet(ELEVEN, [f"Player {number}" for number in range(11)], ()).sides]
    assert len(set(eleven)) == 11
    assert max(map(len, eleven)) <= 4


def test_a_score_sheet_before_the_first_hand_has_no_lines() -> None:
    sheet = score_sheet(CLASSIC, CAST, ())
    assert (sheet.hands, [side.total for side in sheet.sides]) == ((), [0, 0, 0, 0])


def test_a_side_reads_what_became_of_them() -> None:
    hands = [line(queens=(0, 1, 0, 0), points=(0, 15, 11, 0)), line(moon=0, points=(0, 26, 26, 26))]
    told = [side.game_text for side in score_sheet(CLASSIC, CAST, hands).sides]
    assert told == [
        "Moon shot once. No points in 2 hands.",
        "Queen of spades taken once.",
        "",
        "No points in 1 hand.",
    ]
