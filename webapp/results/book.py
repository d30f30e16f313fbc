"""The book of a table as its players read it: standings, records, the course of the games won, and who leads."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from statistics import median
from typing import Final
from zoneinfo import ZoneInfo

from webapp.core.say import say, say_many
from webapp.games.book import BookedGame, Diligence, Rating, Sums, leaders, sums_of
from webapp.models import BookRow, Section
from webapp.presentation.chart import Chart, chart_of
from webapp.presentation.phrasing import day_text, decimal, listed, some_points, span
from webapp.presentation.scoresheet import FEW_SIDES, SideLine

TO: Final = "\u00a0:\u00a0"  # between the games won by each, in one line
FEW: Final = 2  # games or wins from which on a lead or a streak is worth a line


@dataclass(frozen=True, slots=True)
class BookLine:
    """A game in the book: each place with its players, and their total."""

    number: int
    day: str
    sides: Sequence[tuple[int | None, str, int]]  # the best first; a place is None if the game was ended early


@dataclass(frozen=True, slots=True)
class Book:
    """Everything that the page of the book shows of some games."""

    lead: str  # "Ann leads the table 4 : 2 : 1 : 1."; empty as long as it says little
    standings: Sequence[Sums]  # who has won most comes first
    chart: Chart | None
    records: Sequence[tuple[str, str]]  # what was the most or the least, and who did it
    games: Sequence[BookLine]  # the newest first


def book(games: Sequence[BookedGame], now: datetime, zone: str) -> Book:
    """The book of these games, the oldest first, for a reader in that time zone."""
    today = now.astimezone(ZoneInfo(zone)).date()
    days = {game.number: game.ended_at.astimezone(ZoneInfo(zone)).date() for game in games}
    lines = []
    for game in reversed(games):
        by_side: dict[int, list[BookRow]] = {}
        for row in game.at_end:
            by_side.setdefault(row.side, []).append(row)
        sides = [(rows[0].place, listed([one.name for one in rows]), rows[0].total) for rows in by_side.values()]
        day = day_text(days[game.number], today)
        lines.append(BookLine(game.number, day, sorted(sides, key=lambda one: one[2])))
    return Book(
        lead=lead_text(games),
        standings=standings(games),
        chart=_chart(games),
        records=_records(games, days, today),
        games=lines,
    )


def standings(games: Iterable[BookedGame]) -> list[Sums]:
    """Each player for whom something counts, by games won, and then by their average place."""
    sums = [one for one in sums_of(line for game in games for line in game.lines).values() if one.hands or one.games]
    return sorted(sums, key=lambda one: (-one.wins, one.average_place or len(sums), one.points_a_hand or 0))


def lead_text(games: Sequence[BookedGame]) -> str:
    """A line on who leads by games won, "Ann leads the table 4 : 2 : 1 : 1."; empty before the second game."""
    players = _shown(games)
    first, stand = leaders(players), TO.join(str(one.wins) for one in players)
    if sum(not game.was_ended for game in games) < FEW or not first:
        return ""
    if len(first) == len(players) > 1:
        return say("The table stands {stand}.", stand=stand)
    who = listed([one.name for one in first])
    return say_many(
        len(first), "{names} leads the table {stand}.", "{names} lead the table {stand}.", names=who, stand=stand
    )


def _shown(games: Sequence[BookedGame]) -> list[Sums]:
    """The standings of those for whom a game counts; of many, the first few."""
    return [one for one in standings(games) if one.games][:FEW_SIDES]


def _chart(games: Sequence[BookedGame]) -> Chart | None:
    """The games won by each player after each game; None before the second one."""
    played = [game for game in games if not game.was_ended]
    players = sorted(_shown(games), key=lambda one: one.player_id)
    if len(played) < FEW or not players:
        return None
    most = max(one.wins for one in players)
    sides = [
        SideLine((one.name,), one.name, one.wins, 1 if one.wins == most else 2, False, None, one.queens, one.moons)
        for one in players
    ]
    after_each = [
        [sum(one.player_id in game.winners for game in played[:number]) for one in players]
        for number in range(1, len(played) + 1)
    ]
    won = listed([f"{one.name} {one.wins}" for one in _shown(games)])
    told = say_many(
        len(played), "Games won after {number} game: {won}.", "Games won after {number} games: {won}.", won=won
    )
    return chart_of(sides, after_each, told, least_step=1)


def _records(games: Sequence[BookedGame], days: Mapping[int, date], today: date) -> list[tuple[str, str]]:
    """The records that there are, each with its name."""
    on = {number: day_text(day, today) for number, day in days.items()}
    played = [(game.number, line) for game in games for line in game.lines if line.counts and line.player_id]
    moons = [(line.moons, line.name, number) for number, line in played if line.moons]
    streaks = [(streak, name, end) for name, streak, _, end in _streaks(games)]
    found = {
        say("Worst hand"): _worst_hand(games, on),
        say("Best game"): _most([(-line.total, line.name, number) for number, line in played], on, some_points),
        say("Worst game"): _most([(line.total, line.name, number) for number, line in played], on, some_points),
        say("Most moons in a game"): _most(moons, on, _some_moons),
        say("Most games won in a row"): _most(streaks, on, _some_games),
        say("At the moment"): _running(games),
    }
    return [(name, text) for name, text in found.items() if text]


def _worst_hand(games: Sequence[BookedGame], on: Mapping[int, str]) -> str:
    lines = [(line, game.number) for game in games for line in game.lines if line.worst is not None and line.player_id]
    most = max((line.worst or 0 for line, _ in lines), default=0)
    theirs = [(line, number) for line, number in lines if line.worst == most]
    if not most:
        return ""
    times: Counter[str] = Counter()
    for line, _ in theirs:
        times[line.name] += line.worst_times
    points, last = some_points(most), on[theirs[-1][1]]
    if len(times) > 1:
        who = [say("{name} {times}", name=name, times=times_text(number)) for name, number in times.most_common()]
        return say("{points} ({names}), the last on {day}", points=points, names=listed(who), day=last)
    ((name, number),) = times.items()
    if number == 1:
        return say("{name}, {what}, on {day}", name=name, what=points, day=last)
    gaps = {"name": name, "points": points, "times": times_text(number), "day": last}
    return say("{name}, {points}, {times}, the last on {day}", **gaps)


def _some_moons(number: int) -> str:
    return say_many(number, "{number} moon", "{number} moons")


def _some_games(number: int) -> str:
    return say_many(number, "{number} game", "{number} games")


def _most(found: Sequence[tuple[int, str, int]], on: Mapping[int, str], counted: Callable[[int], str]) -> str:
    """The highest of these numbers, with the name of whoever reached it, and the game; empty if there is none."""
    most = max((one[0] for one in found), default=None)
    if most is None:
        return ""
    theirs = [(name, number) for value, name, number in found if value == most]
    who = listed(list(dict.fromkeys(name for name, _ in theirs)))
    gaps = {"name": who, "what": counted(abs(most)), "day": on[theirs[-1][1]]}
    if len(theirs) == 1:
        return say("{name}, {what}, on {day}", **gaps)
    return say("{name}, {what}, the last on {day}", **gaps)


def _running(games: Sequence[BookedGame]) -> str:
    """A line on who has won the last games; of several with streaks, those with the longest."""
    running = [(streak, name) for name, streak, is_last, _ in _streaks(games) if is_last]
    if not running:
        return ""
    most, _ = max(running)
    names = [name for streak, name in running if streak == most]
    if len(names) == 1:
        return say_many(
            most, "{name} has won the last {number} game", "{name} has won the last {number} games", name=names[0]
        )
    return say_many(
        most, "{names} have won the last {number} game", "{names} have won the last {number} games", names=listed(names)
    )


def _streaks(games: Sequence[BookedGame]) -> list[tuple[str, int, bool, int]]:
    """Each row of games that a player won: their name, how many, whether it goes on, and the game in which it ended.

    Games that do not count for them are left out.
    """
    found = []
    for player_id, sums in sums_of(line for game in games for line in game.lines).items():
        won = [
            (player_id in game.winners, game.number)
            for game in games
            if any(one.player_id == player_id and one.counts for one in game.lines)
        ]
        rows = [(is_won, [number for _, number in row]) for is_won, row in groupby(won, lambda one: one[0])]
        found += [
            (sums.name, len(row), place == len(rows), row[-1])
            for place, (is_won, row) in enumerate(rows, 1)
            if is_won and len(row) >= FEW
        ]
    return sorted(found, key=lambda one: one[3])


@dataclass(frozen=True, slots=True)
class PlayerSheet:
    """The things that a reader may see of a player's games."""

    name: str
    diligence: str
    facts: Sequence[tuple[str, str]]


def player_sheet(
    name: str, lines: Sequence[BookRow], open_sections: Collection[Section], rating: Rating | None = None
) -> PlayerSheet:
    """The sheet of a player with these lines of the books of all tables, and their rating in the lobby."""
    counting = [line for line in lines if line.counts]
    sums, seconds = Sums(0, name), [line.seconds for line in lines if line.seconds is not None]
    for line in lines:
        sums.add(line)
    played_for = say_many(sums.asked, "{some} of {number} turn", "{some} of {number} turns", some=sums.played_for)
    facts = {
        Section.RESULTS: [
            (say("Games won"), say("{some} of {all}", some=sums.wins, all=sums.games)),
            (say("Average place"), decimal(sums.average_place) if sums.average_place else ""),
            (say("Points a hand"), decimal(sums.points_a_hand) if sums.points_a_hand is not None else ""),
        ],
        Section.MOONS: [
            (say("Moons shot"), str(sums.moons)),
            (say("Moons of others broken"), str(sums.stopped)),
            (say("Queens of spades taken"), str(sums.queens)),
        ],
        Section.PLAYED_FOR: [(say("Played for them"), played_for)],
        Section.PACE: [(say("Time for a turn"), _pace_text(seconds))],
    }
    diligence = diligence_text(name, Diligence(len(counting), sums.asked, sums.late, rating))
    shown = [fact for section, facts in facts.items() if section in open_sections for fact in facts if fact[1]]
    return PlayerSheet(name, diligence, shown if lines else [])


def diligence_text(name: str, one: Diligence) -> str:
    """Says how many games a player has played, how often they were late, and their rating: anybody may know it."""
    if not one.games:
        return say("{name} has finished no game here yet.", name=name)
    if one.late:
        played = say_many(
            one.asked,
            "{name} has played {games}, and was late for {late} of {number} turn.",
            "{name} has played {games}, and was late for {late} of {number} turns.",
            name=name,
            games=_some_games(one.games),
            late=one.late,
        )
    else:
        played = say_many(
            one.games,
            "{name} has played {number} game, and was never late.",
            "{name} has played {number} games, and was never late.",
            name=name,
        )
    if not one.rating:
        return played
    if one.rating.is_settled:
        rating = say("Rating: {number}, settled.", number=one.rating.number)
    else:
        rating = say("Rating: {number}, new.", number=one.rating.number)
    return f"{played} {rating}"


def _pace_text(seconds: Sequence[int]) -> str:
    """How long a player usually takes, by the medians of their games."""
    if not seconds:
        return ""
    usual, hour, minute = timedelta(seconds=median(seconds)), timedelta(hours=1), timedelta(minutes=1)
    if usual < minute:
        return say("usually less than a minute")
    unit = hour if usual >= hour else minute
    return say("usually {time}", time=span(usual // unit * unit))


def standing_text(one: Sums) -> str:
    """A sentence on how one player did."""
    if not one.games:
        return say_many(one.hands, "{name} played {number} hand.", "{name} played {number} hands.", name=one.name)
    return say_many(
        one.games,
        "{name} won {wins} of {number} game, with {points} points a hand.",
        "{name} won {wins} of {number} games, with {points} points a hand.",
        name=one.name,
        wins=one.wins,
        points=decimal(one.points_a_hand or 0),
    )


def times_text(times: int) -> str:
    """How often, in words or a number."""
    return say("twice") if times == 2 else say_many(times, "once", "{number} times")
