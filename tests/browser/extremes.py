"""A directory with extreme content: long words, other scripts, hundreds of tags."""

from .sites import Site

LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2
CHINESE = "小型圖書館與社區工坊的開放工具目錄，由志工每年逐一試用並更新。"  # no spaces to break at
ARABIC = "دليل للأدوات المفتوحة والورش المفتوحة في المكتبات الصغيرة"
URL = "https://example.org/" + "a-very-long-path-without-a-place-to-break" * 6

TABLE = (
    "| "
    + " | ".join(f"Column {n}" for n in range(1, 13))
    + " |\n|"
    + "---|" * 12
    + "\n"
    + ("| value " * 12 + "|\n") * 3
)

BODY = f"""
A link that is its own address: <{URL}>

## {LONG_WORD}

{CHINESE * 5}

{ARABIC}

{TABLE}

```
{"no-place-to-break-" * 12}
```

![A picture that never loads, described at length because nobody can see it](https://example.org/picture.png)

> {LONG_WORD}

1. One
   - Two
     1. Three
        - {LONG_WORD}
"""


def fill(site: Site) -> Site:
    """Return a site with every kind of extreme content."""
    tags = [site.make("tags", title=f"Tag number {n}")["id"] for n in range(60)]
    above: int | None = None
    for depth in range(6):
        above = site.make(
            "categories", title=f"Level {depth}: {LONG_WORD[:40]}", slug=f"level-{depth}", parent_id=above, icon="🪵"
        )["id"]
    site.make(
        "projects", name=LONG_WORD, description=LONG_WORD, tags=tags, categories=[above], content=BODY, slug="long"
    )
    site.make("projects", name=CHINESE, description=CHINESE * 4, url=URL, slug="chinese")
    site.make("projects", name=ARABIC, description=ARABIC * 3, address=ARABIC, slug="arabic")
    site.make("projects", name="A", slug="bare")
    site.make("projects", name="🪵", slug="emoji", logo_url="https://example.org/logo.png")
    site.make("articles", title=LONG_WORD, markdown=BODY, slug="long", categories=[LONG_WORD[:100], CHINESE])
    site.make("organizers", name=LONG_WORD, description=ARABIC, content=BODY, slug="long", website_url=URL)
    for number in range(12):
        for placement in ("navbar", "sidebar", "footer"):
            site.make(
                "pages", title=f"{placement} {number} {LONG_WORD[: number * 8]}", markdown=BODY, placement=placement
            )
    return site
