"""The folder of all templates, and the variables of one."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

# The variables of a template, as an object: each page, and each kind of mail, has a class of its own.


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The base of these classes: each field is a variable."""

    def variables(self) -> dict[str, object]:
        return {one.name: getattr(self, one.name) for one in fields(self)}


# The folder of all templates, which the wheel puts inside the program.

_PROGRAM: Final = Path(__file__).parent.parent
_PACKED: Final = _PROGRAM / "templates"

TEMPLATES: Final = _PACKED if _PACKED.is_dir() else _PROGRAM.parent / "templates"
