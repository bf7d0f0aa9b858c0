"""The content folder of an ordinary history: documents, some translated, and listings in three files."""

import csv
import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import yaml12
from ..properties import file_formats
from ..properties.file_formats import yaml_list
from . import content
from .content import DOCUMENTS, FILE, Entry, Site

FETCHED, TABLE, LIST = "listings/prices.csv", "listings/tools.csv", "listings/places.yaml"
LANGUAGE = ".fr"  # ends the name of a file with translations
LICENCES = ("MIT", "GPL-3.0", "Apache-2.0", "CC BY 4.0")
LISTS = ("categories", "tags", "organizers")  # columns with several values
TYPOS = ("recieve", "adress", "seperate", "Werkzeuch", "calender", "definately", "wich", "untill")

_YAML_FILES = {name: f"{name}.yaml" for name in ("categories", "tags", "custom_fields")}
_TOPICS = ("wood", "metal", "garden", "kitchen", "textile", "paper", "stone", "bicycles")
_WORDS = """the a of and with for our your every old new shared open saw plane lathe chisel vise clamp drill bench rasp
gauge mallet workshop café Möbel crème library village evening members borrow return repair sharpen oil store teach
learn weekly spare key shelf Åsa Élodie naïve wooden heavy light quiet friendly""".split()  # noqa: SIM905
_SENTENCE = 9  # words

_CONFIG = """[site]
name = "Ordinary"
locales = ["en", "fr"]

[sources.prices]
url = "{feed}"
file = "{fetched}"

[targets.site]
url = "embedded:.contentsync/site.db"
prune = true
"""


class Draw:
    """Draws the words of a site; no name is drawn twice."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self._number = 0

    def name(self) -> str:
        """Return two words and a number, such as `oak drill 12`."""
        self._number += 1
        return f"{self.dice.choice(('oak', 'elm', 'ash', 'fir'))} {self.dice.choice(_TOPICS)} {self._number}"

    def text(self, sentences: int) -> str:
        """Return sentences, each on a line of its own; some have a typo."""
        return "\n".join(self._sentence() for _ in range(sentences))

    def price(self) -> str:
        """Return a price."""
        return f"{self.dice.randint(2, 900)}.{self.dice.choice(('00', '50', '90', '95'))}"

    def picture(self) -> str:
        """Return the address of a picture."""
        return f"https://img.example.org/{slug(self.name())}.jpg"

    def some(self, entries: list[Any], most: int = 10) -> list[Any]:
        """Return a few of the entries, mostly one to four."""
        number = self.dice.choice((1, 1, 1, 2, 2, 3, 3, 4, 5, 7, 10))
        return self.dice.sample(entries, min(number, most, len(entries)))

    def _sentence(self) -> str:
        words = self.dice.choices(_WORDS, k=_SENTENCE)
        if self.dice.random() < 0.03:
            words[self.dice.randrange(_SENTENCE)] = self.dice.choice(TYPOS)
        return f"{' '.join(words).capitalize()}{self.dice.choice('....?!')}"


def slug(name: str) -> str:
    """Return a name as a slug and as the name of a file."""
    return name.lower().replace(" ", "-")


def config(feed: str) -> str:
    """Return the config of a site with a source at an address."""
    return _CONFIG.format(feed=feed, fetched=FETCHED)


def first(draw: Draw, scale: float) -> Site:
    """Return a site; with a scale of 1 it has 40 listings beside the fetched ones, and 30 pages."""

    def times(number: int, make: Callable[[], Entry]) -> list[Entry]:
        return [make() for _ in range(max(3, round(number * scale)))]

    site: Site = {
        "categories": [{"slug": topic, "title": topic.title()} for topic in _TOPICS[:5]],
        "tags": [{"slug": topic, "title": topic.title(), "color": "#aa0000"} for topic in _TOPICS],
        "custom_fields": [
            {"name": "price", "label": "Price", "type": "number"},
            {"name": "licence", "label": "Licence", "type": "text"},
        ],
    }
    site["organizers"] = times(5, lambda: organizer(draw))
    site["listings"] = times(28, lambda: listing(draw, TABLE, site)) + times(12, lambda: listing(draw, LIST, site))
    site["pages"] = times(30, lambda: page(draw))
    for number, entry in enumerate(site["pages"]):
        entry["order"] = number
        if number:  # a link that follows a rename
            target = site["pages"][number - 1][FILE]
            entry["body"] += f"\nSee [more](/pages/{target}/)."
    site["articles"] = times(12, lambda: article(draw))
    for folder in ("articles", "organizers"):
        for entry in draw.dice.sample(site[folder], len(site[folder]) // 2):
            site[folder].append(translation(draw, folder, entry))
    return site


def page(draw: Draw) -> Entry:
    """Return a new page."""
    name = draw.name()
    return {FILE: slug(name), "title": name.title(), "order": 50, "body": draw.text(6)}


def article(draw: Draw) -> Entry:
    """Return a new article, some of which are drafts."""
    name = draw.name()
    more = {"active": False} if draw.dice.random() < 0.2 else {}
    return {FILE: slug(name), "title": name.title(), "published_at": "2026-01-01", **more, "body": draw.text(8)}


def organizer(draw: Draw) -> Entry:
    """Return a new organizer."""
    name = draw.name()
    return {FILE: slug(name), "name": name.title(), "description": draw.text(1), "body": draw.text(3)}


def listing(draw: Draw, file: str, site: Site) -> Entry:
    """Return a new listing of a file that authors write."""
    name, dice = draw.name(), draw.dice
    return {
        FILE: file,
        "name": name.title(),
        "url": f"https://{slug(name)}.example.org/",
        "slug": slug(name),
        "description": draw.text(1),
        "licence": dice.choice(LICENCES),
        "image_url": draw.picture(),
        "categories": [dice.choice(site["categories"])["slug"]],
        "tags": [tag["slug"] for tag in dice.sample(site["tags"], dice.randint(0, 2))],
        "organizers": [dice.choice(originals(site, "organizers"))[FILE]] if dice.random() < 0.4 else [],
        "is_featured": False,
        "is_active": dice.random() < 0.9,
    }


def offer(draw: Draw) -> Entry:
    """Return a new listing of the feed."""
    name = draw.name()
    return {
        "name": name.title(),
        "url": f"https://{slug(name)}.example.com/",
        "description": draw.text(1),
        "price": draw.price(),
    }


def translation(draw: Draw, folder: str, entry: Entry) -> Entry:
    """Return a translation of an article or an organizer."""
    title = "name" if folder == "organizers" else "title"
    return {FILE: entry[FILE] + LANGUAGE, title: f"{entry[title]} (fr)", "body": draw.text(3)}


def originals(site: Site, folder: str) -> list[Entry]:
    """Return the entries of a folder without the translations."""
    return [entry for entry in site[folder] if not entry.get(FILE, "").endswith(LANGUAGE)]


def count(site: Site) -> int:
    """Return the number of entries."""
    return sum(len(originals(site, folder)) for folder in site)


def rows(site: Site, file: str) -> list[Entry]:
    """Return the listings of a file."""
    return [entry for entry in site["listings"] if entry[FILE] == file]


def table(entries: list[Entry]) -> str:
    """Return a table with a column for each field."""
    return file_formats.TABLES["commas.csv"]([_without_file(entry) for entry in entries])


def read(root: Path) -> Site:
    """Return what the authors' files contain, also those that `mv` has edited."""
    site: Site = {name: yaml12.read((root / file).read_text(encoding="utf-8")) for name, file in _YAML_FILES.items()}
    lines = csv.DictReader(io.StringIO((root / TABLE).read_text(encoding="utf-8")))
    site["listings"] = [{FILE: TABLE, **{name: _cell(name, text) for name, text in row.items()}} for row in lines]
    site["listings"] += [{FILE: LIST, **row} for row in yaml12.read((root / LIST).read_text(encoding="utf-8"))]
    return site | {folder: content.read_documents(root / folder) for folder in DOCUMENTS}


def write(site: Site, root: Path) -> None:
    """Make the authors' files contain exactly this."""
    texts = {file: yaml_list(site[name]) for name, file in _YAML_FILES.items()}
    texts[TABLE], texts[LIST] = table(rows(site, TABLE)), yaml_list(map(_without_file, rows(site, LIST)))
    for file, text in texts.items():
        (root / file).parent.mkdir(exist_ok=True)
        (root / file).write_text(text, encoding="utf-8")
    for folder in DOCUMENTS:
        content.write_documents(site[folder], root / folder)


def _cell(name: str, text: str) -> Any:
    if name in LISTS:
        return text.split("|") if text else []
    return {"true": True, "false": False}.get(text, text)


def _without_file(entry: Entry) -> Entry:
    return {name: value for name, value in entry.items() if name != FILE}
