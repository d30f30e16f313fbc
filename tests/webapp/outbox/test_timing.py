"""When a letter goes: each kind, with each preference, at each hour."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.mailing import BUNDLED, DAILY, EVERY
from webapp.games.clock.presence import AWAKE_FOR
from webapp.models import LetterKind, LetterState, PlayerRow
from webapp.outbox.timing import schedule

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
NIGHT = datetime(2026, 3, 2, 23, tzinfo=UTC)
MORNING = datetime(2026, 3, 3, 7, tzinfo=UTC)
QUEUED, HELD = LetterState.QUEUED, LetterState.HELD


def player(frequency=EVERY, quiet=(22, 7), seen_at=None):
    begins, ends = quiet or (None, None)
    about = {"quiet_from": begins, "quiet_to": ends, "seen_at": seen_at, "frequency": frequency}
    return PlayerRow(address="di@example.org", name="Di", created_at=NOON, **about)


@pytest.mark.parametrize(
    ("kind", "who", "now", "expected"),
    [
        pytest.param(LetterKind.TURN, player(), NOON, (QUEUED, NOON), id="a turn by day: at once"),
        pytest.param(LetterKind.TURN, player(), NIGHT, (QUEUED, MORNING), id="a turn at night: in the morning"),
        pytest.param(LetterKind.TURN, player(quiet=None), NIGHT, (QUEUED, NIGHT), id="no quiet hours: at once"),
        pytest.param(
            LetterKind.TURN,
            player(seen_at=NIGHT - AWAKE_FOR),
            NIGHT,
            (QUEUED, NIGHT),
            id="the player is awake: at once",
        ),
        pytest.param(
            LetterKind.TURN,
            player(seen_at=NIGHT - AWAKE_FOR - timedelta(seconds=1)),
            NIGHT,
            (QUEUED, MORNING),
            id="the player has gone to bed: in the morning",
        ),
        pytest.param(LetterKind.TURN, player(BUNDLED), NOON, (HELD, None), id="together: a turn waits"),
        pytest.param(LetterKind.TURN, player(DAILY), NOON, (HELD, None), id="daily: a turn waits"),
        pytest.param(LetterKind.SCORE_SHEET, player(DAILY), NOON, (HELD, None), id="daily: so does a sheet"),
        pytest.param(LetterKind.SCORE_SHEET, player(), NIGHT, (QUEUED, MORNING), id="a sheet at night: in the morning"),
        pytest.param(
            LetterKind.FINAL_SHEET, player(DAILY), NOON, (QUEUED, NOON), id="the end comes by itself, to keep"
        ),
        pytest.param(LetterKind.DECLINED, player(DAILY), NOON, (QUEUED, NOON), id="the host hears of a no by itself"),
        pytest.param(LetterKind.SIGN_IN, player(DAILY), NIGHT, (QUEUED, NIGHT), id="sign-in: a visitor waits for it"),
        pytest.param(LetterKind.INVITATION, player(DAILY), NIGHT, (QUEUED, NIGHT), id="invitation: at once"),
        pytest.param(
            LetterKind.ANSWER, player(DAILY), NIGHT, (QUEUED, NIGHT), id="an answer: the player has just written"
        ),
    ],
)
def test_each_kind_of_mail_goes_when_its_player_wants_it(kind, who, now, expected):
    assert schedule(kind, who, now)[:2] == expected
