"""IDN, domains outside ASCII: the address that DNS and mail servers get."""

import pytest

from webapp.core.idn import address_in_ascii, domain_in_ascii


@pytest.mark.parametrize(
    ("address", "found"),
    [
        pytest.param("ann@example.org", "ann@example.org", id="in ASCII already"),
        pytest.param("Ann@Example.ORG", "Ann@Example.ORG", id="in ASCII, as it is written"),
        pytest.param("bo@bücher.example.org", "bo@xn--bcher-kva.example.org", id="a domain outside ASCII"),
        pytest.param("bo@BÜCHER.example.org", "bo@xn--bcher-kva.example.org", id="in capitals"),
        pytest.param("bø@example.org", "bø@example.org", id="only the local part is outside ASCII"),
        pytest.param("cy@例え.jp", "cy@xn--r8jz45g.jp", id="another script"),
        pytest.param("bø@-ä-.org", "bø@-ä-.org", id="no domain at all"),
        pytest.param("no address, ä", "no address, ä", id="no address"),
    ],
)
def test_the_domain_is_converted_and_nothing_else(address, found):
    assert address_in_ascii(address) == found


def test_the_domain_by_itself_is_in_lower_case():
    assert domain_in_ascii("bo@BÜCHER.example.org") == "xn--bcher-kva.example.org"
    assert domain_in_ascii("Ann@Example.ORG") == "example.org"
