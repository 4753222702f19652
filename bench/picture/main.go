// This file owns the command line.

package main

import (
	"fmt"
	"io"
	"os"

	"github.com/ross-go/ross/internal/sys/buildinfo"
)

func main() {
	if buildinfo.Asked("picture", os.Args[1:], os.Stdout) {
		return
	}
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run draws what the files contain, or what in contains if there are none.
func run(files []string, in io.Reader, out io.Writer) error {
	r := results{}
	if len(files) == 0 {
		if err := r.read("standard input", in); err != nil {
			return err
		}
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("picture: %w", err)
		}
		err = r.read(name, f)
		f.Close()
		if err != nil {
			return err
		}
	}
	if len(r.panels) == 0 {
		return fmt.Errorf("picture: no results of BenchmarkScaling: make them with go test -run '^$' -bench Scaling ./bench")
	}
	_, err := out.Write(draw(&r))
	return err
}
