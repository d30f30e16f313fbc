"""The recipe for one Debian machine, line by line as `docs/deployment.md` has it, under a real systemd and nginx."""

import re
import secrets
import smtplib
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread

import httpx
import pytest

from tests.end_to_end.browsing import Browser
from tests.end_to_end.correspondents import Correspondent, by_smtp
from tests.end_to_end.players import HOURS, Inboxes, Player
from tests.machine.machine import Machine, running_machine, why_not
from tests.servers import ROOT, MailServer, wait_until

GUIDE = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
SETTINGS = "/etc/hearts/settings"
SITE = "/etc/nginx/conf.d/hearts.conf"
HOME = "https://localhost"
INBOX_PORT = 8025
PATHS = "/turn/|/play/"
# A site of this machine alone: its name, and a certificate that nobody has signed.
CERTIFIED = f"""
cd /etc/nginx
openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -keyout privkey.pem -out fullchain.pem
sed --in-place 's|/etc/letsencrypt/live/hearts.example.org|/etc/nginx|; s|hearts.example.org|localhost|' {SITE}
"""
AS_DATABASE = "runuser -u postgres -- psql --dbname hearts --tuples-only --no-align --command"
UNITS = ("web", "scheduler", "inbox", "worker@1", "worker@2")
WITHIN = 90.0  # seconds, in which the lease of a killed worker ends, too
DISTURBED = {  # after so many mails
    6: "systemctl kill --signal=KILL hearts-worker@1",
    10: "systemctl restart hearts-web",
    14: "systemctl restart hearts-release",
    18: "systemctl kill --signal=KILL hearts-scheduler",
}


def recipe() -> list[str]:
    """The commands of the recipe, one after the other."""
    section = GUIDE.partition("## On one Debian machine")[2]
    return [line for line in section.split("```")[1].splitlines() if line.strip()]


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    server = MailServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    if reason := why_not():
        pytest.fail(reason, pytrace=False)
    with running_machine(tmp_path) as running:
        yield running


def test_a_service_by_the_recipe_survives_kills_and_updates(machine: Machine, mail_server: MailServer) -> None:
    follow_recipe(machine, SMTP_URL=mail_server.url, BASE_URL=HOME, MAILS_A_DAY="1000")
    wait_until_ready(machine)
    assert machine.run("hearts doctor")

    inboxes = Inboxes(mail_server)
    with visitors() as answers, closing(Browser()) as one, closing(Browser()) as other:
        players = [Player("Ann", eager=True, browser=one), Correspondent("Bo", browser=other, post=until_taken)]
        players[0].open_table(HOME, players[1:], 2, preset="classic", pass_time=HOURS, play_time=HOURS)
        machine.run(f"{AS_DATABASE} 'update card_table set wait = null, at_once = 1'")
        play_a_hand(machine, inboxes, players)
    assert answers.keys() == {200}, "no request is lost"
    wait_until("all run again", lambda: states(machine) == dict.fromkeys(UNITS, "active"), WITHIN)
    sources = machine.run(f"{AS_DATABASE} 'select distinct source from turn'").split()
    assert {"link", "reply"} <= set(sources), "one has played on the pages, and one by mail"
    machine.run("hearts games pause 1")
    assert "root: games pause" in machine.run("hearts acts")
    said = journal(machine)
    assert "killed, status=9/KILL" in said
    assert not re.search(f"Traceback|{PATHS}", said)
    assert machine.run(f"ls /var/log/nginx && ! grep --recursive --extended-regexp '{PATHS}' /var/log/nginx")
    machine.run("systemctl stop hearts.target")
    wait_until("all has stopped", lambda: states(machine) == dict.fromkeys(UNITS, "inactive"), WITHIN)
    assert httpx.get(HOME, verify=False).status_code == 502, "the proxy finds nobody"


def follow_recipe(machine: Machine, **settings: str) -> None:
    """Runs the recipe, and does what it leaves to its reader: to fill in the settings."""
    key, password = secrets.token_urlsafe(48), secrets.token_hex(8)
    for command in recipe():
        machine.run(command.replace("PASSWORD", password))
        if SITE in command:
            machine.run(CERTIFIED)
        if SETTINGS in command:
            given = {**settings, "SECRET_KEYS": key}
            lines = machine.run(f"cat {SETTINGS}").replace("PASSWORD", password).splitlines()
            lines = [line for line in lines if line.partition("=")[0] not in given]
            lines += [f"{name}={value}" for name, value in given.items()]
            machine.run(f"cat >{SETTINGS} <<'END'\n" + "\n".join(lines) + "\nEND")


def wait_until_ready(machine: Machine) -> None:
    try:
        wait_until("the service is ready", is_ready, WITHIN)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{journal(machine)}") from None


def journal(machine: Machine) -> str:
    return machine.run("journalctl --no-pager --unit='hearts-*' --unit=hearts.target")


def is_ready() -> bool:
    try:
        return httpx.get(f"{HOME}/readyz", verify=False).status_code == 200
    except httpx.TransportError:
        return False


def until_taken(sender: str, recipient: str, raw: bytes) -> None:
    """Posts an email as mail servers do: again, as long as it is not taken."""

    def is_taken() -> bool:
        try:
            by_smtp(INBOX_PORT)(sender, recipient, raw)
        except (OSError, smtplib.SMTPException):
            return False
        return True

    wait_until("the mail is taken", is_taken, WITHIN)


def play_a_hand(machine: Machine, inboxes: Inboxes, players: list[Player]) -> None:
    """Lets the players read their mails until both were told how the hand ended, whatever happens meanwhile."""
    by_address, told, count = {player.address: player for player in players}, set(), 0
    while told != by_address.keys():
        mail = inboxes.next(WITHIN)
        by_address[mail.to].read(mail)
        count += 1
        if "Hand 1 is over" in mail.subject:
            told.add(mail.to)
        if command := DISTURBED.get(count):
            machine.run(command)
    assert count > max(DISTURBED), "all has happened before the hand was over"


@contextmanager
def visitors() -> Iterator[Counter[int | str]]:
    """Looks at the site all the time, as other visitors do: how often they got which status, or which error."""
    answers: Counter[int | str] = Counter()
    is_over = Event()

    def look() -> None:
        while not is_over.is_set():
            try:
                answers[httpx.get(HOME, timeout=WITHIN, verify=False).status_code] += 1
            except httpx.HTTPError as error:
                answers[type(error).__name__] += 1
            time.sleep(0.3)  # the proxy allows 20 requests a second

    threads = [Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        yield answers
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def states(machine: Machine) -> dict[str, str]:
    return {unit: machine.run(f"systemctl is-active hearts-{unit} || :").strip() for unit in UNITS}
