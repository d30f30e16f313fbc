"""Verdicts on the words of a server: whose fault it is, whatever status stands beside them."""

import pytest

from tests.every import of_every
from webapp.replies.verdicts import Fault, Verdict, by_status, judged

# Forms of many servers, in our own words, by whose fault they are.
FORMS = {
    Fault.SENDER: """\
550 5.4.5 Daily user sending limit exceeded
550 5.4.5 Daily SMTP relay limit exceeded for customer
550-5.7.1 Daily relay sending limit exceeded for this customer
550 Domain hearts.example has exceeded the max emails per hour (50/50 (100%)) allowed. Message discarded.
550 Domain hearts.example has exceeded the max defers and failures per hour (5/5 (100%)) allowed. Message discarded.
550 Domain hearts.example has an outgoing mail suspension. Message discarded.
550 Your account has sent its limit of 200 messages today
554 5.1.90 Your message can't be sent because you have reached your daily limit for recipients
554 5.2.0 OutboundSpamException; actual verdict is Suspend
550 5.1.8 Access denied, bad outbound sender
554 5.2.0 Submission quota exceeded
550 5.7.705 Access denied, tenant has exceeded threshold
452 4.5.3 You have sent too many messages in the last hour
451 4.7.1 Hourly sending quota is used up
454 Throttling failure: daily message quota exceeded
454 Throttling failure: maximum sending rate exceeded
554 Message rejected: the email address is not verified
554 Sending is paused for this account
550 5.7.0 Sending disabled until the invoice is paid
451 4.7.1 Maximum credits exceeded
450 4.7.1 You have exceeded your messaging limits
550 5.4.6 Unusual sending activity detected
553 Sender is not allowed to relay emails
550 Outgoing messages per hour exceed your allowance
550 Too many recipients per hour; please slow down
450 4.7.1 Policy rejection; message quota exceeded
421 4.7.0 Too many messages in the last 60 minutes
550 5.7.1 You may send 100 messages a day, and that limit is reached
535 5.7.139 Your account is locked
535 5.7.8 Username and password not accepted
530 5.7.0 Authentication required
530 5.7.0 Must issue a STARTTLS command first
550 5.7.1 Client was not authenticated
550 Please log in first
554 5.7.1 <bo@example.org>: Relay access denied
550 5.7.1 Unable to relay
550 5.7.54 Unable to relay recipient in non-accepted domain
550 relay not permitted
550 we do not relay
553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)
550 5.7.1 <bo@example.org>... Relaying denied
553 5.7.1 <b@hearts.example>: Sender address rejected: not owned by user hearts
550 5.1.8 <b@hearts.example>: Sender address rejected: Domain not found
450 4.1.8 <b@hearts.example>: Sender address rejected: Domain not found
553 5.1.8 Domain of sender address b@hearts.example does not exist
501 5.1.7 bad sender address syntax
553 5.1.7 The sender is invalid
550 5.7.60 Client does not have permissions to send as this sender
550 Sender verify failed
550 5.1.1 Sender unknown
553 Sorry, your domain has no MX or A record
550 Requested action not taken: mailbox unavailable; the sender address is not allowed
550 5.1.1 sorry, your envelope sender is in my list
550 5.7.1 sender blocked
550 From address is not one of yours
554 5.7.1 Your sending domain has been suspended
550 5.7.1 Your account is suspended for spam
554 This account is not allowed to send email
554 Mail from this sender is refused
550 5.7.1 Not authorized to send from this address
550 Unverified sender
550 5.2.1 Sending suspended: account under review
552 5.7.0 Number of messages exceeds the hourly limit
450 4.2.1 Outgoing mail rate limit reached
554 Reached the maximum number of outgoing messages for today
550 You have reached the limit of emails you may send
550 5.7.1 The sender's account is blocked
550 5.7.1 Outbound mail is disabled for this mailbox
550 SMTP sending has been disabled for you
553 5.7.1 Sending address not accepted due to a spam filter
550 We could not verify your sending address: no such user
550 no such user (callout to your server)
550 5.1.1 Sorry, your envelope sender is in my list
553 5.1.8 Domain of sender address does not exist
554 5.7.1 <x[192.0.2.1]>: Relay access denied
550 Verification failed for <b@x>; The mail server does not recognize b@x as a valid sender.""",
    Fault.POLICY: """\
550 5.7.1 blocked
450 4.2.0 <bo@example.org>: Recipient address rejected: Greylisted, come back in 300 seconds
450 4.7.1 Please try again later: greylisting
451 4.7.1 slow down
554 5.7.1 looks like spam
550 5.1.1 mail refused: your host is listed at bl.example
554 5.1.1 Message refused
550 Your message has been detected as bulk
450 5.1.1 The user you are trying to contact is receiving mail too quickly
550-5.2.1 The user is receiving mail at a rate that prevents additional messages
550 permanent failure: rejected due to SPF
554 Refused. You have no reverse DNS entry.
550 5.1.1 Rejected by a filter of the recipient
550 5.1.1 Refused due to recipient preferences
550 5.7.1 Unauthenticated email is not accepted due to the domain's DMARC policy
554 5.2.122 The recipient has exceeded their limit for the number of messages per hour
550 5.7.0 Local policy violation
554 Blocked - see http://help.example/user-not-found
550 SC-001 mail from your server is refused for policy reasons
421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to user complaints
421 RP-001 The mail server has exceeded the rate limit
554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using a list
550 Connection frequency limited; mailbox unavailable or access denied
554 5.7.1 <bo@example.org>: Recipient address rejected: Access denied
504 5.5.2 <x>: Helo command rejected: need fully-qualified hostname
550 Too many invalid recipients
550 High probability of spam
550 Blocked - see http://help.example/user-not-found""",
    Fault.MAIL: """\
552 5.3.4 Message size exceeds fixed limit
552 Message exceeds maximum fixed size
550 5.6.0 Invalid address in a header of the message
552 Your message is too large""",
    Fault.ADDRESS: """\
550 5.1.1 no such person
550 5.4.1 Recipient address rejected: Access denied. [x.prod.outlook.example]
550 Invalid final delivery userid
550 5.1.1 Service unavailable: user unknown
Mail System Error - User unknown
Address not found. Please check the address and try again
550 5.1.10 RESOLVER.ADR.RecipientNotFound
550 5.2.1 The email account is disabled
550 mailbox unavailable
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
550 Destinataire inexistant""",
    Fault.MAILBOX: """\
552 5.2.2 mailbox full
550 User's storage is full
552 Domain quota of the recipient is exceeded
450 4.2.2 Mail quota exceeded
550 Your recipient's account is over quota
552 5.2.2 The email account that you tried to reach is over quota
552 5.2.2 user over quota
552 user bo: mailbox size limit exceeded
554 Sorry, message looping (#5.4.6)
550 The user is suspended for overuse of storage""",
    Fault.LATER: """\
451 4.3.0 Temporary lookup failure
Operation timed out
550 4.4.7 QUEUE.Expired; message expired
450 4.2.0 Mailbox temporarily unavailable
450 4.1.2 host not found, try again
432 4.3.2 come back
450 4.2.1 the mailbox is disabled for an hour""",
    Fault.UNSAID: """\
550 no
554 no
550""",
}
every_form = of_every([(fault, said) for fault, forms in FORMS.items() for said in forms.splitlines()])


@every_form
def test_a_form_is_the_fault_of_whom_it_says(form):
    fault, said = form
    assert judged("", said).fault is fault
    assert judged("5.0.0", said).fault is fault


@every_form
def test_no_declared_status_outweighs_what_is_said(form):
    fault, said = form
    verdict = judged("5.1.1", said)
    if fault in (Fault.SENDER, Fault.POLICY, Fault.MAIL):
        assert verdict.fault is fault
    elif fault is not Fault.UNSAID:
        assert verdict.is_hard == (fault is Fault.ADDRESS)


@of_every(["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1", "5.1.0"])
def test_a_status_of_the_address_is_hard(status):
    assert judged(status, "").is_hard


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        *[(status, Fault.SENDER) for status in ("5.1.7", "5.1.8", "4.1.8", "5.7.8")],
        *[(status, Fault.POLICY) for status in ("5.7.1", "4.7.1", "5.7.26")],
        *[(status, Fault.MAIL) for status in ("5.3.4", "5.6.0")],
        *[(status, Fault.MAILBOX) for status in ("5.2.2", "4.2.2", "5.4.1", "5.4.6")],
        *[(status, Fault.LATER) for status in ("4.1.1", "4.4.1", "4.2.1")],
        *[(status, Fault.UNSAID) for status in ("", "5.0.0", "5.5.0", "2.0.0")],
    ],
)
def test_a_status_alone_says_whose_fault(status, fault):
    assert by_status(status) == judged(status, "") == Verdict(status, fault)


def test_words_on_one_line_say_nothing_about_another():
    joined = "to the following list of recipients: <bo@example.org>: 550 Domain does not exist"
    assert judged("", joined.replace(": ", ":\n")).status == judged("", joined).status == "5.1.2"


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
        pytest.param("5.0.0", "program 2.0.12 said no", "5.0.0", id="no status that means success"),
        pytest.param("4.4.1", "Connection timed out", "4.4.1", id="a status that says why"),
        pytest.param("5.4.1", "Recipient address rejected: Access denied", "5.1.10", id="Microsoft 365's own"),
        pytest.param("5.1.1", "Your daily limit of mails is reached", "5.7.1", id="a limit of ours"),
    ],
)
def test_the_most_precise_status_counts(declared, said, status):
    assert judged(declared, said).status == status
