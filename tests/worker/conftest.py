"""Parts that send to a mail server of the test's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cast import make_parts
from tests.servers import MailServer
from webapp.core.runtime import Parts


@pytest.fixture
def parts(tmp_path: Path, smtp_server: MailServer) -> Iterator[Parts]:
    made = make_parts(tmp_path / "var", smtp_url=smtp_server.url)
    yield made
    made.database.engine.dispose()
