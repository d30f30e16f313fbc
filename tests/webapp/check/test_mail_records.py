"""The records in the DNS: which are missing or wrong, and what to create instead."""

import pytest

from tests.names import deaf_resolver, name_server
from tests.webapp.check.domains import DOMAIN, REPLIES
from tests.worker.scripted import with_relay
from webapp.check import mail_records
from webapp.check.mail_records import State, check_records


def good_records(key):
    in_two = f'"v=DKIM1; k=rsa; p={key[1][:200]}" "{key[1][200:]}"'
    return {
        (REPLIES, "TXT"): ['"something else"', '"v=spf1 a:relay.example.net -all"'],
        (f"hearts._domainkey.{DOMAIN}", "TXT"): [in_two],
        ("_dmarc.example.org", "TXT"): ['"v=DMARC1; p=none"'],
        (REPLIES, "MX"): ["10 mx.example.org."],
    }


def found(runtime, records):
    with name_server(records) as resolver:
        return {
            finding.text.partition(" ")[0].rstrip(":"): finding for finding in check_records(runtime.settings, resolver)
        }


def test_good_records_are_ok(sending_runtime, key):
    findings = found(sending_runtime, good_records(key))
    assert {name: finding.state for name, finding in findings.items()} == dict.fromkeys(
        ("SPF", "DKIM", "DMARC", "MX"), State.OK
    )
    assert "of example.org" in findings["DMARC"].text, "the record of the parent domain is enough"


def test_a_missing_record_is_reported_with_one_to_create_that_helps(sending_runtime, key):
    findings = found(sending_runtime, {})
    assert {finding.state for finding in findings.values()} == {State.MISSING}
    assert findings["SPF"].create.startswith(f'{REPLIES}. TXT "v=spf1 a:relay.example.net -all"')
    assert findings["DMARC"].create == f'_dmarc.{DOMAIN}. TXT "v=DMARC1; p=none; rua=mailto:play@{DOMAIN}"'
    assert findings["MX"].create.startswith(f"{REPLIES}. MX 10 ")
    name, _, record = findings["DKIM"].create.partition(". TXT ")
    assert all(len(text) <= 255 for text in record.split('" "'))
    assert found(sending_runtime, {(name, "TXT"): [record]})["DKIM"].state is State.OK


def test_the_record_has_the_public_half_of_the_key(key):
    assert mail_records.public_key(key[0].read_bytes()) == key[1]


WRONG = [
    pytest.param({(REPLIES, "TXT"): ['"v=spf1 -all"', '"v=spf1 mx -all"']}, "SPF", "only one may stay", id="two SPF"),
    pytest.param({(f"hearts._domainkey.{DOMAIN}", "TXT"): ['"v=DKIM1; p=AAAA"']}, "DKIM", "another key", id="old key"),
    pytest.param({(f"_dmarc.{DOMAIN}", "TXT"): ['"hello"']}, "DMARC", "no record", id="no DMARC, but something"),
]


@pytest.mark.parametrize(("wrong", "name", "words"), WRONG)
def test_a_wrong_record_is_reported(sending_runtime, key, wrong, name, words):
    finding = found(
        sending_runtime,
        {**good_records(key), **({("_dmarc.example.org", "TXT"): []} if name == "DMARC" else {}), **wrong},
    )[name]
    assert (finding.state, words in finding.text) == (State.MISSING, True)


def test_an_unreadable_key_is_named(sending_runtime, tmp_path):
    broken = tmp_path / "broken.pem"
    broken.write_text("-----BEGIN PRIVATE KEY-----\nno\n-----END PRIVATE KEY-----\n")
    there = with_relay(sending_runtime, sending_runtime.settings.relay, dkim_key=broken)
    assert "no RSA key" in found(there, {})["DKIM"].text


@pytest.mark.usefixtures("haste")
def test_without_a_name_server_nothing_is_called_missing(sending_runtime):
    findings = check_records(sending_runtime.settings, deaf_resolver())
    assert {finding.state for finding in findings} == {State.UNKNOWN}
    assert all("could not be looked up" in finding.text for finding in findings)
