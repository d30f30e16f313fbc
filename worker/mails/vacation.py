"""The mail to a player whose missed deadline took a spare day."""

from dataclasses import dataclass

from webapp.games.clock.vacation import days_left
from webapp.outbox.letters import asked_by
from webapp.presentation.vacation_text import left_sentence
from worker.mails.mail import Mail, game_of, in_game
from worker.mails.question import AskingMail, question_context


@dataclass(frozen=True, slots=True, kw_only=True)
class VacationMail(AskingMail):
    left: str  # how many spare days


def context(mail: Mail) -> VacationMail | None:
    stored, seat = game_of(mail), mail.letter.of_seat
    if stored is None:
        return None
    return VacationMail(
        **in_game(mail, stored),
        **question_context(mail.runtime, stored, seat, asked_by(mail.letter), mail.player),
        left=left_sentence(days_left(stored.table, stored.seats[seat])),
    )
