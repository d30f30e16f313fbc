"""Games that are over, and players who share their results."""

from urllib.parse import urlsplit

from bs4 import BeautifulSoup

from hearts.rules import preset_rules
from tests.cast import load, seat_link, start_game
from tests.copying import copied
from tests.playing import miss_deadline, play_hand
from tests.webapp.tables.hosted import ANN, BO, seat_of, table_of
from webapp.core.tokens import PlayLink
from webapp.games import talk

PEOPLE = ("Ann", "Bo", "Cyrano")
ROBOT = "Robot 0"
SAID = "What a lovely evening"


def finish(runtime, game_id: int) -> None:
    while load(runtime, game_id).row.due_at is not None:
        play_hand(runtime, game_id)


@copied
def finished(runtime, names=PEOPLE, robots=1, target=30) -> int:
    """A game that is over, in which somebody was late once, and talked."""
    game_id = start_game(runtime, names, robots=robots, rules=preset_rules("classic", target=target))
    table_id = table_of(runtime, game_id)
    talk.add_line(runtime, PlayLink(table_id, BO, seat_of(runtime, game_id, BO).player_id), SAID, runtime.now())
    miss_deadline(runtime, game_id)
    finish(runtime, game_id)
    return game_id


def sharing_page(runtime, game_id: int, seat: int = ANN) -> str:
    number = load(runtime, game_id).row.number
    link = runtime.signer.local_url(seat_link(runtime, table_of(runtime, game_id), seat))
    return f"{link}/share?game={number}"


def share(runtime, client, game_id: int, seat: int = ANN, **form: str) -> str:
    """Shares the result by the button. Returns the path of the link."""
    path = sharing_page(runtime, game_id, seat)
    response = client.post(path, data={"want": "share", **form})
    assert (response.status_code, response.location) == (303, path)
    link = BeautifulSoup(client.get(path).data, "lxml").select_one("#link")["value"]
    assert link.startswith(f"{runtime.settings.address}/shared/")
    return urlsplit(link).path
