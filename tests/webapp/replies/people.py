"""The mails of the corpus that people wrote, each with its classification: for `make_corpus`."""

from collections.abc import Iterator
from dataclasses import replace
from html import escape

from tests.webapp.replies.clients import (
    Reply,
    apple_mac,
    apple_phone,
    as_html,
    fairemail,
    fastmail,
    flat,
    gmail_below,
    gmail_web,
    gmx,
    hey,
    html_of,
    inner_html,
    k9,
    marked,
    mutt,
    outlook,
    outlook_web,
    part,
    proton,
    reply,
    samsung,
    text_of,
    thunderbird,
    thunderbird_html,
    yahoo,
)
from tests.webapp.replies.sent import HEARTS, WRITERS, mail

TURN, PASS, MOON, FORCED = mail("turn-following"), mail("pass-classic"), mail("moon"), mail("turn-leading")
Mailed = tuple[str, str, str, str, str, Reply | bytes]  # name, client, language, asked, expected, mail


def people() -> Iterator[Mailed]:
    """Name, client, language, question, classification, and the mail."""
    yield from _top()
    yield from _below()
    yield from _passes()
    yield from _words()
    yield from _nothing()
    yield from _unclear()
    yield from _written_otherwise()
    yield from _odd()


def _top() -> Iterator[Mailed]:
    yield "gmail-web", "Gmail web", "en", "turn", "move KD", gmail_web("KD", TURN)
    yield "gmail-app-symbol", "Gmail app", "en", "turn", "move QS", gmail_web("Q\u2660\ufe0f", TURN)
    german = gmail_web("Karo König", TURN, "Am Mo., 2. März 2026 um 19:00 Uhr schrieb", ":")
    yield "gmail-german-names", "Gmail web", "de", "turn", "move KD", german
    japanese = gmail_web("５Ｄ", TURN, "2026年3月2日(月) 19:00", ":")
    yield "gmail-japanese-wide", "Gmail app", "ja", "turn", "move 5D", japanese
    spanish = gmail_web("reina de picas", TURN, "El lun, 2 mar 2026 a las 19:00,", "escribió:")
    yield "gmail-spanish", "Gmail web", "es", "turn", "move QS", spanish
    portuguese = gmail_web("8d", TURN, "Em seg., 2 de mar. de 2026 às 19:00,", "escreveu:")
    yield "gmail-portuguese", "Gmail app", "pt", "turn", "move 8D", portuguese
    russian = gmail_web("JD.", TURN, "пн, 2 мар. 2026 г. в 19:00,", ":")
    yield "gmail-russian", "Gmail web", "ru", "turn", "move JD", russian
    yield "apple-mac", "Apple Mail macOS", "en", "turn", "move QS", apple_mac("queen of spades", TURN)
    french = apple_mac("Dame de pique\n\nBises, Bo", TURN, "Le 2 mars 2026 à 19:00, Hearts by Mail <{}> a écrit :")
    yield "apple-mac-french", "Apple Mail macOS", "fr", "turn", "move QS", french
    yield "apple-phone", "Apple Mail iOS", "en", "turn", "move KD", apple_phone("Kd", TURN)
    by, foot = "Am 02.03.2026 um 19:00 schrieb Hearts by Mail <{}>:", "Von meinem iPhone gesendet"
    yield "apple-phone-german", "Apple Mail iOS", "de", "turn", "move TH", apple_phone("10 H", TURN, by, foot)
    by, foot = "2026/03/02 19:00、Hearts by Mail <{}>のメール:", "iPhoneから送信"
    yield "apple-phone-japanese", "Apple Mail iOS", "ja", "turn", "move 8D", apple_phone("8D", TURN, by, foot)
    yield (
        "outlook",
        "Outlook desktop",
        "en",
        "turn",
        "move KD",
        outlook("play KD\n\nRegards\nBo\n+49 30 5550 1234", TURN),
    )
    words, moment = ("De", "Envoyé", "À", "Objet"), "lundi 2 mars 2026 19:00"
    french = outlook("as de trèfle", TURN, tuple(f"{word}\u00a0" for word in words), moment, "RE : ", "windows-1252")
    yield "outlook-french-1252", "Outlook desktop", "fr", "turn", "move AC", _without_symbols(french)
    words, moment = ("Fra", "Sendt", "Til", "Emne"), "2. marts 2026 19:00"
    yield "outlook-danish", "Outlook desktop", "da", "turn", "move 5D", outlook("5D", TURN, words, moment, "SV: ")
    words, moment = ("Von", "Gesendet", "An", "Betreff"), "Montag, 2. März 2026 19:00"
    german = outlook("KD\n\nMit freundlichen Grüßen\nBo", TURN, words, moment, "AW: ", "iso-8859-15")
    yield "outlook-german-latin9", "Outlook desktop", "de", "turn", "move KD", _without_symbols(german)
    yield "outlook-web", "Outlook web", "en", "turn", "move KD", outlook_web("KD", TURN)
    foot = "Get Outlook for iOS<https://aka.ms/o0ukef>"
    yield "outlook-phone", "Outlook mobile", "en", "turn", "move JD", outlook_web("J\u2666\ufe0f", TURN, foot)
    yield "thunderbird-html", "Thunderbird", "en", "turn", "move KD", thunderbird_html("KD, please", TURN)
    yield "yahoo", "Yahoo", "en", "turn", "move KD", yahoo("KD", TURN)
    yield (
        "yahoo-spanish",
        "Yahoo",
        "es",
        "turn",
        "move KD",
        yahoo("rey de diamantes", TURN, "El lunes, 2 de marzo de 2026, 19:00"),
    )
    yield "samsung", "Samsung", "en", "turn", "move KD", samsung("K\u2666", TURN)
    yield "k9", "K-9", "en", "turn", "move KD", k9("KD", TURN)
    yield "fairemail", "FairEmail", "nl", "turn", "move KD", fairemail("ruiten heer", TURN)
    yield "proton", "Proton", "en", "turn", "move KD", proton("KD!", TURN)
    yield "gmx", "GMX", "de", "turn", "move KD", gmx("KD", TURN)
    yield "fastmail", "Fastmail", "en", "turn", "move KD", fastmail("the king of diamonds please", TURN)
    yield "hey", "HEY", "en", "turn", "move KD", hey("KD", TURN)
    bare = reply(TURN, [part("text/plain", "KD\n", "us-ascii", "7bit")])
    yield "phone-without-quotation", "docomo", "ja", "turn", "move KD", bare


def _without_symbols(made: Reply) -> Reply:
    """Writes as clients do in an old charset: what it lacks becomes a question mark, or an entity."""
    (text_kind, text, charset, how), (html_kind, html, _, _) = made.parts
    text = text.encode(charset, "replace").decode(charset)
    html = html.encode(charset, "xmlcharrefreplace").decode(charset)
    return replace(made, parts=[(text_kind, text, charset, how), (html_kind, html, charset, how)])


def _below() -> Iterator[Mailed]:
    yield "gmail-below", "Gmail web", "en", "turn", "move KD", gmail_below("KD", TURN)
    sign = "\n-- \nBo\nTel. 030 5550 1234\n"
    yield "thunderbird-below", "Thunderbird", "en", "turn", "move KD", thunderbird("KD", TURN, sign=sign)
    by = "Am 02.03.26 um 19:00 schrieb Hearts by Mail:"
    yield "thunderbird-below-german", "Thunderbird", "de", "turn", "move QS", thunderbird("Pik Dame", TURN, by)
    yield "mutt-below", "mutt", "en", "turn", "move 8D", mutt("8D", TURN)
    lines = text_of(TURN).splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("YOU MAY PLAY"))
    inline = marked("\n".join(lines[:at])) + "\n\nJD\n\n" + marked("\n".join(lines[at:]))
    by = "On Mon, Mar 02, 2026 at 06:00:00PM +0000, Hearts by Mail wrote:"
    yield (
        "mutt-within",
        "mutt",
        "en",
        "turn",
        "move JD",
        reply(TURN, [part("text/plain", f"{by}\n{inline}\n", "utf-8", "8bit")]),
    )
    until = "After that, a robot plays for you."
    cut = text_of(TURN).partition(until)[0] + until
    right_under = f"{by}\n{marked(cut)}\nKD\n"
    yield (
        "alpine-right-under",
        "Alpine",
        "en",
        "turn",
        "move KD",
        reply(TURN, [part("text/plain", right_under, "UTF-8", "8bit")]),
    )


def _passes() -> Iterator[Mailed]:
    yield "pass-one-line", "Gmail web", "en", "pass", "pass AS QS 9C", gmail_web("AS QS 9C", PASS)
    yield "pass-three-lines", "Apple Mail iOS", "en", "pass", "pass AS QS QH", apple_phone("as\nqs\nqh", PASS)
    yield "pass-verb", "Outlook web", "en", "pass", "pass AC AS QS", outlook_web("Pass AC, AS and QS.", PASS)
    flowed = reply(PASS, [part("text/plain", "A♠ \nQ♠ \nQ♥\n", "utf-8", "8bit", "; format=flowed")])
    yield "pass-flowed", "Thunderbird", "en", "pass", "pass AS QS QH", flowed
    by = "Le lun. 2 mars 2026 à 19:00,"
    french = gmail_web("as de pique, dame de pique, dame de cœur", PASS, by, "a écrit :")
    yield "pass-french", "Gmail app", "fr", "pass", "pass AS QS QH", french
    yield "pass-german-html", "GMX", "de", "pass", "pass AS QS AC", gmx("Pik As, Pik Dame, Kreuz As", PASS)
    yield "pass-of-our-own-lines", "Outlook desktop", "en", "pass", "pass 2C 6C 7C", outlook("2C\n6C\n7C", PASS)
    yield "pass-too-few", "Gmail web", "en", "pass", "garbage", gmail_web("QS", PASS)
    yield "pass-too-many", "Yahoo", "en", "pass", "garbage", yahoo("AS QS QH 9C", PASS)


def _words() -> Iterator[Mailed]:
    yield "moon-add", "Gmail app", "en", "moon", "command add", gmail_web("add", MOON)
    yield "moon-subtract", "Samsung", "en", "moon", "command subtract", samsung("Subtract.", MOON)
    yield "ok-forced", "Apple Mail iOS", "en", "forced", "command ok 2C", apple_phone("Ok", FORCED)
    yield "yes-forced", "Outlook mobile", "en", "forced", "command ok 2C", outlook_web("yes!", FORCED)
    yield "ok-not-forced", "Gmail web", "en", "turn", "garbage", gmail_web("ok", TURN)
    yield "away", "Gmail app", "en", "turn", "command away", gmail_web("away", TURN)
    yield "back", "Proton", "en", "turn", "command back", proton("Back", TURN)
    yield "stop", "Yahoo", "en", "turn", "command stop", yahoo("STOP", TURN)
    yield "unsubscribe", "Fastmail", "en", "sheet", "command stop", fastmail("unsubscribe", mail("score-sheet-classic"))
    yield "help", "K-9", "en", "pass", "command help", k9("help", PASS)


def _nothing() -> Iterator[Mailed]:
    yield "empty", "Gmail app", "en", "turn", "empty", reply(TURN, [part("text/plain", "\n\n", "us-ascii", "7bit")])
    yield (
        "empty-html",
        "Apple Mail iOS",
        "en",
        "turn",
        "empty",
        reply(TURN, [part("text/html", "<div dir='auto'><br></div>")]),
    )
    foot = reply(TURN, [part("text/plain", "\n\nSent from my iPhone", "us-ascii", "7bit")])
    yield "empty-but-footer", "Apple Mail iOS", "en", "turn", "empty", foot
    yield "quoted-gmail", "Gmail app", "en", "turn", "quoted-only", gmail_web("", TURN)
    yield (
        "quoted-outlook-danish",
        "Outlook desktop",
        "da",
        "turn",
        "quoted-only",
        outlook("", TURN, ("Fra", "Sendt", "Til", "Emne"), "2. marts 2026 19:00", "SV: "),
    )
    yield "quoted-samsung", "Samsung", "en", "turn", "quoted-only", samsung("", TURN)
    # No mark, no head, no word: only the lines themselves tell that they are ours.
    bare = reply(TURN, [part("text/html", f"<html><body>{inner_html(TURN)}</body></html>")])
    yield "quoted-without-marks", "an old phone", "en", "turn", "quoted-only", bare
    picked = "\n".join(f"> {line}" for line in flat(PASS).splitlines() if len(line) < 4)
    by = "On Mon, 2 Mar 2026, Hearts by Mail wrote:"
    selection = reply(PASS, [part("text/plain", f"{by}\n\n{picked}\n")])
    yield "quoted-selection-of-cards", "Thunderbird", "en", "pass", "quoted-only", selection
    broken = "Hearts: 4H 4♥, 8H 8♥, QH\nQ♥\n"
    careless = reply(PASS, [part("text/plain", f"{by}\n> {broken}> Choose here:\n", "utf-8", "8bit")])
    yield "quoted-broken-lines", "Lotus Notes", "en", "pass", "quoted-only", careless
    forwarded = (
        f"---------- Forwarded message ---------\nFrom: Hearts by Mail <{HEARTS}>\nDate: Mon, 2 Mar 2026 at 19:00\n"
    )
    forwarded += f"Subject: {TURN['Subject']}\nTo: Bo <{WRITERS['Bo']}>\n\n\n{flat(TURN)}"
    yield "forwarded", "Gmail web", "en", "turn", "quoted-only", reply(TURN, [part("text/plain", forwarded)], "Fwd: ")


def _unclear() -> Iterator[Mailed]:
    yield "words", "Gmail web", "en", "turn", "garbage", gmail_web("What does void mean?", TURN)
    yield (
        "card-within-words",
        "Apple Mail macOS",
        "en",
        "turn",
        "garbage",
        apple_mac("I would play QS but I am not sure", TURN),
    )
    yield "greeting-first", "Outlook desktop", "en", "turn", "move KD", outlook("Hi all,\n\nKD\n\nBo", TURN)
    yield "question", "Yahoo", "en", "turn", "garbage", yahoo("KD?", TURN)
    yield "two-cards", "Gmail app", "en", "turn", "garbage", gmail_web("KD JD", TURN)
    yield "two-cards-two-lines", "K-9", "en", "turn", "garbage", k9("KD\n\nJD", TURN)
    yield "some-heart", "Gmail app", "en", "turn", "garbage", gmail_web("a heart", TURN)
    yield "card-to-a-sheet", "Fastmail", "en", "sheet", "garbage", fastmail("KD", mail("score-sheet-classic"))
    yield "moon-word-to-a-turn", "Gmail web", "en", "turn", "garbage", gmail_web("add", TURN)
    yield "phone-number", "Samsung", "de", "turn", "garbage", samsung("0171 555 12 34", TURN)
    yield "arabic", "Gmail app", "ar", "turn", "garbage", gmail_web("\u200fما هذا؟", TURN)


def _written_otherwise() -> Iterator[Mailed]:
    def bare(text: str, charset: str, encoding: str, kind: str = "text/plain") -> Reply:
        return reply(TURN, [part(kind, text, charset, encoding)])

    yield "iso-2022-jp", "Becky!", "ja", "turn", "move KD", bare("KD\nよろしくお願いします\n", "iso-2022-jp", "7bit")
    yield "koi8-r", "The Bat!", "ru", "turn", "move KD", bare("KD\n\nС уважением, Боб\n", "koi8-r", "8bit")
    yield "shift-jis", "docomo", "ja", "turn", "move KD", bare("ＫＤ\nです\n", "shift_jis", "base64")
    yield "gb18030", "Foxmail", "zh", "turn", "move KD", bare("K♦\n谢谢\n", "gb18030", "base64")
    yield "utf-16", "an exporter", "en", "turn", "move KD", bare("K♦\n", "utf-16", "base64")
    yield "utf-7", "an old Outlook", "en", "turn", "move QS", bare("Q♠\n", "utf-7", "7bit")
    yield (
        "entities",
        "Zimbra",
        "en",
        "turn",
        "move QS",
        bare("<p>Q&spades;&#65039;</p><p>&nbsp;</p>", "us-ascii", "7bit", "text/html"),
    )
    cases = {
        "charset-missing": ("text/plain", "Q♠\n".encode(), "move QS"),
        "charset-unknown": ('text/plain; charset="x-unknown"', "Q♠\n".encode(), "move QS"),
        "charset-wrong": ('text/plain; charset="us-ascii"', "Q♠\nGrüße\n".encode(), "move QS"),
        "charset-wrong-latin": ('text/plain; charset="utf-8"', "KD\nGrüße\n".encode("latin-1"), "move KD"),
        "charset-no-text": ('text/plain; charset="rot13"', b"XQ\n", "garbage"),
        "type-broken": ("text/plain charset==; =", b"KD\n", "move KD"),
        "boundary-missing": ("multipart/alternative", b"KD\n", "move KD"),
    }
    for name, (kind, body, expected) in cases.items():
        head = reply(TURN, [part("text/plain", "")]).raw().partition(b"\r\nContent-Type")[0]
        raw = head + f"\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n".encode()
        yield name, "a script", "de", "turn", expected, raw + body.replace(b"\n", b"\r\n")


def _odd() -> Iterator[Mailed]:
    good = reply(TURN, [part("text/plain", "KD\n", "us-ascii", "7bit")]).raw()
    broken = (
        b"X-Broken: =?utf-8?b?//8=?= =?x?q?=\xff\r\nTo: <>, @@, \"\r\nContent-Disposition: inline; filename*=x'y\r\n"
    )
    yield "head-broken", "a gateway", "en", "turn", "move KD", broken + b": no name\r\n" + good
    yield (
        "head-without-colon",
        "a gateway",
        "en",
        "turn",
        "garbage",
        good.replace(b"MIME-Version", b"no colon here\r\nMIME-Version"),
    )
    sealed = (
        'application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"',
        "MIAGCSqGSIb3DQEHA6CAMIACAQAxggFH",
        "us-ascii",
        "base64",
    )
    yield "smime-encrypted", "Outlook desktop", "en", "turn", "garbage", reply(TURN, [sealed])
    signature = (
        'application/pkcs7-signature; name="smime.p7s"',
        "MIAGCSqGSIb3DQEHAqCAMIACAQExDzAN",
        "us-ascii",
        "base64",
    )
    signed = 'multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256'
    text = part("text/plain", f"KD\n\nOn 2 Mar 2026, Hearts by Mail wrote:\n{marked(text_of(TURN))}\n")
    yield "smime-signed", "Apple Mail macOS", "en", "turn", "move KD", reply(TURN, [text, signature], kind=signed)
    seal = (
        'application/pgp-signature; name="signature.asc"',
        "-----BEGIN PGP SIGNATURE-----\n\niHUEARYIAB0\n-----END PGP SIGNATURE-----\n",
        "us-ascii",
        "7bit",
    )
    signed = 'multipart/signed; protocol="application/pgp-signature"; micalg=pgp-sha512'
    yield (
        "pgp-signed",
        "KMail",
        "de",
        "turn",
        "move QS",
        reply(TURN, [part("text/plain", "Q♠\n\n-- \nBo\n"), seal], kind=signed),
    )
    inline = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nKD\n\n- -- \nBo\n"
    inline += "-----BEGIN PGP SIGNATURE-----\n\niHUE\n-----END PGP SIGNATURE-----\n"
    yield "pgp-inline", "Enigmail", "en", "turn", "move KD", reply(TURN, [part("text/plain", inline, "utf-8", "8bit")])
    mixed = "multipart/mixed"
    picture = ('image/jpeg; name="IMG_0815.jpg"', "/9j/4AAQSkZJRgABAQAAAQABAAD", "us-ascii", "base64")
    yield (
        "with-a-picture",
        "Apple Mail iOS",
        "en",
        "turn",
        "move KD",
        reply(TURN, [part("text/plain", "KD\n"), picture], kind=mixed),
    )
    notice = part("text/plain", "\n_______________\nThis mail was scanned by the example.org gateway.\nQS\n")
    html = part("text/html", f"<html><body>{as_html('KD')}</body></html>")
    yield "gateway-notice-behind-html", "Exchange", "en", "turn", "move KD", reply(TURN, [html, notice], kind=mixed)
    yield (
        "huge-line",
        "a script",
        "en",
        "turn",
        "garbage",
        reply(TURN, [part("text/plain", "KD " * 8_000, "us-ascii", "7bit")]),
    )
    later = "KD\n\n" + "x" * 20_000 + "\n"
    yield (
        "huge-line-below",
        "a script",
        "en",
        "turn",
        "move KD",
        reply(TURN, [part("text/plain", later, "us-ascii", "7bit")]),
    )
    deep = "<div>" * 3000 + "KD" + "</div>" * 3000
    yield "html-deep", "a script", "en", "turn", "garbage", reply(TURN, [part("text/html", deep)])
    hidden = (
        f"<html><head><style>.x{{}}</style><title>QS</title></head><body><!-- QS --><p>KD</p></body></html>{escape('')}"
    )
    yield "html-with-a-head", "Zoho", "en", "turn", "move KD", reply(TURN, [part("text/html", hidden)])
    own = f"KD\n\n> On 3 Mar 2026, at 08:00, Bo <{WRITERS['Bo']}> wrote:\n> \n> QS\n> \n>> {text_of(TURN)[:40]}\n"
    yield "answer-to-own-answer", "Apple Mail macOS", "en", "turn", "move KD", reply(TURN, [part("text/plain", own)])
    chain = f"\n\nFrom: Bo <{WRITERS['Bo']}>\nSent: Monday, March 2, 2026 8:00 PM\n"
    chain += "To: Hearts by Mail\nSubject: RE: Your turn\n\nQS\n"
    yield "own-answer-quoted", "Outlook desktop", "en", "turn", "quoted-only", reply(TURN, [part("text/plain", chain)])
    suppressed = [("X-Auto-Response-Suppress", "All"), ("X-Mailer", "Microsoft Outlook 16.0"), ("Auto-Submitted", "no")]
    yield "suppress-is-no-sign", "Exchange", "en", "turn", "move KD", replace(outlook("KD", TURN), head=suppressed)
    whole = reply(TURN, [part("text/html", html_of(TURN).replace("<body", "<body><p>KD</p><body", 1))])
    yield "typed-into-our-page", "Outlook web", "en", "turn", "move KD", whole
