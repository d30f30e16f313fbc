"""A mail to be composed: each kind makes its context, and says how it is to be stopped."""

from tests.cast import start_game
from tests.worker.delivered import text_of
from webapp.models import LetterKind
from worker import postman
from worker.mails import CONTEXTS


def test_every_kind_of_mail_has_a_context():
    assert set(CONTEXTS) == set(LetterKind)


def test_every_mail_says_how_to_get_less_mail(runtime, smtp_server):
    start_game(runtime)
    postman.deliver(runtime)
    for mail in smtp_server.mails:
        assert "/preferences/" in text_of(mail)
        assert ("/unsubscribe/" in text_of(mail)) is (mail.subject != "Confirm your table")
