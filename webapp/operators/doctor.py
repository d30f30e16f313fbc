"""`hearts-by-mail doctor`: examines the rows of games and letters, and says what to do about what is wrong.

It changes nothing unless it is asked to mend; then it sets clocks that stand still, and queues letters that nothing
would send, by the paths that do so anyway.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, exists, func, or_, select

from webapp import acts
from webapp.core.config import Settings
from webapp.core.database import DatabaseDown
from webapp.core.runtime import Runtime
from webapp.core.say import say_many
from webapp.games.clock import clocks, way_in
from webapp.games.record import changing, store
from webapp.models import GameRow, GameState, LetterRow, OperatorAct, TableRow, TableState, TurnRow
from webapp.operators import health
from webapp.operators.mail_check import sending
from webapp.operators.mail_servers import Finding, State
from webapp.outbox import letters
from webapp.play import course

LATE = timedelta(minutes=5)
NAMED = 10  # how many rows a finding names at most
LETTERS_LOOKED_AT = 5
SKEW_SECONDS = 2.0  # by which two clocks may differ


def examine(runtime: Runtime, now: datetime, *, fix_by: str | None = None) -> Iterator[Finding]:
    """All findings, each yielded as soon as it is known; if an operator is given, after what is safe has been mended
    and noted as an act of theirs.
    """
    try:
        found, newest = health.version_of(runtime), health.newest()
        if found != newest:
            sentence = f"migrations: the tables are of version {found}, not {newest}: hearts-by-mail migrate"
            yield Finding(State.MISSING, sentence)
            return
        yield Finding(State.OK, f"migrations: the tables are of version {newest}")
        yield _keys(runtime)
        yield _clock(runtime)
        yield from _games(runtime, now, fix_by)
        with runtime.database.reading() as session:
            yield _counted_turns(session)
            yield _tables(session)
            yield _references(session)
            yield sending(session, now)
            yield _answers(session, runtime.settings, now)
        yield from _letters(runtime, now, fix_by)
    except DatabaseDown as error:
        yield Finding(State.MISSING, f"database: it does not answer ({error})")
    except SQLAlchemyError as error:
        yield Finding(State.MISSING, f"database: it does not answer ({type(error).__name__})")


def _keys(runtime: Runtime) -> Finding:
    """Whether our keys made the Message-IDs of the newest letters: else the links in players' inboxes are dead."""
    with runtime.database.reading() as session:
        newest = session.exec(select(LetterRow).order_by(col(LetterRow.id).desc()).limit(LETTERS_LOOKED_AT)).all()
    eras = ["", *(one.era for one in runtime.eras())]
    is_known = any(
        letter.message_id.strip("<").partition("@")[0] == letters.message_tag(key, letter.dedupe, era)
        for letter in newest
        for key in runtime.keys
        for era in eras
    )
    if is_known or not newest:
        keys = say_many(len(runtime.keys), "{number} key", "{number} keys")
        return Finding(State.OK, f"keys: {keys}, with which the newest letters were made")
    sentence = "keys: none has made the newest letters, so no link in them opens; add the former key to SECRET_KEYS"
    return Finding(State.MISSING, sentence)


def _clock(runtime: Runtime) -> Finding:
    """Whether this machine's clock agrees with the database's: one process sets a deadline, another finds it over."""
    seconds = (datetime.now(UTC) - runtime.database.time()).total_seconds()
    if abs(seconds) < SKEW_SECONDS:
        return Finding(State.OK, "clock: this machine's agrees with the database's")
    place = "ahead of" if seconds > 0 else "behind"
    sentence = f"clock: this machine's is {abs(seconds):.0f} seconds {place} the database's: does NTP run on both?"
    return Finding(State.MISSING, sentence)


def _games(runtime: Runtime, now: datetime, fix_by: str | None) -> Iterator[Finding]:
    """Whether each running game can be loaded, and its clock runs."""
    with runtime.database.reading() as session:
        running = session.exec(select(GameRow.id).where(GameRow.state == GameState.PLAYING).order_by(col(GameRow.id)))
        game_ids = [game_id or 0 for game_id in running]
    broken, stopped, late = [], [], []
    for game_id in game_ids:
        try:
            with runtime.database.reading() as session:
                stored = store.load(session, game_id)
        except (LookupError, ValueError):
            broken.append(game_id)
            continue
        if clocks.is_stopped(stored) and not (fix_by and _set_clock(runtime, game_id, fix_by, now)):
            stopped.append(game_id)
        elif any(at is not None and at <= now - LATE for at in (stored.row.due_at, stored.row.wake_at)):
            late.append(game_id)
    yield _about("games", broken, "cannot be loaded: restore a backup, or end them")
    yield _about("clocks", stopped, "wait for a player without a deadline: doctor --fix sets one")
    yield _about("overdue", late, "have been due for over five minutes: do a scheduler and a worker run?")


def _set_clock(runtime: Runtime, game_id: int, by: str, now: datetime) -> bool:
    """Gives those whom the game waits for a full deadline. Returns True."""
    with changing.game(runtime, game_id, now) as game:
        if clocks.is_stopped(game.stored):
            clocks.forget(game.stored)
            course.go_on(game)
            acts.note_act(game.session, OperatorAct.FIX, by, now, game_id=game_id)
    return True


def _counted_turns(session: Session) -> Finding:
    """Whether every running game has as many records as its row says, numbered without gaps."""
    number, last = func.count(col(TurnRow.number)), func.coalesce(func.max(TurnRow.number), 0)
    wrong = select(GameRow.id).outerjoin(TurnRow, col(TurnRow.game_id) == GameRow.id)
    wrong = wrong.where(GameRow.state == GameState.PLAYING).group_by(col(GameRow.id), col(GameRow.turns))
    found = session.exec(wrong.having(or_(number != GameRow.turns, last != GameRow.turns))).all()
    return _about("records", [game_id or 0 for game_id in found], "lack turn records: restore a backup, or end them")


def _tables(session: Session) -> Finding:
    """Whether exactly the tables that are being played at have a running game."""
    runs = exists().where(col(GameRow.table_id) == TableRow.id, col(GameRow.state) == GameState.PLAYING)
    is_playing = col(TableRow.state) == TableState.PLAYING
    found = session.exec(select(TableRow.id).where(or_(is_playing & ~runs, ~is_playing & runs))).all()
    about = [table_id or 0 for table_id in found]
    return _about("tables", about, "are played at without a game, or the other way round", _tables_of)


def _references(session: Session) -> Finding:
    """Whether every row refers to rows that exist. PostgreSQL sees to that itself."""
    if session.get_bind().dialect.name != "sqlite":
        return Finding(State.OK, "references: the database checks them")
    broken = session.connection().execute(text("PRAGMA foreign_key_check")).fetchall()
    if not broken:
        return Finding(State.OK, "references: every row that another one names is there")
    names = ", ".join(sorted({str(row[0]) for row in broken}))
    rows = say_many(len(broken), "{number} row", "{number} rows")
    return Finding(State.MISSING, f"references: {rows} of {names} name rows that are missing")


def _letters(runtime: Runtime, now: datetime, fix_by: str | None) -> Iterator[Finding]:
    """Letters that nothing would ever send, because they are queued for no time."""
    with runtime.database.reading() as session:
        timeless = _timeless(session)
    if fix_by and timeless:
        with runtime.database.writing() as session:
            for letter_id in timeless:
                letters.put_off(session.get_one(LetterRow, letter_id), now)
                acts.note_act(session, OperatorAct.FIX, fix_by, now, letter_id=letter_id)
        runtime.bell.deliver()
        with runtime.database.reading() as session:
            timeless = _timeless(session)
    yield _about("queue", timeless, "are queued for no time: doctor --fix queues them for now", _letters_of)


def _timeless(session: Session) -> list[int]:
    """The queued letters that have no time."""
    found = select(LetterRow.id).where(text("state = 'queued'"), col(LetterRow.next_at).is_(None))
    return [letter_id or 0 for letter_id in session.exec(found.order_by(col(LetterRow.id)))]


def _answers(session: Session, settings: Settings, now: datetime) -> Finding:
    """Whether answers by mail are read."""
    if not way_in.is_used(settings):
        return Finding(State.OK, "answers: none come by mail")
    advice = "does an inbox run, and what does hearts-by-mail mail check say?"
    if way_in.newest(session) is None:
        return Finding(State.MISSING, f"answers: none has ever been read; {advice}")
    if since := way_in.shut_since(session, settings, now):
        return Finding(State.MISSING, f"answers: they cannot be read since {since:%Y-%m-%d %H:%M} UTC; {advice}")
    return Finding(State.OK, "answers: all that came are read")


def _games_of(number: int) -> str:
    return say_many(number, "{number} game", "{number} games")


def _tables_of(number: int) -> str:
    return say_many(number, "{number} table", "{number} tables")


def _letters_of(number: int) -> str:
    return say_many(number, "{number} letter", "{number} letters")


def _about(name: str, wrong: Sequence[int], sentence: str, counted: Callable[[int], str] = _games_of) -> Finding:
    """The finding that these rows are wrong, with their numbers; or that none is."""
    if not wrong:
        return Finding(State.OK, f"{name}: nothing is wrong")
    numbers = ", ".join(map(str, wrong[:NAMED])) + (", …" if len(wrong) > NAMED else "")
    return Finding(State.MISSING, f"{name}: {counted(len(wrong))} ({numbers}) {sentence}")
