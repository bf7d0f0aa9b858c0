"""Draws the pictures of content-example, as small SVG files: `python -m scripts.demo_pictures`."""

from collections.abc import Callable, Mapping
from pathlib import Path

MEDIA = Path(__file__).parent.parent / "content-example/media"

INK, PAPER, SAND, WOOD, DARK_WOOD = "#1f2d3a", "#fbf6ea", "#e9dcc3", "#c08a52", "#8a5a2f"
TEAL, DEEP, SKY, LEAF, MOSS = "#0f766e", "#14455c", "#bcdcea", "#8fb573", "#4f7a45"
SUN, RED, ROSE, STONE, STEEL = "#f2b544", "#c44536", "#e7a39a", "#b9b4a8", "#7d8b97"


def rect(x: float, y: float, width: float, height: float, fill: str, radius: float = 0) -> str:
    """Draw a rectangle."""
    corners = f' rx="{radius:g}"' if radius else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{corners} fill="{fill}"/>'


def disc(x: float, y: float, radius: float, fill: str) -> str:
    """Draw a disc."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"/>'


def shape(path: str, fill: str) -> str:
    """Draw a filled path."""
    return f'<path d="{path}" fill="{fill}"/>'


def line(path: str, colour: str, width: float = 6) -> str:
    """Draw a line along a path."""
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"'
        ' stroke-linecap="round" stroke-linejoin="round"/>'
    )


def books(x: float, base: float, colours: str, *, height: float = 90, width: float = 26) -> str:
    """Draw a row of books; each letter of `colours` is the colour of one."""
    palette = {"t": TEAL, "d": DEEP, "s": SUN, "r": RED, "l": LEAF, "m": MOSS, "p": PAPER, "w": WOOD}
    drawn = []
    for index, letter in enumerate(colours):
        tall = height - (index * 37 % 5) * height / 14
        left = x + index * (width + 2)
        drawn += [
            rect(left, base - tall, width, tall, palette[letter], 2),
            rect(left, base - tall * 0.8, width, 4, PAPER if letter != "p" else STONE),
        ]
    return "".join(drawn)


def people(y: float, number: int, colour: str, step: float = 120) -> str:
    """Draw a row of people from behind."""
    return "".join(
        disc(60 + index * step, y + index * 29 % 17, 34, colour)
        + shape(f"M{index * step} 450q0-{450 - y - 40} 60-{450 - y - 40}t60 {450 - y - 40}z", colour)
        for index in range(number)
    )


def card_drawers() -> str:
    """Draw an oak cabinet with card drawers, one of them open, beside a laptop."""
    drawers = "".join(
        rect(90 + column * 110, 70 + row * 82, 98, 70, WOOD, 4)
        + rect(122 + column * 110, 92 + row * 82, 34, 14, PAPER, 2)
        + disc(139 + column * 110, 120 + row * 82, 6, SUN)
        for column in range(3)
        for row in range(4)
    )
    opened = rect(300, 236, 118, 84, DARK_WOOD, 4) + rect(312, 214, 94, 40, PAPER) + rect(306, 252, 106, 62, WOOD, 4)
    laptop = rect(530, 250, 190, 118, INK, 8) + rect(540, 260, 170, 98, SKY) + rect(506, 368, 238, 16, STEEL, 8)
    rows = "".join(rect(556, 276 + index * 20, 90 + index * 17 % 40, 8, DEEP, 4) for index in range(4))
    return rect(78, 56, 350, 350, DARK_WOOD, 8) + drawers + opened + rect(0, 384, 800, 66, STONE) + laptop + rows


def laser_trailer() -> str:
    """Draw a laser cutter, strapped to a trailer under a green tarpaulin."""
    hills = shape("M0 330q150-120 330-40t280-60 190 60v160H0z", LEAF)
    load = shape("M230 300V170q0-30 30-34h250q34 4 40 40l14 124z", MOSS) + line("M320 138v162M450 138v162", SAND, 8)
    wheels = disc(320, 352, 40, INK) + disc(320, 352, 18, STONE) + disc(470, 352, 40, INK) + disc(470, 352, 18, STONE)
    return hills + rect(0, 380, 800, 70, STONE) + load + line("M200 312h390l120 26", INK, 14) + wheels


def tools_on_board() -> str:
    """Draw a pegboard with painted outlines of tools, two of them empty."""
    holes = "".join(disc(70 + x * 44, 60 + y * 44, 3, DARK_WOOD) for x in range(16) for y in range(8))
    hammer = rect(150, 140, 20, 180, DARK_WOOD, 8) + rect(115, 120, 90, 42, STEEL, 6)
    saw = shape("M270 150l190 30-10 40-180 40z", STEEL) + rect(450, 150, 60, 80, DARK_WOOD, 16)
    empty = line("M580 130v190M560 130h40", PAPER, 10) + line("M660 300a40 40 0 1 1 60 0l-12 40h-36z", PAPER, 8)
    return rect(40, 30, 720, 390, WOOD, 10) + holes + hammer + saw + line("M300 300h160M300 330h120", INK, 12) + empty


def toaster() -> str:
    """Draw a toaster without its cover on a folded towel, with a row of screws."""
    towel = shape("M120 330h560l40 70H80z", SKY) + line("M110 362h580", PAPER, 8)
    body = rect(240, 150, 320, 190, STEEL, 26) + rect(270, 180, 260, 130, INK, 8)
    wires = "".join(line(f"M286 {200 + index * 24}h228", SUN, 5) for index in range(5))
    screws = rect(600, 300, 150, 26, SAND, 3) + "".join(disc(616 + index * 24, 313, 7, STEEL) for index in range(6))
    return towel + body + wires + rect(300, 128, 90, 26, INK, 6) + rect(410, 128, 90, 26, INK, 6) + screws


def projector() -> str:
    """Draw the beam of a small film projector in a village hall, with the backs of many heads."""
    beam = shape("M120 120l600-70v230z", "#f6dfa0") + rect(610, 40, 150, 250, PAPER, 4)
    machine = rect(50, 100, 90, 56, STEEL, 8) + disc(64, 84, 28, STONE) + disc(124, 84, 22, STONE)
    return rect(0, 0, 800, 450, "#26334a") + beam + rect(626, 60, 118, 210, SKY) + machine + people(330, 7, "#141c2b")


def disks() -> str:
    """Draw two small hard disks, labelled with masking tape."""
    return "".join(
        rect(x, 130, 220, 180, INK, 18)
        + disc(x + 110, 210, 58, STEEL)
        + disc(x + 110, 210, 16, INK)
        + rect(x + 30, 262, 160, 34, SAND)
        + "".join(rect(x + 60 + index * 34, 272, 22, 14, INK, 2) for index in range(marks))
        for x, marks in ((150, 3), (430, 2))
    ) + rect(0, 330, 800, 120, WOOD)


def cash_tin() -> str:
    """Draw a dented cash tin with a sticker in the shape of a bee."""
    tin = (
        rect(230, 190, 340, 180, RED, 14)
        + rect(230, 160, 340, 60, "#9c3327", 14)
        + line("M350 160q50-60 100 0", INK, 12)
    )
    bee = shape("M370 300a34 26 0 1 1 68 0a34 26 0 1 1-68 0z", SUN) + line("M394 278v44M414 276v48", INK, 8)
    wings = disc(392, 266, 17, PAPER) + disc(420, 266, 17, PAPER)
    coins = "".join(disc(620 + index * 30, 372 - index % 2 * 14, 20, SUN) for index in range(4))
    return rect(0, 370, 800, 80, STONE) + tin + wings + bee + coins


def door_sign() -> str:
    """Draw a door sign with large raised letters and a line of braille."""
    letters = line("M330 150v80M330 150q60 0 60 40t-60 40M430 150v80M430 150h50M430 190h40M430 230h50", PAPER, 16)
    dots = "".join(
        disc(322 + cell * 40 + column * 14, 274 + row * 14, 5, PAPER)
        for cell in range(5)
        for column in range(2)
        for row in range(3)
        if (cell * 7 + column * 3 + row * 5) % 3
    )
    return rect(150, 0, 520, 450, TEAL) + rect(280, 110, 250, 220, DEEP, 14) + letters + dots + disc(610, 260, 24, SUN)


def watering_can() -> str:
    """Draw a watering can on top of a filing cabinet."""
    cabinet = rect(270, 230, 260, 220, STEEL, 6) + "".join(
        rect(286, 246 + index * 68, 228, 56, STONE, 4) + rect(370, 262 + index * 68, 60, 10, INK, 5)
        for index in range(3)
    )
    can = (
        rect(340, 130, 120, 100, LEAF, 10) + line("M460 200l90-80", LEAF, 18) + line("M340 150q-70 10-50 60", MOSS, 12)
    )
    return cabinet + can + line("M540 108l34 30", MOSS, 12)


def biscuit_tin() -> str:
    """Draw a biscuit tin, sealed with tape."""
    tin = shape("M220 180v160q180 70 360 0V180z", DEEP) + shape("M220 180a180 56 0 1 1 360 0a180 56 0 1 1-360 0z", TEAL)
    tape = shape("M380 124h44v274h-44z", SAND) + rect(290, 250, 230, 56, PAPER, 6)
    return rect(0, 370, 800, 80, WOOD) + tin + tape + line("M320 278h170", INK, 8)


def boat() -> str:
    """Draw a white boat at a wooden jetty, with children in a queue."""
    mountains = shape("M0 260L160 90l110 110L400 60l170 180 90-70 140 110v200H0z", STEEL)
    hull = shape("M330 300h360l-50 70H370z", PAPER) + rect(430, 220, 170, 80, PAPER, 8) + rect(560, 170, 34, 60, RED, 4)
    windows = "".join(rect(446 + index * 52, 238, 36, 28, DEEP, 4) for index in range(3))
    children = "".join(
        disc(60 + index * 56, 296, 14, WOOD) + rect(46 + index * 56, 308, 28, 46, colour, 8)
        for index, colour in enumerate((SUN, RED, LEAF, SUN))
    )
    jetty = rect(0, 352, 300, 16, DARK_WOOD) + "".join(
        rect(30 + index * 80, 352, 12, 98, DARK_WOOD) for index in range(4)
    )
    return mountains + rect(0, 366, 800, 84, DEEP) + hull + windows + jetty + children


def jars() -> str:
    """Draw rows of brown glass jars with handwritten labels."""
    return "".join(
        rect(0, 196 + row * 190, 800, 18, DARK_WOOD)
        + "".join(
            rect(40 + index * 108, 90 + row * 190, 80, 106, "#7a4a22", 12)
            + rect(56 + index * 108, 70 + row * 190, 48, 24, INK, 4)
            + rect(52 + index * 108, 122 + row * 190, 56, 40, PAPER, 3)
            + line(f"M60 {136 + row * 190}m{index * 108} 0h{28 + index * 13 % 14}m-28 12h24", STEEL, 3)
            for index in range(7)
        )
        for row in range(2)
    )


def handbook() -> str:
    """Draw the cover of a handbook, with a very small library and a very large key."""
    cover = rect(250, 30, 300, 390, TEAL, 10) + rect(250, 30, 26, 390, DEEP, 6)
    library = rect(320, 300, 90, 70, PAPER) + shape("M308 304l57-46 57 46z", RED) + rect(354, 330, 22, 40, INK)
    key = line("M470 120v220M470 300h40M470 336h28", SUN, 18) + disc(470, 110, 44, SUN) + disc(470, 110, 20, TEAL)
    return cover + library + key


def sewing() -> str:
    """Draw hands that sew a book block on a wooden frame."""
    frame = line("M180 380V80M620 380V80M150 380h500M180 100h440", DARK_WOOD, 22)
    threads = line("M300 100v240M400 100v240M500 100v240", RED, 4)
    pages = "".join(rect(230, 340 - index * 16, 340, 12, PAPER if index % 2 else SAND, 3) for index in range(7))
    return (
        frame + threads + pages + line("M520 240q120-10 180 100", ROSE, 44) + line("M280 262q-90 0-190 110", ROSE, 44)
    )


def machine_sheet() -> str:
    """Draw two pages that hang beside a band saw."""
    saw = rect(500, 60, 190, 110, MOSS, 40) + rect(620, 60, 70, 330, MOSS, 20) + rect(470, 270, 230, 22, STEEL, 4)
    pages = "".join(
        rect(x, 90, 150, 210, PAPER, 4)
        + rect(x + 20, 112, 110, 60, colour, 6)
        + "".join(rect(x + 20, 190 + index * 22, 110 - index * 13, 8, STEEL, 4) for index in range(4))
        for x, colour in ((90, SUN), (270, RED))
    )
    return pages + saw + line("M556 160v110", INK, 4) + rect(480, 292, 210, 158, MOSS, 10)


def shelves(colour: str) -> str:
    """Draw shelves that fill the width of a cover."""
    rows = ("tdsrlmpwtdslrtmpdwsrtlmdsprwtdlms", "srtldpmwstrdlmpswdtrlsmdtpwrlsdtm")
    return rect(0, 0, 1200, 300, colour) + "".join(
        books(20, 130 + row * 140, colours, height=100, width=33) + rect(0, 130 + row * 140, 1200, 12, DARK_WOOD)
        for row, colours in enumerate(rows)
    )


def reels() -> str:
    """Draw tape reels."""
    return rect(0, 0, 1200, 300, DEEP) + "".join(
        disc(120 + index * 240, 150, 104, colour)
        + "".join(disc(120 + index * 240 + x, 150 + y, 28, DEEP) for x, y in ((0, -56), (49, 28), (-49, 28)))
        + disc(120 + index * 240, 150, 14, DEEP)
        for index, colour in enumerate((SUN, STONE, TEAL, ROSE, SUN))
    )


def printing_table() -> str:
    """Draw a table with screen prints."""
    prints = "".join(
        rect(60 + index * 230, 60, 170, 190, PAPER, 4)
        + disc(145 + index * 230, 140, 50, (RED, TEAL, SUN, DEEP, MOSS)[index])
        + rect(95 + index * 230, 206, 100, 14, INK, 7)
        for index in range(5)
    )
    return rect(0, 0, 1200, 300, WOOD) + prints


def looms() -> str:
    """Draw woven cloth on looms."""
    colours = (RED, SUN, TEAL, PAPER, DEEP, ROSE, LEAF)
    warp = "".join(line(f"M{20 + index * 24} 0v300", SAND, 4) for index in range(49))
    weft = "".join(rect(0, 30 + index * 36, 1200, 22, colours[index % 7]) for index in range(7))
    return rect(0, 0, 1200, 300, DARK_WOOD) + warp + weft + line("M300 20v260M600 20v260M900 20v260", INK, 10)


def ferry() -> str:
    """Draw a ferry on a fjord."""
    hills = shape("M0 200L180 60l150 110L520 40l210 140L900 70l300 130v100H0z", MOSS)
    ship = shape("M420 210h380l-40 50H460z", PAPER) + rect(500, 160, 220, 50, PAPER, 6) + rect(640, 120, 40, 46, RED, 4)
    windows = "".join(disc(530 + index * 34, 186, 9, DEEP) for index in range(6))
    return rect(0, 0, 1200, 300, SKY) + hills + rect(0, 236, 1200, 64, DEEP) + ship + windows


WIDE: Mapping[str, tuple[str, Callable[[], str]]] = {  # background and drawing, 800 x 450
    "blog/card-drawers": (SAND, card_drawers),
    "blog/laser-trailer": (SKY, laser_trailer),
    "blog/pegboard": (SAND, tools_on_board),
    "blog/toaster-open": (SAND, toaster),
    "blog/projector-light": (INK, projector),
    "blog/two-disks": (SKY, disks),
    "blog/cash-tin": (SAND, cash_tin),
    "blog/door-sign": (SAND, door_sign),
    "blog/watering-can-files": (SKY, watering_can),
    "blog/biscuit-tin": (SKY, biscuit_tin),
    "listings/bokbaten": (SKY, boat),
    "listings/duftbibliotek": (SAND, jars),
    "listings/handbook-cover": (SAND, handbook),
    "listings/legatoria": (SAND, sewing),
    "listings/manual-bandsaw": (STONE, machine_sheet),
}
COVERS: Mapping[str, Callable[[], str]] = {  # 1200 x 300
    "covers/fjordbibliotekene-ferry": ferry,
    "covers/lydarkivet-reels": reels,
    "covers/open-shelf-shelves": lambda: shelves(SAND),
    "covers/tanneurs-table": printing_table,
    "covers/taller-obert-looms": looms,
}
LOGOS: Mapping[str, tuple[str, str]] = {  # background and drawing, 96 x 96
    "cafe-bricole": (SUN, rect(24, 36, 40, 34, PAPER, 6) + line("M64 42h8a8 8 0 0 1 0 18h-8M34 28v-8M48 28v-8", INK)),
    "collectif-bibliobus": (RED, rect(16, 32, 64, 34, PAPER, 6) + disc(32, 70, 8, INK) + disc(64, 70, 8, INK)),
    "dilna": (DEEP, line("M28 68l28-28M52 28l16 16-8 8-16-16z", SUN, 8)),
    "fabrique-du-lac": (TEAL, line("M16 60q10-10 20 0t20 0 24 0", PAPER, 6) + shape("M48 18l18 30H30z", SUN)),
    "fjordbibliotekene": (DEEP, shape("M12 64l22-34 14 18 12-14 24 30z", PAPER) + rect(12, 68, 72, 8, SKY, 4)),
    "harbour-lane": (SKY, line("M48 24v50M30 56q0 18 18 18t18-18M36 36h24", DEEP, 7) + disc(48, 22, 7, DEEP)),
    "lydarkivet": (ROSE, disc(48, 48, 30, INK) + disc(48, 48, 11, SUN) + disc(48, 48, 3, INK)),
    "malarverkstan": (PAPER, disc(34, 40, 14, RED) + disc(60, 38, 14, SUN) + disc(48, 62, 14, TEAL)),
    "mend-together": (MOSS, line("M22 62q26 10 52-28M30 30l8 8M58 58l8 8", PAPER, 7)),
    "officina-comune": (WOOD, rect(22, 26, 52, 44, PAPER) + line("M48 26v44M30 38h10m-10 12h10m16-12h10", INK)),
    "open-shelf": (TEAL, books(20, 68, "srpld", height=44, width=9) + rect(14, 68, 68, 7, PAPER, 3)),
    "pracownia": (SAND, shape("M48 18l30 26v34H18V44z", RED) + rect(38, 50, 20, 28, PAPER)),
    "taller-obert": (SUN, line("M24 30h48M24 44h48M24 58h48M34 22v50M48 22v50M62 22v50", RED, 5)),
    "tanneurs": (INK, shape("M28 26h40l-6 24 12 22H22l12-22z", ROSE)),
    "werkhof-nord": (STEEL, line("M30 66V34l18 16 18-16v32", PAPER, 9)),
}  # fmt: skip


def svg(width: int, height: int, background: str, drawing: str) -> str:
    """Return a picture as a file."""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    ground = rect(0, 0, width, height, background)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{ground}{drawing}</svg>\n'


def main() -> None:
    """Write every picture."""
    pictures = {name: svg(800, 450, ground, draw()) for name, (ground, draw) in WIDE.items()}
    pictures |= {name: svg(1200, 300, SAND, draw()) for name, draw in COVERS.items()}
    pictures |= {f"logos/{name}": svg(96, 96, ground, drawing) for name, (ground, drawing) in LOGOS.items()}
    for name, text in pictures.items():
        path = MEDIA / f"{name}.svg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
