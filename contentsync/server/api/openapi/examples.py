"""One request for each body, which the server takes."""

from collections.abc import Mapping
from typing import Any

_PAGE = {"title": "About us", "markdown": "# About us\n\nWe collect tools.", "placement": "footer"}
_LISTING = {
    "name": "Lathe",
    "url": "https://lathe.example",
    "description": "Turns wood.",
    "starts_at": "2026-03-01 09:00",
    "ends_at": None,
    "social_links": {"github": "https://github.com/lathe"},
    "schema": {"@context": "https://schema.org", "@type": "Product"},
}

REQUESTS: Mapping[str, Any] = {
    "CategoryCreate": {"title": "Woodwork", "description": "Saws, planes and lathes.", "order": 1},
    "CategoryUpdate": {"title": "Wood", "parent_id": None},
    "TagCreate": {"title": "Free", "color": "#00aa77", "text_color": "#fff"},
    "TagUpdate": {"is_active": False},
    "CustomFieldCreate": {
        "label": "Skill level",
        "type": "select",
        "options": ["easy", "hard"],
        "placement": "after_tags",
        "filterable": True,
    },
    "CustomFieldUpdate": {"options": ["easy", "medium", "hard"]},
    "OrganizerCreate": {
        "name": "Ada's studio",
        "description": "Makes lathes.",
        "email": "ada@example.com",
        "website_url": "https://ada.example.com/",
    },
    "OrganizerUpdate": {"phone": "+44 20 7946 0000", "order": 2},
    "ListingCreate": _LISTING,
    "ListingUpdate": {"description": "Turns wood and metal.", "tags": [], "ends_at": "2027-01-01"},
    "ListingBulk": {"listings": [{"name": "Saw"}, _LISTING]},
    "ListingExists": {"url": "https://bandsaw.example"},
    "PageCreate": _PAGE,
    "PageUpdate": {"title": "About", "seo": {"title": "About the directory"}},
    "ArticleCreate": {
        "title": "How to choose a lathe",
        "markdown": "Size matters.",
        "categories": ["Guides"],
        "seo": {"description": "What to look for", "card_title": "Choosing a lathe"},
    },
    "ArticleUpdate": {"title": "Choosing a lathe", "content": "<p>Size matters.</p>"},
    "ArticleExists": {"slug": "how-to-sharpen-a-chisel"},
}
