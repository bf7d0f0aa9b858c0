"""Files as authors write them, sound or nearly so: front matter in YAML and TOML, lists, tables, the config."""

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from contentsync.model import RECORDS, Kind

from ..properties.file_formats import mapping
from ..properties.folders import (
    CONFIG,
    article_texts,
    articles,
    bodies,
    letters,
    merged,
    optional,
    organizers,
    pages,
    slugs,
    tags,
    titles,
)

# Values that a format takes for something else than an author does.
SURPRISING = (
    *("", "~", "null", "no", "yes", "on", "off", "TRUE", "x", "ja", "1", "0", "-0", "08", "0o17", "0x1F", "1_000"),
    *("1.10", "1e3", "+4412", "01234", "12:30", "1:30:15", ".nan", "-.inf", "=", "<<", "1" * 5_000, "1E+05", "1-Jan"),
    *("2024-01-02", "2024-01-02 10:00", "2024-01-02T10:00:00Z", "2024-02-30", "2024-13-01", "0000-01-01", "24:00"),
    *("2025-03-30 01:30", "2025-10-26 01:30", "9999-12-31T23:59:59+99:00", "2016-12-31T23:59:60Z", "10000-01-01"),
    *("'it''s'", '"\\0"', '"\\ud800"', '"\\x1b[31m"', '"', "'", "A: B", "foo #bar", "@x", "`x`", "*x", "&x", "%x"),
    *("!foo x", "!!binary aGk=", "!!set {a}", "!!omap [a: b]", "!!int x", "!!str 1", "!!float x", "! x", "!<x> y"),
    *("[]", "{}", "[a, b]", "{a: b}", "[[a]]", "[,]", "{a}", "? a", "- a", "|", ">", "|2", ">+", "[a", "{a: ", "]"),
    *("&a [*a]", "&a a", "*a", "[&b b, *b]", "{<<: *a}", "{<<: {a: 1}}", "{1: a}", "{true: a}", "{[a]: b}"),
    *("https://example.org/", "javascript:alert(1)", "//evil", "https://u:p@h/", "http://[::1", "http://ö.example/"),
    *("https://xn--/", "http://a b/", "file:///etc/passwd", "../../.env", "~/.ssh/id_rsa", "mailto:a@b", "a@b", "@"),
    *(
        "日本語",
        "Привет",
        "🎉",
        "pаypal",
        "İ",
        "ß",
        "ﬁ",
        "Café",
        "Cafe\u0301",
        "a\u200bb",
        "a\u202eb",
        "../x",
        "%2e%2e",
    ),
    *("navbar", "navbr", "badge", "select", "easy", "tools", "red", "#ff0000", "#ff", "95", "-181", "40,7128", "1|"),
    *("%2e%2e", "a%2fb", "a\\b", "C++", "C#"),
    *("=1+1", "-1", "@SUM(A1)", "a|b|a", "|", "a||b", '["a"]', '{"a": 1}', '{"a":', "[" * 60, "{a: " * 60),
)
STRANGE_KEYS = (
    *("tilte", "id", "directory_id", "created_at", "date", "draft", "image", "excerpt", "layout", "permalink", "tags"),
    *(
        "sync",
        "sync.skip",
        "sync.previous",
        "sync.distinct",
        "sync.protect",
        "translations",
        "translations.fr.title",
        "seo",
        "seo.title",
    ),
    *("social_links.github", "social_links", "on", "1", "true", "null", "<<", "=", "a.b", ".", "a.", '"a"', "'a'"),
    *("title ", "Title", "? a", "[a]", "{a: b}", "*a", "&a title", "!!str title", "title:title", "", "-", "ключ", "é"),
)
FIELDS = {kind: tuple(record.rules()) for kind, record in RECORDS.items()}
LEVELS = ("level", "effort")  # custom fields of listings

# What every folder has besides the file in question.
AROUND: Mapping[str, bytes] = {
    "contentsync.toml": CONFIG.replace("[site]", '[site]\ntimezone = "Europe/London"').encode(),
    "custom_fields.yaml": b"- {label: Level, name: level, type: select, options: [easy, hard]}\n"
    b"- {label: Effort, name: effort, type: number}\n",
    "categories.yaml": b"- {slug: tools, title: Tools}\n- {slug: red, title: Red, parent_id: tools}\n",
    "tags.yaml": b"- {slug: red, title: Red}\n",
}
_FULL_CONFIG = """default_target = "local"

[site]
name = "Open Tools"
locales = ["en", "fr"]
timezone = "Europe/London"
asset_base_url = "https://cdn.example.com/site/"
expired = "hide"
organizers = { enabled = true, prefix = "/organizers", label = "Organizer" }

[content.articles]
path = "articles"
rename = { date = "published_at", image = "thumbnail_url", draft = "!active", "seo.image" = "seo.og_image" }
ignore = ["layout", "author"]

[targets.local]
url = "embedded:.contentsync/site.db"

[targets.production]
url = "https://directory.example.com"
directory = 42
token_env = "CONTENTSYNC_TOKEN"
requests_per_minute = 120
prune = true
max_deletes = { percent = 20, count = 10 }
on_drift = "overwrite"
social_card_names = "card"
user_ids = { "editor@example.com" = 7 }
"""
configs = st.sampled_from((CONFIG, _FULL_CONFIG))

_words = st.sampled_from(("a", "Tools", "an open tool", "Café 🎉", "red", "tools", "https://example.org/a"))
_texts = st.text(letters, max_size=20)
scalars = st.one_of(
    _words,
    st.sampled_from(SURPRISING),
    st.sampled_from(SURPRISING),
    _texts.map(lambda text: json.dumps(text, ensure_ascii=False)),
    _texts.map(json.dumps),
    _texts.map(lambda text: "'" + text.replace("'", "''") + "'"),
    _texts,
)
prose = st.one_of(
    bodies,
    st.sampled_from(
        (
            "",
            "---\n",
            "   code\n",
            "[x](y.md) ![i](img/a.png) [b](/blog/a/) <img src='a.png'>\n\n[r]: ../x 'y'\n",
            "```\n[x](y.md)\n```\n\n| a | b |\n|---|---|\n| [x](y) | ![](z) |\n",
            "<a href=x><!-- <img src=y> --> [a](<b c>) [d](e 'f') [g](h\n\n> [q](r.md)\n- [s](/blog/t/#u)\n",
        )
    ),
)


@st.composite
def _value(draw: st.DrawFn, indent: str, depth: int) -> str:
    """Draw the value behind `key:`, with its line end."""
    shape = draw(st.sampled_from(("scalar", "scalar", "scalar", "text", "flow", "list", "mapping")))
    if depth == 0 or shape == "scalar":
        return f" {draw(scalars)}\n"
    if shape == "text":
        lines = draw(st.lists(_texts, max_size=3))
        mark = draw(st.sampled_from(("|", ">", "|-", ">+", "|2", "| # note")))
        return f" {mark}\n" + "".join(f"{indent}  {line}\n" for line in lines)
    if shape == "flow":
        items = ", ".join(draw(st.lists(scalars, max_size=3)))
        return f" [{items}]\n" if draw(st.booleans()) else f" {{a: {items}}}\n"
    values = draw(st.lists(_value(indent + "  ", depth - 1), max_size=3))
    if shape == "list":
        return "\n" + "".join(f"{indent}  -{value}" for value in values)
    return "\n" + "".join(f"{indent}  {draw(_words)}:{value}" for value in values)


_SOUND: Mapping[Kind, st.SearchStrategy[Mapping[str, Any]]] = {
    Kind.PAGE: pages,
    Kind.ARTICLE: articles,
    Kind.ORGANIZER: organizers,
    Kind.TAG: tags,
    Kind.LISTING: merged(
        tags.map(lambda tag: {"name": tag["title"], "slug": tag["slug"]}), optional(tags=slugs.map(list))
    ),
    Kind.CATEGORY: tags.map(lambda tag: {"title": tag["title"], "order": 1}),
    Kind.CUSTOM_FIELD: titles.map(lambda title: {"label": title, "type": "select", "options": ["a", "b"]}),
}


@st.composite
def mappings(draw: st.DrawFn, kind: Kind, indent: str = "") -> str:
    """A YAML mapping of a kind's fields: a sound one, and a line or two more."""
    entry = draw(_SOUND[kind])
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in entry.items() if name != "body"]
    keys = st.one_of(st.sampled_from(FIELDS[kind]), st.sampled_from(FIELDS[kind]), st.sampled_from(STRANGE_KEYS))
    for _ in range(draw(st.sampled_from((0, 0, 1, 1, 2, 4)))):
        key = draw(keys)
        lines = [line for line in lines if not line.startswith(f"{key}:")]
        lines.insert(draw(st.integers(0, len(lines))), f"{key}:{draw(_value(indent, 2))}")
    return indent.join(lines)


@st.composite
def documents(draw: st.DrawFn, kind: Kind) -> str:
    """A Markdown file with YAML front matter."""
    return f"---\n{draw(mappings(kind))}---\n{draw(prose)}"


@st.composite
def siblings(draw: st.DrawFn) -> str:
    """A Markdown file that holds an article's texts in another language."""
    texts = {name: value for name, value in draw(article_texts).items() if name != "markdown"}
    return f"---\n{mapping(texts)}---\n{draw(prose)}"


@st.composite
def toml_documents(draw: st.DrawFn) -> str:
    """A Markdown file with TOML front matter, as Hugo has it."""
    values = st.one_of(
        st.sampled_from(("true", "1", "1.5", "nan", "2024-01-02", "12:30:00", "2024-01-02T10:00:00Z", "0x1F", "1_000")),
        st.sampled_from(("[]", "[1, 'a']", "{a = 1}", "'''x\ny'''", '"""\\\n x"""', "[[1]]", "1e400", "9" * 30)),
        _texts.map(lambda text: json.dumps(text, ensure_ascii=False)),
    )
    keys = st.one_of(st.sampled_from(FIELDS[Kind.ARTICLE]), st.sampled_from(("a.b", '"a b"', "seo.title", "date", "1")))
    lines = [f"{key} = {draw(values)}\n" for key in draw(st.lists(keys, max_size=2))]
    sound = ("slug = 'a'\n", "active = true\n", "published_at = 2024-01-02\n", "categories = ['a', 'b']\n", "")
    lines += draw(st.sets(st.sampled_from(sound)))
    table = draw(st.sampled_from(("", "[seo]\ntitle = 'x'\n", "[[sync]]\n", "[translations.fr]\ntitle = 'x'\n")))
    return f"+++\ntitle = 'T'\n{''.join(lines)}{table}+++\n{draw(prose)}"


@st.composite
def lists(draw: st.DrawFn, kind: Kind) -> str:
    """A YAML file with a list of entries, or a single one."""
    if draw(st.integers(0, 4)) == 0:
        return draw(mappings(kind))
    return "".join(f"- {draw(mappings(kind, '  '))}" for _ in range(draw(st.integers(1, 3))))


@st.composite
def tables(draw: st.DrawFn, delimiter: str = ",") -> str:
    """A table of listings."""
    key = st.one_of(st.sampled_from(FIELDS[Kind.LISTING] + LEVELS), st.sampled_from(STRANGE_KEYS))
    columns = ["name", *draw(st.lists(key, max_size=5, unique=draw(st.integers(0, 9)) > 0))]
    quoted = _texts.map(lambda text: '"' + text.replace('"', '""') + '"')
    cells = st.one_of(_words, _words, st.sampled_from(SURPRISING), _texts, quoted)
    rows = [[f"Row {number}", *(draw(cells) for _ in columns[1:])] for number in range(draw(st.integers(0, 4)))]
    return "".join(delimiter.join(row) + "\n" for row in [columns, *rows])


_stems = st.one_of(
    st.sampled_from(("con", "aux", "a ", "a.", "-rf", "$(id)", "a\nb", "a\tb", "::error::x", "%0a", "a'b", 'a"b')),
    st.sampled_from((".#x", "x~", "4913", "index", "_index", "2024-01-02-a", "2024-02-30-a", "a.fr", "a.fr.fr", ".fr")),
    st.sampled_from(("Café", "Cafe\u0301", "日本語", "🎉", "---", "a\udcffb", "a\u202eb", "a\x1b[31m", "x" * 240)),
    st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=10),
)


@st.composite
def names(draw: st.DrawFn) -> str:
    """An article's path: one that a system may choke on."""
    parts = draw(st.lists(_stems.filter(lambda stem: stem.strip(".") != ""), min_size=1, max_size=3))
    return f"articles/{'/'.join(parts)}{draw(st.sampled_from(('.md', '.md', '.MD', '.html', '.txt', '')))}"
