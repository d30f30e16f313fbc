"""When a letter other than that about turns goes: each kind, at each hour."""

from datetime import UTC, datetime, timedelta

import pytest

from webapp.games.clock.presence import AWAKE_FOR
from webapp.models import LetterKind, PlayerRow
from webapp.outbox.timing import schedule

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
NIGHT = datetime(2026, 3, 2, 23, tzinfo=UTC)
MORNING = datetime(2026, 3, 3, 7, tzinfo=UTC)
SHEET = LetterKind.SCORE_SHEET


def player(quiet=(22, 7), seen_at=None):
    begins, ends = quiet or (None, None)
    about = {"quiet_from": begins, "quiet_to": ends, "seen_at": seen_at}
    return PlayerRow(address="di@example.org", name="Di", created_at=NOON, **about)


@pytest.mark.parametrize(
    ("kind", "who", "now", "expected"),
    [
        pytest.param(SHEET, player(), NOON, NOON, id="a sheet by day: at once"),
        pytest.param(SHEET, player(), NIGHT, MORNING, id="a sheet at night: in the morning"),
        pytest.param(SHEET, player(quiet=None), NIGHT, NIGHT, id="no quiet hours: at once"),
        pytest.param(SHEET, player(seen_at=NIGHT - AWAKE_FOR), NIGHT, NIGHT, id="the player is awake: at once"),
        pytest.param(
            SHEET,
            player(seen_at=NIGHT - AWAKE_FOR - timedelta(seconds=1)),
            NIGHT,
            MORNING,
            id="the player has gone to bed: in the morning",
        ),
        pytest.param(LetterKind.DECLINED, player(), NOON, NOON, id="the host hears of a no by itself"),
        pytest.param(LetterKind.SIGN_IN, player(), NIGHT, NIGHT, id="sign-in: a visitor waits for it"),
        pytest.param(LetterKind.INVITATION, player(), NIGHT, NIGHT, id="invitation: at once"),
        pytest.param(LetterKind.ANSWER, player(), NIGHT, NIGHT, id="an answer: the player has just written"),
    ],
)
def test_each_kind_of_mail_goes_when_its_player_wants_it(kind, who, now, expected):
    assert schedule(kind, who, now).at == expected
