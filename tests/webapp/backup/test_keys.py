"""The keys in a backup: which are kept and restored, and which settings should name one."""

from tests.cast import make_runtime
from tests.keys import new_key
from tests.webapp.backup.restores import refused, restored


def test_the_keys_named_in_the_settings_are_in_the_backup(tmp_path, run, folder):
    new_key(tmp_path / "mail.pem")
    keys = ("k" * 40, "old " + "k" * 40)
    runtime = make_runtime(tmp_path / "var", dkim_key=tmp_path / "mail.pem", secret_keys=",".join(keys))
    assert run(runtime, "backup", folder).exit_code == 0
    assert (folder / "dkim_key.pem").read_bytes() == (tmp_path / "mail.pem").read_bytes()
    assert (folder / "secret_keys").read_text().splitlines() == list(keys)
    runtime.database.engine.dispose()


def test_a_different_notification_key_is_not_overwritten(run, made, runtime, elsewhere, backed_up):
    runtime.settings.push_key()
    with_key = backed_up(runtime, "with key")
    other = elsewhere(runtime)
    other.settings.push_key()
    assert "is another key than that of the backup" in refused(run, other, with_key)


def test_the_command_lists_the_settings_that_should_name_something(run, tmp_path, runtime, elsewhere, backed_up):
    made = backed_up(runtime)
    old = (made / "secret_keys").read_text().strip()
    new = "a new key that is long enough for it"
    lacking = run(elsewhere(runtime, secret_keys=new), "restore", made)
    assert lacking.exit_code == 0
    assert lacking.stderr == f"SECRET_KEYS lacks keys of {made / 'secret_keys'}: links that they signed do not open.\n"
    same = run(elsewhere(runtime, secret_keys=old), "restore", made)
    assert same.stderr.startswith("Put a new key in front of SECRET_KEYS")
    both = elsewhere(runtime, secret_keys=f"{new},{old}")
    done = run(both, "restore", made)
    assert (done.exit_code, done.stderr) == (0, "")
    assert not (both.settings.data_dir / "secret_keys").exists()
    assert old not in lacking.output + same.output + done.output


def test_the_command_asks_for_a_dkim_key_until_a_setting_names_it(run, tmp_path, elsewhere):
    new_key(tmp_path / "mail.pem")
    runtime = make_runtime(tmp_path / "var", dkim_key=tmp_path / "mail.pem")
    made = tmp_path / "backup"
    assert run(runtime, "backup", made).exit_code == 0
    without = run(elsewhere(runtime), "restore", made)
    assert without.stderr == f"DKIM_KEY does not name the key of {made / 'dkim_key.pem'}.\n"
    restored(run, elsewhere(runtime, dkim_key=made / "dkim_key.pem"), made)
    runtime.database.engine.dispose()
