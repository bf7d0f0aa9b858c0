"""The languages of the pages: their texts, dates and names."""

from collections.abc import Mapping
from datetime import date, datetime, tzinfo
from functools import lru_cache
from typing import Any

DEFAULT = "en"


# The texts by key. A bar separates the singular of a text from its plural.
ENGLISH: Mapping[str, str] = {
    "skip": "Skip to the content",
    "main_menu": "Main menu",
    "menu": "Menu",
    "side_menu": "More pages",
    "footer_menu": "Footer",
    "language": "Language",
    "breadcrumbs": "Where you are",
    "home": "Home",
    "listings": "Listings",
    "categories": "Categories",
    "tags": "Tags",
    "articles": "Articles",
    "blog": "Blog",
    "blog_of": "Blog of {name}",
    "search": "Search",
    "find": "Search",
    "search_hint": "Name, description, category or tag",
    "category": "Category",
    "tag": "Tag",
    "by_category": "Listings by category",
    "any_category": "All categories",
    "any_tag": "All tags",
    "any_value": "Any",
    "show": "Show",
    "filters": "Filters",
    "n_filters": "{n} filter|{n} filters",
    "sort": "Sort by",
    "sort_best": "Best match first",
    "sort_featured": "Featured first",
    "sort_newest": "Newest first",
    "sort_name": "Name",
    "clear": "Clear the filters",
    "remove_filter": "Remove filter:",
    "n_listings": "{n} listing|{n} listings",
    "more_than_n_listings": "More than {n} listing|More than {n} listings",
    "shown_instead": "Nothing has “{text}”. These are the results for “{other}”.",
    "at_least": "at least",
    "at_most": "at most",
    "no_listings": "No listing fits.",
    "try_else": "Try other words or fewer filters, or look at a category:",
    "try_words": "Try other words or fewer filters.",
    "all_listings": "All listings",
    "no_listings_yet": "There is no listing here yet.",
    "no_articles": "There is no article here yet.",
    "found_for": "“{text}”",
    "featured": "Featured",
    "expired": "Expired",
    "ended": "Ended on {date}",
    "until": "Until {date}",
    "pages": "Pages",
    "page": "Page {number}",
    "page_of": "Page {number} of {last}",
    "previous": "Previous page",
    "next": "Next page",
    "website": "Website",
    "email": "E-mail",
    "phone": "Telephone",
    "address": "Address",
    "map": "Show on a map",
    "elsewhere": "Elsewhere",
    "facts": "At a glance",
    "related": "Similar listings",
    "pictures": "Pictures",
    "picture": "Picture {number} of {name}",
    "video": "Video",
    "watch": "Watch the video",
    "published": "Published on {date}",
    "all_articles": "All articles",
    "new_tab": "(opens in a new tab)",
    "rating": "{value} of 5",
    "rating_short": "{value}/5",
    "yes": "Yes",
    "no": "No",
    "not_found": "Page not found",
    "not_found_text": "There is no such page, or it is no longer shown.",
    "busy": "Too many visitors are searching",
    "busy_text": "The site cannot show this page at the moment. Please try again in a few seconds.",
    "try_again": "Try again",
    "to_home": "Go to the home page",
    "organizer": "Organizer",
    "organizers": "Organizers",
}

FRENCH: Mapping[str, str] = {
    "skip": "Aller au contenu",
    "main_menu": "Menu principal",
    "menu": "Menu",
    "side_menu": "Autres pages",
    "footer_menu": "Pied de page",
    "language": "Langue",
    "breadcrumbs": "Fil d’Ariane",
    "home": "Accueil",
    "listings": "Fiches",
    "categories": "Catégories",
    "tags": "Étiquettes",
    "articles": "Articles",
    "blog": "Blog",
    "blog_of": "Blog de {name}",
    "search": "Recherche",
    "find": "Rechercher",
    "search_hint": "Nom, description, catégorie ou étiquette",
    "category": "Catégorie",
    "tag": "Étiquette",
    "by_category": "Fiches par catégorie",
    "any_category": "Toutes les catégories",
    "any_tag": "Toutes les étiquettes",
    "any_value": "Peu importe",
    "show": "Afficher",
    "filters": "Filtres",
    "n_filters": "{n} filtre|{n} filtres",
    "sort": "Trier par",
    "sort_best": "Les plus pertinentes",
    "sort_featured": "À la une d’abord",
    "sort_newest": "Les plus récentes",
    "sort_name": "Nom",
    "clear": "Effacer les filtres",
    "remove_filter": "Retirer le filtre :",
    "n_listings": "{n} fiche|{n} fiches",
    "more_than_n_listings": "Plus de {n} fiche|Plus de {n} fiches",
    "shown_instead": "Rien ne contient « {text} ». Voici les résultats pour « {other} ».",
    "at_least": "au moins",
    "at_most": "au plus",
    "no_listings": "Aucune fiche ne correspond.",
    "try_else": "Essayez d’autres mots ou moins de filtres, ou choisissez une catégorie :",
    "try_words": "Essayez d’autres mots ou moins de filtres.",
    "all_listings": "Toutes les fiches",
    "no_listings_yet": "Il n’y a pas encore de fiche ici.",
    "no_articles": "Il n’y a pas encore d’article ici.",
    "found_for": "« {text} »",
    "featured": "À la une",
    "expired": "Expiré",
    "ended": "Terminé le {date}",
    "until": "Jusqu’au {date}",
    "pages": "Pages",
    "page": "Page {number}",
    "page_of": "Page {number} sur {last}",
    "previous": "Page précédente",
    "next": "Page suivante",
    "website": "Site web",
    "email": "Courriel",
    "phone": "Téléphone",
    "address": "Adresse",
    "map": "Voir sur une carte",
    "elsewhere": "Ailleurs",
    "facts": "En bref",
    "related": "Fiches semblables",
    "pictures": "Images",
    "picture": "Image {number} de {name}",
    "video": "Vidéo",
    "watch": "Voir la vidéo",
    "published": "Publié le {date}",
    "all_articles": "Tous les articles",
    "new_tab": "(s’ouvre dans un nouvel onglet)",
    "rating": "{value} sur 5",
    "rating_short": "{value}/5",
    "yes": "Oui",
    "no": "Non",
    "not_found": "Page introuvable",
    "not_found_text": "Cette page n’existe pas ou n’est plus affichée.",
    "busy": "Trop de visiteurs font une recherche",
    "busy_text": "Le site ne peut pas afficher cette page pour le moment. Veuillez réessayer dans quelques secondes.",
    "try_again": "Réessayer",
    "to_home": "Aller à l’accueil",
    "organizer": "Organisateur",
    "organizers": "Organisateurs",
}

WORDS: Mapping[str, Mapping[str, str]] = {"en": ENGLISH, "fr": FRENCH}

MONTHS: Mapping[str, str] = {
    "en": "January February March April May June July August September October November December",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
}

# Names for the language menu; other languages are shown by their code.
NAMES: Mapping[str, str] = {
    "ar": "العربية",
    "bg": "Български",
    "ca": "Català",
    "cs": "Čeština",
    "da": "Dansk",
    "de": "Deutsch",
    "el": "Ελληνικά",
    "en": "English",
    "es": "Español",
    "et": "Eesti",
    "eu": "Euskara",
    "fi": "Suomi",
    "fr": "Français",
    "ga": "Gaeilge",
    "he": "עברית",
    "hr": "Hrvatski",
    "hu": "Magyar",
    "it": "Italiano",
    "ja": "日本語",
    "ko": "한국어",
    "lt": "Lietuvių",
    "lv": "Latviešu",
    "nb": "Norsk bokmål",
    "nl": "Nederlands",
    "pl": "Polski",
    "pt": "Português",
    "ro": "Română",
    "sk": "Slovenčina",
    "sl": "Slovenščina",
    "sv": "Svenska",
    "tr": "Türkçe",
    "uk": "Українська",
    "zh": "中文",
}
# The labels of organizers that need no translator: the default, in both English spellings.
_USUAL_LABELS = frozenset({"Organizer", "Organiser"})
RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur", "yi", "ps"})


class Language:
    """The texts of a locale such as `fr` or `fr-CA`; in English if the language has no texts."""

    def __init__(self, locale: str, zone: tzinfo) -> None:
        """Use the texts of a language, English if the site has no texts in it, and a time zone for dates."""
        self._zone = zone
        base = locale.partition("-")[0]
        self.code, self.base = (locale, base) if base in WORDS else (DEFAULT, DEFAULT)
        self.direction = direction(self.code)
        self._words = WORDS[self.base]

    def __call__(self, key: str, **values: Any) -> str:
        """Return the text of a key, with the values in it; the value `n` selects the singular or the plural."""
        text = self._words[key]
        if "n" in values:
            singular, _bar, plural = text.partition("|")
            # Zero is singular in French and plural in English.
            is_singular = values["n"] == 1 or (values["n"] == 0 and self.base == "fr")
            text = singular if is_singular else plural
        return text.format(**values) if values else text

    def date(self, instant: str) -> str:
        """Return in words an ISO date, or the date that a timestamp in wire form has in the time zone."""
        is_date = len(instant) == len("2026-03-01")
        shown = date.fromisoformat(instant) if is_date else datetime.fromisoformat(instant).astimezone(self._zone)
        month_name = MONTHS[self.base].split()[shown.month - 1]
        day = "1er" if self.base == "fr" and shown.day == 1 else str(shown.day)
        return f"{day} {month_name} {shown.year}"

    def label(self, label: str, *, plural: bool = False) -> str:
        """Return a directory's label for organizers in this language, as singular or plural.

        Only the usual label can be translated. In other languages than English, other labels stay as they are.
        """
        if self.base != DEFAULT:
            if label in _USUAL_LABELS:
                return self("organizers" if plural else "organizer")
            return label
        has_simple_plural = label.isascii() and label[-1:].isalpha() and not label.endswith("s")
        if not plural or not has_simple_plural:
            return label
        if label.endswith("y") and label[-2:-1] not in "aeiou":  # "Company", but not "Holiday"
            return f"{label[:-1]}ies"
        return f"{label}s"


@lru_cache(maxsize=64)
def language(locale: str, zone: tzinfo) -> Language:
    """Return the `Language` of a locale and a time zone, from a cache."""
    return Language(locale, zone)


def direction(locale: str) -> str:
    """Return the text direction of a locale: ltr or rtl."""
    return "rtl" if locale.partition("-")[0] in RIGHT_TO_LEFT else "ltr"


def language_name(locale: str) -> str:
    """Return the name of a locale's language in that language, with the region in brackets."""
    base, _hyphen, region = locale.partition("-")
    name = NAMES.get(base, base)
    return f"{name} ({region})" if region else name
