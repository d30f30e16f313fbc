"""Internationalized mail addresses, as envelopes, headers and reports carry them. Source: RFC 5890, RFC 6532."""

from collections.abc import Iterable

from email_validator import EmailNotValidError, validate_email


def address_in_ascii(address: str) -> str:
    """The address with its domain in ASCII (Punycode), as DNS wants it; the local part stays as it is.

    >>> address_in_ascii("jürg@exämple.org")
    'jürg@xn--exmple-cua.org'
    """
    try:
        domain = None if address.isascii() else validate_email(address, check_deliverability=False).ascii_domain
    except EmailNotValidError:
        domain = None
    return f"{address.rpartition('@')[0]}@{domain}" if domain else address


def forms_of(addresses: Iterable[str]) -> set[str]:
    """The addresses in lower case, in each form in which an envelope may have them."""
    return {form.lower() for address in addresses for form in (address, address_in_ascii(address))}


def domain_in_ascii(address: str) -> str:
    """The domain of an address, in ASCII and in lower case."""
    return address_in_ascii(address).rpartition("@")[2].lower()
