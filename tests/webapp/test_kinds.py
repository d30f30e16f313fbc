"""The table of the kinds of mail: complete, and without contradictory rows."""

from tests.every import of_every
from tests.servers import ROOT
from webapp.models import LetterKind
from webapp.models.mail import KINDS


@of_every(LetterKind)
def test_each_kind_has_a_policy_and_templates(kind):
    assert kind in KINDS
    assert (ROOT / "templates" / "mail" / kind).is_dir()


@of_every(KINDS.values())
def test_an_immediate_mail_waits_for_nothing(row):
    assert not row.at_once or not row.shown_on_page


@of_every(KINDS.values())
def test_mails_anybody_can_trigger_go_immediately_without_unsubscribe_links(row):
    assert not row.proves_address or (row.at_once and not row.has_stop)
