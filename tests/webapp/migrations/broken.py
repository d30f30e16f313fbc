"""Upgrades to a version that breaks: `python -m tests.webapp.migrations.broken URL FOLDER` does so to be killed.

It loads no more than that needs: starting takes longer than the upgrade.
"""

import os
import sys
from pathlib import Path

from alembic import command

from webapp import migrations

SCRIPTS = Path(migrations.__file__).parent / "versions"


def upgrade_to_broken(url: str, folder: str) -> None:
    """Brings the database to the version `broken`, whose script lies in the folder, beside the real ones."""
    config = migrations.config_for(url)
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", os.pathsep.join([str(SCRIPTS), folder]))
    command.upgrade(config, "broken")


if __name__ == "__main__":
    upgrade_to_broken(*sys.argv[1:])
