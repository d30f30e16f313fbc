"""The scripts make the tables of the models, on either database, and remove them again."""

from alembic import command
from sqlalchemy import inspect

from webapp.migrations import config_for, upgrade


def test_the_scripts_and_the_models_agree(either_runtime):
    command.check(config_for(either_runtime.settings.database))


def test_upgrading_twice_changes_nothing(either_runtime):
    upgrade(either_runtime.settings.database)
    command.check(config_for(either_runtime.settings.database))


def test_every_script_can_be_reverted(either_runtime):
    url = either_runtime.settings.database
    command.downgrade(config_for(url), "base")
    assert inspect(either_runtime.database.engine).get_table_names() == ["alembic_version"]
    upgrade(url)
    command.check(config_for(url))
