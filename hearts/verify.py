"""Checks the deals of a game record: whether they are the ones that had to come, and what that proves to a player.

`check` says whether the turns keep to the rules. docs/fairness.md says what a player should keep, and why.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from hearts.deal import cards_each, dealer_after, dealt_together
from hearts.fair import HANDS, Part, digest_of, fair_deal, part_of
from hearts.record import Record, RecordedHand, deal_turn
from hearts.seats import Seat


class Refused(ValueError):
    """The deals are not the ones that had to come; the sentence says where and why."""


class BadMailbox(ValueError):
    """A mailbox does not fit the record or itself; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Mailbox:
    """The things that a player kept of their mails and of what they typed. Nothing of it is in the record."""

    seal: bytes | None = None
    seat: int | None = None
    words: str | None = None
    since: int = 1
    """The first hand that was dealt with the words."""
    until: int = HANDS
    before: bytes | None = None
    """The digest of all parts that the player's form showed before they gave their words."""
    lists: Mapping[int, bytes] = field(default_factory=dict)
    """By hand, the digest of all parts that a mail named at its deal."""
    restored: Collection[int] = ()
    """The hands that were the first after a restore."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The proof that a record is to a player."""

    hands: int
    """How many deals agree with the seal."""
    missing: tuple[str, ...]
    """Why that is no proof for this player; empty if it is."""
    notes: tuple[str, ...]


def verify(record: Record, mailbox: Mailbox) -> Verdict:
    """Checks all deals of a record. Raises Refused at the first that is wrong, and BadMailbox."""
    _check_mailbox(record, mailbox)
    if record.fair is None:
        if mailbox.seal is not None:
            raise Refused("the record has no proof of its deals, though you were sent a seal")
        return Verdict(0, ("this game has no seal",), ())
    check = _Check(record, mailbox, record.fair.seal, record.fair.parts)
    for number, hand in enumerate(record.hands, 1):
        check.hand(number, hand)
    return Verdict(check.proved, tuple(check.missing), tuple(check.notes))


def _check_mailbox(record: Record, mailbox: Mailbox) -> None:
    if (mailbox.seat is None) != (mailbox.words is None):
        raise BadMailbox("a seat and its words go together")
    if mailbox.seat is not None and not 0 <= mailbox.seat < record.rules.players:
        raise BadMailbox(f"the seat must be from 0 to {record.rules.players - 1}")
    if not 1 <= mailbox.since <= mailbox.until:
        raise BadMailbox("the first hand with your words comes before the last")


class _Check:
    """The deals of a record up to some hand."""

    def __init__(self, record: Record, mailbox: Mailbox, seal: bytes, parts: tuple[Part, ...]) -> None:
        if mailbox.seal not in (None, seal):
            raise Refused("the seal is not the one that you were sent")
        self.record, self.mailbox, self.seal, self.parts = record, mailbox, seal, parts
        self.proved = 0
        self.dealer: Seat | None = None  # of the next hand; None: the secret of the first one chooses
        self.notes: list[str] = []
        self.own = None if mailbox.seat is None else part_of(seal, mailbox.seat, mailbox.words or "")
        self.missing = list(self.not_given())

    def not_given(self) -> list[str]:
        """The things that the player would have to give for a proof."""
        mailbox, last = self.mailbox, len(self.record.hands)
        missing = [] if mailbox.seal else ["the seal may be any: compare it with the one that you were sent (--root)"]
        if self.own is None:
            missing.append("without words of yours the secrets may have been picked (--seat, --words)")
        if mailbox.since > last:
            missing.append(f"the record has no hand from {mailbox.since} on")
        return missing + [f"the record ends before hand {hand}" for hand in mailbox.lists if hand > last]

    def hand(self, number: int, hand: RecordedHand) -> None:
        where = f"hand {number}"
        if number > HANDS:
            self.missing.append(f"{where} is beyond the {HANDS} that were sealed")
            return
        if hand.fair is None and len(hand.plays) < self.record.rules.players * cards_each(self.record.rules):
            self.missing.append(f"{where} is not over")
            self.dealer = dealer_after(Seat(hand.dealer), self.record.rules)
            return
        if hand.fair is None:
            raise Refused(f"{where} has no proof")
        proof = hand.fair.proof
        self.check_leaf(number, proof.leaf)
        if hand.fair.parts is not None:
            self.change_parts(number, hand.fair.parts)
        if proof.seal() != self.seal:
            raise Refused(f"{where}: its secret is not under the seal")
        self.check_words(number)
        self.check_deal(where, hand, proof.leaf, proof.secret)
        self.proved += 1

    def check_leaf(self, number: int, leaf: int) -> None:
        if leaf % HANDS != number - 1:
            raise Refused(f"hand {number} was dealt with the secret of hand {leaf % HANDS + 1}")
        era = sum(first <= number for first in self.mailbox.restored)
        if leaf // HANDS != era:
            raise Refused(f"hand {number} was dealt after restore {leaf // HANDS}, and you name {era} up to there")

    def change_parts(self, number: int, parts: tuple[Part, ...]) -> None:
        where = f"hand {number}"
        if number == 1 or dealt_together(self.record.rules, self.record.at_once, number)[0] < number:
            raise Refused(f"{where}: the parts may not change here")
        for seat, (old, new) in enumerate(zip(self.parts, parts, strict=True)):
            if old is not None and new is None:
                raise Refused(f"{where}: the part of seat {seat} was taken out")
            if old is None and new is not None:
                self.notes.append(f"seat {seat} gives words from {where} on")
            elif old != new:
                self.notes.append(f"seat {seat} has other words from {where} on: did somebody else sit down?")
        self.parts = parts

    def check_words(self, number: int) -> None:
        mailbox, where = self.mailbox, f"hand {number}"
        if number in mailbox.lists and mailbox.lists[number] != digest_of(self.parts):
            raise Refused(f"{where}: the parts are not those that you were sent at the deal")
        if mailbox.seat is None or not mailbox.since <= number <= mailbox.until:
            return
        if self.parts[mailbox.seat] != self.own:
            raise Refused(f"{where}: your words are not in it")
        if number == mailbox.since and mailbox.before is not None and self.own is not None:
            others = digest_of([None if seat == mailbox.seat else part for seat, part in enumerate(self.parts)])
            last, later = "you gave words last: nobody could fit theirs", "others gave words after you"
            self.notes.append(last if others == mailbox.before else later)

    def check_deal(self, where: str, hand: RecordedHand, leaf: int, secret: bytes) -> None:
        right = fair_deal(self.record.rules, self.seal, leaf, secret, self.parts, self.dealer)
        if hand.dealer != right.dealer:
            raise Refused(f"{where}: seat {right.dealer} had to deal, not seat {hand.dealer}")
        try:
            dealt = deal_turn(hand)
        except ValueError as error:
            raise Refused(f"{where}: the cards are not the pack: {error}") from None
        if len(dealt.held) != len(right.held):
            raise Refused(f"{where}: cards are dealt to {len(dealt.held)} seats")
        for seat, (cards, wanted) in enumerate(zip(dealt.held, right.held, strict=True)):
            if cards != wanted:
                raise Refused(f"{where}: seat {seat} had to get {wanted}")
        if dealt.kitty != right.kitty:
            raise Refused(f"{where}: {right.kitty} had to be left over")
        self.dealer = dealer_after(right.dealer, self.record.rules)
