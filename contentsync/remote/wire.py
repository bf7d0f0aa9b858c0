"""Records as the service writes them, and entries as we hold them: the way there and back."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC
from typing import Any, Literal
from urllib.parse import quote

from ..errors import ContentsyncError
from ..model import INSTANTS, NO_READERS, RECORDS, Entry, Kind, Readers, Reference, read_native
from ..model.dates import wire_instant
from ..model.kinds import ArticleSeo
from ..model.urls import url_fault, url_key

SocialNames = Literal["card", "twitter"]
Ids = Mapping[Kind, Mapping[str, int]]  # key to id
Keys = Mapping[Kind, Mapping[int, Reference]]  # by id

# Read-only, but it says which of an article's two texts is shown.
_TELLING = frozenset({"is_markdown"})
_UNKEPT = {kind: (model.read_only - _TELLING) | {"category_id"} for kind, model in RECORDS.items()}
_IN_ETAG = re.compile(r"[\x21\x23-\x7e]+\Z")
_TWITTER_NAMES = {card: twitter for twitter, card in ArticleSeo.aliases.items()}


class UnknownReference(ContentsyncError):
    """An entry names another one that the server does not have (its create failed, or it was skipped)."""

    def __init__(self, field: str, kind: Kind, key: str) -> None:
        super().__init__(f"{kind} '{key}' is not on the server: sync it first, or remove the reference")
        self.field = field


def entry_of(
    kind: Kind,
    record: Mapping[str, Any],
    keys: Keys,
    *,
    conditional: bool = False,
    custom: Readers = NO_READERS,
    unknown: frozenset[str] = frozenset(),
) -> Entry:
    """The entry that a record of the service stands for; `keys` names what it refers to.

    `conditional`: the service has ETags, so the record's is known from when it was last changed. `custom` reads the
    values of custom fields; `unknown` are the fields that the service does not return.
    """
    unkept = _UNKEPT[kind]
    fields = {name: value for name, value in record.items() if name not in unkept}
    for name, referred in RECORDS[kind].references.items():
        if name in fields:
            fields[name] = _reference_keys(fields[name], keys.get(referred, {}))
    for name, reader in _READERS.items():
        if name in fields:
            fields[name] = reader(fields[name])
    read_native(kind, fields, custom)
    if kind is Kind.ORGANIZER:
        _forget_shown(fields)
    etag = _etag(record.get("updated_at")) if conditional else None
    created = record.get("created_at")
    return Entry(
        kind,
        key_of(kind, fields),
        fields,
        id=id_of(record),
        etag=etag,
        created=created if isinstance(created, str) else None,
        unknown=unknown,
    )


def _forget_shown(fields: dict[str, Any]) -> None:
    """Where no URL was given, the service shows the stored file's address (docs/contract.md 16)."""
    for name in ("logo", "cover_image"):
        stored, shown = fields.get(name), fields.get(f"{name}_url")
        addresses = (f"/storage/{stored}", f"/storage/{quote(str(stored))}")
        if stored and isinstance(shown, str) and shown.endswith(addresses):
            fields[f"{name}_url"] = None


def key_of(kind: Kind, fields: Mapping[str, Any]) -> str:
    """The key of an entry of the service (docs/content.md 2)."""
    url = fields.get("url")
    if kind is Kind.LISTING and isinstance(url, str) and not url_fault(url):
        return url_key(url)
    return str(fields.get(RECORDS[kind].key_field) or "")


def id_of(record: Mapping[str, Any]) -> int | None:
    """The id of a record, or None."""
    return number_of(record.get("id"))


def number_of(value: Any) -> int | None:
    """A whole number, which some services write as text; None for anything else."""
    if type(value) is int:
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else None


def body_of(kind: Kind, fields: Mapping[str, Any], ids: Ids, social_names: SocialNames) -> dict[str, Any]:
    """The body of a create or update: references as ids, social-card fields under the target's names.

    Raises UnknownReference.
    """
    references = RECORDS[kind].references
    body: dict[str, Any] = {}
    for name, value in fields.items():
        if name in references:
            body[name] = _reference_ids(name, value, references[name], ids)
        elif name == "seo" and social_names == "twitter":
            body[name] = _twitter(value)
        elif name == "translations" and social_names == "twitter":
            body[name] = {
                locale: {**texts, "seo": _twitter(texts["seo"])} if texts and "seo" in texts else texts
                for locale, texts in value.items()
            }
        else:
            body[name] = value
    return body


def _reference_ids(name: str, value: Any, kind: Kind, ids: Ids) -> Any:
    if isinstance(value, list):
        return [_reference_ids(name, key, kind, ids) for key in value]
    if value is None:
        return None
    if value not in ids[kind]:
        raise UnknownReference(name, kind, value)
    return ids[kind][value]


def _etag(updated_at: Any) -> str | None:
    """A record's ETag (docs/contract.md 18)."""
    return f'"{updated_at}"' if isinstance(updated_at, str) and _IN_ETAG.match(updated_at) else None


def _reference_keys(value: Any, keys: Mapping[int, Reference]) -> Any:
    if isinstance(value, list):
        return [_reference_keys(item, keys) for item in value]
    identity = number_of(value.get("id") if isinstance(value, dict) else value)
    return None if identity is None else keys.get(identity) or Reference(f"#{identity}", identity)


def _seo(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    aliases = ArticleSeo.aliases
    return {aliases.get(name, name): text for name, text in value.items() if name not in ArticleSeo.read_only}


def _translations(value: Any) -> Any:
    if not isinstance(value, dict):
        return {}  # an empty object leaves some services as an empty list
    return {
        locale: {name: _seo(text) if name == "seo" else text for name, text in texts.items()}
        for locale, texts in value.items()
        if isinstance(texts, dict)
    }


def _twitter(seo: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if seo is None else {_TWITTER_NAMES.get(name, name): text for name, text in seo.items()}


def _instant(value: Any) -> Any:
    if value is None:
        return None
    try:
        return wire_instant(value, UTC)
    except (TypeError, ValueError):
        return value


def translation_of(kind: Kind, default: Mapping[str, Any], localised: Mapping[str, Any]) -> dict[str, Any]:
    """The translated texts in a record that was asked for in a locale: those that differ from the default's."""
    return {
        name: localised[name]
        for name in RECORDS[kind].translated
        if name in localised and localised[name] is not None and localised[name] != default.get(name)
    }


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "seo": _seo,
    "translations": _translations,
    **dict.fromkeys(INSTANTS, _instant),
}


def index(entries: Iterable[Entry]) -> dict[Kind, dict[str, int]]:
    """The ids of entries of the service by kind and key."""
    ids: dict[Kind, dict[str, int]] = {kind: {} for kind in Kind}
    for entry in entries:
        if entry.id is not None:
            ids[entry.kind][str(entry.fields.get(RECORDS[entry.kind].key_field) or entry.key)] = entry.id
    return ids
