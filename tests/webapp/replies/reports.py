"""Delivery reports in the form of many servers, in our own words: each with its program and what it means.

The meanings: "hard" (the address is invalid), "ours" (a limit, a policy, spam; the sender or the mail itself is
refused), "soft" (full, a fault of the server, no reason), "late" (it is still tried) or "fine" (it has arrived).
"""

from collections.abc import Iterator
from dataclasses import dataclass

BO = "bo@example.org"
OTHER = "forwarded@elsewhere.example"  # to which Bo's server passes mail on
RETURNED = "Received: from hearts.example by mx.hearts.example; Mon, 2 Mar 2026 18:00:01 +0000\nFrom: Hearts by Mail\n"
RETURNED += f" <hearts@hearts.example>\nTo: Bo <{BO}>\nSubject: Your turn: trick 5, diamonds led\n\nYour turn.\n"


@dataclass(frozen=True)
class Report:
    """One report, as it arrives at the bounce address with the null sender."""

    program: str
    meaning: str
    raw: bytes


def _standard(
    note: str,
    fields: str,
    *,
    sender: str = "MAILER-DAEMON@mx.hearts.example (Mail Delivery System)",
    subject: str = "Undelivered Mail Returned to Sender",
    kind: str = "multipart/report; report-type=delivery-status",
    of_fields: str = "message/delivery-status",
    of_copy: str = "message/rfc822",
    head: str = "",
) -> bytes:
    """A report of three parts."""
    return (
        f'From: {sender}\nSubject: {subject}\nMIME-Version: 1.0\n{head}Content-Type: {kind}; boundary="=_r"\n\n'
        f"--=_r\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{note}\n\n"
        f"--=_r\nContent-Type: {of_fields}\n\nReporting-MTA: dns; mx.example.net\n\n{fields}\n\n"
        f"--=_r\nContent-Type: {of_copy}\n\n{RETURNED}\n--=_r--\n"
    ).encode()


def _fields(status: str, said: str = "", action: str = "failed", to: str = f"rfc822; {BO}", more: str = "") -> str:
    diagnostic = f"\nDiagnostic-Code: {said}" if said else ""
    return f"Final-Recipient: {to}\n{more}Action: {action}\nStatus: {status}{diagnostic}"


def _note(
    text: str,
    sender: str = "MAILER-DAEMON@mx.example.net",
    subject: str = "failure notice",
    head: str = "",
) -> bytes:
    """A note in plain text alone."""
    return f"From: {sender}\nSubject: {subject}\n{head}\n{text}\n".encode()


def reports() -> Iterator[Report]:
    """All reports."""
    for of_program in (
        *(_postfix, _sendmail, _exim, _qmail, _exchange, _gmail, _outlook, _opensmtpd, _yahoo),
        *(_haraka_and_others, _small_programs, _international, _gateways, _of_our_relay),
    ):
        yield from of_program()


def _postfix() -> Iterator[Report]:
    note = f"This is the mail system at host mx.hearts.example.\n\n<{BO}>: host mx.example.org[192.0.2.25] said: {{}}"
    for meaning, status, said in (
        ("hard", "5.1.1", f"550 5.1.1 <{BO}>: Recipient address rejected: User unknown in virtual mailbox table"),
        ("hard", "5.0.0", "550 No such user here (in reply to RCPT TO command)"),
        ("hard", "5.0.0", "550 sorry, no mailbox here by that name. (#5.7.17)"),
        ("hard", "5.2.1", "550 5.2.1 The account is disabled and takes no messages (in reply to RCPT TO command)"),
        ("hard", "5.0.0", "554 delivery error: dd This user doesn't have a yahoo.com account [-9]"),
        (
            "ours",
            "5.1.1",
            "550 5.1.1 Mail from 192.0.2.1 refused: blocked by a list, see https://list.example/user-unknown",
        ),
        ("soft", "5.2.2", "552 5.2.2 <bo>: mailbox is over quota (in reply to end of DATA command)"),
        ("ours", "5.0.0", "554 Your message looks like spam (in reply to end of DATA command)"),
        ("ours", "5.7.1", "554 5.7.1 Service denied; Client host [192.0.2.1] is on a block list"),
        ("ours", "4.7.1", "450 4.7.1 <mx.hearts.example>: Helo command rejected: Host not found"),
        ("ours", "5.1.8", "553 5.1.8 <b@hearts.example>: Sender address rejected: Domain not found"),
        ("ours", "4.2.0", f"450 4.2.0 <{BO}>: Recipient address rejected: greylisted, come back later"),
        ("ours", "5.3.4", "552 5.3.4 Message size exceeds fixed limit"),
    ):
        yield Report("Postfix", meaning, _standard(note.format(said), _fields(status, f"smtp; {said}")))
    said = "X-Postfix; Host or domain name not found. Name service error for name=exampel.org type=A: Host not found"
    yield Report("Postfix", "hard", _standard(note.format(said), _fields("5.4.4", said)))
    said = "X-Postfix; connect to mx.example.org[192.0.2.25]:25: Connection timed out"
    yield Report("Postfix", "soft", _standard(note.format(said), _fields("4.4.1", said)))
    late = _fields("4.4.1", said, "delayed")
    yield Report("Postfix", "late", _standard(note.format(said), late, subject="Delayed Mail (still being retried)"))
    fine = _fields("2.0.0", "smtp; 250 2.0.0 Ok: queued as 4711", "delivered")
    yield Report("Postfix", "fine", _standard("It was delivered.", fine, subject="Successful Mail Delivery Report"))
    forwarded = _fields("5.1.1", "smtp; 550 5.1.1 unknown user", to=f"rfc822; {OTHER}")
    yield Report("Postfix", "hard", _standard(f"<{OTHER}> (expanded from <{BO}>): unknown user", forwarded))


def _sendmail() -> Iterator[Report]:
    daemon = "Mail Delivery Subsystem <MAILER-DAEMON@mx.example.net>"
    note = f"   ----- The following addresses had permanent fatal errors -----\n<{BO}>\n    (reason: {{0}})\n"
    note += "   ----- Transcript of session follows -----\n... while talking to mx.example.org.:\n<<< {0}"
    for meaning, said in (
        ("hard", f"550 5.1.1 <{BO}>... User unknown"),
        ("ours", "550 5.7.1 Mail from your network is refused"),
        ("ours", f"550 5.7.1 <{BO}>... Relaying denied"),
        ("ours", "553 5.7.1 <b@hearts.example>... Sender refused"),
        ("ours", "554 5.7.1 Rejected: 192.0.2.1 is on a block list"),
        ("soft", "552 5.2.2 Disk quota of the recipient is used up"),
    ):
        declared = _fields("5.1.1", f"SMTP; {said}")
        sent = _standard(
            note.format(said), declared, sender=daemon, subject="Returned mail: see transcript for details"
        )
        yield Report("Sendmail", meaning, sent)
    warned = "    **********************************************\n    **      THIS IS A WARNING MESSAGE ONLY      **\n"
    subject = "Warning: could not send message for past 4 hours"
    late = _fields("4.2.0", action="delayed", more="Will-Retry-Until: Sat, 7 Mar 2026 18:00:00 +0000\n")
    yield Report("Sendmail", "late", _standard(warned, late, sender=daemon, subject=subject))
    fine = _fields("2.1.5", action="deliverable")
    yield Report(
        "Sendmail", "fine", _standard("The address was checked.", fine, sender=daemon, subject="Return receipt")
    )


def _exim() -> Iterator[Report]:
    daemon = "Mail Delivery System <Mailer-Daemon@mx.example.net>"
    subject = "Mail delivery failed: returning message to sender"
    head = f"X-Failed-Recipients: {BO}\nAuto-Submitted: auto-replied\n"
    note = "This message was created automatically by mail delivery software.\n\nA message that you sent could not be\n"
    note += f"delivered. This is a permanent error. The following address(es) failed:\n\n  {BO}\n    {{}}\n\n"
    for meaning, said in (
        (
            "hard",
            "host mx.example.org [192.0.2.25]\n    SMTP error from remote mail server after RCPT TO: 550 5.1.1 unknown",
        ),
        ("hard", "Unrouteable address"),
        ("hard", "550 no such address here"),
        ("soft", "mailbox is full: retry timeout exceeded"),
        ("soft", "SMTP error from remote mail server after end of data: 552 mailbox full"),
        ("ours", "550-Verification failed for <b@hearts.example>\n    550 Sender verify failed"),
        ("soft", "retry timeout exceeded"),
        ("ours", "550 High probability of spam"),
    ):
        copy = f"------ This is a copy of the message, including all the headers. ------\n\n{RETURNED}"
        yield Report("Exim", meaning, _note(note.format(said) + copy, daemon, subject, head))
        one_line = " ".join(said.split())
        passed_on = _fields("5.0.0", f"smtp; {one_line}", to="rfc822; hearts@elsewhere.example")
        sent = _standard(note.format(said), passed_on, sender=daemon, subject=subject, head=head)
        yield Report("Exim, after a redirect", meaning, sent)
    late = f"A message that you sent has not yet been delivered after 24 hours.\n\n  {BO}\n\nNo action is needed."
    yield Report("Exim", "late", _note(late, daemon, "Warning: message 1rgJk3-0004 delayed 24 hours"))


def _qmail() -> Iterator[Report]:
    note = (
        "Hi. This is the qmail-send program at mx.example.net.\nI'm afraid I wasn't able to deliver your message to\n"
    )
    note += f"the following addresses. This is a permanent error; I've given up.\n\n<{BO}>:\n{{}}\n\n"
    note += f"--- Below this line is a copy of the message.\n\n{RETURNED}"
    for meaning, said in (
        ("hard", "Sorry, no mailbox here by that name. (#5.1.1)"),
        (
            "hard",
            "192.0.2.25 does not like recipient.\nRemote host said: 550 5.1.1 user unknown\nGiving up on 192.0.2.25.",
        ),
        ("hard", "Sorry, I couldn't find any host named exampel.org. (#5.1.2)"),
        ("soft", "The users mailfolder is over the allowed quota (size). (#5.2.2)"),
        ("ours", "192.0.2.25 failed after I sent the message.\nRemote host said: 554 spam is not welcome here"),
        ("soft", "Sorry, I wasn't able to establish an SMTP connection. (#4.4.1)\nI'm not going to try again."),
    ):
        yield Report("qmail", meaning, _note(note.format(said)))


def _exchange() -> Iterator[Report]:
    sender, subject = "<postmaster@example.org>", "Undeliverable: Your turn: trick 5"
    note = f"Delivery has failed to these recipients or groups:\n\nBo ({BO})\n{{}}\n\nDiagnostic information:\n"
    for meaning, why, status, said in (
        (
            "hard",
            "The address wasn't found.",
            "5.1.10",
            "550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found by lookup",
        ),
        ("hard", "The address wasn't found.", "5.1.1", "550 5.1.1 RESOLVER.ADR.RecipNotFound; not found"),
        (
            "soft",
            "The recipient's mailbox is full.",
            "5.2.2",
            "554 5.2.2 mailbox full; STOREDRV.Deliver: QuotaExceeded",
        ),
        ("ours", "You can't send to this group.", "5.7.1", "550 5.7.1 RESOLVER.RST.NotAuthorized; not authorized"),
        (
            "ours",
            "A rule of the organization rejects it.",
            "5.7.1",
            "550 5.7.1 TRANSPORT.RULES.RejectMessage; by policy",
        ),
        ("soft", "It was tried for two days.", "4.4.7", "550 4.4.7 QUEUE.Expired; message expired"),
        ("soft", "It was sent too often.", "5.4.6", "554 5.4.6 Hop count exceeded - possible mail loop"),
    ):
        sent = _standard(note.format(why), _fields(status, f"smtp;{said}"), sender=sender, subject=subject)
        yield Report("Exchange", meaning, sent)
    german = "Fehler bei der Nachrichtenzustellung an folgende Empfänger:\n\nDie E-Mail-Adresse wurde nicht gefunden."
    sent = _standard(german, _fields("5.1.1"), sender=sender, subject="Unzustellbar: Your turn: trick 5")
    yield Report("Exchange, German", "hard", sent)
    late = _fields("4.4.7", action="delayed")
    yield Report(
        "Exchange", "late", _standard("It is late.", late, sender=sender, subject="Delivery delayed: Your turn")
    )
    fine = _fields("2.1.9", action="relayed")
    yield Report("Exchange", "fine", _standard("It was passed on.", fine, sender=sender, subject="Relayed: Your turn"))


def _gmail() -> Iterator[Report]:
    sender = "Mail Delivery Subsystem <mailer-daemon@googlemail.com>"
    head = f"X-Failed-Recipients: {BO}\nAuto-Submitted: auto-replied\n"
    note = (
        f"** Address not found or no delivery **\n\nYour message wasn't delivered to {BO}.\n\nThe response was:\n{{}}"
    )
    for meaning, status, said in (
        (
            "hard",
            "5.1.1",
            "550-5.1.1 The email account does not exist. Check it for typos. https://support.example/?p=NoSuchUser",
        ),
        ("hard", "5.2.1", "550 5.2.1 The email account is disabled. https://support.example/?p=DisabledUser"),
        (
            "ours",
            "5.2.1",
            "550-5.2.1 This user gets mail at a rate that prevents more messages. https://support.example/rate",
        ),
        ("soft", "5.2.2", "552-5.2.2 The recipient's inbox is out of storage space. https://support.example/quota"),
        ("ours", "5.7.26", "550-5.7.26 Your email has been blocked because the sender is unauthenticated."),
        ("ours", "5.7.1", "550-5.7.1 Our system has found that this message is likely unsolicited mail."),
    ):
        sent = _standard(
            note.format(said),
            _fields(status, f"smtp; {said}"),
            sender=sender,
            subject="Delivery Status Notification (Failure)",
            head=head,
        )
        yield Report("Gmail", meaning, sent)
    said = "smtp; DNS Error: exampel.org does not resolve: Domain name not found"
    text = "Your message wasn't delivered because the domain couldn't be found."
    yield Report("Gmail", "hard", _standard(text, _fields("5.1.2", said), sender=sender, head=head))
    text = f"** Address not found **\n\nNobody has the address {BO}. Please check it for typing errors and try again."
    yield Report("Gmail, informal", "hard", _note(text, sender, "Delivery Status Notification (Failure)", head))
    text = f"Your message to {BO} has not arrived yet. It is tried for two more days."
    yield Report("Gmail, informal", "late", _note(text, sender, "Delivery Status Notification (Delay)", head))
    late = _fields("4.4.1", action="delayed")
    subject = "Delivery Status Notification (Delay)"
    yield Report("Gmail", "late", _standard("Delivery incomplete", late, sender=sender, subject=subject))


def _outlook() -> Iterator[Report]:
    sender = "postmaster@outlook.com"
    for meaning, status, said in (
        ("hard", "5.5.0", "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)"),
        ("hard", "5.1.1", "550 5.1.1 The address is unknown"),
        ("hard", "5.4.1", "550 5.4.1 Recipient address rejected: Access denied. AS(201806281)"),
        (
            "ours",
            "5.7.1",
            "550 5.7.1 Messages from [192.0.2.1] weren't sent: part of your network is on our block list (S3150)",
        ),
        ("ours", "5.7.0", "550 SC-001 Unfortunately, mail from your server is refused for policy reasons"),
        ("ours", "4.7.0", "421 RP-001 The mail server has exceeded the rate limit"),
        ("ours", "5.2.122", "554 5.2.122 The recipient has exceeded their limit for the number of messages per hour"),
    ):
        sent = _standard("Sorry.", _fields(status, f"smtp;{said}"), sender=sender, subject="Undeliverable: Your turn")
        yield Report("Outlook.com", meaning, sent)


def _opensmtpd() -> Iterator[Report]:
    for meaning, action, said in (
        ("hard", "failed", f"{BO}: 550 5.1.1 <{BO}>: user unknown"),
        ("hard", "failed", f"{BO}: 550 Invalid recipient"),
        ("ours", "failed", f"{BO}: 553 5.1.8 Domain of sender address b@hearts.example does not exist"),
        ("ours", "failed", f"{BO}: 550 Domain of your address does not exist"),
        ("hard", "failed", f"{BO}: Domain does not exist"),
        ("ours", "failed", f"{BO}: 554 5.7.1 That is spam"),
        ("soft", "failed", f"{BO}: 552 5.2.2 Mailbox full"),
        ("late", "delayed", f"{BO}: Network error on destination MXs"),
    ):
        note = "    Hi!\n\n    This is the MAILER-DAEMON, please DO NOT REPLY.\n\n    The mail could not go to this"
        note += f" list of recipients:\n\n{said}\n\n    Below is a copy of\n"
        sent = _standard(
            note,
            _fields("5.0.0" if action == "failed" else "4.0.0", action=action),
            sender="Mailer Daemon <MAILER-DAEMON@mx.example.net>",
            subject="Delivery status notification: error",
            kind="multipart/mixed",
            of_copy="text/rfc822-headers",
        )
        yield Report("OpenSMTPD", meaning, sent)


def _yahoo() -> Iterator[Report]:
    sender, text = (
        "MAILER-DAEMON@yahoo.com",
        f"Sorry, we were unable to deliver your message to the following address.\n\n<{BO}>:\n",
    )
    for meaning, said in (
        ("hard", "554: delivery error: dd This user doesn't have a yahoo.com account [0] - mta1.mail.yahoo.example"),
        ("hard", "550: 5.1.1 unknown user"),
        (
            "soft",
            "554: delivery error: dd Your message cannot be delivered. This mailbox is disabled (554.30): over quota",
        ),
        ("ours", "554: 5.7.9 Message not accepted for policy reasons"),
        ("ours", "421: 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to user complaints"),
    ):
        copy = f"\n--- Below this line is a copy of the message.\n\n{RETURNED}"
        yield Report("Yahoo", meaning, _note(f"{text}{said}\n{copy}", sender, "Failure Notice"))


def _haraka_and_others() -> Iterator[Report]:
    haraka = f"This is the Haraka mail server at mx.example.net.\n\nSome of your recipients failed:\n<{BO}>: {{}}"
    for meaning, status, said in (
        ("hard", "5.1.1", "550 5.1.1 I cannot deliver mail for that user"),
        ("hard", "5.1.2", "No such domain"),
        ("ours", "5.0.0", "554 The content was rejected by a filter"),
    ):
        sent = _standard(haraka.format(said), _fields(status, f"smtp; {said}"), subject="Failed mail")
        yield Report("Haraka", meaning, sent)
    domino = f"Your message\n\n  Subject: Your turn\n\nwas not delivered to:\n\n  {BO}\n\nbecause:\n\n  {{}}\n"
    for meaning, why in (
        ("hard", "User bo (bo@example.org) not listed in Domino Directory"),
        ("hard", "550 No such recipient"),
        ("soft", "Mail database is full; the quota is exceeded"),
        ("ours", "Delivery was denied by a rule against spam"),
    ):
        sent = _standard(
            domino.format(why), _fields("5.0.0"), sender="Postmaster@example.org", subject=f"DELIVERY FAILURE: {why}"
        )
        yield Report("Domino", meaning, sent)
    mdaemon = "The following data may be of help:\n--> RCPT To:<{}>\n<-- {}\n\n: Message contains [1] file attachments"
    for meaning, said in (
        ("hard", "550 5.1.1 Recipient unknown"),
        ("soft", "552 Requested mail action aborted: exceeded storage allocation, mailbox full"),
        ("ours", "550 5.7.1 Refused by spam filter"),
    ):
        sent = _note(mdaemon.format(BO, said), "MDaemon@mx.example.net", "Permanent Delivery Failure")
        yield Report("MDaemon", meaning, sent)
    zimbra = f"This is the mail system at host mx.example.net.\n\n<{BO}>: {{}}"
    for meaning, status, said in (
        ("hard", "5.1.1", f"550 5.1.1 <{BO}>: Recipient address rejected: example.org"),
        ("soft", "5.2.2", "x-unix; 452 4.2.2 Over quota"),
    ):
        yield Report("Zimbra", meaning, _standard(zimbra.format(said), _fields(status, f"smtp; {said}")))
    icloud = "smtp; 550 5.1.1 unable to find the recipient; user unknown"
    yield Report("iCloud", "hard", _standard("Sorry.", _fields("5.1.1", icloud), sender="postmaster@mac.example"))


def _small_programs() -> Iterator[Report]:
    dma = f"This is the DragonFly Mail Agent v0.13 at mx.example.net.\n\nAn error came up for your mail to <{BO}>.\n\n"
    dma += "mx.example.org [192.0.2.25] did not like our RCPT TO:\n{}\n\nMessage headers follow:\n"
    for meaning, said in (
        ("hard", "550 5.1.1 user unknown"),
        ("ours", "550 5.7.1 blocked"),
        ("soft", "452 4.2.2 full"),
    ):
        sent = _note(dma.format(said), "MAILER-DAEMON <>", "Mail delivery failed", f"X-Original-To: <{BO}>\n")
        yield Report("dma", meaning, sent)
        yield Report("dma, nobody named", meaning, _note(dma.format(said).replace(BO, ""), "MAILER-DAEMON <>", "Error"))
    courier = f"This is a notification from mx.example.net.\n\nUNDELIVERABLE MAIL\n\n<{BO}>:\n  mx.example.org:\n"
    for meaning, said in (("hard", "<<< 550 User unknown."), ("ours", "<<< 550 5.7.1 Spam refused.")):
        sent = _standard(courier + said, _fields("5.0.0", f"smtp; {said}"), subject="NOTICE: mail delivery status.")
        yield Report("Courier", meaning, sent)
    null = _fields("5.7.6", "smtp; 550 5.7.6 Access denied, banned sending IP")
    yield Report("nullmailer", "ours", _standard("It failed.", null, subject="Returned Mail: Your turn"))
    groupwise = "The message that you sent was undeliverable to the following:\n\tbo (user not found)\n"
    yield Report("GroupWise", "hard", _note(groupwise, "Mailer-Daemon@example.org", "Message status - undeliverable"))
    lmtp = _fields("5.2.2", "lmtp; 552 5.2.2 <bo> Quota exceeded (mailbox for user is full)")
    yield Report("Dovecot's LMTP", "soft", _standard("Sorry.", lmtp))
    cyrus = _fields(
        "5.1.1", "lmtp; 550-Mailbox unknown. Either there is no mailbox for this name, or you may not write"
    )
    yield Report("Cyrus", "hard", _standard("Sorry.", cyrus))
    james = f"The following recipients failed:\n{BO}: 550 Requested action not taken: no such user here"
    yield Report("James", "hard", _note(james, "postmaster@mx.example.net", "Undeliverable: Your turn"))
    without = "Nobody has this name here: unknown user."
    yield Report("a script", "hard", _note(without, "Mail <robot@example.org>", "Your turn: trick 5"))


def _international() -> Iterator[Report]:
    for name, kind, of_fields in (
        ("RFC 6533", "multipart/report; report-type=delivery-status", "message/global-delivery-status"),
        ("RFC 6533, encoded", "multipart/report; report-type=delivery-status", "message/global-delivery-status"),
    ):
        to = f"utf-8; {BO}" if name == "RFC 6533" else r"utf-8; b\x{6F}@example.org"
        fields = _fields("5.1.1", "smtp; 550 5.1.1 unknown", to=to)
        yield Report(
            name, "hard", _standard("Sorry.", fields, kind=kind, of_fields=of_fields, of_copy="message/global")
        )
    french = f"Votre message n'a pas pu être remis à <{BO}> : la boîte aux lettres est pleine (552 5.2.2)"
    yield Report("Orange", "soft", _note(french, "postmaster@example.org", "Non remis : Your turn"))
    german = f"Die Adresse {BO} existiert nicht."
    yield Report("GMX", "hard", _note(german, "mailer-daemon@gmx.example", "Mail delivery failed: nicht zustellbar"))


def _gateways() -> Iterator[Report]:
    for name, meaning, said in (
        ("Mimecast", "hard", "550 Invalid Recipient - https://help.example/blocked#550"),
        ("Mimecast", "ours", "550 Rejected by header based policy - https://help.example/recipient-unknown"),
        ("Proofpoint", "hard", "550 5.1.1 User Unknown"),
        ("Proofpoint", "ours", "554 Blocked - see https://ipcheck.example/?ip=192.0.2.1"),
        ("Barracuda", "hard", f"550 permanent failure for one or more recipients ({BO}:550 5.1.1 unknown user)"),
        ("Barracuda", "ours", f"550 permanent failure for one or more recipients ({BO}:blocked)"),
        ("Cisco", "hard", f"550 #5.1.0 Address rejected {BO}: recipient does not exist"),
        ("Cisco", "ours", "554 Your access to this mail system has been rejected because of poor reputation"),
        ("Apple", "ours", "550 5.7.1 [CS01] Message rejected due to local policy"),
    ):
        yield Report(name, meaning, _standard(f"It failed.\n\n<{BO}>: {said}", _fields("5.0.0", f"smtp; {said}")))


def _of_our_relay() -> Iterator[Report]:
    """Reports of a relay that has taken a mail of ours at first."""
    daemon, subject = "Mail Delivery System <Mailer-Daemon@host.example.net>", "Mail delivery failed"
    note = f"A message that you sent could not be delivered to one of its recipients.\n\n  {BO}\n    {{}}\n\n"
    for meaning, said in (
        ("ours", "Domain hearts.example has exceeded the max emails per hour (51/50 (102%)) allowed."),
        ("ours", "550 5.4.5 The daily limit of mails that this user may send is reached"),
        ("ours", "550 5.1.7 The sender is malformed"),
        ("ours", "550 5.7.1 Your account has been suspended"),
        ("ours", "550 5.1.1 Refused due to recipient preferences"),
        ("ours", "451 4.7.1 Greylisting in action, please come back later"),
        ("hard", "550 Mail System Error - User unknown"),
        ("hard", "550 5.0.0 Service unavailable\n    User unknown"),
        ("hard", "554 Invalid final delivery userid"),
    ):
        yield Report("Exim of a host", meaning, _note(note.format(said), daemon, subject))
        declared = _fields("5.0.0", f"smtp; {' '.join(said.split())}")
        yield Report("Exim of a host", meaning, _standard("Sorry.", declared, sender=daemon, subject=subject))
    warned = f"** THIS IS A WARNING MESSAGE ONLY **\n\nThe mail to {BO} could not go out yet."
    yield Report("Sendmail, informal", "late", _note(warned, daemon, "Returned mail: delivery problems"))
