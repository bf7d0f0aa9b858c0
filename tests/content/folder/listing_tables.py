"""Random tables of listings: most cells are sound, and some have a problem or look like one."""

import csv
import io
import json
import random
import re
from collections.abc import Mapping, Sequence

CATEGORIES = "".join(f"- {{slug: c{number}, title: Title {number}}}\n" for number in range(8))
TAGS = "[{slug: red, title: Red}, {slug: blue, title: Blue}, {slug: red-2, title: Red}]"
ORGANIZERS = "name: Ada\n"
CUSTOM_FIELDS = "".join(
    f"- {{label: {type_}, name: x_{type_}, type: {type_}{more}}}\n"
    for type_, more in {
        **dict.fromkeys(("text", "number", "date", "file_upload", "url", "email", "rich_editor", "markdown"), ""),
        **dict.fromkeys(("textarea", "checkbox", "rating", "button", "javascript", "html"), ""),
        **dict.fromkeys(("select", "list", "multi_select"), ", options: [a, b, c d]"),
    }.items()
)
# Sections of the config that change how a table is read; at most one of each row.
SETTINGS = (
    (
        "",
        '[content.listings]\nrename = { Titel = "name", adresse = "url" }\nignore = ["internal", "address"]\n',
        '[content.listings]\nrename = { hidden = "!is_active", Titel = "!slug", web = "social_links.web" }\n',
        '[content.listings]\nrename = { picture = "image_url", web = "social_links.web" }\n',
    ),
    (
        "",
        '[[content.listings.tables]]\nlist_separator = ";"\n',
        '[[content.listings.tables]]\nencoding = "windows-1252"\nheader_row = 1\n',
    ),
    ("", "", '[assets]\npath = "static"\n'),
    ("", "", "", '[[markdown.replace]]\nfind = "Bar"\nreplace = "[Pub](/pages/none/)"\n'),
)
ZONES = ("UTC", "Europe/Paris")

_TEXTS = ("Bar", "A b c", "Café", "日本語", "x" * 240, 'say "hi"', "two\nlines", "1.5", "yes", "a, b")
_ODD_TEXTS = (
    *("", "", " ", "a\u200bb", "a\u00adb", "\u202eabc", "\ufeffa", "a\x07b", "a\x85b", "p\u0430ypal", "\u0441\u0430fe"),
    *("x" * 256, "x" * 501, "x" * 10_001, "[a](/pages/none/)", "[b](https://b.example/)", "<b>", "{{< youtube 1 >}}"),
    *("{% tag %}", "1E+05", "#REF!", "3-May", "null", "~", "!!!", "---", "a|b", "a;b", "static/a.png", "../a.png"),
)
_URLS = ("https://a.example/", "http://b.example/x?y=1", "https://c.example:8080/a#b", "https://d.example")
_ODD_URLS = (
    "HTTPS://A.example/",
    "https://bücher.example/",
    "https://u:p@a.example/",
    "https://a..b/",
    "a.example",
    "/a.png",
)
_NUMBERS = ("0", "1.5", "-12.25", "89.9999", "+4", "5")
_ODD_NUMBERS = (
    "91",
    "-181",
    "1e3",
    "1e400",
    ".5",
    "5.",
    "٣",
    "1_000",
    "nan",
    "0x1",
    "1,5",
    "9" * 19,
    "90.000000000000000001",
)
_FLAGS, _ODD_FLAGS = ("true", "false", "yes", "NO", "1"), ("maybe", "2", "TRUE ")
_DATES = ("2026-03-01", "2026-03-01 10:00", "2027-01-01T00:00:00Z")
_ODD_DATES = ("2026-02-30", "2026-03-29 02:30", "2026-10-25 02:30", "1.3.2026", "2020-01-01", "tomorrow")
_OPTIONS, _ODD_OPTIONS = ("a", "b", "c d"), ("d", "a,b", "a|b", '["a", "b"]', '["a", 1]', "[")
_COLUMNS: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "slug": (("",), ("a", "A b", "-", "c0")),
    "url": (("",), ("", *_URLS, *_ODD_URLS)),
    **dict.fromkeys(
        ("description", "content", "image_alt_text", "phone_number", "address", "seo_title"),
        (("", *_TEXTS), _ODD_TEXTS),
    ),
    **dict.fromkeys(("image_url", "logo_url", "video_url", "x_url", "x_button"), (("", *_URLS), _ODD_URLS)),
    **dict.fromkeys(("additional_image_urls",), (("", *_URLS[:2]), ("a|b", "https://a.example/|x.png"))),
    **dict.fromkeys(("email", "x_email"), (("", "hello@a.example"), ("a@b", "@", "a b@c.example"))),
    **dict.fromkeys(("latitude", "longitude", "x_number", "x_rating"), (("", *_NUMBERS), _ODD_NUMBERS)),
    **dict.fromkeys(("is_active", "is_featured", "hidden", "x_checkbox"), (("", *_FLAGS), _ODD_FLAGS)),
    **dict.fromkeys(("starts_at", "ends_at", "x_date"), (("", *_DATES), _ODD_DATES)),
    "category_id": (("", "c1", "c2"), ("c9", "Title 1")),
    "categories": (("", "c1", "c1|c2", "Title 3"), ("c9", "c1|c9", "c1;c2", "c1|c1", "|")),
    "tags": (("", "red", "blue|red"), ("Red", "pink", "a" * 300)),
    "organizers": (("", "ada"), ("Ada", "bob")),
    "social_links.x": (("", "https://x.example/"), _ODD_URLS),
    "social_links.y": (("", "https://y.example/"), _ODD_URLS),
    "sync.skip": (("", ""), ("true", "maybe")),
    "sync.previous": (("", ""), ("old", "old|older")),
    "sync.distinct": (("", ""), ("https://x.example/", "https://x.example/|one")),
    "schema.@type": (("", "Thing"), ("1",)),
    "head_html": (("", "<meta>"), ("x" * 10_001,)),
    **dict.fromkeys(("x_select", "x_list", "x_multi_select"), (("", *_OPTIONS), _ODD_OPTIONS)),
    **dict.fromkeys(
        ("x_text", "x_file_upload", "x_rich_editor", "x_markdown", "x_textarea", "x_javascript", "x_html"),
        (("", *_TEXTS), _ODD_TEXTS),
    ),
    "internal": (("", "x"), _ODD_TEXTS),
    "web": (("",), _URLS),
    "Titel": (("", "x", "yes", "no"), ("y z",)),
    "picture": (("", *_URLS), ("a.png", "/a.png", *_ODD_URLS)),
    "adresse": (("", *_URLS), _ODD_URLS),
    **dict.fromkeys(("nmae", "markdown", "translations.fr"), (("", "x"), _ODD_TEXTS)),
    "": (("",), ("x",)),
}
# Columns that are no fields without a setting or a custom field, which changes how all rows are read.
_RENAMED = ("internal", "web", "adresse", "hidden", "Titel", "picture")
_UNKNOWN = ("nmae", "markdown", "translations.fr", "")


def listing_table(rng: random.Random, config: str, rows: int, share: float, *, has_custom_fields: bool) -> str:
    """Return a table in which about this share of the rows have an odd cell."""
    known = [
        name
        for name in _COLUMNS
        if name not in _UNKNOWN and (name not in _RENAMED or name in config) and (has_custom_fields or name[:2] != "x_")
    ]
    columns = ["name", *rng.sample(known, rng.randint(1, 12))]
    if rng.random() < 0.1:
        columns.append(rng.choice(_UNKNOWN))
    if rng.random() < 0.7:
        columns += [name for name in ("url", "slug") if name not in columns]
    rng.shuffle(columns)
    text = io.StringIO()
    delimiter = rng.choice((",", ",", ";"))
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    for number in range(rows):
        odd = rng.choice(columns) if rng.random() < share else None
        row = [_cell(rng, name, number, is_odd=name == odd) for name in columns]
        writer.writerow(row[:-1] if rng.random() < share / 20 else row)
    return text.getvalue() + ('"never closed' if rng.random() < 0.1 else "")


def _cell(rng: random.Random, name: str, number: int, *, is_odd: bool) -> str:
    if name == "name":
        return rng.choice(_ODD_TEXTS) if is_odd else f"{rng.choice(_TEXTS)[:200]} {number}"
    if name == "slug" and not is_odd:
        return rng.choice(("", f"bar-{number}", f"bar-{number}"))
    if name == "url" and not is_odd:
        return rng.choice((f"https://{number}.example/", f"http://{number}.example/a/b?c=d", ""))
    sound, odd = _COLUMNS[name]
    return rng.choice(odd if is_odd else sound)


def as_list(rng: random.Random, table: str) -> str:
    """Return a YAML list of the rows of a table: texts with and without quotes, and optionally without some keys."""
    entries: list[str] = []
    omitted = rng.choice((0, 0.5))  # this share of the empty cells
    delimiter = ";" if ";" in table.partition("\n")[0] else ","
    for row in csv.DictReader(io.StringIO(table), delimiter=delimiter):
        lines = []
        for name, cell in row.items():
            if not name or "." in name or not isinstance(cell, str) or (cell == "" and rng.random() < omitted):
                continue
            value = json.dumps(cell)
            if name in ("categories", "tags", "organizers") and rng.random() < 0.95:
                value = json.dumps(cell.split("|")) if cell else "[]"
            elif rng.random() < 0.5 and re.fullmatch(r"[\w./-]*", cell):
                value = cell
            lines.append(f"{name}: {value}")
        entries.append("- " + "\n  ".join(lines) + "\n")
    return "".join(entries)
