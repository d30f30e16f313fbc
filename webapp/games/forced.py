"""The records that need no decision: a deal, the only legal card, or a whole rest that one seat must win."""

from random import Random

from hearts.claim import claim, played_out
from hearts.deal import deal, dealer_after
from hearts.game import Game, Stage, legal
from hearts.seats import Seat
from hearts.turns import Play
from hearts.view import view
from webapp.games.store import Record
from webapp.models import TurnSource


def forced_records(game: Game, chance: Random) -> list[Record]:
    """The next of them, in order; none if somebody has to decide, or the game is over. `chance` deals."""
    if game.stage is Stage.DEAL:
        dealer = dealer_after(game.scores[-1].dealer, game.rules) if game.scores else None
        dealer = Seat(chance.randrange(game.rules.players)) if dealer is None else dealer
        return [Record(deal(game.rules, dealer, chance), TurnSource.FORCED)]
    if game.stage is not Stage.PLAY:
        return []
    (seat,) = game.to_act
    cards = set(legal(game, seat))
    if len(cards) == 1:
        return [Record(Play(seat, cards.pop()), TurnSource.FORCED)]
    rest = claim(view(game, seat))
    return [Record(turn, TurnSource.CLAIM) for turn in played_out(game, rest)] if rest and rest.any_order else []
