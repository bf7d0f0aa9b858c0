"""What makes an entry the one that it is (docs/content.md 2)."""

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from ..errors import Problem, Where
from ..model import RECORDS, Kind, Plain, make_key
from ..model.slug import make_slug
from ..model.urls import url_fault, url_key
from .draft import Draft
from .text.letters import misread_in

_BY_FILE_NAME = (Kind.PAGE, Kind.ARTICLE, Kind.ORGANIZER)
_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})-(?=.)")
_UNPADDED = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})-(.+)")


class FileName(NamedTuple):
    """What the name of a file says about its entry."""

    base: str  # the path without locale and suffix: the same for all languages of an entry
    stem: str  # what the slug is made of
    date: str | None
    locale: str | None

    @property
    def undated(self) -> str:
        """The base without the date."""
        folder, _, name = self.base.rpartition("/")
        return f"{folder}/{name.removeprefix(f'{self.date}-')}"


def read_file_name(path: str, locales: Sequence[str]) -> FileName:
    """The parts of a name such as `2026-03-01-hello.fr.md`; an `index.md` is called like its folder."""
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0]
    before, _, locale = stem.rpartition(".")
    if before and locale in locales:
        stem = before
    else:
        locale = ""
    base = f"{folder}/{stem}"
    if stem in ("index", "_index"):
        stem = folder.rpartition("/")[2]
    dated = _DATE.match(stem)
    return FileName(base, stem[dated.end() :] if dated else stem, dated[1] if dated else None, locale or None)


def identify(draft: Draft, name: FileName | None = None) -> None:
    """Find the draft's key, and give it the fields that follow from it; `name` is that of a file with one entry."""
    values, record = draft.values, RECORDS[draft.kind]
    key_field = record.key_field
    if values.get(key_field) is None:
        values.pop(key_field, None)
    if draft.kind is Kind.LISTING:
        _identify_listing(draft)
        return
    if key_field not in values and key_field not in draft.failed:
        made = make_slug(name.stem) if name else _made(draft)
        if name and (misread := misread_in(name.stem)):
            message = f"no slug can be made from the file name: {misread}"
            draft.fail(key_field, "bad-slug", message, draft.where(), "set slug, or rename the file")
        elif made:
            values[key_field] = made
            if name and draft.kind is Kind.ARTICLE and not name.date:
                _tell_unpadded(draft, name)
        elif name:
            message = "no slug can be made from the file name"
            draft.error("no-slug", message, draft.where(), "set slug, or rename the file")
    draft.key = _text(draft, key_field)
    if name and name.date and draft.kind is Kind.ARTICLE and "published_at" not in values.keys() | draft.failed:
        try:
            date.fromisoformat(name.date)
        except ValueError:
            message = f"the file name starts with {name.date}, a date that does not exist"
            draft.fail("published_at", "bad-date", message, draft.where(), "rename the file, or set published_at")
        else:
            values["published_at"] = Plain(name.date)


def _tell_unpadded(draft: Draft, name: FileName) -> None:
    """Warn of a date that Jekyll would read."""
    if parts := _UNPADDED.match(name.stem):
        year, month, day, rest = parts.groups()
        message = "the file name starts with a date without leading zeros, which is read as part of the slug"
        hint = f"rename it to {year}-{month:0>2}-{day:0>2}-{rest}"
        draft.warn("unpadded-date", message, draft.where(), hint)


class Identity(NamedTuple):
    """One of the things that an entry is known by, and where it comes from."""

    kind: Kind
    name: str  # slug, url or name
    value: str
    where: Where


def identities(draft: Draft) -> list[tuple[str, str]]:
    """What no other entry of the kind may have too, by name."""
    if draft.kind is not Kind.LISTING:
        return [(RECORDS[draft.kind].key_field, draft.key)] if draft.key else []
    if draft.key == _made(draft):
        found = [("slug", "" if draft.values.get("url") else draft.key)]
    else:
        # The slug that the service makes for it is numbered where it is taken (docs/contract.md 14).
        found = [("url", draft.key), ("slug", _text(draft, "slug"))]
    return [(name, value) for name, value in found if value]


def located_identities(draft: Draft) -> list[Identity]:
    """The identities of an entry with their places."""
    return [Identity(draft.kind, name, value, _origin(draft, name)) for name, value in identities(draft)]


def duplicate(later: Identity, first: Identity, key: str) -> Problem:
    """The problem of an entry, known by `key`, whose identity an earlier one has."""
    kind = later.kind.value.replace("_", " ")
    return Problem(
        "duplicate-identity",
        f"another {kind} already has the {later.name} '{later.value}': {first.where.path}, line {first.where.line}",
        later.where,
        f"delete one of them, or give this one a different {later.name}",
        kind=later.kind.value,
        key=key or None,
    )


def _origin(draft: Draft, name: str) -> Where:
    """Where an identity comes from: its own key, the title that it is made of, or the file's name."""
    made_of = "" if draft.kind in _BY_FILE_NAME else RECORDS[draft.kind].title_field
    return draft.where(name if name in draft.marks else made_of)


def _identify_listing(draft: Draft) -> None:
    url = _text(draft, "url")
    if url and url_fault(url) is None:
        draft.key = url_key(url)
        return
    made = _made(draft)
    draft.key = made
    if made and not draft.values.get("url") and not {"url", "slug"} & draft.failed:
        draft.values.setdefault("slug", made)


def _made(draft: Draft) -> str:
    """The slug or name that is given, or made of the title."""
    record = RECORDS[draft.kind]
    given = {name: _text(draft, name) for name in (record.key_field, record.title_field)}
    return "" if draft.failed & given.keys() else make_key(draft.kind, given)


def _text(draft: Draft, name: str) -> str:
    value = draft.values.get(name)
    return str(value) if isinstance(value, str) else ""
