"""One test for hundreds of cases, where to begin and to report a test takes longer than to look at a case."""

from collections.abc import Callable, Collection
from typing import TypeVar

import pytest

Case = TypeVar("Case")


def of_every(cases: Collection[Case]) -> Callable[[Callable[[Case], None]], Callable[[], None]]:
    """Makes a check of one case a test of all of them, which says for which it failed."""

    def decorated(check: Callable[[Case], None]) -> Callable[[], None]:
        def test() -> None:
            assert cases
            failures = [failure for case in cases if (failure := _failure(check, case))]
            if failures:
                raise BaseExceptionGroup(f"for {len(failures)} of {len(cases)}", failures)

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        return test

    return decorated


def _failure(check: Callable[[Case], None], case: Case) -> BaseException | None:
    try:
        check(case)
    except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001  raised again, with those of other cases
        failure.add_note(f"for {case}")
        return failure
    return None
