"""Fair cards on pages: words for the shuffle, "Are the cards fair?", and the check of a deal in the browser."""

import logging

import pytest
from sqlmodel import select

from hearts.fair import secret_of
from hearts.record import parse_record, record_text
from hearts.rules import preset_rules
from hearts.verify import Mailbox, Refused, verify
from tests.cast import NAMES, first_letters, open_table, seat_link, seats, start_game
from tests.mailing import mailed, player_id
from tests.playing import QUICK
from tests.submitting import soup, words
from tests.webapp.accounts.signed_in import let_in
from tests.webapp.tables.hosted import BO, composed
from tests.webapp.tables.lending import lend
from tests.webapp.tables.peeking import shown_to
from webapp.core.tokens import InvitationLink, ReliveLink
from webapp.games.record.finished import proved_record
from webapp.models import SealRow


@pytest.fixture
def table(runtime):
    """A game whose first hand is finished."""
    table = start_game(runtime, rules=QUICK)
    table.play_hand()
    return table


def seal(runtime):
    with runtime.database.reading() as session:
        return session.exec(select(SealRow)).first()


def invitation(runtime, table_id):
    return runtime.signer.local_url(InvitationLink(table_id, BO, seats(runtime, table_id)[BO].player_id))


def test_the_form_shows_seal_seat_and_list(runtime, client):
    table_id = open_table(runtime)
    shown = words(client.get(invitation(runtime, table_id)))
    assert "Your words for the shuffle: none" in shown
    assert seal(runtime).root in shown
    assert "You are seat 1, counted from 0." in shown


def test_words_are_kept_and_shown_to_who_gave_them(runtime, client):
    table_id = open_table(runtime)
    form = {"answer": "accept", "name": "Bo", "shuffle": "the  cat"}
    answer = client.post(invitation(runtime, table_id), data=form)
    assert "Your words for the shuffle are “the cat”." in soup(answer).main.text
    assert "the cat" in words(client.get(runtime.signer.local_url(seat_link(runtime, table_id, BO))))
    others = client.get(runtime.signer.local_url(seat_link(runtime, table_id, 0)))
    assert "the cat" not in words(others)
    assert seats(runtime, table_id)[BO].shuffle_part in words(others)


def test_the_first_mail_of_each_player_has_the_seal(runtime):
    open_table(runtime)
    for letter in first_letters(runtime):
        mail = composed(runtime, letter)
        assert seal(runtime).root in mail["plain"]
        assert seal(runtime).root in mail["html"]


def test_a_silent_player_gives_words_for_the_next_deal(runtime, client):
    table = start_game(runtime, rules=preset_rules("quick", target=90))
    table_id = table.table_id
    let_in(client, runtime, player_id(runtime, "Bo"))
    page = soup(client.get(runtime.signer.local_url(seat_link(runtime, table_id, BO))))
    form = page.find("input", {"name": "shuffle"}).find_parent("form")
    answer = client.post(form["action"], data={"shuffle": "the  cat"}, follow_redirects=True)
    assert "the cat" in words(answer)
    assert soup(answer).find("input", {"name": "shuffle"}) is None
    client.post(form["action"], data={"shuffle": "a second thought"})
    for _ in range(2):
        table.play_hand()
    with runtime.database.reading() as session:
        record = parse_record(record_text(proved_record(session, table.stored)))
    root = bytes.fromhex(seal(runtime).root)
    verdict = verify(record, Mailbox(root, BO, "the cat", since=2))
    assert (verdict.missing, verdict.notes) == ((), ("seat 1 gives words from hand 2 on",))
    with pytest.raises(Refused, match="hand 1: your words are not in it"):
        verify(record, Mailbox(root, BO, "the cat"))


def test_nobody_gives_words_by_a_forwarded_link(runtime, client, table):
    page = client.get(runtime.signer.local_url(seat_link(runtime, table.table_id, BO)))
    assert soup(page).find("input", {"name": "shuffle"}) is None


def test_a_stand_in_leaves_the_owners_part_alone(runtime, client):
    table = start_game(runtime, rules=QUICK)
    lend(table)
    client.post(f"{runtime.signer.local_url(table.play_link(BO))}/words", data={"shuffle": "the cat"})
    assert table.seats[BO].shuffle_part is None


@pytest.mark.parametrize(("hands", "is_told"), [(0, True), (1, False)])
def test_the_mail_of_the_first_deal_has_the_list(runtime, hands, is_told):
    table = start_game(runtime, rules=QUICK)
    for _ in range(hands):
        table.play_hand()
    letter = mailed(runtime, player_id(runtime, "Bo"))
    assert ("With these two numbers you can check" in composed(runtime, letter)["plain"]) is is_told


def test_the_page_on_fairness_has_figures_of_the_table(runtime, client, table):
    page = client.get(f"{runtime.signer.local_url(seat_link(runtime, table.table_id, BO))}/fair")
    rows = [[cell.get_text(" ", strip=True) for cell in row.select("th, td")] for row in soup(page).select("tbody tr")]
    assert [row[:2] for row in rows] == [[name, "1"] for name in NAMES]
    assert sorted(row[2].split()[0] for row in rows) == ["0", "0", "0", "1"]


def test_everybody_may_read_why_the_cards_are_fair(client):
    assert len(soup(client.get("/fair")).select("main ol li")) == 5


def test_a_finished_hand_is_proved_and_no_other(runtime, client, table):
    proof = client.get(f"{runtime.signer.local_url(ReliveLink(table.game_id, 1))}/deal.json").get_json()
    assert (proof["hand"], proof["names"], proof["fair"]["root"]) == (1, list(NAMES), seal(runtime).root)
    assert client.get(f"{runtime.signer.local_url(ReliveLink(table.game_id, 2))}/deal.json").status_code >= 400


def test_nobody_learns_a_secret_before_its_hand_is_over(runtime, table, run, caplog):
    caplog.set_level(logging.DEBUG)
    master = bytes.fromhex(seal(runtime).master)
    hidden = [master.hex(), *(secret_of(master, leaf).hex() for leaf in (1, 2, 256))]
    shown = {}
    for number, player in enumerate(seats(runtime, table.table_id)):
        shown |= {f"{number} {where}": text for where, text in shown_to(table, player.player_id, number).items()}
    shown["export"] = run("games", "export", table.game_id, "--all").stdout
    shown["log"] = caplog.text
    assert [where for where, text in shown.items() for secret in hidden if secret in text] == []
    assert any(secret_of(master, 0).hex() in text for text in shown.values()), "the first hand is open"


def test_all_five_sentences_can_be_seen(address, browser):
    page = browser.new_page()
    page.goto(f"{address}/fair")
    boxes = [one.bounding_box() for one in page.locator("main > ol > li").all()]
    assert len(boxes) == 5
    assert all(box["height"] > 40 and box["width"] > 200 for box in boxes)
    page.close()


@pytest.mark.parametrize("is_changed", [False, True])
def test_the_browser_checks_a_deal_step_by_step(runtime, table, address, browser, is_changed):
    page = browser.new_page()
    if is_changed:
        page.route("**/deal.json", lambda route: _with_another_card(route))
    page.goto(address + runtime.signer.local_url(ReliveLink(table.game_id, 1)))
    page.get_by_role("button", name="Check this deal").click()
    sentence = "These are not the cards that had to come." if is_changed else "These are the cards that had to come."
    page.get_by_text(sentence).wait_for()
    assert page.locator("[data-found] li").count() == (5 if is_changed else 9)
    page.close()


def _with_another_card(route):
    proof = route.fetch().json()
    proof["deal"][0] = proof["deal"][1]
    route.fulfill(json=proof)


def test_the_browser_checks_the_record_in_a_file(runtime, table, address, browser, tmp_path):
    with runtime.database.reading() as session:
        text = record_text(proved_record(session, table.stored))
    (tmp_path / "game.json").write_text(text)
    page = browser.new_page()
    page.goto(f"{address}/fair")
    page.get_by_label("The seal that you were sent").fill(seal(runtime).root)
    page.get_by_label("The record of a game").set_input_files(tmp_path / "game.json")
    page.get_by_text("All deals are the ones that had to come.").wait_for()
    page.close()


def test_the_browser_makes_words_that_nobody_can_foresee(runtime, address, browser):
    table_id = open_table(runtime)
    page = browser.new_page()
    page.goto(address + invitation(runtime, table_id))
    made = page.locator("input[name=shuffle]").input_value()
    assert len(made.replace("-", "")) == 12
    assert page.locator("#shuffle-words").text_content() == made
    page.close()
