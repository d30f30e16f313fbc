"""A database with copies of a game in which somebody has to play: links to them, letters, and its size."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import text

from bench.load.copies import Steps, count_steps
from bench.load.requests import Request, get, post
from bench.mail import sink
from bench.serving import APP, GUNICORN, Running, serving
from hearts.cards import card_text
from hearts.game import Stage, legal
from tests.cast import ask_all, load, make_runtime, play_first, start_game, turn_link
from tests.servers import ROOT, Postgres, fresh_database, own_postgres
from webapp import migrations
from webapp.core.runtime import Runtime
from webapp.core.tokens import TurnLink
from webapp.models import LetterKind


@dataclass(frozen=True)
class Filled:
    """A database with copies of a game in which somebody has to play; `link` is to the turn in the pattern."""

    runtime: Runtime
    steps: Steps
    link: TurnLink
    card: str
    folder: Path
    server: Postgres | None
    """Of the database; SQLite has none."""

    def served(self, app: str = APP, processes: int = 1, checkout: Path = ROOT) -> AbstractContextManager[Running]:
        """A server of its pages, or of another `app`, with so many web processes."""
        url = self.runtime.settings.database_url.get_secret_value()
        settings = {"WEB_CONCURRENCY": str(processes), "DATABASE_URL": url}
        return serving(self.folder, (*GUNICORN, app), checkout, **settings)

    def pages(self, copies: Iterable[int]) -> Iterator[Request]:
        """Requests for the pages of the turn in these copies, again and again."""
        return cycle([get(self.path(copy)) for copy in copies])

    def turns(self, copies: list[int]) -> Iterator[Request]:
        """Requests that take the turn in each of these copies, which go off the list."""
        while copies:
            yield post(self.path(copies.pop()), card=self.card, way="page")

    def path(self, copy: int) -> str:
        """The path to the turn in a copy."""
        game, player = (self.steps[name] * copy for name in ("game", "player"))
        link = replace(self.link, game_id=self.link.game_id + game, player_id=self.link.player_id + player)
        return self.runtime.signer.local_url(link)

    @property
    def server_worked(self) -> float:
        """The processor time that the server of the database has used, in seconds."""
        return self.server.worked if self.server else 0.0


@contextmanager
def filled(database: str) -> Iterator[Filled]:
    """The pattern in a new database, "sqlite" or "postgresql", as safe as in production; emails end in a sink."""
    with TemporaryDirectory() as folder, sink() as relay, ExitStack() as stack:
        server = stack.enter_context(own_postgres(settings=())) if database == "postgresql" else None
        url = stack.enter_context(migrated(server)) if server else ""
        runtime = make_runtime(Path(folder), url, smtp_url=relay, mails_a_day=100_000)
        yield fill(runtime, Path(folder), server)
        runtime.database.engine.dispose()


@contextmanager
def migrated(server: Postgres) -> Iterator[str]:
    """The address of a database on the server, brought up to date."""
    with fresh_database(server.url) as url:
        migrations.upgrade(url)
        yield url


def fill(runtime: Runtime, folder: Path, server: Postgres | None = None) -> Filled:
    """The pattern: a game of four people that has got its first records, all asked."""
    runtime.now.at = datetime.now(UTC)  # type: ignore[attr-defined]  # the cast's own clock
    game_id = start_game(runtime)
    while load(runtime, game_id).game.stage is not Stage.PLAY or len(load(runtime, game_id).game.plays) < 2:
        play_first(runtime, game_id)
    ask_all(runtime)
    game = load(runtime, game_id).game
    seat = game.to_act[0]
    card = card_text(min(legal(game, seat)))
    link = turn_link(runtime, game_id, seat)
    return Filled(runtime, count_steps(runtime.database.engine), link, card, folder, server)


def newest_question(filled: Filled) -> int:
    """The number of the pattern's letter that asks for the turn."""
    with filled.runtime.database.reading() as session:
        asking = text("SELECT max(id) FROM letter WHERE kind = :kind AND game_id = :game")
        values = {"kind": LetterKind.TURN.value, "game": filled.link.game_id}
        return int(session.connection().execute(asking, values).scalar_one())


def disk(runtime: Runtime) -> int:
    """The bytes of the database."""
    with runtime.database.reading() as session:
        size = "SELECT pg_database_size(current_database())"
        if runtime.settings.database.startswith("sqlite"):
            size = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        return int(session.connection().execute(text(size)).scalar_one())
