"""Changes and damage of a folder, its server, its state and its caches."""

import os
import shutil
from dataclasses import replace
from typing import Any

from contentsync.cli.plan_options import PlanOptions

from .plan_history import FILES, PlanHistory


def nothing(history: PlanHistory) -> None:
    """Change nothing."""


def sync(history: PlanHistory) -> None:
    history.sync(*history.random.choice([[], [], ["--on-conflict", "theirs"], ["--on-drift", "overwrite"]]))


def restore_files(history: PlanHistory) -> None:
    """Write the first texts again, which have other times then."""
    for path, text in FILES.items():
        history.write(path, text)


def edit_a_file(history: PlanHistory) -> None:
    with history.any_file().open("a", encoding="utf-8") as file:
        file.write(f"# {history.random.random()}\n")


def change_a_letter(history: PlanHistory) -> None:
    """Replace a letter, and set the times of the file back."""
    file = history.any_file()
    status, text = file.stat(), file.read_text(encoding="utf-8")
    file.write_text(text.replace("e", "a", 1), encoding="utf-8")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


def delete_a_file(history: PlanHistory) -> None:
    file = history.any_file()
    if file.name != "contentsync.toml":
        file.unlink()


def edit_a_row(history: PlanHistory) -> None:
    def edit(rows: list[str]) -> None:
        number = history.random.randrange(len(rows))
        rows[number] = rows[number].replace("e", history.random.choice("aeio"), 1)

    history.change_rows(edit)


def delete_a_row(history: PlanHistory) -> None:
    history.change_rows(lambda rows: rows.pop(history.random.randrange(len(rows))))


def copy_a_row(history: PlanHistory) -> None:
    """Add a row again, which is a duplicate, or a row with another URL."""
    url = history.random.choice(["https://", "https://www.new."])
    history.change_rows(lambda rows: rows.append(history.random.choice(rows).replace("https://", url)))


def add_a_near_listing(history: PlanHistory) -> None:
    """Add a row or a document whose URL is nearly that of a row, perhaps with a note that silences the warning."""
    url = f"{history.random.choice(['http://www.', 'https://www.'])}{history.random.choice(['one', 'five', 'six'])}"
    noted = history.random.choice(["", "https://five.example.org", "https://one.example.org"])
    if history.random.random() < 0.5:
        history.write("listings/near.csv", f"name,url,sync.distinct\nNear,{url}.example.org/,{noted}\n")
    else:
        note = f"sync: {{distinct: ['{noted}']}}\n" if noted else ""
        history.write("listings/near.md", f"---\nname: Near\nurl: {url}.example.org/index.html\n{note}---\n")


def reorder_rows(history: PlanHistory) -> None:
    history.change_rows(history.random.shuffle)


def add_a_column(history: PlanHistory) -> None:
    file = history.folder / "listings/more.tsv"
    if file.exists():
        text = file.read_text(encoding="utf-8").rstrip("\n").replace("\n", "\ttext\n")
        file.write_text(text.replace("\ttext", "\tdescription", 1) + "\ttext\n", encoding="utf-8")


def add_a_table(history: PlanHistory) -> None:
    """Move the rows of a table into a new one, or add a listing of its own."""
    more = history.folder / "listings/more.tsv"
    if more.exists() and history.random.random() < 0.5:
        more.rename(history.folder / "listings/moved.tsv")
    else:
        history.write("listings/inner/new.csv", "name,url,slug\nNew,https://new.example.org/,second\n")


def delete_all_files(history: PlanHistory) -> None:
    for path in ("pages", "articles", "tags.yaml", "listings/all.csv", "listings/more.tsv"):
        history.delete(path)


def add_a_page(history: PlanHistory) -> None:
    history.write(f"pages/new-{history.random.randrange(3)}.md", "---\ntitle: New\n---\n")


def add_a_misplaced_file(history: PlanHistory) -> None:
    history.write(history.random.choice(["posts/a.md", "listings.csv", "category.yaml", "notes.txt"]), "title: A\n")


def swap_two_files(history: PlanHistory) -> None:
    first, second, aside = (history.folder / f"pages/{name}" for name in ("about.md", "jobs.md", "aside"))
    if first.exists() and second.exists():
        first.rename(aside)
        second.rename(first)
        aside.rename(second)


def link_a_file(history: PlanHistory) -> None:
    file = history.folder / "pages/linked.md"
    if file.parent.is_dir() and not file.is_symlink():
        file.symlink_to("about.md")


def move_a_row_into_a_document(history: PlanHistory) -> None:
    """Write a listing into a document, perhaps under a new URL, with a note of the former key or of another one."""
    urls = [f"https://{name}.example.org" for name in ("five", "six")]
    url, noted = history.random.choice([*urls, "https://new.example.org"]), history.random.choice(["", *urls])
    note = f"sync: {{previous: ['{noted}']}}\n" if noted else ""
    history.write("listings/five.md", f"---\nname: Five\nurl: {url}/\n{note}---\nSee [it](/listings/second/).\n")
    file = history.folder / "listings/more.tsv"
    if file.exists():
        rows = file.read_text(encoding="utf-8").splitlines(keepends=True)
        file.write_text("".join(row for row in rows if not row.startswith("Five")), encoding="utf-8")


def note_a_former_address(history: PlanHistory) -> None:
    """Let a page have had the address of a listing, to which another page has a link."""
    slug = history.random.choice(["second", "five", "none"])
    history.write("pages/former.md", f"---\ntitle: Former\naliases: [/listings/{slug}/]\n---\n")
    history.write("pages/linking.md", f"---\ntitle: Linking\n---\nSee [it](/listings/{slug}/).\n")


def rename_a_tag(history: PlanHistory) -> None:
    slug = history.random.choice(["paid", "costly", "free"])
    history.write("tags.yaml", f"- title: Free\n- {{title: Paid, slug: {slug}, sync: {{previous: [paid]}}}}\n")


def add_a_tag(history: PlanHistory) -> None:
    """Add a tag here or on the server, perhaps with a name of another one, and perhaps to a row."""
    names = [("New", "new"), ("Newer", "newer"), ("Free", "gratis"), ("paid", "costly"), ("Gratis", "free-of-charge")]
    title, slug = history.random.choice(names)
    if history.random.random() < 0.4:
        history.served.ask("POST", "tags", {"title": title, "slug": slug})
        return
    file = history.folder / "tags.yaml"
    tags = file.read_text(encoding="utf-8") if file.exists() else ""
    history.write("tags.yaml", f"{tags}- {{title: {title}, slug: {slug}}}\n")
    if history.random.random() < 0.5:
        history.write("listings/tagged.csv", f"name,url,tags\nEight,https://eight.example.org/,{slug}\n")


def name_tags_by_titles(history: PlanHistory) -> None:
    file = history.folder / "listings/all.csv"
    if file.exists():
        row = file.read_text(encoding="utf-8")
        history.write("listings/all.csv", row.replace("free|paid", "Free|paid").replace(",free", ",Free"))


def end_lines_as_windows_does(history: PlanHistory) -> None:
    file = history.any_file()
    file.write_bytes(file.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))


def replace_a_text_by_a_link(history: PlanHistory) -> None:
    """Let the config write links in place of a text in a row, to a page whose slug changes."""
    slug = history.random.choice(["jobs", "work"])
    history.write("pages/jobs.md", f"---\ntitle: Jobs\nslug: {slug}\n---\nText.\n")
    history.write("listings/linked.csv", "name,url,content\nSeven,https://seven.example.org/,See ((jobs)).\n")
    config = history.folder / "contentsync.toml"
    if "((jobs))" not in config.read_text(encoding="utf-8"):
        with config.open("a", encoding="utf-8") as file:
            file.write('[[markdown.replace]]\nfind = "((jobs))"\nreplace = "[jobs](../pages/jobs.md)"\n')


def ignore_a_warning(history: PlanHistory) -> None:
    text = (history.folder / "contentsync.toml").read_text(encoding="utf-8")
    with (history.folder / "contentsync.toml").open("a", encoding="utf-8") as config:
        config.write('[warnings]\nignore = ["misplaced"]\n' if "[warnings]" not in text else "")


def change_the_house_rules(history: PlanHistory) -> None:
    """Write up to two rules that some listings break, most as warnings, which some files may ignore."""
    config = history.folder / "contentsync.toml"
    text = config.read_text(encoding="utf-8").partition("[[rules")[0].partition("[warnings]")[0].rstrip() + "\n"
    demands = (
        'require = ["description"]',
        "max = { name = 3 }",
        'unique = ["description"]',
        'allowed = { tags = "Free" }',
    )
    conditions = (
        "",
        'when = { tags = "free" }',
        'when = { is_active = true, description = "" }',
        'when = ["_file ~ more"]',
    )
    for _ in range(history.random.randrange(3)):
        level = history.random.choice(["error", "warning", "warning", "warning"])
        rule = (history.random.choice(demands), history.random.choice(conditions), f'level = "{level}"')
        text += "\n".join(("[[rules.listing]]", *rule, ""))
    path = history.random.choice(["listings/all.csv", "more.*"])
    levels = f'[[warnings.overrides]]\npath = "{path}"\nignore = ["rule-max"]\n'
    history.write(
        "contentsync.toml", text + history.random.choice(["", '[warnings]\nignore = ["rule-require"]\n' + levels])
    )


def change_the_options(history: PlanHistory) -> None:
    choices: list[dict[str, Any]] = [{"target": "other"}, {"prune": True}, {"adopt": True}, {"only": ("page",)}]
    history.options = replace(PlanOptions("live"), **history.random.choice([{}, *choices]))


def write_on_the_server(history: PlanHistory) -> None:
    """Create a page as another user, or update it."""
    number = history.random.randrange(3)
    history.served.create("pages", {"slug": f"theirs-{number}", "title": f"Theirs {history.random.random()}"})


def write_a_listing_on_the_server(history: PlanHistory) -> None:
    """Create a listing as another user, or change one of ours."""
    listings = history.served.get("projects")["data"]
    if listings and history.random.random() < 0.5:
        slug = f"theirs-{history.random.random()}".replace(".", "-")
        changed = history.random.choice([{"description": "Theirs"}, {"slug": slug}])
        history.served.update(f"projects/{history.random.choice(listings)['id']}", changed)
    else:
        number = history.random.randrange(3)
        history.served.create("projects", {"name": f"Theirs {number}", "url": f"https://theirs-{number}.example.org/"})


def delete_a_listing_on_the_server(history: PlanHistory) -> None:
    if listings := history.served.get("projects")["data"]:
        history.served.delete(f"projects/{history.random.choice(listings)['id']}")


def swap_urls_on_the_server(history: PlanHistory) -> None:
    """Give a listing the URL that another one had, which is its key."""
    listings = history.served.get("projects")["data"]
    if len(listings) > 1:
        first, second = history.random.sample(listings, 2)
        if first["url"] and second["url"]:
            url = f"https://new-{history.random.random()}.example.org/"
            history.served.update(f"projects/{first['id']}", {"url": url})
            history.served.update(f"projects/{second['id']}", {"url": first["url"]})


def change_our_page_on_the_server(history: PlanHistory) -> None:
    history.served.create("pages", {"slug": "about", "title": f"About {history.random.randrange(2)}"})


def write_a_text_on_the_server(history: PlanHistory) -> None:
    """Change a page or an article as another user, give it another slug or that of another one, or delete it."""
    collection = history.random.choice(["pages", "articles"])
    records = history.served.get(collection)["data"]
    if records:
        record = history.random.choice(records)
        texts = {"title": record["title"], "slug": record["slug"], "markdown": "Their text."}
        slug = history.random.choice(["about", "jobs", "news", "moved"])
        change = history.random.choice([{"title": "Theirs"}, {"slug": slug}, None])
        if change is None:
            history.served.delete(f"{collection}/{record['id']}")
        elif "title" in change or all(each["slug"] != slug for each in records):
            history.served.update(f"{collection}/{record['id']}", {**texts, **change})


def move_a_text(history: PlanHistory) -> None:
    """Rename the file of a page or an article; perhaps keep its key as its slug, or note the former key."""
    folder, name = history.random.choice([("pages", "about"), ("pages", "jobs"), ("articles", "news")])
    source, moved = history.folder / folder / f"{name}.md", history.folder / folder / "moved.md"
    if source.exists():
        text = source.read_text(encoding="utf-8", errors="replace")
        note = history.random.choice(["", f"slug: {name}\n", f"sync: {{previous: [{name}]}}\n"])
        moved.write_text(text.replace("---\n", f"---\n{note}", 1), encoding="utf-8")
        source.unlink()


def copy_a_text(history: PlanHistory) -> None:
    """Add an article with a link to another one, perhaps under its key or a former one."""
    note = history.random.choice(["", "slug: news\n", "sync: {previous: [news]}\n"])
    history.write(
        "articles/more.md", f"---\ntitle: More\n{note}---\nSee [news](news.md) and [jobs](../pages/jobs.md).\n"
    )


def translate_an_article(history: PlanHistory) -> None:
    config, article = history.folder / "contentsync.toml", history.folder / "articles/news.md"
    if config.exists():
        text = config.read_text(encoding="utf-8")
        config.write_text(text.replace('"Tools" }', '"Tools", locales = ["en", "fr"] }'), encoding="utf-8")
    if article.exists():
        title = history.random.choice(["Nouvelles", "Infos"])
        texts = history.random.choice([f"translations: {{fr: {{title: {title}}}}}\n", ""])
        article.write_text(f"---\ntitle: News\n{texts}---\nText.\n", encoding="utf-8")


def delete_the_state(history: PlanHistory) -> None:
    shutil.rmtree(history.private / "state", ignore_errors=True)


def delete_the_cache(history: PlanHistory) -> None:
    shutil.rmtree(history.private / "cache", ignore_errors=True)


def cut_a_private_file(history: PlanHistory) -> None:
    files = sorted(file for file in (history.private / "cache").rglob("*") if file.is_file() and file.name[0] != ".")
    if files:
        file = history.random.choice(files)
        data = file.read_bytes()
        file.write_bytes(data[: history.random.randrange(len(data) or 1)])


def back_up_the_private_folder(history: PlanHistory) -> None:
    history.backup = history.folder.parent / f"{history.folder.name} backup"
    shutil.rmtree(history.backup, ignore_errors=True)
    shutil.copytree(history.private, history.backup)


def restore_the_private_folder(history: PlanHistory) -> None:
    """Bring back an older state, snapshot and cached plan, as a checkout or a CI cache does."""
    if history.backup and history.private.exists():
        shutil.rmtree(history.private)
        shutil.copytree(history.backup, history.private)


def forge_the_cached_plan(history: PlanHistory) -> None:
    """Let the cached plan of one target stand for the other one."""
    plans = history.private / "cache/plan"
    for suffix in (".json", ".seal"):
        if (plans / f"live{suffix}").exists():
            (plans / f"other{suffix}").write_bytes((plans / f"live{suffix}").read_bytes())


CHANGES = (
    nothing,
    sync,
    sync,
    restore_files,
    edit_a_file,
    change_a_letter,
    delete_a_file,
    delete_all_files,
    *(edit_a_row, edit_a_row, delete_a_row, copy_a_row, reorder_rows, add_a_column, add_a_table, add_a_near_listing),
    add_a_page,
    add_a_misplaced_file,
    swap_two_files,
    link_a_file,
    *(move_a_row_into_a_document, note_a_former_address, rename_a_tag),
    *(add_a_tag, add_a_tag, name_tags_by_titles),
    *(end_lines_as_windows_does, replace_a_text_by_a_link),
    *(ignore_a_warning, change_the_house_rules, change_the_house_rules),
    change_the_options,
    write_on_the_server,
    *(write_a_listing_on_the_server, write_a_listing_on_the_server, delete_a_listing_on_the_server),
    swap_urls_on_the_server,
    change_our_page_on_the_server,
    *(write_a_text_on_the_server, write_a_text_on_the_server, move_a_text, copy_a_text, translate_an_article),
    delete_the_state,
    delete_the_cache,
    cut_a_private_file,
    back_up_the_private_folder,
    restore_the_private_folder,
    forge_the_cached_plan,
)
