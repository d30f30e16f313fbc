"""Verdicts of our own mail server about a sender: whose fields count, and for which address in From."""

import pytest

from webapp.core.credentials import UNNAMED, VERDICTS
from webapp.replies.authentication import Verdict, signed_by, verdict_on
from webapp.replies.received import parse_mail

HOST = "mx.hearts.example"


def mail(*verdicts: str, sender: str = "bo@example.org"):
    head = "".join(f"Authentication-Results: {verdict}\r\n" for verdict in verdicts)
    return parse_mail(f"{head}From: Bo <{sender}>\r\n\r\nKD\r\n".encode())


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        pytest.param([f"{HOST}; dmarc=pass header.from=example.org"], "genuine", id="DMARC"),
        pytest.param([f"{HOST}; dmarc=pass"], "genuine", id="DMARC without a domain"),
        pytest.param([f"{HOST}; dmarc=pass header.from=bo@example.org"], "genuine", id="DMARC with the address"),
        pytest.param([f"{HOST}; dmarc=pass header.from=elsewhere.example"], "none", id="DMARC of another domain"),
        pytest.param([f"{HOST}; dmarc=none; dkim=pass header.d=example.org"], "genuine", id="DKIM of the domain"),
        pytest.param([f"{HOST}; dkim=pass header.i=@example.org"], "genuine", id="DKIM of an identity"),
        pytest.param([f"{HOST}; dkim=pass header.d=elsewhere.example"], "none", id="DKIM of another domain"),
        pytest.param([f"{HOST}; dkim=pass header.d=org"], "none", id="DKIM of everybody"),
        pytest.param([f"{HOST}; dkim=pass header.d=sub.example.org"], "none", id="DKIM of a domain below"),
        pytest.param([f"{HOST}; dkim=pass"], "none", id="DKIM of nobody"),
        pytest.param([f"{HOST}; spf=pass smtp.mailfrom=bounces@example.org"], "genuine", id="SPF"),
        pytest.param([f"{HOST}; spf=softfail smtp.mailfrom=bo@example.org"], "none", id="SPF that fails softly"),
        pytest.param([f"{HOST}; spf=pass smtp.mailfrom=eve.example"], "none", id="SPF of the envelope alone"),
        pytest.param([f"{HOST}; dkim=pass header.d=example.org", f"{HOST}; dmarc=fail"], "forged", id="any failure"),
        pytest.param([f"{HOST}; spf=none", f"{HOST}; dmarc=pass"], "none", id="forged below ours"),
        pytest.param([f"{HOST};", f"{HOST}; dmarc=pass"], "none", id="forged below ours that says nothing"),
        pytest.param([f"{HOST}; bimi=none", f"{HOST}; dmarc=pass"], "genuine", id="below ours about a picture"),
        pytest.param([f"{HOST}; spf=none (; dmarc=pass)"], "none", id="in a comment"),
        pytest.param(["dmarc=pass header.from=example.org"], "none", id="signed by nobody"),
        pytest.param(["mx.eve.example; dmarc=pass", f"{HOST}; dmarc=pass"], "none", id="below another server's"),
        pytest.param([], "none", id="none at all"),
    ],
)
def test_only_our_servers_verdict_on_the_address_counts(verdicts, verdict):
    assert verdict_on(mail(*verdicts), HOST) is Verdict(verdict)
    assert verdict_on(mail(*verdicts), None) is Verdict.NONE


# As each provider writes it, for a mail from example.org.
WRITTEN = {
    "imap.gmail.com": [
        "mx.google.com;\r\n       dkim=pass header.i=@example.org header.s=s1 header.b=ab;\r\n       spf=pass (x.com: "
        "domain of bo@example.org designates 192.0.2.1 as permitted sender) smtp.mailfrom=bo@example.org;\r\n       "
        "dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=example.org"
    ],
    "outlook.office365.com": [
        "spf=pass (sender IP is 192.0.2.1)\r\n smtp.mailfrom=example.org; dkim=pass (signature was verified)\r\n "
        "header.d=example.org;dmarc=pass action=none\r\n header.from=example.org;compauth=pass reason=100"
    ],
    "imap.mail.yahoo.com": [
        "atlas206.free.mail.ne1.yahoo.com;\r\n dkim=pass header.i=@example.org header.s=s1;\r\n spf=pass "
        "smtp.mailfrom=example.org;\r\n dmarc=pass(p=NONE) header.from=example.org;"
    ],
    "imap.mail.me.com": [
        "bimi.icloud.com; bimi=none",
        "dmarc.icloud.com; dmarc=pass header.from=example.org",
        "dkim-verifier.icloud.com;\r\n\tdkim=pass (2048-bit key) header.d=example.org header.i=@example.org",
    ],
    "imap.fastmail.com": ["mx3.messagingengine.com;\r\n    dkim=pass (2048-bit rsa key) header.d=example.org"],
    "imap.gmx.net": ["gmx.net; dkim=pass header.i=@example.org"],
    "posteo.de": [
        "posteo.de; dmarc=pass (p=none dis=none) header.from=example.org",
        "posteo.de; spf=pass smtp.mailfrom=example.org",
    ],
    "imap.zoho.com": ["mx.zohomail.com;\r\n\tdkim=pass;\r\n\tdmarc=pass(p=none dis=none)  header.from=example.org"],
    "imap.yandex.com": ["mxfront2g.mail.yandex.net; spf=pass (mxfront2g.mail.yandex.net: ok) smtp.mail=bo@example.org"],
    "imap.mail.ru": ["mxs.mail.ru; spf=none () smtp.mailfrom=x;\r\n\t dmarc=pass header.from=bo@example.org"],
}


@pytest.mark.parametrize("server", WRITTEN)
def test_the_verdict_of_each_provider_is_read(server):
    written = mail(*WRITTEN[server])
    assert verdict_on(written, VERDICTS[server]) is Verdict.GENUINE
    assert verdict_on(mail("aaa.example; dmarc=pass", *WRITTEN[server]), VERDICTS[server]) is Verdict.NONE


def test_of_a_server_without_a_name_the_topmost_field_counts():
    assert verdict_on(mail("spf=none", "dmarc=pass header.from=example.org"), UNNAMED) is Verdict.NONE
    assert verdict_on(mail("mx.eve.example; dmarc=pass"), UNNAMED) is Verdict.NONE
    assert verdict_on(mail("spf=none; dmarc=fail action=none"), UNNAMED) is Verdict.FORGED


@pytest.mark.parametrize(
    ("verdicts", "name"),
    [
        ([f"{HOST} 1; dmarc=pass"], HOST),
        (["spf=pass smtp.mailfrom=x"], UNNAMED),
        ([], None),
        ([""], None),
        ([f"{HOST}; auth=pass"], None),
    ],
)
def test_who_signs_the_topmost_verdict_is_named(verdicts, name):
    assert signed_by(mail(*verdicts)) == name
