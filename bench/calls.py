"""Counts what is done for a page, a posted card and an email: calls of functions, and statements to the database.

    python -m bench.calls

Unlike times, the counts are the same however busy the machine is, so that two checkouts can be compared anywhere.
"""

import cProfile
import gc
import pstats
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from flask.testing import FlaskClient

from bench.mail import GAMES, queue_copies, sink, with_a_turn
from bench.printing import say
from hearts.cards import card_text
from hearts.game import Stage, legal
from tests.cast import load, make_runtime, play_first, start_game, turn_link
from webapp.core import bell
from webapp.core.runtime import Runtime
from webapp.site import make_site
from worker import postman

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
    report_emails()
    return 0


def report_emails() -> None:
    """Prints the same of an email, when a worker sends many about a few games that it has seen."""
    profile = cProfile.Profile()
    with tempfile.TemporaryDirectory() as folder, sink() as url:
        runtime = make_runtime(Path(folder), smtp_url=url, mails_a_day=100_000)
        games = [with_a_turn(runtime) for _ in range(GAMES)]
        for label in ("warm", "counted"):
            queue_copies(runtime, games, label)
            with nothing_by_chance(profile if label == "counted" else cProfile.Profile()):
                sent = postman.deliver(runtime)
        runtime.database.engine.dispose()
    say_counts("an email", profile, sent)


def report(site: Site, what: str, do: Callable[[str, str], None]) -> None:
    """Prints the average of doing it several times, each with the present turn."""
    for _ in range(WARM):
        do(*site.turn())
    profile = cProfile.Profile()
    for _ in range(TIMES):
        turn = site.turn()
        with nothing_by_chance(profile):
            do(*turn)
    say_counts(what, profile, TIMES)


@contextmanager
def nothing_by_chance(profile: cProfile.Profile) -> Iterator[None]:
    """Counts in the profile what is called, but for what the garbage collector cleans up, at any time."""
    gc.disable()
    profile.enable()
    yield
    profile.disable()
    gc.enable()


def say_counts(what: str, profile: cProfile.Profile, times: int) -> None:
    """Prints the counts of the profile, divided by the number of times that it was done."""
    counts = [(name, of_it[1]) for (*_, name), of_it in pstats.Stats(profile).stats.items()]  # type: ignore[attr-defined]
    calls, statements = sum(of_it for _, of_it in counts), sum(of_it for name, of_it in counts if name in STATEMENTS)
    say(f"{what:<36} {calls / times:8,.0f} calls, {statements / times:4.1f} statements")


if __name__ == "__main__":
    sys.exit(main())
