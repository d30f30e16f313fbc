"""The mail about a game that its host has ended, with the score of its finished hands."""

from dataclasses import dataclass

from webapp.games.record import store
from webapp.presentation.scoresheet import ScoreSheet
from webapp.presentation.sheets import score_sheet_of
from webapp.tables import seating
from worker.mails.mail import Mail, MailContext, at_table
from worker.mails.sheets import latest


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedMail(MailContext):
    host_name: str
    score: ScoreSheet
    why: str | None


def context(mail: Mail) -> EndedMail:
    here = at_table(mail)
    return EndedMail(**here.frame, host_name=here.host_name, score=_score(mail), why=mail.letter.reason)


def _score(mail: Mail) -> ScoreSheet:
    """The score sheet of the game that the letter is about, which its host has ended."""
    assert mail.letter.game_number is not None
    row = seating.game(mail.session, mail.letter.of_table, mail.letter.game_number)
    assert row is not None
    return latest(score_sheet_of(store.load(mail.session, row.id)))
