"""Emails that a worker has delivered."""

from datetime import timedelta

from worker import postman


def deliver_later(runtime, later=timedelta(minutes=1)):
    """A worker sends what is due after that time."""
    runtime.now.pass_by(later)
    postman.deliver(runtime)


def text_of(mail):
    return mail.message.get_body(("plain",)).get_content()
