"""In which languages entries have texts: what seems to be missing, and files whose names seem to be meant otherwise."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from ..errors import Problem, Severity, Where
from ..model import Kind
from .config_file import CONFIG
from .files.scan import ContentFile
from .unit import DOCUMENTS, is_translated

SHOWN = 3  # files that a message names

# The codes of ISO 639-1.
_LANGUAGE = re.compile(
    r"(?:a[abefkmnrsvyz]|b[aegimnors]|c[aehorsuvy]|d[aevz]|e[elnostu]|f[afijory]|g[adlnuv]|h[aeiortuyz]"
    r"|i[adegikostu]|j[av]|k[agijklmnorsuvwy]|l[abginotuv]|m[ghiklnrsty]|n[abdeglnorvy]|o[cjmrs]|p[ailst]"
    r"|q[u]|r[mnouw]|s[acdegiklmnoqrstuvw]|t[aeghiklnorstwy]|u[gkrz]|v[eio]|w[ao]|x[h]|y[io]|z[ahu])\Z",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"(.+)\.(([A-Za-z]{2,3})(?:[-_][A-Za-z0-9]{2,8})*)\.[A-Za-z]+\Z")


class Coverage:
    """Counts the translations of entries; where a site has one language there are none to miss."""

    def __init__(self, locales: Sequence[str]) -> None:
        self._others = tuple(locales[1:])
        self._entries: Counter[Kind] = Counter()
        self._missing: dict[tuple[Kind, str], list[str]] = {}

    def add(self, kind: Kind, path: str, locales: Collection[str]) -> None:
        """Count an entry: its file, and the languages that it has besides the default or says to have none in."""
        if not self._others or not is_translated(kind):
            return
        self._entries[kind] += 1
        for locale in self._others:
            if locale not in locales:
                self._missing.setdefault((kind, locale), []).append(path)

    def add_untranslated(self, kind: Kind, paths: Iterable[str]) -> None:
        """Count entries that are in the default language only."""
        if self._others:
            for path in paths:
                self.add(kind, path, ())

    def problems(self) -> Iterator[Problem]:
        """A warning for each kind and language in which more than half of the entries have texts, but not all."""
        for (kind, locale), missing in self._missing.items():
            entries, paths = self._entries[kind], sorted(missing)
            if 2 * len(paths) >= entries:
                continue
            more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
            shown = ", ".join(paths[:SHOWN])
            verb = "has" if len(paths) == 1 else "have"
            message = f"{len(paths)} of {entries} {kind.plural} {verb} no translation into '{locale}': {shown}{more}"
            hint = "add the translations; until then, readers of that language see the default language"
            yield Problem("missing-translation", message, Where(paths[0]), hint, Severity.WARNING, kind.value)


def suspicious_suffixes(files: Sequence[ContentFile], locales: Sequence[str]) -> Iterator[Problem]:
    """A warning for each file that seems to be a translation, into a language that the site does not have."""
    suspects = [(file, match) for file in files if file.path.count(".") > 1 and (match := _suspect(file, locales))]
    paths = {file.path for file in files} if suspects else set()
    for file, match in suspects:
        neighbour = next((match[1] + suffix for suffix in DOCUMENTS if match[1] + suffix in paths), None)
        if neighbour is None:
            continue
        meant = _resembled(match[2], locales)
        message = (
            f"'{match[2]}' is not a language of the site: this is a separate entry, not a translation of {neighbour}"
        )
        hint = f"add '{match[2]}' to site.locales in {CONFIG}, or replace the dot with a hyphen"
        hint = f"did you mean '{meant}'?" if meant else hint
        yield Problem("unknown-locale-suffix", message, Where(file.path), hint, Severity.WARNING, file.kind.value)


def _suspect(file: ContentFile, locales: Sequence[str]) -> re.Match[str] | None:
    match = _SUFFIX.match(file.path) if is_translated(file.kind) and file.suffix in DOCUMENTS else None
    if match is None or match[2] in locales:
        return None
    return match if _LANGUAGE.match(match[3]) or _resembled(match[2], locales) else None


def _resembled(suffix: str, locales: Sequence[str]) -> str | None:
    """The language that is written otherwise, or with one letter wrong or two in the wrong order."""
    written = suffix.replace("_", "-").lower()
    for locale in locales:
        right = locale.lower()
        wrong = sum(one != other for one, other in zip(written, right, strict=False))
        if len(written) == len(right) and (wrong <= 1 or sorted(written) == sorted(right)):
            return locale
    return None
