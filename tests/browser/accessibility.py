"""The accessibility check of a page by axe-core."""

from collections.abc import Mapping, Sequence

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def violations(page: Page) -> Mapping[str, Sequence[str]]:
    """Return the HTML of the elements that break a rule, by the rule's name and how grave that is."""
    found = Axe().run(page).response["violations"]
    return {f"{rule['id']} ({rule['impact']})": [node["html"][:300] for node in rule["nodes"]] for rule in found}
