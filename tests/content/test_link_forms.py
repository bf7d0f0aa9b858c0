"""contentsync.content.link_forms: templates and wiki links, made readable for a Markdown parser."""

import pytest

from contentsync.content.link_forms import LinkForm, as_destinations, as_written, parse_form

from ..growth import grows_evenly


@pytest.mark.parametrize(
    ("target", "form"),
    [
        ('{{< ref "x.md" >}}', LinkForm("ref", "x.md")),
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
def test_each_form_is_read_and_can_be_parsed_as_a_destination(target: str, form: LinkForm) -> None:
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
def test_other_targets_have_no_form(target: str) -> None:
    assert parse_form(target) is None


def test_a_text_with_private_characters_is_not_changed() -> None:
    text = "[[a]] \U0010ff20"
    assert as_destinations(text) == text


def test_html_has_no_wiki_links() -> None:
    assert as_destinations("[[a]]", html=True) == "[[a]]"


@pytest.mark.parametrize("part", ["[[", "[[a|", "{{<ref ", "{% link ", "{{ site.url }}", "{{'", "[a]:", "[[a]]"])
def test_no_text_takes_long(part: str) -> None:
    assert grows_evenly(lambda size: as_destinations(f"{part * size}]] }}}}[[x]]"), 5_000)


@pytest.mark.parametrize("part", ["{{site.url}}", " ", '"', "path=", "|", "a"])
def test_no_target_takes_long(part: str) -> None:
    for start in ("{{< ref ", "{{site.url}}{% link ", "{{ '", "[["):
        assert grows_evenly(lambda size, start=start: parse_form(start + part * size), 2_500)  # type: ignore[misc]
