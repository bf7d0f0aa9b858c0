"""Hugo: https://gohugo.io/documentation, with its rules for drafts, dates, build options, cascades and bundles."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from ....model import Kind
from ....model.scalar import parse_instant
from ..repository_tree import RepositoryTree
from .generated_site import Generator, Site
from .generator_rules import ContentSource, GeneratorRules, Hidden, SiteFiles, flag, matches_regex, unread_regexes

_CONFIGS = ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json")
# Other programs have configs of these names too, so Hugo's content folder must exist.
_AMBIGUOUS = ("config.toml", "config.yaml", "config.yml", "config.json")
_FOLDER = "config/_default"
_SECTION = "_index"  # the name of the page of a section
_BUNDLE = "index"  # the name of the entry in a folder of its own, a leaf bundle
_BUILD_KEYS = ("build", "_build")


class _Given(NamedTuple):
    """A value of a key that hides entries, and where it is written; "" for the entry itself."""

    value: Any
    origin: str = ""


def _applies(site: Site, tree: RepositoryTree) -> bool:
    return site.evidence.rpartition("/")[2] in _CONFIGS or tree.has_folder(_content(site))


def _content(site: Site) -> str:
    return site.path(site.text("contentDir") or "content")


def _root_folders(site: Site) -> Iterator[str]:
    module = site.settings.get("module")
    folders = site.settings.get("staticDir") or "static"
    if not (isinstance(module, dict) and module.get("mounts")):  # which may name other folders
        listed = folders if isinstance(folders, list) else [folders]
        yield from (site.path(folder) for folder in listed if isinstance(folder, str))


def _sources(site: Site, tree: RepositoryTree) -> Iterator[ContentSource]:
    yield ContentSource(_content(site), Kind.PAGE, has_sections=True)


def _address(site: Site, kind: Kind, path: str) -> str:
    """Return the pattern that the config sets for a section, else Hugo's default."""
    patterns = site.settings.get("permalinks")
    if isinstance(patterns, dict) and isinstance(patterns.get("page"), dict):
        patterns = patterns["page"]  # as in newer releases
    pattern = patterns.get(path.rpartition("/")[2]) if isinstance(patterns, dict) else None
    return pattern if isinstance(pattern, str) else "/:sections/:slugorfilename/"


def _hidden(files: SiteFiles) -> Iterator[Hidden]:
    site = files.site
    content = _content(site)
    documents = [path for path in files.documents() if path.startswith(f"{content}/")]
    bundles = {folder for folder, stem in map(_place, documents) if stem == _BUNDLE}
    cascades = dict(_cascades(files, documents, content))
    for path in documents:
        folder, stem = _place(path)
        inner = path.removeprefix(f"{content}/")
        if stem == _SECTION:
            yield Hidden(path, "it is the page of a section, which lists its entries", path.rpartition("/")[2])
        elif pattern := _ignored_by(site, path):
            yield Hidden(path, f"ignoreFiles has {pattern}")
        elif bundle := _bundle_of(folder, stem, bundles):
            yield Hidden(path, f"it belongs to the entry in {bundle}")
        elif hidden := _unpublished(files, path, _values(files, path, inner, cascades)):
            yield hidden


def _place(path: str) -> tuple[str, str]:
    """Return the folder of a file, and the name without language and suffix."""
    folder, _, name = path.rpartition("/")
    return folder, name.partition(".")[0]


def _bundle_of(folder: str, stem: str, bundles: set[str]) -> str:
    """Return the leaf bundle that a document belongs to without being its entry; "" without one."""
    if folder in bundles and stem != _BUNDLE:
        return folder
    parents = [folder[: match.start()] for match in re.finditer("/", folder)]
    return next((parent for parent in parents if parent in bundles), "")


def _ignored_by(site: Site, path: str) -> str:
    return next((pattern for pattern in _ignored_files(site) if matches_regex(pattern, f"/{path}")), "")


def _ignored_files(site: Site) -> list[str]:
    """Return the regular expressions of `ignoreFiles`."""
    patterns = site.settings.get("ignoreFiles")
    listed = [patterns] if isinstance(patterns, str) else patterns if isinstance(patterns, list) else []
    return [pattern for pattern in listed if isinstance(pattern, str)]


def _cascades(files: SiteFiles, documents: list[str], content: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the cascades of the config, as those of the content folder's parent, and of the pages of sections."""
    yield "", _as_items(files.site.settings.get("cascade"))
    for path in documents:
        _folder, stem = _place(path)
        if stem == _SECTION and (items := _as_items(_lower(files.front_matter(path)).get("cascade"))):
            yield path, items


def _as_items(cascade: Any) -> list[dict[str, Any]]:
    items = cascade if isinstance(cascade, list) else [cascade]
    return [_lower(item) for item in items if isinstance(item, dict)]


def _lower(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with keys in lower case: their case makes no difference to Hugo."""
    return {str(key).lower(): value for key, value in values.items()}


def _values(
    files: SiteFiles, path: str, inner: str, cascades: Mapping[str, list[dict[str, Any]]]
) -> Mapping[str, _Given]:
    """Return the values that decide about an entry: those of cascades, the nearest last, then its own."""
    values: dict[str, _Given] = {}
    for source in sorted(cascades, key=len):  # a section's page is in a folder above, so its path is shorter
        folder = source.rpartition("/")[0]
        if source and not path.startswith(f"{folder}/"):
            continue
        origin = f"cascade of {source or files.site.evidence}"
        for item in cascades[source]:
            if _is_target(item, inner):
                given = {**item, **_lower(item["params"])} if isinstance(item.get("params"), dict) else item
                values |= {key: _Given(value, origin) for key, value in given.items()}
    return values | {key: _Given(value) for key, value in _lower(files.front_matter(path)).items()}


def _is_target(item: Mapping[str, Any], inner: str) -> bool:
    """Return whether a cascade is for the entry at a path below the content folder."""
    target = item.get("target", item.get("_target"))
    for each in target if isinstance(target, list) else [target]:
        if not isinstance(each, dict):
            return True
        each = _lower(each)
        path = "/" + re.sub(r"(/index)?(\.[^/.]+)*\Z", "", inner)
        kinds = str(each.get("kind", "page")).strip("{}").split(",")
        if "page" in kinds and fnmatchcase(path.lower(), str(each.get("path", "*")).lower().replace("**", "*")):
            return True
    return False


def _unpublished(files: SiteFiles, path: str, values: Mapping[str, _Given]) -> Hidden | None:
    settings = files.site.settings

    def found(key: str, text: str) -> Hidden:
        origin = values[key].origin
        return Hidden(path, f"{text} in the {origin}" if origin else text, key="" if origin else key)

    if _is_true(values, "draft") and not flag(settings.get("buildDrafts")):
        return found("draft", "draft = true")
    for key in _BUILD_KEYS:
        options = values[key].value if key in values else None
        if isinstance(options, dict):
            for name, shown in (("render", ("always", "true")), ("list", ("always", "local", "true"))):
                if str(options.get(name, shown[0])).lower() not in shown:
                    return found(key, f"{key}.{name} = {options[name]}")._replace(key="")
    if _is_true(values, "headless"):
        return found("headless", "headless = true")
    expiry = next((key for key in ("expirydate", "unpublishdate") if key in values), "")
    if expiry and not flag(settings.get("buildExpired")) and _is_before(values[expiry].value, files):
        return found(expiry, "its expiryDate is past")._replace(key="")
    start = next((key for key in ("publishdate", "pubdate", "published", "date") if key in values), "")
    if start and not flag(settings.get("buildFuture")) and _is_before(values[start].value, files) is False:
        return found(start, "its date is in the future, and buildFuture is off")._replace(
            key="date" if start == "date" else ""
        )
    return None


def _is_true(values: Mapping[str, _Given], key: str) -> bool:
    return key in values and flag(values[key].value) is True


def _is_before(date: Any, files: SiteFiles) -> bool | None:
    """Return whether a date is past; None if it is not a date."""
    try:
        return parse_instant(str(date), UTC) <= files.now
    except ValueError:
        return None


def _notes(files: SiteFiles) -> Iterator[str]:
    module = files.site.settings.get("module")
    if isinstance(module, dict) and (module.get("mounts") or module.get("imports")):
        yield f"{files.site.evidence} mounts folders with [module]: only {_content(files.site)} is read"
    yield from unread_regexes(_ignored_files(files.site), "ignoreFiles")


HUGO = GeneratorRules(
    generator=Generator.HUGO,
    configs=(*_CONFIGS, *_AMBIGUOUS, *(f"{_FOLDER}/{name}" for name in (*_CONFIGS, *_AMBIGUOUS))),
    applies=_applies,
    sources=_sources,
    reads_other_folders=False,
    hidden=_hidden,
    address=_address,
    notes=_notes,
    asset_folders=("static", "assets"),
    root_folders=_root_folders,
    nested_keys={"params.title": "title", "params.weight": "order", "params.order": "order"},
)
