"""Fields that several forms share: each is parsed, or rejected with a sentence for the person who typed it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Self, TypeVar
from zoneinfo import available_timezones

from email_validator import EmailNotValidError, validate_email

from hearts.robot import Level
from webapp.core.names import JOINERS, bare, is_ours, is_printable, is_visible, isolated, looks_like_link, outline
from webapp.core.say import ENGLISH, LANGUAGES, Refused, later, say, say_as, say_many
from webapp.games.clock.pace import LIVE_PACES
from webapp.models import Talk
from webapp.presentation.phrasing import span
from webapp.replies.grammar import parse_answer

LONGEST_NAME = 40
LONGEST_WORDS = 140
LONGEST_NUMBER = 9  # digits: any database stores those
LONGEST_ECHO = 300  # letters of a field that are shown again
# Domains of a network at home (RFC 6762 and 8375), which the library refuses as it does others that no mail reaches.
_AT_HOME = re.compile(r"(?<=\.)local\Z|(?<=[@.])home\.arpa\Z", re.IGNORECASE)
_FOR_HOME = "home.example.org"
T = TypeVar("T")
TIME_ZONES = ("UTC", *sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/")))
BY_MAIL = (
    *(timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6), timedelta(hours=12)),
    *(timedelta(days=1), timedelta(days=2), timedelta(days=3), timedelta(days=7)),
)
STRONGEST = Level.STRONG
_WEEK = str(7 * 24 * 3600)
VACATION_DAYS = (0, 1, 2, 3, 5, 7, 10, 14)
USUAL_VACATION = "3"  # days
TICKED = "yes"  # what a ticked box sends; an unticked one sends nothing


class BadField(Refused):
    """The content of a field is invalid; the text is a sentence for the person who typed it."""


@dataclass(slots=True)
class Form:
    """The content of a form's fields, and their error messages."""

    values: dict[str, str]
    errors: dict[str, str] = field(default_factory=dict)

    @classmethod
    def sent(cls, fields: Mapping[str, str]) -> Self:
        """The form as it was sent, to be parsed and shown again."""
        return cls({name: text[:LONGEST_ECHO] for name, text in fields.items()})

    def take(self, name: str, reader: Callable[[str], T]) -> T | None:
        """The field's value, parsed by `reader`; if that raises, None, and the message is added to `errors`."""
        try:
            return reader(self.values.get(name, ""))
        except BadField as error:
            self.errors[name] = str(error)
            return None


def one_of(offered: Mapping[str, T], wrong: str, usual: str = "") -> Callable[[str], T]:
    """Returns a reader of a field that offers these values; an empty one has the value `usual`.

    It raises BadField with the sentence `wrong`, which `later` has marked.
    """

    def read(text: str) -> T:
        try:
            return offered[text or usual]
        except KeyError:
            raise BadField(say(wrong)) from None

    return read


read_time_zone = one_of({zone: zone for zone in TIME_ZONES}, later("Choose a time zone from the list."))
read_talk = one_of(
    {talk.value: talk for talk in Talk}, later("Choose from the list what may be said at the table."), Talk.TEXT
)
read_robots = one_of(
    {level.value: level for level in Level}, later("Choose from the list how well the robots play."), STRONGEST
)
read_vacation = one_of({str(days): days for days in VACATION_DAYS}, later("Choose the spare days from the list."), "0")


def pace_reader(offered: Sequence[tuple[str, str]], usual: str = "") -> Callable[[str], timedelta]:
    """Returns a reader of one of these paces, which have a value and a label each."""
    times = {value: timedelta(seconds=int(value)) for value, _ in offered}
    return one_of(times, later("Choose a time from the list."), usual)


def live_paces() -> list[tuple[str, str]]:
    """The values and labels of the times for a card at a live table, shortest first."""
    return [_valued(pace) for pace in LIVE_PACES]


def mail_paces(shortest: int | None) -> list[tuple[str, str]]:
    """The same for a turn by mail. If `shortest` is given, that pace, in seconds, is offered, too, for trials."""
    paces = [(value, say("1 week") if value == _WEEK else label) for value, label in map(_valued, BY_MAIL)]
    if shortest is not None and (pace := timedelta(seconds=shortest)) not in (*LIVE_PACES, *BY_MAIL):
        return [(str(shortest), say("{time} (to try it out)", time=span(pace))), *paces]
    return paces


def pace_groups(shortest: int | None) -> list[tuple[str, list[tuple[str, str]]]]:
    """The groups of all paces on offer; `shortest` as `mail_paces` has it."""
    return [(say("Live, everybody is here"), live_paces()), (say("By mail"), mail_paces(shortest))]


def robot_levels() -> list[tuple[str, str]]:
    """The values and labels of how well the robots may play."""
    return [
        (Level.RULE.value, say("By rules of thumb, at once")),
        (Level.STEADY.value, say("With some thought")),
        (Level.STRONG.value, say("As well as they can")),
    ]


def talks() -> list[tuple[str, str]]:
    """The values and labels of what may be said at a table."""
    return [
        (Talk.TEXT.value, say_as("talk at the table", "Anything")),
        (Talk.PHRASES.value, say("Only a few polite phrases")),
        (Talk.NONE.value, say_as("talk at the table", "None")),
    ]


def vacations() -> list[tuple[str, str]]:
    """The values and labels of how many spare days each player may have."""
    return [
        (str(days), say_many(days, "{number} day", "{number} days") if days else say_as("spare days", "None"))
        for days in VACATION_DAYS
    ]


def take_guest(form: Form) -> tuple[str, str, str] | None:
    """The name, address and time zone of a guest who asks for a seat; None, with errors added, if one is invalid."""
    name = form.take("name", read_name)
    address = form.take("address", read_address)
    time_zone = form.take("time_zone", read_time_zone)
    return (name, address, time_zone) if name and address and time_zone else None


def read_number(text: str) -> int:
    """The number of a seat, a hand or a row that a page of ours has put into a form. Raises BadField."""
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER):
        raise BadField(say("Please use the form on this page."))
    return int(text)


def read_name(text: str) -> str:
    """A name as others will see it, with white space normalised. Raises BadField."""
    name = " ".join(bare(text).split())
    if not name.strip(JOINERS):
        raise BadField(say("Enter a name."))
    if len(isolated(name)) > LONGEST_NAME:
        raise BadField(say("A name has at most {most} letters.", most=LONGEST_NAME))
    if not is_visible(name):
        raise BadField(say("A name needs letters that can be seen."))
    if looks_like_link(name):
        raise BadField(
            say("A name can't look like a web address, an email address or a phone number. Leave a space after a dot.")
        )
    # A reply that quotes the name alone must not be taken for an answer, in whatever language it is read. We ask back
    # about a word of another language, such as "Jo", so that it may be a name.
    found = ((language, parse_answer(form, language)) for language in LANGUAGES for form in (name, outline(name)))
    may_answer = any(answer and (language == ENGLISH or not answer.is_doubtful) for language, answer in found)
    if is_ours(name) or may_answer:
        raise BadField(say("Choose another name: this one looks like something that we say about players."))
    return isolated(name)


def read_words(text: str) -> str | None:
    """A line that a host writes to the people they invite, on one line; None if the field is empty. Raises BadField.

    It goes to strangers by mail, so it may hold nothing that a mail program makes a link of.
    """
    words = " ".join("".join(filter(is_printable, " ".join(bare(text).split()))).split())
    if not words.strip(JOINERS + " "):
        return None
    if len(words) > LONGEST_WORDS:
        raise BadField(
            say("Your line has {letters} letters. At most {most} fit.", letters=len(words), most=LONGEST_WORDS)
        )
    if looks_like_link(words):
        raise BadField(say("Links, addresses and long numbers can't go into your line. Leave a space after a dot."))
    return isolated(words)


def read_address(text: str) -> str:
    """A mail address in lower case, so that one address is one player. Raises BadField."""
    address = text.strip(" ")
    if not address:
        raise BadField(say("Enter an email address."))
    at_home = _AT_HOME.search(address)
    stands_in = _AT_HOME.sub(_FOR_HOME, address)
    try:
        valid = validate_email(stands_in[:LONGEST_ECHO], check_deliverability=False).normalized.lower()
    except EmailNotValidError:
        raise BadField(say("This is not an email address that we can write to.")) from None
    return valid.removesuffix(_FOR_HOME) + at_home[0].lower() if at_home else valid


def _valued(pace: timedelta) -> tuple[str, str]:
    return str(int(pace.total_seconds())), span(pace)
