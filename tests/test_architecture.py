"""Check the imports (docs/architecture.md): which package may import which, and where each library is imported."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from contentsync.extra import ASSETS, SPREADSHEETS

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "contentsync"
MAX_LINES = 400
SERVER = ("server", "dev")  # what is not in the light installation (contentsync/extra.py)
OF_EXTRAS = {"publish": ASSETS.modules, "spreadsheet": SPREADSHEETS.modules}  # what other rooms import of extras

MAY_IMPORT = {
    "__init__": set(),
    "__main__": {"__init__", "cli"},
    "errors": set(),
    "extra": {"errors"},
    "git": {"errors"},
    "model": {"errors"},
    "content": {"git", "model", "errors"},
    "remote": {"model", "errors"},
    "sync": {"content", "remote", "git", "model", "errors"},
    "spreadsheet": {"content", "model", "errors", "extra"},
    "publish": {"sync", "content", "model", "errors", "extra"},
    "fetching": {"content", "remote", "git", "model", "errors"},
    "server": {"model", "errors", "extra", "__init__"},
    "report": {"proposal", "sync", "spreadsheet", "fetching", "content", "model", "errors"},
    "watch": {"content", "errors"},
    "hooks": {"content", "git", "errors"},
    "proposal": {"sync", "content", "git", "model", "errors"},
    "dev": {"watch", "report", "server", "sync", "content", "remote", "model", "errors", "extra"},
    "cli": {
        "dev",
        "watch",
        "hooks",
        "proposal",
        "git",
        "report",
        "server",
        "publish",
        "spreadsheet",
        "fetching",
        "sync",
        "content",
        "remote",
        "model",
        "errors",
        "__init__",
        "extra",
    },
}

DOORS = {
    "httpx": ("remote",),
    "filelock": ("remote", "sync", "hooks"),
    "sqlalchemy": ("server/store",),
    "alembic": ("server/store",),
    "psycopg": ("server/store",),
    "starlette": ("server", "dev"),
    "sse_starlette": ("dev",),
    "uvicorn": ("server/edge", "dev"),
    "jinja2": ("server/site", "dev"),
    "nh3": ("server/site",),
    "mdit_py_plugins": ("server/site",),
    "pygments": ("server/site",),
    "watchdog": ("watch",),
    "limits": ("server/edge",),
    "redis": ("server/edge",),
    "prometheus_client": ("server/edge",),
    "yaml": ("content",),
    "tomlkit": ("content/adopt",),
    "frontmatter": ("content",),
    "obstore": ("publish",),
    "openpyxl": ("spreadsheet",),
    "imagesize": ("content/pictures",),
    "markdown_it": ("content", "server/site", "model/markdown_budget.py"),  # which bounds what both may spend
    "typer": ("cli",),
    "rich": ("cli", "report"),
    "pydantic": ("model", "content"),
    "text_unidecode": ("model",),
    "idna": ("model",),
}

# Inside these packages, a module imports only modules that are listed before it. A folder stands for its modules.
ORDER = {
    "server": "access service_errors bounded_cache paging quota store api site asgi embedded edge",
    "server/site/markup": "safe_urls code_highlighting html_cleaning markdown_rendering body_text",
    "server/site": """
        page_paths language markup media page_request displayed_records html_page assets navigation rendering
        listing_search listing_pages record_pages feeds sitemap site_app
    """,
    "server/edge": "client_address middleware logs http_connection rate_limit server_settings process",
    "content": """
        content_folder file_names collection_layout draft folder_signatures link_forms body_links file_writes
        formats source_file invisible_characters hiding_keys unknown_keys entry_references validation_report permalinks
        text_replacements template_syntax collection_settings title_heading config_tables config
        former_addresses scan git_dates identity key_mapping validation misplaced link_rewriting site_links
        folder_links pictures translations grouped_problems plain_rows row_blocks entry_reader unit_cache
        unit_reader folder_reader load edit rename scaffold adopt
    """,
    "content/adopt": """
        proposed_settings recognise samples key_survey site_languages excludes collection_choice asset_folder
        key_settings entry_addresses syntax_choice table_formats unread_file adoption
    """,
    "content/pictures": "picture_facts published_names picture_fields picture_cache asset_files picture_checks",
    "content/edit": """
        file_edits field_values folder_index yaml_edit toml_edit json_edit list_file table_file document_edits
        collection_edits pull_edits
    """,
    "content/rename": "file_moves renaming link_targets file_changes folder_state rename_plan",
    "content/formats": """
        toml_reader table_rows file_tree yaml_events table_reader yaml_reader json_reader item_reader front_matter
    """,
    "dev": "preview_database mirror live_reload",
    "spreadsheet": "sheet workbook_file import_plan",
    "publish": "asset_store publisher",
    "proposal": "branches proposal proposing",
    "sync/comparing": "entry_fields fingerprint base diff former_keys matching key_translation",
    "sync/state": """
        state_dir state_file journal run_history recovery synced_listings plan_cache attempts
        git_revision entry_revisions entry_commits
    """,
    "sync/applying": "outcome settle writer bulk_create apply",
    "watch": "file_events folder_monitor folder_changes",
    "server/store": """
        tables migrations caching statements versions migration database sqlite_connection sqlite postgresql
        accounts tokens deferred_changes page_cursors record_drafts record_keys record_store listing_links record_kinds
        listing_rules listing_filter listing_store public_records public_listings catalogue listing_counts
    """,
    "server/api": "http auth etags serializers openapi resources endpoints routing",
    "server/api/openapi": "json_schemas operations openapi_document",
}

MODULES = sorted(PACKAGE.rglob("*.py"))


@cache
def imports(module: Path) -> tuple[str, ...]:
    """The absolute names of all modules that a file imports, at the top and inside functions."""
    return tuple(_imports(module))


def _imports(module: Path) -> Iterator[str]:
    package = ["contentsync", *module.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{stem}.{alias.name}" for alias in node.names)


@cache
def all_imports() -> list[tuple[Path, str]]:
    """Every module with the name of each module that it imports."""
    return [(module, name) for module in MODULES for name in imports(module)]


def room(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_imports_go_downwards_only() -> None:
    for module, name in all_imports():
        here, parts = room(module), name.split(".")
        if parts[0] == "contentsync" and parts[1] != here:
            target = parts[1] if parts[1] in MAY_IMPORT else "__init__"
            assert target in MAY_IMPORT[here], f"{module} imports {name}"


def test_a_library_is_imported_in_its_room_only() -> None:
    for module, name in all_imports():
        place, doors = module.relative_to(PACKAGE).as_posix(), DOORS.get(name.split(".")[0])
        assert doors is None or place.startswith(doors), f"{place} imports {name}"


def test_every_room_stands_in_the_table() -> None:
    assert {room(module) for module in MODULES} <= MAY_IMPORT.keys()


def test_no_module_is_longer_than_400_lines() -> None:
    lines = {module: len(module.read_text(encoding="utf-8").splitlines()) for module in MODULES}
    assert {module: count for module, count in lines.items() if count > MAX_LINES} == {}


def test_a_name_of_a_module_occurs_once() -> None:
    names = Counter(module.stem for module in MODULES if not module.stem.startswith("__"))
    assert {name for name, count in names.items() if count > 1} == set()


def test_a_name_of_a_class_occurs_once() -> None:
    trees = (ast.parse(module.read_text(encoding="utf-8")) for module in MODULES)
    classes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    names = Counter(node.name.lstrip("_") for node in classes)
    assert {name for name, count in names.items() if count > 1} == set()


def test_a_package_describes_only_modules_that_it_has() -> None:
    for package in PACKAGE.rglob("__init__.py"):
        described = re.findall(r"^((?:[a-z_]+, )*[a-z_]+)(?:  .*)?$", documentation(package), re.M)
        names = {name for line in described for name in line.split(", ")}
        assert names <= {path.stem for path in package.parent.iterdir()}, package


def documentation(module: Path) -> str:
    return ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""


def test_what_a_module_imports_is_in_its_installation() -> None:
    """`pip install contentsync` has the packages of requirements-base.lock, and all but the server works with them."""
    for module, name in all_imports():
        locked = packages_of("requirements.lock" if room(module) in SERVER else "requirements-base.lock")
        top = name.split(".")[0]
        if top not in ("contentsync", *sys.stdlib_module_names, *OF_EXTRAS.get(room(module), ())):
            assert locked & {canonicalize_name(one) for one in distributions()[top]}, f"{module} imports {name}"


@cache
def packages_of(lock: str) -> set[str]:
    return set(re.findall(r"^([a-z0-9-]+)==", (ROOT / lock).read_text(encoding="utf-8"), re.M))


@cache
def distributions() -> dict[str, list[str]]:
    """The distributions that a module may come from."""
    return {name: list(found) for name, found in packages_distributions().items()}


@pytest.mark.parametrize("package", ORDER)
def test_imports_inside_a_package_follow_its_order(package: str) -> None:
    order, prefix = ORDER[package].split(), f"contentsync.{package.replace('/', '.')}."
    modules = {path.stem: [path] for path in (PACKAGE / package).glob("*.py") if path.stem != "__init__"}
    folders = {path.name: [*path.rglob("*.py")] for path in (PACKAGE / package).iterdir() if any(path.glob("*.py"))}
    assert sorted(order) == sorted(modules | folders)
    for index, name in enumerate(order):
        for module in (modules | folders)[name]:
            targets = [target.removeprefix(prefix) for target in imports(module) if target.startswith(prefix)]
            allowed = {*order[: index + (name in folders)]}  # the modules of a folder import each other
            assert {target.split(".")[0] for target in targets} & {*order} <= allowed, module
