"""The settings file gives back what was written, whatever a password holds, and never outranks the environment."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import characters, text

from webapp.core import settings_file

TEXTS = text(characters(min_codepoint=32, exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1)


@pytest.fixture(autouse=True)
def empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forgets what a test has loaded."""
    monkeypatch.setattr(os, "environ", dict(os.environ))


@given(TEXTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_value_comes_back_as_it_was_written(tmp_path: Path, value: str) -> None:
    os.environ.pop("INBOX_PASSWORD", None)
    (tmp_path / settings_file.NAME).write_text(settings_file.file_content({"INBOX_PASSWORD": value}), encoding="utf-8")
    settings_file.load(tmp_path)
    assert os.environ["INBOX_PASSWORD"] == value


def test_the_environment_outranks_the_file(tmp_path: Path) -> None:
    (tmp_path / settings_file.NAME).write_text("PORT='8001'\nHOST='127.0.0.1'\n")
    os.environ.update(PORT="8002", HOST="")
    settings_file.load(tmp_path)
    assert (os.environ["PORT"], os.environ["HOST"]) == ("8002", "127.0.0.1")


def test_without_a_file_nothing_is_set(tmp_path: Path) -> None:
    before = dict(os.environ)
    settings_file.load(tmp_path)
    assert os.environ == before
