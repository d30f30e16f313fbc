"""A seat's view as text and card faces: everything that pages and mails show of a hand.

All of it comes from a `View`, so nothing here can reveal what the seat does not see.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import assert_never

from hearts.cards import NONE, Cards
from hearts.deal import cards_each, kitty_size
from hearts.game import Stage
from hearts.play import Trick
from hearts.rules import Kitty, Rules, When
from hearts.score import HandScore, is_over, kitty_collector, lowest_sides
from hearts.seats import Seat, across, side_of, sides
from hearts.turns import MoonChoice
from hearts.view import View
from webapp.core.say import say, say_many, spoken
from webapp.presentation.faces import (
    Avatar,
    Face,
    Fold,
    Refusal,
    SuitFaces,
    SuitRow,
    avatars,
    by_suit,
    faces,
    fold_of,
    held_by_suit,
    refused,
)
from webapp.presentation.phrasing import Timestamp, listed, some_points
from webapp.presentation.situation import broken_text, gets_from, passes_to, situation_text
from webapp.presentation.tricks import TrickSheet, is_partner_of, label_of, trick_sheet
from webapp.replies.words import TABLES


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
    is_partner: bool  # plays with the reader
    points: int
    tricks: int  # won in this hand
    is_present: bool  # is looking at the game

    @property
    def spoken_to(self) -> str:
        return label_of(self.name, is_you=self.is_you)

    @property
    def points_text(self) -> str:
        return some_points(self.points) if self.points else say("no points")


@dataclass(frozen=True, slots=True)
class MoonOption:
    """One way to count a moon, and its consequences."""

    value: str  # "add", "subtract"
    taught: str  # the same as its reader types it in an answer
    label: str
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSheet:
    """A hand as one player sees it, with the choice that they have. Names and sentences address them as "you"."""

    stage: str  # deal, pass, play, moon, over
    is_mine: bool  # it is the reader's turn
    hand: int
    subject: str  # one line that says what to do: "Your turn: trick 5, spades led"
    mail_subject: str  # the same to follow the name of the table and a colon
    headline: str  # the same as a heading
    mail_headline: str  # the same with the hand, if others are beside it
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
    remarks: tuple[str, ...]  # about broken hearts, cards face down, and players who are away
    moon_options: tuple[MoonOption, ...]
    deadline: Timestamp | None

    @property
    def fold(self) -> Fold | None:
        """The break of the cards held into two rows; None if it is not between suits."""
        return fold_of(self.suits)

    @property
    def avatars(self) -> tuple[Avatar, ...]:
        """The avatars of the people at the table, clockwise, the reader's first."""
        return tuple(person.avatar for person in self.people)

    @property
    def last_trick(self) -> TrickSheet | None:
        return self.tricks[-1] if self.tricks else None

    @property
    def on_table(self) -> TrickSheet | None:
        """The trick to show: the present one, or the one before until a card is played to it."""
        return self.last_trick if self.trick and not self.trick.laid and self.tricks else self.trick

    @property
    def trading(self) -> tuple[PersonLine, ...]:
        """The reader, who gets their cards, and who passes to them, clockwise."""
        names = {self.pass_to, self.pass_from}
        return tuple(person for person in self.people if person.is_you or person.name in names)

    @property
    def others_awaited(self) -> str:
        """The names of those whose turn it is; empty if it is the reader's, or nobody's."""
        names = [person.name for person in self.people if person.is_awaited]
        return listed(names) if names and not self.is_mine else ""

    @property
    def presence_sentence(self) -> str:
        """The names of the others who are looking at the game now, in a sentence; empty if nobody is."""
        here = [person.name for person in self.people if person.is_present and not person.is_you]
        who = listed(here)
        return say_many(len(here), "{names} is here.", "{names} are here.", names=who) if here else ""

    @property
    def points_sentence(self) -> str:
        """The points that each player has taken in this hand, in a sentence, the most first."""
        takers = sorted((person for person in self.people if person.points), key=lambda person: -person.points)
        if not takers:
            return say("Nobody has taken a point yet.")
        taken = listed([say("{name} {points}", name=one.spoken_to, points=some_points(one.points)) for one in takers])
        if len(takers) == len(self.people):
            return say("{taken}.", taken=taken)
        return say("{taken}; the others none.", taken=taken)

    @property
    def legal_faces(self) -> tuple[Face, ...]:
        return tuple(one for row in self.legal_rows for one in row.faces)

    @property
    def gave(self) -> str:
        """Says which cards the reader has passed to whom; empty before the pass."""
        cards = _texts(self.given)
        return say("You passed {cards} to {name}.", cards=cards, name=self.pass_to) if self.given else ""

    @property
    def got(self) -> str:
        """The cards that came with the pass, and from whom, in a sentence; empty before they have come."""
        cards = _texts(self.received)
        return say("{name} passed you {cards}.", name=self.pass_from, cards=cards) if self.received else ""

    @property
    def pass_button(self) -> str:
        return say("Pass to {name}", name=self.pass_to)


def turn_sheet(
    view: View,
    names: Sequence[str],
    robots: Collection[Seat],
    deadline: Timestamp | None,
    here: Collection[Seat] = (),
    away: Iterable[Seat] = (),
    *,
    is_beside: bool = False,
) -> TurnSheet:
    """The sheet for the view's player; `names` are by seat.

    `here` are the seats whose players look at the game, `away` those whose players are away. `is_beside`: other hands
    are played at the same time, so a mail's subject says which one this is.
    """
    trick = None
    if view.stage is Stage.PLAY:  # the one on the table, or the one that is about to be led
        present = view.trick or Trick(view.to_act[0], (), None)
        trick = trick_sheet(view.rules, names, view.seat, len(view.tricks) + 1, present)
    texts = situation_text(view, names, trick)
    choosable = view.held if view.stage is Stage.PASS and view.seat in view.to_act else view.legal
    new = NONE if view.tricks else view.received or NONE  # after the first trick, their player knows them
    not_won = takewhile(lambda one: one.winner is None, reversed(view.tricks))
    to, giver = passes_to(view), gets_from(view)
    return TurnSheet(
        stage=view.stage.value,
        is_mine=view.seat in view.to_act,
        hand=view.hand,
        subject=texts.subject,
        mail_subject=_in_hand(texts.mail_subject, view.hand) if is_beside else texts.mail_subject,
        headline=texts.headline,
        mail_headline=_in_hand(texts.headline, view.hand) if is_beside else texts.headline,
        preheader=texts.preheader,
        situation=texts.situation,
        choice=texts.choice,
        people=_people(view, names, robots, here),
        suits=held_by_suit(view.held, choosable, view.refusals, new),
        legal_rows=by_suit(view.legal),
        refusals=refused(view.refusals),
        trick=trick,
        tricks=finished_tricks(view, names),
        set_aside=faces(Cards.of(card for one in not_won for card in one.cards)),
        gone=by_suit(Cards.of(view.plays)),
        pass_count=view.rules.pass_count,
        pass_to=None if to is None else names[to],
        pass_from=None if giver is None else names[giver],
        given=faces(view.given or ()),
        received=faces(view.received or ()),
        kitty=faces(view.kitty or ()),
        remarks=_remarks(view, names, [names[seat] for seat in sorted({*away} - {view.seat})]),
        moon_options=tuple(_moon_option(view, names, choice, score) for choice, score in view.moon.items()),
        deadline=deadline,
    )


def finished_tricks(view: View, names: Sequence[str]) -> tuple[TrickSheet, ...]:
    """The finished tricks of the hand, for the view's player; `names` are by seat."""
    return tuple(trick_sheet(view.rules, names, view.seat, n, one) for n, one in enumerate(view.tricks, 1))


def _in_hand(heading: str, hand: int) -> str:
    return say("{heading} (hand {hand})", heading=heading, hand=hand)


def _texts(shown: Iterable[Face]) -> str:
    return " ".join(one.text for one in shown)


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
            is_partner=is_partner_of(view.rules, view.seat, seat),
            points=view.taken[seat],
            tricks=won[seat],
            is_present=seat in here,
        )
        for seat in clockwise
    )


def _remarks(view: View, names: Sequence[str], away: Sequence[str]) -> tuple[str, ...]:
    """Remarks on whether hearts are broken, on the cards left over from the deal, and on the others who are `away`."""
    remarks = []
    rules = view.rules
    if view.stage is Stage.PLAY and When.AFTER_BROKEN in (rules.hearts_lead, rules.queen_lead, rules.queen_discard):
        remarks.append(broken_text(is_broken=view.broken))
    if view.hand and (size := kitty_size(rules)):
        collector = kitty_collector(rules, view.tricks, finished=len(view.tricks) == cards_each(rules))
        if collector is None:
            remarks.append(_kitty_waits(rules, size))
        elif collector == view.seat:
            remarks.append(
                say_many(
                    size,
                    "You collected the card that lay face down.",
                    "You collected the {number} cards that lay face down.",
                )
            )
        else:
            remarks.append(
                say_many(
                    size,
                    "{name} collected the card that lay face down.",
                    "{name} collected the {number} cards that lay face down.",
                    name=names[collector],
                )
            )
    if away:
        remarks.append(
            say_many(
                len(away),
                "{names} is away, so a robot plays for them.",
                "{names} are away, so a robot plays for them.",
                names=listed(away),
            )
        )
    return tuple(remarks)


def _kitty_waits(rules: Rules, size: int) -> str:
    match rules.kitty:
        case Kitty.OFF:  # two packs: the cards that cannot be dealt evenly
            return say_many(
                size,
                "{number} card lies face down and goes to the first player who wins a trick.",
                "{number} cards lie face down and go to the first player who wins a trick.",
            )
        case Kitty.FIRST_TRICK:
            return say_many(
                size,
                "{number} card lies face down and goes to the winner of the first trick.",
                "{number} cards lie face down and go to the winner of the first trick.",
            )
        case Kitty.FIRST_POINTS:
            return say_many(
                size,
                "{number} card lies face down and goes to the winner of the first trick with a penalty card.",
                "{number} cards lie face down and go to the winner of the first trick with a penalty card.",
            )
        case Kitty.FIRST_HEART:
            return say_many(
                size,
                "{number} card lies face down and goes to the winner of the first trick with a heart.",
                "{number} cards lie face down and go to the winner of the first trick with a heart.",
            )
        case Kitty.LAST_TRICK:
            return say_many(
                size,
                "{number} card lies face down and goes to the winner of the last trick.",
                "{number} cards lie face down and go to the winner of the last trick.",
            )
        case _:
            assert_never(rules.kitty)


def _moon_option(view: View, names: Sequence[str], choice: MoonChoice, score: HandScore) -> MoonOption:
    """A choice, with the resulting totals, and whether it ends the game."""
    rules = view.rules
    mine = side_of(view.seat, partnership=rules.partnership)
    worth = some_points(rules.moon_points(sun=score.sun))
    teams = sides(rules.players, partnership=rules.partnership)
    side_names = [listed([names[seat] for seat in team]) for team in teams]
    others = listed(
        [
            say("{name} at {total}", name=name, total=total)
            for side, (name, total) in enumerate(zip(side_names, score.totals, strict=True))
            if side != mine
        ]
    )
    if rules.partnership:
        stand = say("Your team stands at {total}, {others}.", total=score.totals[mine], others=others)
    else:
        stand = say("You stand at {total}, {others}.", total=score.totals[mine], others=others)
    taught = TABLES[spoken()][choice.value].partition(",")[0]
    effect = f"{stand} {_ending(rules, mine, side_names, score)}"
    if choice is MoonChoice.ADD:
        label = say("{points} for everybody else", points=worth)
    elif rules.partnership:
        label = say("{points} off for your team", points=worth)
    else:
        label = say("{points} off for you", points=worth)
    return MoonOption(choice.value, taught, label, effect)


def _ending(rules: Rules, mine: int, side_names: Sequence[str], score: HandScore) -> str:
    """A sentence on whether the game ends with this score, and who wins then; the reader's side is `mine`."""
    if not is_over(rules, score.number, score.totals):
        return say("The game goes on.")
    first = lowest_sides(score.totals)
    who = listed([side_names[side] for side in first if side != mine])
    if len(first) > 1:
        if mine not in first:
            return say("The game ends, and {names} share the win.", names=who)
        if rules.partnership:
            return say("The game ends, and your team shares the win with {names}.", names=who)
        return say("The game ends, and you share the win with {names}.", names=who)
    if rules.partnership:
        return (
            say("The game ends, and your team wins.")
            if mine in first
            else say("The game ends, and {names} win.", names=who)
        )
    return say("The game ends, and you win.") if mine in first else say("The game ends, and {name} wins.", name=who)
