"""contentsync.content.entry.rule_schema: the schema for editors has the rules that it can express."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from contentsync.cli import run

from ..conftest import write

FIELDS = "- { label: Price, type: number }\n- { label: Plan, type: text }\n"


def schema(folder: Path, rules: str, capsys: pytest.CaptureFixture[str], kind: str = "listing") -> Any:
    write(folder, {"contentsync.toml": f'[site]\nname = "Test"\n{rules}\n', "custom_fields.yaml": FIELDS})
    assert run(["schema", kind, str(folder)]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(document)
    return document


@pytest.mark.parametrize(
    ("rule", "refused", "accepted"),
    [
        ('require = ["email"]', [{}], [{"email": "ada@example.org"}]),
        ("min = { price = 5 }", [{"price": 4}], [{"price": 5}, {"price": "5"}, {"price": ""}, {}]),
        ("max = { description = 3 }", [{"description": "long"}], [{"description": "abc"}, {"description": None}]),
        ("min = { tags = 2 }", [{"tags": ["a"]}], [{"tags": ["a", "b"]}, {"tags": []}, {}]),
        ("pattern = { plan = '^[a-z]+$' }", [{"plan": "A"}], [{"plan": "a"}, {"plan": ""}]),
        ("allowed = { plan = ['free', 'paid'] }", [{"plan": "freee"}], [{"plan": "free"}, {"plan": ""}, {}]),
        ("allowed = { plan = ['1', 'free'] }", [{"plan": "x"}], [{"plan": "1"}, {"plan": 1}]),
        (
            "pattern = { additional_image_urls = '^https' }",
            [{"additional_image_urls": ["http://a.example/"]}],
            [{"additional_image_urls": ["https://a.example/"]}, {"additional_image_urls": []}],
        ),
    ],
)
def test_a_schema_has_the_rules_without_conditions(
    tmp_path: Path,
    rule: str,
    refused: list[dict[str, Any]],
    accepted: list[dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    validator = jsonschema.Draft202012Validator(schema(tmp_path, f"[rules.listing]\n{rule}", capsys))
    assert [values for values in refused if validator.is_valid({"name": "A", **values})] == []
    assert [values for values in accepted if not validator.is_valid({"name": "A", **values})] == []


@pytest.mark.parametrize(
    "rules",
    [
        "[rules.listing]\nrequire = ['email']\nlevel = 'warning'",
        "[rules.listing]\nrequire = ['email']\nwhen = { is_active = true }",
        "[rules.listing]\nrequire = ['name', 'slug', 'categories']",
        "[rules.listing]\npattern = { plan = '^\\\\w+$' }",
        "[rules.listing]\npattern = { plan = '(?i)a' }",
        "[rules.listing]\nunique = ['email']",
        "[rules.listing]\nallowed = { price = [1, 2] }",
        "[rules.page]\nrequire = ['seo.title', 'markdown']",
    ],
)
def test_a_schema_lacks_the_rules_that_it_cannot_express(
    tmp_path: Path, rules: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert schema(tmp_path, rules, capsys) == schema(tmp_path, "", capsys)


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ('[content.listings]\nrename = { mail = "email" }\n', "require = ['email']"),
        ('[content.listings]\nurl_scheme = "https"\n', "pattern = { video_url = '^https' }"),
        ('[assets]\npath = "static"\n', "max = { logo_url = 10 }"),
        ('[[markdown.replace]]\nfind = "{{x}}"\nreplace = "longer"\n', "max = { content = 10 }"),
    ],
)
def test_a_schema_accepts_a_value_that_reading_changes(
    tmp_path: Path, settings: str, field: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "static").mkdir()
    (tmp_path / "listings").mkdir()
    assert schema(tmp_path, f"{settings}[rules.listing]\n{field}", capsys) == schema(tmp_path, settings, capsys)
