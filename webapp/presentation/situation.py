"""The situation of one player in a hand as text: subject, headline, how it came about, and the options."""

from collections.abc import Sequence
from dataclasses import dataclass

from hearts.cards import HEARTS, in_suit, suit
from hearts.deal import Direction, receiver
from hearts.game import Stage
from hearts.rules import Passing, When
from hearts.seats import Seat, every_seat
from hearts.view import View
from webapp.presentation.faces import suit_word
from webapp.presentation.phrasing import by_number, counted, listed, number_word, shortened, some_cards
from webapp.presentation.tricks import Laid, TrickSheet

_WAYS = {
    Direction.LEFT: "Hand {hand} passes to the left.",
    Direction.RIGHT: "Hand {hand} passes to the right.",
    Direction.ACROSS: "Hand {hand} passes across.",
}


@dataclass(frozen=True, slots=True)
class SituationText:
    subject: str
    mail_subject: str  # the same to follow the name of the table and a colon
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
    awaited = listed([names[seat] for seat in view.to_act])
    match view.stage:
        case Stage.PASS:
            headline, situation = f"Hand {view.hand}: cards are passed", f"You have chosen. Waiting for {awaited}."
        case Stage.PLAY if trick is not None:
            headline = f"Hand {view.hand}, trick {trick.number}"
            situation = " ".join(_trick_so_far(trick)) or f"Waiting for {awaited}."
        case Stage.MOON:
            headline = f"Hand {view.hand}: a moon was shot"
            situation = f"Waiting for {awaited} to say how it counts."
        case Stage.DONE:
            headline, situation = f"Hand {view.hand} is over", "The hands beside it are still being played."
        case Stage.OVER:
            headline, situation = "The game is over", "Every hand is played."
        case _:
            headline, situation = "The next hand", "The next hand is about to be dealt."
    return SituationText(headline, headline, headline, situation, situation)


def _of_a_pass(view: View, names: Sequence[str]) -> SituationText:
    to, giver = passes_to(view), gets_from(view)
    assert to is not None
    assert giver is not None
    cards, back = some_cards(view.rules.pass_count), _what_comes_back(view, names[giver], is_same=giver == to)
    situation = f"{_WAYS[view.direction].format(hand=view.hand)} {back}"
    return SituationText(
        subject=f"Pass {cards} to {shortened(names[to])}",
        mail_subject=f"Pass {cards} to {shortened(names[to])}",
        headline=f"Pass {cards} to {names[to]}",
        preheader=situation,
        situation=situation,
        choice=f"Choose exactly {cards}.",
    )


def _what_comes_back(view: View, giver: str, *, is_same: bool) -> str:
    """Says how many cards `giver` passes to the reader; `is_same`: `giver` also gets the reader's cards."""
    cards = some_cards(view.rules.pass_count)
    return f"{giver} passes you {cards}, too." if is_same else f"{giver} passes you {cards}."


def _of_a_moon(view: View) -> SituationText:
    worth = view.rules.pack_total
    return SituationText(
        subject="You shot the moon: say how it counts",
        mail_subject="You shot the moon, say how it counts",
        headline="You shot the moon!",
        preheader=f"{worth} points for everybody else, or {worth} off for you?",
        situation=f"Every penalty card of hand {view.hand} is yours. Now say how it counts.",
    )


def _of_a_lead(view: View, trick: TrickSheet) -> SituationText:
    before = view.tricks[-1].winner if view.tricks else None
    if not view.tricks:
        situation = " ".join([f"You open hand {view.hand}.", *_no_pass(view)])
    elif before == view.seat:
        situation = "You won the last trick."
    else:
        situation = "Nobody won the last trick, so you lead again."
    barred = view.rules.hearts_lead is When.AFTER_BROKEN and bool(view.tricks)
    hearts = ("Hearts are broken." if view.broken else "Hearts are not broken yet.") if barred else ""
    return SituationText(
        subject=f"Your turn: you lead trick {trick.number}",
        mail_subject=f"Your turn, you lead trick {trick.number}",
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
    return SituationText(
        subject=f"Your turn: trick {trick.number}, {trick.led} led",
        mail_subject=f"Your turn, trick {trick.number}, {trick.led} led",
        headline=f"Trick {trick.number}, {trick.led} led",
        preheader=_worth_playing_to(trick),
        situation=" ".join([*_no_pass(view), *_trick_so_far(trick)]),
        choice=_how_to_follow(view, suit_word(led), can_follow=bool(view.held & in_suit(led))),
    )


def _worth_playing_to(trick: TrickSheet) -> str:
    """Says who is winning the trick and how many points are in it; the subject says the rest."""
    best = next((laid for laid in trick.laid if laid.wins), None)
    if best is None:
        return (
            f"Nobody is winning: {counted(trick.points, 'point')}." if trick.points else "Nobody is winning: no points."
        )
    return _winning(best, counted(trick.points, "point") if trick.points else "no points")


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


def _no_pass(view: View) -> list[str]:
    """Says in the first trick that this hand has no pass, where others of the game have one."""
    is_unusual = view.direction is Direction.KEEP and view.rules.passing is not Passing.NONE
    return ["Nobody passes in this hand."] if is_unusual and not view.tricks else []


def _trick_so_far(trick: TrickSheet) -> list[str]:
    """The trick so far, in sentences: who led, who is winning, how many points are in it."""
    if not trick.laid:
        return []
    lead = trick.laid[0]
    sentences = [f"{lead.name} led {lead.face.text}."]
    best = next((laid for laid in trick.laid if laid.wins), None)
    worth = counted(trick.points, "point")
    if best is None:
        sentences.append(f"Nobody is winning: {worth}." if trick.points else "Nobody is winning.")
    elif best is not lead:
        sentences.append(_winning(best, worth) if trick.points else _winning_so_far(best))
    elif trick.points:
        sentences.append(by_number(trick.points, "1 point so far.", f"{trick.points} points so far."))
    return sentences


def _winning(best: Laid, worth: str) -> str:
    card = best.face.text
    return f"You are winning with {card}: {worth}." if best.is_you else f"{best.name} is winning with {card}: {worth}."


def _winning_so_far(best: Laid) -> str:
    """The same while there are no points in the trick."""
    card = best.face.text
    return f"You are winning with {card}." if best.is_you else f"{best.name} is winning with {card}."
