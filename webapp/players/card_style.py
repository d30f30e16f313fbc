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
from webapp.core.runtime import Parts
from webapp.core.tokens import LinkInvalid
from webapp.models import PlayerRow
from webapp.presentation.faces import Face, faces


@dataclass(frozen=True, slots=True)
class Look:
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


USUAL = Look()
LOOKS = tuple(Look(two, large) for large in (False, True) for two in (False, True))
SHOWN = faces(parse_code(code) for code in ("AC", "TD", "QS", "KH"))  # a card of each suit, and of each kind


@dataclass(frozen=True, slots=True)
class LookChoice:
    """The form in which a player chooses: where it goes, what she has now, and the cards to show each look by."""

    action: str
    chosen: Look
    looks: tuple[Look, ...] = LOOKS
    shown: tuple[Face, ...] = SHOWN


def look_of(session: Session, player_id: int | None) -> Look:
    """The look that a player has chosen; the usual one where there is no such player."""
    return player_look(session.get(PlayerRow, player_id) if player_id is not None else None)


def player_look(player: PlayerRow | None) -> Look:
    """The same, for whoever has the player's row; None: for somebody whom nobody knows."""
    return Look(player.two_colours, player.large_index) if player else USUAL


def read_look(fields: Mapping[str, str]) -> Look:
    """The look that a form asks for. Raises Refused."""
    try:
        return next(look for look in LOOKS if look.name == fields.get("look"))
    except StopIteration:
        raise Refused("Please choose one of these four looks.") from None


def change_look(parts: Parts, player_id: int, look: Look, now: datetime) -> None:
    """Sets how cards look to the player, and nothing else. Raises LinkInvalid where there is no such player."""
    with parts.database.writing() as session:
        player = session.get(PlayerRow, player_id)
        if player is None:
            raise LinkInvalid
        player.two_colours, player.large_index = look.two_colours, look.large_index
        player.seen_at = now
