"""`contentsync redirects`: its options, and what it does. The imports that take long are made when it runs."""

from typing import Annotated

import typer

from . import print_lines
from .options import Folder, NoIndex, RedirectFormat, content_folder, index_use


def redirects(
    path: Folder = None,
    format_: Annotated[
        RedirectFormat,
        typer.Option(
            "--format", help="netlify: a _redirects file; nginx, caddy: lines of a site's block; csv: a table."
        ),
    ] = RedirectFormat.CSV,
    to: Annotated[
        str, typer.Option("--to", metavar="URL", help="The address of the site, if another host serves the redirects.")
    ] = "",
    no_index: NoIndex = False,
) -> int:
    """Print redirects from the former addresses of entries."""
    from ..content.folder.load import load_valid_content
    from ..content.links.former_addresses import find_redirects
    from ..errors import join_first, pluralize
    from ..report.redirect_formats import format_redirects
    from ..value_text import printable
    from .terminal import stderr

    content = load_valid_content(content_folder(path), index_use(no_index=no_index), may_break_rules=True)
    found, with_query = find_redirects(content.config.site, content.entries, content.former_addresses)
    text = format_redirects(found, format_, to)
    print_lines(text.split("\n")[:-1])  # after the last line end, there is no line
    if with_query:
        subject_and_verb = pluralize(len(with_query), "former address has", "former addresses have")
        examples = printable(join_first(with_query, 3))
        stderr().print(f"{subject_and_verb} a query, and no redirect: {examples}", markup=False)
    return 0
