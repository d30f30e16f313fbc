"""The mail about the offer of a seat, and the notes about it on its player's pages."""

from tests.cast import letters, mentions, seat_link
from tests.webapp.going_away import set_mails
from tests.webapp.tables.hosted import ANN, BO, CY, accept, composed, offer, page
from webapp.core.tokens import PlayLink
from webapp.models import LetterKind, LetterState
from worker import postman


def test_the_seats_player_is_mailed_the_offer_once(runtime, table) -> None:
    offer(table)
    offer(table)
    postman.deliver(runtime)
    (letter,) = letters(runtime, LetterKind.OFFERED)
    assert (letter.seat, letter.state) == (BO, LetterState.KEPT)
    text = composed(runtime, letter)["plain"]
    assert "Ann, who hosts the table," in text
    assert "has offered your seat to Eve. Until Eve accepts, nothing changes." in text
    assert "Nobody sees your cards." in text
    assert not set("♠♥♦♣") & set(text)


def test_a_player_who_muted_the_table_sees_the_offer(runtime, table) -> None:
    table_id = table.table_id
    bo = table.seats[BO].player_id or 0
    set_mails(runtime, table_id, BO, mails=False)
    link = offer(table)
    assert letters(runtime, LetterKind.OFFERED) == []
    follows, own_table = PlayLink(table_id, BO, bo), seat_link(runtime, table_id, BO)
    for one in (table.turn_link(BO), follows, own_table):
        assert "Ann has offered your seat to Eve." in page(runtime, one)
    for others in (
        seat_link(runtime, table_id, CY),
        table.turn_link(CY),
        seat_link(runtime, table_id, ANN),
    ):
        assert not mentions(page(runtime, others), "Eve"), "nobody else's business until it is accepted"
    accept(runtime, link)
    assert "Eve takes your seat after this hand." in page(runtime, follows)
    assert "plays, Eve joins after this hand" in page(runtime, seat_link(runtime, table_id, CY))
