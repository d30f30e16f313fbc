"""The contents of a backup: its files, and the keys that sign."""

import json

import pytest

from tests.keys import new_ed25519_key, new_key
from tests.runtimes import make_runtime
from tests.webapp.operators.restores import refused, restored
from webapp.operators.backup_contents import ABOUT


@pytest.mark.parametrize("name", ["hearts.db", "secret_keys"])
@pytest.mark.parametrize("harm", ["missing", "cut off", "changed"])
def test_a_damaged_backup_is_refused(operate, made, runtime, elsewhere, name, harm):
    content = (made / name).read_bytes()
    (made / name).unlink()
    if harm != "missing":
        (made / name).write_bytes(content[:-1] + (b"" if harm == "cut off" else b"?"))
    assert f"{made / name} is missing or damaged" in refused(operate, elsewhere(runtime), made)


@pytest.mark.parametrize("content", ["", "[]", "{}", "\0", '{"format": 1, "made_at": 7}'])
def test_a_backup_without_a_description_is_refused(operate, made, runtime, elsewhere, content):
    (made / ABOUT).write_text(content)
    assert f"{made / ABOUT} cannot be read." in refused(operate, elsewhere(runtime), made)


@pytest.mark.parametrize("what", ["nothing", "a file"])
def test_a_folder_that_is_not_a_backup_is_refused(operate, runtime, elsewhere, tmp_path, what):
    if what == "a file":
        (tmp_path / "backup").write_text("mine")
    assert str(tmp_path / "backup") in refused(operate, elsewhere(runtime), tmp_path / "backup")


@pytest.mark.parametrize(("field", "value"), [("version", "9999"), ("format", 2)])
def test_a_backup_of_a_newer_program_is_refused(operate, made, runtime, elsewhere, field, value):
    about = json.loads((made / ABOUT).read_text())
    (made / ABOUT).write_text(json.dumps({**about, field: value}))
    assert "newer program" in refused(operate, elsewhere(runtime), made)


def two_keys(folder):
    files = folder / "mail.pem", folder / "fast.pem"
    new_key(files[0])
    new_ed25519_key(files[1])
    return files


def signing(*files):
    """The settings for keys that sign mails."""
    selectors = ["hearts", "fast"][: len(files)]
    return {"dkim_key": ",".join(map(str, files)), "dkim_selector": ",".join(selectors)}


def test_the_keys_named_in_the_settings_are_in_the_backup(tmp_path, operate, folder):
    files = two_keys(tmp_path)
    keys = ("k" * 40, "old " + "k" * 40)
    runtime = make_runtime(tmp_path / "var", **signing(*files), secret_keys=",".join(keys))
    assert operate(runtime, "backup", folder).exit_code == 0
    for name, file in zip(("dkim_key.pem", "dkim_key_2.pem"), files, strict=True):
        assert (folder / name).read_bytes() == file.read_bytes()
    assert (folder / "secret_keys").read_text().splitlines() == list(keys)
    runtime.database.engine.dispose()


def test_a_different_notification_key_is_not_overwritten(operate, made, runtime, elsewhere, backed_up):
    runtime.settings.push_key()
    with_key = backed_up(runtime, "with key")
    other = elsewhere(runtime)
    other.settings.push_key()
    assert "differs from the backup's key" in refused(operate, other, with_key)


def test_the_command_lists_the_settings_that_should_name_something(operate, tmp_path, runtime, elsewhere, backed_up):
    made = backed_up(runtime)
    old = (made / "secret_keys").read_text().strip()
    new = "a new key that is long enough for it"
    lacking = operate(elsewhere(runtime, secret_keys=new), "restore", made)
    assert lacking.exit_code == 0
    assert lacking.stderr == f"SECRET_KEYS lacks keys of {made / 'secret_keys'}: links that they signed do not open.\n"
    same = operate(elsewhere(runtime, secret_keys=old), "restore", made)
    assert same.stderr.startswith("Put a new key in front of SECRET_KEYS")
    both = elsewhere(runtime, secret_keys=f"{new},{old}")
    done = operate(both, "restore", made)
    assert (done.exit_code, done.stderr) == (0, "")
    assert not (both.settings.data_dir / "secret_keys").exists()
    assert old not in lacking.output + same.output + done.output


def test_the_command_wants_dkim_keys_until_a_setting_names_them(operate, tmp_path, elsewhere):
    runtime = make_runtime(tmp_path / "var", **signing(*two_keys(tmp_path)))
    made = tmp_path / "backup"
    assert operate(runtime, "backup", made).exit_code == 0
    kept = [made / name for name in ("dkim_key.pem", "dkim_key_2.pem")]
    asked = [f"DKIM_KEY does not name the key of {file}.\n" for file in kept]
    assert operate(elsewhere(runtime), "restore", made).stderr == "".join(asked)
    assert operate(elsewhere(runtime, **signing(kept[0])), "restore", made).stderr == asked[1]
    restored(operate, elsewhere(runtime, **signing(*kept)), made)
    runtime.database.engine.dispose()
