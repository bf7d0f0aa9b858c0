"""Name the files with front matter that a proposed config does not read, each with the reason."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from ...content.config.config import Config
from ...content.files.file_names import DOCUMENT_SUFFIXES
from ...content.formats.front_matter import find_front_matter
from .excludes import NEVER_CONTENT, is_about_repository
from .generators.generator_rules import Hidden, SiteFiles


class UnreadDocument(NamedTuple):
    """A file with front matter that is not read."""

    path: str
    reason: str  # a clause such as "it is in no collection"


def unread_documents(
    files: SiteFiles, config: Config, read: Collection[str], hidden: Mapping[str, Hidden]
) -> Iterator[UnreadDocument]:
    """Yield the documents with front matter that are not among the `read` paths."""
    for path in files.tree.files:
        if path not in read and path.lower().endswith(DOCUMENT_SUFFIXES) and find_front_matter(files.read(path)):
            yield UnreadDocument(path, _reason(path, files, config, hidden.get(path)))


def _reason(path: str, files: SiteFiles, config: Config, hidden: Hidden | None) -> str:
    if hidden:
        generator = files.site.generator
        return f"not published by {generator}: {hidden.reason}" if generator else hidden.reason
    if is_about_repository(path):
        return "about the repository"
    if not NEVER_CONTENT.isdisjoint(path.split("/")[:-1]):
        return "in a folder of templates or tests"
    kinds = sorted(kind.plural for kind in config.kinds_at(path))
    return f"excluded from the {' and the '.join(kinds)}" if kinds else "in no collection"
