"""Preferences about mail: muting a table, one click to unsubscribe, and who cannot mute whom."""

import re
from datetime import timedelta

import pytest

from hearts.rules import preset_rules
from tests.answers import player
from tests.cast import NAMES, dump, leave, letters, open_table, seats, start_game
from tests.mailing import player_id, preferences_url
from tests.submitting import FORM, check_refused
from tests.syntax import ROOT
from tests.webapp.going_away import set_away
from webapp.core.tokens import LinkInvalid, UnsubscribeLink
from webapp.games.asked.whose_turn import awaited
from webapp.models import LetterKind, LetterState, SeatRow, SeatState, TurnSource
from webapp.outbox import turn_mail
from webapp.outbox.letters import ALL_TABLES
from webapp.players.preferences import (
    CARD_STYLES,
    USUAL,
    CardStyle,
    card_style_of,
    change_card_style,
    change_tap,
    read_card_style,
    set_robot_hand,
    tap_plays,
)
from webapp.tables import seating


def stop_link(runtime, table_id, number):
    row = seats(runtime, table_id)[number]
    return UnsubscribeLink(table_id, number, row.player_id)


def stop_url(runtime, table_id, number):
    return runtime.signer.local_url(stop_link(runtime, table_id, number))


def test_muting_a_table_stops_its_mails_until_it_is_unmuted(runtime, client):
    table = start_game(runtime)
    table_id = table.table_id
    url = preferences_url(runtime, "Bo")
    client.post(f"{url}/table", data={"table": table_id, "want": "no-mails"})
    leave(runtime)
    turn_mail.queue_due(runtime, runtime.now())
    assert {one.seat for one in letters(runtime, LetterKind.TURNS)} == {0, 2, 3}
    client.post(f"{url}/table", data={"table": table_id, "want": "mails"})
    leave(runtime)
    turn_mail.queue_due(runtime, runtime.now())
    fresh = [one for one in letters(runtime, LetterKind.TURNS) if one.seat == 1 and one.state is LetterState.QUEUED]
    assert len(fresh) == 1
    assert len({one.message_id for one in letters(runtime)}) == len(letters(runtime))


# one click
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.mark.parametrize("body", [ONE_CLICK, {}, {"anything": "else"}], ids=["one-click", "button", "whatever"])
def test_a_post_without_cookies_mutes_the_table_even_when_repeated(runtime, client, body):
    table = start_game(runtime)
    table_id = table.table_id
    url = stop_url(runtime, table_id, 3)
    for _ in range(2):
        response = client.post(url, data=body)
        assert (response.status_code, "Undo" in response.text) == (200, True)
        assert "Set-Cookie" not in response.headers
    row = seats(runtime, table_id)[3]
    assert (row.away, row.mails) == (False, False)
    turn_mail.queue_due(runtime, runtime.now())
    assert {one.seat for one in letters(runtime, LetterKind.TURNS)} == {0, 1, 2}
    assert table.play_for_absent() == 0, "the seat stays Di's"
    waiting = [one.kind for one in letters(runtime) if one.seat == 3 and one.state is LetterState.QUEUED]
    assert waiting == [LetterKind.MUTED], "one last mail, however often"


def test_opening_the_unsubscribe_page_mutes_nothing(runtime, client):
    table = start_game(runtime)
    url = stop_url(runtime, table.table_id, 3)
    before = dump(runtime)
    for method in (client.get, client.get, client.head):
        assert method(url).status_code == 200
    assert dump(runtime) == before
    assert "Fewer emails" in client.get(url).text, "the milder way is named"


def test_a_muted_player_is_late_like_anybody_else(runtime, client):
    table = start_game(runtime)
    table_id = table.table_id
    table.pass_all(range(3))
    due_at = table.due_at
    client.post(stop_url(runtime, table_id, 3), data=ONE_CLICK)
    assert table.due_at == due_at
    assert table.miss_deadline() >= 1
    row = seats(runtime, table_id)[3]
    assert (row.missed, row.away, row.mails) == (1, False, False)


def test_a_player_who_comes_back_stays_muted(runtime, client):
    table = start_game(runtime)
    table_id = table.table_id
    url = preferences_url(runtime, "Di")
    client.post(f"{url}/table", data={"table": table_id, "want": "no-mails"})
    client.post(f"{url}/away", data={"table": table_id, "answer": "robot"})
    client.post(f"{url}/away/back")
    row = seats(runtime, table_id)[3]
    assert (row.away, row.mails) == (False, False)


def test_undoing_a_mute_ends_no_absence_with_a_date(runtime, client):
    table = start_game(runtime)
    table_id = table.table_id
    url, stop = preferences_url(runtime, "Di"), stop_url(runtime, table_id, 3)
    client.post(f"{url}/away", data={"table": table_id, "answer": "robot", "until": "2026-03-09"})
    client.post(stop, data=ONE_CLICK)
    assert not letters(runtime, LetterKind.MUTED), "a robot plays anyway, so nothing is missed"
    client.post(f"{stop}/back")
    row = seats(runtime, table_id)[3]
    assert (row.away, row.mails) == (True, True)


def test_undoing_an_old_unsubscribe_brings_the_player_back(runtime, client):
    """In version 1.0 it set them away, too."""
    table_id = start_game(runtime).table_id
    with runtime.database.writing() as session:
        row = session.get_one(SeatRow, (table_id, 3))
        row.away, row.mails = True, False
    client.post(f"{stop_url(runtime, table_id, 3)}/back")
    row = seats(runtime, table_id)[3]
    assert (row.away, row.mails) == (False, True)


def test_unsubscribing_is_undone_with_one_tap(runtime, client):
    table = start_game(runtime)
    table_id = table.table_id
    url = stop_url(runtime, table_id, 3)
    client.post(url, data=ONE_CLICK)
    assert "Undo" in client.get(url).text, "the link in the last mail leads here"
    assert client.post(f"{url}/back").status_code == 200
    row = seats(runtime, table_id)[3]
    assert (row.away, row.mails) == (False, True)
    leave(runtime)
    turn_mail.queue_due(runtime, runtime.now())
    waiting = [one for one in letters(runtime, LetterKind.TURNS) if one.seat == 3 and one.state is LetterState.QUEUED]
    assert len(waiting) == 1, "Di is asked which cards to pass"


def test_unsubscribing_from_a_digest_mutes_all_tables(runtime, client):
    tables_of_di = [start_game(runtime).table_id for _ in range(2)]
    url = runtime.signer.local_url(UnsubscribeLink(*ALL_TABLES, player(runtime, "Di").id))
    assert client.get(url).status_code == 200
    client.post(url, data=ONE_CLICK)
    assert [(seats(runtime, one)[3].away, seats(runtime, one)[3].mails) for one in tables_of_di] == [(False, False)] * 2
    client.post(f"{url}/back")
    assert [(seats(runtime, one)[3].away, seats(runtime, one)[3].mails) for one in tables_of_di] == [(False, True)] * 2


def test_unsubscribing_from_an_invitation_declines_it_and_all_later_ones(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    url = stop_url(runtime, table_id, 1)
    for _ in range(2):
        assert client.post(url, data=ONE_CLICK).status_code == 200
    assert seats(runtime, table_id)[1].state is SeatState.DECLINED
    assert [one.about for one in letters(runtime, LetterKind.DECLINED)] == ["Bo"], "the host is notified once"
    before = dump(runtime)
    check_refused(runtime, before, client.post("/tables/new", data=FORM), 400, "does not want invitations")
    client.post(f"{url}/back")
    assert client.post("/tables/new", data=FORM).status_code == 303


def test_an_earlier_table_respects_a_wish_for_no_invitations(runtime, client):
    first = open_table(runtime, NAMES[:2], robots=2)
    client.post("/tables/new", data=FORM)
    client.post(stop_url(runtime, first, 1))
    seating.confirm(runtime, seating.ConfirmLink(first + 1), runtime.now())
    assert seats(runtime, first + 1)[1].state is SeatState.DECLINED
    assert {one.table_id for one in letters(runtime, LetterKind.INVITATION)} == {first}


def test_a_former_player_cannot_mute_the_seats_new_one(runtime, client):
    table_id = start_game(runtime).table_id
    stranger = UnsubscribeLink(table_id, 1, player(runtime, "Di").id)
    client.post(runtime.signer.local_url(stranger))
    assert (seats(runtime, table_id)[1].away, seats(runtime, table_id)[1].mails) == (False, True)


def player_of(table, seat):
    return seats(table.runtime, table.table_id)[seat].player_id


def handed_over(runtime):
    """A game whose player at turn has let a robot play the hand; and their seat."""
    table = start_game(runtime)
    table.pass_all()
    (seat,) = table.game.to_act
    set_robot_hand(runtime, player_of(table, seat), table.table_id, 1, runtime.now())
    return table, seat


def test_a_robot_plays_one_hand_on_its_players_request(runtime):
    table = start_game(runtime, NAMES[:2], robots=2, rules=preset_rules("quick", passing="none"))
    stored = table.stored
    set_robot_hand(runtime, player_of(table, 0), stored.row.table_id, stored.game.hand, runtime.now())
    while not table.game.scores:
        table.play_for_absent()
        if not table.game.scores:
            assert awaited(table.stored) == (1,), "only Bo is asked"
            table.play_first()
    anns = [record for record in table.records if getattr(record.turn, "seat", None) == 0]
    assert {record.source for record in anns} <= {TurnSource.AS_WISHED, TurnSource.FORCED, TurnSource.CLAIM}
    assert {record.choice.by for record in anns if record.source is TurnSource.AS_WISHED} == {"robot"}
    table.play_for_absent()
    while awaited(table.stored) == (1,):
        table.play_first()
        table.play_for_absent()
    assert awaited(table.stored) == (0,), "in the next hand she plays herself"


def test_a_player_who_plays_a_card_has_the_hand_back(runtime):
    table, seat = handed_over(runtime)
    assert awaited(table.stored) == ()
    table.play_first()
    assert table.seats[seat].robot_hand is None


def test_a_hand_taken_back_has_its_deadline(runtime):
    table, seat = handed_over(runtime)
    due_at = table.due_at
    runtime.now.pass_by(timedelta(hours=5))
    set_robot_hand(runtime, player_of(table, seat), table.table_id, None, runtime.now())
    stored = table.stored
    assert awaited(stored) == (seat,)
    assert stored.row.due_at == due_at


def test_a_returning_player_has_the_hand_and_its_deadline(runtime):
    table, seat = handed_over(runtime)
    due_at = table.due_at
    runtime.now.pass_by(timedelta(hours=5))
    set_away(runtime, table.table_id, seat, away=False)
    stored = table.stored
    assert awaited(stored) == (seat,)
    assert stored.row.due_at == due_at


def plays(runtime, player, *, is_live):
    with runtime.database.reading() as session:
        return tap_plays(session, player, is_live=is_live)


@pytest.mark.parametrize("is_live", [True, False])
@pytest.mark.parametrize("chosen", [None, True, False])
def test_a_tap_plays_as_chosen_or_at_a_live_table(runtime, table, chosen, is_live):
    ann = player_id(runtime, "Ann")
    if chosen is not None:
        change_tap(runtime, ann, plays=not chosen, now=runtime.now())
        change_tap(runtime, ann, plays=chosen, now=runtime.now())
    assert plays(runtime, ann, is_live=is_live) is (is_live if chosen is None else chosen)
    assert plays(runtime, player_id(runtime, "Bo"), is_live=is_live) is is_live, "the choice is Ann's alone"


@pytest.mark.parametrize("nobody", [None, 99])
def test_without_a_player_the_pace_decides(runtime, nobody):
    assert [plays(runtime, nobody, is_live=is_live) for is_live in (True, False)] == [True, False]


def test_nobody_can_choose_for_a_player_who_is_not_there(runtime):
    with pytest.raises(LinkInvalid):
        change_tap(runtime, 99, plays=True, now=runtime.now())


STYLE = (ROOT / "webapp" / "static" / "style.css").read_text()
LEAST_CONTRAST = 4.5


# colours


def tokens(*, dark):
    """The tokens of the style sheet, by name; of those that differ in the dark one of both."""
    read = STYLE.split("/* the page */")[0]
    found = re.findall(r"--([\w-]+): (?:light-dark\()?(#\w{6})(?:, (#\w{6})\))?;", read)
    return {name: (at_night if dark and at_night else by_day) for name, by_day, at_night in found}


def colour_of(suit, look, found):
    """The colour of a suit: with two colours, those of spades and hearts."""
    if look.two_colours:
        pairs = dict(re.findall(r"--(\w+): var\(--(\w+)\)", re.search(r"\.two-colours \{.*\}", STYLE)[0]))
        suit = pairs.get(suit, suit)
    return found[suit]


def light_of(colour):
    """Relative luminance (WCAG 2.2)."""
    runtime = [value / 255 for value in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in runtime]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(*colours):
    dark, bright = sorted(light_of([int(code[at : at + 2], 16) for at in (1, 3, 5)]) for code in colours)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("look", [CardStyle(two_colours=False), CardStyle(two_colours=True)], ids=["four", "two"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("suit", ["clubs", "diamonds", "spades", "hearts"])
def test_every_suit_of_both_decks_is_readable_day_and_night(look, dark, suit):
    found = tokens(dark=dark)
    assert contrast(colour_of(suit, look, found), found["card"]) >= LEAST_CONTRAST
    assert contrast(colour_of(suit, look, found), found["card-dead"]) >= LEAST_CONTRAST


def test_contrast_is_measured_as_the_guidelines_require():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


# choosing


@pytest.mark.parametrize("style", CARD_STYLES, ids=[style.name for style in CARD_STYLES])
def test_a_form_asks_for_a_style_by_its_name(style):
    assert read_card_style({"look": style.name}) == style


@pytest.mark.parametrize("of", ["name", "label", "classes"])
def test_no_two_styles_are_called_or_look_the_same(of):
    assert len({getattr(style, of) for style in CARD_STYLES}) == len(CARD_STYLES) == 4


@pytest.mark.parametrize("nobody", [None, 99])
def test_cards_look_as_usual_for_somebody_who_is_no_player(runtime, nobody):
    with runtime.database.reading() as session:
        assert card_style_of(session, nobody) == USUAL


def test_nobody_chooses_a_style_for_a_missing_player(runtime):
    with pytest.raises(LinkInvalid):
        change_card_style(runtime, 99, CardStyle(two_colours=True), runtime.now())
