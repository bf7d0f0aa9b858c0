"""Repositories in the shape in which Jekyll, Hugo, Astro, Eleventy, awesome lists and spreadsheets write them.

Each has the irregularities of real ones. `TRUE_ERRORS` are the mistakes that no config can solve.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

Files = dict[str, str | bytes]

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(64)
WORDS = "loan shed drill ladder winter market guild charter bench kettle".split()  # noqa: SIM905


def words(number: int) -> str:
    """A title that no other number has."""
    return f"{WORDS[number % 10].title()} {WORDS[number // 10 % 10]} {number}"


def body(number: int) -> str:
    return (
        f"Text {number} with a [link](https://example.org/{number}).\n\n"
        '<div class="note">A box of <b>HTML</b>.</div>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'
    )


def document(number: int, front: str) -> str:
    return f"---\n{front.strip()}\n---\n\n{body(number)}"


def jekyll(size: int) -> Files:
    """A blog since 2012: dates with offsets, drafts, Liquid, single categories, posts in folders by topic."""
    files: Files = {
        "_config.yml": (
            "title: The Lending Shed\nurl: https://shed.example.org\nbaseurl: ''\ntimezone: Europe/Vienna\n"
            "permalink: /:categories/:year/:month/:title/\nmarkdown: kramdown\nplugins:\n  - jekyll-feed\n"
            "defaults:\n  - scope: {path: '', type: posts}\n    values: {layout: post}\nexclude: [vendor]\n"
        ),
        "Gemfile": "source 'x'\n",
        "README.md": "# Site\n",
        "_layouts/post.html": "<html>{{ content }}</html>\n",
        "_includes/note.md": "A note\n",
        "_drafts/idea.md": document(0, "title: Idea"),
        "_data/navigation.yml": "- {title: Home, url: /}\n- {title: About, url: /a/}\n- {title: Blog, url: /b/}\n",
        "assets/img/shed.png": PICTURE,
        "_site/2020/index.md": "built\n",
        "_pages/about.md": document(0, "layout: page\ntitle: About\npermalink: /about/\nnav_order: 2"),
        "_pages/404.md": document(0, "layout: default\ntitle: Not found\npermalink: /404.html\nsitemap: false"),
    }
    for n in range(size):
        day = f"{2012 + n % 12}-{1 + n % 12:02}-{1 + n % 28:02}"
        suffix = "markdown" if n % 9 == 4 else "md"
        front = [f'title: "{words(n)}"', "layout: post", f"date: {day} 9:00:00 -0500", "author: ann"]
        front += ["categories: [news, loans]" if n % 3 else "categories: news", f"tags: [{WORDS[n % 10]}, tools]"]
        front += [f"image: /assets/img/{n}.jpg"] if n % 2 else []
        front += ["published: false"] if n % 17 == 3 else []
        front += [f"excerpt: About {words(n)}, in short."] if n % 4 == 0 else []
        front += ["redirect_from:\n  - /old/" + str(n)] if n % 5 == 0 else []
        files[f"_posts/{day}-{WORDS[n % 10]}-{n}.{suffix}"] = document(n, "\n".join(front))
    files["_posts/2020-01-01-mistyped.md"] = document(0, "tittle: Mistyped\nlayout: post")
    return files


def hugo(size: int) -> Files:
    """TOML and YAML front matter, bundles with pictures, sections, French translations as `.fr.md`."""
    files: Files = {
        "hugo.toml": (
            'baseURL = "https://shed.example.org/"\ntitle = "The Lending Shed"\ntimeZone = "Europe/Vienna"\n'
            'defaultContentLanguage = "en"\n[languages.en]\nlanguageName = "English"\n[languages.fr]\n'
            'languageName = "Français"\n[permalinks]\nposts = "/:year/:slug/"\n'
        ),
        "archetypes/default.md": "---\ntitle: '{{ .Name }}'\n---\n",
        "themes/plain/README.md": "# Theme\n",
        "static/img/shed.png": PICTURE,
        "content/_index.md": "---\ntitle: Home\n---\n",
        "content/posts/_index.md": "---\ntitle: Posts\n---\n",
        "content/about.md": document(0, "title: About\nweight: 10\nmenu: main\ndate: 2020-01-01"),
        "content/docs/rules.md": document(0, "title: Rules\nweight: 20\ntoc: true"),
    }
    for n in range(size):
        front = [f"date: 20{10 + n % 14}-{1 + n % 12:02}-03T10:00:00+01:00", "author: ann", f"tags: [{WORDS[n % 10]}]"]
        front += ["draft: true"] if n % 8 == 1 else ["draft: false"]
        front += [f"summary: About {n}"] if n % 3 == 0 else []
        front += ["series: [shed]", "mood: calm" if n % 2 else "mood: bright", "cover: {image: a.jpg, alt: A}"]
        if n % 4 == 0:
            folder = f"content/posts/{WORDS[n % 10]}-{n}"
            files[f"{folder}/index.md"] = document(n, f"title: {words(n)}\n" + "\n".join(front))
            files[f"{folder}/photo.jpg"] = PICTURE
        elif n % 4 == 1:
            toml = f'title = "{words(n)}"\ndate = 2019-01-{1 + n % 28:02}T09:00:00Z\ndraft = {str(n % 8 == 1).lower()}'
            files[f"content/posts/{WORDS[n % 10]}-{n}.md"] = f"+++\n{toml}\n+++\n{{{{< note >}}}}\n{body(n)}"
        else:
            name = f"content/posts/{WORDS[n % 10]}-{n}"
            files[f"{name}.md"] = document(n, f"title: {words(n)}\n" + "\n".join(front))
            if n % 4 == 2:
                files[f"{name}.fr.md"] = document(n, f"title: FR {words(n)}")
    files["content/posts/broken.md"] = "---\ntitle: Never closed\n\nText\n"
    return files


def astro(size: int) -> Files:
    """The blog template, with pictures in `src/assets`, MDX, and dates in words."""
    files: Files = {
        "astro.config.mjs": "export default defineConfig({\n\tsite: 'https://shed.example.org',\n});\n",
        "package.json": "{}\n",
        "src/content.config.ts": "export const collections = {};\n",
        "src/assets/a.png": PICTURE,
        "src/pages/index.astro": "---\n---\n<h1>Home</h1>\n",
        "src/content/blog/component.mdx": document(0, "title: MDX\npubDate: 2024-01-01\ndescription: D"),
        "public/favicon.svg": "<svg/>",
        "node_modules/x/README.md": "# x\n",
    }
    for n in range(size):
        front = [f"title: '{words(n)}'", f"description: 'About {n}'", f"pubDate: 20{14 + n % 10}-0{1 + n % 9}-11"]
        front += [f"updatedDate: 2024-01-{1 + n % 28:02}"] if n % 3 else []
        front += [f"heroImage: '../../assets/blog-{n}.jpg'"] if n % 2 else []
        front += [
            "tags: ['tools', 'loans']",
            "draft: true" if n % 10 == 7 else "draft: false",
            f"readingMinutes: {n % 9}",
        ]
        files[f"src/content/blog/{WORDS[n % 10]}-{n}.md"] = document(n, "\n".join(front))
    files["src/content/blog/in-words.md"] = document(0, "title: In words\npubDate: 'Jul 08 2022'\ndescription: D")
    return files


def eleventy(size: int) -> Files:
    """An input folder, data files beside the posts, templates, and navigation in the front matter."""
    files: Files = {
        ".eleventy.js": 'module.exports = function (c) {\n  return { dir: { input: "src", output: "_site" } };\n};\n',
        "src/_includes/post.njk": "{{ content }}\n",
        "src/_data/metadata.json": json.dumps({"title": "The Lending Shed"}),
        "src/posts/posts.json": json.dumps({"layout": "post.njk", "tags": ["post"]}),
        "src/posts/posts.11tydata.js": "module.exports = {};\n",
        "src/pages/about.md": document(
            0, "title: About\nlayout: page.njk\neleventyNavigation:\n  key: About\n  order: 1"
        ),
        "src/pages/contact.md": document(0, "title: Contact\nlayout: page.njk\npermalink: /contact/"),
        "src/img/a.png": PICTURE,
    }
    for n in range(size):
        front = [f"title: {words(n)}", f"date: 20{15 + n % 9}-1{n % 3}-0{1 + n % 9}", "tags:\n  - post\n  - tools"]
        front += [f"description: About {n}", "layout: post.njk"]
        front += ["eleventyExcludeFromCollections: true"] if n % 20 == 5 else []
        front += [f"difficulty: {('easy', 'hard', 'fun')[n % 3]}"]
        files[f"src/posts/{WORDS[n % 10]}-{n}.md"] = document(n, "\n".join(front))
    files["src/posts/untitled.md"] = document(0, "date: 2020-01-01")
    return files


LICENSES = ("MIT", "AGPL-3.0", "Apache-2.0")


def awesome(size: int) -> Files:
    """A list of tools in YAML, one file for each topic, from which a script makes the README."""
    files: Files = {"README.md": "# Awesome tools\n", "CONTRIBUTING.md": "# Help\n", "LICENSE": "CC0\n"}
    topics: dict[str, list[str]] = {}
    for n in range(size):
        lines = [f"- name: {words(n)}", f"  website: https://tool{n}.example.org/", f"  description: Tool number {n}."]
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
    """An export with headings for people, quoted cells, empty columns, and codes with leading zeros."""
    head = ["Name", "Web Site", "Category", "Tags", "Phone Number", "Latitude", "Longitude", "Opening Hours"]
    rows = [",".join([*head, "Wheelchair", "Price", "Postcode", "Remarks", "Is Active"])]
    for n in range(size):
        cells = [f'"{words(n)}, Ltd"', f"https://place{n}.example.org/", WORDS[n % 5].title(), f"{WORDS[n % 3]}|tools"]
        cells += [
            f"+43 1 {n:05}",
            f"48.{n % 90:02}",
            f"16.{n % 90:02}",
            f'"Mo-Fr 9-1{n % 8}"',
            "yes" if n % 2 else "no",
        ]
        cells += [f"{n % 40}.50", f"0{1000 + n % 9000}", "", "true" if n % 12 else "false"]
        rows.append(",".join(cells))
    rows.append('"Far north",https://north.example.org/,Loan,tools,,148.2,16.3,,yes,1,01010,,true')
    return {"places.csv": "\r\n".join(rows) + "\r\n", "notes.txt": "From the office\n"}


REPOSITORIES: Mapping[str, Callable[[int], Files]] = {
    make.__name__: make for make in (jekyll, hugo, astro, eleventy, awesome, spreadsheet)
}

# Of each repository: path and code of each error that is left, and a replacement of the file that has it.
TRUE_ERRORS: Mapping[str, Mapping[str, str]] = {
    "jekyll": {"_posts/2020-01-01-mistyped.md": "unknown-key"},
    "hugo": {"content/posts/broken.md": "unclosed-front-matter"},
    "astro": {"src/content/blog/in-words.md": "bad-date"},
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
