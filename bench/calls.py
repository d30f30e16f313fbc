"""Counts what the site does for a page and for a posted card: calls of functions, and statements to the database.

    python -m bench.calls

Unlike times, the counts are the same however busy the machine is, so that two checkouts can be compared anywhere.
"""

import cProfile
import gc
import pstats
import sys
import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from flask.testing import FlaskClient

from bench.printing import say
from hearts.cards import card_text
from hearts.game import Stage, legal
from tests.cast import load, make_runtime, play_first, start_game, turn_link
from webapp.core import bell
from webapp.core.runtime import Runtime
from webapp.site import make_site

TIMES = 12
WARM = 8  # what every process does only once is not counted
LATE = 9  # tricks
# As the profile names them; a listener would be called, too.
STATEMENTS = [f"<method '{name}' of 'sqlite3.Cursor' objects>" for name in ("execute", "executemany")]
BETWEEN = timedelta(minutes=1)  # two turns, so that each has a deadline of its own


class Site:
    """A site with one game of four players, in the middle of a hand."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime, self._game_id = runtime, start_game(runtime)
        self._client: FlaskClient = make_site(runtime).test_client()

    def play_to(self, tricks: int) -> None:
        """Plays until a card is to be played after so many tricks."""
        while not (self._game.stage is Stage.PLAY and len(self._game.tricks) == tricks):
            play_first(self._runtime, self._game_id)

    @property
    def _game(self):  # type: ignore[no-untyped-def]
        return load(self._runtime, self._game_id).game

    def turn(self) -> tuple[str, str]:
        """The path of the page of the present turn, and a legal card."""
        while self._game.stage is not Stage.PLAY:
            play_first(self._runtime, self._game_id)
        self._runtime.now.pass_by(BETWEEN)  # type: ignore[attr-defined]  # the cast's own clock
        seat = self._game.to_act[0]
        path = self._runtime.signer.local_url(turn_link(self._runtime, self._game_id, seat))
        return path, card_text(min(legal(self._game, seat)))

    def get(self, path: str, _: str) -> None:
        assert self._client.get(path).status_code == 200

    def post(self, path: str, card: str) -> None:
        answer = self._client.post(path, data={"card": card}, headers={"Sec-Fetch-Site": "same-origin"})
        assert answer.status_code == 303


def main() -> int:
    bell.GAP = 3600  # seconds: at two hundred turns a second, nine of ten do not ring
    with tempfile.TemporaryDirectory() as folder:
        runtime = make_runtime(Path(folder))
        site = Site(runtime)
        for tricks in (0, LATE):
            site.play_to(tricks)
            report(site, f"the page of a turn after {tricks} tricks", site.get)
        report(site, "a card posted", site.post)
        runtime.database.engine.dispose()
    return 0


def report(site: Site, what: str, do: Callable[[str, str], None]) -> None:
    """Prints the average of doing it several times, each with the present turn."""
    for _ in range(WARM):
        do(*site.turn())
    profile = cProfile.Profile()
    for _ in range(TIMES):
        turn = site.turn()
        gc.disable()  # what it cleans up, and when, is by chance
        profile.enable()
        do(*turn)
        profile.disable()
        gc.enable()
    counts = [(name, of_it[1]) for (*_, name), of_it in pstats.Stats(profile).stats.items()]  # type: ignore[attr-defined]
    calls, statements = sum(of_it for _, of_it in counts), sum(of_it for name, of_it in counts if name in STATEMENTS)
    say(f"{what:<36} {calls / TIMES:8,.0f} calls, {statements / TIMES:4.1f} statements")


if __name__ == "__main__":
    sys.exit(main())
