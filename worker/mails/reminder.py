"""The reminder of an open question, by the clock or because another player asks."""

from dataclasses import dataclass

from webapp.outbox.letters import asked_by
from webapp.outbox.nudges import NUDGE
from worker.mails.mail import Mail, game_of, in_game
from worker.mails.question import AskingMail, more_sentence, other_hands, question_context


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderMail(AskingMail):
    is_nudge: bool


def context(mail: Mail) -> ReminderMail | None:
    stored, seat, due = game_of(mail), mail.letter.of_seat, asked_by(mail.letter)
    if stored is None:
        return None
    return ReminderMail(
        **in_game(mail, stored),
        **question_context(mail.runtime, stored, seat, due, mail.player),
        is_nudge=mail.letter.reason == NUDGE,
        more_waits=more_sentence(mail.runtime, mail.session, stored, seat, due, mail.player),
        also=other_hands(mail.runtime, stored, seat, due, mail.player),
    )
