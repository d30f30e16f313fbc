"""Finds the interesting facts of a finished hand in its turns.

The facts are those of `hearts.facts`; others put them into sentences.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import sub

from hearts.cards import HEARTS, JACK_OF_DIAMONDS, ONE, QUEEN_OF_SPADES, Card, Suit, suit
from hearts.deal import receiver
from hearts.facts import (
    CleanHand,
    Fact,
    HeartsBroken,
    How,
    JackTaken,
    LastTrickPoints,
    MoonShot,
    MoonStopped,
    MostPoints,
    QueenDucked,
    QueenPassed,
    QueenTaken,
    TurningPoint,
    WonNoTrick,
    worth,
)
from hearts.game import Game, direction_now
from hearts.play import Trick, winner
from hearts.review import Opinion, turning_points
from hearts.rules import Rules
from hearts.score import HandScore, kitty_collector, piles, points_in
from hearts.seats import Seat, every_seat, side_of, sides


def facts(game: Game, opinions: Iterable[Opinion] = ()) -> tuple[Fact, ...]:
    """The facts of the hand that `game` has just finished, the most interesting first.

    `opinions` are those of a review of the hand, if there was one. Raises ValueError if no hand has just been scored.
    """
    score = game.score
    if score is None:
        raise ValueError("there is no story of a hand before it is scored, or after the next deal")
    found = [
        *_of_the_moon(game, score),
        *_of_the_queens(game),
        *_of_the_jacks(game),
        *_of_hearts(game),
        *_of_points(game, score),
        *map(_turning_point, turning_points(opinions)),
    ]
    return tuple(sorted(found, key=worth, reverse=True))


def _turning_point(opinion: Opinion) -> TurningPoint:
    return TurningPoint(opinion.seat, opinion.trick, opinion.played, opinion.better, opinion.cost)


def _of_the_moon(game: Game, score: HandScore) -> Iterator[Fact]:
    rules, by_side = game.rules, sides(game.rules.players, partnership=game.rules.partnership)
    if score.moon is not None:
        assert score.moon_choice is not None
        yield MoonShot(score.moon, by_side[score.moon], score.moon_choice, score.sun)
        return
    before = (0,) * rules.players
    for number, after in enumerate(_taken_by_trick(game), 1):
        shooters = _shooters(game, number - 1, before)
        gained = [seat for seat in every_seat(rules.players) if after[seat] > before[seat] and seat not in shooters]
        if shooters and gained:
            yield _stopped(shooters, gained[0], number, before)
            return
        before = after
    if shooters := _shooters(game, len(game.won), before):
        yield _stopped(shooters, None, len(game.won), before)


def _stopped(shooters: Sequence[Seat], by: Seat | None, trick: int, taken: Sequence[int]) -> MoonStopped:
    return MoonStopped(max(shooters, key=lambda seat: taken[seat]), by, trick, sum(taken))


def _shooters(game: Game, tricks: int, taken: Sequence[int]) -> Sequence[Seat]:
    """The seats of the side that has every point after that many tricks, if they are enough for a moon; else empty."""
    rules, points = game.rules, sum(taken)
    hearts = sum(card in HEARTS for card in game.plays[: tricks * rules.players])
    if 2 * points <= rules.pack_total and not points == hearts == 13 * rules.packs:
        return ()
    by_side = sides(rules.players, partnership=rules.partnership)
    return next((side for side in by_side if sum(taken[seat] for seat in side) == points), ())


def points_by_trick(game: Game) -> tuple[tuple[int, ...], ...]:
    """For each trick of the hand that `game` has just finished, by seat, the points that it took with that trick."""
    taken = ((0,) * game.rules.players, *_taken_by_trick(game))
    return tuple(tuple(map(sub, after, before)) for before, after in pairwise(taken))


def _taken_by_trick(game: Game) -> Iterator[tuple[int, ...]]:
    """By seat, the points taken up to the end of each trick."""
    assert game.deal is not None
    rules, plays, won = game.rules, game.plays, game.won
    for number in range(1, len(won) + 1):
        some = plays[: number * rules.players]
        finished = number == len(won)
        yield points_in(rules, piles(rules, some, won[:number], game.deal.kitty, finished=finished))


def _of_the_queens(game: Game) -> Iterator[Fact]:
    if not game.rules.queen_points:
        return
    for giver, cards in enumerate(game.passes):
        if cards and QUEEN_OF_SPADES in cards:
            yield QueenPassed(Seat(giver), receiver(Seat(giver), direction_now(game), game.rules.players))
    for taken in _collected(game, QUEEN_OF_SPADES):
        yield QueenTaken(*taken)
    tricks = game.tricks  # computed again at each access
    for seat in every_seat(game.rules.players):
        if times := sum(_ducked(game, index, trick, seat) for index, trick in enumerate(tricks)):
            yield QueenDucked(seat, times)


def _of_the_jacks(game: Game) -> Iterator[Fact]:
    if game.rules.jack_points:
        for taken in _collected(game, JACK_OF_DIAMONDS):
            yield JackTaken(*taken)


_Collected = tuple[Seat, int, Seat | None, How]


def _collected(game: Game, card: Card) -> Iterator[_Collected]:
    """For each copy of a card that was collected: the collector, the trick, the seat that played it, and how."""
    assert game.deal is not None
    for number, trick in enumerate(game.tricks, 1):
        collector = next((seat for seat in game.won[number - 1 :] if seat is not None), None)
        for place, played in enumerate(trick.cards):
            if played == card and collector is not None:
                yield collector, number, _player(game, trick, place), _how(trick, place)
    if card in game.deal.kitty:
        for number in range(1, len(game.won) + 1):
            collector = kitty_collector(game.rules, game.tricks[:number], finished=number == len(game.won))
            if collector is not None:
                yield from [(collector, number, None, How.LEFT_OVER)] * game.deal.kitty.count(card)
                return


def _player(game: Game, trick: Trick, place: int) -> Seat:
    return Seat((trick.leader + place) % game.rules.players)


def _how(trick: Trick, place: int) -> How:
    if not place:
        return How.LED
    return How.FOLLOWED if suit(trick.cards[place]) == suit(trick.cards[0]) else How.DISCARDED


def _ducked(game: Game, index: int, trick: Trick, seat: Seat) -> bool:
    """Whether a seat ducked in a trick in the sense of QueenDucked; `index` counts from 0."""
    rules = game.rules
    place = (seat - trick.leader) % rules.players
    if trick.winner is None or not place or not _was_about_a_queen(game, index, trick, seat):
        return False
    mine, best = trick.cards[place], trick.cards[(trick.winner - trick.leader) % rules.players]
    if suit(mine) != suit(best) or mine >= best or _are_partners(rules, seat, trick.winner):
        return False
    before, after = trick.cards[:place], trick.cards[place + 1 :]
    return any(
        suit(card) == suit(mine) and winner((*before, card, *after), rules) == place
        for card in _held(game, index, seat)
    )


def _are_partners(rules: Rules, one: Seat, other: Seat) -> bool:
    return side_of(one, partnership=rules.partnership) == side_of(other, partnership=rules.partnership)


def _was_about_a_queen(game: Game, index: int, trick: Trick, seat: Seat) -> bool:
    """Whether a queen that the seat does not hold was in the trick, or was out when spades were led."""
    gone = game.plays[: index * game.rules.players].count(QUEEN_OF_SPADES)
    is_out = suit(trick.cards[0]) == Suit.SPADES and gone < game.rules.packs
    return (is_out or QUEEN_OF_SPADES in trick.cards) and QUEEN_OF_SPADES not in _held(game, index, seat)


def _held(game: Game, index: int, seat: Seat) -> list[Card]:
    """The cards that a seat held before a trick, which are those that it played from then on."""
    return [trick.cards[(seat - trick.leader) % game.rules.players] for trick in game.tricks[index:]]


def _of_hearts(game: Game) -> Iterator[Fact]:
    for number, trick in enumerate(game.tricks, 1):
        for place, card in enumerate(trick.cards):
            breaks = game.law.follow_breaks_mask if place else game.law.lead_breaks_mask
            if breaks & ONE[card]:
                yield HeartsBroken(_player(game, trick, place), number, card)
                return


def _of_points(game: Game, score: HandScore) -> Iterator[Fact]:
    if score.moon is None:
        if clean := _seats_with(score.taken, 0):
            yield CleanHand(clean)
        if most := max(score.taken):
            yield MostPoints(_seats_with(score.taken, most), most)
    if idle := _seats_with(score.tricks_won, 0):
        yield WonNoTrick(idle)
    last = game.won[-1]
    if last is not None and (points := points_by_trick(game)[-1][last]):
        yield LastTrickPoints(last, points)


def _seats_with(numbers: Sequence[int], number: int) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat, had in enumerate(numbers) if had == number)
