"""Runs `hearts-by-mail host` with a provider, whose owner types the password."""

import os
from pathlib import Path
from unittest import mock

import pytest
from click.testing import CliRunner, Result

from scripts.host import host
from tests.mta.dovecot import PASSWORD, USER
from tests.mta.provider import Provider


def run_host(
    provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *options: str, typed: str = PASSWORD
) -> Result:
    """The command's result; what it writes is in the folder `var` of `tmp_path`."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "var"))
    monkeypatch.setenv("SSL_CERT_FILE", str(provider.certificate))
    known = ["--address", USER, "--to", "ann@example.org", "--base-url", "", "--no-start"]
    servers = [] if "--imap" in options else ["--imap", provider.imap, "--smtp", provider.smtp]
    with mock.patch.dict(os.environ):  # the command loads the settings that it writes
        return CliRunner().invoke(host, [*known, *servers, *options], input=f"{typed}\n", catch_exceptions=False)
