"""Seats and sides: the neighbours of each seat, and the seats that are scored together.

Seats are numbered clockwise from 0.
"""

from typing import Final, NewType

Seat = NewType("Seat", int)

_SEATS: Final = tuple(Seat(number) for number in range(11))


def left(seat: Seat, players: int) -> Seat:
    return Seat((seat + 1) % players)


def right(seat: Seat, players: int) -> Seat:
    return Seat((seat - 1) % players)


def across(seat: Seat, players: int) -> Seat:
    """The seat opposite; `players` must be even."""
    return Seat((seat + players // 2) % players)


def every_seat(players: int) -> tuple[Seat, ...]:
    return _SEATS[:players]


def side_of(seat: Seat, *, partnership: bool) -> int:
    """The side of a seat: its own number, or in a partnership 0 for seats 0 and 2, and 1 for seats 1 and 3."""
    return seat % 2 if partnership else seat


def sides(players: int, *, partnership: bool) -> tuple[tuple[Seat, ...], ...]:
    """By side, its seats."""
    seats = every_seat(players)
    return (seats[0::2], seats[1::2]) if partnership else tuple((seat,) for seat in seats)
