// This file owns the command line, what is measured, the measurement of a comparison, and the table.

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
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/sys/buildinfo"
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

// run measures what the arguments ask for.
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
			return nil, fmt.Errorf("balance: %s: the two sides have committed different numbers of events: %s and %s", c.name,
				digests[0], digests[1])
		}
		all = append(all, p)
	}
	return all, nil
}

var (
	rateLine   = regexp.MustCompile(`Event Rate \(events/sec\)\s+([\d.]+)`)
	eventsLine = regexp.MustCompile(`Net Events Processed\s+(\d+)`)
)

// rate runs a program and returns its event rate, and what shows whether another run came to the same.
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

// comparison is two command lines of a program that are compared.
type comparison struct {
	name    string
	program string // its package, below the module
	args    string // of both
	a, b    string // of one
	spins   bool   // while a process computes on the first processor
}

const (
	off = "--balance=off"
	on  = "--balance=on"

	hot   = "bench/balance/hot"
	phold = "models/phold"
	// As in the table of Time Warp in bench/README.md.
	pholdA = "--remote=0.25 --mean=1 --lookahead=0.1 --start-events=1"
	pholdB = "--remote=0.1 --mean=1 --lookahead=0.1 --start-events=16"
)

// comparisons returns all of them.
func comparisons() (all []comparison) {
	add := func(name, program, args string) {
		all = append(all, comparison{name: name, program: program, args: args, a: off, b: on})
	}
	for _, s := range []struct{ name, synch string }{{"optimistic", "--synch=3 "}, {"conservative", "--synch=2 "}} {
		add("hot, 2 PEs, "+s.name, hot, s.synch+"--pes=2 --nlp=2048 --end=800")
		add("hot, 4 PEs, "+s.name, hot, s.synch+"--pes=4 --nlp=1024 --part=0.25 --end=800")
		add("hot spot wanders, 2 PEs, "+s.name, hot, s.synch+"--pes=2 --nlp=2048 --part=0.25 --wander=200 --end=1600")
		add("even PHOLD A, 2 PEs, "+s.name, phold, s.synch+pholdA+" --pes=2 --nlp=4096 --end=6000")
		add("even PHOLD B, 2 PEs, "+s.name, phold, s.synch+pholdB+" --pes=2 --nlp=512 --end=3200")
		for _, n := range []string{"4", "8", "16"} {
			add("even PHOLD B, "+n+" PEs, "+s.name, phold, s.synch+pholdB+" --end=1600 --pes="+n+" --nlp="+
				map[string]string{"4": "256", "8": "128", "16": "64"}[n])
		}
	}
	add("airport, 2 PEs, optimistic", "models/airport", "--synch=3 --pes=2 --end=150000")
	add("traffic, 2 PEs, optimistic", "models/traffic", "--synch=3 --pes=2 --end=3000")
	net := "--shape=dragonfly:8,4,4 --jobs=uniform:32 --nkp=256 --load=0.5 --pes=2 --end=2000000 "
	add("dragonfly with one hot group, 2 PEs, optimistic", "models/network", "--synch=3 "+net)
	add("dragonfly with one hot group, 2 PEs, conservative", "models/network", "--synch=2 "+net)
	for _, s := range []struct{ name, synch string }{{"optimistic", "--synch=3"}, {"conservative", "--synch=2"}} {
		base := pholdB + " --end=4800"
		all = append(all,
			comparison{"PHOLD B and a spinning process, " + s.name + ": sequential, off", phold, base, "--synch=1 --nlp=1024",
				s.synch + " --pes=2 --nlp=512 " + off, true},
			comparison{"PHOLD B and a spinning process, " + s.name + ": sequential, on", phold, base, "--synch=1 --nlp=1024",
				s.synch + " --pes=2 --nlp=512 " + on, true})
	}
	return all
}

const heading = "| case | first (M events/s) | second (M events/s) | second / first | quartiles |\n|---|---|---|---|---|\n"

// row returns the line of a comparison.
func row(name string, pairs []pair) string {
	var a, b, ratios []float64
	for _, p := range pairs {
		a, b, ratios = append(a, p.a/1e6), append(b, p.b/1e6), append(ratios, p.b/p.a)
	}
	return fmt.Sprintf("| %s | %.1f | %.1f | %.2f | %.2f to %.2f |", name, quantile(a, 0.5), quantile(b, 0.5),
		quantile(ratios, 0.5), quantile(ratios, 0.25), quantile(ratios, 0.75))
}

// quantile returns the value below which a share of all values is, between neighbours if need be. It sorts all.
func quantile(all []float64, share float64) float64 {
	slices.Sort(all)
	at := share * float64(len(all)-1)
	i := int(at)
	if i+1 == len(all) {
		return all[i]
	}
	return all[i] + (at-float64(i))*(all[i+1]-all[i])
}
