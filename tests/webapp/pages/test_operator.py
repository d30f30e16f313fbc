"""The operators' page: for operators alone, and without a card, an address or a link."""

from datetime import timedelta

import pytest
from sqlmodel import update

from hearts.cards import card_text
from tests.cast import NAMES, address, dump, letters, load, start_game
from tests.playing import pass_all
from tests.runtimes import make_runtime
from tests.sites import site_of
from tests.submitting import soup
from tests.webapp.changing import change
from tests.webapp.pages.operator_page import seen_by
from tests.webapp.tables.hosted import ANN, CY
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from worker import postman


@pytest.fixture
def runtime(tmp_path):
    made = make_runtime(tmp_path / "var", operators="Ann@example.org, cy@example.org")
    yield made
    made.database.engine.dispose()


def test_only_operators_who_are_signed_in_find_the_page(runtime, game_id):
    assert site_of(runtime).test_client().get("/operator").status_code == 404
    assert [seen_by(runtime, game_id, seat).status_code for seat in range(4)] == [200, 404, 200, 404]


def test_without_the_setting_nobody_is_an_operator(tmp_path):
    made = make_runtime(tmp_path / "other")
    assert seen_by(made, start_game(made), 0).status_code == 404


def test_the_page_shows_stuck_work_and_complaints_without_secrets(runtime, game_id):
    pass_all(runtime, game_id)
    with runtime.database.writing() as session:
        letter = session.get_one(LetterRow, letters(runtime, LetterKind.PASS)[0].id)
        letter.state, letter.problem = LetterState.FAILED, "550 <bo@example.org> is unknown"
        di = load(runtime, game_id).seats[3].player_id
        session.exec(update(PlayerRow).where(PlayerRow.id == di).values(unreachable_at=runtime.now()))
    page = seen_by(runtime, game_id, 0)
    before = dump(runtime)
    text, stored = page.text, load(runtime, game_id)
    assert f"Ann&#39;s table</strong>, game {game_id}" in text
    assert stored.table.code not in text
    assert "550 &lt;(an address)&gt; is unknown" in text
    assert f"Player {di}" in text
    assert "Never seen." in text
    for held in stored.game.held:
        assert not any(f">{card_text(card)}<" in text for card in held)
    assert not any(address(name) in text for name in NAMES)
    assert not any(path in text for path in ("/seat/", "/play/", "/turn/", "/preferences/"))
    assert dump(runtime) == before


def test_the_page_lists_the_oldest_letters_with_the_relays_words(runtime, game_id):
    first = letters(runtime, LetterKind.PASS)[0]
    tried = {"state": LetterState.QUEUED, "tries": 2, "problem": "450 <bo@example.org> later"}
    change(runtime, LetterRow, first.id, created_at=runtime.now() - timedelta(hours=3), **tried)
    lines = [line.get_text(" ", strip=True) for line in soup(seen_by(runtime, game_id, ANN)).select("#waiting + ul li")]
    assert lines[0].startswith(f"{first.id} pass since ")
    assert lines[0].endswith("tried 2 times: 450 <(an address)> later")
    others = [int(line.split()[0]) for line in lines[1:]]
    assert others
    assert others == sorted(others)


def test_the_page_lists_ten_waiting_letters_and_no_finished_one(runtime, game_id):
    for _ in range(3):
        start_game(runtime)
    assert len(soup(seen_by(runtime, game_id, ANN)).select("#waiting + ul li")) == 10
    postman.deliver(runtime)
    assert soup(seen_by(runtime, game_id, CY)).select_one("#waiting + p").text == "None."
