"""Group the tables and lists of a repository by their common keys, and find the shortest paths to each group."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ...content.formats.table_rows import TABLE_SUFFIXES
from .excludes import may_be_list
from .repository_tree import RepositoryTree
from .samples import ListSample, Sampler

_MIN_COMMON = 2  # keys of two lists: with fewer, such as only a name, they may be about anything
_MIN_SHARE_OF_KEYS = 0.5  # of the keys of the list with fewer
_MIN_ENTRIES = 3  # of a group of lists: fewer are probably settings
_MAX_PATHS = 4  # files that the config names one by one; of more, it names their folders


@dataclass(slots=True)
class ListGroup:
    """Tables and lists with common keys, the one with the most entries first."""

    lists: list[ListSample] = field(default_factory=list)

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(sorted(each.path for each in self.lists))

    @property
    def entries(self) -> int:
        return sum(each.entries for each in self.lists)

    @property
    def has_table(self) -> bool:
        return any(each.path.lower().endswith(TABLE_SUFFIXES) for each in self.lists)

    @property
    def rank(self) -> tuple[bool, int]:
        """The sort key by which the group with the most entries is the last, after all without addresses."""
        return self.has_addresses, self.entries

    @property
    def has_addresses(self) -> bool:
        """Whether most entries are in lists with addresses."""
        return sum(each.entries for each in self.lists if each.has_addresses) * 2 > self.entries

    def has_keys_of(self, other: ListSample) -> bool:
        """Return whether a list has many of the keys of the group's first one."""
        keys = self.lists[0].keys
        common = len(keys & other.keys)
        fewer = min(len(keys), len(other.keys))
        return keys == other.keys or (common >= _MIN_COMMON and common >= _MIN_SHARE_OF_KEYS * fewer)


def list_groups(sampler: Sampler, tree: RepositoryTree) -> list[ListGroup]:
    """Return the groups of lists with enough entries, the most probable listings first."""
    samples = [*filter(None, map(sampler.list, filter(may_be_list, tree.files)))]
    groups: list[ListGroup] = []
    for sample in sorted(samples, key=lambda sample: (-sample.entries, sample.path)):
        group = next((group for group in groups if group.has_keys_of(sample)), None)
        if group is None:
            groups.append(group := ListGroup())
        group.lists.append(sample)
    found = [group for group in groups if group.entries >= _MIN_ENTRIES or group.has_table]
    return sorted(found, key=lambda group: group.rank, reverse=True)


def paths_to(files: Sequence[str], tree: RepositoryTree) -> tuple[str, ...]:
    """Return the paths to lists: folders that contain no other list, and files.

    If there were many paths, return the folders with most of the files, also if they contain other lists.
    """
    paths = _collapsed(files, [file for file in tree.files if may_be_list(file)])
    if len(paths) > _MAX_PATHS:
        folders = {path.rpartition("/")[0] or path for path in paths}  # a file at the top is itself
        paths = [path for path in sorted(folders) if not any(path.startswith(f"{other}/") for other in folders)]
    return tuple(paths)


def _collapsed(files: Sequence[str], all_files: Iterable[str]) -> list[str]:
    """Return the files, and in place of several in one folder the folder, if it contains no others of all files."""
    wanted = {*files}
    other_folders = {folder for file in all_files if file not in wanted for folder in _folders_around(file)}
    counts = Counter(folder for file in files for folder in _folders_around(file))
    several = {folder for folder, count in counts.items() if count > 1} - other_folders
    return sorted({next(filter(several.__contains__, _folders_around(file)), file) for file in files})


def _folders_around(path: str) -> Iterator[str]:
    """Yield the folders that contain a file, the outermost one first."""
    parts = path.split("/")[:-1]
    yield from ("/".join(parts[:number]) for number in range(1, len(parts) + 1))
