"""Nudging the others: the button with which a player who waits has them reminded."""

from datetime import timedelta

from tests.cast import letters, play_link
from tests.playing import pass_all
from tests.submitting import soup, words
from webapp.outbox.turn_mail_times import Why

BO, DI = 1, 3


def page_of_bo(runtime, game_id):
    return runtime.signer.local_url(play_link(runtime, game_id, BO))


def nudge_of(response):
    return soup(response).select_one("#nudge").get_text(" ", strip=True)


def test_the_button_comes_after_a_quarter_and_works_once(client, runtime, game_id):
    pass_all(runtime, game_id, (0, 1, 2))
    address = page_of_bo(runtime, game_id)
    assert nudge_of(client.get(address)) == ""
    runtime.now.pass_by(timedelta(hours=6))
    assert nudge_of(client.get(address)) == "Remind Di"
    assert client.post(f"{address}/nudge").headers["Location"] == address
    assert nudge_of(client.get(address)) == "We are reminding Di."
    assert client.post(f"{address}/nudge").status_code == 303, "a second tap finds what it wants"
    assert len([letter for letter in letters(runtime) if letter.reason == Why.NUDGE]) == 1


def test_who_is_asked_themselves_has_no_button(client, runtime, game_id):
    pass_all(runtime, game_id, (0, 2))
    runtime.now.pass_by(timedelta(hours=6))
    assert "Remind" not in client.get(page_of_bo(runtime, game_id)).text


def test_a_tap_too_late_is_answered_with_a_sentence(client, runtime, game_id):
    pass_all(runtime, game_id)
    answer = client.post(f"{page_of_bo(runtime, game_id)}/nudge")
    assert answer.status_code == 409
    assert "Nobody needs a reminder now: look again." in words(answer)
