"""The pages of a stand-in, who plays for a friend, and of the player who has lent the seat."""

import re

from tests.cast import address, letters, seat_link
from tests.webapp.accounts.signed_in import browser_of
from tests.webapp.going_away import set_mails
from tests.webapp.tables.hosted import BO, accept
from tests.webapp.tables.lending import SECOND, ask
from webapp.core.tokens import PreferencesLink
from webapp.models import LetterKind, LetterState
from worker import postman


def test_both_find_their_way_on_their_pages(runtime, table) -> None:
    bo, table_id = table.seats[BO].player_id, table.table_id
    owner = browser_of(runtime, bo)
    away = f"{runtime.signer.local_url(PreferencesLink(bo))}/away"
    form = {"table": str(table_id), "answer": "friend", "name": "Eve", "address": address("Eve")}
    asking = owner.post(away, data=form, follow_redirects=True)
    assert "A robot plays for you until Eve says yes" in asking.text
    eve = table.seats[BO].offered_to
    friend = browser_of(runtime, eve)
    assert "Bo asks you to play for them." in friend.get("/games").text
    (way,) = re.findall(r'href="(/invitation/[^"]+)"', friend.get("/games").text)
    taken = friend.post(way, data={"answer": "accept", "name": "Eve", "time_zone": "UTC"})
    assert "You play for Bo until they are back." in taken.text
    assert "You play for Bo. It is your turn: pass, hand 1." in friend.get("/games").text
    assert "Eve plays for you until you are back." in owner.get("/games").text
    assert "Eve plays for you until you are back." in owner.get(away).text
    assert address("Eve") not in owner.get(away).text
    own_page = runtime.signer.local_url(seat_link(runtime, table_id, BO))
    shown = friend.get(own_page).text
    assert "Table settings" not in shown
    (back,) = re.findall(r'action="([^"]+/give-back)"', shown)
    assert "You don't play for Bo any more" in friend.post(back).text
    assert friend.post(back).status_code == 403
    assert "A robot plays for you until you are back." in owner.get(away).text
    runtime.now.pass_by(SECOND)
    accept(runtime, ask(table))
    assert owner.post(f"{away}/back").status_code == 303
    row = table.seats[BO]
    assert (row.player_id, row.away) == (bo, False)


def test_a_stand_in_is_announced_even_at_a_muted_table(runtime, table):
    owner = table.seats[BO].player_id
    set_mails(runtime, table.table_id, BO, mails=False)
    accept(runtime, ask(table))
    postman.deliver(runtime)
    (told,) = [letter for letter in letters(runtime, LetterKind.REPLACED) if letter.player_id == owner]
    assert told.state is LetterState.KEPT
