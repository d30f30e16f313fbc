"""The page on which a player hands over an offered seat, and the notes about the offer on their other pages."""

import re

from tests.cast import dump, letters, mentions, seat_link, turn_link
from tests.webapp.tables.hosted import ANN, BO, CY, accept, composed, offer, page, seat_of, table_of
from webapp.core.tokens import InvitationLink, PlayLink
from webapp.models import LetterKind, LetterState, OfferState
from webapp.players import preferences
from webapp.site import make_site
from worker import postman


def test_the_seats_player_is_mailed_the_offer_once(runtime, game_id) -> None:
    offer(runtime, game_id)
    offer(runtime, game_id)
    postman.deliver(runtime)
    (letter,) = letters(runtime, LetterKind.OFFERED)
    assert (letter.seat, letter.state) == (BO, LetterState.KEPT)
    text = composed(runtime, letter)["plain"]
    assert "Ann, who hosts the table," in text
    assert "has offered your seat to Eve. Until Eve accepts, nothing changes." in text
    assert "Nobody sees your cards." in text
    assert not set("♠♥♦♣") & set(text)
    (path,) = re.findall(r"(/hand-over/\S+)", text)
    client = make_site(runtime).test_client()
    before = dump(runtime)
    assert client.get(path).status_code == client.head(path).status_code == 200
    assert dump(runtime) == before
    assert client.post(path, data={}).status_code == client.post(path, data={"want": "x"}).status_code == 400
    assert dump(runtime) == before
    assert "You hand over once Eve accepts" in client.post(path, data={"want": "now"}).text
    assert seat_of(runtime, game_id, BO).offer_state is OfferState.RELEASED
    assert "Your seat is offered to Eve" in client.post(path, data={"want": "later"}).text
    assert seat_of(runtime, game_id, BO).offer_state is None
    link = InvitationLink(table_of(runtime, game_id), BO, seat_of(runtime, game_id, BO).offered_to or 0)
    accept(runtime, link)
    assert "Eve takes your seat after this hand" in client.get(path).text
    for _ in range(2):
        assert "Eve has your seat now" in client.post(path, data={"want": "now"}).text
    assert "Eve has your seat now" in client.get(path).text


def test_a_player_who_muted_the_table_sees_the_offer(runtime, game_id) -> None:
    table_id = table_of(runtime, game_id)
    bo = seat_of(runtime, game_id, BO).player_id or 0
    preferences.set_mails(runtime, table_id, BO, mails=False, now=runtime.now())
    link = offer(runtime, game_id)
    assert letters(runtime, LetterKind.OFFERED) == []
    follows, own_table = PlayLink(table_id, BO, bo), seat_link(runtime, table_id, BO)
    for one in (turn_link(runtime, game_id, BO), follows):
        assert "Ann has offered your seat to Eve." in page(runtime, one)
        assert "/hand-over/" in page(runtime, one)
    assert "/hand-over/" not in page(runtime, own_table), "its link alone changes nothing"
    assert "/hand-over/" in page(runtime, own_table, player=bo)
    for others in (
        seat_link(runtime, table_id, CY),
        turn_link(runtime, game_id, CY),
        seat_link(runtime, table_id, ANN),
    ):
        assert not mentions(page(runtime, others), "Eve"), "nobody else's business until it is accepted"
    accept(runtime, link)
    assert "Eve takes your seat after this hand." in page(runtime, follows)
    assert "plays, Eve joins after this hand" in page(runtime, seat_link(runtime, table_id, CY))
