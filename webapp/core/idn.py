"""Mail addresses with letters beyond ASCII, as envelopes, headers and reports bear them. Source: RFC 5890, RFC 6532."""

from email_validator import EmailNotValidError, validate_email


def written_address(address: str) -> str:
    """An address with its domain in ASCII, as it is looked up; its local part stays as it is.

    >>> written_address("jürg@exämple.org")
    'jürg@xn--exmple-cua.org'
    """
    try:
        domain = None if address.isascii() else validate_email(address, check_deliverability=False).ascii_domain
    except EmailNotValidError:
        domain = None
    return f"{address.rpartition('@')[0]}@{domain}" if domain else address
