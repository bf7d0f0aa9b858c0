"""Propose what the keys of entries mean: `rename`, `ignore`, custom fields, and the categories and tags they name."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import yaml

from ...content.config.collection_settings import CollectionSettings, DocumentSettings
from ...content.config.hiding_keys import STATE_KEYS, normalized_key
from ...content.config.unknown_keys import UnknownKey, content_table, field_of
from ...errors import Setting
from ...lazy_pattern import lazy_pattern
from ...model import FIELDABLE, RECORDS, Context, Invalid, Kind, nearest, validate
from ...model.field_types import CHECKED, MAX_ITEMS
from ...model.slug import make_name, make_slug, with_number
from .key_evidence import WORD_BOUNDARY, are_names, are_pictures, has_addresses, has_title_word, misfit
from .key_survey import MAX_VALUES, KeyUse, Survey
from .proposed_settings import ProposedSetting

_MIN_SHARE = 0.02  # of the entries: a key that fewer have is not a custom field
_MIN_HEADLESS = 0.5  # of the entries without a title: if more have no heading, the names of the files are titles
_MOST = 0.9  # of the entries: a key that so many have may be their name
_MAX_BOTH = 0.02  # of the entries with a key: the entries that may have both of two keys for one field
_IMAGE = lazy_pattern(r"(?:thumbnail_url|\w*image_url|logo_url|custom_icon_url|seo\.\w+_image)\Z")
_VOCABULARY_FIELDS: Mapping[str, Kind] = {"category_id": Kind.CATEGORY, "categories": Kind.CATEGORY, "tags": Kind.TAG}
_MAX_TITLE = 255  # characters of the title of a category or tag
_LIST_FIELDS = frozenset({"categories", "tags"})
_SHOW_THEIR_LABEL = frozenset({"checkbox", "url"})  # types of custom fields
# Keys of other generators that are columns of data in a list.
_IDENTIFIERS = frozenset({"id", "uuid", "guid"})
_DATA_OF_LISTINGS = STATE_KEYS | {"type", "theme", "series", "language", "author", "authors", "keywords", "date"}

Definition = dict[str, Any]
Undeclared = Literal["declare", "ignore", "keep"]


class KeyProposals(NamedTuple):
    """The settings for the keys of a kind."""

    settings: list[ProposedSetting]
    definitions: list[Definition]  # the custom fields to declare
    fields: Mapping[str, str]  # from each key that has a field to this field
    notes: list[str]


def propose_keys(
    survey: Survey,
    collection: CollectionSettings,
    declared: Collection[str],
    *,
    pictures: Collection[str] = (),
    undeclared: Undeclared = "declare",
) -> KeyProposals:
    """Return the proposals for the keys of a kind that are neither fields nor in its config.

    `declared` are the names of its custom fields, and `pictures` the keys whose values are files of the folder.
    `undeclared` says whether keys that may be custom fields are declared, ignored, or kept as errors.
    """
    return _KeyProposer(survey, collection, declared, pictures, undeclared).result()


class _KeyProposer:
    """Collects the proposals of `propose_keys`."""

    def __init__(
        self,
        survey: Survey,
        collection: CollectionSettings,
        declared: Collection[str],
        pictures: Collection[str],
        undeclared: Undeclared,
    ) -> None:
        self._survey = survey
        self._pictures = pictures
        self._undeclared = undeclared
        self._kind = survey.kind
        self._table = content_table(survey.kind)
        self._declared = set(declared)  # the names of custom fields
        self._field_names = {*RECORDS[survey.kind].rules(), "sync"}
        self._keys_with_setting = {*collection.rename, *collection.ignored_keys}
        self._may_name_by_file = isinstance(collection, DocumentSettings) and collection.title == "front-matter"
        self._address_keys = collection.address_keys if isinstance(collection, DocumentSettings) else ()
        self._keys_with_setting.update(self._address_keys)
        self._keys_by_field: dict[str, list[str]] = {}  # by field: the keys that mean it
        self._result = KeyProposals(settings=[], definitions=[], fields={}, notes=[])
        self._field_by_key: dict[str, str] = {}  # by key: the field that it means
        for key, target in collection.rename.items():
            if key in survey.keys:
                self._record_meaning(key, target)

    def result(self) -> KeyProposals:
        """Propose settings for all keys, the most frequent key of each field first, and return them; call it once."""
        keys = self._survey.keys
        by_frequency = sorted(keys, key=lambda key: -len(keys[key].entries))
        for key in by_frequency:
            if _top_key(key) in self._field_names or key in self._declared:
                self._record_meaning(key, target=key)
        self._propose_title()
        self._propose_markdown()
        for key in by_frequency:
            if self._is_new(key):
                self._propose(key, keys[key])
            elif key in self._address_keys and (hidden := keys[key].hidden):
                what = f"{key}: false, by which an entry has no page, stays an error"
                self._result.notes.append(f"{what} ({self._kind.counted(len(hidden))})")
        for key, count in self._survey.empty_keys.items():
            has_name = bool(key)  # a column without a name is a mistake, which stays an error
            if has_name and key not in keys and self._is_new(key):
                self._ignore(key, count)
        return self._result._replace(fields=self._field_by_key)

    def _is_new(self, key: str) -> bool:
        """Return whether a key is neither a field nor in the config, and no setting was proposed for it."""
        return {key, _top_key(key)}.isdisjoint({*self._field_names, *self._declared, *self._keys_with_setting})

    def _record_meaning(self, key: str, target: str) -> None:
        """Record that a key means a field; `target` is the field, with `!` before it if the key means the opposite."""
        self._field_by_key[key] = target
        self._keys_by_field.setdefault(target.removeprefix("!"), []).append(key)

    def _propose_title(self) -> None:
        """Rename the key that probably has the titles to the title field, unless another key has this field already."""
        title = RECORDS[self._kind].title_field
        if title in self._keys_by_field or any(field_of(self._kind, key) == title for key in self._survey.keys):
            return
        for key, use in self._survey.keys.items():
            if (
                has_title_word(key)
                and use.texts > _MOST * self._survey.entries
                and key not in self._field_names
                and self._setting_of(key) is None
            ):
                self._rename(key, title, use)
                self._keys_with_setting.add(key)
                return
        if self._kind is Kind.LISTING:
            self._propose_first_column(title)
        elif self._may_name_by_file and self._survey.headless > _MIN_HEADLESS * self._survey.entries:
            count = self._kind.counted(self._survey.entries)
            self._result.settings.append(ProposedSetting(self._table, "title", "file-name", comment=count))

    def _propose_first_column(self, title: str) -> None:
        """Rename the first key of unknown meaning to the title field, if its texts tell the entries apart."""
        key = next(filter(self._is_unknown, self._survey.keys), None)
        if key is None:
            return
        use, entries = self._survey.keys[key], self._survey.entries
        expected_texts = min(entries, MAX_VALUES)  # the survey collects at most MAX_VALUES different values of a key
        if use.texts > _MOST * entries and are_names(use.values, expected_texts):
            self._result.notes.append(f"{key} is taken for the names of the listings, because its texts differ")
            self._rename(key, title, use)
            self._keys_with_setting.add(key)  # so nothing more is proposed for it

    def _is_unknown(self, key: str) -> bool:
        return self._is_new(key) and not field_of(self._kind, key) and self._setting_of(key) is None

    def _propose_markdown(self) -> None:
        """Rename the description of listings to `content` if many are Markdown: only `content` is rendered."""
        if self._kind is not Kind.LISTING or "content" in self._keys_by_field or "content" in self._survey.keys:
            return
        for key, use in self._survey.keys.items():
            is_description = key not in self._keys_with_setting and "description" in (key, field_of(self._kind, key))
            if is_description and use.markdown >= max(2, _MIN_SHARE * len(use.entries)):
                self._keys_by_field.pop("description", None)  # another key may be renamed to `description` now
                self._rename(key, "content", use)
                self._keys_with_setting.add(key)
                return

    def _propose(self, key: str, use: KeyUse) -> None:
        """Propose to rename a key, to ignore it, or a custom field; nothing for a key that is probably mistyped."""
        field = field_of(self._kind, key)
        if field:
            self._rename(key, field, use)
        elif use.hidden or use.excluded:
            self._keep_error(key, use)
        elif self._is_data_of_listings(key, use):
            self._declare(key, use)
        elif use.hides_entry or self._setting_of(key) is not None:
            # another generator has the key, for which there is no field
            self._ignore(key, len(use.entries))
        elif not self._is_mistyped(key, use):
            self._declare(key, use)

    def _keep_error(self, key: str, use: KeyUse) -> None:
        """Explain why a key gets no setting: if it were ignored, the entries that it hides would be published."""
        value = f"'{use.hiding_value}'" if use.hiding_value else "its value"
        count = self._kind.counted(len(use.hidden) + use.excluded)
        self._keys_with_setting.add(key)
        self._result.notes.append(
            f"{key} stays an error, because {value} may mean that an entry is not shown ({count})"
        )

    def _is_data_of_listings(self, key: str, use: KeyUse) -> bool:
        """Return whether a key, such as the `Type` or `State` of places, or another column, has values that differ."""
        is_column = any(key in columns for columns in self._survey.columns.values())
        may_be_data = normalized_key(key) in _DATA_OF_LISTINGS or (
            is_column and normalized_key(key) not in _IDENTIFIERS
        )
        return self._kind is Kind.LISTING and may_be_data and len(use.values) > 1

    def _setting_of(self, key: str) -> Setting | None:
        """Return the setting (`rename` or `ignore`) for a key that other generators use; None for another key."""
        return UnknownKey(self._kind, key).setting

    def _is_mistyped(self, key: str, use: KeyUse) -> bool:
        """Return whether a rare key is probably a typing error, which stays an error."""
        if len(use.entries) > max(1, _MIN_SHARE * self._survey.entries):
            return False
        return UnknownKey(self._kind, key, nearest(key, self._field_names) or "").is_mistyped

    def _rename(self, key: str, target: str, use: KeyUse) -> None:
        """Propose to rename a key, or to ignore it if its values do not fit or many entries have the field already."""
        field = target.removeprefix("!")  # `!` negates the value of a flag
        count = len(use.entries)
        is_synonym = UnknownKey(self._kind, key).is_synonym
        if _IMAGE.match(field) and key not in self._pictures and not has_addresses(use):
            what = f"{key} of {self._kind.counted(count)} is neither an address nor a file"
            self._result.notes.append(f"{what}, one of which {field} must be, so it is ignored")
            self._ignore(key, count)
        elif is_synonym and (reason := misfit(field, use)):
            self._result.notes.append(f"{key} is not read as {field}, because {reason}")
            self._declare(key, use)
        elif others := self._others_of_the_same_entries(key, field):
            if is_synonym:
                self._declare(key, use)  # such as a `mission` beside a `description`
            elif {*use.hidden} <= {number for other in others for number in self._survey.keys[other].hidden}:
                self._ignore(key, count)  # entries with both keys have the value of the more frequent one
            else:
                self._keep_error(key, use)
        else:
            self._record_meaning(key, target)
            self._note_checked_boxes(key, use)
            self._note_empty_flag(key, target)
            self._result.settings.append(ProposedSetting(self._table, "rename", target, key, self._kind.counted(count)))

    def _note_checked_boxes(self, key: str, use: KeyUse) -> None:
        if use.values and {value.casefold() for value in use.values} <= CHECKED:
            self._result.notes.append(
                f"'{next(iter(use.values))}' of {key} is not a boolean: write true or false instead"
            )

    def _note_empty_flag(self, key: str, target: str) -> None:
        """Name the entries in which a flag such as `published` is empty, which may mean that they are hidden."""
        rule = RECORDS[self._kind].rules().get(target)
        empty = self._survey.empty_keys.get(key)
        if empty and rule is not None and rule.default is True:
            note = f"an entry with an empty {key} is shown ({self._kind.counted(empty)}): write false to hide it"
            self._result.notes.append(note)

    def _others_of_the_same_entries(self, key: str, field: str) -> list[str]:
        """Return the other keys for a field, or the object around it, that many entries with this key have, too.

        A table with columns for both keys counts as many, because its rows have both, though the cells may be empty.
        """
        others = [*self._keys_by_field.get(field, ())]
        if "." in field:
            others += self._keys_by_field.get(_top_key(field), ())
        if not others:
            return []
        entries = {*self._survey.keys[key].entries}
        return [
            other
            for other in others
            if len(entries.intersection(self._survey.keys[other].entries)) > _MAX_BOTH * len(entries)
            or any({key, other} <= columns for columns in self._survey.columns.values())
        ]

    def _ignore(self, key: str, count: int) -> None:
        self._keys_with_setting.add(key)
        self._result.settings.append(
            ProposedSetting(self._table, "ignore", key, comment=self._kind.counted(count), is_item=True)
        )

    def _declare(self, key: str, use: KeyUse) -> None:
        """Propose a custom field for a key.

        Ignore the key if it is rare, if no custom field can have its values, or if there is a custom field of its name.
        """
        definition = _definition(key, use, self._kind) if self._kind in FIELDABLE else None
        is_rare = len(use.entries) < max(2, _MIN_SHARE * self._survey.entries)
        is_unfit = use.objects or are_pictures(use)
        is_taken = definition is None or definition["name"] in self._declared
        if definition is None or is_rare or is_unfit or is_taken or self._undeclared == "ignore":
            self._ignore(key, len(use.entries))
            return
        if self._undeclared == "keep":
            count = self._kind.counted(len(use.entries))
            self._result.notes.append(f"{key} of {count} stays an error: declare it as a custom field, or ignore it")
            return
        self._note_checked_boxes(key, use)
        self._declared.add(definition["name"])
        self._result.definitions.append(definition)
        if definition["name"] != key:
            comment = self._kind.counted(len(use.entries))
            setting = ProposedSetting(self._table, "rename", key=key, value=definition["name"], comment=comment)
            self._result.settings.append(setting)


def _top_key(key: str) -> str:
    """Return the key of the object that contains a dotted key, as `seo` of `seo.title`; else the key itself."""
    return key.partition(".")[0]


def _definition(key: str, use: KeyUse, kind: Kind) -> Definition | None:
    """Return the definition of a custom field for a key; None if the service does not accept one."""
    label = WORD_BOUNDARY.sub(" ", key).strip()
    definition = {"label": label[:1].upper() + label[1:], "name": _name(key), **use.field_type()}
    if definition["type"] not in _SHOW_THEIR_LABEL:
        definition["show_label"] = True
    if kind is not Kind.LISTING:
        definition["fieldable_type"] = kind.value
    try:
        validate(Kind.CUSTOM_FIELD, definition, Context(authored=True))
    except Invalid:
        return None
    return definition


def _name(key: str) -> str:
    """Return the name of a custom field for a key: the key itself if the service accepts it, else in snake_case."""
    try:
        validate(Kind.CUSTOM_FIELD, {"label": "x", "name": key, "type": "text"}, Context(authored=True))
    except Invalid:
        return make_name(WORD_BOUNDARY.sub("_", key))
    return key


def merged_definitions(definitions: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the custom fields without a second one of the same name, at most as many as a folder may declare."""
    by_name: dict[str, Mapping[str, Any]] = {}
    for definition in definitions:
        by_name.setdefault(definition["name"], definition)
    return [*by_name.values()][:MAX_ITEMS]


def used_names(survey: Survey, fields: Mapping[str, str], separators: str = "|") -> Mapping[Kind, Counter[str]]:
    """Return the categories and tags that listings name, with how often; `fields` maps each key to its field.

    `separators` are the characters that may separate the items of a list in a cell.
    """
    separator = re.compile(f"[{re.escape(separators)}]")
    names: dict[Kind, Counter[str]] = {Kind.CATEGORY: Counter(), Kind.TAG: Counter()}
    for key, field in fields.items():
        kind = _VOCABULARY_FIELDS.get(field)
        if kind is None:
            continue
        for value, count in survey.keys[key].values.items():
            for name in separator.split(value) if field in _LIST_FIELDS else [value]:
                if name.strip():
                    names[kind][name.strip()] += count
    return names


def vocabulary_entries(names: Counter[str]) -> list[dict[str, str]]:
    """Return an entry for each name, in alphabetical order. Spellings that differ in case share the most frequent one.

    Names with equal slugs get a number. A name without a letter or digit gets no entry.
    """
    titles: dict[str, str] = {}
    for name, _ in names.most_common():
        if len(name) <= _MAX_TITLE and make_slug(name):
            titles.setdefault(name.casefold(), name)
    # A title that is also a slug gets it: a listing with `net` names this tag, and not one with the title `.NET`.
    in_order = sorted(titles.values(), key=lambda title: (title.casefold() != make_slug(title), title.casefold()))
    slug_by_title: dict[str, str] = {}
    slugs: set[str] = set()
    for title in in_order:
        slug = make_slug(title)
        number = 2
        while slug in slugs:
            slug = with_number(make_slug(title), number)
            number += 1
        slugs.add(slug)
        slug_by_title[title] = slug
    return [{"title": title, "slug": slug_by_title[title]} for title in sorted(slug_by_title, key=str.casefold)]


def list_file(entries: Sequence[Mapping[str, Any]], heading: str) -> bytes:
    """Return a YAML file with a list of entries, below a comment."""
    text = yaml.dump([*entries], Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=110)
    return f"# {heading}\n{text}".encode()


class _Dumper(yaml.SafeDumper):
    """Writes a PlainScalar, such as an option that was read as `.NET` or `2024`, as text."""


_Dumper.add_multi_representer(str, lambda dumper, text: dumper.represent_str(str(text)))
