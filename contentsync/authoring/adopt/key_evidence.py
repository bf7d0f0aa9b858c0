"""What the values of a key show about its meaning: texts that differ, addresses, pictures, values of a field's type."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping

from ...content.config.hiding_keys import normalized_key
from ...content.config.unknown_keys import field_of
from ...content.files.file_names import PICTURE_TYPES
from ...lazy_pattern import lazy_pattern
from ...model import RECORDS, Kind
from ...model.scalar import parse_number
from ...model.urls import url_fault
from .key_survey import KeyUse

_MIN_SHARE_OF_TYPE = 0.5  # of the values of a key: so many must have the type of the field that it may mean
# Words that mean a name in the keys of lists, besides those that mean the field `name` of listings.
TITLE_WORDS = frozenset({"name", "title", "label", "tool", "company", "resource", "project"})
_MIN_TEXTS = 10  # values of a key: of fewer, it is not known whether they differ
_MAX_GROUPS = 0.8  # of the values: if more are different, they are not the names of categories
_GROUPS = frozenset({"category_id", "categories"})
_TITLES = frozenset(record.title_field for record in RECORDS.values())
_SEPARATOR = lazy_pattern(r"[|,;]")
_MAX_SHORT = 60  # characters of a text that may be a part of a slug
_ADDRESS = lazy_pattern(r"[@/\\]|www\.")
_MOST = 0.9  # of the entries: so many have a name of their own
_DATE_OR_PATH = lazy_pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|/")
WORD_BOUNDARY = lazy_pattern(r"[\s_-]+|(?<=[a-z])(?=[A-Z])")  # as in `hero image`, `hero-image` and `heroImage`
_LETTER = lazy_pattern(r"[^\W\d_]")


def is_title(key: str) -> bool:
    """Return whether a key is the name or the title of an entry, as its name shows."""
    return normalized_key(key) in TITLE_WORDS or field_of(Kind.LISTING, key) == "name"


def has_title_word(key: str) -> bool:
    """Return whether a word of a key means a name or a title, as in `Company name` and `projectTitle`."""
    return not TITLE_WORDS.isdisjoint(normalized_key(word) for word in WORD_BOUNDARY.split(key))


def are_names(texts: Collection[str], entries: int) -> bool:
    """Return whether different values of a key may be the names of so many entries: words that tell them apart.

    Dates, addresses and paths are no names.
    """
    return sum(map(_is_word, texts)) > _MOST * entries


def _is_word(text: str) -> bool:
    return bool(_LETTER.search(text)) and not _DATE_OR_PATH.match(text) and url_fault(text) is not None


def is_short_text(text: str) -> bool:
    """Return whether a text may be a part of a slug: the name of a place or a group, and no address or number."""
    return len(text) <= _MAX_SHORT and _LETTER.search(text) is not None and not _ADDRESS.search(text)


def has_addresses(use: KeyUse) -> bool:
    """Return whether most values are texts, and at least half of them complete addresses."""
    addresses = sum(url_fault(value) is None for value in use.values)
    return use.texts > len(use.entries) / 2 and addresses >= len(use.values) / 2


def misfit(field: str, use: KeyUse) -> str:
    """Return why the values of a key are hardly those of a field, as a clause; "" if they may be.

    At least half of the values of an address, an e-mail or a number have this type; a web address may lack its scheme,
    which the error of the entry suggests to add. Names differ, and categories recur.
    """
    check = _VALUE_CHECKS.get(field)
    if check and use.values and sum(map(check, use.values)) < _MIN_SHARE_OF_TYPE * len(use.values):
        return "most of its values are of another type"
    items = _items(use) if field in _GROUPS else use.values
    if items.total() < _MIN_TEXTS or use.has_more_values:
        return ""
    if field in _GROUPS and len(items) > _MAX_GROUPS * items.total():
        return "most of its values differ"
    if field in _TITLES and len(items) < _MIN_SHARE_OF_TYPE * items.total():
        return "most of its values recur"
    return ""


def _items(use: KeyUse) -> Counter[str]:
    """Return the values of a key that may be lists in cells, with how often each item occurs."""
    items: Counter[str] = Counter()
    for value, count in use.values.items():
        for item in filter(None, map(str.strip, _SEPARATOR.split(value))):
            items[item] += count
    return items


def _may_be_address(text: str) -> bool:
    return url_fault(text if "://" in text else f"https://{text.removeprefix('//')}") is None and "." in text


_VALUE_CHECKS: Mapping[str, Callable[[str], bool]] = {
    "url": _may_be_address,
    "website_url": _may_be_address,
    "email": lambda text: "@" in text,
    "latitude": lambda text: parse_number(text) is not None,
    "longitude": lambda text: parse_number(text) is not None,
}


def are_pictures(use: KeyUse) -> bool:
    """Return whether all values are names of pictures."""
    return bool(use.values) and all(value.lower().endswith((*PICTURE_TYPES,)) for value in use.values)
