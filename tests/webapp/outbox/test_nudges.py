"""The mail of a reminder for which somebody at the table has asked."""

from datetime import timedelta

import pytest

from tests.cast import letters, play_link, start_game
from tests.playing import pass_all
from tests.reminding import wait_for_reminder
from webapp.models import LetterKind, LetterRow
from webapp.outbox.nudges import NUDGE
from webapp.players.nudging import nudge
from worker.mail import compose

BO, DI = 1, 3


@pytest.mark.parametrize("is_nudge", [True, False])
def test_it_says_so_and_names_nobody_who_asked(runtime, is_nudge):
    game_id = start_game(runtime)
    pass_all(runtime, game_id, (0, BO, 2))
    runtime.now.pass_by(timedelta(hours=6))
    nudge(runtime, play_link(runtime, game_id, BO), runtime.now())
    wait_for_reminder(runtime, game_id, DI)
    sent = [letter for letter in letters(runtime, LetterKind.REMINDER) if letter.seat == DI]
    chosen = next(letter for letter in sent if (letter.reason == NUDGE) == is_nudge)
    with runtime.database.reading() as session:
        message = compose(runtime, session, session.get_one(LetterRow, chosen.id))
    for part in ("plain", "html"):
        text = message.get_body((part,)).get_content()
        assert ("Somebody at the table asked us to remind you." in text) is is_nudge
        assert "Bo asked" not in text
