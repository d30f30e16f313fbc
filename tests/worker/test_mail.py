"""A mail composed of its templates: its two texts, and its subject."""

from email import policy
from email.parser import BytesParser

import pytest
from jinja2 import UndefinedError

from tests.cast import address
from tests.worker.one_letter import only
from webapp.models import LetterKind, PlayerRow
from webapp.outbox.about_accounts import queue_sign_in
from worker.mail import compose, subject_of

NAME = "Bo & <b>Cy</b>"


@pytest.fixture
def texts(runtime):
    """The plain text and the HTML of a mail to a player of that name, as they arrive."""
    with runtime.database.writing() as session:
        player = PlayerRow(address=address("Bo"), name=NAME, created_at=runtime.now())
        session.add(player)
        session.flush()
        queue_sign_in(session, runtime, player, runtime.now())
    with runtime.database.reading() as session:
        message = compose(runtime, session, only(runtime))
    sent = BytesParser(policy=policy.default).parsebytes(message.as_bytes())
    return [sent.get_body((kind,)).get_content() for kind in ("plain", "html")]


def test_a_name_is_escaped_in_the_html_alone(texts):
    plain, html = texts
    assert f"Hello {NAME}," in plain
    assert "Hello Bo &amp; &lt;b&gt;Cy&lt;/b&gt;," in html


def test_styles_are_in_the_tags_and_those_of_a_dark_screen_in_the_head(texts):
    _, html = texts
    head, body = html.split("</head>")
    assert "@media (prefers-color-scheme: dark)" in head
    assert ".preheader" not in head
    assert 'class="preheader" style="display: none' in body


def test_a_subject_is_one_line():
    said = {"who": " Bo\n and\tCy ", "table": {"name": "Table 7F3KM"}}
    assert subject_of(LetterKind.EVENING_ASKED, said) == "Bo and Cy proposes an evening together at Table 7F3KM"


def test_a_mail_that_lacks_a_value_is_not_composed():
    with pytest.raises(UndefinedError, match="who"):
        subject_of(LetterKind.EVENING_ASKED, {"table": {"name": "Table 7F3KM"}})
