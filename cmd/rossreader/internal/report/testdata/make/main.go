// This file makes the corpus of the findings: it runs what runs.txt lists.

// Command make runs the models of a list, and keeps the samples and the description of each run:
//
//	go build -o BIN ./models/... ./docs/instrumentation/...
//	go run ./cmd/rossreader/internal/report/testdata/make -bin BIN cmd/rossreader/internal/report/testdata/runs.txt [NAME...]
//
// Each run goes to a folder next to the list. A healthy run is repeated, and the one with the least
// idle time is kept, because other programs that use the processors are a trouble of their own.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ross-go/ross/instr"
)

func main() {
	log.SetFlags(0)
	bin := flag.String("bin", "", "folder of the models' programs")
	tries := flag.Int("tries", 12, "runs of a healthy case")
	flag.Parse()
	list, err := os.ReadFile(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] == "#" || flag.NArg() > 1 && !slices.Contains(flag.Args()[1:], words[1]) {
			continue
		}
		n := 1
		if words[0] == "-" {
			n = *tries
		}
		dir := filepath.Join(filepath.Dir(flag.Arg(0)), "runs", words[1])
		if err := best(n, dir, *bin, words[2:]); err != nil {
			log.Printf("%s: %v", words[1], err)
		}
	}
}

// best keeps the least idle of n runs.
func best(n int, dir, bin string, command []string) error {
	least := -1.0
	for range n {
		idle, err := once(dir+".new", bin, command)
		if err != nil {
			return err
		}
		if least < 0 || idle < least {
			least = idle
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
			if err := os.Rename(dir+".new", dir); err != nil {
				return err
			}
		}
	}
	log.Printf("%s: idle %.0f %%", dir, 100*least)
	return os.RemoveAll(dir + ".new")
}

// once runs a command and returns the share of the time in which its PEs were idle.
func once(dir, bin string, command []string) (float64, error) {
	if err := os.RemoveAll(dir); err != nil {
		return 0, err
	}
	args := append(slices.Clone(command[1:]), "--engine-stats=1", "--kp-data=1", "--digest")
	begin := time.Now().UTC().Truncate(time.Second)
	out, err := exec.Command(filepath.Join(bin, command[0]), append(args, "--stats-path="+dir, "--report-interval=1")...).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%w: %s", err, out[max(0, len(out)-300):])
	}
	info := describe(string(out), append([]string{command[0]}, args...))
	if err := os.Remove(filepath.Join(dir, instr.DefaultPrefix+instr.LabelsSuffix)); err != nil && !os.IsNotExist(err) {
		return 0, err // names of LPs, which the rules do not need
	}
	if have, err := instr.ReadRunInfo(dir); err == nil { // the run described itself
		have.Result.IdleSeconds = max(have.Result.IdleSeconds, info.Result.IdleSeconds)
		have.Host.Name = ""
		info = have
	} else {
		info.Begin, info.End = begin, begin.Add(time.Duration(info.Result.Runtime*1e9))
	}
	return info.Result.IdleSeconds / (info.Result.Runtime * float64(info.PEs)), info.Write(dir)
}

// describe makes the description of a run from its report.
func describe(report string, command []string) *instr.RunInfo {
	r := &instr.RunInfo{Version: instr.RunVersion, ID: strings.Join(command, " "), State: instr.RunComplete, Model: command[0], Command: command,
		Options: map[string]string{"nkp": "16"}, Result: &instr.RunResult{}}
	r.Host.Processors = runtime.NumCPU()
	for _, word := range command[1:] {
		name, value, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		r.Options[name] = value
	}
	figure := func(label string, n int) float64 {
		m := regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(label) + `\s+([^\n]*)`).FindStringSubmatch(report)
		if m == nil {
			return 0
		}
		words := strings.FieldsFunc(m[1], func(r rune) bool { return strings.ContainsRune(" ,%=", r) })
		if len(words) <= n {
			return 0
		}
		x, _ := strconv.ParseFloat(words[n], 64)
		return x
	}
	count := func(label string) uint64 { return uint64(figure(label, 0)) }
	r.Engine = instr.RunEngine{Version: regexp.MustCompile(`ROSS Version: (\S*)`).FindStringSubmatch(report)[1], Go: runtime.Version(),
		System: runtime.GOOS + "/" + runtime.GOARCH, Queue: "c"}
	r.Synch, _ = strconv.Atoi(r.Options["synch"])
	r.Scheduler = []string{"", "sequential", "conservative", "optimistic"}[r.Synch]
	r.Ranks, r.PEs, r.LPs = 1, count("Total PEs"), count("Total LPs")
	if m := regexp.MustCompile(`KPs \(\d+\)\] (\d+)`).FindStringSubmatch(report); m != nil {
		r.KPs, _ = strconv.ParseUint(m[1], 10, 64)
	}
	*r.Result = instr.RunResult{
		Runtime: figure(": Running Time", 0), EventRate: figure("Event Rate (events/sec)", 0), Efficiency: figure("Efficiency", 0),
		NetEvents: count("Net Events Processed"), Processed: count("Total Events Processed"), RolledBack: count("Events Rolled Back"),
		Aborted: count("Events Aborted (part of RBs)"), Primary: count("Primary Roll Backs"), Secondary: count("Secondary Roll Backs"),
		GVTs: count("Total GVT Computations"), ForcedGVTs: count("Forced GVT"), RemoteSends: count("Total Remote (shared mem) Events Processed"),
		MemoryPeak: 1024 * count("Memory Used at Most (KiB)"), MemoryLimit: 1024 * count("Memory Limit (KiB)"),
		IdleSeconds: figure("Idle Time, Sum over PEs (seconds)", 0), Shortages: count("Memory Shortages"),
		Window: count("Optimism Window: Last, Least (events)"), LeastWindow: uint64(figure("Optimism Window: Last, Least (events)", 1)),
	}
	if m := regexp.MustCompile(`Committed Event Digest\s+([0-9a-f]{16})`).FindStringSubmatch(report); m != nil {
		r.Result.Digest = m[1]
	}
	return r
}
