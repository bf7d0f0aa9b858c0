"""`contentsync redirects`: its options, and what it does. The imports that take long are made when it runs."""

from typing import Annotated

import typer

from .choices import RedirectFormat, content_folder
from .option_types import Folder


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
) -> int:
    """Print redirects from the former addresses of entries."""
    from ..content.load import load_content
    from ..content.redirects import find_redirects
    from ..errors import ContentError
    from ..report.formatting import pluralize, printable
    from ..report.redirect_formats import format_redirects
    from .terminal import stderr

    folder = content_folder(path)
    content = load_content(folder)
    if content.errors:
        raise ContentError(content.problems, folder)
    found = find_redirects(content)
    typer.echo(format_redirects(found.found, format_, to), nl=False)
    if left_out := found.with_query:
        count = pluralize(len(left_out), "former address has", "former addresses have")
        stderr().print(f"{count} a query, and no redirect: {printable(', '.join(left_out[:3]))}", markup=False)
    return 0
