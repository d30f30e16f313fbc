"""A digest: the most urgent open question in full, the others in a line each, and the latest news.

`webapp.outbox.digests` selects what is in it. Every sheet shows what the player's own seat may see.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session

from webapp.core.addresses import Purpose
from webapp.core.runtime import Runtime
from webapp.core.tokens import ReliveLink
from webapp.games.asked.due import answer_to, due_of
from webapp.games.clock.pace import is_first_question
from webapp.games.record import store
from webapp.games.record.links import seat_link
from webapp.games.record.stand_in import table_name
from webapp.games.record.store import TableGame
from webapp.kinds import KINDS
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from webapp.outbox.digests import Digest, OpenQuestion, digest_of
from webapp.outbox.in_game import letters_asking
from webapp.outbox.lateness import as_if_asked
from webapp.outbox.letters import asked_by
from webapp.presentation.phrasing import by_number, number_word
from webapp.presentation.sheets import score_sheet_of, summary_of
from webapp.presentation.turn_text import turn_sentence
from worker.mails.mail import Mail, MailContext
from worker.mails.question import NamedQuestion, goal_with, question_context

AT_MOST = 12  # turns, and as many news; nobody reads more on a phone


@dataclass(frozen=True, slots=True)
class DigestNews:
    """A line of news, and the link that follows it."""

    table_name: str
    text: str
    link: str
    link_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestMail(MailContext):
    subject: str
    asked: Sequence[NamedQuestion]
    first_hands: str
    news: Sequence[DigestNews]
    more: int
    games_link: str
    why: str | None


def context(mail: Mail) -> DigestMail | None:
    """The context; None if there is nothing left to report."""
    runtime, session, letter, player = mail.runtime, mail.session, mail.letter, mail.player
    digest = digest_of(session, letter, by_table=runtime.settings.asks_by_table)
    if digest is None:
        return None
    one_table = len({one.stored.id for one in digest.asked}) == 1
    asked = [_asked(runtime, session, one, player, one_table=one_table) for one in digest.asked]
    for one, question in zip(digest.asked[1:], asked[1:], strict=True):
        # Its number says which hand is meant; or our Message-ID the first, and hands the others.
        question["is_beside"] = one.stored.id == digest.asked[0].stored.id
        if question["is_beside"] or not runtime.settings.keeps_signatures:
            question["answer_address"] = None
    first = _question(session, digest.asked[0]) if digest.asked else None
    letter.about = str(first) if first else None
    news = [_news(runtime, session, row) for row in digest.news]
    return DigestMail(
        you=player.name,
        in_game=True,
        subject=_subject(digest, asked, news),
        asked=asked[:AT_MOST],
        reply_to=asked[0]["answer_address"] if asked else None,
        first_hands=_first_hands(digest),
        rules_link=_rules_link(mail, digest) if _first_hands(digest) else None,
        news=news[-AT_MOST:],
        more=len(asked) - len(asked[:AT_MOST]),
        games_link=mail.page("/games"),
        why=letter.reason,
        **mail.foot(),
    )


def _asked(
    runtime: Runtime, session: Session, asked: OpenQuestion, player: PlayerRow, *, one_table: bool
) -> NamedQuestion:
    stored = asked.stored
    if asked.since is not None and due_of(stored.game, asked.seat) == asked.due:
        stored = as_if_asked(stored, asked.since, runtime.now(), player)
    return {
        **question_context(runtime, stored, asked.seat, asked.due, player),
        "goal": goal_with(session, stored, asked.seat, asked.due),
        "place": _place(asked, one_table=one_table),
        "hand": asked.due.hand,
        "is_beside": False,
        "answer_address": _answer_address(runtime, session, asked),
    }


def _place(asked: OpenQuestion, *, one_table: bool) -> str:
    """Names the place of the question: the table and, of hands side by side, the hand, alone in a mail of one table."""
    name, hand = table_name(asked.stored.seats), asked.due.hand
    if asked.stored.row.at_once == 1:
        return name
    return f"Hand {hand}" if one_table else f"{name}, hand {hand}"


def _answer_address(runtime: Runtime, session: Session, asked: OpenQuestion) -> str | None:
    """The address to which the player mails the answer to this question alone: that of the letter which asks it.

    None if no letter does, or no mail comes in.
    """
    question = _question(session, asked)
    return runtime.address_in_mail(Purpose.REPLY, question) if question else None


def _question(session: Session, asked: OpenQuestion) -> int | None:
    """The number of the newest letter that asks it; None if there is none."""
    asking = letters_asking(session, asked.stored.id, asked.stored.seats[asked.seat], asked.due)
    questions = (one.id for one in asking if KINDS[one.kind].is_question and one.state is not LetterState.SUPERSEDED)
    return max(questions, default=None)


def _news(runtime: Runtime, session: Session, row: LetterRow) -> DigestNews:
    """The line of one letter with news."""
    stored: TableGame
    if row.kind is LetterKind.SCORE_SHEET:
        stored = whole = store.load(session, row.of_game)
        text = f"Hand {row.hand} is over. {score_sheet_of(whole, hands=row.hand).sentence}"
    else:
        stored, due = store.load(session, row.of_game, hand=row.hand), asked_by(row)
        record = answer_to(stored.of_hand(due.hand), row.of_seat, due)
        assert record is not None
        text = turn_sentence(record)
    return DigestNews(table_name(stored.seats), text, *_more(runtime, row, stored))


def _more(runtime: Runtime, row: LetterRow, stored: TableGame) -> tuple[str, str]:
    """The link that follows the news: to the table, or to the hand if the player has lost the seat; and its text."""
    if stored.seats[row.of_seat].player_id == row.player_id:
        return runtime.signer.url(seat_link(stored.seats[row.of_seat])), "Score sheet"
    return runtime.signer.url(ReliveLink(stored.id, row.of_hand)), f"Relive hand {row.of_hand}"


def _subject(digest: Digest, asked: Sequence[NamedQuestion], news: Sequence[DigestNews]) -> str:
    """The subject: whose tables it is about, and how many choices wait."""
    if not asked:
        return f"News from {news[0].table_name}" if len(news) == 1 else "News from your tables"
    tables = {one.stored.table.id: summary_of(one.stored.table, one.stored.seats).hosts for one in digest.asked}
    first, *others = tables.values()
    where = f"{first} and {len(others)} more" if others else first
    if _is_of_first_hands(digest):
        return f"{where}: {by_number(len(asked), 'your first hand', 'your first hands')}"
    return f"{where}: {by_number(len(asked), '1 choice waits', f'{len(asked)} choices wait')} for you"


def _first_hands(digest: Digest) -> str:
    """Says in a first mail how many hands are played at once; empty in any other mail."""
    if len(digest.asked) == 1 or not _is_of_first_hands(digest):
        return ""
    hands = len(list(digest.asked[0].stored.open_hands()))
    return f"You play {number_word(hands)} hands at once."


def _rules_link(mail: Mail, digest: Digest) -> str:
    stored = digest.asked[0].stored
    return mail.page(summary_of(stored.table, stored.seats).rules_path)


def _is_of_first_hands(digest: Digest) -> bool:
    """Whether all that it asks is of one table, where its player has chosen nothing yet."""
    tables = {one.stored.table.id for one in digest.asked}
    return len(tables) == 1 and all(map(_is_first, digest.asked))


def _is_first(asked: OpenQuestion) -> bool:
    """Whether its player has chosen nothing yet at the table."""
    return asked.stored.row.number == 1 and is_first_question(asked.stored, asked.seat)
