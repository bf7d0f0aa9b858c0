"""What can be set: the keys of contentsync.toml, and environment variables."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import contentsync
from contentsync.content.config.collection_settings import (
    ArticleSettings,
    CollectionSettings,
    ConfigTable,
    DocumentSettings,
    ListingSettings,
    ListSettings,
    TableSettings,
    TranslatedSettings,
)
from contentsync.content.config.config_tables import (
    AssetSettings,
    KeepRuns,
    MarkdownSettings,
    MaxDeletes,
    OrganizerSettings,
    ProposeSettings,
    SiteSettings,
    SourceSettings,
    Target,
    WarningSettings,
)
from contentsync.content.config.replacement import Replacement
from contentsync.model import Part

from . import page, table

SITE = {
    "name": "text: the name of the site; without it, the name of the folder",
    "description": "text of at most 500 characters: how an embedded target introduces the site on its home page",
    "locales": "list of language codes; the first is the default",
    "timezone": "name of a time zone, such as `Europe/Paris`: for times without an offset and for an embedded site",
    "asset_base_url": "URL at which the folder's files are served: the base of relative links in texts",
    "expired": "`badge` or `hide`: how an embedded target shows listings past their end",
    "organizers": "table, below: how an embedded target shows organizers",
}
ORGANIZERS = {
    "enabled": "true or false: whether organizers have pages",
    "prefix": "path at which these pages begin",
    "label": "text: the site's word for an organizer",
}
CONTENT = {
    "path": "path of the kind's files, relative to the content folder ([keys.md](keys.md) has the defaults)",
    "rename": 'mapping of keys in the files to fields: `{ date = "published_at", summary = "seo.description" }`; '
    '`"!active"` inverts a boolean field',
    "ignore": "list of keys to ignore, with all values nested in them",
    "exclude": "list of files and folders to skip: names, or paths relative to `path`; `*` matches anything",
}
DOCUMENTS = {
    "title": "`front-matter`, or `heading`: the title is the first heading of the text if the front matter has none",
    "slug": "pattern for the slugs of entries whose front matter has none: "
    "[content.md](../content.md#slugs-from-file-names)",
    "locales": "`suffix` or `folder`: the part of a path that names the language; or write `{locale}` in `path`",
    "orphan_translations": "`error` or `entry`: how to read a file in another language without an entry in the default "
    "one",
    "permalink": "pattern of the addresses that the entries had on another site, such as `/blog/:year/:slug/` "
    "([content.md](../content.md#6-links))",
    "former_addresses": "list of keys whose values are former addresses; without it, and with a `permalink`: `aliases` "
    "and `redirect_from`",
}
TRANSLATED = {
    "translation_key": "key in front matter: files with the same value are translations of each other",
    "ignore_in_translations": "list of keys that are not read in files of other languages",
}
ARTICLES = {
    "dates": "`file-name`, `folders` or `git`: the source of the date of an article without `published_at`",
    "skip_empty": "true or false: whether articles without a text are skipped, as `sync.skip` does",
}
LISTS = {
    "items": "path from the root of a file to its entries, such as `groups[].entries[]`",
    "inherit": "mapping of fields to the paths of values that all entries of a group have: "
    '`{ categories = "groups[].name" }`',
}
LISTINGS = {
    "pull_to": "file for the new listings of a pull, relative to `path`: a table or a list; may contain `{category}`",
    "tables": "list of tables, below: the formats of tables; the first one whose `path` matches applies",
}
TABLES = {
    "delimiter": '`","`, `";"`, `"|"` or `"\\t"`: the delimiter of the cells ([content.md](../content.md#4-tables))',
    "encoding": "`utf-8`, `utf-16` or `windows-1252`; without it, UTF-8, or UTF-16 with a byte order mark",
    "header_row": "number of the row with the column names; rows above it are skipped",
    "list_separator": "character that separates the items of a list in a cell",
    "short_rows": "`error` or `empty`: whether the cells that a row lacks at its end are an error or empty",
    "path": "name of the tables, or their path relative to `path` of the listings; `*` matches anything",
}
ASSETS = {
    "path": "folder at which paths of pictures that begin with a slash start; default: the content folder",
    "store": "bucket (`s3://`, `gs://` or `az://`), or path outside of the content folder: where a sync publishes "
    "pictures",
    "store_url": "URL: the public address of the files in the store",
    "max_bytes": "whole number: the largest size of a picture",
    "max_pixels": "whole number: the largest width times height of a picture",
}
WARNINGS = {
    "ignore": "list of codes of warnings that are not shown ([problems.md](../problems.md)), such as `single-value`",
}
MARKDOWN = {"replace": "list of tables, below: syntax that is replaced in Markdown texts when they are read"}
PROPOSE = {
    "submissions": "mapping of listing fields to values: a new listing with one of these values is a submission too",
}
REPLACEMENT = {
    "find": "text on one line; a placeholder such as `{id}` stands for the text up to the next character",
    "replace": "text on one line, with the placeholders of `find`",
}
TARGET = {
    "url": "URL of the server, or `embedded:` and the path of a database file in the folder",
    "directory": "number of the directory; not for an embedded target",
    "token_env": "name of the environment variable that contains the token",
    "requests_per_minute": "whole number: a limit for requests; without it, the limit that the server reports",
    "prune": "true or false: whether a sync deletes entries that the folder no longer has; default: true for an "
    "embedded target, else false",
    "max_deletes": "table, below: with more deletes than this, a plan is refused ([sync.md](../sync.md#deletes))",
    "keep_runs": "table, below: how long journals, and with them `undo` of older runs, stay available",
    "on_drift": "`overwrite`, `keep` or `fail`: how a sync treats fields that were changed on the server",
    "social_card_names": "`card` or `twitter`: what the server calls the fields of social cards",
    "user_ids": "mapping of e-mail addresses to numbers of users, for an organizer's `user_id`",
}
SOURCE = {
    "url": "URL of a CSV, TSV or JSON file; `http://` only for this machine",
    "file": "path in the content folder that ends with `.csv`, `.tsv` or `.json`",
}
MAX_DELETES = {
    "percent": "0 to 100: share of the managed entries of a kind; does not apply to three deletes or fewer",
    "count": "whole number: entries of a kind",
}

KEEP_RUNS = {
    "days": "whole number: younger journals are not deleted",
    "count": "whole number: this many of the last journals are not deleted, however old they are",
}

ENVIRONMENT = {
    "CONTENTSYNC_TARGET": "the target, like `--target`",
    "CONTENTSYNC_URL": "the URL of the server, for a folder without targets or in place of an embedded target that was "
    "not selected by name; it never changes the URL of another target",
    "CONTENTSYNC_DIRECTORY": "the number of the directory on that server",
    "CONTENTSYNC_TOKEN": "the token, unless `token_env` of the target names another variable",
    "CONTENTSYNC_DB": "the database of `serve` and `admin`, like `--db`",
    "CONTENTSYNC_REDIS": "`serve`: the Redis in which several processes count requests together",
}
OF_OTHERS = {
    "NO_COLOR": "no colours, also on a terminal; `FORCE_COLOR` for colours elsewhere",
    "COLUMNS": "the width of the output, if the terminal does not report one",
    "HTTPS_PROXY, NO_PROXY": "the proxy for https, and the hosts that are contacted without it",
    "SSL_CERT_FILE": "a file of certificate authorities to trust instead of the usual ones",
    "GITHUB_WORKSPACE": "`validate --format github`: the base of paths outside of a git repository",
}


def settings_page() -> str:
    """contentsync.toml and the environment."""
    return page(
        "Settings",
        "`contentsync.toml` is in the content folder and may be empty. [content.md](../content.md#10-contentsynctoml)\n"
        "has an example. A key that is not listed here is an error.",
        "## contentsync.toml",
        "`default_target`: the target to use if neither `--target` nor `CONTENTSYNC_TARGET` selects one.",
        *_table("[site]", SiteSettings, SITE),
        *_table("[site.organizers]", OrganizerSettings, ORGANIZERS),
        *_table("[content.KIND]", CollectionSettings, CONTENT),
        "KIND is `categories`, `tags`, `custom_fields`, `organizers`, `listings`, `pages` or `articles`.",
        "Some kinds have more settings:",
        *_table("[content.pages], [content.articles], [content.organizers]", DocumentSettings, DOCUMENTS),
        *_table("[content.articles], [content.organizers]", TranslatedSettings, TRANSLATED),
        *_table("[content.articles]", ArticleSettings, ARTICLES),
        *_table("[content.KIND], for kinds in lists", ListSettings, LISTS),
        "Here, KIND is `categories`, `tags`, `custom_fields` or `listings`.",
        *_table("[content.listings]", ListingSettings, LISTINGS),
        *_table("[[content.listings.tables]]", TableSettings, TABLES),
        *_table("[assets]", AssetSettings, ASSETS),
        "Without this table, pictures are not read as files ([content.md](../content.md#13-pictures)).",
        *_table("[warnings]", WarningSettings, WARNINGS),
        *_table("[markdown]", MarkdownSettings, MARKDOWN),
        *_table("[[markdown.replace]]", Replacement, REPLACEMENT),
        *_table("[propose]", ProposeSettings, PROPOSE),
        *_table("[targets.NAME]", Target, TARGET),
        *_table("[targets.NAME.max_deletes]", MaxDeletes, MAX_DELETES),
        *_table("[targets.NAME.keep_runs]", KeepRuns, KEEP_RUNS),
        *_table("[sources.NAME]", SourceSettings, SOURCE),
        "`contentsync fetch` writes sources into files: [sources.md](../sources.md).",
        "## Environment variables",
        table(["variable", "meaning"], [(f"`{name}`", ENVIRONMENT[name]) for name in _read_names()]),
        "contentsync also reads these variables, which other programs use too:",
        table(["variable", "meaning"], [(f"`{name}`", text) for name, text in OF_OTHERS.items()]),
    )


def _table(title: str, model: type[Part], texts: Mapping[str, str]) -> Iterator[str]:
    inherited = {name for base in model.__mro__[1:] if issubclass(base, ConfigTable) for name in base.model_fields}
    keys = [name for name in model.model_fields if (model, name) != (Target, "name") and name not in inherited]
    yield f"### {title}"
    yield table(["key", "default", "value"], ((f"`{key}`", _default(model, key), texts[key]) for key in keys))


def _default(model: type[Part], key: str) -> str:
    known = model.model_fields[key]
    if known.is_required():
        return "**required**" if (model, key) != (SiteSettings, "name") else ""
    default = known.default
    if default in (None, "", (), {}) or isinstance(default, ConfigTable):
        return ""
    if isinstance(default, tuple):
        return f"`{[*default]}`".replace("'", '"')
    return f"`{str(default).lower()}`" if isinstance(default, bool | int) else f'`"{default}"`'


def _read_names() -> list[str]:
    """The program's own variables, wherever one is read; ValueError for one that is not explained here."""
    texts = (module.read_text(encoding="utf-8") for module in Path(contentsync.__file__).parent.rglob("*.py"))
    names = {name for text in texts for name in re.findall(r'"(CONTENTSYNC_[A-Z_]+)"', text)}
    return sorted(names, key=[*ENVIRONMENT].index)
