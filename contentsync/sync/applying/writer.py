"""TODO."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ...errors import Conflicting, ContentsyncError, Denied, Rejected, RemoteError, Unclear, Unreachable
from ...model import RECORDS, Entry, Kind, Reference
from ...remote import Remote, UnknownReference, body_of, index
from ..change import Action, Change, Loss, Result, Status, losses, shown_afterwards
from ..comparing.base import Records, labelled
from ..comparing.entry_fields import BODIES, Identity, is_given, is_unknown, referring, renamed, value_at
from ..comparing.fingerprint import fingerprint
from ..plan import Plan
from ..state.journal import Intent, Journal
from .outcome import intention, line_after, line_doubted, line_moving, line_restored, whole
from .settle import Contradicted, Unsettled, settled_create, settled_delete, settled_update

_SHOWN = BODIES | {"is_markdown"}  # what an article shows, and so one thing


def payload(change: Change) -> dict[str, Any]:
    """The fields to send: all of a new entry; of a changed one whole top-level values and what the service wants.

    A title goes with the slug, or the service would make a new one (docs/contract.md 4.1.3, 4.2.3); an
    article's body goes with every update (4.2.4); of `translations` only the changed languages go. What was
    left as somebody changed it goes as it is there.
    """
    desired = change.entry
    if change.action is Action.CREATE:
        return {name: value for name, value in desired.fields.items() if name != "is_markdown"}
    names = {name.partition(".")[0] for name in change.fields}
    model = RECORDS[desired.kind]
    if model.title_field in names:
        names.add(model.key_field)
    if desired.kind is Kind.ARTICLE:
        names |= {"markdown", "content"}
    names.discard("is_markdown")
    fields = {name: value for name, value in desired.fields.items() if name in names}
    if isinstance(fields.get("translations"), Mapping):
        changed = {name.split(".")[1] for name in change.fields if name.startswith("translations.")}
        fields["translations"] = {
            locale: texts for locale, texts in fields["translations"].items() if locale in changed
        }
    for name, (_, after) in change.fields.items():
        if not is_given(desired, name) and name != "is_markdown":
            fields = _with(fields, name.split("."), after)
    for name in change.kept:
        if not change.actual or is_unknown(change.actual, name):
            continue
        if is_given(desired, name) and name.partition(".")[0] in fields:
            fields = _with(fields, name.split("."), value_at(change.actual.fields, name))
    if desired.kind is Kind.ARTICLE and change.actual and not _SHOWN.isdisjoint(change.kept):
        fields = {name: value for name, value in fields.items() if name not in BODIES} | _body(change.actual)
    return fields


def detour(change: Change) -> dict[str, Any]:
    """The fields of the temporary name: an article's text goes with them too, as it is there."""
    fields: dict[str, Any] = dict(change.detour)
    if change.kind is Kind.ARTICLE and change.actual is not None:
        fields |= _body(change.actual)
    return fields


def _body(article: Entry) -> dict[str, Any]:
    """The text that an article shows."""
    text = "markdown" if article.fields.get("is_markdown") else "content"
    return {text: article.fields.get(text)}


def _with(fields: Mapping[str, Any], path: list[str], value: Any) -> dict[str, Any]:
    """The fields with a value put in at a path, the given ones left as they are."""
    first, rest = path[0], path[1:]
    if not rest:
        return {**fields, first: value}
    inner = fields.get(first)
    return {**fields, first: _with(inner if isinstance(inner, Mapping) else {}, rest, value)}


# Nothing that follows can succeed either.
STOPS = (Denied, Unreachable)


Body = dict[str, Any]


Answer = TypeVar("Answer")


class Writer:
    """What a run knows while it writes: the ids and keys of all that the server has by now.

    `ours` raises where the target's lock is no longer this run's. `stopped` is the error that ends the run.
    """

    def __init__(self, plan: Plan, remote: Remote, journal: Journal, ours: Callable[[], None]) -> None:
        self.remote = remote
        self.journal = journal
        self.ours = ours
        self.stopped: ContentsyncError | None = None
        self.keys: dict[tuple[Kind, int | None], str] = {}  # by id, of what this run has written
        self.unsure: set[tuple[Kind, str]] = set()  # keys of which it is not known whether the server has them
        self._lost: dict[Identity, list[Loss]] = defaultdict(list)
        for loss in losses(plan.changes, plan.actual):
            field = plan.names.get((Kind.CUSTOM_FIELD, loss.field), loss.field)
            self._lost[loss.gone].append(Loss(renamed(loss.entry, plan.names), field, loss.gone))
        self._on_detour: dict[tuple[Kind, int | None], Entry] = {}
        self._names = plan.names
        self._ids = {
            kind: {plan.names.get((kind, key), key): id_ for key, id_ in keys.items()}
            for kind, keys in index(plan.actual).items()
        }
        records = Records(plan.actual)
        for line in journal.ledger.base.values():  # of which the server may write the key otherwise
            record = records.of(line)
            if record is not None and record.id is not None:
                self._ids[line.kind].setdefault(line.key, record.id)

    async def write(self, change: Change) -> Result:
        """Creates or updates an entry. Raises Refused or Unwritable where nothing may be sent any more."""
        change = self.known(change)
        try:
            body = self.body(change, payload(change))
        except UnknownReference as error:
            return Result(change, Status.FAILED, placed(change, error.field, error.message), refused=True)
        self.ours()
        line, marks = intention(change, self.custom)
        intent = await self.journal.intend(change, line, marks, self.custom)
        try:
            answer, found = await self._sent(change, body, intent.fields)
            result = replace(self.done(intent, answer), found=found)
        except (RemoteError, Unsettled) as error:
            result = self.failure(change, error)
        return await self.noted(intent, result)

    async def detour(self, change: Change) -> Result | None:
        """Gives an entry its temporary name, so that another one can take its own; None when it has it."""
        change = self.known(change)
        marks = {name: fingerprint(change.kind, name, value) for name, value in change.detour.items()}
        body, before = detour(change), self.before(change)
        line = self.journal.ledger.line(change.kind, change.id)
        applied = None if line is None else line_moving(change, line, marks)
        self.ours()
        # Of one that is deleted later, too, it is an update.
        intent = await self.journal.intend(replace(change, action=Action.UPDATE), applied, marks, self.custom)
        try:
            answer = await settled_update(self.remote, change, body, marks, before)
        except (RemoteError, Unsettled) as error:
            return await self.noted(intent, self.failure(change, error))
        moved = replace(before, key=answer.key, fields={**before.fields, **change.detour}, etag=answer.etag)
        self._on_detour[change.kind, change.id] = moved
        self.keys[change.kind, change.id] = moved.key
        await self.noted(intent, Result(change, Status.DONE, applied=applied))
        return None

    async def delete(self, change: Change, fresh: Entry | None) -> Result:
        """Deletes a `known` entry as it was read last; None if it had gone by then."""
        self.ours()
        intent = await self.journal.intend(change, None, {}, self.custom, self._lost[change.kind, change.key])
        try:
            if fresh is not None:
                await settled_delete(self.remote, change, fresh)
            elif change.id is not None and await self.remote.get(change.kind, change.id) is not None:
                raise Contradicted("the server's list lacks it, and the server still has it")
            result = Result(change, Status.DONE)
        except (RemoteError, Unsettled) as error:
            result = self.failure(change, error)
        return await self.noted(intent, result)

    @property
    def custom(self) -> Mapping[str, int]:
        """The ids of custom fields, by the names that the folder has for them."""
        return self._ids[Kind.CUSTOM_FIELD]

    def known(self, change: Change) -> Change:
        """Return a change in the folder's words, with the ids of what it refers to, as far as the server has it."""

        def named(kind: Kind, key: str) -> Reference:
            return Reference(key, self._ids[kind].get(key))

        after = referring(
            replace(change.entry, fields={name: pair.after for name, pair in change.fields.items()}), named
        )
        actual = None if change.actual is None else renamed(change.actual, self._names)
        entry = actual if actual and change.action is Action.DELETE else referring(change.entry, named)
        return replace(
            change,
            entry=entry,
            actual=actual,
            line=None if change.line is None else line_restored(change.line, change.entry, entry, self.custom),
            fields={name: pair._replace(after=after.fields[name]) for name, pair in change.fields.items()},
        )

    def body(self, change: Change, fields: Mapping[str, Any]) -> Body:
        """What goes over the wire. Raises UnknownReference."""
        return body_of(change.kind, fields, self._ids, self.remote.social_names)

    def before(self, change: Change) -> Entry:
        """The server's entry of a `known` update or delete, as it was read or written last."""
        known = self._on_detour.get((change.kind, change.id), change.actual)
        if known is None:
            raise AssertionError("only an update or a delete has a state before")
        return known

    def done(self, intent: Intent, answer: Entry) -> Result:
        """The result of a change that the server has carried out."""
        change = intent.change
        answer = whole(change, answer)
        self.know(change, answer)
        if intent.applied is None:
            return Result(change, Status.DONE)
        line, unstored = line_after(change, intent.applied, answer, self.custom)
        is_unchanged = change.action is Action.UPDATE and change.fields.keys() == set(unstored)
        if is_unchanged and change.line is None and not self.remote.conditional:
            line = line_doubted(line, intent.base, [labelled(change.kind, name, self.custom) for name in unstored])
        return Result(change, Status.DONE, unstored=unstored, applied=line)

    def know(self, change: Change, answer: Entry) -> None:
        """Takes the entry as the server has it now: others may refer to it."""
        if answer.id is not None:
            self.keys[change.kind, answer.id] = answer.key
            if change.previous_key is not None:
                self._leave(change.kind, change.previous_key, answer.id)
            name = change.entry.fields.get(RECORDS[change.kind].key_field)
            self._ids[change.kind][str(name or change.key)] = answer.id

    def _leave(self, kind: Kind, key: str, id_: int | None) -> None:
        """Takes a name from an entry: who refers to it means the one that is to have it."""
        if self._ids[kind].get(key) == id_:
            del self._ids[kind][key]

    def failure(self, change: Change, error: RemoteError | Unsettled) -> Result:
        """The result of a change that the server has not carried out, or of which nobody knows."""
        cause = error.cause if isinstance(error, Unsettled) else error
        if isinstance(cause, STOPS):
            self.stopped = self.stopped or cause
        if isinstance(error, Unsettled | Unclear):
            self.unsure |= {(change.kind, change.key), (change.kind, change.previous_key or change.key)}
            return Result(change, Status.UNKNOWN, error.message)
        told = error.errors if isinstance(error, Rejected) and error.errors else {"": [error.message]}
        text = "; ".join(placed(change, field, " ".join(texts)) for field, texts in told.items())
        result = Result(change, Status.FAILED, text, refused=is_refusal(error))
        key_field = RECORDS[change.kind].key_field
        is_key_refused = key_field in told and key_field in change.fields  # by the list, it was free
        return self.contradiction(result) if isinstance(error, Contradicted) or is_key_refused else result

    def contradiction(self, result: Result) -> Result:
        """Return the result of a change that the server's list had led to, and that the server itself contradicts."""
        self.remote.distrust(result.change.kind)
        return replace(result, contradicts=True)

    async def noted(self, intent: Intent, result: Result) -> Result:
        """The result, once it is in the journal; a disk that does not take it ends the run."""
        await self.note([(intent, result)])
        return result

    async def note(self, outcomes: Sequence[tuple[Intent, Result]]) -> None:
        """Puts results into the journal; a disk that does not take them ends the run."""
        try:
            await self.journal.record(outcomes)
        except ContentsyncError as error:
            self.stopped = self.stopped or error

    async def _sent(self, change: Change, body: Body, marks: Mapping[str, str]) -> tuple[Entry, bool]:
        """The entry, and whether a create has found it."""
        then = shown_afterwards(change)
        later = {"is_markdown", *(then.keys() - BODIES)} if then else set()
        first = {name: mark for name, mark in marks.items() if name not in later}
        if change.action is Action.CREATE:
            answer, found = await settled_create(self.remote, change, body, first)
        else:
            answer, found = await settled_update(self.remote, change, body, first, self.before(change)), False
        if then:
            answer = await settled_update(self.remote, change, then, marks, answer)
        return answer, found


def is_refusal(error: Exception) -> bool:
    """Whether the same would be refused again: a conflict is about what was read, and the next plan reads anew."""
    return isinstance(error, Rejected | UnknownReference) and not isinstance(error, Conflicting)


def placed(change: Change, field: str, text: str) -> str:
    """A text with the place of a field in its file before it."""
    if change.entry.source is None:
        return text
    where = change.entry.source.where(field)
    return f"{where.path}:{where.line}:{where.column}: {text}"
