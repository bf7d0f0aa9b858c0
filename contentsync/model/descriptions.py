"""A description of each field, for authors of files and for clients (docs/contract.md 2, 14, 15)."""

from collections.abc import Mapping

from .entry import Kind
from .json_schema import Schema

_SEEN = "Whether the site shows it"
_ORDER = "Place in the sort order; smaller comes first"
_SLUG = "Part of its address; made of the file's name or the title when left out"
_HEAD = "HTML for the head of its page"
_SEO_TITLE = "Title for search engines"
_SEO_DESCRIPTION = "Description for search engines"
_SOCIAL_LINKS = "Platform to address, such as `github: https://github.com/...`"
_TRANSLATIONS = "Its texts in other languages of the site, by language code"

DESCRIPTIONS: Mapping[Kind, Mapping[str, str]] = {
    Kind.CATEGORY: {
        "title": "What the category is called",
        "slug": _SLUG,
        "description": "A short text",
        "content": "A long text",
        "icon": "Name of an icon",
        "custom_icon_url": "Address of an icon of your own",
        "parent_id": "The category above it, by slug or title",
        "is_active": _SEEN,
        "show_on_sidebar": "Whether the sidebar lists it",
        "order": _ORDER,
        "seo_title": _SEO_TITLE,
        "seo_description": _SEO_DESCRIPTION,
        "head_html": _HEAD,
    },
    Kind.TAG: {
        "title": "What the tag is called",
        "slug": _SLUG,
        "color": "Background, a hex colour in quotes: '#0a7'",
        "text_color": "Colour of the text, a hex colour in quotes",
        "icon": "Name of an icon",
        "heroicon": "Name of a heroicon",
        "show_title": "Whether the tag shows its title",
        "show_icon": "Whether the tag shows its icon",
        "is_active": _SEEN,
    },
    Kind.CUSTOM_FIELD: {
        "label": "What the field is called on the site",
        "type": "What its values are",
        "name": "The key that entries use; made of the label when left out",
        "fieldable_type": "The kind of entries that have the field",
        "placeholder": "Shown in an empty form",
        "description": "Shown beside the form",
        "default_value": "Value of an entry that has none",
        "value_prefix": "Shown before the value",
        "value_suffix": "Shown behind the value",
        "options": "The values to choose from, for select, multi_select and list",
        "icon": "Name of an icon",
        "heroicon": "Name of a heroicon",
        "placement": "Where the entry's page shows it",
        "placement_on_card": "Where the entry's card shows it",
        "is_required": "Whether every entry must have a value",
        "is_visible": _SEEN,
        "show_on_card": "Whether cards show it",
        "show_on_public_submission": "Whether the public form asks for it",
        "show_label": "Whether the page shows its label",
        "show_label_on_card": "Whether cards show its label",
        "show_icon": "Whether the page shows its icon",
        "show_icon_on_card": "Whether cards show its icon",
        "filterable": "Whether visitors can filter listings by it, if its values are options or yes and no",
        "order": _ORDER,
        "settings": "Settings of its type",
        "validation_rules": "Rules for its values",
    },
    Kind.ORGANIZER: {
        "name": "What the organizer is called",
        "slug": _SLUG,
        "description": "One or two sentences, shown on cards and in the profile's header",
        "content": "A long text in Markdown; the text below the front matter",
        "logo": "Path of a logo that is uploaded already",
        "logo_url": "Address of a logo; use it instead of logo",
        "cover_image": "Path of a cover image that is uploaded already",
        "cover_image_url": "Address of a cover image; use it instead of cover_image",
        "email": "E-mail address for contact",
        "phone": "Phone number, kept as written",
        "address": "Postal address",
        "website_url": "Address of its website",
        "social_links": _SOCIAL_LINKS,
        "user_id": "The user who manages it: a number, or an e-mail address that user_ids of the target knows",
        "is_active": _SEEN,
        "order": _ORDER,
        "translations": _TRANSLATIONS,
    },
    Kind.LISTING: {
        "name": "What the listing is called",
        "slug": "Part of its address; made of the name when left out",
        "description": "A short text",
        "content": "A long text, Markdown or HTML; in a Markdown file the text below the front matter",
        "url": "The address that it is about; no two listings have the same",
        "image_url": "Address of an image",
        "image_alt_text": "What the image shows",
        "logo_url": "Address of a logo",
        "logo_alt_text": "What the logo shows",
        "video_url": "Address of a video",
        "video_thumbnail_url": "Address of the video's preview image",
        "additional_image_urls": "Addresses of more images",
        "phone_number": "Phone number, kept as written",
        "email": "E-mail address for contact",
        "address": "Postal address",
        "latitude": "Degrees north, -90 to 90",
        "longitude": "Degrees east, -180 to 180",
        "social_links": _SOCIAL_LINKS,
        "category_id": "A category, by slug or title; put before `categories`",
        "categories": "Its categories, by slug or title",
        "tags": "Its tags, by slug or title",
        "organizers": "Its organizers, by slug or name",
        "starts_at": "Hidden until then",
        "ends_at": "Expired from then on; a bare date is the end of that day",
        "is_active": _SEEN,
        "is_featured": "Whether it stands out",
        "is_no_follow": "Whether its link is marked nofollow",
        "seo_title": _SEO_TITLE,
        "seo_description": _SEO_DESCRIPTION,
        "schema": "JSON-LD, as an object or as its text",
        "head_html": _HEAD,
    },
    Kind.PAGE: {
        "title": "What the page is called",
        "slug": _SLUG,
        "markdown": "The text; what stands below the front matter",
        "placement": "Where links to it stand; unlisted is reachable by its address only",
        "is_published": _SEEN,
        "is_external": "Whether it is a link to external_url instead of a page",
        "external_url": "Where an external page leads",
        "new_tab": "Whether the link opens in a new tab",
        "order": _ORDER,
        "seo": "What search engines show of it",
    },
    Kind.ARTICLE: {
        "title": "What the article is called",
        "slug": _SLUG,
        "content": "The text in HTML; in an .html file the text below the front matter",
        "markdown": "The text in Markdown; in an .md file the text below the front matter",
        "active": _SEEN,
        "published_at": "When it is published; the date of the file's name when left out",
        "thumbnail_url": "Address of its image",
        "thumbnail_alt_text": "What the image shows",
        "categories": "Its categories, free text",
        "seo": "What search engines and social networks show of it",
        "translations": _TRANSLATIONS,
    },
}

# The descriptions that differ in requests.
_WIRE_SLUG = "Part of its address; made of the title or the name when left out"
ON_THE_WIRE: Mapping[Kind, Mapping[str, str]] = {
    Kind.CATEGORY: {"slug": _WIRE_SLUG, "parent_id": "The category above it, of the same directory; no cycles"},
    Kind.TAG: {"slug": _WIRE_SLUG, "color": "Background, a hex colour"},
    Kind.CUSTOM_FIELD: {"name": "The key that records use; made of the label when left out"},
    Kind.ORGANIZER: {
        "slug": _WIRE_SLUG,
        "content": "A long text in Markdown",
        "social_links": "Platform to address",
        "user_id": "The user who manages it: the owner or a submitter of the directory, of no other organizer in it",
    },
    Kind.LISTING: {
        "slug": _WIRE_SLUG,
        "content": "A long text, Markdown or HTML",
        "social_links": "Platform to address",
        "category_id": "A category by id; merged into `categories`",
        "categories": "Its categories by id, of the same directory",
        "tags": "Its tags by id, of the same directory",
        "organizers": "Its organizers by id; those of other directories are ignored",
        "schema": "JSON-LD, as an object or as its text; it comes back as an object",
    },
    Kind.PAGE: {"slug": _WIRE_SLUG, "markdown": "The text"},
    Kind.ARTICLE: {
        "slug": _WIRE_SLUG,
        "content": "The text in HTML; this or `markdown` must be given, on update too",
        "markdown": "The text in Markdown; this or `content` must be given, on update too",
        "published_at": "When it is published; now when left out or null on create",
    },
}

SEO: Mapping[str, str] = {
    "title": _SEO_TITLE,
    "description": _SEO_DESCRIPTION,
    "keywords": "Keywords for search engines",
    "og_title": "Title in Open Graph previews",
    "og_description": "Description in Open Graph previews",
    "og_image": "Address of the image in Open Graph previews",
    "card_title": "Title on social cards",
    "card_description": "Description on social cards",
    "card_image": "Address of the image on social cards",
    "canonical": "The address that search engines are to keep; its own when empty",
    "twitter_title": "Another name of card_title",
    "twitter_description": "Another name of card_description",
    "twitter_image": "Another name of card_image",
}

NOTES: Mapping[str, str] = {
    "skip": "Not sent, but counts as present",
    "protect": "Never deleted, even when this file goes",
    "previous": "Slugs that this entry had before",
}


def describe(properties: Mapping[str, Schema], texts: Mapping[str, str]) -> None:
    """Add the description of each field to its schema, in place, also inside `seo` and `translations`."""
    for name, schema in properties.items():
        if name in texts:
            schema["description"] = texts[name]
        if name == "seo":
            describe(schema["properties"], SEO)
        elif name == "translations":
            describe(schema["additionalProperties"]["properties"], texts)
