"""Eve, an intruder, has one email that Bo forwarded. He can end for good anything that she does with it."""

from datetime import timedelta

import pytest
from sqlmodel import select

from tests.answers import answer, inbound, mail, send
from tests.cast import letters, open_table
from tests.table import Table
from tests.webapp.accounts.intruder import (
    BOS,
    EVES,
    browser,
    composed,
    follow,
    host_bo,
    keys_in,
    kinds_of,
    link_in,
    links_on,
    newest,
    open_pages,
    player_at,
    player_of,
    preferences_of,
    question_to,
    request_move,
    sign_in,
    take_back,
    take_over,
)
from tests.webapp.accounts.subscriptions import form as device_form
from webapp.accounts import changing_address
from webapp.core.tokens import ConfirmLink, InvitationLink, JoinLink, LinkExpired
from webapp.forms.opening import OPEN_SEAT, NewSeat, NewTable
from webapp.inbox.acting import process_inbound
from webapp.models import DeviceRow, LetterKind, LetterState, PlayerRow
from webapp.tables import lobby, seating

WAITS = (LetterState.QUEUED,)


def devices(runtime):
    with runtime.database.reading() as session:
        return session.exec(select(DeviceRow)).all()


def test_once_bo_reclaims_his_games_eve_can_do_nothing(runtime):
    bo = host_bo(runtime)
    forwarded = question_to(runtime, bo)
    eve = take_over(runtime, bo)
    assert eve.get("/games").status_code == 200
    pages = open_pages(eve, links_on(eve, "/games") | keys_in(forwarded) | keys_in(question_to(runtime, bo)))
    assert kinds_of(pages) >= {"preferences", "seat", "turn", "play", "host", "unsubscribe"}
    assert eve.post(f"{preferences_of(eve)}/devices", data=device_form()).status_code == 303
    request_move(eve, preferences_of(eve), "eve@second.example")
    take_back(runtime)

    assert player_at(runtime, BOS).id == bo
    assert eve.get("/games").status_code == 303, "she is signed out"
    assert kinds_of({path for path in pages if eve.get(path).status_code == 200}) == set()
    assert kinds_of({path for path in pages if eve.post(path).status_code < 400}) == set()
    assert devices(runtime) == []
    waiting = [letter for letter in letters(runtime) if letter.state in WAITS and letter.player_id == bo]
    assert [letter.kind for letter in waiting if letter.address and composed(runtime, letter)] == []
    assert [letter.kind for letter in waiting if EVES in composed(runtime, letter)] == []


def test_bo_plays_on_with_newly_mailed_links(runtime):
    bo = host_bo(runtime)
    take_over(runtime, bo)
    take_back(runtime)
    asked = question_to(runtime, bo)
    client = browser(runtime)
    for path in keys_in(asked):
        assert client.get(path).status_code == 200, path
    assert sign_in(runtime, BOS).get("/games").status_code == 200


def test_while_bo_answers_no_forwarded_link_alone_moves_his_games(runtime):
    bo = host_bo(runtime)
    eve = browser(runtime)
    request_move(eve, link_in(question_to(runtime, bo), "preferences"), EVES)
    follow(eve, newest(runtime, LetterKind.NEW_ADDRESS))
    assert player_of(runtime, bo).address == BOS
    assert "no" in newest(runtime, LetterKind.ADDRESS_ASKED, BOS)
    follow(browser(runtime), newest(runtime, LetterKind.ADDRESS_ASKED, BOS), answer="no")
    runtime.now.pass_by(timedelta(days=30))
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 0
    assert player_of(runtime, bo).address == BOS


def test_bos_no_ends_eves_forwarded_link_and_added_device(runtime):
    bo = host_bo(runtime)
    eve, forwarded = browser(runtime), question_to(runtime, bo)
    eve.post(f"{link_in(forwarded, 'preferences')}/devices", data=device_form())
    request_move(eve, link_in(forwarded, "preferences"), EVES)
    page = follow(browser(runtime), newest(runtime, LetterKind.ADDRESS_ASKED, BOS), answer="no")
    assert "Your games stay here" in page.text
    assert {path for path in keys_in(forwarded) if eve.get(path).status_code == 200} == set()
    assert devices(runtime) == []
    assert {path for path in keys_in(question_to(runtime, bo)) if eve.get(path).status_code != 200} == set()


def test_an_intruder_who_moved_again_cannot_undo_bos_return(runtime):
    bo = host_bo(runtime)
    eve = take_over(runtime, bo)
    request_move(eve, preferences_of(eve), "eve@second.example")
    follow(eve, newest(runtime, LetterKind.NEW_ADDRESS))
    assert player_of(runtime, bo).address == "eve@second.example"
    undo = newest(runtime, LetterKind.ADDRESS_CHANGED, EVES)
    take_back(runtime)
    page = follow(eve, undo)
    assert "cannot be undone" in page.text
    assert player_of(runtime, bo).address == BOS


def test_an_intruder_undoing_her_change_does_not_lock_bo_out(runtime):
    bo = host_bo(runtime)
    eve = take_over(runtime, bo)
    request_move(eve, preferences_of(eve), "eve@second.example")
    follow(eve, newest(runtime, LetterKind.NEW_ADDRESS))
    follow(eve, newest(runtime, LetterKind.ADDRESS_CHANGED, EVES))
    assert player_of(runtime, bo).address == EVES
    take_back(runtime)
    assert player_of(runtime, bo).address == BOS


def test_eve_cannot_give_bos_address_to_somebody_new(runtime):
    """A guest invited at an unknown address becomes its player, so that the games could not come back to it."""
    bo = host_bo(runtime)
    take_over(runtime, bo)
    table_id = open_table(runtime, ("Eve", "Bo"), robots=2)
    with runtime.database.reading() as session:
        players = session.exec(select(PlayerRow.id).where(PlayerRow.address == BOS)).all()
    assert players == []
    assert [letter.player_id for letter in letters(runtime, LetterKind.INVITATION) if letter.table_id == table_id][
        :1
    ] == [bo]
    take_back(runtime)
    assert player_of(runtime, bo).address == BOS


def test_a_reply_to_eves_mail_plays_nothing_in_bos_name(runtime):
    bo = host_bo(runtime)
    take_over(runtime, bo)
    question = [letter for letter in letters(runtime, LetterKind.TURNS) if letter.player_id == bo][-1]
    take_back(runtime)
    game = Table(runtime, question.game_id).game
    held = " ".join(str(card) for card in list(game.held[question.seat])[:3])
    before = Table(runtime, question.game_id).row.turns
    row = answer(runtime, question, mail("Bo", held))
    assert Table(runtime, question.game_id).row.turns == before
    assert "before you ended all links" in row.outcome
    notice = letters(runtime, LetterKind.ANSWER)[-1]
    assert (notice.reason, notice.address) == ("ended", None), "Bo is notified, at his own address"
    assert "newest one about the game" in composed(runtime, notice)
    stopped = inbound(runtime, send(runtime, question, mail("Eve", "stop"), to="u"))
    process_inbound(runtime)
    assert inbound(runtime, stopped.id).outcome == row.outcome
    assert all(seat.mails and not seat.away for seat in Table(runtime, question.game_id).seats)


def test_nothing_from_eves_time_lets_her_in_as_bo(runtime):
    bo = host_bo(runtime)
    take_over(runtime, bo)
    invited = InvitationLink(open_table(runtime, ("Ann", "Bo"), robots=2), 1, bo)
    runtime.now.pass_by(timedelta(hours=2))
    rules = Table(runtime, 1).game.rules
    new_seats = (OPEN_SEAT, NewSeat("Pip", None), NewSeat("Ruby", None))
    day = timedelta(days=1)
    made = seating.open_table(
        runtime,
        NewTable("Bo", EVES, "UTC", new_seats, rules, day, day, Table(runtime, 1).stored.table.robots),
        runtime.now(),
    )
    confirmed = ConfirmLink(made.id)
    take_back(runtime)
    join = JoinLink(made.id, bo)
    with pytest.raises(LinkExpired):
        seating.accept(runtime, invited, "Eve", "UTC", runtime.now())
    with pytest.raises(LinkExpired):
        seating.decline(runtime, invited, runtime.now())
    with pytest.raises(LinkExpired):
        seating.confirm(runtime, confirmed, runtime.now())
    with pytest.raises(LinkExpired):
        lobby.take_open_seat(runtime, join, "Eve", runtime.now(), by_mail=True)
    eve = browser(runtime)
    for link in (invited, confirmed, join):
        for open_it in (eve.get, eve.post):
            assert open_it(runtime.signer.local_url(link), data={"name": "Eve", "answer": "accept"}).status_code == 410
