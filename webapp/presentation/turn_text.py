"""Sentences about turns, each for one player: what was played, why it was refused, whose turn it is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hearts.ahead import has_points_since
from hearts.cards import Card
from hearts.game import Game, Stage, why_not, why_not_pass
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Pass, Play, Turn
from hearts.view import view
from webapp.core.say import later, say, say_many
from webapp.games.asked.visit import StepKind, VisitStep
from webapp.games.asked.whose_turn import HARDLY, ROBOT, SAME, ahead_of
from webapp.games.record.store import Record, TableGame
from webapp.models import Frequency, Grounds, TurnSource
from webapp.presentation.faces import face, said
from webapp.presentation.phrasing import listed, number_word
from webapp.presentation.present import TurnSheet

_WHY_FOR_THEM: Final = {
    TurnSource.TIMEOUT: later("The deadline was over."),
    TurnSource.AWAY: later("You were away."),
    TurnSource.FORCED: later("It was the only card that you could play."),
    TurnSource.CLAIM: later("All tricks that were left had to go to one player, whatever was played."),
}

_WHY_UNASKED: Final[Mapping[str, str]] = {
    SAME: later("We played {card} for you: every card that you could play was worth the same."),
    HARDLY: later("We played {card} for you: it hardly mattered which."),
}


def played_sentence(turn: Turn) -> str:
    """Tells the player in a sentence what they did."""
    match turn:
        case Play(card=card):
            return say("You played {card}.", card=face(card).text)
        case Pass(cards=cards):
            return say("You passed {cards}.", cards=_texts(cards))
        case Moon(choice=MoonChoice.ADD):
            return say("You gave the points of the moon to everybody else.")
        case Moon():
            return say("You had the points of the moon taken off.")
        case _:
            return say("You dealt.")


def turn_sentence(record: Record) -> str:
    """Says what was played, and why. Only for the turn's player: a robot's reason reveals their cards."""
    turn, source, choice, *_ = record
    if source is TurnSource.AHEAD and isinstance(turn, Play):
        return say("You chose {card} before your turn, and we played it.", card=face(turn.card).text)
    if source is TurnSource.AS_WISHED:
        return unasked_sentence(turn, choice or Grounds())
    if source not in _WHY_FOR_THEM:
        return played_sentence(turn)
    reasons = (
        [said(choice.reason)] if choice and choice.reason and source in (TurnSource.TIMEOUT, TurnSource.AWAY) else []
    )
    return " ".join([say(_WHY_FOR_THEM[source]), _played_for_them(turn), *reasons])


def missed_sentence(records: Sequence[Record]) -> str:
    """Says what we played for a player in one hand because they were late, or away; of several cards, without reasons.

    Only for that player; the records, at least one, came about in the same way.
    """
    if len(records) == 1:
        return turn_sentence(records[0])
    cards = listed([face(one.turn.card).text for one in records if isinstance(one.turn, Play)])
    is_late = records[0].source is TurnSource.TIMEOUT
    why = say("The deadlines were over.") if is_late else say(_WHY_FOR_THEM[records[0].source])
    played = say_many(len(records), "We played {cards} for you.", "We played {cards} for you.", cards=cards)
    return f"{why} {played}"


def unasked_sentence(turn: Turn, choice: Grounds) -> str:
    """Says which card we played for a player without asking, and why; `choice` is the record's."""
    if choice.by in (None, ROBOT):
        reasons = [said(choice.reason)] if choice.reason else []
        return " ".join([say("You let a robot play."), _played_for_them(turn), *reasons])
    if choice.by in _WHY_UNASKED and isinstance(turn, Play):
        return say(_WHY_UNASKED[choice.by], card=face(turn.card).text)
    return _played_for_them(turn)


def _played_for_them(turn: Turn) -> str:
    match turn:
        case Play(card=card):
            return say("We played {card} for you.", card=face(card).text)
        case Pass(cards=cards):
            return say("We passed {cards} for you.", cards=_texts(cards))
        case Moon(choice=MoonChoice.ADD):
            return say("We gave the points of your moon to everybody else.")
        case Moon():
            return say("We had the points of your moon taken off.")
        case _:
            return say("We dealt for you.")


def _texts(cards: Iterable[Card]) -> str:
    return " ".join(face(card).text for card in cards)


def claim_sentence(records: Iterable[Record], names: Sequence[str]) -> str | None:
    """Says that one player was certain to win the last tricks of the hand with these records; None without a claim."""
    plays = 0
    for record in records:
        turn = record.turn
        if isinstance(turn, Play):
            if record.source is TurnSource.CLAIM:
                trick = plays // len(names) + 1
                return say(
                    "From trick {trick} on every trick had to go to {name}, so the rest played itself.",
                    trick=trick,
                    name=names[turn.seat],
                )
            plays += 1
    return None


def refusal_sentence(game: Game, turn: Turn) -> str:
    """Why the rules refuse a turn, for its player."""
    match turn:
        case Play(seat=seat, card=card) if reason := why_not(game, seat, card):
            return say("You can't play {card} now. {why}", card=face(card).text, why=said(reason))
        case Pass(seat=seat, cards=cards) if reason := why_not_pass(game, seat, cards):
            missing = game.rules.pass_count - len(cards)
            if missing > 0:
                word = number_word(missing)
                return say_many(missing, "Choose one more card.", "Choose {word} more cards.", word=word)
            if missing < 0:
                word = number_word(-missing)
                return say_many(-missing, "Choose one card fewer.", "Choose {word} cards fewer.", word=word)
            return say("You can't pass these. {why}", why=said(reason))
        case _:
            return say("The rules of this table do not allow it now.")


def dropped_sentence(stored: TableGame, seat: Seat) -> str:
    """Why the card that the seat's player chose ahead for the present trick is not played; empty if none is dropped."""
    kept = ahead_of(stored, seat)
    if kept is None:
        return ""
    if has_points_since(kept, view(stored.game, seat)):
        return points_sentence(kept.card)
    barred = say("You chose {card} before your turn, but you can't play it now.", card=face(kept.card).text)
    return barred if seat in stored.game.to_act else ""


def points_sentence(card: Card) -> str:
    """Tells a player that the trick for which they chose `card` got points since."""
    return say("You chose {card} before your turn, but then the trick got points.", card=face(card).text)


def barred_sentence(card: Card) -> str:
    """Tells a player that they cannot choose `card` for the trick on the table."""
    return say("You can't play {card} to this trick.", card=face(card).text)


def awaited_sentence(game: Game, names: Sequence[str], reader: Seat) -> str:
    """Tells the player of `reader` whose turn it is."""
    if game.stage is Stage.OVER:
        return say("The game is over.")
    if game.stage is Stage.DEAL:  # a running game deals by itself, so this one was ended
        return say("The host has ended the game.")
    if game.stage is Stage.DONE:
        return say("Hand {hand} is over.", hand=game.hand)
    if reader in game.to_act:
        return say("It's your turn.")
    return say("Waiting for {names}.", names=listed([names[seat] for seat in game.to_act]))


def awaited_at_table(stored: TableGame, reader: Seat) -> str:
    """The same in the hand that `stored` is about."""
    return awaited_sentence(stored.game, stored.names, reader)


# The page of a player between their turns: whose turn it is, and where they go on.

MANY: Final = 3  # the most names that fit a heading
MAILS: Final[Mapping[Frequency, str]] = {
    Frequency.EVERY: later("We'll email you."),
    Frequency.DAILY: later("We email you once a day."),
    Frequency.LAST: later("We email you before a deadline."),
}


def who_acts(sheet: TurnSheet) -> str:
    """E.g. "Bo's turn" or "Bo and Cy choose cards to pass"; the sheet's headline if it is nobody's turn."""
    names = [person.name for person in sheet.people if person.is_awaited]
    if not names:
        return sheet.headline
    who = listed(names)
    match sheet.stage:
        case "pass":
            return say_many(len(names), "{names} chooses cards to pass", "{names} choose cards to pass", names=who)
        case "moon":
            return say("{name} says how the moon counts", name=who)
        case _ if sheet.trick is not None and not sheet.trick.laid:
            return say("{name} leads trick {trick}", name=who, trick=sheet.trick.number)
        case _:
            return say("{name}'s turn", name=who)


def awaited_text(names: Sequence[str], unreachable: Sequence[str]) -> str:
    """Says for whom the table waits, and who of them gets no mail."""
    lost = say_many(
        len(unreachable),
        "{names} cannot be reached by mail.",
        "{names} cannot be reached by mail.",
        names=listed(unreachable),
    )
    return " ".join([say("Waiting for {names}.", names=listed(names)), *([lost] if unreachable else [])])


@dataclass(frozen=True, slots=True)
class Onward:
    """The way to the next step of a visit."""

    link: str
    text: str  # where it leads: "Play hand 2"
    asks: bool = True  # whether a decision or a result waits there


def onward_text(step: VisitStep, shown: int) -> str:
    """Says where the next `step` leads a reader who is shown the hand `shown`; empty if it stays there."""
    if step.hand == shown:
        return ""
    match step.kind:
        case StepKind.RESULT:
            return say("See how hand {hand} ended", hand=step.hand)
        case StepKind.DECISION:
            return say("Play hand {hand}", hand=step.hand)
        case _:
            return say("Look at hand {hand}", hand=step.hand)


def that_is_it(names: Sequence[str], mails: Frequency | None) -> str:
    """Returns the heading for a player for whom nothing waits: who plays next, by name, and when we email them."""
    done = say("That's it. The others are next.")
    if 0 < len(names) <= MANY:
        done = say_many(len(names), "That's it. {names} is next.", "That's it. {names} are next.", names=listed(names))
    return f"{done} {say(MAILS[mails])}" if mails else done
