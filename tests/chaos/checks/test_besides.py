"""Players' doings besides playing: the checks find each thing that is lost, doubled, or shown to the wrong people."""

from datetime import timedelta
from types import SimpleNamespace

from hearts.cards import card_text
from tests.cast import address, letters, start_game
from tests.chaos.checks import besides
from tests.chaos.checks.planted import deliver, form, left_by, letter_to
from tests.chaos.notes import Notes, Shown
from tests.chaos.relay import MoodyRelay
from tests.table import Table, ask_all
from webapp.accounts import changing_address
from webapp.core.runtime import Runtime
from webapp.core.tokens import NewAddressLink, OldAddressLink, PreferencesLink, SeatLink, SharedLink
from webapp.games import shares
from webapp.models import LetterKind, TalkRow

A_DAY = timedelta(days=1)
NEW = "new-ann@example.org"
LINE = "Good luck"


def faults(runtime: Runtime, relay: MoodyRelay, notes: Notes | None = None) -> list[str]:
    return list(besides.check(left_by(runtime, relay, notes)))


def say(table: Table) -> None:
    with table.runtime.database.writing() as session:
        table_id = table.table_id
        session.add(TalkRow(table_id=table_id, seat=0, player_id=1, name="Ann", text=LINE, at=table.runtime.now()))


def test_a_lost_or_doubled_line_that_was_acknowledged_is_found(runtime: Runtime, relay: MoodyRelay) -> None:
    table = start_game(runtime)
    said = Notes([form("Ann", "/play/x/talk", LINE, at=runtime.now())])
    refused = Notes([form("Ann", "/play/x/talk", LINE, at=runtime.now(), answer=400)])
    assert ["0 times" in one for one in faults(runtime, relay, said)] == [True]
    assert faults(runtime, relay, refused) == []
    say(table)
    assert faults(runtime, relay, said) == []
    say(table)
    assert ["2 times" in one for one in faults(runtime, relay, said)] == [True]


def test_a_notification_that_names_a_card_in_hand_is_found(runtime: Runtime, relay: MoodyRelay) -> None:
    table = start_game(runtime)
    card = card_text(next(iter(table.game.held[0])))
    shown = {"url": runtime.signer.url(table.turn_link(0)), "title": "Pass three cards", "body": ""}
    device = SimpleNamespace(notifications=[SimpleNamespace(shown=shown)])
    notes = Notes(devices=[("Ann", device)])  # type: ignore[list-item]
    assert faults(runtime, relay, notes) == []
    shown["body"] = f"You hold {card}."
    assert ["1 secret cards" in one for one in faults(runtime, relay, notes)] == [True]


def test_mail_to_an_address_that_is_not_proved_is_found(runtime: Runtime, relay: MoodyRelay) -> None:
    start_game(runtime)
    changing_address.request_change(runtime, PreferencesLink(1), NEW, None, runtime.now())
    (asked,) = letters(runtime, LetterKind.NEW_ADDRESS)
    deliver(relay, runtime, asked, "Is this yours?", NEW)
    assert faults(runtime, relay) == []
    deliver(relay, runtime, letter_to(runtime, 0), "Your turn", NEW)
    assert ["nobody had proved" in one for one in faults(runtime, relay)] == [True]
    path = runtime.signer.local_url(NewAddressLink(asked.change_id or 0))
    assert faults(runtime, relay, Notes([form("Ann", path, at=runtime.now())])) == []


def test_a_turn_mailed_to_an_abandoned_address_is_found(runtime: Runtime, relay: MoodyRelay) -> None:
    start_game(runtime)
    changing_address.request_change(runtime, PreferencesLink(1), NEW, None, runtime.now())
    link = NewAddressLink(letters(runtime, LetterKind.NEW_ADDRESS)[0].change_id or 0)
    changing_address.prove(runtime, link, runtime.now())
    changing_address.agree(runtime, OldAddressLink(link.change_id), runtime.now())
    before = letter_to(runtime, 0)
    ask_all(runtime)
    runtime.now.pass_by(A_DAY)
    start_game(runtime)
    deliver(relay, runtime, before, "Your turn", address("Ann"))
    assert faults(runtime, relay) == []
    after = letter_to(runtime, 0)
    deliver(relay, runtime, after, "Your turn", address("Ann"))
    assert ["has left" in one for one in faults(runtime, relay)] == [True]


def test_a_shared_hand_that_was_not_over_is_found(runtime: Runtime, relay: MoodyRelay) -> None:
    table = start_game(runtime)
    table.play_hand()
    table_id = table.table_id
    shares.share(runtime, SeatLink(table_id, 0, 1), table.game_id, runtime.now(), names=False)
    path = runtime.signer.local_url(SharedLink(1, 1))
    shown = [Shown(runtime.now(), f"{path}/hand/1", 200), Shown(runtime.now(), f"{path}/hand/2", 404)]
    assert faults(runtime, relay, Notes(shown=shown)) == []
    too_early = Shown(runtime.now() - A_DAY, f"{path}/hand/1", 200)
    open_hand = Shown(runtime.now(), f"{path}/hand/2", 200)
    assert len(faults(runtime, relay, Notes(shown=[too_early, open_hand]))) == 2
