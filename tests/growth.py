"""Whether work grows no faster than its input: no test says how long anything may take."""

import gc
import time
from collections.abc import Callable

TRIES = 20  # other processes make a measurement longer, never shorter: the least of several is nearest to the truth
AT_MOST = 8  # times the work for four times the input: 4 and what larger inputs cost in caches; squares take 16


def grows_evenly(work: Callable[[int], object], size: int) -> bool:
    """Return whether work on an input of four times the size takes at most eight times the processor's time.

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
