"""The records in the DNS: which are missing or wrong, and what to create instead."""

import pytest

from tests.names import deaf_resolver, name_server
from tests.webapp.check.domains import DOMAIN, REPLIES
from webapp.check.mail_records import State, check_records

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
