"""Group the files of one entry, by names or keys, merge translations, and report missing ones (docs/content.md 5)."""

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from ...errors import Problem, Setting, Severity, Where, join_first
from ...model import RECORDS, Kind
from ...model.scalar import parse_flag
from ..config.collection_layout import CollectionLayout
from ..config.collection_settings import TranslatedSettings
from ..config.config import Config
from ..config.unknown_keys import content_table
from ..files.file_names import DOCUMENT_SUFFIXES, FileName
from ..files.file_text import UnreadableFile, decode
from ..files.source_file import ContentRoot, Proposed
from ..formats.draft import Draft
from .scan import ContentFile

_TRANSLATED = frozenset(kind for kind, record in RECORDS.items() if record.translated)


class Unit(NamedTuple):
    """Files that are read together: a file and its translations, such as `hello.md` and `hello.fr.md`."""

    kind: Kind
    files: tuple[ContentFile, ...]  # the file of the entries first, then those of its translations
    is_orphaned: bool = False  # True: there are only translations

    @property
    def name(self) -> str:
        """The name of the unit, unique in its kind: the paths of its files."""
        return self.files[0].path if len(self.files) == 1 else "\n".join([file.path for file in self.files])

    @property
    def ref(self) -> tuple[Kind, str]:
        """The kind and the path of the first file, which no other unit has."""
        return self.kind, self.files[0].path

    @property
    def paths(self) -> frozenset[str]:
        """The paths of its files."""
        return frozenset(file.path for file in self.files)


Layouts = Mapping[Kind, CollectionLayout]  # of the kinds with one entry per file, which its path identifies


def document_name(file: ContentFile, layouts: Layouts) -> FileName | None:
    """Return the parts of a document's file name; None for tables, lists and listings."""
    layout = layouts.get(file.kind)
    return layout.parse(file.path) if layout and file.suffix in DOCUMENT_SUFFIXES else None


def read_translation_keys(
    folder: Path, config: Config, files: Iterable[ContentFile], proposed: Proposed = MappingProxyType({})
) -> dict[str, str]:
    """Return the translation key of each file that has one, by the file's path. It pairs files with different names.

    The setting `translation_key` of a kind names the key in front matter that contains it; without the setting, the
    kind's files have none. `proposed` data replaces the data of files on disk. Leave out files that cannot be read:
    reading their entries reports the reason.
    """
    if len(config.site.locales) == 1:  # there are no translations
        return {}
    translated = {kind: table for kind, table in config.content.items() if isinstance(table, TranslatedSettings)}
    names = {kind: table.translation_key for kind, table in translated.items() if table.translation_key}
    wanted = [file for file in files if file.kind in names and file.suffix in DOCUMENT_SUFFIXES] if names else []
    if not wanted:
        return {}
    keys: dict[str, str] = {}
    with ContentRoot(folder, proposed=proposed) as root:
        for file in wanted:
            with suppress(UnreadableFile):
                translation_key = _read_key(root, file, names[file.kind])
                if translation_key:
                    keys[file.path] = translation_key
    return keys


def _read_key(root: ContentRoot, file: ContentFile, name: str) -> str:
    """Return the value of the key `name` in a file's front matter; "" without this key. Raise UnreadableFile."""
    from ..formats.front_matter import MAX_FRONT_MATTER, read_document  # few folders have translation keys

    more_than_front_matter = 2 * MAX_FRONT_MATTER  # with its first and last line
    data = root.read_head(file.location, file.path, more_than_front_matter)
    if name.encode() not in data:  # as in many files, and fast
        return ""
    whole_lines = data[: data.rfind(b"\n") + 1]  # the last line may end within a character
    text = decode(whole_lines or data, file.path)
    value = read_document(text, file.kind, file.path).values.get(name)
    return value.strip() if isinstance(value, str) else ""


def duplicate_key_problems(files: Iterable[ContentFile], config: Config, keys: dict[str, str]) -> Iterator[Problem]:
    """Yield a problem for each file in the default language whose translation key another such file has."""
    layouts = config.layouts()
    first_paths: dict[tuple[Kind, str], str] = {}  # by kind and key
    for file in files if keys else ():
        key = keys.get(file.path)
        if key is None or layouts[file.kind].parse(file.path).locale:
            continue
        other = first_paths.setdefault((file.kind, key), file.path)
        if other != file.path:
            message = f"the translation key '{key}' is also that of {other}, which is in the same language"
            hint = "give one of them another key"
            yield Problem("duplicate-translation-key", message, Where(file.path), hint, kind=file.kind.value)


def group_files(files: Iterable[ContentFile], config: Config, keys: Mapping[str, str] | None = None) -> list[Unit]:
    """Group files into units, in the order of the files. Translations without an entry come last.

    `keys` are the translation keys of files, by path. A file with a key translates the entry with that key. If that is
    missing, or the file has no key, it translates the entry of the same file name, unless both have different keys.
    """
    locales, layouts = config.site.locales, config.layouts()
    if len(locales) == 1:
        new = tuple.__new__  # twice as fast as the class's own
        return [new(Unit, (file.kind, (file,), False)) for file in files]
    keys = keys or {}
    units: list[Unit] = []
    by_base: dict[tuple[Kind, str], int] = {}  # numbers of units
    by_key: dict[tuple[Kind, str], int] = {}
    translations: dict[tuple[Kind, str, str], list[ContentFile]] = {}  # by kind, base and key
    for file in files:
        name = document_name(file, layouts)
        if name and name.locale:
            translations.setdefault((file.kind, name.base, keys.get(file.path, "")), []).append(file)
            continue
        if name:
            by_base.setdefault((file.kind, name.base), len(units))
        if keys and file.path in keys:
            by_key.setdefault((file.kind, keys[file.path]), len(units))
        units.append(Unit(file.kind, (file,)))
    without_entry: dict[tuple[Kind, str], list[ContentFile]] = {}  # by kind, and key or base
    for (kind, base, key), siblings in translations.items():
        number = by_key.get((kind, key), by_base.get((kind, base)))
        if number is not None and key:
            key_of_entry = keys.get(units[number].files[0].path, key)  # an entry without a key fits any
            if key_of_entry != key:
                number = None
        if number is None or kind not in _TRANSLATED:
            without_entry.setdefault((kind, key or base), []).extend(siblings)
        else:
            units[number] = Unit(kind, (*units[number].files, *siblings))
    for (kind, _key_or_base), siblings in without_entry.items():
        is_orphaned = not layouts[kind].reads_orphans_as_entries
        # Files of a translated kind contain the same text in several languages; each other file is a unit of its own.
        groups = [siblings] if kind in _TRANSLATED else [[file] for file in siblings]
        for group in groups:
            group.sort(key=lambda file: locales.index(layouts[kind].parse(file.path).locale or locales[0]))
            units.append(Unit(kind, tuple(group), is_orphaned))
    return units


def untranslatable_problem(file: ContentFile, locale: str) -> Problem:
    """Return the problem that a file's name ends with a language, but its kind cannot be translated."""
    message = f"{file.kind.plural} cannot be translated, but the file name ends with '{locale}', a language of the site"
    hint = f"make a {file.kind.value} of its own, under another name"
    return Problem("page-translation", message, Where(file.path), hint, kind=file.kind.value)


def merge_translation(draft: Draft, sibling: Draft, locale: str, custom_fields: Container[str]) -> None:
    """Merge the texts of a translated file into the entry's `translations`, with their locations in that file.

    A field that cannot be translated may be repeated with the entry's own value.
    """
    draft.problems += sibling.problems
    draft.is_ascii = draft.is_ascii and sibling.is_ascii
    if not sibling.values and not sibling.failed_fields:
        hint = "add the translated texts, or delete the file"
        draft.warn("empty-file", "the file contains no translated texts", sibling.where(), hint)
        return
    translations = draft.values.get("translations")
    if translations is None:
        translations = draft.values["translations"] = {}
        draft.value_locations.setdefault("translations", (sibling.path, (sibling.line, 1)))
    if not isinstance(translations, dict):
        return  # the validation reports it
    prefix = f"translations.{locale}"
    texts = translations.setdefault(locale, {})
    draft.value_locations.setdefault(prefix, (sibling.path, (sibling.line, 1)))
    if not isinstance(texts, dict):
        _add_translated_twice(draft, sibling, name="", prefix=prefix)
        return
    for name, value in sibling.values.items():
        if name in sibling.failed_fields:
            continue
        if _is_untranslatable(draft, name, custom_fields):
            if not _is_repeated(draft, name, value):
                _add_not_translated(draft, sibling, name)
        elif name in texts:
            _add_translated_twice(draft, sibling, name, f"{prefix}.{name}")
        else:
            texts[name] = value
            _copy_locations(draft, sibling, name, prefix)


def _is_untranslatable(draft: Draft, name: str, custom_fields: Container[str]) -> bool:
    record = RECORDS[draft.kind]
    return name not in record.translated and (name in record.rules() or name == "sync" or name in custom_fields)


def _is_repeated(draft: Draft, name: str, value: Any) -> bool:
    """Return whether the entry has this value too; a flag without a text as its value counts as its default."""
    rule = RECORDS[draft.kind].rules().get(name)
    if rule is None or not isinstance(rule.default, bool) or not isinstance(value, str):
        return name in draft.values and bool(draft.values[name] == value)
    entry_value = draft.values.get(name)
    entry_flag = parse_flag(entry_value) if isinstance(entry_value, str) else rule.default
    return parse_flag(value) == entry_flag  # if neither text is a flag, only that of the entry is reported


def _add_not_translated(draft: Draft, sibling: Draft, name: str) -> None:
    """Add the error of a field that cannot be translated, with the setting that ignores it."""
    message = f"{name} cannot be translated: it is the same in all languages"
    draft.error("not-translated", message, sibling.where_key(name), f"set it in {draft.path}")
    rule = RECORDS[draft.kind].rules().get(name)
    is_flag = rule is not None and isinstance(rule.default, bool)
    # A flag such as `active: false`, or `sync: {skip: true}`, may hide the text: to ignore it could publish the text.
    if not is_flag and name != "sync":
        setting = Setting(content_table(draft.kind), "ignore_in_translations", name)
        draft.problems[-1] = replace(draft.problems[-1], setting=setting)


def _add_translated_twice(draft: Draft, sibling: Draft, name: str, prefix: str) -> None:
    """Report a text that is translated here and at `prefix` too; `name` is "" for the whole translation."""
    other = draft.where(prefix)
    message = f"{name or 'the translation'} is translated twice, here and in {other.path}, line {other.line}"
    draft.error("translation-twice", message, sibling.where_key(name), "keep one of them")


def _copy_locations(draft: Draft, sibling: Draft, name: str, prefix: str) -> None:
    """Copy the locations of a translated field and everything in it to the entry, below `prefix`."""
    if name in sibling.body_locations:
        draft.body_locations[f"{prefix}.{name}"] = sibling.body_locations[name]
    for target, source in (
        (draft.value_locations, sibling.value_locations),
        (draft.key_locations, sibling.key_locations),
    ):
        target.update(
            (f"{prefix}.{inner}", location)
            for inner, location in source.items()
            if inner == name or inner.startswith(f"{name}.")
        )


MAX_PATHS_SHOWN = 3  # paths in a message


class TranslationCoverage:
    """Counts the missing translations of entries. It counts none for a site with one language."""

    def __init__(self, locales: Sequence[str], layouts: Layouts | None = None) -> None:
        self._other_locales = tuple(locales[1:])
        # The kinds whose files in other languages may be entries of their own, which need no translation.
        self._separate_layouts = {
            kind: layout for kind, layout in (layouts or {}).items() if layout.reads_orphans_as_entries
        }
        self._entries: Counter[Kind] = Counter()
        # By kind and language: the path of each entry without a translation.
        self._missing: dict[tuple[Kind, str], list[str]] = {}

    def add(self, kind: Kind, path: str, locales: Collection[str]) -> None:
        """Count an entry by the path of its file. `locales` are the languages in its `translations`."""
        if not self._other_locales or kind not in _TRANSLATED:
            return
        layout = self._separate_layouts.get(kind)
        if layout and layout.parse(path).locale:  # an entry in another language only
            return
        self._entries[kind] += 1
        for locale in self._other_locales:
            if locale not in locales:
                self._missing.setdefault((kind, locale), []).append(path)

    def add_untranslated(self, kind: Kind, paths: Iterable[str]) -> None:
        """Count entries that are in the default language only."""
        if self._other_locales:
            for path in paths:
                self.add(kind, path, locales=())

    def problems(self) -> Iterator[Problem]:
        """Yield a warning for each kind and language in which most entries, but not all, are translated."""
        for (kind, locale), missing in self._missing.items():
            total = self._entries[kind]
            if 2 * len(missing) >= total:
                continue
            paths = sorted(missing)
            verb = "has" if len(missing) == 1 else "have"
            shown = join_first(paths, MAX_PATHS_SHOWN)
            message = f"{len(missing)} of {total} {kind.plural} {verb} no translation into '{locale}': {shown}"
            hint = "add the translations; until then, readers of that language see the default language"
            yield Problem("missing-translation", message, Where(paths[0]), hint, Severity.WARNING, kind.value)
