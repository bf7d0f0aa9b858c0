"""Lektor: https://www.getlektor.com/docs. Its `.lr` files are not read, so `adopt` refuses a site of it."""

from ....errors import pluralize
from .generated_site import Generator
from .generator_rules import GeneratorRules, SiteFiles


def _refusal(files: SiteFiles) -> str:
    contents = [path for path in files.tree.files_in(files.site.base) if path.endswith(".lr")]
    if not contents:
        return ""
    more = f" and {pluralize(len(contents) - 1, 'more file')}" if len(contents) > 1 else ""
    return (
        f"{contents[0]}{more} are in Lektor's own format, in which --- is between fields, and not around front matter"
    )


LEKTOR = GeneratorRules(generator=Generator.LEKTOR, configs=("*.lektorproject",), refusal=_refusal)
