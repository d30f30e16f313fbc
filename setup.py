"""Packs the folders at the top as packages; where they are installed, three of them have other names.

The font of headings is made here, of a package that only this needs: one weight of Literata, for the letters of Latin
alphabets, in a fortieth of its bytes. A checkout keeps it beside the other files that pages load. The catalogues of all
languages are compiled here, too; `make` does so again after a change.

The version's last number counts the entries of the topmost section of CHANGELOG.md, so that it moves with whatever a
host notices, and `pip` installs it.
"""

import re
import shutil
from pathlib import Path

from babel.messages.frontend import CommandLineInterface
from setuptools import find_packages, setup

RECIPES = {"hearts", "nginx-site.conf", "settings.example"}  # for a machine with systemd; Compose needs a checkout

shutil.rmtree("build/lib", ignore_errors=True)  # else modules that are gone since the last build are packed, too

HEADINGS = Path(__file__).parent / "webapp" / "static" / "headings.woff2"
LETTERS = (*range(0x20, 0x7F), *range(0xA0, 0x180), *map(ord, "–—‘’“”…€−"))


def make_font(made: Path) -> None:
    """Writes the font; its licence stays in it."""
    import fontpkg_literata
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    kept = Options(
        layout_features=["ccmp", "kern", "liga", "locl", "mark", "mkmk"], hinting=False, name_IDs=[0, 1, 2, 13, 14]
    )
    subsetter = Subsetter(kept)
    subsetter.populate(unicodes=LETTERS)
    font = TTFont(fontpkg_literata.ROOT / "files" / "Literata[opsz,wght].ttf")
    subsetter.subset(font)
    font = instantiateVariableFont(font, {"wght": 600, "opsz": 30})
    font.flavor = "woff2"
    font.save(made)


if not HEADINGS.exists():
    make_font(HEADINGS)
CommandLineInterface().run(["pybabel", "--quiet", "compile", "--directory", str(Path(__file__).parent / "locale")])

newest = re.split("^## ", Path("CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1]
entries = re.findall("^- ", newest, re.MULTILINE)

setup(
    version=f"{newest.split()[0]}.{len(entries)}",
    packages=[
        *find_packages(include=["hearts*", "webapp*", "worker*"]),
        "hearts_by_mail",
        "webapp.locale",
        "webapp.templates",
    ],
    package_dir={"hearts_by_mail": "scripts", "webapp.locale": "locale", "webapp.templates": "templates"},
    package_data={
        "webapp": ["static/*", "migrations/versions/*.py"],
        "webapp.locale": ["messages.pot", "*/LC_MESSAGES/messages.mo"],
        "webapp.templates": ["**/*"],
    },
    data_files=[
        ("share/hearts-by-mail", ["Procfile", "gunicorn.conf.py"]),
        ("share/hearts-by-mail/deploy", [str(file) for file in Path("deploy").iterdir() if file.name in RECIPES]),
        ("share/hearts-by-mail/deploy/systemd", [str(file) for file in Path("deploy/systemd").iterdir()]),
    ],
)
