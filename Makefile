# Everything a fresh machine needs is Python 3.11 or later, git and make; the rest lands in .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMPS := .stamps
WORKERS ?= 2
FUZZ_SECONDS ?= 300
SEED ?= 1

# Files in memory are synced for free. The slow tests are for a real disk.
QUICK_TMPDIR = $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 1000000 { print "TMPDIR=/dev/shm" }')
# Containers often set it, and then each process that a test starts compiles all of Inlay.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install demo replies check test lint types layers quick unit bench crash e2e fuzz mutants requirements docs lock clean

help: ## List the targets
	@grep -hE '^[a-z0-9]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(STAMPS)/venv:
	@$(PYTHON) -c 'import sys; sys.exit("Inlay needs Python 3.11 or later; say PYTHON=… to choose one") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@

# Only what the lock names, and only with the hashes it names. The lock is complete, so nothing is left to resolve:
# older pips look up `coverage[toml]` again, find a newer release than the lock's, and give up.
$(STAMPS)/locked: requirements-dev.lock $(STAMPS)/venv
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-dev.lock
	@touch $@

# No build isolation: the build backend comes from the lock as well.
$(STAMPS)/installed: pyproject.toml $(STAMPS)/locked
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

install: $(STAMPS)/installed ## Make .venv with Inlay and its tools

demo: $(STAMPS)/installed ## Turn the sample design document into code with green tests; MODEL=… asks a model for it
	@$(BIN)/python examples/demo.py $(MODEL)

replies: $(STAMPS)/installed ## Apply the sample replies to a copy of the sample project
	@$(BIN)/python examples/replies.py

# Side by side, because mypy uses one core only; the output of each comes in one piece where make can do that.
check: lint ## Lint, types, import contracts and the quick tests, in less than a minute
	@$(MAKE) --no-print-directory -j3 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) types layers quick

test: lint types layers unit ## Everything that must hold

lint: $(STAMPS)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMPS)/installed
	$(BIN)/mypy

layers: $(STAMPS)/installed
	$(BIN)/lint-imports --no-cache

unit: $(STAMPS)/installed
	$(BIN)/python -m pytest -n $(WORKERS) --cov --cov-report=term-missing -q

quick: $(STAMPS)/installed
	$(QUICK_TMPDIR) $(BIN)/python -m pytest -n $(WORKERS) -q -m "not slow" \
		-o tmp_path_retention_count=1 -o tmp_path_retention_policy=failed

bench: $(STAMPS)/installed ## Measure correctness and speed on edits from git history
	$(BIN)/python -m bench $(ARGS)

crash: $(STAMPS)/installed ## Kill, race and starve commits for longer; installs strace where it may
	$(BIN)/python tests/crash $(ARGS)

e2e: $(STAMPS)/installed ## Run what takes long: faults, injections and canaries by seeds, a real small model
	$(BIN)/python tests/e2e $(ARGS)

fuzz: $(STAMPS)/installed ## Run the property tests for longer, then fuzz the engine by coverage for FUZZ_SECONDS
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -n $(WORKERS) -q -k "property or fuzz" tests
	$(BIN)/pip install --quiet --disable-pip-version-check atheris
	$(BIN)/python tests/fuzz/coverage_guided.py .fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=4096

mutants: $(STAMPS)/installed ## Change the code in 40 places, one at a time, and check that a test fails; SEED=… picks others
	$(BIN)/python tests/mutants --seed $(SEED) $(ARGS)

requirements: $(STAMPS)/installed ## Break every requirement in a copy, and check that its tests fail; ARGS names some
	$(BIN)/python tests/requirements/prove.py -n $(WORKERS) $(ARGS)

docs: $(STAMPS)/installed ## Generate docs/cli.md, docs/demo.svg and the generated tables
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/packages.py

lock: $(STAMPS)/venv ## Resolve the locks (installs uv)
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 pyproject.toml --all-extras -o requirements.lock
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 pyproject.toml --all-extras --group dev -c requirements.lock -o requirements-dev.lock

clean: ## Remove everything that was made here
	rm -rf $(VENV) $(STAMPS) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .coverage* .hypothesis
