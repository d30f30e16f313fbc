"""Games that are over, and players who share their results."""

from urllib.parse import urlsplit

from bs4 import BeautifulSoup

from hearts.rules import preset_rules
from tests.cast import seat_link, start_game
from tests.copying import copied
from tests.table import Table
from tests.webapp.tables.hosted import ANN, BO
from webapp.core.tokens import PlayLink
from webapp.games import talk

PEOPLE = ("Ann", "Bo", "Cyrano")
ROBOT = "Robot 0"
SAID = "What a lovely evening"


def finish(table: Table) -> None:
    while table.due_at is not None:
        table.play_hand()


@copied
def finished(runtime, names=PEOPLE, robots=1, target=30) -> Table:
    """A game that is over, in which somebody was late once, and talked."""
    table = start_game(runtime, names, robots=robots, rules=preset_rules("classic", target=target))
    table_id = table.table_id
    talk.add_line(runtime, PlayLink(table_id, BO, table.seats[BO].player_id), SAID, runtime.now())
    table.miss_deadline()
    finish(table)
    return table


def sharing_page(table: Table, seat: int = ANN) -> str:
    number = table.row.number
    link = table.runtime.signer.local_url(seat_link(table.runtime, table.table_id, seat))
    return f"{link}/share?game={number}"


def share(table: Table, client, seat: int = ANN, **form: str) -> str:
    """Shares the result by the button. Returns the path of the link."""
    path = sharing_page(table, seat)
    response = client.post(path, data={"want": "share", **form})
    assert (response.status_code, response.location) == (303, path)
    link = BeautifulSoup(client.get(path).data, "lxml").select_one("#link")["value"]
    assert link.startswith(f"{table.runtime.settings.address}/shared/")
    return urlsplit(link).path
