# Everything lives in .venv; a command installs what it needs there, the first time.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CORE := $(VENV)/.core
TEST := $(VENV)/.test
LINT := $(VENV)/.lint
DOCS := $(VENV)/.docs
unexport PYTHONDONTWRITEBYTECODE  # pip compiles nothing: without what the first import keeps, each process would anew
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile

# Tests that need coqc are left out without it, with a word; continuous integration installs it.
WITHOUT_COQ := $(if $(shell command -v coqc), ,and not coq)

.PHONY: prove audit test slow nightly mutants formal docs reproduce lint lock clean
prove: $(CORE)
	$(BIN)/gaptron check

audit: $(CORE)
	$(BIN)/gaptron audit

test: $(TEST)
	$(BIN)/python -m pytest -n auto --dist worksteal --durations=15 -m "not slow"

slow: $(TEST) $(DOCS) $(LINT)
	$(if $(strip $(WITHOUT_COQ)),@echo "coqc is not installed: the tests that need it are left out")
	$(BIN)/python -m pytest -n auto --dist worksteal --durations=15 -m "slow $(WITHOUT_COQ)"

# The properties on streams of their own: the seed is that of the day, and printed. Then all cases of the slow tests, of
# which make slow takes a part.
nightly: $(TEST)
	$(BIN)/python -m pytest properties -n auto --dist worksteal -m slow --hypothesis-seed=$(or $(SEED),$(shell date +%Y%m%d))
	$(BIN)/python -m pytest -n auto --dist worksteal -m "slow $(WITHOUT_COQ)" --deep

# The Coq library, every shipped theorem (accepted whole, or out of scope for the reason that docs/formal_details.md
# records), and the paper's theorems from those.
formal: $(TEST)
	$(MAKE) -C proofs/coq -j 2
	$(BIN)/python -m pytest -n auto --dist worksteal --deep \
		-k "table_of_whole_theorems or table_has_every_theorem or follows_from_what_is_exported"

# All small changes of the kernel and of the rules of proofs against their tests; make mutants SAMPLE=150 takes some.
mutants: $(TEST)
	$(BIN)/python tests/small_changes.py $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED))

# The site, build/site/index.html: the pages of docs/, and what docs/site/pages.py writes of the program itself.
docs: $(DOCS)
	$(BIN)/python docs/site/pages.py
	$(BIN)/python -m sphinx -q -W -c docs/site docs build/site

# README's picture, the lower bound's, and Tables 1 and 2 and the figures of the papers: about ten minutes, and the times are this machine's.
reproduce: $(TEST)
	$(BIN)/python benchmarks/gap.py --out docs/gap.svg
	$(BIN)/python benchmarks/lower_bound.py --out docs/lower_bound.svg
	$(BIN)/python benchmarks/table_one.py --out benchmarks/table_one.md
	$(BIN)/gaptron compare --streams synsep,synnonsep --learners perceptron,banditron,pnewtron,soba-diagonal \
		--rounds 100000 --seeds 1 --out build/figure2
	$(BIN)/python benchmarks/reproduce.py --results build/figure2/results.jsonl

lint: $(LINT)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	MYPYPATH=proofs $(BIN)/mypy -p instances

# requirements.lock: names, versions and hashes of all that the core and its extras need here.
lock: $(CORE)
	$(BIN)/python .ci/lock.py

$(CORE): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	touch $@

# The core is there: pip adds what these extras of it need.
$(TEST): EXTRAS := cluster,data,fast,plot,river,sklearn,test
$(LINT): EXTRAS := cluster,lint,plot,river,testing
$(DOCS): EXTRAS := docs,notebooks
$(TEST) $(LINT) $(DOCS): $(CORE)
	$(PIP) 'gaptron[$(EXTRAS)]'
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
