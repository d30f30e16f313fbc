"""The situation of one player in a hand as text: subject, headline, how it came about, and the options."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hearts.cards import HEARTS, Suit, in_suit, suit
from hearts.deal import Direction, receiver
from hearts.game import Stage
from hearts.rules import Passing, When
from hearts.seats import Seat, every_seat
from hearts.view import View
from webapp.core.say import later, say, say_many
from webapp.presentation.phrasing import listed, number_word, shortened, some_points
from webapp.presentation.tricks import Laid, TrickSheet

_WAYS: Final = {
    Direction.LEFT: later("Hand {hand} passes to the left."),
    Direction.RIGHT: later("Hand {hand} passes to the right."),
    Direction.ACROSS: later("Hand {hand} passes across."),
}
# By the suit that is led: what a subject says, what follows the name of a table and a colon, and the heading.
_LED: Final = {
    Suit.CLUBS: (
        later("Your turn: trick {trick}, clubs led"),
        later("Your turn, trick {trick}, clubs led"),
        later("Trick {trick}, clubs led"),
    ),
    Suit.DIAMONDS: (
        later("Your turn: trick {trick}, diamonds led"),
        later("Your turn, trick {trick}, diamonds led"),
        later("Trick {trick}, diamonds led"),
    ),
    Suit.SPADES: (
        later("Your turn: trick {trick}, spades led"),
        later("Your turn, trick {trick}, spades led"),
        later("Trick {trick}, spades led"),
    ),
    Suit.HEARTS: (
        later("Your turn: trick {trick}, hearts led"),
        later("Your turn, trick {trick}, hearts led"),
        later("Trick {trick}, hearts led"),
    ),
}
# For those who hold the suit that is led, who do not, and who may then not play every card.
_FOLLOW: Final = {
    Suit.CLUBS: (later("Follow clubs."), later("No clubs: play any card."), later("No clubs: play one of {cards}.")),
    Suit.DIAMONDS: (
        later("Follow diamonds."),
        later("No diamonds: play any card."),
        later("No diamonds: play one of {cards}."),
    ),
    Suit.SPADES: (
        later("Follow spades."),
        later("No spades: play any card."),
        later("No spades: play one of {cards}."),
    ),
    Suit.HEARTS: (
        later("Follow hearts."),
        later("No hearts: play any card."),
        later("No hearts: play one of {cards}."),
    ),
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
    return _of_a_trick(view, trick) if trick.laid else _of_a_lead(view, trick)


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
            headline = say("Hand {hand}: cards are passed", hand=view.hand)
            situation = say("You have chosen. Waiting for {names}.", names=awaited)
        case Stage.PLAY if trick is not None:
            headline = say("Hand {hand}, trick {trick}", hand=view.hand, trick=trick.number)
            situation = " ".join(_trick_so_far(trick)) or say("Waiting for {names}.", names=awaited)
        case Stage.MOON:
            headline = say("Hand {hand}: a moon was shot", hand=view.hand)
            situation = say("Waiting for {names} to say how it counts.", names=awaited)
        case Stage.DONE:
            headline = say("Hand {hand} is over", hand=view.hand)
            situation = say("The hands beside it are still being played.")
        case Stage.OVER:
            headline, situation = say("The game is over"), say("Every hand is played.")
        case _:
            headline, situation = say("The next hand"), say("The next hand is about to be dealt.")
    return SituationText(headline, headline, headline, situation, situation)


def _of_a_pass(view: View, names: Sequence[str]) -> SituationText:
    to, giver = passes_to(view), gets_from(view)
    assert to is not None
    assert giver is not None
    number, name = view.rules.pass_count, names[giver]
    word = number_word(number)
    if giver == to:
        back = say_many(
            number, "{name} passes you one card, too.", "{name} passes you {word} cards, too.", name=name, word=word
        )
    else:
        back = say_many(number, "{name} passes you one card.", "{name} passes you {word} cards.", name=name, word=word)
    situation = f"{say(_WAYS[view.direction], hand=view.hand)} {back}"
    subject = _pass_to(number, shortened(names[to]))
    return SituationText(
        subject=subject,
        mail_subject=subject,
        headline=_pass_to(number, names[to]),
        preheader=situation,
        situation=situation,
        choice=say_many(number, "Choose exactly one card.", "Choose exactly {word} cards.", word=word),
    )


def _pass_to(number: int, name: str) -> str:
    word = number_word(number)
    return say_many(number, "Pass one card to {name}", "Pass {word} cards to {name}", word=word, name=name)


def _of_a_moon(view: View) -> SituationText:
    worth = view.rules.pack_total
    return SituationText(
        subject=say("You shot the moon: say how it counts"),
        mail_subject=say("You shot the moon, say how it counts"),
        headline=say("You shot the moon!"),
        preheader=say_many(
            worth,
            "{number} point for everybody else, or {number} off for you?",
            "{number} points for everybody else, or {number} off for you?",
        ),
        situation=say("Every penalty card of hand {hand} is yours. Now say how it counts.", hand=view.hand),
    )


def _of_a_lead(view: View, trick: TrickSheet) -> SituationText:
    before = view.tricks[-1].winner if view.tricks else None
    if not view.tricks:
        situation = " ".join([say("You open hand {hand}.", hand=view.hand), *_no_pass(view)])
    elif before == view.seat:
        situation = say("You won the last trick.")
    else:
        situation = say("Nobody won the last trick, so you lead again.")
    barred = view.rules.hearts_lead is When.AFTER_BROKEN and bool(view.tricks)
    hearts = broken_text(is_broken=view.broken) if barred else ""
    if view.legal == view.held:
        choice = say("Your lead: any card.")
    elif view.legal == view.held - HEARTS:
        choice = say("Your lead. No hearts yet.")
    else:
        held, legal = len(view.held), _held_and_legal(view)
        choice = say_many(
            held, "Your lead: {legal} of your {number} card.", "Your lead: {legal} of your {number} cards.", legal=legal
        )
    return SituationText(
        subject=say("Your turn: you lead trick {trick}", trick=trick.number),
        mail_subject=say("Your turn, you lead trick {trick}", trick=trick.number),
        headline=say("You lead trick {trick}", trick=trick.number),
        preheader=f"{situation} {hearts}".strip(),
        situation=f"{situation} {hearts}".strip(),
        choice=choice,
    )


def broken_text(*, is_broken: bool) -> str:
    """Says whether a heart may be led."""
    return say("Hearts are broken.") if is_broken else say("Hearts are not broken yet.")


def _of_a_trick(view: View, trick: TrickSheet) -> SituationText:
    assert view.trick is not None
    led = suit(view.trick.cards[0])
    subject, mail_subject, headline = _LED[led]
    follow, any_card, some = _FOLLOW[led]
    open_to = _held_and_legal(view)
    if view.held & in_suit(led):
        choice = say(follow)
    elif open_to == len(view.held):
        choice = say(any_card)
    else:
        choice = say(some, cards=number_word(open_to))
    # Who is winning, and how many points are in it: the subject says the rest.
    best = next((laid for laid in trick.laid if laid.wins), None)
    if best is not None:
        preheader = _winning(best, some_points(trick.points) if trick.points else say("no points"))
    elif trick.points:
        preheader = _nobody_wins(some_points(trick.points))
    else:
        preheader = say("Nobody is winning: no points.")
    return SituationText(
        subject=say(subject, trick=trick.number),
        mail_subject=say(mail_subject, trick=trick.number),
        headline=say(headline, trick=trick.number),
        preheader=preheader,
        situation=" ".join([*_no_pass(view), *_trick_so_far(trick)]),
        choice=choice,
    )


def _held_and_legal(view: View) -> int:
    """How many of the cards held may be played; equal cards count twice."""
    return sum(card in view.legal for card in view.held)


def _no_pass(view: View) -> list[str]:
    """Says in the first trick that this hand has no pass, where others of the game have one."""
    is_unusual = view.direction is Direction.KEEP and view.rules.passing is not Passing.NONE
    return [say("Nobody passes in this hand.")] if is_unusual and not view.tricks else []


def _trick_so_far(trick: TrickSheet) -> list[str]:
    """The trick so far, in sentences: who led, who is winning, how many points are in it."""
    if not trick.laid:
        return []
    lead = trick.laid[0]
    card = lead.face.text
    sentences = [
        say("You led {card}.", card=card) if lead.is_you else say("{name} led {card}.", name=lead.name, card=card)
    ]
    best = next((laid for laid in trick.laid if laid.wins), None)
    worth = some_points(trick.points)
    if best is None:
        sentences.append(_nobody_wins(worth) if trick.points else say("Nobody is winning."))
    elif best is not lead and trick.points:
        sentences.append(_winning(best, worth))
    elif best is not lead:
        best_card = best.face.text
        sentences.append(
            say("You are winning with {card}.", card=best_card)
            if best.is_you
            else say("{name} is winning with {card}.", name=best.name, card=best_card)
        )
    elif trick.points:
        sentences.append(say_many(trick.points, "{number} point so far.", "{number} points so far."))
    return sentences


def _nobody_wins(worth: str) -> str:
    return say("Nobody is winning: {points}.", points=worth)


def _winning(best: Laid, worth: str) -> str:
    card = best.face.text
    if best.is_you:
        return say("You are winning with {card}: {points}.", card=card, points=worth)
    return say("{name} is winning with {card}: {points}.", name=best.name, card=card, points=worth)
