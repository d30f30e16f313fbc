"""The mail in January about the year of a player's tables: when it comes, to whom, and how it stops."""

from datetime import UTC, datetime

import pytest

from hearts.rules import preset_rules
from tests.cast import letters, start_game
from tests.mailing import player_id
from tests.sites import site_of
from tests.webapp.tables.hosted import composed
from webapp.core.tokens import PreferencesLink
from webapp.models import GameRow, LetterKind, LetterRow, PlayerRow
from webapp.outbox.about_accounts import queue_years
from webapp.outbox.letters import stop_link
from webapp.players import preferences
from worker.mail import compose

NEW_YEAR = datetime(2027, 1, 2, 12, tzinfo=UTC)


@pytest.fixture
def table(runtime):
    """A game that ended in 2026."""
    table = start_game(runtime, rules=preset_rules("quick", target=10))
    table.play_hand()
    with runtime.database.writing() as session:
        session.get_one(GameRow, table.game_id).ended_at = datetime(2026, 12, 31, 23, tzinfo=UTC)
    return table


def mails(runtime, at=NEW_YEAR):
    """The mails about the year, after the daily work at that time."""
    runtime.now.at = at
    queue_years(runtime, at)
    return letters(runtime, LetterKind.YEAR)


def goes(runtime, letter):
    """Whether the mail is sent."""
    with runtime.database.reading() as session:
        return compose(runtime, session, session.get_one(LetterRow, letter.id)) is not None


def test_in_january_each_player_gets_one_mail_about_the_year(runtime, table):
    mails(runtime)
    found = mails(runtime, NEW_YEAR.replace(day=9))
    assert sorted(one.player_id for one in found) == [player_id(runtime, name) for name in ("Ann", "Bo", "Cy", "Di")]
    mail = composed(runtime, found[0])
    assert "Your year at the table, 2026" in mail["plain"]
    assert "ANN'S TABLE" in mail["plain"]
    assert "Cy won " in mail["plain"]
    assert "/book?year=2026" in mail["html"]


@pytest.mark.parametrize("at", [NEW_YEAR.replace(month=2), NEW_YEAR.replace(year=2028), NEW_YEAR.replace(year=2026)])
def test_no_mail_comes_later_or_about_another_year(runtime, table, at):
    assert mails(runtime, at) == []


def test_who_muted_the_table_gets_no_mail(runtime, table):
    bo = player_id(runtime, "Bo")
    preferences.set_mails(runtime, bo, table.table_id, mails=False, now=runtime.now())
    (mail,) = [one for one in mails(runtime) if one.player_id == bo]
    assert not goes(runtime, mail)


def test_one_tap_stops_the_mail_and_nothing_else(runtime, table):
    bo = player_id(runtime, "Bo")
    letter = next(one for one in mails(runtime) if one.player_id == bo)
    with runtime.database.reading() as session:
        url = runtime.signer.local_url(stop_link(letter, session.get_one(PlayerRow, bo)))
    client = site_of(runtime).test_client()
    assert "It comes once a year" in client.get(url).text
    assert "All other mail goes on" in client.post(url).text
    assert table.seats[1].mails
    assert not goes(runtime, letter)
    assert "again" in client.post(f"{url}/back").text
    with runtime.database.reading() as session:
        assert session.get_one(PlayerRow, bo).year_mail


def test_a_player_who_wants_none_is_left_out(runtime, table):
    bo = player_id(runtime, "Bo")
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, bo).year_mail = False
    assert bo not in {one.player_id for one in mails(runtime)}
    page = site_of(runtime).test_client().get(runtime.signer.local_url(PreferencesLink(bo)))
    assert 'name="year_mail" value="yes">' in page.text
