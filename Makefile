# Builds, tests and measures ross. `make` alone lists the targets; what is long is in tools/.
#
# Needed: Go. A C compiler is optional: without one (or with CGO_ENABLED=0) everything runs on
# the Go twins, and the targets that are about C say so and succeed. What else a target needs it
# gets itself: Go tools through tools/go.mod, tools/sbom.mod and tools/deb.mod; through apt-get valgrind, qemu with a
# C compiler for arm64, Open MPI, MPICH, Slurm and Chromium.
# Nothing is written outside this folder but Go's caches, temporary files and system packages.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory

GO        ?= go
JOBS      ?= 4
FUZZTIME  ?= 1000x
SOAKTIME  ?= 200000x
SOAKEND   ?= 3000
SEEDS     ?= 10000
BENCH     ?= .
BENCHTIME ?= 100ms
COUNT     ?= 6
BUDGET    ?= 12m
TIMEOUT   ?= 30m
MPI       ?= openmpi# or mpich
MUTANTS   ?= .
# Fuzzing compiles anew what a package imports, for reader, live view, containers and mappings a lot: only soak does that.
FUZZED    ?= avl buddy gvt instr internal pq rio
export GO TIMEOUT

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

# Tests are not vetted for each build: lint does that, and test-race for the files that it alone has.
GO_TEST   := $(GO) test -vet=off -timeout $(TIMEOUT)
# Builds that share no compiled package with the usual one do without what debuggers read, which
# takes a seventh of the time. tools/mpi.sh has the same flag, and so shares their packages.
export LEAN := -gcflags=all=-dwarf=false
# The race detector would check pointers, too. AddressSanitizer does, for the packages that work with memory.
RACE      := "-gcflags=all=-dwarf=false -d=checkptr=0"
# Tests of PEs that take turns on one processor: PEs on several wait for one another where other parts of make test
# have these, and use twice the time. test-go and test-race have all processors.
ONE_PROC  := GOMAXPROCS=1
# The module of the engine, folder by folder, and the modules beside it, whose libraries would be compiled for each build.
# Of these, stress runs the whole engine.
BESIDE    := $(patsubst %,./%/,bench bin cmd docs models proc program tools)
PACKAGES  := . ./program ./program/cmdline $(patsubst %,%...,$(filter-out $(BESIDE),$(sort $(wildcard ./*/))))
MODULES   := ./bench/... ./cmd/rossreader/... ./docs/... ./models/... ./proc/... ./program/parts/...
ENGINE    := $(PACKAGES) ./models/stress
# Of the modules beside, what knows of goroutines or of the engine's insides.
EXPERIMENT := ./program/parts/experiment
# What checks itself by assertions, or has the engine do what its own tests do not.
ASSERTED  := $(filter-out $(patsubst %,./%/...,csrc mapping modeltest),$(filter-out ./program ./program/cmdline,$(ENGINE)))
# The other packages that reach C, and those that have other files without it.
TWINS     := $(filter-out ./,$(sort $(dir $(shell grep -rl --include='*.go' --exclude-dir=tools 'ross/csrc"' .)))) ./models/stress
# Where memory of C and unsafe pointers are worked with. What the packages of DRIVEN have in C, test-valgrind runs with both
# sanitizers, and tools/mpi.sh tests internal/ranks/mpi itself.
DRIVEN    := ./avl/ ./buddy/ ./pq/
TOUCHING   = . ./internal/run ./internal/engine/delta ./internal/sys/plain $(filter-out $(DRIVEN),$(TWINS))
WITHOUT_C := $(sort $(dir $(shell grep -rlE --include='*.go' '^//go:build.*\b(cgo|purego)\b' avl buddy internal pq | sed 's,^,./,'))) ./models/stress
# Those in which goroutines may share what they must not: they start some, synchronise them, or run simulations.
# Some run ordinary ones and share nothing, or have a lock that no two goroutines of theirs want.
SHARING   := $(filter-out $(patsubst %,./%/,program/cmdline container csrc/cmodel csrc/libross internal/output/check internal/testing/consumer \
	internal/output/deep internal/sys/filehash internal/sys/flat internal/run/inside internal/engine/meter internal/num/statistic mapping/partition resource rng \
	stats),$(sort $(dir $(shell grep -rlE --include='*.go' --exclude-dir=parts --exclude-dir=template '^\s*(import )?"(sync|sync/atomic|github.com/ross-go/ross(/internal/testing/rosstest)?)"|^\s*go func' \
	$(filter-out .,$(PACKAGES:/...=)))))) ./models/stress $(EXPERIMENT)
# What qemu can play: without tests that start themselves, and without those that reserve much address
# space, for which qemu takes memory.
PLAYED    := . ./avl ./buddy ./gvt ./mapping ./pq ./rio ./rng ./models/stress $(patsubst %,./internal/%,output/check output/collect sys/cstack engine/delta output/deep \
	sys/flat num/fold engine/kernel sys/labels num/libm sys/plain \
	num/statistic sys/ticks engine/timewarp ranks/transport ranks/world)
RACED     := $(filter-out ./models/%,$(sort $(dir $(shell grep -rlE --include='*.go' '^//go:build(.*[^!])?\brace\b' .))))
BROWSER   := $(addprefix ./cmd/rossreader/internal/,events figures life network report serve) ./program/parts/live ./program/parts/page
# Their tests that look at pages; test-go runs the others.
LOOKS      = $(shell grep -l '^//go:build browser' $(addsuffix /*_test.go,$(BROWSER)) | xargs sed -n 's/^func \(Test[A-Za-z0-9_]*\).t .*/\1/p')
# Those whose threads or ranks wait for one another, and then the others. What two parts have to compile, one of them
# finds in the cache if the other is over, or well ahead: so first those that share little with test-go, or install much,
# then the longest.
TOGETHER  := test-go test-race test-mpi
TEST_PART := test-arm64 test-valgrind test-mpich test-invariants lint test-browser test-template test-rossproc test-purego \
	test-rossvet test-noavx2

# $(call with_cc,recipe) is the recipe, or one line that says why not. with_gnu asks for Linux too:
# valgrind, ASan in Go programs, GNU ld.
with_cc    = $(if $(HAVE_CC),$(1),@echo "$@: no C compiler: nothing to test, this build runs on the Go twins")
with_linux = $(if $(filter Linux,$(shell uname -s)),$(1),@echo "$@: only on Linux")
with_gnu   = $(call with_linux,$(call with_cc,$(1)))
,         := ,

.PHONY: help build libross run mpi check check-lint check-test test test-busy test-mpi-models test-asan test-slurm $(TOGETHER) $(TEST_PART) fuzz api licenses sbom dist deb reproducible bench bench-compare machine soak worlds tidy \
	mutants clean valgrind chromium qemu openmpi mpich slurm
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "%-16s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

build: ## build the models and rossreader into bin/
	@mkdir -p bin
	$(GO) build -o bin/ ./models/... ./cmd/rossreader
libross: ## build the library for C models of ROSS, and install it into PREFIX; MPI=1: for mpirun
	@MPI='$(if $(filter command,$(origin MPI)),$(MPI))' tools/libross.sh '$(PREFIX)'
mpi: ## build with MPI (-tags mpi): Open MPI, or MPI=mpich
	@tools/mpi.sh $(MPI) build
run: ## run PHOLD optimistically on all cores, without MPI, and print the report
	$(GO) run ./models/phold --synch=3 --pes=0 --nlp=1024 --start-events=16 --remote=0.1 --lookahead=0.1 \
		--end=1000 --digest

check: ## what to run all day: gofmt, build, go vet, staticcheck, and few cases of all tests; two minutes once compiled
	@MAKE='$(MAKE)' tools/parts.sh $(JOBS) check-test check-lint
check-test: ## run few cases of all tests as users build the packages, those of the engine first
	ROSS_TEST=few $(GO_TEST) ./...
	ROSS_TEST=few $(GO_TEST) $(MODULES)
check-lint: ## gofmt, who imports whom, go build, go vet and staticcheck, for the usual build
	@tools/lint.sh usual
test: ## test everything: lint and the test- targets, JOBS (4) at a time; 15 to 20 minutes on two idle cores
	@MAKE='$(MAKE)' tools/parts.sh $(JOBS) $(TOGETHER) -- $(TEST_PART)
test-busy: ## test everything beside two programs for each processor that do nothing but work; TIMEOUT is 90m
	@TIMEOUT=$(if $(filter command,$(firstword $(origin TIMEOUT))),$(TIMEOUT),90m) tools/busy.sh $(MAKE) test
test-go: ## run the tests as users build the packages; few cases of the library's; of the engine's least, with test-invariants
	ROSS_TEST=few $(GO_TEST) $$($(GO) list ./... | grep -v -e /ross$$ -e /program$$ -e /internal/run$$) $(EXPERIMENT) ./models/network/...
	ROSS_TEST=least $(GO_TEST) ./internal/run
	ROSS_TEST=some ROSS_MPITEST_BUILD=-ldflags=-s $(GO_TEST) . ./program $$($(GO) list $(MODULES) | grep -v -e $(EXPERIMENT:.%=%)$$ -e /models/network/)
test-invariants: ## run the tests with the engine's own assertions, and its C under UndefinedBehaviorSanitizer
	packages=$$(tools/affected.sh invariants $(ASSERTED)); \
		$(ONE_PROC) ROSS_TEST=few UBSAN_OPTIONS=halt_on_error=1 $(GO_TEST) -tags invariants$(if $(HAVE_CC),$(,)ubsan),nolive $$packages
test-purego: ## run the tests on the Go twins: without cgo, and with -tags purego
	$(ONE_PROC) ROSS_TEST=least CGO_ENABLED=0 $(GO_TEST) -tags nolive . ./internal/run $(WITHOUT_C)
	$(if $(HAVE_CC),tools/purego.sh)
test-race: ## run the tests under the race detector, or without C with checks of pointers
	$(if $(HAVE_CC),$(GO) vet -race -tags nolive $(RACE) $(RACED) && \
		ROSS_TEST=few $(GO_TEST) -race -tags nolive $(RACE) . $(SHARING), \
		$(GO_TEST) -gcflags=all=-d=checkptr ./... $(MODULES))
test-asan: ## run the tests that reach C under AddressSanitizer, as test-mpi does, without MPI
	$(call with_gnu,$(ONE_PROC) ROSS_TEST=least $(GO_TEST) -asan -tags nolive $(LEAN) $(TOUCHING) $(DRIVEN))
test-noavx2: ## run the tests of the queue, whose C code alone uses AVX2, as on machines without it
	$(call with_cc,ROSS_TEST=few $(GO_TEST) -tags noavx2 ./pq)
test-valgrind: ## run C without Go, under valgrind and with both sanitizers
	$(call with_gnu,tools/need.sh valgrind && tools/drivers.sh)
test-arm64: ## compare results and digests with those of arm64 under qemu, and of x86-64 without FMA; run tests there
	$(call with_linux,$(ONE_PROC) tools/arm64.sh least ./avl ./buddy ./pq ./internal/sys/cstack)
test-mpi: ## run the tests of MPI under mpirun: plain, with assertions and under ASan; most of test-asan; models under mpirun
	$(call with_gnu,tools/mpi.sh $(MPI) test $(filter-out ./internal/ranks/mpi/,$(TOUCHING)))
test-mpi-models: ## run the models under mpirun: plain, then some runs with AddressSanitizer
	$(call with_gnu,tools/mpi.sh $(MPI) models)
test-mpich: ## run some tests of MPI and of the models under MPICH
	$(call with_gnu,tools/mpi.sh mpich short)
test-slurm: ## run what docs/cluster.md says of Slurm, on two nodes that are network namespaces; root
	$(call with_gnu,tools/cluster.sh)
test-browser: ## look at the reports of rossreader and at the live page in a browser, which it installs: Chromium
	$(call with_linux,tools/need.sh chromium && $(GO_TEST) -count=1 -tags browser -run '^($(subst $() ,|,$(strip $(LOOKS))))$$' $(BROWSER))
test-rossvet: ## run the tests of rossvet, a module of its own, and rossvet on models, documents and examples
	$(GO) test -C cmd/rossvet -vet=off -timeout $(TIMEOUT) ./...
test-rossproc: ## run the tests of rossproc, a module of its own, and look whether generated code is that of its source
	$(GO) test -C cmd/rossproc -vet=off -timeout $(TIMEOUT) ./...
test-template: ## make a module from the template as users do, and run there what its README says
	GOWORK=off ROSS_TEST=few $(GO) test -C tools -vet=off -timeout $(TIMEOUT) -count=1 ./template
lint: ## gofmt, who imports whom, licences, known vulnerabilities, go vet and staticcheck, for all builds
	@tools/lint.sh $(PACKAGES) $(filter-out ./models/mpitest/ ./models/internal/,$(wildcard ./models/*/))
tidy: ## go mod tidy in all modules, with the others as they are here
	@tools/tidy.sh
api: ## write tools/exports, which lint compares: the exported names of the released modules
	@tools/tool.sh exports -write .
licenses: ## write LICENSES.md, which lint compares: the licences of all modules
	@mkdir -p bin
	tools/tool.sh licenses . >bin/LICENSES.md && mv bin/LICENSES.md .
sbom: ## write the software bill of materials, of programs and library: bin/ross.cdx.json (CycloneDX)
	@tools/sbom.sh
dist: ## build what a release has besides the modules: bin/dist, with programs for several systems
	@tools/dist.sh
deb: ## build a package for Debian of the library for C models: bin/deb; root can try it with tools/deb.sh try
	@tools/deb.sh
reproducible: ## build all programs twice, in different folders with empty caches, and compare them
	@tools/reproducible.sh
fuzz: ## run each fuzz target of FUZZED (the engine) FUZZTIME (1000x); test-go runs them on what is stored
	@tools/fuzz.sh $(FUZZTIME) $(FUZZED)

bench: ## run the benchmarks COUNT (6) times, print medians, draw bin/scaling.svg; BENCH=regexp
	@tools/bench.sh '$(BENCH)' $(BENCHTIME) $(COUNT) bench rng
bench-compare: ## compare the benchmarks of this tree with those of a git revision, in turns; REF=main, BENCH=regexp
	@tools/bench-compare.sh '$(REF)' '$(BENCH)' $(BENCHTIME) $(COUNT) bench rng
machine: ## say what this machine is, and measure how the engine scales on it, in BUDGET (12m): bin/machine/machine.md
	@mkdir -p bin/machine
	$(GO) build -o bin/machine/ ./bench/machine ./models/dragonfly
	bin/machine/machine -time $(BUDGET) -out bin/machine
soak: build ## fuzz everything SOAKTIME (200000x), then the long tests and runs of tools/soak.sh
	@tools/fuzz.sh $(SOAKTIME) .
	@$(MAKE) worlds
	@tools/soak.sh $(SOAKEND)
	$(call with_linux,tools/arm64.sh few $(PLAYED))
	$(call with_linux,tools/arm64.sh least ./internal/run)
worlds: ## run SEEDS (10000) random models in worlds that the seeds decide, and 4,096 ranks in one process
	ROSS_WORLDS=$(SEEDS) ROSS_RANKS=4096 $(GO) test -vet=off -timeout 100m -count=1 -run 'Worlds|ManyEngines' ./internal/run
mutants: ## put faults into the engine, one at a time, and see whether tests catch them; MUTANTS=regexp
	@ROSS_TEST=few tools/tool.sh mutants . '$(MUTANTS)' # as make test runs them, or fewer cases
clean: ## remove bin/ and what runs leave behind
	rm -rf bin stats-output* ross.csv ross_all_lp_stats
valgrind chromium qemu openmpi mpich slurm:
	@tools/need.sh $@
