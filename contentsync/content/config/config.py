"""Read contentsync.toml: the settings of the site, the content files and the targets (docs/content.md 10)."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ...errors import Problem, Where
from ...model import Kind, Source, Violation, did_you_mean
from ...model.urls import LOCAL_FILES
from ...model.violation import violations_from
from ..files.content_folder import CONFIG, default_site_name, may_contain_secret
from ..files.file_addresses import FileAddresses
from ..files.file_names import is_below, shown_path
from ..files.file_text import UnreadableFile, decode
from ..files.slug_pattern import DEFAULT_PATTERN, fields_of_pattern
from ..files.source_file import ContentRoot, resolve_link
from ..formats.toml_reader import ParsedToml, read_toml
from .collection_layout import CollectionLayout, path_without_locale
from .collection_settings import DEFAULT_PATHS, ArticleSettings, CollectionSettings, DocumentSettings
from .config_tables import AssetSettings, ConfigFile, SiteSettings, SourceSettings, Target, is_bucket
from .link_settings import LinkSettings
from .replacement import Replacement
from .rule_settings import RuleSettings
from .warning_levels import WarningSettings

_KEYS_WITHOUT_EFFECT_ON_CONTENT = ("targets", "default_target", "propose", "sources", "links")


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a content folder. `read_config` fills in a collection for every kind."""

    site: SiteSettings
    default_target: str | None = None
    content: Mapping[Kind, CollectionSettings] = field(default_factory=dict)
    targets: Mapping[str, Target] = field(default_factory=dict)
    warnings: WarningSettings = field(default_factory=WarningSettings.model_construct)
    rules: Mapping[Kind, tuple[RuleSettings, ...]] = field(default_factory=dict)
    replacements: tuple[Replacement, ...] = ()  # in Markdown bodies, in order
    assets: AssetSettings | None = None  # None: pictures are not read as files
    has_pictures: bool = True  # False: the folder is a part of a commit, without the files of pictures
    is_content_valid: bool = True  # no setting that affects the content is wrong; targets may be
    source: Source = field(default_factory=lambda: Source(CONFIG))  # the locations of the settings
    submissions: Mapping[str, str] = field(default_factory=dict)  # fields and values that mark a submission
    sources: Mapping[str, SourceSettings] = field(default_factory=dict)  # of `fetch`
    links: LinkSettings = field(default_factory=LinkSettings)

    @property
    def text(self) -> str:
        """The settings that entries may depend on, as text, equal in another process too."""
        addresses = self.assets, self.has_pictures, self.file_addresses
        return repr((self.site, dict(self.content), self.replacements, *addresses, self.rules, self.warnings))

    @property
    def has_former_addresses(self) -> bool:
        """Whether entries may have former addresses, so that a link to any address may lead to one of them."""
        return any(isinstance(table, DocumentSettings) and table.address_keys for table in self.content.values())

    @property
    def listing_slug_fields(self) -> tuple[str, ...]:
        """The fields of which the pattern of the config makes the slugs of listings; () without a pattern."""
        pattern = self.content[Kind.LISTING].slug_pattern
        return () if pattern == DEFAULT_PATTERN else tuple(fields_of_pattern(pattern))

    @property
    def publishes(self) -> bool:
        """Whether a sync publishes the pictures of the folder in an asset store."""
        return self.assets is not None and self.assets.store is not None

    @property
    def file_addresses(self) -> FileAddresses:
        """The addresses of the folder's files, without those that a sync publishes.

        Without an address, paths to files stay as they are. Without `asset_base_url`, pictures that are read as
        files are on the built-in server. If a target is another server, `base_url` must be set, and the files that are
        not in the asset folder have no address (decision 36).
        """
        base, assets = self.site.asset_base_url, self.assets
        if assets is None:
            return FileAddresses(base)
        has_other_server = not all(target.is_embedded for target in self.targets.values())
        if not (base or self.publishes or (assets.base_url and has_other_server)):
            base = LOCAL_FILES
        return FileAddresses(base, assets.path, assets.base_url)

    @property
    def store_base(self) -> str | None:
        """The address of the asset store, with a slash at its end; None without a store."""
        store_url = self.assets.store_url if self.assets and self.assets.store else None
        return f"{store_url.rstrip('/')}/" if store_url else None

    def paths(self, kind: Kind) -> tuple[str, ...]:
        """Return the paths at which the entries of a kind may be; "" is the content folder itself."""
        return tuple(path for alternatives in self.alternative_paths(kind) for path in alternatives)

    def alternative_paths(self, kind: Kind) -> list[tuple[str, ...]]:
        """Return for each path in the config where its entries may be: in the folders of languages, if it has these.

        A default path with `.yaml` may also have `.yml`.
        """
        layout = self.layout(kind)
        if self.has_default_path(kind) and (path := layout.paths[0]).endswith(".yaml"):
            return [(path, f"{path.removesuffix('.yaml')}.yml")]
        return [layout.roots_of(path) for path in layout.paths]

    def has_default_path(self, kind: Kind) -> bool:
        """Return whether the entries of a kind are at the usual path, which a folder without such entries lacks."""
        return self.content[kind].paths == (DEFAULT_PATHS[kind],)

    def new_path(self, kind: Kind, folder: Path) -> str:
        """Return the path for new entries of a kind: the first one in the config.

        Of its alternatives in the default language, return the first that `folder` has.
        """
        first, *_ = self.alternative_paths(kind)
        paths = [path for path in first if self.layout(kind).locale_of(path) is None]
        return next((path for path in paths if os.path.lexists(folder / path)), paths[0])

    def layout(self, kind: Kind) -> CollectionLayout:
        """Return the layout of a collection."""
        settings = self.content[kind]
        locales = self.site.locales
        if not isinstance(settings, DocumentSettings):
            return CollectionLayout(settings.paths, locales)
        return CollectionLayout(
            settings.paths,
            locales,
            in_folders=settings.locales == "folder",
            dated_folders=isinstance(settings, ArticleSettings) and settings.dates == "folders",
            reads_orphans_as_entries=settings.orphan_translations == "entry",
            slug_pattern=settings.slug,
        )

    def layouts(self) -> dict[Kind, CollectionLayout]:
        """Return the layouts of the kinds with one entry per file, which their paths identify."""
        return {kind: self.layout(kind) for kind, table in self.content.items() if isinstance(table, DocumentSettings)}

    def excludes(self, kind: Kind, path: str) -> bool:
        """Return whether the config leaves out a file or folder; `path` is relative to the content folder."""
        _, path_below = self.layout(kind).split(path)
        return path == CONFIG or self.content[kind].is_left_out(path_below)

    def kinds_at(self, path: str) -> frozenset[Kind]:
        """Return the kinds that are read from the file or folder at a path, which is a collection or inside of one.

        A file that only `exclude` leaves out, and not `include`, has a kind too. A collection inside of another one has
        the kinds of both.
        """
        return frozenset(kind for kind in Kind if self._is_at(path, kind))

    def kind_at(self, path: str) -> Kind | None:
        """Return the kind as which a file is read if it has one: that of the innermost collection with the file."""
        return max(self.kinds_at(path), key=lambda kind: len(self._root_at(path, kind) or ""), default=None)

    def _root_at(self, path: str, kind: Kind) -> str | None:
        """Return the innermost of the paths of a kind that contains a file or folder, else None."""
        return max((root for root in self.paths(kind) if is_below(path, root)), key=len, default=None)

    def _is_at(self, path: str, kind: Kind) -> bool:
        """Return whether a path is that of a collection, or inside of it, in something that `include` names."""
        root = self._root_at(path, kind)
        if root is None or path == CONFIG:
            return False
        inner = path[len(root) + 1 :] if root else path
        settings = self.content[kind]
        return not (inner and settings.include) or bool(settings.including_patterns(inner))

    def concerns(self, path: str) -> bool:
        """Return whether a file or folder is a collection, in one, or contains one."""
        contains_root = any(is_below(root, path) for kind in self.content for root in self.paths(kind))
        return contains_root or bool(self.kinds_at(path))


ReadConfig = Callable[[Path, bytes | None], tuple[Config, list[Problem]]]


def read_config(folder: Path, proposed: bytes | None = None) -> tuple[Config, list[Problem]]:
    """Return the config of a content folder, and its problems. A setting with an error is treated as missing.

    With `proposed`, read this text, and not the file. Raises UnreadableFile only if such a text cannot be parsed.
    """
    if proposed is not None:
        return _config(read_toml(decode(proposed, CONFIG), CONFIG), folder)
    if not os.path.lexists(folder / CONFIG):
        hint = "create the file (it may be empty), or run contentsync init to create a new folder"
        problem = Problem("no-config", f"the folder has no {CONFIG}", Where(CONFIG), hint)
        return _default_config(folder), [problem]
    try:
        toml = read_toml(decode(read_config_bytes(folder), CONFIG), CONFIG)
    except UnreadableFile as error:
        return replace(_default_config(folder), is_content_valid=False), list(error.problems)
    return _config(toml, folder)


def _default_config(folder: Path) -> Config:
    return _config(ParsedToml(values={}, value_locations={}, key_locations={}), folder)[0]


def read_config_bytes(folder: Path) -> bytes:
    """Return the bytes of the config, which may be a link to another file of the folder. Raises UnreadableFile."""
    location = resolve_link(folder.resolve(), CONFIG, CONFIG) if (folder / CONFIG).is_symlink() else CONFIG
    with ContentRoot(folder) as root:
        return root.read_bytes(location, CONFIG)[0]


def read_local_config(folder: Path, proposed: bytes | None = None) -> tuple[Config, list[Problem]]:
    """Return the config and the problems like `read_config`, but without settings that give pictures other addresses.

    This is for a process that serves the site and the pictures of the folder itself. `proposed` replaces the bytes of
    the config's file; None: read them.
    """
    config, problems = read_config(folder, proposed)
    if config.assets:
        assets = config.assets.model_copy(update={"base_url": None, "store": None, "store_url": None})
        config = replace(config, assets=assets, site=config.site.model_copy(update={"asset_base_url": None}))
    return config, problems


def _config(toml: ParsedToml, folder: Path) -> tuple[Config, list[Problem]]:
    """Return the config with the valid settings of a file, and the problems of the others."""
    file, violations = _validated(toml.values, default_site_name(folder))
    violations += list(_default_target_violations(file, violations))
    # The fields of `Collections` are in the order of DEFAULT_PATHS.
    content = {
        kind: table.model_copy(update={"paths": (DEFAULT_PATHS[kind],)})
        if not table.paths or table.has_bare_root  # which `_path_violations` reports
        else table
        for kind, (_, table) in zip(DEFAULT_PATHS, file.content, strict=True)
    }
    violations += list(_path_violations(file, reported=violations))
    violations += list(_shared_path_violations(file, content))
    if file.assets:
        violations += list(_store_violations(file.assets, folder, reported=violations))
        remote_target = next((target.name for target in file.targets.values() if not target.is_embedded), None)
        has_address = file.site.asset_base_url or file.assets.base_url or file.assets.store
        if remote_target and not has_address:
            message = missing_address(remote_target)
            violations.append(Violation("no-asset-address", ("assets",), message, ADDRESS_HINT))
    config = Config(
        site=file.site,
        default_target=file.default_target if file.default_target in file.targets else None,
        content=content,
        targets=file.targets,
        warnings=file.warnings,
        rules=file.house_rules.by_kind(),
        replacements=file.markdown.replace,
        assets=file.assets,
        is_content_valid=all(violation.loc[0] in _KEYS_WITHOUT_EFFECT_ON_CONTENT for violation in violations),
        source=Source(CONFIG, 1, toml.value_locations),
        submissions=file.propose.submissions,
        sources=file.sources,
        links=file.links,
    )
    return config, [_problem(violation, toml) for violation in violations]


ADDRESS_HINT = (
    f"set asset_base_url under [site] in {CONFIG} to the address where the folder's files are served, "
    "or set store under [assets] to publish them"
)


def missing_address(target: str) -> str:
    """Return the message that the pictures of the folder have no address on a target."""
    return f"the target '{target}' needs an address for the pictures of the folder"


def _default_target_violations(file: ConfigFile, reported: Sequence[Violation]) -> Iterator[Violation]:
    """Yield a violation if the default target does not exist, and no reported violation may be the cause."""
    default = file.default_target
    # The target itself may have an error, or be in a top-level table whose name is mistyped.
    has_cause = any(violation.loc[:2] == ("targets", default) or len(violation.loc) == 1 for violation in reported)
    if default is not None and default not in file.targets and not has_cause:
        message = f"default_target '{default}' is not one of the targets"
        hint = did_you_mean(default, file.targets) or f"the targets are: {', '.join(file.targets) or 'none'}"
        yield Violation("unknown-target", ("default_target",), message, hint)


def _path_violations(file: ConfigFile, reported: Sequence[Violation]) -> Iterator[Violation]:
    """Yield what is wrong with the paths of each collection together with its other settings, and with the languages.

    Yield nothing for a table with a `reported` fault of `include`.
    """
    for name, table in file.content:
        loc = ("content", name, "path")
        if table.has_bare_root and not any(violation.loc[:3] == ("content", name, "include") for violation in reported):
            message = f"content.{name}.path is '.', the content folder itself, in which not every file is content"
            hint = 'add include with the names of its files that are, such as include = ["*.md"]'
            yield Violation("bad-path", loc, message, hint)
        places = [(path, {*_roots(path, file.site.locales)}) for path in table.paths]
        for index, (path, roots) in enumerate(places):
            for other, other_roots in places[:index]:
                if any(is_below(a, b) or is_below(b, a) for a in roots for b in other_roots):
                    message = f"content.{name}.path has '{shown_path(path)}' and '{shown_path(other)}', with files of "
                    message += "one in the other"
                    hint = "set paths that have no folder in common, in any language"
                    yield Violation("bad-path", (*loc, index), message, hint)


def _roots(path: str, locales: Sequence[str]) -> Sequence[str]:
    """Return the folders that the path of a collection stands for, and the path without that of the language."""
    return (*CollectionLayout((path,), locales).roots, path_without_locale(path))


def _shared_path_violations(file: ConfigFile, content: Mapping[Kind, CollectionSettings]) -> Iterator[Violation]:
    """Yield a violation for each path of a collection, or file of a source, that another one has too."""
    roots = {kind: {*CollectionLayout(table.paths, file.site.locales).roots} for kind, table in content.items()}
    for kind, (name, table) in zip(content, file.content, strict=True):  # both in the order of DEFAULT_PATHS
        others = {root for other, its_roots in roots.items() if other is not kind for root in its_roots}
        for path in table.paths:
            if not others.isdisjoint(CollectionLayout((path,), file.site.locales).roots):
                message = f"content.{name}.path '{shown_path(path)}' is also the path of another collection"
                yield Violation("same-path", ("content", name, "path"), message, "set another path for one of them")
    source_by_file: dict[str, str] = {}
    for name, source in file.sources.items():
        first = source_by_file.setdefault(source.file.casefold(), name)
        if first != name:
            message = f"sources.{name}.file '{source.file}' is also the file of the source '{first}'"
            yield Violation("same-path", ("sources", name, "file"), message, "set another file for one")


def _store_violations(assets: AssetSettings, folder: Path, reported: Sequence[Violation]) -> Iterator[Violation]:
    """Yield what is wrong with both settings of an asset store together; nothing if one of them is `reported`."""
    reported_settings = {violation.loc[:2] for violation in reported}
    if reported_settings & {("assets", "store"), ("assets", "store_url")}:
        return
    store, store_url = assets.store, assets.store_url
    if store and not store_url:
        message = "the asset store needs the public address of its files"
        yield Violation("no-asset-address", ("assets", "store"), message, "set store_url under [assets]")
    elif store_url and not store:
        message = "assets.store_url is the address of a store, but there is none"
        yield Violation("bad-store", ("assets", "store_url"), message, "set store under [assets]")
    if store and not is_bucket(store) and (folder / store).resolve().is_relative_to(folder.resolve()):
        message = "assets.store must be outside of the content folder, where its files would be content"
        yield Violation("bad-store", ("assets", "store"), message, "write a path such as ../published")


def _validated(values: dict[str, Any], default_name: str) -> tuple[ConfigFile, list[Violation]]:
    """Return the valid settings, and the violations of the others, which are deleted from `values`.

    Each deletion may bring up other violations, so validate again until there are none.
    """
    violations = list(_set_target_names(values))
    while True:
        site = values.setdefault("site", {})
        if isinstance(site, dict):
            site.setdefault("name", default_name)
        try:
            return ConfigFile.from_values(values), violations
        except ValidationError as error:
            new_violations = violations_from(error, ConfigFile)
        # Do not report a field as missing if its wrong value was just removed, or if its key is mistyped.
        reported = {violation.loc for violation in violations}
        reported |= {(*violation.loc[:-1], violation.meant_key) for violation in new_violations if violation.meant_key}
        violations += [violation for violation in new_violations if violation.loc not in reported]
        for violation in new_violations:
            _remove(values, violation)


def _set_target_names(values: dict[str, Any]) -> Iterator[Violation]:
    """Set the `name` of each target to the name of its table; yield a violation for a name in the file."""
    targets = values.get("targets")
    for target, table in targets.items() if isinstance(targets, dict) else ():
        if not isinstance(table, dict):
            continue
        if "name" in table:
            message = f"targets.{target}.name is not a known key"
            hint = "delete it: the name of the table is the name of the target"
            yield Violation("unknown-key", ("targets", target, "name"), message, hint)
        table["name"] = target


def _remove(values: dict[str, Any], violation: Violation) -> None:
    """Delete the wrong value, or the nearest value around it; for a missing key, the table that lacks it."""
    loc = violation.loc[:-1] if violation.code == "required" else violation.loc
    inner: Any = values
    for depth, part in enumerate(loc, 1):
        if not isinstance(inner, dict) or part not in inner:
            return
        if depth == len(loc) or not isinstance(inner[part], dict):
            del inner[part]
            return
        inner = inner[part]


def _problem(violation: Violation, toml: ParsedToml) -> Problem:
    """Return the problem of a violation, at its location in the config."""
    source = Source(CONFIG, 1, toml.key_locations if violation.code == "unknown-key" else toml.value_locations)
    hint = violation.hint
    if violation.code == "unknown-key" and may_contain_secret(str(violation.loc[-1])):
        hint = "put the token into an environment variable, and set token_env to the name of the variable"
    return Problem(violation.code, violation.message, source.where(violation.field), hint)
