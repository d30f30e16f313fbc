"""The scripts make the tables of the models, on either database."""

from alembic import command

from webapp.migrations import config_for, upgrade


def test_the_scripts_and_the_models_agree(either_runtime):
    command.check(config_for(either_runtime.settings.database))


def test_upgrading_twice_changes_nothing(either_runtime):
    upgrade(either_runtime.settings.database)
    command.check(config_for(either_runtime.settings.database))
