"""Ordinary work of authors: each act changes the site, and returns what was done.

Within a commit, no act changes an entry that another one has changed.
"""

from collections.abc import Callable
from typing import Any

from . import site as sites
from .content import FILE, LANGUAGE, LIST, TABLE, Entry, Site, key_of, originals, refer, rows, translations
from .desk import Acts, Desk
from .site import LICENCES, TYPOS, slug

_COLUMNS = ("phone_number", "address", "video_url", "seo_title", "image_alt_text", "level")
_TEXTS = ("body", "description")


def write_entries(desk: Desk) -> str:
    """Write new pages, articles and listings."""
    new: list[tuple[str, Callable[[], Entry]]] = [
        ("pages", lambda: sites.page(desk.draw)),
        ("articles", lambda: sites.article(desk.draw)),
        ("listings", lambda: _new_listing(desk)),
    ]
    chosen = desk.dice.choices(new, k=desk.dice.choice((1, 1, 2, 3, 6)))
    for folder, make in chosen:
        desk.add(folder, make())
    return f"write {', '.join(folder for folder, _ in chosen)}"


def edit_texts(desk: Desk) -> str:
    """Change a sentence or all of a few texts."""
    edited = desk.take(_with_text(desk.site))
    for entry in edited:
        name = _text_name(entry)
        lines = entry[name].splitlines()
        lines[desk.dice.randrange(len(lines))] = desk.draw.text(1)
        entry[name] = "\n".join(lines) if desk.dice.random() < 0.8 else desk.draw.text(len(lines))
    return f"edit {len(edited)} texts"


def move_files(desk: Desk) -> str:
    """Rename files, which gives their entries other slugs; links to them follow."""
    folder = desk.dice.choice(("pages", "articles", "organizers"))
    moved = desk.take((entry for entry in originals(desk.site, folder) if "slug" not in entry), 4)
    for entry in moved:
        old, new = entry[FILE], slug(desk.draw.name())
        refer(desk.site, folder, old, new)
        for translated in translations(desk.site, folder, entry):
            translated[FILE] = new + LANGUAGE
            desk.claim([translated])
        entry[FILE] = new
    desk.claim(moved)
    return f"move the files of {len(moved)} {folder}"


def note_renames(desk: Desk) -> str:
    """Give entries another slug in their front matter, with a note of the old one or without."""
    folder = desk.dice.choice(("pages", "articles", "organizers"))
    renamed = desk.take(originals(desk.site, folder), 4)
    for entry in renamed:
        old, new = key_of(entry, folder), slug(desk.draw.name())
        entry["slug"] = new
        if desk.dice.random() < 0.7:
            entry["sync"] = {"previous": [*entry.get("sync", {}).get("previous", []), old]}
        refer(desk.site, folder, old, new)
    return f"give {len(renamed)} {folder} another slug"


def rename_listings(desk: Desk) -> str:
    """Correct names, slugs or addresses of listings."""
    field = desk.dice.choice(("name", "name", "slug", "url"))
    most = 10 if field == "name" else desk.dice.choice((1, 1, 1, 2, 2, 3, 4, 6))  # addresses seldom move
    renamed = desk.take(desk.site["listings"], most)
    for entry in renamed:
        name = desk.draw.name()
        entry[field] = {"name": name.title(), "slug": slug(name), "url": f"https://{slug(name)}.example.org/"}[field]
    desk.claim(renamed)
    return f"correct the {field} of {len(renamed)} listings"


def tag(desk: Desk) -> str:
    """Add a tag to listings, or to all."""
    name = desk.dice.choice(desk.site["tags"])["slug"]
    untagged = desk.free(entry for entry in desk.site["listings"] if name not in entry.get("tags", ()))
    tagged = desk.claim(untagged) if desk.dice.random() < 0.1 else desk.take(untagged)
    for entry in tagged:
        entry["tags"] = [*entry.get("tags", ()), name]
    return f"tag {len(tagged)} listings"


def untag(desk: Desk) -> str:
    """Take a tag off listings."""
    name = desk.dice.choice(desk.site["tags"])["slug"]
    untagged = desk.take((entry for entry in desk.site["listings"] if name in entry.get("tags", ())), 5)
    for entry in untagged:
        entry["tags"] = [other for other in entry["tags"] if other != name]
    return f"untag {len(untagged)} listings"


def retire_tag(desk: Desk) -> str:
    """Delete the tag that the fewest listings have."""
    tags = [one["slug"] for one in desk.site["tags"]]
    uses = {name: [entry for entry in desk.site["listings"] if name in entry.get("tags", ())] for name in tags}
    name = min(tags, key=lambda each: len(uses[each]))
    if len(tags) < 3 or len(desk.free(uses[name])) < len(uses[name]):
        return ""
    for entry in desk.claim(uses[name]):
        entry["tags"].remove(name)
    desk.site["tags"] = [one for one in desk.site["tags"] if one["slug"] != name]
    desk.deleted += 1
    return f"retire a tag of {len(uses[name])} listings"


def move_to_category(desk: Desk) -> str:
    """Give listings another category."""
    moved = desk.take(desk.site["listings"])
    for entry in moved:
        entry["categories"] = [desk.dice.choice(desk.site["categories"])["slug"]]
    return f"move {len(moved)} listings to other categories"


def translate(desk: Desk) -> str:
    """Add translations, or write parts of them again."""
    folder = desk.dice.choice(("articles", "articles", "organizers"))
    chosen = desk.take(originals(desk.site, folder), 5)
    for entry in chosen:
        found = translations(desk.site, folder, entry)
        for translated in found:
            translated["body"] = desk.draw.text(3)
            desk.claim([translated])
        if not found:
            desk.add(folder, sites.translation(desk.draw, folder, entry))
    return f"translate {len(chosen)} {folder}"


def reorder_pages(desk: Desk) -> str:
    """Number all pages in another order."""
    pages = desk.site["pages"]
    for number, entry in enumerate(desk.dice.sample(pages, len(pages))):
        entry["order"] = number
    return f"reorder {len(pages)} pages"


def reorder_rows(desk: Desk) -> str:
    """Sort or shuffle whole rows of the table."""
    table = rows(desk.site, TABLE)
    by = desk.dice.choice(("name", "url", "licence", ""))
    table = sorted(table, key=lambda row: str(row[by])) if by else desk.dice.sample(table, len(table))
    desk.site["listings"] = table + rows(desk.site, LIST)
    return f"order the rows {f'by {by}' if by else 'by hand'}"


def reorder_columns(desk: Desk) -> str:
    """Move the columns of the table."""
    columns = [*rows(desk.site, TABLE)[0]]
    columns = desk.dice.sample(columns, len(columns))
    desk.site["listings"] = [
        {name: entry[name] for name in columns} if entry[FILE] == TABLE else entry for entry in desk.site["listings"]
    ]
    return "move the columns"


def move_rows(desk: Desk) -> str:
    """Move listings from the table into the list."""
    moved = desk.take(rows(desk.site, TABLE), 3)
    for entry in moved:
        fields = {name: value for name, value in entry.items() if value not in ("", [])}
        entry.clear()
        entry |= {**fields, FILE: LIST}
    desk.claim(moved)
    return f"move {len(moved)} listings into another file"


def delete(desk: Desk) -> str:
    """Delete a few entries, with their translations."""
    folder = desk.dice.choice(("pages", "articles", "listings"))
    entries = desk.site[folder] if folder == "listings" else originals(desk.site, folder)
    gone = desk.take(entries, 3)
    files = [entry[FILE] + LANGUAGE for entry in gone if folder != "listings"]
    desk.site[folder] = [entry for entry in desk.site[folder] if entry not in gone and entry[FILE] not in files]
    desk.deleted += len(gone)
    return f"delete {len(gone)} {folder}"


def add_column(desk: Desk) -> str:
    """Add a column, a custom field perhaps, and fill most of it."""
    table = rows(desk.site, TABLE)
    missing = [name for name in _COLUMNS if name not in table[0]]
    if not missing:
        return ""
    name = desk.dice.choice(missing)
    if name == "level" and all(field["name"] != name for field in desk.site["custom_fields"]):
        desk.add("custom_fields", {"name": name, "label": "Level", "type": "text"})
    for entry in table:
        entry[name] = _cell(desk, name) if desk.dice.random() < 0.8 else ""
    return f"add the column {name}"


def fill_cells(desk: Desk) -> str:
    """Fill or correct a few cells of the later columns."""
    present = [name for name in _COLUMNS if name in rows(desk.site, TABLE)[0]]
    if not present:
        return ""
    name = desk.dice.choice(present)
    filled = desk.take(rows(desk.site, TABLE))
    for entry in filled:
        entry[name] = _cell(desk, name)
    return f"fill {name} of {len(filled)} listings"


def fix_spelling(desk: Desk) -> str:
    """Correct a typo wherever it is."""
    typo = desk.dice.choice(TYPOS)
    wrong = [entry for entry in desk.free(_with_text(desk.site)) if typo in entry[_text_name(entry)]]
    for entry in desk.claim(wrong):
        name = _text_name(entry)
        entry[name] = entry[name].replace(typo, typo[:-2] + typo[:-3:-1])
    return f"correct {typo} in {len(wrong)} texts" if wrong else ""


def feature(desk: Desk) -> str:
    """Feature listings, and the featured ones no longer."""
    chosen = desk.take(desk.site["listings"], 6)
    for entry in chosen:
        entry["is_featured"] = not entry["is_featured"]
    return f"feature or not {len(chosen)} listings"


def schedule(desk: Desk) -> str:
    """Set or move the beginning of listings."""
    chosen = desk.take(desk.site["listings"])
    for entry in chosen:
        entry["starts_at"] = f"2030-0{desk.dice.randint(1, 9)}-0{desk.dice.randint(1, 9)}"
    _fill_up(desk, "starts_at")
    return f"schedule {len(chosen)} listings"


def change_pictures(desk: Desk) -> str:
    """Give listings other pictures, or all pictures another host."""
    if desk.dice.random() < 0.2:
        host = f"cdn{desk.dice.randint(2, 99)}.example.org"
        for entry in desk.site["listings"]:
            entry["image_url"] = f"https://{host}/{entry['image_url'].rpartition('/')[2]}"
        return f"move all pictures to {host}"
    chosen = desk.take(desk.site["listings"])
    for entry in chosen:
        entry["image_url"] = desk.draw.picture()
    return f"change the pictures of {len(chosen)} listings"


def close(desk: Desk) -> str:
    """Close listings, or open closed ones again."""
    chosen = desk.take(desk.site["listings"], 4)
    for entry in chosen:
        entry["is_active"] = not entry["is_active"]
    return f"close or open {len(chosen)} listings"


def publish(desk: Desk) -> str:
    """Publish drafts: set the key, or remove it from a few."""
    is_removed = desk.dice.random() < 0.5
    drafts = [entry for entry in originals(desk.site, "articles") if entry.get("active") is False]
    drafts = desk.take(drafts, 3 if is_removed else 5)
    for entry in drafts:
        if is_removed:
            del entry["active"]
        else:
            entry["active"] = True
    return f"publish {len(drafts)} articles" if drafts else ""


def rename_licence(desk: Desk) -> str:
    """Write another name of a licence in all of its listings."""
    old = desk.dice.choice(sorted({entry["licence"] for entry in desk.site["listings"]}))
    having = desk.claim([entry for entry in desk.free(desk.site["listings"]) if entry["licence"] == old])
    new = desk.dice.choice([*(name for name in LICENCES if name != old), f"{LICENCES[0]} or later", "EUPL-1.2"])
    for entry in having:
        entry["licence"] = new
    return f"rename the licence {old} to {new} in {len(having)} listings"


ACTS: Acts = {  # with their weights
    write_entries: 6,
    edit_texts: 8,
    move_files: 2,
    note_renames: 2,
    rename_listings: 3,
    tag: 4,
    untag: 2,
    retire_tag: 1,
    move_to_category: 2,
    translate: 4,
    reorder_pages: 2,
    reorder_rows: 2,
    reorder_columns: 1,
    move_rows: 1,
    delete: 3,
    add_column: 2,
    fill_cells: 2,
    fix_spelling: 2,
    feature: 2,
    schedule: 2,
    change_pictures: 2,
    close: 2,
    publish: 2,
    rename_licence: 2,
}


def _with_text(site: Site) -> list[Entry]:
    found = [entry for folder in ("pages", "articles", "organizers", "listings") for entry in site[folder]]
    return [entry for entry in found if entry.get(_text_name(entry))]


def _text_name(entry: Entry) -> str:
    return next(name for name in _TEXTS if name in entry)


def _new_listing(desk: Desk) -> Entry:
    """Return a listing, in the table with a cell in each column."""
    entry = sites.listing(desk.draw, desk.dice.choice((TABLE, LIST)), desk.site)
    columns = rows(desk.site, TABLE)[0] if entry[FILE] == TABLE else entry
    return {name: entry.get(name, "") for name in columns}


def _fill_up(desk: Desk, name: str) -> None:
    """Give each row of the table a cell in a column."""
    table = rows(desk.site, TABLE)
    if any(name in entry for entry in table):
        for entry in table:
            entry.setdefault(name, "")


def _cell(desk: Desk, name: str) -> Any:
    number = desk.dice.randint(100, 999)
    return {
        "phone_number": f"+49 30 {number} {number}",
        "address": f"Workshop Street {number}",
        "video_url": f"https://video.example.org/{number}",
        "level": desk.dice.choice(("easy", "medium", "hard")),
    }.get(name, desk.draw.text(1))
