"""Emails about a change of address: who gets each, and the links in it."""

import re

from tests.cast import address, start_game
from tests.mailing import letters_to
from webapp.accounts import changing_address
from webapp.core import tokens
from webapp.models import LetterKind
from worker import postman


def test_a_move_sends_one_link_to_each_address(runtime, smtp_server):
    start_game(runtime)
    bo, new = letters_to(runtime, "Bo", LetterKind.TURNS)[0].player_id, "bo@new.example"
    changing_address.request_change(runtime, tokens.PreferencesLink(bo), new, None, runtime.now())
    postman.deliver(runtime)
    (proof,) = smtp_server.to(new)
    asked = smtp_server.to(address("Bo"))[-1]
    assert asked.subject == "Shall your games move to another address?"
    assert (kinds_in(proof), kinds_in(asked)) == ({"new-address"}, {"old-address"})
    assert [mail.message["List-Unsubscribe"] for mail in (proof, asked)] == [None, None]
    changing_address.prove(runtime, tokens.NewAddressLink(1), runtime.now())
    changing_address.agree(runtime, tokens.OldAddressLink(1), runtime.now())
    postman.deliver(runtime)
    subject = "Your email goes to another address now"
    (to_bo,) = [mail for mail in smtp_server.to(address("Bo")) if mail.subject == subject]
    assert kinds_in(to_bo) == {"take-back"}
    assert all(new not in mail.message.as_string() for mail in (asked, to_bo)), "the mail does not name the new address"
    assert {"Your email comes here now", "Is this your new address?"} <= {mail.subject for mail in smtp_server.to(new)}


def kinds_in(mail):
    """The kinds of links in an email."""
    return set(re.findall(r"http://127\.0\.0\.1:8000/([\w-]+)/", mail.message.as_string().replace("=\n", "")))
