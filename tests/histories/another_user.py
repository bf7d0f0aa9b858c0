"""Steps of another user, who edits records of any kind on the server."""

from typing import Any

from contentsync.errors import Conflicting, Rejected
from contentsync.model import RECORDS, Entry, Kind
from contentsync.remote.remote import Remote

from .engine import History

_BODY = {Kind.PAGE: "markdown", Kind.ARTICLE: "markdown", Kind.TAG: "icon"}  # the others have a description


def edit_record(history: History) -> str:
    """Change the title or another text of a record, delete it, or create one."""
    what = history.dice.choice(["retitle", "describe", "delete", "create", "html"])
    text = "Edited " + "".join(history.dice.choices("wxyz", k=5))
    if what == "create":
        return _create(history, history.dice.choice([*Kind]), text)
    if what == "delete":
        return delete_record(history)
    record = _any_record(history)
    if record is None:
        return ""
    name = RECORDS[record.kind].title_field if what == "retitle" else _BODY.get(record.kind, "description")
    fields: dict[str, Any] = {}
    if record.kind is Kind.ARTICLE:  # each update of an article has its body
        shown = "content" if what == "html" or not record.fields["is_markdown"] else "markdown"
        fields = {shown: text if what == "html" else record.fields[shown]}
        name = RECORDS[record.kind].title_field if name == "markdown" != shown else name
    return _update(history, record, {**fields, name: text})


def rename_record(history: History) -> str:
    """Give a record another key and title; the server refuses a key that another record has."""
    record = _any_record(history)
    if record is None:
        return ""
    model, number = RECORDS[record.kind], history.dice.randrange(1000)
    return _update(history, record, {model.key_field: f"a{number}", model.title_field: f"Renamed {number}"})


def delete_record(history: History) -> str:
    """Delete a record; the server removes the references to it."""
    record = _any_record(history)
    if record is None:
        return ""
    history.server.call(lambda remote: remote.delete(record.kind, record.id or 0))
    return f"another user deletes {record}"


def _create(history: History, kind: Kind, title: str) -> str:
    body = {RECORDS[kind].title_field: title}
    body |= {Kind.CUSTOM_FIELD: {"type": "text"}, Kind.ARTICLE: {"markdown": title}}.get(kind, {})

    async def create(remote: Remote) -> str:
        try:
            await remote.create(kind, body)
        except Conflicting:  # the same one twice
            return ""
        return f"another user creates {kind} {title}"

    return history.server.call(create)


def _update(history: History, record: Entry, fields: dict[str, Any]) -> str:
    async def update(remote: Remote) -> str:
        try:
            await remote.update(record.kind, record.id or 0, fields)
        except Rejected:
            return ""
        return f"another user changes {record}: {fields}"

    return history.server.call(update)


def _any_record(history: History) -> Entry | None:
    records = history.server.entries()
    return history.dice.choice(records) if records else None
