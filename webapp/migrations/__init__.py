"""Alembic's scripts, and the one call that brings a database up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError

__all__ = ["CommandError", "config_for", "newest", "upgrade", "versions"]


def config_for(url: str) -> Config:
    """Alembic's configuration for the database at `url`, without a file of its own."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["url"] = url
    return config


def upgrade(url: str) -> None:
    """Brings the database at `url` to the newest version; changes nothing where it is there.

    Raises CommandError, with a sentence, where a newer program has made the tables, or rows would refer to none.
    Whatever is raised, nothing has then changed.
    """
    command.upgrade(config_for(url), "head")


def versions() -> list[str]:
    """Every version of the tables that there is a script for, the oldest first."""
    scripts = ScriptDirectory.from_config(config_for(""))
    return [script.revision for script in scripts.walk_revisions()][::-1]


def newest() -> str:
    """The version of the tables that this program works on."""
    return versions()[-1]
