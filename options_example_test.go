// This file shows how a program reads its command line.

package ross_test

import (
	"fmt"
	"os"

	"github.com/ross-go/ross"
)

// A model registers its own options before the engine's.
func ExampleOptions_Parse() {
	cfg := ross.DefaultConfig()
	remote := 0.25

	opts := ross.NewOptions("phold")
	model := opts.Group("PHOLD Model")
	model.Float64(&remote, "remote", "desired remote event rate")
	model.Uint64(&cfg.NLP, "nlp", "number of LPs per processor")
	cfg.Register(opts)

	rest, err := opts.Parse([]string{"--nlp=64", "--remote=0.5", "--end=200", "--max-memory=64M", "--", "trace.csv"})
	fmt.Println(cfg.NLP, remote, cfg.End, cfg.MaxMemory, rest, err)

	_, err = opts.Parse([]string{"--nlps=64"})
	fmt.Println(err)
	// Output:
	// 64 0.5 200 67108864 [trace.csv] <nil>
	// ross: option --nlps=64: unknown; did you mean --nlp? see --help
}

// A program's main hands over os.Args[1:] and exits when it is told to.
func ExampleOptions_Main() {
	cfg := ross.DefaultConfig()
	opts := ross.NewOptions("phold")
	cfg.Register(opts)
	if code, ok := opts.Main([]string{"--synch=9"}, os.Stdout, os.Stdout); !ok {
		fmt.Println("exit status", code)
	}
	// Output:
	// phold: option --synch=9: out of range; give 0 to 6, or auto
	// exit status 2
}
