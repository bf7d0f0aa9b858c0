"""Write new addresses in place of those that have moved: `links --fix`."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urldefrag

from ..authoring.edit.field_edits import with_values
from ..authoring.edit.file_edits import RemoteChanges
from ..authoring.rename.new_urls import plan_new_urls
from ..authoring.rename.rename_plan import MayBeSynced, apply_rename
from ..content.folder.load import Content
from ..content.links.link_rewriting import replace_targets
from ..errors import ContentError
from ..exchange.entry_writer import write_entries
from ..model import Entry, EntryKey, Kind
from ..model.entry import value_at
from ..model.urls import url_key
from .external_addresses import AddressUse


class UnwrittenAddress(NamedTuple):
    """An entry in which an address stays as it is, and why."""

    entry: Entry
    reason: str


class _Changes(NamedTuple):
    """The new values of entries, by dotted name, and the new URLs of listings."""

    values: dict[EntryKey, dict[str, Any]]
    urls: dict[EntryKey, str]


def write_addresses(
    content: Content, places: Mapping[str, Sequence[AddressUse]], may_be_synced: MayBeSynced
) -> list[UnwrittenAddress]:
    """Write the new addresses, which are the keys of `places`, at their places; return the entries that stay.

    The key of a listing is its URL. If that changes, the listing is renamed as by `mv`, so that its record is kept.
    All other values are edited like those of a pull, before the renames.
    """
    entries = {(use.entry.kind, use.entry.key): use.entry for uses in places.values() for use in uses}
    left_out: list[UnwrittenAddress] = []
    changes = _changes(places, left_out)
    edited = {
        key: entries[key].with_fields(with_values(entries[key].fields, values))
        for key, values in changes.values.items()
    }
    written = write_entries(content, RemoteChanges(changes.values, [], edited, [*edited.values()]))
    left_out += [UnwrittenAddress(entry, reason) for entry, reason in written.left_out]
    plan, refused = plan_new_urls(written.content, changes.urls, may_be_synced)
    apply_rename(plan)
    for key, error in refused.items():
        problems = error.problems if isinstance(error, ContentError) else ()
        reason = next((problem.message for problem in problems if problem.is_error), error.message)
        left_out.append(UnwrittenAddress(entries[key], reason))
    return left_out


def _changes(places: Mapping[str, Sequence[AddressUse]], left_out: list[UnwrittenAddress]) -> _Changes:
    """Return what changes in each entry; links in bodies that cannot be replaced are added to `left_out`."""
    changes = _Changes(defaultdict(dict), {})
    targets: dict[tuple[EntryKey, str], list[tuple[int, str, str]]] = defaultdict(list)  # of the links of each body
    texts: dict[tuple[EntryKey, str], str] = {}
    for new, uses in places.items():
        for entry, field, old, link in uses:
            key, written = (entry.kind, entry.key), _with_fragment(new, old)
            if link is None and entry.kind is Kind.LISTING and field == "url" and url_key(new) != entry.key:
                changes.urls[key] = written
            elif link is None:
                values = changes.values[key]
                values[field] = _replaced(values.get(field, value_at(entry.fields, field)), old, written)
            elif link.has_certain_offset:
                texts[key, field] = value_at(entry.fields, field)
                targets[key, field].append((link.offset, link.target, _in_body(written)))
            else:
                left_out.append(UnwrittenAddress(entry, f"the place of the link in {field} is not certain"))
    for (key, field), text in texts.items():
        changes.values[key][field] = replace_targets(text, targets[key, field])
    return changes


def _replaced(value: Any, old: str, new: str) -> Any:
    """Return a value with a text replaced, which is the value itself, or in its list or object."""
    if isinstance(value, list):
        return [_replaced(inner, old, new) for inner in value]
    if isinstance(value, Mapping):
        return {name: _replaced(inner, old, new) for name, inner in value.items()}
    return new if value == old else value


def _with_fragment(new: str, written: str) -> str:
    """Return the new address with the fragment of the text that it replaces, unless it has its own."""
    fragment = urldefrag(written).fragment
    return f"{new}#{fragment}" if fragment and "#" not in new else new


def _in_body(address: str) -> str:
    """Return an address without the characters that would end the target of a link."""
    return address.replace("(", "%28").replace(")", "%29")
