"""Check the imports (docs/architecture.md): the allowed imports of each package and of each library."""

import ast
import re
import sys
from collections import Counter
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from contentsync.extra import ASSETS, SPREADSHEETS
from scripts.structure import MODULES, PACKAGE, arrows, circle, imports, members, names, packages

ROOT = Path(__file__).parent.parent
MAX_LINES = 400
SERVER = ("server", "dev")  # what is not in the light installation (contentsync/extra.py)
OF_EXTRAS = {"exchange/publish": ASSETS.modules, "exchange/spreadsheet": SPREADSHEETS.modules}

MAY_IMPORT = {
    "__init__": set(),
    "__main__": {"__init__", "cli"},
    "errors": set(),
    "extra": {"errors"},
    "file_writes": {"errors"},
    "git": {"errors"},
    "git_checkout": {"git", "errors"},
    "lazy_pattern": set(),
    "explanations": {"lazy_pattern"},
    "value_text": set(),
    "model": {"lazy_pattern", "errors"},
    "content": {"file_writes", "git", "model", "explanations", "lazy_pattern", "errors"},
    "printed_commands": {"content", "value_text", "errors"},
    "remote": {"lazy_pattern", "file_writes", "model", "errors"},
    "server": {"model", "lazy_pattern", "errors", "extra", "__init__"},
    "authoring": {"lazy_pattern", "content", "file_writes", "git", "model", "errors"},
    "hooks": {"content", "file_writes", "git", "git_checkout", "errors"},
    "watch": {"content", "errors"},
    "sync": {
        *("authoring", "content", "remote", "file_writes", "git", "git_checkout", "model", "lazy_pattern"),
        *("printed_commands", "value_text", "errors"),
    },
    "exchange": {
        *("sync", "authoring", "content", "remote", "file_writes", "git", "model", "lazy_pattern", "errors", "extra"),
    },
    "linkcheck": {"exchange", "authoring", "content", "file_writes", "model", "lazy_pattern", "errors", "extra"},
    "report": {
        *("linkcheck", "exchange", "sync", "authoring", "content", "model", "printed_commands", "value_text"),
        *("explanations", "lazy_pattern", "errors"),
    },
    "dev": {"watch", "report", "server", "sync", "content", "remote", "model", "errors", "extra"},
    "cli": {
        *("dev", "watch", "hooks", "report", "exchange", "sync", "authoring", "content", "remote", "server"),
        *(
            "linkcheck",
            "file_writes",
            "git",
            "git_checkout",
            "model",
            "printed_commands",
            "value_text",
            "explanations",
            "lazy_pattern",
            "errors",
        ),
        *("extra", "__init__"),
    },
}

DOORS = {
    "httpx": ("remote",),
    "filelock": ("remote", "sync", "hooks"),
    "sqlalchemy": ("server/store/migrations",),
    "alembic": ("server/store/migrations",),
    "psycopg": ("server/store",),
    "starlette": ("server", "dev"),
    "sse_starlette": ("dev",),
    "uvicorn": ("server/edge", "dev"),
    "jinja2": ("server/site", "dev"),
    "nh3": ("model/markup",),
    "mdit_py_plugins": ("model/markup",),
    "pygments": ("model/markup",),
    "watchdog": ("watch",),
    "limits": ("server/edge",),
    "rapidfuzz": ("server/store",),
    "redis": ("server/edge",),
    "prometheus_client": ("server/edge",),
    "yaml": ("content/formats", "authoring"),
    "tomlkit": ("authoring",),
    "frontmatter": ("content/formats",),
    "obstore": ("exchange/publish",),
    "openpyxl": ("exchange/spreadsheet",),
    "imagesize": ("content/pictures",),
    "markdown_it": (
        "content/links",
        "content/entry",
        "model/markup",
        "model/markdown_budget.py",
    ),  # which bounds what both may spend
    "typer": ("cli",),
    "rich": ("cli", "report"),
    "pydantic": ("model", "content", "authoring/adopt"),
    "text_unidecode": ("model",),
    "idna": ("model",),
}

# Inside these packages, a module imports only modules that are listed before it. A folder stands for its modules.
ORDER = {
    "authoring": "edit rename adopt scaffold",
    "authoring/adopt": """
        proposed_settings repository_tree generators recognise adopted_folder key_survey key_evidence language_codes
        site_languages excludes usual_folders nested_items samples list_groups number_columns table_formats
        collection_choice asset_folder nested_keys key_settings entry_addresses slug_choice url_scheme_choice
        syntax_choice unread_documents adoption
    """,
    "authoring/adopt/generators": """
        generated_site generator_rules globs script_texts astro docusaurus eleventy hexo hugo jekyll
        lektor obsidian pelican vitepress zola
    """,
    "authoring/edit": """
        file_edits field_values folder_index text_editor yaml_writing scalar_texts yaml_edit json_edit
        toml_edit list_file table_file document_edits collection_edits config_names new_names pull_edits field_edits
        row_values set_plan fixed_files fix_plan
    """,
    "authoring/rename": """
        file_moves renaming merging link_targets reference_rewriting folder_state rename_plan new_urls
    """,
    "cli": """
        commands completion option_groups options plan_options given_values progress apply_progress
        terminal target_connection past_revision tracked_content session plan_shortcuts find_plan plan_command
        sync_command pull_command drift_command status_command propose_command validate_command explain_command
        schema_command adopt_command init_command new_command mv_command fetch_command spreadsheet_command
        assets_command redirects_command entry_selection list_command set_command links_command log_command
        forget_command serve_command admin_command deploy hook_command dev_session dev_command watch_loop watch_command
        planning_commands wrong_words command_line
    """,
    "content": "files formats config links entry pictures folder",
    "content/config": """
        hiding_keys unknown_keys replacement permalinks collection_layout collection_settings link_settings
        rule_settings warning_levels config_tables config setting_descriptions config_schema
    """,
    "content/entry": """
        template_syntax invisible_characters title_heading key_mapping near_duplicates identity validation
        entry_references url_schemes rule_checks rule_schema house_rules
    """,
    "content/files": """
        content_folder cache_file file_names file_addresses file_text source_file slug_pattern
        completion_names folder_signatures validation_report index_file
    """,
    "content/folder": """
        entry_names scan git_facts misplaced translations lookups unit_results plain_rows row_blocks entry_reader
        grouped_problems folder_scan folder_links result_context unit_cache index_use index_cache unit_reader
        cross_checks folder_reader load confirmation value_columns
    """,
    "content/formats": """
        draft mdx_modules file_tree toml_reader yaml_syntax yaml_events yaml_reader json_reader table_rows
        table_reader item_reader front_matter
    """,
    "content/links": "link_forms parsed_body body_links fragments link_rewriting former_addresses link_resolver",
    "content/pictures": "picture_facts published_names picture_fields picture_cache asset_files picture_checks",
    "dev": "preview_database known_entries preview_reading mirror live_reload",
    "exchange": "entry_writer proposal publish spreadsheet fetching",
    "exchange/proposal": "branches proposal proposing",
    "exchange/publish": "asset_store publisher",
    "exchange/spreadsheet": "converted_cells sheet workbook_file import_plan",
    "hooks": "repository worktree deployment hook_scripts",
    "linkcheck": """
        external_addresses link_results link_history link_memory host_lookup lychee_run link_check address_changes
    """,
    "model": """
        scalar slug urls markdown_budget suggestion entry field_types json_value directory_settings
        record kinds violation custom_field rules references named_fields filled_fields conditions assignments
        json_schema descriptions file_schema markup
    """,
    "model/markup": "safe_urls code_highlighting html_cleaning markdown_rendering body_ids",
    "remote": """
        retry pacing wire response network_client connection_pool http_client record_lines list_reader list_cache
        synced_records fetched_list record_reader entry_converter remote source_download
    """,
    "report": """
        document_parts formatting markdown_parts entry_lines excerpt causes adoption_report problems
        problem_documents consent_report plan_document plan_text plan_markdown results drift_report
        entry_list completeness link_report status_report set_report
        proposal_report history_report file_reports redirect_formats
    """,
    "server": "access service_errors client_disconnect bounded_cache paging quota store api site asgi embedded edge",
    "server/api": "http auth etags serializers openapi resources endpoints routing",
    "server/api/openapi": "json_schemas operations openapi_document",
    "server/edge": "client_address middleware logs http_connection rate_limit queue_metrics server_settings process",
    "server/site": """
        page_paths body_text language media page_request displayed_records html_page assets navigation
        rendering front_page listing_search search_results listing_pages
        record_pages feeds
        sitemap site_app
    """,
    "server/store": """
        sql table_definition tables migrations caching versions words search_words search_documents search_expression
        search_index accounts tokens deferred_changes page_cursors record_drafts record_keys record_store listing_links
        record_kinds listing_rules listing_filter listing_store public_records public_listings catalogue listing_counts
        search_text search_rebuild migration read_pool database sqlite_connection sqlite postgresql
    """,
    "server/store/migrations": "column_types run env versions",
    "sync": "comparing planning state applying history undo",
    "sync/applying": "settle writer bulk_create apply",
    "sync/comparing": """
        entry_fields fingerprint base diff orphan_rows former_keys matching key_translation change outcome
    """,
    "sync/history": """
        commit_log entry_revisions commit_files entry_commits entry_history reverted_fields
    """,
    "sync/planning": """
        order consents plan contested forecast gates commit_gate publish_gate
        replaced_values update_gate server_checks delayed_deletes confirmed_files plan_builder pull_notes unset_fields
        pull pulled_deletes prepare drift_summary side_status
    """,
    "sync/state": """
        state_dir state_file saved_plan journal run_history recovery referred_entries plan_cache synced_entries
        folder_reading attempts commit_trailers git_revision
    """,
    "sync/undo": "run_effect undo_plan",
    "watch": "file_events folder_monitor folder_changes",
}

# Names that belong to the mechanism of a job, and the only modules that may use them: the mechanism and its debts
# (docs/architecture.md, Jobs and their mechanism).
USED_BY = {
    "checkout-index": {"git_checkout"},
    "160000": {"git"},
    "ls-files": {"git", "content/folder/git_facts", "exchange/fetching"},
    "GIT_LITERAL_PATHSPECS": {"git"},
    "numbered_slug": {"model/slug", "model/markup/markdown_rendering"},
    "target_of": {"content/links/link_resolver", "content/folder/folder_links", "authoring/rename/link_targets"},
    "to_entry": {"remote/wire", "remote/entry_converter"},
    "coerce_fields": {"model/rules", "model/__init__", "remote/wire", "sync/undo/run_effect"},
    "spliced_bytes": {"authoring/edit/text_editor"},
    "refuse_changes": {"authoring/rename/folder_state", "authoring/rename/rename_plan"},
    "hiding_check": {"content/config/hiding_keys", "authoring/adopt/key_survey"},
    "comparable_url": {"model/urls", "sync/comparing/fingerprint"},
    "mkstemp": {"file_writes"},
    "get_close_matches": {"model/suggestion"},
}

# The most arrows between the members of a package.
MAX_ARROWS = {"content": 24, "authoring": 3, "sync": 12}


@cache
def all_imports() -> list[tuple[Path, str]]:
    """Return every module with the name of each module that it imports."""
    return [(module, name) for module in MODULES for name in imports(module)]


def room(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_a_package_imports_only_packages_below_it() -> None:
    for module, name in all_imports():
        here, parts = room(module), name.split(".")
        if parts[0] == "contentsync" and parts[1] != here:
            target = parts[1] if parts[1] in MAY_IMPORT else "__init__"
            assert target in MAY_IMPORT[here], f"{module} imports {name}"


def test_a_library_is_imported_only_in_its_own_package() -> None:
    for module, name in all_imports():
        place, doors = module.relative_to(PACKAGE).as_posix(), DOORS.get(name.split(".")[0])
        assert doors is None or place.startswith(doors), f"{place} imports {name}"


def test_every_package_is_in_the_table_of_imports() -> None:
    assert {room(module) for module in MODULES} <= MAY_IMPORT.keys()


def test_no_module_is_longer_than_400_lines() -> None:
    lines = {module: len(source(module).splitlines()) for module in MODULES}
    assert {module: count for module, count in lines.items() if count > MAX_LINES} == {}


def test_each_module_name_occurs_once() -> None:
    stems = Counter(module.stem for module in MODULES if not module.stem.startswith("__"))
    assert {name for name, count in stems.items() if count > 1} == set()


def test_each_class_name_occurs_once() -> None:
    classes = Counter(name.lstrip("_") for module in MODULES for name in names(module).classes)
    assert {name for name, count in classes.items() if count > 1} == set()


def test_a_package_docstring_lists_only_existing_modules() -> None:
    for package in PACKAGE.rglob("__init__.py"):
        described = re.findall(r"^((?:[a-z_]+, )*[a-z_]+)(?:  .*)?$", documentation(package), re.M)
        listed = {name for line in described for name in line.split(", ")}
        assert listed <= {path.stem for path in package.parent.iterdir()}, package


def documentation(module: Path) -> str:
    return ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""


def test_every_imported_library_is_a_requirement_of_the_installation() -> None:
    """`pip install contentsync` installs requirements-base.lock, with which everything but the server works."""
    for module, name in all_imports():
        locked = packages_of("requirements.lock" if room(module) in SERVER else "requirements-base.lock")
        top = name.split(".")[0]
        place = module.parent.relative_to(PACKAGE).as_posix()
        if top not in ("contentsync", *sys.stdlib_module_names, *OF_EXTRAS.get(place, ())):
            assert locked & {canonicalize_name(one) for one in distributions()[top]}, f"{module} imports {name}"


@cache
def packages_of(lock: str) -> set[str]:
    return set(re.findall(r"^([a-z0-9-]+)==", (ROOT / lock).read_text(encoding="utf-8"), re.M))


@cache
def distributions() -> dict[str, list[str]]:
    """The distributions that a module may come from."""
    return {name: list(found) for name, found in packages_distributions().items()}


def test_every_package_has_an_order() -> None:
    assert [*ORDER] == packages()


@pytest.mark.parametrize("package", ORDER)
def test_imports_inside_a_package_follow_its_order(package: str) -> None:
    order = ORDER[package].split()
    assert sorted(order) == sorted(members(package))
    upwards = {(name, target) for name, target in arrows(package) if order.index(target) > order.index(name)}
    assert upwards == set()


@pytest.mark.parametrize("package", ORDER)
def test_no_modules_of_a_package_import_each_other_in_a_circle(package: str) -> None:
    assert circle(package) == []


@pytest.mark.parametrize(("package", "most"), MAX_ARROWS.items())
def test_the_modules_of_a_package_have_few_imports_of_each_other(package: str, most: int) -> None:
    assert len(arrows(package)) <= most


@cache
def source(module: Path) -> str:
    return module.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "modules"), USED_BY.items())
def test_a_name_of_a_mechanism_is_used_only_in_its_modules(name: str, modules: set[str]) -> None:
    pattern = re.compile(rf"(?<![A-Za-z_]){name}(?![A-Za-z_])")
    using = {module for module in MODULES if name in source(module) and pattern.search(source(module))}
    assert {module.relative_to(PACKAGE).with_suffix("").as_posix() for module in using} == modules


def test_each_module_that_the_architecture_names_exists() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    jobs = page.partition("## Jobs and their mechanism")[2].partition("\n## ")[0]
    named = {name.removeprefix("contentsync/") for name in re.findall(r"`([a-z]+(?:/[a-z_]+)+)`", jobs)}
    missing = {name for name in named if not any((PACKAGE / f"{name}{end}").exists() for end in ("", ".py"))}
    assert named
    assert missing == set()
