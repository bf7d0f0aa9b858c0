"""contentsync.content.text.targets: what is written as a relative path and is none."""

import pytest

from contentsync.content.text.targets import no_path


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("{{ site.baseurl }}/img/a.png", "template"),
        ("img/{{page.image}}", "template"),
        ("{%link a.md%}", "template"),
        ('{{<ref"a.md">}}', "template"),
        ("me@example.com", "e-mail"),
        ("info@example.co.uk?subject=Hello", "e-mail"),
        ("www.example.com", "https"),
        ("www.example.museum/a.pdf", "https"),
        ("example.com", "https"),
        ("Example.ORG/docs/?a=b#c", "https"),
        ("en.wikipedia.org/wiki/Lathe", "https"),
        ("heise.de", "https"),
        ("youtu.be/abc", "https"),
        ("example.lu/news", "https"),
    ],
)
def test_what_is_no_path_is_recognised(target: str, reason: str) -> None:
    found = no_path(target)
    assert found is not None
    assert reason in found.reason


@pytest.mark.parametrize(
    "target",
    [
        "a.png",
        "../img/a.png",
        "./www.example.com/",
        "img/logo@2x.png",
        "logo@2x.png",
        "photo@home.jpg",
        "downloads/",
        "guide",
        "README.md",
        "main.rs",
        "chart.js/dist/chart.js",
        "v1.2/manual.pdf",
        "archive.tar.gz",
        "my.folder/a.png",
        "site-com/a.png",
        "100%/a.png",
        "{a}.png",
    ],
)
def test_a_path_to_a_file_is_one(target: str) -> None:
    assert no_path(target) is None
