# Thin front door: sets up the machine, then hands over to CMake presets. `make help` lists the targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help
JOBS ?= $(shell nproc)
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
PACKAGES := $(shell sed -e 's/\#.*//' packages.txt)
MAZURKA := build/release/src/cli/mazurka
# Large models and whole tables: they exercise nothing that smaller tests do not, and take minutes under sanitizers.
LARGE_TESTS := IsThatOfThePaper/(qo|pet|lz|dp|mpat) |Oracle.*Prefixes|MeetsThePapersNumbers|Table1.LargeRows|ReferenceAgrees|install_test|browser_test

help:            ## this list
	@sed -n 's/^\([a-z-]*\): .*## /  make \1\t/p;s/^\([a-z-]*\):  *## /  make \1\t/p' $(MAKEFILE_LIST) | sort -u

setup:           ## install the Debian packages of packages.txt that are missing
	@missing=$$(for p in $(PACKAGES); do \
	    dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
	if [ -n "$$missing" ]; then echo "installing:" $$missing; \
	  $(SUDO) apt-get update -qq && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; fi

build: setup     ## the optimised binary and its tests
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS)

demo: build      ## find a bug in a bundled example
	@examples/demo.sh $(MAZURKA)

test: build      ## everything that must hold, with the optimised gcc build
	ctest --preset release -j $(JOBS) -LE nightly

nightly: build   ## what takes hours: the tests with the label nightly
	ctest --preset release -j $(JOBS) -L nightly

attacks: build   ## kill, damage, mutate, limit and signal mazurka some thousand times
	ctest --preset release -R '^attacks_all$$' -V

sanitize: setup  ## clang without warnings; the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev -j $(JOBS)
	MAZURKA_TEST_SCALE=$${MAZURKA_TEST_SCALE:-10} ctest --preset dev -j $(JOBS) -LE nightly -E '$(LARGE_TESTS)'

clang: setup     ## the optimised build with clang
	@cmake --preset clang >/dev/null
	@cmake --build --preset clang -j $(JOBS)

format: setup    ## fail if a source is not formatted
	git ls-files '*.cpp' '*.hpp' '*.h' | xargs clang-format --dry-run --Werror

tidy: setup      ## clang-tidy over runtime/ and src/ but src/cli, where the option parser's headers take minutes
	@cmake --preset dev >/dev/null
	sed -n 's/^ *"file": "\(.*\)".*/\1/p' build/dev/compile_commands.json | grep -e /src/ -e /runtime/ | grep -v -e _test.dir -e mazurka_cli -e /mazurka.dir/ | \
	  xargs -P $(JOBS) -n 1 clang-tidy --quiet --checks=-bugprone-suspicious-include -p build/dev 2>/dev/null

fuzz: setup      ## every reader for a minute (FUZZ_SECONDS=60)
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev -j $(JOBS)
	@tests/fuzz/run.sh build/dev $${FUZZ_SECONDS:-60}

bench: build     ## the benchmark programs, each of which prints our figures beside the papers'
	@ls build/release/bench/

figures:         ## the drawings of docs/ (those of stateful.md are measurements: bench/table-stateful)
	@docs/figures/draw.py

table-debian: build ## Debian's code, unchanged, under mazurka check; fetches its packages
	@build/release/bench/table-debian

install: build   ## binary, runtime, header, CMake package, man page and completion below PREFIX (default /usr/local)
	cmake --install build/release --prefix $${PREFIX:-/usr/local}

clean:           ## remove everything that was built
	rm -rf build

.PHONY: help setup build demo test nightly attacks sanitize clang format tidy fuzz bench figures table-debian install clean
