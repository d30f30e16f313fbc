"""The variables of a template, as an object: each page, and each kind of mail, has a class of its own."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The base of these classes: each field is a variable."""

    def variables(self) -> dict[str, object]:
        return {one.name: getattr(self, one.name) for one in fields(self)}
