"""The words of a digest: what is asked at all of a player's tables, the most urgent first, and the news since the last.

What is in it is for `webapp.outbox.digests`; every sheet is that of the player's own seat.
"""

from typing import Any

from sqlmodel import Session

from hearts.game import Stage
from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.core.tokens import Link, ReliveLink
from webapp.games import store
from webapp.games.due import answer_to
from webapp.games.links import seat_link
from webapp.games.store import Stored
from webapp.models import LetterKind, LetterRow, PlayerRow
from webapp.outbox.digests import Asked, Digest, digest_of
from webapp.outbox.lateness import as_if_asked
from webapp.outbox.letters import asked_by
from webapp.presentation.sheets import score_sheet_of
from webapp.presentation.told import how_it_was_played
from webapp.presentation.words import counted
from worker.asked import question_words

FEW_CARDS = 6  # as many have a link each; with more, one looks at all of them first
AT_MOST = 12  # of each; more would be no mail to read on a phone

Words = dict[str, Any]


def digest_words(runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow) -> Words | None:
    """The words of the digest that `letter` owes; None where there is nothing to tell any more."""
    digest = digest_of(session, letter)
    if digest is None:
        return None
    asked = [_asked(runtime, one, letter, player) for one in digest.asked]
    news = [_news(runtime, session, row) for row in digest.news]
    return {
        "you": player.name,
        "subject": _subject(digest, asked, news),
        "asked": asked[:AT_MOST],
        "news": news[-AT_MOST:],
        "more": len(asked) - len(asked[:AT_MOST]),
        "games_link": runtime.signer.absolute_url("/games"),
        "is_answered": False,
    }


def _asked(runtime: Runtime, asked: Asked, letter: LetterRow, player: PlayerRow) -> Words:
    stored = as_if_asked(asked.stored, letter.created_at, runtime.now(), player) if asked.is_new else asked.stored
    words = question_words(runtime, stored, asked.seat, asked.due, player)
    is_short = asked.stored.game.stage is Stage.PLAY and len(words["card_links"]) <= FEW_CARDS
    words["card_links"] = words["card_links"] if is_short else {}
    return {**words, "table_name": f"Table {asked.stored.table.code}"}


def _news(runtime: Runtime, session: Session, row: LetterRow) -> Words:
    """A letter with news, in a line."""
    assert row.game_id is not None
    assert row.seat is not None
    stored = store.load(session, row.game_id)
    if row.kind is LetterKind.SCORE_SHEET:
        told = f"Hand {row.hand} is over. {score_sheet_of(stored, hands=row.hand).sentence}"
    else:
        record = answer_to(stored.records, Seat(row.seat), asked_by(row))
        assert record is not None
        told = how_it_was_played(record)
    return {"table_name": f"Table {stored.table.code}", "told": told, **_more(runtime, row, stored)}


def _more(runtime: Runtime, row: LetterRow, stored: Stored) -> Words:
    """Where there is more to see of a letter with news: at the table, or for whoever has lost the seat at the hand."""
    assert row.seat is not None
    assert row.hand is not None
    if stored.seats[row.seat].player_id == row.player_id:
        link: Link = seat_link(stored.seats[row.seat])
        return {"link": runtime.signer.url(link), "link_words": "Score sheet and table"}
    return {"link": runtime.signer.url(ReliveLink(stored.id, row.hand)), "link_words": f"Relive hand {row.hand}"}


def _subject(digest: Digest, asked: list[Words], news: list[Words]) -> str:
    """How many turns wait, and until when the first of them does."""
    if not asked:
        return f"News from {news[0]['table_name'] if len(news) == 1 else 'your tables'}"
    wait = "waits" if len(asked) == 1 else "wait"
    until = asked[0]["deadline"]
    turns = f"{counted(len(asked), 'turn')} {wait} for you"
    if until is None or until.is_pause:
        return turns
    return f"{turns}, until {until.words}" if len(asked) == 1 else f"{turns}, the first until {until.words}"
