"""The test's own mail provider: a Dovecot with the mailboxes of the service and its players, and a Postfix for both.

The Postfix takes mail from the owner of the service's mailbox, and delivers it.

Both encrypt with a certificate of the test's own, and both ask for the mailbox's password.
"""

import pwd
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.cast import NAMES, address
from tests.certificates import certificate
from tests.mta.courier import Courier
from tests.mta.dovecot import USER, Dovecot, running_dovecot
from tests.mta.postfix import own_folder, started
from tests.servers import free_port

PLAYERS = "players"  # the mailbox of the cast
HOST = "localhost"  # as in the certificate
ENCRYPTED = """\
ssl = yes
ssl_cert = <{certificate}
ssl_key = <{certificate}
service auth {{
  inet_listener {{
    port = {port}
  }}
}}
"""
# A mailbox with room for two mails. Postfix asks Dovecot whether there is room, before a mail comes.
SMALL = """\
mail_plugins = quota
plugin {{
  quota = count:Mail
  quota_vsizes = yes
  quota_rule = *:messages={room}
  quota_status_success = DUNNO
  quota_status_nouser = DUNNO
  quota_status_overquota = "552 5.2.2 Mailbox is full"
}}
service quota-status {{
  executable = quota-status -p postfix
  client_limit = 1
  inet_listener {{
    port = {port}
  }}
}}
protocol imap {{
  mail_plugins = {plugins}
}}
"""
ROOM = 2
MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
myhostname = mx.example.org
mydestination =
alias_maps =
inet_interfaces = loopback-only
inet_protocols = ipv4
mynetworks =
disable_dns_lookups = yes
smtpd_peername_lookup = no
smtpd_tls_cert_file = {certificate}
smtpd_tls_key_file = {certificate}
smtpd_tls_security_level = encrypt
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{auth_port}
smtpd_relay_restrictions = permit_sasl_authenticated, reject
virtual_mailbox_domains = inline:{{ example.org=ok }}
virtual_mailbox_maps = inline:{{ {boxes} }}
virtual_mailbox_base = {mails}
virtual_minimum_uid = 1
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
recipient_delimiter = {delimiter}
smtpd_recipient_restrictions = {restrictions}
"""
MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
tlsmgr unix - - n 1000? 1 tlsmgr
virtual unix - n n - - virtual
"""


@dataclass(frozen=True)
class Provider:
    """A running provider: its mailbox, the port at which it takes mail, and the file that proves its name."""

    dovecot: Dovecot
    submission_port: int
    certificate: Path
    courier: Courier | None = None

    @property
    def players(self) -> Path:
        """The folder where mails to players arrive."""
        return (self.courier.mails if self.courier else self.dovecot.folder / "mail") / PLAYERS / "new"

    @property
    def imap(self) -> str:
        return f"{HOST}:{(self.courier or self.dovecot).port}"

    @property
    def smtp(self) -> str:
        return f"{HOST}:{self.submission_port}"


@contextmanager
def running_small_provider(*, says_quota: bool) -> Iterator[Provider]:
    """A provider whose mailboxes have room for `ROOM` mails; `says_quota`: IMAP says how much is left."""
    port, plugins = free_port(), "quota imap_quota" if says_quota else "quota"
    with running_provider(more=SMALL.format(port=port, room=ROOM, plugins=plugins), asks=port) as provider:
        yield provider


@contextmanager
def running_provider(
    *, keeps_plus: bool = True, more: str = "", asks: int | None = None, courier: Courier | None = None
) -> Iterator[Provider]:
    """A provider that takes mail to `hearts+anything@…`, or (`keeps_plus` is False) refuses it.

    `more` is added to the configuration of its Dovecot; its Postfix asks at the port `asks` before it takes a mail. A
    Courier has the mailboxes if one is given, and Dovecot says who may send.
    """
    folder = own_folder("hearts-provider-")
    proof, auth_port, port = certificate(folder, HOST), free_port(), free_port()
    user, boxes = pwd.getpwnam("mail"), {USER: USER, **{address(name): PLAYERS for name in NAMES}}
    encrypted = ENCRYPTED.format(certificate=proof, port=auth_port)
    with running_dovecot(encrypted + more) as dovecot:
        main = MAIN.format(
            folder=folder,
            certificate=proof,
            auth_port=auth_port,
            boxes=", ".join(f"{reader}={box}/" for reader, box in boxes.items()),
            mails=courier.mails if courier else dovecot.folder / "mail",
            uid=user.pw_uid,
            gid=user.pw_gid,
            delimiter="+" if keeps_plus else "",
            restrictions=f"check_policy_service inet:127.0.0.1:{asks}" if asks else "",
        )
        with started(folder, main, MASTER.format(port=port)):
            yield Provider(dovecot, port, proof, courier)
