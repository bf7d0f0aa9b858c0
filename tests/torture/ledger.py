"""What a writer asked for and what it was reported: what the database may hold after a kill."""

from dataclasses import dataclass, field
from typing import Any

from .evidence import Found

GONE = "gone"  # the state of a record that is not there


@dataclass
class Ledger:
    """The listings of one writer and its page, each with the states that it may have.

    A listing has more than one until its write is answered.
    """

    page_name: str
    ids: dict[str, int] = field(default_factory=dict)  # of the listings that surely are there
    listings: dict[str, list[Any]] = field(default_factory=dict)  # by name
    page: list[Any] = field(default_factory=lambda: [GONE])
    together: list[list[str]] = field(default_factory=list)  # names that are there all or not at all
    acknowledged: int = 0

    def settle(self, found: Found) -> list[str]:
        """Compare with what the database holds, which is what the records are from now on; what is wrong."""
        wrong = []
        for name, states in self.listings.items():
            there = found.listings.get(name, GONE)
            if there not in states:
                wrong.append(f"listing {name} is {there}, not {' or '.join(map(str, states))}")
            self.listings[name] = [there]
        for names in self.together:
            made = sum(name in found.listings for name in names)
            if made not in (0, len(names)):
                wrong.append(f"{made} of {len(names)} listings of a bulk create are there: {names[0]}")
        self.together.clear()
        there = found.pages.get(self.page_name, GONE)
        if there not in self.page:
            wrong.append(f"page {self.page_name} is {there}, not {' or '.join(map(str, self.page))}")
        self.page = [there]
        return wrong
