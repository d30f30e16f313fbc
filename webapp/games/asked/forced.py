"""The records that need no decision: a deal, the only legal card, or a whole rest that one seat must win."""

from random import Random

from hearts.claim import claim, played_out
from hearts.deal import deal
from hearts.game import Game, Stage, legal, next_dealer
from hearts.seats import Seat
from hearts.turns import Play
from hearts.view import view
from webapp.games.record.records import Record
from webapp.models import TurnSource


def deal_record(last: Game, chance: Random) -> Record:
    """The deal after the hand that was dealt last; `chance` shuffles, and chooses who deals the first hand."""
    dealer = next_dealer(last)
    if dealer is None:
        dealer = Seat(chance.randrange(last.rules.players))
    return Record(deal(last.rules, dealer, chance), TurnSource.FORCED)


def forced_records(game: Game) -> list[Record]:
    """The next cards that need no decision, in order; none if somebody has to decide, or no card is to be played."""
    if game.stage is not Stage.PLAY:
        return []
    (seat,) = game.to_act
    cards = set(legal(game, seat))
    if len(cards) == 1:
        return [Record(Play(seat, cards.pop()), TurnSource.FORCED)]
    rest = claim(view(game, seat))
    return [Record(turn, TurnSource.CLAIM) for turn in played_out(game, rest)] if rest and rest.any_order else []
