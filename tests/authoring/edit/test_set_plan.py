"""The same changes in many entries: what is written, in each format of files, and what is refused."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from contentsync.authoring.edit.pull_edits import apply_edits
from contentsync.authoring.edit.set_plan import SetPlan, plan_set
from contentsync.content.folder.load import load_content
from contentsync.errors import ContentsyncError, Refused, UsageError
from contentsync.model import Kind
from contentsync.model.assignments import parse_assignments
from contentsync.model.custom_field import definitions_of
from contentsync.model.named_fields import FieldNames

from ...content.conftest import Files, write

VOCABULARY = {
    "tags.yaml": "- {title: Bike}\n- {title: Car}\n",
    "categories.yaml": "- {title: Power tools, slug: power}\n- {title: Books}\n",
    "custom_fields.yaml": "- {label: Price, type: number}\n- {label: Sizes, type: list}\n- {label: Day, type: date}\n",
}
Edited = Mapping[str, bytes]


class Folder:
    """A content folder in which entries are changed."""

    def __init__(self, root: Path, files: Files) -> None:
        self.root = write(root, {**VOCABULARY, **files})
        self._names = [*files]

    def plan(self, kind: Kind, *words: str, unset: Sequence[str] = (), keys: Sequence[str] = ()) -> SetPlan:
        content = load_content(self.root)
        assert not content.errors, content.problems
        site = content.config.site
        names = FieldNames(kind, definitions_of(content.entries).get(kind), site.locales[1:], site.zone)
        found = [entry for entry in content.entries if entry.kind is kind and (not keys or entry.key in keys)]
        return plan_set(content, kind, found, parse_assignments(words, unset, names))

    def set(self, kind: Kind, *words: str, unset: Sequence[str] = (), keys: Sequence[str] = ()) -> dict[str, str]:
        """Apply the plan, and return the files that it changes."""
        plan = self.plan(kind, *words, unset=unset, keys=keys)
        apply_edits(self.root, plan.edits)
        return {edit.path: (self.root / edit.path).read_bytes().decode() for edit in plan.edits}

    def refusal(self, kind: Kind, *words: str, unset: Sequence[str] = (), keys: Sequence[str] = ()) -> ContentsyncError:
        before = {path: path.read_bytes() for path in self.root.rglob("*") if path.is_file()}
        with pytest.raises((Refused, UsageError)) as caught:
            self.plan(kind, *words, unset=unset, keys=keys)
        assert {path: path.read_bytes() for path in self.root.rglob("*") if path.is_file()} == before
        error: ContentsyncError = caught.value
        return error


Make = Callable[[Files], Folder]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    return lambda files: Folder(tmp_path / "site", files)


YAML = """# The tools
- name: Drill   # in the cellar
  url: https://drill.example.org/
  tags: [bike]  # one
  price: 5

- name: "Hammer"
  url: 'https://hammer.example.org/'
  categories:
    - power # p
"""


def test_only_the_lines_of_the_fields_change_in_yaml(make: Make) -> None:
    folder = make({"listings/all.yaml": YAML})
    assert folder.set(Kind.LISTING, "tags+=Car", "price=1200.50", "categories+=books") == {
        "listings/all.yaml": """# The tools
- name: Drill   # in the cellar
  url: https://drill.example.org/
  tags: [bike, car]  # one
  price: 1200.5
  categories: [books]

- name: "Hammer"
  url: 'https://hammer.example.org/'
  categories:
    - power # p
    - books
  tags: [car]
  price: 1200.5
"""
    }


def test_only_the_cells_of_the_fields_change_in_a_table(make: Make) -> None:
    table = (
        "\ufeffname;url;tags;price;email\r\n"
        '"Drill; big";https://drill.example.org/;"bike";5;"a@example.org"\r\n'
        "Hammer;https://hammer.example.org/;;  7;\r\n"
        'Saw;https://saw.example.org/;bike|car;"1,5";'
    ).replace('"1,5"', "1.5")
    folder = make({"listings/all.csv": table})
    keys = ["https://drill.example.org", "https://saw.example.org"]
    assert folder.set(Kind.LISTING, "tags+=car", "price=8", "email=b@example.org", keys=keys) == {
        "listings/all.csv": (
            "\ufeffname;url;tags;price;email\r\n"
            '"Drill; big";https://drill.example.org/;"bike|car";8;"b@example.org"\r\n'
            "Hammer;https://hammer.example.org/;;  7;\r\n"
            "Saw;https://saw.example.org/;bike|car;8;b@example.org"
        )
    }


def test_only_the_values_of_the_fields_change_in_toml_and_json(make: Make) -> None:
    toml = '[[listings]]\nname = "Drill" # d\nurl = "https://drill.example.org/"\nprice=5 # old\n'
    json = '[\n  {"name": "Saw", "url": "https://saw.example.org/",   "tags": ["bike"], "price": 5}\n]\n'
    folder = make({"listings/a.toml": toml, "listings/b.json": json})
    assert folder.set(Kind.LISTING, "price=6", "tags+=car", "is_featured=yes") == {
        "listings/a.toml": toml.replace("price=5", "price=6").replace(
            "# d\n",
            '# d\nis_featured = true\ntags = ["car"]\n',  # below the title, as in a pull
        ),
        "listings/b.json": json.replace('"bike"', '"bike", "car"').replace(
            '"price": 5', '"price": 6, "is_featured": true'
        ),
    }


def test_a_missing_key_is_added_to_front_matter_and_the_body_stays(make: Make) -> None:
    page = "---\r\ntitle: About # us\r\n---\r\n\r\nHello  \r\n\r\n* a\r\n"
    folder = make({"pages/about.md": page, "pages/plain.md": "---\ntitle: Plain\norder: 3\n---\n"})
    assert folder.set(Kind.PAGE, "order=3", "seo.title=Who we are") == {
        "pages/about.md": page.replace("us\r\n", "us\r\norder: 3\r\nseo:\r\n  title: Who we are\r\n"),
        "pages/plain.md": "---\ntitle: Plain\norder: 3\nseo:\n  title: Who we are\n---\n",
    }


def test_a_text_of_another_language_is_written_to_its_own_file(make: Make) -> None:
    french = "---\ntitle: Bonjour   # fr\n---\nTexte\n"
    folder = make({"articles/hello.md": "---\ntitle: Hello\n---\nText\n", "articles/hello.fr.md": french})
    assert folder.set(Kind.ARTICLE, "translations.fr.title=Salut") == {
        "articles/hello.fr.md": french.replace("Bonjour", "Salut")
    }
    assert folder.set(Kind.ARTICLE, "title=Hi") == {"articles/hello.md": "---\ntitle: Hi\n---\nText\n"}


def test_a_text_of_another_language_stays_in_the_front_matter_that_has_it(make: Make) -> None:
    article = "---\ntitle: Hello\ntranslations:\n  fr: {title: Bonjour} # fr\n---\nText\n"
    folder = make({"articles/hello.md": article})
    assert folder.set(Kind.ARTICLE, "translations.fr.title=Salut") == {
        "articles/hello.md": article.replace("Bonjour", "Salut")
    }
    assert folder.set(Kind.ARTICLE, unset=["translations.fr.title"]) == {
        "articles/hello.md": "---\ntitle: Hello\n---\nText\n"
    }


def test_unset_removes_the_key_and_an_object_without_other_keys(make: Make) -> None:
    page = "---\ntitle: A\norder: 3 # o\nseo:\n  title: T\n  description: D\n---\n"
    folder = make({"pages/a.md": page, "pages/b.md": "---\ntitle: B\nseo:\n  title: T\n---\nText\n"})
    assert folder.set(Kind.PAGE, unset=["order", "seo.title"]) == {
        "pages/a.md": "---\ntitle: A\nseo:\n  description: D\n---\n",
        "pages/b.md": "---\ntitle: B\n---\nText\n",
    }


def test_unset_empties_a_cell_and_removes_a_key_of_a_list(make: Make) -> None:
    folder = make(
        {
            "listings/a.csv": "name,url,price,tags\nSaw,https://saw.example.org/,5,bike\nPen,https://pen.example.org/,,\n",
            "listings/b.json": '[{"name": "Drill", "url": "https://drill.example.org/", "price": 5}]',
            "listings/c.toml": '[[listings]]\nname = "Axe"\nurl = "https://axe.example.org/"\nprice = 5\n',
            "listings/d.yaml": "- {name: Nail, url: 'https://nail.example.org/', price: 5}\n",
        }
    )
    plan = folder.plan(Kind.LISTING, unset=["price", "tags"])
    assert [(change.entry.fields["name"], change.name) for change in plan.changes] == [
        ("Axe", "price"),
        ("Drill", "price"),
        ("Nail", "price"),
        ("Saw", "price"),
        ("Saw", "tags"),
    ]
    assert folder.set(Kind.LISTING, unset=["price", "tags"]) == {
        "listings/a.csv": "name,url,price,tags\nSaw,https://saw.example.org/,,\nPen,https://pen.example.org/,,\n",
        "listings/b.json": '[{"name": "Drill", "url": "https://drill.example.org/"}]',
        "listings/c.toml": '[[listings]]\nname = "Axe"\nurl = "https://axe.example.org/"\n',
        "listings/d.yaml": "- {name: Nail, url: 'https://nail.example.org/'}\n",
    }


def test_unset_removes_the_body_of_a_page(make: Make) -> None:
    folder = make({"pages/a.md": "---\ntitle: A\n---\nText\n"})
    assert folder.set(Kind.PAGE, unset=["markdown"]) == {"pages/a.md": "---\ntitle: A\n---\n"}


def test_an_empty_value_clears_only_fields_that_are_set(make: Make) -> None:
    folder = make(
        {"pages/a.md": "---\ntitle: A\nplacement: footer\nseo: {title: T}\n---\n", "pages/b.md": "---\ntitle: B\n---\n"}
    )
    assert folder.set(Kind.PAGE, "placement=", "seo.title=") == {
        "pages/a.md": "---\ntitle: A\nplacement: unlisted\nseo: {title: null}\n---\n"
    }


def test_comments_in_an_array_of_toml_stay(make: Make) -> None:
    text = '[[listings]]\nname = "A"\ntags = [\n  # ours\n  "bike", # why\n]\n'
    folder = make({"listings/a.toml": text})
    assert folder.set(Kind.LISTING, "tags+=car") == {"listings/a.toml": text.replace("why\n", 'why\n  "car",\n')}
    assert folder.set(Kind.LISTING, "tags-=car") == {"listings/a.toml": text}


def test_an_object_whose_last_key_is_cleared_stays_managed(make: Make) -> None:
    one, two = ("- name: {}\n  social_links: {{{}}}\n", "github: https://a.example")
    folder = make(
        {"listings/a.yaml": one.format("A", two), "listings/b.yaml": one.format("B", two + ", x: https://x.example")}
    )
    assert folder.set(Kind.LISTING, "social_links.github=") == {
        "listings/a.yaml": "- name: A\n  social_links:\n",
        "listings/b.yaml": "- name: B\n  social_links: {x: https://x.example}\n",
    }


def test_values_that_entries_have_already_are_no_changes(make: Make) -> None:
    folder = make({"listings/all.yaml": YAML})
    plan = folder.plan(Kind.LISTING, "price=5.0", "tags-=car", keys=["https://drill.example.org"])
    assert (plan.found, [*plan.changes], [*plan.edits]) == (1, [], [])
    assert folder.plan(Kind.LISTING, unset=["email"]).changes == []
    assert folder.plan(Kind.LISTING, "tags+=bike", keys=["https://drill.example.org"]).changes == []


@pytest.mark.parametrize("word", ["tags+=", "sizes+=", "tags-=", "sizes-="])
def test_no_items_are_no_change(make: Make, word: str) -> None:
    assert make({"listings/all.yaml": YAML}).plan(Kind.LISTING, word).changes == []


def test_the_last_item_leaves_an_empty_list(make: Make) -> None:
    folder = make({"listings/a.yaml": "- {name: A, url: 'https://a.example.org/', tags: [bike], sizes: [a, b]}\n"})
    assert folder.set(Kind.LISTING, "tags-=Bike", "sizes-=b", "sizes+=c", "sizes-=a") == {
        "listings/a.yaml": "- {name: A, url: 'https://a.example.org/', tags: [], sizes: [c]}\n"
    }


def test_toml_front_matter_keeps_its_form(make: Make) -> None:
    page = '+++\ntitle = "A" # t\norder = 1\n[seo]\ntitle = "S"\n+++\nText\n'
    folder = make({"pages/a.md": page})
    assert folder.set(Kind.PAGE, "order=2", "seo.title=T", "new_tab=yes") == {
        "pages/a.md": page.replace("1", "2").replace('"S"', '"T"').replace("# t\n", "# t\nnew_tab = true\n")
    }
    assert folder.set(Kind.PAGE, unset=["seo.title", "order"]) == {
        "pages/a.md": '+++\ntitle = "A" # t\nnew_tab = true\n+++\nText\n'
    }


def test_no_found_entry_means_no_change(make: Make) -> None:
    content = load_content(make({}).root)
    assert plan_set(content, Kind.PAGE, [], ()) == SetPlan(Kind.PAGE, 0)


def test_values_are_read_as_cells_are(make: Make) -> None:
    config = '[site]\nname = "Test"\ntimezone = "Europe/Paris"\n[content.listings]\nurl_scheme = "https"\n'
    listing = "- name: Fair\n  url: https://fair.example.org/\n"
    folder = make({"contentsync.toml": config, "listings/all.yaml": listing})
    words = [
        "starts_at=2026-03-01 18:00",
        "is_active=no",
        "sizes=a, b",
        "logo_url=www.example.org/l.png",
        "day=2026-03-01",
    ]
    assert folder.set(Kind.LISTING, *words, "social_links.github=https://github.com/x") == {
        "listings/all.yaml": f"{listing}  starts_at: 2026-03-01T17:00:00Z\n  is_active: false\n  sizes: [a, b]\n"
        '  logo_url: https://www.example.org/l.png\n  day: "2026-03-01"\n  social_links:\n    github: https://github.com/x\n'
    }


def test_a_new_title_is_written_where_others_refer_to_it(make: Make) -> None:
    listing = "- {name: Drill, url: 'https://drill.example.org/', categories: [Power tools]}\n"
    folder = make({"listings/all.yaml": listing})
    assert folder.set(Kind.CATEGORY, "title=Machines", keys=["power"]) == {
        "categories.yaml": VOCABULARY["categories.yaml"].replace("Power tools", "Machines"),
        "listings/all.yaml": listing.replace("Power tools", "Machines"),
    }


def test_renamed_keys_and_the_keys_of_a_collection_stay(make: Make) -> None:
    config = (
        '[site]\nname = "Test"\n[content.listings]\npath = "tools"\nitems = "groups[].tools[]"\n'
        'rename = { Preis = "price", hidden = "!is_active" }\ninherit = { tags = "groups[].tags" }\n'
    )
    tools = (
        "groups:\n- tags: bike\n  tools:\n  - {name: Drill, url: 'https://drill.example.org/', Preis: 5, hidden: no}\n"
        "  - {name: Saw, url: 'https://saw.example.org/'}\n"
    )
    folder = make({"contentsync.toml": config, "tools/all.yaml": tools})
    assert folder.set(Kind.LISTING, "price=6", "is_active=no") == {
        "tools/all.yaml": tools.replace("Preis: 5, hidden: no", "Preis: 6, hidden: true").replace(
            "saw.example.org/'", "saw.example.org/', Preis: 6, hidden: true"
        )
    }
    assert "would be read as before" in folder.refusal(Kind.LISTING, unset=["tags"]).message  # that of the group
    drill = ["https://drill.example.org"]
    assert folder.set(Kind.LISTING, "tags+=car", keys=drill)["tools/all.yaml"].count("tags: [bike, car]") == 1


def test_categories_replace_the_single_category_of_a_document(make: Make) -> None:
    listing = "---\nname: Saw\ncategory_id: power # c\nurl: https://saw.example.org/\n---\nText\n"
    folder = make({"listings/saw.md": listing})
    assert folder.set(Kind.LISTING, "categories=books") == {
        "listings/saw.md": "---\nname: Saw\nurl: https://saw.example.org/\ncategories: [books]\n---\nText\n"
    }


def test_a_table_without_the_column_is_refused(make: Make) -> None:
    folder = make({"listings/a.csv": "name,url\nSaw,https://saw.example.org/\nPen,https://pen.example.org/\n"})
    refusal = folder.refusal(Kind.LISTING, "price=5", keys=["https://saw.example.org"])
    assert refusal.message == (
        "listings/a.csv has no column price, and a new one would manage the field in all of its rows"
    )
    assert "contentsync pull" in refusal.hint
    assert "add it" in refusal.hint
    assert folder.plan(Kind.LISTING, unset=["price"]).changes == []


def test_a_value_that_no_cell_can_have_is_refused(make: Make) -> None:
    folder = make({"listings/a.csv": "name,url,sizes\nSaw,https://saw.example.org/,a\n"})
    assert "no cell can hold the sizes" in folder.refusal(Kind.LISTING, 'sizes=[" a"]').message


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("price=abc", 'price must be a number, such as 4.5 or "4.5"'),
        ("is_featured=perhaps", "is_featured must be true or false"),
        ("tags+=bicycle", "tags: the folder has no tag 'bicycle'"),
        ("email=nobody", "email must be an e-mail address"),
        ("starts_at=soon", "starts_at must be an existing date"),
        ("name=", "name is required and must not be blank"),
        ("name+=x", "name is not a list"),
        ("price-=5", "price is not a list"),
        ("social_links=x", "social_links must be an object"),
    ],
)
def test_a_value_that_the_rules_refuse_is_refused_before_anything_is_written(
    make: Make, word: str, message: str
) -> None:
    assert message in make({"listings/all.yaml": YAML}).refusal(Kind.LISTING, word).message


def test_a_required_field_cannot_be_unset(make: Make) -> None:
    folder = make({"listings/all.yaml": YAML})
    assert "name is required" in folder.refusal(Kind.LISTING, unset=["name"]).message


def test_a_rule_that_only_a_later_entry_breaks_is_refused_at_its_line(make: Make) -> None:
    first = "- {name: A, url: 'https://a.example.org/'}\n"
    listings = f"{first}- {{name: B, url: 'https://b.example.org/', starts_at: 2026-05-01}}\n"
    folder = make({"listings/all.yaml": listings})
    refusal = folder.refusal(Kind.LISTING, "ends_at=2026-04-01")
    assert refusal.message == (
        "the folder would have an error: listings/all.yaml, line 2: ends_at must not be before starts_at"
    )


def test_a_title_that_makes_the_key_is_refused(make: Make) -> None:
    folder = make({"listings/all.yaml": "- name: Drill\n"})
    refusal = folder.refusal(Kind.LISTING, "name=Saw")
    assert refusal.message == "listings/all.yaml: listing drill would get another key"
    assert "contentsync mv" in refusal.hint


def test_a_field_that_makes_the_slug_is_refused(make: Make) -> None:
    config = '[site]\nname = "Test"\n[content.listings]\nslug = "{name}-{price}"\n'
    folder = make(
        {"contentsync.toml": config, "listings/all.yaml": YAML.replace("'https://h", "'https://h") + "  price: 1\n"}
    )
    refusal = folder.refusal(Kind.LISTING, "price=7")
    assert refusal.message.endswith("slug of listing https://drill.example.org would change too")


def test_a_field_that_the_config_ignores_is_refused(make: Make) -> None:
    config = '[site]\nname = "Test"\n[content.listings]\nignore = ["price"]\n'
    folder = make({"contentsync.toml": config, "listings/all.yaml": YAML})
    assert (
        "price of listing https://drill.example.org would be read as before"
        in folder.refusal(Kind.LISTING, "price=7").message
    )


NUMBERS = range(300)


def test_only_one_cell_or_line_of_each_of_many_entries_changes(make: Make) -> None:
    """A third of the entries is in a table, a third in a list, and the others are files of their own."""
    rows = [f'"Tool, {number}";https://a.example.org/{number};{number % 7};"no"' for number in NUMBERS]
    items = [
        f"- name: Tool {number}   # {number}\n  url: 'https://b.example.org/{number}'\n  price: {number % 7} # old\n\n"
        for number in NUMBERS
    ]
    documents = {
        f"listings/{number}.md": f'---\nname: "Tool {number}"\nurl: https://c.example.org/{number}\n'
        f"price: {number % 7}\n# a comment\n---\n\n# Price: {number % 7}\n"
        for number in NUMBERS
    }
    table = "name;url;price;is_featured\r\n" + "\r\n".join(rows)
    before = {"listings/a.csv": table, "listings/b.yaml": "# All\n" + "".join(items), **documents}
    after = make(before).set(Kind.LISTING, "price=3")
    unchanged = {f"listings/{number}.md" for number in NUMBERS if number % 7 == 3}
    assert after.keys() == before.keys() - unchanged
    new_rows = [f'"Tool, {number}";https://a.example.org/{number};3;"no"' for number in NUMBERS]
    assert after["listings/a.csv"] == "name;url;price;is_featured\r\n" + "\r\n".join(new_rows)
    new_items = (item.replace(f"price: {number % 7} #", "price: 3 #") for number, item in enumerate(items))
    assert after["listings/b.yaml"] == "# All\n" + "".join(new_items)
    for number in NUMBERS:
        if (path := f"listings/{number}.md") in after:
            assert after[path] == before[path].replace(f"\nprice: {number % 7}", "\nprice: 3")
