"""Group the files of one entry, merge its translations, and report missing ones (docs/content.md 5)."""

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..errors import Problem, Severity, Where, join_first
from ..model import RECORDS, Kind
from .content_folder import CONFIG
from .draft import Draft
from .file_names import FileName, parse_file_name
from .scan import DOCUMENT_SUFFIXES, ContentFile

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


def document_name(file: ContentFile, locales: Sequence[str]) -> FileName | None:
    """Return the parts of a document's file name; None for tables, lists and listings."""
    if file.suffix not in DOCUMENT_SUFFIXES or file.kind is Kind.LISTING:
        return None
    return parse_file_name(file.path, locales)


def group_files(files: Iterable[ContentFile], locales: Sequence[str]) -> list[Unit]:
    """Group files into units, in the order of the files. Translations without an entry come last."""
    if len(locales) == 1:
        new = tuple.__new__  # twice as fast as the class's own
        return [new(Unit, (file.kind, (file,), False)) for file in files]
    units: list[Unit] = []
    numbers: dict[tuple[Kind, str], int] = {}
    translations: dict[tuple[Kind, str], list[ContentFile]] = {}
    for file in files:
        if file.kind in _TRANSLATED:
            name = document_name(file, locales)
            if name and name.locale and name.locale != locales[0]:
                translations.setdefault((file.kind, name.base), []).append(file)
                continue
            if name:
                numbers.setdefault((file.kind, name.base), len(units))
        units.append(Unit(file.kind, (file,)))
    for (kind, base), siblings in translations.items():
        number = numbers.get((kind, base))
        if number is None:
            units.append(Unit(kind, tuple(siblings), is_orphaned=True))
        else:
            units[number] = Unit(kind, (*units[number].files, *siblings))
    return units


def orphan_problems(
    files: Sequence[ContentFile], units: Mapping[Kind, Sequence[Unit]], locales: Sequence[str]
) -> Iterator[Problem]:
    """Yield a problem for each translation whose entry does not exist."""
    orphans = [file for of_kind in units.values() for unit in of_kind if unit.is_orphaned for file in unit.files]
    names = {file: name for file in files if (name := document_name(file, locales))} if orphans else {}
    dated = {(file.kind, name.undated): name for file, name in names.items() if name.date and not name.locale}
    for file in orphans:
        name = names[file]
        message = f"this is a translation of {name.base}{file.suffix}, which does not exist"
        hint = "add that file, or remove the language from the file name"
        if dated_name := dated.get((file.kind, name.base)):
            hint = f"rename it to {dated_name.base.rpartition('/')[2]}.{name.locale}{file.suffix}"
        yield Problem("orphan-translation", message, Where(file.path), hint, kind=file.kind.value)


def merge_translation(draft: Draft, sibling: Draft, locale: str, custom_fields: Container[str]) -> None:
    """Merge the texts of a translated file into the entry's `translations`, with their locations in that file."""
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
        return  # the rules report it
    prefix = f"translations.{locale}"
    texts = translations.setdefault(locale, {})
    draft.value_locations.setdefault(prefix, (sibling.path, (sibling.line, 1)))
    if not isinstance(texts, dict):
        _add_translated_twice(draft, sibling, "", prefix)
        return
    for name, value in sibling.values.items():
        if name in sibling.failed_fields:
            continue
        if _is_untranslatable(draft, name, custom_fields):
            message = f"{name} cannot be translated: it is the same in all languages"
            draft.error("not-translated", message, sibling.where_key(name), f"set it in {draft.path}")
        elif name in texts:
            _add_translated_twice(draft, sibling, name, f"{prefix}.{name}")
        else:
            texts[name] = value
            _copy_locations(draft, sibling, name, prefix)


def _is_untranslatable(draft: Draft, name: str, custom_fields: Container[str]) -> bool:
    record = RECORDS[draft.kind]
    return name not in record.translated and (name in record.rules() or name == "sync" or name in custom_fields)


def _add_translated_twice(draft: Draft, sibling: Draft, name: str, prefix: str) -> None:
    other = draft.where(prefix)
    message = f"{name or 'the translation'} is translated twice, here and in {other.path}, line {other.line}"
    draft.error("translation-twice", message, sibling.where_key(name), "keep one of them")


def _copy_locations(draft: Draft, sibling: Draft, name: str, prefix: str) -> None:
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

# The codes of ISO 639-1.
_LANGUAGE = re.compile(
    r"(?:a[abefkmnrsvyz]|b[aegimnors]|c[aehorsuvy]|d[aevz]|e[elnostu]|f[afijory]|g[adlnuv]|h[aeiortuyz]"
    r"|i[adegikostu]|j[av]|k[agijklmnorsuvwy]|l[abginotuv]|m[ghiklnrsty]|n[abdeglnorvy]|o[cjmrs]|p[ailst]"
    r"|q[u]|r[mnouw]|s[acdegiklmnoqrstuvw]|t[aeghiklnorstwy]|u[gkrz]|v[eio]|w[ao]|x[h]|y[io]|z[ahu])\Z",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"(.+)\.(([A-Za-z]{2,3})(?:[-_][A-Za-z0-9]{2,8})*)\.[A-Za-z]+\Z")


class TranslationCoverage:
    """Counts the missing translations of entries. It counts none for a site with one language."""

    def __init__(self, locales: Sequence[str]) -> None:
        self._other_locales = tuple(locales[1:])
        self._entries: Counter[Kind] = Counter()
        self._missing: dict[tuple[Kind, str], list[str]] = {}

    def add(self, kind: Kind, path: str, locales: Collection[str]) -> None:
        """Count an entry by the path of its file. `locales` are the languages in its `translations`."""
        if not self._other_locales or kind not in _TRANSLATED:
            return
        self._entries[kind] += 1
        for locale in self._other_locales:
            if locale not in locales:
                self._missing.setdefault((kind, locale), []).append(path)

    def add_untranslated(self, kind: Kind, paths: Iterable[str]) -> None:
        """Count entries that are in the default language only."""
        if self._other_locales:
            for path in paths:
                self.add(kind, path, ())

    def problems(self) -> Iterator[Problem]:
        """Yield a warning for each kind and language in which most entries, but not all, are translated."""
        for (kind, locale), missing in self._missing.items():
            entries, paths = self._entries[kind], sorted(missing)
            if 2 * len(paths) >= entries:
                continue
            verb = "has" if len(paths) == 1 else "have"
            shown = join_first(paths, MAX_PATHS_SHOWN)
            message = f"{len(paths)} of {entries} {kind.plural} {verb} no translation into '{locale}': {shown}"
            hint = "add the translations; until then, readers of that language see the default language"
            yield Problem("missing-translation", message, Where(paths[0]), hint, Severity.WARNING, kind.value)


def unknown_locale_problems(files: Sequence[ContentFile], locales: Sequence[str]) -> Iterator[Problem]:
    """Yield a warning for each file that looks like a translation into a language that the site does not have."""
    suspects = [
        (file, match) for file in files if file.path.count(".") > 1 and (match := _language_suffix(file, locales))
    ]
    paths = {file.path for file in files} if suspects else set()
    for file, match in suspects:
        neighbour = next((match[1] + suffix for suffix in DOCUMENT_SUFFIXES if match[1] + suffix in paths), None)
        if neighbour is None:
            continue
        similar = _similar_locale(match[2], locales)
        message = (
            f"'{match[2]}' is not a language of the site: this is a separate entry, not a translation of {neighbour}"
        )
        hint = f"add '{match[2]}' to site.locales in {CONFIG}, or replace the dot with a hyphen"
        hint = f"did you mean '{similar}'?" if similar else hint
        yield Problem("unknown-locale-suffix", message, Where(file.path), hint, Severity.WARNING, file.kind.value)


def _language_suffix(file: ContentFile, locales: Sequence[str]) -> re.Match[str] | None:
    match = _SUFFIX.match(file.path) if file.kind in _TRANSLATED and file.suffix in DOCUMENT_SUFFIXES else None
    if match is None or match[2] in locales:
        return None
    return match if _LANGUAGE.match(match[3]) or _similar_locale(match[2], locales) else None


def _similar_locale(suffix: str, locales: Sequence[str]) -> str | None:
    """Return the first language with a similar code, or None: `_` for `-`, one wrong letter, or swapped letters."""
    written = suffix.replace("_", "-").lower()
    for locale in locales:
        known = locale.lower()
        differences = sum(letter != expected for letter, expected in zip(written, known, strict=False))
        if len(written) == len(known) and (differences <= 1 or sorted(written) == sorted(known)):
            return locale
    return None
