"""What can be set: the keys of contentsync.toml, and environment variables."""

import re
from collections.abc import Iterator
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
from contentsync.content.config.link_settings import LinkSettings
from contentsync.content.config.replacement import Replacement
from contentsync.content.config.rule_settings import RuleSettings
from contentsync.content.config.setting_descriptions import describe_setting
from contentsync.content.config.warning_levels import WarningOverride, WarningSettings
from contentsync.model import Part

from . import page, table

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
        f"`default_target`: {describe_setting(ConfigFile, 'default_target')}.",
        *_table("[site]", SiteSettings),
        *_table("[site.organizers]", OrganizerSettings),
        *_table("[content.KIND]", CollectionSettings),
        "KIND is `categories`, `tags`, `custom_fields`, `organizers`, `listings`, `pages` or `articles`.",
        "Some kinds have more settings:",
        *_table("[content.pages], [content.articles], [content.organizers]", DocumentSettings),
        *_table("[content.articles], [content.organizers]", TranslatedSettings),
        *_table("[content.articles]", ArticleSettings),
        *_table("[content.KIND], for kinds in lists", ListSettings),
        "Here, KIND is `categories`, `tags`, `custom_fields` or `listings`.",
        *_table("[content.listings]", ListingSettings),
        *_table("[[content.listings.tables]]", TableSettings),
        *_table("[assets]", AssetSettings),
        "Without this table, pictures are not read as files ([content.md](../content.md#13-pictures)).",
        *_table("[warnings]", WarningSettings),
        *_table("[[warnings.overrides]]", WarningOverride),
        *_table("[rules.KIND]", RuleSettings),
        "KIND is `category`, `tag`, `custom_field`, `organizer`, `listing`, `page` or `article`. A kind may have\n"
        "several tables: `[[rules.KIND]]`.",
        *_table("[markdown]", MarkdownSettings),
        *_table("[[markdown.replace]]", Replacement),
        *_table("[propose]", ProposeSettings),
        *_table("[links]", LinkSettings),
        *_table("[targets.NAME]", Target),
        *_table("[targets.NAME.max_deletes]", MaxDeletes),
        *_table("[targets.NAME.max_updates]", MaxUpdates),
        *_table("[targets.NAME.keep_runs]", KeepRuns),
        *_table("[sources.NAME]", SourceSettings),
        "`contentsync fetch` writes sources into files: [sources.md](../sources.md).",
        "## Environment variables",
        table(["variable", "meaning"], [(f"`{name}`", ENVIRONMENT[name]) for name in _read_names()]),
        "contentsync also reads these variables, which other programs use too:",
        table(["variable", "meaning"], [(f"`{name}`", text) for name, text in OF_OTHERS.items()]),
    )


def _table(title: str, model: type[Part]) -> Iterator[str]:
    inherited = {name for base in model.__mro__[1:] if issubclass(base, ConfigTable) for name in base.model_fields}
    fields = [name for name in model.model_fields if (model, name) != (Target, "name") and name not in inherited]
    keys = {model.model_fields[name].alias or name: name for name in fields}
    yield f"### {title}"
    yield table(
        ["key", "default", "value"],
        ((f"`{key}`", _default(model, name), describe_setting(model, key)) for key, name in keys.items()),
    )


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
