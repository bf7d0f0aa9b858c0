"""contentsync.content.doubled_schemes: a URL with two schemes is a warning with the URL that is meant."""

from .conftest import Load, spots

LISTING = """\
- name: A
  url: http://https://a.example.org/
  additional_image_urls: [https://a.example.org/a.png, https://http//a.example.org/b.png]
  description: http://http://a.example.org/ was its address
"""


def test_each_url_with_two_schemes_is_a_warning_with_the_url_that_is_meant(read: Load) -> None:
    content = read({"listings/a.yaml": LISTING})
    assert spots(content) == [
        ("listings/a.yaml", 2, 8, "doubled-scheme"),
        ("listings/a.yaml", 3, 56, "doubled-scheme"),
    ]
    problem = content.problems[0]
    assert problem.message == "url has two schemes, so its host is 'https'"
    assert "https://a.example.org/" in problem.hint
    assert not content.errors
    assert content.entries[0].fields["url"] == "http://https://a.example.org/"


def test_such_a_url_is_found_in_a_table_of_plain_rows(read: Load) -> None:
    rows = [f"Tool {number},https://{number}.example.org/" for number in range(30)]
    rows[20] = "Tool 20,http://http://20.example.org/"
    content = read({"listings/a.csv": "\n".join(["name,url", *rows])})
    assert spots(content) == [("listings/a.csv", 22, 9, "doubled-scheme")]
