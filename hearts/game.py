"""A game as a fold over its turns: `apply`, `replay`, and what may be asked of a game at any time.

A `Game` is never changed: `apply` answers with a new one, which shares what stayed the same. The rules themselves stand in
`deal`, `play` and `score`; what one seat may see of a game in `view`.
"""

from collections.abc import Iterable
from enum import StrEnum
from functools import reduce
from typing import assert_never

from hearts.cards import NONE, Card, Cards, Suit, card_text, in_suit, suit
from hearts.deal import Direction, cards_each, dealer_after, direction, kitty_size, pack, receiver
from hearts.play import (
    Law,
    Steps,
    Trick,
    law,
    low_club_step,
    may_play,
    refusal,
    steps_to_follow,
    winner,
)
from hearts.rules import MoonScoring, Opening, Rules
from hearts.score import HandScore, Outcome, hand_score, is_over, lowest_sides, outcome, smart_choice
from hearts.seats import Seat, every_seat, left
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play, Turn


class IllegalTurn(ValueError):
    """A turn that the rules refuse; the sentence says whose and why."""


class Stage(StrEnum):
    """What a game waits for."""

    DEAL = "deal"
    PASS = "pass"
    PLAY = "play"
    MOON = "moon"
    OVER = "over"


class Game:
    """A game under `rules`, before its first deal; `apply` makes all others. Treat every attribute as read-only.

    What belongs to a hand (`deal`, `passes`, `held`, `plays`, …) stays as it was when the hand ended until the next is dealt.
    """

    __slots__ = (
        "allowed",
        "broken",
        "deal",
        "hand",
        "held",
        "law",
        "leader",
        "opener",
        "passes",
        "plays",
        "rules",
        "scores",
        "stage",
        "to_act",
        "won",
    )

    rules: Rules
    law: Law
    scores: tuple[HandScore, ...]
    """The finished hands."""
    stage: Stage
    to_act: tuple[Seat, ...]
    """The seats that are awaited: none before a deal and when the game is over."""
    hand: int
    """The number of the hand, from 1; 0 before the first deal."""
    deal: Deal | None
    passes: tuple[Cards | None, ...]
    """By seat, what it gave away; None for a seat that has not chosen, and where nothing is passed."""
    held: tuple[Cards, ...]
    """By seat, what it holds; while cards are passed, what it was dealt."""
    opener: Seat | None
    """Who leads, or led, the first trick."""
    leader: Seat | None
    """Who leads, or led, the trick being played."""
    plays: tuple[Card, ...]
    """Every card of this hand in the order played."""
    won: tuple[Seat | None, ...]
    """The winners of this hand's finished tricks; None where nobody won."""
    broken: bool
    """Whether hearts are broken."""
    allowed: Cards
    """What the seat awaited to play may play."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.law = law(rules)
        self.scores = ()
        self.stage = Stage.DEAL
        self.to_act = ()
        self.hand = 0
        self.deal = None
        self.passes = ()
        self.held = ()
        self.opener = None
        self.leader = None
        self.plays = ()
        self.won = ()
        self.broken = False
        self.allowed = NONE

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and all(getattr(self, name) == getattr(other, name) for name in Game.__slots__)

    __hash__ = None  # type: ignore[assignment]  # a game is compared in tests, and never a key

    @property
    def totals(self) -> tuple[int, ...]:
        """By side, after the finished hands."""
        return self.scores[-1].totals if self.scores else (0,) * self.rules.sides

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides that won; none before the game is over."""
        return lowest_sides(self.totals) if self.stage is Stage.OVER else ()

    @property
    def trick(self) -> int:
        """The number of the trick being played, or to be played first, from 1; the last one's after it; 0 before the first deal."""
        return min(len(self.won) + 1, cards_each(self.rules)) if self.deal else 0

    @property
    def on_table(self) -> tuple[Card, ...]:
        """The cards of the trick being played."""
        return self.plays[len(self.won) * self.rules.players :]

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The finished tricks of this hand."""
        finished: list[Trick] = []
        players, leader = self.rules.players, self.opener
        for number, won_by in enumerate(self.won):
            assert leader is not None
            finished.append(Trick(leader, self.plays[number * players : (number + 1) * players], won_by))
            leader = leader if won_by is None else won_by
        return tuple(finished)


def replay(rules: Rules, turns: Iterable[Turn]) -> Game:
    """The game that these turns make. Raises IllegalTurn."""
    return reduce(apply, turns, Game(rules))


def apply(game: Game, turn: Turn) -> Game:
    """The game after `turn`; `game` itself stays as it was. Raises IllegalTurn where the rules refuse."""
    match turn:
        case Play():
            return _play(game, turn)
        case Pass():
            return _pass(game, turn)
        case Deal():
            return _deal(game, turn)
        case Moon():
            return _moon(game, turn)
        case _:
            assert_never(turn)


def legal(game: Game, seat: Seat) -> Cards:
    """The cards that `seat` may play now, each face once; none if it is not awaited to play."""
    return game.allowed if seat in game.to_act else NONE


def why_not(game: Game, seat: Seat, card: Card) -> str | None:
    """Why `seat` may not play `card` now, said to its player (`you can follow clubs`); None if it may."""
    reason = _why_not(game, seat, card)
    return reason and reason.format(who="you", whose="your")


def why_not_pass(game: Game, seat: Seat, cards: Cards) -> str | None:
    """Why `seat` may not pass these cards now, said to its player; None if it may."""
    reason = _why_not_pass(game, seat, cards)
    return reason and reason.format(who="you", whose="your")


def direction_now(game: Game) -> Direction:
    """Where the passed cards of this hand go; `keep` before the first deal."""
    return direction(game.rules, game.hand) if game.hand else Direction.KEEP


def _copy(game: Game) -> Game:
    """A game to be given new attributes before anybody sees it."""
    new = object.__new__(Game)
    for name in Game.__slots__:
        setattr(new, name, getattr(game, name))
    return new


def _deal(game: Game, turn: Deal) -> Game:
    if reason := _why_not_deal(game, turn):
        raise IllegalTurn(reason)
    new = _copy(game)
    new.hand = game.hand + 1
    new.deal = turn
    new.passes = (None,) * game.rules.players
    new.held = turn.held
    new.opener = None
    new.leader = None
    new.plays = ()
    new.won = ()
    new.broken = False
    if direction_now(new) is Direction.KEEP:
        return _open(new)
    new.stage = Stage.PASS
    new.to_act = every_seat(game.rules.players)
    return new


def _why_not_deal(game: Game, turn: Deal) -> str | None:
    rules = game.rules
    if game.stage is not Stage.DEAL:
        over = game.stage is Stage.OVER
        return f"the game ended with hand {game.hand}" if over else f"hand {game.hand} is not finished"
    if not 0 <= turn.dealer < rules.players:
        return f"seat {turn.dealer} may not deal: there are seats 0 to {rules.players - 1}"
    if game.deal and turn.dealer != (due := dealer_after(game.deal.dealer, rules)):
        return f"seat {turn.dealer} may not deal: it is the deal of seat {due}"
    return _why_not_cards(rules, turn)


def _why_not_cards(rules: Rules, turn: Deal) -> str | None:
    """Why the cards of a deal are not the pack, dealt out evenly."""
    if len(turn.held) != rules.players:
        return f"{len(turn.held)} hands are dealt to {rules.players} players"
    each, over = cards_each(rules), kitty_size(rules)
    for seat, held in enumerate(turn.held):
        if len(held) != each:
            return f"seat {seat} is dealt {len(held)} cards, not {each}"
    if len(turn.kitty) != over:
        return f"{len(turn.kitty)} cards are left over, not {over}"
    wanted = pack(rules)
    for card in Cards.parse(str(wanted)).faces():
        dealt = sum(cards.count(card) for cards in (*turn.held, turn.kitty))
        if dealt != wanted.count(card):
            return f"the cards dealt are not the pack: {card_text(card)} is there {dealt} times, not {wanted.count(card)}"
    return None


def _pass(game: Game, turn: Pass) -> Game:
    if reason := _why_not_pass(game, turn.seat, turn.cards):
        said = reason.format(who="it", whose="its")
        raise IllegalTurn(f"seat {turn.seat} may not pass {turn.cards}: {said}")
    new = _copy(game)
    new.passes = (*game.passes[: turn.seat], turn.cards, *game.passes[turn.seat + 1 :])
    new.to_act = tuple(seat for seat in game.to_act if seat != turn.seat)
    if new.to_act:
        return new
    return _exchange(new)


def _why_not_pass(game: Game, seat: Seat, cards: Cards) -> str | None:
    if game.stage is not Stage.PASS:
        return "nothing is passed now"
    if seat not in game.to_act:
        return "{who} passed already" if 0 <= seat < game.rules.players else "there is no such seat"
    if missing := cards - game.held[seat]:
        return f"{missing} is not in {{whose}} hand"
    if len(cards) != game.rules.pass_count:
        return f"exactly {game.rules.pass_count} cards are passed, not {len(cards)}"
    return None


def _exchange(new: Game) -> Game:
    """Everybody has chosen: the cards change hands, and the play opens."""
    to = direction_now(new)
    held = list(new.held)
    for seat, given in enumerate(new.passes):
        assert given is not None
        held[seat] -= given
        held[receiver(Seat(seat), to, len(held))] += given
    new.held = tuple(held)
    return _open(new)


def _open(new: Game) -> Game:
    """The play opens: somebody is awaited to lead to the first trick."""
    new.stage = Stage.PLAY
    new.opener = _opener(new)
    return _await_lead(new, new.opener)


def _opener(game: Game) -> Seat:
    assert game.deal is not None
    if game.rules.opening is Opening.ELDEST:
        return left(game.deal.dealer, game.rules.players)
    lowest = _lowest_club(game)
    return next(Seat(seat) for seat, held in enumerate(game.held) if lowest in held)


def _lowest_club(game: Game) -> Card:
    """The lowest club dealt to any hand."""
    assert game.deal is not None
    clubs = in_suit(Suit.CLUBS)
    return min(card for held in game.deal.held for card in held & clubs)


def _await_lead(new: Game, leader: Seat) -> Game:
    new.leader = leader
    new.to_act = (leader,)
    new.allowed = may_play(new.held[leader], _steps(new))
    return new


def _steps(game: Game) -> Steps:
    """The steps of the seat that is awaited to play."""
    first = not game.won
    if cards := game.on_table:
        discard = (game.law.first_discard if first else game.law.discard)[game.broken]
        return steps_to_follow(game.held[game.to_act[0]], suit(cards[0]), discard)
    if not first:
        return game.law.lead[game.broken]
    if game.rules.opening is Opening.LOW_CLUB:
        return (low_club_step(_lowest_club(game)),)
    return game.law.open


def _why_not(game: Game, seat: Seat, card: Card) -> str | None:
    if game.stage is not Stage.PLAY:
        return "no card is played now"
    if seat not in game.to_act:
        return f"seat {game.to_act[0]} plays now"
    held = game.held[seat]
    return refusal(held, _steps(game), card) if card in held else "{who} does not hold it"


def _play(game: Game, turn: Play) -> Game:
    seat, card = turn.seat, turn.card
    if seat not in game.to_act or card not in game.allowed:
        reason = _why_not(game, seat, card)
        assert reason is not None
        raise IllegalTurn(f"seat {seat} may not play {card_text(card)}: {reason.format(who='it', whose='its')}")
    new = _copy(game)
    new.held = (*game.held[:seat], game.held[seat].without(card), *game.held[seat + 1 :])
    new.plays = (*game.plays, card)
    breaking = game.law.follow_breaks if game.on_table else game.law.lead_breaks
    new.broken = game.broken or card in breaking
    if len(new.plays) % game.rules.players:
        new.to_act = (left(seat, game.rules.players),)
        new.allowed = may_play(new.held[new.to_act[0]], _steps(new))
        return new
    return _finish_trick(new)


def _finish_trick(new: Game) -> Game:
    assert new.leader is not None
    players = new.rules.players
    place = winner(new.plays[-players:], new.rules)
    won_by = None if place is None else Seat((new.leader + place) % players)
    new.won = (*new.won, won_by)
    if any(new.held):
        return _await_lead(new, new.leader if won_by is None else won_by)
    return _finish_hand(new)


def _finish_hand(new: Game) -> Game:
    new.allowed = NONE
    hand = _outcome(new)
    if hand.shooter is not None and new.rules.moon is MoonScoring.CHOICE:
        new.stage = Stage.MOON
        new.to_act = (hand.shooter,)
        return new
    return _score(new, hand_score(hand))


def _outcome(game: Game) -> Outcome:
    assert game.deal is not None
    return outcome(game.rules, game.hand, game.deal.dealer, game.totals, game.tricks, game.deal.kitty)


def _score(new: Game, score: HandScore) -> Game:
    new.scores = (*new.scores, score)
    new.stage = Stage.OVER if is_over(new.rules, score.totals) else Stage.DEAL
    new.to_act = ()
    return new


def _moon(game: Game, turn: Moon) -> Game:
    if game.stage is not Stage.MOON or turn.seat not in game.to_act:
        raise IllegalTurn(f"seat {turn.seat} may not choose how a moon counts: no choice of its own is due")
    return _score(_copy(game), hand_score(_outcome(game), turn.choice))


def moon_scores(game: Game) -> dict[MoonChoice, HandScore]:
    """What the hand comes to by each choice of the shooter who is awaited; empty where none is."""
    if game.stage is not Stage.MOON:
        return {}
    return {choice: hand_score(_outcome(game), choice) for choice in MoonChoice}


def smart_moon(game: Game) -> MoonChoice:
    """What an overdue choice of the shooter comes to; at stage `moon` only."""
    return smart_choice(game.rules, moon_scores(game)[MoonChoice.ADD])
