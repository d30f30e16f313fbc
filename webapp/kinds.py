"""The properties of each kind of mail: one row a kind, read by the code that queues, times, sends and answers mails.

CONTRIBUTING.md says how to add a kind.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from webapp.core.say import later
from webapp.models import LetterKind


class Cut(Enum):
    """When mails of a kind begin to wait, because their address has got many within a day (`outbox.allowance`).

    The value is how many, as a share of the setting MAILS_A_DAY.
    """

    FIRST = Fraction(2, 3)
    QUESTIONS = Fraction(5, 6)
    SHEETS = Fraction(1)
    LAST = Fraction(4, 3)  # personal mails: their reader waits for them, or must be warned


@dataclass(frozen=True, slots=True)
class MailKind:
    """The properties of one kind of mail; a row names only those that differ from these defaults."""

    is_question: bool = False  # asks its reader for turns: composed of what waits when it goes
    at_once: bool = False  # ignores frequency and quiet hours: its reader waits for it, or must see it now
    cut: Cut = Cut.FIRST  # when the limit of mails to an address makes it wait
    shown_on_page: bool = False  # waits a little while its reader reads the game, whose page shows the same
    proves_address: bool = False  # anybody can trigger it; also sent to an address that has bounced, to prove it again
    ignores_mute: bool = False  # sent to players who have muted the table
    shows_cards: bool = False  # not sent once somebody else has the seat, whose cards it would show
    repeats: bool = False  # may be for a fixed day, which preferences do not move
    brings_talk: bool = False  # quotes what was said at the table since the last such mail
    tells_story: bool = False  # includes the robot's review of the hand
    useful_later: bool = False  # still sent once an address that had bounced works again
    has_stop: bool = True  # has an unsubscribe link
    stop_label: str = later("Mute this table")


_TO_PROVE: Final = MailKind(at_once=True, cut=Cut.LAST, proves_address=True, has_stop=False)

KINDS: Final[Mapping[LetterKind, MailKind]] = MappingProxyType(
    {
        LetterKind.CONFIRM: MailKind(
            at_once=True, cut=Cut.LAST, proves_address=True, has_stop=False, ignores_mute=True
        ),
        LetterKind.INVITATION: MailKind(
            at_once=True, cut=Cut.QUESTIONS, repeats=True, useful_later=True, stop_label=later("No more invitations")
        ),
        LetterKind.DECLINED: MailKind(),
        LetterKind.SEATS: MailKind(repeats=True),
        LetterKind.JOIN: _TO_PROVE,
        LetterKind.OFFERED: MailKind(),
        LetterKind.REPLACED: MailKind(ignores_mute=True),
        LetterKind.OFFER_OVER: MailKind(),
        LetterKind.ENDED: MailKind(),
        LetterKind.PROPOSED: MailKind(cut=Cut.SHEETS, useful_later=True),
        LetterKind.RESTING: MailKind(cut=Cut.SHEETS, useful_later=True),
        LetterKind.MUTED: MailKind(at_once=True, cut=Cut.LAST, ignores_mute=True, has_stop=False),
        LetterKind.TURNS: MailKind(is_question=True, cut=Cut.QUESTIONS, brings_talk=True),
        LetterKind.SCORE_SHEET: MailKind(cut=Cut.SHEETS, shown_on_page=True, brings_talk=True, tells_story=True),
        LetterKind.FINAL_SHEET: MailKind(cut=Cut.SHEETS, brings_talk=True, tells_story=True),
        LetterKind.YEAR: MailKind(stop_label=later("No such email next year")),
        LetterKind.ANSWER: MailKind(at_once=True, cut=Cut.LAST, ignores_mute=True, shows_cards=True, has_stop=False),
        LetterKind.SIGN_IN: _TO_PROVE,
        LetterKind.NEW_ADDRESS: _TO_PROVE,
        LetterKind.ADDRESS_ASKED: MailKind(at_once=True, cut=Cut.LAST, repeats=True),
        LetterKind.ADDRESS_CHANGED: MailKind(at_once=True, cut=Cut.LAST),
        LetterKind.ADDRESS_MOVED: MailKind(at_once=True, cut=Cut.LAST),
        LetterKind.ANSWERED_FROM: MailKind(at_once=True, cut=Cut.LAST, has_stop=False),
        LetterKind.DEVICE_ADDED: MailKind(at_once=True, cut=Cut.LAST, has_stop=False),
        LetterKind.GONE_AWAY: MailKind(at_once=True, cut=Cut.LAST, has_stop=False),
        LetterKind.FORGET: MailKind(at_once=True, cut=Cut.LAST, has_stop=False),
        LetterKind.UNREAD: MailKind(at_once=True, cut=Cut.LAST, has_stop=False),
        LetterKind.TRIAL: MailKind(at_once=True, cut=Cut.LAST),
    }
)


def _kinds(has: Callable[[MailKind], bool]) -> tuple[LetterKind, ...]:
    return tuple(kind for kind, row in KINDS.items() if has(row))


# The same for queries, which need the kinds by name.
IGNORING_MUTE: Final = _kinds(lambda kind: kind.ignores_mute)
SHOWING_CARDS: Final = _kinds(lambda kind: kind.shows_cards)
BRINGING_TALK: Final = _kinds(lambda kind: kind.brings_talk)
USEFUL_LATER: Final = _kinds(lambda kind: kind.useful_later)
