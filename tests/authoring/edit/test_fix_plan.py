"""authoring.edit.fix_plan: which problems are fixed, by which edits, and what no fix changes."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from contentsync.authoring.edit.fix_plan import FIXED_CODES, FixPlan, apply_fixes, plan_fixes
from contentsync.content.folder.folder_reader import FolderReader
from contentsync.errors import Unwritable

from ...content.conftest import Files, write
from ...sampling import sampled
from ...test_problems_page import SECTIONS, example
from .mistakes import MISTAKES, Mistake

LATHE = "name,url,{}\nLathe,https://lathe.example.org,{}\n"


def texts(plan: FixPlan) -> Mapping[str, str]:
    """Return the text of each file that a plan changes."""
    return {edit.path: (edit.after or b"").decode() for edit in plan.edits}


def fixed(tmp_path: Path, files: Files) -> Mapping[str, str]:
    """Return the new text of each file of a folder that is fixed."""
    return texts(plan_fixes(write(tmp_path, files)))


def is_fixed(mistake: Mistake, folder: Path) -> bool:
    """Return whether the file is exactly as it was meant, and no other one changes."""
    plan = plan_fixes(write(folder, mistake.files))
    return {edit.path: edit.after for edit in plan.edits} == {mistake.path: mistake.fixed}


def test_97_of_100_mistakes_with_a_certain_hint_are_fixed(tmp_path: Path) -> None:
    left = [mistake for number, mistake in enumerate(MISTAKES) if not is_fixed(mistake, tmp_path / str(number))]
    assert len(MISTAKES) > 100
    assert [(mistake.wrong, mistake.code) for mistake in left] == [
        ("titel", "unknown-key"),
        ("[[Abuot]]", "broken-link"),
    ]
    assert 1 - len(left) / len(MISTAKES) > 0.97


def test_the_mistakes_have_each_code_that_is_fixed() -> None:
    assert {mistake.code for mistake in MISTAKES} == FIXED_CODES


def test_the_page_of_problems_names_the_codes_that_are_fixed() -> None:
    assert {code for code, text in SECTIONS.items() if "`validate --fix`" in text} == FIXED_CODES
    page = (Path(__file__).parents[3] / "docs/fix.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)
    assert {code for row in table for code in re.findall("`([a-z-]+)`", row)} == FIXED_CODES


@pytest.mark.parametrize("code", sampled(sorted(SECTIONS.keys() - FIXED_CODES), every=3))
def test_a_problem_of_another_code_is_not_fixed(code: str, tmp_path: Path) -> None:
    example(code, tmp_path)
    assert [fix.code for fix in plan_fixes(tmp_path).fixed if fix.code == code] == []


def test_a_second_run_has_nothing_to_fix(tmp_path: Path) -> None:
    write(tmp_path, {"pages/a.md": "---\ntitel: A\nplacment: navbr\norder: first\n---\nText\n"})
    plan = plan_fixes(tmp_path)
    apply_fixes(plan)
    assert (tmp_path / "pages/a.md").read_text() == "---\ntitle: A\nplacement: navbar\norder: first\n---\nText\n"
    assert plan_fixes(tmp_path).edits == []


def test_the_value_of_a_misspelt_key_is_fixed_with_it(tmp_path: Path) -> None:
    text = fixed(tmp_path, {"articles/a.md": "---\ntitle: A\npublishd_at: 14/03/2026\n---\nText\n"})
    assert text == {"articles/a.md": "---\ntitle: A\npublished_at: 2026-03-14\n---\nText\n"}


def test_a_fix_that_leaves_another_problem_is_left_out(tmp_path: Path) -> None:
    page = "---\ntitle: A\nordre: first\nplacment: navbar\n---\n"
    assert fixed(tmp_path, {"pages/a.md": page}) == {"pages/a.md": page.replace("placment", "placement")}


def test_many_fixes_that_leave_another_problem_need_few_readings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings: list[FolderReader] = []
    read = FolderReader.read

    def noted(reader: FolderReader) -> FolderReader:
        readings.append(reader)
        return read(reader)

    monkeypatch.setattr(FolderReader, "read", noted)
    page = "---\ntitle: A\nordre: first\nplacment: navbar\n---\n"
    files = {f"pages/a{number}.md": page for number in range(20)}
    good = {"pages/z.md": page.replace("first", "1")}
    after = {path: page.replace("placment", "placement") for path in files}
    assert fixed(tmp_path, files | good) == after | {"pages/z.md": "---\ntitle: A\norder: 1\nplacement: navbar\n---\n"}
    assert len(readings) < 20


def test_a_house_rule_that_is_broken_besides_stops_no_fix(tmp_path: Path) -> None:
    config = '[site]\nname = "T"\n[rules.page]\nrequire = ["seo.description"]\n'
    page = "---\ntitle: A\nplacement: navbr\n---\n"
    files = {"contentsync.toml": config, "pages/a.md": page}
    assert fixed(tmp_path, files) == {"pages/a.md": page.replace("navbr", "navbar")}
    assert [problem.code for problem in plan_fixes(tmp_path).report.problems] == ["rule-require"]


def test_a_fix_that_cannot_be_made_does_not_stop_others_in_its_file(tmp_path: Path) -> None:
    page = '+++\ntitle = "A"\nplacement = "navbr"\nseo = { titel = "x" }\n+++\n'
    assert fixed(tmp_path, {"pages/a.md": page}) == {"pages/a.md": page.replace("navbr", "navbar")}


@pytest.mark.parametrize(
    "files",
    [
        {"pages/a.md": "---\ntitle: A\nslgu: b\n---\n"},
        {"pages/a.md": "---\ntitle: A\nslug: b\u200b\n---\n"},
        {"pages/a.md": "---\ntitle: A\nsync: {skpi: true}\n---\n"},
        {"pages/a.md": "---\ntitle: A\nsyncc: {skip: true}\n---\n"},
        {"listings/a.csv": LATHE.replace("url", "urll").format("email", "a@b.example")},
        {"listings/a.csv": LATHE.replace("url", "u\u200brl").format("email", "a@b.example")},
        {"listings/a.yaml": "name: A\nurl: http://https://a.example\n"},
        {"custom_fields.yaml": "- label: Price\n  naem: cost\n  type: number\n"},
        {"listings/a.yaml": "name: Jig\u200bsaw\n"},  # its slug is made from the name
    ],
    ids=["key", "value", "note", "notes", "column", "header", "url", "name", "title"],
)
def test_the_identity_of_an_entry_is_never_changed(files: Files, tmp_path: Path) -> None:
    assert fixed(tmp_path, files) == {}


@pytest.mark.parametrize(
    "front_matter",
    [
        "published_at: 01/02/2026",
        "published_at: 30/02/2026",
        "autor: Ada",
        "title: \u202eA",
        "seo: {title: “A”}",
        "thumbnail_url: www.example.org/a.png",
    ],
)
def test_a_mistake_with_a_doubt_is_left_to_its_author(front_matter: str, tmp_path: Path) -> None:
    title = "" if "title: \u202e" in front_matter else "title: A\n"
    assert fixed(tmp_path, {"articles/a.md": f"---\n{title}{front_matter}\n---\nText\n"}) == {}


def test_a_word_near_two_choices_and_one_with_another_digit_are_left(tmp_path: Path) -> None:
    fields = "- {label: Level, type: select, options: [level1, level2, mode, node]}\n"
    files = {"custom_fields.yaml": fields, "listings/a.csv": "name,level\nA,level3\nB,lode\n"}
    assert fixed(tmp_path, files) == {}


def test_the_body_and_the_config_are_not_fixed(tmp_path: Path) -> None:
    files = {"contentsync.toml": '[site]\nnmae = "A"\n', "pages/a.md": "---\ntitle: A\n---\nA\u200bB\n"}
    assert fixed(tmp_path, files) == {}
    assert fixed(tmp_path, {"pages/a.md": files["pages/a.md"]}) == {}


def test_line_ends_byte_order_mark_comments_and_quotes_stay(tmp_path: Path) -> None:
    page = "\ufeff---\r\ntitel:   \"A\"  # titel\r\n'placement': 'navbr'\r\n---\r\ntitel: navbr\r\n"
    expected = page.replace("titel: ", "title: ", 1).replace("'navbr'", "'navbar'")
    plan = plan_fixes(write(tmp_path, {"pages/a.md": page.encode()}))
    assert [edit.after for edit in plan.edits] == [expected.encode()]


def test_a_block_of_lines_stays_a_block(tmp_path: Path) -> None:
    listing = (
        "- name: A\n  description: | # long\n    One\n\n      code\n    t\u200bwo: x\n  seo_title: >\n    T\u200b\n"
    )
    assert fixed(tmp_path, {"listings/a.yaml": listing}) == {"listings/a.yaml": listing.replace("\u200b", "")}


def test_all_cells_of_a_damaged_column_are_fixed_and_no_other_ones(tmp_path: Path) -> None:
    table = 'name,phone_number,description\nA,"=""01""",1\nB,="02",1-Jan\nC,03,"=""x"""\n'
    expected = 'name,phone_number,description\nA,"01",1\nB,02,1-Jan\nC,03,"x"\n'
    assert fixed(tmp_path, {"listings/a.csv": table}) == {"listings/a.csv": expected}


def test_a_reference_and_a_link_to_a_renamed_entry_get_its_new_name(tmp_path: Path) -> None:
    files = {
        "categories.yaml": "- {title: Kit, sync: {previous: [tools]}}\n",
        "listings/a.csv": "name,categories\nA,tools\n",
        "pages/team.md": "---\ntitle: T\nsync: {previous: [us]}\n---\n[x](/pages/us/?a=1) [y](/categories/tools/)\n",
    }
    text = fixed(tmp_path, files)
    assert text["listings/a.csv"] == "name,categories\nA,kit\n"
    assert text["pages/team.md"].endswith("---\n[x](/pages/team/?a=1) [y](/categories/kit/)\n")


def test_a_former_name_of_two_entries_is_left(tmp_path: Path) -> None:
    page = "---\ntitle: {}\nsync: {previous: [us]}\n---\n[x](/pages/us/)\n"
    tags = "- {title: Free, sync: {previous: [open]}}\n- {title: Libre, sync: {previous: [open]}}\n"
    files = {"pages/a.md": page.replace("{}", "A"), "pages/b.md": page.replace("{}", "B"), "tags.yaml": tags}
    assert fixed(tmp_path, {**files, "listings/a.csv": "name,tags\nA,open\n"}) == {}


def test_a_fix_without_a_solved_problem_is_left_out(tmp_path: Path) -> None:
    page = "---\ntitle: A\n---\n[x](/pages/abuot/#part)\n"  # there is no such part
    assert fixed(tmp_path, {"pages/a.md": page, "pages/about.md": "---\ntitle: About\n---\n"}) == {}


def test_only_the_named_files_are_fixed(tmp_path: Path) -> None:
    wrong = "---\ntitel: A\n---\n"
    plan = plan_fixes(
        write(tmp_path, {"pages/a.md": wrong, "pages/b.md": wrong, "notes.md": ""}), ["pages/a.md", "notes.md"]
    )
    assert [*texts(plan)] == ["pages/a.md"]
    assert plan.not_content == ["notes.md"]
    assert plan.report.problems == ()


def test_no_file_is_written_if_one_has_changed_meanwhile(tmp_path: Path) -> None:
    wrong = "---\ntitel: A\n---\n"
    plan = plan_fixes(write(tmp_path, {"pages/a.md": wrong, "pages/b.md": wrong}))
    (tmp_path / "pages/b.md").write_text("---\ntitel: B\n---\n")
    with pytest.raises(Unwritable):
        apply_fixes(plan)
    assert (tmp_path / "pages/a.md").read_text() == wrong
