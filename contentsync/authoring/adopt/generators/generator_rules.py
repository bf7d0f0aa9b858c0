"""What `adopt` must know of a generator: what shows it, which folders it reads, and which files it does not publish."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ....content.files.file_names import DOCUMENT_SUFFIXES
from ....content.files.file_text import UnreadableFile
from ....content.files.source_file import ContentRoot
from ....content.formats.front_matter import read_document
from ....lazy_pattern import lazy_pattern
from ....model import Kind
from ....model.scalar import parse_flag
from ..repository_tree import RepositoryTree
from .generated_site import Generator, Site

_MAX_FILE = 2 * 1024 * 1024  # bytes
_MAX_REGEX = 200  # characters
_NESTED_REPEAT = lazy_pattern(r"[*+}]\??\)[*+{]|(?:\.[*+].*){4}")  # such as (a+)+, or four of `.*`
SCRIPTS = (".js", ".mjs", ".cjs", ".ts", ".mts")


class Hidden(NamedTuple):
    """A file that the generator does not publish."""

    path: str
    reason: str  # a clause such as "draft: true in content/news/_index.md"
    pattern: str = ""  # the name or the folder (a path in the repository) for which the rule is; "" for this file only
    key: str = ""  # the key of the file's own front matter that hides it, if `adopt` can rename it to a field


class ContentSource(NamedTuple):
    """A folder that the generator reads."""

    path: str
    kind: Kind | None = None  # None: the name or the files of the folder show it
    has_sections: bool = False  # True: the folders in it whose names are those of a kind are collections of their own


class SiteFiles:
    """The files of a site, with their front matter. Each file is read once."""

    def __init__(self, site: Site, tree: RepositoryTree, root: ContentRoot, now: datetime) -> None:
        self.site = site
        self.tree = tree
        self.now = now  # with a time zone
        self._root = root
        self._front_matter: dict[str, Mapping[str, Any]] = {}

    def documents(self, folder: str = "") -> Iterator[str]:
        """Yield the paths of the Markdown and HTML files below a folder of the site."""
        return self.documents_in(self.site.path(folder))

    def documents_in(self, folder: str) -> Iterator[str]:
        """Yield the paths of the Markdown and HTML files below a folder of the repository."""
        return (file for file in self.tree.files_in(folder) if file.lower().endswith(DOCUMENT_SUFFIXES))

    def read(self, path: str) -> str:
        """Return the text of a file of the repository; "" if it does not exist or cannot be read."""
        try:
            text, _stamp = self._root.read_text(path, path, _MAX_FILE)
        except (UnreadableFile, OSError):
            return ""
        return text

    def front_matter(self, path: str) -> Mapping[str, Any]:
        """Return the front matter of a document; {} if it has none or it cannot be read."""
        if path not in self._front_matter:
            try:
                self._front_matter[path] = read_document(self.read(path), Kind.PAGE, path).values
            except UnreadableFile:
                self._front_matter[path] = {}
        return self._front_matter[path]


def flag(value: Any) -> bool | None:
    """Return a flag of a config or of front matter, where it may be a text; None for another value."""
    return parse_flag(str(value).strip())


def matches_regex(pattern: str, path: str) -> bool:
    """Return whether a regular expression of a config is found in a path; one that is not read matches nothing."""
    regex = _regex(pattern)
    return regex is not None and bool(regex.search(path))


def unread_regexes(patterns: Iterable[str], setting: str) -> Iterator[str]:
    """Yield a sentence for each regular expression of a setting that is not read: its files may be published."""
    for pattern in patterns:
        if _regex(pattern) is None:
            yield f"{setting} has an expression that is not read: {pattern[:60]}; exclude the files that it matches"


@lru_cache(maxsize=256)
def _regex(pattern: str) -> re.Pattern[str] | None:
    """Return the expression; None if Python cannot read it, or if it could take very long."""
    if len(pattern) > _MAX_REGEX or _NESTED_REPEAT.search(pattern):
        return None
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return None


def _any_site(site: Site, tree: RepositoryTree) -> bool:
    return True


def _unknown_address(site: Site, kind: Kind, path: str) -> str:
    return ""


def _no_sources(site: Site, tree: RepositoryTree) -> Iterable[ContentSource]:
    return ()


def _no_folders(site: Site) -> Iterable[str]:
    return ()


def address_of_config(site: Site) -> str:
    """Return the address that the config says, with a slash at its end; "" if unknown."""
    return site.address


def with_path(address: str, path: str) -> str:
    """Return an address with a slash at its end; "" if it does not end with the path that another setting says."""
    address = f"{address.rstrip('/')}/"
    is_complete = urlsplit(address).path == f"/{path.strip('/')}/".replace("//", "/")
    return address if address.startswith(("https://", "http://")) and (is_complete or not path) else ""


def _nothing_hidden(files: SiteFiles) -> Iterable[Hidden]:
    return ()


def _no_notes(files: SiteFiles) -> Iterable[str]:
    return ()


def _is_read(files: SiteFiles) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class GeneratorRules:
    """A generator: all that `adopt` knows of it."""

    generator: Generator
    # The files and folders that show it, as paths in the site's folder; `*` stands for any name.
    configs: Sequence[str]
    # Whether a config of such a name is of this generator: others have configs of the same names.
    applies: Callable[[Site, RepositoryTree], bool] = _any_site
    sources: Callable[[Site, RepositoryTree], Iterable[ContentSource]] = _no_sources
    reads_other_folders: bool = True  # False: it reads the sources only
    has_top_pages: bool = False  # True: it publishes documents beside its config
    hidden: Callable[[SiteFiles], Iterable[Hidden]] = _nothing_hidden
    # The pattern of the addresses of articles or pages in a folder, as docs/content.md 6 has it; "" if unknown.
    address: Callable[[Site, Kind, str], str] = _unknown_address
    # Sentences for the user, such as about rules that are code, which `adopt` cannot know.
    notes: Callable[[SiteFiles], Iterable[str]] = _no_notes
    # Why `adopt` can read nothing of a site, as a clause; "" if it can.
    refusal: Callable[[SiteFiles], str] = _is_read
    asset_folders: Sequence[str] = ()  # the folders of the site in which pictures usually are
    # The folders of the repository whose files are served at the top of the site, at their paths in the folder; none,
    # if a config says so that is not read.
    root_folders: Callable[[Site], Iterable[str]] = _no_folders
    root_address: Callable[[Site], str] = address_of_config  # of the top of the site, with a slash at its end
    # Whether a file that is no document has its path in the site's folder as its path on the site.
    serves_files_at_their_paths: bool = False
    # Paths of keys in front matter, with the fields that they mean.
    nested_keys: Mapping[str, str] = field(default_factory=dict)


def in_folders(files: SiteFiles, *names: str) -> Iterator[Hidden]:
    """Yield the documents in folders with one of these names, at any depth."""
    for path in files.documents():
        found = next((folder for folder in path.split("/")[:-1] if folder in names), "")
        if found:
            yield Hidden(path, f"it is in a folder {found}", found)


PLAIN = GeneratorRules(
    generator=Generator.PLAIN,
    configs=(),
    has_top_pages=True,
    serves_files_at_their_paths=True,
    hidden=lambda files: in_folders(files, "drafts", "_drafts"),
)


def scripts(*stems: str) -> tuple[str, ...]:
    """Return the names of configs in JavaScript or TypeScript."""
    return tuple(f"{stem}{suffix}" for stem in stems for suffix in SCRIPTS)
