"""Measures how long a game by mail takes, and what a plan costs its player: python -m bench.pace

Four people, in time zones 0, +1, +6 and -5, look into their mail K times a day between 7 and 23 o'clock, each at their
own hours, and answer all that waits for them then. They play through the path of a turn, on SQLite with a simulated
clock. A wait is a moment at which the game can go on only when somebody answers; passing is one wait.

    python -m bench.pace                    the whole table, about half an hour
    python -m bench.pace --hands 10 --pairs 50      the same with less of both

± is one standard error over hands, or over pairs of deals. What a plan costs: the points of one seat with the plan less
those of the same seat on the same deal asked for every card, with the same player as the person in both, and three rule
players. The guard is the robot with at most 10 ms, and 30 more where a card seems to matter; the persons are other
players, so that it is not judged by itself.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from functools import partial
from pathlib import Path
from statistics import fmean, stdev
from typing import Final

from sqlmodel import select

from bench.robot import Player, searcher
from hearts.cards import HEARTS, Card, Cards, parse_code, rank
from hearts.claim import claim, played_out
from hearts.deal import deal
from hearts.game import Game, Stage, apply, legal, new_game
from hearts.plans import ASK, Asking, Order, Plan, by_guard, plan_mapping, planned
from hearts.plans.ahead import foreseen
from hearts.robot import choose, consider, foresee, warm_up
from hearts.robot.reading import position
from hearts.rules import Rules
from hearts.seats import Seat, every_seat
from hearts.turns import Deal, Play, Turn
from hearts.view import View, view
from tests.cast import load, make_runtime, start_game
from webapp import due_games, service
from webapp.core.runtime import Runtime
from webapp.core.tokens import PlayLink
from webapp.games.due import due_of
from webapp.games.planning import awaited
from webapp.games.store import Stored
from webapp.games.trick_sheet import question_of
from webapp.kinds import KINDS
from webapp.models import GameRow, GameState, LetterRow, LetterState, SeatRow, TableRow, TurnSource
from webapp.players import ahead

ZONES: Final = (0, 1, 6, -5)  # hours from UTC, by seat
AWAKE: Final = range(7, 23)  # local hours at which somebody looks
NEVER: Final = datetime.max.replace(tzinfo=UTC)
SLOW: Final = timedelta(days=14)  # nobody misses a deadline
PERSON: Final = 300  # roll-outs of the people who play through the path of a turn
Wait = tuple[int, Stage, Hashable]  # the hand, its stage, and the cards played so far


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: everybody's plan, and whether the table lets plans ask the robot."""

    label: str
    plan: Plan
    guards: bool = True
    at_once: int = 1
    asks_ahead: bool = False  # whether all who follow in a trick are asked at once


ROWS: Final = (
    Row("forced cards and claims", ASK),
    Row("+ cards of the same worth", Plan(asking=Asking.SAME)),
    *(Row(f"+ guard at {limit} point", Plan(asking=Asking.MATTERS, limit=limit)) for limit in (0.25, 0.5, 1.0, 2.0)),
    Row("the default, side by side", Plan(asking=Asking.MATTERS), at_once=4),
    Row("every card, trick sheet", ASK, asks_ahead=True),
    Row("trick sheet", Plan(asking=Asking.MATTERS), asks_ahead=True),
    Row("trick sheet, side by side", Plan(asking=Asking.MATTERS), at_once=4, asks_ahead=True),
    Row("orders without guard", Plan(asking=Asking.MATTERS), guards=False),
    Row("the same, leads asked", Plan(asking=Asking.MATTERS, orders=frozenset(Order) - {Order.LEAD}), guards=False),
)


@dataclass
class Tally:
    """What was counted in each hand."""

    waits: list[float] = field(default_factory=list)
    questions: list[float] = field(default_factory=list)
    visits: list[float] = field(default_factory=list)
    mails: list[float] = field(default_factory=list)
    days: list[float] = field(default_factory=list)
    games: list[float] = field(default_factory=list)
    """The days of each finished game."""


class Looks:
    """When each person looks into their mail: K times a day, at their own hours, a little later or earlier each day."""

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


def play(row: Row, looks: int, hands: int, seed: int) -> Tally:
    """Plays games of these people until `hands` hands are over."""
    tally = Tally()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # a ring may still be on its way
        runtime = make_runtime(Path(folder))
        runtime.chance.seed(f"pace {seed}")
        rng = random.Random(seed)
        while len(tally.waits) < hands:
            game_id = start_game(runtime, pace=SLOW, rules=Rules(), at_once=row.at_once)
            give_plan(runtime, game_id, row)
            began = runtime.now()
            play_game(runtime, game_id, Looks(looks, rng), tally, hands, rng)
            if load(runtime, game_id).row.state is GameState.OVER:
                tally.games.append((runtime.now() - began).total_seconds() / 86400)
        runtime.database.engine.dispose()
    return tally


def give_plan(runtime: Runtime, game_id: int, row: Row) -> None:
    with runtime.database.writing() as session:
        table = session.get_one(TableRow, session.get_one(GameRow, game_id).table_id)
        table.plan, table.guards, table.asks_ahead = plan_mapping(row.plan), row.guards, row.asks_ahead
        for seat in session.exec(select(SeatRow).where(SeatRow.table_id == table.id)):
            seat.plan = None


def play_game(runtime: Runtime, game_id: int, looks: Looks, tally: Tally, hands: int, rng: random.Random) -> None:
    """Plays one game, or as much of it as is needed for `hands` hands. Hands scored together share what was counted."""
    questions = visits = finished = 0
    began, mailed = runtime.now(), sent(runtime, game_id)
    waits: set[Wait] = set()
    looked: dict[Seat, datetime] = {}  # when those who are asked look next
    while len(tally.waits) < hands:
        due_games.play_for_absent(runtime, game_id)
        stored = load(runtime, game_id)
        if stored.cycle.stage in (Stage.OVER, Stage.DEAL) or is_new_cycle(stored, finished):
            scored = len(stored.cycle.scores) - finished
            now, mails = runtime.now(), sent(runtime, game_id)
            over = {wait for wait in waits if wait[0] <= len(stored.cycle.scores)}
            for _ in range(scored):
                tally.waits.append(len(over) / scored)
                tally.questions.append(questions / len(ZONES) / scored)
                tally.visits.append(visits / len(ZONES) / scored)
                tally.mails.append((mails - mailed) / len(ZONES) / scored)
                tally.days.append((now - began).total_seconds() / 86400 / scored)
            questions = visits = 0
            # The player of the last card may already have passed for the next hand: that wait is of the next hand.
            began, mailed, finished, waits = now, mails, len(stored.cycle.scores), waits - over
        if stored.row.state is GameState.OVER:
            return
        waits |= waiting(stored)
        seats = {seat for hand in stored.open_hands() for seat in every_seat(4) if question_of(hand, seat)}
        looked = {seat: at for seat, at in looked.items() if seat in seats and at > runtime.now()}
        looked |= {seat: looks.next(seat, runtime.now()) for seat in seats if seat not in looked}
        runtime.now.at, seat = min((at, seat) for seat, at in looked.items())  # type: ignore[attr-defined]
        looked = {}
        sent(runtime, game_id)  # what came due meanwhile, before it is answered
        questions += answer_all(runtime, game_id, seat, rng, waits)
        sent(runtime, game_id)
        visits += 1


def is_new_cycle(stored: Stored, finished: int) -> bool:
    """Whether all hands that were dealt together are scored, and the next ones dealt."""
    return stored.cycle.hands[0].hand == len(stored.cycle.scores) + 1 > finished + 1


def waiting(stored: Stored) -> set[Wait]:
    """The waits of these hands: of each hand its pass, which is one wait for all players, or its next card."""
    games = [hand.game for hand in stored.open_hands() if awaited(hand)]
    return {(game.hand, game.stage, () if game.stage is Stage.PASS else game.plays) for game in games}


def answer_all(runtime: Runtime, game_id: int, seat: Seat, rng: random.Random, waits: set[Wait]) -> int:
    """The person answers all that waits for them, also what comes up meanwhile. Returns how many answers that took.

    They answer ahead where they are asked before their turn, too.
    """
    answers = 0
    while asked := [hand for hand in load(runtime, game_id).open_hands() if question_of(hand, seat)]:
        hand = next((one for one in asked if seat in awaited(one)), asked[0])
        if seat in awaited(hand):
            waits |= waiting(hand)
            answer_at_turn(runtime, hand, seat, rng)
        else:
            answer_ahead(runtime, hand, seat, rng)
        due_games.play_for_absent(runtime, game_id)
        answers += 1
    return answers


def answer_at_turn(runtime: Runtime, hand: Stored, seat: Seat, rng: random.Random) -> None:
    due, seen = due_of(hand.game, seat), view(hand.game, seat)
    assert due is not None
    passes = seen.stage is Stage.PASS
    turn = choose(seen, rng) if passes else consider(seen, playouts=PERSON, seed=rng.getrandbits(32)).turn
    assert not isinstance(turn, Deal)
    if hand.table.asks_ahead and isinstance(turn, Play) and len(seen.held) > 1:
        given = ahead.Answer(card=turn.card, unless=frozenset(), lead=lead_after(seen, turn.card))
        ahead.answer(runtime, link_of(hand, seat), due, given, runtime.now())
    else:
        service.take_turn(runtime, hand.id, due, turn, TurnSource.PAGE, runtime.now())


def answer_ahead(runtime: Runtime, hand: Stored, seat: Seat, rng: random.Random) -> None:
    """Answers with the best card, the usual cases, and a lead."""
    due, seen = question_of(hand, seat), foreseen(view(hand.game, seat))
    assert due is not None
    assert seen is not None
    _, code, _ = foresee(position(seen), min(seen.legal), playouts=PERSON, seed=rng.getrandbits(32))
    card = parse_code(code)
    given = ahead.Answer(card=card, lead=lead_after(seen, card))
    ahead.answer(runtime, link_of(hand, seat), due, given, runtime.now())


def lead_after(seen: View, card: Card) -> Card | None:
    """What a person leads if they win with `card`: their lowest card, hearts last."""
    rest = seen.held - Cards.of((card,))
    return min(rest, key=lambda one: (one in HEARTS, rank(one)), default=None)


def link_of(hand: Stored, seat: Seat) -> PlayLink:
    row = hand.seats[seat]
    return PlayLink(row.table_id, seat, row.player_id or 0, row.visits)


def sent(runtime: Runtime, game_id: int) -> int:
    """How many mails about the game a worker would have sent by now; it sends those that are due.

    Questions to a player that are due at the same time are one mail.
    """
    now, mails = runtime.now(), set()
    with runtime.database.writing() as session:
        for letter in session.exec(select(LetterRow).where(LetterRow.game_id == game_id)):
            if letter.state is LetterState.QUEUED and letter.next_at is not None and letter.next_at <= now:
                letter.state, letter.sent_at, letter.next_at = LetterState.SENT, letter.next_at, None
            if letter.state is LetterState.SENT:
                is_question = KINDS[letter.kind].is_question
                mails.add((letter.player_id, letter.sent_at if is_question else letter.id))
    return len(mails)


def line(row: Row, tallies: dict[int, Tally]) -> str:
    first, *_ = tallies.values()
    parts = [
        f"{row.label:28}",
        pm(first.waits, 5),
        pm(first.questions, 4, 2),
        pm(first.visits, 4, 2),
        pm(first.mails, 4, 1),
    ]
    parts += [f"{fmean(one.days):5.1f} · {game_text(one)}" for one in tallies.values()]
    return "  ".join(parts)


def game_text(tally: Tally) -> str:
    """The days of a game: measured where games ended, else those of 10.4 hands."""
    return f"{fmean(tally.games):4.0f}" if tally.games else f"~{10.4 * fmean(tally.days):3.0f}"


def pm(numbers: list[float], width: int, digits: int = 1) -> str:
    error = stdev(numbers) / len(numbers) ** 0.5 if len(numbers) > 1 else 0.0
    return f"{fmean(numbers):{width}.{digits}f} ± {error:.{digits}f}"


# what a plan costs


def costs(person: Player, plan: Plan, guards: bool, pairs: int) -> Iterator[int]:
    """By deal, the points of seat 0 with the plan less those when it is asked for every card."""
    for number in range(pairs):
        yield hand_points(person, plan, guards, number) - hand_points(person, ASK, guards, number)


def hand_points(person: Player, plan: Plan, guards: bool, number: int) -> int:
    me, rng = Seat(number % 4), random.Random(number)
    game = new_game(Rules())
    game.hand = number % 4
    game = apply(game, deal(Rules(), Seat(number // 4 % 4), random.Random(f"pace {number}")))
    while not game.scores:
        seat = game.to_act[0]
        rest = claim(view(game, seat)) if game.stage is Stage.PLAY else None
        if rest and rest.any_order:
            for turn in list(played_out(game, rest)):
                game = apply(game, turn)
        elif seat == me:
            game = apply(game, my_turn(game, person, plan, guards, number, rng))
        else:
            game = apply(game, choose(view(game, seat), rng))
    return game.scores[-1].points[me]


def my_turn(game: Game, person: Player, plan: Plan, guards: bool, number: int, rng: random.Random) -> Turn:
    """The turn of the seat that is measured: of its plan, or of the person."""
    seat = game.to_act[0]
    seen: View = view(game, seat)
    if game.stage is Stage.PLAY:
        if len(legal(game, seat)) == 1:
            return Play(seat, next(iter(seen.legal)))
        found = planned(seen, plan, guards=guards)
        if found and found.guarded:
            found = by_guard(seen, plan, found, seed=number * 100 + game.trick)
        if found:
            return Play(seat, found.card)
    return person(seen, random.Random(number * 1000 + len(game.plays)))


PEOPLE: Final[dict[str, Callable[[], Player]]] = {
    "rule player": lambda: choose,
    "2,000 roll-outs": partial(searcher, 2000),
}


HEADING: Final = (
    "everybody's plan                     waits   questions       visits      emails  days a hand · a game\n"
    "                                    a hand      a player and hand                  K = 2         K = 4\n"
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=40, help="hands a row")
    parser.add_argument("--pairs", type=int, default=400, help="pairs of deals a plan")
    given = parser.parse_args()
    warm_up()
    sys.stdout.write(HEADING)
    for row in ROWS:
        tallies = {looks: play(row, looks, given.hands, seed=1) for looks in (2, 4)}
        sys.stdout.write(line(row, tallies) + "\n")
        sys.stdout.flush()
    sys.stdout.write("\nwhat a plan costs, in points a hand: negative is a gain\n")
    for row in [row for row in ROWS if row.at_once == 1 and not row.asks_ahead][1:-1]:
        for name, person in PEOPLE.items():
            found = [float(cost) for cost in costs(person(), row.plan, row.guards, given.pairs)]
            sys.stdout.write(f"{row.label:28}  the person: {name:16} {pm(found, 6, 2)}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
