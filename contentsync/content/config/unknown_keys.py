"""Make hints for unknown keys, also keys of other generators (Jekyll, Hugo, Astro, Docusaurus, Ghost)."""

import json
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...errors import Setting
from ...model import FIELDABLE, RECORDS, Kind
from ...model.suggestion import did_you_mean_text, is_typing_error
from ..files.content_folder import CONFIG
from ..formats.draft import ABSENT, value_at
from .hiding_keys import HIDING_KEYS, may_hide, normalized_key

UNDECLARED = "declare a custom field in custom_fields.yaml"

CustomFields = Mapping[Kind, Container[str]]  # names by kind

CATEGORY, TAG, CUSTOM_FIELD, ORGANIZER, LISTING, PAGE, ARTICLE = Kind

_SHOWN = {PAGE: "is_published", ARTICLE: "active"} | dict.fromkeys((CATEGORY, TAG, ORGANIZER, LISTING), "is_active")

# Normalized keys of other generators, with the field of each kind; `!` before a field with the opposite meaning.
_FIELDS: Mapping[str, Mapping[Kind, str]] = {
    "date datepublished postdate created createdat": {ARTICLE: "published_at"},
    "publishdate pubdate publishat publishedon": {ARTICLE: "published_at", LISTING: "starts_at"},
    "expirydate expires expiresat unpublishdate enddate": {LISTING: "ends_at"},
    "draft isdraft hidden unpublished": {kind: f"!{field}" for kind, field in _SHOWN.items()},
    "private isprivate wip headless": {PAGE: "!is_published", ARTICLE: "!active"},  # a listing may be a private place
    "published ispublished publish dgpublish active isactive enabled visible": _SHOWN,
    "image img picture photo featuredimage featureimage heroimage hero banner thumbnail thumb": {
        ARTICLE: "thumbnail_url",
        LISTING: "image_url",
        ORGANIZER: "logo_url",
        CATEGORY: "custom_icon_url",
    },
    "cover coverimage": {ARTICLE: "thumbnail_url", LISTING: "image_url", ORGANIZER: "cover_image_url"},
    "logo": {LISTING: "logo_url"},
    "imagealt alt heroimagealt coveralt": {ARTICLE: "thumbnail_alt_text", LISTING: "image_alt_text"},
    "description excerpt summary abstract intro metadescription seodescription": {
        ARTICLE: "seo.description",
        PAGE: "seo.description",
        ORGANIZER: "description",
        LISTING: "description",
        CATEGORY: "description",
    },
    "subtitle tagline": dict.fromkeys((ORGANIZER, LISTING, CATEGORY), "description"),
    "seotitle metatitle": {ARTICLE: "seo.title", PAGE: "seo.title", LISTING: "seo_title", CATEGORY: "seo_title"},
    "keywords metakeywords": {ARTICLE: "seo.keywords"},
    "canonical canonicalurl": {ARTICLE: "seo.canonical"},
    "ogtitle": {ARTICLE: "seo.og_title"},
    "ogdescription": {ARTICLE: "seo.og_description"},
    "ogimage socialimage": {ARTICLE: "seo.og_image"},
    "name label heading headline": dict.fromkeys((ARTICLE, PAGE, CATEGORY, TAG), "title"),
    "title label heading headline": {LISTING: "name", ORGANIZER: "name", CUSTOM_FIELD: "label"},
    "body text": {ARTICLE: "markdown", PAGE: "markdown"} | dict.fromkeys((ORGANIZER, LISTING, CATEGORY), "content"),
    "content": {PAGE: "markdown"},
    "markdown": dict.fromkeys((ORGANIZER, LISTING, CATEGORY), "content"),
    "tags topics": {ARTICLE: "categories"},
    "tag": {LISTING: "tags"},
    "category section": {LISTING: "category_id"},
    "organizer organiser": {LISTING: "organizers"},
    "weight navorder sidebarposition menuorder position priority sort": dict.fromkeys(
        (PAGE, ORGANIZER, CATEGORY, CUSTOM_FIELD), "order"
    ),
    "url website homepage link websiteurl homepageurl siteurl weburl": {ORGANIZER: "website_url", LISTING: "url"},
    "externalurl redirect redirectto": {PAGE: "external_url"},
    "parent": {CATEGORY: "parent_id"},
    "phone phonenumber telephone tel": {ORGANIZER: "phone", LISTING: "phone_number"},
    "lat": {LISTING: "latitude"},
    "lng lon long": {LISTING: "longitude"},
    "featured pinned sticky": {LISTING: "is_featured"},
}

# Names that authors give to the same fields, in English, German, French, Spanish, Italian, Dutch and Portuguese. They
# are no keys of a generator, so they mean nothing for the other kinds, where they may be custom fields.
_SYNONYMS: Mapping[str, Mapping[Kind, str]] = {
    "titel titre título titolo": dict.fromkeys((ARTICLE, PAGE, CATEGORY, TAG), "title"),
    "fullname displayname bezeichnung nom nombre nome naam titel titre título titolo": dict.fromkeys(
        (LISTING, ORGANIZER), "name"
    ),
    "desc shortdescription shortdesc blurb beschreibung kurzbeschreibung descripción descrizione beschrijving "
    "omschrijving descrição": {
        ARTICLE: "seo.description",
        PAGE: "seo.description",
        ORGANIZER: "description",
        LISTING: "description",
        CATEGORY: "description",
    },
    "mission": dict.fromkeys((LISTING, ORGANIZER), "description"),
    "site webpage webseite webadresse internetseite siteweb sitioweb páginaweb sitoweb": {
        ORGANIZER: "website_url",
        LISTING: "url",
    },
    "telefon telefonnummer téléphone teléfono telefono telefoon telefone": {
        ORGANIZER: "phone",
        LISTING: "phone_number",
    },
    "mail emailaddress emailadresse courriel correo correoelectrónico": dict.fromkeys((ORGANIZER, LISTING), "email"),
    "adresse anschrift dirección indirizzo adres endereço": dict.fromkeys((ORGANIZER, LISTING), "address"),
    "kategorie catégorie categoría categoria categorie": {LISTING: "category_id"},
    "kategorien catégories categorías categorieën": dict.fromkeys((ARTICLE, LISTING), "categories"),
    "schlagwörter schlagworte stichwörter étiquettes etiquetas etichette trefwoorden": {
        ARTICLE: "categories",
        LISTING: "tags",
    },
    "datum fecha": {ARTICLE: "published_at"},
    "bild imagen immagine afbeelding imagem": {ARTICLE: "thumbnail_url", LISTING: "image_url"},
    "breitengrad latitud latitudine breedtegraad": {LISTING: "latitude"},
    "längengrad longitud longitudine lengtegraad": {LISTING: "longitude"},
}

# Keys for which another name is not enough, with advice for each kind.
_ADVICE: Mapping[str, Mapping[Kind, str]] = {
    "category section": {ARTICLE: "write categories, a list"},
    "status state visibility poststatus publishstatus publicationstatus": {
        kind: f"write {field}: true or false" for kind, field in _SHOWN.items()
    },
    "unlisted": {PAGE: "write placement: unlisted", ARTICLE: "to hide the article, write active: false"},
    "archived": {
        PAGE: "to hide the page, write is_published: false",
        ARTICLE: "to hide the article, write active: false",
    },
    "build": {
        PAGE: "to hide the page, write placement: unlisted or is_published: false",
        ARTICLE: "to hide the article, write active: false",
    },
    "expirydate expires expiresat unpublishdate": {
        PAGE: "a page does not expire: to hide it, write is_published: false",
        ARTICLE: "an article does not expire: to hide it, write active: false",
    },
    # For an article, this is a hint only if published_at is also set.
    "publishdate pubdate publishat publishedon": {
        PAGE: "to hide the page until then, write is_published: false",
        ARTICLE: "published_at is also set: write the later of the two dates there",
    },
    "menu menus nav navigation sidebar": {PAGE: "write placement: navbar, footer, sidebar or unlisted"},
    "permalink url path": dict.fromkeys(
        (ARTICLE, PAGE, ORGANIZER, LISTING, CATEGORY, TAG), "the address is made from the slug: set slug to change it"
    ),
    "alias aliases redirectfrom": dict.fromkeys(
        (ARTICLE, PAGE, ORGANIZER), "list it in former_addresses, so that links to these addresses are rewritten"
    ),
    "lang locale language": dict.fromkeys(
        (ARTICLE, ORGANIZER), "the language is part of the file name (hello.fr.md), or a key of translations"
    ),
    "translation translations": dict.fromkeys(
        (PAGE, LISTING, CATEGORY, TAG, CUSTOM_FIELD), "only articles and organizers have translations"
    ),
    "author authors creator": {ARTICLE: "the author is the user who owns the token of the sync"},
    "seo meta": {LISTING: "write seo_title and seo_description", CATEGORY: "write seo_title and seo_description"},
}

# Keys that have no counterpart in the service.
_FOREIGN = (
    "layout template type theme toc showtoc math katex mathjax comments comment share id uuid guid series params "
    "cascade outputs resources sitemap robots noindex updated updatedat updateddate modified modifiedat "
    "lastmod lastmodified lastmodifiedat linktitle readingtime sidebarlabel hidetitle hidetableofcontents editurl "
    "haschildren navexclude eleventynavigation eleventyexcludefromcollections "
    "cssclass cssclasses plugins scripts styles subtitle excerptseparator"
)


def _with_single_keys(table: Mapping[str, Mapping[Kind, str]]) -> dict[str, dict[Kind, str]]:
    """Return a table with a row for each key, from one whose rows each have several keys with spaces between them."""
    by_key: dict[str, dict[Kind, str]] = {}
    for keys, texts_by_kind in table.items():
        for key in keys.split():
            by_key.setdefault(key, {}).update(texts_by_kind)
    return by_key


_FIELD_BY_KEY = _with_single_keys(_FIELDS)
_SYNONYM_BY_KEY = _with_single_keys(_SYNONYMS)
_ADVICE_BY_KEY = _with_single_keys(_ADVICE)
_MEANT_BY_KEY = _SYNONYM_BY_KEY | {
    key: _SYNONYM_BY_KEY.get(key, {}) | fields_by_kind for key, fields_by_kind in _FIELD_BY_KEY.items()
}
_KEYS_OF_GENERATORS = _FIELD_BY_KEY.keys() | _ADVICE_BY_KEY.keys() | set(_FOREIGN.split())


@dataclass(frozen=True, slots=True)
class UnknownKey:
    """A key that the kind does not have, in an entry with `values`.

    `nearest` is the kind's most similar key, or "". The hint suggests `nearest` if the key looks like a misspelling of
    it, or if no other generator uses the key.
    """

    kind: Kind
    key: str
    nearest: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    custom_fields: CustomFields = field(default_factory=dict)
    column: str = ""  # the column in the file, if it is not `key` itself, as `Web.Site` for the key `Web`

    @property
    def intended_field(self) -> str:
        """The field that the key means, with `!` before a field of opposite meaning; "" if unknown or already set."""
        if self.is_mistyped:
            return self.nearest
        field = _MEANT_BY_KEY.get(self._word, {}).get(self.kind, "")
        return field if value_at(self.values, field.removeprefix("!").split(".")) is ABSENT else ""

    @property
    def is_mistyped(self) -> bool:
        is_of_generator = self._word in _KEYS_OF_GENERATORS  # a synonym, such as `titel`, is more often an error
        return bool(self.nearest) and (not is_of_generator or is_typing_error(self.key.lower(), self.nearest))

    @property
    def hint(self) -> str:
        """The advice to the author how to fix the key."""
        kind, key = self.kind, self.key
        if key in RECORDS[kind].read_only:
            return f"the service sets this field: {_delete_or_ignore(kind, self._written)}"
        declared_kind = next((other for other in FIELDABLE if key in self.custom_fields.get(other, ())), None)
        if declared_kind and kind in FIELDABLE:
            return f"{key} is declared for {declared_kind.plural}: set fieldable_type: {kind} in its declaration"
        if self.is_mistyped:
            return did_you_mean_text(self.nearest)
        if field := self.intended_field:
            other = f"{field[1:]} with the opposite value" if field.startswith("!") else field
            return f"write {other}, or set rename = {{ {toml_key(key)} = {_quoted(field)} }} {_table(kind)}"
        if self._hides_entry:
            return f"{hidden_entry_hint(kind)}{self._or_declare}"
        if advice := _ADVICE_BY_KEY.get(self._word, {}).get(kind):
            return f"{advice}; {_delete_or_ignore(kind, self._written, 'this key')}"
        is_of_imported_article = kind is ARTICLE and self._is_of_generator  # so it is hardly meant as a custom field
        if kind in FIELDABLE and not is_of_imported_article:
            return f"{UNDECLARED}; otherwise {_delete_or_ignore(kind, self._written)}"
        return _delete_or_ignore(kind, self._written)

    @property
    def setting(self) -> Setting | None:
        """The config setting that resolves the problem; None if the key is mistyped or may be a custom field.

        None also for `status` and the like, which no field replaces: if it were ignored, drafts would be published. For
        such a key, the value in this entry does not matter, because the setting is for all entries of the kind.
        """
        declared = any(self.key in names for names in self.custom_fields.values())
        may_be_custom_field = declared or (self.kind in FIELDABLE and not self._is_of_generator)
        if self.is_mistyped or may_be_custom_field:
            return None
        if self.intended_field and self.key not in RECORDS[self.kind].read_only:
            return Setting(content_table(self.kind), "rename", self.key, self.intended_field)
        if not HIDING_KEYS.isdisjoint({self._word, normalized_key(self.column)}):
            return None
        return Setting(content_table(self.kind), "ignore", self._written)

    @property
    def _hides_entry(self) -> bool:
        """Whether another generator does not show this entry; if the key were ignored, the entry would be published."""
        if self.kind not in _SHOWN:
            return False
        in_column = value_at(self.values, self.column.split(".")) if self.column else ABSENT
        return may_hide(self.kind, self.key, self.values.get(self.key)) or may_hide(self.kind, self.column, in_column)

    @property
    def _written(self) -> str:
        return self.column or self.key

    @property
    def _or_declare(self) -> str:
        return f"; if it is data, {UNDECLARED}" if self.kind in FIELDABLE else ""

    @property
    def _is_of_generator(self) -> bool:
        word = self._word
        return word in _KEYS_OF_GENERATORS or self.kind in _SYNONYM_BY_KEY.get(word, ())

    @property
    def is_synonym(self) -> bool:
        """Whether the key is another name for a field, and not one of a generator: with the field, it is data."""
        return self._word not in _KEYS_OF_GENERATORS and self.kind in _SYNONYM_BY_KEY.get(self._word, {})

    @property
    def _word(self) -> str:
        return normalized_key(self.key)


def field_of(kind: Kind, key: str) -> str:
    """Return the field that a key of other files means, whatever its spelling; "" if it means none.

    `!` is before a field of the opposite meaning.
    """
    word = normalized_key(key)
    own = next((name for name in RECORDS[kind].rules() if normalized_key(name) == word), "")
    is_renamed = not own and key not in RECORDS[kind].read_only
    return _MEANT_BY_KEY.get(word, {}).get(kind, "") if is_renamed else own


def hidden_entry_hint(kind: Kind) -> str:
    """Return the hint for a key by which another generator hides an entry of a kind that can be hidden."""
    return f"to hide the {kind}, write {_SHOWN[kind]}: false, and delete this key"


def untranslated_key_hint(kind: Kind, nearest: str) -> str:
    """Return the hint for an unknown key in a translation: `nearest`, the hint for a similar key, if there is one."""
    *others, last = RECORDS[kind].translated
    return nearest or f"delete it: only {', '.join(others)} and {last} can be translated"


def _delete_or_ignore(kind: Kind, key: str, pronoun: str = "it") -> str:
    return f"delete {pronoun}, or set ignore = [{_quoted(key)}] {_table(kind)}"


def _table(kind: Kind) -> str:
    return f"under [{content_table(kind)}] in {CONFIG}"


def content_table(kind: Kind) -> str:
    """Return the name of a kind's table in the config."""
    return f"content.{kind.plural.replace(' ', '_')}"


def toml_key(key: str) -> str:
    """Return a key as TOML writes it, quoted if necessary."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _quoted(key)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
