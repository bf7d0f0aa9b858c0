"""The tables of contentsync.toml, except those of collections: the site, its pictures, targets and sources."""

from datetime import UTC, tzinfo
from typing import Annotated, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BeforeValidator, Field

from ...lazy_pattern import lazy_pattern
from ...model.directory_settings import Expired, Locales, PathPrefix, TimeZone
from ...model.field_types import Email, Flag, Id, Integer, Text, Text500, Title, Url, fault
from ...model.urls import is_loopback, url_fault
from .collection_settings import Collections, ConfigTable, IfPresent, check_relative_path
from .link_settings import LinkSettings
from .replacement import Replacement, check_count
from .rule_settings import RuleTables
from .warning_levels import WarningSettings

_SOURCE_SUFFIXES = (".csv", ".tsv", ".json")

_VARIABLE = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_BUCKET = lazy_pattern(r"(?:s3|gs|az)://[a-z0-9][a-z0-9._-]{1,220}(?:/(?!\.{1,2}(?:/|\Z))[A-Za-z0-9._~-]+)*/?\Z")


class OrganizerSettings(ConfigTable):
    """Settings of the site's organizer pages."""

    enabled: Flag = True
    prefix: PathPrefix = "/organizers"
    label: Title = "Organizer"


class SiteSettings(ConfigTable):
    """The settings of the website that the content belongs to."""

    name: Title
    description: Text500 = ""  # on the home page and for search engines
    locales: Locales = ("en",)
    timezone: TimeZone = "UTC"
    asset_base_url: Url | None = None
    expired: Expired = "badge"
    organizers: IfPresent[OrganizerSettings] = OrganizerSettings.model_construct()

    @property
    def zone(self) -> tzinfo:
        """The time zone of dates that are written without a time zone."""
        return UTC if self.timezone == "UTC" else ZoneInfo(self.timezone)


def _check_store(value: str) -> str:
    """Return the address of an asset store; raise a fault for one that is neither a bucket nor a folder."""
    if "://" in value and not _BUCKET.match(value):  # not repeated in the message: it may have a password
        hint = "such as s3://my-bucket/pictures; the credentials come from the environment"
        message = "must be a folder, or begin with s3://, gs:// or az:// and the name of a bucket"
        raise fault("bad-store", message, hint=hint)
    return value


def is_bucket(store: str) -> bool:
    """Return whether an asset store is in a service, and not a folder."""
    return "://" in store


class AssetSettings(ConfigTable):
    """The settings of pictures as files; a folder without this table does not read them (docs/content.md 13)."""

    path: Annotated[Text, AfterValidator(check_relative_path)] = ""  # "": the content folder
    base_url: Url | None = None  # where the files of this folder are served; None: as all files
    max_bytes: Annotated[Integer, Field(ge=1)] = 10_000_000  # of a picture
    max_pixels: Annotated[Integer, Field(ge=1)] = 100_000_000
    store: Annotated[Text, AfterValidator(_check_store)] | None = None  # a folder or a bucket to publish them in
    store_url: Url | None = None  # the public address of the files in the store


class MarkdownSettings(ConfigTable):
    """The syntax that is replaced in Markdown bodies when they are read."""

    replace: Annotated[tuple[Replacement, ...], BeforeValidator(check_count)] = ()


class ProposeSettings(ConfigTable):
    """Which new listings count as submissions, besides those that are not active."""

    submissions: dict[Title, Text] = {}  # the value of a field, or an item of its list


def _check_target_url(value: str) -> str:
    """Return the address of a server, or `embedded:` and a path. Raise a fault for any other value."""
    if value.startswith("embedded:"):
        if value == "embedded:":
            raise fault("bad-url", "must name the database file, such as embedded:.contentsync/site.db")
        check_relative_path(value.removeprefix("embedded:"))  # raises a fault; the path stays as written
    elif url_error := url_fault(value):
        raise fault("bad-url", url_error)
    return value


def _check_variable_name(value: str) -> str:
    """Return the name of an environment variable; raise a fault for a text that cannot be one."""
    if not _VARIABLE.match(value):  # not repeated in the message: it may be the token itself
        hint = "set that variable to the token, and keep the token out of this file"
        raise fault("bad-variable", "must be the name of an environment variable, such as CONTENTSYNC_TOKEN", hint=hint)
    return value


class MaxDeletes(ConfigTable):
    """The limits above which deletes need consent."""

    percent: Annotated[Integer, Field(ge=0, le=100)] = 20
    count: Annotated[Integer, Field(ge=0)] = 10


class MaxUpdates(ConfigTable):
    """The limits above which replaced values need consent, if both are exceeded."""

    percent: Annotated[Integer, Field(ge=0, le=100)] = 30
    count: Annotated[Integer, Field(ge=0)] = 20


class KeepRuns(ConfigTable):
    """The journals to retain: those of the last `days` days, and the last `count`."""

    days: Annotated[Integer, Field(ge=0, le=36_500)] = 30
    count: Annotated[Integer, Field(ge=0)] = 50


class Target(ConfigTable):
    """A directory on a server to sync to, with its settings."""

    name: Text
    url: Annotated[Text, AfterValidator(_check_target_url)]
    directory: Id | None = None
    token_env: Annotated[Title, AfterValidator(_check_variable_name)] = "CONTENTSYNC_TOKEN"  # noqa: S105  # the name of a variable, not a token
    requests_per_minute: Annotated[Integer, Field(ge=1)] | None = None  # None: the limit that the server reports
    prune: Flag | None = None
    include_ignored: Flag = False
    max_deletes: IfPresent[MaxDeletes] = MaxDeletes.model_construct()
    max_updates: IfPresent[MaxUpdates] = MaxUpdates.model_construct()
    keep_runs: IfPresent[KeepRuns] = KeepRuns.model_construct()
    on_drift: Literal["overwrite", "keep", "fail"] = "keep"
    social_card_names: Literal["card", "twitter"] = "card"
    user_ids: dict[Email, Id] = {}

    @property
    def is_embedded(self) -> bool:
        """Whether the target is the built-in server inside the command."""
        return self.url.startswith("embedded:")

    @property
    def prunes(self) -> bool:
        """Whether a sync deletes entries that the folder no longer has, unless an option says otherwise."""
        return self.is_embedded if self.prune is None else self.prune


def source_url_fault(url: str) -> str | None:
    """Return why a source cannot be fetched from an address; None if it can."""
    if error := url_fault(url):
        return error
    parts = urlsplit(url)
    if parts.scheme == "https" or is_loopback(parts.hostname or ""):
        return None
    return "must begin with https://; http:// is only for this machine"


def _check_url(value: str) -> str:
    """Return the address. Raise a fault if data must not be fetched from it."""
    if error := source_url_fault(value):
        raise fault("bad-url", error)
    return value


def _check_file(value: str) -> str:
    """Return the path. Raise a fault if it cannot be a file for data in the content folder."""
    path = check_relative_path(value)
    if not path.lower().endswith(_SOURCE_SUFFIXES) or any(part.startswith(".") for part in path.split("/")):
        raise fault("bad-path", f"must be a visible file that ends with {', '.join(_SOURCE_SUFFIXES)}")
    return path


class SourceSettings(ConfigTable):
    """The address of a source, and the file of the folder that its data is written into."""

    url: Annotated[Text, AfterValidator(_check_url)]
    file: Annotated[Text, AfterValidator(_check_file)]
    max_updates: IfPresent[MaxUpdates] | None = None  # None: any number of values may be replaced


class ConfigFile(ConfigTable):
    """The tables of the whole file."""

    site: IfPresent[SiteSettings]
    default_target: Text | None = None
    content: IfPresent[Collections] = Collections.model_construct()
    assets: IfPresent[AssetSettings] | None = None
    targets: dict[Title, IfPresent[Target]] = {}
    sources: dict[Title, IfPresent[SourceSettings]] = {}
    warnings: IfPresent[WarningSettings] = WarningSettings.model_construct()
    house_rules: IfPresent[RuleTables] = Field(default=RuleTables.model_construct(), alias="rules")
    markdown: IfPresent[MarkdownSettings] = MarkdownSettings.model_construct()
    propose: IfPresent[ProposeSettings] = ProposeSettings.model_construct()
    links: IfPresent[LinkSettings] = LinkSettings.model_construct()
