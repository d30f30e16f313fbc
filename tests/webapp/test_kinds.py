"""The table of the kinds of mail: complete, and without contradictory rows."""

import pytest

from tests.servers import ROOT
from webapp.kinds import ASKING, KINDS, QUESTIONS
from webapp.models import LetterKind

EVERY = pytest.mark.parametrize("kind", LetterKind)


@EVERY
def test_each_kind_has_a_policy_and_templates(kind):
    assert kind in KINDS
    assert (ROOT / "templates" / "mail" / kind).is_dir()


@EVERY
def test_an_immediate_mail_waits_for_nothing(kind):
    row = KINDS[kind]
    assert not row.at_once or not (row.digestible or row.shown_on_page)


@EVERY
def test_mails_anybody_can_trigger_go_immediately_without_unsubscribe_links(kind):
    row = KINDS[kind]
    assert not row.proves_address or (row.at_once and not row.has_stop)


@EVERY
def test_a_digest_holds_questions_and_news_only(kind):
    row = KINDS[kind]
    assert row.digestible == (row.is_question or row.is_news)


def test_a_reminder_asks_but_counts_as_no_question():
    assert set(ASKING) - set(QUESTIONS) == {LetterKind.REMINDER, LetterKind.VACATION}


def test_some_mails_go_neither_at_once_nor_into_a_digest():
    found = {kind for kind, row in KINDS.items() if not row.at_once and not row.digestible}
    ends = {LetterKind.FINAL_SHEET, LetterKind.REPLACED, LetterKind.ENDED, LetterKind.OFFERED, LetterKind.OFFER_OVER}
    evenings = {LetterKind.EVENING_ASKED, LetterKind.EVENING_AGREED, LetterKind.EVENING_OFF}
    assert found == ends | evenings | {
        LetterKind.DECLINED,
        LetterKind.SEATS,
        LetterKind.RESTING,
        LetterKind.REMINDER,
        LetterKind.VACATION,
        LetterKind.DIGEST,
    }, "they wait for the morning"
