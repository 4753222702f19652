// This file owns the command line, and the measurement of a comparison.

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/buildinfo"
)

func main() {
	if buildinfo.Asked("balance", os.Args[1:], os.Stdout) {
		return
	}
	if os.Getenv(spinning) != "" {
		spin()
	}
	switch err := run(context.Background(), os.Args[1:], os.Stdout); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run measures what the arguments say.
func run(ctx context.Context, args []string, out io.Writer) error {
	fs := flag.NewFlagSet("balance", flag.ContinueOnError)
	fs.SetOutput(out)
	runs := fs.Int("runs", 7, "`number` of runs of each side of a comparison")
	only := fs.String("only", "", "measure only those whose name contains a `word`")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *runs < 1 {
		return fmt.Errorf("balance: -runs=%d: must be at least 1", *runs)
	}
	bin, err := os.MkdirTemp("", "balance")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	fmt.Fprint(out, heading)
	for _, c := range comparisons() {
		if !strings.Contains(c.name, *only) {
			continue
		}
		rows, err := c.measure(ctx, bin, *runs)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, row(c.name, rows))
	}
	return nil
}

// pair is what neighbouring runs came to, in events per second.
type pair struct{ a, b float64 }

// measure runs both sides n times, in turn.
func (c *comparison) measure(ctx context.Context, bin string, n int) (all []pair, err error) {
	program := filepath.Join(bin, filepath.Base(c.program))
	if _, err := os.Stat(program); err != nil {
		build := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/ross-go/ross/"+c.program)
		if text, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("balance: %s: %w: %s", c.program, err, text)
		}
	}
	if c.spins {
		stop, err := startSpinning(ctx)
		if err != nil {
			return nil, err
		}
		defer stop()
	}
	for range n {
		var p pair
		var digests [2]string
		if p.a, digests[0], err = rate(ctx, program, c.args+" "+c.a); err != nil {
			return nil, err
		}
		if p.b, digests[1], err = rate(ctx, program, c.args+" "+c.b); err != nil {
			return nil, err
		}
		if digests[0] != digests[1] {
			return nil, fmt.Errorf("balance: %s: the two sides have committed different numbers of events: %s and %s", c.name, digests[0], digests[1])
		}
		all = append(all, p)
	}
	return all, nil
}

var (
	rateLine   = regexp.MustCompile(`Event Rate \(events/sec\)\s+([\d.]+)`)
	eventsLine = regexp.MustCompile(`Net Events Processed\s+(\d+)`)
)

// rate runs a program and returns its event rate, and what tells whether another run came to the same.
func rate(ctx context.Context, program, args string) (perSecond float64, same string, err error) {
	cmd := exec.CommandContext(ctx, program, strings.Fields(args)...)
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := cmd.Run(); err != nil {
		return 0, "", fmt.Errorf("balance: %s %s: %w: %s", program, args, err, text.Bytes())
	}
	found, events := rateLine.FindStringSubmatch(text.String()), eventsLine.FindStringSubmatch(text.String())
	if found == nil || events == nil {
		return 0, "", fmt.Errorf("balance: %s %s: the report has no event rate: %s", program, args, text.Bytes())
	}
	perSecond, err = strconv.ParseFloat(found[1], 64)
	return perSecond, events[1], err
}

const spinning = "ROSS_BALANCE_SPINS" // set in the environment of the process that spins

// startSpinning starts a process that computes on the first processor until stop is called.
func startSpinning(ctx context.Context) (stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), spinning+"=1")
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}, nil
}
