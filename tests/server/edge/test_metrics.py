"""The metrics for Prometheus."""

from urllib.request import urlopen

import pytest
from prometheus_client import CollectorRegistry

from contentsync.errors import UsageError
from contentsync.server.edge.http_connection import URL_BYTES
from contentsync.server.edge.process import serve_metrics
from contentsync.server.store.read_pool import ReadQueue

from .conftest import Edge, Site
from .tcp_server import ask

PAGES = "/api/directories/{directory_id}/pages"


def test_requests_are_counted_by_route_method_and_class_of_status(site: Site) -> None:
    registry = CollectorRegistry()
    with Edge(site, rate_limit=0, registry=registry) as edge:
        for _ in range(3):
            edge.get(site.ada.path(), site.ada.headers)
        edge.get(site.bob.path(), site.ada.headers)
        edge.get("/nothing/whatsoever")
        edge.run({"method": "BREW"})

    def value(name: str, **labels: str) -> float | None:
        return registry.get_sample_value(f"contentsync_{name}", labels)

    assert value("requests_total", method="GET", route=PAGES, status="2xx") == 3
    assert value("requests_total", method="GET", route=PAGES, status="4xx") == 1
    assert value("requests_total", method="GET", route="-", status="4xx") == 1
    assert value("requests_total", method="other", route="-", status="4xx") == 1
    assert value("request_seconds_count", method="GET", route=PAGES) == 4
    assert value("requests_in_flight") == 0


def test_refused_connections_are_counted(site: Site) -> None:
    registry = CollectorRegistry()
    with Edge(site, rate_limit=0, registry=registry) as edge:
        pass
    assert ask(b"GET / HTTP/1.1\r\n\r\n", state=edge.state)[0] == 400
    assert ask(b"GET /" + b"a" * URL_BYTES + b" HTTP/1.1\r\nHost: x\r\n\r\n", state=edge.state)[0] == 414
    labels = {"method": "other", "route": "-", "status": "4xx"}
    assert registry.get_sample_value("contentsync_requests_total", labels) == 2


def test_no_label_contains_a_tenant_or_client_input(site: Site) -> None:
    """AU-14, I5"""
    registry = CollectorRegistry()
    with Edge(site, rate_limit=0, registry=registry) as edge:
        for number in range(20):
            edge.get(f"/api/directories/{number}/pages/{number}?q={number}", site.ada.headers)
            edge.get(f"/{number}")
            edge.run({"method": f"M{number}"})
    labels = {tuple(sample.labels.items()) for family in registry.collect() for sample in family.samples}
    values = {value for label in labels for name, value in label if name != "le"}
    assert values == {"GET", "other", PAGES + "/{record_id}", "-", "4xx", *ReadQueue}


def test_metrics_are_served_on_a_separate_port(site: Site) -> None:
    registry, port, stop = serve_metrics("127.0.0.1", 0)
    try:
        with Edge(site, registry=registry) as edge:
            assert edge.get("/metrics").status_code == 404
            with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
                assert 'contentsync_requests_total{method="GET",route="-",status="4xx"} 1.0' in answer.read().decode()
        with pytest.raises(UsageError, match=f"cannot listen on 127.0.0.1 port {port}"):
            serve_metrics("127.0.0.1", port)
    finally:
        stop()
