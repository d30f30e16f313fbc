"""The pages and mails of a move to another address: what they show, what they refuse, and that looking is free."""

import pytest
from bs4 import BeautifulSoup

from tests.cast import address, dump, letters, start_game
from tests.submitting import check_refused
from tests.webapp.accounts.intruder import composed, newest, paths_in, request_move
from tests.webapp.accounts.moving import A_MOMENT, NEW, asked, moved, preferences, states
from webapp.accounts import changing_address
from webapp.core.tokens import NewAddressLink, OldAddressLink, TakeBackLink
from webapp.models import ChangeState, LetterKind


@pytest.fixture(autouse=True)
def _game(runtime):
    start_game(runtime)


def test_a_move_can_be_withdrawn_on_its_status_page(runtime, client):
    page = client.post(f"{preferences(runtime)}/address", data={"address": NEW}, follow_redirects=True)
    assert NEW in page.text
    assert "please answer that email" in page.text
    done = client.post(f"{preferences(runtime)}/address/stop", follow_redirects=True)
    assert "Your address stays as it is" in done.text
    assert "Keep my address" not in done.text
    assert states(runtime) == [ChangeState.DROPPED]
    assert [composed(runtime, letter) for letter in letters(runtime) if letter.address] == ["", "", ""]


def test_an_address_in_use_is_refused_only_after_proof(runtime, client):
    page = client.post(f"{preferences(runtime)}/address", data={"address": address("Cy")}, follow_redirects=True)
    assert "written to the new address" in page.text, "the page does not reveal who plays here"
    before = dump(runtime)
    response = client.post(paths_in(newest(runtime, LetterKind.NEW_ADDRESS))[0])
    check_refused(runtime, before, response, 409, "Somebody else plays")


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
