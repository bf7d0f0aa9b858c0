"""contentsync.content.entry.entry_references: names of other entries become keys."""

from contentsync.content.entry.entry_references import NameIndex
from contentsync.errors import Severity
from contentsync.model import Kind

from ..conftest import CONFIG, Load, Spot, spots

CATEGORIES = "- title: Drawing tools\n  slug: drawing\n- title: Audio\n- title: Audio\n  slug: sound\n"


def listing(read: Load, front_matter: str, **files: str) -> tuple[dict[str, object], list[Spot]]:
    """Return the fields of a listing beside these files, and the spots of all problems."""
    named = {f"{name}.yaml": text for name, text in files.items()}
    content = read({"listings/a.yaml": f"name: A\n{front_matter}", "categories.yaml": CATEGORIES, **named})
    fields = [entry.fields for entry in content.entries if entry.kind is Kind.LISTING]
    return dict(*fields), spots(content)


def test_an_entry_is_referenced_by_slug_or_title(read: Load) -> None:
    fields, problems = listing(
        read, "categories: [drawing, Drawing tools, sound]\ntags: [B c]\n", tags="- title: B c\n"
    )
    assert problems == []
    assert fields["categories"] == ["drawing", "sound"]
    assert fields["tags"] == ["b-c"]


def test_organizers_are_referenced_by_slug_or_name(read: Load) -> None:
    content = read(
        {
            "listings/a.csv": "name,organizers\nA,o1|The Second\n",
            "organizers/o1.md": "---\nname: First\n---\n",
            "organizers/o2.md": "---\nname: The Second\n---\n",
        }
    )
    assert content.problems == ()
    assert content.entries[-1].fields["organizers"] == ["o1", "o2"]


def test_a_reference_is_a_slug_before_it_is_a_title(read: Load) -> None:
    fields, problems = listing(read, "categories: [audio]\n")
    assert (fields["categories"], problems) == (["audio"], [])


def test_an_unknown_reference_is_an_error_with_the_nearest_name(read: Load) -> None:
    content = read({"listings/a.yaml": "name: A\ncategories: [drawing, drawin]\n", "categories.yaml": CATEGORIES})
    assert spots(content) == [("listings/a.yaml", 2, 23, "unknown-reference")]
    assert "drawing" in content.problems[0].hint


def test_a_reference_similar_to_no_name_suggests_the_file_to_extend(read: Load) -> None:
    config = f'{CONFIG}[content.categories]\npath = "data/topics.yaml"\n'
    listing = "name: A\ncategories: [zzz]\n"
    content = read({"contentsync.toml": config, "listings/a.yaml": listing, "data/topics.yaml": CATEGORIES})
    assert [it.hint for it in content.problems] == ["correct the name, or add the category to data/topics.yaml"]


def test_a_title_of_several_entries_is_an_ambiguous_reference(read: Load) -> None:
    content = read({"listings/a.yaml": "name: A\ncategories: [Audio]\n", "categories.yaml": CATEGORIES})
    assert spots(content) == [("listings/a.yaml", 2, 14, "ambiguous-reference")]
    assert "audio or sound" in content.problems[0].hint


def test_an_unknown_reference_in_a_cell_is_reported_at_the_cell(read: Load) -> None:
    content = read({"listings/a.csv": "name,categories\nA,drawing|nope\n", "categories.yaml": CATEGORIES})
    assert spots(content) == [("listings/a.csv", 2, 3, "unknown-reference")]


def test_a_reference_to_a_kind_without_entries_is_a_warning(read: Load) -> None:
    content = read({"listings/a.yaml": "name: A\ntags: [Some tag]\n"})
    assert spots(content) == [("listings/a.yaml", 2, 8, "unchecked-reference")]
    assert content.problems[0].severity is Severity.WARNING
    assert content.entries[0].fields["tags"] == ["Some tag"]


def test_a_reference_to_an_unreadable_file_is_not_reported_as_unknown(read: Load) -> None:
    content = read(
        {
            "listings/a.yaml": "name: A\ntags: [b]\ncategories: [c]\n",
            "tags.yaml": "- [",
            "categories.yaml": "- x\n- title: B",
        }
    )
    assert spots(content) == [("categories.yaml", 1, 3, "not-a-mapping"), ("tags.yaml", 1, 4, "yaml-syntax")]


def test_an_entry_with_errors_can_be_referenced(read: Load) -> None:
    _, problems = listing(read, "tags: [b]\n", tags="- title: B\n  color: red\n")
    assert problems == [("tags.yaml", 2, 10, "bad-colour")]


def test_references_of_an_entry_with_errors_are_checked_too(read: Load) -> None:
    _, problems = listing(read, "url: nowhere\ncategories: [nope]\n")
    assert problems == [("listings/a.yaml", 2, 6, "bad-url"), ("listings/a.yaml", 3, 14, "unknown-reference")]


def test_category_id_becomes_the_first_category(read: Load) -> None:
    fields, problems = listing(read, "category_id: Drawing tools\ncategories: [sound, drawing]\n")
    assert (fields["categories"], problems) == (["drawing", "sound"], [])
    assert "category_id" not in fields


def test_an_empty_category_id_adds_no_category(read: Load) -> None:
    fields, problems = listing(read, "category_id:\n")
    assert (fields["categories"], problems) == ([], [])


def test_a_removed_duplicate_category_keeps_the_locations_of_the_others(read: Load) -> None:
    content = read(
        {
            "listings/a.yaml": "name: A\ncategory_id: sound\ncategories:\n- sound\n- drawing\n",
            "categories.yaml": CATEGORIES,
        }
    )
    source = content.entries[-1].source
    assert source is not None
    assert [source.where(f"categories.{index}").line for index in (0, 1)] == [2, 5]


def test_categories_of_articles_are_free_text(read: Load) -> None:
    content = read(
        {"articles/a.md": "---\ntitle: A\ncategories: [Anything]\n---\nText\n", "categories.yaml": CATEGORIES}
    )
    assert content.problems == ()


def test_a_parent_is_referenced_by_slug_or_title(read: Load) -> None:
    content = read({"categories.yaml": "- title: B c\n- title: D\n  parent_id: B c\n- title: E\n  parent_id: d\n"})
    assert content.problems == ()
    assert [entry.fields.get("parent_id") for entry in content.entries] == [None, "b-c", "d"]


def test_a_missing_parent_is_an_error(read: Load) -> None:
    """PL-12"""
    content = read({"categories.yaml": "- title: B\n- title: D\n  parent_id: c\n"})
    assert spots(content) == [("categories.yaml", 3, 14, "unknown-reference")]


def test_a_cycle_of_parents_is_one_error_that_lists_the_cycle(read: Load) -> None:
    """PL-12"""
    parents = {"A": "c", "B": "a", "C": "b", "D": "a"}
    text = "".join(f"- title: {title}\n  parent_id: {parent}\n" for title, parent in parents.items())
    content = read({"categories.yaml": text})
    assert spots(content) == [("categories.yaml", 2, 14, "parent-cycle")]
    assert "a > c > b > a" in content.problems[0].message
    assert spots(read({"categories.yaml": "- title: A\n  parent_id: a\n"})) == [
        ("categories.yaml", 2, 14, "parent-cycle")
    ]


def test_a_long_cycle_of_parents_is_shortened_in_the_message(read: Load) -> None:
    """PL-12"""
    ring = "".join(f"- {{title: C{n}, slug: c{n}, parent_id: c{(n + 1) % 9}}}\n" for n in range(9))
    (problem,) = read({"categories.yaml": ring}).problems
    assert problem.message == "the category is its own parent: c0 > c1 > c2 > c3 > c4 > 4 more > c0"


def test_a_hint_is_the_same_for_many_names() -> None:
    names = NameIndex(Kind.TAG, [(f"tag-{n}", None) for n in range(5000)] + [("woodworking", "Wood")], "tags.yaml")
    assert names.hint("woodwroking") == "did you mean 'woodworking'?"
    for n in range(500):
        assert names.hint(f"zzz{n}qqq") == "correct the name, or add the tag to tags.yaml"
    assert names.hint("woodworkin") == "did you mean 'woodworking'?"


def test_the_answer_to_a_name_is_its_keys_or_the_hint_and_the_fix() -> None:
    names = NameIndex(Kind.TAG, [("wood", "Wood"), ("a", "Twins"), ("b", "Twins")], "tags.yaml")
    assert [*map(names.answer, ("wood", "Wood", "Twins"))] == [["wood"], ["wood"], ["a", "b"]]
    assert names.answer("wod") == ("", "did you mean 'wood'?", "wood")
    assert names.answer("wo") == ("", "did you mean 'wood'?", "")
    assert NameIndex(Kind.TAG, [], "tags.yaml").answer("wood") == ()


def test_a_hint_shows_the_key_and_the_title() -> None:
    names = NameIndex(Kind.CATEGORY, [("programs", "Software"), ("a", "Twins"), ("b", "Twins")], "categories.yaml")
    assert names.hint("Softwre") == "did you mean 'programs' (Software)?"
    assert names.hint("program") == "did you mean 'programs'?"
    assert names.hint("Twin") == "write a or b (Twins)"


def test_a_reference_to_a_renamed_category_suggests_the_new_slug(read: Load) -> None:
    files = {
        "categories.yaml": "- {title: Software, slug: programs, sync: {previous: [apps]}}\n- {title: X, slug: appls}\n",
        "listings/a.yaml": "name: A\nslug: a\ncategories: [apps]\n",
    }
    (problem,) = read(files).problems
    assert problem.code == "unknown-reference"
    assert problem.hint == "it was renamed: write 'programs'"


def test_a_reference_to_a_merged_tag_suggests_the_tag_that_is_left(read: Load) -> None:
    files = {
        "tags.yaml": "- {title: Bicycle, slug: bicycle, sync: {merged: [bike]}}\n- {title: X, slug: bikes}\n",
        "listings/a.yaml": "name: A\nslug: a\ntags: [bike]\n",
    }
    (problem,) = read(files).problems
    assert (problem.code, problem.hint) == ("unknown-reference", "it was merged: write 'bicycle'")
