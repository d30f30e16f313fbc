"""Play on live: one mail goes to players with an evening ahead, and older mails lead on."""

from datetime import UTC, datetime

import pytest
from sqlmodel import select

from tests.runtimes import make_runtime
from tests.webapp.migrations.first_tables import LAST_STATE, make_first_tables
from tests.webapp.migrations.rows import read_dump, write_rows
from webapp.migrations import upgrade
from webapp.models import LetterRow, TableRow
from worker.mail import compose

AGREED, LIVE = 2, 3  # evenings of the dump
# By case: the kind, evening and state of an older mail, its state afterwards, and how many mails call that evening off.
CASES = {
    "asked": ("evening_asked", AGREED, "sent", "sent", 0),
    "asked, not sent": ("evening_asked", AGREED, "queued", "superseded", 0),
    "told the hour": ("evening_agreed", AGREED, "sent", "sent", 1),
    "about to be told": ("evening_agreed", AGREED, "queued", "superseded", 1),
    "unreachable": ("evening_agreed", AGREED, "withheld", "superseded", 1),
    "told, and live": ("evening_agreed", LIVE, "sent", "sent", 0),
    "called off before": ("evening_off", AGREED, "sent", "sent", 0),
}


@pytest.fixture
def brought_over(empty, tmp_path):
    """Returns a function that brings over a database with such a mail about an evening."""
    url, made = empty.engine.url.render_as_string(hide_password=False), []

    def bring(kind="evening_agreed", evening=AGREED, state="sent"):
        rows = read_dump(LAST_STATE)
        rows["letter"] = [one for one in rows["letter"] if not one["kind"].startswith("evening")]
        seat = next(one for one in rows["seat"] if one["player_id"] and one["table_id"] == 1)
        game = next(one for one in rows["game"] if one["table_id"] == 1)
        about = {"player_id": seat["player_id"], "table_id": 1, "seat": seat["seat"], "game_id": game["id"]}
        key = {"id": 900, "dedupe": "900", "message_id": "<900@hearts.example.org>", "thread_id": None}
        nothing = {"hand": None, "about": None, "turns": None, "message": None, "told_by": None, "change_id": None}
        is_of = {**about, **key, **nothing, "newcomer_id": None, "evening_id": evening}
        rows["letter"].append({**rows["letter"][0], **is_of, "kind": kind, "state": state, "next_at": None})
        rows["card_table"][0]["live_seconds"] = 60
        make_first_tables(url)
        write_rows(empty.engine, rows)
        upgrade(url)
        made.append(make_runtime(tmp_path / "var", url))
        return made[0]

    yield bring
    for runtime in made:
        runtime.database.engine.dispose()


def calling_off(session):
    return session.exec(select(LetterRow).where(LetterRow.kind == "answer", LetterRow.reason == "evening")).all()


@pytest.mark.parametrize("case", CASES)
def test_one_mail_calls_off_an_evening_that_lies_ahead(brought_over, case):
    *before, state, called_off = CASES[case]
    runtime = brought_over(*before)
    with runtime.database.reading() as session:
        old = session.get_one(LetterRow, 900)
        assert (old.kind, old.state) == ("proposed", state)
        found = calling_off(session)
        assert [(one.player_id, one.state, one.thread_id) for one in found] == called_off * [
            (old.player_id, "queued", old.message_id)
        ]


def test_the_mail_is_composed_with_the_way_to_play_live(brought_over):
    runtime = brought_over()
    with runtime.database.reading() as session:
        (letter,) = calling_off(session)
        mail = compose(runtime, session, letter)
        assert letter.next_at <= datetime.now(UTC)
    assert mail["Subject"].startswith("The evening together at ")
    assert mail["Message-ID"].endswith("@hearts.example.org>")
    assert "it asks whether to play on live" in mail.get_body(("plain",)).get_content()


def test_a_table_that_is_played_live_stays_so(brought_over):
    runtime = brought_over()
    with runtime.database.reading() as session:
        assert session.get_one(TableRow, 1).is_together
