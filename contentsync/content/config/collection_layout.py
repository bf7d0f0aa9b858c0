"""What the path of a file says in the layout of its collection: language, date and name (docs/content.md 2, 5)."""

import re
from collections.abc import Collection, Iterator, Sequence

from ..files.file_names import FileName, parse_file_name
from ..files.slug_pattern import DEFAULT_PATTERN

LOCALE = "{locale}"  # in the path of a collection: the folder of a language

# A year, a month and perhaps a day in the names of folders; the day, or month and day, may begin the file name.
_FOLDER_DATE = re.compile(
    r"(?:\A|/)(?P<year>\d{4})[/-](?P<month>\d{1,2})"
    r"(?:/(?P<day>\d{1,2})(?=/|\Z)|[/-](?P<padded_day>\d\d)(?=[/-]|\Z)|(?=/))",  # the last form has no day
    re.ASCII,
)


class CollectionLayout:
    """The layout of a collection of documents. `locales` begins with the default language.

    If the path contains `{locale}`, each language has a folder at that place; files of the default language may also be
    at the path without this folder. With `in_folders`, the languages have folders below `path`. With `dated_folders`,
    the names of folders contain dates. With `reads_orphans_as_entries`, a translation without its entry is an entry.
    """

    def __init__(
        self,
        path: str,
        locales: Sequence[str],
        *,
        in_folders: bool = False,
        dated_folders: bool = False,
        reads_orphans_as_entries: bool = False,
        slug_pattern: str = DEFAULT_PATTERN,
    ) -> None:
        self.path = path
        self.locales = tuple(locales)
        self.in_folders = in_folders or LOCALE in path
        self.reads_orphans_as_entries = reads_orphans_as_entries
        self.slug_pattern = slug_pattern
        self._dated_folders = dated_folders
        self._has_plain_folders = not (self.in_folders or dated_folders)  # whose names are neither languages nor dates
        self._path_without_locale = "/".join(part for part in path.split("/") if part != LOCALE)
        # The language of the files below each path, which ends with a slash. Of nested paths, the longest one counts.
        self._locale_by_root = {f"{root}/": locale for root, locale in self._roots()}
        self._longest_first = sorted(self._locale_by_root, key=len, reverse=True)

    @property
    def roots(self) -> tuple[str, ...]:
        """The paths of the collection: that of the default language first."""
        return tuple(root.rstrip("/") for root in self._locale_by_root)

    def _roots(self) -> Iterator[tuple[str, str | None]]:
        """Yield each folder in which the collection has files, with their language; None is the default one."""
        if LOCALE not in self.path:
            yield self.path, None
            return
        default, *others = self.locales
        yield self.path.replace(LOCALE, default), None
        if self._path_without_locale:  # the files of the default language may also be here
            yield self._path_without_locale, None
        yield from ((self.path.replace(LOCALE, locale), locale) for locale in others)

    def locale_of(self, root: str) -> str | None:
        """Return the language of the files at one of the collection's paths; None for the default one."""
        return self._locale_by_root.get(f"{root}/")

    def split(self, path: str) -> tuple[str, str]:
        """Return the path of the collection that a file is in, "" for another file, and the file's path below it."""
        for root in self._longest_first:
            if path.startswith(root):
                return root[:-1], path[len(root) :]
        return "", path

    def parse(self, path: str) -> FileName:
        """Return the parts of a file's name. The language is None for the default one."""
        if self._has_plain_folders:  # as in most collections: this is quick
            name = parse_file_name(path, self.locales, path[len(self.path) + 1 :])
            return name._replace(locale=None) if name.locale == self.locales[0] else name
        root, inner = self.split(path)
        folder_locale = self.locale_of(root)
        if self.in_folders and LOCALE not in self.path:
            first, _, below = inner.partition("/")
            if below and first in self.locales:
                folder_locale, inner = first, below
        # Without the folder of the language, the path of a translation is that of its entry.
        shared_path = "/".join(filter(None, (self._path_without_locale, inner))) if self.in_folders else path
        name = parse_file_name(shared_path, self.locales, inner)
        locale = name.locale or folder_locale
        name = name._replace(locale=None if locale == self.locales[0] else locale)
        return self._with_folder_date(name) if self._dated_folders and not name.date else name

    def _with_folder_date(self, name: FileName) -> FileName:
        """Return the name with the date that its folders have (year, month, perhaps day); unchanged without one."""
        text = "/".join((*name.folders, name.stem))
        match = _FOLDER_DATE.search(text)
        if match is None:
            return name
        day = match["day"] or match["padded_day"] or "01"  # folders may have only a year and a month
        after_date = text[match.end() + 1 :]  # the date ends before a separator, or at the end of the text
        is_in_last_name = after_date != "" and "/" not in after_date  # such as `2026/03/01-hello.md`
        stem = after_date if is_in_last_name else name.stem
        return name._replace(stem=stem, date=f"{match['year']}-{match['month']:0>2}-{day:0>2}")

    def original_path(self, name: FileName, suffix: str, used_roots: Collection[str]) -> str:
        """Return the path that a translation's file would have in the default language.

        Of the paths of the collection, prefer one of `used_roots`, which contain files.
        """
        if LOCALE not in self.path:
            return f"{name.base}{suffix}"
        default_roots = [root for root in self.roots if self.locale_of(root) is None]  # None: the default language
        root = next((root for root in default_roots if root in used_roots), default_roots[0])
        path_below_root = name.base.removeprefix(f"{self._path_without_locale}/")  # `base` has no language
        return f"{root}/{path_below_root}{suffix}"

    def translation_path(self, path: str, locale: str, suffix: str) -> str:
        """Return the path of a new file with the translation of the entry at `path`."""
        stem = path.rpartition(".")[0]
        if old_locale := parse_file_name(path, self.locales).locale:
            stem = stem.removesuffix(f".{old_locale}")
        if not self.in_folders:
            return f"{stem}.{locale}{suffix}"
        _, inner = self.split(stem)
        if LOCALE in self.path:
            return f"{self.path.replace(LOCALE, locale)}/{inner}{suffix}"
        first, _, below = inner.partition("/")
        if below and first in self.locales:
            inner = below
        return f"{self.path}/{locale}/{inner}{suffix}"
