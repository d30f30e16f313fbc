"""The settings file of a data directory: lines NAME='value', for hosts whose supervisor sets no environment.

The environment outranks it. It may hold passwords, so only its user can read it.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from dotenv import dotenv_values

NAME = "settings.env"


def load(folder: Path) -> None:
    """Sets what the file of the data directory `folder` names in the environment of this process and its children."""
    for name, value in dotenv_values(folder / NAME, interpolate=False).items():  # a password may hold ${…}
        if value is not None and not os.environ.get(name):
            os.environ[name] = value


def file_content(settings: Mapping[str, str]) -> str:
    """The text of a settings file with these settings."""
    return "".join(f"{name}={_quoted(value)}\n" for name, value in settings.items())


def _quoted(value: str) -> str:
    inside = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{inside}'"
