"""The addresses that entries had on another site: permalink patterns of Jekyll and Hugo (docs/content.md 6)."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, tzinfo
from functools import cached_property, lru_cache
from typing import Any

from ...lazy_pattern import lazy_pattern
from ...model import Kind
from ...model.field_types import fault
from ...model.scalar import parse_instant
from ...model.slug import make_slug
from ...model.suggestion import did_you_mean
from ..files.file_names import FileName
from ..files.slug_pattern import DEFAULT_PATTERN, SlugSource
from ..formats.draft import Draft, FormerAddress
from .hiding_keys import may_hide, normalized_key
from .unknown_keys import hidden_entry_hint

FORMER_ADDRESS_KEYS = ("aliases", "redirect_from")  # of Hugo and Jekyll
OWN_PERMALINK_KEYS = ("permalink", "url")  # of Jekyll and Hugo: the address of one entry

_PLACEHOLDER = lazy_pattern(r":([A-Za-z_]+(?:\[[^\]/]*+\])?)")
_SLASHES = lazy_pattern(r"//+")
_CONTENT_FOLDER = lazy_pattern(r"(?:src/)?content/")  # of Astro and Hugo
_DATE_FORMATS = {
    "year": "%Y",
    "short_year": "%y",
    "month": "%m",
    "i_month": "%m",
    "short_month": "%b",
    "long_month": "%B",
    "monthname": "%B",
    "day": "%d",
    "i_day": "%d",
    "y_day": "%j",
    "yearday": "%j",
    "week": "%V",
    "w_year": "%G",
    "w_day": "%u",
    "weekday": "%w",
    "short_day": "%a",
    "long_day": "%A",
    "weekdayname": "%A",
    "hour": "%H",
    "minute": "%M",
    "second": "%S",
}
_UNPADDED = ("i_month", "i_day", "yearday")
_SLUGS = ("slug", "slugorfilename", "slugorcontentbasename")
_FILE_NAMES = ("name", "basename", "filename", "contentbasename")
_CATEGORIES = ("categories", "slugified_categories")
_CATEGORY_KEYS = ("categories", "category")  # of Jekyll
_OTHERS = ("title", "section", "sections", "collection", "path", "output_ext")
_NAMES = frozenset({*_DATE_FORMATS, *_SLUGS, *_FILE_NAMES, *_CATEGORIES, *_OTHERS})
_MAX_PATTERN = 255  # characters
_IN_LIST = lazy_pattern(r"[,\n][ \t]*+")  # between the addresses of a list in one text
_COMMA = lazy_pattern(r",\s")
_STARTS = ("/", "https://", "http://")  # of an address in such a list
_MARK = "filename"  # in place of the name of a file
_NO_ADDRESSES = "false"  # as a generator writes that an entry has none


def check_permalink(pattern: str) -> str:
    """Return the pattern. Raise a fault if it is not a path below the site, or has an unknown placeholder."""
    if not pattern.startswith("/") or pattern.startswith("//") or len(pattern) > _MAX_PATTERN:
        raise fault("bad-path", f"must be a path that starts with one slash, such as /blog/:slug/, not '{pattern}'")
    for name in _PLACEHOLDER.findall(pattern):
        if name not in _NAMES:
            hint = did_you_mean(name, sorted(_NAMES)) or "write the part of the address itself, or leave permalink out"
            raise fault("unknown-placeholder", f"has an unknown placeholder :{name}", hint=hint)
    return pattern


def take_former_addresses(draft: Draft, keys: Sequence[str]) -> None:
    """Move the texts of `keys` from the draft's values to its former addresses; report other values, except null.

    Set `has_own_permalink` if one of them is the entry's own permalink, which a generator uses in place of the pattern.
    """
    for key in keys:
        if key not in draft.values or key in draft.failed_fields:
            continue
        value = draft.values.pop(key)
        texts = value if isinstance(value, list) else [value]
        for index, text in enumerate(texts):
            where = draft.where(f"{key}.{index}" if isinstance(value, list) else key)
            addresses = addresses_in(key, text) if isinstance(text, str) else None
            if may_hide(draft.kind, key, text):  # permalink: false
                message = f"{key}: {text} hides the {draft.kind}, and is not an address"
                draft.error("not-text", message, where, hidden_entry_hint(draft.kind))
            elif addresses is not None:
                draft.former_addresses += [(address, where.path, where.line, where.column) for address in addresses]
                draft.has_own_permalink |= bool(addresses) and key in OWN_PERMALINK_KEYS
            elif text is not None:
                message = f"{key} must be an address or a list of addresses"
                draft.error("not-text", message, where, "write /old/address/")


def addresses_in(key: str, text: str) -> list[str] | None:
    """Return the former addresses that a text of a key means: several for a list in one text, and [] for none.

    An entry's own permalink is a path in every generator, so an address with a host is another site's. Return None for
    a list of something else, such as names.
    """
    parts = _IN_LIST.split(text.strip())
    if len(parts) > 1 and all(part.startswith(_STARTS) for part in parts):
        addresses = [part.rstrip() for part in parts]
    elif _COMMA.search(text) and not text.startswith("/"):
        return None
    else:
        addresses = [] if text.casefold() in ("", _NO_ADDRESSES) else [text]
    return [it for it in addresses if not (key in OWN_PERMALINK_KEYS and _has_host(it))]


def _has_host(address: str) -> bool:
    return address.startswith("//") or "://" in address[:8]


def expand_addresses(
    draft: Draft,
    pattern: str | None,
    name: FileName,
    collection: str,
    zone: tzinfo,
    slug_pattern: str = DEFAULT_PATTERN,
) -> None:
    """Add the addresses that a pattern gives a validated entry, and expand placeholders in its former addresses.

    These are addresses on another site. The entry may have had one of its former keys there, so the pattern is also
    expanded with these. `collection` is the path of its collection, of several the one that the entry is in; `zone` is
    the time zone in which a time has its day.
    By `slug_pattern`, keys are made from the names of files: the other site knows only these names.
    """

    def values_with(key: str, stem: str) -> _PlaceholderValues:
        return _PlaceholderValues(draft, name._replace(stem=stem), collection, zone, key)

    made_key = draft.slug_source.make(slug_pattern) if draft.slug_source else ""
    values = values_with(make_slug(name.stem) if draft.key == made_key else draft.key, name.stem)
    if draft.former_addresses:
        draft.former_addresses = list(_expanded(draft.former_addresses, values))
    if pattern and name.locale:  # an entry of its own in another language, whose addresses begin with it
        pattern = f"/{name.locale}{pattern}"
    if pattern and not draft.has_own_permalink:
        draft.permalinks = values.expand(pattern)
        for key in (*draft.notes.previous, *draft.notes.merged):
            former_name = _name_in_key(key, slug_pattern, draft.slug_source)
            draft.permalinks += values_with(former_name, former_name).expand(pattern)


def _name_in_key(key: str, slug_pattern: str, source: SlugSource | None) -> str:
    """Return the part of a former key that was a file's name, if the key was made as that of `source` is."""
    if source is None or slug_pattern == DEFAULT_PATTERN:
        return key
    made = source._replace(name=source.name._replace(stem=_MARK)).make(slug_pattern)
    start, _, end = made.partition(_MARK)
    is_made = key.startswith(start) and key.endswith(end) and len(key) > len(start) + len(end)
    return key[len(start) : len(key) - len(end)] if is_made else key


def _expanded(former_addresses: Iterable[FormerAddress], values: "_PlaceholderValues") -> Iterator[FormerAddress]:
    """Yield the former addresses with values for their placeholders; leave out those whose placeholders have none."""
    for address, path, line, column in former_addresses:
        has_placeholder = "://" not in address and bool(_NAMES.intersection(_PLACEHOLDER.findall(address)))
        addresses = values.expand(address) if has_placeholder else [address]
        if addresses:
            most_probable = addresses[0]
            yield most_probable, path, line, column


class _PlaceholderValues:
    """The values of placeholders for one entry under one of its keys."""

    def __init__(self, draft: Draft, name: FileName, collection: str, zone: tzinfo, key: str) -> None:
        self._draft = draft
        self._key = key
        self._name = name
        self._collection = collection
        self._zone = zone

    def expand(self, pattern: str) -> list[str]:
        """Return the address of the entry, and the one that another generator would make of the same pattern.

        Generators differ in what `:title`, `:slug` and `:name` are made from. Return one address if both are equal, and
        none if a value is unknown. An empty value, as of `:categories`, leaves no slash too many.
        """
        address = alternative = ""
        for index, part in enumerate(_split_pattern(pattern)):  # literals, and placeholders between them
            is_placeholder = index % 2 == 1
            text, alternative_text = self._value_and_alternative(part) if is_placeholder else (part, part)
            if text is None or alternative_text is None:
                return []
            address += text
            alternative += alternative_text
        address, alternative = _SLASHES.sub("/", address), _SLASHES.sub("/", alternative)
        return [address] if address == alternative else [address, alternative]

    def _value_and_alternative(self, name: str) -> tuple[str | None, str | None]:
        """Return the more probable value of a placeholder, and another one; both are equal unless generators differ."""
        key = self._key
        if name in _DATE_FORMATS:
            text = self._date_text(name)
        elif name == "title":
            title = self._title_slug() or key
            # A file name with a date is usual for Jekyll, whose `:title` is made from the file name.
            return (key, title) if self._name.date else (title, key)
        elif name in _SLUGS:
            # Without a slug in the front matter, Jekyll makes it from the file name, but Hugo from the title.
            is_authored = key != make_slug(self._name.stem)
            alternative = key if is_authored else self._title_slug() or key
            return key, alternative
        elif name in _FILE_NAMES:
            with_date = f"{self._name.date}-{self._name.stem}" if self._name.date else self._name.stem
            return make_slug(with_date), make_slug(self._name.stem)
        else:
            text = self._path_text(name)
        return text, text

    def _date_text(self, name: str) -> str | None:
        """Return the part of the entry's date that a placeholder stands for; None without a date."""
        date = self._local_date
        if date is None:
            return None
        if name == "year":  # quicker than strftime, which is for the rare ones
            return f"{date.year:04}"
        if name in ("month", "day"):
            number = date.month if name == "month" else date.day
            return f"{number:02}"
        text = date.strftime(_DATE_FORMATS[name])
        return text.lstrip("0") if name in _UNPADDED else text

    @cached_property
    def _local_date(self) -> datetime | None:
        """The date of publication in the site's time zone, or that in the file name; None without a date."""
        value = self._draft.values.get("published_at")
        try:
            if isinstance(value, str) and value.endswith("Z"):  # in wire form, after validation
                return datetime.fromisoformat(value).astimezone(self._zone)
            return parse_instant(self._name.date or "", self._zone).astimezone(self._zone)
        except (ValueError, OverflowError):
            return None

    def _path_text(self, name: str) -> str | None:
        """Return what a placeholder for folders or categories stands for; "" without any, None if it is unknown."""
        path = self._draft.path
        below_content = _CONTENT_FOLDER.sub("", self._name.base, count=1)  # without `content/` or `src/content/`
        *folders, file_name = below_content.split("/")
        if file_name == "index":
            folders = folders[:-1]  # without the folder that the file is named after
        if name in _CATEGORIES:
            written = next((old for old, new in self._draft.renames if new == "categories"), "categories")
            is_of_generator = normalized_key(written) in _CATEGORY_KEYS  # and not such as `tags`
            return _joined(self._draft.values.get("categories", [])) if is_of_generator else ""
        if name in ("section", "sections"):
            return _joined(folders[:1] if name == "section" else folders)
        if name == "collection":
            return self._collection.rpartition("/")[2].lstrip("_")
        if name == "path":
            return _joined(path.removeprefix(f"{self._collection}/").rpartition(".")[0].split("/"))
        return ".html" if name == "output_ext" else None

    def _title_slug(self) -> str:
        title = self._draft.values.get("name" if self._draft.kind is Kind.ORGANIZER else "title")
        return make_slug(title) if isinstance(title, str) else ""


@lru_cache(maxsize=64)  # one pattern has many entries
def _split_pattern(pattern: str) -> list[str]:
    return _PLACEHOLDER.split(pattern)


def _joined(parts: Any) -> str:
    return "/".join(make_slug(part) for part in parts if isinstance(part, str)) if isinstance(parts, list) else ""
