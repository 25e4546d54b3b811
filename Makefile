# Everything lives in .venv; the first command that needs it sets it up.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: prove audit test slow mutants lint clean
prove: $(READY)
	$(BIN)/gaptron check

audit: $(READY)
	$(BIN)/gaptron audit

test: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

slow: $(READY)
	$(BIN)/python -m pytest -n auto --dist worksteal -m slow

# All small changes of the kernel against its tests; make mutants SAMPLE=150 takes some of them.
mutants: $(READY)
	$(BIN)/python tests/kernel/kernel_mutants.py $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED))

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[data,fast,notebooks,plot,river,sklearn,test,lint]'
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
