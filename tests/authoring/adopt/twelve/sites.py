"""Sites of Jekyll, Hugo, Eleventy, Astro and Docusaurus: collections of one kind, and lists beside them."""

import json

import yaml

from contentsync.model import Kind

from .blogs import MENU
from .shape import Shape, day, sentence, slug, text, title

# Names of entries that a repository also has at its top.
REPOSITORY_NAMES = ("security-practices", "support-us", "contributing", "licence-fees")
COLOURS = "- {name: Moss, hex: '#4a5d23'}\n- {name: Brick, hex: '#a04030'}\n- {name: Chalk, hex: '#f4f1e8'}\n"
OPENAPI = (
    "openapi: 3.1.0\ninfo: {title: Orders, version: '1'}\ntags:\n- {name: orders}\n- {name: carts}\n- {name: users}\n"
)
PNPM_LOCK = "lockfileVersion: '9.0'\npackages:\n  left@1.0.0: {resolution: {integrity: x}}\n  right@1.0.0: {}\n"


def jekyll_collections(size: int) -> Shape:
    """Return declared collections beside few posts, and a list of conferences beside colours and a menu."""
    shape = Shape()
    shape.add(
        "_config.yml",
        "title: Granary Guild\nurl: https://granary.example.org\ntimezone: Europe/Berlin\n"
        "collections:\n  talks: {output: true, permalink: /talks/:title/}\n  guides: {output: true}\n"
        "  handbook: {output: true}\n"
        "defaults:\n  - {scope: {path: _talks/withheld}, values: {published: false}}\n",
    )
    shape.add("README.md", "# Granary\n")
    shape.add("_data/menu.yml", MENU)
    shape.add("_data/colours.yml", COLOURS)
    conferences = [
        {
            "fullname": title(number), "desc": sentence(number), "site": f"https://{slug(number)}.example.org/",
            "date": f"{day(number):%d %b %Y}", "town": ("Cork", "Ghent", "Turin")[number % 3],
        }
        for number in range(size // 4)
    ]  # fmt: skip
    source = yaml.safe_dump(conferences, sort_keys=False, allow_unicode=True)
    shape.list_of(Kind.LISTING, "_data/conferences.yml", map(title, range(size // 4)), source)
    shape.filled[Kind.LISTING] = {"url", "description"}
    shape.filled[Kind.ARTICLE] = {"published_at"}
    for number in range(size // 20):
        front = f"layout: post\ntitle: {title(number)}\ncategories: [news]"
        shape.entry(Kind.ARTICLE, f"_posts/{day(number)}-{slug(number)}.md", title(number), front, text(number))
    for number in range(size // 20, size // 2):
        front = f"title: {title(number)}\ndate: {day(number)}\nspeaker: {('Ada', 'Bo', 'Cy')[number % 3]}"
        shape.entry(Kind.ARTICLE, f"_talks/{slug(number)}.md", title(number), front, text(number))
    for number in range(3):
        front = f"title: {title(number)}\ndate: {day(number)}"
        shape.hidden(f"_talks/withheld/{slug(number)}.md", front, text(number))
    for number in range(size // 4):
        name = REPOSITORY_NAMES[number] if number < len(REPOSITORY_NAMES) else slug(number)
        folder = "handbook" if number % 3 == 2 else "guides"
        front = f"title: {title(number)}\nnav_order: {number}"
        front += "\npublished: false" if number % 20 == 9 else ""
        shape.entry(Kind.PAGE, f"_{folder}/{name}.md", title(number), front, text(number))
    shape.hidden("_guides/_template.md", "title: Template", text(1))
    shape.hidden("_drafts/next.md", "title: Next", text(2))
    return shape


def hugo_sections(size: int) -> Shape:
    """Return posts and notes, docs and single pages, with drafts, dates and builds that hide some of them."""
    shape = Shape()
    shape.add(
        "hugo.toml",
        'baseURL = "https://stove.example.org/"\ntitle = "Stove Society"\ntimeZone = "Europe/Oslo"\n'
        'defaultContentLanguage = "en"\n[permalinks]\nposts = "/:year/:month/:title/"\n',
    )
    shape.add("data/menu.yaml", MENU)
    shape.add("data/colours.yaml", COLOURS)
    shape.add("layouts/index.html", "{{ range site.RegularPages }}{{ .Title }}{{ end }}\n")
    shape.hidden("archetypes/default.md", "title: '{{ .Name }}'\ndraft: true", "")
    shape.hidden("content/_index.md", "title: Home", text(0))
    for section in ("posts", "notes", "docs"):
        shape.hidden(f"content/{section}/_index.md", f"title: {section.title()}", "")
    for number, name in enumerate(("about", "contact")):
        shape.entry(Kind.PAGE, f"content/{name}.md", name.title(), f"title: {name.title()}\nmenu: main", text(number))
    for number in range(size // 5):
        name = REPOSITORY_NAMES[number] if number < len(REPOSITORY_NAMES) else slug(number)
        front = f"title: {title(number)}\nweight: {number * 10}\ntoc: true"
        shape.entry(
            Kind.PAGE, f"content/docs/{('chimneys', 'wood')[number % 2]}/{name}.md", title(number), front, text(number)
        )
    for number in range(size - size // 5 - 2):
        section = "posts" if number % 5 == 0 else "notes"
        front = f"title: {title(number)}\ndate: {day(number)}T09:00:00+01:00\ntags: [{('ash', 'oak')[number % 2]}]"
        front += f"\nkeywords: [stoves, {('draught', 'soot')[number % 2]}]" if number % 3 else ""
        front += f"\naliases:\n  - https://old-stove.example.net/{number}" if number % 10 == 3 else ""
        front += f"\ndescription: {sentence(number)}" if number % 2 else ""
        front += "\ndraft: true" if number % 15 == 4 else ""
        shape.entry(Kind.ARTICLE, f"content/{section}/{slug(number)}.md", title(number), front, text(number))
    hiding = ("expiryDate: 2020-01-01", "build: {render: never}", "build: {list: never}", "publishDate: 2090-01-01")
    for number, line in enumerate(hiding):
        front = f"title: {title(number)}\ndate: {day(number)}\n{line}"
        shape.hidden(f"content/notes/hidden-{number}.md", front, text(number))
    shape.hidden("content/notes/attic/_index.md", "title: Attic\ncascade: {draft: true}", "")
    for number in range(4):
        front = f"title: {title(number)}\ndate: {day(number)}"
        shape.hidden(f"content/notes/attic/{slug(number)}.md", front, text(number))
    return shape


def eleventy_docs(size: int) -> Shape:
    """Return docs that have their titles in `eleventyNavigation.key`, posts and notes, and a list of makers."""
    shape = Shape()
    shape.add(
        "eleventy.config.js",
        "export default function (config) {\n  config.ignores.add('src/scratch/**');\n"
        "  return { dir: { input: 'src', output: 'public' } };\n}\n",
    )
    shape.add("package.json", '{"name": "bridge", "devDependencies": {"@11ty/eleventy": "^3.0.0"}}\n')
    shape.add("pnpm-lock.yaml", PNPM_LOCK)
    shape.add("README.md", "# Bridge\n")
    shape.add("src/_data/navigation.json", '[{"title": "Home", "url": "/"}, {"title": "Docs", "url": "/docs/"}]\n')
    makers = [
        {
            "fullname": title(number), "homepage": f"https://{slug(number)}.example.org/",
            "mission": sentence(number), "blurb": f"{sentence(number + 1)} {sentence(number + 2)}",
        }
        for number in range(size // 4)
    ]  # fmt: skip
    shape.list_of(Kind.LISTING, "src/_data/makers.json", map(title, range(size // 4)), json.dumps(makers, indent=1))
    shape.filled[Kind.LISTING] = {"url", "description"}
    shape.filled[Kind.ARTICLE] = {"published_at"}
    for number, name in enumerate(("about", "contact", "thanks")):
        shape.entry(Kind.PAGE, f"src/{name}.md", name.title(), f"title: {name.title()}\nlayout: base.njk", text(number))
    for number in range(size // 4):
        front = f"layout: docs.njk\neleventyNavigation:\n  key: {title(number)}\n  order: {number}"
        shape.entry(Kind.PAGE, f"src/docs/{slug(number)}.md", title(number), front, text(number))
    for number in range(size - 2 * (size // 4) - 3):
        folder = "posts" if number % 4 == 0 else "notes"
        front = f"title: {title(number)}\ndate: {day(number)}\ntags: [{folder}, {('steel', 'stone')[number % 2]}]"
        front += f"\ndescription: {sentence(number)}" if number % 3 else ""
        front += "\ndraft: true" if number % 12 == 5 else ""
        shape.entry(Kind.ARTICLE, f"src/{folder}/{slug(number)}.md", title(number), front, text(number))
    for number, line in enumerate(("permalink: false", "eleventyExcludeFromCollections: true")):
        front = f"title: {title(number)}\ndate: {day(number)}\n{line}"
        shape.hidden(f"src/notes/hidden-{number}.md", front, text(number))
    shape.hidden("src/_includes/note.md", "title: Note", text(1))
    shape.hidden("src/scratch/idea.md", "title: Idea", text(2))
    return shape


def astro_collections(size: int) -> Shape:
    """Return declared collections, of which `tidings` has the most articles, a list of tools, and MDX with imports."""
    shape = Shape()
    shape.add("astro.config.mjs", "export default defineConfig({ site: 'https://yard.example.org' });\n")
    loaders = "".join(
        f"const {name} = defineCollection({{\n  loader: glob({{ pattern: '**/[^_]*.{{md,mdx}}', "
        f"base: './src/content/{name}' }}),\n}});\n"
        for name in ("blog", "tidings", "manual")
    )
    tools = "const tools = defineCollection({ loader: file('src/data/tools.json') });\n"
    collections = "export const collections = { blog, tidings, manual, tools };\n"
    shape.add("src/content.config.ts", f"import {{ glob, file }} from 'astro/loaders';\n{loaders}{tools}{collections}")
    shape.add("package.json", '{"name": "yard", "dependencies": {"astro": "^5.0.0"}}\n')
    shape.add("package-lock.json", '{"name": "yard", "packages": {"": {"name": "yard"}, "x": {"name": "x"}}}\n')
    shape.add("openapi.yaml", OPENAPI)
    shape.add("src/data/palette.json", '[{"name": "Moss", "hex": "#4a5d23"}, {"name": "Brick", "hex": "#a04030"}]\n')
    records = [
        {
            "id": slug(number), "name": title(number), "short_description": sentence(number),
            "homepage": f"https://{slug(number)}.example.org/", "category": ("Saws", "Planes", "Files")[number % 3],
        }
        for number in range(size // 4)
    ]  # fmt: skip
    shape.list_of(Kind.LISTING, "src/data/tools.json", map(title, range(size // 4)), json.dumps(records, indent=1))
    shape.filled[Kind.LISTING] = {"url", "description", "categories"}
    shape.filled[Kind.ARTICLE] = {"published_at"}
    for number in range(size // 5):
        name = REPOSITORY_NAMES[number] if number < len(REPOSITORY_NAMES) else slug(number)
        front = f"title: {title(number)}\nsidebar: {{order: {number}}}"
        shape.entry(Kind.PAGE, f"src/content/manual/{name}.md", title(number), front, text(number))
    for number in range(size - size // 4 - size // 5):
        folder = "blog" if number % 10 == 0 else "tidings"
        front = f"title: '{title(number)}'\npubDate: '{day(number):%b %d %Y}'\ndescription: {sentence(number)}"
        front += "\ndraft: true" if number % 14 == 6 else ""
        front += f"\nkeywords: [yard, {('rope', 'tar')[number % 2]}]" if number % 2 else ""
        if number % 6 == 0:
            imports = "import Note from '../../components/Note.astro';\n\n"
            body = f"{imports}{text(number)}\n```js\nimport saw from 'saw';\n```\n"
            shape.entry(Kind.ARTICLE, f"src/content/{folder}/{slug(number)}.mdx", title(number), front, body)
        else:
            shape.entry(Kind.ARTICLE, f"src/content/{folder}/{slug(number)}.md", title(number), front, text(number))
    for number in range(3):
        front = f"title: {title(number)}\npubDate: {day(number)}"
        shape.hidden(f"src/content/tidings/_unfinished-{number}.md", front, text(number))
    shape.hidden("src/content/attic/old.md", "title: Old", text(1))
    return shape


def docusaurus_site(size: int) -> Shape:
    """Return docs in three folders of `website`, with titles in headings, a blog, and a page outside of both."""
    shape = Shape()
    plugins = "".join(
        f"    ['@docusaurus/plugin-content-docs', {{ id: '{name}', path: '{name}', routeBasePath: '{name}' }}],\n"
        for name in ("community", "handbook")
    )
    shape.add(
        "website/docusaurus.config.js",
        "export default {\n  title: 'Harbour Manual',\n  url: 'https://harbour.example.org',\n"
        f"  presets: [['classic', {{ docs: {{ path: 'docs' }}, blog: {{ path: 'blog' }} }}]],\n  plugins: [\n{plugins}"
        "  ],\n};\n",
    )
    shape.add("website/package.json", '{"name": "harbour", "dependencies": {"@docusaurus/core": "^3.0.0"}}\n')
    shape.add("openapi.yaml", OPENAPI)
    for name in ("README", "CONTRIBUTING", "SECURITY"):
        shape.add(f"{name}.md", f"# {name.title()}\n")
    shape.entry(Kind.PAGE, "website/src/pages/imprint.md", "Imprint", "title: Imprint", text(1))
    for number in range(size - size // 5 - 1):
        folder = ("docs", "docs", "docs", "community", "handbook")[number % 5]
        name = REPOSITORY_NAMES[number] if number < len(REPOSITORY_NAMES) else slug(number)
        front = f"sidebar_position: {number}\nsidebar_label: {title(number).split()[1]}"
        front += f"\nkeywords:\n  - {('moorings', 'tides')[number % 2]}\n  - harbour" if number % 3 == 0 else ""
        front += "\ndraft: true" if number % 20 == 13 else ""
        code = "\n```js\nimport Chart from './chart.js';\n```\n" if number % 7 == 0 else ""
        body = f"# {title(number)}\n\n{text(number)}{code}"
        shape.entry(Kind.PAGE, f"website/{folder}/{name}.md", title(number), front, body)
    for number in range(size // 5):
        front = f"title: {title(number)}\nauthors: [ann]\ntags: [news]"
        body = f"{sentence(number)}\n\n<!-- truncate -->\n\n{text(number)}"
        shape.entry(Kind.ARTICLE, f"website/blog/{day(number)}-{slug(number)}.md", title(number), front, body)
    shape.hidden("website/docs/_partials/_note.mdx", "title: Note", text(1))
    shape.hidden("website/docs/_shared.md", "title: Shared", text(2))
    for number in range(2):
        front = f"title: {title(number)}\nunlisted: true"
        shape.hidden(f"website/docs/unlisted-{number}.md", front, text(number))
    return shape
