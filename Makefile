# Builds, tests and measures ross. `make` alone lists the targets.
#
# Needed: Go. A C compiler is optional: without one (or with CGO_ENABLED=0)
# everything runs on the Go twins, and the targets that are about C say so and
# succeed. What else a target needs it gets itself: Go tools through
# tools/go.mod, valgrind, Open MPI and Chromium through apt-get. Nothing is written outside this folder
# but Go's caches, temporary files and system packages.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

GO ?= go
# How much a target does. Fuzzing is counted in executions: a limit in seconds
# makes go test 1.26 fail now and then with "context deadline exceeded" (go.dev/issue/75804).
FUZZTIME  ?= 3000x
SOAKTIME  ?= 200000x
# Fuzzing compiles all that a package imports anew, which for the reader and the live view is
# a lot: test runs their seeds, and soak fuzzes them.
FUZZED    ?= avl buddy gvt instr internal mapping pq rio
SOAKEND   ?= 3000
BENCH     ?= .
BENCHTIME ?= 100ms
COUNT     ?= 6
TIMEOUT   ?= 10m

# The compiler is the one that go build takes.
ifeq ($(origin CC),default)
CC := $(shell $(GO) env CC)
endif
HAVE_CC := $(if $(filter 0,$(CGO_ENABLED)),,$(shell command -v $(firstword $(CC))))
ifeq ($(HAVE_CC),)
export CGO_ENABLED := 0
else
export CC
endif
OS := $(shell uname -s)

# Tests are not vetted once more for each build: lint does that, and test-race for files that it alone has.
GO_TEST   := $(GO) test -vet=off -timeout $(TIMEOUT)
TOOL      := $(GO) tool -modfile=tools/go.mod
SAN_UB    := -fsanitize=undefined -fno-sanitize-recover=all
# The packages whose tests reach C, and those with benchmarks that compare.
C_PKGS    := . ./csrc $(sort $(dir $(shell grep -rl --include='*.go' '"github.com/ross-go/ross/csrc"' .)))
# Those that are tested on the other builds of the C code, and on its twins in Go: the
# tests of stress run the whole engine.
TWINS     := $(sort $(filter-out .,$(C_PKGS)) ./models/stress/)
# What the engine is: without the reader and the live view, whose libraries would be compiled
# again for each build. Models have the live view, and a tag to do without.
ENGINE    := . ./cmdline/... ./report/... ./avl/... ./buddy/... ./csrc/... ./gvt/... ./instr/... ./internal/... ./mapping/... ./pq/... ./rio/... ./rng/... $(filter-out ./models/mpitest/,$(wildcard ./models/*/))
# The packages that have files for one of these tags only.
TAGGED    := $(sort $(dir $(shell grep -rlE --include='*.go' '^//go:build.*(purego|invariants|nolive)' .)))
# Without the models, which have no goroutines of their own, but for stress.
ALONE     := $(filter-out ./models/%,$(ENGINE)) ./models/stress
LEAN      := -tags nolive
LEAN_GO   := -tags purego,nolive
# Of the engine's own tests those in which memory changes hands.
UNDO      := ForcedRollbacksChange|Payload|Alloc|Delta|Message
TABLES    := bench rng
BROWSER   := ./cmd/rossreader/internal/report
DRIVERS   := bin/ladder_driver bin/avl_driver bin/buddy_driver
TEST_PART := lint test-go test-invariants test-purego test-noavx2 test-ubsan test-valgrind test-asan test-race test-mpi test-browser fuzz

# MPI: openmpi or mpich. empi asks pkg-config for ompi; for MPICH that is a file
# of ours that names MPICH's. Go's build cache does not know what pkg-config said,
# but keeps builds with other C flags apart; and gcc 12 warns of MPI_STATUSES_IGNORE
# in MPICH's headers.
MPI       ?= openmpi
MPI_ENV   := $(if $(filter mpich,$(MPI)),PKG_CONFIG_PATH=$(CURDIR)/bin/pkgconfig:$(PKG_CONFIG_PATH) CGO_CFLAGS="-O2 -g -Wno-stringop-overflow")
MPI_TAGS  := -tags mpi
MPI_CHECKS := -tags mpi,invariants
MPI_LEAN  := -tags mpi,invariants,nolive
MPI_PKGS  := ./csrc ./internal/mpi ./internal/ranks ./internal/world
MPI_TEST   = $(MPI_ENV) $(GO_TEST)
MPI_MODELS_TEST = $(MPI_TEST) -count=1 -parallel 8 $(MPI_TAGS) $(MPI_MODELS)
MPI_MODELS := ./models/mpitest
# Of whole runs, some are enough for builds that look for data races and bad memory.
MPI_MODELS_SOME := -run 'Digest.*/.*/synch=[23]/np=2/pes=2|Mistakes/(panic|fail)/|Halves/np=2/.*/pes=2|Results'
MPI_RUN   := -run 'Messages|Reductions|Signals'
MPI_SOME  := $(MPI_TAGS) $(MPI_RUN) ./internal/mpi

# $(call with_cc,recipe) is the recipe, or one line that says why not. with_gnu
# asks for Linux too: valgrind, ASan in Go programs, GNU ld.
with_cc  = $(if $(HAVE_CC),$(1),@echo "$@: no C compiler: nothing to test, this build runs on the Go twins")
with_linux = $(if $(filter Linux,$(OS)),$(1),@echo "$@: only on Linux")
with_gnu = $(call with_linux,$(call with_cc,$(1)))

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "%-16s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

.PHONY: build run mpi openmpi mpich
build: ## build the models and rossreader into bin/
	@mkdir -p bin
	$(GO) build -o bin/ ./models/... ./cmd/...

mpi: $(MPI) ## build with MPI (-tags mpi): Open MPI, or MPI=mpich
	@mkdir -p bin
	$(MPI_ENV) $(GO) build $(MPI_TAGS) ./...
	$(MPI_ENV) $(GO) build $(MPI_TAGS) -o bin/ ./models/...

run: ## run PHOLD optimistically on all cores, without MPI, and print the report
	$(GO) run ./models/phold --synch=3 --pes=0 --nlp=1024 --start-events=16 --remote=0.1 --lookahead=0.1 --end=1000 --digest

.PHONY: test $(TEST_PART)
test: ## test everything: the test- targets, lint and fuzz; a quarter of an hour on two cores
	@for part in $(TEST_PART); do \
		echo "== $$part"; from=$$SECONDS; $(MAKE) $$part; times+="$$part $$((SECONDS - from)), "; \
	done; echo "== test: all passed in $$SECONDS seconds ($${times%, })"

test-go: ## run the tests as users build the package
	$(GO_TEST) ./...

test-invariants: ## run the tests with the engine's own assertions
	ROSS_TEST=some $(GO_TEST) -tags invariants,nolive $(ALONE)

test-purego: ## run the tests on the Go twins: without cgo, and with -tags purego
	ROSS_TEST=some CGO_ENABLED=0 $(GO_TEST) $(LEAN) $(ALONE)
	$(if $(HAVE_CC),$(GO_TEST) $(LEAN_GO) $(TWINS))

test-race: ## run the tests under the race detector, which checks unsafe pointers too; without a C compiler with these checks alone
	$(if $(HAVE_CC),ROSS_TEST=few $(filter-out -vet=off,$(GO_TEST)) -race $(LEAN) $(ALONE),$(GO_TEST) -gcflags=all=-d=checkptr ./...)

test-asan: ## run the tests that reach C under AddressSanitizer; test-mpi does so for runs on ranks
	$(call with_gnu,export ROSS_TEST=few; $(GO_TEST) -asan $(LEAN) $(TWINS) && $(GO_TEST) -asan -run '$(UNDO)' .)

test-noavx2: ## run the tests that reach C as on machines without AVX2
	$(call with_cc,CGO_CFLAGS="-O2 -g -DROSS_NO_AVX2" $(GO_TEST) $(LEAN) $(TWINS))

test-ubsan: ## run the tests that reach C under UndefinedBehaviorSanitizer
	$(call with_cc,CGO_CFLAGS="-O1 -g $(SAN_UB)" CGO_LDFLAGS="$(SAN_UB)" $(GO_TEST) $(LEAN) $(TWINS))

test-valgrind: ## run C without Go, under valgrind and with both sanitizers
	$(call with_gnu,$(MAKE) valgrind $(DRIVERS) $(DRIVERS:=_san) && for driver in $(DRIVERS); do \
		$${driver}_san && valgrind -q --leak-check=full --error-exitcode=9 $$driver || exit 1; \
	done)

test-mpi: ## run the tests of MPI under mpirun: plain, with assertions and AddressSanitizer; then test-mpi-models
	$(call with_gnu,$(MAKE) $(MPI) && $(MPI_ENV) $(GO) vet $(MPI_TAGS) $(MPI_PKGS) && \
		$(MPI_ENV) $(TOOL) staticcheck $(MPI_TAGS) $(MPI_PKGS) && \
		$(MPI_TEST) $(MPI_TAGS) $(MPI_PKGS) && $(MPI_TEST) $(MPI_CHECKS) $(MPI_RUN) $(MPI_PKGS) && \
		$(MPI_TEST) -asan $(MPI_SOME) && $(MAKE) test-mpi-models)

test-mpi-models: ## run the models under mpirun: plain, then some runs with race detector and AddressSanitizer
	$(call with_gnu,$(MAKE) $(MPI) && $(MPI_ENV) $(GO) vet $(MPI_TAGS) $(MPI_MODELS) $(wildcard $(MPI_MODELS)/testdata/*) && \
		$(MPI_ENV) $(TOOL) staticcheck $(MPI_TAGS) $(MPI_MODELS) $(wildcard $(MPI_MODELS)/testdata/*) && \
		$(MPI_MODELS_TEST) && \
		ROSS_MPITEST_BUILD='-race $(MPI_LEAN)' $(MPI_MODELS_TEST) $(MPI_MODELS_SOME) && \
		ROSS_MPITEST_BUILD='-asan $(MPI_LEAN)' $(MPI_MODELS_TEST) $(MPI_MODELS_SOME))

test-browser: ## look at the reports of rossreader in a browser, which it installs: Chromium
	$(call with_linux,$(MAKE) chromium && $(GO) vet -tags browser $(BROWSER) && $(TOOL) staticcheck -tags browser $(BROWSER) && \
		$(GO_TEST) -count=1 -tags browser -run Browser $(BROWSER))

# What is compiled for another system is never run, so it is compiled without optimisation, which is faster.
lint: ## gofmt, who imports whom, go vet and staticcheck, for all builds
	@list=$$(gofmt -l .); test -z "$$list" || { echo "lint: run gofmt -w on:" $$list; exit 1; }
	@tools/arrows.sh
	$(GO) vet ./...
	$(GO) vet -tags invariants,nolive $(TAGGED)
	CGO_ENABLED=0 GOOS=darwin $(GO) vet -gcflags='all=-N -l' $(LEAN) $(ENGINE)
	$(TOOL) staticcheck ./...
	$(TOOL) staticcheck -tags purego,invariants,nolive $(TAGGED)

fuzz: ## run each fuzz target of FUZZED (the engine) FUZZTIME (3000x)
	@grep -r --include='*_test.go' -o '^func Fuzz[A-Za-z0-9_]*' $(FUZZED) | while IFS=: read -r file target; do \
		dir=./$$(dirname $$file); target=$${target#func }; echo "fuzz: $$target in $$dir"; \
		$(GO_TEST) -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x $$dir </dev/null; \
	done

.PHONY: bench soak clean valgrind chromium
bench: ## run the benchmarks COUNT (6) times, print medians; BENCH=regexp
	@mkdir -p bin
	@for table in $(TABLES); do \
		$(GO) test -run '^$$' -bench '$(BENCH)' -benchtime $(BENCHTIME) -count $(COUNT) -timeout 0 ./$$table >bin/$$table.txt; \
		$(TOOL) benchstat -col /impl bin/$$table.txt; \
	done

soak: build ## fuzz everything SOAKTIME (200000x), reader and live view on the other builds, then long runs in C and Go, sequential and optimistic, which must agree
	@$(MAKE) fuzz FUZZTIME=$(SOAKTIME) FUZZED=.
	ROSS_KILLS=200 $(GO_TEST) -count=1 -run Killed ./models/phold
	$(if $(HAVE_CC),$(GO_TEST) -race ./live ./cmd/...)
	CGO_ENABLED=0 $(GO_TEST) ./live ./cmd/...
	$(if $(HAVE_CC),@$(MAKE) test-valgrind && for seed in {1..50}; do for driver in $(DRIVERS:=_san); do $$driver $$seed; done; done)
	@digest() { (cd bin && ./"$$@" --digest --end=$(SOAKEND)) | grep 'Committed Event Digest'; }; \
	for seed in {1..10}; do for run in "phold 4096 --start-events=4" "phold 64 --lookahead=0" "zerotie 512"; do \
		read -r model lps rest <<<"$$run"; \
		seeds=$$(printf -- '--rng-seed%d='$$seed'%d ' 1 1 2 2 3 3 4 4); \
		want=$$(digest $$model --nlp=$$lps $$rest $$seeds --pq=go); \
		for pes in 0 1 2 4; do \
			how="--synch=3 --pes=$$pes"; n=$$((lps / (pes + !pes))); test $$pes != 0 || how=; \
			got=$$(digest $$model --nlp=$$n $$rest $$seeds $$how); echo "soak: $$run, seeds $$seed* $$how:$$got"; \
			test "$$got" = "$$want" || { echo "soak: --pq=go gives$$want"; exit 1; }; \
		done; \
	done; done

clean: ## remove bin/ and what runs leave behind
	rm -rf bin stats-output* ross.csv ross_all_lp_stats

# The C drivers: csrc without Go. Those of ladder and AVL tree let memory calls
# fail, by GNU ld's --wrap.
LADDER_C  := $(filter-out %/avl_driver.c %/buddy_driver.c,$(wildcard csrc/driver/*.c)) $(shell grep -L '^//go:build.*mpi' csrc/*.c)
DRIVER    := $(CC) -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Wshadow
DRIVER_LD := $(foreach call,malloc calloc realloc mmap mprotect,-Wl,--wrap=$(call)) -lm

bin/ladder_driver bin/ladder_driver_san: $(LADDER_C)
bin/avl_driver bin/avl_driver_san: csrc/driver/avl_driver.c csrc/driver/memory.c csrc/avl.c
bin/buddy_driver bin/buddy_driver_san: csrc/driver/buddy_driver.c csrc/buddy.c
$(DRIVERS) $(DRIVERS:=_san): $(wildcard csrc/driver/*.h csrc/*.h)
	@mkdir -p bin
	$(DRIVER) $(if $(findstring san,$@),-fsanitize=address $(SAN_UB)) -o $@ $(filter %.c,$^) $(if $(filter %/memory.c,$^),$(DRIVER_LD))

# $(call apt,command that tells whether it is there,target,packages) installs
# packages, where it may.
define apt
@$(1) >/dev/null 2>&1 || { \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq </dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(3) </dev/null; \
	else \
		echo "$(2): something is missing: install the packages $(3), then try again"; exit 1; \
	fi; }
endef

valgrind:
	$(call apt,command -v valgrind,test-valgrind,valgrind)

chromium:
	$(call apt,command -v chromium,test-browser,--no-install-recommends chromium)

openmpi:
	$(call apt,pkg-config --exists ompi && mpirun --version | grep 'Open MPI',test-mpi,pkg-config libopenmpi-dev openmpi-bin)

mpich:
	$(call apt,pkg-config --exists mpich && command -v mpirun,test-mpi,pkg-config libmpich-dev mpich)
	@mkdir -p bin/pkgconfig
	@printf '%s\n' 'Name: ompi' 'Description: MPICH, where Open MPI is asked for' 'Version: 1' 'Requires: mpich' >bin/pkgconfig/ompi.pc
