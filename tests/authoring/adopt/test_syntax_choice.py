"""contentsync.authoring.adopt.syntax_choice: simple syntax with a certain meaning in Markdown is replaced."""

import pytest

from contentsync.authoring.adopt.generators.generated_site import Generator, Site
from contentsync.authoring.adopt.syntax_choice import propose_replacements
from contentsync.content.config.replacement import Replacement, replaced_text

SITE = Site(Generator.JEKYLL, settings={"title": "The Shed", "url": "https://a.example.org", "name": "*x*"})


def proposed(*bodies: str) -> list[Replacement]:
    """Return the replacements that `adopt` proposes for these bodies."""
    return [Replacement(**it.value) for it in propose_replacements(SITE, bodies)]


def replaced(body: str, times: int = 3) -> str:
    """Return a text after each proposed replacement, for a syntax that occurs `times` times."""
    return replaced_text(body, proposed(*[body] * times))


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("{{< youtube abc-1 >}}", "[Video](https://www.youtube.com/watch?v=abc-1)"),
        ('{{<youtube id="abc" title="A talk">}}', "[Video](https://www.youtube.com/watch?v=abc)"),
        ("{% youtube abc %}", "[Video](https://www.youtube.com/watch?v=abc)"),
        ('{% include youtube.html id="abc" %}', "[Video](https://www.youtube.com/watch?v=abc)"),
        ("{{< vimeo 12 >}}", "[Video](https://vimeo.com/12)"),
        ('{{< figure src="/a.png" >}}', "![](/a.png)"),
        ('{{< figure src="/a.png" alt="A" width="9" >}}', "![A](/a.png)"),
        ('{{< figure src="/a.png" caption="B" alt="A" >}}', '![A](/a.png "B")'),
        ('{% image "/a.png", "A drill" %}', "![A drill](/a.png)"),
        ("{{% notice info %}}\nText\n{{% /notice %}}", "**Info:** \nText\n"),
        ("{{< tip >}}Text{{< /tip >}}", "**Tip:** Text"),
        ("{% highlight ruby %}\nx\n{% endhighlight %}", "```ruby\nx\n```"),
        ("`{% raw %}{{ x }}{% endraw %}`", "`{{ x }}`"),
        ("Text\n{: .lead}", "Text\n"),
        ('[x](/y/){:target="_blank"}', "[x](/y/)"),
        ("Welcome to {{ site.title }}", "Welcome to The Shed"),
        ("{{< br >}}", "<br>"),
        ("![A]({{ site.baseurl }}/a.png) [b]({{ site.baseurl }}/b/)", "![A](/a.png) [b](/b/)"),
        ('<img src="{{ "/a.png" | relative_url }}">', '<img src="/a.png">'),
    ],
)
def test_syntax_with_a_known_meaning_is_replaced(text: str, markdown: str) -> None:
    assert replaced(text) == markdown


@pytest.mark.parametrize(
    "text",
    [
        "{{< chart data >}}",  # unknown
        "{{< youtube >}}",
        "{{< youtube https://youtu.be/abc >}}",
        '{{< figure src="a b.png" >}}',
        '{{< figure src="/a.png" alt="[A]" >}}',
        '{{< figure src="/a.png" alt="A" title="B" caption="C" >}}',
        "{{< tip >}}Text",  # never ends
        '{{< tip "A title" >}}Text{{< /tip >}}',
        "{{ site.name }}",  # its value would be markup
        "{{ page.title }}",
        "{{ site.url }}/about/",  # links are understood as they are
        "{:toc}",
        "`{{< youtube abc >}}`",
        "    {: .lead}",
        "```\n{{ site.title }}\n```",
    ],
)
def test_syntax_without_a_known_replacement_stays(text: str) -> None:
    assert replaced(text) == text


def test_syntax_that_occurs_only_twice_stays() -> None:
    assert replaced("{{< youtube abc >}}", times=2) == "{{< youtube abc >}}"


def test_a_pattern_that_would_change_code_is_not_proposed() -> None:
    text = "Text\n{: .lead}"
    assert proposed(text, text, text, "```elixir\n{: .a}\n```") == []


def test_a_pattern_that_also_matches_another_form_needs_a_second_one_first() -> None:
    plain, quoted = "{{< youtube abc >}}", '{{< youtube "a b" >}}'
    assert proposed(plain, plain, plain, quoted) == []
    assert [it.find for it in proposed(*[plain] * 3, *['{{< youtube "c" >}}'] * 3)] == [
        '{{< youtube "{id}" >}}',
        "{{< youtube {id} >}}",
    ]


def test_block_syntax_is_replaced_only_if_each_start_has_an_end() -> None:
    block = "{{< highlight go >}}\nx\n{{< /highlight >}}"
    assert len(proposed(block, block, block)) == 2
    assert proposed(block, block, block, "{{< highlight go >}}") == []
    assert proposed(block, block, block, '{{< highlight "a b" >}}\nx\n{{< /highlight >}}') == []


def test_no_replacement_is_proposed_that_the_config_already_has() -> None:
    own = Replacement(find="{{< youtube {id} >}}", replace="{id}")
    assert [*propose_replacements(SITE, ["{{< youtube abc >}}"] * 3, [own])] == []
    (setting,) = propose_replacements(SITE, ["{{< youtube abc >}}"] * 3)
    assert setting.comment == "3 times"
