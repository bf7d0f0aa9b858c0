"""What the result of reading a unit depends on, besides its files: settings, and the answers to its lookups."""

from collections.abc import Callable
from functools import cache, partial
from hashlib import blake2b

from ...model import RECORDS, Kind
from ..config.config import Config
from ..files.cache_file import program_digest
from .entry_reader import EntryReader
from .lookups import Lookups
from .unit_results import UnitResults

_WITHOUT_EFFECT = {"include", "exclude", "pull_to"}  # on an entry: they say which files there are, or are for a pull


class ResultContext:
    """What the results of units of one kind depend on, besides their files (docs/decisions/0037).

    `digest` shows what all of them depend on. `answer` gets the lookups of one unit as a text, and returns a digest of
    what other entries say to them now.
    """

    def __init__(self, digest: str, answer: Callable[[str], str]) -> None:
        self.digest = digest
        self._answer = cache(answer)  # many units look up the same

    @classmethod
    def of(cls, reader: EntryReader, kind: Kind) -> "ResultContext":
        """Return the context of a kind. Those that its entries refer to must be known to the reader."""
        incomplete = reader.incomplete_kinds & {Kind.CUSTOM_FIELD, *RECORDS[kind].references.values()}
        dates = sorted(reader.dates.items()) if kind is Kind.ARTICLE else ()
        # The rules have the places in the config and the types of the fields that problems and values depend on.
        rules = reader.house_rules.of(kind)
        # The program, because another version may replace the index after the seal of this one was compared.
        digest = _digest(program_digest(), _settings(reader.config, kind), rules, sorted(incomplete), dates)
        return cls(f"{digest} {kind}", partial(_answer, reader, kind))

    def is_current(self, lookups: str, answers: str) -> bool:
        """Return whether a unit with these lookups would get the same answers again."""
        return self._answer(lookups) == answers

    def answered(self, batch: UnitResults) -> UnitResults:
        """Return the batch with the answers to the lookups of its units."""
        return batch._replace(answers=[*map(self._answer, batch.lookups)])


def _settings(config: Config, kind: Kind) -> object:
    """Return the settings with which entries of a kind are read, equal in another process too."""
    return (
        config.site.locales,
        config.site.timezone,
        config.content[kind].model_dump(exclude=_WITHOUT_EFFECT),
        config.replacements,
        config.file_addresses,  # also of pictures; they depend on the targets
        config.publishes,
        config.store_base,
        config.has_former_addresses,
    )


def _answer(reader: EntryReader, kind: Kind, lookups: str) -> str:
    """Return a digest of all in other entries that the result of a unit with these lookups depends on."""
    asked = Lookups.from_text(lookups)
    names = [reader.names[other].answer(name) for other, name in sorted(asked.names)]
    definitions, broken = reader.definitions.get(kind, {}), reader.broken_fields.get(kind, set())
    # In their order, which is that of the values and of the problems of an entry.
    used = [
        (name, definition)
        for name, definition in definitions.items()
        if name in asked.keys or name in asked.inner_keys or definition.get("is_required")
    ]
    has_unknown = not asked.keys <= definitions.keys() | broken
    all_names = [(other, *fields) for other, fields in reader.definitions.items()] if has_unknown else ()
    return _digest(lookups, names, used, sorted(broken), all_names)


def _digest(*parts: object) -> str:
    return blake2b(repr(parts).encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()
