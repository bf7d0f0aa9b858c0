"""Blogs of Jekyll, Hexo, Pelican and Zola: posts in one or more folders, pages beside them, and what is hidden."""

from contentsync.model import Kind

from .shape import Shape, day, in_files, sentence, slug, text, title

MENU = "- {title: Home, link: /}\n- {title: Walks, link: /walks/}\n- {title: About, link: /about/}\n"


def jekyll_blog(size: int) -> Shape:
    """Return a blog with pages at the top beside files about the repository, and addresses of a former host."""
    shape = Shape()
    shape.add(
        "_config.yml",
        "title: Ferry and Field\nurl: https://ferry.example.org\ntimezone: Europe/Dublin\n"
        "permalink: /:categories/:year/:title/\nexclude: [attic]\n"
        "defaults:\n  - {scope: {path: '', type: posts}, values: {layout: post}}\n",
    )
    shape.add("_data/menu.yml", MENU)
    shape.add("_layouts/post.html", "<main>{{ content }}</main>\n")
    shape.add("index.html", "<ul>{% for post in site.posts %}<li>{{ post.title }}</li>{% endfor %}</ul>\n")
    for name in ("README", "LICENSE", "CHANGELOG"):
        shape.add(f"{name}.md", f"# {name.title()}\n\nAbout this repository.\n")
    shape.hidden("CONTRIBUTING.md", "layout: page\ntitle: Contributing", "How to send a correction.\n")
    shape.hidden("attic/old-about.md", "title: About", text(1))
    for number, name in enumerate(("about", "contact", "imprint")):
        front = f"layout: page\ntitle: {name.title()}\npermalink: /{name}/\nnav_order: {number}"
        shape.entry(Kind.PAGE, f"{name}.md", name.title(), front, text(number))
    for number in range(size - 4):
        front = f'title: "{title(number)}"\ntags: [walks, {("rain", "wool", "boats")[number % 3]}]'
        front += f"\nexcerpt: {sentence(number)}" if number % 3 == 0 else ""
        front += f"\nredirect_from:\n  - https://old-ferry.example.net/{number}" if number % 5 == 0 else ""
        front += f"\nredirect_from: [/archive/{number}/]" if number % 5 == 1 else ""
        front += "\npublished: false" if number % 20 == 7 else ""
        link = "\nThere is more [about us](/about/).\n" if number % 4 == 0 else ""
        link += (
            f"\n[Before]({{{{ site.baseurl }}}}/{day(number - 1).year}/{slug(number - 1)}/)\n"
            if number % 4 == 1
            else ""
        )
        shape.entry(Kind.ARTICLE, f"_posts/{day(number)}-{slug(number)}.md", title(number), front, text(number) + link)
    shape.entry(Kind.ARTICLE, "_posts/2020-02-02-mistyped.md", "Mistyped", "tittle: Mistyped", text(0))
    shape.edits.append(in_files("_posts/*.md", "^tittle:", "title:"))
    for number in range(4):
        shape.hidden(f"_drafts/{slug(number)}-again.md", f"title: {title(number)}", text(number))
    for number in range(2):
        shape.hidden(f"_posts/undated-{number}.md", f"title: {title(number)}", text(number))
    return shape


def hexo_blog(size: int) -> Shape:
    """Return a blog with pages in folders of their own, lists of keywords, and a copied page that is not rendered."""
    shape = Shape()
    shape.add(
        "_config.yml",
        "title: Kiln Notes\nurl: https://kiln.example.org\nsource_dir: source\npermalink: :year/:month/:title/\n"
        "timezone: Europe/Madrid\nlanguage: en\nskip_render:\n  - slides/*\n",
    )
    shape.add("package.json", '{"name": "kiln", "dependencies": {"hexo": "^7.0.0"}}\n')
    shape.add("package-lock.json", '{"name": "kiln", "packages": {"": {"name": "kiln", "version": "1.0.0"}}}\n')
    shape.add("source/_data/menu.yml", MENU)
    shape.hidden("scaffolds/post.md", "title: '{{ title }}'\ndate: '{{ date }}'\ntags:", "")
    shape.hidden("scaffolds/draft.md", "title: '{{ title }}'\ntags:", "")
    shape.hidden("source/slides/evening.md", "title: Evening slides", text(2))
    for number in range(size // 30):
        shape.hidden(f"source/_drafts/{slug(number)}-draft.md", f"title: {title(number)}", text(number))
    for number, name in enumerate(("about", "links", "glazes", "visit")):
        front = f"title: {name.title()}\ndate: 2019-02-0{number + 1} 10:00:00\ncomments: false"
        shape.entry(Kind.PAGE, f"source/{name}/index.md", name.title(), front, text(number))
    for number in range(size - 4):
        front = f"title: {title(number)}\ndate: {day(number)} 18:{number % 60:02}:00\ncategories:\n  - Clay"
        front += f"\ntags:\n  - {('fire', 'slip', 'ash')[number % 3]}"
        front += f"\nkeywords: [clay, {('bowls', 'tiles')[number % 2]}]" if number % 2 else ""
        front += f"\ndescription: {sentence(number)}" if number % 4 else ""
        front += "\npublished: false" if number % 25 == 3 else ""
        code = "\n```js\nimport kiln from './kiln.js'\n```\n" if number % 6 == 0 else ""
        body = f"{sentence(number)}\n\n<!-- more -->\n\n{text(number)}{code}"
        shape.entry(Kind.ARTICLE, f"source/_posts/{slug(number)}.md", title(number), front, body)
    return shape


def pelican_blog(size: int) -> Shape:
    """Return a blog with a folder for each category, dates in words, and lists of tags in one text."""
    shape = Shape()
    shape.add(
        "pelicanconf.py",
        "SITENAME = 'The Loom Almanac'\nTIMEZONE = 'Europe/Lisbon'\nDEFAULT_LANG = 'en'\nPATH = 'content'\n"
        "ARTICLE_URL = 'posts/{slug}/'\nARTICLE_SAVE_AS = 'posts/{slug}/index.html'\nWITH_FUTURE_DATES = True\n",
    )
    shape.add("requirements.txt", "pelican\n")
    shape.add("README.md", "# The almanac\n\nHow to build it.\n")
    folders = ("weaving", "dyeing", "looms", "journal")
    for number in range(size - 5):
        front = f"Title: {title(number)}\nDate: {day(number):%d %b %Y}\nCategory: {folders[number % 4].title()}"
        front += f"\nTags: wool, {('madder', 'weld', 'woad')[number % 3]}\nAuthor: Ines"
        front += f"\nSummary: {sentence(number)}" if number % 2 else ""
        shape.entry(
            Kind.ARTICLE, f"content/{folders[number % 4]}/{slug(number)}.md", title(number), front, text(number)
        )
    front = "Title: Two Readings\nDate: 03/04/2021\nCategory: Journal"
    shape.entry(Kind.ARTICLE, "content/journal/two-readings.md", "Two Readings", front, text(1))
    shape.edits.append(in_files("content/*/*.md", "^Date: 03/04/2021", "Date: 2021-04-03"))
    for number, status in enumerate(("draft", "draft", "hidden")):
        front = f"Title: {title(number)}\nDate: {day(number):%d %b %Y}\nStatus: {status}"
        shape.hidden(f"content/weaving/later-{number}.md", front, text(number))
    for number, name in enumerate(("about", "patterns", "colophon", "guild")):
        shape.entry(Kind.PAGE, f"content/pages/{name}.md", name.title(), f"Title: {name.title()}", text(number))
    return shape


def zola_garden(size: int) -> Shape:
    """Return a blog with few posts in the folder of a usual name, and most of them in `til` and `logbook`."""
    shape = Shape()
    shape.add(
        "zola.toml",
        'base_url = "https://anvil.example.org"\ntitle = "Anvil and Ink"\ndefault_language = "en"\n'
        'taxonomies = [{name = "tags"}]\n[extra]\nauthor = "Jo"\n',
    )
    shape.add("templates/page.html", "<main>{{ page.content }}</main>\n")
    shape.add("CHANGELOG.md", "# Changes\n")
    for section in ("blog", "til", "logbook"):
        shape.hidden(f"content/{section}/_index.md", f'title = "{section}"\nsort_by = "date"', "", "+++")
    shape.hidden("content/_index.md", 'title = "Home"', "", "+++")
    for number, name in enumerate(("about", "support-us", "uses")):
        front = f'title = "{name.title()}"\naliases = ["/{name}.html"]'
        shape.entry(Kind.PAGE, f"content/{name}.md", name.title(), front, text(number), "+++")
    for number in range(size - 3):
        section = "blog" if number % 12 == 0 else "logbook" if number % 3 == 0 else "til"
        front = f'title = "{title(number)}"\ndate = {day(number)}'
        front += f'\ndescription = "{sentence(number)}"' if number % 4 else ""
        front += "\ndraft = true" if number % 30 == 11 else ""
        front += f'\n[taxonomies]\ntags = ["{("iron", "ink", "paper")[number % 3]}"]'
        front += "\n[extra]\nmood = 'calm'" if number % 10 == 4 else ""
        shape.entry(Kind.ARTICLE, f"content/{section}/{slug(number)}.md", title(number), front, text(number), "+++")
    for number in range(2):
        front = f'title = "{title(number)}"\ndate = {day(number)}\nrender = false'
        shape.hidden(f"content/til/unrendered-{number}.md", front, text(number), "+++")
    shape.hidden("content/attic/_index.md", 'title = "Attic"\ndraft = true', "", "+++")
    for number in range(5):
        front = f'title = "{title(number)}"\ndate = {day(number)}'
        shape.hidden(f"content/attic/old-{number}.md", front, text(number), "+++")
    return shape
