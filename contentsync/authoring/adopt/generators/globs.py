"""Match paths with the globs of JavaScript's libraries (micromatch, tinyglobby), as in `**/[^_]*.{md,mdx}`."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from itertools import islice, takewhile

from ....lazy_pattern import lazy_pattern

_MAX_ALTERNATIVES = 256  # of a glob with braces
_MAX_GLOB = 1000  # characters; a longer glob matches nothing
_SPECIAL = lazy_pattern(r"[][*?{}()!]")
_BRACES = lazy_pattern(r"\{([^{}]*,[^{}]*)\}")
_ONE_OF = lazy_pattern(r"[@?*+]\(([^()]*)\)")
_NONE_OF = lazy_pattern(r"(?P<before>.*?)!\((?P<options>[^()]*)\)(?P<after>.*)")


def first_match(path: str, globs: Iterable[str]) -> str:
    """Return the first glob that matches a path; "" without one, or if a glob that begins with `!` matches it."""
    first = ""
    for glob in globs:
        is_negative = glob.startswith("!") and not glob.startswith("!(")
        if is_negative and first_ignoring(path, [glob[1:]]):
            return ""
        if not is_negative and not first and matches(path, glob):
            first = glob
    return first


def first_ignoring(path: str, globs: Iterable[str]) -> str:
    """Return the first glob that matches a path or a folder around it, so that the path is ignored; "" without one."""
    paths = [path]
    while path := path.rpartition("/")[0]:
        paths.append(path)
    return next((glob for glob in globs if any(matches(each, glob.rstrip("/")) for each in paths)), "")


def matches(path: str, glob: str) -> bool:
    """Return whether a whole path matches a glob; `**` stands for any number of folders, `*` for a part of a name."""
    names = path.split("/")
    return any(_matches_names(names, alternative.split("/")) for alternative in _alternatives(glob))


def fixed_folder(glob: str) -> str:
    """Return the folder that all paths are in that match a glob: `posts` for `posts/*/*.md`; "" without one."""
    return "/".join(takewhile(lambda name: not _SPECIAL.search(name), glob.removeprefix("./").split("/")[:-1]))


def exclude_pattern(glob: str, folder: str) -> str:
    """Return the pattern of `Hidden` that means the same as a glob of paths in a folder; "" without one."""
    glob = glob.removeprefix("./").replace("[^", "[!")
    inner = glob.removeprefix("**/")
    is_at_any_depth = inner != glob
    contents = inner.removesuffix("/*").removesuffix("/**")
    if contents != inner and not _SPECIAL.search(contents):
        path = posixpath.join(folder, contents)
        if is_at_any_depth:
            return contents if "/" not in contents else ""
        return path if "/" in path else ""
    is_name_of_file = is_at_any_depth and "/" not in inner and "." in inner and not re.search(r"[{}()]", inner)
    return inner if is_name_of_file else ""


@cache
def _alternatives(glob: str) -> tuple[str, ...]:
    """Return the globs without braces that a glob with braces stands for."""
    if len(glob) > _MAX_GLOB:
        return ()
    with_braces = _ONE_OF.sub(lambda group: "{" + group[1].replace("|", ",") + ",}", glob.removeprefix("./"))
    return (*islice(_without_braces(with_braces), _MAX_ALTERNATIVES),)


def _without_braces(glob: str) -> Iterator[str]:
    braces = _BRACES.search(glob)
    if braces is None:
        yield glob
        return
    for option in braces[1].split(","):
        yield from _without_braces(glob[: braces.start()] + option + glob[braces.end() :])


def _matches_names(names: list[str], globs: list[str]) -> bool:
    """Return whether the names in a path match the globs between the slashes, of which `**` matches any names."""
    ends = {0}  # how many names the globs so far can match
    for number, glob in enumerate(globs):
        if glob == "**":
            at_least = 1 if number == len(globs) - 1 else 0  # a folder does not match its contents
            ends = {end for start in ends for end in range(start + at_least, len(names) + 1)}
        else:
            ends = {end + 1 for end in ends if end < len(names) and _matches_name(names[end], glob)}
    return len(names) in ends


def _matches_name(name: str, glob: str) -> bool:
    glob = glob.replace("[^", "[!")
    excluded = _NONE_OF.fullmatch(glob)
    if excluded is None:
        return fnmatchcase(name, glob)
    before, after = excluded["before"], excluded["after"]
    return fnmatchcase(name, f"{before}*{after}") and not any(
        fnmatchcase(name, before + option + after) for option in excluded["options"].split("|")
    )
