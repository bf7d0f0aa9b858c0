"""Warn of files and folders that look like translations into a language that the site does not have."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import Problem, Severity, Where
from ..model import RECORDS, Kind
from .collection_layout import LOCALE, CollectionLayout
from .config import Config
from .content_folder import CONFIG
from .file_names import DOCUMENT_SUFFIXES, visible_names
from .scan import ContentFile

# The codes of ISO 639-1.
_LANGUAGE = re.compile(
    r"(?:a[abefkmnrsvyz]|b[aegimnors]|c[aehorsuvy]|d[aevz]|e[elnostu]|f[afijory]|g[adlnuv]|h[aeiortuyz]"
    r"|i[adegikostu]|j[av]|k[agijklmnorsuvwy]|l[abginotuv]|m[ghiklnrsty]|n[abdeglnorvy]|o[cjmrs]|p[ailst]"
    r"|q[u]|r[mnouw]|s[acdegiklmnoqrstuvw]|t[aeghiklnorstwy]|u[gkrz]|v[eio]|w[ao]|x[h]|y[io]|z[ahu])\Z",
    re.IGNORECASE,
)
_LOCALE_FOLDER = re.compile(r"(?P<language>[A-Za-z]{2,3})(?:[-_][A-Za-z0-9]{2,8})*\Z")
# The locale of `blog/hello.pt-BR.md` is `pt-BR`, its language `pt`.
_LOCALE_SUFFIX = re.compile(
    r"(?P<base>.+)\.(?P<locale>(?P<language>[A-Za-z]{2,3})(?:[-_][A-Za-z0-9]{2,8})*)\.[A-Za-z]+\Z"
)


def unknown_locale_problems(files: Sequence[ContentFile], locales: Sequence[str]) -> Iterator[Problem]:
    """Yield a warning for each file that looks like a translation into a language that the site does not have."""
    candidates = [(file, _language_suffix(file, locales)) for file in files if file.path.count(".") > 1]
    suspects = [(file, match) for file, match in candidates if match]
    paths = {file.path for file in files} if suspects else set()
    for file, match in suspects:
        base, locale = match["base"], match["locale"]
        original = next((base + suffix for suffix in DOCUMENT_SUFFIXES if base + suffix in paths), None)
        if original is None:
            continue
        message = f"'{locale}' is not a language of the site: this is a separate entry, not a translation of {original}"
        hint = f"add '{locale}' to site.locales in {CONFIG}, or replace the dot with a hyphen"
        if similar := _similar_locale(locale, locales):
            hint = f"did you mean '{similar}'?"
        yield Problem("unknown-locale-suffix", message, Where(file.path), hint, Severity.WARNING, file.kind.value)


def unknown_locale_folders(folder: Path, config: Config, looked_into: set[str]) -> Iterator[Problem]:
    """Yield a warning for each folder named like a language that the site does not have, if languages have folders.

    Add the folders whose file names affect the result to `looked_into`.
    """
    for kind, layout in config.layouts().items():
        for path, name in _language_folders(folder, layout, looked_into) if layout.in_folders else ():
            if any(inner.lower().endswith((*DOCUMENT_SUFFIXES, "/")) for inner in visible_names(folder / path)):
                yield _folder_problem(kind, layout, path, name)


def _language_folders(folder: Path, layout: CollectionLayout, looked_into: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the collection's path in each folder named like an unknown language, and that name; fill `looked_into`."""
    before, behind = f"{layout.path}/", ""
    if LOCALE in layout.path:
        before, _, behind = layout.path.partition(LOCALE)
    looked_into |= {before.rstrip("/")} - {""}  # the names in the content folder itself are compared anyway
    for entry in visible_names(folder / before):
        name = entry.rstrip("/")
        match = _LOCALE_FOLDER.match(name) if entry.endswith("/") and name not in layout.locales else None
        if match and (_LANGUAGE.match(match["language"]) or _similar_locale(name, layout.locales)):
            path = f"{before}{name}{behind}"
            looked_into.add(path)
            if os.path.isdir(folder / path):  # noqa: PTH112  # Path.is_dir raises where it may not look
                yield path, name


def _folder_problem(kind: Kind, layout: CollectionLayout, path: str, name: str) -> Problem:
    """Return the warning for a folder whose name is like an unknown language."""
    is_read = any(f"{path}/".startswith(f"{root}/") for root in layout.roots)
    result = "the files in this folder are separate entries" if is_read else "this folder is not read"
    similar = _similar_locale(name, layout.locales)
    hint = f"did you mean '{similar}'?" if similar else f"add '{name}' to site.locales in {CONFIG}"
    message = f"'{name}' is not a language of the site: {result}"
    return Problem("unknown-locale-folder", message, Where(path), hint, Severity.WARNING, kind.value)


def _language_suffix(file: ContentFile, locales: Sequence[str]) -> re.Match[str] | None:
    """Return the match of `_LOCALE_SUFFIX` if a file's name ends with a language that the site does not have."""
    can_be_translation = RECORDS[file.kind].translated and file.suffix in DOCUMENT_SUFFIXES
    match = _LOCALE_SUFFIX.match(file.path) if can_be_translation else None
    if match is None or match["locale"] in locales:
        return None
    is_language = _LANGUAGE.match(match["language"]) or _similar_locale(match["locale"], locales)
    return match if is_language else None


def _similar_locale(code: str, locales: Sequence[str]) -> str | None:
    """Return the first language whose code is similar: `_` for `-`, one wrong letter, or swapped letters. Else None."""
    written = code.replace("_", "-").lower()
    for locale in locales:
        known = locale.lower()
        differences = sum(letter != expected for letter, expected in zip(written, known, strict=False))
        if len(written) == len(known) and (differences <= 1 or sorted(written) == sorted(known)):
            return locale
    return None
