"""Vacation days on the pages: what the host chooses."""

from tests.cast import dump, start_game, table_row
from tests.submitting import FORM, check_refused, words
from tests.webapp.tables.hosted import let_agree
from tests.webapp.vacations import table_url
from webapp.games.record.links import host_link

ANN, BO = range(2)


def test_the_host_chooses_and_may_change_the_vacation_days(runtime, client):
    page = client.get("/tables/new").text
    assert '<option value="3" selected>3 days</option>' in page
    for days, status in (("4", 400), ("-1", 400), ("5", 303)):
        assert client.post("/tables/new", data={**FORM, "vacation_days": days}).status_code == status
    table = start_game(runtime)
    stored = table.stored
    url = runtime.signer.local_url(host_link(stored.table, stored.seats[ANN]))
    pace = {"pass_time": "86400", "play_time": "43200"}
    assert table_row(runtime, 1).vacation_days == 5
    before = dump(runtime)
    response = client.post(f"{url}/pace", data={**pace, "vacation_days": "6"})
    check_refused(runtime, before, response, 400, "Choose the spare days from the list.")
    for sent, days in (({"vacation_days": "2"}, 2), ({}, 2), ({"vacation_days": "1"}, 1)):
        assert client.post(f"{url}/pace", data={**pace, **sent}).status_code == 303
        let_agree(runtime, stored.row.table_id)
        assert table_row(runtime, stored.row.table_id).vacation_days == days
        assert "spare day" not in words(client.get(table_url(table, BO))), "not before one is taken"
