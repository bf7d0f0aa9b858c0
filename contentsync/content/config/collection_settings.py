"""The settings of collections: where the files of each kind are, and how they are read (docs/content.md 10)."""

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema
from pydantic_core.core_schema import model_field, no_info_plain_validator_function

from ...model import RECORDS, Kind, Part
from ...model.directory_settings import as_tuple
from ...model.field_types import Flag, Text, Title, check_text, fault
from ..files.content_folder import CONFIG, PRIVATE_FOLDER
from ..files.file_names import is_below, name_fault, shown_path
from ..files.slug_pattern import DEFAULT_PATTERN, check_field_pattern, check_slug_pattern
from ..formats.file_tree import ItemPath, check_item_path, make_item_path
from ..formats.table_rows import USUAL_FORMAT, USUAL_NUMBERS, TableFormat
from .collection_layout import LOCALE
from .permalinks import FORMER_ADDRESS_KEYS, check_permalink


def check_relative_path(value: str) -> str:
    """Return a path inside the content folder in its usual form. Raise the fault `bad-path`."""
    path = PurePosixPath(value)
    if path.is_absolute() or ".." in path.parts or not path.parts or "\\" in value:
        raise fault("bad-path", "must be a relative path inside the content folder, without .. or backslashes")
    return path.as_posix()


def _check_path(value: str) -> str:
    """Return the path of a collection in its usual form; "" for `.`, the content folder itself. Raise a fault."""
    if value and not PurePosixPath(value).parts:
        return ""
    path = check_relative_path(value)
    if path == CONFIG or is_below(path, PRIVATE_FOLDER):
        raise fault("bad-path", f"must not be {CONFIG} or in {PRIVATE_FOLDER}, which contain no entries")
    return path


def _check_single_path(value: str) -> str:
    """Return the path of a collection. Raise a fault if it contains `{locale}`."""
    if LOCALE in value:
        message = f"must not contain {LOCALE}: only articles, organizers and pages have files of several languages"
        raise fault("bad-path", message)
    return _check_path(value)


def _check_localized_path(value: str) -> str:
    """Return the path of a collection. Raise a fault if it contains `{locale}` twice, or as a part of a name."""
    path = _check_path(value)
    if LOCALE in path and (path.count(LOCALE) != 1 or LOCALE not in path.split("/")):
        raise fault("bad-path", f"must contain {LOCALE} once, as the name of a folder, such as {LOCALE}/posts")
    return path


def _check_several_paths(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return the paths. Raise a fault if there is none, or if one is inside another, whose files it has already."""
    if not paths:
        raise fault("bad-path", "must have at least one path")
    for index, path in enumerate(paths):
        for other in paths[:index]:
            if path == other:
                raise fault("bad-path", f"has '{shown_path(path)}' twice", hint="delete one of them")
            if is_below(path, other) or is_below(other, path):
                inner, outer = (path, other) if is_below(path, other) else (other, path)
                hint = f"delete '{inner}': its files are read as a part of '{shown_path(outer)}'"
                if not outer:
                    hint = f"delete '{inner}', and add '{inner.partition('/')[0]}' to include"
                raise fault("bad-path", f"has '{inner}', which is inside '{shown_path(outer)}'", hint=hint)
    return paths


def _one_or_several(check: Callable[[str], str]) -> WrapValidator:
    """Return the validator of a setting that is a path or a list of paths; `check` checks a single one."""

    def validate(value: Any, validate_list: ValidatorFunctionWrapHandler) -> Any:
        if isinstance(value, list | tuple):
            return validate_list(tuple(value))  # an error has the number of the path
        return (check(check_text(value)),)

    return WrapValidator(validate, json_schema_input_type=str | list[str])


_SinglePaths = Annotated[
    tuple[Annotated[Text, AfterValidator(_check_single_path)], ...],
    AfterValidator(_check_several_paths),
    _one_or_several(_check_single_path),
]
_LocalizedPaths = Annotated[
    tuple[Annotated[Text, AfterValidator(_check_localized_path)], ...],
    AfterValidator(_check_several_paths),
    _one_or_several(_check_localized_path),
]


def _check_name_pattern(value: str) -> str:
    """Return the pattern of names. Raise a fault if it is one of paths."""
    if "/" in value:
        hint = "name the folder with all that is in it, and leave out some of its files with exclude"
        raise fault("bad-path", f"must be the name of a file or folder, without a slash, not '{value}'", hint=hint)
    return value


def _check_translation_key(value: str) -> str:
    """Return the key. Raise a fault if it is a field, whose values would be lost."""
    if value == "sync" or any(value in record.rules() for record in RECORDS.values() if record.translated):
        message = f"must be a key that is not a field, such as translationKey, not '{value}'"
        raise fault("bad-translation-key", message, hint="the entries would lose their values of this field")
    return value


class ConfigTable(Part):
    """A table of the config file."""

    model_config = ConfigDict(frozen=True)


class _IfPresent:
    """The type of a table that is validated by itself: a config has few of the tables, so few models are built."""

    def __get_pydantic_core_schema__(self, table: type[ConfigTable], handler: GetCoreSchemaHandler) -> CoreSchema:
        return no_info_plain_validator_function(table.from_values, metadata={"table": table})

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the reference to the schema of the table, which becomes one of the definitions by its name."""
        table = schema["metadata"]["table"]
        definition: Any = {**table.__pydantic_core_schema__, "ref": f"{table.__name__}:{id(table)}"}
        return handler(model_field(definition))


Table = TypeVar("Table", bound=ConfigTable)
IfPresent = Annotated[Table, _IfPresent()]


class CollectionSettings(ConfigTable):
    """The settings of one kind: the path of its files, the names of the keys in them, and what is not read."""

    paths: _SinglePaths = Field(default=(), alias="path")  # relative to the content folder, which itself is ""
    rename: Mapping[Text, Title] = {}  # key in the file: field, or `!field` for the opposite of a flag
    ignore: Annotated[tuple[Text, ...], BeforeValidator(as_tuple)] = ()  # keys in the file that are not read
    # names of the files and folders directly in each path that are content; without it, all are
    include: Annotated[tuple[Annotated[Text, AfterValidator(_check_name_pattern)], ...], BeforeValidator(as_tuple)] = ()
    exclude: Annotated[tuple[Text, ...], BeforeValidator(as_tuple)] = ()  # files and folders that are not content
    url_scheme: Literal["https", "http"] | None = None  # of the addresses that have none; None: they are errors

    @property
    def ignored_keys(self) -> tuple[str, ...]:
        """The keys in front matter that are no fields."""
        return self.ignore

    def path_below(self, path: str) -> str:
        """Return the path of a file below that of the collection which it is in; a file that is one has its own path.

        Use the layout of the collection for a kind that may have folders of languages.
        """
        folder = next((folder for folder in self.paths if folder and is_below(path, folder)), "")
        return path.removeprefix(f"{folder}/")

    @property
    def has_bare_root(self) -> bool:
        """Whether everything in the content folder would be read."""
        return "" in self.paths and not self.include

    def including_patterns(self, inner: str) -> list[str]:
        """Return the `include` patterns that match a file or folder, or the first folder that it is in."""
        return [pattern for pattern in self.include if fnmatchcase(inner.partition("/")[0], pattern)]

    def is_left_out(self, inner: str) -> bool:
        """Return whether `exclude` or `include` leaves out a file or folder; "" is that at a path of the collection."""
        if not inner:
            return False
        return bool(self.matching_patterns(inner) or (self.include and not self.including_patterns(inner)))

    def matching_patterns(self, inner: str) -> list[str]:
        """Return the `exclude` patterns that match a file or folder; `inner` is its path below the collection's.

        A pattern with a slash, also at its start, matches the whole path; any other pattern matches the name.
        """
        name = PurePosixPath(inner).name
        return [
            pattern
            for pattern in self.exclude
            if fnmatchcase(inner if "/" in pattern else name, pattern.removeprefix("/"))
        ]

    @property
    def slug_pattern(self) -> str:
        """The pattern by which an entry without a slug gets it."""
        return DEFAULT_PATTERN

    @property
    def title_in_heading(self) -> bool:
        """Whether the title of an entry is read from its first heading if the front matter has none."""
        return False

    @property
    def needs_title(self) -> bool:
        """Whether an entry without a title in the front matter has none."""
        return True

    @property
    def item_path(self) -> ItemPath | None:
        """The path of the entries in files with nested lists; None if it is not set."""
        return None

    def table_format(self, path: str) -> TableFormat:
        """Return the format of the table at a path, which is relative to the content folder."""
        return USUAL_FORMAT

    def takes_values_as_written(self, path: str) -> bool:
        """Return whether each value of a listing in a list or table is one cell of it, as the cell has it."""
        return False


class DocumentSettings(CollectionSettings):
    """The settings of a kind with one entry per file, which has its slug and language from the file's path."""

    paths: _LocalizedPaths = Field(default=(), alias="path")
    slug: Annotated[Title, AfterValidator(check_slug_pattern)] = DEFAULT_PATTERN
    title: Literal["front-matter", "heading", "file-name"] = "front-matter"  # what has it, if not the front matter
    locales: Literal["suffix", "folder"] = "suffix"  # where the path of a file names its language
    orphan_translations: Literal["error", "entry"] = "error"
    permalink: Annotated[Text, AfterValidator(check_permalink)] | None = None  # a pattern of former addresses
    former_addresses: Annotated[tuple[Text, ...], BeforeValidator(as_tuple)] | None = None  # keys in the file

    @property
    def slug_pattern(self) -> str:
        return self.slug

    @property
    def title_in_heading(self) -> bool:
        return self.title == "heading"

    @property
    def needs_title(self) -> bool:
        return self.title == "front-matter"

    @property
    def address_keys(self) -> tuple[str, ...]:
        """The keys in the file whose values are former addresses."""
        if self.former_addresses is None:
            return FORMER_ADDRESS_KEYS if self.permalink else ()
        return self.former_addresses


class TranslatedSettings(DocumentSettings):
    """The settings of a kind that can be translated; `translation_key` names a key that all languages share."""

    translation_key: Annotated[Title, AfterValidator(_check_translation_key)] | None = None
    # keys that are not read in files of other languages
    ignore_in_translations: Annotated[tuple[Text, ...], BeforeValidator(as_tuple)] = ()

    @property
    def ignored_keys(self) -> tuple[str, ...]:
        return (*self.ignore, self.translation_key) if self.translation_key else self.ignore


class ArticleSettings(TranslatedSettings):
    """The settings of articles; `skip_empty` excludes articles without a text from the sync."""

    dates: Literal["file-name", "folders", "git"] = "file-name"  # the date of an article without `published_at`
    skip_empty: Flag = False  # do not send articles without a text


class TableSettings(TableFormat):
    """The format of the tables that match `path`."""

    path: Text = "*"  # a file name, or a path below the path of the listings; `*` matches anything


_TITLES = frozenset(record.title_field for record in RECORDS.values())


class ListSettings(CollectionSettings):
    """The settings of a kind whose entries may be in lists: where they are in a file with nested lists."""

    items: Annotated[Text, AfterValidator(check_item_path)] | None = None  # such as groups[].entries[]
    inherit: Mapping[Text, Text] = {}  # field: path of its value around the entries, such as groups[].name

    @property
    def item_path(self) -> ItemPath | None:
        return make_item_path(self.items, self.inherit) if self.items else None

    @model_validator(mode="after")
    def _check_inherit(self) -> Self:
        """Raise a fault for `inherit` without `items`, with a title, or with a path that is not around the items."""
        if self.inherit and not self.items:
            raise fault("bad-path", "has inherit, but no items that say where the entries are")
        if titles := _TITLES.intersection(self.inherit):
            raise fault("bad-path", f"inherits {min(titles)}, but each entry has its own")
        _ = self.item_path  # raises a fault for such a path
        return self


_PULL_SUFFIXES = (".csv", ".tsv", ".yaml", ".yml")
CATEGORY = "{category}"  # stands for the slug of a listing's first category


def _check_pull_to(value: str) -> str:
    """Return the path of the file that a pull adds listings to. Raise a fault if it cannot be such a file."""
    path = check_relative_path(value)
    if not path.lower().endswith(_PULL_SUFFIXES):
        raise fault("bad-path", f"must end with one of {', '.join(_PULL_SUFFIXES)}, such as {CATEGORY}.csv")
    example = path.replace(CATEGORY, "x")
    if "{" in example or "}" in example:
        raise fault("bad-path", f"may contain {CATEGORY}, and no other braces")
    if name_error := name_fault(example):
        raise fault("bad-path", f"must be a file name for every system: {name_error}")
    return path


class ListingSettings(ListSettings):
    """The settings of listings, with the formats of their tables."""

    # The file that gets the new listings of a pull, below `path`.
    pull_to: Annotated[Text, AfterValidator(_check_pull_to)] | None = None
    slug: Annotated[Title, AfterValidator(check_field_pattern)] = DEFAULT_PATTERN  # of the listings that have no slug
    tables: Annotated[tuple[TableSettings, ...], BeforeValidator(as_tuple)] = ()  # the first one that matches counts

    @model_validator(mode="after")
    def _check_folder(self) -> Self:
        """Raise a fault for `pull_to` if the listings are not in a folder."""
        first = self.paths[0] if self.paths else ""
        if self.pull_to and first.lower().endswith((*_PULL_SUFFIXES, ".json", ".toml")):
            raise fault("bad-path", f"has pull_to, but {first} is a single file, which gets all new listings")
        return self

    @property
    def slug_pattern(self) -> str:
        return self.slug

    def table_format(self, path: str) -> TableFormat:
        return next((table for table in self.tables if self._matches(table.path, path)), USUAL_FORMAT)

    def takes_values_as_written(self, path: str) -> bool:
        return self.slug == DEFAULT_PATTERN and self.table_format(path).numbers == USUAL_NUMBERS

    def _matches(self, pattern: str, path: str) -> bool:
        if "/" not in pattern:
            return fnmatchcase(PurePosixPath(path).name, pattern)
        return fnmatchcase(self.path_below(path), pattern)


DEFAULT_PATHS: Mapping[Kind, str] = {
    Kind.CATEGORY: "categories.yaml",
    Kind.TAG: "tags.yaml",
    Kind.CUSTOM_FIELD: "custom_fields.yaml",
    Kind.ORGANIZER: "organizers",
    Kind.LISTING: "listings",
    Kind.PAGE: "pages",
    Kind.ARTICLE: "articles",
}


class Collections(ConfigTable):
    """The settings of all kinds."""

    categories: IfPresent[ListSettings] = ListSettings.model_construct()
    tags: IfPresent[ListSettings] = ListSettings.model_construct()
    custom_fields: IfPresent[ListSettings] = ListSettings.model_construct()
    organizers: IfPresent[TranslatedSettings] = TranslatedSettings.model_construct()
    listings: IfPresent[ListingSettings] = ListingSettings.model_construct()
    pages: IfPresent[DocumentSettings] = DocumentSettings.model_construct()
    articles: IfPresent[ArticleSettings] = ArticleSettings.model_construct()
