"""The mails of the corpus that machines wrote, and those of impostors: for `make_corpus`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import dedent

from tests.webapp.replies.clients import Reply, apple_mac, flat, gmail_web, outlook, part, reply, text_of
from tests.webapp.replies.people import TURN, Mailed
from tests.webapp.replies.sent import HEARTS, WRITERS

BO = WRITERS["Bo"]
NULL = [("Return-Path", "<>")]
Head = Sequence[tuple[str, str]]


def machines() -> Iterator[Mailed]:
    """Name, client, language, question, classification, and the mail."""
    yield from _vacation_notes()
    yield from _other_machines()
    yield from _reports()
    yield from _notes_of_old_servers()
    yield from _spoofs()


def _note(text: str, subject: str, head: Head, charset: str = "utf-8", encoding: str = "8bit") -> Reply:
    made = Reply([part("text/plain", text, charset, encoding)], subject, answers=str(TURN["Message-ID"]))
    return replace(made, head=head)


def _vacation_notes() -> Iterator[Mailed]:
    replied = [*NULL, ("Auto-Submitted", "auto-replied")]
    text = "I am out of the office until 9 March.\nQS\n"
    yield "vacation", "Gmail web", "en", "turn", "autoreply", _note(text, "Out of office Re: Your turn", replied)
    exchange = [
        ("Auto-Submitted", "auto-generated"),
        ("X-Auto-Response-Suppress", "All"),
        ("x-ms-exchange-parent-message-id", "<x>"),
    ]
    german = "Ich bin bis 9. März nicht im Büro.\n\nMit freundlichen Grüßen\nBo"
    subject = "Automatische Antwort: Your turn: trick 5, diamonds led"
    yield (
        "vacation-exchange-german",
        "Exchange",
        "de",
        "turn",
        "autoreply",
        _note(german, subject, exchange, "windows-1252"),
    )
    # Some servers send no field that says so: the subject has to do.
    for name, language, subject, text, charset in (
        ("vacation-german-subject", "de", "Abwesenheitsnotiz: Bo", "KD\n", "utf-8"),
        ("vacation-french", "fr", "Réponse automatique : Your turn", "Je suis absent jusqu'au 9 mars.", "iso-8859-1"),
        ("vacation-spanish", "es", "Respuesta automática: Your turn", "Estaré fuera hasta el 9 de marzo.", "utf-8"),
        ("vacation-danish", "da", "Autosvar: Your turn", "Jeg er på ferie.", "iso-8859-1"),
        ("vacation-portuguese", "pt", "Resposta automática: Your turn", "Estou de férias.", "utf-8"),
        ("vacation-russian", "ru", "Автоответ: Your turn", "Я в отпуске до 9 марта.", "koi8-r"),
        ("vacation-dutch", "nl", "Automatisch antwoord: Your turn", "Ik ben afwezig.", "utf-8"),
        ("vacation-japanese", "ja", "自動応答: Your turn", "3月9日まで不在です。", "iso-2022-jp"),
    ):
        yield name, "a vacation program", language, "turn", "autoreply", _note(text, subject, [], charset)
    comment = [("Auto-Submitted", "auto-replied (vacation)"), ("Precedence", "bulk")]
    yield "vacation-with-comment", "Sieve", "en", "turn", "autoreply", _note("KD\n", "Re: Your turn", comment)
    yield (
        "autorespond-cpanel",
        "cPanel",
        "en",
        "turn",
        "autoreply",
        _note("ok\n", "Re: Your turn", [("X-Autorespond", "1")]),
    )
    yield (
        "autoreply-qmail",
        "qmail",
        "en",
        "turn",
        "autoreply",
        _note("KD\n", "Re: Your turn", [("Precedence", "auto_reply")]),
    )
    yield "null-sender", "a vacation program", "en", "turn", "autoreply", _note("KD\n", "Re: Your turn", NULL)


def _other_machines() -> Iterator[Mailed]:
    loop = replace(gmail_web("KD", TURN), sender=f"Hearts by Mail <{HEARTS}>")
    yield "loop-own-name", "a forwarder", "en", "turn", "autoreply", loop
    back = TURN.as_bytes()
    yield "loop-own-mail", "a forwarder", "en", "turn", "autoreply", back
    listed = replace(
        gmail_web("KD", TURN), head=[("List-Id", "Hearts <hearts.lists.example.org>"), ("Precedence", "list")]
    )
    yield "mailing-list", "Mailman", "en", "turn", "autoreply", listed
    calendar = "BEGIN:VCALENDAR\nMETHOD:REPLY\nBEGIN:VEVENT\nUID:1\n"
    calendar += "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.org\nEND:VEVENT\nEND:VCALENDAR\n"
    accepted = reply(
        TURN, [part("text/plain", "yes\n"), part("text/calendar", calendar, more="; method=REPLY")], "Accepted: "
    )
    yield "calendar-accepted", "Outlook desktop", "en", "forced", "autoreply", accepted
    receipt = "Reporting-UA: mail.example.org; Outlook\nFinal-Recipient: rfc822;bo@example.org\n"
    receipt += "Disposition: manual-action/MDN-sent-manually; displayed\n"
    read = reply(
        TURN,
        [
            part("text/plain", "Your message was read.\n"),
            ("message/disposition-notification", receipt, "us-ascii", "7bit"),
        ],
        "Read: ",
    )
    yield (
        "read-receipt",
        "Outlook desktop",
        "en",
        "turn",
        "autoreply",
        replace(read, kind="multipart/report; report-type=disposition-notification"),
    )
    report = "Feedback-Type: abuse\nUser-Agent: Example/1.0\nVersion: 1\nOriginal-Rcpt-To: bo@example.org\n"
    abuse = reply(
        TURN,
        [part("text/plain", "This is an abuse report.\n"), ("message/feedback-report", report, "us-ascii", "7bit")],
        "FW: ",
    )
    yield (
        "complaint",
        "Yahoo",
        "en",
        "turn",
        "autoreply",
        replace(abuse, kind="multipart/report; report-type=feedback-report"),
    )
    reaction = reply(
        TURN,
        [
            part("text/plain", "👍\n\nBo reacted via Gmail\n"),
            part("text/vnd.google.email-reaction+json", '{"emoji":"👍","version":1}'),
        ],
    )
    yield "reaction", "Gmail app", "en", "turn", "autoreply", reaction


def _report(text: str, status: str, sender: str, subject: str, head: Head = NULL) -> Reply:
    """A report in the standard form, our mail enclosed."""
    enclosed = f"From: Hearts by Mail <{HEARTS}>\nTo: Bo <{BO}>\nSubject: {TURN['Subject']}\n"
    enclosed += f"Message-ID: {TURN['Message-ID']}\n\n{text_of(TURN)}"
    parts = [
        ("text/plain; charset=us-ascii", dedent(text), "utf-8", "8bit"),
        ("message/delivery-status", dedent(status).lstrip(), "us-ascii", "7bit"),
        ("message/rfc822", enclosed, "utf-8", "8bit"),
    ]
    made = Reply(parts, subject, sender=sender, kind="multipart/report; report-type=delivery-status")
    return replace(made, head=head)


def _status(action: str, status: str, diagnostic: str, more: str = "") -> str:
    return (
        "Reporting-MTA: dns; mx.hearts.example\nArrival-Date: Mon,  2 Mar 2026 18:00:02 +0000 (UTC)\n\n"
        f"Final-Recipient: rfc822; {BO}\n{more}Action: {action}\nStatus: {status}\n"
        f"Remote-MTA: dns; mx.example.org\nDiagnostic-Code: smtp; {diagnostic}\n"
    )


def _reports() -> Iterator[Mailed]:
    postfix = "MAILER-DAEMON@mx.hearts.example (Mail Delivery System)"
    sorry = "Undelivered Mail Returned to Sender"
    said = f"""
        This is the mail system at host mx.hearts.example.

        I'm sorry to have to inform you that your message could not
        be delivered to one or more recipients. It's attached below.

        <{BO}>: host mx.example.org[192.0.2.25] said: """
    unknown = f"550 5.1.1 <{BO}>: Recipient address rejected: User unknown"
    full = "452 4.2.2 The email account that you tried to reach is over quota."
    spam = "550 5.7.1 Message rejected as spam by content filtering."
    made = _report(
        said + unknown, _status("failed", "5.1.1", unknown, f"Original-Recipient: rfc822;{BO}\n"), postfix, sorry
    )
    yield "bounce-postfix-unknown", "Postfix", "en", "turn", f"bounce address failed 5.1.1 {BO}", made
    made = _report(said + full, _status("failed", "4.2.2", full), postfix, sorry)
    yield "bounce-postfix-full", "Postfix", "en", "turn", f"bounce mailbox failed 4.2.2 {BO}", made
    made = _report(said + spam, _status("failed", "5.7.1", spam), postfix, sorry)
    yield "bounce-spam", "Postfix", "en", "turn", f"bounce policy failed 5.7.1 {BO}", made
    late = (
        "Your message could not be delivered for more than 4 hour(s).\nIt will be retried until it is 5 day(s) old.\n"
    )
    made = _report(
        late,
        _status("delayed", "4.4.1", "connect to mx.example.org[192.0.2.25]:25: Connection timed out"),
        postfix,
        "Delayed Mail (still being retried)",
    )
    yield "bounce-delayed", "Postfix", "en", "turn", f"bounce later delayed 4.4.1 {BO}", made
    made = _report(
        "Your message was successfully delivered.\n",
        _status("delivered", "2.0.0", "250 2.0.0 Ok: queued as 4711"),
        postfix,
        "Successful Mail Delivery Report",
    )
    yield "bounce-delivered", "Postfix", "en", "turn", f"bounce unsaid delivered 2.0.0 {BO}", made
    made = _report("Your message was relayed.\n", _status("relayed", "2.1.9", "250 Ok"), postfix, "Relayed: Your turn")
    yield "bounce-relayed", "Exchange", "en", "turn", f"bounce unsaid relayed 2.1.9 {BO}", made
    google = "Mail Delivery Subsystem <mailer-daemon@googlemail.com>"
    text = f"** Address not found **\n\nYour message wasn't delivered to {BO} because the address couldn't be found.\n"
    head = [*NULL, ("X-Failed-Recipients", BO), ("Auto-Submitted", "auto-replied")]
    made = _report(
        text,
        _status("failed", "5.1.1", "550-5.1.1 The email account that you tried to reach does not exist."),
        google,
        "Delivery Status Notification (Failure)",
        head,
    )
    yield "bounce-gmail", "Gmail", "en", "turn", f"bounce address failed 5.1.1 {BO}", made
    text = f"Ihre Nachricht an {BO} wurde blockiert.\nDas Postfach ist deaktiviert."
    exchange = "<postmaster@example.org>"
    made = _report(
        text, _status("failed", "5.2.1", "550 5.2.1 mailbox disabled"), exchange, "Unzustellbar: Your turn: trick 5"
    )
    yield "bounce-exchange-german", "Exchange", "de", "turn", f"bounce address failed 5.2.1 {BO}", made
    text = "Votre message n'a pas pu être remis. Le destinataire a refusé l'accès."
    made = _report(
        text,
        _status("failed", "5.4.1", "550 5.4.1 Recipient address rejected: Access denied"),
        exchange,
        "Non remis : Your turn",
    )
    yield "bounce-exchange-french", "Exchange", "fr", "turn", f"bounce address failed 5.1.10 {BO}", made
    exim = "Mail Delivery System <Mailer-Daemon@mx.hearts.example>"
    text = f"A message that you sent could not be delivered to one or more of its recipients.\n\n  {BO}\n"
    made = _report(
        text,
        _status("failed", "5.0.0", f"550 5.1.1 <{BO}> unknown"),
        exim,
        "Mail delivery failed: returning message to sender",
    )
    yield "bounce-exim-vague-status", "Exim", "en", "turn", f"bounce address failed 5.1.1 {BO}", made
    bare = _status("failed", "5.0.0", "550 no such user here")
    yield (
        "bounce-vague",
        "Exim",
        "en",
        "turn",
        f"bounce address failed 5.1.1 {BO}",
        _report("Sorry.\n", bare, exim, "Mail delivery failed"),
    )
    ours = _status("failed", "5.1.8", "553 5.1.8 Sender address rejected: Domain not found")
    yield (
        "bounce-of-our-sender",
        "Postfix",
        "en",
        "turn",
        f"bounce sender failed 5.1.8 {BO}",
        _report("Sorry.\n", ours, postfix, sorry),
    )


def _notes_of_old_servers() -> Iterator[Mailed]:
    qmail = f"""\
        Hi. This is the qmail-send program at mx.example.org.
        I'm afraid I wasn't able to deliver your message to the following addresses.
        This is a permanent error; I've given up. Sorry it didn't work out.

        <{BO}>:
        192.0.2.25 does not like recipient.
        Remote host said: 550 5.1.1 <{BO}>: user unknown
        Giving up on 192.0.2.25.

        --- Below this line is a copy of the message.

        """
    made = Reply([part("text/plain", dedent(qmail) + text_of(TURN))], "failure notice", "MAILER-DAEMON@mx.example.org")
    yield "bounce-qmail", "qmail", "en", "turn", f"bounce address failed 5.1.1 {BO}", replace(made, head=NULL)
    exim = f"""\
        This message was created automatically by mail delivery software.

        A message that you sent could not be delivered to one or more of its
        recipients. This is a permanent error. The following address(es) failed:

          {BO}
            SMTP error from remote mail server after end of data:
            552 mailbox full

        ------ This is a copy of the message, including all the headers. ------

        """
    head = [*NULL, ("X-Failed-Recipients", BO), ("Auto-Submitted", "auto-replied")]
    subject = "Mail delivery failed: returning message to sender"
    made = Reply(
        [part("text/plain", dedent(exim) + flat(TURN))], subject, "Mail Delivery System <Mailer-Daemon@mx.example.org>"
    )
    yield "bounce-exim", "Exim", "en", "turn", f"bounce mailbox failed 5.2.2 {BO}", replace(made, head=head)
    warning = f"""\
        This message was created automatically by mail delivery software.
        A message that you sent has not yet been delivered to one or more of its
        recipients after more than 24 hours on the queue on mx.example.org.

          {BO}
            host mx.example.org [192.0.2.25]: 451 4.3.0 try again later

        No action is required on your part.
        """
    made = Reply(
        [part("text/plain", dedent(warning))],
        "Warning: message 1rgJk3-0004 delayed 24 hours",
        "Mailer-Daemon@mx.example.org",
    )
    yield "bounce-exim-delayed", "Exim", "en", "turn", f"bounce later delayed 4.3.0 {BO}", replace(made, head=NULL)
    domino = (
        f"Your message could not be delivered.\n\n{BO}\n\nUser not listed in public Name & Address Book\n550 5.1.1\n"
    )
    made = Reply([part("text/plain", domino)], "DELIVERY FAILURE: User not listed", "Postmaster@example.org")
    yield "bounce-domino", "Lotus Domino", "en", "turn", f"bounce address failed 5.1.1 {BO}", replace(made, head=NULL)


def _spoofs() -> Iterator[Mailed]:
    eve = "Bo <eve@example.org>"
    good = gmail_web("KD", TURN)
    yield "spoof-other-sender", "Gmail web", "en", "turn", "spoof", replace(good, sender=eve)
    yield (
        "spoof-name-like-an-address",
        "Gmail web",
        "en",
        "turn",
        "spoof",
        replace(good, sender=f'"{BO}" <eve@example.org>'),
    )
    yield "spoof-two-addresses", "a script", "en", "turn", "spoof", replace(good, sender=f"{BO}, eve@example.org")
    yield "spoof-two-senders", "a script", "en", "turn", "spoof", replace(good, head=[("From", eve)])
    yield (
        "spoof-no-sender",
        "a script",
        "en",
        "turn",
        "spoof",
        good.raw().replace(b"\r\nFrom: ", b"\r\nX-From: ").replace(b"From: Bo", b"X-From: Bo", 1),
    )
    yield "spoof-half-an-address", "a script", "en", "turn", "spoof", replace(good, sender=f"<{BO}>eve@example.org")
    failed = [
        (
            "Authentication-Results",
            "mx.hearts.example; dkim=none; spf=softfail; dmarc=fail (p=none) header.from=example.org",
        )
    ]
    passed = [
        (
            "Authentication-Results",
            "mx.hearts.example; dkim=pass header.d=example.org; dmarc=pass header.from=example.org",
        )
    ]
    forged = [("Authentication-Results", "mx.hearts.example; dmarc=pass header.from=example.org")]
    yield "spoof-dmarc", "a script", "en", "turn", "spoof", replace(good, head=failed)
    yield "spoof-dmarc-forged-below", "a script", "en", "turn", "spoof", replace(good, head=failed + forged)
    yield "dmarc-fail-of-a-second-program", "a script", "en", "turn", "spoof", replace(good, head=passed + failed)
    other = [("Authentication-Results", "mx.elsewhere.example; dmarc=fail header.from=example.org")]
    yield (
        "dmarc-of-another-server",
        "Outlook desktop",
        "en",
        "turn",
        "move KD",
        replace(outlook("KD", TURN), head=other),
    )
    said = [
        (
            "Authentication-Results",
            'mx.hearts.example; spf=pass (he said "dmarc=fail"; dmarc=fail) smtp.mailfrom=example.org',
        )
    ]
    yield "dmarc-in-a-comment", "Apple Mail macOS", "en", "turn", "move KD", replace(apple_mac("KD", TURN), head=said)
    none = [("Authentication-Results", "mx.hearts.example 1; dmarc=none")]
    yield "dmarc-none", "Gmail web", "en", "turn", "move KD", replace(good, head=none)
    yield (
        "sender-in-capitals",
        "Outlook desktop",
        "en",
        "turn",
        "move KD",
        replace(outlook("KD", TURN), sender="BO@Example.ORG"),
    )
    twice = replace(good, sender=f"{BO} <{BO}>")
    yield "sender-twice-the-same", "Gmail web", "en", "turn", "move KD", twice
