package cmdline_test

import (
	"fmt"
	"os"

	"github.com/ross-go/ross/cmdline"
)

func Example() {
	planes, wait := uint64(10), 0.5
	o := cmdline.NewOptions("airport")
	g := o.Group("Airport Model")
	g.Uint64(&planes, "planes", "planes at the start")
	g.Float64(&wait, "wait", "hours between them")
	if _, err := o.Parse([]string{"--planes=3"}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(planes, wait)
	_, err := o.Parse([]string{"--plane=3"})
	fmt.Println(err)
	_ = o.WriteHelp(os.Stdout)
	// Output:
	// 3 0.5
	// ross: option --plane=3: unknown; did you mean --planes? see --help
	// usage: airport [options] [-- [args]]
	//
	// Airport Model:
	//   --planes=n            planes at the start (default 10)
	//   --wait=dbl            hours between them (default 0.50)
	//   --help                show this message
	//   --version             show the versions of program, library and Go
}
