"""The games of a player who is signed in."""

from datetime import timedelta

from tests.samples.cast import NASTY, NOW
from tests.samples.links import LINK, PREFERENCES_LINK, TABLE_LINK
from tests.samples.rendering import Sample
from webapp.pages.games import GameLine, MyGames
from webapp.presentation.timestamps import timestamp


def pages() -> dict[str, Sample]:
    signed_in = {"player_name": "Ann", "preferences_link": PREFERENCES_LINK}
    return {
        "games": ("games", {**signed_in, "games": _my_games()}),
        "games-none": ("games", {**signed_in, "games": MyGames()}),
    }


def _my_games() -> MyGames:
    """The games of a busy player, in every state."""
    soon, later = (timestamp(NOW + timedelta(hours=hours), NOW, "Asia/Kolkata") for hours in (2, 20))
    company, nasty = "with Bo, Cy and Di", f"with {', '.join(NASTY[1:])}"
    first = GameLine("Table 7F3K", company, "It is your turn: trick 5, hand 2.", LINK, TABLE_LINK, soon)
    second = GameLine("Table Q2ZZ", nasty, "It is your turn: pass, hand 1.", LINK, TABLE_LINK, later)
    away = GameLine("Table A9BC", company, "You are away: a robot plays for you at once.", TABLE_LINK)
    rests = GameLine(
        "Table R35T", company, "The game rests, since nobody played. One tap sets it going.", LINK, TABLE_LINK
    )
    lent = GameLine("Table L3NT", company, "Eve plays for you until you are back.", TABLE_LINK)
    return MyGames(
        waiting=[first, second],
        running=[GameLine("Table 5WXY", nasty, "Waiting for Bo and Cy.", TABLE_LINK), rests, away, lent],
        joining=[GameLine("Table J01N", company, "You join once the hand being played is over.", LINK)],
        invitations=[GameLine("Table 88KM", "with Eve", "You are invited.", LINK, TABLE_LINK)],
        gathering=[GameLine("Table PPR4", "", "In the lobby, the table looks for three players.", TABLE_LINK)],
        over=[GameLine(f"Table T{n}X4", company, f"It ended {n} days ago.", TABLE_LINK) for n in range(2, 6)],
        has_older=True,
    )
