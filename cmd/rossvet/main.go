// Command rossvet looks for mistakes in models: what the handlers of LPs do that gives wrong results when events are
// undone, or when PEs handle them at the same time. It runs alone or under go vet:
//
//	rossvet ./...
//	go vet -vettool=$(which rossvet) ./...
//
// rossvet help lists what it looks for; package check has the analyzers.
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"

	"github.com/ross-go/ross/cmd/rossvet/internal/check"
)

func main() { multichecker.Main(check.All()...) }
