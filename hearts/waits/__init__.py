"""The parts of a player's wait: which choices hardly matter, and the card to play there.

`default_card` is a pure function of what a seat sees, and `stake` asks the robot what that card would cost. Nothing
here is given more than one seat's view.
"""

from hearts.waits.default_card import default_card
from hearts.waits.stake import STAKE, Price, may_shed_queen, small_price

__all__ = ["STAKE", "Price", "default_card", "may_shed_queen", "small_price"]
