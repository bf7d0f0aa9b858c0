"""contentsync.toml: the site, where its content lies, and its targets (docs/content.md 10)."""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, ValidationError

from ..errors import Problem, Where
from ..model import Kind, Part, Source, Violation, did_you_mean
from ..model.field_types import Email, Flag, Id, Integer, Text, Title, Url, fault
from ..model.urls import url_fault
from ..model.violation import violations_of
from .config_file import CONFIG, may_hold_secret
from .draft import Unreadable
from .files.source_file import Root, follow
from .formats.toml_text import Toml, read_toml

_ABOUT_TARGETS = ("targets", "default_target")

_LOCALE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*\Z")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_PREFIX = re.compile(r"(?:/[a-z0-9-]+)+\Z")


def _listed(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        raise fault("not-a-list", "must be a list")
    return tuple(value)


def _locales(value: tuple[str, ...]) -> tuple[str, ...]:
    if not value or len(set(value)) < len(value):
        raise fault("bad-locales", "must list at least one language, and each language only once")
    for locale in value:
        if not _LOCALE.match(locale):
            raise fault("bad-locales", f"must contain language codes such as en or pt-BR, not '{locale}'")
    return value


def _timezone(value: str) -> str:
    if value == "UTC":  # known without any list of time zones
        return value
    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError, RecursionError) as error:  # the last: a name of many dots
        known = available_timezones()
        if not known:
            message = "cannot be checked: neither this system nor the Python package tzdata has a list of time zones"
            raise fault("no-tzdata", message, hint="run pip install tzdata") from error
        hint = did_you_mean(value, known)
        raise fault("unknown-timezone", f"must be a time zone like Europe/Paris, not '{value}'", hint=hint) from error
    return value


def _variable(value: str) -> str:
    if not _VARIABLE.match(value):  # not repeated: it may be the token itself
        hint = "set that variable to the token, and keep the token out of this file"
        raise fault("bad-variable", "must be the name of an environment variable, such as CONTENTSYNC_TOKEN", hint=hint)
    return value


def _prefix(value: str) -> str:
    if not _PREFIX.match(value):
        raise fault("bad-path", "must be a path of lower-case letters, digits and hyphens, such as /organizers")
    return value


def _inside(value: str) -> str:
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts or not path.parts or "\\" in value:
        raise fault("bad-path", "must be a relative path inside the content folder, without .. or backslashes")
    return path.as_posix()


def _target_url(value: str) -> str:
    if value.startswith("embedded:"):
        if value == "embedded:":
            raise fault("bad-url", "must name the database file, such as embedded:.contentsync/site.db")
        _inside(value.removeprefix("embedded:"))
    elif wrong := url_fault(value):
        raise fault("bad-url", wrong)
    return value


class Settings(Part):
    """A table of the config file."""

    model_config = ConfigDict(frozen=True)


class OrganizerSettings(Settings):
    """How the site shows its organizers."""

    enabled: Flag = True
    prefix: Annotated[Text, AfterValidator(_prefix)] = "/organizers"
    label: Title = "Organizer"


class Site(Settings):
    """The directory that the content is for."""

    name: Title
    locales: Annotated[tuple[Text, ...], AfterValidator(_locales), BeforeValidator(_listed)] = ("en",)
    timezone: Annotated[Text, AfterValidator(_timezone)] = "UTC"
    asset_base_url: Url | None = None
    expired: Literal["badge", "hide"] = "badge"
    organizers: OrganizerSettings = OrganizerSettings()

    @property
    def zone(self) -> tzinfo:
        """The time zone of dates that name none."""
        return UTC if self.timezone == "UTC" else ZoneInfo(self.timezone)


class Folder(Settings):
    """Where the entries of a kind lie, and what their keys are called there."""

    path: Annotated[Text, AfterValidator(_inside)] = ""
    rename: Mapping[Text, Title] = {}  # key in the file: field, or `!field` for its opposite
    ignore: Annotated[tuple[Text, ...], BeforeValidator(_listed)] = ()
    exclude: Annotated[tuple[Text, ...], BeforeValidator(_listed)] = ()  # files and folders that are no content

    def patterns_of(self, path: str) -> list[str]:
        """The patterns that leave out a file or folder below `path`, named from the content folder on."""
        name, inner = PurePosixPath(path).name, path.removeprefix(f"{self.path}/")
        return [pattern for pattern in self.exclude if fnmatchcase(inner if "/" in pattern else name, pattern)]

    def excludes(self, path: str) -> bool:
        """Whether a file or folder below `path`, named from the content folder on, is left out."""
        return bool(self.patterns_of(path))


class ArticleFolder(Folder):
    """Where the articles lie, and what is made of those without a text."""

    skip_empty: Flag = False  # whether they are not sent


class Warnings(Settings):
    """Which warnings are not shown."""

    ignore: Annotated[tuple[Text, ...], BeforeValidator(_listed)] = ()  # codes


class MaxDeletes(Settings):
    """The limits over which a plan refuses to delete."""

    percent: Annotated[Integer, Field(ge=0, le=100)] = 20
    count: Annotated[Integer, Field(ge=0)] = 10


class KeepRuns(Settings):
    """Which journals of runs are kept: those that are as young as that, and as many of the last."""

    days: Annotated[Integer, Field(ge=0, le=36_500)] = 30
    count: Annotated[Integer, Field(ge=0)] = 50


class Target(Settings):
    """A directory to sync to."""

    name: Text
    url: Annotated[Text, AfterValidator(_target_url)]
    directory: Id | None = None
    token_env: Annotated[Title, AfterValidator(_variable)] = "CONTENTSYNC_TOKEN"  # noqa: S105  # the name of a variable, not a token
    requests_per_minute: Annotated[Integer, Field(ge=1)] | None = None  # None: what the server reports
    prune: Flag | None = None
    max_deletes: MaxDeletes = MaxDeletes()
    keep_runs: KeepRuns = KeepRuns()
    on_drift: Literal["overwrite", "keep", "fail"] = "overwrite"
    social_card_names: Literal["card", "twitter"] = "card"
    user_ids: dict[Email, Id] = {}

    @property
    def embedded(self) -> bool:
        """Whether the target is the built-in server inside the command."""
        return self.url.startswith("embedded:")


DEFAULT_PATHS: Mapping[Kind, str] = {
    Kind.CATEGORY: "categories.yaml",
    Kind.TAG: "tags.yaml",
    Kind.CUSTOM_FIELD: "custom_fields.yaml",
    Kind.ORGANIZER: "organizers",
    Kind.LISTING: "listings",
    Kind.PAGE: "pages",
    Kind.ARTICLE: "articles",
}


class _Collections(Settings):
    categories: Folder = Folder()
    tags: Folder = Folder()
    custom_fields: Folder = Folder()
    organizers: Folder = Folder()
    listings: Folder = Folder()
    pages: Folder = Folder()
    articles: ArticleFolder = ArticleFolder()


class _File(Settings):
    site: Site
    default_target: Text | None = None
    content: _Collections = _Collections()
    targets: dict[Title, Target] = {}
    warnings: Warnings = Warnings()


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a content folder; `read_config` gives a folder for every kind."""

    site: Site
    default_target: str | None = None
    content: Mapping[Kind, Folder] = field(default_factory=dict)
    targets: Mapping[str, Target] = field(default_factory=dict)
    ignored_warnings: frozenset[str] = frozenset()  # codes
    is_clear: bool = True  # all is known that says what the content means; what is wrong may be about targets
    source: Source = field(default_factory=lambda: Source(CONFIG))  # where the settings stand


def read_config(folder: Path) -> tuple[Config, list[Problem]]:
    """The settings of a folder and what is wrong with them; what is wrong counts as not given."""
    if not os.path.lexists(folder / CONFIG):
        hint = "create the file (it may be empty), or run contentsync init to create a new folder"
        problem = Problem("no-config", f"the folder has no {CONFIG}", Where(CONFIG), hint)
        return _config(Toml({}, {}, {}), folder)[0], [problem]
    try:
        location = follow(folder.resolve(), CONFIG, CONFIG) if (folder / CONFIG).is_symlink() else CONFIG
        with Root(folder) as root:
            text, _ = root.text(location, CONFIG)
        toml = read_toml(text, CONFIG)
    except Unreadable as error:
        return replace(_config(Toml({}, {}, {}), folder)[0], is_clear=False), list(error.problems)
    return _config(toml, folder)


def _config(toml: Toml, folder: Path) -> tuple[Config, list[Problem]]:
    file, violations = _validated(toml.values, site_name(folder))
    default = file.default_target
    if default is not None and default not in file.targets and not _concerns_target(violations, default):
        message = f"default_target '{default}' is not one of the targets"
        hint = did_you_mean(default, file.targets) or f"the targets are: {', '.join(file.targets) or 'none'}"
        violations.append(Violation("unknown-target", ("default_target",), message, hint))
    default = default if default in file.targets else None
    content: dict[Kind, Folder] = {}
    tables = list(zip(DEFAULT_PATHS, file.content, strict=True))
    for kind, (name, table) in tables:
        content[kind] = table if table.path else table.model_copy(update={"path": DEFAULT_PATHS[kind]})
        if table.path in [other.path or DEFAULT_PATHS[its] for its, (_, other) in tables if its is not kind]:
            message = f"content.{name}.path '{table.path}' is also the path of another collection"
            violations.append(
                Violation("same-path", ("content", name, "path"), message, "set another path for one of them")
            )
    ignored = frozenset(file.warnings.ignore)
    is_clear = all(violation.loc[0] in _ABOUT_TARGETS for violation in violations)
    config = Config(file.site, default, content, file.targets, ignored, is_clear, Source(CONFIG, 1, toml.marks))
    return config, [_problem(violation, toml) for violation in violations]


def _validated(values: dict[str, Any], name: str) -> tuple[_File, list[Violation]]:
    violations: list[Violation] = []
    for target, table in _tables(values, "targets").items():
        if "name" in table:
            loc = ("targets", target, "name")
            violations.append(
                Violation(
                    "unknown-key",
                    loc,
                    f"{'.'.join(loc)} is not a known key",
                    "delete it: the name of the table is the name of the target",
                )
            )
        table["name"] = target
    while True:
        site = values.setdefault("site", {})
        if isinstance(site, dict):
            site.setdefault("name", name)
        try:
            return _File.model_validate(values), violations
        except ValidationError as error:
            found = violations_of(error, _File)
        # What is wrong was taken out, and is missing now; what a mistyped key means is not missing.
        told = {violation.loc for violation in violations}
        told |= {(*violation.loc[:-1], violation.meant) for violation in found if violation.meant}
        violations += [violation for violation in found if violation.loc not in told]
        for violation in found:
            _remove(values, violation)


def _concerns_target(violations: Iterable[Violation], name: str) -> bool:
    """Whether a target of the name is in the file, but broken; or perhaps, below a table whose name is mistyped."""
    return any(it.loc[:2] == ("targets", name) or len(it.loc) == 1 for it in violations)


def site_name(folder: Path) -> str:
    """What a site is called that has no name."""
    name = folder.absolute().name
    return name if name.strip() and name.isprintable() else "site"


def _tables(values: dict[str, Any], name: str) -> dict[str, dict[str, Any]]:
    tables = values.get(name)
    if not isinstance(tables, dict):
        return {}
    return {key: table for key, table in tables.items() if isinstance(table, dict)}


def _remove(values: dict[str, Any], violation: Violation) -> None:
    """Take the innermost key around what is wrong out of the values; where something is missing, what misses it."""
    loc = violation.loc[:-1] if violation.code == "required" else violation.loc
    inner: Any = values
    for depth, part in enumerate(loc, 1):
        if not isinstance(inner, dict) or part not in inner:
            return
        if depth == len(loc) or not isinstance(inner[part], dict):
            del inner[part]
            return
        inner = inner[part]


def _problem(violation: Violation, toml: Toml) -> Problem:
    source = Source(CONFIG, 1, toml.keys if violation.code == "unknown-key" else toml.marks)
    hint = violation.hint
    if violation.code == "unknown-key" and may_hold_secret(str(violation.loc[-1])):
        hint = "put the token into an environment variable, and set token_env to the name of the variable"
    return Problem(violation.code, violation.message, source.where(violation.field), hint)
