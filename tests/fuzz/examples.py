"""Whole folders with one file in question: a strategy for each part of the reader."""

from collections.abc import Mapping

from hypothesis import strategies as st

from contentsync.model import Kind

from ..properties.folders import folders
from .documents import AROUND, configs, documents, lists, names, siblings, tables, toml_documents
from .mutations import INTRICATE, REPEATED, TOKENS, harmed

Example = Mapping[str, bytes]  # the files of a folder, by path


def _around(path: str, data: st.SearchStrategy[bytes]) -> st.SearchStrategy[Example]:
    return data.map(lambda made: {**AROUND, path: made})


@st.composite
def _whole(draw: st.DrawFn) -> Example:
    """A sound folder with one file harmed."""
    files = {path: text.encode() for path, text in draw(folders()).items()}
    path = draw(st.sampled_from(sorted(files)))
    return files | {path: draw(harmed(st.just(files[path].decode())))}


@st.composite
def _named(draw: st.DrawFn) -> Example:
    """Sound files with names that are not."""
    text = "---\ntitle: {}\n---\ntext\n"
    paths = draw(st.lists(names(), min_size=1, max_size=3, unique=True))
    kept: dict[str, bytes] = {}
    for number, path in enumerate(paths):
        if not any(path.startswith(f"{other}/") or other.startswith(f"{path}/") for other in kept):
            kept[path] = text.format(number).encode()
    return {**AROUND, **kept}


@st.composite
def _long(draw: st.DrawFn) -> Example:
    """One thing over and over: what is quick with a little of it may take for ever with much."""
    path, before, after = draw(st.sampled_from(_LONG))
    piece = draw(st.sampled_from(REPEATED) | st.sampled_from(TOKENS))
    text = before + piece * draw(st.integers(1_000, 60_000 // len(piece))) + after
    return {**AROUND, path: text.encode("utf-8", "replace")}


@st.composite
def _intricate(draw: st.DrawFn) -> Example:
    """A long body in Markdown or HTML that was made to keep a parser busy."""
    path, before, after = draw(st.sampled_from(_BODIES))
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        piece = "".join(draw(st.lists(st.sampled_from(INTRICATE), min_size=1, max_size=3)))
        parts.append(piece * (draw(st.integers(1, 200_000)) // len(piece) + 1))
    files = {**AROUND, path: (before + "".join(parts) + after).encode()}
    if draw(st.booleans()):
        files["contentsync.toml"] = b'[site]\nasset_base_url = "https://cdn.example.com/"\n'
    return files


@st.composite
def foreign_folders(draw: st.DrawFn) -> Example:
    """The data of another program: keys and values that are not ours, in a file each or in one list, and no config."""
    keys = draw(st.lists(st.sampled_from(_FOREIGN_KEYS), min_size=1, max_size=6, unique=True))
    values = st.sampled_from(draw(st.lists(st.sampled_from(_FOREIGN_VALUES), min_size=1, max_size=2)))
    entries = [[f"{key}: {draw(values)}" for key in keys] for _ in range(draw(st.integers(6, 12)))]
    if draw(st.booleans()):
        return {"data/all.yaml": "".join("- " + "\n  ".join(lines) + "\n" for lines in entries).encode()}
    return {f"data/e{number}.yml": ("\n".join(lines) + "\n").encode() for number, lines in enumerate(entries)}


_FOREIGN_KEYS = [
    "name",
    "title",
    "website_url",
    "tags",
    "platforms",
    "licence",
    "rating",
    "date",
    "draft",
    "image",
    "a.b",
]
_FOREIGN_VALUES = """.NET
2024
2024-01-02
12:30
true
no
~
3.14
0x1F
[a, .NET]
[2024]
{a: 1}
[{x: 1}]
Zürich
a@b.c
https://a.example.org
img.png
"[x](https://a.b)"
!!binary aGk=
''
""".splitlines()

_BODIES = (
    ("articles/a.md", "---\ntitle: A\n---\n", "\n\n[a](b.md)\n"),
    ("articles/a.md", "---\ntitle: A\n---\n", "](/blog/a/)"),
    ("articles/a.md", "---\ntitle: A\n---\n[b]: c.md\n\n", "\n"),
    ("articles/a.html", "---\ntitle: A\n---\n", "<a href='b'>"),
)
_LONG = (
    ("articles/a.md", "---\ntitle: A\n---\n[a](b.md) ", ""),
    ("articles/a.md", "---\ntitle: A\n---\n[a](/blog/b/) ", ""),
    ("articles/a.md", "---\ntitle: ", "\n---\ntext\n"),
    ("articles/a.md", '---\ntitle: "', '"\n---\ntext\n'),
    ("articles/a.md", "---\n", "\n---\ntext\n"),
    ("articles/a.md", "+++\ntitle = ", "\n+++\ntext\n"),
    ("articles/a.html", "---\ntitle: A\n---\n<p><a href='b'>", ""),
    ("listings/a.csv", "name,description\nA,", "\n"),
    ("listings/a.csv", 'name,description\nA,"', '"\n'),
    ("listings/a.csv", "name,", "\nA,b\n"),
    ("listings/a.yaml", "- name: ", "\n"),
    ("listings/a.yaml", "", "\n"),
    ("contentsync.toml", "[site]\nname = ", "\n"),
)

_kinds = {
    Kind.PAGE: "pages/a.md",
    Kind.ARTICLE: "articles/a.md",
    Kind.ORGANIZER: "organizers/a.md",
    Kind.LISTING: "listings/a.md",
}
_lists = {
    Kind.LISTING: "listings/a.yaml",
    Kind.CATEGORY: "categories.yaml",
    Kind.TAG: "tags.yaml",
    Kind.CUSTOM_FIELD: "custom_fields.yaml",
}

EXAMPLES: Mapping[str, st.SearchStrategy[Example]] = {
    "front matter": st.one_of(*(_around(path, harmed(documents(kind))) for kind, path in _kinds.items())),
    "yaml lists": st.one_of(*(_around(path, harmed(lists(kind))) for kind, path in _lists.items())),
    "csv": _around("listings/a.csv", harmed(tables())),
    "tsv": _around("listings/a.tsv", harmed(tables("\t"))),
    "toml": _around("articles/a.md", harmed(toml_documents())),
    "html": _around("articles/a.html", harmed(documents(Kind.ARTICLE))),
    "translations": st.builds(
        lambda first, second: {**AROUND, "articles/a.md": first, "articles/a.fr.md": second},
        harmed(documents(Kind.ARTICLE)),
        harmed(siblings()),
    ),
    "config": st.builds(
        lambda config, key: {**AROUND, "contentsync.toml": config, "articles/a.md": b"---\ntitle: A\n%s---\nx\n" % key},
        harmed(configs),
        st.sampled_from([b"", b"date: 2026-01-01\n", b"draft: true\n"]),
    ),
    "names": _named(),
    "long": _long(),
    "intricate": _intricate(),
    "folders": _whole(),
    "bytes": st.builds(
        lambda path, data: {**AROUND, path: data},
        st.sampled_from(["pages/a.md", "listings/a.csv", "listings/a.yaml", "contentsync.toml", "tags.yaml"]),
        st.binary(max_size=200),
    ),
}
