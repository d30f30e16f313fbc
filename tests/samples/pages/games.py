"""The games of a player who is signed in."""

from dataclasses import replace
from datetime import timedelta

from hearts.seats import Seat
from tests.samples.cast import NASTY, NOW
from tests.samples.games import CLASSIC, first_game
from tests.samples.links import LINK, PREFERENCES_LINK, TABLE_LINK
from tests.samples.rendering import PageSample, framed
from tests.samples.sheets import pass_sheets, sheet_of, sheets
from webapp.operators.probes import SENTENCES
from webapp.pages.games import GameLine, GamesPage, HandLine, MyGames
from webapp.presentation.phrasing import timestamp

FOOT = {"preferences_link": PREFERENCES_LINK, "mail_setting": "We email you when it's your turn."}


def pages() -> dict[str, PageSample]:
    down = [SENTENCES["worker"], SENTENCES["inbox"]]
    pages = {
        "games": GamesPage(games=_my_games(), **FOOT),
        "games-none": GamesPage(games=MyGames(), **FOOT),
        "games-down": GamesPage(games=MyGames(), **FOOT, down=down),
    }
    return {name: framed(page, player_name="Ann") for name, page in pages.items()}


def _my_games() -> MyGames:
    """The games of a busy player, in every state."""
    soon, later = (timestamp(NOW + timedelta(hours=hours), NOW, "Asia/Kolkata") for hours in (2, 20))
    shown = {name: (HandLine(sheet),) for name, sheet in sheets().items()}
    several = tuple(
        HandLine(replace(sheets()[name], hand=hand), LINK)
        for hand, name in enumerate(("following", "leading", "partners"), 1)
    )
    company, nasty = "with Bo, Cy and Di", f"with {', '.join(NASTY[1:])}"
    first = GameLine(
        "Ann's table", company, "It is your turn: trick 5, hand 2.", LINK, TABLE_LINK, soon, shown["following"]
    )
    passing = (HandLine(pass_sheets()["nasty"]),)
    second = GameLine("Bo's table", nasty, "It is your turn: pass, hand 1.", LINK, TABLE_LINK, later, passing)
    beside = "It is your turn in three hands, first in hand 1: trick 5."
    third = GameLine("Cy's table", company, beside, LINK, TABLE_LINK, later, several)
    away = GameLine("Ann's table", company, "You are away: a robot plays for you at once.", TABLE_LINK)
    rests = GameLine(
        "Bo's table", company, "The game rests, since nobody played. One tap sets it going.", LINK, TABLE_LINK
    )
    lent = GameLine("Di's table", company, "Eve plays for you until you are back.", TABLE_LINK)
    ahead = GameLine("Cy's table", company, "Waiting for Bo. You may choose your card already.", LINK, TABLE_LINK)
    waiting = (
        HandLine(sheet_of(first_game(CLASSIC, lambda game: game.trick == 6 and game.to_act[0] == 2), seat=Seat(0))),
    )
    return MyGames(
        waiting=[first, second, third],
        may_act=[ahead, rests, away, lent],
        running=[GameLine("Ann's table", nasty, "Waiting for Bo and Cy.", TABLE_LINK, hands=waiting)],
        joining=[GameLine("Cy's table", company, "You join once the hand being played is over.", LINK)],
        invitations=[GameLine("Eve's table", "with Eve", "You are invited.", LINK, TABLE_LINK)],
        gathering=[GameLine("Di's table", "", "In the lobby, the table looks for three players.", TABLE_LINK)],
        over=[GameLine("Ann's table", company, "It ended long ago.", TABLE_LINK)] * 4,
        has_older=True,
    )
