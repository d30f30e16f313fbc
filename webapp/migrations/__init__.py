"""Alembic's scripts, and the one call that brings a database up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError

__all__ = ["CommandError", "config_for", "newest", "upgrade", "versions"]


def config_for(url: str) -> Config:
    """Alembic's configuration for the database at `url`, made without an alembic.ini."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["url"] = url
    return config


def upgrade(url: str) -> None:
    """Brings the database at `url` to the newest version; does nothing if it is there already.

    Raises CommandError, with a sentence, if a newer program has made the tables, or a foreign key would be violated.
    After any error the database is as it was.
    """
    command.upgrade(config_for(url), "head")


def versions() -> list[str]:
    """All versions of the tables, the oldest first."""
    scripts = ScriptDirectory.from_config(config_for(""))
    return [script.revision for script in scripts.walk_revisions()][::-1]


def newest() -> str:
    """The version of the tables that this program works with."""
    return versions()[-1]
