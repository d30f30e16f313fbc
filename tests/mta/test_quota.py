"""The mailbox of the service is full: what says so, and that answers which are there are still read."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.answers import inbound_rows, mail, question
from tests.cast import start_game
from tests.mta.dovecot import PASSWORD, USER, running_dovecot, why_not
from tests.mta.fetched import fetching_from, last_uid
from tests.mta.hosting import run_host
from tests.mta.provider import ROOM, SMALL, Provider, running_small_provider
from tests.runtimes import make_runtime
from tests.servers import free_port, wait_until
from webapp.core.addresses import Purpose
from webapp.core.runtime import Runtime
from webapp.operators import mail_loop
from webapp.operators.mail_check import check_listener
from webapp.operators.mail_servers import State

NO_MOVE = "imap_capability = IMAP4rev1 LITERAL+ UIDPLUS IDLE\n"


@pytest.fixture(scope="module", params=[True, False], ids=["says its quota", "says none"])
def provider(request: pytest.FixtureRequest) -> Iterator[Provider]:
    """A provider whose mailbox of ours is full."""
    if reason := why_not():
        pytest.fail(reason, pytrace=False)
    with running_small_provider(says_quota=request.param) as running:
        running.dovecot.put(*(mail("Eve", "Hello", Subject=f"Old mail {number}") for number in range(ROOM)))
        yield running


@pytest.fixture
def runtime(provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runtime]:
    monkeypatch.setenv("SSL_CERT_FILE", str(provider.certificate))
    made = make_runtime(
        tmp_path / "var",
        smtp_url=f"smtp://{USER.replace('@', '%40')}@{provider.smtp}",
        inbox_url=f"imap://{USER}@{provider.imap}",
        inbox_password=PASSWORD,
        reply_mailbox="hearts+@example.org",
        mail_from=f"Hearts <{USER}>",
    )
    yield made
    made.database.engine.dispose()


def test_setting_up_with_a_full_mailbox_says_so(
    provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run_host(provider, tmp_path, monkeypatch)
    assert done.exit_code == 1
    assert "full" in done.output.splitlines()[-1]
    assert not (tmp_path / "var" / "settings.env").exists()


def test_a_check_says_that_the_mailbox_is_full(runtime: Runtime) -> None:
    found = [check_listener(runtime.settings), *mail_loop.findings(runtime.settings)]
    missing = [one.text for one in found if one.state is State.MISSING]
    assert missing
    assert all("full" in text for text in missing)


def test_answers_in_a_full_mailbox_are_read(tmp_path: Path) -> None:
    """The handled ones are to go to a folder, which the server does by copying them."""
    with running_dovecot(SMALL.format(port=free_port(), room=ROOM, plugins="quota") + NO_MOVE) as dovecot:
        folders = {"inbox_handled": "Played", "reply_mailbox": "hearts+@example.org"}
        runtime = make_runtime(tmp_path / "var", inbox_url=dovecot.url, inbox_password=PASSWORD, **folders)
        start_game(runtime)
        to = runtime.postmark.address(Purpose.REPLY, question(runtime, "Ann").id)
        dovecot.put(
            *(
                mail("Ann", "QS", To=to, Subject=f"Answer {number}", Message_ID=f"<{number}@home>")
                for number in range(ROOM)
            )
        )
        with fetching_from(runtime):
            wait_until("the answers are stored, and need no more reading", lambda: last_uid(runtime) == ROOM)
            assert len(dovecot.mails()) == ROOM, "they stay where they are"
            dovecot.empty()
            dovecot.put(mail("Ann", "KS", To=to, Message_ID="<last@home>"))
            wait_until("the next one is stored, too", lambda: len(inbound_rows(runtime)) == ROOM + 1)
        assert [row.copies for row in inbound_rows(runtime)] == [0] * (ROOM + 1), "each was read once"
        runtime.database.engine.dispose()
