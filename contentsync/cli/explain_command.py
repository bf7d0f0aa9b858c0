"""`contentsync explain`: its options, and what it does. The imports that take long are made when it runs."""

from typing import Annotated

import typer

from . import print_lines
from .options import complete_code


def explain(
    code: Annotated[
        str,
        typer.Argument(
            metavar="CODE",
            help="The code of a problem, such as bad-date.",
            show_default=False,
            autocompletion=complete_code,
        ),
    ],
) -> int:
    """Explain the code of a problem, with an example and a fix."""
    from ..report.problem_documents import explain_code

    print_lines(explain_code(code).splitlines())
    return 0
