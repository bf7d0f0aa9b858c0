"""The content folders that are measured: each is made once, outside the repository, and used again."""

import csv
import hashlib
import json
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .measurement import bench_dir

# fmt: off
_WORDS = (
    "alpha", "beta", "gamma", "delta", "light", "bench", "shelf", "tool", "craft", "maker", "wood", "steel", "paper",
    "ink", "press", "guide", "story", "people", "place", "work",
)
# fmt: on
_CONFIG = '[site]\nname = "Bench"\nlocales = ["en"]\n'
_HUGO = 'baseURL = "https://example.org/"\ncontentDir = "articles"\n'
_TYPES = {"latitude": "number", "longitude": "number", "is_featured": "boolean"}
_FORMATS = {"url": "uri", "email": "email"}
_RULES = {
    "name": {"required": True, "maxLength": 255},
    "slug": {"unique": True, "pattern": "[a-z0-9-]{1,255}"},
    "url": {"unique": True},
    "latitude": {"minimum": -90, "maximum": 90},
    "longitude": {"minimum": -180, "maximum": 180},
}
_PER_FOLDER = 1_000
_SETTLED = 4  # seconds after which neither git nor we doubt the times of files
_LINKED = 10  # one body of so many holds a link, where links are asked for
_PERMALINK = '[content.articles]\npermalink = "/news/:year/:month/:slug/"\n'
_LINKS = (  # to the post of a number
    "[another](/blog/post-{0}/)",
    "[another](/news/2026/01/post-{0}/)",
    "[another](../{1:03d}/post-{0:06d}.md)",
    '[another]({{{{< ref "post-{0:06d}.md" >}}}})',
    "[[post-{0:06d}|another]]",
)


def articles(count: int, *, linked: bool = False) -> Path:
    """Markdown files with 14 front matter keys and 2 KB bodies, which Hugo reads too.

    With `linked`, they had other addresses before, and one in ten has a link, in each of the common forms.
    """

    def make(root: Path) -> None:
        (root / "hugo.toml").write_text(_HUGO)
        if linked:
            (root / "contentsync.toml").write_text(_CONFIG + _PERMALINK)
        chance = random.Random(1)  # noqa: S311  # not for secrets
        for number in range(count):
            folder = root / "articles" / f"{number // _PER_FOLDER:03d}"
            folder.mkdir(parents=True, exist_ok=True)
            text = _article(number, chance)
            if linked and number % _LINKED == 0:
                other = count - 1 - number
                link = _LINKS[number // _LINKED % len(_LINKS)].format(other, other // _PER_FOLDER)
                text += f"\nSee {link}.\n"
            (folder / f"post-{number:06d}.md").write_text(text)

    return _made(f"articles-{count}{'-linked' if linked else ''}", make)


def repository(count: int) -> Path:
    """The same articles, all committed to a git repository."""

    def make(root: Path) -> None:
        shutil.copytree(articles(count), root, dirs_exist_ok=True)
        (root / ".gitignore").write_text(".contentsync/\n")
        for arguments in (
            ("init", "--quiet"),
            ("add", "."),
            ("-c", "user.name=Bench", "-c", "user.email=bench@example.org", "commit", "--quiet", "--message", "All"),
            ("repack", "-a", "-d", "--quiet"),
        ):
            subprocess.run(["git", "-C", str(root), *arguments], check=True)  # noqa: S607  # the git that a user has
        time.sleep(_SETTLED)

    return _made(f"repository-{count}", make)


def listings_csv(count: int, *, unknown: int = 0) -> Path:
    """One table of listings, with so many columns that no listing has, and a schema of its columns for Frictionless."""

    def make(root: Path) -> None:
        _referred(root)
        more = {f"unknown_{number}": "text" for number in range(unknown)}
        with (root / "listings" / "all.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, [*next(_listings(1)), *more])
            writer.writeheader()
            writer.writerows(listing | more for listing in _listings(count))
        (root / "schema.json").write_text(json.dumps({"fields": _schema()}))

    return _made(f"csv-{count}{f'-unknown-{unknown}' if unknown else ''}", make)


def listings_yaml(count: int) -> Path:
    """The same listings as one YAML list."""

    def make(root: Path) -> None:
        _referred(root)
        with (root / "listings" / "all.yaml").open("w") as file:
            for listing in _listings(count):
                lists = {name: listing[name].split("|") for name in ("categories", "tags")}
                for place, (name, value) in enumerate((listing | lists).items()):
                    file.write(f"{'  ' if place else '- '}{name}: {json.dumps(value)}\n")

    return _made(f"yaml-{count}", make)


def forget_cache(root: Path) -> None:
    """Let the next run be the first."""
    shutil.rmtree(root / ".contentsync", ignore_errors=True)


def _made(name: str, make: Callable[[Path], None]) -> Path:
    """The tree of that name, made now if this recipe has not made it yet."""
    home = bench_dir()
    recipe = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]
    tree = home / f"{name}-{recipe}"
    if not tree.exists():
        unfinished = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=home))
        (unfinished / "contentsync.toml").write_text(_CONFIG)
        make(unfinished)
        unfinished.chmod(0o755)
        unfinished.rename(tree)
    return tree


def _article(number: int, chance: random.Random) -> str:
    def some(count: int) -> str:
        return " ".join(chance.choices(_WORDS, k=count))

    body = "\n\n".join(f"## {some(3)}\n\n{some(70)}" for _ in range(4))
    return f"""---
title: "{some(4).title()} {number}"
slug: post-{number}
published_at: 2026-01-{number % 28 + 1:02d} 09:30
active: true
thumbnail_url: https://cdn.example.org/img/{number}.jpg
thumbnail_alt_text: {some(5)}
categories: [{some(1)}, {some(1)}x]
seo:
  title: {some(5)}
  description: {some(14)}
  keywords: {some(3)}
  og_title: {some(4)}
  og_description: {some(10)}
  og_image: https://cdn.example.org/og/{number}.png
---

{body}
"""


def _referred(root: Path) -> None:
    """What the listings refer to."""
    (root / "listings").mkdir()
    for name in ("categories", "tags"):
        (root / f"{name}.yaml").write_text("".join(f"- slug: {word}\n  title: {word.title()}\n" for word in _WORDS))


def _schema() -> list[dict[str, Any]]:
    """The columns of the listings, with the rules that Frictionless can check too."""
    return [
        {
            "name": name,
            "type": _TYPES.get(name, "string"),
            "format": _FORMATS.get(name, "default"),
            "constraints": _RULES.get(name, {}),
        }
        for name in next(_listings(1))
    ]


def _listings(count: int) -> Iterator[dict[str, str]]:
    chance = random.Random(1)  # noqa: S311  # not for secrets
    for number in range(count):
        yield {
            "name": f"{chance.choice(_WORDS).title()} {number}",
            "slug": f"listing-{number}",
            "url": f"https://{number}.example.org/",
            "description": " ".join(chance.choices(_WORDS, k=8)),
            "email": f"hello@{number}.example.org",
            "phone_number": f"+44 20 {number:08d}",
            "address": f"{number} {chance.choice(_WORDS).title()} Street",
            "latitude": f"{chance.uniform(-90, 90):.4f}",
            "longitude": f"{chance.uniform(-180, 180):.4f}",
            "is_featured": chance.choice(("true", "false")),
            "categories": "|".join(chance.sample(_WORDS, 2)),
            "tags": chance.choice(_WORDS),
        }
