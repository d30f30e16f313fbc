"""The mail to a player whom a link alone has set as away, muted or not, unless they are back by then."""

import re

import pytest

from tests.cast import letters, start_game
from tests.mailing import player_id, preferences_url
from tests.sites import site_of
from tests.webapp.accounts.signed_in import browser_of
from tests.webapp.tables.hosted import composed, table_of
from webapp.models import LetterKind, LetterState
from worker import postman


@pytest.mark.parametrize("want", ["mails", "no-mails"])
def test_a_player_away_by_a_link_alone_is_mailed(runtime, want):
    client, game_id = site_of(runtime).test_client(), start_game(runtime)
    table_id, url = table_of(runtime, game_id), f"{preferences_url(runtime, 'Bo')}/away"
    client.post(f"{preferences_url(runtime, 'Bo')}/table", data={"table": table_id, "want": want})
    browser_of(runtime, player_id(runtime, "Bo")).post(url, data={"table": table_id, "answer": "robot"})
    assert letters(runtime, LetterKind.GONE_AWAY) == []
    for _ in range(2):
        client.post(url, data={"table": table_id, "answer": "robot"})
    (told,) = letters(runtime, LetterKind.GONE_AWAY)
    text = composed(runtime, told)["plain"]
    assert "A robot plays for you until you are back." in text
    (back,) = re.findall(r"http\S+(/preferences/\S+/away)\b", text)
    client.post(f"{back}/back")
    postman.deliver(runtime)
    assert [one.state for one in letters(runtime, LetterKind.GONE_AWAY)] == [LetterState.SUPERSEDED]
