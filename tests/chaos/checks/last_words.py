"""The last word of a player wins, whether they said it on a page, by mail, or ahead."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime

from tests.chaos.checks.aftermath import Aftermath, Place, called
from tests.chaos.checks.answers import (
    KEPT,
    PLAYED,
    chosen_by,
    inbound_of,
    place_of,
    played_text,
    record_at,
    text_of,
)
from tests.chaos.checks.holders import holder
from tests.chaos.notes import Deed, Way
from webapp.games.record.store import CHOSEN


def check(left: Aftermath) -> Iterator[str]:
    """Of what the player of a seat has said before a turn was taken, the last that was accepted is what was played.

    A card may have come in time if they named it while the turn was taken, or if nobody acknowledged it. An email comes
    when it is stored: in a mailbox, it may lie for a while after a server has taken it.
    """
    for place, deeds in _said(left).items():
        game_id, seat, due = place
        stored, record = left.games[game_id], record_at(left, place)
        if record is None or record.source not in CHOSEN:
            continue
        player_id, at = holder(left, stored, seat, record.number), left.turns[game_id][record.number - 1].at
        mine = [deed for deed in deeds if left.player_at(deed.player) == player_id]
        before = [deed for deed in mine if _came_at(left, deed) <= at - left.skew and _is_accepted(left, deed)]
        if not before:
            continue
        last = max(before, key=lambda deed: deed.at)
        if chosen_by(record.turn) not in {deed.chosen for deed in mine if _came_at(left, deed) >= last.at}:
            yield f"{called(stored, seat, due)}: their last word was {text_of(last)}, and {played_text(record)}"


def _came_at(left: Aftermath, deed: Deed) -> datetime:
    row = inbound_of(left, deed) if deed.way is Way.MAIL else None
    return max(deed.ended, row.received_at) if row else deed.ended


def count(left: Aftermath) -> int:
    """For how many decisions a player has said one thing after another."""
    return sum(len({deed.chosen for deed in deeds}) > 1 for deeds in _said(left).values())


def _said(left: Aftermath) -> Mapping[Place, list[Deed]]:
    """Collects what players said for each decision."""
    found: dict[Place, list[Deed]] = defaultdict(list)
    for deed in left.notes.deeds:
        if place := place_of(left, deed):
            found[place].append(deed)
    return found


def _is_accepted(left: Aftermath, deed: Deed) -> bool:
    """Whether it was acknowledged, and no email has said afterwards that it came to nothing."""
    if deed.way is Way.FORM or not deed.is_acknowledged:
        return deed.is_acknowledged
    row = inbound_of(left, deed)
    return row is not None and (row.outcome == KEPT or PLAYED.fullmatch(row.outcome or "") is not None)
