"""An asset store of each kind."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from contentsync.exchange.publish.asset_store import AssetStore

from .s3_server import S3Server, s3_server


@pytest.fixture(scope="package")
def s3() -> Iterator[S3Server]:
    with s3_server() as server:
        yield server


@pytest.fixture
def bucket(s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield the name of an empty bucket; the environment has its server and its credentials."""
    name = f"b-{tmp_path.name.replace('_', '-')[:40].strip('-')}-{abs(hash(tmp_path)) % 10**6}"
    for variable, value in s3.environ.items():
        monkeypatch.setenv(variable, value)
    s3.make_bucket(name)
    s3.requests.clear()
    yield name
    s3.refuses = lambda method, path: False


@pytest.fixture(params=["folder", "s3"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> AssetStore:
    """Return an empty store beside the content folder `tmp_path / "site"`."""
    (tmp_path / "site").mkdir()
    if request.param == "folder":
        return AssetStore("../published", tmp_path / "site")
    return AssetStore(f"s3://{request.getfixturevalue('bucket')}/pictures", tmp_path / "site")
