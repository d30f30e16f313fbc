"""Moving to another address: who has to agree, how long silence counts, and the pages and mails of a move."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from threading import Barrier

import pytest
from bs4 import BeautifulSoup
from sqlmodel import select

from tests.cast import address, dump, letters, open_table, play_first, seat_link, start_game, turn_link
from tests.submitting import PREFERENCES, check_refused
from tests.webapp.accounts.intruder import (
    composed,
    follow,
    link_in,
    newest,
    paths_in,
    player_of,
    preferences_of,
    request_move,
    sign_in,
)
from webapp.accounts import access, changing_address
from webapp.accounts.changing_address import AddressTaken
from webapp.core.tokens import (
    AddressLink,
    LinkExpired,
    LinkInvalid,
    NewAddressLink,
    OldAddressLink,
    PreferencesLink,
    TakeBackLink,
)
from webapp.games.links import preferences_link
from webapp.models import AddressChangeRow, ChangeState, LetterKind, LetterState, PlayerRow
from webapp.tables import seating
from worker import scheduler

ANN, BO, CY = 1, 2, 3
NEW = "bo@new.example"
DAY = timedelta(days=1)
A_MOMENT = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _game(request):
    made = "either_runtime" if "either_runtime" in request.fixturenames else "runtime"
    start_game(request.getfixturevalue(made))


def preferences(runtime, number=BO):
    return runtime.signer.local_url(preferences_link(player_of(runtime, number)))


def at(runtime, number=BO):
    return player_of(runtime, number).address


def changes(runtime):
    with runtime.database.reading() as session:
        return session.exec(select(AddressChangeRow).order_by(AddressChangeRow.id)).all()


def states(runtime):
    return [change.state for change in changes(runtime)]


def asked(runtime, to=NEW, number=BO):
    """A move requested by the link in a mail. Returns its number."""
    runtime.now.pass_by(A_MOMENT)
    changing_address.request_change(runtime, preferences_link(player_of(runtime, number)), to, None, runtime.now())
    return changes(runtime)[-1].id


def moved(runtime, to=NEW, number=BO):
    """A move that both addresses have agreed to. Returns its number."""
    change = asked(runtime, to, number)
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    changing_address.agree(runtime, OldAddressLink(change), runtime.now())
    return change


def waits(runtime, kind):
    return [letter for letter in letters(runtime, kind) if letter.state is LetterState.QUEUED]


# consent


@pytest.mark.parametrize("first", ["new", "old"])
def test_the_games_move_once_both_addresses_have_agreed(runtime, client, first):
    request_move(client, preferences(runtime), NEW)
    mails = {"new": newest(runtime, LetterKind.NEW_ADDRESS, NEW)}
    mails["old"] = newest(runtime, LetterKind.ADDRESS_ASKED, address("Bo"))
    second = {"new": "old", "old": "new"}[first]
    follow(client, mails[first], answer="yes")
    assert at(runtime) == address("Bo")
    page = follow(client, mails[second], answer="yes")
    assert at(runtime) == NEW
    assert {"old": "Your games have moved", "new": "Your email comes here now"}[second] in page.text


def test_a_fresh_sign_in_agrees_for_the_old_address(runtime):
    client = sign_in(runtime, address("Bo"))
    assert "the link in that mail is enough" in client.get(preferences_of(client)).text
    request_move(client, preferences_of(client), NEW)
    assert letters(runtime, LetterKind.ADDRESS_ASKED) == []
    follow(client, newest(runtime, LetterKind.NEW_ADDRESS))
    assert at(runtime) == NEW
    assert len(letters(runtime, LetterKind.ADDRESS_MOVED)) == 0, "the page says so"


@pytest.mark.parametrize("who", ["a sign-in of earlier", "another player", "one that was ended"])
def test_no_other_sign_in_agrees(runtime, who):
    client = sign_in(runtime, address("Cy" if who == "another player" else "Bo"))
    link = preferences(runtime)
    if who == "a sign-in of earlier":
        runtime.now.pass_by(timedelta(minutes=15))
    if who == "one that was ended":
        client.post("/signed-in/end", data={"sign_in": "all"})
        link = preferences(runtime)
    request_move(client, link, NEW)
    follow(client, newest(runtime, LetterKind.NEW_ADDRESS))
    assert at(runtime) == address("Bo")
    assert len(waits(runtime, LetterKind.ADDRESS_ASKED)) == 2


def test_only_the_old_address_agrees_and_only_the_new_one_proves(runtime, client):
    change = asked(runtime)
    for link in (NewAddressLink(change), OldAddressLink(change), TakeBackLink(change)):
        for path in ("new-address", "old-address", "take-back"):
            if path != link.path:
                response = client.post(f"/{path}/{runtime.signer.token(link)}", data={"answer": "yes"})
                assert response.status_code == 403
    assert states(runtime) == [ChangeState.OPEN]


def test_a_move_that_is_not_proved_within_two_days_expires(runtime, client):
    change = asked(runtime)
    changing_address.agree(runtime, OldAddressLink(change), runtime.now())
    runtime.now.pass_by(2 * DAY)
    page = client.post(runtime.signer.local_url(NewAddressLink(change)))
    assert "Nothing was changed" in page.text
    assert at(runtime) == address("Bo")
    runtime.now.pass_by(5 * DAY)
    changing_address.apply_ready_changes(runtime, runtime.now())
    assert (at(runtime), states(runtime)) == (address("Bo"), [ChangeState.DROPPED])


def test_the_old_address_may_change_its_mind(runtime):
    change = asked(runtime)
    changing_address.agree(runtime, OldAddressLink(change), runtime.now())
    assert changing_address.refuse(runtime, OldAddressLink(change), runtime.now()).state is ChangeState.REFUSED
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    assert at(runtime) == address("Bo")


def test_refusing_an_expired_move_ends_nothing_at_another_address(runtime):
    first = asked(runtime, "bo@first.example")
    moved(runtime)
    before = player_of(runtime, BO)
    changing_address.refuse(runtime, OldAddressLink(first), runtime.now())
    assert player_of(runtime, BO) == before


# silence


def test_seven_days_of_silence_count_as_consent_and_fewer_do_not(runtime):
    change = asked(runtime)
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    runtime.now.pass_by(7 * DAY - A_MOMENT)
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 0
    runtime.now.pass_by(A_MOMENT)
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 1
    assert (at(runtime), states(runtime)) == (NEW, [ChangeState.DONE])
    assert [letter.address for letter in letters(runtime, LetterKind.ADDRESS_MOVED)] == [NEW]
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 0


def test_three_days_of_silence_count_as_consent_where_mails_bounced(runtime):
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, BO).unreachable_at = runtime.now()
    change = asked(runtime)
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    assert len(waits(runtime, LetterKind.ADDRESS_ASKED)) == 2, "a full inbox may have room again"
    runtime.now.pass_by(3 * DAY - A_MOMENT)
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 0
    runtime.now.pass_by(A_MOMENT)
    changing_address.apply_ready_changes(runtime, runtime.now())
    assert at(runtime) == NEW
    assert player_of(runtime, BO).unreachable_at is None


def test_without_a_sweep_the_link_at_the_new_address_completes_the_move(runtime, client):
    change = asked(runtime)
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    runtime.now.pass_by(7 * DAY)
    page = client.post(runtime.signer.local_url(NewAddressLink(change)))
    assert "Your email comes here now" in page.text
    assert at(runtime) == NEW


def test_the_old_address_is_reminded_two_days_before_unless_it_has_answered(runtime):
    change = asked(runtime)
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    first, second = waits(runtime, LetterKind.ADDRESS_ASKED)
    assert (first.next_at, second.next_at) == (runtime.now(), runtime.now() + 5 * DAY)
    assert "Somebody has asked" in composed(runtime, second)
    changing_address.agree(runtime, OldAddressLink(change), runtime.now())
    assert composed(runtime, first) == composed(runtime, second) == ""


def test_the_reminder_keeps_its_day_when_preferences_are_saved(runtime, client):
    asked(runtime)
    day = waits(runtime, LetterKind.ADDRESS_ASKED)[1].next_at
    assert client.post(preferences(runtime), data=PREFERENCES).status_code == 303
    assert waits(runtime, LetterKind.ADDRESS_ASKED)[1].next_at == day


def test_the_scheduler_rings_for_a_move_when_it_is_due_and_not_before(runtime):
    rung = []
    change = asked(runtime)
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    object.__setattr__(runtime.bell, "move", lambda: rung.append(runtime.now()))
    scheduler.sweep_address_changes(runtime)
    runtime.now.pass_by(7 * DAY)
    scheduler.sweep_address_changes(runtime)
    assert rung == [runtime.now()]
    changing_address.apply_ready_changes(runtime, runtime.now())
    scheduler.sweep_address_changes(runtime)
    assert len(rung) == 1


def test_one_failing_move_does_not_hold_up_the_others(runtime, monkeypatch):
    for number, to in ((BO, NEW), (CY, "cy@new.example")):
        changing_address.prove(runtime, NewAddressLink(asked(runtime, to, number)), runtime.now())
    runtime.now.pass_by(7 * DAY)
    clear = changing_address.bounces.clear

    def fails_for_bo(session, player, now):
        if player.id == BO:
            raise RuntimeError
        clear(session, player, now)

    monkeypatch.setattr(changing_address.bounces, "clear", fails_for_bo)
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 2
    assert (at(runtime), at(runtime, CY)) == (address("Bo"), "cy@new.example")
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 0, "it is not tried at each sweep"
    monkeypatch.undo()
    runtime.now.pass_by(timedelta(hours=1))
    assert changing_address.apply_ready_changes(runtime, runtime.now()) == 1
    assert at(runtime) == NEW


# effects of a move


def test_a_move_ends_sign_ins_and_the_preferences_link_but_no_turn_link(runtime):
    bo, old = sign_in(runtime, address("Bo")), preferences(runtime)
    turn, seat = (runtime.signer.local_url(link) for link in (turn_link(runtime, 1, 1), seat_link(runtime, 1, 1)))
    moved(runtime)
    assert bo.get("/games").status_code == 303
    assert bo.get(old).status_code == 410
    assert bo.get(preferences(runtime)).status_code == 200
    assert [bo.get(path).status_code for path in (turn, seat)] == [200, 200], "a mail at the old address plays on"


def test_a_move_mails_the_pending_question_to_the_new_address(runtime):
    before = letters(runtime, LetterKind.PASS)
    moved(runtime)
    after = letters(runtime, LetterKind.PASS)
    assert [letter.player_id for letter in after[len(before) :]] == [BO]
    assert len([letter for letter in after if letter.player_id == BO and letter.state is LetterState.QUEUED]) == 1


def test_the_other_players_are_not_notified_of_a_move(runtime):
    others = [letter.id for letter in letters(runtime) if letter.player_id != BO]
    moved(runtime)
    assert [letter.id for letter in letters(runtime) if letter.player_id != BO] == others


def test_the_old_address_can_take_the_games_back_for_two_weeks(runtime, client):
    moved(runtime)
    mail = newest(runtime, LetterKind.ADDRESS_CHANGED, address("Bo"))
    runtime.now.pass_by(14 * DAY - A_MOMENT)
    assert "Your games are back" in follow(client, mail).text
    assert (at(runtime), states(runtime)) == (address("Bo"), [ChangeState.UNDONE])
    before = dump(runtime)
    assert "Your games are back" in follow(client, mail).text, "repeating it changes nothing"
    assert dump(runtime) == before


def test_after_two_weeks_the_old_address_cannot_take_the_games_back(runtime, client):
    change = moved(runtime)
    runtime.now.pass_by(14 * DAY)
    before = dump(runtime)
    assert "cannot be undone" in client.post(runtime.signer.local_url(TakeBackLink(change))).text
    assert dump(runtime) == before


def test_a_player_may_move_back_and_forth(runtime):
    moved(runtime)
    moved(runtime, address("Bo"))
    moved(runtime)
    assert (at(runtime), states(runtime)) == (NEW, [ChangeState.DONE] * 3)


# other addresses, other moves


def test_a_new_move_cancels_the_one_before(runtime):
    first = asked(runtime, "bo@first.example")
    second = asked(runtime)
    changing_address.prove(runtime, NewAddressLink(first), runtime.now())
    changing_address.agree(runtime, OldAddressLink(first), runtime.now())
    assert (at(runtime), states(runtime)) == (address("Bo"), [ChangeState.DROPPED, ChangeState.OPEN])
    changing_address.prove(runtime, NewAddressLink(second), runtime.now())
    changing_address.agree(runtime, OldAddressLink(second), runtime.now())
    assert at(runtime) == NEW


def test_a_move_can_be_withdrawn_on_its_status_page(runtime, client):
    page = client.post(f"{preferences(runtime)}/address", data={"address": NEW}, follow_redirects=True)
    assert NEW in page.text
    assert "please answer that mail" in page.text
    done = client.post(f"{preferences(runtime)}/address/stop", follow_redirects=True)
    assert "Your address stays as it is" in done.text
    assert "Keep my address" not in done.text
    assert states(runtime) == [ChangeState.DROPPED]
    assert [composed(runtime, letter) for letter in letters(runtime) if letter.address] == ["", "", ""]


def test_an_address_in_use_is_refused_only_to_a_visitor_who_has_proved_it(runtime, client):
    page = client.post(f"{preferences(runtime)}/address", data={"address": address("Cy")}, follow_redirects=True)
    assert "written to the new address" in page.text, "the page does not reveal who plays here"
    before = dump(runtime)
    response = client.post(paths_in(newest(runtime, LetterKind.NEW_ADDRESS))[0])
    check_refused(runtime, before, response, 409, "Somebody else plays")


def test_an_address_taken_by_somebody_meanwhile_cancels_the_move(runtime):
    change = asked(runtime)
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    with runtime.database.writing() as session:
        seating.player_at(session, NEW, "Eve", runtime.now())
    runtime.now.pass_by(7 * DAY)
    changing_address.apply_ready_changes(runtime, runtime.now())
    assert (at(runtime), states(runtime)) == (address("Bo"), [ChangeState.DROPPED])


def test_nobody_moves_to_an_address_whose_owner_may_still_take_their_games_back(runtime):
    moved(runtime)
    change = asked(runtime, address("Bo"), CY)
    with pytest.raises(AddressTaken):
        changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    runtime.now.pass_by(14 * DAY)
    late = asked(runtime, address("Bo"), CY)
    changing_address.prove(runtime, NewAddressLink(late), runtime.now())
    changing_address.agree(runtime, OldAddressLink(late), runtime.now())
    assert at(runtime, CY) == address("Bo")


def test_an_invitation_to_a_recently_left_address_reaches_the_same_player(runtime):
    moved(runtime)
    table_id = open_table(runtime, ("Di", "Bo"), robots=2)
    invited = [letter for letter in letters(runtime, LetterKind.INVITATION) if letter.table_id == table_id]
    assert {letter.player_id for letter in invited} == {BO}


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        pytest.param("bo", "not an email address", id="no address"),
        pytest.param("", "Enter an email address", id="nothing"),
        pytest.param("a@example.org\nBcc: b@example.org", "not an email address", id="two lines"),
        pytest.param("BO@example.org", "this address already", id="their own"),
    ],
)
def test_an_invalid_address_is_rejected_with_a_message(runtime, client, typed, sentence):
    response = client.post(f"{preferences(runtime)}/address", data={"address": typed})
    check_refused(runtime, dump(runtime), response, 400, sentence)


def test_new_addresses_get_at_most_five_mails_an_hour(runtime, client):
    statuses = []
    for number in range(6):
        statuses.append(request_move(client, preferences(runtime), f"bo{number}@example.org").status_code)
        runtime.now.pass_by(A_MOMENT)
    assert statuses == [303] * 5 + [429]


# pages and mails


def test_opening_every_page_of_a_move_changes_nothing(runtime, client):
    change = asked(runtime)
    urls = [runtime.signer.local_url(kind(change)) for kind in (NewAddressLink, OldAddressLink, TakeBackLink)]
    urls += [f"{urls[1]}?answer=no", f"{urls[1]}?answer=yes", preferences(runtime)]
    for step in (changing_address.prove, None, changing_address.agree, None):
        before = dump(runtime)
        for url in urls:
            assert client.get(url).status_code == client.head(url).status_code == 200
        assert dump(runtime) == before
        if step:
            step(runtime, (NewAddressLink if step is changing_address.prove else OldAddressLink)(change), runtime.now())
        urls[-1] = preferences(runtime)


def test_an_answer_that_is_neither_yes_nor_no_changes_nothing(runtime, client):
    url = runtime.signer.local_url(OldAddressLink(asked(runtime)))
    for form in ({}, {"answer": "perhaps"}):
        check_refused(runtime, dump(runtime), client.post(url, data=form), 400, "yes or no")


def test_the_old_address_sees_the_new_one_masked(runtime, client):
    """Somebody else may be reading there by now."""
    change = moved(runtime)
    old = [letter for letter in letters(runtime) if letter.address == address("Bo")]
    assert old
    shown = [composed(runtime, letter) for letter in old if letter.kind is LetterKind.ADDRESS_CHANGED]
    shown += [client.get(runtime.signer.local_url(kind(change))).text for kind in (OldAddressLink, TakeBackLink)]
    for text in shown:
        assert NEW not in text
        assert "b***@new.example" in text


def test_a_link_that_declines_puts_no_first(runtime, client):
    url = runtime.signer.local_url(OldAddressLink(asked(runtime)))
    for answer in ("yes", "no"):
        page = BeautifulSoup(client.get(f"{url}?answer={answer}").data, "lxml")
        assert page.select_one("main button")["value"] == answer


# of the first version


def first_version(runtime, to, sign_ins=changing_address.UNDO):
    return runtime.signer.local_url(AddressLink(BO, to, sign_ins))


def test_a_link_of_the_first_version_takes_the_games_back_but_changes_no_address(runtime, client):
    assert client.get(first_version(runtime, NEW, 0)).status_code == 410
    assert client.post(first_version(runtime, NEW, 0)).status_code == 410
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, BO).address = NEW
    undo = first_version(runtime, address("Bo"))
    assert "Take your games back?" in client.get(undo).text
    for _ in range(2):
        assert "Your games are back" in client.post(undo).text
    assert at(runtime) == address("Bo")
    assert client.post(first_version(runtime, NEW)).status_code == 410, "an intruder's own, once Bo was faster"


def test_a_waiting_mail_of_the_first_version_is_sent_only_if_it_takes_the_games_back(runtime):
    asked(runtime)
    with runtime.database.writing() as session:
        for letter in letters(runtime, LetterKind.NEW_ADDRESS):
            session.merge(letter).change_id = None
    assert composed(runtime, letters(runtime, LetterKind.NEW_ADDRESS)[0]) == ""
    moved(runtime)
    with runtime.database.writing() as session:
        for letter in letters(runtime, LetterKind.ADDRESS_CHANGED):
            session.merge(letter).change_id = None
    assert link_in(newest(runtime, LetterKind.ADDRESS_CHANGED), "address")


# at once


def at_once(*acts):
    """Runs these at the same moment, and returns the allowed exception that each raised."""
    barrier = Barrier(len(acts))

    def run(act):
        barrier.wait()
        try:
            act()
        except (LinkExpired, LinkInvalid, AddressTaken) as error:
            return type(error)
        return None

    with ThreadPoolExecutor(len(acts)) as pool:
        return [one.result() for one in [pool.submit(run, act) for act in acts]]


def test_a_change_and_its_reversal_at_once_leave_the_games_in_place(either_runtime):
    """Eve moves the games on while Bo takes them back: in either order, Bo has them, or can still have them."""
    runtime = either_runtime
    for _ in range(5):
        runtime.now.pass_by(timedelta(hours=1))  # only a few mails an hour go to new addresses
        first = moved(runtime, "eve@example.org")
        second = asked(runtime, "eve@second.example")
        changing_address.prove(runtime, NewAddressLink(second), runtime.now())
        at_once(
            lambda change=second: changing_address.agree(runtime, OldAddressLink(change), runtime.now()),
            lambda change=first: changing_address.take_back(runtime, TakeBackLink(change), runtime.now()),
        )
        assert at(runtime) == address("Bo")
        last = {change.id: change.state for change in changes(runtime)}
        assert last[first] is ChangeState.UNDONE
        assert last[second] in (ChangeState.UNDONE, ChangeState.DROPPED)
        changing_address.take_back(runtime, TakeBackLink(second), runtime.now())
        assert at(runtime) == address("Bo")


def test_of_two_moves_requested_at_once_one_is_pending(either_runtime):
    runtime = either_runtime
    link = preferences_link(player_of(runtime, BO))
    at_once(
        *(
            lambda n=n: changing_address.request_change(runtime, link, f"bo@{n}.example", None, runtime.now())
            for n in range(4)
        )
    )
    assert sorted(states(runtime)) == sorted([ChangeState.DROPPED] * 3 + [ChangeState.OPEN])


def test_of_two_players_who_move_to_the_same_address_at_once_one_gets_it(either_runtime):
    runtime = either_runtime
    proofs = []
    for number in (BO, CY):
        change = asked(runtime, NEW, number)
        changing_address.agree(runtime, OldAddressLink(change), runtime.now())
        proofs.append(lambda change=change: changing_address.prove(runtime, NewAddressLink(change), runtime.now()))
    assert sorted(at_once(*proofs), key=str) == [AddressTaken, None]
    assert sorted([at(runtime), at(runtime, CY)]).count(NEW) == 1


def test_simultaneous_sweeps_complete_a_move_once(either_runtime):
    runtime = either_runtime
    changing_address.prove(runtime, NewAddressLink(asked(runtime)), runtime.now())
    runtime.now.pass_by(7 * DAY)
    at_once(*(lambda: changing_address.apply_ready_changes(runtime, runtime.now()) for _ in range(4)))
    assert at(runtime) == NEW
    assert player_of(runtime, BO).generation == 1
    assert len(letters(runtime, LetterKind.ADDRESS_CHANGED)) == len(letters(runtime, LetterKind.ADDRESS_MOVED)) == 1


def test_after_signing_out_everywhere_no_simultaneous_request_for_another_address_is_pending(either_runtime):
    """In either order, no move requested by the old link is pending afterwards."""
    runtime = either_runtime
    for _ in range(5):
        runtime.now.pass_by(timedelta(hours=1))
        link = preferences_link(player_of(runtime, BO))
        at_once(
            lambda link=link: changing_address.request_change(runtime, link, NEW, None, runtime.now()),
            lambda: access.sign_out_everywhere(runtime, BO, runtime.now()),
        )
        assert ChangeState.OPEN not in states(runtime)


def test_moves_turns_and_sign_outs_at_once_do_not_block_each_other(either_runtime):
    runtime = either_runtime
    first = moved(runtime, "eve@example.org")

    def play():
        for _ in range(6):
            with suppress(Exception):
                play_first(runtime, 1)

    at_once(
        play,
        lambda: changing_address.take_back(runtime, TakeBackLink(first), runtime.now()),
        lambda: access.sign_out_everywhere(runtime, ANN, runtime.now()),
        lambda: access.sign_out_everywhere(runtime, CY, runtime.now()),
    )
    assert at(runtime) == address("Bo")


def test_a_link_of_an_unknown_player_requests_nothing(runtime):
    with pytest.raises(LinkInvalid):
        changing_address.request_change(runtime, PreferencesLink(99), NEW, None, runtime.now())
    for step, kind in (
        (changing_address.prove, NewAddressLink),
        (changing_address.agree, OldAddressLink),
        (changing_address.take_back, TakeBackLink),
    ):
        with pytest.raises(LinkInvalid):
            step(runtime, kind(99), runtime.now())
