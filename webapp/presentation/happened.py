"""The events of a hand since its player last chose in it: the tricks, and the cards that we played for them and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from hearts.seats import Seat
from hearts.turns import Deal, Pass, Play
from webapp.games.record.records import BY_PLAYER, Record
from webapp.games.record.store import TableGame
from webapp.models import TurnSource
from webapp.presentation.phrasing import counted, some_cards
from webapp.presentation.present import TurnSheet
from webapp.presentation.tricks import TrickSheet
from webapp.presentation.turn_text import claim_sentence, turn_sentence


@dataclass(frozen=True, slots=True)
class Happened:
    """The events since the player's last choice in the hand, or since its deal."""

    sentences: tuple[str, ...] = ()  # about each card that they did not choose now
    tricks: tuple[TrickSheet, ...] = ()  # finished since; the first may be that of their own card
    laid: int = 0  # the cards of the first of these tricks that they have seen
    passed: str = ""  # what they passed and got, if that was their choice

    @property
    def first(self) -> int | None:
        """The number of the first of these tricks; None if there is none."""
        return self.tricks[0].number if self.tricks else None

    @property
    def summary(self) -> str:
        """The same in a line; empty if nothing has happened."""
        cards, tricks = len(self.sentences), len(self.tricks)
        if cards == 1:
            return self.sentences[0]
        if cards:
            return f"We played {some_cards(cards)} for you."
        return f"What happened: {counted(tricks, 'trick')}" if tricks else ""


def happened(stored: TableGame, seat: Seat, sheet: TurnSheet) -> Happened:
    """Collects the events of the hand that `sheet` shows to the player of `seat`."""
    records = stored.of_hand(sheet.hand)
    last = _last_choice(records, seat, stored.turns_before(seat))
    since = records[last:]
    theirs = [one for one in since if not isinstance(one.turn, Deal) and one.turn.seat == seat]
    sentences = tuple(turn_sentence(one) for one in theirs if one.source is not TurnSource.CLAIM)
    claim = claim_sentence(records, stored.names_of_hand(sheet.hand)) if len(sentences) < len(theirs) else None
    played = sum(isinstance(one.turn, Play) for one in records[:last])
    trick, laid = divmod(played, stored.game.rules.players)
    if played and not laid:  # theirs was the last card of a trick, which they have not seen won
        trick, laid = trick - 1, stored.game.rules.players
    passed = f"{sheet.gave} {sheet.got}".strip() if last and isinstance(records[last - 1].turn, Pass) else ""
    return Happened((*sentences, *filter(None, [claim])), sheet.tricks[trick:], laid, passed)


def _last_choice(records: Sequence[Record], seat: Seat, after: int) -> int:
    """How many records the hand had once the player had chosen last; 0 if they have not."""
    for place, one in enumerate(reversed(records)):
        is_theirs = not isinstance(one.turn, Deal) and one.turn.seat == seat and one.number > after
        if is_theirs and one.source in BY_PLAYER:
            return len(records) - place
    return 0
