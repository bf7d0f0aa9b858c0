"""A folder with listings in every format, with values that spreadsheet programs convert."""

import json
import random
from pathlib import Path

CUSTOM_FIELDS = """\
- {label: Code, name: code, type: text}
- {label: Range, name: range, type: text}
- {label: Price, name: price, type: number}
- {label: Open, name: open, type: checkbox}
- {label: Size, name: size, type: select, options: [small, large, "1-2"]}
- {label: Day, name: day, type: date}
"""
NASTY = [
    "007", "1-2", "3/4", "12345678901234567890", "1e5", "1.000", "1,5", "=1+1", "=cmd|'/c calc'!A0", "+49 30 1234",
    "-5", "@mention", "'quoted", "TRUE", "Mar 26", "1 Mar", "2026-03-01", "12:30", "50 %", "$5", "🛠️ tools",
    "two\nlines", 'a "quoted" word', "a, b; c", "été", "#REF!", "  ", "0", "-", "NaN",
]  # fmt: skip


def make_folder(folder: Path, seed: int = 1, count: int = 40) -> Path:
    """Write the folder, and return it."""
    drawn = random.Random(seed)
    listings = [_listing(number, drawn) for number in range(count)]
    portions = [listings[start::4] for start in range(4)]
    (folder / "listings").mkdir(parents=True)
    (folder / "contentsync.toml").write_text("# all defaults\n", encoding="utf-8")
    (folder / "custom_fields.yaml").write_text(CUSTOM_FIELDS, encoding="utf-8")
    (folder / "categories.yaml").write_text("- title: Tools\n- title: Places\n", encoding="utf-8")
    (folder / "tags.yaml").write_text("- title: Old\n- title: New\n", encoding="utf-8")
    (folder / "listings/a.csv").write_text(_csv(portions[0]), encoding="utf-8")
    (folder / "listings/b.yaml").write_text(_yaml(portions[1]), encoding="utf-8")
    (folder / "listings/c.json").write_text(json.dumps(portions[2], indent=2, ensure_ascii=False) + "\n", "utf-8")
    (folder / "listings/d.toml").write_text(_toml(portions[3]), encoding="utf-8")
    return folder


def _listing(number: int, drawn: random.Random) -> dict[str, object]:
    listing: dict[str, object] = {
        "name": f"Listing {number}",
        "url": f"https://example.org/{number}",
        "categories": drawn.choice([["tools"], ["tools", "places"]]),
    }
    texts = [text for text in NASTY if text.strip() == text and text]
    for name in ("description", "code", "range"):
        if drawn.random() < 0.7:
            listing[name] = drawn.choice(texts)
    if drawn.random() < 0.5:
        listing["price"] = drawn.choice([0, 7, 1200.5, 0.1, -3])
    if drawn.random() < 0.5:
        listing["open"] = drawn.random() < 0.5
    if drawn.random() < 0.5:
        listing["size"] = drawn.choice(["small", "1-2"])
    if drawn.random() < 0.5:
        listing["day"] = "2026-03-01"
    if drawn.random() < 0.3:
        listing["is_featured"] = True
    return listing


def _csv(listings: list[dict[str, object]]) -> str:
    names = list(dict.fromkeys(name for listing in listings for name in listing))
    lines = [",".join(names)]
    lines += [",".join(_cell(listing.get(name, "")) for name in names) for listing in listings]
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    text = "|".join(value) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else str(value)
    return f'"{text.replace(chr(34), chr(34) * 2)}"'


def _yaml(listings: list[dict[str, object]]) -> str:
    lines = ["# A comment that stays\n"]
    for listing in listings:
        lines += [
            f"{'- ' if index == 0 else '  '}{name}: {json.dumps(value, ensure_ascii=False)}  # {name}\n"
            for index, (name, value) in enumerate(listing.items())
        ]
    return "".join(lines)


def _toml(listings: list[dict[str, object]]) -> str:
    lines = ["# A comment that stays\n"]
    for listing in listings:
        lines.append("\n[[listings]]\n")
        lines += [f"{name} = {json.dumps(value, ensure_ascii=False)}  # {name}\n" for name, value in listing.items()]
    return "".join(lines)
