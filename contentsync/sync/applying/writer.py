"""One write: recorded, sent, verified if its outcome is ambiguous, and recorded with its result."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...errors import AmbiguousOutcome, Conflicting, ContentsyncError, Denied, Rejected, RemoteError, Unreachable
from ...model import RECORDS, Entry, EntryKey, Kind, Reference
from ...model.entry import value_at, with_value
from ...model.references import map_reference, map_references
from ...remote.remote import Remote
from ...remote.wire import Ids, SocialNames, UnknownReference, ids_by_key, wire_body
from ..comparing.base import base_label
from ..comparing.change import Action, Change, DanglingReference, Result, Status, second_request_fields
from ..comparing.diff import FieldChange, NewFields, new_fields
from ..comparing.entry_fields import ARTICLE_TEXTS, BODIES, is_authored, is_unknown, rename_references
from ..comparing.outcome import (
    applied_after_write,
    applied_restored,
    applied_with_unsent,
    before_second_request,
    complete_answer,
    temporary_update,
    with_expectation,
)
from ..planning.plan import Plan
from ..state.journal import Intent, Journal
from .settle import ListMismatch, UnknownOutcome, create_and_verify, delete_and_verify, update_and_verify

# After these errors, no other request can succeed.
STOPPING_ERRORS = (Denied, Unreachable)
Body = dict[str, Any]


class Writer:
    """Writes the changes of a run, and records the id and key of each written record, to which later writes may refer.

    `stopped` is the error that ends the run.
    """

    def __init__(self, plan: Plan, remote: Remote, journal: Journal) -> None:
        """Collect the ids of the records that the plan has read, and the references to entries that it deletes."""
        self.remote = remote
        self.journal = journal
        self.stopped: ContentsyncError | None = None
        self.keys: dict[tuple[Kind, int | None], str] = {}  # of the records that this run has written
        self.uncertain: set[EntryKey] = set()  # keys that the server may or may not have
        self._dangling: dict[EntryKey, list[DanglingReference]] = defaultdict(list)
        for reference in plan.dangling:
            name = plan.folder_keys.get((Kind.CUSTOM_FIELD, reference.field), reference.field)
            entry = rename_references(reference.entry, plan.folder_keys)
            self._dangling[reference.target].append(DanglingReference(entry, name, reference.target))
        self._with_temporary_values: dict[tuple[Kind, int | None], Entry] = {}  # the records that have such values
        self._folder_keys = plan.folder_keys
        # By kind, the id of each record by the folder's key for it.
        self._ids = {
            kind: {plan.folder_keys.get((kind, key), key): id_ for key, id_ in keys.items()}
            for kind, keys in ids_by_key(plan.actual).items()
        }

    async def write(self, change: Change) -> Result:
        """Create or update an entry; return the result. Raise Refused or LocalFileError if no request may be sent."""
        change = self.resolve(change)
        try:
            body = self.make_body(change)
        except UnknownReference as error:
            return Result(change, Status.FAILED, with_location(change, error.field, error.message), is_refused=True)
        self.journal.check_lock()
        change = with_expectation(change, self.custom_ids)
        intent = await self.journal.record_intent(change, self.custom_ids)
        second_body = second_request_fields(change)
        first = before_second_request(change, second_body) if second_body else change
        is_found = False
        try:
            if change.action is Action.CREATE:
                answer, is_found = await create_and_verify(self.remote, first, body)
            else:
                answer = await update_and_verify(self.remote, first, body, self.state_before(change))
            if second_body:
                answer = await update_and_verify(self.remote, change, second_body, answer)
            result = self.finish_success(intent, answer)._replace(already_existed=is_found)
        except (RemoteError, UnknownOutcome) as error:
            result = self.finish_failure(change, error)
        await self.record_outcomes([(intent, result)])
        return result

    async def write_temporary_values(self, change: Change) -> Result | None:
        """Write temporary values, so that another entry can take the present ones; return a result only on failure."""
        change = self.resolve(change)
        update = temporary_update(change, self.journal.state.by_id(change.kind, change.id))
        before = self.state_before(change)
        shown_text = _shown_text(before) if change.kind is Kind.ARTICLE else {}  # each update of an article has a text
        body = {**change.temporary_values, **shown_text}
        self.journal.check_lock()
        intent = await self.journal.record_intent(update, self.custom_ids)
        try:
            answer = await update_and_verify(self.remote, update, body, before)
        except (RemoteError, UnknownOutcome) as error:
            result = self.finish_failure(change, error)
            await self.record_outcomes([(intent, result)])
            return result
        # Of the answer, take only what this write changes: later checks must notice changes by other users.
        fields = {**before.fields, **change.temporary_values}
        record = replace(before, key=answer.key, fields=fields, etag=answer.etag)
        self._with_temporary_values[change.kind, change.id] = record
        self.keys[change.kind, change.id] = record.key
        await self.record_outcomes([(intent, Result(change, Status.DONE, applied=update.expected.applied))])
        return None

    async def delete(self, change: Change, current: Entry | None) -> Result:
        """Delete the entry of a resolved change; `current` is its record as read last, None if deleted already."""
        self.journal.check_lock()
        dangling = self._dangling[change.kind, change.key]
        intent = await self.journal.record_intent(change, self.custom_ids, dangling)
        try:
            if current is not None:
                await delete_and_verify(self.remote, change, current)
            elif change.id is not None and await self.remote.get(change.kind, change.id) is not None:
                raise ListMismatch("the server's list lacks it, and the server still has it")
            result = Result(change, Status.DONE)
        except (RemoteError, UnknownOutcome) as error:  # a ListMismatch is a RemoteError
            result = self.finish_failure(change, error)
        await self.record_outcomes([(intent, result)])
        return result

    @property
    def custom_ids(self) -> Mapping[str, int]:
        """Return the ids of custom fields by the folder's names."""
        return self._ids[Kind.CUSTOM_FIELD]

    def resolve(self, change: Change) -> Change:
        """Return a change under the folder's keys, whose references have the present ids.

        A reference to an entry that is not created yet has the id None.
        """

        def with_id(kind: Kind, key: str) -> Reference:
            return Reference(key, self._ids[kind].get(key))

        actual = None if change.actual is None else rename_references(change.actual, self._folder_keys)
        if change.action is Action.DELETE and actual is not None:
            entry = actual  # the entry of a delete is the server's record too
        else:
            entry = map_references(change.entry, with_id)
        restored = change.applied_after
        if restored is not None:
            restored = applied_restored(restored, change.entry, entry, self.custom_ids)
        if isinstance(change.fields, NewFields):  # made on demand from the fields of the entry
            fields: Mapping[str, FieldChange] = new_fields(entry)
        else:
            references = RECORDS[change.kind].references
            with_ids = {
                name: FieldChange(before, map_reference(after, references[name], with_id))
                for name, (before, after) in change.fields.items()
                if name in references
            }
            fields = {**change.fields, **with_ids}
        return change._replace(entry=entry, actual=actual, applied_after=restored, fields=fields)

    def make_body(self, change: Change) -> Body:
        """Return the body of a change's request. Raise UnknownReference if a reference has no id."""
        body = request_body(change, self._ids, self.remote.social_names)
        if not self._with_temporary_values:
            return body
        return {self._present_name(name): value for name, value in body.items()}

    def _present_name(self, name: str) -> str:
        """Return a field's name on the server; `#id` is a custom field whose name another one has taken in this run."""
        if not name.startswith("#"):
            return name
        field = self._with_temporary_values.get((Kind.CUSTOM_FIELD, int(name[1:])))
        return name if field is None else field.key

    def state_before(self, change: Change) -> Entry:
        """Return the record that an update or a delete starts from, as it was read or written last."""
        record = self._with_temporary_values.get((change.kind, change.id), change.actual)
        if record is None:
            raise AssertionError("only an update or a delete has a state before")
        return record

    def finish_success(self, intent: Intent, answer: Entry) -> Result:
        """Return the result of a change that the server has done, and register the answered record."""
        change = intent.change
        answer = complete_answer(change, answer)
        self.register(change, answer)
        if change.expected.applied is None:
            return Result(change, Status.DONE)
        applied, altered_fields = applied_after_write(change, change.expected.applied, answer, self.custom_ids)
        has_no_effect = change.action is Action.UPDATE and change.fields.keys() == set(altered_fields)
        is_undo = change.applied_after is not None  # which records its own applied entry
        if has_no_effect and not is_undo and not self.remote.conditional:
            # Without ETags, the answer does not prove that the update was done. The next plan sends the fields again.
            labels = [base_label(change.kind, name, self.custom_ids) for name in altered_fields]
            applied = applied_with_unsent(applied, intent.base, labels)
        return Result(change, Status.DONE, altered_fields=altered_fields, applied=applied)

    def register(self, change: Change, answer: Entry) -> None:
        """Store the id and the key of a written record, so that later writes can refer to it."""
        if answer.id is None:
            return
        ids = self._ids[change.kind]
        self.keys[change.kind, answer.id] = answer.key
        if change.previous_key is not None and ids.get(change.previous_key) == answer.id:
            del ids[change.previous_key]  # this record no longer has its previous key
        key = change.entry.fields.get(RECORDS[change.kind].key_field) or change.key  # as in `ids_by_key`
        ids[str(key)] = answer.id

    def finish_failure(self, change: Change, error: RemoteError | UnknownOutcome) -> Result:
        """Return the result of a change that raised an error: failed or unknown. Set `stopped` if the run must end."""
        cause = error.cause if isinstance(error, UnknownOutcome) else error
        if isinstance(cause, STOPPING_ERRORS):
            self.stopped = self.stopped or cause
        if isinstance(error, UnknownOutcome | AmbiguousOutcome):
            self.uncertain |= {(change.kind, key) for key in (change.key, change.previous_key) if key is not None}
            return Result(change, Status.UNKNOWN, error.message)
        messages: Mapping[str, Sequence[str]] = {"": [error.message]}  # by dotted name of a field, "" for the entry
        if isinstance(error, Rejected) and error.errors:
            messages = error.errors
        text = "; ".join(with_location(change, field, " ".join(texts)) for field, texts in messages.items())
        result = Result(change, Status.FAILED, text, is_refused=is_refusal(error))
        key_field = RECORDS[change.kind].key_field
        is_key_refused = key_field in messages and key_field in change.fields
        if isinstance(error, ListMismatch) or is_key_refused:  # a plan writes only keys that are free in the list
            return self.discard_wrong_list(result)
        return result

    def discard_wrong_list(self, result: Result) -> Result:
        """Drop the list that a result contradicts from the cache; return the result with `contradicts_list`."""
        self.remote.discard_list(result.change.kind)
        return result._replace(contradicts_list=True)

    async def record_outcomes(self, outcomes: Sequence[tuple[Intent, Result]]) -> None:
        """Record results in the journal; if that fails, set `stopped` to end the run."""
        try:
            await self.journal.record_results(outcomes)
        except ContentsyncError as error:
            self.stopped = self.stopped or error


def request_body(change: Change, ids: Ids, social_names: SocialNames) -> Body:
    """Return the body of a change's request. Raise UnknownReference if `ids` does not have a referenced key."""
    fields = change.entry.fields if change.action is Action.CREATE else _updated_fields(change)
    body = wire_body(change.kind, fields, ids, social_names)
    body.pop("is_markdown", None)  # read-only: the service derives it from the body that is sent
    return body


def _updated_fields(change: Change) -> dict[str, Any]:
    """Return the fields to send for an update: the changed top-level fields, and those that must be sent with them.

    A title is sent with the slug, or the service would generate a new slug (docs/contract.md 4.1.3, 4.2.3). An
    article's body is in every update (4.2.4). Of `translations`, only the changed languages are sent. If a sent
    field has parts that the plan does not write (`Change.untouched`), they are sent with the server's values.
    """
    desired = change.entry
    names = {name.partition(".")[0] for name in change.fields}
    model = RECORDS[desired.kind]
    if model.title_field in names:
        names.add(model.key_field)
    if desired.kind is Kind.ARTICLE:
        names |= BODIES
    fields = {name: value for name, value in desired.fields.items() if name in names}
    if isinstance(fields.get("translations"), Mapping):
        changed = {name.split(".")[1] for name in change.fields if name.startswith("translations.")}
        fields["translations"] = {
            locale: texts for locale, texts in fields["translations"].items() if locale in changed
        }
    for name, (_before, after) in change.fields.items():
        if name != "is_markdown" and not is_authored(desired, name):  # removed from the file: send the default
            fields = with_value(fields, name, after)
    if change.actual is None:
        return fields
    for name in change.untouched:
        is_in_fields = is_authored(desired, name) and name.partition(".")[0] in fields  # with the folder's value
        if is_in_fields and not is_unknown(change.actual, name):
            fields = with_value(fields, name, value_at(change.actual.fields, name))
    keeps_server_text = any(name in ARTICLE_TEXTS for name in change.untouched)  # the body, or which body is shown
    if desired.kind is Kind.ARTICLE and keeps_server_text:
        fields = {name: value for name, value in fields.items() if name not in BODIES} | _shown_text(change.actual)
    return fields


def _shown_text(article: Entry) -> dict[str, Any]:
    """Return the body field that an article shows: `markdown` or `content`."""
    name = "markdown" if article.fields.get("is_markdown") else "content"
    return {name: article.fields.get(name)}


def is_refusal(error: Exception) -> bool:
    """Return whether the same request would fail again; False after a conflict, as the entry is read again."""
    return isinstance(error, Rejected | UnknownReference) and not isinstance(error, Conflicting)


def with_location(change: Change, field: str, text: str) -> str:
    """Return a text with the location of a field before it; only the text if the entry has no file."""
    if change.entry.source is None:
        return text
    location = change.entry.source.where(field)
    return f"{location.path}:{location.line}:{location.column}: {text}"
