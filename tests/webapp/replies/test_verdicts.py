"""Verdicts on the words of a server: a dead address, or anything else, whatever status stands beside them."""

import pytest

from tests.every import of_every
from webapp.replies.verdicts import is_hard, judged

GONE = """\
550 5.1.1 Email address could not be found, or was misspelled
550 Unknown address error 550-'5.1.1 https://help.example/blocked' (delivery attempts: 0)
550 Mailbox not found
550 User not local; please try another
550-The recipient cannot be verified. Please check all recipients of this message
550 user does not exist
550 no such recipient here
550 #5.1.0 Address rejected.
550 We do not have an account by that name
550 Requested action not taken: mailbox unavailable
554 5.5.1 Error: no valid recipients
550 No such person at this address
550 5.1.1 Unknown or illegal alias
550 Unable to find alias for user
Die Empfängeradresse ist unbekannt
L'adresse du destinataire est inconnue
553 5.3.0 <bo@spam.example>... Unknown E-mail Address
550 Host unknown
Name or service not known; domain not found
551 5.1.6 the recipient is no longer on this server
4.0.0 DNS error: the lookup of exampel.org responded with code NXDOMAIN
550 This mailbox is blocked for inactivity
550 Mailbox suspended; please reach its owner another way
550 The account is inactive
550 User bo has been removed
554 rejected: bo is no longer an employee
550 Nombre de usuario inexistente
550 Destinataire inexistant"""
ALIVE = """\
550 5.1.1 mail refused: your host is listed at bl.example
554 5.1.1 Message refused
550 5.1.1 Sorry, your envelope sender is in my list
550 Your message has been detected as bulk
552 5.2.2 user over quota
550 User's storage is full
552 user bo: mailbox size limit exceeded
450 5.1.1 The user you are trying to contact is receiving mail too quickly
550-5.2.1 The user is receiving mail at a rate that prevents additional messages
554 Sorry, message looping (#5.4.6)
550 permanent failure: rejected due to SPF
550 Blocked - see http://help.example/user-not-found
554 Refused. You have no reverse DNS entry.
550 Too many invalid recipients
553 5.1.8 Domain of sender address does not exist
553 Sorry, your domain has no MX or A record
450 4.1.2 host not found, try again
504 5.5.2 <x>: Helo command rejected: need fully-qualified hostname
554 5.7.1 <x[192.0.2.1]>: Relay access denied
550 Verification failed for <b@x>; The mail server does not recognize b@x as a valid sender.
550 5.1.1 Rejected by a filter of the recipient
550 5.6.0 Invalid address in a header of the message
501 5.1.7 bad sender address syntax
552 Message exceeds maximum fixed size
450 4.2.1 the mailbox is disabled for an hour
Operation timed out
550 We could not verify your sending address: no such user
550 no such user (callout to your server)
550 Connection frequency limited; mailbox unavailable or access denied
550 The user is suspended for overuse of storage
554 5.7.1 <bo@example.org>: Recipient address rejected: Access denied"""


@of_every(GONE.splitlines())
def test_words_about_a_dead_address_are_hard(said):
    assert is_hard(judged("5.0.0", said))


@of_every(ALIVE.splitlines())
def test_words_about_anything_else_are_soft_whatever_is_declared(said):
    for declared in ("5.0.0", "5.1.1", ""):
        assert not is_hard(judged(declared, said))


@pytest.mark.parametrize(
    ("declared", "said", "status"),
    [
        pytest.param("5.1.1", "", "5.1.1", id="nothing is said"),
        pytest.param("", "", "", id="nothing at all"),
        pytest.param("5.1.1", "550 5.7.1 no", "5.7.1", id="the server's own status outranks"),
        pytest.param("5.1.1", "450 5.1.1 no", "4.1.1", id="a code that contradicts the server's own status"),
        pytest.param("5.0.0", "550 5.2.2 no", "5.2.2", id="a vague status"),
        pytest.param("5.1.1", "450 later", "4.0.0", id="a code that contradicts the status"),
        pytest.param("5.1.1", "552 mailbox full", "5.2.2", id="a full mailbox"),
        pytest.param("5.0.0", "host 192.0.2.5.1.1 said no", "5.0.0", id="no status within an address"),
        pytest.param("4.4.1", "Connection timed out", "4.4.1", id="a status that says why"),
    ],
)
def test_the_most_precise_status_counts(declared, said, status):
    assert judged(declared, said) == status
