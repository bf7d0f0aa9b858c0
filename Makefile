# Every target works from a fresh clone: it makes .venv first, from the hash-pinned lock.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := PIP_NO_COMPILE=1 $(BIN)/python -m pip --disable-pip-version-check --no-input
# uv installs in a third of pip's time, but knows nothing of the package index that only pip was configured for.
UV := $(BIN)/uv pip install --python $(BIN)/python
LOCKED := --quiet --require-hashes --only-binary :all:
FUZZ_SECONDS ?= 600
MUTANTS ?= 300
# One more than there are cores: many tests wait for other processes, and each more collects all tests.
WORKERS := $(shell $(PYTHON) -c "import os; print(1 + len(getattr(os, 'sched_getaffinity', lambda _: range(os.cpu_count() or 1))(0)))")

.PHONY: help demo test browser test-browser test-whole lint types check fuzz fuzz-fix fuzz-api torture torture-server torture-ci torture-pull torture-publish simulate-links structure bench-startup bench-content bench-server bench-sync bench-dev bench-installation mutation picture reference dist lock clean

help:  ## what the targets do
	@awk '/^##@/ {print "\n" substr($$0, 5)} /^[a-z-]+:.*## / {split($$0, line, ":.*## "); printf "  %-20s %s\n", line[1], line[2]}' Makefile

##@ Every day

# Two stamps: the demo needs what a user needs, the server included (and the build backend), the tests need more.
$(VENV)/.user: requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	sed -n '/^uv==/,/# via/p' requirements-dev.lock >$(VENV)/uv.lock
	$(PIP) install $(LOCKED) -r $(VENV)/uv.lock
	$(UV) $(LOCKED) -r requirements.lock || $(PIP) install $(LOCKED) -r requirements.lock
	$(UV) --quiet --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q -j 0 $(VENV)/lib contentsync  # on all cores; also if the environment forbids bytecode
	@touch $@

$(VENV)/.dev: $(VENV)/.user requirements-dev.lock
	$(UV) $(LOCKED) -r requirements-dev.lock || $(PIP) install $(LOCKED) -r requirements-dev.lock
	@touch $@

# Tried once: `make browser` tries again.
$(VENV)/.browser: scripts/chromium.sh | $(VENV)/.dev
	sh scripts/chromium.sh $(BIN)/python
	@touch $@

demo: $(VENV)/.user  ## set up, then sync content-example into the embedded server
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh scripts/demo.sh

# Bytecode is written even where the environment forbids it: pytest would rewrite 7,000 assertions in each process.
test: $(VENV)/.dev $(VENV)/.browser  ## set up, then the tests, or those of T=path with K=name
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest $(or $(T),-n $(WORKERS) --dist worksteal) $(if $(K),-k "$(K)")

lint: $(VENV)/.dev  ## ruff, for everything or F=file
	$(BIN)/ruff check $(or $(F),.)
	$(BIN)/ruff format --check $(or $(F),.)

types: $(VENV)/.dev  ## mypy, strict
	$(BIN)/mypy

check: lint types test  ## what CI runs

##@ The long tests

browser: $(VENV)/.dev  ## see to it that the browser tests have a Chromium
	sh scripts/chromium.sh $(BIN)/python
	@touch $(VENV)/.browser

test-whole: $(VENV)/.dev  ## every case of every test, of which `make test` runs a sample; no browser
	$(BIN)/python -m tests --processes $(WORKERS)

test-browser: $(VENV)/.dev $(VENV)/.browser  ## every page in every width, language and scheme, and every payload, in Chromium
	$(BIN)/python -m tests.browser

fuzz: $(VENV)/.dev  ## look for files that break the reader, for FUZZ_SECONDS (600)
	$(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS)

fuzz-fix: $(VENV)/.dev  ## fix 10,000 files with mistakes, and compare every value and body afterwards
	$(BIN)/python -m tests.fuzz.fixes

fuzz-api: $(VENV)/.dev  ## ask a server what its OpenAPI document allows and forbids, for FUZZ_SECONDS (600)
	$(BIN)/python -m tests.contract.fuzzing --seconds $(FUZZ_SECONDS)

torture: $(VENV)/.dev  ## syncs that meet every fault and wrong answer, die, are killed, and random histories
	$(BIN)/python -m tests.torture.sync
	$(BIN)/python -m tests.histories
	$(BIN)/python -m tests.exchange.proposal

torture-server: $(VENV)/.dev  ## kill the server under load, 50 times a database, then compare the databases
	$(BIN)/python -m tests.torture

torture-ci: $(VENV)/.dev  ## 500 runs of the scheduled job at each forge: without changes, none of them writes anything
	$(BIN)/python -m tests.ci

torture-pull: $(VENV)/.dev  ## 1,500 histories of random edits, renames and deletions on both sides, and pulls
	$(BIN)/python -m tests.histories --only pulls --only pulls-of-renames

torture-publish: $(VENV)/.dev  ## publish 1,000 pictures, and kill 200 runs that publish changed ones
	$(BIN)/python -m tests.torture.publish

simulate-links: $(VENV)/.dev  ## 14 days of `links` with real lychee, over 1,000 simulated hosts of 35 kinds
	$(BIN)/python -m tests.linkcheck

mutation: $(VENV)/.dev  ## change MUTANTS (300) places of sync, model, content and authoring, and list what no test notices
	$(BIN)/python -m tests.mutation --mutants $(MUTANTS)

##@ Measurements

structure: $(VENV)/.dev  ## count lines, files and imports of each package, and list what is long, large or complex
	$(BIN)/python -m scripts.structure

bench-startup: $(VENV)/.user  ## start-up beside python -c pass
	$(BIN)/python -m bench.startup

bench-content: $(VENV)/.user  ## reading folders beside hugo, git, cat and csv
	$(BIN)/python -m bench.content

bench-server: $(VENV)/.dev  ## the server beside sqlite3, a static answer, Datasette and Django REST framework
	$(BIN)/python -m bench.server

bench-sync: $(VENV)/.dev  ## a plan of 100,000 listings beside git status and reading them over HTTP
	$(BIN)/python -m bench.sync

bench-dev: $(VENV)/.dev $(VENV)/.browser  ## from a save to what the browser shows
	$(BIN)/python -m bench.dev

bench-installation: $(VENV)/.dev  ## install contentsync without and with the server, and as the action does
	$(BIN)/python -m bench.installation

##@ Files that are made

picture: $(VENV)/.dev $(VENV)/.browser  ## draw the pictures of the README and the documents again
	$(BIN)/python -m scripts.picture
	$(BIN)/python -m scripts.screenshots

reference: $(VENV)/.dev  ## write docs/reference/ from the code
	$(BIN)/python -m scripts.reference

dist: $(VENV)/.dev  ## build the wheel and the source distribution into dist/
	$(BIN)/uv build --no-build-isolation --python $(BIN)/python --out-dir dist

# The base is what the action and `pip install contentsync` need; its versions are those of the whole.
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade --no-header
lock: $(VENV)/.dev  ## resolve the newest allowed versions into the lock files
	$(COMPILE) --extra server --group build pyproject.toml -o requirements.lock
	$(COMPILE) --group build pyproject.toml -c requirements.lock -o requirements-base.lock
	$(COMPILE) --all-extras --group dev pyproject.toml -c requirements.lock -o requirements-dev.lock
	$(COMPILE) bench/requirements.in -o bench/requirements.lock

clean:  ## remove what the targets made
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis test-output
