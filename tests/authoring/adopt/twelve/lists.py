"""A vault of Obsidian, tables in six languages, and articles in 28 languages."""

import json

from contentsync.model import Kind

from .blogs import MENU
from .shape import Shape, day, in_files, sentence, slug, text, title
from .sites import COLOURS, OPENAPI

LANGUAGES = ("en de FR es it nl pt-BR pl cs sk sl hr hu ro bg el tr uk sv da nb fi et lv lt fil zh-Hans ja").split()  # noqa: SIM905  # FR: as some write it

# The headers of shops: name, address of the site, description, category, tags, town, phone number.
HEADERS = {
    "laeden": "Bezeichnung Webseite Beschreibung Kategorie Schlagwörter Ort Telefon",
    "boutiques": "Nom Siteweb Description Catégorie Étiquettes Ville Téléphone",
    "tiendas": "Nombre Sitioweb Descripción Categoría Etiquetas Ciudad Teléfono",
    "negozi": "Nome Sitoweb Descrizione Categoria Etichette Città Telefono",
    "winkels": "Naam Website Omschrijving Categorie Trefwoorden Plaats Telefoon",
    "lojas": "Nome Site Descrição Categoria Etiquetas Cidade Telefone",
}


def obsidian_vault(size: int) -> Shape:
    """Return notes without titles in several folders and at the top, with other names as aliases, and a journal."""
    shape = Shape()
    shape.add(".obsidian/app.json", json.dumps({"userIgnoreFilters": ["Templates/"]}))
    shape.entry(Kind.PAGE, "Welcome.md", "Welcome", "tags: [start]", text(0))
    shape.add("README.md", "# Vault\n")
    folders = ("Garden", "Garden", "Garden", "Tools", "People")
    for number in range(size - size // 5 - 1):
        front = f"tags: [{('soil', 'seed')[number % 2]}]"
        front += f"\naliases:\n  - {title(number + 700)}" if number % 4 == 0 else ""
        front += "\npublish: false" if number % 16 == 9 else ""
        path = f"{folders[number % 5]}/{title(number)}.md"
        body = f"{text(number)}\nSee [[{title(number - number % 5)}]].\n"
        shape.entry(Kind.PAGE, path, title(number), front if number % 7 else "", body)
    for number in range(size // 5):
        front = f"date: {day(number)}\nmood: {('bright', 'grey', 'calm')[number % 3]}"
        shape.entry(Kind.ARTICLE, f"Journal/{day(number)}.md", f"{day(number)}", front, text(number))
    for name in ("Note", "Person"):
        shape.hidden(f"Templates/{name}.md", "tags: []\ndate: '{{date}}'", "")
    return shape


def shop_tables(size: int) -> Shape:
    """Return lists of shops as spreadsheets save them, one with a row of sums, beside lists of other things."""
    shape = Shape(filled={Kind.LISTING: {"url", "description", "categories", "tags", "phone_number"}})
    shape.add("README.md", "# Shops\n")
    shape.add("package.json", '{"name": "shops", "version": "1.0.0"}\n')
    shape.add("openapi.yaml", OPENAPI)
    shape.add("shops/colours.yml", COLOURS)
    shape.add("shops/menu.yml", MENU)
    count = size // len(HEADERS)
    for index, (table, header) in enumerate(HEADERS.items()):
        rows = [_shop(index * count + row, row) for row in range(count)]
        names = [row[0] for row in rows]
        columns = header.split()
        if table == "laeden":
            columns += ["Umsatz", "Miete"]
            rows = [[*row, f"1.{200 + number % 60}", f"{150 + number % 40},00"] for number, row in enumerate(rows)]
            sales, rent = sum(1200 + row % 60 for row in range(count)), sum(150 + row % 40 for row in range(count))
            shape.sums |= {"umsatz": sales, "miete": rent}
            rows.append(["Summe", *[""] * 6, f"{sales:,}".replace(",", "."), f"{rent:,}".replace(",", ".") + ",00"])
        source = "".join(";".join(cells) + "\r\n" for cells in (columns, *rows))
        shape.list_of(Kind.LISTING, f"shops/{table}.csv", names, source)
    shape.edits += [in_files("shops/*.csv", ";//", ";https://"), in_files("shops/*.csv", r";www\.", ";https://www.")]
    return shape


def _shop(number: int, row: int) -> list[str]:
    """Return a row. Each tenth shop is a branch of the one above it: with its name, in another town."""
    of_shop = number - 1 if row % 10 == 5 else number
    towns = ("graz", "lyon", "gent", "porto", "parma")
    address = f"{slug(of_shop)}.example.org/{towns[number % 5]}"
    before = ("//", "www.")[number // 8 % 2] if number % 8 == 0 else "https://"
    return [
        title(of_shop), before + address, sentence(number),
        ("Bread", "Books", "Tools")[of_shop % 3], ("corner, late", "corner", "late, garden")[of_shop % 3],
        towns[number % 5].title(), f"+43 316 {10_000 + number}",
    ]  # fmt: skip


def many_languages(size: int) -> Shape:
    """Return articles with a folder for each of 28 languages, most of them translated, and pages with suffixes."""
    shape = Shape()
    shape.add("README.md", "# Stories\n")
    for number in range(size):
        shape.entry(Kind.ARTICLE, f"stories/en/{slug(number)}.md", title(number), _story(number), text(number))
        for index, language in enumerate(LANGUAGES[1:]):
            if (number + index) % 9:
                front = _story(number, f"[{language}] ")
                shape.translation(f"stories/{language}/{slug(number)}.md", front, text(number))
    for number, name in enumerate(("about", "contributing", "contact")):
        shape.entry(Kind.PAGE, f"help/{name}.md", name.title(), f"title: {name.title()}", text(number))
        for language in ("de", "FR", "zh-Hans"):
            translated = f"{name.title()} [{language}]"
            shape.entry(Kind.PAGE, f"help/{name}.{language}.md", translated, f"title: {translated}", text(number))
    return shape


def _story(number: int, prefix: str = "") -> str:
    return f"title: '{prefix}{title(number)}'\ndate: {day(number)}\ndescription: '{prefix}{sentence(number)}'"
