"""What each key of contentsync.toml means: for the reference in docs/reference, and for editors.

The texts are Markdown. Links are relative to docs/reference.
"""

from collections.abc import Mapping

from ...model import Kind, Part
from .collection_settings import (
    ArticleSettings,
    CollectionSettings,
    DocumentSettings,
    ListingSettings,
    ListSettings,
    TableSettings,
    TranslatedSettings,
)
from .config_tables import (
    AssetSettings,
    ConfigFile,
    KeepRuns,
    MarkdownSettings,
    MaxDeletes,
    MaxUpdates,
    OrganizerSettings,
    ProposeSettings,
    SiteSettings,
    SourceSettings,
    Target,
)
from .link_settings import LinkSettings
from .replacement import Replacement
from .rule_settings import RuleSettings, RuleTables
from .warning_levels import WarningOverride, WarningSettings

_TEXTS: Mapping[type[Part], Mapping[str, str]] = {
    ConfigFile: {
        "default_target": "the target to use if neither `--target` nor `CONTENTSYNC_TARGET` selects one",
    },
    SiteSettings: {
        "name": "text: the name of the site; without it, the name of the folder",
        "description": "text of at most 500 characters: how an embedded target introduces the site on its home page",
        "locales": "list of language codes; the first is the default",
        "timezone": "name of a time zone, such as `Europe/Paris`: for times without an offset and for an embedded site",
        "asset_base_url": "URL at which the folder's files are served: the base of relative links in texts",
        "expired": "`badge` or `hide`: how an embedded target shows listings past their end",
        "organizers": "table, below: how an embedded target shows organizers",
    },
    OrganizerSettings: {
        "enabled": "true or false: whether organizers have pages",
        "prefix": "path at which these pages begin",
        "label": "text: the site's word for an organizer",
    },
    CollectionSettings: {
        "path": "path of the kind's files, relative to the content folder ([keys.md](keys.md) has the defaults), or "
        "a list of paths; `.` is the content folder itself, and needs `include`",
        "rename": 'mapping of keys in the files to fields: `{ date = "published_at", summary = "seo.description" }`; '
        '`"!active"` inverts a boolean field; a key inside an object is written with dots, as `"sidebar.label"`',
        "ignore": "list of keys to ignore, with all values nested in them",
        "include": "list of names of files and folders directly in `path`, the only ones that are read; `*` matches "
        "anything",
        "exclude": "list of files and folders to skip: names, or paths relative to `path`; `*` matches anything",
        "url_scheme": "`https` or `http`: the scheme of addresses without one, such as `www.example.org` and "
        "`//example.org`; without it, they are errors",
    },
    DocumentSettings: {
        "title": "`front-matter`; or `heading` or `file-name`: what is the title if the front matter has none",
        "slug": "pattern for the slugs of entries whose front matter has none: "
        "[content.md](../content.md#slugs-from-file-names)",
        "locales": "`suffix` or `folder`: the part of a path that names the language; or write `{locale}` in `path`",
        "orphan_translations": "`error` or `entry`: how to read a file in another language without an entry in the "
        "default one",
        "permalink": "pattern of the addresses that the entries had on another site, such as `/blog/:year/:slug/` "
        "([content.md](../content.md#6-links))",
        "former_addresses": "list of keys whose values are former addresses; without it, and with a `permalink`: "
        "`aliases` and `redirect_from`",
    },
    TranslatedSettings: {
        "translation_key": "key in front matter: files with the same value are translations of each other",
        "ignore_in_translations": "list of keys that are not read in files of other languages",
    },
    ArticleSettings: {
        "dates": "`file-name`, `folders` or `git`: the source of the date of an article without `published_at`",
        "skip_empty": "true or false: whether articles without a text are skipped, as `sync.skip` does",
    },
    ListSettings: {
        "items": "path from the root of a file to its entries, such as `groups[].entries[]`",
        "inherit": "mapping of fields to the paths of values that all entries of a group have: "
        '`{ categories = "groups[].name" }`',
    },
    ListingSettings: {
        "pull_to": "file for the new listings of a pull, relative to `path`: a table or a list; may contain "
        "`{category}`",
        "slug": "pattern for the slugs of listings without one, such as `{name}-{city}`: "
        "[content.md](../content.md#slugs-of-listings)",
        "tables": "list of tables, below: the formats of tables; the first one whose `path` matches applies",
    },
    TableSettings: {
        "delimiter": '`","`, `";"`, `"|"` or `"\\t"`: the delimiter of the cells '
        "([content.md](../content.md#4-tables))",
        "encoding": "`utf-8`, `utf-16` or `windows-1252`; without it, UTF-8, or UTF-16 with a byte order mark",
        "header_row": "number of the row with the column names; rows above it are skipped",
        "list_separator": "character that separates the items of a list in a cell",
        "short_rows": "`error` or `empty`: whether the cells that a row lacks at its end are an error or empty",
        "numbers": "`1234.56`, `1,234.56` or `1.234,56`: how the numbers of coordinates and custom fields are written",
        "skip_rows": "list of texts: rows that begin with one of them, such as those of sums, are not read",
        "path": "name of the tables, or their path relative to `path` of the listings; `*` matches anything",
    },
    AssetSettings: {
        "path": "folder at which paths of pictures that begin with a slash start; default: the content folder",
        "base_url": "URL at which the files of this folder are served, each at its path in the folder; without it, "
        "`asset_base_url` and the path in the content folder",
        "store": "bucket (`s3://`, `gs://` or `az://`), or path outside of the content folder: where a sync publishes "
        "pictures",
        "store_url": "URL: the public address of the files in the store",
        "max_bytes": "whole number: the largest size of a picture",
        "max_pixels": "whole number: the largest width times height of a picture",
    },
    WarningSettings: {
        "ignore": "list of codes of warnings that are not shown ([problems.md](../problems.md)), such as "
        "`single-value`",
        "error": "list of codes of warnings that are errors",
        "overrides": "list of tables, below: other levels for a kind or a path; the last one that matches counts",
    },
    WarningOverride: {
        "kind": "kind whose warnings have other levels, such as `listing`",
        "path": "file name, or path of a file or folder in the content folder; `*` matches anything",
        "ignore": "list of codes of warnings that are not shown there",
        "warning": "list of codes of warnings that are neither hidden nor errors there",
        "error": "list of codes of warnings that are errors there",
    },
    RuleTables: {kind.value: f"table, or list of tables, below: the rules of {kind.plural}" for kind in Kind},
    RuleSettings: {
        "require": "list of fields that must have a value ([rules.md](../rules.md))",
        "min": "mapping of fields to the smallest number, the earliest time, or the least characters or items",
        "max": "mapping of fields to the largest number, the latest time, or the most characters or items",
        "pattern": "mapping of fields to regular expressions, which a part of the text must match",
        "allowed": "mapping of fields to lists of values",
        "unique": "list of fields of which no two entries have the same value",
        "when": 'mapping of fields to values, or a list of conditions such as `"price > 20"`: the entries to judge',
        "level": "`error` or `warning`",
        "message": "text that replaces the message",
    },
    MarkdownSettings: {
        "replace": "list of tables, below: syntax that is replaced in Markdown texts when they are read"
    },
    ProposeSettings: {
        "submissions": "mapping of listing fields to values: a new listing with one of these values is a "
        "submission too",
    },
    Replacement: {
        "find": "text on one line; a placeholder such as `{id}` stands for the text up to the next character",
        "replace": "text on one line, with the placeholders of `find`",
    },
    Target: {
        "url": "URL of the server, or `embedded:` and the path of a database file in the folder",
        "directory": "number of the directory; not for an embedded target",
        "token_env": "name of the environment variable that contains the token",
        "requests_per_minute": "whole number: a limit for requests; without it, the limit that the server reports",
        "prune": "true or false: whether a sync deletes entries that the folder no longer has; default: true for an "
        "embedded target, else false",
        "include_ignored": "true or false: whether a sync sends content files that git ignores; an embedded "
        "target always gets them",
        "max_deletes": "table, below: with more deletes than this, a plan is refused ([sync.md](../sync.md#deletes))",
        "max_updates": "table, below: if more values are replaced than this, a plan is refused "
        "([sync.md](../sync.md#mass-updates))",
        "keep_runs": "table, below: how long journals, and with them `undo` of older runs, stay available",
        "on_drift": "`keep`, `overwrite` or `fail`: what a sync does with fields that were changed, or entries "
        "deleted, on the server ([sync.md](../sync.md#three-sides))",
        "social_card_names": "`card` or `twitter`: what the server calls the fields of social cards",
        "user_ids": "mapping of e-mail addresses to numbers of users, for an organizer's `user_id`",
    },
    SourceSettings: {
        "url": "URL of a CSV, TSV or JSON file; `http://` only for this machine",
        "file": "path in the content folder that ends with `.csv`, `.tsv` or `.json`",
        "max_updates": "table as in a target: limits for the values of this file; without it, they have none",
    },
    LinkSettings: {
        "memory": "path of the file in which [`links`](../links.md) remembers what failed, such as "
        "`.contentsync/cache/links.jsonl`, which is not in git; default: `links.jsonl`",
        "exclude": "list of patterns of addresses that are not checked; `*` matches anything: "
        '`["https://intranet.example.com/*"]`',
        "timeout": "whole number: the seconds that a request may take",
        "minutes": "whole number: the minutes that a run may take; addresses that it did not reach come later",
    },
    MaxDeletes: {
        "percent": "0 to 100: share of the managed entries of a kind; does not apply to three deletes or fewer",
        "count": "whole number: entries of a kind",
    },
    MaxUpdates: {
        "percent": "0 to 100: share of the managed entries of a kind",
        "count": "whole number: entries of a kind; a plan is refused if a field is over both limits",
    },
    KeepRuns: {
        "days": "whole number: younger journals are not deleted",
        "count": "whole number: this many of the last journals are not deleted, however old they are",
    },
}


def describe_setting(model: type[Part], key: str) -> str:
    """Return the description of a key in a table of the config; "" for the name of a table that has none."""
    texts = (_TEXTS[table] for table in model.__mro__ if table in _TEXTS)
    return next((text[key] for text in texts if key in text), "")
