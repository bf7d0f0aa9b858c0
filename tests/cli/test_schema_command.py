"""`contentsync schema`, compared with the rules for many values and with the example."""

import json
import re
from bisect import bisect
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from contentsync.cli import run
from contentsync.content.folder.load import load_content
from contentsync.content.folder.scan import SUFFIXES
from contentsync.errors import Where
from contentsync.model import RECORDS, Kind

from .. import yaml12
from ..sampling import sampled

EXAMPLE = Path(__file__).parent.parent.parent / "content-example"

# What people write behind a colon, and what nobody should.
VALUES = """
'' | ~ | null | yes | No | ON | off | tRuE | true | FALSE | 1 | 0 | 01 | +1 | -3 | 7.5 | .5 | 5. | 1e3 | 0x1F
0o17 | 1_000 | 12:30 | 1:30:15 | 007 | 1.10 | .nan | .inf | 99999999999999999999 | 2026 | 2026-03-01
2026-03-01 09:00 | 2026-03-01T09:00:00.5+05:30 | 2026-02-30 | 24:00 | word | two words | Not-A-Slug | a-slug
a_name | '#0a7' | '#00aa77' | 'red' | https://example.org | HTTPS://Example.ORG:443/%7e?q=1#f
https://münchen.example/é | https://[::1]:8000/x | http://example.org/a b | ftp://example.org | //example.org
javascript:alert(1) | "https://example.org/" | ada@example.org | a..b+c@sub.example.org | ada@localhost
logos/a.png | /etc/passwd | ../up | navbar | unlisted | listing | select | text | after_tags | [] | [~]
[a, 1, true] | [https://example.org/x, https://example.org/y] | ['', b] | {} | {github: https://example.org/}
{github: } | {github: x} | {title: x, description: 2024} | {canonical: ''}
{canonical: https://example.org/, twitter_title: no} | {keywords: [a]} | {nothing: 1}
{fr: {title: Bonjour, seo: {title: }}} | {fr: {name: 2024, address: }} | {fr: ~} | {fr: {slug: x}}
{de: {title: x}} | '{"@type": "Thing"}' | {skip: yes, protect: 0, previous: [a, 7]} | {skip: perhaps}
{previous: } | {previous: a} | "\\u200b" | easy | [easy, hard] | 5 | -90 | 180
"""
FIELDS = """
- {label: Level, type: select, options: [easy, "5", "1.10", "true"]}
- {label: Levels, type: multi_select, options: [easy, hard], fieldable_type: article}
- {label: Day, type: date, fieldable_type: organizer}
- {label: Stars, type: rating}
- {label: File, type: file_upload}
- {label: Ready, type: checkbox}
"""

# How the parts of the example begin.
STEMS = {kind: kind.plural.replace(" ", "_") for kind in Kind}


def schema(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run(["schema", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def is_valid(schema: Any, value: Any) -> bool:
    return jsonschema.Draft202012Validator(schema).is_valid(value)


PARTS = 4  # of the entries of a kind: `make test` checks one, and `make test-whole` all of them


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder in which every kind has files of its own, with some custom fields."""
    paths = "".join(f"[content.{kind.plural.replace(' ', '_')}]\npath = '{kind}'\n" for kind in Kind)
    (tmp_path / "contentsync.toml").write_text(f"site.locales = ['en', 'fr']\n{paths}", encoding="utf-8")
    for kind in Kind:
        (tmp_path / kind).mkdir()
    (tmp_path / "custom_field/a.yaml").write_text(FIELDS, encoding="utf-8")
    return tmp_path


def entries(kind: Kind) -> Iterator[str]:
    """Yield the required keys of an entry and one more key, for every key and value."""
    title = RECORDS[kind].title_field
    keys = [*RECORDS[kind].rules(), "sync", "level", "levels", "day", "stars", "file", "ready"]
    for number, (key, value) in enumerate(
        (key, value) for key in keys for value in re.split(r" \| |\n", VALUES.strip())
    ):
        values = {title: f"Entry number {number}"}
        values |= {"type": "text"} if kind is Kind.CUSTOM_FIELD else {}
        values |= {"markdown": "Text"} if kind is Kind.ARTICLE else {}
        yield "".join(f"{name}: {text}\n" for name, text in {**values, key: value}.items())


def refused(site: Path, kind: Kind, written: list[str]) -> set[int]:
    """Write the entries, and return the numbers of those with an error.

    A single value in place of a list counts as one: `validate` warns of it, and an editor marks it, too.
    """
    if ".yaml" not in SUFFIXES[kind]:
        for number, text in enumerate(written):
            (site / f"{kind}/{number}.md").write_text(f"---\n{text}---\n", encoding="utf-8")
        return {int(Path(where.path).stem) for where in marked(site)}
    rows = ["- " + text.rstrip("\n").replace("\n", "\n  ") + "\n" for text in written]
    (site / f"{kind}/table.yaml").write_text("".join(rows), encoding="utf-8")
    first_lines = [*accumulate((row.count("\n") for row in rows), initial=1)]
    found = marked(site)
    assert {where.path for where in found} == {f"{kind}/table.yaml"}
    return {bisect(first_lines, where.line or 0) - 1 for where in found}


def marked(site: Path) -> list[Where]:
    return [it.where for it in load_content(site).problems if it.is_error or it.code == "single-value"]


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("part", sampled(range(PARTS), every=PARTS))
def test_the_schema_accepts_every_entry_that_validate_accepts(
    site: Path, capsys: pytest.CaptureFixture[str], kind: Kind, part: int
) -> None:
    written = [*entries(kind)][part::PARTS]
    wrong = refused(site, kind, written)
    accepted = [text for number, text in enumerate(written) if number not in wrong]
    # Both sides have many entries: more than 100 of a kind, in all parts together.
    assert len(accepted) > 100 // PARTS
    assert len(wrong) > 100 // PARTS
    validator = jsonschema.Draft202012Validator(schema(capsys, kind, str(site)))
    assert [text for text in accepted if not validator.is_valid(yaml12.read(text))] == []


def test_the_schema_accepts_every_entry_of_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    validators = {kind: jsonschema.Draft202012Validator(schema(capsys, kind, str(EXAMPLE))) for kind in Kind}
    seen = 0
    for file in sorted(EXAMPLE.rglob("*.*")):
        kind = next((kind for kind, stem in STEMS.items() if file.relative_to(EXAMPLE).parts[0].startswith(stem)), None)
        if kind is None or file.suffix not in (".yaml", ".yml", ".md", ".html") or file.stem.endswith(".fr"):
            continue
        text = file.read_text(encoding="utf-8")
        validators[kind].validate(yaml12.read(text if file.suffix in (".yaml", ".yml") else text.split("---\n")[1]))
        seen += 1
    assert seen > 30


def test_a_misspelt_custom_field_is_refused_if_the_folder_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    listing = {"name": "Lathe", "last_checked": "2026-03-01", "licenze": "MIT"}
    monkeypatch.chdir(tmp_path)
    assert is_valid(schema(capsys, "listing"), listing)
    assert not is_valid(schema(capsys, "listing", str(EXAMPLE)), listing)
    monkeypatch.chdir(EXAMPLE / "pages")
    assert not is_valid(schema(capsys, "listing"), listing)


def test_broken_custom_fields_leave_the_schema_open(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not is_valid(schema(capsys, "listing", str(site)), {"name": "Lathe", "unheard": 1})
    (site / "custom_field/b.yaml").write_text("- {label: [broken\n", encoding="utf-8")
    assert is_valid(schema(capsys, "listing", str(site)), {"name": "Lathe", "unheard": 1})


def test_the_schema_uses_the_renamed_keys_of_the_folder(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (site / "contentsync.toml").open("a", encoding="utf-8") as config:
        config.write("rename = {date = 'published_at'}\nignore = ['layout']\ntranslation_key = 'translationKey'\n")
    entry = {"title": "News", "date": "2026-03-01", "layout": "post", "translationKey": "news"}
    assert is_valid(schema(capsys, "article", str(site)), entry)
    assert not is_valid(schema(capsys, "article", str(site)), {**entry, "date": "soon"})
    assert not is_valid(schema(capsys, "page", str(site)), entry)


def test_the_title_is_optional_if_it_is_read_from_the_heading(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not is_valid(schema(capsys, "article", str(site)), {"published_at": "2026-03-01"})
    with (site / "contentsync.toml").open("a", encoding="utf-8") as config:
        config.write("title = 'heading'\n")
    assert is_valid(schema(capsys, "article", str(site)), {"published_at": "2026-03-01"})


def test_an_unknown_kind_is_a_usage_error_with_the_nearest_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["schema", "listng"]) == 64
    assert "did you mean 'listing'?" in capsys.readouterr().err
    assert run(["schema", "page", str(tmp_path / "nowhere")]) == 64
