"""The files in docs/deploy use existing commands, options, paths and versions."""

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
from configparser import ConfigParser
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from contentsync import __version__
from contentsync.cli import run
from contentsync.errors import Refused
from contentsync.server.edge.process import GRACE_SECONDS

from .serving import serving

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "docs" / "deploy"
DOCKERFILE, UNIT, ENVIRONMENT = (
    (DEPLOY / name).read_text(encoding="utf-8") for name in ("Dockerfile", "contentsync.service", "contentsync.env")
)
COMMANDS = [
    line.strip("# ") for line in re.sub(r"\\\n#", "", DOCKERFILE + UNIT).splitlines() if re.match(r"#   \w", line)
]


def instructions(word: str) -> list[str]:
    """Return the arguments of every such instruction in the Dockerfile."""
    plain = re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.M).replace("\\\n", " ")
    return re.findall(rf"^{word} +(.*)$", plain, re.M)


def unit() -> ConfigParser:
    parser = ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]  # systemd tells cases apart
    parser.read_string(UNIT)
    return parser


def installed(lock: Path) -> set[str]:
    """Return the packages that the lock brings to this machine."""
    lines = re.findall(r"^([a-z0-9].*?) *\\?$", lock.read_text(encoding="utf-8"), re.M)
    found = [Requirement(line) for line in lines]
    return {canonicalize_name(one.name) for one in found if one.marker is None or one.marker.evaluate()}


def needed(package: str) -> set[str]:
    """Return the requirements of the package, including indirect ones."""
    found: set[str] = set()
    waiting = [Requirement(package)]
    while waiting:
        asked = waiting.pop()
        for line in requires(asked.name) or []:
            one = Requirement(line)
            wanted = one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("", *asked.extras))
            if wanted and not (canonicalize_name(one.name) in found and not one.extras):
                found.add(canonicalize_name(one.name))
                waiting.append(one)
    return found


def test_every_file_that_the_image_copies_exists_and_is_sent() -> None:
    sent = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8")
    copied = [name for line in instructions("COPY") if not line.startswith("--from") for name in line.split()[:-1]]
    assert {"requirements.lock", "contentsync"} <= set(copied)
    for name in copied:
        assert (ROOT / name).exists(), name
        assert f"!{name}\n" in sent, name


def test_the_image_removes_exactly_the_packages_that_only_build() -> None:
    [removed] = re.findall(r"contentsync/bin/python -m pip uninstall --yes (.*)", "\n".join(instructions("RUN")))
    only_builds = installed(ROOT / "requirements.lock") - needed("contentsync[server]")
    assert set(removed.split()) == {*only_builds, "pip"}


def test_the_image_has_an_unprivileged_user_and_no_secret() -> None:
    assert instructions("USER") == ["10001:10001"]
    assert not re.search("TOKEN|PASSWORD|SECRET", "\n".join(instructions("ENV") + instructions("ARG")))


def test_the_python_of_the_image_is_supported_by_the_package() -> None:
    [python] = {re.findall(r"^python:([\d.]+)-", image)[0] for image in instructions("FROM")}
    assert f'"Programming Language :: Python :: {python}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_the_image_has_the_version_of_the_program() -> None:
    assert re.findall(r"contentsync:(\d\S*)", DOCKERFILE) == [__version__] * 2
    assert f'version="{__version__}"' in DOCKERFILE


def test_every_command_and_option_in_the_files_exists(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shown = [*COMMANDS, " ".join(json.loads(instructions("CMD")[0])), unit()["Service"]["ExecStart"]]
    typed = [found[0] for line in shown for found in re.finditer(r"\b(serve|admin) .*", line)]
    assert len(typed) == 5
    for line in typed:
        words = shlex.split(line)
        command = words[: next(place for place, word in enumerate(words) if word.startswith("--"))]
        assert run([*command, "--help"]) == 0, line
        known = capsys.readouterr().out
        assert [word for word in words if word.startswith("--") and word not in known] == [], line


def test_the_health_check_succeeds_only_while_the_server_runs(tmp_path: Path) -> None:
    [check] = [line.partition("CMD ")[2] for line in instructions("HEALTHCHECK")]
    python, *arguments = json.loads(check)
    assert python == "python"
    with serving(f"sqlite:///{tmp_path / 'site.db'}") as server:
        here = [sys.executable, *(argument.replace("8000", str(server.port)) for argument in arguments)]
        assert subprocess.run(here, check=False).returncode == 0
        server.stop(signal.SIGTERM)
        assert subprocess.run(here, check=False, stderr=subprocess.DEVNULL).returncode != 0


def test_the_service_has_enough_time_to_stop_and_does_not_restart_after_a_refusal() -> None:
    service = unit()["Service"]
    assert int(service["TimeoutStopSec"]) > GRACE_SECONDS
    assert int(re.findall(r"--stop-timeout (\d+)", DOCKERFILE)[0]) > GRACE_SECONDS
    assert int(service["RestartPreventExitStatus"]) == Refused.exit_code


def test_the_proxies_compress_everything_but_the_api() -> None:
    """docs/decisions/0012: the ETags of the API are strong."""
    nginx = dict(re.findall(r"location (\S+) \{(.*?)\}", (DEPLOY / "nginx.conf").read_text("utf-8"), re.S))
    assert {path: re.findall(r"\bgzip (on|off);", rules) for path, rules in nginx.items()} == {
        "/": ["on"],
        "/api/": ["off"],
    }
    caddy = (DEPLOY / "Caddyfile").read_text("utf-8")
    assert re.findall(r"^\s*encode (\S+) ", caddy, re.M) == ["@compressible"]
    assert re.findall(r"^\s*@compressible (.*)$", caddy, re.M) == ["not path /api/*"]


def test_the_database_of_the_service_is_in_its_own_folder() -> None:
    service = unit()["Service"]
    [database] = re.findall(r"^CONTENTSYNC_DB='sqlite:///(.*)'$", ENVIRONMENT, re.M)
    assert Path(database).parent == Path("/var/lib", service["StateDirectory"]) == Path(service["WorkingDirectory"])


def test_the_secrets_of_the_service_are_in_a_file_for_root_alone() -> None:
    path = unit()["Service"]["EnvironmentFile"]
    assert any("--mode 600 docs/deploy/contentsync.env" in line and path in line for line in COMMANDS)
    assert f"set -a; . {path}" in COMMANDS
    assert path in ENVIRONMENT.splitlines()[0]
    assert set(re.findall(r"^#? ?([A-Z_]+)=", ENVIRONMENT, re.M)) == {"CONTENTSYNC_DB", "CONTENTSYNC_REDIS"}


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_accepts_the_service_file(tmp_path: Path) -> None:
    here = tmp_path / "contentsync.service"
    here.write_text(UNIT.replace("/opt/contentsync/bin/contentsync serve", f"{sys.executable} -m contentsync serve"))
    done = subprocess.run(["systemd-analyze", "verify", here], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
