"""The version: each entry of CHANGELOG.md raises it, so that pip does not say that it is installed already."""

import re
import runpy
from unittest import mock

import pytest
import setuptools
from babel.messages import frontend
from packaging.version import Version

from tests.syntax import ROOT

CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.fixture
def built(tmp_path, monkeypatch):
    """The version with which setup.py packs a checkout with these changes."""

    def version(changes):
        (tmp_path / "deploy" / "systemd").mkdir(parents=True, exist_ok=True)
        (tmp_path / "CHANGELOG.md").write_text(changes, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        with mock.patch.object(setuptools, "setup") as setup, mock.patch.object(frontend, "CommandLineInterface"):
            runpy.run_path(str(ROOT / "setup.py"))
        return Version(setup.call_args.kwargs["version"])

    return version


def test_each_entry_of_the_changelog_raises_the_version(built):
    heading = re.search(r"^## .*\n", CHANGES, re.MULTILINE).group()
    assert built(CHANGES) < built(CHANGES.replace(heading, f"{heading}- Another one,\n  on two lines.\n", 1))
    assert built(CHANGES) > built(CHANGES.partition(heading)[2])


def test_each_section_of_the_changelog_is_a_version():
    sections = re.findall(r"^## (.*)$", CHANGES, re.MULTILINE)
    assert all(re.fullmatch(r"\d+\.\d+(\.\d+)?", name) for name in sections)
    assert [Version(name) for name in sections] == sorted(map(Version, sections), reverse=True)
