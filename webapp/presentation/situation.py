"""The situation of one player in a hand as text: subject, headline, how it came about, and the options."""

from collections.abc import Sequence
from dataclasses import dataclass

from hearts.cards import HEARTS, in_suit, suit
from hearts.deal import Direction, receiver
from hearts.game import Stage
from hearts.rules import When
from hearts.seats import Seat, every_seat
from hearts.view import View
from webapp.presentation.faces import suit_word
from webapp.presentation.phrasing import counted, listed, number_word, shortened
from webapp.presentation.tricks import TrickSheet


@dataclass(frozen=True, slots=True)
class SituationText:
    subject: str
    headline: str
    preheader: str
    situation: str
    choice: str = ""


def situation_text(view: View, names: Sequence[str], trick: TrickSheet | None) -> SituationText:
    """The situation of the view's player; `names` are by seat, `trick` is the present one, if there is one."""
    if view.seat not in view.to_act:
        return _of_others(view, names, trick)
    if view.stage is Stage.PASS:
        return _of_a_pass(view, names)
    if view.stage is Stage.MOON:
        return _of_a_moon(view)
    assert trick is not None  # it is somebody's turn to play to it
    return _of_a_lead(view, trick) if trick.led is None else _of_a_trick(view, trick)


def passes_to(view: View) -> Seat | None:
    """The seat to which this one passes; None if nothing is passed in this hand."""
    if view.hand == 0 or view.direction is Direction.KEEP:
        return None
    return receiver(view.seat, view.direction, view.rules.players)


def gets_from(view: View) -> Seat | None:
    """The seat that passes to this one; None if nothing is passed in this hand."""
    if view.hand == 0 or view.direction is Direction.KEEP:
        return None
    players = view.rules.players
    return next(giver for giver in every_seat(players) if receiver(giver, view.direction, players) == view.seat)


def _of_others(view: View, names: Sequence[str], trick: TrickSheet | None) -> SituationText:
    """The text for a player whose turn it is not."""
    awaited = f"Waiting for {listed([names[seat] for seat in view.to_act])}."
    match view.stage:
        case Stage.PASS:
            headline, situation = f"Hand {view.hand}: cards are passed", f"You have chosen. {awaited}"
        case Stage.PLAY if trick is not None:
            headline, situation = f"Hand {view.hand}, trick {trick.number}", " ".join(_trick_so_far(trick)) or awaited
        case Stage.MOON:
            headline, situation = f"Hand {view.hand}: a moon was shot", f"{awaited[:-1]} to say how it counts."
        case Stage.OVER:
            headline, situation = "The game is over", "Every hand is played."
        case _:
            headline, situation = "The next hand", "The next hand is about to be dealt."
    return SituationText(headline, headline, situation, situation)


def _of_a_pass(view: View, names: Sequence[str]) -> SituationText:
    to, giver = passes_to(view), gets_from(view)
    assert to is not None
    assert giver is not None
    cards = f"{number_word(view.rules.pass_count)} {'card' if view.rules.pass_count == 1 else 'cards'}"
    back = f"{names[giver]} passes you {number_word(view.rules.pass_count)}{', too' if giver == to else ''}."
    ways = {Direction.LEFT: "to the left", Direction.RIGHT: "to the right", Direction.ACROSS: "across"}
    return SituationText(
        subject=f"Pass {cards} to {shortened(names[to])}",
        headline=f"Pass {cards} to {names[to]}",
        preheader=f"Hand {view.hand}: {back}",
        situation=f"Hand {view.hand} passes {ways[view.direction]}. {back}",
        choice=f"Choose exactly {cards}.",
    )


def _of_a_moon(view: View) -> SituationText:
    worth = view.rules.pack_total
    return SituationText(
        subject="You shot the moon: say how it counts",
        headline="You shot the moon!",
        preheader=f"{worth} points for everybody else, or {worth} off for you?",
        situation=f"Every penalty card of hand {view.hand} is yours. Now say how it counts.",
    )


def _of_a_lead(view: View, trick: TrickSheet) -> SituationText:
    before = view.tricks[-1].winner if view.tricks else None
    if not view.tricks:
        situation = f"You open hand {view.hand}."
    elif before == view.seat:
        situation = "You won the last trick."
    else:
        situation = "Nobody won the last trick, so you lead again."
    barred = view.rules.hearts_lead is When.AFTER_BROKEN and bool(view.tricks)
    hearts = ("Hearts are broken." if view.broken else "Hearts are not broken yet.") if barred else ""
    return SituationText(
        subject=f"Your turn: you lead trick {trick.number}",
        headline=f"You lead trick {trick.number}",
        preheader=f"{situation} {hearts}".strip(),
        situation=f"{situation} {hearts}".strip(),
        choice=_how_to_lead(view),
    )


def _how_to_lead(view: View) -> str:
    if view.legal == view.held:
        return "Your lead: any card."
    if view.legal == view.held - HEARTS:
        return "Your lead. No hearts yet."
    return f"Your lead: {_held_and_legal(view)} of your {len(view.held)} cards."


def _of_a_trick(view: View, trick: TrickSheet) -> SituationText:
    assert view.trick is not None
    led = suit(view.trick.cards[0])
    winning = f"{trick.winning.text} is winning" if trick.winning else "nobody is winning"
    worth = counted(trick.points, "point") if trick.points else "no points"
    return SituationText(
        subject=f"Your turn: trick {trick.number}, {trick.led} led",
        headline=f"Trick {trick.number}, {trick.led} led",
        preheader=f"{trick.led_symbol} led, {winning}, {worth} in the trick",
        situation=" ".join(_trick_so_far(trick)),
        choice=_how_to_follow(view, suit_word(led), can_follow=bool(view.held & in_suit(led))),
    )


def _how_to_follow(view: View, led: str, *, can_follow: bool) -> str:
    held, open_to = len(view.held), _held_and_legal(view)
    if can_follow:
        return f"Follow {led}."
    if open_to == held:
        return f"No {led}: play any card."
    return f"No {led}: play one of {number_word(open_to)}."


def _held_and_legal(view: View) -> int:
    """How many of the cards held may be played; equal cards count twice."""
    return sum(card in view.legal for card in view.held)


def _trick_so_far(trick: TrickSheet) -> list[str]:
    """The trick so far, in sentences: who led, who is winning, how many points are in it."""
    if not trick.laid:
        return []
    lead = trick.laid[0]
    sentences = [f"{lead.name} led {lead.face.text}."]
    best = next((laid for laid in trick.laid if laid.wins), None)
    worth = f": {counted(trick.points, 'point')}" if trick.points else ""
    if best is None:
        sentences.append(f"Nobody is winning{worth}.")
    elif best is not lead:
        verb = "are" if best.is_you else "is"
        sentences.append(f"{best.name} {verb} winning with {best.face.text}{worth}.")
    elif trick.points:
        sentences.append(f"{counted(trick.points, 'point').capitalize()} so far.")
    return sentences
