"""The folder that a history begins with: documents, some translated, and listings in three files."""

import random
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from .content import FILE, LANGUAGE, LIST, TABLE, Entry, Site, key_of, originals

T = TypeVar("T")

FETCHED = "listings/prices.csv"
LICENCES = ("MIT", "GPL-3.0", "Apache-2.0", "CC BY 4.0")
TYPOS = ("recieve", "adress", "seperate", "Werkzeuch", "calender", "definately", "wich", "untill")

_TOPICS = ("wood", "metal", "garden", "kitchen", "textile", "paper", "stone", "bicycles")
_WORDS = """the a of and with for our your every old new shared open saw plane lathe chisel vise clamp drill bench rasp
gauge mallet workshop café Möbel crème library village evening members borrow return repair sharpen oil store teach
learn weekly spare key shelf Åsa Élodie naïve wooden heavy light quiet friendly""".split()  # noqa: SIM905
_SENTENCE = 9  # words


class Draw:
    """Draws the words of a site; no name is drawn twice.

    With a few `names`, entries get one of these as their key, and one of three texts, so that they are easily confused.
    """

    def __init__(self, dice: random.Random, names: tuple[str, ...] = ()) -> None:
        self.dice = dice
        self.names = names
        self._number = 0

    def name(self) -> str:
        """Return two words and a number, such as `oak drill 12`."""
        self._number += 1
        return f"{self.dice.choice(('oak', 'elm', 'ash', 'fir'))} {self.dice.choice(_TOPICS)} {self._number}"

    def key(self, taken: Collection[str]) -> str:
        """Return a key that is not taken; "" if there is none."""
        if not self.names:
            return slug(self.name())
        free = [name for name in self.names if name not in taken]
        return self.dice.choice(free) if free else ""

    def text(self, sentences: int) -> str:
        """Return sentences, each on a line of its own; some have a typo."""
        if self.names:
            return self.dice.choice(("One", "Two", "Three"))
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

    def value(self, values: st.SearchStrategy[T]) -> T:
        """Return one of the values that Hypothesis draws, of which the first one is always the simplest."""
        drawn: list[T] = []

        @seed(self.dice.getrandbits(64))
        @settings(
            max_examples=2,
            phases=[Phase.generate],
            database=None,
            deadline=None,
            suppress_health_check=[*HealthCheck],
        )
        @given(values)
        def draw(value: T) -> None:
            drawn.append(value)

        draw()
        return drawn[-1]

    def _sentence(self) -> str:
        words = self.dice.choices(_WORDS, k=_SENTENCE)
        if self.dice.random() < 0.03:
            words[self.dice.randrange(_SENTENCE)] = self.dice.choice(TYPOS)
        return f"{' '.join(words).capitalize()}{self.dice.choice('....?!')}"


def slug(name: str) -> str:
    """Return a name as a slug and as the name of a file."""
    return name.lower().replace(" ", "-")


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
        "organizers": [key_of(dice.choice(originals(site, "organizers")), "organizers")] if dice.random() < 0.4 else [],
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


def count(site: Site) -> int:
    """Return the number of entries."""
    return sum(len(originals(site, folder)) for folder in site)
