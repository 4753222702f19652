// Command processes runs models made of processes (package proc). The first word names the model, and its options
// follow.
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/ross-go/ross/models/processes/airport"
	"github.com/ross-go/ross/models/processes/bank"
	"github.com/ross-go/ross/models/processes/central"
	"github.com/ross-go/ross/models/processes/desk"
	"github.com/ross-go/ross/models/processes/epidemic"
	"github.com/ross-go/ross/models/processes/hospital"
	"github.com/ross-go/ross/models/processes/phold"
	"github.com/ross-go/ross/models/processes/port"
	"github.com/ross-go/ross/models/processes/ring"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts"
	"github.com/ross-go/ross/program/parts/parquet"
	"github.com/ross-go/ross/program/parts/study"
)

var models = map[string]func() program.Program{
	"airport":  airport.Program,
	"bank":     bank.Program,
	"central":  central.Program,
	"desk":     desk.Program,
	"epidemic": epidemic.Program,
	"hospital": hospital.Program,
	"phold":    phold.Program,
	"port":     port.Program,
	"ring":     ring.Program,
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	word := ""
	if len(args) > 0 {
		word = args[0]
	}
	if models[word] == nil {
		fmt.Fprintf(stderr, "processes: %q is no model: the first word has to be one of %s\n", word,
			strings.Join(slices.Sorted(maps.Keys(models)), ", "))
		return 2
	}
	return whole(models[word]).Main(args[1:], stdout, stderr)
}

// whole returns a model with the parts that other programs of models have.
func whole(model func() program.Program) program.Program {
	p := model()
	p.Parts = append(parts.All(), study.Of(func() program.Program { return whole(model) }, parquet.Tables))
	return p
}
