"""A game as a fold over its turns: `apply` and `replay`, and what is legal at any time.

`play` says which cards may be played and who wins a trick, `score` scores a hand, `deal` deals.
"""

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import assert_never

from hearts.cards import NONE, ONE, SUIT_MASK, TWICE, Card, Cards, card_text, lowest, suit
from hearts.deal import Direction, dealer_after, direction, receiver, why_not_dealt
from hearts.play import FOLLOW, OPEN_LOW_CLUB, Steps, Why, may_play_mask, refusal, winner
from hearts.rules import MoonScoring, Opening, Rules
from hearts.score import HandOutcome, HandScore, hand_score, is_over, outcome
from hearts.seats import Seat, every_seat, left
from hearts.state import Game as Game
from hearts.state import Stage as Stage
from hearts.state import new_game as new_game
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play, Turn
from hearts.words import Sentence, later, later_many


class IllegalTurn(ValueError):
    """The rules refuse a turn; the sentence says whose and why."""


def replay(rules: Rules, turns: Iterable[Turn]) -> Game:
    """The game after these turns. Raises IllegalTurn."""
    return reduce(apply, turns, new_game(rules))


def replay_hand(rules: Rules, number: int, turns: Iterable[Turn]) -> Game:
    """A game made from the turns of hand `number` alone, to see whose turn it is, and to do what.

    It knows nothing of earlier hands, so its totals, and whether it is over, mean nothing. Raises IllegalTurn.
    """
    begun = new_game(rules)
    begun.hand = number - 1
    return reduce(apply, turns, begun)


def apply(game: Game, turn: Turn) -> Game:
    """The game after `turn`; `game` itself does not change. Raises IllegalTurn if the rules refuse the turn."""
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
    """The cards that `seat` may play now, each face once; empty if it is not its turn to play."""
    return Cards(game.allowed_mask) if seat in game.to_act else NONE


def why_not(game: Game, seat: Seat, card: Card) -> Sentence | None:
    """Why `seat` may not play `card` now, in a sentence to its player (`You must follow clubs.`); None if it may."""
    why = _why_not_play(game, seat, card)
    return None if why is None else why.to_player


def why_not_pass(game: Game, seat: Seat, cards: Cards) -> Sentence | None:
    """Why `seat` may not pass these cards now, in a sentence to its player; None if it may."""
    why = _why_not_pass(game, seat, cards)
    return None if why is None else why.to_player


def direction_now(game: Game) -> Direction:
    """The direction of this hand's pass; `keep` before the first deal."""
    return direction(game.rules, game.hand) if game.hand else Direction.KEEP


def next_dealer(game: Game) -> Seat | None:
    """The dealer of the next hand; None before the first deal, when chance decides."""
    scored = game.scores[-1].dealer if game.scores else None  # all that is known of a hand whose cards are not
    last = game.deal.dealer if game.deal else scored
    return None if last is None else dealer_after(last, game.rules)


def moon_scores(game: Game) -> dict[MoonChoice, HandScore]:
    """The score of the hand for each choice of the shooter; empty if no shooter has to choose now."""
    if game.stage is not Stage.MOON:
        return {}
    hand = _outcome(game)
    return {choice: hand_score(hand, choice) for choice in MoonChoice}


def decided_score(game: Game, choice: MoonChoice | None) -> HandScore:
    """The score of a hand whose tricks are all played; `choice` is the shooter's, if the rules leave it to the shooter.

    Raises ValueError if it is needed and missing.
    """
    return hand_score(_outcome(game), choice)


def _deal(game: Game, turn: Deal) -> Game:
    if reason := _why_not_deal(game, turn):
        raise IllegalTurn(reason)
    new = game.copy()
    new.hand = game.hand + 1
    new.deal = turn
    new.opener = None
    new.leader = None
    new.led_mask = 0
    new.on_table = ()
    new.gathered = ()
    new.won = ()
    new.allowed_mask = 0
    new.broken = False
    new.passes = (None,) * game.rules.players
    new.held_masks = tuple(held.mask for held in turn.held)
    if direction_now(new) is Direction.KEEP:
        return _open(new)
    new.stage = Stage.PASS
    new.to_act = every_seat(game.rules.players)
    return new


def _why_not_deal(game: Game, turn: Deal) -> str | None:
    if game.stage is Stage.OVER:
        return f"the game ended with hand {game.hand}"
    if game.stage is not Stage.DEAL:
        return f"hand {game.hand} is not finished"
    if (due := next_dealer(game)) is not None and turn.dealer != due:
        return f"seat {turn.dealer} may not deal: it is the deal of seat {due}"
    return why_not_dealt(game.rules, turn)


def _pass(game: Game, turn: Pass) -> Game:
    if why := _why_not_pass(game, turn.seat, turn.cards):
        raise IllegalTurn(f"seat {turn.seat} may not pass {turn.cards}: {why.of_seat}")
    new = game.copy()
    new.passes = (*game.passes[: turn.seat], turn.cards, *game.passes[turn.seat + 1 :])
    waiting = list(game.to_act)
    waiting.remove(turn.seat)
    new.to_act = tuple(waiting)
    return new if waiting else _exchange(new)


def _why_not_pass(game: Game, seat: Seat, cards: Cards) -> Why | None:
    if game.stage is not Stage.PASS:
        return Why("nothing is passed now", later("Nothing is passed now."))
    if seat not in every_seat(game.rules.players):
        return Why("there is no such seat", later("There is no such seat."))
    if seat not in game.to_act:
        return Why("it passed already", later("You passed already."))
    held = Cards(game.held_masks[seat])
    if cards.mask & ~held.mask:
        return _not_held(str(cards - held))
    if len(cards) != game.rules.pass_count:
        wanted, given = game.rules.pass_count, len(cards)
        to_player = later("Exactly {wanted} cards are passed, not {given}.", wanted=wanted, given=given)
        return Why(f"exactly {wanted} cards are passed, not {given}", to_player)
    return None


def _exchange(new: Game) -> Game:
    """Hands the passed cards over, which all have chosen, and opens the play."""
    players = new.rules.players
    steps = receiver(Seat(0), direction_now(new), players)
    held = new.held
    received = [new.passes[(seat - steps) % players] or NONE for seat in range(players)]
    kept = [cards - (given or NONE) for cards, given in zip(held, new.passes, strict=True)]
    new.held_masks = tuple([(mine + others).mask for mine, others in zip(kept, received, strict=True)])
    return _open(new)


def _open(new: Game) -> Game:
    """Opens the play: one seat has to lead to the first trick."""
    new.stage = Stage.PLAY
    new.opener = _opener(new)
    return _await_lead(new, new.opener)


def _opener(game: Game) -> Seat:
    assert game.deal is not None
    if game.rules.opening is Opening.ELDEST:
        return left(game.deal.dealer, game.rules.players)
    one = ONE[_lowest_club(game)]
    return next(Seat(seat) for seat, held_mask in enumerate(game.held_masks) if held_mask & one)


def _lowest_club(game: Game) -> Card:
    """The lowest club in any hand before the first lead; clubs are the lowest suit, so it is the lowest card."""
    return lowest(reduce(or_, game.held_masks))


def _await_lead(new: Game, leader: Seat) -> Game:
    new.leader = leader
    new.led_mask = 0
    new.to_act = (leader,)
    new.allowed_mask = may_play_mask(new.held_masks[leader], _steps(new))
    return new


def _steps(game: Game) -> Steps:
    """The steps for the seat at turn."""
    if not game.led_mask:
        return game.law.lead[game.broken] if game.won else _steps_to_open(game)
    if game.held_masks[game.to_act[0]] & game.led_mask:
        return FOLLOW[suit(game.on_table[0])]
    return _steps_to_discard(game)


def _steps_to_discard(game: Game) -> Steps:
    return (game.law.discard if game.won else game.law.first_discard)[game.broken]


def _steps_to_open(game: Game) -> Steps:
    return OPEN_LOW_CLUB[_lowest_club(game)] if game.rules.opening is Opening.LOW_CLUB else game.law.open


def _why_not_play(game: Game, seat: Seat, card: Card) -> Why | None:
    if game.stage is not Stage.PLAY:
        return Why("no card is played now", later("No card is played now."))
    if seat not in game.to_act:
        other = game.to_act[0]
        return Why(f"it is the turn of seat {other}", later("It is the turn of seat {seat}.", seat=other))
    held = Cards(game.held_masks[seat])
    return refusal(held, _steps(game), card) if card in held else _not_held(card_text(card))


def _not_held(codes: str) -> Why:
    return Why(
        f"{codes} is not in its hand",
        later_many(len(codes.split()), "{cards} is not in your hand.", "{cards} are not in your hand.", cards=codes),
    )


def _play(game: Game, turn: Play) -> Game:
    # This does not call `_copy`, and it uses masks, because plays are applied by the million.
    seat, card = turn.seat, turn.card
    one = ONE[card]
    if not game.allowed_mask & one or seat not in game.to_act:
        why = _why_not_play(game, seat, card)
        assert why is not None
        raise IllegalTurn(f"seat {seat} may not play {card_text(card)}: {why.of_seat}")
    new = object.__new__(Game)
    new.law = law = game.law
    new.scores = game.scores
    new.stage = game.stage
    new.hand = game.hand
    new.deal = game.deal
    new.passes = game.passes
    new.opener = game.opener
    new.leader = leader = game.leader
    new.gathered = game.gathered
    new.won = game.won
    held_masks = list(game.held_masks)
    held_masks[seat] ^= held_masks[seat] & TWICE[card] or one
    new.held_masks = tuple(held_masks)
    led_mask = game.led_mask
    if led_mask:
        new.on_table = game.on_table + (card,)  # noqa: RUF005  # twice as fast as unpacking
        new.broken = game.broken or law.follow_breaks_mask & one != 0
    else:
        led_mask = SUIT_MASK[card]
        new.on_table = (card,)
        new.broken = game.broken or law.lead_breaks_mask & one != 0
    new.led_mask = led_mask
    following = (seat + 1) % len(held_masks)
    if following == leader:
        return _finish_trick(new)
    held_mask = held_masks[following]
    new.to_act = (Seat(following),)
    new.allowed_mask = held_mask & led_mask or may_play_mask(held_mask, _steps_to_discard(new))
    return new


def _finish_trick(new: Game) -> Game:
    assert new.leader is not None
    place = winner(new.on_table, new.law.rules)
    if place is None:
        new.won += (None,)
    else:
        new.leader = Seat((new.leader + place) % len(new.held_masks))
        new.won += (new.leader,)
    new.gathered += (new.on_table,)
    new.on_table = ()
    return _await_lead(new, new.leader) if new.held_masks[0] else _finish_hand(new)


def _finish_hand(new: Game) -> Game:
    new.allowed_mask = 0
    hand = _outcome(new)
    if hand.shooter is not None and new.rules.moon is MoonScoring.CHOICE:
        new.stage = Stage.MOON
        new.to_act = (hand.shooter,)
        return new
    return _score(new, hand_score(hand))


def _outcome(game: Game) -> HandOutcome:
    assert game.deal is not None
    return outcome(game.rules, game.hand, game.totals, game.deal, game.plays, game.won)


def _score(new: Game, score: HandScore) -> Game:
    new.scores = (*new.scores, score)
    new.stage = Stage.OVER if is_over(new.rules, score.number, score.totals) else Stage.DEAL
    new.to_act = ()
    return new


def _moon(game: Game, turn: Moon) -> Game:
    if game.stage is not Stage.MOON or turn.seat not in game.to_act:
        raise IllegalTurn(f"seat {turn.seat} may not choose how a moon counts: no choice of its own is due")
    return _score(game.copy(), hand_score(_outcome(game), turn.choice))
