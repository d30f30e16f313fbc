"""Measures who plays, and how long a game by mail takes: python -m bench.pace

Four people, in time zones 0, +1, +6 and -5, have K moments a day between 7 and 23 o'clock, each at their own hours. At
a moment they look into their inbox: if a mail about their turns has come since they last acted, they answer all that
waits for them, one choice after the other. They play through the path of a turn and its mails, on SQLite with a
simulated clock; a worker plays for them when their time is over. All hands of a round are dealt at once, as the form
opens a table.

    python -m bench.pace                    one round: every kind of people
    python -m bench.pace --lengths          also the days of a game to 50 and to 100
    python -m bench.pace --games 2          the same with fewer games
    python -m bench.pace --only reply       only the lines whose label has this word

A choice is a card to be played where the player has several of different worth; a rest that one seat must win has none.
It is by a person if they chose it. A turn is missed if its deadline passed; unseen if no mail that went had shown it
before. Mails are those about turns, without score sheets. ± is one standard error over games.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from statistics import fmean, stdev
from typing import Final

from sqlmodel import Session, col, select

from hearts.ahead import choices_ahead
from hearts.cards import card_text
from hearts.cycle import before_hand
from hearts.game import apply
from hearts.robot import choose, has_a_choice, warm_up
from hearts.rules import Rules
from hearts.seats import Seat, every_seat
from hearts.turns import Deal, Moon, Pass, Play
from hearts.view import view
from tests.answers import mail
from tests.cast import NAMES, start_game
from tests.runtimes import make_runtime
from tests.table import Table
from webapp.core.addresses import Purpose
from webapp.core.runtime import Runtime
from webapp.games.asked.due import Due, due_of
from webapp.games.asked.whose_turn import awaited
from webapp.games.clock.presence import note_seen
from webapp.games.record import store
from webapp.games.record.store import CHOSEN, TableGame
from webapp.inbox.acting import process_inbound
from webapp.inbox.receiving import receive
from webapp.models import Frequency, GameRow, GameState, LetterKind, LetterRow, PlayerRow, SeatRow, TurnRow, TurnSource
from webapp.play import taking
from webapp.players import ahead
from worker import postman

ZONES: Final = (0, 1, 6, -5)  # hours from UTC, by seat
AWAKE: Final = range(7, 23)  # local hours at which somebody looks
DAY: Final = timedelta(days=1)  # the pace
ROUND: Final = replace(Rules(), hands=4)
LENGTHS: Final = {"to 50": Rules(target=50), "to 100": Rules()}
LONGEST: Final = 200 * DAY
REPLIES: Final = 6  # at one sitting, at most
UNTIL_SENT: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """How four people play."""

    label: str
    looks: int = 4
    """How many moments a day."""
    by_mail: bool = True
    """Whether they act only when a mail has come."""
    skip: float = 0
    """The chance that one of them looks at nothing on a day."""
    taps: bool = False
    """Whether, having answered, they choose a card ahead in each hand whose trick comes to them later."""
    reply: bool = False
    """Whether they answer by mail: the first decision of each, `REPLIES` at a sitting."""
    frequency: Frequency = Frequency.EVERY


PEOPLE: Final = (
    People(label="when a mail came", looks=2),
    People(label="when a mail came"),
    People(label="when a mail came", looks=8),
    People(label="who also choose ahead", looks=2, taps=True),
    People(label="who also choose ahead", taps=True),
    People(label="who also choose ahead", looks=8, taps=True),
    People(label="with 30 % of their days missed", skip=0.3),
    People(label="by reply", reply=True),
    People(label="one mail a day", frequency=Frequency.DAILY),
    People(label="only before a deadline", frequency=Frequency.LAST),
    People(label="who look anyway", looks=2, by_mail=False),
    People(label="who look anyway", by_mail=False),
    People(label="who look anyway", looks=8, by_mail=False),
)


@dataclass
class Tally:
    """The figures counted in each game."""

    by_people: list[float] = field(default_factory=list)
    """The share of the choices."""
    days: list[float] = field(default_factory=list)
    mails: list[float] = field(default_factory=list)
    """To a player, a day; without score sheets."""
    missed: int = 0
    """Turns whose deadline passed."""
    unseen: int = 0
    """Missed turns that no mail had shown."""
    least_shown: timedelta = LONGEST
    """The shortest time between the mail that showed a missed turn and its deadline."""
    most_mails: int = 0
    """To one player within 24 hours."""


class Looks:
    """When each person looks: K times a day, at their own hours, a little later or earlier each day."""

    def __init__(self, looks: int, rng: random.Random, skip: float = 0) -> None:
        self._rng, self._skip = rng, skip
        self._hours = [sorted(rng.sample(AWAKE, looks)) for _ in ZONES]
        self._skipped: dict[tuple[int, object], bool] = {}

    def next(self, seat: int, after: datetime) -> datetime:
        """The person's next look after that moment."""
        local = after + timedelta(hours=ZONES[seat])
        days = (local.date() + timedelta(days=later) for later in (-1, 0, 1, 2))
        looks = (
            datetime.combine(day, time(hour), UTC) + timedelta(minutes=self._rng.randrange(60), hours=-ZONES[seat])
            for day in days
            for hour in self._hours[seat]
        )
        return min(look for look in looks if look > after)

    def is_skipped(self, seat: int, at: datetime) -> bool:
        """Whether the person looks at nothing on that day of theirs."""
        day = (seat, (at + timedelta(hours=ZONES[seat])).date())
        if day not in self._skipped:
            self._skipped[day] = self._rng.random() < self._skip
        return self._skipped[day]


@dataclass(frozen=True, eq=False, slots=True)
class Sitting(Table):
    """A game that is played, and when each of its people has last acted."""

    acted_at: dict[Seat, datetime]


def play(people: People, rules: Rules, games: int, seed: int) -> Tally:
    """Plays `games` games of these people."""
    tally, rng = Tally(), random.Random(seed)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # a ring may still be on its way
        runtime = make_runtime(Path(folder))
        runtime.chance.seed(f"pace {seed}")
        for _ in range(games):
            table = set_table(runtime, rules, people)
            play_game(Sitting(runtime, table.game_id, {}), people, tally, rng)
        runtime.database.engine.dispose()
    return tally


def set_table(runtime: Runtime, rules: Rules, people: People) -> Table:
    """A game as the form opens it: all hands of a round at once."""
    table = start_game(runtime, pace=DAY, rules=rules, at_once=4)
    with runtime.database.writing() as session:
        table_id = session.get_one(GameRow, table.game_id).table_id
        for seat in session.exec(select(SeatRow).where(SeatRow.table_id == table_id)):
            player, zone = session.get_one(PlayerRow, seat.player_id), ZONES[seat.seat]
            player.frequency, player.time_zone = people.frequency, f"Etc/GMT{-zone:+d}" if zone else "UTC"
    return table


def play_game(table: Sitting, people: People, tally: Tally, rng: random.Random) -> None:
    runtime, looks = table.runtime, Looks(people.looks, rng, people.skip)
    began = runtime.now()
    at = {seat: looks.next(seat, began) for seat in every_seat(4)}
    while (stored := _after_work(table)).row.state is GameState.PLAYING:
        seat = min(at, key=lambda one: at[one])
        due = [one for one in (stored.row.wake_at, _next_mail_at(table)) if one]
        runtime.now.at = max(min([at[seat], *due]), runtime.now())  # type: ignore[attr-defined]
        if runtime.now() - began > LONGEST:
            raise RuntimeError("the game has come to a stop")
        if runtime.now() < at[seat]:
            continue
        if not looks.is_skipped(seat, at[seat]) and (not people.by_mail or has_mail(table, seat)):
            visit(table, seat, people, rng)
        at[seat] = looks.next(seat, runtime.now())
    count(table, began, tally)


def _after_work(table: Sitting) -> TableGame:
    """The game once the workers have done what is due."""
    table.play_for_absent()
    postman.deliver(table.runtime)
    return table.stored


def _next_mail_at(table: Sitting) -> datetime | None:
    """When the postman has to look next."""
    with table.runtime.database.reading() as session:
        planned = session.exec(select(PlayerRow.turns_at).where(col(PlayerRow.turns_at).is_not(None))).all()
        queued = session.exec(select(LetterRow.next_at).where(col(LetterRow.next_at).is_not(None))).all()
    return min((one for one in (*planned, *queued) if one), default=None)


def has_mail(table: Sitting, seat: Seat) -> bool:
    """Whether a mail about their turns has come since the person last acted."""
    letter, acted_at = newest(table, seat), table.acted_at.get(seat)
    return letter is not None and (acted_at is None or (letter.sent_at or acted_at) > acted_at)


def newest(table: Sitting, seat: Seat) -> LetterRow | None:
    """The last mail about their turns that has gone to the person."""
    with table.runtime.database.reading() as session:
        return max(_mails_to(session, table, seat), key=lambda one: one.id, default=None)


def _mails_to(session: Session, table: Sitting, seat: Seat) -> Sequence[LetterRow]:
    player_id = table.seats[seat].player_id
    gone = (LetterRow.kind == LetterKind.TURNS, col(LetterRow.sent_at).is_not(None))
    return session.exec(select(LetterRow).where(LetterRow.player_id == player_id, *gone)).all()


def visit(table: Sitting, seat: Seat, people: People, rng: random.Random) -> None:
    """The person answers all that waits for them, also what comes up meanwhile."""
    if people.reply:
        answer_by_mail(table, seat, rng)
    else:
        with table.runtime.database.writing() as session:  # they touch the page that the mail's link opens
            note_seen(session, table.seats[seat].player_id or 0, table.runtime.now())
        answer_on_page(table, seat, rng)
    if people.taps:
        choose_ahead(table, seat)
    table.acted_at[seat] = table.runtime.now()


def answer_on_page(table: Sitting, seat: Seat, rng: random.Random) -> None:
    runtime = table.runtime
    while asked := [hand for hand in table.stored.open_hands() if seat in awaited(hand)]:
        due = due_of(asked[0].game, seat)
        assert due is not None
        turn = turn_of(asked[0], seat, rng)
        taking.take_turn(runtime, table.game_id, due, turn, TurnSource.PAGE, runtime.now())
        table.play_for_absent()


def choose_ahead(table: Sitting, seat: Seat) -> None:
    runtime = table.runtime
    for hand in table.stored.open_hands():
        seen = view(hand.game, seat)
        cards = choices_ahead(seen)
        if len(cards) > 1 and seen.trick and hand.game.hand is not None:
            due, link = (
                Due(hand.game.hand, f"trick {len(seen.tricks) + 1}"),
                table.play_link(seat),
            )
            ahead.choose(runtime, link, due, min(cards), runtime.now(), seen=len(seen.trick.cards))


def answer_by_mail(table: Sitting, seat: Seat, rng: random.Random) -> None:
    """Answers the first decision of the last mail, and so on with the mails that follow."""
    runtime, answered = table.runtime, 0
    for _ in range(REPLIES):
        letter = newest(table, seat)
        if letter is None or letter.id == answered:
            return
        hand = table.stored.at(letter.of_hand)
        if hand.game.hand != letter.hand or seat not in awaited(hand):
            return
        answered = letter.id
        runtime.now.at += UNTIL_SENT  # type: ignore[attr-defined]
        typed = typed_answer(turn_of(hand, seat, rng))
        receive(runtime, "x@example.org", runtime.postmark.address(Purpose.REPLY, letter.id), mail(NAMES[seat], typed))
        process_inbound(runtime)
        _after_work(table)


def turn_of(hand: TableGame, seat: Seat, rng: random.Random) -> Pass | Play | Moon:
    turn = choose(view(hand.game, seat), rng)
    assert not isinstance(turn, Deal)
    return turn


def typed_answer(turn: Pass | Play | Moon) -> str:
    match turn:
        case Pass(cards=cards):
            return " ".join(map(card_text, cards))
        case Play(card=card):
            return card_text(card)
        case Moon(choice=choice):
            return str(choice)


def count(table: Sitting, began: datetime, tally: Tally) -> None:
    """Adds what came of the game."""
    runtime, days = table.runtime, (table.runtime.now() - began) / DAY
    stored = table.stored
    tally.by_people.append(share_by_people(stored))
    tally.days.append(days)
    with runtime.database.reading() as session:
        mails = [[one for one in _mails_to(session, table, seat) if one.created_at >= began] for seat in every_seat(4)]
        late = (TurnRow.game_id == table.game_id, TurnRow.source == TurnSource.TIMEOUT)
        missed = session.exec(select(TurnRow).where(*late)).all()
    tally.mails.append(sum(map(len, mails)) / len(ZONES) / days)
    tally.most_mails = max(tally.most_mails, *map(_most_in_a_day, mails))
    for row in missed:
        tally.missed += 1
        shown_at = _shown_at(table, row, mails)
        tally.unseen += shown_at is None
        tally.least_shown = min(tally.least_shown, row.at - shown_at) if shown_at else tally.least_shown


def _most_in_a_day(mails: Sequence[LetterRow]) -> int:
    times = [one.sent_at for one in mails if one.sent_at]
    return max((sum(first <= at < first + DAY for at in times) for first in times), default=0)


def _shown_at(table: Sitting, row: TurnRow, mails: Sequence[Sequence[LetterRow]]) -> datetime | None:
    """When a mail first showed the turn to the player who missed it; None if none did before the deadline."""
    assert not isinstance(row.turn, Deal)
    with table.runtime.database.reading() as session:
        then = store.load(session, table.game_id, hand=row.hand, turns=row.number - 1)
    seat = Seat(row.turn.seat)
    due = due_of(then.game, seat)
    assert due is not None
    key = [table.game_id, int(seat), due.hand, due.what]
    times = [one.sent_at for one in mails[seat] if one.sent_at and key in (one.asked or [])]
    return min((at for at in times if at <= row.at), default=None)


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


def line(people: People, found: Tally) -> str:
    shares, hours = [100 * one for one in found.by_people], found.least_shown / timedelta(hours=1)
    parts = [f"{people.label:31} K = {people.looks}", f"{pm(shares, 5)} %", pm(found.days, 5), pm(found.mails, 4, 2)]
    missed = f"{found.missed} missed, {found.unseen} unseen"
    shown = f", shown {hours:.1f} hours at least" if found.missed > found.unseen else ""
    return "   ".join([*parts, f"{found.most_mails:2} mails in a day at most", missed + shown])


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
    parser.add_argument("--only", default="", help="only the lines whose label has this word")
    given = parser.parse_args()
    warm_up()
    say(f"{'people':39}   choices by people   days a round   mails a player and day")
    for people in PEOPLE:
        if given.only in people.label:
            say(line(people, play(people, ROUND, given.games, seed=1)))
    if given.lengths:
        for label, rules in LENGTHS.items():
            found = {one.looks: play(one, rules, 2, seed=1).days for one in PEOPLE[:3]}
            say(f"{label}: " + ", ".join(f"K = {looks}: {pm(days, 4)} days" for looks, days in found.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
