"""How a table is defined: a text for both databases, with a name in braces for what they write differently."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from .sql import quoted

# What the two databases write differently: `{id}`, `{c}` after a type of text, and so on.
_SQLITE = {
    "id": "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT",
    "c": "",
    "true": "1",
    "false": "0",
    "document_key": "INTEGER",  # of 64 bits there too, and the key of the rows
    "nulls_last": "",  # as SQLite sorts by itself; it refuses an index that says so
    "without_rowid": " WITHOUT ROWID",
}
_POSTGRESQL = {
    "id": "SERIAL NOT NULL CONSTRAINT pk_{table} PRIMARY KEY",
    "c": ' COLLATE "C"',
    "true": "true",
    "false": "false",
    "document_key": "BIGINT",
    "nulls_last": " NULLS LAST",
    "without_rowid": "",
}


@dataclass(frozen=True, eq=False)
class DatabaseTable:
    """A table, as the lines of its definition and the statements that make its indexes."""

    name: str
    lines: tuple[str, ...]  # those of columns begin with a name, those of constraints with a word in capitals
    indexes: tuple[str, ...] = ()
    end: str = ""

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return tuple(line.split()[0].strip('"') for line in self.lines if not line[0].isupper())

    @cached_property
    def select(self) -> str:
        """Return the beginning of a query of whole rows."""
        return f"SELECT {quoted(self.columns)} FROM {self.name}"

    def statements(self, *, is_sqlite: bool) -> Iterator[str]:
        """Yield the statements that make the table and its indexes."""
        words = _SQLITE if is_sqlite else _POSTGRESQL
        names = {**words, "id": words["id"].format(table=self.name)}
        lines = ",\n    ".join(line.format(**names) for line in self.lines)
        yield f"CREATE TABLE {self.name} (\n    {lines}\n){self.end.format(**names)}"
        for index in self.indexes:
            yield index.format(**names)


def reference(table: str, column: str, to: str, on_delete: str = " ON DELETE CASCADE") -> str:
    """Return the constraint that a column has the id of a row in the table `to`."""
    return f"CONSTRAINT fk_{table}_{column} FOREIGN KEY ({column}) REFERENCES {to} (id){on_delete}"


def index(table: str, *columns: str) -> str:
    """Return the statement that makes the index of some columns, in this order."""
    return f"CREATE INDEX ix_{table}_{'_'.join(columns)} ON {table} ({quoted(columns)})"
