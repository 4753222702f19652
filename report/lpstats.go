// This file owns ross_all_lp_stats: for each PE a text file with the time and the number of events
// of each of its LPs.

package report

import (
	"bufio"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"github.com/ross-go/ross/internal/sys/atomicfile"
)

// LPStatsDir is the folder, inside the folder of results, for WriteLPStats.
const LPStatsDir = "ross_all_lp_stats"

// LPStat is the cost of one LP.
type LPStat struct {
	ID      uint64  // global id
	Seconds float64 // wall-clock time in its event handler
	Events  uint64  // forward executions, including those undone later
	Label   string  // the model's name of the LP, or ""
}

// WriteLPStats writes the LPs of a PE to <dir>/ross_all_lp_stats/pe_<pe>.txt in the order of rows,
// replacing the file of an earlier run; folders are created as needed, and an empty dir writes
// nothing. A label, if there is one, follows at the end of its line, quoted. The file is written completely or not at
// all. If its name is a link, the target of the link is replaced; a device or a FIFO is written into. ROSS writes the
// file for --synch 1, 3 and 6.
func WriteLPStats(dir string, pe int, rows iter.Seq[LPStat]) error {
	if dir == "" {
		return nil
	}
	dir = filepath.Join(dir, LPStatsDir)
	path := filepath.Join(dir, "pe_"+strconv.Itoa(pe)+".txt")
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		err = replaceLPStats(path, rows)
	}
	if err != nil {
		return fmt.Errorf("ross: times of LPs not written: %s: %w: %s", path, err,
			atomicfile.Remedy(err, "make the folder writable or name another"))
	}
	return nil
}

func replaceLPStats(path string, rows iter.Seq[LPStat]) error {
	at, err := atomicfile.Of(path)
	if err != nil {
		return err
	}
	if at.Straight {
		f, err := at.Open()
		if err != nil {
			return err
		}
		return errors.Join(writeLPStats(f, rows), f.Close())
	}
	name := fmt.Sprintf("%s.%08x.tmp", at.Path, rand.Uint32())
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	err = errors.Join(writeLPStats(f, rows), f.Close())
	if err == nil {
		err = os.Rename(name, at.Path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

func writeLPStats(f *os.File, rows iter.Seq[LPStat]) error {
	w := bufio.NewWriterSize(f, 1<<16) // keeps its first error until Flush
	w.WriteString("Time spent processing events for each LP:\n")
	var line []byte // one for all rows: they are as many as the LPs
	for row := range rows {
		line = strconv.AppendUint(append(line[:0], "LPID: "...), row.ID, 10)
		line = appendC(append(line, "\t-  Processing time: "...), row.Seconds, 'e', 6)
		line = strconv.AppendUint(append(line, "\t-  Events processed: "...), row.Events, 10)
		if row.Label != "" {
			line = strconv.AppendQuote(append(line, "\t-  Label: "...), row.Label)
		}
		w.Write(append(line, '\n'))
	}
	return w.Flush()
}
