"""Each module of the package has a test file of its name, or the table names the file that tests it."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "contentsync"

# Modules without a test file of their name, and the file of the caller that tests them; a name with a slash at its end
# is a folder.
COVERED_BY = {
    "explanations": "report/test_problem_documents",
    "authoring/adopt/list_groups": "authoring/adopt/test_collection_choice",
    "authoring/adopt/samples": "authoring/adopt/test_collection_choice",
    "authoring/adopt/usual_folders": "authoring/adopt/test_collection_choice",
    "content/config/setting_descriptions": "content/config/test_config_schema",
    "sync/planning/contested": "sync/planning/test_three_way",
    "sync/history/reverted_fields": "end_to_end/test_kept_edits",
    "cli/apply_progress": "cli/test_progress",
    "cli/assets_command": "end_to_end/test_publishing",
    "sync/planning/commit_gate": "end_to_end/test_consent_in_a_commit",
    "report/consent_report": "end_to_end/test_consent_in_a_commit",
    "sync/planning/unset_fields": "sync/planning/test_pull",
    "sync/planning/replaced_values": "sync/planning/test_update_gate",
    "cli/entry_selection": "cli/test_list_command",
    "model/filled_fields": "report/test_completeness",
    "cli/drift_command": "end_to_end/test_drift",
    "cli/forget_command": "end_to_end/test_way_back",
    "cli/hook_command": "hooks/test_commit",
    "cli/log_command": "end_to_end/test_log",
    "cli/mv_command": "end_to_end/test_mv",
    "cli/commands": "cli/test_completion",
    "dev/preview_reading": "dev/test_known_entries",
    "sync/state/folder_reading": "cli/test_find_plan",
    "cli/planning_commands": "end_to_end/test_command_line",
    "cli/propose_command": "end_to_end/test_propose",
    "cli/status_command": "report/test_status_report",
    "cli/sync_command": "end_to_end/test_embedded",
    "cli/watch_command": "end_to_end/test_watch",
    "cli/spreadsheet_command": "exchange/spreadsheet/test_import_plan",
    "content/config/collection_settings": "content/config/test_config",
    "authoring/adopt/excludes": "authoring/adopt/test_adoption",
    "authoring/adopt/generators/": "authoring/adopt/generators/test_rules",
    "content/config/config_tables": "content/config/test_config",
    "content/config/rule_settings": "content/entry/test_house_rules",
    "content/entry/rule_checks": "content/entry/test_house_rules",
    "content/formats/yaml_syntax": "content/formats/test_yaml_events",
    "content/formats/draft": "content/folder/test_load",
    "authoring/edit/field_values": "authoring/edit/test_document_edits",
    "authoring/edit/field_edits": "exchange/spreadsheet/test_import_plan",
    "authoring/edit/file_edits": "authoring/edit/test_document_edits",
    "authoring/edit/fixed_files": "authoring/edit/test_fix_plan",
    "authoring/edit/folder_index": "authoring/edit/test_collection_edits",
    "authoring/edit/pull_edits": "authoring/edit/test_collection_edits",
    "content/folder/entry_reader": "content/folder/test_load",
    "content/folder/grouped_problems": "content/folder/test_translations",
    "content/folder/folder_reader": "content/folder/test_load",
    "content/folder/folder_scan": "content/folder/test_scan",
    "content/folder/confirmation": "end_to_end/test_confirmed_files",
    "authoring/rename/folder_state": "authoring/rename/test_rename_plan",
    "authoring/rename/new_urls": "linkcheck/test_address_changes",
    "content/files/validation_report": "content/folder/test_index_cache",
    "git": "hooks/test_commit",
    "hooks/hook_scripts": "hooks/test_install",
    "hooks/repository": "hooks/test_push",
    "hooks/worktree": "hooks/test_deployment",
    "model/directory_settings": "content/config/test_config",
    "model/json_value": "model/test_limits",
    "model/kinds": "model/test_rules",
    "model/record": "model/test_rules",
    "exchange/proposal/branches": "end_to_end/test_propose",
    "exchange/proposal/proposal": "end_to_end/test_propose",
    "exchange/proposal/proposing": "end_to_end/test_propose",
    "report/set_report": "cli/test_set_command",
    "report/drift_report": "end_to_end/test_drift",
    "report/history_report": "end_to_end/test_log",
    "report/markdown_parts": "report/test_plan_markdown",
    "report/proposal_report": "end_to_end/test_propose",
    "exchange/spreadsheet/workbook_file": "exchange/spreadsheet/test_import_plan",
    "report/adoption_report": "cli/test_adopt_command",
    "server/access": "server/api/test_tenancy",
    "server/api/endpoints": "contract/test_matrix",
    "server/api/http": "server/api/test_payloads",
    "server/api/openapi/json_schemas": "contract/test_openapi",
    "server/api/openapi/openapi_document": "contract/test_openapi",
    "server/api/openapi/operations": "contract/test_matrix",
    "server/api/resources": "server/api/test_every_kind",
    "server/api/serializers": "server/api/test_every_kind",
    "server/bounded_cache": "server/site/test_body_text",
    "server/edge/process": "end_to_end/test_server_process",
    "server/paging": "server/api/test_pagination",
    "server/service_errors": "server/api/test_errors",
    "server/site/record_pages": "server/site/test_pages",
    "server/site/listing_pages": "server/site/test_pages",
    "server/site/page_paths": "server/site/test_pages",
    "server/site/page_request": "server/site/test_requests",
    "server/site/site_app": "server/site/test_requests",
    "server/store/catalogue": "server/site/test_navigation",
    "server/store/listing_filter": "server/site/test_listing_search",
    "server/store/listing_counts": "server/site/test_listing_search",
    "server/store/listing_links": "server/api/test_listing_assignments",
    "server/store/listing_store": "server/api/test_listings",
    "server/store/migrations/": "server/store/test_upgrade",
    "server/store/public_listings": "server/site/test_visibility",
    "server/store/search_documents": "server/store/test_search_rebuild",
    "server/store/search_text": "server/site/test_search_quality",
    "server/store/public_records": "server/site/test_pages",
    "server/store/table_definition": "server/store/test_database",
    "server/store/record_kinds": "server/api/test_every_kind",
    "server/store/tables": "server/store/test_migration",
    "sync/comparing/outcome": "sync/applying/test_settle",
    "sync/applying/writer": "sync/applying/test_apply",
    "sync/comparing/change": "sync/planning/test_plan",
    "sync/planning/drift_summary": "end_to_end/test_drift",
    "sync/planning/side_status": "end_to_end/test_list_of_both_sides",
    "sync/comparing/entry_fields": "sync/comparing/test_diff",
    "sync/planning/plan_builder": "sync/planning/test_plan",
    "sync/history/commit_files": "sync/history/test_entry_commits",
    "sync/history/commit_log": "sync/history/test_entry_commits",
    "sync/history/entry_revisions": "sync/history/test_entry_commits",
    "watch/folder_monitor": "watch/test_folder_changes",
}


def modules() -> set[str]:
    files = (path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py") if not path.name.startswith("__"))
    return {file.with_suffix("").as_posix() for file in files}


def _key(module: str) -> str:
    """Return the key of a module in COVERED_BY: a folder that contains it, or its own name."""
    return next((key for key in COVERED_BY if key.endswith("/") and module.startswith(key)), module)


def test_each_module_has_a_test_file_of_its_name_or_is_listed() -> None:
    names = {path.stem.removeprefix("test_") for path in (ROOT / "tests").rglob("test_*.py")}
    without = {module for module in modules() if module.rpartition("/")[2] not in names}
    assert {_key(module) for module in without} == COVERED_BY.keys()


def test_each_listed_test_file_exists() -> None:
    assert [file for file in COVERED_BY.values() if not (ROOT / "tests" / f"{file}.py").is_file()] == []
