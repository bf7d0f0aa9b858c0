"""`contentsync set`, as it is typed: a real folder in git, and the changes of its files."""

import subprocess
from pathlib import Path

import pytest

from ..end_to_end.conftest import Ran, contentsync
from ..exit_codes import CONTENT_ERRORS, REFUSED, WRONG_USAGE

CONFIG = '[site]\nname = "Shop"\nlocales = ["en", "fr"]\n'
TABLE = "name,url,email,categories,price\n" + "".join(
    f"Tool {number},https://{number}.example.org/,{'a@example.org' if number % 2 else ''},tools,{number % 3}\n"
    for number in range(6)
)


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    return subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with six listings in a table, one in a list, and a page, all of it committed."""
    files = {
        "contentsync.toml": CONFIG,
        ".gitignore": ".contentsync/\n",
        "categories.yaml": "- {title: All tools, slug: tools}\n- {title: Books}\n",
        "custom_fields.yaml": "- {label: Price, type: number}\n",
        "listings/all.csv": TABLE,
        "listings/more.yaml": "- name: Saw  # s\n  url: https://saw.example.org/\n  email: b@example.org\n",
        "pages/about.md": "---\ntitle: About\n---\nWe lend tools.\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "first")
    return tmp_path


def set_(shop: Path, *words: str) -> Ran:
    """Run the command without a question."""
    return contentsync("set", *words, "--yes", cwd=shop)


def changed_lines(shop: Path) -> list[str]:
    lines = git(shop, "diff", "-U0").splitlines()
    return [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def test_equal_changes_are_counted_and_their_first_entries_named(shop: Path) -> None:
    ran = set_(shop, "listing", "--where", "_file ~ csv", "categories+=books", "price=1")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "  ~ categories: + books  in 6 listings, such as https://0.example.org, https://1.example.org, "
        "https://2.example.org\n"
        "  ~ price: 0 → 1  in 2 listings: https://0.example.org, https://3.example.org\n"
        "  ~ price: 2 → 1  in 2 listings: https://2.example.org, https://5.example.org\n"
        "10 changes in 6 listings and 1 file\n"
        "git diff shows them, and git restore undoes them\n"
    )
    assert len(changed_lines(shop)) == 12
    git(shop, "restore", "listings/all.csv")
    assert (shop / "listings/all.csv").read_text(encoding="utf-8") == TABLE


def test_all_entries_are_named_with_full(shop: Path) -> None:
    ran = set_(shop, "listing", "--missing", "email", "email=c@example.org", "--full")
    assert ran.out.splitlines() == [
        *(
            f'  ~ email: nothing → "c@example.org"  https://{number}.example.org  listings/all.csv:{number + 2}'
            for number in (0, 2, 4)
        ),
        "3 changes in 3 listings and 1 file",
        "git diff shows them, and git restore undoes them",
    ]


def test_nothing_is_written_without_consent(shop: Path) -> None:
    ran = contentsync("set", "listing", "price=7", "--where", "price = 1", shop)
    assert ran.code == REFUSED
    assert "  ~ price: 1 → 7  in 2 listings: " in ran.out
    assert "nothing was written" in ran.err
    assert "--yes writes without asking" in ran.err
    assert changed_lines(shop) == []


def test_entries_with_the_values_are_counted_as_unchanged(shop: Path) -> None:
    ran = set_(shop, "listing", "--where", "_file ~ csv", "price=1")
    assert "4 changes in 4 listings and 1 file, 2 unchanged" in ran.out
    again = set_(shop, "listing", "--where", "_file ~ csv", "price=1")
    assert (again.code, again.out) == (0, "nothing to write: 6 listings with these values already\n")
    assert set_(shop, "page", "--unset", "seo.title").out.startswith("nothing to write: 1 page")


def test_no_entry_found_is_said(shop: Path) -> None:
    ran = set_(shop, "listing", "--where", "price > 99", "price=1")
    assert (ran.code, ran.out) == (0, "no listing meets the conditions: nothing to write\n")


def test_the_json_document_has_each_change(shop: Path) -> None:
    ran = set_(shop, "listing", "--where", "_file ~ yaml", "is_featured=yes", "--unset", "email", "--format", "json")
    saw = {"kind": "listing", "key": "https://saw.example.org", "title": "Saw", "path": "listings/more.yaml", "line": 1}
    assert ran.document == {
        "version": 1,
        "kind": "listing",
        "found": 1,
        "changes": [
            {**saw, "field": "is_featured", "action": "set", "from": None, "to": True},
            {**saw, "field": "email", "action": "unset", "from": "b@example.org", "to": None},
        ],
        "files": [{"path": "listings/more.yaml", "action": "update", "committed": True}],
    }
    assert changed_lines(shop) == ["-  email: b@example.org", "+  is_featured: true"]
    assert set_(shop, "page", "order=0", "--where", "title = x", "--format=json").document["changes"] == []


def test_a_file_with_uncommitted_changes_is_named(shop: Path) -> None:
    with (shop / "listings/more.yaml").open("a", encoding="utf-8") as file:
        file.write("  price: 4\n")
    git(shop, "add", ".")  # staged
    ran = set_(shop, "listing", "--where", "price > 1", "price=9")
    assert "  ! listings/more.yaml  is not committed, so git cannot undo the change\n" in ran.out
    assert "git restore" not in ran.out
    assert git(shop, "show", ":listings/more.yaml").endswith("price: 4\n")
    assert (shop / "listings/more.yaml").read_text(encoding="utf-8").endswith("price: 9\n")


def test_a_file_that_git_ignores_is_changed_and_named(shop: Path) -> None:
    with (shop / ".gitignore").open("a", encoding="utf-8") as file:
        file.write("local.md\n")
    (shop / "pages/local.md").write_text("---\ntitle: Local\n---\n", encoding="utf-8")
    (shop / "pages/.hidden.md").write_text("---\ntitle: Hidden\n---\n", encoding="utf-8")
    ran = set_(shop, "page", "new_tab=yes")
    assert ran.out == (
        "  ~ new_tab: nothing → true  in 2 pages: about, local\n"
        "  ! pages/local.md  is not committed, so git cannot undo the change\n"
        "2 changes in 2 pages and 2 files\n"
    )
    assert "new_tab" not in (shop / "pages/.hidden.md").read_text(encoding="utf-8")


def test_a_new_file_of_a_translation_is_named(shop: Path) -> None:
    config = f'{CONFIG}[content.articles]\nlocales = "folder"\n'
    (shop / "contentsync.toml").write_text(config, encoding="utf-8")
    article = "---\ntitle: {}\n---\nText\n"
    for path, title in (("en/a.md", "A"), ("en/b.md", "B"), ("fr/b.md", "Bonjour")):
        (shop / "articles" / path).parent.mkdir(parents=True, exist_ok=True)
        (shop / "articles" / path).write_text(article.format(title), encoding="utf-8")
    ran = set_(shop, "article", "translations.fr.title=Salut")
    assert "  + articles/fr/a.md  is a new file\n  ! articles/fr/b.md  is not committed" in ran.out
    assert "2 changes in 2 articles and 2 files" in ran.out
    assert (shop / "articles/fr/a.md").read_text(encoding="utf-8") == "---\ntitle: Salut\n---\n"
    assert (shop / "articles/fr/b.md").read_text(encoding="utf-8") == article.format("Salut")


def test_errors_of_the_folder_are_printed_in_place_of_changes(shop: Path) -> None:
    listing = "- name: Pen\n  url: https://pen.example.org/\n  tags: {}\n"
    (shop / "listings/pens.yaml").write_text(listing.format("&a [x]"), encoding="utf-8")
    ran = set_(shop, "listing", "price=1")
    assert (ran.code, ran.out) == (CONTENT_ERRORS, "")
    assert "yaml-alias" in ran.err
    assert changed_lines(shop) == []


def test_entries_that_break_a_house_rule_are_repaired_and_no_other_is_broken(shop: Path) -> None:
    (shop / "contentsync.toml").write_text(f'{CONFIG}[rules.listing]\nrequire = ["email"]\nmax = {{ price = 2 }}\n')
    assert contentsync("validate", cwd=shop).code == CONTENT_ERRORS
    ran = set_(shop, "listing", "--where", "name = Tool 0", "email=c@example.org")
    assert (ran.code, ran.err) == (0, "")  # two others have none
    broken = set_(shop, "listing", "--where", "name = Tool 1", "price=3")
    assert broken.code == REFUSED
    assert "price is 3, more than 2" in broken.err
    assert set_(shop, "listing", "--missing", "email", "email=d@example.org").code == 0
    assert contentsync("validate", cwd=shop).code == 0
    assert changed_lines(shop).count("+Tool 0,https://0.example.org/,c@example.org,tools,0") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["listing"], "no field is assigned"),
        (["listing", "pric=5"], "did you mean 'price'?"),
        (["listing", "slug=x"], "contentsync mv listing/KEY NEW"),
        (["listing", "price=5", "--where", "prise = 1"], "'prise = 1', character 1: listings have no field 'prise'"),
        (["listing", "price=5", "nowhere"], "'nowhere' is not FIELD=VALUE"),
        (["lisstng", "price=5"], "there is no kind 'lisstng'"),
        (["listing", "price=x"], "price must be a number"),
        (["listing", "price=1", "--dry-run"], "without --yes, set shows its changes and asks"),
    ],
)
def test_a_wrong_line_is_refused(shop: Path, words: list[str], message: str) -> None:
    ran = set_(shop, *words)
    assert (ran.code, ran.out) == (WRONG_USAGE, "")
    assert message in ran.err


def test_a_table_without_the_column_is_refused(shop: Path) -> None:
    ran = set_(shop, "listing", "is_featured=yes")
    assert ran.code == REFUSED
    assert "listings/all.csv has no column is_featured" in ran.err
    assert changed_lines(shop) == []


def test_a_formula_in_a_cell_is_warned_of(shop: Path) -> None:
    ran = set_(shop, "listing", "name==1+1", "--where", "name = Tool 1")
    assert ran.code == 0
    assert "formula-cell" in ran.err


def test_a_warning_that_the_config_makes_an_error_does_not_stop_its_repair(shop: Path) -> None:
    (shop / "contentsync.toml").write_text(f'{CONFIG}[warnings]\nerror = ["broken-link"]\n')
    (shop / "pages/about.md").write_text("---\ntitle: About\n---\n[us](/pages/team/)\n")
    assert contentsync("validate", cwd=shop).code == CONTENT_ERRORS
    assert set_(shop, "listing", "--where", "name = Tool 0", "email=c@example.org").code == 0
    assert contentsync("mv", "page/about", "team", "--yes", cwd=shop).code == 0
    assert contentsync("validate", cwd=shop).code == 0


def test_the_help_has_fewer_than_25_lines(shop: Path) -> None:
    assert len(contentsync("set", "--help").out.splitlines()) < 25


def test_a_key_of_yaml_is_unset_in_the_named_folder(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    words = ("set", "listing", "--where", "_file ~ yaml", "--unset", "email", shop, "--yes")
    assert contentsync(*words, cwd=tmp_path_factory.mktemp("elsewhere")).code == 0
    assert changed_lines(shop) == ["-  email: b@example.org"]
