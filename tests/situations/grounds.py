"""The scene before and after its first sync, which is made once and put back for each test."""

import shutil
from pathlib import Path

from ..served import Recorder, Served
from ..serving import make_tenant, make_token
from ..sync_faults.proxy import passed_on
from ..sync_faults.stage import Stage
from .scene import Scene


class Grounds:
    """A place for scenes, of which one is there at a time; the folder and the database are those of the last one."""

    def __init__(self, stage: Stage, home: Path) -> None:
        self._stage = stage
        self._home = home
        self._now = home / "now"
        self._now.mkdir()
        url = f"sqlite:///{self._now / 'site.db'}"
        self._directory, self._token = make_tenant(url, locales=("en", "fr"))
        self._reader = make_token(url, scopes=("read",))
        stage.open(self._now / "site.db")
        scene = Scene.new(self._now, self._served())
        self._keep("committed")
        scene.sync()
        self._keep("synced")

    def scene(self, *, is_synced: bool) -> Scene:
        """Put everything back as it was after the first commit, or after its sync by hand."""
        self._stage.close()
        shutil.rmtree(self._now)
        shutil.copytree(self._home / ("synced" if is_synced else "committed"), self._now)
        self._stage.open(self._now / "site.db")
        return Scene.at(self._now, self._served())

    def _keep(self, name: str) -> None:
        self._stage.close()
        shutil.copytree(self._now, self._home / name)
        self._stage.open(self._now / "site.db")

    def _served(self) -> Served:
        """Return the service, which counts its requests from now on."""
        proxy = self._stage.proxy
        self._stage.run(proxy.arm(passed_on, 0, forever=False))
        return Served(Recorder(proxy.url, proxy.requests), self._token, self._reader, self._directory)
