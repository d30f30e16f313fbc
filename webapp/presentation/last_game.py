"""The game that a table has just played, for those who are asked to play another."""

from dataclasses import dataclass

from sqlmodel import Session

from webapp.games import talk
from webapp.games.book import games_of
from webapp.games.record.store import TableGame
from webapp.presentation.book import lead_text
from webapp.presentation.phrasing import listed
from webapp.presentation.sheets import score_sheet_of
from webapp.presentation.talk import TalkLine, talk_lines


@dataclass(frozen=True, slots=True)
class LastGame:
    sentence: str  # "Bo wins with 54 points, after 9 hands."
    totals: str  # "Bo 54, Ann 71, Cy 80 and Di 102"; empty if no hand was finished
    lead: str  # of all games of the table: "Ann leads the table 4 : 2 : 1 : 1.", or empty
    quote: TalkLine | None  # the last line that somebody typed there


def last_game_of(session: Session, stored: TableGame, reader: int, zone: str) -> LastGame:
    """The game as the player `reader`, in the time zone `zone`, is reminded of it."""
    score = score_sheet_of(stored)
    row = talk.last_word(session, stored.table, stored.row.started_at)
    quote = talk_lines([row], reader, zone)[0] if row else None
    totals = listed([f"{side.name} {side.total}" for side in score.standings]) if score.hands else ""
    lead = lead_text(games_of(session, stored.table.id, stored.row.number))
    return LastGame(score.sentence, totals, lead, quote)
