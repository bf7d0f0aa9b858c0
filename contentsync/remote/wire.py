"""Convert records of the service to entries and back, and pair the answer to a bulk create with its listings."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from types import MappingProxyType
from typing import Any, Literal, TypeVar
from urllib.parse import quote

from ..errors import ContentsyncError
from ..lazy_pattern import lazy_pattern
from ..model import INSTANTS, NO_READERS, RECORDS, Entry, Kind, Readers, Reference, coerce_fields
from ..model.kinds import ArticleSeo, PageSeo
from ..model.scalar import wire_instant
from ..model.urls import url_fault, url_key

SocialNames = Literal["card", "twitter"]
Ids = Mapping[Kind, Mapping[str, int]]  # key to id
Keys = Mapping[Kind, Mapping[int, Reference]]  # id to key

# Read-only, but it shows whether an article uses `markdown` or `content`.
_FORMAT_FLAGS = frozenset({"is_markdown"})
_WRITTEN_ONLY = {"category_id"}  # the contract does not return it
_DROPPED = {kind: (model.read_only - _FORMAT_FLAGS) | _WRITTEN_ONLY for kind, model in RECORDS.items()}
# What entries are not made of; the ids and times are attributes of an entry.
_UNREAD = {kind: names - {"id", "created_at", "updated_at"} for kind, names in _DROPPED.items()}
_IN_ETAG = lazy_pattern(r"[\x21\x23-\x7e]+\Z")  # visible ASCII except the quote mark, which ends an ETag
NO_ENTRIES: Mapping[str, Entry] = MappingProxyType({})
_TWITTER_NAMES = {card: twitter for twitter, card in ArticleSeo.aliases.items()}


class UnknownReference(ContentsyncError):
    """An entry refers to another entry that is not on the server, because its create failed or was skipped."""

    def __init__(self, field: str, kind: Kind, key: str) -> None:
        super().__init__(f"{kind} '{key}' is not on the server: sync it first, or remove the reference")
        self.field = field


def reduce_record(kind: Kind, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record without the values that `to_entry` ignores; of linked records, only ids remain.

    Lists of records are kept in memory and cached in this form.
    """
    unread = _UNREAD[kind]
    reduced = {name: value for name, value in record.items() if name not in unread}
    for name in RECORDS[kind].references:
        if reduced.get(name):
            reduced[name] = _linked_ids(reduced[name])
    return reduced


def _linked_ids(value: Any) -> Any:
    if isinstance(value, list):
        return [item.get("id") if isinstance(item, dict) else item for item in value]
    return value.get("id") if isinstance(value, dict) else value


def to_entry(
    kind: Kind,
    record: Mapping[str, Any],
    keys: Keys,
    *,
    conditional: bool = False,
    custom: Readers = NO_READERS,
    unknown: frozenset[str] = frozenset(),
    alike: Mapping[str, Entry] = NO_ENTRIES,
) -> Entry:
    """Convert a record of the service to an entry; `keys` has the keys of the entries that the record refers to.

    With `conditional` (the service has ETags) the entry's ETag is derived from `updated_at`. `custom` has the readers
    for values of custom fields; `unknown` are the fields that the service does not return. To save memory, texts that
    are equal to those of the entry with the same key in `alike` are the same objects.
    """
    dropped = _DROPPED[kind]
    fields = {name: value for name, value in record.items() if name not in dropped}
    for name, referred in RECORDS[kind].references.items():
        if name in fields:
            fields[name] = _reference_keys(fields[name], keys.get(referred, {}))
    for name, reader in _READERS.items():
        if name in fields:
            fields[name] = reader(fields[name])
    coerce_fields(kind, fields, custom)
    if kind is Kind.ORGANIZER:
        _clear_derived_urls(fields)
    etag = _etag(record.get("updated_at")) if conditional else None
    created = record.get("created_at")
    key = key_of(kind, fields)
    if other := alike.get(key):
        key = other.key
        _share_texts(fields, other.fields)
    return Entry(
        kind,
        key,
        fields,
        id=id_of(record),
        etag=etag,
        created=created if isinstance(created, str) else None,
        unknown=unknown,
    )


def _share_texts(fields: dict[str, Any], others: Mapping[str, Any]) -> None:
    for name, text in others.items():
        if type(text) is type(fields.get(name)) is str and fields[name] == text:  # a Reference has an id of its own
            fields[name] = text


def _clear_derived_urls(fields: dict[str, Any]) -> None:
    """Set each URL that the service derives from a stored file to None (docs/contract.md 16)."""
    for name in ("logo", "cover_image"):
        file, url = fields.get(name), fields.get(f"{name}_url")
        derived_endings = (f"/storage/{file}", f"/storage/{quote(str(file))}")
        if file and isinstance(url, str) and url.endswith(derived_endings):
            fields[f"{name}_url"] = None


def key_of(kind: Kind, fields: Mapping[str, Any]) -> str:
    """Return the key of the entry with these fields in wire form; empty if it has none (docs/content.md 2)."""
    url = fields.get("url")
    if kind is Kind.LISTING and isinstance(url, str) and not url_fault(url):
        return url_key(url)
    return str(fields.get(RECORDS[kind].key_field) or "")


def id_of(record: Mapping[str, Any]) -> int | None:
    """Return the id of a record; None if it is missing or not a whole number."""
    return parse_id_number(record.get("id"))


def references_of(kind: Kind, records: Iterable[Mapping[str, Any]]) -> dict[int, Reference]:
    """Return a reference to each record that has an id, by id."""
    ids_and_keys = ((id_of(record), key_of(kind, record)) for record in records)
    return {identity: Reference(key, identity) for identity, key in ids_and_keys if identity is not None}


def parse_id_number(value: Any) -> int | None:
    """Return an integer, or the integer in a text of digits, as some services write it; None for anything else."""
    if type(value) is int:
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else None


def wire_body(kind: Kind, fields: Mapping[str, Any], ids: Ids, social_names: SocialNames) -> dict[str, Any]:
    """Return the body of a create or update: references as ids, social-card fields under the target's names.

    Raise UnknownReference if `ids` does not have a referenced key.
    """
    references = RECORDS[kind].references
    body: dict[str, Any] = {}
    for name, value in fields.items():
        if name in references:
            body[name] = _reference_ids(name, value, references[name], ids)
        elif name == "seo" and social_names == "twitter":
            body[name] = _with_twitter_names(value)
        elif name == "translations" and social_names == "twitter":
            body[name] = {locale: _translation_with_twitter_names(texts) for locale, texts in value.items()}
        else:
            body[name] = value
    return body


def _reference_ids(name: str, value: Any, kind: Kind, ids: Ids) -> Any:
    """Return the ids of the entries whose keys are the value of the field `name`: a key, a list of keys, or None."""
    if isinstance(value, list):
        return [_reference_ids(name, key, kind, ids) for key in value]
    if value is None:
        return None
    if value not in ids[kind]:
        raise UnknownReference(name, kind, value)
    return ids[kind][value]


def _etag(updated_at: Any) -> str | None:
    """Return a record's ETag; None if `updated_at` is unsuitable (docs/contract.md 18)."""
    return f'"{updated_at}"' if isinstance(updated_at, str) and _IN_ETAG.match(updated_at) else None


def _reference_keys(value: Any, keys: Mapping[int, Reference]) -> Any:
    """Return the references that a field of a record means; `keys` has the reference of each known id.

    The value is an id or a record with an id, or a list of these. An unknown id becomes the key `#id`; any other value
    becomes None.
    """
    ids = _linked_ids(value)
    return [_reference(item, keys) for item in ids] if isinstance(ids, list) else _reference(ids, keys)


def _reference(value: Any, keys: Mapping[int, Reference]) -> Reference | None:
    identity = parse_id_number(value)
    if identity is None:
        return None
    return keys.get(identity) or Reference(f"#{identity}", identity)


def _read_seo(value: Any) -> Any:
    """Return the object `seo` with our names for the fields of social cards, without what cannot be written."""
    if not isinstance(value, dict):
        return value
    aliases = ArticleSeo.aliases
    return {aliases.get(name, name): text for name, text in value.items() if name not in ArticleSeo.read_only}


def _read_translations(value: Any) -> Any:
    """Return the object `translations` with our names in each `seo`; skip a language without an object."""
    if not isinstance(value, dict):
        return {}  # some services write an empty object as an empty list
    return {
        locale: {name: _read_seo(text) if name == "seo" else text for name, text in texts.items()}
        for locale, texts in value.items()
        if isinstance(texts, dict)
    }


def _translation_with_twitter_names(texts: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    if not texts or "seo" not in texts:
        return texts
    return {**texts, "seo": _with_twitter_names(texts["seo"])}


def _with_twitter_names(seo: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if seo is None else {_TWITTER_NAMES.get(name, name): text for name, text in seo.items()}


def _read_instant(value: Any) -> Any:
    """Return a time in wire form; a value that is no time is returned as it is."""
    if value is None:
        return None
    try:
        return wire_instant(value, UTC)
    except (TypeError, ValueError):
        return value


def extract_translation(kind: Kind, default: Mapping[str, Any], localised: Mapping[str, Any]) -> dict[str, Any]:
    """Return the texts of the record `localised` that differ from those in the default language."""
    return {
        name: localised[name]
        for name in RECORDS[kind].translated
        if name in localised and localised[name] is not None and localised[name] != default.get(name)
    }


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "seo": _read_seo,
    "translations": _read_translations,
    **dict.fromkeys(INSTANTS, _read_instant),
}


def ids_by_key(entries: Iterable[Entry]) -> dict[Kind, dict[str, int]]:
    """Return the ids of the service's entries by kind and by the key field; skip entries without an id.

    The key field of a listing is its slug, while its `key` is its URL.
    """
    ids: dict[Kind, dict[str, int]] = {kind: {} for kind in Kind}
    for entry in entries:
        if entry.id is not None:
            value = entry.fields.get(RECORDS[entry.kind].key_field)
            ids[entry.kind][str(value or entry.key)] = entry.id
    return ids


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class BulkResult:
    """The result of one listing in a bulk create; it has neither entry nor error if the answer does not show it."""

    entry: Entry | None = None
    error: str | None = None
    # Whether this request created the listing; False if it existed, None if the answer does not show it.
    is_created: bool | None = field(default=None, compare=False)

    @property
    def is_known(self) -> bool:
        """Return whether the answer shows the result of the listing."""
        return self.entry is not None or self.error is not None


def pair_results(
    answer: Mapping[str, Any],
    bodies: Sequence[Mapping[str, Any]],
    read_entry: Callable[[Mapping[str, Any]], Entry],
) -> list[BulkResult]:
    """Return a result for each body of a bulk create, in order; it is unknown if the answer omits or contradicts it.

    A record belongs to the body with the same key; its position counts only if the numbers of records and errors
    add up.
    """
    data, failed = answer.get("data"), answer.get("errors")
    if not isinstance(data, list) or not isinstance(failed, list):
        return [BulkResult() for _ in bodies]
    objects = (read_entry(record) for record in data if isinstance(record, dict))
    entries = [entry for entry in objects if entry.id is not None]
    errors = _errors_by_position(failed, count=len(bodies))
    keys = [key_of(Kind.LISTING, body) for body in bodies]
    by_key = _unrepeated((entry.key, entry) for entry in entries)
    by_position: dict[int, Entry] = {}
    if len(entries) == len(data) and len(errors) == len(failed) and len(entries) + len(errors) == len(bodies):
        positions = (position for position in range(len(bodies)) if position not in errors)
        by_position = dict(zip(positions, entries, strict=True))
    was_created = _test_for_newest(entries, count=parse_id_number(answer.get("total_created")))
    results: list[BulkResult] = []
    for position, (body, key) in enumerate(zip(bodies, keys, strict=True)):
        entry = by_key.get(key) if key else None
        if entry is None and position in by_position:
            # The service may have changed the key of the body; a record with the key of another body is not accepted.
            candidate = by_position[position]
            if candidate.fields.get("name") == body.get("name") and candidate.key not in keys:
                entry = candidate
        if entry is None:
            results.append(BulkResult(error=errors.get(position)))
        elif position in errors:  # the answer contradicts itself
            results.append(BulkResult())
        else:
            results.append(BulkResult(entry, is_created=was_created(entry)))
    return results


def _test_for_newest(entries: Sequence[Entry], count: int | None) -> Callable[[Entry], bool | None]:
    """Return a test whether an entry is one of the `count` newest ones, which have the highest ids.

    If the count is missing or impossible, the test returns None for every entry: not known.
    """
    ids = sorted(entry.id for entry in entries if entry.id is not None)
    if count is None or not 0 <= count <= len(ids):
        return lambda entry: None
    newest_ids = set(ids[len(ids) - count :])
    return lambda entry: entry.id in newest_ids


def _errors_by_position(failed: Sequence[Any], count: int) -> dict[int, str]:
    """Return the error of each position below `count`; omit a position with several errors."""
    objects = (error for error in failed if isinstance(error, dict))
    by_position = _unrepeated((parse_id_number(error.get("index")), str(error.get("error"))) for error in objects)
    return {position: text for position, text in by_position.items() if position is not None and 0 <= position < count}


def _unrepeated(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, Value]:
    """Return the pairs whose key occurs only once, as a dict."""
    all_pairs = list(pairs)
    counts = Counter(key for key, _ in all_pairs)
    return {key: value for key, value in all_pairs if counts[key] == 1}


_SEO = {Kind.PAGE: PageSeo, Kind.ARTICLE: ArticleSeo}


def missing_fields(kind: Kind, records: Iterable[Mapping[str, Any]], custom: Collection[str]) -> frozenset[str]:
    """Return the fields that the service does not return, such as `seo.title`: no record has them.

    `custom` are the names of the kind's custom fields. Services omit those without a value, so if a record has any of
    them, none counts as missing. Without records the result is empty. They are iterated over once, and no further than
    until nothing is missing, which is usually so after the first one.
    """
    missing, missing_seo = {*RECORDS[kind].rules()} - _WRITTEN_ONLY, {*_SEO[kind].rules()} if kind in _SEO else set()
    lacks_custom, has_records, has_seo = bool(custom), False, False
    for record in records:
        has_records = True
        missing = {name for name in missing if name not in record}
        lacks_custom = lacks_custom and record.keys().isdisjoint(custom)
        if missing_seo and isinstance(seo := record.get("seo"), Mapping):
            has_seo = True
            missing_seo.difference_update(_SEO[kind].aliases.get(name, name) for name in seo)
        if not (missing or missing_seo or lacks_custom):
            break
    if not has_records:
        return frozenset()
    seo_names = {f"seo.{name}" for name in missing_seo} if has_seo else set()
    return frozenset(missing | seo_names | (set(custom) if lacks_custom else set()))
