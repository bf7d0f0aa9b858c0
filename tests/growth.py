"""Checks that work grows no faster than its input, without limits on durations."""

import cProfile
import gc
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from types import CodeType
from typing import cast

from .counted import SIZES

TRIES = 20  # other processes make a measurement longer, never shorter: the least of several is nearest to the truth
AT_MOST = 8  # times the work for four times the input: 4 and what larger inputs cost in caches; squares take 16


def grows_evenly(work: Callable[[int], object], size: int) -> bool:
    """Return whether the processor time for four times the input is at most eight times as long.

    `work` is called with a size. Choose one at which it takes some milliseconds.
    """
    least = [float("inf"), float("inf")]
    gc.disable()  # which looks at all that the other tests have left
    try:
        for _ in range(TRIES):
            for at, times in enumerate((1, 4)):
                began = time.process_time()
                work(size * times)
                least[at] = min(least[at], time.process_time() - began)
            if least[1] <= AT_MOST * least[0]:
                return True
        return False
    finally:
        gc.enable()


LOGARITHMS = 1.5  # times what an even growth would give: for sorting, and for what only a large input needs
PER_ENTRY = 10  # of a count that a small input does not have at all


def count_work(work: Callable[[], object]) -> Counter[str]:
    """Return the calls of each function, and the sizes of what each counted line handles (`counted.import_counted`)."""
    SIZES.clear()
    profile = cProfile.Profile(subcalls=False, builtins=False)
    gc.disable()  # which would count the objects that other tests have left
    try:
        profile.runcall(work)
    finally:
        gc.enable()
    counts = Counter(SIZES)
    for called in profile.getstats():
        code = cast(CodeType, called.code)
        counts[f"{code.co_filename}:{code.co_name}"] += called.callcount
    return counts


def uneven_work(prepare: Callable[[int], Callable[[], object]], sizes: Sequence[int]) -> dict[str, list[int]]:
    """Return the counts of each function and line whose work grows faster than the input, at the sizes.

    `prepare` is called with a size, and returns the work to count.
    """
    prepare(3)()  # what is done once only
    counts = [count_work(prepare(size)) for size in sizes]

    def is_even(place: str) -> bool:
        return all(
            more[place] <= LOGARITHMS * larger / smaller * (fewer[place] + PER_ENTRY * smaller)
            for (smaller, larger), (fewer, more) in zip(pairwise(sizes), pairwise(counts), strict=True)
        )

    return {place: [each[place] for each in counts] for place in counts[-1] if not is_even(place)}
