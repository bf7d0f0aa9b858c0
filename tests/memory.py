"""The memory that some work takes."""

import tracemalloc
from collections.abc import Callable


def memory_for(work: Callable[[], object]) -> int:
    """Return the peak of memory of the work in bytes, above the amount at its start."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        work()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
