"""A new entry: where it goes in a content folder, and what the file holds then."""

import re
from dataclasses import dataclass
from pathlib import Path

from ...errors import ContentError, Refused, UsageError, Where
from ...model import RECORDS, Context, Invalid, Kind, check
from ...model.slug import make_name, make_slug
from ..config import DEFAULT_PATHS
from ..draft import Draft, Unreadable
from ..files.file_names import name_fault
from ..files.writing import create, replace
from ..folder import Content
from ..formats.yaml_text import read_mappings
from ..identity import read_file_name
from .scaffold import document, fields, item

_YAML = (".yaml", ".yml")
_LISTED = (Kind.CATEGORY, Kind.TAG, Kind.CUSTOM_FIELD)  # kinds that are read from YAML only
_NEEDED = {Kind.ARTICLE: {"markdown": "text"}, Kind.CUSTOM_FIELD: {"type": "text"}}


@dataclass(frozen=True, slots=True)
class Addition:
    """A file as it will be when the entry is in it."""

    path: str  # relative to the content folder
    line: int  # where the entry starts
    data: bytes
    is_new: bool  # the file; else what it holds now is all in `data`

    def write(self, folder: Path) -> None:
        """Put it into the content folder. Raises Unwritable where that fails; then nothing has changed."""
        if self.is_new:
            create(folder, {self.path: self.data})
        else:
            replace(folder, self.path, self.data)


def add(content: Content, kind: Kind, slug: str) -> Addition:
    """A new entry of the slug (of a custom field: the name), which will be valid.

    Raises UsageError where no entry can be called so, Refused where one is, and ContentError where the file
    that it belongs into has errors.
    """
    _require_slug(kind, slug)
    _refuse_known(content, kind, slug)
    path = _path(content, kind)
    broken = [problem for problem in content.errors if problem.where.path == path and problem.code != "no-folder"]
    if broken:
        raise ContentError(broken, content.folder)
    place = content.folder / path
    if place.is_file() or (not place.exists() and path.endswith(_YAML)):
        return _in_list(content, kind, slug, path)
    return _in_folder(content, kind, slug, path)


def _require_slug(kind: Kind, slug: str) -> None:
    record = RECORDS[kind]
    values = {record.key_field: slug, record.title_field: "Title", **_NEEDED.get(kind, {})}
    try:
        check(kind, values, Context(authored=True))
    except Invalid as invalid:
        made = make_name(slug) if kind is Kind.CUSTOM_FIELD else make_slug(slug)
        hint = f"did you mean '{made}'?" if made not in ("", slug) else ""
        raise UsageError(f"'{slug}': {invalid.violations[0].message}", hint) from invalid


def _refuse_known(content: Content, kind: Kind, slug: str) -> None:
    for entry in content.entries:
        if entry.kind is kind and slug in (entry.key, entry.fields.get("slug")) and entry.source:
            raise _known(kind, slug, entry.source.where())
    for problem in content.errors:  # of entries that are not in `entries` for it
        if problem.kind == kind and problem.key == slug:
            raise _known(kind, slug, problem.where)


def _known(kind: Kind, slug: str, where: Where) -> Refused:
    message = f"the {kind.replace('_', ' ')} '{slug}' is there already: {where.path}, line {where.line}"
    return Refused(message, "choose another name")


def _path(content: Content, kind: Kind) -> str:
    path = content.config.content[kind].path
    short = path.removesuffix(".yaml") + ".yml"
    if path == DEFAULT_PATHS[kind] and (content.folder / short).is_file() and not (content.folder / path).exists():
        return short
    return path


def _in_folder(content: Content, kind: Kind, slug: str, folder: str) -> Addition:
    path = f"{folder}/{slug}{'.yaml' if kind in _LISTED else '.md'}"
    excluded = content.config.content[kind].excludes(path)
    fault = name_fault(path) or ("the config leaves such a file out" if excluded else None)
    if fault:
        raise UsageError(f"{path}: {fault}", "choose another name")
    if (content.folder / path).exists():
        raise Refused(f"there is a file {path} already", "choose another name")
    made_of = make_slug(read_file_name(path, content.config.site.locales).stem)
    lines = _fields(content, kind, slug, with_slug=made_of != slug and kind not in (*_LISTED, Kind.LISTING))
    text = "\n".join([*lines, ""]) if kind in _LISTED else document(kind, lines)
    return Addition(path, 1, text.encode(), is_new=True)


def _in_list(content: Content, kind: Kind, slug: str, path: str) -> Addition:
    if not path.endswith(_YAML):
        raise Refused(f"all {kind.plural} are in {path}, which is not YAML", f"add the {kind.value} there by hand")
    lines = _fields(content, kind, slug)
    if not (content.folder / path).exists():
        return Addition(path, 1, item(lines).encode(), is_new=True)
    data = (content.folder / path).read_bytes()
    text = data.decode("utf-8-sig")
    newline = "\r\n" if "\r\n" in text else "\n"
    if text and not text.endswith("\n"):
        text, data = text + newline, data + newline.encode()
    entries = _entries(text, kind, path)
    dash = re.match(r" *(?=- )", text.split("\n")[entries[-1].line - 1]) if entries else None
    added = item(lines, dash[0] if dash else "").replace("\n", newline)
    after = _entries(text + added, kind, path)
    if not after or [draft.values for draft in after[:-1]] != [draft.values for draft in entries]:
        raise Refused(f"{path} is not a list with a dash before each entry", f"add the {kind.value} there by hand")
    return Addition(path, text.count("\n") + 1, data + added.encode(), is_new=False)


def _entries(text: str, kind: Kind, path: str) -> list[Draft]:
    """What a YAML text holds; nothing where it is none."""
    try:
        items = list(read_mappings(text.replace("\r\n", "\n"), kind, path))
    except Unreadable:
        return []
    return [item for item in items if isinstance(item, Draft)]


def _fields(content: Content, kind: Kind, slug: str, *, with_slug: bool = False) -> list[str]:
    definitions = [
        entry.fields
        for entry in content.entries
        if entry.kind is Kind.CUSTOM_FIELD and entry.fields.get("fieldable_type", Kind.LISTING) == kind
    ]
    return fields(kind, slug, content.config.content[kind], definitions, with_slug=with_slug)
