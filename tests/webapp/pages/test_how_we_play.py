"""The page "How we play" of a table, and the links to it on pages and in mails."""

import re

import pytest
from bs4 import BeautifulSoup

from hearts.rules import preset_rules
from tests.cast import dump, letters, open_table, seat_link, table_row
from tests.sites import site_of
from tests.webapp.presentation.rules_text import texts_of
from webapp.core.tokens import ConfirmLink, InvitationLink
from webapp.models import LetterKind
from worker.mail import compose


def test_a_tables_page_explains_its_rules_and_names_nobody(runtime, client):
    table_id = open_table(runtime, rules=preset_rules("omnibus", sun=True))
    code = table_row(runtime, table_id).code
    before = dump(runtime)
    answer = client.get(f"/how-we-play/{code}")
    page = BeautifulSoup(answer.data, "lxml")
    assert answer.status_code == 200
    assert [heading.text for heading in page.main.find_all("h2")] == list(texts_of("omnibus", sun=True))
    assert "The jack of diamonds gives 10 points off" in page.text
    assert "This table plays Omnibus for four players" in page.text
    assert not re.search("Ann|Bo|Cy|Di|example.org", page.main.text.replace("Bonuses", ""))
    assert client.get(f"/how-we-play/{code.lower()}").status_code == 200
    assert dump(runtime) == before


@pytest.mark.parametrize(("at_once", "number"), [(4, "four"), (1, None)])
def test_how_we_play_explains_several_hands_at_once(runtime, client, at_once, number):
    table_id = open_table(runtime, at_once=at_once)
    page = client.get(f"/how-we-play/{table_row(runtime, table_id).code}").text
    assert ("Several hands at once" in page) == (f"We deal {number} hands at once" in page) == bool(number)


@pytest.mark.parametrize("code", ["22222", "x", "%00", "../seat", "A" * 3000, "é", "' OR 1=1"])
def test_an_unknown_table_gets_a_plain_page(either_runtime, code):
    answer = site_of(either_runtime).test_client().get(f"/how-we-play/{code}")
    assert answer.status_code == 404
    assert "Page not found" in answer.text


def test_every_mail_about_a_table_links_to_how_we_play(runtime):
    code = table_row(runtime, open_table(runtime)).code
    mailed = [letter for letter in letters(runtime) if letter.next_at and letter.next_at <= runtime.now()]
    assert {letter.kind for letter in mailed} == {LetterKind.CONFIRM, LetterKind.INVITATION}
    for letter in mailed:
        with runtime.database.reading() as session:
            mail = compose(runtime, session, letter)
        link = f"{runtime.settings.address}/how-we-play/{code}"
        assert link in mail.get_body(("plain",)).get_content()
        anchors = BeautifulSoup(mail.get_body(("html",)).get_content(), "lxml").find_all("a", href=link)
        assert [anchor.text for anchor in anchors] == ["How we play"]


def test_the_pages_of_a_table_link_to_how_we_play(runtime, client):
    table_id = open_table(runtime)
    code = table_row(runtime, table_id).code
    player = next(letter.player_id for letter in letters(runtime, LetterKind.INVITATION) if letter.seat == 1)
    for link in (ConfirmLink(table_id), InvitationLink(table_id, 1, player), seat_link(runtime, table_id, 0)):
        page = BeautifulSoup(client.get(runtime.signer.local_url(link)).data, "lxml")
        (anchor,) = page.find_all("a", href=f"/how-we-play/{code}")
        assert anchor.text == "How we play"
