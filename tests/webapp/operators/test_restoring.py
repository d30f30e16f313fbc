"""A restored service goes on from the backup: with its games, its links, and full deadlines."""

import re
from contextlib import closing
from datetime import UTC, datetime, timedelta
from time import sleep

import pytest
from alembic import command
from sqlalchemy import func, text
from sqlmodel import select

from hearts.cards import card_text
from tests.cast import PACE, letters, open_table, start_game
from tests.runtimes import make_runtime
from tests.table import Table
from tests.webapp.migrations.first_tables import LAST_STATE, make_first_tables
from tests.webapp.migrations.rows import read_dump, read_rows, write_rows
from tests.webapp.operators.restores import refused, restored
from webapp.core.addresses import AddressInvalid, Purpose
from webapp.core.config import read_settings
from webapp.core.runtime import Runtime
from webapp.migrations import config_for, newest
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from webapp.outbox.letters import message_id_of
from webapp.site import make_site
from worker import postman

BO = 1
LINK = re.compile(r"http://127\.0\.0\.1:8000(/turn/\S+)")


def link_to_bo(runtime):
    """A link from the mail that asks Bo which cards to pass."""
    postman.deliver(runtime)
    (mail,) = [letter for letter in letters(runtime, LetterKind.TURNS) if letter.seat == BO]
    return LINK.search(mail.message.replace("=\n", ""))[1]


def passed(table):
    return {record.turn.seat for record in table.records[1:]}


def test_a_link_from_an_old_mail_plays_on(either_runtime, backed_up, operate, elsewhere):
    table = start_game(either_runtime)
    link = link_to_bo(either_runtime)
    folder = backed_up(either_runtime)
    runtime = restored(operate, elsewhere(either_runtime), folder)
    client = make_site(runtime).test_client()
    page = client.get(link)
    assert page.status_code == 200
    cards = [card_text(card) for card in table.on(runtime).stored.game.held[BO]][:3]
    assert client.post(link, data={"card": cards}).status_code in (200, 303)
    assert passed(table.on(runtime)) == {BO}
    table.on(runtime).play_hand()
    runtime.database.engine.dispose()


def test_everything_is_restored(either_runtime, backed_up, operate, elsewhere):
    start_game(either_runtime)
    postman.deliver(either_runtime)
    before = rows_of(either_runtime)
    folder = backed_up(either_runtime)
    runtime = restored(operate, elsewhere(either_runtime), folder)
    assert rows_of(runtime) == before
    open_table(runtime)  # new rows have numbers of their own
    runtime.database.engine.dispose()


def rows_of(runtime):
    rows = read_rows(runtime.database.engine)
    del rows["restoration"]  # the backup knows nothing of it
    for player in rows["player"]:
        del player["turns_at"]  # workers look anew
    return rows


def test_players_whose_turn_it_is_have_a_full_deadline_again(either_runtime, backed_up, operate, elsewhere):
    table = start_game(either_runtime)
    postman.deliver(either_runtime)
    folder = backed_up(either_runtime)
    other = elsewhere(either_runtime)
    other.now.pass_by(10 * PACE)
    runtime = restored(operate, other, folder)
    due_at = table.on(runtime).stored.row.due_at
    assert due_at >= runtime.now() + PACE
    assert {letter.state for letter in letters(runtime, LetterKind.TURNS)} == {LetterState.KEPT}, (
        "nobody is asked twice"
    )
    runtime.database.engine.dispose()


def test_mails_about_lost_turns_are_new_ones_not_copies(runtime, backed_up, operate, elsewhere):
    table = start_game(runtime)
    folder = backed_up(runtime)
    old = {letter.message_id for letter in letters(runtime)}
    table.play_hand()
    forgotten = {letter.dedupe: letter.message_id for letter in letters(runtime)}
    after = restored(operate, elsewhere(runtime), folder)
    table.on(after).play_hand()
    again = {letter.dedupe: letter.message_id for letter in letters(after) if letter.message_id not in old}
    assert again.keys() & forgotten.keys()
    assert set(again.values()) & set(forgotten.values()) == set()
    after.database.engine.dispose()


def test_a_reply_to_an_old_mail_is_recognized_by_address(runtime, backed_up, operate, elsewhere):
    start_game(runtime)
    address = runtime.postmark.address(Purpose.REPLY, 1)
    folder = backed_up(runtime)
    after = restored(operate, elsewhere(runtime), folder)
    assert after.postmark.read(address) == runtime.postmark.read(address)


def test_a_restore_says_what_players_have_lost(operate, made, runtime, elsewhere):
    done = operate(elsewhere(runtime), "restore", made)
    assert "Links, sign-ins and answers that players got or gave since then open and change nothing" in done.stdout
    assert (
        "Some players may have signed out everywhere, taken a move of their games back, muted us or deleted"
        in done.stdout
    )


def test_devices_still_get_notifications(runtime, backed_up, operate, elsewhere):
    key = runtime.push_key.public
    folder = backed_up(runtime)
    assert restored(operate, elsewhere(runtime), folder).push_key.public == key


def test_only_the_owner_can_read_the_restored_files(runtime, backed_up, operate, elsewhere):
    runtime.settings.push_key()
    folder = backed_up(runtime)
    after = restored(operate, elsewhere(runtime), folder)
    files = [after.settings.data_dir / name for name in ("hearts.db", "secret_keys", "vapid_key.pem")]
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_a_backup_of_an_older_version_is_upgraded(tmp_path, operate, elsewhere):
    old = Runtime(read_settings(data_dir=tmp_path / "var"))
    old.settings.data_dir.mkdir()
    make_first_tables(old.settings.database)
    write_rows(old.database.engine, read_dump(LAST_STATE))
    assert operate(old, "backup", tmp_path / "backup").exit_code == 0
    old.database.engine.dispose()
    like = make_runtime(tmp_path / "like")
    like.now.pass_by(timedelta(days=30))
    runtime = restored(operate, elsewhere(like), tmp_path / "backup")
    command.check(config_for(runtime.settings.database))
    Table(runtime, 2).play_first()
    runtime.database.engine.dispose()


def test_a_backup_of_another_kind_of_database_is_refused(operate, made, tmp_path):
    other = make_runtime(tmp_path / "other", "postgresql://127.0.0.1:1/hearts")
    assert "The backup is of SQLite, and DATABASE_URL names another kind" in refused(operate, other, made)


def test_a_restored_database_has_the_newest_version(operate, made, runtime, elsewhere):
    after = restored(operate, elsewhere(runtime), made)
    with closing(after.database.engine.connect()) as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == newest()
    after.database.engine.dispose()


def test_what_was_made_after_the_backup_opens_nothing(either_runtime, backed_up, operate, elsewhere):
    before = either_runtime
    start_game(before)
    before.now.at = datetime.now(UTC)  # as that of the signatures
    with before.database.reading() as session:
        kept = session.exec(select(func.max(LetterRow.id))).one()
    old = before.postmark.address(Purpose.REPLY, kept)
    folder = backed_up(before)
    table = start_game(before)
    lost_address = before.postmark.address(Purpose.REPLY, kept + 1)
    lost_link, lost_mail = before.signer.local_url(table.turn_link(BO)), message_id_of(before, "pass")
    before.now.at = datetime.now(UTC) + timedelta(seconds=1)
    sleep(2.1)  # a signature names the second
    after = restored(operate, elsewhere(before), folder)
    assert start_game(after).game_id == table.game_id, "the ids are given out again"
    client = make_site(after).test_client()
    assert client.get(lost_link).status_code == 410
    assert client.get(after.signer.local_url(table.on(after).turn_link(BO))).status_code == 200
    assert after.postmark.read(old).letter_id == kept
    with pytest.raises(AddressInvalid):
        after.postmark.read(lost_address)
    assert message_id_of(after, "pass") != lost_mail
    after.database.engine.dispose()


def test_after_a_restore_a_browser_goes_on_without_its_cookie(either_runtime, backed_up, operate, elsewhere):
    table = start_game(either_runtime)
    with either_runtime.database.writing() as session:
        session.get_one(PlayerRow, table.seats[BO].player_id).browser_at = either_runtime.now()
    link = link_to_bo(either_runtime)
    runtime = restored(operate, elsewhere(either_runtime), backed_up(either_runtime))
    assert "/play/" in make_site(runtime).test_client().get(link).text
    runtime.database.engine.dispose()


def test_each_restore_has_a_number_of_its_own(runtime, backed_up, operate, elsewhere):
    """Also where the same backup is restored twice, and on another machine, by the note beside it."""
    folder, numbers = backed_up(runtime), []
    for _ in range(2):
        again = restored(operate, elsewhere(runtime), folder)
        with again.database.reading() as session:
            numbers.append(session.connection().execute(text("SELECT number FROM restoration")).scalar_one())
        again.database.engine.dispose()
    assert numbers == [1, 2]
