"""What the path of a file says in the layout of its collection: language, date and name (docs/content.md 2, 5)."""

import re
from collections.abc import Collection, Iterator, Sequence

from ...lazy_pattern import lazy_pattern
from ..files.file_names import FileName, is_below, parse_file_name, path_in, spelled_locale, suffix_of
from ..files.slug_pattern import DEFAULT_PATTERN

LOCALE = "{locale}"  # in the path of a collection: the folder of a language

# A year, a month and perhaps a day in the names of folders; the day, or month and day, may begin the file name.
_FOLDER_DATE = lazy_pattern(
    r"(?:\A|/)(?P<year>\d{4})[/-](?P<month>\d{1,2})"
    r"(?:/(?P<day>\d{1,2})(?=/|\Z)|[/-](?P<padded_day>\d\d)(?=[/-]|\Z)|(?=/))",  # the last form has no day
    re.ASCII,
)


class CollectionLayout:
    """The layout of a collection of documents. `locales` begins with the default language.

    The files are at one or several paths, none of which is inside another; "" is the content folder itself. If a path
    contains `{locale}`, each language has a folder at that place; files of the default language may also be at the path
    without this folder. With `in_folders`, the languages have folders below each path. With `dated_folders`, the names
    of folders contain dates. With `reads_orphans_as_entries`, a translation without its entry is an entry.
    """

    def __init__(
        self,
        paths: Sequence[str],
        locales: Sequence[str],
        *,
        in_folders: bool = False,
        dated_folders: bool = False,
        reads_orphans_as_entries: bool = False,
        slug_pattern: str = DEFAULT_PATTERN,
    ) -> None:
        self.paths = tuple(paths)
        self.locales = tuple(locales)
        self._has_folders_below = in_folders
        self.reads_orphans_as_entries = reads_orphans_as_entries
        self.slug_pattern = slug_pattern
        self._dated_folders = dated_folders
        self.in_folders = in_folders or any(LOCALE in path for path in paths)
        self._has_plain_folders = not (self.in_folders or dated_folders)  # whose names are neither languages nor dates
        # The path of each root, and the language of the files in it; None is the default one.
        self._path_and_locale = {root: (path, locale) for path in paths for root, locale in self._roots_of(path)}
        # Of nested roots, the longest one counts, such as `fr/posts` and `posts`.
        self._longest_first = sorted(self._path_and_locale, key=len, reverse=True)

    @property
    def roots(self) -> tuple[str, ...]:
        """The folders or files that the paths stand for; of each path, that of the default language first."""
        return tuple(self._path_and_locale)

    def roots_of(self, path: str) -> tuple[str, ...]:
        """Return the folders or files that one of the paths stands for."""
        return tuple(root for root, (its_path, _locale) in self._path_and_locale.items() if its_path == path)

    def _roots_of(self, path: str) -> Iterator[tuple[str, str | None]]:
        """Yield each folder that a path stands for, with its language."""
        if LOCALE not in path:
            yield path, None
            return
        default, *others = self.locales
        yield path.replace(LOCALE, default), None
        if without := path_without_locale(path):  # the files of the default language may also be here
            yield without, None
        yield from ((path.replace(LOCALE, locale), locale) for locale in others)

    def has_language_folders(self, path: str) -> bool:
        """Return whether languages have folders at or below one of the paths."""
        return self._has_folders_below or LOCALE in path

    def locale_of(self, root: str | None) -> str | None:
        """Return the language of the files in one of the collection's roots; None for the default one."""
        return self._path_and_locale[root][1] if root is not None and root in self._path_and_locale else None

    def split(self, path: str) -> tuple[str | None, str]:
        """Return the root of the collection that a file is in, None for another file, and the file's path below it.

        The root "" is the content folder itself. A file that is a root has the path "" below it.
        """
        for root in self._longest_first:
            if is_below(path, root):
                return root, path[len(root) + 1 :] if root else path
        return None, path

    def parse(self, path: str) -> FileName:
        """Return the parts of a file's name. The language is None for the default one."""
        root, inner = self.split(path)
        if self._has_plain_folders:  # as in most collections: this is quick
            name = parse_file_name(path, self.locales, inner)
            return name._replace(locale=None) if name.locale == self.locales[0] else name
        collection_path, folder_locale = self._path_and_locale[root] if root is not None else ("", None)
        if self._has_folders_below and LOCALE not in collection_path:
            first, _, below = inner.partition("/")
            if below and (named_locale := spelled_locale(first, self.locales)):
                folder_locale, inner = named_locale, below
        # Without the folder of the language, the path of a translation is that of its entry.
        shared_path = path
        if self.in_folders and root is not None:
            shared_path = "/".join(filter(None, (path_without_locale(collection_path), inner)))
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

    def original_path(self, path: str, used_roots: Collection[str | None]) -> str:
        """Return the path that the file of a translation would have in the default language.

        Of the roots of the collection, prefer one of `used_roots`, which contain files.
        """
        name, suffix = self.parse(path), suffix_of(path)
        root, _inner = self.split(path)
        collection_path, _locale = self._path_and_locale[root] if root is not None else ("", None)
        if LOCALE not in collection_path:
            return f"{name.base}{suffix}"
        default_roots = [each for each in self.roots_of(collection_path) if self.locale_of(each) is None]
        root = next((each for each in default_roots if each in used_roots), default_roots[0])
        path_below_root = name.base.removeprefix(f"{path_without_locale(collection_path)}/")  # `base` has no language
        return f"{root}/{path_below_root}{suffix}"

    def translation_path(self, path: str, locale: str, suffix: str) -> str:
        """Return the path of a new file with the translation of the entry at `path`."""
        stem = path.rpartition(".")[0]
        if parse_file_name(path, self.locales).locale:
            stem = stem.rpartition(".")[0]
        root, inner = self.split(stem)
        collection_path = self._path_and_locale[root][0] if root is not None else self.paths[0]
        if LOCALE in collection_path:
            return f"{collection_path.replace(LOCALE, locale)}/{inner}{suffix}"
        if not self._has_folders_below:
            return f"{stem}.{locale}{suffix}"
        first, _, below = inner.partition("/")
        if below and spelled_locale(first, self.locales):
            inner = below
        return f"{path_in(collection_path, locale)}/{inner}{suffix}"


def path_without_locale(path: str) -> str:
    """Return the path of a collection without the folder of a language; "" for `{locale}` alone."""
    return "/".join(part for part in path.split("/") if part != LOCALE)
