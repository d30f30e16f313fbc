"""What an inbound mail is taken for: a pure function of the mail, its envelope, and what its address asked for.

First what the head says of machines, then who sent it, then what was typed. Nothing is acted on here.
Source: RFC 8601 for the verdict of our own mail server.
"""

import re
from dataclasses import dataclass, replace
from email.message import EmailMessage
from enum import StrEnum
from typing import Any

from webapp.replies.bounces import Bounce, bounce_of
from webapp.replies.complaints import is_complaint
from webapp.replies.grammar import Answer, answer
from webapp.replies.machine import machine_reason
from webapp.replies.received import Mail, addresses, body_lines, content_type, field, fields, leaves, opened, versions
from webapp.replies.typed import Ours, Typed, typed


class Classification(StrEnum):
    """What an inbound mail was taken for."""

    MOVE = "move"
    PASS = "pass"
    COMMAND = "command"
    AUTOREPLY = "autoreply"
    BOUNCE = "bounce"
    EMPTY = "empty"
    QUOTED_ONLY = "quoted-only"
    GARBAGE = "garbage"
    SPOOF = "spoof"


@dataclass(frozen=True, slots=True)
class Envelope:
    """What the other server said before the mail; `sender` is empty for the null sender."""

    sender: str
    recipient: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address of a reply names: the mail of ours that was answered, and whose it was."""

    seat: int
    hand: int
    what: str  # "pass", "trick 5" or "moon"; anything else asks nothing
    addresses: frozenset[str]  # the seat's own, proved, lower case
    legal: tuple[str, ...] = ()  # the codes of the cards that may be played now; none where that is not known
    pass_count: int = 3

    @property
    def cards(self) -> int:
        """How many cards answer it."""
        return {"pass": self.pass_count, "trick": 1}.get(self.what.partition(" ")[0], 0)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a mail was taken for, and by which rule; `why` holds nothing of the mail but a card."""

    taken: Classification
    why: str
    cards: tuple[str, ...] = ()
    word: str | None = None
    seat: int | None = None
    turn: dict[str, Any] | None = None
    bounce: Bounce | None = None
    is_complaint: bool = False  # its mail provider says that she has marked our mail as unwanted

    def mapping(self) -> dict[str, Any]:
        """The reading as JSON knows it; a bounce says more."""
        told = {"class": self.taken.value, "cards": list(self.cards), "seat": self.seat, "turn": self.turn}
        told |= {"word": self.word, "why": self.why}
        if self.bounce:
            told["bounce"] = {
                "recipient": self.bounce.recipient,
                "status": self.bounce.status,
                "action": self.bounce.action,
                "hard": self.bounce.is_hard,
            }
        return told


def read(
    raw: bytes,
    envelope: Envelope,
    asked: Asked | None,
    answered: EmailMessage | str | None,
    own_host: str | None = None,
) -> Reading:
    """What the mail in `raw` is taken for; any bytes are some mail.

    `asked` and `answered` belong to the address that it came to, None where that names no mail of ours or its text
    is gone. `own_host` is the name by which our own mail server signs its verdicts. Not checked: whether the cards
    may be played.
    """
    reading = _reading(opened(raw), envelope, asked, _as_received(answered), own_host)
    turn = {"hand": asked.hand, "what": asked.what} if asked else None
    return replace(reading, seat=asked.seat if asked else None, turn=turn)


def _as_received(answered: EmailMessage | str | None) -> Mail | None:
    if answered is None:
        return None
    return opened(answered.encode() if isinstance(answered, str) else answered.as_bytes())


def _reading(
    mail: Mail, envelope: Envelope, asked: Asked | None, answered: Mail | None, own_host: str | None
) -> Reading:
    if bounce := bounce_of(mail, envelope.sender):
        kind = "a report on a delivery" if bounce.is_failure else "a report, but not of a failure"
        return Reading(Classification.BOUNCE, f"it is {kind}, with status {bounce.status}", bounce=bounce)
    if is_complaint(mail):
        return Reading(Classification.AUTOREPLY, "it is a complaint about a mail of ours", is_complaint=True)
    if why := machine_reason(mail, envelope.sender, answered):
        return Reading(Classification.AUTOREPLY, why)
    if why := _spoof_reason(mail, asked, own_host):
        return Reading(Classification.SPOOF, why)
    found = typed(body_lines(mail), _ours(answered))
    if not found.lines:
        return _nothing_typed(mail, found)
    return _judged(found.lines, asked)


def _ours(answered: Mail | None) -> Ours:
    if answered is None:
        return Ours(())
    name = field(answered, "From").partition("<")[0].strip(' "')
    return Ours(versions(answered), [name])


def _spoof_reason(mail: Mail, asked: Asked | None, own_host: str | None) -> str | None:
    """Why the mail is not from whom it should be; None where nothing speaks against it."""
    senders = fields(mail, "From")
    if len(senders) != 1:
        return f"it has {len(senders)} From fields, not one"
    by = addresses(senders[0])
    if len(by) != 1:
        return f"its From field has {len(by)} addresses, not one"
    if asked and not by <= asked.addresses:
        return "its sender is not the player of the seat"
    if own_host and _fails_dmarc(mail, own_host):
        return "our mail server says that its sender is not genuine"
    return None


def _fails_dmarc(mail: Mail, own_host: str) -> bool:
    """Whether the topmost verdict is our own server's, and bad: everything below may come from the sender."""
    topmost = next(iter(fields(mail, "Authentication-Results")), "")
    while (bare := re.sub(r'"(?:[^"\\]|\\.)*"|\([^()]*\)', " ", topmost)) != topmost:
        topmost = bare
    host, *verdicts = topmost.split(";")
    if host.split()[:1] != [own_host] and host.lower().split()[:1] != [own_host.lower()]:
        return False
    return any(re.match(r"\s*dmarc\s*=\s*fail\b", verdict, re.IGNORECASE) for verdict in verdicts)


def _nothing_typed(mail: Mail, found: Typed) -> Reading:
    if found.quotes:
        return Reading(Classification.QUOTED_ONLY, "all of it is quoted")
    sealed = {"application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted"}
    if any(content_type(part) in sealed for part in leaves(mail)):
        return Reading(Classification.GARBAGE, "it is sealed, so that it cannot be read")
    return Reading(Classification.EMPTY, "nothing was typed")


def _judged(lines: tuple[str, ...], asked: Asked | None) -> Reading:
    """What the typed lines ask for: the first must be an answer as a whole."""
    first = answer(lines[0])
    if first is None:
        return Reading(
            Classification.GARBAGE, "the first line that was typed is neither a card nor a word that we know"
        )
    if first.word:
        return _commanded(first.word, asked)
    return _played(_cards_of(first, lines[1:]), first.verb, asked)


def _cards_of(first: Answer, below: tuple[str, ...]) -> tuple[str, ...]:
    """The cards of the first line and of those right below it, as long as they hold cards and nothing else."""
    cards = first.cards
    for line in below:
        more = answer(line)
        if more is None or not more.cards:
            break
        cards += more.cards
    return cards


def _commanded(word: str, asked: Asked | None) -> Reading:
    if word in ("add", "subtract") and asked and asked.what != "moon":
        return Reading(Classification.GARBAGE, f"{word} answers how a moon counts, which was not asked")
    if word != "ok" or asked is None:
        return Reading(Classification.COMMAND, f"the word {word} was typed", word=word)
    if not asked.what.startswith("trick"):
        return Reading(
            Classification.GARBAGE, "ok plays the only card that may be played, but no card to a trick was asked for"
        )
    if len(asked.legal) > 1:
        return Reading(Classification.GARBAGE, f"ok plays the only card that may be played, but {len(asked.legal)} may")
    return Reading(Classification.COMMAND, "the word ok was typed", cards=asked.legal, word=word)


def _played(cards: tuple[str, ...], verb: str | None, asked: Asked | None) -> Reading:
    wanted = asked.cards if asked else 1 if len(set(cards)) == 1 else len(cards)
    kind = Classification.PASS if (asked.what == "pass" if asked else wanted > 1) else Classification.MOVE
    if wanted == 1 and len(set(cards)) == 1:
        cards = cards[:1]  # said twice, as in "QS Q♠", it is still one card
    if not wanted:
        return Reading(Classification.GARBAGE, "cards were typed, but the mail that was answered asks for none")
    if len(cards) != wanted:
        return Reading(
            Classification.GARBAGE, f"the number of cards asked for is {wanted}, and {len(cards)} were typed"
        )
    if verb and (verb == "pass") is not (kind is Classification.PASS):
        return Reading(Classification.GARBAGE, f"the cards were to {verb}, which was not asked")
    return Reading(kind, f"{' '.join(cards)} was typed", cards=cards)
