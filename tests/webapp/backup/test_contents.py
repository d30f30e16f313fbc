"""The contents of a backup: a folder that differs from its list is none."""

import json

import pytest

from tests.webapp.backup.restores import refused
from webapp.backup.contents import ABOUT


@pytest.mark.parametrize("name", ["hearts.db", "secret_keys"])
@pytest.mark.parametrize("harm", ["missing", "cut off", "changed"])
def test_a_damaged_backup_is_refused(run, made, runtime, elsewhere, name, harm):
    content = (made / name).read_bytes()
    (made / name).unlink()
    if harm != "missing":
        (made / name).write_bytes(content[:-1] + (b"" if harm == "cut off" else b"?"))
    assert f"{made / name} is missing or damaged" in refused(run, elsewhere(runtime), made)


@pytest.mark.parametrize("content", ["", "[]", "{}", "\0", '{"format": 1, "made_at": 7}'])
def test_a_backup_without_a_description_is_refused(run, made, runtime, elsewhere, content):
    (made / ABOUT).write_text(content)
    assert f"{made / ABOUT} cannot be read." in refused(run, elsewhere(runtime), made)


@pytest.mark.parametrize("what", ["nothing", "a file"])
def test_a_folder_that_is_not_a_backup_is_refused(run, runtime, elsewhere, tmp_path, what):
    if what == "a file":
        (tmp_path / "backup").write_text("mine")
    assert str(tmp_path / "backup") in refused(run, elsewhere(runtime), tmp_path / "backup")


@pytest.mark.parametrize(("field", "value"), [("version", "9999"), ("format", 2)])
def test_a_backup_of_a_newer_program_is_refused(run, made, runtime, elsewhere, field, value):
    about = json.loads((made / ABOUT).read_text())
    (made / ABOUT).write_text(json.dumps({**about, field: value}))
    assert "newer program" in refused(run, elsewhere(runtime), made)
