"""Files such as hello.fr.md, merged into the entry of hello.md (docs/content.md 5)."""

from collections.abc import Container, Iterator, Mapping, Sequence

from ..errors import Problem, Where
from ..model import RECORDS, Kind
from .draft import Draft
from .files.scan import ContentFile
from .unit import Unit, name_of


def orphan_problems(
    files: Sequence[ContentFile], units: Mapping[Kind, Sequence[Unit]], locales: Sequence[str]
) -> Iterator[Problem]:
    """The problem of each translation without its entry."""
    orphans = [file for its in units.values() for unit in its if unit.orphaned for file in unit.files]
    names = {file: name for file in files if (name := name_of(file, locales))} if orphans else {}
    dated = {(file.kind, name.undated): name for file, name in names.items() if name.date and not name.locale}
    for file in orphans:
        name = names[file]
        message = f"this is a translation of {name.base}{file.suffix}, which does not exist"
        hint = "add that file, or remove the language from the file name"
        if meant := dated.get((file.kind, name.base)):
            hint = f"rename it to {meant.base.rpartition('/')[2]}.{name.locale}{file.suffix}"
        yield Problem("orphan-translation", message, Where(file.path), hint, kind=file.kind.value)


def merge_translation(draft: Draft, sibling: Draft, locale: str, custom_fields: Container[str]) -> None:
    """Put the texts of a translated file into the entry's `translations`, with their places in that file."""
    draft.problems += sibling.problems
    draft.is_ascii = draft.is_ascii and sibling.is_ascii
    if not sibling.values and not sibling.failed:
        draft.warn(
            "empty-file",
            "the file contains no translated texts",
            sibling.where(),
            "add the translated texts, or delete the file",
        )
        return
    translations = draft.values.get("translations")
    if translations is None:
        translations = draft.values["translations"] = {}
        draft.marks.setdefault("translations", (sibling.path, (sibling.line, 1)))
    if not isinstance(translations, dict):
        return  # which the rules tell
    way = f"translations.{locale}"
    texts = translations.setdefault(locale, {})
    draft.marks.setdefault(way, (sibling.path, (sibling.line, 1)))
    if not isinstance(texts, dict):
        _tell_twice(draft, sibling, "", way)
        return
    for name, value in sibling.values.items():
        if name in sibling.failed:
            continue
        if _is_untranslated(draft, name, custom_fields):
            message = f"{name} cannot be translated: it is the same in all languages"
            draft.error("not-translated", message, sibling.where_key(name), f"set it in {draft.path}")
        elif name in texts:
            _tell_twice(draft, sibling, name, f"{way}.{name}")
        else:
            texts[name] = value
            _move_places(draft, sibling, name, way)


def _is_untranslated(draft: Draft, name: str, custom_fields: Container[str]) -> bool:
    record = RECORDS[draft.kind]
    return name not in record.translated and (name in record.rules() or name == "sync" or name in custom_fields)


def _tell_twice(draft: Draft, sibling: Draft, name: str, way: str) -> None:
    there = draft.where(way)
    message = f"{name or 'the translation'} is translated twice, here and in {there.path}, line {there.line}"
    draft.error("translation-twice", message, sibling.where_key(name), "keep one of them")


def _move_places(draft: Draft, sibling: Draft, name: str, way: str) -> None:
    if name in sibling.bodies:
        draft.bodies[f"{way}.{name}"] = sibling.bodies[name]
    for into, places in ((draft.marks, sibling.marks), (draft.keys, sibling.keys)):
        into.update(
            (f"{way}.{inner}", place)
            for inner, place in places.items()
            if inner == name or inner.startswith(f"{name}.")
        )
