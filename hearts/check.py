"""Checks a game record move by move, and yields its events up to its end or the first fault of play.

`python -m hearts replay` prints them: see docs/hearts.md, "Records". `record` checks the form of a record.
"""

from collections.abc import Iterator
from typing import Any

from hearts.cards import Card, Cards, card_text
from hearts.cycle import Cycle, apply_to_hand, new_cycle
from hearts.game import Game, IllegalTurn, Stage, direction_now, legal
from hearts.record import Record, RecordedHand, cards_text, deal_turn
from hearts.score import HandScore
from hearts.seats import Seat
from hearts.turns import Moon, Pass, Play, Turn

Event = dict[str, Any]
"""A JSON mapping, in the order in which it is printed."""


class Fault(ValueError):
    """A record breaks the rules of play; the sentence says where and why."""


def events(record: Record) -> Iterator[Event]:
    """The events of a record; the last one is the game. Raises Fault at the first turn that the rules refuse."""
    return _Check(record).events()


def record_turns(record: Record) -> tuple[Turn, ...]:
    """The turns of the game in a record, hand by hand. Raises Fault."""
    check = _Check(record)
    for _ in check.events():
        pass
    return tuple(check.turns)


class _Check:
    """A game that is replayed from a record."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.cycle = new_cycle(record.rules, record.at_once)
        self.game = self.cycle.hands[0]
        self.number = 0
        self.turns: list[Turn] = []

    def take(self, turn: Turn, where: str) -> None:
        try:
            self.cycle = apply_to_hand(self.cycle, self.number, turn)
        except IllegalTurn as error:
            raise Fault(f"{where}: {error}") from error
        self.game = self.cycle.hand(self.number) or self.game
        self.turns.append(turn)

    def events(self) -> Iterator[Event]:
        for hand in self.record.hands:
            self.number += 1
            yield from self.hand(hand, f"hand {self.number}")
        yield _game_event(self.game) if self.record.at_once == 1 else _cycle_event(self.cycle)

    def hand(self, hand: RecordedHand, where: str) -> Iterator[Event]:
        self.deal(hand, where)
        yield _deal_event(self.game)
        self.passes(hand, where)
        yield from self.plays(hand, where)
        self.moon(hand, where)
        if self.game.score:
            yield _hand_event(self.game.score)
        self.nothing_after(hand, where)

    def deal(self, hand: RecordedHand, where: str) -> None:
        try:
            turn = deal_turn(hand)
        except ValueError as error:
            raise Fault(f"{where}: the cards are not the pack: {error}") from error
        self.take(turn, where)

    def passes(self, hand: RecordedHand, where: str) -> None:
        if hand.passes is None:
            return
        players = self.game.rules.players
        if self.game.stage is not Stage.PASS:
            raise Fault(f"{where}, passing: nothing is passed in this hand")
        if len(hand.passes) != players:
            raise Fault(f"{where}, passing: passes are given for {len(hand.passes)} seats, not {players}")
        for seat, cards in enumerate(hand.passes):
            if cards is not None:
                self.take(self.pass_turn(Seat(seat), cards, where), f"{where}, passing")

    def pass_turn(self, seat: Seat, cards: tuple[Card, ...], where: str) -> Pass:
        try:
            return Pass(seat, Cards.of(cards))
        except ValueError as error:
            raise Fault(f"{where}, passing: seat {seat} may not pass {cards_text(cards)}: {error}") from error

    def plays(self, hand: RecordedHand, where: str) -> Iterator[Event]:
        """The plays of a hand, up to its last trick."""
        if hand.plays and self.game.stage is Stage.PASS:
            waiting = " and ".join(f"seat {seat}" for seat in self.game.to_act)
            raise Fault(f"{where}, trick 1: {card_text(hand.plays[0])} is played before {waiting} passed")
        for card in hand.plays:
            if self.game.stage is not Stage.PLAY:
                break
            before = self.game
            seat = before.to_act[0]
            self.take(Play(seat, card), f"{where}, trick {before.trick}")
            yield _play_event(before, Play(seat, card))
            if len(self.game.won) > len(before.won):
                yield _trick_event(self.game)

    def moon(self, hand: RecordedHand, where: str) -> None:
        if hand.moon is None:
            return
        if self.game.stage is not Stage.MOON:
            raise Fault(f"{where}: moon is given, but no choice of a shooter is due")
        self.take(Moon(self.game.to_act[0], hand.moon), where)

    def nothing_after(self, hand: RecordedHand, where: str) -> None:
        extra = hand.plays[len(self.game.plays) :]
        if extra:
            raise Fault(f"{where}: {cards_text(extra[:1])} is played after the last trick")


def _deal_event(game: Game) -> Event:
    assert game.deal is not None
    return {"event": "deal", "hand": game.hand, "dealer": game.deal.dealer, "pass": str(direction_now(game))}


def _play_event(before: Game, turn: Play) -> Event:
    return {
        "event": "play",
        "hand": before.hand,
        "trick": before.trick,
        "seat": turn.seat,
        "card": card_text(turn.card),
        "legal": _legal_codes(before),
    }


def _legal_codes(game: Game) -> list[str]:
    """The cards that the seat at turn may play."""
    return list(map(card_text, legal(game, game.to_act[0])))


def _trick_event(game: Game) -> Event:
    """The event of the trick that has just been finished."""
    trick = game.tricks[-1]
    return {
        "event": "trick",
        "hand": game.hand,
        "trick": len(game.won),
        "winner": trick.winner,
        "cards": cards_text(trick.cards),
    }


def _hand_event(score: HandScore) -> Event:
    return {
        "event": "hand",
        "hand": score.number,
        "taken": list(score.taken),
        "moon": score.moon,
        "points": list(score.points),
        "totals": list(score.totals),
    }


def _game_event(game: Game) -> Event:
    return {**_totals(game), **_awaited(game)}


def _cycle_event(cycle: Cycle) -> Event:
    """The same for hands side by side: each that waits for a seat is listed."""
    waiting = [{"hand": game.hand, **_awaited(game)} for game in cycle.open_hands]
    return {**_totals(cycle.hands[0]), "stage": str(cycle.stage), "open": waiting}


def _totals(game: Game) -> Event:
    return {
        "event": "game",
        "hands": len(game.scores),
        "over": game.stage is Stage.OVER,
        "totals": list(game.totals),
        "winners": list(game.winners),
    }


def _awaited(game: Game) -> Event:
    event: Event = {"stage": str(game.stage), "to_act": list(game.to_act)}
    return {**event, "legal": _legal_codes(game)} if game.stage is Stage.PLAY else event
