"""Fields that several forms share: what is offered, and what is rejected with a sentence."""

import pytest

from webapp.forms.fields import pace_groups, paces


@pytest.mark.parametrize(
    ("shortest", "first_by_mail"),
    [
        pytest.param(None, ("600", "10 minutes"), id="none to try it out"),
        pytest.param(1, ("1", "1 second (to try it out)"), id="one to try it out"),
        pytest.param(15, ("600", "10 minutes"), id="a seat already offered"),
    ],
)
def test_live_paces_are_offered_beside_mail_paces_and_none_twice(shortest, first_by_mail):
    (live, at_once), (mail, slow) = pace_groups(shortest)
    assert (live, mail, slow[0]) == ("Live, everybody is here", "By mail", first_by_mail)
    assert [words for _, words in at_once] == ["7 seconds", "15 seconds", "30 seconds", "1 minute", "5 minutes"]
    values = [value for value, _ in paces(shortest)]
    assert len(set(values)) == len(values)
