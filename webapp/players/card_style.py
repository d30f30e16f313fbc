"""Keeps how cards look on a player's own pages: in four colours or two, with pictures or a large rank and suit.

A card style is a pair of classes of the style sheet. In every style shape and letter distinguish the suits; mails
always use four colours.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from hearts.cards import parse_code
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.say import say
from webapp.core.tokens import LinkInvalid
from webapp.games.clock.presence import note_act
from webapp.models import PlayerRow
from webapp.presentation.faces import Face, faces


@dataclass(frozen=True, slots=True)
class CardStyle:
    """One way for cards to look; `CardStyle()` is the usual one."""

    two_colours: bool = False
    large_index: bool = False

    @property
    def name(self) -> str:
        """The style's value in a form: "four", "two-large", …"""
        if self.large_index:
            return "two-large" if self.two_colours else "four-large"
        return "two" if self.two_colours else "four"

    @property
    def classes(self) -> str:
        """The classes of the style sheet, for a page or a part of it."""
        colours = "two-colours" if self.two_colours else "four-colours"
        return " ".join([colours, "large-index" if self.large_index else "pictures"])

    @property
    def label(self) -> str:
        """The style's name for players."""
        if self.large_index:
            return say("Two colours, large") if self.two_colours else say("Four colours, large")
        return say("Two colours") if self.two_colours else say("Four colours")


USUAL = CardStyle()
CARD_STYLES = tuple(CardStyle(two, large) for large in (False, True) for two in (False, True))
SAMPLE_CARDS = faces(parse_code(code) for code in ("AC", "TD", "QS", "KH"))  # every suit; ace, number and pictures


@dataclass(frozen=True, slots=True)
class CardStyleChoice:
    """The form in which a player chooses a card style: its URL, the present style, and cards to show each style by."""

    action: str
    chosen: CardStyle
    styles: tuple[CardStyle, ...] = CARD_STYLES
    samples: tuple[Face, ...] = SAMPLE_CARDS


def card_style_of(session: Session, player_id: int | None) -> CardStyle:
    """The card style of a player; the usual one if the id is None or there is no such player."""
    return card_style_of_player(session.get(PlayerRow, player_id) if player_id is not None else None)


def card_style_of_player(player: PlayerRow | None) -> CardStyle:
    """The card style in a player's row; the usual one for None, somebody who is not a known player."""
    return CardStyle(player.two_colours, player.large_index) if player else USUAL


def read_card_style(fields: Mapping[str, str]) -> CardStyle:
    """The card style that a form asks for. Raises Refused if it names none."""
    try:
        return next(style for style in CARD_STYLES if style.name == fields.get("look"))
    except StopIteration:
        raise Refused(say("Choose one of these four looks.")) from None


def change_card_style(runtime: Runtime, player_id: int, style: CardStyle, now: datetime) -> None:
    """Sets the card style of the player. Raises LinkInvalid if there is no such player."""
    with runtime.database.writing() as session:
        player = session.get(PlayerRow, player_id)
        if player is None:
            raise LinkInvalid
        player.two_colours, player.large_index = style.two_colours, style.large_index
        note_act(player, now)
