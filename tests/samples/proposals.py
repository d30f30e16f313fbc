"""Proposals of a host, as the others read them."""

from dataclasses import replace

from tests.samples.cast import NASTY
from webapp.presentation.sheets import ProposalLine

ENDS = "Wed 4 March, 10:00 (Berlin time)"
PACE = ProposalLine(
    "pace None 2026-03-02T12:00:00+00:00",
    "Another pace",
    "Ann chose another pace. It begins with the next hand, or once all the others agree.",
    note="Bo agrees.",
    may_agree=True,
    pace="You have 1 day to pass and 12 hours per card.",
    new_pace="You have 2 hours per turn. Each player has one spare day a game, for a deadline that they miss.",
)
LIVE = replace(
    PACE,
    heading="A live game?",
    sentence="Ann proposes another pace. It begins once all the others agree, and not before.",
    note="",
    new_pace="You have 30 seconds per turn.",
)
END = ProposalLine(
    "end None 2026-03-02T12:00:00+00:00",
    "The end of the game?",
    f"Ann proposes to end the game. It ends on {ENDS}, or once half of the other players agree. "
    "The hand being played would not count.",
    note="Bo agrees. You agree.",
)
ROBOT = ProposalLine(
    "robot 3 2026-03-02T12:00:00+00:00",
    "A robot for your seat?",
    "Ann proposes that a robot takes your seat, with its points. "
    f"It does on {ENDS}, or once half of the players but Ann agree.",
    may_agree=True,
)
NASTY_ROBOT = replace(
    ROBOT,
    heading=f"A robot for the seat of {NASTY[1]}?",
    sentence=f"{NASTY[0]} proposes that a robot takes the seat of {NASTY[1]}, with its points. "
    f"It does on {ENDS}, or once half of the players but {NASTY[0]} agree.",
    note=f"{NASTY[2]} and {NASTY[3]} agree.",
)
