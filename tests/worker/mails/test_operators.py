"""The mail to an operator says since when answers are not read, and what helps."""

from datetime import timedelta

from tests.cast import letters
from tests.runtimes import make_runtime
from webapp.games.clock import way_in
from webapp.models import LetterKind
from worker import scheduler
from worker.mail import compose


def test_it_says_what_helps_without_links_of_a_player(tmp_path):
    settings = {"smtp_url": "smtp://127.0.0.1:9", "reply_domain": "in.hearts.localhost"}
    runtime = make_runtime(tmp_path / "var", **settings, operator_address="eve@example.org")
    way_in.note_read(runtime, runtime.now())
    for _ in range(30):
        runtime.now.pass_by(timedelta(minutes=1))
        scheduler.tell_of_unread_answers(runtime)
    (letter,) = letters(runtime, LetterKind.UNREAD)
    with runtime.database.reading() as session:
        message = compose(runtime, session, letter)
    text = message.get_body(("plain",)).get_content()
    assert "Emails still go out." in text
    assert "hearts-by-mail mail check" in text
    assert [line for line in text.splitlines() if "http" in line] == [runtime.settings.address]
    runtime.database.engine.dispose()
