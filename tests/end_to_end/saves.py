"""The ways in which editors, cloud drives and git save files, each as steps with a pause after each."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

PAGES = 12
ROWS = 20
BODY = "".join(f"Line {number} of a text that is written in pieces.\n" for number in range(40))

TAGS = "- title: Wood\n- title: Glass\n- title: Textile\n"

Steps = Iterator[None]  # after each step, the folder is as a program may leave it for seconds


def make_site(folder: Path) -> Path:
    """Write a site with pages, a table and a list, in a repository with a second branch; return the folder."""
    (folder / "pages").mkdir(parents=True)
    (folder / "listings").mkdir()
    (folder / "contentsync.toml").write_text('[site]\nname = "Site"\n', encoding="utf-8")
    (folder / ".gitignore").write_text(".contentsync\n", encoding="utf-8")
    (folder / "categories.yaml").write_text("- title: Tools\n", encoding="utf-8")
    (folder / "tags.yaml").write_text(TAGS, encoding="utf-8")
    for number in range(PAGES):
        page(folder, number).write_text(page_text(number, "first"), encoding="utf-8")
    table(folder).write_text(table_text("first"), encoding="utf-8")
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message=all")
    git(folder, "switch", "--quiet", "--create=few")
    for number in (0, 1, 2):
        page(folder, number).unlink()
    git(folder, "commit", "--quiet", "--all", "--message=few")
    git(folder, "switch", "--quiet", "main")
    return folder


def page(folder: Path, number: int) -> Path:
    """Return the file of a page."""
    return folder / f"pages/page-{number}.md"


def table(folder: Path) -> Path:
    """Return the table of the listings."""
    return folder / "listings/tools.csv"


def page_text(number: int, edit: str) -> str:
    """Return the text of a page; `edit` is a word that differs in each edit."""
    return f"---\ntitle: Page {number} {edit}\n---\nThe {edit} text of page {number}.\n{BODY}"


def table_text(edit: str) -> str:
    """Return the rows of the table."""
    rows = (f"Tool {number},tools,{edit} {number},https://example.org/{number}\n" for number in range(ROWS))
    return "name,categories,description,url\n" + "".join(rows)


def git(folder: Path, *arguments: str) -> None:
    """Run git in the folder."""
    subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True)


def in_place(folder: Path, edit: str) -> Steps:
    page(folder, 0).write_text(page_text(0, edit), encoding="utf-8")
    yield


def truncate_and_write_in_pieces(folder: Path, edit: str) -> Steps:
    text = page_text(1, edit)
    for end in (0, 10, 200, len(text)):
        page(folder, 1).write_text(text[:end], encoding="utf-8")
        yield


def temporary_file_and_rename(folder: Path, edit: str) -> Steps:
    temporary = folder / "pages/page-2.md.tmp"
    temporary.write_text(page_text(2, edit), encoding="utf-8")
    yield
    temporary.replace(page(folder, 2))
    yield


def delete_and_create(folder: Path, edit: str) -> Steps:
    page(folder, 3).unlink()
    yield
    page(folder, 3).write_text(page_text(3, edit), encoding="utf-8")
    yield


def backup_as_vim(folder: Path, edit: str) -> Steps:
    backup = folder / "pages/page-4.md~"
    page(folder, 4).rename(backup)
    yield
    page(folder, 4).write_text(page_text(4, edit), encoding="utf-8")
    yield
    backup.unlink()
    yield


def safe_save_as_office_programs(folder: Path, edit: str) -> Steps:
    lock, new, old = (folder / f"pages/{name}" for name in (".~lock.page-5.md#", "~WRD0001.tmp", "~WRL0002.tmp"))
    lock.touch()
    new.write_text(page_text(5, edit), encoding="utf-8")
    yield
    page(folder, 5).rename(old)
    yield
    new.rename(page(folder, 5))
    yield
    old.unlink()
    lock.unlink()
    yield


def replace_as_a_cloud_drive(folder: Path, edit: str) -> Steps:
    for number in (6, 7):
        page(folder, number).unlink()
        yield
    for number in (6, 7):
        page(folder, number).touch()
        yield
        page(folder, number).write_text(page_text(number, edit), encoding="utf-8")
        yield


def swap_of_two_files(folder: Path, edit: str) -> Steps:
    first, second, temporary = page(folder, 8), page(folder, 9), folder / "pages/swap.tmp"
    first.rename(temporary)
    yield
    second.rename(first)
    yield
    temporary.rename(second)
    yield


def checkout_of_another_branch_and_back(folder: Path, edit: str) -> Steps:
    git(folder, "switch", "--quiet", "few")
    yield
    git(folder, "switch", "--quiet", "main")
    yield


def partial_files_as_rsync(folder: Path, edit: str) -> Steps:
    text = page_text(10, edit)
    hidden = folder / "pages/.page-10.md.a1b2c3"
    hidden.write_text(text[:100], encoding="utf-8")
    yield
    hidden.replace(page(folder, 10))  # as --partial leaves an interrupted transfer
    yield
    hidden.write_text(text, encoding="utf-8")
    hidden.replace(page(folder, 10))
    yield


def rename(folder: Path, edit: str) -> Steps:
    first, second = page(folder, 11), folder / "pages/renamed.md"
    old, new = (first, second) if first.exists() else (second, first)
    old.rename(new)
    yield


def table_cut_short_and_complete(folder: Path, edit: str) -> Steps:
    text = table_text(edit)
    row = text.index("Tool 12")
    in_url = text.index("https", row) + len("https://exam")
    # Between two rows, in a name, and twice in a URL: those rows are entries with the URLs https://exam and .../1.
    for end in (text.index("Tool 5"), row + 3, in_url, text.index("\n", row) - 1, 0, len(text)):
        table(folder).write_text(text[:end], encoding="utf-8")
        yield
    for end in (TAGS.index("Textile") + 4, len(TAGS)):  # the tag Text
        (folder / "tags.yaml").write_text(TAGS[:end], encoding="utf-8")
        yield


WAYS: list[Callable[[Path, str], Steps]] = [
    in_place,
    truncate_and_write_in_pieces,
    temporary_file_and_rename,
    delete_and_create,
    backup_as_vim,
    safe_save_as_office_programs,
    replace_as_a_cloud_drive,
    swap_of_two_files,
    checkout_of_another_branch_and_back,
    partial_files_as_rsync,
    rename,
    table_cut_short_and_complete,
]
WITH_ERRORS = (truncate_and_write_in_pieces, replace_as_a_cloud_drive, table_cut_short_and_complete)  # for a while
GAPS = (0, 1, 2, 3, 4)  # seconds
