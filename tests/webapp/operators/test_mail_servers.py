"""Mail servers by DNS: the records that our mail needs, and where a mailbox is."""

import pytest

from tests.names import deaf_resolver, name_server
from tests.webapp.operators.domains import DOMAIN, REPLIES
from webapp.operators.mail_servers import (
    NoAutoconfig,
    Server,
    Servers,
    State,
    by_autoconfig,
    by_dns,
    by_name,
    check_records,
)

RSA, ED25519 = f"hearts._domainkey.{DOMAIN}", f"fast._domainkey.{DOMAIN}"


def good_records(keys):
    rsa, ed25519 = keys[1]
    return {
        (REPLIES, "TXT"): ['"something else"', '"v=spf1 a:relay.example.net -all"'],
        (RSA, "TXT"): [f'"{rsa[:200]}" "{rsa[200:]}"'],
        (ED25519, "TXT"): [f'"{ed25519}"'],
        ("_dmarc.example.org", "TXT"): ['"v=DMARC1; p=none"'],
        (REPLIES, "MX"): ["10 mx.example.org."],
    }


def found(runtime, records):
    """The findings by what they are about; those on keys by the name of its record."""
    with name_server(records) as resolver:
        return {name_of(finding.text): finding for finding in check_records(runtime.settings, resolver)}


def name_of(text):
    name, _, rest = text.partition(" ")
    return rest.removeprefix("of ").partition(":")[0] if text.startswith("DKIM of") else name.rstrip(":")


def test_good_records_are_ok(sending_runtime, keys):
    findings = found(sending_runtime, good_records(keys))
    assert {name: finding.state for name, finding in findings.items()} == dict.fromkeys(
        ("SPF", RSA, ED25519, "DMARC", "MX"), State.OK
    )
    assert "of example.org" in findings["DMARC"].text, "the record of the parent domain is enough"


def test_a_missing_record_is_reported_with_one_that_helps(sending_runtime, keys):
    findings = found(sending_runtime, {})
    assert {finding.state for finding in findings.values()} == {State.MISSING}
    assert findings["SPF"].create.startswith(f'{REPLIES}. TXT "v=spf1 a:relay.example.net -all"')
    assert findings["DMARC"].create == f'_dmarc.{DOMAIN}. TXT "v=DMARC1; p=none; rua=mailto:play@{DOMAIN}"'
    assert findings["MX"].create.startswith(f"{REPLIES}. MX 10 ")
    for key in (RSA, ED25519):
        name, _, record = findings[key].create.partition(". TXT ")
        assert all(len(text) <= 255 for text in record.split('" "'))
        assert found(sending_runtime, {(name, "TXT"): [record]})[key].state is State.OK


def test_a_record_without_a_kind_of_key_means_rsa(sending_runtime, keys):
    halves = [text.partition(" p=")[2] for text in keys[1]]
    bare = {(RSA, "TXT"): [f'"p={halves[0][:250]}" "{halves[0][250:]}"'], (ED25519, "TXT"): [f'"p={halves[1]}"']}
    findings = found(sending_runtime, {**good_records(keys), **bare})
    assert [findings[name].state for name in (RSA, ED25519)] == [State.OK, State.MISSING]


WRONG = [
    pytest.param({(REPLIES, "TXT"): ['"v=spf1 -all"', '"v=spf1 mx -all"']}, "SPF", "only one may stay", id="two SPF"),
    pytest.param({(RSA, "TXT"): ['"v=DKIM1; p=AAAA"']}, RSA, "another key", id="old key"),
    pytest.param({(f"_dmarc.{DOMAIN}", "TXT"): ['"hello"']}, "DMARC", "no record", id="no DMARC, but something"),
]


@pytest.mark.parametrize(("wrong", "name", "words"), WRONG)
def test_a_wrong_record_is_reported(sending_runtime, keys, wrong, name, words):
    finding = found(
        sending_runtime,
        {**good_records(keys), **({("_dmarc.example.org", "TXT"): []} if name == "DMARC" else {}), **wrong},
    )[name]
    assert (finding.state, words in finding.text) == (State.MISSING, True)


@pytest.mark.usefixtures("haste")
def test_without_a_name_server_nothing_is_called_missing(sending_runtime):
    findings = check_records(sending_runtime.settings, deaf_resolver())
    assert {finding.state for finding in findings} == {State.UNKNOWN}
    assert all("could not be looked up" in finding.text for finding in findings)


ADDRESS = "hearts@example.org"
AUTOCONFIG = """<?xml version="1.0"?>
<clientConfig version="1.1"><emailProvider id="example.org">
  <incomingServer type="pop3"><hostname>pop.example.org</hostname><port>995</port><socketType>SSL</socketType>
  </incomingServer>
  <incomingServer type="imap"><hostname>imap.example.org</hostname><port>143</port><socketType>plain</socketType>
  </incomingServer>
  <incomingServer type="imap"><hostname>imap.example.org</hostname><port>993</port><socketType>SSL</socketType>
    <username>%EMAILLOCALPART%</username></incomingServer>
  <outgoingServer type="smtp"><hostname>smtp.example.org</hostname><port>587</port><socketType>STARTTLS</socketType>
    <username>%EMAILADDRESS%</username></outgoingServer>
</emailProvider></clientConfig>"""


def test_the_dns_names_the_servers():
    records = {
        ("_imaps._tcp.example.org", "SRV"): ["10 0 993 second.example.org.", "0 1 993 first.example.org."],
        ("_submissions._tcp.example.org", "SRV"): ["0 0 0 ."],
        ("_submission._tcp.example.org", "SRV"): ["0 0 587 smtp.example.org."],
    }
    with name_server(records) as resolver:
        found = by_dns(ADDRESS, resolver)
        assert found.fetching.url == "imaps://hearts%40example.org@first.example.org:993"
        assert found.sending.url == "smtp://hearts%40example.org@smtp.example.org:587"
        assert by_dns("hearts@example.com", resolver) == Servers()


def test_an_autoconfig_file_names_the_encrypted_servers():
    found = by_autoconfig(AUTOCONFIG, ADDRESS)
    assert found.fetching == Server("imaps", "imap.example.org", 993, "hearts")
    assert found.sending == Server("smtp", "smtp.example.org", 587, ADDRESS)


@pytest.mark.parametrize("text", ["", "<a", "<clientConfig/>", AUTOCONFIG.replace('"imap"', '"pop3"')])
def test_another_file_is_refused(text):
    with pytest.raises(NoAutoconfig):
        by_autoconfig(text, ADDRESS)


@pytest.mark.parametrize(
    ("typed", "sends", "url"),
    [
        ("imap.example.org", False, "imaps://hearts%40example.org@imap.example.org:993"),
        ("imap.example.org:143", False, "imap://hearts%40example.org@imap.example.org:143"),
        ("smtp.example.org", True, "smtps://hearts%40example.org@smtp.example.org:465"),
        (" smtp.example.org:587 ", True, "smtp://hearts%40example.org@smtp.example.org:587"),
    ],
)
def test_a_typed_name_chooses_the_encryption_by_its_port(typed, sends, url):
    assert by_name(typed, ADDRESS, sends=sends).url == url


@pytest.mark.parametrize("typed", ["", ":993", "a/b", "a:b", "a:0", "a:65536"])
def test_what_names_no_server_is_refused(typed):
    with pytest.raises(ValueError, match=r"^"):
        by_name(typed, ADDRESS, sends=False)


def test_missing_servers_come_from_the_next_source():
    one, other = Server("imaps", "a", 993, ADDRESS), Server("smtps", "b", 465, ADDRESS)
    assert Servers(one).or_else(Servers(other, other)) == Servers(one, other)
