"""Prometheus metrics of the queues of reads."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from ..store.read_pool import QueueObserver, ReadQueue


class QueueMetrics(QueueObserver):
    """Counts, by queue, the reads that wait, are refused and are cancelled, and measures how long they wait."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Create the metrics in the registry, each with a value for every queue."""
        self._waiting = Gauge(
            "contentsync_reads_waiting",
            "Reads that wait in a queue.",
            ["queue"],
            registry=registry,
            multiprocess_mode="livesum",
        )
        self._seconds = Histogram(
            "contentsync_read_wait_seconds", "Time for which a read has waited.", ["queue"], registry=registry
        )
        self._refused = Counter(
            "contentsync_reads_refused",
            "Reads that found a full queue or waited too long.",
            ["queue"],
            registry=registry,
        )
        self._cancelled = Counter(
            "contentsync_reads_cancelled", "Reads whose client closed the connection.", ["queue"], registry=registry
        )
        for queue in ReadQueue:
            for metric in (self._waiting, self._seconds, self._refused, self._cancelled):
                metric.labels(queue)

    def count_waiting(self, queue: ReadQueue, change: int) -> None:
        """Add `change` to the number of waiting reads."""
        self._waiting.labels(queue).inc(change)

    def observe_wait(self, queue: ReadQueue, seconds: float) -> None:
        """Record the time that an admitted read has waited."""
        self._seconds.labels(queue).observe(seconds)

    def count_refused(self, queue: ReadQueue) -> None:
        """Count a read that was refused."""
        self._refused.labels(queue).inc()

    def count_cancelled(self, queue: ReadQueue) -> None:
        """Count a waiting or running read whose client has closed the connection."""
        self._cancelled.labels(queue).inc()
