"""Deals that differ in cards that a seat cannot see."""

from collections.abc import Iterator

from sqlmodel import select

from hearts.cards import Card, Cards, suit
from hearts.turns import Deal
from webapp.models import TurnRow


def change_deal(table, one, other):
    """Swaps two cards in the deal of the current hand, wherever they are."""
    swapped = {one: other, other: one}
    with table.runtime.database.writing() as session:
        deals = [
            row
            for row in session.exec(select(TurnRow).where(TurnRow.game_id == table.game_id))
            if isinstance(row.turn, Deal)
        ]
        deal = deals[-1].turn
        held = tuple(Cards.of(swapped.get(card, card) for card in cards) for cards in deal.held)
        deals[-1].turn = Deal(deal.dealer, held, deal.kitty)
    table.runtime.database.engine.dispose()  # and with its connections what is kept of the game, which never changes so


def unseen_pairs(game) -> Iterator[tuple[Card, Card]]:
    """Pairs of cards of one suit that two others were dealt and still hold: I cannot see whether they are swapped."""
    kept = [held - (given or Cards.of(())) for held, given in zip(game.deal.held, game.passes, strict=True)]
    dealt = [cards & game.held[seat] for seat, cards in enumerate(kept)]
    for one in dealt[1]:
        for other in (*dealt[2], *dealt[3]):
            if suit(one) == suit(other):
                yield one, other
