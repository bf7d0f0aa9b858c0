"""Find the picture fields of a draft that name files, and replace each path by the file's address."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...lazy_pattern import lazy_pattern
from ...model import Kind
from ...model.urls import LOCAL_FILES
from ..files.content_folder import CONFIG
from ..files.file_addresses import FileAddresses
from ..formats.draft import Draft, PicturePath, ValuePath, value_at
from ..links.link_forms import split_target
from ..links.link_rewriting import is_asset_path, resolve_asset
from .published_names import PLACEHOLDER_DIGEST, published_name

_SEO = (("seo", "og_image"), ("seo", "card_image"), ("seo", "twitter_image"))
_VALIDATED_NAMES = {"twitter_image": "card_image"}  # names after validation, as in model.kinds.ArticleSeo

# The fields of each kind whose values are addresses of pictures.
PICTURE_FIELDS: Mapping[Kind, tuple[tuple[str, ...], ...]] = {
    Kind.CATEGORY: (("custom_icon_url",),),
    Kind.LISTING: (("image_url",), ("logo_url",), ("video_thumbnail_url",), ("additional_image_urls",)),
    Kind.ORGANIZER: (("logo_url",), ("cover_image_url",)),
    Kind.ARTICLE: (("thumbnail_url",), *_SEO),
}
PICTURE_NAMES = frozenset(path[-1] for fields in PICTURE_FIELDS.values() for path in fields)
# The keys of entries with pictures. Most entries have none of them, and need no look at each field.
_OUTER_KEYS = {kind: frozenset(path[0] for path in fields) for kind, fields in PICTURE_FIELDS.items()}
_OUTER_KEYS[Kind.ARTICLE] |= {"translations"}
# The fields for the alternative texts of pictures; the logo of an organizer has none.
ALTERNATIVE_TEXTS: Mapping[tuple[Kind, str], str] = {
    (Kind.LISTING, "image_url"): "image_alt_text",
    (Kind.LISTING, "logo_url"): "logo_alt_text",
    (Kind.ARTICLE, "thumbnail_url"): "thumbnail_alt_text",
}

_LOCAL = FileAddresses(LOCAL_FILES)
_NOT_A_PATH = lazy_pattern(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|[#?]|\s*\Z")  # another address, or nothing


def collect_pictures(draft: Draft, addresses: FileAddresses, store_base: str | None = None) -> None:
    """Replace the paths in picture fields by addresses, and add each of them to `draft.pictures`.

    Call it before validation. A path may name one of several files (`candidates`): the address is that of the first.
    With `store_base`, it is that in the asset store. The digest in such an address is not known yet, so the address
    contains a placeholder of the same length. A path that leads out of the folder is an error of the draft.
    """
    for path, target in _authored_targets(draft):
        if not is_picture_path(target):
            continue
        field = ".".join(map(str, path))
        where = draft.where(field)
        files = candidates(target, where.path, addresses.asset_folder or "")
        if not files:
            message = f"the path '{target}' in {field} leads out of the content folder"
            draft.fail(field, "missing-asset", message, where, "move the file into the folder, or write a full address")
            continue
        if store_base:
            address = published_address(target, files[0], store_base, PLACEHOLDER_DIGEST)
        else:
            # A picture that has no address is an error, which `PictureChecks.place` reports if this is its file.
            address = file_address(target, files[0], addresses) or file_address(target, files[0], _LOCAL)
        set_value(draft.values, path, address)
        # `PictureChecks.place` uses the field after validation; problems have the name that the author wrote.
        validated_field = ".".join(str(_VALIDATED_NAMES.get(str(part), part)) for part in path)
        draft.pictures.append(PicturePath(target, where.path, where.line, where.column, validated_field))
        text = ALTERNATIVE_TEXTS.get((draft.kind, field))
        if text and not draft.values.get(text):
            message = f"{field} is a picture without an alternative text, which screen readers and search engines read"
            draft.warn("missing-alt-text", message, where, f"describe the picture in {text}")


def picture_paths(draft: Draft) -> list[tuple[str, str]]:
    """Return the name of each picture field with a path, and the path. Call it before validation, which drops some."""
    paths = ((path, target) for path, target in _authored_targets(draft) if is_picture_path(target))
    return [(".".join(map(str, path)), target) for path, target in paths]


def refuse_picture_paths(draft: Draft, paths: Sequence[tuple[str, str]], exists: Callable[[str], bool]) -> None:
    """Report the paths of `picture_paths` as errors, in a folder whose pictures are not files.

    Call it after validation, which accepts any text for some of these fields: a page would show no picture. There, a
    path from the root may be one of the service, unless the folder has the file. `exists` returns whether the folder
    has a file at a path; then the hint is the config with which it is shown.
    """
    for field, target in paths:
        where = draft.where(field)
        names_file = any(map(exists, candidates(target, where.path, asset_folder="")))
        reported = [problem for problem in draft.problems if problem.message.startswith(f"{field} ")]
        takes_any_text = not reported and draft.values.get(field) == target
        if takes_any_text and (names_file or not target.startswith("/")):
            message = f"{field} must be a full address, because the site does not show files of the folder"
            draft.error("bad-url", message, where, "write the full address, such as https://example.org/a.png")
            reported = draft.problems[-1:]
        if names_file:
            lines = '[assets], and below [site] asset_base_url = "https://..."'
            hint = f"to show the file of the folder, write these lines into {CONFIG}: {lines}"
            for index, problem in enumerate(draft.problems):
                if problem in reported and problem.code == "bad-url":
                    draft.problems[index] = replace(problem, hint=hint)


def is_picture_path(value: str) -> bool:
    """Return whether the value of a picture field may be the path of a file; else it is an address or a mistake."""
    return not _NOT_A_PATH.match(value) and is_asset_path(value)


def candidates(target: str, path: str, asset_folder: str) -> list[str]:
    """Return the paths of the files that a target in the file `path` may name, in order; the first existing one counts.

    A target with a slash at its start begins at the asset folder. Another one begins at the folder of the file, or, if
    it does not start with a dot, at the asset folder. A path that leads out of the content folder is left out.
    """
    targets = [target] if target.startswith(("/", "./", "../")) else [target, f"/{target}"]
    files: list[str] = []
    for possible_target in targets:
        file, _query_and_fragment = resolve_asset(possible_target, path, asset_folder)
        if file and file != "." and file not in files:
            files.append(file)
    return files


def file_address(target: str, file: str, addresses: FileAddresses) -> str:
    """Return the address of a file that a target names, with the query and the fragment of the target; "" without one.

    A file that a sync publishes has its `published_address` instead.
    """
    _, query_and_fragment = split_target(target)
    address = addresses.address(file)
    return f"{address}{query_and_fragment}" if address else ""


def published_address(target: str, file: str, store_base: str, digest: str) -> str:
    """Return the address in the asset store of a file that a target names; `digest` is that of the file."""
    _, query_and_fragment = split_target(target)
    return f"{store_base}{published_name(file, digest)}{query_and_fragment}"


def set_value(values: Any, path: ValuePath, value: str) -> None:
    """Replace the value at a path of keys and list indexes."""
    for part in path[:-1]:
        values = values[part]
    values[path[-1]] = value


def _authored_targets(draft: Draft) -> Iterator[tuple[ValuePath, str]]:
    """Yield the path and the text of each value of a picture field, also in translations."""
    if _OUTER_KEYS.get(draft.kind, frozenset()).isdisjoint(draft.values):
        return
    translations = draft.values.get("translations") if draft.kind is Kind.ARTICLE else None
    locales = list(translations) if isinstance(translations, dict) else []
    for field in PICTURE_FIELDS.get(draft.kind, ()):
        prefixes: list[ValuePath] = [()]
        if field[0] == "seo":  # the other pictures are the same in all languages
            prefixes += (("translations", locale) for locale in locales)
        for prefix in prefixes:
            path = (*prefix, *field)
            value = value_at(draft.values, path)
            if isinstance(value, str):
                yield path, value
            elif isinstance(value, list):
                yield from (((*path, index), item) for index, item in enumerate(value) if isinstance(item, str))
