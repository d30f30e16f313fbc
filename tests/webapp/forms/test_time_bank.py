"""The choice of a time bank, when a table is opened and when its host changes it."""

import pytest

from tests.cast import load, seat_link, start_game, table
from tests.submitting import FORM, soup, words
from webapp.forms.fields import BANKS
from webapp.forms.opening import read_open_form
from webapp.games.links import host_link
from webapp.games.pace import bank_of


@pytest.mark.parametrize(
    ("fields", "chosen"),
    [
        pytest.param({"bank": "usual"}, "usual", id="a bank"),
        pytest.param({"bank": "none"}, "none", id="none"),
        pytest.param({}, "none", id="a form from before"),
    ],
)
def test_a_new_table_has_the_bank_that_its_host_chooses(fields, chosen):
    form = read_open_form({**FORM, **fields}, shortest_pace=None)
    assert form.errors == {}
    assert form.table.bank == BANKS[chosen]


@pytest.mark.parametrize("live", ["pass_time", "play_time"])
def test_a_live_table_has_no_bank(live):
    form = read_open_form({**FORM, "bank": "usual", live: "15"}, shortest_pace=None)
    assert list(form.errors) == ["bank"]
    assert form.table is None


def test_the_bank_is_chosen_behind_change_and_everybody_reads_what_it_is(client, runtime):
    assert soup(client.get("/tables/new")).select_one("#choices:not([open]) select[name=bank]")
    assert client.post("/tables/new", data={**FORM, "bank": "usual"}).status_code == 303
    assert bank_of(table(runtime, 1)) == BANKS["usual"]
    shown = words(client.get(runtime.signer.local_url(seat_link(runtime, 1, 0))))
    assert "3 days to begin with, 12 hours more for each decision, and never more than 5 days." in shown
    assert "To play a card" not in shown
    again = soup(client.get("/tables/new")).select_one("#choices summary")
    assert "3 days + 12 hours, up to 5 days" in again.text


def test_the_host_sees_the_bank_that_is_chosen(client, runtime):
    stored = load(runtime, start_game(runtime))
    url = runtime.signer.local_url(host_link(stored.table, stored.seats[0]))
    for bank in ("long", "none"):
        data = {"pass_time": "86400", "play_time": "86400", "bank": bank}
        assert client.post(f"{url}/pace", data=data).status_code == 303
        assert soup(client.get(url)).select_one("select[name=bank] option[selected]")["value"] == bank
        assert bank_of(table(runtime, stored.row.table_id)) == BANKS[bank]
