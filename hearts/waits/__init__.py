"""The parts of a player's wait: which choices hardly matter, the card to play there, and answers ahead.

`default_card` is a pure function of what a seat sees, `stake` asks the robot what that card would cost, and `ahead` is
a card for one trick, chosen before the player's turn. Nothing here is given more than one seat's view.
"""

from hearts.waits.default_card import default_card
from hearts.waits.stake import STAKE, Price, matters_ahead, may_shed_queen, small_price

__all__ = ["STAKE", "Price", "default_card", "matters_ahead", "may_shed_queen", "small_price"]
