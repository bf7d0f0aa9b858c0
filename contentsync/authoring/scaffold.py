"""Make the files of `init` and `new`: an example folder, and a new entry of each kind with its usual keys."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Any

import yaml

from ..content.config.collection_settings import CollectionSettings
from ..content.files.file_names import DOCUMENT_SUFFIXES, name_fault, path_in, suffix_of
from ..content.files.file_text import UnreadableFile
from ..content.files.slug_pattern import SlugSource
from ..content.folder.entry_names import path_in_folder
from ..content.folder.load import Content
from ..content.formats.draft import Draft
from ..content.formats.yaml_reader import read_mappings
from ..errors import ContentError, Refused, UsageError
from ..file_writes import create_files, rewrite_file
from ..lazy_pattern import lazy_pattern
from ..model import RECORDS, Context, Definition, Invalid, Kind, validate
from ..model.entry import parse_entry_name
from ..model.scalar import parse_flag
from ..model.slug import make_name, make_slug
from ..model.suggestion import did_you_mean_text
from .edit.text_editor import SourceText, Splice, edited_bytes

# The front matter of new entries: the first key is the title. Entries whose text is still missing are not shown yet.
_FIELDS: Mapping[Kind, str] = {
    Kind.PAGE: """\
title: $title
# Not shown yet: delete the next line when the page is ready.
is_published: false
# placement: navbar
# order: 10
# seo: {title: For search engines, description: One or two sentences.}
# For a page that is only a link:
# is_external: true
# external_url: https://example.com/
# new_tab: true
""",
    Kind.ARTICLE: """\
title: $title
# A draft: delete the next line when the article is ready.
active: false
# Without a date, the time of the first sync:
# published_at: 2026-03-01 09:00
# categories: [News]
# thumbnail_url: https://example.com/picture.jpg
# thumbnail_alt_text: What the picture shows
# seo: {title: For search engines, description: One or two sentences.}
""",
    Kind.ORGANIZER: """\
name: $title
# Not shown yet: delete the next line when the profile is ready.
is_active: false
# description: One or two sentences.
# logo_url: https://example.com/logo.png
# cover_image_url: https://example.com/cover.jpg
# website_url: https://example.com/
# email: hello@example.com
# phone: +44 20 7946 0000
# address: 1 High Street, London
# social_links: {mastodon: https://example.com/@name}
# order: 10
""",
    Kind.LISTING: """\
name: $title
slug: $slug
# Not shown yet: delete the next line when the listing is ready.
is_active: false
# The url identifies the listing; without it, the slug does:
# url: https://example.com/
# description: One or two sentences.
# categories: [slug-of-a-category]
# tags: [slug-of-a-tag]
# organizers: [slug-of-an-organizer]
# image_url: https://example.com/picture.jpg
# logo_url: https://example.com/logo.png
# email: hello@example.com
# address: 1 High Street, London
# latitude: 51.5
# longitude: -0.12
# starts_at: 2026-03-01
# ends_at: 2026-12-31
# is_featured: true
""",
    Kind.CATEGORY: """\
title: $title
slug: $slug
# description: One or two sentences.
# parent_id: slug-of-another-category
# icon: name-of-an-icon
# order: 10
# show_on_sidebar: false
""",
    Kind.TAG: """\
title: $title
slug: $slug
# color: "#00aa77"
# text_color: "#ffffff"
# heroicon: name-of-an-icon
""",
    Kind.CUSTOM_FIELD: """\
label: $title
name: $slug
# text, textarea, markdown, rich_editor, html, number, rating, checkbox, date, url, email, file_upload, button,
# javascript, or with options: select, multi_select, list
type: text
# options: [One, Two]
# organizer, article or listing:
# fieldable_type: listing
# description: For those who fill in the form.
# is_required: true
# filterable: true
# show_on_card: true
""",
}

_TEXTS: Mapping[Kind, str] = {
    Kind.PAGE: "Write the page here, in Markdown.\n",
    Kind.ARTICLE: "Write the article here, in Markdown.\n",
    Kind.ORGANIZER: "Write the profile here, in Markdown.\n",
    Kind.LISTING: "Write more about it here, in Markdown.\n",
}

# Values of required custom fields, by type; for all others any text is allowed.
_PLACEHOLDERS = {
    "number": "0",
    "rating": "0",
    "checkbox": "false",
    "date": "2026-03-01",
    "url": "https://example.com/",
    "button": "https://example.com/",
    "email": "hello@example.com",
    "list": "[to be written]",
    "multi_select": "[to be written]",
}

_KEY = lazy_pattern(r"(?P<comment># )?(?P<key>[a-z_]+): (?P<value>.*)")


def starter_files() -> dict[str, bytes]:
    """Return the files of a new content folder, by path: the config and an example of each kind."""
    contents: dict[str, bytes] = {".gitignore": b".contentsync/\n"}
    _collect_files(files(__package__) / "starter", path="", contents=contents)
    return contents


def entry_lines(
    kind: Kind, slug: str, collection: CollectionSettings, definitions: Iterable[Definition], *, with_slug: bool = False
) -> list[str]:
    """Return the YAML lines of a new entry, with keys renamed as the config says. Optional keys are comments.

    `definitions` are the custom fields of the kind: required fields get a placeholder. `with_slug` adds the slug; it
    is needed if the file name would give another slug.
    """
    title = slug.replace("_", "-").strip("-").replace("-", " ")
    text = Template(_FIELDS[kind]).substitute(title=_scalar(title[:1].upper() + title[1:]), slug=_scalar(slug))
    lines = text.splitlines()
    if with_slug:  # below the title
        lines.insert(1, f"slug: {_scalar(slug)}")
    for definition in definitions:
        if definition.get("is_required"):
            lines.append(f"{definition['name']}: {_placeholder(definition)}")
    return [_rename_key(line, collection.rename) for line in lines]


def document_text(kind: Kind, lines: Iterable[str]) -> str:
    """Return the text of a new Markdown file with these lines as front matter."""
    return "\n".join(["---", *lines, "---", _TEXTS[kind]])


def list_item_text(lines: Iterable[str], indent: str = "") -> str:
    """Return an item of a YAML list with these lines."""
    first, *others = lines
    return "\n".join([f"{indent}- {first}", *(f"{indent}  {line}" for line in others), ""])


def _collect_files(folder: Traversable, path: str, contents: dict[str, bytes]) -> None:
    """Add the bytes of all files in a folder and its subfolders to `contents`, by path.

    `path` is that of the folder, with a slash at its end; "" for the content folder.
    """
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            _collect_files(entry, f"{path}{entry.name}/", contents)
        else:
            contents[path + entry.name] = entry.read_bytes()


def _rename_key(line: str, rename: Mapping[str, str]) -> str:
    """Return a field's line with the key that `rename` maps to the field; for a target with `!`, negate the value."""
    match = _KEY.fullmatch(line)
    if match is None:
        return line
    for key, target in rename.items():
        if "." in key:  # a path of keys, which would be one key here
            continue
        if target == match["key"]:
            return f"{match['comment'] or ''}{_scalar(key)}: {match['value']}"
        if target == f"!{match['key']}":
            value = "false" if parse_flag(match["value"]) else "true"
            return f"{match['comment'] or ''}{_scalar(key)}: {value}"
    return line


def _placeholder(definition: Definition) -> str:
    """Return the YAML of a value that a required custom field accepts."""
    options = definition.get("options")
    if definition["type"] in ("list", "multi_select") and options:
        return f"[{_scalar(options[0])}]"
    if options and definition["type"] == "select":
        return _scalar(options[0])
    return _PLACEHOLDERS.get(definition["type"], "to be written")


def _scalar(text: str) -> str:
    """Return the text as YAML, quoted if necessary."""
    return yaml.safe_dump(text, allow_unicode=True, width=2**20).removesuffix("...\n").strip()


_YAML = (".yaml", ".yml")
_ONLY_YAML = (Kind.CATEGORY, Kind.TAG, Kind.CUSTOM_FIELD)  # kinds that are read from YAML only
_REQUIRED_VALUES = {Kind.ARTICLE: {"markdown": "text"}, Kind.CUSTOM_FIELD: {"type": "text"}}


@dataclass(frozen=True, slots=True)
class NewEntryFile:
    """A file with a new entry."""

    path: str  # relative to the content folder
    line: int  # the first line of the entry
    data: bytes
    is_new: bool  # False: the file exists, and `data` includes its current content

    def write(self, folder: Path) -> None:
        """Write the file. Raises Unwritable, and then nothing has changed."""
        if self.is_new:
            create_files(folder, {self.path: self.data})
        else:
            rewrite_file(folder, self.path, self.data)


def plan_named_entry(content: Content, name: str, here: Path) -> tuple[NewEntryFile, Kind, str]:
    """Return the file of a new entry, its kind and its slug, from KIND/SLUG or from the path of its new file.

    The path is relative to the folder `here`, or to the content folder. Raises UsageError for a path at which `new`
    does not create the entry, and the errors of `plan_new_entry`.
    """
    if suffix_of(name) not in DOCUMENT_SUFFIXES or (name.partition("/")[2] and "://" in name):
        kind, slug = parse_entry_name(name)
        return plan_new_entry(content, kind, slug), kind, slug
    layouts = {kind: content.config.layout(kind) for kind in _TEXTS}
    for base in (here, content.folder):
        path = path_in_folder(content.folder, base.resolve(), name) or ""
        kinds = content.config.kinds_at(path)
        roots = {kind: layouts[kind].split(path)[0] or "" for kind in _TEXTS if kind in kinds}
        if roots:
            kind = max(roots, key=lambda kind: len(roots[kind]))
            slug = layouts[kind].parse(path).stem
            addition = plan_new_entry(content, kind, slug)
            if addition.path != path:
                message = f"the file of a new {kind} '{slug}' would be {addition.path}, not {path}"
                raise UsageError(message, f"write contentsync new {kind}/{slug}")
            return addition, kind, slug
    raise UsageError(f"{name} is not in the folder of a kind", "write a kind and a slug, such as page/about")


def plan_new_entry(content: Content, kind: Kind, slug: str) -> NewEntryFile:
    """Return the file that would add a valid new entry with a slug (for a custom field, a name). Writes nothing.

    Raises UsageError if the slug is not allowed, Refused if it exists already, and ContentError if the file for the
    entry has errors.
    """
    _require_valid_slug(kind, slug)
    _refuse_existing(content, kind, slug)
    path = content.config.new_path(kind, content.folder)
    broken = [problem for problem in content.errors if problem.where.path == path and problem.code != "no-folder"]
    if broken:
        raise ContentError(broken, content.folder)
    target = content.folder / path
    if target.is_file() or (not target.exists() and path.endswith(_YAML)):
        return _append_to_list(content, kind, slug, path)
    return _new_file(content, kind, slug, path)


def _require_valid_slug(kind: Kind, slug: str) -> None:
    """Raise UsageError if no entry of the kind can have this slug."""
    record = RECORDS[kind]
    values = {record.key_field: slug, record.title_field: "Title", **_REQUIRED_VALUES.get(kind, {})}
    try:
        validate(kind, values, Context(authored=True))  # by the rules for files
    except Invalid as invalid:
        suggestion = make_name(slug) if kind is Kind.CUSTOM_FIELD else make_slug(slug)
        hint = did_you_mean_text(suggestion) if suggestion != slug else ""
        raise UsageError(f"'{slug}': {invalid.violations[0].message}", hint) from invalid


def _refuse_existing(content: Content, kind: Kind, slug: str) -> None:
    """Raise Refused if an entry of the kind has this slug, also one with errors."""
    of_kind = [entry for entry in content.entries if entry.kind is kind]
    equal = [entry for entry in of_kind if slug in (entry.key, entry.fields.get("slug"))]
    locations = [entry.source.where() for entry in equal if entry.source]
    # Entries with errors are not in `entries`.
    locations += [problem.where for problem in content.errors if problem.kind == kind and problem.key == slug]
    if locations:
        location = f"{locations[0].path}, line {locations[0].line}"
        raise Refused(f"the {kind.replace('_', ' ')} '{slug}' is there already: {location}", "choose another name")


def _new_file(content: Content, kind: Kind, slug: str, folder: str) -> NewEntryFile:
    """Return the file of a new entry in a folder. Raise UsageError or Refused if it cannot have this name."""
    path = path_in(folder, f"{slug}{'.yaml' if kind in _ONLY_YAML else '.md'}")
    fault = name_fault(path)
    if not fault and content.config.excludes(kind, path):
        fault = "the config leaves such a file out"
    if fault:
        raise UsageError(f"{path}: {fault}", "choose another name")
    if (content.folder / path).exists():
        raise Refused(f"there is a file {path} already", "choose another name")
    layout = content.config.layout(kind)
    default_slug = SlugSource(layout.parse(path)).make(layout.slug_pattern)
    always_has_slug = kind in (*_ONLY_YAML, Kind.LISTING)  # among the keys of `_FIELDS`
    lines = _entry_lines(content, kind, slug, with_slug=default_slug != slug and not always_has_slug)
    text = "\n".join([*lines, ""]) if kind in _ONLY_YAML else document_text(kind, lines)
    return NewEntryFile(path, line=1, data=text.encode(), is_new=True)


def _append_to_list(content: Content, kind: Kind, slug: str, path: str) -> NewEntryFile:
    """Return the list file with a new entry at its end. Raise Refused if it is not a YAML list."""
    if not path.endswith(_YAML):
        is_only = len(content.config.content[kind].paths) == 1
        place = f"all {kind.plural} are in {path}" if is_only else f"new {kind.plural} are added to {path}"
        raise Refused(f"{place}, which is not YAML", f"add the {kind.value} there by hand")
    lines = _entry_lines(content, kind, slug)
    if not (content.folder / path).exists():
        return NewEntryFile(path, line=1, data=list_item_text(lines).encode(), is_new=True)
    source = SourceText((content.folder / path).read_bytes())
    line_end = "\n" if source.text and not source.text.endswith("\n") else ""
    text = source.text + line_end
    entries = _entries(text, kind, path)
    last_line = text.split("\n")[entries[-1].line - 1] if entries else ""
    indent = re.match(r" *(?=- )", last_line)  # the new entry is indented like the last one
    end = len(source.text)
    added = Splice(end, end, line_end + list_item_text(lines, indent[0] if indent else ""))

    def values_of_others(text: str) -> list[dict[str, Any]] | None:
        values = [draft.values for draft in _entries(text, kind, path)]
        return values[:-1] if values else None

    present_values: list[dict[str, Any]] | None = [draft.values for draft in entries]
    refusal = Refused(f"{path} is not a list with a dash before each entry", f"add the {kind.value} there by hand")
    data = edited_bytes(source, path, [added], values_of_others, present_values, refusal)
    return NewEntryFile(path, text.count("\n") + 1, data, is_new=False)


def _entries(text: str, kind: Kind, path: str) -> list[Draft]:
    """Return the entries of a YAML text; [] if the text cannot be parsed."""
    try:
        items = list(read_mappings(text, kind, path))
    except UnreadableFile:
        return []
    return [item for item in items if isinstance(item, Draft)]


def _entry_lines(content: Content, kind: Kind, slug: str, *, with_slug: bool = False) -> list[str]:
    """Return the YAML lines of a new entry, with the custom fields that the content declares for its kind."""
    definitions = [
        entry.fields
        for entry in content.entries
        if entry.kind is Kind.CUSTOM_FIELD and entry.fields.get("fieldable_type", Kind.LISTING) == kind
    ]
    return entry_lines(kind, slug, content.config.content[kind], definitions, with_slug=with_slug)
