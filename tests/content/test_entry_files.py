"""contentsync.content.entry_files: entries by the paths and names of their files."""

import pytest

from contentsync.content.entry_files import EntryFiles
from contentsync.content.link_forms import LinkForm, parse_form
from contentsync.model import EntryKey, Kind

POST, GUIDE, PAGE = (Kind.ARTICLE, "hello"), (Kind.ARTICLE, "guide"), (Kind.PAGE, "about")
FILES = EntryFiles(
    {
        "content/posts/2020-05-01-hello.md": POST,
        "content/posts/guide/index.md": GUIDE,
        "content/posts/guide/index.fr.md": GUIDE,
        "content/über.markdown": PAGE,
    },
    ["content/posts", "content"],
)


@pytest.mark.parametrize(
    ("target", "entry"),
    [
        ('{{< ref "2020-05-01-hello.md" >}}', POST),
        ('{{< ref "/posts/2020-05-01-hello" >}}', POST),
        ('{{< ref "posts/guide" >}}', GUIDE),
        ('{{< ref "guide/index.md" >}}', GUIDE),
        ('{{< ref "../u\u0308ber" >}}', PAGE),
        ("{% link content/posts/2020-05-01-hello.md %}", POST),
        ("{% link /content/über.markdown %}", PAGE),
        ("{% post_url 2020-05-01-hello %}", POST),
        ("{% post_url posts/2020-05-01-hello %}", POST),
        ("[[2020-05-01-hello]]", POST),
        ("[[Hello]]", POST),
        ("[[About]]", PAGE),
        ("[[posts/guide]]", GUIDE),
        ('{{< ref "nowhere/guide" >}}', None),
        ("{% link posts/guide/index.md %}", None),
        ('{{< ref "../../../../etc/passwd" >}}', None),
        ("[[Nothing]]", None),
    ],
)
def test_a_link_names_an_entry_as_its_generator_does(target: str, entry: EntryKey | None) -> None:
    form = parse_form(target)
    assert form
    assert FILES.find(form, "content/posts/start.md") == ([entry] if entry else [])


def test_a_name_of_several_entries_means_one_of_the_kind_of_the_file() -> None:
    files = EntryFiles({"posts/x.md": POST, "pages/x.md": PAGE, "pages/start.md": (Kind.PAGE, "start")}, [])
    wiki = LinkForm("wiki", "X", label="X")
    assert files.find(wiki, "elsewhere/start.md") == [PAGE, POST]
    assert files.find(wiki, "pages/start.md") == [PAGE]


def test_the_names_are_those_that_an_author_may_write() -> None:
    assert sorted(FILES.names.values()) == ["2020-05-01-hello", "guide", "index.fr", "über"]
