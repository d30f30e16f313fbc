"""Measures who plays, and how long a game by mail takes: python -m bench.pace

Four people, in time zones 0, +1, +6 and -5, look K times a day between 7 and 23 o'clock, each at their own hours, and
answer all that waits for them then, one choice after the other. They play through the path of a turn, on SQLite with a
simulated clock; a worker plays for them when their time is over. All hands of a round are dealt at once.

    python -m bench.pace                    one round, and K = 2, 4 and 8
    python -m bench.pace --lengths          also the days of a game to 50 and to 100
    python -m bench.pace --games 2          the same with fewer games

A choice is a card to be played where the player has several of different worth; a rest that one seat must win has none.
It is by a person if they chose it, at their turn or before it. A visit is a look at which something waits. An email
counts when a worker would send it; questions that are due together are one. ± is one standard error over games.
"""

import argparse
import random
import sys
import tempfile
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from statistics import fmean, stdev
from typing import Final

from sqlmodel import select

from hearts.ahead import choices_ahead
from hearts.cycle import before_hand
from hearts.game import Stage, apply
from hearts.robot import choose, consider, has_a_choice, warm_up
from hearts.rules import Rules
from hearts.seats import Seat, every_seat
from hearts.turns import Deal, Play
from hearts.view import view
from tests.cast import load, start_game
from tests.runtimes import make_runtime
from webapp.core.runtime import Runtime
from webapp.core.tokens import PlayLink
from webapp.games.asked.due import due_of, later_due
from webapp.games.asked.running import may_choose
from webapp.games.asked.whose_turn import awaited
from webapp.games.record.records import CHOSEN
from webapp.games.record.store import TableGame
from webapp.kinds import KINDS
from webapp.models import (
    Frequency,
    GameRow,
    GameState,
    LetterRow,
    LetterState,
    PlayerRow,
    SeatRow,
    TableRow,
    TurnSource,
)
from webapp.play import due_games, taking
from webapp.players import ahead

ZONES: Final = (0, 1, 6, -5)  # hours from UTC, by seat
AWAKE: Final = range(7, 23)  # local hours at which somebody looks
DAY: Final = timedelta(days=1)  # the pace
PERSON: Final = 300  # roll-outs of the people who play through the path of a turn
LOOKS: Final = (2, 4, 8)
ROUND: Final = replace(Rules(), hands=4)
LENGTHS: Final = {"to 50": Rules(target=50), "to 100": Rules()}


@dataclass
class Tally:
    """The figures counted in each game."""

    by_people: list[float] = field(default_factory=list)
    """The share of the choices."""
    days: list[float] = field(default_factory=list)
    visits: list[float] = field(default_factory=list)
    """Of a player, a day."""
    decisions: list[float] = field(default_factory=list)
    """In a visit."""
    mails: list[float] = field(default_factory=list)
    """To a player, a day; without score sheets."""


class Looks:
    """When each person looks: K times a day, at their own hours, a little later or earlier each day."""

    def __init__(self, looks: int, rng: random.Random) -> None:
        self._rng = rng
        self._hours = [sorted(rng.sample(AWAKE, looks)) for _ in ZONES]

    def next(self, seat: int, after: datetime) -> datetime:
        """The person's next look after that moment."""
        local = after + timedelta(hours=ZONES[seat])
        days = (local.date() + timedelta(days=ahead) for ahead in (-1, 0, 1, 2))
        looks = (
            datetime.combine(day, time(hour), UTC) + timedelta(minutes=self._rng.randrange(60), hours=-ZONES[seat])
            for day in days
            for hour in self._hours[seat]
        )
        return min(look for look in looks if look > after)


def play(rules: Rules, looks: int, games: int, seed: int) -> Tally:
    """Plays `games` games of these people."""
    tally, rng = Tally(), random.Random(seed)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # a ring may still be on its way
        runtime = make_runtime(Path(folder))
        runtime.chance.seed(f"pace {seed}")
        for _ in range(games):
            play_game(runtime, set_table(runtime, rules), Looks(looks, rng), tally, rng)
        runtime.database.engine.dispose()
    return tally


def set_table(runtime: Runtime, rules: Rules) -> int:
    """A game as the form opens it: all hands of a round at once."""
    game_id = start_game(runtime, pace=DAY, rules=rules, at_once=4)
    with runtime.database.writing() as session:
        table = session.get_one(TableRow, session.get_one(GameRow, game_id).table_id)
        for seat in session.exec(select(SeatRow).where(SeatRow.table_id == table.id)):
            session.get_one(PlayerRow, seat.player_id).frequency = Frequency.TWICE
    return game_id


def play_game(runtime: Runtime, game_id: int, looks: Looks, tally: Tally, rng: random.Random) -> None:
    visits = decisions = 0
    began = runtime.now()
    at = {seat: looks.next(seat, began) for seat in every_seat(4)}
    while True:
        due_games.play_for_absent(runtime, game_id)
        sent(runtime, game_id)
        stored = load(runtime, game_id)
        if stored.row.state is GameState.OVER:
            break
        seat = min(at, key=lambda one: at[one])
        runtime.now.at = min(at[seat], max(stored.row.wake_at or at[seat], runtime.now()))  # type: ignore[attr-defined]
        if runtime.now() < at[seat]:
            continue
        answers = answer_all(runtime, game_id, seat, rng)
        visits, decisions = visits + (answers > 0), decisions + answers
        at[seat] = looks.next(seat, runtime.now())
    days = (runtime.now() - began) / DAY
    tally.by_people.append(share_by_people(stored))
    tally.days.append(days)
    tally.visits.append(visits / len(ZONES) / days)
    tally.decisions.append(decisions / visits)
    tally.mails.append(sent(runtime, game_id) / len(ZONES) / days)


def share_by_people(stored: TableGame) -> float:
    """The share of all choices that people made."""
    made: list[bool] = []
    for hand in {record.hand for record in stored.records}:
        game = before_hand(stored.game.rules, hand, stored.game.scores)
        for record in stored.of_hand(hand):
            is_open = isinstance(record.turn, Play) and record.source is not TurnSource.CLAIM
            if is_open and has_a_choice(view(game, record.turn.seat)):
                made.append(record.source in CHOSEN)
            game = apply(game, record.turn)
    return fmean(made)


def answer_all(runtime: Runtime, game_id: int, seat: Seat, rng: random.Random) -> int:
    """The person answers all that waits for them, also what comes up meanwhile, and chooses ahead where they may.

    Returns how many answers that took.
    """
    answers = 0
    while open_hands := list(load(runtime, game_id).open_hands()):
        if asked := next((hand for hand in open_hands if seat in awaited(hand)), None):
            answer_at_turn(runtime, asked, seat, rng)
        elif later := next((hand for hand in open_hands if may_choose(hand.game, hand.seats[seat])), None):
            choose_ahead(runtime, later, seat)
        else:
            break
        due_games.play_for_absent(runtime, game_id)
        answers += 1
    return answers


def answer_at_turn(runtime: Runtime, hand: TableGame, seat: Seat, rng: random.Random) -> None:
    due, seen = due_of(hand.game, seat), view(hand.game, seat)
    assert due is not None
    passes = seen.stage is Stage.PASS
    turn = choose(seen, rng) if passes else consider(seen, playouts=PERSON, seed=rng.getrandbits(32)).turn
    assert not isinstance(turn, Deal)
    taking.take_turn(runtime, hand.id, due, turn, TurnSource.PAGE, runtime.now())


def choose_ahead(runtime: Runtime, hand: TableGame, seat: Seat) -> None:
    """Chooses the lowest card for the trick on the table, before the turn."""
    due = later_due(hand.game, seat)
    assert due is not None
    card = min(choices_ahead(view(hand.game, seat)))
    row = hand.seats[seat]
    link = PlayLink(row.table_id, seat, row.player_id or 0, row.visits)
    ahead.choose(runtime, link, due, card, runtime.now(), seen=len(hand.game.on_table))


def sent(runtime: Runtime, game_id: int) -> int:
    """Sends the game's due mails as a worker would, and returns how many are sent so far, without score sheets.

    Questions to a player that are due at the same time are one mail.
    """
    now, mails = runtime.now(), set()
    with runtime.database.writing() as session:
        for letter in session.exec(select(LetterRow).where(LetterRow.game_id == game_id)):
            if letter.state is LetterState.QUEUED and letter.next_at is not None and letter.next_at <= now:
                letter.state, letter.sent_at, letter.next_at = LetterState.SENT, letter.next_at, None
            if letter.state is LetterState.SENT and not letter.kind.value.endswith("sheet"):
                is_question = KINDS[letter.kind].is_question
                mails.add((letter.player_id, letter.sent_at if is_question else letter.id))
    return len(mails)


def line(label: str, looks: int, found: Tally) -> str:
    shares = [100 * one for one in found.by_people]
    parts = [f"{label:8} K = {looks}", f"{pm(shares, 5)} %", pm(found.days, 5), pm(found.visits, 4, 2)]
    return "   ".join([*parts, pm(found.decisions, 4, 1), pm(found.mails, 4, 2)])


def pm(numbers: list[float], width: int, digits: int = 1) -> str:
    error = stdev(numbers) / len(numbers) ** 0.5 if len(numbers) > 1 else 0.0
    return f"{fmean(numbers):{width}.{digits}f} ± {error:.{digits}f}"


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=6, help="rounds a line")
    parser.add_argument("--lengths", action="store_true", help="measure longer games, too")
    given = parser.parse_args()
    warm_up()
    say("                 choices by people   days a round   visits a day   choices a visit   emails a day")
    for looks in LOOKS:
        say(line("a round", looks, play(ROUND, looks, given.games, seed=1)))
    if given.lengths:
        for label, rules in LENGTHS.items():
            found = {looks: play(rules, looks, 2, seed=1).days for looks in LOOKS}
            say(f"{label}: " + ", ".join(f"K = {looks}: {pm(days, 4)} days" for looks, days in found.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
