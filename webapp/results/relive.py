"""A finished hand replayed step by step with all cards open: the cards held, the trick, the robot's opinions.

`finished` provides the hand, `reviews` the opinions, which are addressed to their reader and on the reader's own turns;
the page only draws the scenes that are made here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hearts.cards import NONE, Cards, Suit, parse_code
from hearts.deal import Direction, receiver
from hearts.game import Game, direction_now
from hearts.play import Trick
from hearts.review import Opinion, turning_points
from hearts.score import kitty_collector, piles, points_in
from hearts.seats import Seat, across, every_seat
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play
from webapp.core.say import later, say, say_as
from webapp.games.record.finished import FinishedHand
from webapp.models import TurnSource
from webapp.presentation.faces import Face, SuitRow, face, faces, held_by_suit, said, suit_symbol, suit_word
from webapp.presentation.phrasing import decimal, listed, some_points
from webapp.presentation.tricks import (
    AllTricks,
    Jumps,
    Kind,
    Step,
    TrickSheet,
    all_tricks,
    jumps,
    step_of,
    steps_of,
    trick_sheet,
)

_BY: Final = {
    TurnSource.AWAY: later("{name} was away, so the robot chose."),
    TurnSource.FORCED: later("There was nothing to choose."),
    TurnSource.CLAIM: later("Every trick that was left had to go to one player, so the rest was played at once."),
    TurnSource.TIMEOUT: later("The deadline was over, so the choice was made for {name}."),
    TurnSource.ROBOT: later("{name} is a robot."),
}
_WHERE: Final = {
    Direction.LEFT: later("The cards are passed to the left."),
    Direction.RIGHT: later("The cards are passed to the right."),
    Direction.ACROSS: later("The cards are passed across the table."),
    Direction.KEEP: later("Nothing is passed in this hand."),
}


@dataclass(frozen=True, slots=True)
class OpinionLine:
    """The robot's choice in the reader's place."""

    is_pass: bool
    played: tuple[Face, ...]
    better: tuple[Face, ...]
    moon: str  # the same in sentences, if it was about a moon
    figures: str  # "About 1.2 points in this hand instead of 5.3."
    advice: str  # its reason, addressed to the player


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turn that cost its reader many points, and the step that shows it."""

    step: int
    label: str  # "Trick 7: you played K♥, about 4.1 points too dear"


@dataclass(frozen=True, slots=True)
class PassedOn:
    """The cards that a player passed."""

    giver: str
    given: tuple[Face, ...]
    receiver: str
    by: str  # who chose, where that was not the player


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A player and the cards that they hold."""

    name: str
    partner: str | None
    note: str  # "dealt", "to lead", "to play" or nothing
    is_to_act: bool
    points: str  # taken so far: "3 points", or nothing
    suits: tuple[SuitRow, ...]  # all four


@dataclass(frozen=True, slots=True)
class Place:
    """A seat around the table, and the card that it has played. `note` is as in a trick sheet."""

    seat: int
    name: str
    face: Face | None
    wins: bool
    cancelled: bool
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A finished hand as it stood at one step."""

    hand: int
    kind: Kind
    step: int  # from 1
    steps: int
    heading: str  # "Trick 5"
    sentences: tuple[str, ...]
    places: tuple[Place, ...]  # those who have played, in order, then the others; empty if there is no trick
    points: str  # in the trick: "3 points", or nothing
    passed: tuple[PassedOn, ...]
    people: tuple[OpenHand, ...]  # by seat
    left_over: tuple[Face, ...]  # until somebody collects them
    opinions: tuple[OpinionLine, ...]
    jumps: Jumps
    turning_points: tuple[TurningPoint, ...]  # in the order played
    table: AllTricks


def scene(hand: FinishedHand, number: int, opinions: Sequence[Opinion] = ()) -> Scene:
    """The hand at step `number`, from 1; a number out of range means the first or the last step."""
    steps = steps_of(hand)
    number = min(max(number, 1), len(steps))
    step = steps[number - 1]
    game = hand.games[step.turns - 1]
    costly = {opinion.turn: opinion for opinion in turning_points(opinions)}
    sheet = None
    if step.kind is Kind.CARD and game.on_table:
        assert game.leader is not None
        sheet = trick_sheet(game.rules, hand.names, None, game.trick, Trick(game.leader, game.on_table, None))
    elif step.kind is Kind.CARD:  # which has ended its trick
        sheet = trick_sheet(game.rules, hand.names, None, len(game.won), game.tricks[-1])
    return Scene(
        hand=hand.number,
        kind=step.kind,
        step=number,
        steps=len(steps),
        heading=_heading(step),
        sentences=tuple(_sentences(hand, step, sheet)),
        places=_places(game, sheet, hand.names) if sheet else (),
        points=some_points(sheet.points) if sheet and sheet.points else "",
        passed=_passed(hand) if step.kind is Kind.PASS else (),
        people=_people(hand, game, step) if step.kind is not Kind.SCORE else (),
        left_over=faces(game.deal.kitty) if game.deal and _collector(game) is None else (),
        opinions=tuple(_opinion_line(hand, opinion) for turn, opinion in sorted(costly.items()) if step.shows(turn)),
        jumps=jumps(steps, number, costly),
        turning_points=tuple(_turning_point(hand, steps, opinion) for _, opinion in sorted(costly.items())),
        table=all_tricks(hand, steps, costly),
    )


def _heading(step: Step) -> str:
    match step.kind:
        case Kind.DEAL:
            return say("The deal")
        case Kind.PASS:
            return say("The pass")
        case Kind.SCORE:
            return say("The score")
        case Kind.CARD:
            return say("Trick {trick}", trick=step.trick)


def _sentences(hand: FinishedHand, step: Step, sheet: TrickSheet | None) -> list[str]:
    """Tells what the latest step has shown."""
    record, game = hand.records[step.turns - 1], hand.games[step.turns - 1]
    match record.turn:
        case Deal(dealer=dealer):
            return [say("{name} dealt.", name=hand.names[dealer]), say(_WHERE[direction_now(game)])]
        case Play(seat=seat, card=card) if sheet is not None:
            name, before = hand.names[seat], hand.games[step.turns - 2]
            leads, text = len(sheet.laid) == 1, face(card).text
            sentences = [
                say("{name} led {card}.", name=name, card=text)
                if leads
                else say("{name} played {card}.", name=name, card=text),
                _by(record.source, name),
                say("Hearts are broken.") if game.broken and not before.broken else "",
                "" if sheet.awaited else sheet.sentence,
            ]
            collector = _collector(game)
            if collector is not None and collector != _collector(before) and game.deal and game.deal.kitty:
                cards, who = listed([one.text for one in faces(game.deal.kitty)]), hand.names[collector]
                sentences.append(say("{name} also gets what was left over: {cards}.", name=who, cards=cards))
            return [sentence for sentence in sentences if sentence]
        case _:
            return []


def _by(source: TurnSource, name: str) -> str:
    """Says in a sentence who chose; empty if it was the player."""
    return say(_BY[source], name=name) if source in _BY else ""


def _collector(game: Game) -> Seat | None:
    return kitty_collector(game.rules, game.tricks, finished=game.all_played)


def _places(game: Game, sheet: TrickSheet, names: Sequence[str]) -> tuple[Place, ...]:
    leader = game.leader if game.on_table else game.tricks[-1].leader
    assert leader is not None
    players = game.rules.players
    order = [Seat((leader + place) % players) for place in range(players)]
    laid = [
        Place(seat, one.name, one.face, one.wins, one.cancelled, one.note)
        for seat, one in zip(order, sheet.laid, strict=False)
    ]
    return (*laid, *(Place(seat, names[seat], None, False, False, "") for seat in order[len(laid) :]))


def _people(hand: FinishedHand, game: Game, step: Step) -> tuple[OpenHand, ...]:
    rules, names, seats = game.rules, hand.names, every_seat(game.rules.players)
    assert game.deal is not None
    points = points_in(rules, piles(rules, game.plays, game.won, game.deal.kitty, finished=game.all_played))
    received: dict[Seat, Cards] = {}
    if step.kind is Kind.PASS:
        to = direction_now(game)
        received = {receiver(giver, to, rules.players): game.passes[giver] or NONE for giver in seats}
    return tuple(
        OpenHand(
            names[seat],
            names[across(seat, rules.players)] if rules.partnership else None,
            _note(game, seat, step),
            step.kind is not Kind.DEAL and seat in game.to_act,
            some_points(points[seat]) if points[seat] else "",
            _suits(game.held[seat], received.get(seat, NONE)),
        )
        for seat in seats
    )


def _suits(held: Cards, received: Cards) -> tuple[SuitRow, ...]:
    rows = {row.suit: row for row in held_by_suit(held, NONE, {}, received)}
    return tuple(rows.get(suit_word(of), SuitRow(suit_word(of), suit_symbol(of), ())) for of in Suit)


def _note(game: Game, seat: Seat, step: Step) -> str:
    if step.kind is Kind.DEAL:
        return say_as("a player at the table", "dealt") if game.deal and seat == game.deal.dealer else ""
    if seat not in game.to_act:
        return ""
    if game.on_table:
        return say_as("a player at the table", "to play")
    return say_as("a player at the table", "to lead")


def _passed(hand: FinishedHand) -> tuple[PassedOn, ...]:
    """By seat."""
    to, players, names = direction_now(hand.games[0]), hand.rules.players, hand.names
    passes = [(record.turn, record.source) for record in hand.records if isinstance(record.turn, Pass)]
    return tuple(
        PassedOn(
            names[turn.seat], faces(turn.cards), names[receiver(turn.seat, to, players)], _by(source, names[turn.seat])
        )
        for turn, source in sorted(passes, key=lambda passed: passed[0].seat)
    )


def _opinion_line(hand: FinishedHand, opinion: Opinion) -> OpinionLine:
    turn = hand.records[opinion.turn - 1].turn
    is_moon = isinstance(turn, Moon)
    if not is_moon:
        moon = ""
    elif MoonChoice(opinion.better) is MoonChoice.ADD:
        moon = say("You had the points of the moon taken off. The robot would have given them to everybody else.")
    else:
        moon = say("You gave the points of the moon to everybody else. The robot would have had them taken off.")
    return OpinionLine(
        is_pass=isinstance(turn, Pass),
        played=() if is_moon else _faces(opinion.played),
        better=() if is_moon else _faces(opinion.better),
        moon=moon,
        figures=say(
            "About {better} points in this hand instead of {points}.",
            better=decimal(opinion.better_points),
            points=decimal(opinion.played_points),
        ),
        advice=said(opinion.reason),
    )


def _turning_point(hand: FinishedHand, steps: Sequence[Step], opinion: Opinion) -> TurningPoint:
    turn, step = hand.records[opinion.turn - 1].turn, step_of(steps, opinion.turn)
    cost, trick = decimal(opinion.cost), steps[step - 1].trick
    if isinstance(turn, Moon):  # what was chosen is no card
        label = say("The score: you chose how the moon counts, about {points} points too dear", points=cost)
        return TurningPoint(step, label)
    cards = " ".join(one.text for one in _faces(opinion.played))
    match turn:
        case Pass():
            label = say("The pass: you passed {cards}, about {points} points too dear", cards=cards, points=cost)
        case _:
            label = say(
                "Trick {trick}: you played {card}, about {points} points too dear", trick=trick, card=cards, points=cost
            )
    return TurningPoint(step, label)


def _faces(alternative: str) -> tuple[Face, ...]:
    return tuple(face(parse_code(code)) for code in alternative.split())
