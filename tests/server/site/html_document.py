"""A strict parser of HTML pages, for which every element must be closed in order."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

VOID = frozenset({"base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})


@dataclass
class Element:
    """An element with its attributes and content."""

    name: str
    attributes: dict[str, str | None]
    inside: list["Element | str"] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return all text in it, on one line."""
        parts = [each.text if isinstance(each, Element) else each for each in self.inside]
        return " ".join("".join(parts).split())

    def __getitem__(self, name: str) -> str:
        value = self.attributes[name]
        assert value is not None, f"{name} has no value"
        return value

    def walk(self) -> Iterator["Element"]:
        """It and all elements below it."""
        yield self
        for each in self.inside:
            if isinstance(each, Element):
                yield from each.walk()

    def all(self, name: str = "", /, **attributes: str) -> list["Element"]:
        """Return the elements of a name below it, with these attributes; `class_` is a class, `_` is a hyphen."""
        return [each for each in self.walk() if (not name or each.name == name) and each.has(**attributes)]

    def one(self, name: str = "", /, **attributes: str) -> "Element":
        """Return the only such element; fail if there is not exactly one."""
        [found] = self.all(name, **attributes)
        return found

    def has(self, **attributes: str) -> bool:
        """Return whether it has these attributes."""
        if not attributes:
            return True
        wanted_attributes = {name.strip("_").replace("_", "-"): value for name, value in attributes.items()}
        classes = (self.attributes.get("class") or "").split()
        return all(
            value in classes if name == "class" else self.attributes.get(name) == value
            for name, value in wanted_attributes.items()
        )


class Document(HTMLParser):
    """A page that a server sent."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self._open = [self.root]
        self.feed(html)
        self.close()
        assert self._open == [self.root], f"{self._open[-1].name} is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"{tag} has an attribute twice"
        element = Element(tag, dict(attrs))
        self._open[-1].inside.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self._open[-1].name == tag, f"{tag} ends inside of {self._open[-1].name}"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1].inside.append(data)

    def all(self, name: str = "", /, **attributes: str) -> list[Element]:
        """Return its elements of a name, with these attributes."""
        return self.root.all(name, **attributes)

    def one(self, name: str = "", /, **attributes: str) -> Element:
        """Return the only such element; fail if there is not exactly one."""
        return self.root.one(name, **attributes)

    @property
    def text(self) -> str:
        """Return the visible text of the page."""
        return self.one("body").text

    @property
    def title(self) -> str:
        return self.one("title").text

    def meta(self, name: str) -> str | None:
        """Return the content of a meta element, by its name or property."""
        found = [
            each for each in self.all("meta") if name in (each.attributes.get("name"), each.attributes.get("property"))
        ]
        assert len(found) <= 1, f"{name} is there {len(found)} times"
        return found[0]["content"] if found else None

    def link(self, rel: str) -> str | None:
        """Return the target of the head's link of a kind."""
        found = self.one("head").all("link", rel=rel)
        assert len(found) <= 1, f"{rel} is there {len(found)} times"
        return found[0]["href"] if found else None

    @property
    def languages(self) -> dict[str, str]:
        """The page in other languages, by code."""
        return {
            each["hreflang"]: each["href"]
            for each in self.one("head").all("link", rel="alternate")
            if "hreflang" in each.attributes
        }

    def json_ld(self, type_: str) -> Any:
        """Return the structured data of a type."""
        values = [json.loads("".join(map(str, each.inside))) for each in self.all("script", type="application/ld+json")]
        [found] = [value for value in values if value.get("@type") == type_]
        return found
