# Two commands are for everyone: `make run` and `make test`. The rest is for developers; CONTRIBUTING.md says when.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Tests wait for processes, disks and browsers: four workers keep two processors busy.
WORKERS ?= 4

.PHONY: run test slow fuzz browser system lint check golden bench mutate pictures lock clean
.DEFAULT_GOAL := run

# A demo card room in the browser; it prints one address to open. Another room: .venv/bin/pitboss serve --data DIR.
run: $(VENV)/run.stamp
	@$(BIN)/pitboss serve --demo

test: $(VENV)/dev.stamp | system
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --no-loadscope-reorder

# More of the same, too long for `make test`: all of it, or one of six parts such as SHARD=2/6, each under half an hour.
SHARD ?= 1/1
slow: $(VENV)/dev.stamp | system
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --no-loadscope-reorder -m slow --shard $(SHARD)

# Fuzzing for an hour, before a release; FUZZ_TARGETS=cards,toml for some of cards, toml, messages, forms and api.
FUZZ_SECONDS ?= 3600
FUZZ_TARGETS ?= cards,toml,messages,forms,api
fuzz: $(VENV)/dev.stamp
	PITBOSS_FUZZ_SECONDS=$(FUZZ_SECONDS) PITBOSS_FUZZ_TARGETS=$(FUZZ_TARGETS) $(BIN)/python -m pytest -m slow tests/fuzz

# All tests with a browser, long or not.
browser: $(VENV)/dev.stamp | system
	$(BIN)/python -m pytest -m browser

# What tests need of the system besides Python; without apt a packaged database server is used.
SYSTEM_PACKAGES := postgresql postgresql-common strace chromium fonts-dejavu-core poppler-utils ent dieharder systemd debootstrap prometheus mosquitto
SYSTEM_PROGRAMS := pg_virtualenv strace chromium pdftotext pdftoppm ent dieharder systemd-analyze debootstrap promtool mosquitto_passwd
system:
	@if command -v apt-get >/dev/null && ! ( for name in $(SYSTEM_PROGRAMS); do command -v $$name || exit 1; done ) >/dev/null; then \
		if [ "$$(id -u)" != 0 ]; then echo "First run as root: apt-get install -y --no-install-recommends $(SYSTEM_PACKAGES)" >&2; exit 1; fi; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $(SYSTEM_PACKAGES); \
	fi

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: lint
	$(BIN)/python -m pytest -q -n $(WORKERS) tests/house tests/docs

# The fault floor: a room simulated from one seed, with every fault (docs/reliability.md); SEEDS and FROM say which.
SEEDS ?= 200
FROM ?= 0
faults: $(VENV)/dev.stamp
	$(BIN)/python -m tests.faults --seeds $(SEEDS) --from $(FROM) --crash-states $(SEEDS)

# Every result of the odds by two methods; written to tests/golden if they agree on all of them.
golden: $(VENV)/dev.stamp
	$(BIN)/python -m tests.golden.write

bench: $(VENV)/dev.stamp
	$(BIN)/python -m benchmarks.settle
	$(BIN)/python -m benchmarks.odds
	$(BIN)/python -m benchmarks.simulate
	$(BIN)/python -m benchmarks.books
	$(BIN)/python -m benchmarks.jackpots
	$(BIN)/python -m benchmarks.long_journal
	$(BIN)/python -m benchmarks.year --days 7
	$(BIN)/python -m benchmarks.stream
	$(BIN)/python -m benchmarks.pages
	$(BIN)/python -m benchmarks.whatif
	$(BIN)/python -m benchmarks.growth

mutate: $(VENV)/dev.stamp
	$(BIN)/python -m mutmut run

# The pictures of every page, in docs/pictures.
pictures: $(VENV)/dev.stamp | system
	$(BIN)/python -m tests.pages.pictures
	$(BIN)/python -m tests.demo.pictures
	$(BIN)/python -m tests.papers.pictures

# The documentation with a reference of the Python interface, in site/; nothing is fetched for it.
.PHONY: site coverage matrix faults
site: $(VENV)/dev.stamp
	$(BIN)/python -m mkdocs build --strict

# How much of the source the tests run, by file with the lines they do not; a part of them: make coverage TESTS=tests/books.
coverage: $(VENV)/dev.stamp | system
	rm -rf build/coverage
	$(BIN)/python -m coverage run -m pytest -n $(WORKERS) --dist loadgroup $(TESTS)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

# A smoke test on each Python we support that is on this machine; those that are not are named.
matrix: $(VENV)/dev.stamp
	$(BIN)/python -m tools.matrix

# Pins every dependency with its hashes, for every platform and Python we support.
lock: $(VENV)/python.stamp
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra build --universal --python-version 3.11 --generate-hashes --no-header --quiet -o requirements/run.txt
	$(BIN)/uv pip compile pyproject.toml --extra build --extra dev --universal --python-version 3.11 --generate-hashes --no-header --quiet -o requirements/dev.txt
	echo pip | $(BIN)/uv pip compile - --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet -o requirements/install.txt

# What a computer without a network installs, in dist/: an archive and a Debian package, signed with KEY (a PEM of openssl's
# `genpkey -algorithm ed25519`). Wheels are for this Python: make it with the one of the computers it is for.
.PHONY: dist
dist: $(VENV)/dev.stamp
	@test -n "$(KEY)" || { echo "Name the key that signs it: make dist KEY=FILE" >&2; exit 1; }
	$(BIN)/python -m tools.offline --key $(KEY)

clean:
	rm -rf $(VENV) build dist site mutants .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/python.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Pitboss needs Python 3.11 or newer; '$(PYTHON)' is older or missing. Try: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || \
		{ echo "'$(PYTHON)' cannot make virtual environments; on Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# A dot every two seconds, so that nobody thinks that nothing happens.
$(VENV)/run.stamp: requirements/run.txt pyproject.toml | $(VENV)/python.stamp
	@printf 'Installing Pitboss in $(VENV) (about a minute) '; \
	( $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt && \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e . ) & installing=$$!; \
	while kill -0 $$installing 2>/dev/null; do printf .; sleep 2; done; echo; wait $$installing
	@touch $@

$(VENV)/dev.stamp: requirements/dev.txt pyproject.toml | $(VENV)/python.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@ $(VENV)/run.stamp
