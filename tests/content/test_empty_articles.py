"""contentsync.content.empty_articles: articles without a text."""

from contentsync.content.folder import survey

from .conftest import Files, Load, only, spots

STUB = "---\ntitle: A\n---\n"
SKIP = "[content.articles]\nskip_empty = true\n"
FILES: Files = {f"articles/2024/{name}.md": STUB for name in "abc"} | {"articles/x/a1.md": STUB, "articles/d.md": STUB}


def test_articles_without_a_text_are_one_error_for_each_folder_with_their_number(read: Load) -> None:
    content = read({**FILES, "articles/x/b1.md": STUB, "articles/2024/z.md": f"{STUB}Text\n"})
    assert spots(content) == [
        ("articles/2024/a.md", 1, 1, "required-without"),
        ("articles/d.md", 1, 1, "required-without"),
        ("articles/x/a1.md", 1, 1, "required-without"),
    ]
    assert [problem.message for problem in content.problems] == [
        "3 articles in articles/2024/ have no text (neither markdown nor content)",
        "an article needs markdown or content",
        "2 articles in articles/x/ have no text (neither markdown nor content)",
    ]
    assert {"skip_empty = true under [content.articles]" in problem.hint for problem in content.problems} == {True}
    assert [entry.key for entry in content.entries] == ["z"]
    assert survey(content.folder).problems == content.problems


def test_other_mistakes_of_such_an_article_are_told_too(read: Load) -> None:
    content = read({"articles/a.md": "---\ntitle: A\nactive: perhaps\n---\n", "articles/b.md": STUB})
    assert sorted(problem.code for problem in content.problems) == ["not-a-boolean", "required-without"]


def test_the_setting_skips_them_and_they_count_as_present(read: Load) -> None:
    content = read({"contentsync.toml": SKIP, **FILES, "articles/z.md": f"{STUB}Text\n"})
    assert content.problems == ()
    assert {entry.key: entry.notes.skip for entry in content.entries} == {
        **dict.fromkeys(("a", "b", "c", "a1", "d"), True),
        "z": False,
    }


def test_a_skipped_article_may_be_protected_besides(read: Load) -> None:
    entry = only(read({"contentsync.toml": SKIP, "articles/a.md": "---\ntitle: A\nsync: {protect: true}\n---\n"}))
    assert (entry.notes.skip, entry.notes.protect) == (True, True)


def test_a_text_that_cannot_be_read_is_not_skipped(read: Load) -> None:
    content = read({"contentsync.toml": SKIP, "articles/a.md": "---\ntitle: A\nmarkdown: !!binary x\n---\n"})
    assert [problem.code for problem in content.problems] == ["yaml-tag"]


def test_the_setting_is_one_of_articles_only(read: Load) -> None:
    content = read({"contentsync.toml": "[content.pages]\nskip_empty = true\n"})
    assert [problem.code for problem in content.problems] == ["unknown-key"]
