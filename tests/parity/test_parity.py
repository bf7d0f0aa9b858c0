"""The server accepts what `validate` accepts, and both refuse an entry with the same messages.

A violation has one message for each code, and both sides show the message: equal messages are equal codes.
"""

import asyncio
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from contentsync.cli.target_connection import EMBEDDED_TARGET, connect
from contentsync.content.folder.load import Content, load_content
from contentsync.content.pictures.picture_fields import is_picture_path
from contentsync.errors import Rejected
from contentsync.model import RECORDS, Kind
from contentsync.remote.wire import wire_body

PATHS = {
    Kind.CATEGORY: "categories.yaml",
    Kind.TAG: "tags.yaml",
    Kind.CUSTOM_FIELD: "custom_fields.yaml",
    Kind.ORGANIZER: "organizers/entry.md",
    Kind.LISTING: "listings/entry.yaml",
    Kind.PAGE: "pages/entry.md",
    Kind.ARTICLE: "articles/entry.md",
}

WORDS = [
    "text",
    "",
    " ",
    "x" * 255,
    "x" * 256,
    "x" * 500,
    "x" * 501,
    "a-b",
    "UPPER case",
    "---",
    "日本語",
    "🎉",
    "navbar",
    "navbr",
    "select",
    "https://tools.example.org/path?q=1",
    "https://" + "x" * 300 + ".example.org",
    "https://example.org/" + "x" * 2100,
    "javascript:alert(1)",
    "//evil.example",
    "https://user:pass@example.org",
    "not a url",
    "../../.env",
    "logos/a.png",
    "ada@example.org",
    "ada@",
    "#aabbcc",
    "red",
    "2026-03-01",
    "2026-03-01T09:00:00Z",
    "2026-02-30",
    "9999-12-31T23:59:59-10:00",
]
VALUES: list[Any] = [
    *WORDS,
    True,
    91,
    -7,
    2**31,
    40.5,
    [],
    ["text"],
    ["text", ""],
    ["https://a.example.org"],
    ["a", "a"],
    {},
    {"title": "text"},
    {"title": "x" * 256, "description": "x" * 501},
    {"titel": "text"},
    {"github": "https://example.org", "x": "nothing"},
    {"fr": {"title": "Un", "name": "Un"}},
    {"fr": {"titel": "Un"}},
    {"en": {"name": "One"}},
    {"xx": {}},
]

# Ids and names of other entries differ between the two by design; the slug is the file's name by default.
LEFT_OUT = {"categories", "tags", "organizers", "category_id", "parent_id", "user_id"}


@cache
def raw_entries(kind: Kind) -> st.SearchStrategy[dict[str, Any]]:
    model = RECORDS[kind]
    names = [name for name in model.rules() if name not in LEFT_OUT or kind is Kind.ARTICLE]
    # A file takes its slug from its name where a body takes it from the title: given, they are the same. Most words are
    # no slug, so half of the entries have a valid one: otherwise `assume` below would leave out nine of ten.
    required = {
        model.key_field: st.sampled_from([*["entry"] * len(WORDS), *WORDS]),
        model.title_field: st.sampled_from([*["Entry"] * len(WORDS), *WORDS]),
    }
    if kind is Kind.ARTICLE:
        required["markdown"] = st.just("text")
    if kind is Kind.CUSTOM_FIELD:
        required["type"] = st.just("text")
    return st.tuples(
        st.fixed_dictionaries(required),
        st.dictionaries(st.sampled_from([*names, "titel", "nonsense"]), st.sampled_from(VALUES), max_size=4),
    ).map(lambda parts: {**parts[1], **parts[0]})


@cache
def as_only_files_may(kind: Kind) -> st.SearchStrategy[dict[str, Any]]:
    """Empty keys, numbers as text, text as numbers."""
    return st.dictionaries(
        st.sampled_from(sorted(RECORDS[kind].rules().keys() - LEFT_OUT)),
        st.sampled_from([None, "7", "yes", "1.5", 12, False, "2026-03-01 09:00"]),
        max_size=3,
    )


class Judges:
    """The folder and the server, each with one entry of a kind to check."""

    def __init__(self, kind: Kind, folder: Path) -> None:
        self.kind = kind
        self._folder = folder
        self._file = folder / PATHS[kind]
        self._file.parent.mkdir(exist_ok=True)
        (folder / "contentsync.toml").write_text('[site]\nname = "Parity"\nlocales = ["en", "fr"]\n', encoding="utf-8")
        self._runner = asyncio.Runner()
        self._connection = connect(EMBEDDED_TARGET, load_content(folder), {})
        self._remote = self._runner.run(self._connection.__aenter__())

    def close(self) -> None:
        self._runner.run(self._connection.__aexit__(None, None, None))
        self._runner.close()

    def load(self, raw: dict[str, Any]) -> Content:
        lines = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in raw.items())
        text = f"---\n{lines}---\n" if self._file.suffix == ".md" else f"- {json.dumps(raw, ensure_ascii=False)}\n"
        self._file.write_text(text, encoding="utf-8")
        return load_content(self._folder)

    def folder(self, raw: dict[str, Any]) -> set[str]:
        """Return the messages of the folder about the entry as a file."""
        return {problem.message for problem in self.load(raw).errors}

    def server(self, body: dict[str, Any]) -> set[str]:
        """Return the messages of the server about the entry as the body of a create, without text in parentheses."""

        async def created() -> set[str]:
            try:
                await self._remote.create(self.kind, body)
            except Rejected as error:
                assert error.status == 422, error
                # Every example is the same entry again, which a listing without a URL may not be: state, not a rule.
                texts_of_errors = {text for texts in error.errors.values() for text in texts}
                return texts_of_errors - {"slug is already that of another listing"}
            return set()

        return self._runner.run(created())


@pytest.fixture(scope="module", params=list(Kind))
def judges(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judges]:
    both = Judges(request.param, tmp_path_factory.mktemp("judges"))
    yield both
    both.close()


thoroughly = settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))


@thoroughly
@given(data=st.data())
def test_folder_and_server_refuse_an_entry_in_the_same_words(judges: Judges, data: st.DataObject) -> None:
    raw = data.draw(raw_entries(judges.kind))
    refused = without_details(judges.server(raw))
    # A text field of a file takes a bare number or boolean as it is written (docs/content.md 3).
    assume(not any(message.endswith("must be text") for message in refused))
    # Where a list belongs, a file may have a single value (docs/content.md).
    assume(not any(message.endswith("must be a list") for message in refused))
    thumbnail = raw.get("thumbnail_url")
    # The service takes any text there, but a path of a file would show no picture (docs/content.md 13).
    if isinstance(thumbnail, str) and is_picture_path(thumbnail) and not has_fault(refused, "thumbnail_url"):
        refused.add("thumbnail_url must be a full address, because the site does not show files of the folder")
    assert without_details(judges.folder(raw)) == refused


def without_details(messages: Iterable[str]) -> set[str]:
    """Return messages without the details at their end, in brackets, in which the two sides may differ."""
    return {message.partition(" (")[0] for message in messages}


def has_fault(messages: set[str], field: str) -> bool:
    return any(message.startswith(f"{field} ") for message in messages)


@thoroughly
@given(data=st.data())
def test_an_entry_that_validate_accepts_is_accepted_by_the_server(judges: Judges, data: st.DataObject) -> None:
    """Also values that only files can contain."""
    content = judges.load(data.draw(raw_entries(judges.kind)) | data.draw(as_only_files_may(judges.kind)))
    assume(not content.errors)
    (entry,) = content.entries
    assert judges.server(wire_body(judges.kind, entry.fields, {}, "card")) == set()
