"""How cards look on a player's own pages: of four colours or two, with pictures or with a large rank and suit.

A look is a pair of classes that the style sheet knows. Suits are told by shape and letter whatever it is; mails keep
to four colours.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from hearts.cards import parse_code
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.core.tokens import LinkInvalid
from webapp.models import PlayerRow
from webapp.presentation.faces import Face, faces


@dataclass(frozen=True, slots=True)
class CardStyle:
    """One way for cards to look; the usual one where nothing is given."""

    two_colours: bool = False
    large_index: bool = False

    @property
    def name(self) -> str:
        """What stands for it in a form: "four", "two-large", …"""
        return ("two" if self.two_colours else "four") + ("-large" if self.large_index else "")

    @property
    def classes(self) -> str:
        """What the style sheet calls it, on the page or on a part of it."""
        colours = "two-colours" if self.two_colours else "four-colours"
        return f"{colours} {'large-index' if self.large_index else 'pictures'}"

    @property
    def label(self) -> str:
        """What players call it."""
        return ("Two colours" if self.two_colours else "Four colours") + (", large" if self.large_index else "")


USUAL = CardStyle()
CARD_STYLES = tuple(CardStyle(two, large) for large in (False, True) for two in (False, True))
SHOWN = faces(parse_code(code) for code in ("AC", "TD", "QS", "KH"))  # a card of each suit, and of each kind


@dataclass(frozen=True, slots=True)
class CardStyleChoice:
    """The form in which a player chooses: where it goes, what she has now, and the cards to show each look by."""

    action: str
    chosen: CardStyle
    looks: tuple[CardStyle, ...] = CARD_STYLES
    shown: tuple[Face, ...] = SHOWN


def card_style_of(session: Session, player_id: int | None) -> CardStyle:
    """The look that a player has chosen; the usual one where there is no such player."""
    return card_style_of_player(session.get(PlayerRow, player_id) if player_id is not None else None)


def card_style_of_player(player: PlayerRow | None) -> CardStyle:
    """The same, for whoever has the player's row; None: for somebody whom nobody knows."""
    return CardStyle(player.two_colours, player.large_index) if player else USUAL


def read_card_style(fields: Mapping[str, str]) -> CardStyle:
    """The look that a form asks for. Raises Refused."""
    try:
        return next(look for look in CARD_STYLES if look.name == fields.get("look"))
    except StopIteration:
        raise Refused("Please choose one of these four looks.") from None


def change_card_style(runtime: Runtime, player_id: int, look: CardStyle, now: datetime) -> None:
    """Sets how cards look to the player, and nothing else. Raises LinkInvalid where there is no such player."""
    with runtime.database.writing() as session:
        player = session.get(PlayerRow, player_id)
        if player is None:
            raise LinkInvalid
        player.two_colours, player.large_index = look.two_colours, look.large_index
        player.seen_at = now
