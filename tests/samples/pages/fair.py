"""Why the cards are fair: for everybody, and at a table with what was dealt."""

from tests.samples.cast import CAST, CROWD, NASTY
from tests.samples.finished import stored_game
from tests.samples.games import CLASSIC, ELEVEN
from tests.samples.rendering import PageSample
from tests.samples.shuffles import NASTY_SHUFFLE, shuffle
from webapp.games.fair import dealt_at_table
from webapp.pages.relive import FairPage


def pages() -> dict[str, PageSample]:
    table = "Ann's table"
    return {
        "fair": FairPage(),
        "fair-table": FairPage(table_name=table, shuffle=shuffle(), dealt=dealt_at_table([stored_game(CLASSIC, CAST)])),
        "fair-nasty": FairPage(
            table_name=f"{NASTY[0]}'s table",
            shuffle=NASTY_SHUFFLE,
            dealt=dealt_at_table([stored_game(CLASSIC, NASTY)]),
        ),
        "fair-eleven": FairPage(table_name=table, dealt=dealt_at_table([stored_game(ELEVEN, CROWD)])),
        "fair-new": FairPage(table_name=table, shuffle=shuffle("")),
    }
