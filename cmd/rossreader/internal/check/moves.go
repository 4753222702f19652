// This file decides by which rules a file is checked: those for KPs that stay on their PEs, or those for
// KPs that may have moved.

package check

import (
	"math"
	"path/filepath"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

// run is what run.json, in the folder of a file, tells about the run that wrote the file.
type run struct {
	stayed bool // each PE handled the events of its own KPs, from the beginning to the end
	moved  bool // it did not
	whole  bool // no data are known to be missing

	complete  bool   // run.json says that no data are missing
	described bool   // likewise, and that there was one rank
	pes, lps  uint64 // of the run, 0: not known
}

// runOf returns what is known about the run that wrote a file.
func runOf(in cli.Input) run {
	unknown := run{whole: true}
	if in.Stdin {
		return unknown
	}
	dir := filepath.Dir(in.Name)
	info, err := instr.ReadRunInfo(dir)
	if err != nil {
		return unknown
	}
	begin := strings.TrimSuffix(instr.FileName(dir, info.Options["stats-prefix"], ""), ".bin")
	if !strings.HasPrefix(filepath.Clean(in.Name), filepath.Clean(begin)) {
		return unknown
	}
	of := run{pes: info.PEs, lps: info.LPs}
	if of.lps > math.MaxUint32 { // records have the low bits of ids
		of.lps = 0
	}
	if info.Result == nil {
		return of
	}
	b := info.Result.Balance
	moved := b != nil && (b.Moves > 0 || b.Alone > 0)
	// The result has the moves on rank 0 only, and a scheduler that is chosen while the run goes on lets one
	// PE handle all events now and then.
	of.stayed, of.moved = !moved && info.Ranks <= 1 && info.Scheduler != "auto", moved
	of.whole = info.Result.Incomplete == "" && (info.State == instr.RunComplete || info.State == instr.RunStopped)
	of.complete, of.described = of.whole, of.whole && info.Ranks <= 1
	return of
}

// checkers returns a checker for each set of rules that may hold.
func (o *options) checkers(in cli.Input) []*checker {
	of := runOf(in)
	all := []*checker{o.checker(in, of)}
	if !o.original && !of.stayed {
		moving := o.checker(in, of)
		moving.moving = newMoving(of.whole)
		all = append(all, moving)
	}
	return all
}

// choose returns the checker whose findings count. Most runs, and all of the original, are those of KPs that stay.
func choose(all []*checker) *checker {
	fixed := all[0]
	if len(all) == 1 || fixed.count == 0 || fixed.originals() {
		return fixed
	}
	if moving := all[1]; fixed.run.moved || moving.moving.seen {
		return moving
	}
	return fixed
}
