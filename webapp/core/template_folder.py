"""The folder of all templates, which the wheel puts inside the program."""

from pathlib import Path
from typing import Final

_PROGRAM: Final = Path(__file__).parent.parent
_PACKED: Final = _PROGRAM / "templates"

TEMPLATES: Final = _PACKED if _PACKED.is_dir() else _PROGRAM.parent / "templates"
