# What a contributor runs; continuous integration (.ci/run) calls the same targets.

# SA1019: old protocol versions and interfaces are served on purpose. S1025: fmt
# survives a String method that panics, a plain call of it does not.
STATICCHECK := go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 -checks inherit,-SA1019,-S1025
GOTESTSUM   := go run gotest.tools/gotestsum@v1.13.0 --format pkgname-and-test-fails
FUZZTIME    ?= 10s
JOBS        ?= 6
SOAKTIME    ?= 5m
SEED        ?= 1
BENCH       ?=

# The library's module and the nested ones, each with its own go.mod.
MODULES := $(patsubst %/,%,$(dir $(shell find . -name go.mod -not -path '*/node_modules/*')))
each     = @set -e; for m in $(MODULES); do echo "== $$m: $(1)"; (cd $$m && $(1)); done

.DEFAULT_GOAL := help
.PHONY: help demo test check format vet lint bench benchmarks profile soak cases cases-accept caserig servers fuzz tidy \
	conformance conformance-all conformance-suite compatibility

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-17s %s\n", $$1, $$2}'

demo: ## run the quick start
	go run ./examples/quickstart

test: ## run all tests with the race detector, then say what was skipped and why
	$(call each,$(GOTESTSUM) -- -race -timeout 20m ./...)

check: format vet lint test ## all that must hold before a commit

format: ## fail when a file is not formatted
	@files=$$(gofmt -l .); [ -z "$$files" ] || { echo "gofmt: $$files"; exit 1; }

vet: ## go vet on every module, the library for Windows and macOS too
	$(call each,go vet ./...)
	GOOS=windows go vet ./...
	GOOS=darwin go vet ./...

lint: ## staticcheck on every module
	$(call each,$(STATICCHECK) ./...)

bench: ## measure calls beside plain mcp-go and the bare wire (BENCH=-quick for a first look)
	@go build -o bin/bench ./integration/bench && bin/bench $(BENCH)

benchmarks: ## run the Go benchmarks of every package
	go test -run '^$$' -bench . -benchmem ./...

profile: ## write CPU and allocation profiles of calls into bin/profiles
	@go build -o bin/bench ./integration/bench && bin/bench -profile bin/profiles

soak: ## run many callers against servers that are killed, stalled and restarted, for SOAKTIME
	go test -race ./integration/soak -count=1 -v -run TestSoak -timeout 30m -for $(SOAKTIME) -seed $(SEED)

cases: caserig ## run the failure cases, judged by the list of those that pass
	bin/caserig -driver bin/ours -passing integration/caserig/passing.txt -j $(JOBS)

cases-accept: caserig ## run the failure cases and write that list anew
	bin/caserig -driver bin/ours -passing integration/caserig/passing.txt -j $(JOBS) -accept

caserig: ## build the case rig and its drivers into bin
	go build -C integration/caserig -o $(CURDIR)/bin/ ./cmd/caserig ./drivers/plain
	go build -C integration/caserig/drivers/ours -o $(CURDIR)/bin/ .

CONFORMANCE = go build -o bin/ ./integration/conformance && go build -o bin/conformance-client ./integration/conformance/client && \
	bin/conformance -client bin/conformance-client

conformance: ## run the protocol's frozen sets of conformance scenarios, and print a table
	$(CONFORMANCE)

conformance-all: ## run every client scenario of the suite, and write the table in docs/compatibility.md anew
	$(CONFORMANCE) -all -table docs/compatibility.md

compatibility: ## run the tests with servers, SDKs and bridges of others, and write their table in docs/compatibility.md anew
	go run ./integration/compatibility -page docs/compatibility.md

conformance-suite: ## install the conformance suite (needs npm)
	npm --prefix integration/conformance ci --ignore-scripts --no-audit --no-fund --loglevel=error

servers: ## install the MCP servers that some tests start (needs npm)
	npm --prefix integration/servers ci --ignore-scripts --no-audit --no-fund

fuzz: ## fuzz each target for FUZZTIME
	@set -e; for d in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -r -n1 dirname | sort -u); do \
		for f in $$(go test -list '^Fuzz' $$d | grep '^Fuzz'); do \
			echo "== $$d $$f"; go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$d; done; done

tidy: ## bring go.mod and go.sum of every module up to date
	$(call each,go mod tidy)
