"""The result of a game: who won, who took the queen of spades, who shot the moon, the race; and its lines to a player.

All numbers come from the score sheet. The page of a shared result shows it, and `webapp.results.pictures` draws it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlmodel import Session

from hearts.cards import NONE, Cards, parse_code
from hearts.deal import receiver
from hearts.game import direction_now
from hearts.review import MIN_COST, Opinion, costliest_card
from hearts.rules import Rules
from hearts.score import piles, points_in
from hearts.seats import Seat, side_of
from hearts.story import points_by_trick
from hearts.turns import Pass, Play
from webapp.core.say import say, say_many
from webapp.games import talk
from webapp.games.book import games_of
from webapp.games.record.finished import FinishedHand, finished_hand
from webapp.games.record.store import CHOSEN, UNASKED, Record, TableGame
from webapp.presentation.chart import Chart, race
from webapp.presentation.faces import face, faces
from webapp.presentation.happened import TalkLine, talk_lines
from webapp.presentation.phrasing import listed, some_points
from webapp.presentation.scoresheet import ScoreSheet, SideLine
from webapp.presentation.sheets import score_sheet_of
from webapp.presentation.summary import game_text
from webapp.presentation.tricks import end_of_trick, step_of, steps_of
from webapp.results.book import lead_text

FEW = 3  # names in a sentence


@dataclass(frozen=True, slots=True)
class Result:
    headline: str  # "Bo wins with 54"
    sentence: str  # "Bo wins with 54 points, after 9 hands."
    game_text: str  # "Classic, 4 players, to 100 points"
    moments: tuple[str, ...]  # "Di took the queen of spades most often: 4 times."
    lines: tuple[SideLine, ...]  # the best placed first
    chart: Chart

    @property
    def description(self) -> str:
        """The result in a few sentences, for those who see no picture."""
        totals = ", ".join(f"{line.name} {line.total}" for line in self.lines)
        return " ".join([self.sentence, *self.moments, say("{totals}.", totals=totals)])


def result_of(stored: TableGame) -> Result:
    """The result of a game that has at least one finished hand."""
    return result(stored.game.rules, score_sheet_of(stored))


def result(rules: Rules, score: ScoreSheet) -> Result:
    """The same, from the game's score sheet."""
    chart = race(score)
    assert chart is not None
    lines = score.standings
    return Result(score.headline, score.sentence, game_text(rules), _moments(lines), lines, chart)


def _moments(lines: Sequence[SideLine]) -> tuple[str, ...]:
    shooters = [line for line in lines if line.moons]
    if len(shooters) > FEW:
        moons = [say_many(len(shooters), "{number} player shot the moon.", "{number} players shot the moon.")]
    else:
        moons = [
            say_many(line.moons, "{name} shot the moon once.", "{name} shot the moon {number} times.", name=line.name)
            for line in shooters
        ]
    return tuple(filter(None, (_queens(lines), *moons)))


def _queens(lines: Sequence[SideLine]) -> str:
    most = max(line.queens for line in lines)
    takers = [line for line in lines if line.queens == most]
    is_clear = len(takers) == 1 or all(len(line.names) == 1 for line in takers)
    if not most or len(takers) > FEW or len(takers) == len(lines) or not is_clear:
        return ""
    who = listed([line.name for line in takers])
    if any(0 < line.queens < most for line in lines):
        return say_many(
            len(takers),
            "{names} took the queen of spades most often: {times}.",
            "{names} took the queen of spades most often: {times} each.",
            names=who,
            times=say_many(most, "once", "{number} times"),
        )
    if len(takers) == 1:
        return say_many(
            most,
            "{name} took the queen of spades once.",
            "{name} took the queen of spades {number} times.",
            name=who,
        )
    return say_many(
        most,
        "{names} took the queen of spades once each.",
        "{names} took the queen of spades {number} times each.",
        names=who,
    )


# The lines of a finished game to one of its players: how much they chose, their best pass, and what cost them most.
# The trick that cost most is a fact: the one with which they took the most points. The card that cost most is the
# robot's opinion, and left out unless its review of all their hands is sure of it (`hearts.review.costliest_card`).

LEAST_OF_A_PASS: Final = 3
"""The least points that a pass worth telling has given to its receiver."""


@dataclass(frozen=True, slots=True)
class OwnLine:
    """A sentence to the player, with the hand that it is about and the step of its replay, if it is about one."""

    text: str
    hand: int | None = None
    step: int | None = None


def own_game(stored: TableGame, seat: Seat, opinions: Mapping[int, Sequence[Opinion]]) -> tuple[OwnLine, ...]:
    """The lines for the present player of `seat`; none about hands that others played there.

    `opinions` are the robot's on what they chose, by hand, as far as they may read them.
    """
    played = [score.number for score in stored.game.scores if stored.has_played(seat, score.number)]
    if not played:
        return ()
    hands = [finished_hand(stored, number) for number in played]
    lines = (
        _choices(stored, seat, hands),
        _best_pass(stored, seat, hands, opinions),
        _dearest_trick(seat, hands),
        _dearest_card(hands, opinions) if all(number in opinions for number in played) else None,
    )
    return tuple(line for line in lines if line)


def _choices(stored: TableGame, seat: Seat, hands: Sequence[FinishedHand]) -> OwnLine | None:
    """How many of their cards they chose, of those that left a choice."""
    asked = [
        record
        for hand in hands
        for record in hand.records
        if isinstance(record.turn, Play) and record.turn.seat == seat and record.source not in UNASKED
    ]
    cards, chosen = len(asked), sum(_is_chosen(stored, seat, record) for record in asked)
    if not cards:
        return None
    if chosen == cards:
        return OwnLine(say_many(cards, "You chose your card.", "You chose all {number} cards that left you a choice."))
    chose = say_many(cards, "You chose {some} of {number} card.", "You chose {some} of {number} cards.", some=chosen)
    others = say_many(cards - chosen, "The other one was played for you.", "The other {number} were played for you.")
    return OwnLine(f"{chose} {others}")


def _is_chosen(stored: TableGame, seat: Seat, record: Record) -> bool:
    return record.source in CHOSEN and stored.has_chosen(seat, record.number)


def _best_pass(
    stored: TableGame, seat: Seat, hands: Sequence[FinishedHand], opinions: Mapping[int, Sequence[Opinion]]
) -> OwnLine | None:
    """The pass that has cost an opponent the most; none of those that the robot thinks a mistake."""
    best, most = None, LEAST_OF_A_PASS - 1
    for hand in hands:
        blamed = {one.turn for one in opinions.get(hand.number, ()) if one.cost >= MIN_COST}
        for turn, record in enumerate(hand.records, 1):
            if isinstance(record.turn, Pass) and record.turn.seat == seat and _is_chosen(stored, seat, record):
                (points,) = points_in(hand.rules, [_taken_by_receiver(hand, record.turn)])
                if points > most and turn not in blamed:
                    best, most = (hand, turn, record.turn), points
    if best is None:
        return None
    hand, turn, passed = best
    cards, whom = faces(_taken_by_receiver(hand, passed)), hand.names[_receiver(hand, passed)]
    text = say_many(
        len(cards),
        "Your best pass, in hand {hand}: {cards} to {name}, who took it. That made {points}.",
        "Your best pass, in hand {hand}: {cards} to {name}, who took them. That made {points}.",
        hand=hand.number,
        cards=listed([one.text for one in cards]),
        name=whom,
        points=some_points(most),
    )
    return OwnLine(text, hand.number, step_of(steps_of(hand), turn))


def _receiver(hand: FinishedHand, passed: Pass) -> Seat:
    return receiver(passed.seat, direction_now(hand.games[0]), hand.rules.players)


def _taken_by_receiver(hand: FinishedHand, passed: Pass) -> Cards:
    """The cards of a pass that count, and that its receiver, an opponent, has taken in the end.

    None in a hand with a moon, and with two packs, where nobody can tell a card from its double.
    """
    rules, game, whom = hand.rules, hand.games[-1], _receiver(hand, passed)
    friends = side_of(whom, partnership=rules.partnership) == side_of(passed.seat, partnership=rules.partnership)
    if friends or rules.packs > 1 or hand.score.moon is not None or game.deal is None:
        return NONE
    pile = piles(rules, game.plays, game.won, game.deal.kitty, finished=True)[whom]
    return Cards.of([card for card in pile if card in passed.cards and card in rules.penalty_cards])


def _dearest_trick(seat: Seat, hands: Sequence[FinishedHand]) -> OwnLine | None:
    """The latest of the tricks with which they took the most points; none of a hand with a moon."""
    found = [
        (points[seat], hand, trick)
        for hand in hands
        if hand.score.moon is None
        for trick, points in enumerate(points_by_trick(hand.games[-1]), 1)
    ]
    points, hand, trick = max(found, key=lambda one: (one[0], one[1].number, one[2]), default=(0, None, 0))
    if hand is None or not points:
        return None
    text = say_many(
        points,
        "Trick {trick} of hand {hand} cost you {number} point: no trick cost you more.",
        "Trick {trick} of hand {hand} cost you {number} points: no trick cost you more.",
        trick=trick,
        hand=hand.number,
    )
    return OwnLine(text, hand.number, end_of_trick(steps_of(hand), trick))


def _dearest_card(hands: Sequence[FinishedHand], opinions: Mapping[int, Sequence[Opinion]]) -> OwnLine | None:
    """The card that cost them the most by the robot's review of all these hands, if it is sure."""
    of_hand = {id(one): hand for hand in hands for one in opinions[hand.number]}
    dearest = costliest_card(one for hand in hands for one in opinions[hand.number])
    if dearest is None:
        return None
    hand = of_hand[id(dearest)]
    played, better = (face(parse_code(card)).text for card in (dearest.played, dearest.better))
    text = say_many(
        round(dearest.cost),
        "Your dearest card, in trick {trick} of hand {hand}: {card}. The robot would have played {better}, and expects "
        "{number} point less.",
        "Your dearest card, in trick {trick} of hand {hand}: {card}. The robot would have played {better}, and expects "
        "{number} points less.",
        trick=dearest.trick,
        hand=hand.number,
        card=played,
        better=better,
    )
    return OwnLine(text, hand.number, step_of(steps_of(hand), dearest.turn))


# The game that a table has just played, for those who are asked to play another.


@dataclass(frozen=True, slots=True)
class LastGame:
    sentence: str  # "Bo wins with 54 points, after 9 hands."
    totals: str  # "Bo 54, Ann 71, Cy 80 and Di 102"; empty if no hand was finished
    lead: str  # of all games of the table: "Ann leads the table 4 : 2 : 1 : 1.", or empty
    quote: TalkLine | None  # the last line that somebody typed there


def last_game_of(session: Session, stored: TableGame, reader: int, zone: str) -> LastGame:
    """The game as the player `reader`, in the time zone `zone`, is reminded of it."""
    score = score_sheet_of(stored)
    row = talk.last_word(session, stored.table, stored.row.started_at)
    quote = talk_lines([row], reader, zone)[0] if row else None
    totals = listed([f"{side.name} {side.total}" for side in score.standings]) if score.hands else ""
    lead = lead_text(games_of(session, stored.table.id, stored.row.number))
    return LastGame(score.sentence, totals, lead, quote)
