"""The rating of players in the lobby, where strangers meet: one number, and whether it is settled.

Only games count that were played out at tables to which somebody came from the lobby. Robots and stand-ins have no
rating. Who began a game and left it, or let a robot play most of it, is placed last, and so is a host who ends it
without the others (`play.carrying_out`), so that leaving never pays.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce
from sqlmodel import Session, col, select

from webapp.models import BookRow, PlayerRow

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
