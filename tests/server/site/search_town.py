"""A directory with a few hundred listings whose names are real words, for searches."""

from collections.abc import Iterator
from typing import Any

CATEGORIES = ("Cafés", "Tools", "Conferences", "Software", "Shops")
TAGS = ("Wheelchair access", "Open late", "Volunteers wanted", "Straight from the farm", "e-mail newsletter")
ORGANIZERS = ("Guild of Coopers", "Quayside Traders", "St. Brannock's Trust")
ARTICLES = ("How the ropewalk was saved", "Twelve months of marmalade")
PAGES = ("Parking and ferries", "Imprint")
MOTTO = {"label": "Motto", "name": "motto", "type": "text"}

# Names that are hard to find: marks, accents, and letters of other alphabets.
NAMES = {
    "Software": (
        *("C", "C++", "C#", "F#", ".NET", "Node.js", "NodeJS Meetup", "Node JS Workshop", "Vue.js", "ASP.NET Clinic"),
        *("E-mail Clinic", "Email Garden", "Wi-Fi Finder", "A/B Testing Kit", "TCP/IP Primer", "24/7 Laundry Timer"),
        *("Rock'n'Roll Jukebox", "Q&A Evening", "Jack-of-all-trades", "3D Printer Queue", "x-ray viewer", "R", "Go"),
        *("OCaml Nights", "Haskell Reading Group", "PostgreSQL Breakfast", "SQLite Tea Time", "Kubernetes for Cats"),
    ),
    "Cafés": (
        *("Espresso", "Café Central", "Cafe Müller", "Crêperie Bretonne", "Jalapeño Joe", "Smörgåsbord", "Phở Hà Nội"),
        *("O'Reilly's Kitchen", "Zum Weißen Rössl", "Straßencafé am Markt", "Bäckerei Groß", "Kapalıçarşı Kahvesi"),
        *("Işık Lokantası", "İstanbul Sofrası", "Æbleskiver House", "Łódź Pierogi", "Ålesund Fiskebar"),
        *("Ταβέρνα Αθήνα", "Ресторан Волга", "東京カフェ", "北京书店", "서울 커피", "さくら喫茶"),
        *(
            "مقهى القاهرة",
            "קפה תל אביב",
            "Kaffee & Kuchen",
            "Salt & Pepper",
            "The Blue Door",
            "Señor Ibáñez",
            "Dvořák's Piano Bar",
        ),
    ),
    "Shops": (
        *(
            "Marmalade Cat Bookshop",
            "Thimble and Thread",
            "The Umbrella Hospital",
            "Candlemaker's Attic",
            "Gooseberry Farm",
        ),
        *(
            "Ropewalk Antiques",
            "Quarterdeck Chandlery",
            "Peppercorn Grocery",
            "Second-hand Typewriters",
            "Lost Property",
        ),
        *("Haberdashery Lane", "Wheelwright & Daughters", "Tinsmith's Yard", "Bluebell Seeds", "Cartographer's Corner"),
    ),
}

_ADJECTIVES = (
    *("copper", "velvet", "crooked", "silent", "amber", "northern", "rusty", "golden", "floating", "hidden", "paper"),
    *("scarlet", "wooden", "marble", "winter", "sunny", "gentle", "hollow"),
)
_THINGS = (
    *("kettle", "lantern", "anchor", "teapot", "orchard", "chimney", "lighthouse", "pelican", "umbrella", "bicycle"),
    *("staircase", "compass", "feather", "harbour", "garden"),
)
_TOOLS = (
    *("hammer", "chisel", "spanner", "lathe", "bandsaw", "workbench", "micrometer", "screwdriver", "clamp", "anvil"),
    *("ladder", "wheelbarrow"),
)
_CITIES = (
    *("Bristol", "Leicester", "Gothenburg", "Valencia", "Rotterdam", "Lisbon", "Antwerp", "Salzburg", "Tallinn"),
    *("Ljubljana", "Edinburgh"),
)
_SUBJECTS = (
    *("gardening", "typography", "accessibility", "bookbinding", "astronomy", "cartography", "robotics", "beekeeping"),
    *("photography", "weaving", "pottery", "linguistics"),
)
_CAKES = ("apple cake", "gingerbread", "almond tart", "plum crumble", "carrot cake", "shortbread", "rhubarb pie")


def listings() -> Iterator[dict[str, Any]]:
    """Yield listings from the oldest to the newest; `category` is a title."""
    yield from map(_cafe, range(110))
    yield from map(_tool, range(90))
    yield from map(_conference, range(80))
    for category, names in NAMES.items():
        for number, name in enumerate(names):
            body = "Ring the bell twice." if number % 2 else "Cash only, dogs welcome."
            yield {
                "name": name,
                "description": f"Entry {number + 1} of our list.",
                "content": body,
                "category": category,
            }


def _cafe(number: int) -> dict[str, Any]:
    adjective, thing = _ADJECTIVES[number % 18], _THINGS[(number + number // 90) % 15]
    cake, motto = _CAKES[number % 7], ("Slow is smooth" if number % 10 == 3 else None)
    return {
        "name": f"The {adjective} {thing}".title(),
        "description": f"Espresso, {cake} and newspapers.",
        "content": f"The room was a {_SUBJECTS[number % 12]} studio. A {_TOOLS[number % 11]} hangs above the counter.",
        "category": "Cafés",
        "tags": [TAGS[number % 4]] if number % 3 == 0 else [],
        "organizer": ORGANIZERS[number % 2] if number % 8 == 0 else None,
        "is_featured": number % 40 == 7,
        "motto": motto,
    }


def _tool(number: int) -> dict[str, Any]:
    adjective, tool = _ADJECTIVES[(number * 5) % 18], _TOOLS[(number + number // 36) % 12]
    return {
        "name": f"{adjective} {tool}".capitalize(),
        "description": f"For {_SUBJECTS[number % 12]}, lent by the week.",
        "content": f"Ask at the counter of the {_ADJECTIVES[number % 18]} {_THINGS[number % 15]}.",
        "category": "Tools",
        "tags": [TAGS[2]] if number % 9 == 0 else [],
    }


def _conference(number: int) -> dict[str, Any]:
    city, subject = _CITIES[number % 11], _SUBJECTS[number % 12]
    return {
        "name": f"{city} {subject} conference".title(),
        "description": f"Three days of talks about {subject} and {_SUBJECTS[(number + 5) % 12]}.",
        "content": f"Lunch is {_CAKES[number % 7]}. There is a quiet room, and a {_TOOLS[number % 12]} raffle.",
        "category": "Conferences",
        "organizer": ORGANIZERS[2] if number % 20 == 4 else None,
    }
