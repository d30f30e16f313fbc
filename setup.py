"""Packs the folders at the top as packages; `scripts` and `templates` have other names where they are installed.

The version's last number counts the entries of the topmost section of CHANGELOG.md, so that it moves with whatever a
host notices, and `pip` installs it.
"""

import re
import shutil
from pathlib import Path

from setuptools import find_packages, setup

RECIPES = {"hearts", "nginx-site.conf", "settings.example"}  # for a machine with systemd; Compose needs a checkout

shutil.rmtree("build/lib", ignore_errors=True)  # else modules that are gone since the last build are packed, too

newest = re.split("^## ", Path("CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1]
entries = re.findall("^- ", newest, re.MULTILINE)

setup(
    version=f"{newest.split()[0]}.{len(entries)}",
    packages=[*find_packages(include=["hearts*", "webapp*", "worker*"]), "hearts_by_mail", "webapp.templates"],
    package_dir={"hearts_by_mail": "scripts", "webapp.templates": "templates"},
    package_data={
        "webapp": ["static/*", "migrations/versions/*.py"],
        "webapp.templates": ["**/*"],
    },
    data_files=[
        ("share/hearts-by-mail", ["Procfile", "gunicorn.conf.py"]),
        ("share/hearts-by-mail/deploy", [str(file) for file in Path("deploy").iterdir() if file.name in RECIPES]),
        ("share/hearts-by-mail/deploy/systemd", [str(file) for file in Path("deploy/systemd").iterdir()]),
    ],
)
