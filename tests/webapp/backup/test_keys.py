"""The keys in a backup: which are kept and restored, and which settings should name one."""

from tests.keys import new_ed25519_key, new_key
from tests.runtimes import make_runtime
from tests.webapp.backup.restores import refused, restored


def two_keys(folder):
    files = folder / "mail.pem", folder / "fast.pem"
    new_key(files[0])
    new_ed25519_key(files[1])
    return files


def signing(*files):
    """The settings for keys that sign mails."""
    selectors = ["hearts", "fast"][: len(files)]
    return {"dkim_key": ",".join(map(str, files)), "dkim_selector": ",".join(selectors)}


def test_the_keys_named_in_the_settings_are_in_the_backup(tmp_path, run, folder):
    files = two_keys(tmp_path)
    keys = ("k" * 40, "old " + "k" * 40)
    runtime = make_runtime(tmp_path / "var", **signing(*files), secret_keys=",".join(keys))
    assert run(runtime, "backup", folder).exit_code == 0
    for name, file in zip(("dkim_key.pem", "dkim_key_2.pem"), files, strict=True):
        assert (folder / name).read_bytes() == file.read_bytes()
    assert (folder / "secret_keys").read_text().splitlines() == list(keys)
    runtime.database.engine.dispose()


def test_a_different_notification_key_is_not_overwritten(run, made, runtime, elsewhere, backed_up):
    runtime.settings.push_key()
    with_key = backed_up(runtime, "with key")
    other = elsewhere(runtime)
    other.settings.push_key()
    assert "differs from the backup's key" in refused(run, other, with_key)


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


def test_the_command_wants_dkim_keys_until_a_setting_names_them(run, tmp_path, elsewhere):
    runtime = make_runtime(tmp_path / "var", **signing(*two_keys(tmp_path)))
    made = tmp_path / "backup"
    assert run(runtime, "backup", made).exit_code == 0
    kept = [made / name for name in ("dkim_key.pem", "dkim_key_2.pem")]
    asked = [f"DKIM_KEY does not name the key of {file}.\n" for file in kept]
    assert run(elsewhere(runtime), "restore", made).stderr == "".join(asked)
    assert run(elsewhere(runtime, **signing(kept[0])), "restore", made).stderr == asked[1]
    restored(run, elsewhere(runtime, **signing(*kept)), made)
    runtime.database.engine.dispose()
