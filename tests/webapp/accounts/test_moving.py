"""Moving to another address: who has to agree, how long silence counts, what the pages and mails of a move say."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from threading import Barrier

import pytest
from bs4 import BeautifulSoup
from sqlmodel import select

from tests.cast import address, dump, letters, open_table, play_first, seat_link, start_game, turn_link
from tests.webapp.accounts.intruder import (
    ask_move,
    composed,
    follow,
    link_in,
    newest,
    paths_in,
    player_of,
    preferences_of,
    sign_in,
)
from tests.webapp.pages.test_pages import check_refused
from tests.webapp.players.test_preferences import WANTED
from webapp.accounts import access, moving
from webapp.accounts.moving import AddressTaken
from webapp.core.tokens import (
    AddressLink,
    LinkExpired,
    LinkInvalid,
    NewAddressLink,
    OldAddressLink,
    TakeBackLink,
    WishesLink,
)
from webapp.games.links import wishes_link
from webapp.models import AddressChangeRow, ChangeState, LetterKind, LetterState, PlayerRow
from webapp.tables import seating
from worker import scheduler

ANN, BO, CY = 1, 2, 3
NEW = "bo@new.example"
DAY = timedelta(days=1)
A_MOMENT = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _game(request):
    made = "either_parts" if "either_parts" in request.fixturenames else "parts"
    start_game(request.getfixturevalue(made))


def preferences(parts, number=BO):
    return parts.signer.local_url(wishes_link(player_of(parts, number)))


def at(parts, number=BO):
    return player_of(parts, number).address


def changes(parts):
    with parts.database.reading() as session:
        return session.exec(select(AddressChangeRow).order_by(AddressChangeRow.id)).all()


def states(parts):
    return [change.state for change in changes(parts)]


def asked(parts, to=NEW, number=BO):
    """A move that the link in a mail has asked for. Returns its number."""
    parts.now.pass_by(A_MOMENT)
    moving.ask(parts, wishes_link(player_of(parts, number)), to, None, parts.now())
    return changes(parts)[-1].id


def moved(parts, to=NEW, number=BO):
    """A move to which both addresses have said yes. Returns its number."""
    change = asked(parts, to, number)
    moving.prove(parts, NewAddressLink(change), parts.now())
    moving.agree(parts, OldAddressLink(change), parts.now())
    return change


def waits(parts, kind):
    return [letter for letter in letters(parts, kind) if letter.state is LetterState.OWED]


# who has to agree


@pytest.mark.parametrize("first", ["new", "old"])
def test_the_games_move_once_both_addresses_have_said_yes(parts, client, first):
    ask_move(client, preferences(parts), NEW)
    mails = {"new": newest(parts, LetterKind.NEW_ADDRESS, NEW)}
    mails["old"] = newest(parts, LetterKind.ADDRESS_ASKED, address("Bo"))
    second = {"new": "old", "old": "new"}[first]
    follow(client, mails[first], answer="yes")
    assert at(parts) == address("Bo")
    page = follow(client, mails[second], answer="yes")
    assert at(parts) == NEW
    assert {"old": "Your games have moved", "new": "Your mails come here now"}[second] in page.text


def test_a_fresh_sign_in_agrees_for_the_old_address(parts):
    client = sign_in(parts, address("Bo"))
    assert "the link in that mail is enough" in client.get(preferences_of(client)).text
    ask_move(client, preferences_of(client), NEW)
    assert letters(parts, LetterKind.ADDRESS_ASKED) == []
    follow(client, newest(parts, LetterKind.NEW_ADDRESS))
    assert at(parts) == NEW
    assert len(letters(parts, LetterKind.ADDRESS_MOVED)) == 0, "the page says so"


@pytest.mark.parametrize("who", ["a sign-in of earlier", "another player", "one that was ended"])
def test_no_other_sign_in_agrees(parts, who):
    client = sign_in(parts, address("Cy" if who == "another player" else "Bo"))
    link = preferences(parts)
    if who == "a sign-in of earlier":
        parts.now.pass_by(timedelta(minutes=15))
    if who == "one that was ended":
        client.post("/signed-in/end", data={"sign_in": "all"})
        link = preferences(parts)
    ask_move(client, link, NEW)
    follow(client, newest(parts, LetterKind.NEW_ADDRESS))
    assert at(parts) == address("Bo")
    assert len(waits(parts, LetterKind.ADDRESS_ASKED)) == 2


def test_only_the_old_address_agrees_and_only_the_new_one_proves(parts, client):
    change = asked(parts)
    for link in (NewAddressLink(change), OldAddressLink(change), TakeBackLink(change)):
        for path in ("new-address", "old-address", "take-back"):
            if path != link.path:
                response = client.post(f"/{path}/{parts.signer.token(link)}", data={"answer": "yes"})
                assert response.status_code == 403
    assert states(parts) == [ChangeState.OPEN]


def test_a_move_that_is_not_proved_within_two_days_is_over(parts, client):
    change = asked(parts)
    moving.agree(parts, OldAddressLink(change), parts.now())
    parts.now.pass_by(2 * DAY)
    page = client.post(parts.signer.local_url(NewAddressLink(change)))
    assert "Nothing was changed" in page.text
    assert at(parts) == address("Bo")
    parts.now.pass_by(5 * DAY)
    moving.move_ready(parts, parts.now())
    assert (at(parts), states(parts)) == (address("Bo"), [ChangeState.DROPPED])


def test_the_old_address_may_think_better_of_it(parts):
    change = asked(parts)
    moving.agree(parts, OldAddressLink(change), parts.now())
    assert moving.refuse(parts, OldAddressLink(change), parts.now()).state is ChangeState.REFUSED
    moving.prove(parts, NewAddressLink(change), parts.now())
    assert at(parts) == address("Bo")


def test_a_refusal_of_what_is_over_ends_nothing_at_another_address(parts):
    first = asked(parts, "bo@first.example")
    moved(parts)
    before = player_of(parts, BO)
    moving.refuse(parts, OldAddressLink(first), parts.now())
    assert player_of(parts, BO) == before


# silence


def test_silence_counts_after_seven_days_and_not_before(parts):
    change = asked(parts)
    moving.prove(parts, NewAddressLink(change), parts.now())
    parts.now.pass_by(7 * DAY - A_MOMENT)
    assert moving.move_ready(parts, parts.now()) == 0
    parts.now.pass_by(A_MOMENT)
    assert moving.move_ready(parts, parts.now()) == 1
    assert (at(parts), states(parts)) == (NEW, [ChangeState.DONE])
    assert [letter.address for letter in letters(parts, LetterKind.ADDRESS_MOVED)] == [NEW]
    assert moving.move_ready(parts, parts.now()) == 0


def test_where_mails_came_back_it_counts_after_three(parts):
    with parts.database.writing() as session:
        session.get_one(PlayerRow, BO).unreachable_at = parts.now()
    change = asked(parts)
    moving.prove(parts, NewAddressLink(change), parts.now())
    assert len(waits(parts, LetterKind.ADDRESS_ASKED)) == 2, "a full inbox may have room again"
    parts.now.pass_by(3 * DAY - A_MOMENT)
    assert moving.move_ready(parts, parts.now()) == 0
    parts.now.pass_by(A_MOMENT)
    moving.move_ready(parts, parts.now())
    assert at(parts) == NEW
    assert player_of(parts, BO).unreachable_at is None


def test_the_link_at_the_new_address_does_it_too_if_no_sweep_has(parts, client):
    change = asked(parts)
    moving.prove(parts, NewAddressLink(change), parts.now())
    parts.now.pass_by(7 * DAY)
    page = client.post(parts.signer.local_url(NewAddressLink(change)))
    assert "Your mails come here now" in page.text
    assert at(parts) == NEW


def test_the_old_address_is_reminded_two_days_before_unless_it_has_answered(parts):
    change = asked(parts)
    moving.prove(parts, NewAddressLink(change), parts.now())
    first, second = waits(parts, LetterKind.ADDRESS_ASKED)
    assert (first.next_at, second.next_at) == (parts.now(), parts.now() + 5 * DAY)
    assert "somebody has asked" in composed(parts, second)
    moving.agree(parts, OldAddressLink(change), parts.now())
    assert composed(parts, first) == composed(parts, second) == ""


def test_the_reminder_keeps_its_day_when_preferences_are_saved(parts, client):
    asked(parts)
    day = waits(parts, LetterKind.ADDRESS_ASKED)[1].next_at
    assert client.post(preferences(parts), data=WANTED).status_code == 303
    assert waits(parts, LetterKind.ADDRESS_ASKED)[1].next_at == day


def test_the_scheduler_rings_for_a_move_whose_time_has_come_and_not_before(parts):
    rung = []
    change = asked(parts)
    moving.prove(parts, NewAddressLink(change), parts.now())
    object.__setattr__(parts.bell, "move", lambda: rung.append(parts.now()))
    scheduler.sweep_moves(parts)
    parts.now.pass_by(7 * DAY)
    scheduler.sweep_moves(parts)
    assert rung == [parts.now()]
    moving.move_ready(parts, parts.now())
    scheduler.sweep_moves(parts)
    assert len(rung) == 1


def test_one_move_that_fails_does_not_hold_up_the_others(parts, monkeypatch):
    for number, to in ((BO, NEW), (CY, "cy@new.example")):
        moving.prove(parts, NewAddressLink(asked(parts, to, number)), parts.now())
    parts.now.pass_by(7 * DAY)
    clear = moving.bounces.clear

    def fails_for_bo(session, player, now):
        if player.id == BO:
            raise RuntimeError
        clear(session, player, now)

    monkeypatch.setattr(moving.bounces, "clear", fails_for_bo)
    assert moving.move_ready(parts, parts.now()) == 2
    assert (at(parts), at(parts, CY)) == (address("Bo"), "cy@new.example")
    assert moving.move_ready(parts, parts.now()) == 0, "it is not tried at each sweep"
    monkeypatch.undo()
    parts.now.pass_by(timedelta(hours=1))
    assert moving.move_ready(parts, parts.now()) == 1
    assert at(parts) == NEW


# what a move does


def test_a_move_ends_sign_ins_and_the_preferences_link_but_no_link_to_a_turn(parts):
    bo, old = sign_in(parts, address("Bo")), preferences(parts)
    turn, seat = (parts.signer.local_url(link) for link in (turn_link(parts, 1, 1), seat_link(parts, 1, 1)))
    moved(parts)
    assert bo.get("/games").status_code == 303
    assert bo.get(old).status_code == 410
    assert bo.get(preferences(parts)).status_code == 200
    assert [bo.get(path).status_code for path in (turn, seat)] == [200, 200], "a mail at the old address plays on"


def test_a_move_mails_what_is_asked_now_to_the_new_address(parts):
    before = letters(parts, LetterKind.PASS)
    moved(parts)
    after = letters(parts, LetterKind.PASS)
    assert [letter.player_id for letter in after[len(before) :]] == [BO]
    assert len([letter for letter in after if letter.player_id == BO and letter.state is LetterState.OWED]) == 1


def test_nobody_else_is_told_of_a_move(parts):
    told = [letter.id for letter in letters(parts) if letter.player_id != BO]
    moved(parts)
    assert [letter.id for letter in letters(parts) if letter.player_id != BO] == told


def test_the_old_address_can_take_the_games_back_for_two_weeks(parts, client):
    moved(parts)
    mail = newest(parts, LetterKind.ADDRESS_CHANGED, address("Bo"))
    parts.now.pass_by(14 * DAY - A_MOMENT)
    assert "Your games are back" in follow(client, mail).text
    assert (at(parts), states(parts)) == (address("Bo"), [ChangeState.UNDONE])
    before = dump(parts)
    assert "Your games are back" in follow(client, mail).text, "twice is once"
    assert dump(parts) == before


def test_after_two_weeks_they_cannot_be_taken_back(parts, client):
    change = moved(parts)
    parts.now.pass_by(14 * DAY)
    before = dump(parts)
    assert "cannot be undone" in client.post(parts.signer.local_url(TakeBackLink(change))).text
    assert dump(parts) == before


def test_somebody_may_move_back_and_forth(parts):
    moved(parts)
    moved(parts, address("Bo"))
    moved(parts)
    assert (at(parts), states(parts)) == (NEW, [ChangeState.DONE] * 3)


# other addresses, other moves


def test_a_new_move_drops_the_one_before(parts):
    first = asked(parts, "bo@first.example")
    second = asked(parts)
    moving.prove(parts, NewAddressLink(first), parts.now())
    moving.agree(parts, OldAddressLink(first), parts.now())
    assert (at(parts), states(parts)) == (address("Bo"), [ChangeState.DROPPED, ChangeState.OPEN])
    moving.prove(parts, NewAddressLink(second), parts.now())
    moving.agree(parts, OldAddressLink(second), parts.now())
    assert at(parts) == NEW


def test_a_move_can_be_withdrawn_on_the_page_that_tells_how_it_stands(parts, client):
    page = client.post(f"{preferences(parts)}/address", data={"address": NEW}, follow_redirects=True)
    assert NEW in page.text
    assert "please answer that mail" in page.text
    done = client.post(f"{preferences(parts)}/address/stop", follow_redirects=True)
    assert "Your address stays as it is" in done.text
    assert "Keep my address" not in done.text
    assert states(parts) == [ChangeState.DROPPED]
    assert [composed(parts, letter) for letter in letters(parts) if letter.address] == ["", "", ""]


def test_an_address_that_is_anothers_is_refused_only_to_somebody_who_has_proved_it(parts, client):
    page = client.post(f"{preferences(parts)}/address", data={"address": address("Cy")}, follow_redirects=True)
    assert "written to the new address" in page.text, "who plays here is not told"
    before = dump(parts)
    response = client.post(paths_in(newest(parts, LetterKind.NEW_ADDRESS))[0])
    check_refused(parts, before, response, 409, "Somebody else plays")


def test_an_address_that_somebody_has_taken_meanwhile_drops_the_move(parts):
    change = asked(parts)
    moving.prove(parts, NewAddressLink(change), parts.now())
    with parts.database.writing() as session:
        seating.player_at(session, NEW, "Eve", parts.now())
    parts.now.pass_by(7 * DAY)
    moving.move_ready(parts, parts.now())
    assert (at(parts), states(parts)) == (address("Bo"), [ChangeState.DROPPED])


def test_nobody_moves_to_an_address_whose_owner_may_still_take_their_games_back(parts):
    moved(parts)
    change = asked(parts, address("Bo"), CY)
    with pytest.raises(AddressTaken):
        moving.prove(parts, NewAddressLink(change), parts.now())
    parts.now.pass_by(14 * DAY)
    late = asked(parts, address("Bo"), CY)
    moving.prove(parts, NewAddressLink(late), parts.now())
    moving.agree(parts, OldAddressLink(late), parts.now())
    assert at(parts, CY) == address("Bo")


def test_who_is_invited_at_the_address_they_have_just_left_is_the_same_player(parts):
    moved(parts)
    table_id = open_table(parts, ("Di", "Bo"), robots=2)
    invited = [letter for letter in letters(parts, LetterKind.INVITATION) if letter.table_id == table_id]
    assert {letter.player_id for letter in invited} == {BO}


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        pytest.param("bo", "not a mail address", id="no address"),
        pytest.param("", "give a mail address", id="nothing"),
        pytest.param("a@example.org\nBcc: b@example.org", "not a mail address", id="two lines"),
        pytest.param("BO@example.org", "this address already", id="their own"),
    ],
)
def test_an_address_that_is_invalid_is_rejected_with_a_sentence(parts, client, typed, sentence):
    response = client.post(f"{preferences(parts)}/address", data={"address": typed})
    check_refused(parts, dump(parts), response, 400, sentence)


def test_new_addresses_are_written_to_at_most_five_times_an_hour(parts, client):
    statuses = []
    for number in range(6):
        statuses.append(ask_move(client, preferences(parts), f"bo{number}@example.org").status_code)
        parts.now.pass_by(A_MOMENT)
    assert statuses == [303] * 5 + [429]


# pages and mails


def test_looking_at_every_page_of_a_move_changes_nothing(parts, client):
    change = asked(parts)
    urls = [parts.signer.local_url(kind(change)) for kind in (NewAddressLink, OldAddressLink, TakeBackLink)]
    urls += [f"{urls[1]}?answer=no", f"{urls[1]}?answer=yes", preferences(parts)]
    for step in (moving.prove, None, moving.agree, None):
        before = dump(parts)
        for url in urls:
            assert client.get(url).status_code == client.head(url).status_code == 200
        assert dump(parts) == before
        if step:
            step(parts, (NewAddressLink if step is moving.prove else OldAddressLink)(change), parts.now())
        urls[-1] = preferences(parts)


def test_an_answer_that_is_neither_yes_nor_no_changes_nothing(parts, client):
    url = parts.signer.local_url(OldAddressLink(asked(parts)))
    for form in ({}, {"answer": "perhaps"}):
        check_refused(parts, dump(parts), client.post(url, data=form), 400, "yes or no")


def test_the_old_address_is_shown_the_new_one_masked(parts, client):
    """Somebody else may read there by now."""
    change = moved(parts)
    old = [letter for letter in letters(parts) if letter.address == address("Bo")]
    assert old
    shown = [composed(parts, letter) for letter in old if letter.kind is LetterKind.ADDRESS_CHANGED]
    shown += [client.get(parts.signer.local_url(kind(change))).text for kind in (OldAddressLink, TakeBackLink)]
    for text in shown:
        assert NEW not in text
        assert "b***@new.example" in text


def test_a_link_that_says_no_has_no_for_its_first_button(parts, client):
    url = parts.signer.local_url(OldAddressLink(asked(parts)))
    for answer in ("yes", "no"):
        page = BeautifulSoup(client.get(f"{url}?answer={answer}").data, "html.parser")
        assert page.select_one("main button")["value"] == answer


# of the first version


def first_version(parts, to, sign_ins=moving.UNDO):
    return parts.signer.local_url(AddressLink(BO, to, sign_ins))


def test_a_link_of_the_first_version_takes_the_games_back_but_changes_no_address(parts, client):
    assert client.get(first_version(parts, NEW, 0)).status_code == 410
    assert client.post(first_version(parts, NEW, 0)).status_code == 410
    with parts.database.writing() as session:
        session.get_one(PlayerRow, BO).address = NEW
    undo = first_version(parts, address("Bo"))
    assert "Take your games back?" in client.get(undo).text
    for _ in range(2):
        assert "Your games are back" in client.post(undo).text
    assert at(parts) == address("Bo")
    assert client.post(first_version(parts, NEW)).status_code == 410, "an intruder's own, once Bo was faster"


def test_a_mail_of_the_first_version_that_still_waits_is_sent_only_where_it_undoes(parts):
    asked(parts)
    with parts.database.writing() as session:
        for letter in letters(parts, LetterKind.NEW_ADDRESS):
            session.merge(letter).about = None
    assert composed(parts, letters(parts, LetterKind.NEW_ADDRESS)[0]) == ""
    moved(parts)
    with parts.database.writing() as session:
        for letter in letters(parts, LetterKind.ADDRESS_CHANGED):
            session.merge(letter).about = None
    assert link_in(newest(parts, LetterKind.ADDRESS_CHANGED), "address")


# at once


def at_once(*acts):
    """Runs these at the same moment, and answers what each raised of what may be raised."""
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


def test_a_change_and_its_undoing_at_once_leave_the_games_where_they_were(either_parts):
    """Eve moves the games on while Bo takes them back: whoever is first, Bo has them, or can still have them."""
    parts = either_parts
    for _ in range(5):
        parts.now.pass_by(timedelta(hours=1))  # no more than a few mails an hour to new addresses
        first = moved(parts, "eve@example.org")
        second = asked(parts, "eve@second.example")
        moving.prove(parts, NewAddressLink(second), parts.now())
        at_once(
            lambda change=second: moving.agree(parts, OldAddressLink(change), parts.now()),
            lambda change=first: moving.take_back(parts, TakeBackLink(change), parts.now()),
        )
        assert at(parts) == address("Bo")
        last = {change.id: change.state for change in changes(parts)}
        assert last[first] is ChangeState.UNDONE
        assert last[second] in (ChangeState.UNDONE, ChangeState.DROPPED)
        moving.take_back(parts, TakeBackLink(second), parts.now())
        assert at(parts) == address("Bo")


def test_of_two_moves_at_once_one_is_under_way(either_parts):
    parts = either_parts
    link = wishes_link(player_of(parts, BO))
    at_once(*(lambda n=n: moving.ask(parts, link, f"bo@{n}.example", None, parts.now()) for n in range(4)))
    assert sorted(states(parts)) == sorted([ChangeState.DROPPED] * 3 + [ChangeState.OPEN])


def test_of_two_players_who_move_to_one_address_at_once_one_gets_it(either_parts):
    parts = either_parts
    proofs = []
    for number in (BO, CY):
        change = asked(parts, NEW, number)
        moving.agree(parts, OldAddressLink(change), parts.now())
        proofs.append(lambda change=change: moving.prove(parts, NewAddressLink(change), parts.now()))
    assert sorted(at_once(*proofs), key=str) == [AddressTaken, None]
    assert sorted([at(parts), at(parts, CY)]).count(NEW) == 1


def test_sweeps_at_once_do_a_move_once(either_parts):
    parts = either_parts
    moving.prove(parts, NewAddressLink(asked(parts)), parts.now())
    parts.now.pass_by(7 * DAY)
    at_once(*(lambda: moving.move_ready(parts, parts.now()) for _ in range(4)))
    assert at(parts) == NEW
    assert player_of(parts, BO).generation == 1
    assert len(letters(parts, LetterKind.ADDRESS_CHANGED)) == len(letters(parts, LetterKind.ADDRESS_MOVED)) == 1


def test_signing_out_everywhere_and_a_request_for_another_address_at_once(either_parts):
    """Whichever is first: afterwards no move is under way that the link of before has asked for."""
    parts = either_parts
    for _ in range(5):
        parts.now.pass_by(timedelta(hours=1))
        link = wishes_link(player_of(parts, BO))
        at_once(
            lambda link=link: moving.ask(parts, link, NEW, None, parts.now()),
            lambda: access.sign_out_everywhere(parts, BO, parts.now()),
        )
        assert ChangeState.OPEN not in states(parts)


def test_moves_turns_and_sign_outs_at_once_do_not_stand_in_each_others_way(either_parts):
    parts = either_parts
    first = moved(parts, "eve@example.org")

    def play():
        for _ in range(6):
            with suppress(Exception):
                play_first(parts, 1)

    at_once(
        play,
        lambda: moving.take_back(parts, TakeBackLink(first), parts.now()),
        lambda: access.sign_out_everywhere(parts, ANN, parts.now()),
        lambda: access.sign_out_everywhere(parts, CY, parts.now()),
    )
    assert at(parts) == address("Bo")


def test_a_link_of_nobody_asks_for_nothing(parts):
    with pytest.raises(LinkInvalid):
        moving.ask(parts, WishesLink(99), NEW, None, parts.now())
    for step, kind in (
        (moving.prove, NewAddressLink),
        (moving.agree, OldAddressLink),
        (moving.take_back, TakeBackLink),
    ):
        with pytest.raises(LinkInvalid):
            step(parts, kind(99), parts.now())
