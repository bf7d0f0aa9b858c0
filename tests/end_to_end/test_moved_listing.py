"""`links --fix` gives a listing its new URL, and the next sync updates its record in place of a new one."""

from pathlib import Path

from .conftest import contentsync

MOVED = '{"url": "https://old.dev/", "moved": ["2026-11-02", "2026-11-09"], "moved_to": "https://new.dev/"}\n'


def test_a_listing_with_a_new_url_keeps_its_record(tmp_path: Path) -> None:
    (tmp_path / "contentsync.toml").touch()
    (tmp_path / "listings").mkdir()
    (tmp_path / "listings/all.csv").write_text("name,url\nSaw,https://old.dev/\n", encoding="utf-8")
    assert contentsync("sync", tmp_path, "--yes").code == 0
    (tmp_path / "links.jsonl").write_text(MOVED, encoding="utf-8")
    assert contentsync("links", tmp_path, "--no-check", "--fix", "--yes").code == 0
    plan = contentsync("plan", tmp_path, "--format", "json").document
    assert [(change["action"], change["key"]) for change in plan["changes"]] == [("update", "https://new.dev")]
    assert contentsync("sync", tmp_path, "--yes").code == 0
    listed = contentsync("list", "listing", tmp_path, "--server", "--columns", "name,url", "--format", "csv").out
    assert listed == "name,url\nSaw,https://new.dev/\n"
