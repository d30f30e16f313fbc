"""Finds what a mail gateway puts above all answers: the latest mails of several players begin with the same lines."""

from collections import Counter

from sqlmodel import Session, col, select

from webapp.models import InboundRow
from webapp.replies.banners import top_lines
from webapp.replies.reading import PEOPLE
from webapp.replies.received import body_lines, parse_mail

LATEST = 40  # mails of other players that are compared
PLAYERS = 2  # besides the sender, who must have the line


def recurring_lines(session: Session, row: InboundRow) -> frozenset[str]:
    """The lines that stand above the answers of at least PLAYERS others in their latest mails."""
    others = select(InboundRow.player_id, InboundRow.raw).where(
        col(InboundRow.raw).is_not(None),
        col(InboundRow.player_id).is_not(None),
        InboundRow.player_id != row.player_id,
        col(InboundRow.taken_for).in_(PEOPLE),
    )
    found = session.exec(others.order_by(col(InboundRow.id).desc()).limit(LATEST)).all()
    tops = {(player, line) for player, raw in found if raw for line in top_lines(body_lines(parse_mail(raw)))}
    count = Counter(line for _, line in tops)
    return frozenset(line for line, players in count.items() if players >= PLAYERS)
