# Targets are incremental: each does what is missing and no more. `make help` lists them.
.DEFAULT_GOAL := help
SHELL := /bin/sh

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
NL2FIX := $(BIN)/nl2fix

# What `demo` and `validate` run.
SUITE ?= examples
MODEL ?= mutation
N ?= 100
JOBS ?= 2
ARGS ?=
PYTEST_ARGS ?= -n 2

# What `image` and `prepare` build of. The validator's JDK must be as new as the newest program's source
# level; Defects4J wants JDK 8, as in the study.
DOCKER ?= docker
DOCKER_BUILD_ARGS ?=
IMAGE ?= nl2fix-java
BASE_IMAGE ?= debian:bookworm-slim
JDK_PACKAGE ?= default-jdk-headless
# What other languages need: nodejs golang-go golang-github-stretchr-testify-dev g++ rustc
TOOLCHAINS ?=
DEFECTS4J_IMAGE ?= nl2fix-defects4j
DEFECTS4J_BASE_IMAGE ?= ubuntu:20.04
DEFECTS4J_JDK_PACKAGE ?= openjdk-8-jdk-headless
DEFECTS4J_HOME ?= $(CURDIR)/runs/defects4j
export DEFECTS4J_HOME

comma := ,

# $(call need,TEST,WHAT,PACKAGES): unless TEST succeeds, install Debian packages or say how to.
define need
@{ $(1); } > /dev/null 2>&1 || { \
	install="apt-get install --yes --no-install-recommends $(3)"; \
	if command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ]; then as=; \
	elif command -v apt-get > /dev/null && sudo -n true 2> /dev/null; then as=sudo; \
	else echo "nl2fix needs $(2). Please install it, on Debian or Ubuntu with: sudo $$install" >&2; exit 2; fi; \
	echo "nl2fix needs $(2); installing $(3)"; \
	$$as apt-get update -qq && $$as env DEBIAN_FRONTEND=noninteractive $$install -qq > /dev/null; }
endef

.PHONY: help
help: ## List the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

.PHONY: demo
demo: $(VENV)/base.stamp jdk sandbox ## Fix the shipped buggy programs with the offline baseline; table and HTML report
	$(NL2FIX) run --suite $(SUITE) --model $(MODEL) --n $(N) --jobs $(JOBS) --out runs/demo $(ARGS)

.PHONY: test
test: $(VENV)/dev.stamp jdk sandbox toolchains ## Run all tests, or those of one room (ROOM=core)
	$(BIN)/python -m pytest $(if $(ROOM),tests/$(ROOM)) $(PYTEST_ARGS)

.PHONY: lint
lint: $(VENV)/dev.stamp ## Style, types and the order of layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

.PHONY: image
image: ## Build the Docker image in which programs are tested (BASE_IMAGE, JDK_PACKAGE, TOOLCHAINS, IMAGE)
	@$(DOCKER) version > /dev/null 2>&1 || { \
		echo "nl2fix needs a running Docker engine: install docker.io, start it, or set DOCKER_HOST" >&2; exit 2; }
	$(DOCKER) build $(DOCKER_BUILD_ARGS) --target validator --tag $(IMAGE) \
		--build-arg BASE_IMAGE=$(BASE_IMAGE) --build-arg JDK_PACKAGE=$(JDK_PACKAGE) \
		--build-arg TOOLCHAINS="$(TOOLCHAINS)" docker

.PHONY: validate
validate: $(VENV)/base.stamp jdk image ## The same job as demo with every program tested inside Docker
	$(NL2FIX) run --sandbox docker --set sandbox.image=$(IMAGE) --cache runs/docker-cache \
		--suite $(SUITE) --model $(MODEL) --n $(N) --jobs $(JOBS) --out runs/docker $(ARGS)

.PHONY: prepare
prepare: $(VENV)/base.stamp $(DEFECTS4J_HOME)/bin/defects4j ## Prepare Defects4J's bugs inside Docker (ARGS="--bugs Math-2,…")
	$(NL2FIX) prepare --suite nl2fix --sandbox docker --set sandbox.image=$(DEFECTS4J_IMAGE) --jobs $(JOBS) $(ARGS)

# Defects4J is taken out of its image once, so that the libraries it names have the same path on both sides.
$(DEFECTS4J_HOME)/bin/defects4j: docker/Dockerfile docker/init-defects4j docker/run-defects4j
	$(DOCKER) build $(DOCKER_BUILD_ARGS) --target defects4j --tag $(DEFECTS4J_IMAGE) \
		--build-arg BASE_IMAGE=$(DEFECTS4J_BASE_IMAGE) --build-arg JDK_PACKAGE=$(DEFECTS4J_JDK_PACKAGE) docker
	rm -rf $(DEFECTS4J_HOME) && mkdir -p $(DEFECTS4J_HOME)
	container=$$($(DOCKER) create $(DEFECTS4J_IMAGE) true) \
		&& $(DOCKER) cp $$container:/opt/defects4j/. $(DEFECTS4J_HOME) \
		&& $(DOCKER) rm $$container > /dev/null
	mkdir -p $(DEFECTS4J_HOME)/bin && cp docker/run-defects4j $@

.PHONY: lock
lock: $(VENV)/base.stamp ## Renew the locked requirements (exact versions with hashes, Python 3.11 and newer)
	@$(BIN)/uv --version > /dev/null 2>&1 || $(BIN)/pip install --quiet uv
	for group in base:build dev:dev; do \
		$(BIN)/uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 \
			--group $${group#*:} --generate-hashes --no-emit-index-url --no-emit-find-links \
			--custom-compile-command "make lock" --output-file requirements/$${group%:*}.lock || exit 1; \
	done

.PHONY: clean
clean: ## Remove what the other targets made, runs excepted
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage
	find nl2fix tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

.PHONY: jdk
jdk:
	$(call need,[ -x "$$JAVA_HOME/bin/javac" ] || command -v javac || ls /usr/lib/jvm/*/bin/javac,\
		a JDK (version 8 or newer),default-jdk-headless)

.PHONY: sandbox
sandbox:
	$(call need,command -v bwrap,bubblewrap,bubblewrap)

.PHONY: toolchains
toolchains:
	$(call need,command -v node && command -v go && command -v g++ && command -v rustc && command -v checkstyle,\
		the toolchains of JavaScript$(comma) Go$(comma) C++ and Rust and Checkstyle,nodejs golang-go g++ rustc checkstyle)
	$(call need,test -e /usr/share/java/assertj-core.jar && test -e /usr/share/java/junit-jupiter-api.jar \
		&& test -e /usr/share/java/testng.jar,JUnit 5$(comma) TestNG and AssertJ,junit5 testng libassertj-core-java)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "nl2fix needs Python 3.11 or newer; name it with: make PYTHON=python3.12 …" >&2; exit 2; }
	$(call need,$(PYTHON) -c "import ensurepip",Python's venv module,python3-venv)
	$(PYTHON) -m venv $(VENV)

# Exact versions, each checked against its hash; the project itself is not copied but linked.
PIP := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/pip install --quiet

$(VENV)/base.stamp: requirements/base.lock pyproject.toml | $(BIN)/python
	$(PIP) --require-hashes -r requirements/base.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: requirements/dev.lock pyproject.toml | $(BIN)/python
	$(PIP) --require-hashes -r requirements/dev.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/base.stamp
