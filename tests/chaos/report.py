"""The report at the end of a run: figures, or what was violated and how to repeat it."""

import shutil
import statistics
from collections import Counter
from collections.abc import Iterator
from mailbox import mbox
from pathlib import Path

from tests.chaos.checks import turns
from tests.chaos.doings import Habit
from tests.chaos.notes import Notes, Way
from tests.chaos.run import DATABASE, Broken, Outcome
from webapp.models import GameState

SHOWN = 20  # violations of one kind


def lines(outcome: Outcome) -> Iterator[str]:
    yield f"\n{outcome.name}, seed {outcome.options.seed}: {outcome.options.seconds:.0f} seconds of disturbances"
    yield from _games(outcome)
    yield from _turns(outcome)
    yield from _mails(outcome)
    yield from _disturbances(outcome)
    yield f"  violations: {outcome.count}"
    if outcome.count:
        yield from _violations(outcome)


def tracebacks(outcome: Outcome) -> int:
    """How many the processes have logged: what breaks should cost them a line."""
    return outcome.log.read_text(encoding="utf-8", errors="replace").count("Traceback")


def _games(outcome: Outcome) -> Iterator[str]:
    games = outcome.left.games.values()
    over = sum(stored.row.state is GameState.OVER for stored in games)
    without = outcome.opened - len(games)
    yield f"  tables: {outcome.opened}; games: {over} over, {len(games) - over} wait for a player, {without} not begun"


def _turns(outcome: Outcome) -> Iterator[str]:
    ways = Counter(turn.source.value for rows in outcome.left.turns.values() for turn in rows)
    yield f"  turns: {sum(ways.values()):,} ({_counted(ways)})"
    yield f"  of those by timeout, for players whom no email had asked: {turns.count_unasked(outcome.left)}"


def _mails(outcome: Outcome) -> Iterator[str]:
    left = outcome.left
    copies = len(left.relay.mails) - len(left.relay.taken_at)
    yield f"  mails: {len(left.relay.taken_at):,} letters, and {copies} copies; {len(left.inbound):,} answers stored"
    yield f"  odd mails of a stranger: {outcome.odd:,}"
    done = Counter(deed.place for deed in left.notes.acknowledged if deed.way is Way.FORM)
    yield f"  accepted, by page: {_counted(done)}"
    notices = sum(len(device.notifications) for _, device in left.notes.devices)
    yield f"  decisions on which a player said one thing after another: {outcome.said_again}"
    yield f"  of {len(left.notes.asked)} players whom a mail has asked for a card used: {_counted(_used(left.notes))}"
    yield f"  hands shown to strangers: {len(left.notes.shown)}; notifications: {notices}"
    for way in Way:
        deeds = [deed for deed in left.notes.deeds if deed.way is way]
        answers = Counter(str(deed.answer or "none") for deed in deeds)
        yield f"  deeds by {way.value}: {len(deeds):,} (answers: {_counted(answers)})"


def _used(notes: Notes) -> Counter[str]:
    """How many of those whom a mail has asked for a card have shown each habit."""
    return Counter({habit.value: sum((habit, name) in notes.used for name in notes.asked) for habit in Habit})


def _disturbances(outcome: Outcome) -> Iterator[str]:
    yield f"  {'disturbance':55} {'times':>5} {'calm after, in the middle':>26} {'at most':>8}"
    by_kind: dict[str, list[Broken]] = {}
    for one in outcome.broken:
        by_kind.setdefault(one.planned.kind.name, []).append(one)
    for name, times in sorted(by_kind.items()):
        calm = [one.calm_after for one in times if one.calm_after is not None]
        figures = f"{statistics.median(calm):>24.1f} s {max(calm):>6.1f} s" if calm else f"{'-':>26} {'-':>8}"
        yield f"  {name:55} {len(times):>5} {figures}"
    if ended := outcome.keeper.ended:
        yield f"  ended by themselves, and were started again: {_counted(ended)}"
    if count := tracebacks(outcome):
        yield f"  tracebacks in the log: {count}"
    if outcome.seconds_to_rest is not None:
        yield f"  at rest {outcome.seconds_to_rest:.1f} seconds after the last player had stopped"


def _violations(outcome: Outcome) -> Iterator[str]:
    options = outcome.options
    without = f" --without {' '.join(options.without)}" if options.without else ""
    scenes = f" --scenes {' '.join(options.scenes)}"
    again = f"--only {outcome.name} --seed {options.seed} --seconds {options.seconds:g}{without}{scenes}"
    yield f"\nTo repeat it: make chaos CHAOS='{again}'"
    yield "What was broken, in seconds from the start:"
    for one in outcome.broken:
        yield f"  {one.began:7.1f} to {one.ended or 0:7.1f}  {one.planned.kind.name}"
    for claim, found in outcome.violations.items():
        if found:
            yield f"\nNOT TRUE: {claim} ({len(found)})"
            yield from (f"  {sentence}" for sentence in found[:SHOWN])


def keep_logs(outcome: Outcome, folder: Path) -> Path:
    """Copies the log of the processes, the players' deeds and mails, and the database, to where they stay."""
    kept = folder / f"{outcome.name}-{outcome.options.seed}"
    kept.mkdir(parents=True, exist_ok=True)
    shutil.copy(outcome.log, kept)
    if (database := outcome.log.parent / DATABASE).is_dir():
        shutil.copytree(database, kept / DATABASE, dirs_exist_ok=True)
    mails = mbox(kept / "mails.mbox")
    for mail in outcome.left.relay.mails:
        mails.add(mail.source)
    mails.close()
    deeds = "\n".join(map(str, outcome.left.notes.deeds))
    (kept / "deeds.log").write_text(deeds, encoding="utf-8")
    return kept


def _counted(found: Counter[str]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in found.most_common())
