"""contentsync.authoring.adopt.proposed_settings: settings are added, and everything else stays as it is."""

import tomllib
from pathlib import Path

import pytest

from contentsync.authoring.adopt.proposed_settings import ProposedSetting, config_bytes, merged_config
from contentsync.errors import ContentError, Refused

PATH = ProposedSetting("content.articles", "path", "_posts")
RENAME = ProposedSetting("content.articles", "rename", "published_at", "date", "31 articles")
OTHERS = [
    ProposedSetting("content.articles", "ignore", "layout", comment="31 articles", is_item=True),
    ProposedSetting("site", "locales", "en", is_item=True),
    ProposedSetting("site", "locales", "fr", is_item=True),
]
SETTINGS = [PATH, RENAME, *OTHERS]
NEW = b"""\
[content.articles]
path = "_posts"
ignore = [
    "layout", # 31 articles
]

[content.articles.rename]
date = "published_at" # 31 articles

[site]
locales = ["en", "fr"]
"""


def test_a_new_config_has_a_table_for_each_kind_with_counts() -> None:
    assert merged_config(b"", SETTINGS) == (NEW, [PATH, *OTHERS, RENAME])


@pytest.mark.parametrize(
    "text",
    [
        "# ours\n[content.articles] # posts\nrename = {a = \"b\"}\nignore = ['x'] # why\n\n\n[targets.p]\nurl = 'x'\n",
        '[content.articles.rename]\na = "b"\n',
        "[site]\nname = 'A'   # the name\n[content]\n[content.pages]\npath='p'\n",
        'content.articles.path = "posts"\n',
    ],
)
def test_merging_settings_keeps_the_values_and_comments_of_a_config(text: str) -> None:
    data, _ = merged_config(text.encode(), SETTINGS)
    merged = data.decode()
    before, after = tomllib.loads(text), tomllib.loads(merged)
    articles = before.get("content", {}).get("articles", {})
    assert after["content"]["articles"]["path"] == articles.get("path", "_posts")
    assert after["content"]["articles"]["rename"] == {**articles.get("rename", {}), "date": "published_at"}
    assert after["content"]["articles"]["ignore"] == [*articles.get("ignore", []), "layout"]
    assert after["site"] == {**before.get("site", {}), "locales": ["en", "fr"]}
    for comment in ("# ours", "# posts", "# why", "# the name"):
        assert (comment in text) == (comment in merged)
    assert merged_config(data, SETTINGS) == (data, [])


def test_a_setting_of_another_type_is_never_replaced() -> None:
    text = b"[content.articles]\nignore = 'layout'\nrename = 1\n"
    merged, added = merged_config(text, SETTINGS[1:3])
    assert (merged, added) == (text, [])


def test_missing_settings_are_added_to_tables_of_an_array() -> None:
    settings = [
        ProposedSetting("content.listings", "tables", {"path": "a.csv", "delimiter": ";"}, is_item=True),
        ProposedSetting("content.listings", "tables", {"list_separator": ","}, is_item=True),
        ProposedSetting("markdown", "replace", {"find": "{x}", "replace": ""}, comment="3 times", is_item=True),
        ProposedSetting("content.listings", "ignore", "x", is_item=True),
        ProposedSetting("content.listings", "rename", "name", "Name"),
    ]
    text = '[[content.listings.tables]]\npath = "a.csv" # ours\ndelimiter = ","\n'
    data, added = merged_config(text.encode(), settings)
    merged = data.decode()
    assert text in merged
    listings = tomllib.loads(merged)["content"]["listings"]
    assert listings["tables"] == [{"path": "a.csv", "delimiter": ","}, {"list_separator": ","}]
    assert (listings["ignore"], listings["rename"]) == (["x"], {"Name": "name"})
    assert '[[markdown.replace]]\nfind = "{x}" # 3 times\nreplace = ""\n' in merged
    assert len(added) == 4
    assert merged_config(data, settings) == (data, [])
    more = [ProposedSetting("content.listings", "tables", {"path": "a.csv", "header_row": 2}, is_item=True)]
    assert b'delimiter = ","\nheader_row = 2\n' in merged_config(data, more)[0]


def test_an_empty_table_is_added_once() -> None:
    text, added = merged_config(b"[site]\nname = 'A'\n", [ProposedSetting("assets")])
    assert text == b"[site]\nname = 'A'\n\n[assets]\n"
    assert merged_config(text, added) == (text, [])


@pytest.mark.parametrize(
    "text",
    [
        "content.pages.path = 'p'\ncontent.articles.ignore = ['x']\n\n[site]\nname = 'A'\n",
        "content = {pages = {path = 'p'}}\n",
    ],
)
def test_settings_that_would_change_others_are_refused(text: str) -> None:
    settings = [
        ProposedSetting("content.articles", "path", "_posts"),
        ProposedSetting("content.listings", "tables", {"delimiter": ";"}, is_item=True),
    ]
    with pytest.raises(Refused, match="cannot be added"):
        merged_config(text.encode(), settings)


def test_a_config_that_is_not_toml_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "contentsync.toml").write_text("x = = 1\n", encoding="utf-8")
    with pytest.raises(ContentError, match="error"):
        config_bytes(tmp_path)


def test_the_lines_of_a_config_keep_their_ends() -> None:
    text = b"\xef\xbb\xbf# ours\r\n[site]\nname = 'A'\n"
    assert merged_config(text, [ProposedSetting("assets")])[0] == text + b"\r\n[assets]\r\n"
