// This file shows how a run is surveyed.

package survey_test

import (
	"fmt"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/instr"
)

func Example() {
	inputs, err := cli.NewFlags("", "", "", "").Inputs([]string{"../../../../instr/testdata/opt2-evtrace.bin"})
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := survey.New(inputs)
	if err != nil {
		fmt.Println(err)
		return
	}
	trace := run.Sources[instr.Trace]
	fmt.Println(trace.Events, "events of LPs", run.MinLP, "to", run.MaxLP)
	fmt.Println("clock began with the run:", run.FromStart)
	later := 0
	err = run.Trace(func(e *instr.Event) {
		if e.RecvTS > 200 {
			later++
		}
	})
	fmt.Println(later, "after 200", err)
	// Output:
	// 3225 events of LPs 0 to 7
	// clock began with the run: false
	// 1608 after 200 <nil>
}
