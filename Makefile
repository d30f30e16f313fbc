# The commands of Hearts by Mail. They need Python 3.11 or newer, make and a shell; everything else is installed in .venv.
#   make run PORT=8001              another port; any setting of docs/settings.md can be set like this or in the environment
#   make run PYTHON=/path/python3   the Python that creates .venv
#   make test TESTS=tests/hearts    some of the tests
#   make chaos CHAOS='--seed 7'     options of a run of chaos; --help lists them

VENV := .venv
BIN := $(VENV)/bin
TESTS := tests
ROOM := hearts
SERVICES := tests/end_to_end tests/chaos tests/deploy
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Else each of the dozens of processes that a run starts would compile all of the code anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test room test-services test-mta test-brokers chaos test-systemd test-proxy test-machine test-alerts lint robot bench bench-robot pace mutants gallery words lock image clean

help:  ## show this list
	@echo "Hearts by Mail"
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1	\2/p' Makefile

run: $(VENV)/.runtime $(VENV)/.words  ## set everything up, start the whole service here, and print the address to open
	@$(BIN)/python -m scripts.run

# Compiles the robot once, before several test processes would each do it.
robot: $(VENV)/.test
	@$(BIN)/python -c "from hearts.robot import warm_up; warm_up()"

PYTEST = $(BIN)/python -m pytest -q --dist loadfile

# On two cores three processes are faster than four, and than two. Whole services wait more.
test: lint robot $(VENV)/.words  ## check the code and run the tests, on real parts
	@$(PYTEST) --no-loadscope-reorder -n 3 $(TESTS)

room: $(VENV)/.test $(VENV)/.words  ## run the tests of one room or file: make room ROOM=webapp/outbox
	@$(PYTEST) -n 2 tests/$(ROOM)

test-services: robot  ## start the whole service, play by mails and pages, and kill, freeze and update it
	@$(PYTEST) -n 3 $(SERVICES)

test-mta: $(VENV)/.test  ## use a real Postfix, Dovecot and Courier of the test's own; needs root, Debian, and the first two installed
	@$(BIN)/python -m pytest -q tests/mta

test-brokers: $(VENV)/.test  ## play on RabbitMQ, which the test starts and kills; needs an installed RabbitMQ
	@$(BIN)/python -m pytest -q tests/brokers

chaos: $(VENV)/.test  ## play at forty tables while processes, servers, the relay, the mailbox and the disk fail
	@$(BIN)/python -m tests.chaos $(CHAOS)

test-systemd: $(VENV)/.test  ## check the units of systemd; needs systemd-analyze
	@$(BIN)/python -m pytest -q tests/systemd

test-proxy: $(VENV)/.test  ## run the proxy of the Compose file before two web processes of the test's own; needs nginx
	@$(BIN)/python -m pytest -q tests/proxy

test-machine: $(VENV)/.test  ## follow the recipe for a Debian machine on one of the test's own; needs root, Debian and systemd
	@$(BIN)/python -m pytest -q tests/machine

test-alerts:  ## test the alerts for Prometheus; needs promtool
	@promtool check rules docs/monitoring/alerts.yml
	@promtool test rules tests/monitoring/alerts.yml

lint: $(VENV)/.test  ## check the code only
	@$(BIN)/ruff check .
	@$(BIN)/mypy

bench: $(VENV)/.test  ## measure the rules, what a page, a card and a mail cost, and mails that are slow to read
	@$(BIN)/python -m bench.rules
	@$(BIN)/python -m bench.load
	@$(BIN)/python -m bench.shapes

bench-robot: $(VENV)/.test  ## measure how strong and how fast the robot is
	@$(BIN)/python -m bench.robot

pace: $(VENV)/.test  ## measure how long a game by mail takes, and what it costs not to be waited for
	@$(BIN)/python -m bench.pace

mutants: $(VENV)/.test  ## which small changes of a module do its tests miss? make mutants MODULE=webapp/play/taking.py
	@$(BIN)/python -m bench.mutants $(MODULE)

gallery: $(VENV)/.test $(VENV)/.words  ## show every mail and page in every state, at one address
	@$(BIN)/flask --app tests.gallery_site run --debug --port $${PORT:-8010}

words: $(VENV)/.test  ## gather the sentences for translators, and say what each language lacks
	@$(BIN)/python -m scripts.words; status=$$?; $(PYBABEL) && exit $$status

lock: $(VENV)/.test  ## take the newest libraries that pyproject.toml allows into requirements.lock; run all tests then
	@$(BIN)/python -m pip install --quiet uv
	@$(BIN)/uv pip compile --quiet --upgrade --universal --extra test --no-annotate \
		--custom-compile-command "make lock" --output-file requirements.lock pyproject.toml

image:  ## build the container image that deploy/compose.yaml uses; needs docker, podman or buildah
	@builder=$$(for name in docker podman buildah; do command -v $$name && break; done) || \
		{ echo "Install docker, podman or buildah to build an image." >&2; exit 1; }; \
	"$$builder" build --file deploy/Dockerfile --tag hearts-by-mail .

clean:  ## remove what make has built; the games in var/ stay
	rm -rf $(VENV) build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

PYBABEL = $(BIN)/pybabel --quiet compile --directory locale

# Stamp files: the virtual environment contains what these files required when they were touched.
$(VENV)/.runtime: pyproject.toml requirements.lock scripts/set-up
	@sh scripts/set-up $(VENV) .
	@touch $@

$(VENV)/.test: pyproject.toml requirements.lock scripts/set-up
	@sh scripts/set-up $(VENV) ".[test]"
	@touch $@ $(VENV)/.runtime

$(VENV)/.words: $(wildcard locale/*/LC_MESSAGES/messages.po) | $(VENV)/.runtime
	@$(PYBABEL)
	@touch $@
