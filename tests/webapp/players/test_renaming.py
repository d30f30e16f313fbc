"""Renaming a player: wherever their name is kept, and nowhere else."""

import pytest
from sqlmodel import select

from tests.mailing import player_id
from tests.webapp.tables.lending import lend
from webapp.games import talk
from webapp.games.record.seats import own_name, owner_name
from webapp.models import TalkRow
from webapp.players import renaming

ANN, BO, CY, DI = range(4)


def test_a_renamed_player_keeps_their_finished_hands(runtime, table):
    table.play_hand()
    renaming.rename(runtime, player_id(runtime, "Cy"), "Cyrus", runtime.now(), by="ann")
    stored = table.stored
    assert stored.has_played(CY, 1)
    assert stored.names_of_hand(1)[CY] == "Cyrus"


@pytest.mark.parametrize(
    ("name", "new", "shown"),
    [("Bo", "Bobby", ("Bobby", "Eve", "Eve (Bobby)")), ("Eve", "Eva", ("Bo", "Eva", "Eva (Bo)"))],
)
def test_a_lent_seats_owner_and_stand_in_are_renamed_separately(runtime, table, name, new, shown):
    lend(table)
    renaming.rename(runtime, player_id(runtime, name), new, runtime.now(), by="ann")
    row = table.seats[BO]
    assert (owner_name(row), own_name(row), row.name) == shown


def test_only_a_renamed_players_own_lines_are_renamed(runtime, table):
    for seat, text in ((CY, "Good luck, Di!"), (DI, "Good luck, Cy!")):
        talk.add_line(runtime, table.play_link(seat), text, runtime.now())
    renaming.rename(runtime, player_id(runtime, "Cy"), "Cyrus", runtime.now(), by="ann")
    with runtime.database.reading() as session:
        lines = [(row.name, row.text) for row in session.exec(select(TalkRow).order_by(TalkRow.id))]
    assert lines == [("Cyrus", "Good luck, Di!"), ("Di", "Good luck, Cy!")]
