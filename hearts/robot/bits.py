"""Machine words for the robot's inner loop: masks of 52 faces, random numbers, and the layout of its lists.

The inner loop (`engine`, `passing`, `shooting`, `policy`, `judgement`, `sampling`, `search`) is plain functions on
integers and flat lists of integers. So the same source runs as it is and, much faster, compiled. Nothing in it knows a
View.
"""

from typing import Final, Protocol

SUIT_MASK: Final = 8191
CLUBS_MASK: Final = SUIT_MASK
DIAMONDS_MASK: Final = SUIT_MASK << 13
SPADES_MASK: Final = SUIT_MASK << 26
HEARTS_MASK: Final = SUIT_MASK << 39
QUEEN: Final = 36
QUEEN_MASK: Final = 1 << QUEEN
JACK: Final = 22
JACK_MASK: Final = 1 << JACK

MAX_SEATS: Final = 11
SLOTS: Final = MAX_SEATS + 1
"""The number of places for a card: the seats, and after the last one a slot for the cards that nobody holds."""

# The state of a hand, a list of STATE integers.
SEAT: Final = 0
"""The seat at turn."""
LED: Final = 1
"""The suit led, -1 before a lead."""
ON_TABLE: Final = 2
"""The number of cards in the present trick."""
LEADER: Final = 3
FIRST: Final = 4
"""1 during the first trick."""
BROKEN: Final = 5
BEST: Final = 6
"""The card that is winning the trick so far, -1 for none."""
BEST_SEAT: Final = 7
TRICK_POINTS: Final = 8
TRICK_JACKS: Final = 9
ASIDE_POINTS: Final = 10
"""Points in tricks that nobody won; they go to the next winner."""
ASIDE_JACKS: Final = 11
TRICKS_LEFT: Final = 12
KITTY_DUE: Final = 13
"""1 until somebody collects the cards left over."""
GONE: Final = 14
"""Mask of the faces played at least once."""
GONE_TWICE: Final = 15
RANDOM: Final = 16
NOT_WON: Final = 17
"""The number of tricks that nobody won."""
LAST_WINNER: Final = 18
"""The seat that won a trick last; it stays if nobody wins the next one."""
TABLE_ONCE: Final = 19
TABLE_TWICE: Final = 20
OPEN: Final = 21
"""Mask of the cards that may be led to the first trick."""
KITTY_TO: Final = 22
"""The seat that has collected the cards left over, if the robot has not seen them; else -1."""
PASSES: Final = 23
"""1 if the seat still has to pass."""
TABLE: Final = 24
"""By place in the trick: the card."""
HELD: Final = 36
"""By slot: mask of the faces there."""
TWICE: Final = 48
"""By slot: mask of the faces that are there twice."""
TAKEN: Final = 60
"""By seat: points taken so far."""
WON: Final = 72
"""By seat: tricks won so far."""
JACKS: Final = 84
"""By seat: jacks of diamonds taken so far."""
SHOOTS: Final = 96
"""By seat: 1 if it tries to shoot the moon."""
STOPS: Final = 108
"""By seat: 1 if it makes a sacrifice to stop another side's moon."""
THREAT: Final = 120
"""The probability, in parts of SURE_THREAT, that the side SHOOTER tries to shoot the moon. If it does, the robot
does not count on others to stop it later."""
SHOOTER: Final = 121
CHOOSER: Final = 122
"""The seat whose pass or card is considered."""
VOIDS: Final = 123
"""By suit: mask of the seats that have shown that they have none."""
STATE: Final = 127
SURE_THREAT: Final = 8

# The rules of a table and what its points are worth to the robot, a list of RULES integers.
PLAYERS: Final = 0
PACKS: Final = 1
PARTNERS: Final = 2
FIRST_TRICK_POINTS: Final = 3
HEARTS_LEAD_BARRED: Final = 4
QUEEN_LED_BREAKS: Final = 5
QUEEN_PLAYED_BREAKS: Final = 6
QUEEN_LEAD_BARRED: Final = 7
QUEEN_DISCARD_BARRED: Final = 8
QUEEN_POINTS: Final = 9
JACK_POINTS: Final = 10
MOON: Final = 11
"""0 add, 1 subtract, 2 smart, also if the shooter chooses."""
SUN: Final = 12
NO_TRICKS_BONUS: Final = 13
FIFTY: Final = 14
KITTY: Final = 15
"""The trick with which the cards left over go: 0 none, 1 first with points, 2 with hearts, 3 first, 4 last, 5 first
won."""
TWO_PAIRS_VOID: Final = 16
TARGET: Final = 17
EXTRA_HAND: Final = 18
SIDES: Final = 19
PACK_TOTAL: Final = 20
PENALTY: Final = 21
"""Mask of the penalty cards."""
WHOLE: Final = 22
"""Mask of every face in the game."""
ME: Final = 23
"""The robot's side."""
STOP_AT: Final = 24
"""From how many points on one side, with none elsewhere, a moon is to be feared."""
WIN: Final = 25
"""The value of winning the game, in the units of WEIGHTS."""
TO: Final = 26
"""How many seats to the left the passed cards go; 0 if nothing is passed."""
PASS_COUNT: Final = 27
OPENING: Final = 28
"""0 the lowest club, 1 any club, 2 the eldest."""
ELDEST: Final = 29
FEAR: Final = 30
"""The cost of another side's moon besides its points, in the units of WEIGHTS."""
SETTLES: Final = 31
"""1 if the tricks that are left change nothing once all points are taken."""
TOTALS: Final = 32
"""By side, before this hand."""
WEIGHTS: Final = 44
"""By side: the cost of a point of theirs to the robot; positive for its own side, negative for all others."""
JUDGES: Final = 56
"""1 if the seats of a roll-out choose by the table of prices, 0 if by rule."""
DOUBT: Final = 57
"""The cost of a moon of its own side in a roll-out, in the units of WEIGHTS: in play more of them are stopped."""
WINNING: Final = 58
"""By lower × 14 + higher unseen cards of a suit: the probability that a card led wins, in 64ths."""
RULES: Final = WINNING + 14 * 14

# A seat's knowledge of the unseen cards, a list of KNOWN integers.
MAY: Final = 0
"""By slot: mask of the faces that may be there."""
ROOM: Final = 12
"""By slot: how many of the unseen cards it has."""
CHANCES: Final = 24
"""By slot × 52 + face: how likely the face is there; 64 means as likely as elsewhere."""
KNOWN: Final = CHANCES + SLOTS * 52

# Room for a roll-out to work in, a list of WORK integers.
FREE: Final = 0
"""By slot: how many more cards it can take."""
POINTS: Final = 12
"""By side: the points of a hand."""
PLACES: Final = 24
"""By place among the unseen cards: the slot."""
GIVEN: Final = PLACES + 104
"""By seat: mask of the cards that it passes."""
PAID: Final = GIVEN + SLOTS
"""By arm: the cost of the roll-out in this deal, in 16ths of a POINT's units."""
MAX_ARMS: Final = 256
WORK: Final = PAID + MAX_ARMS

POINT: Final = 240
"""The weight of a point of the robot's own side in WEIGHTS; those of all others add up to as much."""

_MULTIPLIER: Final = 6364136223846793005
_INCREMENT: Final = 1442695040888963407
_WORD: Final = (1 << 63) - 1


class Numbers(Protocol):
    """A list of integers, or a compiled array of them."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...
    def __len__(self) -> int: ...


def count(mask: int) -> int:
    """The number of faces in a mask."""
    return mask.bit_count()


def lowest(mask: int) -> int:
    """The lowest face of a non-empty mask."""
    return (mask & -mask).bit_length() - 1


def highest(mask: int) -> int:
    """The highest face of a non-empty mask."""
    return mask.bit_length() - 1


def below(state: Numbers, limit: int) -> int:
    """A random number from 0 to `limit` - 1; it advances the state's generator."""
    word = (state[RANDOM] * _MULTIPLIER + _INCREMENT) & _WORD
    state[RANDOM] = word
    return ((word >> 31) * limit) >> 32


def suit_mask(suit: int) -> int:
    return SUIT_MASK << 13 * suit
