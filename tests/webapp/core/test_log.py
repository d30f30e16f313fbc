"""The lines of the log: a line for each event, with its numbers, and without what no log may hold."""

import json
import logging
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cast import address, start_game
from tests.webapp.logged import line, logged_events
from webapp.core.log import LogFormat, about, hidden, log_event, start_log
from webapp.core.tokens import TurnLink
from worker import postman


@pytest.fixture
def events(client):
    """The structured lines that are logged, as mappings."""
    with logged_events() as made:
        yield made


def test_a_plain_line_is_a_level_and_a_sentence():
    assert line(LogFormat.PLAIN, "the moon is %s", "up") == "INFO webapp.games: the moon is up"


def test_a_json_line_has_the_numbers_it_is_about():
    with about(game=7), about(letter=3):
        said = json.loads(line(LogFormat.JSON, "late", fields={"ms": 1.5}))
    at = said.pop("at")
    assert at.endswith("+00:00")
    assert said == {"level": "info", "log": "webapp.games", "event": "late", "game": 7, "letter": 3, "ms": 1.5}
    assert "game" not in json.loads(line(LogFormat.JSON, "later"))


def test_a_line_of_logfmt_quotes_what_is_not_one_word():
    said = line(LogFormat.LOGFMT, 'a "moon"\nrises', fields={"way": "a=b", "none": "", "number": 5})
    assert said.partition(" log=")[2] == 'webapp.games event="a \\"moon\\"\\nrises" way="a=b" none="" number=5'


@pytest.mark.parametrize("kind", [LogFormat.LOGFMT, LogFormat.JSON])
@given(text=st.text(max_size=80))
def test_whatever_is_logged_stays_one_line(kind, text):
    with about(request="r1"):
        assert len(line(kind, "%s", text, fields={"more": text}).splitlines()) == 1


@pytest.mark.parametrize("kind", LogFormat)
def test_a_failure_is_logged_with_its_traceback_without_addresses(kind):
    try:
        raise ValueError("nobody knows ann@example.org")
    except ValueError:
        said = line(kind, "it failed", failed=True)
    assert "ValueError: nobody knows (an address)" in said
    assert (len(said.splitlines()) == 1) == (kind is not LogFormat.PLAIN)


@pytest.mark.parametrize(("sentence", "has_traceback"), [("Couldn't ack %r, reason:%r", False), ("%r: %r", True)])
def test_a_tasks_end_that_the_broker_missed_logs_one_line(sentence, has_traceback):
    start_log(LogFormat.PLAIN)
    told, celery = StringIO(), logging.getLogger("celery.worker.request")
    handler = logging.StreamHandler(told)
    celery.addHandler(handler)
    try:
        raise ConnectionResetError
    except ConnectionResetError as error:
        celery.critical(sentence, "7", error, exc_info=True)
    finally:
        celery.removeHandler(handler)
    assert ("Traceback" in told.getvalue()) is has_traceback
    assert "ConnectionResetError" in told.getvalue()


def test_links_addresses_and_push_addresses_are_hidden(runtime):
    token = runtime.signer.token(TurnLink(1, 2, 3, "trick 5", 4, 0))
    for secret in (
        token,
        "ann@example.org",
        "https://push.example.org/send/abcdef",
        f"http://127.0.0.1:8000/turn/{token}",
    ):
        said = hidden(f"GET '{secret}' failed")
        assert secret not in said
        assert token not in said
        assert said.endswith(" failed")


@pytest.mark.parametrize(
    "sentence",
    [
        "the database does not answer (OperationalError); everything waits until it is back",
        "letter 12 was not sent: 550 5.1.1 (recipient)",
        'File "/srv/webapp/games/record/store.py", line 12, in webapp.games.record.store.append',
        "game 3: the deadline moves by 40 s, since a question was late",
    ],
)
def test_ordinary_sentences_stay_as_they_are(sentence):
    assert hidden(sentence) == sentence


def test_a_mail_games_events_hold_no_address_name_or_link(runtime, client, events):
    table = start_game(runtime)
    postman.deliver(runtime)
    table.play_first()
    client.get(runtime.signer.local_url(table.play_link(1)))
    said = "\n".join(map(json.dumps, events))
    assert {event["event"] for event in events} == {"letter", "turn", "page"}
    assert next(event for event in events if event["event"] == "turn")["game"] == table.game_id
    assert {"letter", "kind", "outcome"} <= next(one for one in events if one["event"] == "letter").keys()
    for secret in (*map(address, ("Ann", "Bo")), "Ann", runtime.signer.token(table.play_link(1))):
        assert secret not in said


def test_without_a_structured_format_events_cost_no_line(caplog):
    logging.getLogger("webapp.events").setLevel(logging.WARNING)
    log_event("page", route="/")
    assert caplog.records == []
    logging.getLogger("webapp.events").setLevel(logging.NOTSET)
