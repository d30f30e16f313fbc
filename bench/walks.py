"""Counts the files that four walks through the program enter: python -m bench.walks

    a letter to SMTP        a due question is claimed, composed and sent
    a posted card           a browser posts a card, and the next player is asked
    a deadline              a player's time is over, and the robot's card is played for them
    a mail's link opened    a browser opens the page of a turn

Each is walked in a small game on SQLite, in one thread and once before it counts, as in a process that has run for a
while. A file is entered if one of its functions runs. With --files, each walk's files are listed.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import FrameType
from typing import Final

from hearts.cards import card_text
from hearts.game import legal
from hearts.seats import Seat
from tests.cast import PACE, start_game
from tests.runtimes import make_runtime
from tests.servers import MailServer
from tests.sites import site_of
from webapp.core.bell import GAP
from worker import postman

ROOT: Final = Path(__file__).resolve().parent.parent
ROOMS: Final = ("hearts", "webapp", "worker")
RULES: Final = "hearts/"


def entered(walk: Callable[[], object]) -> set[str]:
    """The files of the program that the walk enters, relative to its root."""
    seen: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        walk()
    finally:
        sys.setprofile(before)
    inside = (str(Path(name).relative_to(ROOT)) for name in seen if Path(name).is_relative_to(ROOT))
    return {name for name in inside if name.endswith(".py") and name.startswith(ROOMS)}


class Walks:
    """The four walks, in a game of four people whose letters go to a mail server."""

    def __init__(self, folder: Path, relay: str) -> None:
        self._runtime = make_runtime(folder, smtp_url=relay, mail_from="hearts@example.org")
        self._browser = site_of(self._runtime).test_client()
        self._table = start_game(self._runtime)
        self._table.pass_all()
        self._send_all()

    def letter(self) -> set[str]:
        self._table.play_first()
        self._runtime.now.pass_by(timedelta(minutes=1))
        return entered(lambda: postman.deliver(self._runtime))

    def card(self) -> set[str]:
        seat = Seat(self._table.awaited)
        card = card_text(next(iter(legal(self._table.game, seat))))
        url = self._url(seat)
        found = entered(lambda: self._browser.post(url, data={"card": card}))
        self._send_all()
        return found

    def deadline(self) -> set[str]:
        self._send_all()
        self._runtime.now.pass_by(PACE + timedelta(days=1))
        found = entered(lambda: self._table.play_for_absent())
        self._send_all()
        return found

    def link(self) -> set[str]:
        url = self._url(self._table.awaited)
        return entered(lambda: self._browser.get(url))

    def _url(self, seat: int) -> str:
        return self._runtime.signer.local_url(self._table.turn_link(seat))

    def _send_all(self) -> None:
        self._runtime.now.pass_by(timedelta(minutes=1))
        postman.deliver(self._runtime)


def walked(folder: Path) -> dict[str, set[str]]:
    """The files that each walk enters, by its name."""
    server = MailServer()
    server.start()
    try:
        walks = Walks(folder, server.url)
        all_four = {
            "a letter to SMTP": walks.letter,
            "a posted card": walks.card,
            "a mail's link opened": walks.link,
            "a deadline": walks.deadline,
        }
        for walk in all_four.values():
            walk()
        return {name: walk() for name, walk in all_four.items()}
    finally:
        time.sleep(2 * GAP)  # the last ring for mails needs its folder
        server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.walks")
    parser.add_argument("--files", action="store_true", help="list the files of each walk")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        found = walked(Path(folder))
    sys.stdout.write(f"{'files entered':22}{'all':>5}{'without hearts':>16}\n")
    for name, files in found.items():
        sys.stdout.write(f"{name:22}{len(files):5}{sum(not file.startswith(RULES) for file in files):16}\n")
        if asked.files:
            sys.stdout.writelines(f"    {file}\n" for file in sorted(files))


if __name__ == "__main__":
    main()
