"""A seat's view as text and card faces: everything that pages and mails show of a hand.

All of it comes from a `View`, so nothing here can reveal what the seat does not see. Cards, tricks, score sheets,
tables and timestamps have modules of their own; this one re-exports them.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import takewhile

from hearts.cards import NONE, Cards
from hearts.deal import cards_each, kitty_size
from hearts.game import Stage
from hearts.play import Trick
from hearts.rules import Kitty, Rules, When
from hearts.score import HandScore, is_over, kitty_collector, lowest_sides
from hearts.seats import Seat, across, side_of, sides
from hearts.turns import MoonChoice
from hearts.view import View
from webapp.presentation.avatars import Avatar, avatars
from webapp.presentation.faces import Face, Refusal, SuitFaces, SuitRow, by_suit, face, faces, held_by_suit, refused
from webapp.presentation.phrasing import counted, listed
from webapp.presentation.scoresheet import HandLine, ScoreSheet, SideLine, score_sheet
from webapp.presentation.situation import gets_from, passes_to, situation_text
from webapp.presentation.summary import SeatLine, TableSummary, table_summary
from webapp.presentation.timestamps import Timestamp, span, timestamp
from webapp.presentation.tricks import TrickSheet, trick_sheet

__all__ = [
    "Face",
    "HandLine",
    "ScoreSheet",
    "SeatLine",
    "SideLine",
    "TableSummary",
    "Timestamp",
    "TrickSheet",
    "TurnSheet",
    "face",
    "faces",
    "score_sheet",
    "span",
    "table_summary",
    "timestamp",
    "turn_sheet",
]
Teams = tuple[tuple[Seat, ...], ...]


@dataclass(frozen=True, slots=True)
class PersonLine:
    """A player at the table and their state in this hand."""

    name: str
    avatar: Avatar
    is_you: bool
    is_robot: bool
    is_dealer: bool
    is_awaited: bool
    partner: str | None
    points: int
    tricks: int  # won in this hand
    is_present: bool  # is looking at the game

    @property
    def points_text(self) -> str:
        return counted(self.points, "point") if self.points else "no points"


@dataclass(frozen=True, slots=True)
class MoonOption:
    """One way to count a moon, and its consequences."""

    value: str  # "add", "subtract"
    label: str
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSheet:
    """What one player sees of a hand, and what they are asked for. Names and sentences address them as "you"."""

    stage: str  # deal, pass, play, moon, over
    is_mine: bool  # it is the reader's turn
    hand: int
    subject: str  # one line that says what to do: "Your turn: trick 5, spades led"
    headline: str  # the same as a heading
    preheader: str  # what a mail program shows beside the subject
    situation: str  # how it came about, in a sentence or two
    choice: str  # the reader's options
    people: tuple[PersonLine, ...]  # clockwise, the reader first
    suits: tuple[SuitRow, ...]  # the cards held
    legal_rows: tuple[SuitFaces, ...]  # those that may be played now, equal ones once
    refusals: tuple[Refusal, ...]  # the others, by reason
    trick: TrickSheet | None  # the present one, or the one to be led; None during the pass and after the last trick
    tricks: tuple[TrickSheet, ...]  # finished
    set_aside: tuple[Face, ...]  # tricks that nobody has won yet
    gone: tuple[SuitFaces, ...]  # every card played in this hand
    pass_count: int
    pass_to: str | None  # None if nothing is passed in this hand
    pass_from: str | None
    given: tuple[Face, ...]
    received: tuple[Face, ...]
    kitty: tuple[Face, ...]  # the kitty, if the reader has won it
    remarks: tuple[str, ...]  # about broken hearts and cards face down
    moon_options: tuple[MoonOption, ...]
    deadline: Timestamp | None

    @property
    def last_trick(self) -> TrickSheet | None:
        return self.tricks[-1] if self.tricks else None

    @property
    def on_table(self) -> TrickSheet | None:
        """The trick to show: the present one, or the one before until a card is played to it."""
        return self.last_trick if self.trick and not self.trick.laid and self.tricks else self.trick

    @property
    def presence_sentence(self) -> str:
        """Who else is looking at the game now; empty if nobody is."""
        here = [person.name for person in self.people if person.is_present and not person.is_you]
        return f"{listed(here)} {'is' if len(here) == 1 else 'are'} here." if here else ""

    @property
    def points_sentence(self) -> str:
        """Who has taken how many points in this hand, the most first."""
        takers = sorted((person for person in self.people if person.points), key=lambda person: -person.points)
        if not takers:
            return "Nobody has taken a point yet."
        parts = [f"{'You' if person.is_you else person.name} {counted(person.points, 'point')}" for person in takers]
        return f"{listed(parts)}{'' if len(takers) == len(self.people) else '; the others none'}."

    @property
    def legal_faces(self) -> tuple[Face, ...]:
        return tuple(one for row in self.legal_rows for one in row.faces)

    @property
    def pass_button(self) -> str:
        return f"Pass to {self.pass_to}"


def turn_sheet(
    view: View, names: Sequence[str], robots: Collection[Seat], deadline: Timestamp | None, here: Collection[Seat] = ()
) -> TurnSheet:
    """The sheet for the view's player; `names` are by seat, `here` are the seats whose players look at the game."""
    spoken_to = [("You" if seat == view.seat else name) for seat, name in enumerate(names)]
    trick = _trick(view, spoken_to)
    texts = situation_text(view, spoken_to, trick)
    to, giver = passes_to(view), gets_from(view)
    return TurnSheet(
        stage=view.stage.value,
        is_mine=view.seat in view.to_act,
        hand=view.hand,
        subject=texts.subject,
        headline=texts.headline,
        preheader=texts.preheader,
        situation=texts.situation,
        choice=texts.choice,
        people=_people(view, names, robots, here),
        suits=held_by_suit(view.held, _choosable(view), view.refusals, view.received or NONE),
        legal_rows=by_suit(view.legal),
        refusals=refused(view.refusals),
        trick=trick,
        tricks=tuple(trick_sheet(view.rules, spoken_to, view.seat, n, one) for n, one in enumerate(view.tricks, 1)),
        set_aside=faces(_set_aside(view.tricks)),
        gone=by_suit(Cards.of(view.plays)),
        pass_count=view.rules.pass_count,
        pass_to=None if to is None else names[to],
        pass_from=None if giver is None else names[giver],
        given=faces(view.given or ()),
        received=faces(view.received or ()),
        kitty=faces(view.kitty or ()),
        remarks=_remarks(view, spoken_to),
        moon_options=tuple(_moon_option(view, names, choice, score) for choice, score in view.moon.items()),
        deadline=deadline,
    )


def _choosable(view: View) -> Cards:
    """The cards that may be chosen now, to pass or to play."""
    return view.held if view.stage is Stage.PASS and view.seat in view.to_act else view.legal


def _trick(view: View, names: Sequence[str]) -> TrickSheet | None:
    """The present trick, or the one that is about to be led; None if there is none."""
    if view.stage is not Stage.PLAY:
        return None
    trick = view.trick or Trick(view.to_act[0], (), None)
    return trick_sheet(view.rules, names, view.seat, len(view.tricks) + 1, trick)


def _set_aside(tricks: Sequence[Trick]) -> Cards:
    """The cards of the latest tricks that nobody has won."""
    lying = takewhile(lambda trick: trick.winner is None, reversed(tricks))
    return Cards.of(card for trick in lying for card in trick.cards)


def _people(
    view: View, names: Sequence[str], robots: Collection[Seat], here: Collection[Seat]
) -> tuple[PersonLine, ...]:
    players = view.rules.players
    won = Counter(trick.winner for trick in view.tricks)
    clockwise = [Seat((view.seat + step) % players) for step in range(players)]
    drawn = avatars(names, robots)
    return tuple(
        PersonLine(
            name=names[seat],
            avatar=drawn[seat],
            is_you=seat == view.seat,
            is_robot=seat in robots,
            is_dealer=seat == view.dealer,
            is_awaited=seat in view.to_act,
            partner=names[across(seat, players)] if view.rules.partnership else None,
            points=view.taken[seat],
            tricks=won[seat],
            is_present=seat in here,
        )
        for seat in clockwise
    )


def _remarks(view: View, names: Sequence[str]) -> tuple[str, ...]:
    """Remarks on whether hearts are broken, and on the cards left over from the deal."""
    remarks = []
    rules = view.rules
    if view.stage is Stage.PLAY and When.AFTER_BROKEN in (rules.hearts_lead, rules.queen_lead, rules.queen_discard):
        remarks.append("Hearts are broken." if view.broken else "Hearts are not broken yet.")
    if view.hand and (size := kitty_size(rules)):
        collector = kitty_collector(rules, view.tricks, finished=len(view.tricks) == cards_each(rules))
        remarks.append(_kitty_waits(rules, size) if collector is None else _kitty_gone(names[collector], size))
    return tuple(remarks)


def _kitty_waits(rules: Rules, size: int) -> str:
    whom = {
        Kitty.OFF: "the first trick that somebody wins",  # two packs: the cards that cannot be dealt evenly
        Kitty.FIRST_TRICK: "the first trick",
        Kitty.FIRST_POINTS: "the first trick with a penalty card",
        Kitty.FIRST_HEART: "the first trick with a heart",
        Kitty.LAST_TRICK: "the last trick",
    }[rules.kitty]
    lie, go = ("lies", "goes") if size == 1 else ("lie", "go")
    return f"{counted(size, 'card')} {lie} face down and {go} to whoever wins {whom}."


def _kitty_gone(name: str, size: int) -> str:
    return (
        f"{name} collected the {counted(size, 'card')} that lay face down."
        if size > 1
        else (f"{name} collected the card that lay face down.")
    )


def _moon_option(view: View, names: Sequence[str], choice: MoonChoice, score: HandScore) -> MoonOption:
    """A choice, with the resulting totals, and whether it ends the game."""
    rules = view.rules
    mine = side_of(view.seat, partnership=rules.partnership)
    worth = counted(rules.pack_total * (2 if score.sun else 1), "point")
    you, stand = ("your team", "stands") if rules.partnership else ("you", "stand")
    label = f"{worth} for everybody else" if choice is MoonChoice.ADD else f"{worth} off for {you}"
    side_names = [listed([names[seat] for seat in team]) for team in _teams(rules)]
    others = [f"{name} at {total}" for name, total in zip(side_names, score.totals, strict=True)]
    del others[mine]
    side_names[mine] = you
    then = f"{you.capitalize()} {stand} at {score.totals[mine]}, {listed(others)}."
    return MoonOption(choice.value, label, f"{then} {_ending(rules, side_names, score)}")


def _ending(rules: Rules, side_names: Sequence[str], score: HandScore) -> str:
    """A sentence if the game ends with this score: who wins; else empty."""
    if not is_over(rules, score.totals):
        return "The game goes on."
    first = [side_names[side] for side in lowest_sides(score.totals)]
    verb = "share the win" if len(first) > 1 else "win" if first[0] == "you" or " and " in first[0] else "wins"
    return f"The game ends, and {listed(first)} {verb}."


def _teams(rules: Rules) -> Teams:
    return sides(rules.players, partnership=rules.partnership)
