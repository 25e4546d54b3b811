# Everything lives in .venv; the first command that needs it sets it up.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Tests that need coqc are left out without it, with a word; continuous integration installs it.
WITHOUT_COQ := $(if $(shell command -v coqc), ,and not coq)

.PHONY: prove audit test slow mutants formal docs lint clean
prove: $(READY)
	$(BIN)/gaptron check

audit: $(READY)
	$(BIN)/gaptron audit

test: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal --durations=15 -m "not slow"

slow: $(READY)
	$(if $(strip $(WITHOUT_COQ)),@echo "coqc is not installed: the tests that need it are left out")
	$(BIN)/python -m pytest -n auto --dist worksteal --durations=15 -m "slow $(WITHOUT_COQ)"

# The Coq library, every shipped theorem (accepted whole, or out of scope for the reason that docs/formal.md records), and
# the paper's theorems from those.
formal: $(READY)
	$(MAKE) -C proofs/coq -j 2
	$(BIN)/python -m pytest tests/formal -n auto --dist worksteal \
		-k "table_of_whole_theorems or table_has_every_theorem or follows_from_what_is_exported"

# All small changes of the kernel against its tests; make mutants SAMPLE=150 takes some of them.
mutants: $(READY)
	$(BIN)/python tests/kernel/kernel_mutants.py $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED))

# The site, build/site/index.html: the pages of docs/, and what docs/site/pages.py writes of the program itself.
docs: $(READY)
	$(BIN)/python docs/site/pages.py
	$(BIN)/python -m sphinx -q -W -c docs/site docs build/site

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[cluster,data,fast,notebooks,plot,river,sklearn,test,lint,docs]'
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
