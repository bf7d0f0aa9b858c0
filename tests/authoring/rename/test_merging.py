"""authoring.rename.merging: two entries become one, in the files of both and in all that name them."""

import pytest

from contentsync.authoring.rename.rename_plan import RenamePlan, apply_rename, plan_merge
from contentsync.content.folder.load import load_content
from contentsync.errors import Refused, UsageError

from ...content.conftest import Files, write
from .conftest import Renamed, Renamer, page

TAGS = "- title: Bike # short\n  slug: bike\n- {title: Bicycle, slug: bicycle}\n"


def planned(rename: Renamer, files: Files, old: str, new: str, keep: str = "") -> RenamePlan:
    return plan_merge(write(rename.folder, files), old, new, rename.folder, keep)  # type: ignore[arg-type]


def merged(rename: Renamer, files: Files, old: str = "tag/bike", new: str = "tag/bicycle", keep: str = "") -> Renamed:
    plan = planned(rename, files, old, new, keep)
    apply_rename(plan)
    content = load_content(rename.folder)
    assert not content.problems, content.problems
    return Renamed(rename.folder, plan)


def test_references_by_slug_and_title_move_in_every_format(rename: Renamer) -> None:
    files = {
        "tags.yaml": TAGS,
        "listings/a.csv": 'name,tags\r\nA,"bike"\r\nB,Bike | fast\r\n',
        "listings/b.yaml": "- name: C\n  tags:\n    - 'bike' # ours\n    - Bike\n",
        "listings/c.json": '[{"name": "D", "tags": ["bike"]}]\n',
        "listings/d.toml": '[[listings]]\nname = "E"\ntags = ["bike"] # x\n',
        "listings/e.md": "---\nname: F\ntags: [ bike ]\n---\nx\n",
        "tags/more.yaml": "- {title: Fast, slug: fast}\n",
    }
    files["contentsync.toml"] = '[site]\nname = "T"\n[content.tags]\npath = ["tags.yaml", "tags"]\n'
    renamed = merged(rename, files)
    assert renamed.text("tags.yaml") == "- {title: Bicycle, slug: bicycle, sync: {merged: [bike]}}\n"
    assert renamed.text("listings/a.csv") == 'name,tags\r\nA,"bicycle"\r\nB,Bicycle | fast\r\n'
    assert renamed.text("listings/b.yaml") == "- name: C\n  tags:\n    - 'bicycle' # ours\n"
    assert renamed.text("listings/c.json") == '[{"name": "D", "tags": ["bicycle"]}]\n'
    assert renamed.text("listings/d.toml") == '[[listings]]\nname = "E"\ntags = ["bicycle"] # x\n'
    assert renamed.text("listings/e.md") == "---\nname: F\ntags: [ bicycle ]\n---\nx\n"


def test_house_rules_name_the_entry_that_is_left(rename: Renamer) -> None:
    config = '# ours\n[site]\nname = "T"\n[rules.listing]\nrequire = ["email"]\nwhen = { tags = "TAG" }\n'
    listing = "name,email,tags\nA,a@b.example,bike\n"
    files = {"contentsync.toml": config.replace("TAG", "bike"), "tags.yaml": TAGS, "listings/a.csv": listing}
    renamed = merged(rename, files)
    assert renamed.text("contentsync.toml") == config.replace("TAG", "bicycle")
    assert ("contentsync.toml", 0, 1) in renamed.plan.changed


def test_entries_that_break_a_house_rule_are_merged_and_stay_as_they_are(rename: Renamer) -> None:
    files: Files = {
        "contentsync.toml": '[rules.listing]\nrequire = ["email"]\n',
        "tags.yaml": "- {title: Bike}\n- {title: Bicycle}\n",
        "listings/a.csv": "name,url,tags\nA,https://a.example,bike\n",
    }
    apply_rename(planned(rename, files, "tag/bike", "tag/bicycle"))
    assert (rename.folder / "listings/a.csv").read_text() == "name,url,tags\nA,https://a.example,bicycle\n"


def test_lists_lose_only_the_second_of_two_references(rename: Renamer) -> None:
    files = {
        "tags.yaml": TAGS + "- {title: 'Fast, really', slug: fast}\n",
        "listings/a.csv": "name,tags\nA,bike|fast|Bicycle\nB,bicycle | Bike\n",
        "listings/b.yaml": "- name: C\n  tags:\n    - bike # first\n    - 'Fast, really'\n    - bicycle # second\n",
        "listings/c.json": '[{"name": "D", "tags": ["Bicycle", "bike", "fast"]}]\n',
        "listings/d.toml": '[[listings]]\nname = "E"\ntags = ["bike", "bicycle"] # x\n',
        "listings/e.md": "---\nname: F\ntags: ['Fast, really', bicycle, bike] # y\n---\nx\n",
    }
    renamed = merged(rename, files)
    assert renamed.text("listings/a.csv") == "name,tags\nA,bicycle|fast\nB,bicycle\n"
    assert renamed.text("listings/b.yaml") == "- name: C\n  tags:\n    - bicycle # first\n    - 'Fast, really'\n"
    assert renamed.text("listings/c.json") == '[{"name": "D", "tags": ["Bicycle", "fast"]}]\n'
    assert renamed.text("listings/d.toml") == '[[listings]]\nname = "E"\ntags = ["bicycle"] # x\n'
    assert renamed.text("listings/e.md") == "---\nname: F\ntags: ['Fast, really', bicycle] # y\n---\nx\n"


def test_an_inherited_list_may_name_the_entry_twice(rename: Renamer) -> None:
    config = (
        '[site]\nname = "T"\n[content.listings]\nitems = "groups[].entries[]"\ninherit = { tags = "groups[].tags" }\n'
    )
    listings = "groups:\n  - tags: [bike, bicycle]\n    entries:\n      - {name: A}\n      - {name: B}\n"
    renamed = merged(rename, {"contentsync.toml": config, "tags.yaml": TAGS, "listings/a.yaml": listings})
    assert renamed.text("listings/a.yaml") == listings.replace("bike, bicycle", "bicycle, bicycle")
    assert {tuple(entry.fields.get("tags", ())) for entry in load_content(rename.folder).entries} == {(), ("bicycle",)}


TREE = """\
- {title: Tools, slug: tools}
- {title: Kit, slug: kit}
- {title: Saws, slug: saws, parent_id: Tools}
"""


def test_children_and_links_of_a_category_move(rename: Renamer) -> None:
    body = "[a](/categories/tools/) [b](/?category=tools#x) [c](/categories/kit/)"
    files = {
        "categories.yaml": TREE,
        "pages/h.md": page("H", body),
        "listings/a.csv": f"name,category_id,content\nA,tools,{body}\n",
    }
    renamed = merged(rename, files, "category/tools", "kit")
    assert renamed.text("categories.yaml") == (
        "- {title: Kit, slug: kit, sync: {merged: [tools]}}\n- {title: Saws, slug: saws, parent_id: Kit}\n"
    )
    assert renamed.text("pages/h.md") == page("H", body.replace("tools", "kit"))
    assert renamed.text("listings/a.csv") == files["listings/a.csv"].replace("tools", "kit")
    assert not renamed.plan.unchanged


def test_a_category_can_be_merged_into_its_parent(rename: Renamer) -> None:
    renamed = merged(rename, {"categories.yaml": TREE}, "category/saws", "tools")
    assert "slug: tools, sync: {merged: [saws]}}" in renamed.text("categories.yaml")


def test_a_category_that_would_be_its_own_parent_is_refused(rename: Renamer) -> None:
    with pytest.raises(Refused) as raised:
        planned(rename, {"categories.yaml": TREE}, "category/tools", "saws")
    assert "the category is its own parent: saws > saws" in raised.value.message


@pytest.mark.parametrize(
    ("first", "second", "conflict"),
    [
        ("color: '#ff0000'", "", "color"),
        ("color: '#ff0000'", "color: '#00ff00'", "color"),
        ("is_active: false", "", "is_active"),
        ("color: '#ff0000'", "color: '#ff0000'", ""),
        ("is_active: true, icon: null", "", ""),
        ("", "color: '#ff0000'", ""),
    ],
)
def test_a_value_that_the_other_one_lacks_is_a_conflict(
    rename: Renamer, first: str, second: str, conflict: str
) -> None:
    files = {"tags.yaml": f"- {{title: A, slug: a, {first}}}\n- {{title: B, slug: b, {second}}}\n"}
    if not conflict:
        assert not planned(rename, files, "tag/a", "tag/b").renaming.merge.fields  # type: ignore[union-attr]
        return
    with pytest.raises(Refused) as raised:
        planned(rename, files, "tag/a", "tag/b")
    assert raised.value.message == f"tag a has values that tag b does not have: {conflict}"
    assert "--keep first" in raised.value.hint


BOTH = """\
- {title: A, slug: a, color: '#ff0000', icon: x, is_active: false, sync: {previous: [old], merged: [older]}}
- {title: B, slug: b, color: '#00ff00', heroicon: y, sync: {merged: [c]}}
"""
LISTING = {"listings/x.yaml": "- {name: X, tags: [A]}\n- {name: Y, tags: [B]}\n"}


@pytest.mark.parametrize(
    ("keep", "fields"),
    [
        ("first", {"title": "A", "color": "#ff0000", "icon": "x", "heroicon": "y", "is_active": False}),
        ("second", {"title": "B", "color": "#00ff00", "icon": "x", "heroicon": "y"}),
    ],
)
def test_the_values_of_one_win_and_others_stay(rename: Renamer, keep: str, fields: dict[str, object]) -> None:
    renamed = merged(rename, {"tags.yaml": BOTH, **LISTING}, "tag/a", "b", keep)
    (tag, *listings) = sorted(load_content(rename.folder).entries, key=lambda entry: entry.kind, reverse=True)
    assert tag.fields == {"slug": "b", **fields}
    assert tag.notes.merged == ("c", "old", "older", "a")
    assert not tag.notes.previous
    assert [entry.fields["tags"] for entry in listings] == [["b"], ["b"]]
    title = fields["title"]
    assert renamed.text("listings/x.yaml") == f"- {{name: X, tags: [{title}]}}\n- {{name: Y, tags: [{title}]}}\n"


LOCALES = '[site]\nname = "T"\nlocales = ["en", "fr"]\norganizers = { enabled = true }\n'
ORGANIZERS = {
    "contentsync.toml": LOCALES,
    "organizers/acme.md": "---\nname: Acme\nwebsite_url: https://a.example/\n---\nWe [help](../pages/h.md).\n",
    "organizers/acme.fr.md": "---\nname: Acme SA\n---\nTexte\n",
    "organizers/apex.md": "---\nname: Apex # us\n---\n",
    "pages/h.md": page("H", "[a](../organizers/acme.md) [b](/organizers/acme/) [c](../organizers/acme.fr.md)"),
    "listings/a.csv": "name,organizers\nA,Acme\nB,acme|apex\n",
}


def test_organizers_are_merged_with_their_files(rename: Renamer) -> None:
    renamed = merged(rename, ORGANIZERS, "organizers/acme.md", "organizers/apex.md", "second")
    assert renamed.paths == ["listings/a.csv", "organizers/apex.fr.md", "organizers/apex.md", "pages/h.md"]
    apex = renamed.text("organizers/apex.md")
    assert apex.startswith("---\nname: Apex # us\n")
    assert "sync:\n  merged: [acme]\n" in apex
    assert "website_url: https://a.example/\n" in apex
    assert apex.endswith("We [help](/pages/h/).\n")
    assert renamed.text("organizers/apex.fr.md") == "---\nname: Acme SA\n---\n\nTexte\n"
    links = "[a](../organizers/apex.md) [b](/organizers/apex/) [c](../organizers/apex.md)"
    assert renamed.text("pages/h.md") == page("H", links)
    assert renamed.text("listings/a.csv") == "name,organizers\nA,Apex\nB,apex\n"


def test_differing_translations_are_a_conflict(rename: Renamer) -> None:
    files = {**ORGANIZERS, "organizers/apex.fr.md": "---\nname: Apex SA\n---\n"}
    with pytest.raises(Refused) as raised:
        planned(rename, files, "organizer/acme", "apex")
    assert "translations.fr.name" in raised.value.message


@pytest.mark.parametrize(("old", "new"), [("a", "b"), ("b", "a")])
def test_a_list_without_entries_is_deleted(rename: Renamer, old: str, new: str) -> None:
    config = '[site]\nname = "T"\n[content.tags]\npath = "tags"\n'
    files = {"contentsync.toml": config, "tags/a.yaml": "title: A\nslug: a\n", "tags/b.yaml": "- {title: B, slug: b}\n"}
    assert merged(rename, files, f"tag/{old}", new).paths == [f"tags/{new}.yaml"]


def test_a_folder_of_the_config_does_not_lose_its_last_file(rename: Renamer) -> None:
    config = '[site]\nname = "T"\n[content.organizers]\npath = ["old", "new"]\n'
    files = {"contentsync.toml": config, "old/a.md": "---\nname: A\n---\n", "new/b.md": "---\nname: B\n---\n"}
    with pytest.raises(Refused) as raised:
        planned(rename, files, "organizer/a", "b")
    assert raised.value.message == "old/a.md is the last file in old, a path of the organizers"


def test_former_addresses_of_the_file_are_not_lost(rename: Renamer) -> None:
    config = LOCALES + '[content.organizers]\nformer_addresses = ["aliases"]\n'
    acme = "---\nname: Acme\naliases: [/old/]\n---\n"
    files = {"contentsync.toml": config, "organizers/a.md": acme, "organizers/b.md": "---\nname: B\n---\n"}
    with pytest.raises(Refused) as raised:
        planned(rename, files, "organizer/a", "b")
    assert raised.value.message == "organizers/a.md has former addresses that the merge would lose, such as /old/"


def test_an_entry_that_had_the_slug_of_the_other_one_is_refused(rename: Renamer) -> None:
    """With the values of the other one, a sync could take the record of the other one for its own."""
    files = {"tags.yaml": "- {title: A, slug: a}\n- {title: B, slug: b, sync: {previous: [a]}}\n"}
    with pytest.raises(Refused) as raised:
        planned(rename, files, "tag/a", "b", "first")
    assert raised.value.message.startswith("sync.previous of tag b names 'a'")


@pytest.mark.parametrize(
    ("old", "new", "error", "message"),
    [
        ("page/h", "page/i", Refused, "mv --merge is for tags, categories and organizers, and page h is none of them"),
        ("tag/bike", "tag/bike", UsageError, "OLD and NEW are both tag bike"),
        ("tag/bike", "category/tools", UsageError, "tag bike and category tools are of different kinds"),
        ("tag/bike", "tag/cycle", UsageError, "the folder has no tag 'cycle'"),
        ("tag/bik", "tag/bicycle", UsageError, "the folder has no tag 'bik'"),
    ],
)
def test_only_two_entries_of_a_kind_that_others_name_are_merged(
    rename: Renamer, old: str, new: str, error: type[Exception], message: str
) -> None:
    files = {"tags.yaml": TAGS, "categories.yaml": TREE, "pages/h.md": page("H"), "pages/i.md": page("I")}
    with pytest.raises(error) as raised:
        planned(rename, files, old, new)
    assert getattr(raised.value, "message", "") == message


def test_a_link_that_cannot_be_rewritten_is_named(rename: Renamer) -> None:
    body = 'content: "[a](/categories/t\\x6fols/)"'
    files = {"categories.yaml": TREE, "listings/a.yaml": f"- name: A\n  {body}\n"}
    plan = planned(rename, files, "category/tools", "kit")
    assert [(link.path, link.target) for link in plan.unchanged] == [("listings/a.yaml", "/categories/tools/")]


def test_an_entry_with_the_slug_of_a_merged_one_no_longer_notes_it(rename: Renamer) -> None:
    rename.folder.mkdir()
    merged(rename, {"tags.yaml": TAGS})
    renamed = rename({}, "tag/bicycle", "bike")
    assert renamed.text("tags.yaml") == "- {title: Bicycle, slug: bike, sync: {merged: [], previous: [bicycle]}}\n"
