# Everything from nothing but Python 3.11+ and make.
#   make play    set up, then open the app
#   make serve   the app in a browser       (WITH=--lan lets others on the network join)
#   make test    set up, then run the tests     (make test-deep: with further seeds, slow scripts and axe-core)
#   make check   tests, style, layers, types        make bench   how fast it is
#   make axe     what axe-core finds on our pages in Chromium (installs axe-core into the .venv)
#   make kills   kills the program 200 times in the middle of a shot and checks that nothing was lost
#   make pictures   takes the pictures for README and docs from the app, those of docs/paper.md from reports/, and those of phones
#                   (needs pdftoppm, of Poppler, and Chromium)
#   make reports    reprints reports/: the scenario sheets, the quick reference and the play sheet of Beach Head
#   make site       makes the project's site from docs/ in build/site, with the sheets as pictures and PDFs; read it from there
#   make lock       makes requirements.lock anew from constraints.txt: every package with the hashes of its files
#   make bundle     builds dist/skirmish-*.tar.xz, which runs without a Python; make smoke tries it out
#   make snapshots  takes the pictures that tests of screens compare with
#   make monkey     presses keys at random and checks that nothing breaks
#   make rebuilt    makes scenarios 6 and 9 again by keys in the workshop, from an empty table, and compares the data
#   make typed      types 2,000 lines ahead and checks that the game is that of somebody who waits for each key
# With another Python:  make PYTHON=python3.12 test

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
READY_SITE := $(VENV)/.ready-site
SITE   ?= build/site
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# The same with a line for each package as it comes. What went wrong is on stderr, and makes no mark.
SHOWN    := PYTHONUNBUFFERED=1 $(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt
PROGRESS := awk '/^Collecting/ {print "  " $$2; fflush()} /^Installing collected/ {print "  putting them in place ..."; fflush()}'

.PHONY: play serve test test-deep lint types check snapshots pictures reports site bench axe kills monkey typed rebuilt lock bundle smoke clean
.DELETE_ON_ERROR:

# If PYTHON names another version than the .venv was made with, the .venv is made again.
MINOR = import sys; print(*sys.version_info[:2])
ifneq ($(origin PYTHON),file)
ifneq ($(wildcard $(BIN)/python),)
ifneq ($(shell $(PYTHON) -c '$(MINOR)' 2>/dev/null || echo none),$(shell $(BIN)/python -c '$(MINOR)' 2>/dev/null))
AGAIN := --clear
.PHONY: $(BIN)/python
$(READY): $(BIN)/python
endif
endif
endif

play: $(READY)
	@$(BIN)/skirmish

serve: $(READY)
	@$(BIN)/python -c 'import textual_serve' 2>/dev/null || { echo "Adding the browser part, once:"; $(SHOWN) -e '.[browser]' | $(PROGRESS); }
	@$(BIN)/skirmish serve --open $(WITH)

# Each process begins with its share of the tests; one that has done its own takes over from the others.
test: $(READY_DEV)
	$(BIN)/python -m pytest -n auto --dist worksteal

test-deep: $(READY_DEV)
	SKIRMISH_DEEP=1 $(BIN)/python -m pytest -n auto --dist worksteal

lint: $(READY_DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(READY_DEV)
	$(BIN)/mypy

check: test lint types

snapshots: $(READY_DEV)
	$(BIN)/python -m pytest -n auto tests/app --snapshot-update

pictures: $(READY_DEV)
	$(BIN)/python docs/take_pictures.py
	$(BIN)/python docs/take_paper_pictures.py
	$(BIN)/python docs/take_phone_pictures.py

reports: $(READY)
	@$(BIN)/python reports/print_all.py

site: $(READY_SITE)
	@$(BIN)/python docs/make_site.py --into $(SITE)

BENCHMARKS := size latency startup following phone phone_load sheets odds beach_head gts commander

# All run, also after one whose limit is missed; that one is named at the end.
bench: $(READY_DEV)
	@missed=; for name in $(BENCHMARKS); do \
		echo "== $$name"; \
		$(BIN)/python benchmarks/$$name.py || missed="$$missed $$name"; \
	done; \
	if [ -n "$$missed" ]; then echo "Limits missed:$$missed"; exit 1; fi; \
	echo "All limits hold."

axe: $(READY_DEV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r tests/browser/axe.txt
	SKIRMISH_DEEP=1 $(BIN)/python -m pytest tests/browser/test_axe.py

kills: $(READY_DEV)
	$(BIN)/python benchmarks/kills.py

monkey: $(READY_DEV)
	$(BIN)/python benchmarks/monkey.py

rebuilt: $(READY_DEV)
	$(BIN)/python benchmarks/rebuilt_by_keys.py --scenario 6
	$(BIN)/python benchmarks/rebuilt_by_keys.py --scenario 9

typed: $(READY_DEV)
	$(BIN)/python benchmarks/typed_ahead.py

LOCKED := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	--constraints constraints.txt pyproject.toml

lock: $(READY_DEV)
	$(INSTALL) uv
	$(LOCKED) --all-extras --output-file requirements.lock
	$(LOCKED) --extra browser --extra bundle --output-file bundle/requirements.lock

bundle: $(BIN)/python
	$(BIN)/python bundle/build_bundle.py

smoke: $(READY_DEV)
	$(BIN)/python bundle/smoke_test.py dist/skirmish-*-*.tar.xz

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here. Install Python 3.11 or newer, or name yours: make PYTHON=python3.12 play" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Skirmish needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Name a newer one: make PYTHON=python3.12 play")'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "This Python cannot make a virtual environment: its venv and ensurepip modules are missing. On Debian and Ubuntu they come with: sudo apt install python3-venv" >&2; exit 2; }
	@$(PYTHON) -m venv $(AGAIN) $(VENV)

$(READY): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Setting up in $(VENV), once. This takes a minute or two:"
	@rm -f $@; { $(SHOWN) -e . && touch $@; } | $(PROGRESS); test -f $@

$(READY_DEV): $(READY)
	@echo "Adding what the tests need, once:"
	@rm -f $@; { $(SHOWN) -e '.[dev]' && touch $@; } | $(PROGRESS); test -f $@

$(READY_SITE): $(READY)
	@echo "Adding what the site needs, once:"
	@rm -f $@; { $(SHOWN) -e '.[site]' && touch $@; } | $(PROGRESS); test -f $@

clean:
	rm -rf $(VENV) build dist
