"""The file with all that is kept of a player: what is in it, and what of others is not."""

import io
import json
import zipfile

import pytest

from hearts.record import parse_record
from tests.cast import address, letters
from tests.mailing import player_id
from tests.sites import site_of
from tests.webapp.accounts.moving import NEW, moved
from tests.webapp.accounts.signed_in import let_in
from tests.webapp.changing import change
from tests.webapp.games.talking import say
from tests.webapp.tables.hosted import BO
from tests.webapp.tables.lending import lend
from webapp import acts
from webapp.models import (
    AddressChangeRow,
    BookRow,
    DeviceRow,
    InboundRow,
    LetterRow,
    OperatorAct,
    OperatorActRow,
    PlayerRow,
    SeatRow,
    ShareRow,
    SignInRow,
    TalkRow,
)
from webapp.players import own_data
from worker import postman

FILE = "/my-data/hearts-by-mail.zip"


@pytest.fixture
def bo(runtime, table, client):
    """Bo, who has just signed in with the client."""
    number = player_id(runtime, "Bo")
    let_in(client, runtime, number)
    return number


def data_of(runtime, number):
    with runtime.database.reading() as session:
        return own_data.data_of(session, session.get_one(PlayerRow, number))


def test_the_file_has_finished_hands_and_no_others_address(runtime, client, table, bo):
    postman.deliver(runtime)
    table.play_hand()
    table.play_first()
    response = client.get(FILE)
    assert response.mimetype == "application/zip"
    with zipfile.ZipFile(io.BytesIO(response.data)) as file:
        content = {name: file.read(name).decode() for name in file.namelist()}
    record = parse_record(content[f"games/{table.stored.table.code}-1.json"])
    assert len(record.hands) == 1
    said = json.loads(content["data.json"])
    assert said["player"]["address"] == address("Bo")
    assert {mail["kind"] for mail in said["mails_to_you"]} >= {"turns", "score_sheet"}
    assert said["sign_ins"][0]["browser"] == "Firefox"
    for other in ("Ann", "Cy", "Di"):
        assert address(other) not in "".join(content.values())


def test_the_file_holds_the_players_mails_while_they_are_kept(runtime, client, bo):
    postman.deliver(runtime)
    with runtime.database.writing() as session:
        for name, raw in (("Bo", b"4C, please"), ("Bo", None), ("Cy", b"9D")):
            recipient, now = f"r-{name}@in.hearts.example", runtime.now()
            came = {"identity": str(raw), "raw": raw, "next_at": None, "received_at": now}
            session.add(InboundRow(sender=address(name), recipient=recipient, **came))
    with zipfile.ZipFile(io.BytesIO(client.get(FILE).data)) as file:
        mails = {name: file.read(name).decode() for name in file.namelist() if name.startswith("mails")}
    own = [letter for letter in letters(runtime) if letter.player_id == bo and letter.message]
    assert own
    assert mails == {f"mails-to-you/{one.id}.eml": one.message for one in own} | {"mails-from-you/1.eml": "4C, please"}


def sent_by(runtime, sender, name):
    """A mail of that name has come from this address."""
    came = {"recipient": "r@in.hearts.example", "identity": name, "raw": name.encode(), "next_at": None}
    with runtime.database.writing() as session:
        session.add(InboundRow(sender=sender, received_at=runtime.now(), **came))


def mails_from(runtime, number):
    """The texts of the mails from the player that their file holds."""
    with runtime.database.reading() as session:
        content = own_data.file_of(session, session.get_one(PlayerRow, number))
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {file.read(name).decode() for name in file.namelist() if name.startswith("mails-from-you/")}


def test_the_file_holds_mails_from_an_address_left_by_agreement(runtime, bo):
    sent_by(runtime, address("Bo"), "before")
    moved(runtime)
    sent_by(runtime, NEW, "after")
    assert mails_from(runtime, bo) == {"before", "after"}


@pytest.mark.parametrize("sender", ["BO@Example.ORG", "Bo@example.org"])
def test_the_file_holds_mails_of_addresses_in_any_case(runtime, bo, sender):
    sent_by(runtime, sender, "mine")
    assert mails_from(runtime, bo) == {"mine"}


def test_the_file_holds_mails_of_international_domains_in_any_form(runtime, bo):
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, bo).address = "bo@ex\u00e4mple.org"
    sent_by(runtime, "bo@xn--exmple-cua.org", "mine")
    assert mails_from(runtime, bo) == {"mine"}


def test_the_file_holds_no_mail_from_unagreed_or_reassigned_addresses(runtime, bo):
    sent_by(runtime, address("Bo"), "before")
    change(runtime, AddressChangeRow, moved(runtime), agreed_at=None)
    assert not mails_from(runtime, bo)
    change(runtime, AddressChangeRow, 1, agreed_at=runtime.now())
    with runtime.database.writing() as session:
        session.add(PlayerRow(address=address("Bo"), name="Eve", created_at=runtime.now()))
    assert not mails_from(runtime, bo)


LEFT_OUT = {  # by list of the file: its table, and the columns that it leaves out on purpose
    "player": (PlayerRow, "id sign_ins generation links letters_lost forgotten_at"),
    # The table has its code; an offered seat is another player's, and a lent one the owner's.
    "seats": (
        SeatRow,
        "table_id table_number player_id links visits stands_in_for lent offered_to offered_name offer_state "
        "offered_words",
    ),
    "said": (TalkRow, "id table_id seat player_id"),
    # Its subject is in its text, and may name others.
    "mails_to_you": (
        LetterRow,
        "dedupe player_id address table_id seat game_id hand about reason requested again game_number change_id "
        "newcomer_id held_at turns message_id thread_id tries next_at claimed_by message refused asked "
        "notified notified_at moved_at",
    ),
    "mails_from_you": (InboundRow, "recipient identity player_id copies raw next_at handled_at"),
    "sign_ins": (SignInRow, "id player_id secret_hash"),
    "devices": (DeviceRow, "id player_id endpoint public_key secret"),  # the host of the endpoint is told
    "acts_of_operators": (OperatorActRow, "id by game_id player_id letter_id"),
    "address_changes": (AddressChangeRow, "id player_id"),
    "shared_results": (ShareRow, "id player_id seat number"),
    "book": (BookRow, "id player_id"),
}


@pytest.fixture
def every_row(runtime, table, bo):
    """Bo has a row of every kind that the file tells of."""
    postman.deliver(runtime)
    say(table, BO, "Hello")
    moved(runtime)
    sent_by(runtime, NEW, "4C")
    with runtime.database.writing() as session:
        acts.note_act(session, OperatorAct.EXPORT, "root", runtime.now(), player_id=bo)
        keys = {"endpoint": "https://push.example.org/bo", "public_key": "p", "secret": "s"}
        session.add(DeviceRow(player_id=bo, created_at=runtime.now(), **keys))
        session.add(ShareRow(game_id=table.game_id, player_id=bo, seat=BO, shared_at=runtime.now()))
        session.add(BookRow(game_id=table.game_id, player_id=bo, seat=BO, side=BO, name="Bo"))


def test_every_column_of_a_player_is_exported_or_excused(runtime, bo, every_row):
    let_in(site_of(runtime).test_client(), runtime, bo)  # the move has ended the first sign-in
    kept = data_of(runtime, bo)
    assert kept.keys() == LEFT_OUT.keys()
    for name, (row, left_out) in LEFT_OUT.items():
        told = kept[name] if name == "player" else kept[name][0]
        assert set(row.model_fields) - told.keys() == set(left_out.split()), name


def test_a_lent_seat_is_in_its_owners_file(runtime, table, bo):
    change(runtime, SeatRow, (table.table_id, BO), mails=False)
    lend(table)
    (seat,) = data_of(runtime, bo)["seats"]
    assert (seat["name"], seat["played_by"], seat["mails"]) == ("Bo", "Eve", False)
