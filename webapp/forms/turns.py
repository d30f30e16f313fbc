"""A decision as its player typed or tapped it, in form only: whether the rules allow it, `hearts` says."""

from collections.abc import Sequence

from hearts.cards import Cards, NotACard, parse_card
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Pass, Play
from webapp.core.say import later, say
from webapp.forms.fields import BadField, one_of
from webapp.games.asked.due import Decision

_read_moon = one_of({choice.value: choice for choice in MoonChoice}, later("Choose how the moon counts."))


def read_turn(seat: Seat, what: str, cards: Sequence[str], moon: str = "") -> Decision:
    """The seat's decision; `what` as in `Due`, `cards` as codes such as "QS". Raises BadField where it has none."""
    if what == "moon":
        return Moon(seat, _read_moon(moon))
    try:
        chosen = [parse_card(code) for code in cards]
    except NotACard:
        raise BadField(say("That is not a card.")) from None
    if what == "pass":
        try:
            return Pass(seat, Cards.of(chosen))
        except ValueError:
            raise BadField(say("You can't pass the same card twice.")) from None
    if len(chosen) != 1:
        raise BadField(say("Choose a card to play."))
    return Play(seat, chosen[0])
