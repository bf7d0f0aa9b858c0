"""content.links.link_forms: templates and wiki links, made readable for a Markdown parser; entries by files."""

import pytest

from contentsync.content.links.link_forms import EntryFiles, LinkForm, as_destinations, as_written, parse_form
from contentsync.model import EntryKey, Kind

from ...growth import grows_evenly


@pytest.mark.parametrize(
    ("target", "form"),
    [
        ('{{< ref "x.md" >}}', LinkForm("ref", "x.md")),
        ("@/posts/x.md#part", LinkForm("ref", "/posts/x.md", "#part")),
        ('{{% relref "a b.md#part" %}}', LinkForm("ref", "a b.md", "#part")),
        ("{{<ref x>}}", LinkForm("ref", "x")),
        ('{{< relref . "x" >}}', LinkForm("ref", "x")),
        ('{{< ref lang="fr" path="/a.md" >}}#part', LinkForm("ref", "/a.md", "#part")),
        ("{% post_url 2020-05-01-a %}#part", LinkForm("post_url", "2020-05-01-a", "#part")),
        ("{{ site.baseurl }}{%- link _posts/a.md -%}", LinkForm("link", "_posts/a.md")),
        ("{{site.url}}{{ site.baseurl }}/a/?b#c", LinkForm("path", "/a/", "?b#c")),
        ('{{ "/a/#x" | relative_url }}', LinkForm("path", "/a/", "#x")),
        ("{{ '/a/' | prepend: site.baseurl }}", LinkForm("path", "/a/")),
        ("[[A b|c d]]", LinkForm("wiki", "A b", "", "c d")),
        (r"[[A b\|c d]]", LinkForm("wiki", "A b", "", "c d")),
        ("[[A#H]]", LinkForm("wiki", "A", "#H", "A")),
    ],
)
def test_each_link_form_is_parsed_as_a_destination(target: str, form: LinkForm) -> None:
    assert parse_form(target) == form
    text = target if target.startswith("[[") else f"[x]({target})"
    parsed = as_destinations(text)
    assert len(parsed) == len(text)
    destination = parsed[parsed.index("](") + 2 : -1]
    assert not set(destination) & set(" <>\"'()[]|\\")
    assert as_written(destination) == target


@pytest.mark.parametrize(
    "target",
    [
        "/a/",
        "b.md",
        "{{ page.url }}",
        "{{ site.title }}/x",
        "{{< figure x >}}",
        '{{< ref "x" }}',
        "{% include a %}",
        "",
    ],
)
def test_other_targets_are_not_link_forms(target: str) -> None:
    assert parse_form(target) is None


def test_a_text_with_private_characters_is_not_changed() -> None:
    text = "[[a]] \U0010ff20"
    assert as_destinations(text) == text


def test_html_contains_no_wiki_links() -> None:
    assert as_destinations("[[a]]", html=True) == "[[a]]"


@pytest.mark.parametrize("part", ["[[", "[[a|", "{{<ref ", "{% link ", "{{ site.url }}", "{{'", "[a]:", "[[a]]"])
def test_rewriting_link_forms_takes_linear_time(part: str) -> None:
    assert grows_evenly(lambda size: as_destinations(f"{part * size}]] }}}}[[x]]"), 5_000)


@pytest.mark.parametrize("part", ["{{site.url}}", " ", '"', "path=", "|", "a"])
def test_parsing_a_link_form_takes_linear_time(part: str) -> None:
    for start in ("{{< ref ", "{{site.url}}{% link ", "{{ '", "[["):
        assert grows_evenly(lambda size, start=start: parse_form(start + part * size), 2_500)  # type: ignore[misc]


POST, GUIDE, PAGE = (Kind.ARTICLE, "hello"), (Kind.ARTICLE, "guide"), (Kind.PAGE, "about")
TOUR = (Kind.ARTICLE, "a-long-tour")
FILES = EntryFiles(
    {
        "content/posts/2020-05-01-hello.md": POST,
        "content/posts/guide/index.md": GUIDE,
        "content/posts/guide/index.fr.md": GUIDE,
        "content/posts/tour/index.en.md": TOUR,
        "content/posts/tour/index.fr.md": TOUR,
        "content/posts/team/index.en.md": POST,
        "content/posts/team/index.fr.md": PAGE,
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
        ('{{< ref "/posts/tour" >}}', TOUR),
        ('{{< ref "tour" >}}', TOUR),
        ('{{< ref "tour/index.en.md" >}}', TOUR),
        ('{{< ref "/posts/team" >}}', None),
        ("{% link content/posts/guide %}", None),
        ('{{< ref "nowhere/guide" >}}', None),
        ("{% link posts/guide/index.md %}", None),
        ('{{< ref "../../../../etc/passwd" >}}', None),
        ("[[Nothing]]", None),
    ],
)
def test_a_link_form_finds_the_entry_that_its_generator_would_find(target: str, entry: EntryKey | None) -> None:
    form = parse_form(target)
    assert form
    assert FILES.find(form, "content/posts/start.md") == ([entry] if entry else [])


def test_an_ambiguous_name_prefers_the_kind_of_the_linking_file() -> None:
    files = EntryFiles({"posts/x.md": POST, "pages/x.md": PAGE, "pages/start.md": (Kind.PAGE, "start")}, [])
    wiki = LinkForm("wiki", "X", label="X")
    assert files.find(wiki, "elsewhere/start.md") == [PAGE, POST]
    assert files.find(wiki, "pages/start.md") == [PAGE]


def test_the_names_of_files_are_those_that_an_author_can_write() -> None:
    assert sorted(FILES.names.values()) == ["2020-05-01-hello", "guide", "team", "tour", "über"]
