"""Alembic's scripts, and the one call that brings a database up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config


def config_for(url: str) -> Config:
    """Alembic's configuration for the database at `url`, without a file of its own."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["url"] = url
    return config


def upgrade(url: str) -> None:
    """Brings the database at `url` to the newest version; changes nothing where it is there."""
    command.upgrade(config_for(url), "head")
