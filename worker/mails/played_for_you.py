"""The mail that tells a player what was played for them after a missed deadline."""

from dataclasses import dataclass

from webapp.games.asked.due import Due, answer_to, turn_link
from webapp.games.clock.pace import pace_for
from webapp.games.record.live import is_live
from webapp.presentation.present import TurnSheet
from webapp.presentation.sheets import turn_sheet_of
from webapp.presentation.turn_text import turn_sentence
from worker.mails.mail import Mail, MailContext, game_of, in_game


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedForYouMail(MailContext):
    what: str
    is_away: bool
    is_live: bool
    back_link: str
    sheet: TurnSheet


def context(mail: Mail) -> PlayedForYouMail | None:
    stored, seat, due = game_of(mail), mail.letter.of_seat, Due(mail.letter.of_hand, mail.letter.about or "")
    if stored is None:
        return None
    record = answer_to(stored.of_hand(due.hand), seat, due)
    assert record is not None
    return PlayedForYouMail(
        **in_game(mail, stored),
        what=turn_sentence(record),
        is_away=stored.seats[seat].away,
        is_live=is_live(pace_for(stored.table, due.what)),
        back_link=mail.url(turn_link(stored, seat, due)),
        sheet=turn_sheet_of(stored, seat, mail.player.time_zone, mail.runtime.now()),
    )
