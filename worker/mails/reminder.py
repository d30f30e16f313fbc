"""The reminder of an open question, by the clock or because another player asks."""

from webapp.outbox.letters import asked_by
from webapp.outbox.nudges import NUDGE
from worker.mails.mail import Context, Mail, game_of, in_game
from worker.mails.question import more_sentence, question_context


def context(mail: Mail) -> Context | None:
    stored, seat, due = game_of(mail), mail.letter.of_seat, asked_by(mail.letter)
    if stored is None:
        return None
    return {
        **in_game(mail, stored),
        **question_context(mail.runtime, stored, seat, due, mail.player),
        "is_nudge": mail.letter.reason == NUDGE,
        "more_waits": more_sentence(mail.runtime, mail.session, stored, seat, due, mail.player),
    }
