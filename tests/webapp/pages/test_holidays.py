"""The form of a holiday: which days are rejected, and with which message."""

import pytest

from tests.cast import dump, start_game
from tests.mailing import preferences_url
from tests.submitting import check_refused


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        pytest.param("", "", "day from the calendar", id="no day"),
        pytest.param("2026-02-30", "", "day from the calendar", id="no such day"),
        pytest.param("2026-03-05", "tomorrow", "day from the calendar", id="no date"),
        pytest.param("2026-03-05", "2026-03-04", "before the first", id="backwards"),
        pytest.param("2026-03-01", "2026-03-04", "over already", id="begins in the past"),
        pytest.param("2027-03-04", "", "within the next year", id="too far ahead"),
        pytest.param("2026-03-05", "2026-05-04", "60 such days off", id="too many days"),
        pytest.param("2026-03-05", "9999-12-31", "within the next year", id="endless"),
    ],
)
def test_a_holiday_out_of_bounds_is_rejected_with_a_message(runtime, client, first, last, sentence):
    start_game(runtime)
    before, url = dump(runtime), preferences_url(runtime, "Bo")
    response = client.post(f"{url}/holidays", data={"holiday_first": first, "holiday_last": last})
    check_refused(runtime, before, response, 400, sentence)
