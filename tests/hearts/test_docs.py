"""The page on the library, `docs/hearts.md`: its examples say what the package does."""

import doctest

from tests.servers import ROOT


def test_the_examples_of_the_library_page_run_as_shown():
    result = doctest.testfile(str(ROOT / "docs" / "hearts.md"), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 20
