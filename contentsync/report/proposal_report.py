"""A proposal as text, as the descriptions of its pull requests, and as JSON."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from ..content.files.file_names import suffix_of
from ..content.formats.table_rows import TABLE_SUFFIXES
from ..errors import pluralize
from ..exchange.proposal.proposal import BranchProposal, Proposal, ProposalPart
from ..model import Entry
from ..model.entry import value_at
from ..sync.comparing.diff import FieldChange
from ..sync.planning.drift_summary import ChangedEntry
from ..value_text import printable
from .document_parts import Destination, entry_document, redact, revert_command
from .drift_report import changed_document, changed_item, entry_item
from .formatting import entry_text
from .markdown_parts import LIMIT, Budget, inline_code, key_name

_LABELS = {"edits": ["contentsync"], "submissions": ["contentsync", "submission"]}
_STATES = {
    "new": "new",
    "updated": "updated",
    "unchanged": "unchanged",
    "withdrawn": "deleted: there is nothing to propose any more",
    "none": "nothing to propose",
}


class ProposalDocument:
    """Builds the document of a proposal; `entries` are those of the folder that it was made for."""

    def __init__(self, proposal: Proposal, entries: Sequence[Entry], destination: Destination) -> None:
        self._proposal = proposal
        self._entries = {(entry.kind, entry.key): entry for entry in entries}
        self._files = Counter(entry.source.path for entry in entries if entry.source)
        self._destination = destination

    def build(self) -> dict[str, Any]:
        """Return the JSON document of `propose` (docs/reference/json.md, propose), without the token."""
        changes = self._proposal.changes
        document = {
            "version": 1,
            "target": self._destination.name,
            "onto": self._proposal.onto,
            "branches": [self._branch(branch) for branch in self._proposal.branches],
            "deleted": [
                {**entry_document(entry), "reason": reason, "commands": self._commands(entry)}
                for entry, reason in changes.kept
            ],
            "contested": _field_documents(changes.contested),
            "conflicts": _field_documents(changes.conflicts),
        }
        return redact(document, self._destination.secret)

    def _branch(self, branch: BranchProposal) -> dict[str, Any]:
        """Return a branch for the JSON document; title and description are those of its pull request, if it has one."""
        problem = {"message": f"{branch.name} was left alone: {branch.blocked}", "hint": BLOCKED_HINT}
        return {
            "purpose": branch.purpose,
            "name": branch.name,
            "state": branch.state,
            "commit": branch.commit,
            "digest": branch.digest,
            "title": _title(branch.parts) if branch.is_wanted else "",
            "description": self.description(branch) if branch.is_wanted else "",
            "labels": _LABELS[branch.purpose] if branch.is_wanted else [],
            "commits": [{"subject": part.subject, "entries": part.size} for part in branch.parts],
            "entries": [
                {
                    "action": written.action,
                    "kind": written.kind,
                    "key": written.key,
                    "path": edit.path,
                    "fields": list(written.fields),
                }
                for edit in branch.edits
                for written in edit.written
            ],
            "left_out": [{**entry_document(entry), "reason": reason} for entry, reason in branch.left_out],
            "problem": problem if branch.state == "blocked" else None,
        }

    def description(self, branch: BranchProposal) -> str:
        """Return the description of a pull request in Markdown, in at most LIMIT bytes.

        All texts from the server are formatted as code.
        """
        budget = Budget(LIMIT - 2_000)  # bytes for the items; the rest is for titles
        sections = [_introduction(branch, self._destination)]
        for part in branch.parts:
            sections += _section(f"**{part.subject}**", [*self._items(part)], budget)
        texts = (f"{warning.where.path}: {warning.code}: {warning.message}" for warning in branch.warnings)
        warnings = [f"- {inline_code(text)}" for text in texts]
        sections += _section("**Warnings about these entries**", warnings, budget)
        left_out = [f"{self._item(entry)}: {inline_code(reason)}" for entry, reason in branch.left_out]
        sections += _section("**Left out, because the folder would not be valid with it**", left_out, budget)
        if branch.purpose == "edits":
            sections += self._notes(budget)
        return "\n\n".join(sections) + "\n"

    def _notes(self, budget: Budget) -> Iterator[str]:
        """Yield the sections about what is left to the user."""
        changes = self._proposal.changes
        deleted = [
            f"{self._item(entry)}: {inline_code(reason)}; {self._advice(entry)}" for entry, reason in changes.kept
        ]
        yield from _section("**Deleted on the server, and still in the folder**", deleted, budget)
        title = "**Contested: both sides have changed these fields back and forth. Agree on a value**"
        yield from _section(title, _field_items(changes.contested), budget)
        shows = f"{inline_code(self._destination.command('plan'))} shows both values"
        title = f"**Changed in the folder and on the server. {shows}**"
        yield from _section(title, _field_items(changes.conflicts), budget)

    def _item(self, entry: Entry) -> str:
        return entry_item(redact(entry_document(entry), self._destination.secret))

    def _items(self, part: ProposalPart) -> Iterator[str]:
        """Yield the changed entries of a part with the values of both sides, then its new and its deleted entries."""
        for key, fields in part.changes.changes.items():
            entry = self._entries[key]
            pairs = {name: FieldChange(value_at(entry.fields, name), value) for name, value in fields.items()}
            changed = ChangedEntry(entry, part.changes.server_entries[key], pairs, is_removed=False)
            yield changed_item(redact(changed_document(changed), self._destination.secret))
        yield from map(self._item, [*part.changes.new, *(self._entries[key] for key in part.changes.deleted)])

    def _commands(self, entry: Entry) -> list[str]:
        """Return the commands that delete an entry from the folder; none if it shares its file with others."""
        source = entry.source
        if source is None or self._files[source.path] > 1 or suffix_of(source.path) in TABLE_SUFFIXES:
            return []
        paths = dict.fromkeys([source.path, *(path for path, _ in source.locations.values())])
        folder = self._destination.commands.folder
        return [shlex.join(["git", *(["-C", folder] if folder else []), "rm", "--", *paths])]

    def _advice(self, entry: Entry) -> str:
        commands = " and ".join(inline_code(command) for command in self._commands(entry))
        where = inline_code(f"{entry.source.path}:{entry.source.line}" if entry.source else "")
        again = inline_code(revert_command(self._destination.command, [entry]))
        return f"{commands or f'remove it at {where}'} deletes it here too, {again} creates it again on the server"


def proposal_text(document: Mapping[str, Any], destination: Destination) -> str:
    """Return a line for each branch and for each entry that is left to the user."""
    lines = []
    for branch in document["branches"]:
        lines.append(f"{branch['name']}  {_state_text(branch)}")
        is_wanted = branch["title"] != ""  # a branch that proposes nothing has no title
        lines += [f"  {commit['subject']}" for commit in branch["commits"] if is_wanted]
        if is_wanted and branch["purpose"] == "edits":
            lines.append(f"  to decline an edit or a deletion: {revert_command(destination.command)}")
        lines += [f"  ! {entry_text(entry)}: {printable(entry['reason'])}" for entry in branch["left_out"]]
    for entry in document["deleted"]:
        hints = (f"; {printable(command)} deletes it here too" for command in entry["commands"])
        lines.append(f"! {entry_text(entry)}  deleted on the server: {printable(entry['reason'])}{''.join(hints)}")
    for fields, why in (
        (document["contested"], "contested: both sides have changed it back and forth, left alone"),
        (document["conflicts"], "changed here and on the server, left alone"),
    ):
        lines += [f"! {entry_text(entry)}  {printable(', '.join(entry['fields']))}: {why}" for entry in fields]
    return "\n".join(lines)


def _state_text(branch: Mapping[str, Any]) -> str:
    """Return the state of a branch for the line that begins with its name."""
    if branch["problem"] is None:
        return _STATES[branch["state"]]
    message: str = branch["problem"]["message"]
    return message.removeprefix(f"{branch['name']} was ")  # "left alone: ..."


BLOCKED_HINT = "merge the branch, or delete it; if it is checked out, check out another one; then run propose again"


def _title(parts: Sequence[ProposalPart]) -> str:
    *others, last = (part.counted for part in parts)
    counted = f"{', '.join(others)} and {last}" if others else last
    return f"Take over {counted} from {parts[0].target}"


def _introduction(branch: BranchProposal, destination: Destination) -> str:
    """Return the first paragraph of a pull request: where its changes come from, and what the merge does."""
    on = inline_code(destination.address)
    if branch.purpose == "edits":
        decline = inline_code(revert_command(destination.command))
        return (
            f"These changes were made on {on} and are not in the folder yet. After the merge, a sync changes nothing. "
            f"To decline an edit or a deletion, run {decline}: it gives the entry the folder's values again, or "
            "creates it again. To decline a new entry, delete it on the server."
        )
    return (
        f"These listings were submitted on {on}. The merge makes them a part of the folder. If one is not "
        "active, `is_active: true` publishes it with the next sync. To decline one, delete it on the server."
    )


def _section(title: str, items: Sequence[str], budget: Budget) -> Iterator[str]:
    """Yield the title, the items that the budget allows, and the number of the others; nothing without items."""
    if items:
        shown = list(takewhile(budget.spend, (f"{item.rstrip()}\n" for item in items)))
        yield title
        yield "".join(shown).rstrip()
        if len(shown) < len(items):
            yield f"… and {pluralize(len(items) - len(shown), 'more entry', 'more entries')}"


def _field_items(fields: Mapping[Any, Iterable[str]]) -> list[str]:
    return [f"- {key_name(kind, key)}: {inline_code(', '.join(names))}" for (kind, key), names in fields.items()]


def _field_documents(fields: Mapping[Any, Iterable[str]]) -> list[dict[str, Any]]:
    return [{"kind": kind, "key": key, "fields": list(names)} for (kind, key), names in fields.items()]
