"""contentsync.authoring.adopt.adoption: whole repositories, from the first look to an empty second plan."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from contentsync.authoring.adopt.adoption import Adoption, propose_adoption
from contentsync.authoring.adopt.proposed_settings import DefaultAnswers
from contentsync.cli import run
from contentsync.content.folder.load import load_content
from contentsync.errors import ContentError, Refused
from contentsync.model import Kind
from contentsync.report.adoption_report import adoption_text

from .repositories import NOW, REPOSITORIES, TRUE_ERRORS, Files, repair, write

SMALL = 24
SYNCED = ("hugo", "spreadsheet")  # of the small ones
SIZES = {"awesome": 2000, "spreadsheet": 2000}  # of the whole test; of the others 200


def sizes() -> Iterator[object]:
    for name in REPOSITORIES:
        yield pytest.param(name, SMALL)
        yield pytest.param(name, SIZES.get(name, 200), marks=pytest.mark.whole)


def adopted(folder: Path) -> Adoption:
    """Return what `adopt` proposes for a folder to a user who accepts every default."""
    return propose_adoption(folder, DefaultAnswers(), NOW)


def digests(folder: Path) -> dict[str, str]:
    files = (file for file in folder.rglob("*") if file.is_file() and ".contentsync" not in file.parts)
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


@pytest.mark.parametrize(("name", "size"), [*sizes()])
def test_a_repository_is_adopted_validated_and_synced(
    name: str, size: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path, REPOSITORIES[name](size))
    before = digests(folder)
    assert run(["adopt", str(folder), "--yes", "--write"]) == 0
    after = digests(folder)
    assert before.items() <= after.items()  # no file changed
    assert {"contentsync.toml"} <= after.keys() - before.keys() <= {
        "contentsync.toml", "custom_fields.yaml", "categories.yaml", "tags.yaml"
    }  # fmt: skip
    content = load_content(folder)
    codes: dict[str, str] = {}
    for problem in content.errors:
        codes[problem.where.path] = f"{codes.get(problem.where.path, '')} {problem.code}".strip()
    assert codes == TRUE_ERRORS[name]
    kinds = {entry.kind.value for entry in content.entries}
    assert sum(entry.kind in ("article", "listing") for entry in content.entries) >= size
    assert kinds >= ({"listing", "category", "tag"} if name in SIZES else {"article"})

    if size == SMALL and name not in SYNCED:
        return
    repair(folder, codes)
    capsys.readouterr()
    assert run(["adopt", str(folder)]) == 0
    assert "nothing to add" in capsys.readouterr().err
    with (folder / "contentsync.toml").open("a", encoding="utf-8") as config:
        config.write('\n[targets.local]\nurl = "embedded:.contentsync/site.db"\nrequests_per_minute = 60000\n')
    assert run(["sync", str(folder), "--yes", "--quiet"]) == 0
    assert run(["plan", str(folder), "--detailed-exitcode"]) == 0


HOSTILE: Files = {
    "posts/huge.md": b"---\ntitle: Huge\n---\n" + b"x" * 11 * 1024 * 1024,
    "posts/binary.md": bytes(range(256)) * 64,
    "posts/deep.md": "---\nx: " + "[" * 5000 + "\n---\n",
    "posts/keys.md": "---\n" + "".join(f"key{number}: 1\n" for number in range(900)) + "---\nText\n",
    "posts/a.md": "---\ntitle: A\ndate: 2024-01-01\n---\nText\n",
    "data/list.yml": "- &a {name: A}\n- *a\n",
    "data/wide.csv": "name," + ",".join(f"c{number}" for number in range(3000)) + "\n",
    "_config.yml": "title: !!python/object/apply:os.system ['touch x']\n",
}


def test_hostile_files_do_no_harm(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"posts/secret.md": "---\ntitle: Secret\n---\n"})
    folder = write(tmp_path / "site", HOSTILE)
    (folder / "posts/link.md").symlink_to(outside / "posts/secret.md")
    (folder / "more").symlink_to(outside / "posts")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "posts/pipe.md")
    before = sorted(folder.rglob("*"))
    adoption = adopted(folder)
    assert b'path = "posts"' in adoption.config
    assert "Secret" not in repr(adoption)
    assert sorted(folder.rglob("*")) == before
    codes = {problem.where.path: problem.code for problem in adoption.trial.report.problems}
    assert codes["posts/link.md"] == "bad-link"
    assert codes["posts/huge.md"] == "too-large"


def test_an_adopted_folder_keeps_its_config_and_gets_only_new_settings(tmp_path: Path) -> None:
    config = '# ours\n[content.articles]\npath = "posts"  # moved\nrename = { date = "published_at" }\n'
    post = "---\ntitle: A\ndate: 2024-01-01\nlayout: post\n---\nText\n"
    folder = write(tmp_path, {"contentsync.toml": config, "posts/a.md": post, "posts/b.md": post})
    adoption = adopted(folder)
    text = adoption.config.decode()
    assert text.startswith(config)
    added = [(it.table, it.name, it.value) for it in adoption.settings]
    assert ("content.articles", "ignore", "layout") in added
    assert not any(name in ("path", "rename") for _table, name, _value in added)
    assert adoption.trial.report.errors == []


def test_a_config_keeps_its_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    config = b"\xef\xbb\xbf# ours\r\n[content.articles]\r\npath = 'posts'\r\n"
    files: Files = {"contentsync.toml": config, "posts/a.md": "---\ntitle: A\nlayout: x\n---\nText\n"}
    adoption = adopted(write(tmp_path, files))
    assert adoption.config.startswith(config)
    assert adoption.config.count(b"\n") == adoption.config.count(b"\r\n") > config.count(b"\n")
    assert adoption.trial.report.problems == ()


def test_an_excluded_spreadsheet_has_a_note(tmp_path: Path) -> None:
    listing = "name,url\nA,https://a.example.org/\n"
    adoption = adopted(write(tmp_path, {"listings/a.csv": listing, "listings/orders.xlsx": "PK"}))
    assert '"*.xlsx", # 1 file' in adoption.config.decode()
    note = "not read: listings/orders.xlsx; save each as CSV in the spreadsheet program to read its rows"
    assert note in adoption.notes


def test_listings_in_other_languages_are_excluded_and_counted(tmp_path: Path) -> None:
    club = "---\nname: Club {0}\naddress: Ring {0}\nphone_number: '1'\n---\n"
    files: Files = {f"listings/club{n}{end}.md": club.format(n) for n in range(3) for end in ("", ".fr", ".de")}
    adoption = adopted(write(tmp_path, files))
    assert adoption.trial.entries[Kind.LISTING] == 3
    excluded = {f"/club{n}.{language}.md" for n in range(3) for language in ("fr", "de")}
    assert {it.value for it in adoption.settings if it.name == "exclude"} == excluded
    note = "6 files of listings in other languages are excluded: only articles and organizers have translations"
    assert note in adoption.notes


def test_a_listing_with_the_ending_of_a_language_is_read(tmp_path: Path) -> None:
    tool = "---\nname: {0}\nurl: https://{0}.example.org/\n---\n"
    names = ("draw", "draw.io", "socket.io", "chart")
    adoption = adopted(write(tmp_path, {f"listings/{name}.md": tool.format(name) for name in names}))
    assert [it.value for it in adoption.settings if it.name == "exclude"] == ["/draw.io.md"]
    assert adoption.trial.entries[Kind.LISTING] == 3


def test_a_list_is_not_excluded_by_the_name_of_another_one(tmp_path: Path) -> None:
    places = "".join(f"- {{name: P-YEAR-{n}, url: https://p-YEAR-{n}.example.org/}}\n" for n in range(4))
    files: Files = {f"data/{year}/list.yml": places.replace("YEAR", f"{year}") for year in range(2010, 2016)}
    adoption = adopted(write(tmp_path, {**files, "data/2010/colors/list.yml": "- {shade: a, hex: b, title: c}\n" * 3}))
    assert adoption.trial.entries[Kind.LISTING] == 24
    assert "list.yml" not in [it.value for it in adoption.settings if it.name == "exclude"]


def test_an_existing_file_is_not_proposed_again(tmp_path: Path) -> None:
    listing = "- {name: A, url: https://a.example.org/, category: Old, tags: [x]}\n"
    files: Files = {"listings/a.yml": listing, "categories.yaml": "- title: Old\n"}
    assert set(adopted(write(tmp_path, files)).files) == {"tags.yaml"}


def test_declined_custom_fields_are_ignored(tmp_path: Path) -> None:
    rows = "".join(f"Place {number},https://p{number}.example.org/,{number}\n" for number in range(9))
    folder = write(tmp_path, {"places.csv": f"name,url,Seats free\n{rows}"})
    adoption = propose_adoption(folder, lambda question: "no" if "custom" in question.text else question.default, NOW)
    assert adoption.files == {}
    assert [it.value for it in adoption.settings if it.name == "ignore"] == ["Seats free"]
    assert adoption.trial.report.problems == ()


def test_a_config_with_a_mistake_is_reported_first(tmp_path: Path) -> None:
    folder = write(tmp_path, {"contentsync.toml": "[site]\nlocale = 'en'\n", "posts/a.md": "Text\n"})
    with pytest.raises(ContentError):
        adopted(folder)


def test_a_folder_without_content_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no files that look like content"):
        adopted(write(tmp_path, {"main.py": "print()\n", "README.md": "# Program\n"}))


MENU = "- {title: A, url: /a/}\n- {title: B, url: /b/}\n- {title: C, url: /c/}\n"


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"a.csv": "Name\nA\nB\n"}, r"a\.csv has only one column"),
        # A config is never meant, also not for the menu in it.
        ({"_config.yml": f"nav:\n{MENU}", "b.csv": "Name\nA\n"}, r"b\.csv has only one column"),
    ],
)
def test_the_refusal_names_the_file_that_looks_like_content(files: Files, reason: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=f"look like content: {reason}"):
        adopted(write(tmp_path, files))


def test_files_beyond_the_limit_are_reported(tmp_path: Path) -> None:
    write(tmp_path, {f"posts/2024-01-0{day}-a.md": "---\ntitle: A\n---\n" for day in range(1, 5)})
    adoption = propose_adoption(tmp_path, DefaultAnswers(), NOW, max_files=3)
    assert adoption.limit_note.startswith("only 3 files were examined, and the folder has more")
    assert adoption.limit_note in "".join(adoption_text(adoption, [], full=False))
    assert propose_adoption(tmp_path, DefaultAnswers(), NOW, max_files=4).limit_note == ""
    with pytest.raises(Refused) as refusal:
        propose_adoption(tmp_path, DefaultAnswers(), NOW, max_files=0)
    assert refusal.value.hint.startswith("only 0 files were examined")


def test_a_key_that_hides_an_excluded_file_is_not_ignored(tmp_path: Path) -> None:
    """A later entry with such a value would be published."""
    post = "---\ntitle: {0}\ndate: 2026-01-01\nexpiryDate: {1}\n---\nText\n"
    files: Files = {"hugo.toml": "title = 'Shed'\n"}
    files |= {f"content/posts/{name}.md": post.format(name, "2090-01-01") for name in ("a", "b", "c")}
    adoption = adopted(write(tmp_path, files | {"content/posts/old.md": post.format("old", "2020-01-01")}))
    assert "/old.md" in [setting.value for setting in adoption.settings]
    assert "expiryDate" not in [setting.value for setting in adoption.settings]
    assert any(note.startswith("expiryDate stays an error") for note in adoption.notes)
