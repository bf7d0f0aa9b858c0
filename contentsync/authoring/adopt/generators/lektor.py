"""Lektor: https://www.getlektor.com/docs. Its `.lr` files are not read, so `adopt` refuses a site of it."""

from ....errors import pluralize
from .generated_site import Generator
from .generator_rules import GeneratorRules, SiteFiles


def _refusal(files: SiteFiles) -> str:
    contents = [path for path in files.tree.files_in(files.site.base) if path.endswith(".lr")]
    if not contents:
        return ""
    first, others = contents[0], len(contents) - 1
    subject = f"{first} and {pluralize(others, 'more file')} are" if others else f"{first} is"
    return f"{subject} in Lektor's own format, where lines --- are between fields and not around front matter"


LEKTOR = GeneratorRules(generator=Generator.LEKTOR, configs=("*.lektorproject",), refusal=_refusal)
