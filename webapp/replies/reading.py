"""Classifies an incoming mail: a pure function of the mail, its envelope, and the question that it answers.

First it looks for signs of a machine, then it checks the sender, then it reads what was typed. It acts on nothing.
"""

import re
from collections.abc import Set
from dataclasses import dataclass, replace
from email.message import EmailMessage
from enum import StrEnum
from typing import Any

from webapp.core.addresses import mailbox_of
from webapp.core.say import ENGLISH
from webapp.replies.authentication import Verdict, verdict_on
from webapp.replies.bounces import Bounce, bounce_of, is_complaint
from webapp.replies.grammar import (
    TypedLine,
    by_hand,
    choices,
    hand_named,
    is_answer,
    is_greeting,
    is_hand_alone,
    parse_answer,
)
from webapp.replies.machine import machine_reason
from webapp.replies.received import (
    Mail,
    addresses,
    body_lines,
    content_type,
    field,
    fields,
    leaves,
    parse_mail,
    versions,
)
from webapp.replies.typed import AnsweredMail, typed_lines
from webapp.replies.words import written

# An address to which only delivery reports go (`webapp.core.addresses`), at a domain or in a mailbox.
_RETURN = re.compile(r"(?:.*[-+=])?[bq]-[^-+=@]*@.*")
_WORDS = re.compile(rf"\W*(?:{written('ok')})\s*[:：]\s*(?P<words>.+)", re.IGNORECASE)  # for the shuffle, behind a yes
OF_HAND = ("ok", "add", "subtract")  # words that answer a question of a hand
SURE = "sure"  # `Asked.what` of a mail that asks its player whether they have asked for something
_SEVERAL = "its letters name different cards in different languages"
YES_OR_NO = ("invitation", "answered_from", SURE)  # `Asked.what` of mails that are answered by one of these words


class Classification(StrEnum):
    """The kinds of incoming mail."""

    MOVE = "move"
    PASS = "pass"
    COMMAND = "command"
    AUTOREPLY = "autoreply"
    BOUNCE = "bounce"
    EMPTY = "empty"
    QUOTED_ONLY = "quoted-only"
    GARBAGE = "garbage"
    SPOOF = "spoof"


PEOPLE = {  # classified as such, a mail is a person's, who may be its player
    Classification.MOVE,
    Classification.PASS,
    Classification.COMMAND,
    Classification.EMPTY,
    Classification.QUOTED_ONLY,
    Classification.GARBAGE,
}


@dataclass(frozen=True, slots=True)
class Envelope:
    """The SMTP envelope of a mail; `sender` is empty for the null sender."""

    sender: str
    recipient: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The question that a reply answers, and the player whom it was put to; its address names them."""

    seat: int
    hand: int
    what: str  # "pass", "trick 5" or "moon"; anything else is no question
    addresses: frozenset[str]  # the proved addresses of the seat's player, in lower case
    legal: tuple[str, ...] = ()  # the codes of the cards that may be played now; empty if unknown
    pass_count: int = 3
    language: str = ENGLISH  # their own, in which we have written to them
    others: tuple["Asked", ...] = ()  # what the hands that are played beside this one ask of them

    @property
    def cards(self) -> int:
        """How many cards the answer has."""
        return {"pass": self.pass_count, "trick": 1}.get(self.what.partition(" ")[0], 0)

    def in_hand(self, hand: int | None) -> "Asked | None":
        """Returns the question of that hand; None: this question itself. None if the hand asks nothing."""
        return next((one for one in (self, *self.others) if hand in (None, one.hand)), None)


@dataclass(frozen=True, slots=True)
class Reading:
    """How a mail was classified, and by which rule; of the mail's content `why` quotes only cards and commands."""

    classification: Classification
    why: str
    cards: tuple[str, ...] = ()
    word: str | None = None
    seat: int | None = None
    turn: dict[str, Any] | None = None
    bounce: Bounce | None = None
    other_sender: str = ""  # the address of a person who is not the player, where nothing else is wrong
    is_complaint: bool = False  # a mail provider reports that the player has marked our mail as unwanted
    hand: int | None = None  # the other hand that it answers, of those that are played side by side
    has_words: bool = False  # whether words were typed below the answer, which nobody reads
    is_genuine: bool = False  # whether our own mail server says that the player has sent it
    typed: tuple[str, ...] = ()  # the cards that were typed for a hand, whether they answer its question or not
    shuffle: str = ""  # words for the shuffle behind a yes to an invitation
    doubtful: str | None = None  # the card that "Ah!" or "as" alone would be, which may be a word
    choices: tuple[str, ...] = ()  # the cards that the letters of a code name in one language or another
    more: tuple["Reading", ...] = ()  # the answers for other hands below it, each with its `hand`

    def mapping(self) -> dict[str, Any]:
        """The reading as a JSON mapping, with "bounce" and "more" only if there are any."""
        found: dict[str, Any] = {
            "class": self.classification.value,
            "cards": list(self.cards),
            "seat": self.seat,
            "turn": self.turn,
        }
        found |= {"word": self.word, "why": self.why}
        if self.more:
            found["more"] = [{"hand": one.hand, **one.mapping()} for one in self.more]
        if self.bounce:
            found["bounce"] = {
                "recipient": self.bounce.recipient,
                "status": self.bounce.verdict.status,
                "fault": self.bounce.verdict.fault.value,
                "action": self.bounce.action,
            }
        return found


def read(
    raw: bytes,
    envelope: Envelope,
    asked: Asked | None,
    answered: EmailMessage | str | None,
    own_host: str | None = None,
    recurring: Set[str] = frozenset(),
) -> Reading:
    """The classification of the mail in `raw`. Raises nothing: any bytes count as a mail.

    `asked` and `answered` are the question and the mail that its address names; None if there is no such mail, or its
    text is gone. `own_host` is the name under which our own mail server signs its verdicts. `recurring` are lines that
    nobody types, although they stand on top of mails (`webapp.replies.typed`). Not checked: whether the
    cards may be played.
    """
    reading = _classify(parse_mail(raw), envelope, asked, _as_received(answered), own_host, recurring)
    meant = asked.in_hand(reading.hand) if asked else None
    turn = {"hand": meant.hand, "what": meant.what} if meant else None
    return replace(reading, seat=asked.seat if asked else None, turn=turn)


def _as_received(answered: EmailMessage | str | None) -> Mail | None:
    if answered is None:
        return None
    return parse_mail(answered.encode() if isinstance(answered, str) else answered.as_bytes())


def _classify(
    mail: Mail,
    envelope: Envelope,
    asked: Asked | None,
    answered: Mail | None,
    own_host: str | None,
    recurring: Set[str],
) -> Reading:
    is_return = _RETURN.fullmatch(envelope.recipient) is not None
    if bounce := bounce_of(mail, envelope.sender, to_bounce_address=is_return):
        kind = "a report on a delivery" if bounce.is_failure else "a report, but not of a failure"
        return Reading(Classification.BOUNCE, f"it is {kind}, with status {bounce.verdict.status}", bounce=bounce)
    if is_complaint(mail):
        return Reading(Classification.AUTOREPLY, "it is a complaint about mail of ours", is_complaint=True)
    if why := machine_reason(mail, envelope.sender, answered):
        return Reading(Classification.AUTOREPLY, why)
    if why := _spoof_reason(mail, own_host):
        return Reading(Classification.SPOOF, why)
    (sender,) = addresses(fields(mail, "From")[0])  # there is just one: else it would be a spoof
    if asked and mailbox_of(sender) not in map(mailbox_of, asked.addresses):
        return Reading(Classification.SPOOF, "its sender is not the player of the seat", other_sender=sender)
    found = typed_lines(body_lines(mail), _ours(answered, _language(asked)), recurring)
    if not found.lines:
        if found.quotes:
            return Reading(Classification.QUOTED_ONLY, "all of it is quoted")
        sealed = {"application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted"}
        if any(content_type(part) in sealed for part in leaves(mail)):
            return Reading(Classification.GARBAGE, "it is sealed, so that it cannot be read")
        return Reading(Classification.EMPTY, "nothing was typed")
    is_genuine = verdict_on(mail, own_host) is Verdict.GENUINE
    return replace(_classify_typed(found.lines, asked), is_genuine=is_genuine)


def _language(asked: Asked | None) -> str:
    return asked.language if asked else ENGLISH


def _ours(answered: Mail | None, language: str) -> AnsweredMail:
    if answered is None:
        return AnsweredMail((), language=language)
    name = field(answered, "From").partition("<")[0].strip(' "')
    return AnsweredMail(versions(answered), [name], language)


def _spoof_reason(mail: Mail, own_host: str | None) -> str | None:
    """Why the sender of the mail is not genuine; None if nothing says so."""
    senders = fields(mail, "From")
    if len(senders) != 1:
        return f"it has {len(senders)} From fields, not one"
    by = addresses(senders[0])
    if len(by) != 1:
        return f"its From field has {len(by)} addresses, not one"
    if verdict_on(mail, own_host) is Verdict.FORGED:
        return "our mail server says that its sender is not genuine"
    return None


def _classify_typed(lines: tuple[str, ...], asked: Asked | None) -> Reading:
    """The classification of the typed lines, of which the first must be an answer as a whole, below any greetings.

    Below it, a line that names a hand begins the answer for that hand. Each stands for itself: one that is no answer
    stops no other. A command for the table stands alone, and two answers for one hand answer nothing.
    """
    while len(lines) > 1 and is_greeting(lines[0]):
        lines = lines[1:]
    first, *others = _sections(lines, asked)
    reading = _classify_section(first, asked)
    if not others or not _may_be_followed(reading, first[0], _language(asked)):
        return reading
    answers = [reading]
    for section in others:
        below = _classify_section(section, asked)
        if below.word is not None and below.word not in OF_HAND:
            below = Reading(Classification.GARBAGE, f"the word {below.word} stands alone", hand=below.hand)
        answers.append(below)
    hands = [one.hand for one in answers]
    twice = "it has two answers for one hand"
    reading, *more = [
        one if hands.count(one.hand) == 1 else Reading(Classification.GARBAGE, twice, hand=one.hand) for one in answers
    ]
    return replace(reading, more=tuple(more))


def _sections(lines: tuple[str, ...], asked: Asked | None) -> list[tuple[str, ...]]:
    """The lines, divided before each that begins with the number of a hand, and answers it or should do so."""
    sections: list[tuple[str, ...]] = [()]
    language = _language(asked)
    for line in (part for whole in lines for part in by_hand(whole, language)):
        hand, above = hand_named(line), sections[-1]
        if hand is not None and above and (is_answer(line, language) or (asked and asked.in_hand(hand))):
            sections.append((line,))
        elif len(above) == 1 and is_hand_alone(above[0]):
            sections[-1] = (f"{above[0]} {line}",)
        else:
            sections[-1] = (*above, line)
    return sections


def _may_be_followed(reading: Reading, first: str, language: str) -> bool:
    """Whether answers for other hands below the first section count: it answers a hand, or is a failed attempt to."""
    if reading.word:
        return reading.word in OF_HAND
    is_attempt = hand_named(first) is not None or any(is_answer(word, language) for word in first.split())
    return reading.classification in (Classification.MOVE, Classification.PASS) or is_attempt


def _classify_section(lines: tuple[str, ...], asked: Asked | None) -> Reading:
    """The classification of an answer for one hand."""
    if asked and asked.what == "invitation" and (said := _WORDS.fullmatch(lines[0])):
        return Reading(
            Classification.COMMAND, "yes was typed, with words for the shuffle", word="ok", shuffle=said["words"]
        )
    language = _language(asked)
    first = parse_answer(lines[0], language)
    hand = hand_named(lines[0])
    meant = asked.in_hand(hand) if asked else None
    is_other = hand if asked is None or meant is not asked else None
    if first is None:
        if several := choices(lines[0], language):
            return Reading(Classification.GARBAGE, _SEVERAL, choices=several, hand=is_other)
        why = "the first line that was typed is neither a card nor a word that we know"
        return Reading(Classification.GARBAGE, why, hand=is_other)
    typed = _codes(_of_cards(first, lines[1:], language))
    if asked and meant is None:
        return Reading(Classification.GARBAGE, f"nothing is asked of you in hand {hand} now", hand=hand, typed=typed)
    found = _classify_answer(first, lines[1:], meant, language)
    # A single word below an answer is a greeting or a name, and says nothing.
    has_words = any(len(line.split()) > 1 and not is_answer(line, language) for line in lines[1:])
    return replace(found, hand=is_other, typed=typed, has_words=has_words)


def _classify_answer(first: TypedLine, below: tuple[str, ...], asked: Asked | None, language: str) -> Reading:
    if first.word:
        return _classify_command(first.word, asked)
    lines = _of_cards(first, below, language)
    if len(lines) <= len(below) and (several := choices(below[len(lines) - 1], language)):
        return Reading(Classification.GARBAGE, _SEVERAL, choices=several)
    if all(line.is_doubtful for line in lines) and (asked is None or asked.cards == 1):
        return Reading(Classification.GARBAGE, "it may be a word as well as a card", doubtful=first.cards[0])
    return _classify_cards(_codes(lines), first.verb, asked)


def _of_cards(first: TypedLine, below: tuple[str, ...], language: str) -> list[TypedLine]:
    """The first line and the following ones, up to a line that holds anything but cards."""
    lines = [first]
    for line in below:
        more = parse_answer(line, language)
        if more is None or not more.cards:
            break
        lines.append(more)
    return lines


def _codes(lines: list[TypedLine]) -> tuple[str, ...]:
    return tuple(card for line in lines for card in line.cards)


def _classify_command(word: str, asked: Asked | None) -> Reading:
    if word in ("add", "subtract") and asked and asked.what != "moon":
        return Reading(Classification.GARBAGE, f"{word} answers how a moon counts, which was not asked")
    if word != "ok" or asked is None or asked.what in YES_OR_NO:
        return Reading(Classification.COMMAND, f"the word {word} was typed", word=word)
    if not asked.what.startswith("trick"):
        return Reading(
            Classification.GARBAGE, "ok plays the only card that may be played, but no card to a trick was asked for"
        )
    if len(asked.legal) > 1:
        return Reading(Classification.GARBAGE, f"ok plays the only card that may be played, but {len(asked.legal)} may")
    return Reading(Classification.COMMAND, "the word ok was typed", cards=asked.legal, word=word)


def _classify_cards(cards: tuple[str, ...], verb: str | None, asked: Asked | None) -> Reading:
    wanted = asked.cards if asked else 1 if len(set(cards)) == 1 else len(cards)
    kind = Classification.PASS if (asked.what == "pass" if asked else wanted > 1) else Classification.MOVE
    if wanted == 1 and len(set(cards)) == 1:
        cards = cards[:1]  # typed twice, as in "QS Q♠", it is still one card
    if not wanted:
        return Reading(Classification.GARBAGE, "cards were typed, but the mail that was answered asks for none")
    if len(cards) != wanted:
        sent = "one card" if len(cards) == 1 else f"{len(cards)} cards"
        return Reading(Classification.GARBAGE, f"you sent {sent}, and we need {wanted}")
    if verb and (verb == "pass") is not (kind is Classification.PASS):
        return Reading(Classification.GARBAGE, f"the cards were to {verb}, which was not asked")
    return Reading(kind, f"{' '.join(cards)} was typed", cards=cards)
