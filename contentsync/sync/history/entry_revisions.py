"""The entries in some files of the content folder at a commit, read without the other files of the folder."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ...content.config.collection_settings import ArticleSettings
from ...content.config.config import Config, read_config
from ...content.files.content_folder import CONFIG
from ...content.folder.load import Content, load_content
from ...content.formats.table_rows import SyncedRows
from ...errors import Problem
from ...git_checkout import TreeFile
from ...model import FIELDABLE, Entry, Kind
from .commit_log import ChangedFiles, CommitLog

MIN_ROWS = 200  # of a table that were read at a commit, and are left out at the next ones
_CACHED = 4  # commits: those before and after a change are often read twice
_CACHED_LISTS = 100  # commits: entries in many files are read at the same ones


class Unreadable(NamedTuple):
    """In place of an entry whose values are not known, because its files or the config had errors."""

    is_config: bool


class LoadedFiles(NamedTuple):
    """The entries in some files at a commit, and what could not be read in these files."""

    entries: Mapping[str, Entry]  # by key
    failed_keys: frozenset[str | None] = frozenset()  # of the entries with errors; None: of any entry
    is_config_valid: bool = True

    def find(self, keys: Iterable[str]) -> Entry | Unreadable | None:
        """Return the entry with one of the keys, in this order of preference.

        Return None if the files have no such entry, and Unreadable if errors in them or in the config may be the
        reason. Errors of other files, and of other entries, are not.
        """
        keys = [*keys]
        entry = next((self.entries[key] for key in keys if key in self.entries), None)
        if entry is not None:
            return entry
        if not self.is_config_valid:
            return Unreadable(is_config=True)
        return None if self.failed_keys.isdisjoint((None, *keys)) else Unreadable(is_config=False)


class EntryRevisions:
    """Reads the entries of a kind at commits, with the config and the custom fields of the same commit.

    References in values stay as they are written. An article gets no date from git.
    """

    def __init__(self, log: CommitLog, config: Config, kind: Kind) -> None:
        """Read entries of a kind; `config` is the present one."""
        self._log = log
        self._repository = log.repository
        self._config = config
        self._kind = kind
        # Digests of rows that are other entries: by the ids of the config and the custom fields in git, which affect
        # what a row means, and by the keys of the entries that are looked for.
        self._other_rows: dict[tuple[tuple[bytes, ...], frozenset[str]], set[str]] = {}
        self._read_config = lru_cache(_CACHED)(self._config_in)
        self._find_targets = lru_cache(_CACHED)(self._link_targets)
        self._find_field_files = lru_cache(_CACHED_LISTS)(self._field_files)
        self._load_whole = lru_cache(_CACHED)(self._load_files)
        self._load_part = lru_cache(_CACHED)(self._load_rows)

    def entries_at(self, commit: str, paths: Sequence[str]) -> Mapping[str, Entry]:
        """Return the entries in the files that a commit has at some paths, by key."""
        return self._load_whole(self._files_at(commit, paths)).entries

    def read(self, commit: str, keys: frozenset[str], paths: Sequence[str]) -> LoadedFiles:
        """Return the entries with these keys, and maybe others, in the files that a commit has at some paths."""
        return self._load_part(self._files_at(commit, paths), keys, frozenset(paths))

    def changed_files(self, parent: str, commit: str) -> ChangedFiles:
        """Return the files that a commit changed, deleted or renamed; `old_paths` only of files of the kind.

        A commit that changes the config may have moved the files of the kind from the paths of the old config.
        """
        changed = self._log.changed_files(parent, commit)
        config = self._read_config(self._config_files(parent)) if CONFIG in changed.old_paths else self._config
        return changed._replace(old_paths=[path for path in changed.old_paths if self._kind in config.kinds_at(path)])

    def link_targets(self, commit: str, paths: Sequence[str]) -> Sequence[str]:
        """Return the paths of the files in the content folder to which links at some paths lead."""
        return self._find_targets(commit, tuple(dict.fromkeys(paths)))

    def _link_targets(self, commit: str, paths: Sequence[str]) -> Sequence[str]:
        """Return the paths of the files in the content folder to which links at some paths of a commit lead."""
        repository = self._repository
        listed = repository.list_files(commit, paths)
        found = repository.git_files.follow_links(commit, [file for file in listed if file.is_link])
        targets = [file.path for file in found if file not in listed and not file.is_attributes]
        return [repository.relative_path(path) for path in targets if repository.contains(path)]

    def fetch(self, commits: Iterable[str], paths: Sequence[str]) -> None:
        """Fetch the files at some paths that a partial clone lacks, of all commits at once."""
        needed = self._config.paths(Kind.CUSTOM_FIELD) if self._kind in FIELDABLE else ()
        self._repository.fetch_missing(commits, [CONFIG, *paths, *needed])

    def _files_at(self, commit: str, paths: Sequence[str]) -> tuple[TreeFile, ...]:
        """Return the files at some paths and those that are needed to read them; nothing without a config."""
        repository = self._repository
        config_path = repository.full_path(CONFIG)
        files = repository.git_files.follow_links(commit, repository.list_files(commit, [CONFIG, *paths]))
        if all(file.path != config_path for file in files):
            return ()
        if self._kind in FIELDABLE:
            files += self._find_field_files(commit)
        return tuple(dict.fromkeys(files))

    def _field_files(self, commit: str) -> Sequence[TreeFile]:
        """Return the files of the custom fields that a commit has."""
        repository = self._repository
        config = self._read_config(self._config_files(commit))
        listed = repository.list_files(commit, config.paths(Kind.CUSTOM_FIELD))
        relative_path = repository.relative_path
        needed = [
            it for it in listed if it.is_attributes or Kind.CUSTOM_FIELD in config.kinds_at(relative_path(it.path))
        ]
        return repository.git_files.follow_links(commit, needed)

    def _config_files(self, commit: str) -> tuple[TreeFile, ...]:
        """Return the file of the config that a commit has; if it is a link, with its target."""
        repository = self._repository
        return tuple(repository.git_files.follow_links(commit, repository.list_files(commit, [CONFIG])))

    def _config_in(self, files: tuple[TreeFile, ...]) -> Config:
        with self._repository.check_out(files) as (folder, _unread):
            config, _problems = read_config(folder)
            return config

    def _load_files(self, files: tuple[TreeFile, ...]) -> LoadedFiles:
        if not files:
            return LoadedFiles({})
        with self._repository.check_out(files) as (folder, unread):
            return self._loaded(_load(folder), unread, paths=())

    def _load_rows(self, files: tuple[TreeFile, ...], keys: frozenset[str], paths: Collection[str]) -> LoadedFiles:
        """Return the entries in some files; leave out rows that were read at another commit and are other entries.

        `keys` are those of the entries that are looked for, and `paths` those of their files. The other files are the
        config and the custom fields: a row that was read with other ones is read again.
        """
        if not files:
            return LoadedFiles({})
        relative_path = self._repository.relative_path
        settings_ids = tuple(file.object_id for file in files if relative_path(file.path) not in paths)
        other_rows = self._other_rows.setdefault((settings_ids, keys), set())
        with self._repository.check_out(files) as (folder, unread):
            rows = SyncedRows(other_rows)
            content = _load(folder, rows)
            loaded = self._loaded(content, unread, paths)
            if len(loaded.entries) >= MIN_ROWS and loaded.is_config_valid and not loaded.failed_keys:
                sources = [loaded.entries[key].source for key in keys if key in loaded.entries]
                found_rows = {(source.path, source.line) for source in sources if source}
                other_rows.update(digest for place, digest in rows.others.items() if place not in found_rows)
        return loaded

    def _loaded(self, content: Content, unread: Mapping[str, str], paths: Collection[str]) -> LoadedFiles:
        """Return the entries of the kind, and the errors in the files at `paths`; git could not write the `unread`."""
        failed: dict[str, set[str | None]] = defaultdict(set)
        for problem in content.errors:
            failed[problem.where.path].add(problem.key)
        for path in unread:
            failed[path].add(None)
        entries = {entry.key: entry for entry in content.entries if entry.kind is self._kind}
        failed_keys = frozenset(key for path in paths for key in failed.get(path, ()))
        return LoadedFiles(entries, failed_keys, content.config.is_content_valid and CONFIG not in unread)


def _load(folder: Path, rows: SyncedRows | None = None) -> Content:
    return load_content(folder, single_process=True, synced=rows, read_config=_config_of_part)


def _config_of_part(folder: Path, proposed: bytes | None = None) -> tuple[Config, list[Problem]]:
    """Return the config of a part of a folder, in no repository: without pictures, and without dates of commits."""
    config, problems = read_config(folder, proposed)
    config = replace(config, has_pictures=False)
    articles = config.content[Kind.ARTICLE]
    if isinstance(articles, ArticleSettings) and articles.dates == "git":
        content = {**config.content, Kind.ARTICLE: articles.model_copy(update={"dates": "file-name"})}
        config = replace(config, content=content)
    return config, problems
