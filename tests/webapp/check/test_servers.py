"""The servers of a mailbox, from the DNS, a file, or what somebody typed."""

import pytest

from tests.names import name_server
from webapp.check.servers import NoAutoconfig, Server, Servers, by_autoconfig, by_dns, by_name

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
