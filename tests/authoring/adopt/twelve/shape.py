"""What the twelve repositories share: texts, a record of what is right to read, and the edits that a person makes."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

from contentsync.model import Kind

from ..repositories import Files

_FIRST = "Quiet Borrowed Northern Mended Early Spare Painted Hollow Shared Winter Folded Second".split()  # noqa: SIM905
_SECOND = "Lantern Orchard Ferry Loom Granary Bicycle Kiln Harbour Thimble Stove Meadow Anvil".split()  # noqa: SIM905
_THIRD = "House Club Works Yard Room Circle Corner Table Path Store Bridge Hall".split()  # noqa: SIM905
_SENTENCES = (
    "The door is open from nine, and the kettle is on a little later.",
    "Bring gloves that you do not mind losing to the tar.",
    "Three families looked after it through the wet spring.",
    "It was built twice, the second time with better nails.",
    "Nothing here is for sale, but most of it can be borrowed for a week.",
    "The map on the wall shows the old course of the stream.",
    "On market days the queue reaches the corner by noon.",
)

Edit = Callable[[Path], None]  # changes the written folder


def title(number: int) -> str:
    """Return a name of three words, which none of the next 1,727 numbers has."""
    return f"{_FIRST[number % 12]} {_SECOND[number // 12 % 12]} {_THIRD[(number + number // 144) % 12]}"


def slug(number: int) -> str:
    return title(number).lower().replace(" ", "-")


def sentence(number: int) -> str:
    return _SENTENCES[number % len(_SENTENCES)]


def text(number: int) -> str:
    return f"{sentence(number)} {sentence(number + 3)}\n\n{sentence(number + 5)}\n"


def day(number: int) -> date:
    """Return a day from January 2017 to September 2025, which none of the next 3,189 numbers has."""
    return date(2017, 1, 3) + timedelta(days=number * 7 % 3_190)


@dataclass
class Shape:
    """The files of a repository, and what is right: which are entries, and which front matter is not read."""

    files: Files = field(default_factory=dict)
    titles: dict[Kind, Counter[str]] = field(default_factory=dict)  # of all entries, also of those that are not shown
    filled: dict[Kind, set[str]] = field(default_factory=dict)  # the fields that each entry of a kind must have
    sums: dict[str, float] = field(default_factory=dict)  # of the numbers in custom fields, by their names
    unread: set[str] = field(default_factory=set)  # paths of the files with front matter that are not read
    edits: list[Edit] = field(default_factory=list)  # after which all is right

    def entry(self, kind: Kind, path: str, name: str, front_matter: str, body: str, fence: str = "---") -> None:
        """Add a document that is an entry; `name` is its title. Without front matter, it has no fences."""
        self.list_of(kind, path, [name], _document(front_matter, body, fence))

    def translation(self, path: str, front_matter: str, body: str) -> None:
        """Add a document that is part of the entry of another document."""
        self.add(path, _document(front_matter, body))

    def list_of(self, kind: Kind, path: str, names: Iterable[str], source: str) -> None:
        """Add a file that has an entry of each name."""
        self.add(path, source)
        self.titles.setdefault(kind, Counter()).update(names)

    def hidden(self, path: str, front_matter: str, body: str, fence: str = "---") -> None:
        """Add a document with front matter that the generator does not publish, or that is no entry."""
        self.add(path, _document(front_matter, body, fence))
        self.unread.add(path)

    def add(self, path: str, source: str) -> None:
        assert path not in self.files, f"{path} is there twice"
        self.files[path] = source


def _document(front_matter: str, body: str, fence: str = "---") -> str:
    return f"{fence}\n{front_matter}\n{fence}\n\n{body}" if front_matter else body


def in_files(glob: str, pattern: str, replacement: str) -> Edit:
    """Return one find-and-replace over files, or in the config. It fails if there is nothing to replace (any more)."""

    def edit(folder: Path) -> None:
        changed = [*_changed(folder.glob(glob), pattern, replacement)]
        if not changed:
            raise AssertionError(f"{pattern} is not in {glob}")
        for path, data in changed:
            path.write_bytes(data)

    return edit


def _changed(paths: Iterable[Path], pattern: str, replacement: str) -> Iterator[tuple[Path, bytes]]:
    for path in paths:
        before = path.read_bytes()
        after = re.sub(pattern.encode(), replacement.encode(), before, flags=re.MULTILINE)
        if after != before:
            yield path, after
