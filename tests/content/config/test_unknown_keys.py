"""contentsync.content.config.unknown_keys: suggestions for the keys of other generators."""

import re
from pathlib import Path
from unicodedata import normalize

import pytest

from contentsync.content.config.hiding_keys import HIDING_KEYS
from contentsync.content.config.unknown_keys import UnknownKey
from contentsync.content.folder.load import load_content
from contentsync.errors import Problem
from contentsync.model import RECORDS, Kind

from ...sampling import sampled
from ..conftest import Load, spots, write

WORDS = (
    "date draft image featured_image cover excerpt summary description layout permalink url aliases redirect_from "
    "tags categories tag category author authors published publishDate pubDate updatedDate heroImage lastmod "
    "expiryDate weight menu type template toc math comments keywords subtitle name title body text content markdown "
    "lang locale id uuid status visibility nav_order parent sidebar_position Title Date canonicalURL seo og_image "
    "website phone lat lng mood excerpt_separator"
)

FILES = {
    Kind.CATEGORY: ("categories.yaml", "- {title: A, slug: a, KEY: x}\n"),
    Kind.TAG: ("tags.yaml", "- {title: A, slug: a, KEY: x}\n"),
    Kind.CUSTOM_FIELD: ("custom_fields.yaml", "- {label: Mood, name: mood, type: text, KEY: x}\n"),
    Kind.ORGANIZER: ("organizers/a.md", "---\nslug: a\nKEY: x\n---\n"),
    Kind.LISTING: ("listings/a.csv", "slug,KEY\na,x\n"),
    Kind.PAGE: ("pages/a.md", "---\nslug: a\nKEY: x\n---\n"),
    Kind.ARTICLE: ("articles/a.md", "---\nslug: a\nKEY: x\n---\n"),
}


@pytest.mark.parametrize("first", sampled(range(3), every=3))
@pytest.mark.parametrize("kind", Kind)
def test_a_key_is_accepted_after_the_suggested_setting_is_added(kind: Kind, first: int, tmp_path: Path) -> None:
    """The line of the hint is written into the config, and the key is no longer reported."""
    path, text = FILES[kind]

    def unknown(word: str, config: str) -> list[Problem]:
        content = load_content(write(tmp_path, {"contentsync.toml": config, path: text.replace("KEY", word)}))
        assert "contentsync.toml" not in {problem.where.path for problem in content.problems}
        return [it for it in content.problems if it.code == "unknown-key" and it.message.startswith(f"{word} ")]

    settled = 0
    for word in WORDS.split()[first::3]:
        for problem in unknown(word, ""):
            shown = re.search(
                r"((?:rename|ignore) = .*?[}\]]) under (\[content\.\w+\]) in contentsync.toml$", problem.hint
            )
            if shown:
                assert unknown(word, f"{shown[2]}\n{shown[1]}\n") == [], problem
                settled += 1
            else:
                assert problem.hint.startswith("did you mean"), problem
    assert settled > 12


@pytest.mark.parametrize(
    ("kind", "key", "expected"),
    [
        (
            Kind.ARTICLE,
            "date",
            'write published_at, or set rename = { date = "published_at" } under [content.articles]',
        ),
        (Kind.ARTICLE, "pubDate", 'rename = { pubDate = "published_at" }'),
        (Kind.ARTICLE, "publish-date", 'rename = { publish-date = "published_at" }'),
        (Kind.ARTICLE, "draft", 'write active with the opposite value, or set rename = { draft = "!active" }'),
        (Kind.PAGE, "draft", 'rename = { draft = "!is_published" } under [content.pages]'),
        (Kind.LISTING, "draft", 'rename = { draft = "!is_active" } under [content.listings]'),
        (Kind.ARTICLE, "published", 'rename = { published = "active" }'),
        (Kind.ARTICLE, "heroImage", "thumbnail_url"),
        (Kind.LISTING, "image", "image_url"),
        (Kind.ORGANIZER, "cover", "cover_image_url"),
        (Kind.ARTICLE, "excerpt", "seo.description"),
        (Kind.PAGE, "description", "seo.description"),
        (Kind.CATEGORY, "summary", 'rename = { summary = "description" } under [content.categories]'),
        (Kind.ARTICLE, "keywords", "seo.keywords"),
        (Kind.PAGE, "keywords", 'ignore = ["keywords"]'),
        (Kind.ARTICLE, "tags", "categories"),
        (Kind.ARTICLE, "category", "write categories, a list"),
        (Kind.LISTING, "category", "category_id"),
        (Kind.PAGE, "weight", 'rename = { weight = "order" }'),
        (Kind.ARTICLE, "weight", 'ignore = ["weight"]'),
        (Kind.PAGE, "menu", "placement"),
        (Kind.PAGE, "name", 'rename = { name = "title" }'),
        (Kind.ORGANIZER, "title", 'rename = { title = "name" }'),
        (Kind.CUSTOM_FIELD, "title", 'rename = { title = "label" } under [content.custom_fields]'),
        (Kind.PAGE, "body", "markdown"),
        (Kind.PAGE, "content", "markdown"),
        (Kind.ARTICLE, "lang", "hello.fr.md"),
        (Kind.ARTICLE, "permalink", "slug"),
        (Kind.ARTICLE, "status", "active: true or false"),
        (Kind.ARTICLE, "author", "token"),
        (Kind.ARTICLE, "layout", 'delete it, or set ignore = ["layout"] under [content.articles] in contentsync.toml'),
        (Kind.ARTICLE, "id", "the service sets this field: delete it, or set ignore"),
        (Kind.CATEGORY, "parent", "parent_id"),
        (Kind.ARTICLE, "status", 'delete this key, or set ignore = ["status"]'),
        (Kind.PAGE, "translations", "only articles and organizers have translations"),
        (Kind.LISTING, "translations", "only articles and organizers have translations"),
        (Kind.LISTING, "mood", "custom_fields.yaml"),
        (Kind.LISTING, "mood", 'ignore = ["mood"]'),
        (Kind.PAGE, "mood", 'ignore = ["mood"]'),
    ],
)
def test_a_key_of_another_generator_has_a_hint_for_its_kind(kind: Kind, key: str, expected: str) -> None:
    assert expected in UnknownKey(kind, key).hint


def test_every_field_that_a_hint_suggests_exists_in_the_kind() -> None:
    hints = {(kind, word): UnknownKey(kind, word).hint for kind in Kind for word in WORDS.split()}
    offered = {one: re.search(r'rename = \{ \S+ = "!?([\w.]+)" \}', hint) for one, hint in hints.items()}
    fields = {one: found[1].partition(".")[0] for one, found in offered.items() if found}
    assert {kind for kind, _ in fields} == set(Kind)
    assert len(fields) == sum("rename" in hint for hint in hints.values())
    assert [(kind, word) for (kind, word), field in fields.items() if field not in RECORDS[kind].rules()] == []


def test_a_key_with_special_characters_is_quoted_in_the_hint() -> None:
    assert 'ignore = ["a \\"b\\""]' in UnknownKey(Kind.PAGE, 'a "b"').hint


@pytest.mark.parametrize(
    ("text", "intended"), [("tilte: A", "title"), ("thumbnail_ulr: x", "thumbnail_url"), ("Title: A", "title")]
)
def test_a_typing_error_is_reported_with_the_intended_key(read: Load, text: str, intended: str) -> None:
    content = read({"articles/a.md": f"---\n{text}\n---\nText\n"})
    (problem,) = [it for it in content.problems if it.code == "unknown-key"]
    assert problem.hint == f"did you mean '{intended}'?"


def test_a_similar_custom_field_is_suggested_before_a_generator_key(read: Load) -> None:
    fields = "- {label: Images, name: images, type: text}\n"
    content = read({"custom_fields.yaml": fields, "listings/a.csv": "name,image,lang\nA,x,y\n"})
    assert spots(content) == [("listings/a.csv", 1, 6, "unknown-key"), ("listings/a.csv", 1, 12, "unknown-key")]
    assert content.problems[0].hint == "did you mean 'images'?"
    assert "custom_fields.yaml" in content.problems[1].hint


def test_a_draft_of_another_generator_is_never_published(read: Load) -> None:
    """PL-19"""
    content = read({"articles/a.md": "---\ntitle: A\ndraft: true\n---\nText\n"})
    assert spots(content) == [("articles/a.md", 3, 1, "unknown-key")]
    assert 'draft = "!active"' in content.problems[0].hint
    assert content.entries == ()


def spellings(key: str) -> set[str]:
    """Return a key in other cases, and with a separator after each of its letters."""
    separators = (" ", "_", "-", ".", "/", "\u00a0")
    split = {f"{key[:at]}{separator}{key[at:]}" for at in range(1, len(key)) for separator in separators}
    split |= {f"{key[:at]}{key[at:].capitalize()}" for at in range(1, len(key))}
    words = {key, f" {key}", f"{key}:", *split}
    return {form for word in words for form in (word, word.upper(), word.title(), normalize("NFD", word))}


@pytest.mark.parametrize("kind", Kind)
def test_no_spelling_of_a_hiding_key_suggests_to_ignore_it(kind: Kind) -> None:
    keys = {spelling for key in HIDING_KEYS for spelling in spellings(key)}
    assert len(keys) > 5_000
    settings = {key: UnknownKey(kind, key).setting for key in keys}
    assert [key for key, setting in settings.items() if setting and setting.name == "ignore"] == []


@pytest.mark.parametrize(
    ("line", "key"),
    [("Post Status: draft", "Post Status"), ("permalink: false", "permalink"), ("aktiv: nein", "aktiv")],
)
def test_a_key_that_hides_a_page_does_not_suggest_to_ignore_it(read: Load, line: str, key: str) -> None:
    (problem,) = read({"pages/a.md": f"---\ntitle: A\n{line}\n---\nText\n"}).problems
    assert problem.subject == key
    assert problem.setting is None
    assert problem.hint == "to hide the page, write is_published: false, and delete this key"


def test_the_hint_for_a_hiding_key_of_a_listing_mentions_data() -> None:
    hint = UnknownKey(Kind.LISTING, "Status", values={"Status": "inactive"}).hint
    assert hint.startswith("to hide the listing, write is_active: false, and delete this key; if it is data, declare")


def test_an_untranslatable_key_lists_the_translatable_ones(read: Load) -> None:
    files = {"articles/a.md": "---\ntitle: A\n---\nText\n", "articles/a.fr.md": "---\ndate: 2026-03-01\n---\nTexte\n"}
    content = read(files)
    assert spots(content) == [("articles/a.fr.md", 2, 1, "unknown-key")]
    assert "title, content, markdown, thumbnail_alt_text and seo" in content.problems[0].hint


def test_a_hint_does_not_suggest_a_field_that_is_already_set(read: Load) -> None:
    text = "---\ntitle: A\ntitel: B\nname: C\nexcerpt: D\nseo: {description: E, descripton: F}\n---\nText\n"
    found = read({"articles/a.md": text}).problems
    assert [problem.where.line for problem in found] == [3, 4, 5, 6]
    assert all("ignore = " in problem.hint for problem in found[:3])
    assert found[3].hint == "delete it: description is also set"
    assert not any("write " in problem.hint or "did you mean" in problem.hint for problem in found)


def test_a_date_in_the_file_name_does_not_count_as_set(read: Load) -> None:
    text = "---\ntitle: A\npublishd_at: 2026-03-02\n---\nText\n"
    (problem,) = read({"articles/2026-03-01-a.md": text}).problems
    assert problem.hint == "did you mean 'published_at'?"


def test_a_custom_field_of_another_kind_is_explained_in_the_hint(read: Load) -> None:
    fields = "- {label: Foo, type: text, fieldable_type: organizer}\n"
    (problem,) = read({"custom_fields.yaml": fields, "listings/a.csv": "name,foo\nA,x\n"}).problems
    assert problem.hint == "foo is declared for organizers: set fieldable_type: listing in its declaration"
