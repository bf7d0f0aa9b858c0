"""The steps of action.yml, run as a runner does: with its files, its expressions and its shell."""

import atexit
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


@dataclass
class Run:
    """The outcomes of the steps, and the output of the run."""

    outcomes: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    cached: dict[str, str] = field(default_factory=dict)  # the folder of each key
    attached: dict[str, str] = field(default_factory=dict)  # the text of each artifact
    log: str = ""
    summary: str = ""

    @property
    def failed(self) -> bool:
        may_fail = {step["id"] for step in ACTION["runs"]["steps"] if step.get("continue-on-error")}
        return any(outcome == "failure" for name, outcome in self.outcomes.items() if name not in may_fail)

    @property
    def shown(self) -> str:
        """Return all that a reader of the run can see; the runner removes the lines that name what to hide."""
        return re.sub(r"^::add-mask::.*\n", "", self.log, flags=re.M) + self.summary


def clean(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of this machine without the variables that a test sets."""
    prefixes = ("CONTENTSYNC_", "GITHUB_", "RUNNER_", "INPUT_", "CI", "GIT_", "PYTHON")
    other_variables = {name: value for name, value in os.environ.items() if not name.startswith(prefixes)}
    settings = Path(__file__).parents[1] / "gitconfig-of-a-runner"
    other_variables["PATH"] = f"{_python3()}{os.pathsep}{other_variables['PATH']}"
    return {**other_variables, "GIT_CONFIG_GLOBAL": str(settings), "GIT_CONFIG_NOSYSTEM": "1", **(environ or {})}


@cache
def _python3() -> Path:
    """Return a folder with a `python3` that starts quickly: without site-packages, which the scripts do not need.

    That of a version manager would start a dozen programs to find this one.
    """
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    program = folder / "python3"
    program.write_text(f'#!/bin/sh\nexec "{sys.base_prefix}/bin/python3" -S "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return folder


def installed(temporary: Path) -> None:
    """Create the result of install.sh from the environment in which the tests run."""
    programs = temporary / "contentsync/bin"
    programs.mkdir(parents=True, exist_ok=True)
    for name in ("contentsync", "python"):
        if not (programs / name).exists():
            (programs / name).symlink_to(Path(sys.executable).parent / name)


def run_action(
    workspace: Path,
    temporary: Path,
    inputs: Mapping[str, str],
    event_name: str,
    event: Any,
    ref: str,
    api: str,
    *,
    can_attach: bool = True,
) -> Run:
    """Run every step whose condition is met, in a checked-out workspace."""
    assert inputs.keys() <= ACTION["inputs"].keys()
    inputs_with_defaults = {name: inputs.get(name, one.get("default", "")) for name, one in ACTION["inputs"].items()}
    files = {name: temporary / name for name in ("event.json", "output", "summary")}
    files["event.json"].write_text(json.dumps(event), encoding="utf-8")
    files["summary"].write_text("", encoding="utf-8")
    runner = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_API_URL": api,
        "GITHUB_BASE_REF": "main" if event_name == "pull_request" else "",
        "GITHUB_EVENT_NAME": event_name,
        "GITHUB_EVENT_PATH": str(files["event.json"]),
        "GITHUB_OUTPUT": str(files["output"]),
        "GITHUB_REF": ref,
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_RUN_ID": "17",
        "GITHUB_SERVER_URL": "https://forge.example.com",
        "GITHUB_STEP_SUMMARY": str(files["summary"]),
        "GITHUB_WORKSPACE": str(workspace),
        "RUNNER_TEMP": str(temporary),
    }
    run = Run()
    for step in ACTION["runs"]["steps"]:
        values = {
            **{f"inputs.{name}": value for name, value in inputs_with_defaults.items()},
            **{f"steps.{name}.outcome": outcome for name, outcome in run.outcomes.items()},
            **{
                f"steps.{at}.outputs.{name}": value
                for at, found in run.outputs.items()
                for name, value in found.items()
            },
            "github.event_name": event_name,
            "github.token": "",
            "runner.temp": str(temporary),
        }
        if not _holds(step.get("if", "success()"), values, failed=run.failed):
            run.outcomes[step["id"]] = "skipped"
            continue
        if "uses" in step:
            used = {name: _filled(str(value), values) for name, value in step["with"].items()}
            if step["uses"].startswith("actions/cache@"):
                run.cached[used["key"]] = used["path"]
            else:
                assert step["uses"].startswith("actions/upload-artifact@")
                if can_attach:
                    run.attached[used["name"]] = Path(used["path"]).read_text(encoding="utf-8")
            run.outcomes[step["id"]] = "success" if step["id"] != "attach" or can_attach else "failure"
            continue
        if step["id"] == "install":
            installed(temporary)
            run.outcomes["install"] = "success"
            continue
        files["output"].write_text("", encoding="utf-8")
        environ = {name: _filled(value, values) for name, value in step.get("env", {}).items()}
        assert "${{" not in step["run"], "text of others in a shell"
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=workspace,
            env=clean({**runner, **environ}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        run.log += done.stdout
        run.outcomes[step["id"]] = "failure" if done.returncode else "success"
        lines = files["output"].read_text(encoding="utf-8").splitlines()
        run.outputs[step["id"]] = dict(line.split("=", 1) for line in lines)
    run.summary = files["summary"].read_text(encoding="utf-8")
    return run


def _filled(text: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: values.get(found[1], ""), text)


def _holds(condition: str, values: Mapping[str, str], *, failed: bool) -> bool:
    """Return whether a condition of the action is met; without `always()`, every earlier step must have succeeded."""
    terms = [term.strip() for term in condition.split("&&")]
    if "always()" not in terms and failed:
        return False
    for term in terms:
        if term not in ("always()", "success()"):
            name, sign, other = re.fullmatch(r"([\w.-]+) (==|!=) '([^']*)'", term).groups()  # type: ignore[union-attr]  # or the test fails
            if (values.get(name, "") == other) is (sign == "!="):
                return False
    return True
