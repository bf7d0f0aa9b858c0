"""What is read together: a file with the files of its translations (docs/content.md 5)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..model import RECORDS, Kind
from .files.scan import ContentFile
from .identity import FileName, read_file_name

DOCUMENTS = (".md", ".markdown", ".html")  # files of one entry, whose name says which

_TRANSLATED = frozenset(kind for kind, record in RECORDS.items() if record.translated)


class Unit(NamedTuple):
    """Files whose entries need each other; several where `hello.fr.md` stands beside `hello.md`."""

    kind: Kind
    files: tuple[ContentFile, ...]  # that of the entries first, then those of its translations
    orphaned: bool = False  # there are only translations

    @property
    def name(self) -> str:
        """What tells it from the others of its kind; nearly always a text that is there already."""
        return self.files[0].path if len(self.files) == 1 else "\n".join([file.path for file in self.files])


def is_translated(kind: Kind) -> bool:
    """Whether entries of the kind have texts in several languages."""
    return kind in _TRANSLATED


def name_of(file: ContentFile, locales: Sequence[str]) -> FileName | None:
    """What the file's name says about its one entry; None for tables, lists and listings."""
    if file.suffix not in DOCUMENTS or file.kind is Kind.LISTING:
        return None
    return read_file_name(file.path, locales)


def units_of(files: Iterable[ContentFile], locales: Sequence[str]) -> list[Unit]:
    """The units of files, in the order of the files."""
    if len(locales) == 1:
        new = tuple.__new__  # half the time of the class's own
        return [new(Unit, (file.kind, (file,), False)) for file in files]
    units: list[Unit] = []
    places: dict[tuple[Kind, str], int] = {}
    translations: dict[tuple[Kind, str], list[ContentFile]] = {}
    for file in files:
        if file.kind in _TRANSLATED:
            name = name_of(file, locales)
            if name and name.locale and name.locale != locales[0]:
                translations.setdefault((file.kind, name.base), []).append(file)
                continue
            if name:
                places.setdefault((file.kind, name.base), len(units))
        units.append(Unit(file.kind, (file,)))
    for (kind, base), siblings in translations.items():
        place = places.get((kind, base))
        if place is None:
            units.append(Unit(kind, tuple(siblings), orphaned=True))
        else:
            units[place] = Unit(kind, (*units[place].files, *siblings))
    return units
