"""One test of many cases: it looks at each of them, and says which of them fail."""

import pytest

from tests.every import of_every


def test_every_failing_case_is_named_and_all_others_are_checked():
    seen = []

    @of_every(["Ann", "Bo", "Cy", "Di"])
    def test_of_one(name):
        """Claims something of each name."""
        seen.append(name)
        assert name not in ("Bo", "Di")

    assert (test_of_one.__name__, test_of_one.__doc__) == ("test_of_one", "Claims something of each name.")
    with pytest.raises(ExceptionGroup, match="for 2 of 4") as failed:
        test_of_one()
    assert seen == ["Ann", "Bo", "Cy", "Di"]
    assert [one.__notes__ for one in failed.value.exceptions] == [["for Bo"], ["for Di"]]


def test_a_test_of_no_cases_fails():
    with pytest.raises(AssertionError):
        of_every([])(lambda case: None)()


def test_a_case_that_lacks_its_error_is_named():
    @of_every(["1", "Ann", "2"])
    def test_of_one(text):
        with pytest.raises(ValueError, match="invalid literal"):
            int(text)

    with pytest.raises(BaseExceptionGroup, match="for 2 of 3") as failed:
        test_of_one()
    assert [one.__notes__ for one in failed.value.exceptions] == [["for 1"], ["for 2"]]
