"""A player is forgotten: nothing says who they were, and the games of the others go on and stay whole."""

from datetime import timedelta

import pytest
from sqlmodel import select

from tests.cast import address, dump, letters, mentions, new_table, seat_link, seats, start_game
from tests.mailing import player_id
from tests.webapp.players.naming import forget, is_named, told
from webapp.accounts import changing_address, sign_ins
from webapp.core.say import LANGUAGES, Refused, say, speaking
from webapp.core.tokens import ForgetLink, LinkExpired, NewAddressLink, PreferencesLink, SignInLink
from webapp.games import shares, talk
from webapp.models import DeviceRow, InboundRow, LetterState, PlayerRow, SeatState, SignInRow, TableRow
from webapp.players import forgetting
from webapp.tables import seating
from worker import postman

ANN, BO, CY, DI = range(4)


@pytest.fixture
def game(either_runtime):
    """A game of which a hand is over, in which Bo has talked, and from which mails were sent."""
    table = start_game(either_runtime)
    postman.deliver(either_runtime)
    table.play_hand()
    talk.add_line(either_runtime, table.play_link(BO), "Hello, I am Bo of Bremen", either_runtime.now())
    postman.deliver(either_runtime)
    return table


def sign_in(runtime, number):
    with runtime.database.reading() as session:
        player = session.get_one(PlayerRow, number)
    sign_ins.sign_in(runtime, SignInLink(number, player.sign_ins), "Firefox/130 Android")


def test_nothing_says_afterwards_who_a_player_was(either_runtime, game):
    runtime, number = either_runtime, player_id(either_runtime, "Bo")
    sign_in(runtime, number)
    shares.share(
        runtime, seat_link(runtime, game.on(runtime).stored.table.id, BO), game.game_id, runtime.now(), names=True
    )
    with runtime.database.writing() as session:
        keys = {"public_key": "p", "secret": "s", "created_at": runtime.now()}
        session.add(DeviceRow(player_id=number, endpoint="https://push.example.org/bo", **keys))
        kept = {"recipient": "x", "identity": "y", "raw": b"I am Bo", "next_at": None, "received_at": runtime.now()}
        session.add(InboundRow(sender=address("Bo").upper(), **kept))
        other = {**kept, "identity": "z"}
        session.add(InboundRow(sender="alias@elsewhere.example", player_id=number, **other))
    forgetting.forget(runtime, number, runtime.now())
    said = told(runtime)
    for trace in (address("Bo"), "Bremen", "push.example.org", "Firefox"):
        assert trace not in said
    assert not is_named(runtime, "Bo")
    with runtime.database.reading() as session:
        player = session.get_one(PlayerRow, number)
        assert (player.name, player.forgotten_at) == ("Somebody", runtime.now())
    assert all(letter.message is None for letter in letters(runtime) if letter.player_id == number)


def test_the_finished_hands_stay_whole_and_a_robot_plays_on(either_runtime, game):
    runtime = either_runtime
    before = game.on(runtime).stored
    forget(runtime, "Bo")
    after = game.on(runtime).stored
    assert after.seats[BO].state is SeatState.ROBOT
    assert after.finished_turns() == before.finished_turns()
    assert after.cycle.scores == before.cycle.scores
    assert after.names_of_hand(1) == ["Ann", "Somebody", "Cy", "Di"]
    assert [after.names[seat] for seat in (ANN, CY, DI)] == ["Ann", "Cy", "Di"]
    game.on(runtime).play_for_absent()
    while game.on(runtime).stored.game.hand == 2:
        game.on(runtime).play_first()
    assert len(game.on(runtime).stored.game.scores) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_forgotten_player_is_somebody_in_their_language(runtime, language):
    start_game(runtime)
    number = player_id(runtime, "Bo")
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, number).language = language
    forget(runtime, "Bo")
    with speaking(language), runtime.database.reading() as session:
        said = say("Your name becomes “Somebody”, also in games that are over.")
        assert session.get_one(PlayerRow, number).name in said


def test_a_forgotten_host_stays_as_somebody_who_is_away(either_runtime, game):
    runtime = either_runtime
    forget(runtime, "Ann")
    stored = game.on(runtime).stored
    host = stored.seats[ANN]
    assert (host.name, host.away, host.mails, host.state) == ("Somebody", True, False, SeatState.HOST)
    assert stored.row.wake_at <= runtime.now()
    game.on(runtime).play_for_absent()
    while game.on(runtime).stored.game.hand == 2:
        game.on(runtime).play_first()
    assert len(game.on(runtime).stored.game.scores) == 2
    before = len(letters(runtime))
    postman.deliver(runtime)
    assert not mentions(" ".join(letter.message or "" for letter in letters(runtime)[before:]), "Ann")


def test_no_mail_goes_to_a_forgotten_player(either_runtime, game):
    runtime = either_runtime
    number = forget(runtime, "Ann")
    game.on(runtime).play_for_absent()
    postman.deliver(runtime)
    own = [letter for letter in letters(runtime) if letter.player_id == number]
    assert not any(letter.state is LetterState.QUEUED for letter in own)
    assert not any(letter.message for letter in own)


def test_an_intruder_who_has_changed_the_address_can_delete_nothing(runtime):
    start_game(runtime)
    number = player_id(runtime, "Bo")
    sign_in(runtime, number)
    with runtime.database.reading() as session:
        row = session.exec(select(SignInRow)).one()
    link = PreferencesLink(number, 0)
    changing_address.request_change(runtime, link, address("Eve"), row.id, runtime.now())
    changing_address.prove(runtime, NewAddressLink(1), runtime.now())
    before = dump(runtime)
    with pytest.raises(Refused, match="may still take them back"):
        forgetting.forget(runtime, number, runtime.now())
    assert dump(runtime) == before
    runtime.now.pass_by(timedelta(days=15))
    forgetting.forget(runtime, number, runtime.now())
    assert address("Bo") not in told(runtime)
    assert address("Eve") not in told(runtime)


def test_forgetting_twice_or_after_a_break_does_the_rest(runtime, monkeypatch):
    table = start_game(runtime)
    number = player_id(runtime, "Bo")
    with monkeypatch.context() as patch:
        patch.setattr(forgetting, "_empty", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            forgetting.forget(runtime, number, runtime.now())
    assert table.seats[BO].state is SeatState.ROBOT
    forgetting.forget(runtime, number, runtime.now())
    assert address("Bo") not in told(runtime)
    before = dump(runtime)["player"]
    forgetting.forget(runtime, number, runtime.now())
    assert len(dump(runtime)["player"]) == len(before)


def test_the_same_address_begins_anew(runtime):
    start_game(runtime)
    number = forget(runtime, "Bo")
    again = seating.open_table(runtime, new_table(("Cy", "Bo", "Ann", "Di")), runtime.now())
    assert seats(runtime, again.id)[1].player_id not in (None, number)


def test_a_link_dies_with_the_sign_ins_or_its_use(runtime):
    start_game(runtime)
    number = player_id(runtime, "Bo")
    link = ForgetLink(number, 0)
    forgetting.forget_by_link(runtime, link, runtime.now())
    with pytest.raises(LinkExpired):
        forgetting.forget_by_link(runtime, link, runtime.now())


def test_what_a_host_wrote_to_their_guests_is_deleted(runtime, table):
    with runtime.database.writing() as session:
        session.get_one(TableRow, 1).words = "Come and play!"
    forget(runtime, "Ann")
    with runtime.database.reading() as session:
        assert session.get_one(TableRow, 1).words is None
