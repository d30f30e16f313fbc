"""The command `migrate`, as an operator types it; `backup` and `restore` have a room of their own."""


def test_the_command_upgrades_the_database(run):
    assert run("migrate").exit_code == 0
