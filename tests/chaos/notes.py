"""The players' own notes of their deeds and the answers that they got, to compare with the service's records."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from tests.end_to_end.browsing import Form
from tests.worker.push_service import Browser


class Way(StrEnum):
    """How a player acted."""

    FORM = "form"
    MAIL = "mail"


@dataclass(frozen=True, slots=True)
class Deed:
    """A form that a player has submitted, or an email that they have sent, between `at` and `ended`.

    `to` is the path of the form, or the recipient of the mail. `chosen` are the codes of cards, or a word. The service
    has accepted it if it `is_acknowledged`: a page that is no error, or SMTP's 250. `answer` is the status, or None if
    the connection broke: then nobody knows.
    """

    at: datetime
    ended: datetime
    player: str
    way: Way
    to: str
    chosen: tuple[str, ...]
    answer: int | None
    about: str = ""  # of a card ahead, its trick and hand; of a form about a table, its number; of a mail, its ID

    @property
    def is_acknowledged(self) -> bool:
        return self.answer is not None and self.answer < 400

    @property
    def place(self) -> str:
        """The form's page without its token, such as "preferences/stand-in"; empty for a mail."""
        if self.way is Way.MAIL:
            return ""
        first, *rest = self.to.strip("/").split("/")
        return "/".join([first, *rest[1:]])

    @property
    def token(self) -> str:
        """The token in the form's path."""
        return self.to.split("/")[2]


@dataclass(frozen=True, slots=True)
class Shown:
    """A hand that a player's shared page has shown to a stranger, or has not: `status` says which."""

    ended: datetime
    to: str  # the path
    status: int


@dataclass
class Notes:
    """The notes of all players of a run. Threads share it, as they only append."""

    deeds: list[Deed] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)  # errors that a player met, besides that the site was down
    shown: list[Shown] = field(default_factory=list)
    devices: list[tuple[str, Browser]] = field(default_factory=list)  # by their player, browsers that are notified
    asked: set[str] = field(default_factory=set)  # the names of those whom a mail has asked for a card
    used: set[tuple[str, str]] = field(default_factory=set)  # what who has done besides: `doings.Habit`, and a name

    @property
    def acknowledged(self) -> list[Deed]:
        return [deed for deed in self.deeds if deed.is_acknowledged]


def chosen_in(form: Form) -> tuple[str, ...]:
    """Returns the cards, or the word, that the player has chosen or typed in a form."""
    names = ("card", "ahead", "moon", "answer", "want", "text", "address")
    return next((tuple(sorted(form.values[name])) for name in names if form.values.get(name)), ())


def about_in(form: Form) -> str:
    """The trick and the hand that a card ahead is for, or the number of the table; empty for any other form."""
    if "ahead" in form.kinds:
        return " ".join(form.values["due"] + form.values["hand"])
    return " ".join(form.values.get("table", []))
