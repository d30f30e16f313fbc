"""Notifications that a player is asked: by a real push service on the loopback, decrypted as a browser does."""

import logging
import re
from datetime import timedelta

import pytest
from sqlmodel import col, select

from hearts.seats import Seat
from tests.cast import leave, letters, open_table, start_game
from tests.languages import catalogues
from tests.runtimes import make_runtime
from tests.worker.push_service import SILENCE, PushService
from webapp.accounts import devices
from webapp.core.say import spoken
from webapp.core.tokens import TurnLink
from webapp.games.asked.due import Due
from webapp.models import DeviceRow, Frequency, LetterKind, LetterRow, LetterState, PlayerRow, SeatRow
from webapp.outbox import holding
from webapp.outbox.timing import GAP
from webapp.players.preferences import mail_again
from webapp.presentation.faces import face
from worker import attempts, notify, postman
from worker.notify import FIRST_PAUSE, MAIL_AFTER

TEXT_STYLE = "\ufe0e"  # keeps suits from being drawn as pictures
BO = 2  # his number among the players; his seat is 1


@pytest.fixture
def push():
    with PushService() as service:
        yield service


@pytest.fixture
def runtime(tmp_path, smtp_server, push):
    made = make_runtime(tmp_path / "var", smtp_url=smtp_server.url, push_hosts=push.origin)
    yield made
    made.database.engine.dispose()


def be_impatient(monkeypatch, script):
    """Detects a silent service soon; others have their time, on a busy machine."""
    monkeypatch.setattr(notify, "TIMEOUT", 0.3 if SILENCE in script else 10.0)


def subscribed(runtime, push, player=BO):
    browser = push.browser()
    devices.add_device(runtime, player, browser.subscription, runtime.now())
    leave(runtime)
    return browser


def without_turn_mails(runtime, player=BO):
    devices.set_push_only(runtime, player, push_only=True, now=runtime.now())
    leave(runtime)


def asked(runtime, seat=1):
    """The letters that ask the seat."""
    return [letter for letter in letters(runtime, LetterKind.TURNS) if letter.seat == seat]


def mails_to_bo(smtp_server):
    return [mail.subject for mail in smtp_server.to("bo@example.org") if "Pass three" in mail.subject]


def devices_left(runtime):
    with runtime.database.reading() as session:
        return len(session.exec(select(DeviceRow)).all())


# contents of a notification


def test_a_device_is_notified_beside_the_mail_with_its_subject(runtime, push, smtp_server):
    table = start_game(runtime)
    phone, laptop = subscribed(runtime, push), subscribed(runtime, push)
    postman.deliver(runtime)
    (notification,) = phone.notifications
    link = runtime.signer.read(TurnLink, notification.shown["url"].removeprefix("http://127.0.0.1:8000/turn/"))
    assert link == table.turn_link(1)
    assert notification.shown == {
        "title": "Ann's table: Pass three cards to Cy",
        "body": "Hand 1 passes to the left. Ann passes you three cards.",
        "tag": f"hearts-{BO}",
        "url": notification.shown["url"],
    }
    assert [one.shown for one in laptop.notifications] == [notification.shown]
    assert mails_to_bo(smtp_server) == [notification.shown["title"]]
    assert [(letter.state, letter.notified) for letter in asked(runtime)] == [(LetterState.SENT, True)]


def test_a_notification_is_in_the_language_of_its_reader(runtime, push, monkeypatch, tmp_path):
    start_game(runtime)
    phone = subscribed(runtime, push)
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, BO).language = "de"
    monkeypatch.setattr(notify, "subject_of", lambda *_: spoken())
    with catalogues(tmp_path, {"de": {}}):
        postman.deliver(runtime)
    assert [one.shown["title"] for one in phone.notifications] == ["de"]


def test_a_signed_notification_of_ours_lives_until_the_deadline(runtime, push):
    table = start_game(runtime)
    phone = subscribed(runtime, push)
    table.set_due(runtime.now() + timedelta(hours=5))
    postman.deliver(runtime)
    notification = phone.notifications[0]
    assert notification.claims["aud"] == push.origin
    assert notification.claims["sub"] == "mailto:hearts@hearts.localhost"
    lasts = notification.claims["exp"] - runtime.now().timestamp()
    assert 300 <= lasts <= 24 * 3600 - 300  # RFC 8292 allows a day, by the clock of the push service
    assert notification.signed_by == runtime.push_key.public
    assert notification.headers["ttl"] == str(5 * 3600)
    assert notification.headers["urgency"] == "normal"
    assert notification.headers["topic"] == notification.shown["tag"]
    assert notification.headers["content-encoding"] == "aes128gcm"


def test_no_push_service_keeps_notifications_over_a_day(runtime, push):
    table = start_game(runtime)
    phone = subscribed(runtime, push)
    table.set_due(runtime.now() + timedelta(days=9))
    postman.deliver(runtime)
    assert phone.notifications[0].headers["ttl"] == str(24 * 3600)


def test_a_lock_screen_shows_only_cards_on_the_table(runtime, push):
    """During a pass and three tricks; a notification names the card that is winning, and no other."""
    table = start_game(runtime)
    browsers = [subscribed(runtime, push, player) for player in (1, 2, 3, 4)]
    named = 0
    for _ in range(16):
        postman.deliver(runtime)
        open_cards = {face(card).text.strip(TEXT_STYLE) for card in table.game.on_table}
        for shown in (one.shown for browser in browsers for one in browser.notifications):
            cards = set(re.findall("(?:10|[2-9JQKA])[♣♦♠♥]", f"{shown['title']} {shown['body']}"))
            assert cards <= open_cards
            named += len(cards)
        for browser in browsers:
            browser.notifications.clear()
        table.play_first()
        runtime.now.pass_by(GAP)
    assert named > 3


def test_a_last_call_sends_a_notification_too_and_says_so(runtime, push):
    table = start_game(runtime)
    phone = subscribed(runtime, push)
    postman.deliver(runtime)
    runtime.now.at = table.due_at - timedelta(hours=1)
    postman.deliver(runtime)
    assert [one.shown["title"].partition(":")[0] for one in phone.notifications] == ["Ann's table", "Last call"]


def test_a_mail_that_asks_nothing_sends_no_notification(runtime, push):
    open_table(runtime)
    phone = subscribed(runtime, push, 1)
    postman.deliver(runtime)
    assert phone.notifications == []


def test_an_answered_or_held_question_sends_no_notification(runtime, push):
    table = start_game(runtime)
    ann, bo = subscribed(runtime, push, 1), subscribed(runtime, push)
    table.play_first()  # Ann has passed before she was asked
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, 3).frequency = Frequency.DAILY
    postman.deliver(runtime)
    assert (len(ann.notifications), len(bo.notifications)) == (0, 1)


def test_a_player_who_is_now_away_gets_no_notification(runtime, push):
    start_game(runtime)
    phone = subscribed(runtime, push)
    with runtime.database.writing() as session:
        session.get_one(SeatRow, (1, 1)).away = True
    postman.deliver(runtime)
    assert phone.notifications == []


# the mail beside it


def test_notifications_replace_questions_but_not_score_sheets(runtime, push, smtp_server):
    start_game(runtime)
    phone = subscribed(runtime, push)
    without_turn_mails(runtime)
    postman.deliver(runtime)
    assert len(phone.notifications) == 1
    assert mails_to_bo(smtp_server) == []
    assert [(letter.state, letter.next_at) for letter in asked(runtime)] == [(LetterState.NOTIFIED, None)]


def test_who_plays_as_they_are_notified_is_notified_again(runtime, push):
    table = start_game(runtime)
    phone = subscribed(runtime, push)
    without_turn_mails(runtime)
    opens = phone.opens

    def plays(content):
        runtime.now.pass_by(GAP)
        table.pass_lowest(1)
        runtime.now.pass_by(GAP)
        phone.opens = opens
        return opens(content)

    phone.opens = plays
    postman.deliver(runtime)
    table.pass_all((0, 2, 3))
    while table.game.to_act != (1,):
        table.play_first()
    runtime.now.pass_by(GAP)
    postman.deliver(runtime)
    assert len(phone.notifications) == 2


def test_without_a_device_the_mail_goes_whatever_was_chosen(runtime, smtp_server):
    start_game(runtime)
    without_turn_mails(runtime)
    postman.deliver(runtime)
    assert len(mails_to_bo(smtp_server)) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_gone_device_is_forgotten_and_the_mail_goes(runtime, push, smtp_server, status):
    start_game(runtime)
    subscribed(runtime, push)
    without_turn_mails(runtime)
    push.script = [status]
    postman.deliver(runtime)
    postman.deliver(runtime)
    assert len(mails_to_bo(smtp_server)) == 1
    assert devices_left(runtime) == 0


def test_one_notified_device_is_enough(runtime, push, smtp_server):
    start_game(runtime)
    subscribed(runtime, push)
    laptop = subscribed(runtime, push)
    without_turn_mails(runtime)
    push.script = [410]
    postman.deliver(runtime)
    assert (devices_left(runtime), len(laptop.notifications)) == (1, 1)
    assert mails_to_bo(smtp_server) == []


def test_a_device_with_a_broken_key_delays_no_other(runtime, push, smtp_server):
    start_game(runtime)
    phone, laptop = subscribed(runtime, push), subscribed(runtime, push)
    with runtime.database.writing() as session:
        first = session.exec(select(DeviceRow).order_by(col(DeviceRow.id))).first()
        first.public_key = "AAAA"
    without_turn_mails(runtime)
    postman.deliver(runtime)
    assert (len(phone.notifications), len(laptop.notifications)) == (0, 1)
    assert mails_to_bo(smtp_server) == []


def test_a_rejected_notification_is_not_retried_and_the_mail_goes(runtime, push, smtp_server):
    start_game(runtime)
    subscribed(runtime, push)
    without_turn_mails(runtime)
    push.script = [403]
    postman.deliver(runtime)
    postman.deliver(runtime)
    assert len(mails_to_bo(smtp_server)) == 1
    assert (push.asked, devices_left(runtime)) == (1, 1)


@pytest.mark.parametrize("status", [429, 500, 503, SILENCE])
def test_the_mail_goes_after_ten_minutes_of_failed_notifications(runtime, push, smtp_server, status, monkeypatch):
    start_game(runtime)
    subscribed(runtime, push)
    without_turn_mails(runtime)
    push.script = [status] * 50
    be_impatient(monkeypatch, push.script)
    begun = runtime.now()
    while not mails_to_bo(smtp_server):
        assert runtime.now() - begun <= MAIL_AFTER + FIRST_PAUSE
        postman.deliver(runtime)
        runtime.now.pass_by(timedelta(seconds=30))
    assert runtime.now() - begun >= MAIL_AFTER
    assert 2 <= push.asked <= 14
    assert devices_left(runtime) == 1


def test_a_quickly_recovered_service_notifies_and_no_mail_goes(runtime, push, smtp_server):
    start_game(runtime)
    phone = subscribed(runtime, push)
    without_turn_mails(runtime)
    push.script = [429]
    postman.deliver(runtime)
    assert phone.notifications == []
    runtime.now.pass_by(FIRST_PAUSE)
    postman.deliver(runtime)
    assert len(phone.notifications) == 1
    assert mails_to_bo(smtp_server) == []


def test_no_mail_waits_for_a_silent_service(runtime, push, monkeypatch):
    """Twenty devices hang until the last email is sent; each notification is tried once, and then not again."""
    start_game(runtime)
    for player in (1, 2, 3, 4) * 5:
        subscribed(runtime, push, player)
    push.script = [SILENCE] * 50
    happened = []
    note_sent, pause = attempts.note_sent, holding.pause

    def gone(session, letter_id, now, **how):
        note_sent(session, letter_id, now, **how)
        kind = session.get_one(LetterRow, letter_id).kind
        happened.extend([] if kind is LetterKind.DEVICE_ADDED else [kind])
        if happened.count(LetterKind.TURNS) == 4:
            push.hang_up()

    def paused(*args):
        happened.append("given up")
        return pause(*args)

    monkeypatch.setattr(attempts, "note_sent", gone)
    monkeypatch.setattr(holding, "pause", paused)
    postman.deliver(runtime)
    assert happened.count(LetterKind.TURNS) == 4
    assert set(happened[happened.index("given up") :]) == {"given up"}
    assert push.asked <= 4


def test_a_silent_service_is_not_called_for_a_while(runtime, push, monkeypatch):
    start_game(runtime)
    subscribed(runtime, push)
    phone = subscribed(runtime, push, 3)
    push.script = [SILENCE] * 2
    be_impatient(monkeypatch, push.script)
    postman.deliver(runtime)
    assert push.asked <= 2
    assert phone.notifications == []


def test_a_crash_repeats_a_notification_under_the_same_tag(runtime, push, monkeypatch):
    start_game(runtime)
    phone = subscribed(runtime, push)
    without_turn_mails(runtime)
    monkeypatch.setattr(notify, "_record", lambda *_: 1 / 0)
    postman.deliver(runtime)
    monkeypatch.undo()
    runtime.now.pass_by(FIRST_PAUSE)
    postman.deliver(runtime)
    assert [one.shown["tag"] for one in phone.notifications] == [phone.notifications[0].shown["tag"]] * 2
    assert [letter.state for letter in asked(runtime)] == [LetterState.NOTIFIED]


def test_a_requested_mail_comes_although_devices_are_notified(runtime, push, smtp_server):
    table = start_game(runtime)
    subscribed(runtime, push)
    without_turn_mails(runtime)
    postman.deliver(runtime)
    assert mails_to_bo(smtp_server) == []
    runtime.now.pass_by(timedelta(minutes=11))
    mail_again(runtime, table.game_id, Seat(1), Due(1, "pass"), runtime.now())
    postman.deliver(runtime)
    assert len(mails_to_bo(smtp_server)) == 1


# to whom


def test_no_redirect_is_followed(runtime, push, smtp_server):
    start_game(runtime)
    subscribed(runtime, push)
    without_turn_mails(runtime)
    with PushService() as elsewhere:
        push.script, push.leads_to = [302, 307, 308], f"{elsewhere.origin}/send/x"
        postman.deliver(runtime)
        assert elsewhere.asked == 0
    postman.deliver(runtime)
    assert len(mails_to_bo(smtp_server)) == 1


def test_a_service_that_is_no_longer_allowed_is_not_called(runtime, push, tmp_path, smtp_server):
    start_game(runtime)
    subscribed(runtime, push)
    without_turn_mails(runtime)
    narrowed = make_runtime(tmp_path / "var", runtime.settings.database, smtp_url=smtp_server.url)
    narrowed.now.at = runtime.now()
    postman.deliver(narrowed)
    narrowed.database.engine.dispose()
    assert push.asked == 0
    assert len(mails_to_bo(smtp_server)) == 1


def logged(caplog):
    """All log lines but those of the test's own mail server."""
    return "\n".join(logging.Formatter().format(record) for record in caplog.records if record.name != "mail.log")


def test_no_log_names_an_address_key_link_or_card(runtime, push, caplog, monkeypatch):
    start_game(runtime)
    caplog.set_level(logging.DEBUG)
    hers = subscribed(runtime, push).subscription
    without_turn_mails(runtime)
    for script in ([500, 500], [403], [SILENCE], [410]):
        push.script = list(script)
        be_impatient(monkeypatch, script)
        postman.deliver(runtime)
        runtime.now.pass_by(timedelta(minutes=2))
    said = logged(caplog)
    for secret in (hers.endpoint, hers.secret, hers.public_key, "/turn/", "Pass three"):
        assert secret not in said
    assert "answered 500" in said


def test_our_own_error_is_logged_bare_and_delays_no_mail(runtime, push, caplog, monkeypatch, smtp_server):
    start_game(runtime)
    hers = subscribed(runtime, push).subscription

    def fail(*_):
        raise ValueError(hers.endpoint)

    monkeypatch.setattr(notify, "_post", fail)
    postman.deliver(runtime)
    assert "could not be told (ValueError)" in logged(caplog)
    assert hers.endpoint not in logged(caplog)
    assert len(mails_to_bo(smtp_server)) == 1
