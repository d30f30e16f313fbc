"""The last mails on the table page, with the way to change an address."""

from tests.cast import NAMES, open_table, seat_link, seats
from tests.webapp.accounts.signed_in import let_in


def test_only_a_signed_in_player_sees_the_address_change_link(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    mine = runtime.signer.local_url(seat_link(runtime, table_id, 1))
    assert "/preferences/" not in client.get(mine).text
    let_in(client, runtime, seats(runtime, table_id)[0].player_id)
    assert "/preferences/" not in client.get(mine).text, "Ann may not change Bo's"
    let_in(client, runtime, seats(runtime, table_id)[1].player_id)
    assert "/preferences/" in client.get(mine).text
