"""The mails about the course of a game: score sheets, proposals, a rest, an early end, and a table's year."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hearts.deal import dealt_together
from webapp.games.book import games_of
from webapp.games.clock import proposals
from webapp.games.fair import opened_sentences
from webapp.games.record import store
from webapp.games.record.links import again_link, relive_link, seat_link
from webapp.games.record.rows import table_seats
from webapp.games.record.seats import table_name
from webapp.games.record.store import TableGame
from webapp.models import LetterRow, SeatRow
from webapp.players.own_seats import seats_of
from webapp.presentation.chart import race
from webapp.presentation.phrasing import timestamp
from webapp.presentation.scoresheet import HandLine, ScoreSheet
from webapp.presentation.sheets import ProposalLine, proposal_line, score_sheet_of
from webapp.presentation.turn_text import claim_sentence
from webapp.results.book import Book, book, lead_text, standing_text
from webapp.results.result import OwnLine, own_game
from webapp.robots.reviews import reviews_for
from webapp.tables import seating
from worker.attachments import Picture, race_picture, record_file
from worker.mails.mail import Mail, MailContext, at_table, game_of, has_left, in_game, sealing

# The two score sheets: after each hand, and at the end with all that players may want to keep.
# Mail programs cut long mails off, so that the sheet of a very long game shows only its latest hands.

CELLS_AT_MOST = 400  # of the sheet in a mail: 36 hands of eleven sides
HANDS_AT_MOST = 60
STORIES_AT_MOST = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSheetMail(MailContext):
    score: ScoreSheet
    hands: Sequence[HandLine]
    claimed: Mapping[int, str | None]
    relive_links: Sequence[tuple[int, str]]
    picture: Picture
    opened: Sequence[str] = ()  # the secrets of the hands


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalSheetMail(MailContext):
    score: ScoreSheet
    own: Sequence[tuple[str, str | None]]  # how the reader played, each with the link to what it is about
    stories: Sequence[HandLine]
    lead: str  # of all games of the table, and their book; empty if it says little
    book_link: str
    again_link: str
    relive_links: Sequence[tuple[int, str]]
    share_link: str
    record_link: str
    picture: Picture
    seal: str | None = None  # of the next game
    fair_link: str = ""


def after_hand(mail: Mail) -> ScoreSheetMail | None:
    """The context of the sheet after the letter's hand, with the chart to enclose."""
    letter, stored = mail.letter, game_of(mail)
    if stored is None:
        return None
    opinions = reviews_for(mail.session, stored, letter.of_seat, letter.player_id)
    score = score_sheet_of(stored, hands=letter.of_hand, opinions=opinions)
    together = dealt_together(stored.game.rules, stored.row.at_once, score.hands[-1].number)
    hands = tuple(one for one in score.hands if one.number in together)
    picture = _race(letter, score)
    made = ScoreSheetMail(
        **in_game(mail, stored),
        score=latest(score),
        hands=hands,
        claimed={
            one.number: claim_sentence(stored.of_hand(one.number), stored.names_of_hand(one.number)) for one in hands
        },
        relive_links=_relive_links(mail, stored, hands),
        picture=picture,
        opened=opened_sentences(mail.session, stored, [one.number for one in hands]),
        enclosed=[picture],
    )
    if not has_left(mail, stored):
        return made
    return replace(made, you=stored.names_of_hand(letter.of_hand)[letter.of_seat], table_link=None)


def after_game(mail: Mail) -> FinalSheetMail | None:
    """The context of the final sheet, with the chart to enclose, and the record where no page has it."""
    letter, stored = mail.letter, game_of(mail)
    if stored is None:
        return None
    opinions = reviews_for(mail.session, stored, letter.of_seat, letter.player_id)
    score = score_sheet_of(stored, opinions=opinions)
    picture = _race(letter, score)
    record = [] if mail.runtime.settings.has_pages else [record_file(mail.session, stored)]
    seat = stored.seats[letter.of_seat]
    own_table = mail.url(seat_link(seat, letter.player_id))
    shown = latest(score)
    made = FinalSheetMail(
        **in_game(mail, stored),
        **sealing(mail),
        score=shown,
        own=() if has_left(mail, stored) else _own(mail, own_game(stored, letter.of_seat, opinions), seat, stored.id),
        stories=shown.hands if len(score.hands) <= STORIES_AT_MOST else (),
        lead=lead_text(games_of(mail.session, stored.table.id, stored.row.number)),
        book_link=f"{own_table}/book",
        again_link=mail.url(again_link(seat, stored.row.number, letter.player_id)),
        relive_links=_relive_links(mail, stored, shown.hands),
        share_link=f"{own_table}/share?game={stored.row.number}",
        record_link=f"{own_table}/record.json?game={stored.row.number}",
        picture=picture,
        enclosed=[picture, *record],
    )
    return replace(made, you=stored.names[letter.of_seat])  # the seat may have passed to somebody else


def _relive_links(mail: Mail, stored: TableGame, hands: Sequence[HandLine]) -> list[tuple[int, str]]:
    """The number of each hand, with the link to its page."""
    seat, player_id = stored.seats[mail.letter.of_seat], mail.letter.player_id
    return [(one.number, mail.url(relive_link(seat, stored.id, one.number, player_id))) for one in hands]


def _own(mail: Mail, lines: Sequence[OwnLine], seat: SeatRow, game_id: int) -> list[tuple[str, str | None]]:
    """The lines, each with the link to the step of a replay that it is about."""
    player_id = mail.letter.player_id
    return [
        (
            line.text,
            f"{mail.url(relive_link(seat, game_id, line.hand, player_id))}?step={line.step}#film"
            if line.hand
            else None,
        )
        for line in lines
    ]


def latest(score: ScoreSheet) -> ScoreSheet:
    """The sheet with only as many of its latest hands as fit into a mail; totals and race stay those of the game."""
    return replace(score, hands=score.hands[-min(HANDS_AT_MOST, CELLS_AT_MOST // len(score.sides)) :])


def _race(letter: LetterRow, score: ScoreSheet) -> Picture:
    chart = race(score)
    assert chart is not None  # a sheet is queued only after a hand was scored
    return race_picture(letter, chart)


# The mail about what a host proposes: another pace, the end of the game, or a robot for a player.


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedMail(MailContext):
    line: ProposalLine
    link: str


def proposed_mail(mail: Mail) -> ProposedMail | None:
    """The context; None if the proposal is over."""
    here, letter, player = at_table(mail), mail.letter, mail.player
    proposal = proposals.of_key(here.table, letter.about or "")
    if proposal is None:
        return None
    line = proposal_line(here.table, here.seats, proposal, letter.player_id, player.time_zone, mail.runtime.now())
    return ProposedMail(**here.frame, line=line, link=f"{here.frame['table_link']}#proposed")


# The mail about a game at rest: one tap sets it going.


@dataclass(frozen=True, slots=True, kw_only=True)
class RestingMail(MailContext):
    link: str
    ends: str


def resting_mail(mail: Mail) -> RestingMail | None:
    """The context; None if the game goes on again."""
    here = at_table(mail)
    if not here.table.rests or here.table.pause is None or here.table.pause.until is None:
        return None
    ends = timestamp(here.table.pause.until, mail.runtime.now(), mail.player.time_zone).text
    return RestingMail(**here.frame, link=f"{here.frame['table_link']}/rest", ends=ends)


# The mail about a game that its host has ended, with the score of its finished hands.


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedMail(MailContext):
    host_name: str
    score: ScoreSheet
    why: str | None


def ended_mail(mail: Mail) -> EndedMail:
    here, letter = at_table(mail), mail.letter
    assert letter.game_number is not None
    row = seating.game(mail.session, letter.of_table, letter.game_number)
    assert row is not None
    score = latest(score_sheet_of(store.load(mail.session, row.id)))
    return EndedMail(**here.frame, host_name=here.host_name, score=score, why=letter.reason)


# The mail in January: the year of its reader's tables, as their books have it.


@dataclass(frozen=True, slots=True)
class TableYear:
    """The year of a table: its book, and a sentence for each player."""

    name: str
    book: Book
    lines: Sequence[str]
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class YearMail(MailContext):
    year: int
    tables: Sequence[TableYear]


def year_mail(mail: Mail) -> YearMail | None:
    """The context; None if its reader wants no such mail any more, or sits at no such table."""
    assert mail.letter.about is not None
    year, session, player = int(mail.letter.about), mail.session, mail.player
    if not player.year_mail:
        return None
    found = []
    for seat in seats_of(session, player.id, None):
        games = [game for game in games_of(session, seat.table_id) if game.ended_at.year == year]
        if games and seat.mails:  # not of a table that they have muted
            made = book(games, mail.runtime.now(), player.time_zone)
            lines = [standing_text(one) for one in made.standings]
            link = f"{mail.url(seat_link(seat))}/book?year={year}"
            found.append(TableYear(table_name(table_seats(session, seat.table_id)), made, lines, link))
    tables = [one for one in found if one.book.standings]
    return YearMail(you=player.name, year=year, tables=tables, **mail.foot()) if tables else None
