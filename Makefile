# Everything from nothing but Python 3.11+ and make.
#   make play   set up, then open the app
#   make test   set up, then run the tests

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev

.PHONY: play test lint types check snapshots bench clean

play: $(READY)
	@$(BIN)/skirmish

test: $(READY_DEV)
	$(BIN)/python -m pytest -n auto

lint: $(READY_DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(READY_DEV)
	$(BIN)/mypy

check: test lint types

snapshots: $(READY_DEV)
	$(BIN)/python -m pytest -n auto tests/app --snapshot-update

bench: $(READY_DEV)
	$(BIN)/python benchmarks/startup.py

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Skirmish needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12 play")'
	$(PYTHON) -m venv $(VENV)

$(READY): pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Setting up in $(VENV) (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(READY_DEV): $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) build dist
