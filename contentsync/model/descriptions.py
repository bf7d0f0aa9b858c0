"""A description of each field, for authors of files and for clients (docs/contract.md 2, 14, 15)."""

from collections.abc import Mapping

from .entry import Kind
from .json_schema import Schema

_SEEN = "Whether the site shows it"
_ORDER = "Position in the sort order; the smallest is first"
_SLUG = "Part of its address; without it, made from the file's name or the title"
_HEAD = "HTML for the head of its page"
_SEO_TITLE = "Title for search engines"
_SEO_DESCRIPTION = "Description for search engines"
_SOCIAL_LINKS = "Addresses by platform, such as `github: https://github.com/...`"
_TRANSLATIONS = "Its texts in other languages of the site, by language code"

DESCRIPTIONS: Mapping[Kind, Mapping[str, str]] = {
    Kind.CATEGORY: {
        "title": "Name of the category",
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
        "title": "Name of the tag",
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
        "label": "Name of the field on the site",
        "type": "Type of its values",
        "name": "The key in entries; without it, made from the label",
        "fieldable_type": "The kind of entries that have the field",
        "placeholder": "Shown in an empty form",
        "description": "Shown beside the form",
        "default_value": "Value of an entry that sets none",
        "value_prefix": "Shown before the value",
        "value_suffix": "Shown after the value",
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
        "filterable": "Whether visitors can filter listings by it, if it has options, or is a checkbox or number",
        "order": _ORDER,
        "settings": "Settings of its type",
        "validation_rules": "Rules for its values",
    },
    Kind.ORGANIZER: {
        "name": "Name of the organizer",
        "slug": _SLUG,
        "description": "One or two sentences, shown on cards and in the profile's header",
        "content": "A long text in Markdown; the text below the front matter",
        "logo": "Path of a logo that was uploaded before",
        "logo_url": "Address of a logo; use it instead of logo",
        "cover_image": "Path of a cover image that was uploaded before",
        "cover_image_url": "Address of a cover image; use it instead of cover_image",
        "email": "E-mail address for contact",
        "phone": "Phone number, in any form",
        "address": "Postal address",
        "website_url": "Address of its website",
        "social_links": _SOCIAL_LINKS,
        "user_id": "The user who manages it: a number, or an e-mail address that is in user_ids of the target",
        "is_active": _SEEN,
        "order": _ORDER,
        "translations": _TRANSLATIONS,
    },
    Kind.LISTING: {
        "name": "Name of the listing",
        "slug": "Part of its address; without it, made from the name",
        "description": "A short text",
        "content": "A long text, Markdown or HTML; in a Markdown file the text below the front matter",
        "url": "Address of what is listed; no two listings may have the same",
        "image_url": "Address of an image",
        "image_alt_text": "What the image shows",
        "logo_url": "Address of a logo",
        "logo_alt_text": "What the logo shows",
        "video_url": "Address of a video",
        "video_thumbnail_url": "Address of the video's preview image",
        "additional_image_urls": "Addresses of more images",
        "phone_number": "Phone number, in any form",
        "email": "E-mail address for contact",
        "address": "Postal address",
        "latitude": "Degrees north, -90 to 90",
        "longitude": "Degrees east, -180 to 180",
        "social_links": _SOCIAL_LINKS,
        "category_id": "A category, by slug or title; added as the first of `categories`",
        "categories": "Its categories, by slug or title",
        "tags": "Its tags, by slug or title",
        "organizers": "Its organizers, by slug or name",
        "starts_at": "Hidden before this time",
        "ends_at": "Expired from this time on; a bare date means the end of that day",
        "is_active": _SEEN,
        "is_featured": "Whether it is featured: lists show it first",
        "is_no_follow": "Whether its link is marked nofollow",
        "seo_title": _SEO_TITLE,
        "seo_description": _SEO_DESCRIPTION,
        "schema": "JSON-LD, as an object or as JSON text",
        "head_html": _HEAD,
    },
    Kind.PAGE: {
        "title": "Title of the page",
        "slug": _SLUG,
        "markdown": "The text; in a file, the text below the front matter",
        "placement": "The menu with the link to it; an unlisted page is reachable only by its address",
        "is_published": _SEEN,
        "is_external": "Whether it is a link to external_url instead of a page",
        "external_url": "Address of an external page",
        "new_tab": "Whether the link opens in a new tab",
        "order": _ORDER,
        "seo": "Texts for search engines",
    },
    Kind.ARTICLE: {
        "title": "Title of the article",
        "slug": _SLUG,
        "content": "The text in HTML; in an .html file the text below the front matter",
        "markdown": "The text in Markdown; in an .md file the text below the front matter",
        "active": _SEEN,
        "published_at": "When it is published; without it, the date in the file's name",
        "thumbnail_url": "Address of its image",
        "thumbnail_alt_text": "What the image shows",
        "categories": "Its categories, free text",
        "seo": "Texts for search engines and social networks",
        "translations": _TRANSLATIONS,
    },
}

# The descriptions that differ in requests.
_WIRE_SLUG = "Part of its address; without it, made from the title or the name"
WIRE_DESCRIPTIONS: Mapping[Kind, Mapping[str, str]] = {
    Kind.CATEGORY: {"slug": _WIRE_SLUG, "parent_id": "The category above it, in the same directory; no cycles"},
    Kind.TAG: {"slug": _WIRE_SLUG, "color": "Background, a hex colour"},
    Kind.CUSTOM_FIELD: {"name": "The key in records; without it, made from the label"},
    Kind.ORGANIZER: {
        "slug": _WIRE_SLUG,
        "content": "A long text in Markdown",
        "social_links": "Addresses by platform",
        "user_id": "The user who manages it: the owner or a submitter of the directory, with no other organizer in it",
    },
    Kind.LISTING: {
        "slug": _WIRE_SLUG,
        "content": "A long text, Markdown or HTML",
        "social_links": "Addresses by platform",
        "category_id": "A category by id; added to `categories`",
        "categories": "Its categories by id, of the same directory",
        "tags": "Its tags by id, of the same directory",
        "organizers": "Its organizers by id; those of other directories are ignored",
        "schema": "JSON-LD, as an object or as JSON text; responses have an object",
    },
    Kind.PAGE: {"slug": _WIRE_SLUG, "markdown": "The text"},
    Kind.ARTICLE: {
        "slug": _WIRE_SLUG,
        "content": "The text in HTML; this or `markdown` is required, on update too",
        "markdown": "The text in Markdown; this or `content` is required, on update too",
        "published_at": "When it is published; on create, the default (also for null) is the current time",
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
    "canonical": "The address that search engines should show; without it, its own address",
    "twitter_title": "Another name of card_title",
    "twitter_description": "Another name of card_description",
    "twitter_image": "Another name of card_image",
}

NOTES: Mapping[str, str] = {
    "skip": "Neither sent nor deleted",
    "protect": "Never deleted, even if this file is deleted",
    "previous": "Slugs that this entry had before",
    "distinct": "Only for listings: URLs or slugs of others, whose URLs are nearly the same",
    "merged": "Slugs of entries that were merged into this one",
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
