"""Repositories in the shape in which Jekyll, Hugo, Astro, Eleventy, awesome lists and spreadsheets write them.

Each has the irregularities of real ones: HTML, links and pictures from the root of the site, equal file names, folders
of languages, templates, tables as a spreadsheet saves them. `TRUE_ERRORS` are the mistakes that no config can solve.
"""

import json
import struct
import zlib
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

NOW = datetime(2026, 6, 1, tzinfo=UTC)

Files = dict[str, str | bytes]

WORDS = "loan shed drill ladder winter market guild charter bench kettle".split()  # noqa: SIM905


SENTENCE = (
    "Whoever borrows a tool brings it back clean, dry and on time, and says so if it broke, because the next one in "
    "the queue has taken a morning off to build a shelf, a bench or a boat."
)


def picture(number: int, width: int = 480, height: int = 270) -> bytes:
    """Return a PNG picture with a gradient of its own colour."""
    base = [(number * step) % 160 + 40 for step in (37, 73, 101)]
    row = b"\0" + bytes(channel + x * 40 // width for x in range(width) for channel in base)

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(row * height, 1))
        + chunk(b"IEND", b"")
    )


PICTURE = picture(1, 48, 27)


def words(number: int) -> str:
    """Return a title that no other number has."""
    return f"{WORDS[number % 10].title()} {WORDS[number // 10 % 10]} {number}"


def body(number: int, *parts: str) -> str:
    texts = [
        f"Text {number} with a [link](https://example.org/{number}), **bold** words and `code`. {SENTENCE}",
        '<div class="note">A box of <b>HTML</b>.</div>',
        *parts,
        "<details><summary>More</summary>\n\nHidden *words*.\n\n</details>",
        "| a | b |\n|---|---|\n| 1 | 2 |",
    ]
    return "\n\n".join(texts) + "\n"


def document(number: int, front: str, *parts: str) -> str:
    """Return a Markdown document with front matter and a numbered body."""
    return f"---\n{front.strip()}\n---\n\n{body(number, *parts)}"


def jekyll(size: int) -> Files:
    """Return a blog since 2012: dates with offsets, drafts, Liquid, equal names, and French posts in `fr/_posts`."""
    files: Files = {
        "_config.yml": (
            "title: The Lending Shed\nurl: https://shed.example.org\nbaseurl: ''\ntimezone: Europe/Vienna\nlang: en\n"
            "permalink: /:categories/:year/:month/:title/\nmarkdown: kramdown\nplugins:\n  - jekyll-feed\n"
            "defaults:\n  - scope: {path: '', type: posts}\n    values: {layout: post}\nexclude: [vendor]\n"
            "include: [_pages]\n"
        ),
        "Gemfile": "source 'x'\n",
        "README.md": "# Site\n",
        "_layouts/post.html": "<html>{{ content }}</html>\n",
        "_includes/note.md": "A note\n",
        "_drafts/idea.md": document(0, "title: Idea"),
        "_data/navigation.yml": "- {title: Home, url: /}\n- {title: About, url: /a/}\n- {title: Blog, url: /b/}\n",
        "assets/img/shed.png": picture(2),
        "_site/2020/index.md": "built\n",
        "_pages/about.md": document(0, "layout: page\ntitle: About\npermalink: /about/\nnav_order: 2"),
        "_pages/404.md": document(0, "layout: default\ntitle: Not found\npermalink: /404.html\nsitemap: false"),
    }
    files |= {f"assets/img/{n}.png": picture(n) for n in range(1, min(size, 12), 2)}
    for n in range(size):
        day = f"{2012 + n % 12}-{1 + n % 12:02}-{1 + n % 28:02}"
        suffix = "markdown" if n % 9 == 4 else "md"
        front = ["layout: post", f"date: {day} 9:00:00 -0500", "author: ann"]
        front += [f"image: /assets/img/{n}.png"] if f"assets/img/{n}.png" in files else []
        names = ["categories: [news, loans]" if n % 3 else "categories: news", f"tags: [{WORDS[n % 10]}, tools]"]
        names += ["published: false"] if n % 17 == 3 else []
        names += [f"excerpt: About {words(n)}, in short."] if n % 4 == 0 else []
        names += ["redirect_from:\n  - /old/" + str(n)] if n % 5 == 0 else []
        name = f"{day}-{WORDS[n % 10]}-{n}" if n % 13 != 7 else f"{day}-winter-market"
        parts = [
            "A paragraph that leads.\n{: .lead}",
            "[About us](/about/) and [the first loan]({% post_url 2012-01-01-loan-0 %}).",
            '![The shed]({{ site.baseurl }}/assets/img/shed.png)\n\n<img src="/assets/img/shed.png" alt="Again">',
            '{% include figure.html src="/assets/img/shed.png" alt="Tools in a shed" %}',
            "{% highlight ruby %}\nputs 'one'\n{% endhighlight %}" if n % 2 else "Welcome to {{ site.title }}.",
            "Write `{% raw %}{{ user.name }}{% endraw %}`." if n % 4 == 1 else "",
        ]
        files[f"_posts/{name}.{suffix}"] = document(n, "\n".join([f'title: "{words(n)}"', *front, *names]), *parts)
        if n % 6 == 0:
            french = "\n".join([f'title: "En français : {words(n)}"', *front, "lang: fr", "categories: [nouvelles]"])
            files[f"fr/_posts/{name}.{suffix}"] = document(n, french, "Un texte.\n{: .lead}")
    files["_posts/2020-01-01-mistyped.md"] = document(0, "tittle: Mistyped\nlayout: post")
    return files


def hugo(size: int) -> Files:
    """Return a site with TOML and YAML front matter, bundles with pictures, shortcodes and French files as `.fr.md`."""
    files: Files = {
        "hugo.toml": (
            'baseURL = "https://shed.example.org/"\ntitle = "The Lending Shed"\ntimeZone = "Europe/Vienna"\n'
            'defaultContentLanguage = "en"\n[languages.en]\nlanguageName = "English"\n[languages.fr]\n'
            'languageName = "Français"\n[permalinks]\nposts = "/:year/:slug/"\n'
        ),
        "archetypes/default.md": "---\ntitle: '{{ .Name }}'\n---\n",
        "themes/plain/README.md": "# Theme\n",
        "static/img/shed.png": picture(3),
        "content/_index.md": "---\ntitle: Home\n---\n",
        "content/posts/_index.md": "---\ntitle: Posts\n---\n",
        "content/about.md": document(0, "title: About\nweight: 10\nmenu: main\ndate: 2020-01-01"),
        "content/docs/rules.md": document(0, "title: Rules\nweight: 20\ntoc: true"),
    }
    for year in (2019, 2020, 2021):
        files[f"content/posts/{year}/news.md"] = document(year, f"title: News of {year}\ndate: {year}-06-01")
    for n in range(size):
        front = [f"date: 20{10 + n % 14}-{1 + n % 12:02}-03T10:00:00+01:00", "author: ann", f"tags: [{WORDS[n % 10]}]"]
        front += ["draft: true"] if n % 8 == 1 else ["draft: false"]
        front += [f"summary: About {n}"] if n % 3 == 0 else []
        front += ["series: [shed]", "mood: calm" if n % 2 else "mood: bright", "cover: {image: a.jpg, alt: A}"]
        front += ["images: [/img/shed.png]", "thumbnail: /img/shed.png"] if n % 5 == 2 else []
        parts = [
            '[About]({{< ref "about.md" >}}) and [the rules](/docs/rules/).',
            "![The shed](/img/shed.png)",
            '{{< figure src="/img/shed.png" alt="A shed" caption="In winter" >}}' if n % 3 else "",
            f"{{{{< youtube w7Ft2ymGm{n % 10}c >}}}}" if n % 5 == 0 else "",
            "{{% notice info %}}\nBring **gloves**.\n{{% /notice %}}" if n % 4 == 2 else "",
            "{{< highlight go >}}\nx := 1\n{{< /highlight >}}" if n % 4 == 3 else "",
        ]
        if n % 4 == 0:
            folder = f"content/posts/{WORDS[n % 10]}-{n}"
            files[f"{folder}/index.md"] = document(
                n, f"title: {words(n)}\n" + "\n".join(front), *parts, "![](photo.png)"
            )
            files[f"{folder}/photo.png"] = picture(n, 96, 54)
        elif n % 4 == 1:
            toml = f'title = "{words(n)}"\ndate = 2019-01-{1 + n % 28:02}T09:00:00Z\ndraft = {str(n % 8 == 1).lower()}'
            files[f"content/posts/{WORDS[n % 10]}-{n}.md"] = f"+++\n{toml}\n+++\n{body(n, *parts)}"
        else:
            name = f"content/posts/{WORDS[n % 10]}-{n}"
            files[f"{name}.md"] = document(n, f"title: {words(n)}\n" + "\n".join(front), *parts)
            if n % 4 == 2:
                files[f"{name}.fr.md"] = document(n, f"title: FR {words(n)}\n" + "\n".join(front[:1]), *parts)
    files["content/posts/broken.md"] = "---\ntitle: Never closed\n\nText\n"
    return files


def astro(size: int) -> Files:
    """Return the blog template, with languages in folders, pictures in `src/assets`, MDX, and dates in words."""
    files: Files = {
        "astro.config.mjs": "export default defineConfig({\n\tsite: 'https://shed.example.org',\n});\n",
        "package.json": "{}\n",
        "src/content.config.ts": "export const collections = {};\n",
        "src/assets/a.png": picture(4),
        "src/pages/index.astro": "---\n---\n<h1>Home</h1>\n",
        "public/favicon.svg": "<svg/>",
        "public/og.png": picture(5, 120, 63),
        "node_modules/x/README.md": "# x\n",
    }
    for n in range(4):
        component = "import Callout from '../../../components/Callout.astro';"
        files[f"src/content/blog/en/component-{n}.mdx"] = (
            f"---\ntitle: MDX {n}\npubDate: 2024-01-0{n + 1}\ndescription: D\n---\n\n{component}\n\n"
            f"<Callout>Watch **out**.</Callout>\n\n{body(n)}"
        )
    for n in range(size):
        front = [f"description: 'About {n}'", f"pubDate: 20{14 + n % 10}-0{1 + n % 9}-11"]
        front += [f"updatedDate: 2024-01-{1 + n % 28:02}"] if n % 3 else []
        front += ["heroImage: '../../../assets/a.png'"] if n % 2 else []
        draft = "draft: true" if n % 10 == 7 else "draft: false"
        front += ["tags: ['tools', 'loans']", draft, f"readingMinutes: {n % 9}"]
        name = f"{WORDS[n % 10]}-{n}"
        parts = [
            f"![Relative](../../../assets/a.png) and [another](./loan-{n - n % 10}.md).",
            "![From the root](/og.png)",
        ]
        title = f"title: '{words(n)}'"
        files[f"src/content/blog/en/{name}.md"] = document(n, "\n".join([title, *front]), *parts)
        if n % 3 == 0:
            files[f"src/content/blog/fr/{name}.md"] = document(
                n, "\n".join([f"title: 'En français : {words(n)}'", *front]), "Du texte."
            )
    files["src/content/blog/en/two-readings.md"] = document(
        0, "title: Two readings\npubDate: '07/08/2022'\ndescription: D"
    )
    return files


def eleventy(size: int) -> Files:
    """Return an input folder with data files beside the posts, templates, and pages whose titles are their headings."""
    files: Files = {
        ".eleventy.js": 'module.exports = function (c) {\n  return { dir: { input: "src", output: "_site" } };\n};\n',
        "src/_includes/post.njk": "{{ content }}\n",
        "src/_data/metadata.json": json.dumps({"title": "The Lending Shed"}),
        "src/posts/posts.json": json.dumps({"layout": "post.njk", "tags": ["post"]}),
        "src/posts/posts.11tydata.js": "module.exports = {};\n",
        "src/docs/about.md": document(
            0, "title: About\nlayout: page.njk\neleventyNavigation:\n  key: About\n  order: 1"
        ),
        "src/docs/contact.md": document(0, "title: Contact\nlayout: page.njk\npermalink: /contact/"),
        "src/img/a.png": picture(6),
    }
    for n in range(max(4, size // 8)):
        above = "[![Build](https://img.example.org/b.svg)](https://ci.example.org)\n\n" if n % 4 == 3 else ""
        heading = f"# Rule *{n}* of the `shed`" if n % 2 else f"Rule {n} of the shed\n===================="
        files[f"src/docs/rules/rule-{n}.md"] = (
            f"{above}{heading}\n\n{body(n, '## Details', 'See [about](../about.md).')}"
        )
    for n in range(size):
        front = [f"title: {words(n)}", f"date: 20{15 + n % 9}-1{n % 3}-0{1 + n % 9}", "tags:\n  - post\n  - tools"]
        front += [f"description: About {n}", "layout: post.njk"]
        front += [f"difficulty: {('easy', 'hard', 'fun')[n % 3]}"]
        parts = [
            "![A picture](/img/a.png)",
            '{% image "/img/a.png", "A drill" %}' if n % 2 else '{% youtube "w7Ft2ymGmfc" %}',
            "Write `{% raw %}{{ title }}{% endraw %}` in a template." if n % 3 == 0 else "",
        ]
        name = f"{WORDS[n % 10]}-{n}" if n % 10 else f"20{15 + n % 9}-{n}/index"
        files[f"src/posts/{name}.md"] = document(n, "\n".join(front), *parts)
    files["src/posts/untitled.md"] = document(0, "date: 2020-01-01")
    files["src/posts/unlisted.md"] = document(0, "title: U\ndate: 2020-01-02\neleventyExcludeFromCollections: true")
    return files


LICENSES = ("MIT", "AGPL-3.0", "Apache-2.0")


def awesome(size: int) -> Files:
    """Return a list of tools in YAML, one file for each topic, from which a script makes the README."""
    files: Files = {"README.md": "# Awesome tools\n", "CONTRIBUTING.md": "# Help\n", "LICENSE": "CC0\n"}
    topics: dict[str, list[str]] = {}
    for n in range(size):
        text = f"Tool number {n}, written in `Go` (fork of [Shed](https://shed.example.org/))" if n % 4 == 1 else ""
        lines = [f"- name: {words(n)}", f"  website: https://tool{n}.example.org/"]
        lines += [f"  description: {json.dumps(text or f'Tool number {n}.')}"]
        lines += [f"  license: {LICENSES[n % 3]}", f"  stars: {n * 7}", f"  category: {WORDS[n % 4].title()}"]
        lines += ["  tags: [self-hosted, C++]" if n % 2 else "  tags: [Self-Hosted, web]"]
        lines += [f"  source_code: https://code.example.org/{n}"] if n % 3 else []
        lines += [f"  released: 2020-0{1 + n % 9}-01", f"  archived: {'yes' if n % 6 == 0 else 'no'}"]
        topics.setdefault(WORDS[n % 4], []).append("\n".join(lines))
    files |= {f"data/{topic}.yml": "\n".join(tools) + "\n" for topic, tools in topics.items()}
    files["data/twice.yml"] = (
        "- name: Again\n  website: https://tool0.example.org/\n"
        "- name: No scheme\n  website: www.example.org\n- name: Third\n  website: https://third.example.org/\n"
    )
    return files


def spreadsheet(size: int) -> Files:
    """Return an export of a German spreadsheet: semicolons, Windows-1252, lines above the header, commas in tags."""
    head = ["Name", "Web Site", "Category", "Tags", "Phone Number", "Latitude", "Longitude", "Opening Hours"]
    head += ["Wheelchair", "Price", "Postcode", "Remarks", "Is Active"]
    empty = ";" * (len(head) - 1)
    rows = [f"Plätze der Stadt{empty}", f"Stand: 1. März 2024{empty}", empty, ";".join(head)]
    for n in range(size):
        cells = [f'"{words(n)}; Grünes Haus"' if n % 7 == 0 else f"{words(n)}, Ltd", f"https://place{n}.example.org/"]
        cells += [("Café", "Müllladen", "Werkstatt", "Loan", "Shed")[n % 5], f"{WORDS[n % 3]}, tools"]
        cells += [f"+43 1 {n:05}", f"48.{n % 90:02}", f"16.{n % 90:02}", f"Mo–Fr 9-1{n % 8}"]
        cells += ["yes" if n % 2 else "no", f"{n % 40}.50", f"0{1000 + n % 9000}", "", "true" if n % 12 else "false"]
        rows.append(";".join(cells))
    rows.append("Far north;https://north.example.org/;Loan;tools;;148.2;16.3;;yes;1;01010;;true")
    return {"places.csv": ("\r\n".join(rows) + "\r\n").encode("cp1252"), "notes.txt": "From the office\n"}


REPOSITORIES: Mapping[str, Callable[[int], Files]] = {
    make.__name__: make for make in (jekyll, hugo, astro, eleventy, awesome, spreadsheet)
}

# Of each repository: path and code of each error that is left, and a replacement of the file that has it.
TRUE_ERRORS: Mapping[str, Mapping[str, str]] = {
    "jekyll": {"_posts/2020-01-01-mistyped.md": "unknown-key"},
    "hugo": {"content/posts/broken.md": "unclosed-front-matter"},
    "astro": {"src/content/blog/en/two-readings.md": "bad-date"},
    "eleventy": {"src/posts/untitled.md": "required"},
    "awesome": {"data/twice.yml": "duplicate-identity bad-url"},
    "spreadsheet": {"places.csv": "out-of-range"},
}


def write(folder: Path, files: Files) -> Path:
    for path, data in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data if isinstance(data, bytes) else data.encode())
    return folder


def repair(folder: Path, paths: Iterable[str]) -> None:
    """Delete the documents with errors, and the rows."""
    for path in paths:
        file = folder / path
        if path == "places.csv":
            file.write_bytes(b"".join(line for line in file.read_bytes().splitlines(True) if b"Far north" not in line))
        else:
            file.unlink()
