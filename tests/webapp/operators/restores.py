"""The command `restore`, obeyed and refused."""

from pathlib import Path

from webapp.core.runtime import Runtime


def restored(operate, runtime, folder):
    """The service after restoring the backup, as newly started processes see it."""
    done = operate(runtime, "restore", folder)
    assert (done.exit_code, done.stderr) == (0, ""), done.output
    return Runtime(runtime.settings, runtime.now)


def refused(operate, runtime, folder):
    """The message of the refusal; nothing has changed, but that a service has keys once it starts."""
    runtime.settings.keys()
    before = everything(runtime.settings.data_dir)
    done = operate(runtime, "restore", folder)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert everything(runtime.settings.data_dir) == before
    return done.stderr


def everything(folder: Path):
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
