"""The records that need no decision: a deal, the only legal card, or a whole rest that one seat must win."""

from hearts.claim import claim, played_out
from hearts.game import Game, Stage, legal
from hearts.turns import Play
from hearts.view import view
from webapp.games.record import sealed
from webapp.games.record.changing import OpenGame
from webapp.games.record.records import Record
from webapp.models import TurnSource


def deal_record(game: OpenGame) -> Record:
    """The deal after the hand that was dealt last."""
    runtime = game.runtime
    dealt = sealed.deal(game.session, game.stored, runtime.chance, runtime.settings.data_dir, game.now)
    return Record(dealt, TurnSource.FORCED)


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
