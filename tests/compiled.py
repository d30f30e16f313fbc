"""What all sites and databases of a test process share, since each would compile it anew: templates, URL rules, SQL."""

from functools import partial

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache
from werkzeug.routing import Rule

from webapp.core import postgresql, sqlite
from webapp.site import Webapp


class CompiledTemplates(BytecodeCache):
    """Those of the newest content: a changed template is compiled again."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if kept := self._kept.get(bucket.key):
            bucket.bytecode_from_string(kept)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


_compiled: dict[tuple[str, str | None, bool | None], Rule] = {}


class CompiledRule(Rule):
    """A URL rule, which is compiled once; nothing of that depends on anything but its text. No rule has defaults."""

    def compile(self) -> None:
        key = self.rule, self.subdomain, self.merge_slashes
        if (like := _compiled.get(key)) is None:
            super().compile()
            _compiled[key] = self
        else:
            self._parts, self._trace, self._converters = like._parts, like._trace, like._converters
            self._build, self._build_unknown = like._build, like._build_unknown
            self.arguments = like.arguments


def share_compiled() -> None:
    """From now on, all sites and databases that this process makes share what they have compiled."""
    Webapp.jinja_options = {**Webapp.jinja_options, "bytecode_cache": CompiledTemplates()}
    Webapp.url_rule_class = CompiledRule
    # The cache asks whether two databases speak the same dialect, and usually each has an instance of its own.
    for dialect in (SQLiteDialect_pysqlite, PGDialect_psycopg):
        dialect.__eq__ = _is_of_same_class  # type: ignore[assignment]
        dialect.__hash__ = _hash_of_class  # type: ignore[assignment]
    for module in (postgresql, sqlite):
        module.create_engine = partial(module.create_engine, execution_options={"compiled_cache": LRUCache(5000)})


def _is_of_same_class(one: object, other: object) -> bool:
    return type(one) is type(other)


def _hash_of_class(one: object) -> int:
    return hash(type(one))
