"""Commands as an operator types them."""

from collections.abc import Callable

import pytest
from click.testing import Result

from webapp.core.runtime import Runtime
from webapp.site import make_site


@pytest.fixture
def run(runtime: Runtime) -> Callable[..., Result]:
    """Runs a command; the result has `exit_code`, `stdout` and `stderr`."""
    runner = make_site(runtime).test_cli_runner()
    return lambda *words, **more: runner.invoke(args=[str(word) for word in words], **more)
