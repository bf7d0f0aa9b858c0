"""Mistakes of the other tests whose hint names the only text to write: what is wrong, and what must be there.

They were found by recording each folder that a test of `tests/content`, `tests/model` or `docs/problems.md` reads and
that has a hint with one suggestion. Left out are hints about `contentsync.toml` and about what identifies an entry,
which no fix touches, and suggestions that are further away than one typing mistake or only likely (an address without
a scheme, an e-mail address in other text). Those that are certain, and that are not fixed, are here too.
"""

from collections.abc import Iterator
from typing import NamedTuple

PAGE = "pages/a.md"
ARTICLE = "articles/a.md"
LIST = "listings/a.yaml"
TABLE = "listings/a.csv"

AROUND = {
    "contentsync.toml": '[site]\nname = "Test"\nlocales = ["en", "fr"]\n',
    "categories.yaml": "- {title: Tool libraries, sync: {previous: [libraries]}}\n"
    "- {title: Software, slug: programs}\n",
    "tags.yaml": "- title: Free\n- title: Loud\n- {title: Wood, sync: {previous: [timber]}}\n",
    "custom_fields.yaml": "- {label: Price, type: number}\n- {label: Level, type: select, options: [easy, hard]}\n"
    "- {label: Systems, type: multi_select, options: [Linux, Windows]}\n- {label: Day, type: date}\n",
    "organizers/werkhof.md": "---\nname: Werkhof\n---\n",
    "articles/hello.md": "---\ntitle: Hello\n---\n# Our prices\n\nText\n",
    "articles/hello-world.md": "---\ntitle: Hello world\nsync: {previous: [first-post]}\n---\nText\n",
    "pages/about.md": "---\ntitle: About\n---\nText\n",
}


class Mistake(NamedTuple):
    """A file with a mistake, by the text around it, the wrong text and the right one."""

    path: str
    around: str  # with `{}`
    wrong: str
    right: str
    code: str

    @property
    def files(self) -> dict[str, bytes]:
        """The folder with the mistake."""
        files = {**AROUND, self.path: self.around.replace("{}", self.wrong)}
        return {path: text.encode() for path, text in files.items()}

    @property
    def fixed(self) -> bytes:
        """The file without the mistake."""
        return self.around.replace("{}", self.right).encode()


def _mistakes() -> Iterator[Mistake]:
    yield from _keys()
    yield from _choices()
    yield from _values()
    yield from _invisible()
    yield from _links()


def _keys() -> Iterator[Mistake]:
    """tests/model/test_violation, test_seo, test_translation; tests/content: test_unknown_keys, test_validation, ..."""
    code = "unknown-key"
    for wrong in ("titel", "tilte", "Title", "TITLE", '"title "', "title\u200b", "titl"):
        right = '"title"' if wrong[0] == '"' else "title"
        yield Mistake(PAGE, "---\n{}: A\n---\nText\n", wrong, right, code)
    for wrong, right, value in (
        ("placment", "placement", "navbar"),
        ("ordre", "order", "5"),
        ("is_publshed", "is_published", "no"),
        ("newtab", "new_tab", "yes"),
        ("external_ulr", "external_url", "https://a.example"),
    ):
        yield Mistake(PAGE, "---\ntitle: A\n{}: " + value + "  # a comment\n---\n", wrong, right, code)
    for wrong, right, value in (
        ("publishd_at", "published_at", "2026-03-02"),
        ("thumbnail_ulr", "thumbnail_url", "https://a.example/b.png"),
        ("catgories", "categories", "[programs]"),
    ):
        yield Mistake(ARTICLE, "---\ntitle: A\n{}: " + value + "\n---\nText\n", wrong, right, code)
    for wrong, right in (("titel", "title"), ("descripton", "description"), ("keyword", "keywords")):
        yield Mistake(ARTICLE, "---\ntitle: A\nseo:\n  {}: x\n---\nText\n", wrong, right, code)
    yield Mistake(ARTICLE, "---\ntitle: A\nseo: {description: E, {}: F}\n---\nText\n", "og_titel", "og_title", code)
    yield Mistake(ARTICLE, "---\ntitle: A\ntranslations: {fr: {{}: x}}\n---\nText\n", "titel", "title", code)
    yield Mistake("articles/hello.fr.md", "---\n{}: Salut\n---\nTexte\n", "titel", "title", code)
    yield Mistake(PAGE, '+++\ntitle = "A"\n\n[seo]\n{} = "x"\n+++\n', "titel", "title", code)
    yield Mistake(PAGE, '+++\n{} = "A"\n+++\n', "tilte", "title", code)
    yield Mistake(PAGE, '+++\ntitle = "A"\nseo = { {} = "x" }\n+++\n', "titel", "title", code)
    for wrong, right in (
        ("descripton", "description"),
        ("adress", "address"),
        ("schema_", "schema"),
        ("latitde", "latitude"),
    ):
        value = '{"@type": "Thing"}' if right == "schema" else "5"
        yield Mistake(LIST, "name: A\nurl: https://a.example\n{}: " + value + "\n", wrong, right, code)
        yield Mistake(
            "listings/a.json",
            '[{"name": "A", "url": "https://a.example", "{}": ' + (value if right == "schema" else '"5"') + "}]\n",
            wrong,
            right,
            code,
        )
    yield Mistake(
        "listings/a.toml",
        '[[listings]]\nname = "A"\nurl = "https://a.example"\n{} = "x"\n',
        "descripton",
        "description",
        code,
    )
    for wrong, right in (
        ("descripton", "description"),
        ("Description", "description"),
        ("image_ulr", "image_url"),
        ("pirce", "price"),
    ):
        value = "5" if right == "price" else "https://a.example/x"
        yield Mistake(
            TABLE, "name,{},url\nA," + value + ",https://a.example\nB,,https://b.example\n", wrong, right, code
        )
    yield Mistake(
        TABLE, "name,url,{}\nA,https://a.example,https://b.example\n", "social_linkss.x", "social_links.x", code
    )
    yield Mistake("tags.yaml", "- title: Free\n- {}: Loud\n- {title: Wood}\n", "titel", "title", code)
    yield Mistake(
        "custom_fields.yaml", "- label: Price\n  type: number\n  {}: true\n", "is_requird", "is_required", code
    )


def _choices() -> Iterator[Mistake]:
    """docs/problems.md; tests/model/test_custom_field_values; tests/content/entry: test_entry_references, ..."""
    for wrong, right in (("navbr", "navbar"), ("foter", "footer"), ("Navbar", "navbar"), ("sidbar", "sidebar")):
        yield Mistake(PAGE, "---\ntitle: A\nplacement: {}\n---\n", wrong, right, "not-a-choice")
    yield Mistake("custom_fields.yaml", "- label: Price\n  type: {}\n", "numbr", "number", "not-a-choice")
    yield Mistake(LIST, "name: A\nlevel: {}\n", "esay", "easy", "not-a-choice")
    yield Mistake(LIST, "name: A\nsystems: [Windows, {}]\n", "Linx", "Linux", "not-a-choice")
    yield Mistake(TABLE, "name,systems\nA,{}\n", "Windows|linux", "Windows|Linux", "not-a-choice")
    code = "unknown-reference"
    for wrong, right in (("fre", "free"), ("Fre", "free"), ("lod", "loud"), ("timber", "wood"), ("wod", "wood")):
        yield Mistake(LIST, "name: A\ntags: [{}]\n", wrong, right, code)
    yield Mistake(TABLE, "name,tags\nA,{}\n", "loud|fre", "loud|free", code)
    yield Mistake(TABLE, "name,categories\nA,{}\n", "programs|libraries", "programs|tool-libraries", code)
    for wrong in ("tool-libaries", "libraries"):
        yield Mistake(LIST, "name: A\ncategories:\n- {}  # one\n", wrong, "tool-libraries", code)
    yield Mistake(LIST, "name: A\ncategories: [{}]\n", "Softwre", "programs", code)
    yield Mistake(LIST, "name: A\norganizers: [{}]\n", "werkhoff", "werkhof", code)


def _values() -> Iterator[Mistake]:
    """tests/model/test_suggestion; tests/content: test_spreadsheet_damage, test_validation."""
    for wrong, right in (("1_000", "1000"), ("1 000", "1000"), ("1e3", "1000"), ("5.0", "5")):
        yield Mistake(PAGE, "---\ntitle: A\norder: {}\n---\n", wrong, right, "not-an-integer")
    yield Mistake(LIST, "name: A\nlatitude: {}\n", "48,8566", "48.8566", "not-a-number")
    yield Mistake(TABLE, "name,latitude\nA,{}\n", '"48,8566"', '"48.8566"', "not-a-number")
    yield Mistake(LIST, "name: A\nprice: {}\n", "1_000.5", "1000.5", "not-a-number")
    for wrong, right in (
        ("1.3.2026", "2026-03-01"),
        ("1. 3. 2026", "2026-03-01"),
        ("20260314", "2026-03-14"),
        ("14/03/2026", "2026-03-14"),
        ("03/14/2026", "2026-03-14"),
        ("03/03/2026", "2026-03-03"),
        ("45000", "2023-03-15"),
    ):
        yield Mistake(ARTICLE, "---\ntitle: A\npublished_at: {}\n---\nText\n", wrong, right, "bad-date")
        yield Mistake(TABLE, "name,starts_at\nA,{}\n", wrong, right, "bad-date")
    yield Mistake(
        ARTICLE, '---\ntitle: A\npublished_at: "{}"\n---\nText\n', "14-03-2026 10:30", "2026-03-14 10:30", "bad-date"
    )
    yield Mistake(TABLE, "name,starts_at\nA,{}\n", "45000.5", "2023-03-15 12:00", "bad-date")
    yield Mistake(LIST, "name: A\nday: {}\n", "14.3.2026", "2026-03-14", "bad-date")
    yield Mistake("tags.yaml", '- title: Free\n  color: "{}"\n', "00aa77", "#00aa77", "bad-colour")
    yield Mistake(LIST, "name: A\nemail: {}\n", "mailto:ada@example.org", "ada@example.org", "bad-email")
    yield Mistake(TABLE, 'name,description\nA,"{}"\n', '=""0123""', "0123", "excel-damage")
    yield Mistake(
        "organizers/a.md",
        "---\nname: A\nwebsite_url: {}\n---\n",
        "http://https://a.example",
        "https://a.example",
        "doubled-scheme",
    )


def _invisible() -> Iterator[Mistake]:
    """tests/content/entry/test_invisible_characters; docs/problems.md."""
    code = "invisible-character"
    yield Mistake(PAGE, "---\ntitle: {}\n---\n", "About\u200b us", "About us", code)
    yield Mistake(PAGE, '+++\ntitle = "{}"\n+++\n', "About\u00ad us", "About us", code)
    yield Mistake(ARTICLE, "---\ntitle: A\nseo:\n  title: >-\n    {}\n---\nText\n", "a\ufeffb", "ab", code)
    yield Mistake(TABLE, "name,description\nA,{}\n", "a\u200eb", "ab", code)
    yield Mistake(TABLE, "name,{}\nA,x\n", "descrip\u200btion", "description", code)


def _links() -> Iterator[Mistake]:
    """tests/content/links: test_link_resolver, test_fragments, test_collected_links; docs/problems.md."""
    for wrong, right in (
        ("/blog/helo/", "/blog/hello/"),
        ("/fr/blog/helo", "/blog/hello/?locale=fr"),
        ("/blog/Hello/", "/blog/hello/"),
        ("/blog/hello_world/", "/blog/hello-world/"),
        ("/blog/hello.html", "/blog/hello/"),
        ("/pages/abuot/", "/pages/about/"),
        ("/Blog/hello/?a=1", "/blog/hello/?a=1"),
        ("/blog/first-post/", "/blog/hello-world/"),
    ):
        yield Mistake(PAGE, '---\ntitle: A\n---\nSee this\nand [it]({} "x").\n', wrong, right, "broken-link")
    yield Mistake(PAGE, "---\ntitle: A\n---\n[a]\n\n[a]: {}\n", "/blog/helo/", "/blog/hello/", "broken-link")
    yield Mistake(PAGE, '---\ntitle: A\n---\n<a href="{}">x</a>\n', "/blog/helo/", "/blog/hello/", "broken-link")
    yield Mistake(TABLE, "name,content\nA,[x]({})\n", "/blog/helo/", "/blog/hello/", "broken-link")
    yield Mistake(PAGE, "---\ntitle: A\n---\n[me]({})\n", "me@example.com", "mailto:me@example.com", "relative-link")
    yield Mistake(
        PAGE, "---\ntitle: A\n---\n[x]({})\n", "/blog/hello/#our-price", "/blog/hello/#our-prices", "broken-fragment"
    )
    yield Mistake(
        PAGE,
        "---\ntitle: A\n---\n# Fees and dates\n\n[x]({})\n",
        "#Fees_and_dates",
        "#fees-and-dates",
        "broken-fragment",
    )
    yield Mistake(PAGE, "---\ntitle: A\n---\nSee {}\n", "[[Abuot]]", "[[about]]", "broken-link")


MISTAKES = [*_mistakes()]
