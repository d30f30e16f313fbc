"""The book of a table: what each player did in its games that are over, and the sums of that.

A hand counts for the player who had the seat at its end. If a robot, a stand-in or somebody else chose more of its
turns, it counts for nobody. A game counts for each player who played more than half of its hands, also if they left.
`reckon` writes the lines when a game ends; pages and mails only add them up. In the lobby, a game also moves ratings.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import median
from typing import Final

from openskill.models import PlackettLuce
from sqlmodel import Session, case, col, exists, func, select

from hearts.facts import MoonStopped
from hearts.game import Stage
from hearts.score import lowest_sides
from hearts.seats import Seat, every_seat, side_of
from hearts.story import facts
from hearts.turns import Deal, Pass
from webapp.core.database import Database, one_by_one
from webapp.games.record import store
from webapp.games.record.finished import FinishedHand, finished_hand
from webapp.games.record.seats import owner_id, owner_name
from webapp.games.record.store import CHOSEN, Record, TableGame
from webapp.models import BookRow, EarlierPlayer, GameRow, GameState, LetterRow, PlayerRow, SeatRow, TurnRow, TurnSource

# The rating of players in the lobby, where strangers meet: one number, and whether it is settled.
# Only games count that were played out at tables to which somebody came from the lobby. Robots and stand-ins have no
# rating. Who began a game and left it, or let a robot play most of it, is placed last, and so is a host who ends it
# without the others (`play.course`), so that leaving never pays.

MIDDLE: Final = 1500  # the number of a player who has not played yet
SCALE: Final = 20  # of a number, for one of the model's
SETTLED: Final = 5.0  # doubt, in the model's numbers, below which a rating is settled
_MODEL: Final = PlackettLuce()


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's skill by their games in the lobby, in the numbers of the model: its mean, and the doubt."""

    mean: float = _MODEL.mu
    doubt: float = _MODEL.sigma

    @property
    def number(self) -> int:
        return MIDDLE + round(SCALE * (self.mean - _MODEL.mu))

    @property
    def is_settled(self) -> bool:
        return self.doubt < SETTLED


def rated(before: Sequence[Rating], places: Sequence[float]) -> list[Rating]:
    """The ratings after a game in which the players came to these places; equal places are a tie."""
    teams = [[_MODEL.rating(mu=one.mean, sigma=one.doubt)] for one in before]
    after = _MODEL.rate(teams, ranks=list(places)) if len(teams) > 1 else teams
    return [Rating(one.mu, one.sigma) for (one,) in after]


def places_of(lines: Iterable[BookRow], beginners: Mapping[int, int | None]) -> dict[int, int]:
    """By player, the place for which a game counts in their rating; none if it was ended early.

    `beginners` had the seats when it began; others are placed only if the game counts for them.
    """
    lines = [line for line in lines if line.player_id is not None and line.place is not None]
    last = 1 + max((line.place or 0 for line in lines), default=0)
    found: dict[int, int] = {}
    for line in lines:
        assert line.player_id is not None
        assert line.place is not None
        if line.counts and line.at_end:
            found[line.player_id] = line.place
        elif beginners.get(line.seat) == line.player_id:
            found[line.player_id] = last
    return found


def rate(session: Session, places: Mapping[int, int]) -> None:
    """Rates the players, by id, who came to these places in a game; their rows are locked."""
    if len(places) < 2:
        return
    players = session.exec(select(PlayerRow).where(col(PlayerRow.id).in_(places)).order_by(col(PlayerRow.id))).all()
    after = rated([rating_of(player) or Rating() for player in players], [places[player.id] for player in players])
    for player, rating in zip(players, after, strict=True):
        player.rating_mean, player.rating_doubt = rating.mean, rating.doubt


def rating_of(player: PlayerRow) -> Rating | None:
    """The player's rating; None if they have none."""
    if player.rating_mean is None or player.rating_doubt is None:
        return None
    return Rating(player.rating_mean, player.rating_doubt)


PLAYED_FOR: Final = (TurnSource.TIMEOUT, TurnSource.AWAY, TurnSource.ROBOT, TurnSource.AS_WISHED)
_SUMMED: Final = ("hands", "points", "queens", "moons", "stopped", "asked", "late", "played_for")


@dataclass(frozen=True, slots=True)
class BookedGame:
    """A game that is over, with its lines in the order of the seats."""

    number: int
    ended_at: datetime
    lines: Sequence[BookRow]

    @property
    def at_end(self) -> list[BookRow]:
        return [line for line in self.lines if line.at_end]

    @property
    def was_ended(self) -> bool:
        """Whether it was ended early."""
        return all(line.place is None for line in self.lines)

    @property
    def winners(self) -> set[int]:
        """The ids of the players who have won it."""
        return {line.player_id for line in self.lines if line.counts and line.place == 1 and line.player_id}


@dataclass(frozen=True, slots=True)
class Diligence:
    """The number of games that count for a player, of turns for which they were asked, and of those that were late."""

    games: int = 0
    asked: int = 0
    late: int = 0
    rating: Rating | None = None  # None: they have none


@dataclass(slots=True)
class Sums:
    """The sums of some lines of one player."""

    player_id: int
    name: str
    games: int = 0
    places: int = 0  # their sum over the games
    wins: int = 0
    hands: int = 0
    points: int = 0
    queens: int = 0
    moons: int = 0
    stopped: int = 0
    asked: int = 0
    late: int = 0
    played_for: int = 0

    @property
    def average_place(self) -> float | None:
        return self.places / self.games if self.games else None

    @property
    def points_a_hand(self) -> float | None:
        return self.points / self.hands if self.hands else None

    def add(self, line: BookRow) -> None:
        self.name = line.name
        if line.counts and line.place is not None:
            self.games, self.places, self.wins = self.games + 1, self.places + line.place, self.wins + (line.place == 1)
        for name in _SUMMED:
            setattr(self, name, getattr(self, name) + getattr(line, name))


@dataclass(frozen=True, slots=True)
class _Occupant:
    """Somebody in a seat; without an id, whatever they do counts for nobody."""

    player_id: int | None
    name: str


def reckon(session: Session, stored: TableGame) -> None:
    """Writes the lines of a game that has just ended."""
    session.flush()
    _write(session, stored, [seat.player_id for seat in stored.seats])


def reckon_missing(database: Database) -> None:
    """Writes the lines of all games that are over and have none: they ended before there was a book."""
    is_booked = exists().where(col(BookRow.game_id) == GameRow.id)
    with database.reading() as session:
        missing = select(GameRow.id).where(GameRow.state == GameState.OVER, ~is_booked)
        games = session.exec(
            missing.order_by(col(GameRow.ended_at), col(GameRow.id))
        ).all()  # ratings follow each other

    def write(game_id: int) -> None:
        with database.writing() as session:
            if session.exec(select(BookRow.id).where(BookRow.game_id == game_id).limit(1)).first() is None:
                stored = store.load(session, game_id)
                _write(session, stored, [_player_at_end(session, stored, seat) for seat in stored.seats])

    one_by_one("game", games, write)


def games_of(session: Session, table_id: int, until: int | None = None) -> list[BookedGame]:
    """The games of the table that are over and have a finished hand, up to that number or all, the oldest first."""
    lines = select(BookRow, GameRow).join(GameRow).where(GameRow.table_id == table_id)
    lines = lines if until is None else lines.where(GameRow.number <= until)
    found = session.exec(lines.order_by(col(GameRow.number), col(BookRow.seat), col(BookRow.id))).all()
    by_game: dict[int, list[BookRow]] = {}
    games: dict[int, GameRow] = {}
    for line, game in found:
        by_game.setdefault(game.id, []).append(line)
        games[game.id] = game
    return [
        BookedGame(games[one].number, games[one].ended_at or games[one].started_at, lines)
        for one, lines in by_game.items()
        if any(line.total or line.place for line in lines)
    ]


def sums_of(lines: Iterable[BookRow]) -> dict[int, Sums]:
    """By player, the sums of their lines; the name is that of the last one."""
    sums: dict[int, Sums] = {}
    for line in lines:
        if line.player_id is not None:
            sums.setdefault(line.player_id, Sums(line.player_id, line.name)).add(line)
    return sums


def lines_of_player(session: Session, player_id: int) -> Sequence[BookRow]:
    """All lines of the player, at whatever table, the oldest first."""
    return session.exec(select(BookRow).where(BookRow.player_id == player_id).order_by(col(BookRow.id))).all()


def have_played_together(session: Session, one: int, other: int) -> bool:
    """Whether both players have a line in the same game."""
    theirs = select(BookRow.game_id).where(BookRow.player_id == other)
    both = select(BookRow.id).where(BookRow.player_id == one, col(BookRow.game_id).in_(theirs))
    return session.exec(both.limit(1)).first() is not None


def diligence_of(session: Session, player_ids: Collection[int]) -> dict[int, Diligence]:
    """Looks up, how much each of these players has played, and how often late: anybody may know it."""
    games = func.sum(case((col(BookRow.counts), 1), else_=0))
    sums = select(BookRow.player_id, games, func.sum(BookRow.asked), func.sum(BookRow.late))
    found = session.exec(sums.where(col(BookRow.player_id).in_(player_ids)).group_by(col(BookRow.player_id)))
    known = {player_id: Diligence(int(games), int(asked), int(late)) for player_id, games, asked, late in found}
    players = session.exec(select(PlayerRow).where(col(PlayerRow.id).in_(player_ids)))
    return {player.id: replace(known.get(player.id, Diligence()), rating=rating_of(player)) for player in players}


def _player_at_end(session: Session, stored: TableGame, seat: SeatRow) -> int | None:
    """The player of the seat at the end of a game after which it may have passed to others; None: a robot, or unknown.

    A mail with the last sheet tells of a player who has left.
    """
    if stored.names[seat.seat] in (seat.name, owner_name(seat)):
        return owner_id(seat)
    told = select(LetterRow.player_id).where(LetterRow.game_id == stored.id, LetterRow.seat == seat.seat)
    return session.exec(told.order_by(col(LetterRow.id).desc()).limit(1)).first()


def _write(session: Session, stored: TableGame, players: Sequence[int | None]) -> None:
    moments = select(TurnRow.number, TurnRow.at).where(TurnRow.game_id == stored.id)
    lines = lines_of(stored, players, dict(session.exec(moments).all()))
    session.add_all(lines)
    if stored.table.has_strangers:
        left = {one.seat: one.player or None for one in reversed(stored.row.earlier or ())}
        rate(session, places_of(lines, dict(enumerate(players)) | left))


def lines_of(stored: TableGame, players: Sequence[int | None], moments: Mapping[int, datetime]) -> list[BookRow]:
    """The lines of a game that is over.

    `players` had its seats at the end, `moments` has the time of each of its records.
    """
    ended = stored if stored.cycle.stage is Stage.OVER else stored.without_unfinished_hand()
    rules, scores = ended.game.rules, ended.cycle.scores
    totals = scores[-1].totals if scores else (0,) * rules.sides
    hands = [finished_hand(ended, score.number) for score in scores]
    stopped_by = [
        next((one.by for one in facts(hand.games[-1]) if isinstance(one, MoonStopped)), None) for hand in hands
    ]
    took = _seconds_taken(ended.records, moments)
    lines = []
    for seat in every_seat(rules.players):
        side = side_of(seat, partnership=rules.partnership)
        seated = _Seated(stored.row.earlier or (), seat, _Occupant(players[seat], stored.names[seat]))
        place = 1 + sum(total < totals[side] for total in totals)
        for one in seated.everybody:
            line = BookRow(game_id=stored.id, seat=seat, side=side, player_id=one.player_id, name=one.name)
            line.at_end, line.total = one == seated.last, totals[side]
            line.place = place if ended.cycle.stage is Stage.OVER else None
            for hand, stopper in zip(hands, stopped_by, strict=True):
                if seated.counts_for(one, hand):
                    _add_hand(line, hand, stopper)
            line.counts = line.place is not None and 2 * line.hands > len(hands)
            asked = [record for record in ended.records if seated.is_asked(one, record)]
            line.asked = len(asked)
            line.late = sum(record.source is TurnSource.TIMEOUT for record in asked)
            line.played_for = sum(record.source in PLAYED_FOR for record in asked)
            chosen = [took[record.number] for record in asked if record.source in CHOSEN]
            line.seconds = int(median(chosen)) if chosen else None
            lines.append(line)
    return lines


class _Seated:
    """The players of a seat in the course of a game."""

    def __init__(self, earlier: Iterable[EarlierPlayer], seat: Seat, last: _Occupant) -> None:
        self.seat, self.last = seat, last
        self._left: list[tuple[EarlierPlayer, _Occupant]] = []
        before: EarlierPlayer | None = None
        for change in (one for one in earlier if one.seat == seat):
            # Older rows don't note that somebody stood in; but the owner, whom their name names, left just before them.
            stood_in = change.stood_in or (before is not None and change.name.endswith(f" for {before.name}"))
            self._left.append((change, _Occupant(None if stood_in else change.player or None, change.name)))
            before = change

    @property
    def everybody(self) -> list[_Occupant]:
        """Each player once, and who had it at the end."""
        players = {one.player_id: one for _, one in self._left if one.player_id is not None}
        return [*(one for one in players.values() if one.player_id != self.last.player_id), self.last]

    def counts_for(self, person: _Occupant, hand: FinishedHand) -> bool:
        """Whether they had the seat when the hand ended, and nobody else chose more of its turns than they did."""
        at_end = next((one for change, one in self._left if change.had(hand.number)), self.last)
        if person.player_id is None or at_end.player_id != person.player_id:
            return False
        asked = [one for one in hand.records if self._is_choice(one)]
        mine = sum(one.source in CHOSEN and self._who_chose(one).player_id == person.player_id for one in asked)
        return 2 * mine >= len(asked)

    def is_asked(self, person: _Occupant, record: Record) -> bool:
        """Whether the record is of a decision that was theirs."""
        return (
            person.player_id is not None
            and self._is_choice(record)
            and self._who_chose(record).player_id == person.player_id
        )

    def _is_choice(self, record: Record) -> bool:
        is_asked = record.source in CHOSEN or record.source in PLAYED_FOR
        return is_asked and not isinstance(record.turn, Deal) and record.turn.seat == self.seat

    def _who_chose(self, record: Record) -> _Occupant:
        return next((one for change, one in self._left if record.number <= change.turns), self.last)


def _add_hand(line: BookRow, hand: FinishedHand, stopped_by: Seat | None) -> None:
    score = hand.score
    points = score.points[line.side]
    line.hands, line.points = line.hands + 1, line.points + points
    if hand.rules.queen_points:
        line.queens += score.queens[line.seat]
    line.moons += score.moon == line.side
    line.stopped += stopped_by == line.seat
    if line.worst is None or points > line.worst:
        line.worst, line.worst_times = points, 0
    line.worst_times += points == line.worst


def _seconds_taken(records: Iterable[Record], moments: Mapping[int, datetime]) -> dict[int, float]:
    """By record, how long its seat had been asked: since the deal for a pass, else since the last turn of the hand."""
    asked: dict[int, datetime] = {}
    dealt: dict[int, datetime] = {}
    found = {}
    for record in sorted(records, key=lambda one: one.number):
        at, hand = moments[record.number], record.hand
        if isinstance(record.turn, Deal):
            dealt[hand] = at
        else:
            since = dealt[hand] if isinstance(record.turn, Pass) else asked[hand]
            found[record.number] = (at - since).total_seconds()
        asked[hand] = at
    return found


def leaders(standings: Sequence[Sums]) -> list[Sums]:
    """The players who have won the most games; empty as long as nobody has won one."""
    won = lowest_sides([-one.wins for one in standings]) if any(one.wins for one in standings) else ()
    return [standings[number] for number in won]
