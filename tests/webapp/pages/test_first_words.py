"""The first words that a host and their guests read: no page or mail before the first card speaks of our mechanisms."""

import re

from tests.cast import letters, seats, table_row
from tests.mailing import preferences_url
from tests.submitting import FORM, words
from tests.webapp.tables.guests_by_link import path_of_link
from webapp.core.tokens import ConfirmLink, InvitationLink
from webapp.games.record.links import seat_link
from webapp.models import LetterKind
from webapp.presentation.clock_text import why_at_once
from worker.mail import compose

MECHANISMS = re.compile(r"hardly matter|spare day|side by side|hands at once|same time\.", re.IGNORECASE)
INVITED, LINKED = 1, 2  # tables
LINK = {"by": "link", "seat_1_name": "", "seat_1_address": "", "seat_2_kind": "open"}


def test_no_page_before_the_first_card_speaks_of_mechanisms(runtime, client):
    for number, typed in ((INVITED, {}), (LINKED, LINK)):
        assert client.post("/tables/new", data={**FORM, **typed, "vacation_days": "3"}).status_code == 303
        client.post(runtime.signer.local_url(ConfirmLink(number)))
    host, bo, *_ = seats(runtime, INVITED)
    invitation = runtime.signer.local_url(InvitationLink(INVITED, 1, bo.player_id))
    urls = ["/", "/lobby", invitation, runtime.signer.local_url(seat_link(host)), preferences_url(runtime, "Bo")]
    urls += [path_of_link(runtime, LINKED), f"/lobby/{table_row(runtime, LINKED).code}"]
    said = {url: words(client.get(url)) for url in urls}
    said["form"] = client.get("/tables/new").text.partition('id="choices"')[0]
    with runtime.database.reading() as session:
        letter = letters(runtime, LetterKind.INVITATION)[0]
        said["mail"] = " ".join(compose(runtime, session, letter).get_body(("plain",)).get_content().split())
    said["accepted"] = words(client.post(invitation, data={"answer": "accept"}))
    why = why_at_once(4)
    assert {name for name, text in said.items() if why in text} == {invitation, urls[-2], "mail"}
    found = {name: MECHANISMS.findall(text.replace(why, "")) for name, text in said.items()}
    assert {name: names for name, names in found.items() if names} == {}
