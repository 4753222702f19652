// This file owns the files with the statistics of the model.

package collect

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/statistic"
)

// WriteStatistics writes the statistics of the model beside the files of the instrumentation, as
// CSV and as JSON. Rank 0 calls it.
func (in *Instruments) WriteStatistics(t *statistic.Table) error {
	base := filepath.Join(in.dir, cmp.Or(in.run.Set.StatsPrefix, instr.DefaultPrefix)+instr.StatisticsSuffix)
	if err := writeFile("statistics", base+".csv", t.WriteCSV); err != nil {
		return err
	}
	return writeFile("statistics", base+".json", t.WriteJSON)
}

// writeFile makes a file of what errors name. It has its name once it is whole, and what is left of one
// that could not be written is removed.
func writeFile(what, name string, write func(io.Writer) error) error {
	part := name + instr.PartSuffix
	f, err := os.Create(part)
	if err != nil {
		return fmt.Errorf("ross: %s: %w: make the folder writable or name another with --stats-path", what, err)
	}
	err = write(f)
	if err = cmp.Or(err, f.Close()); err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		_ = f.Close()
		_ = os.Remove(part)
		return fmt.Errorf("ross: %s: %w: make room, or name another folder with --stats-path", what, err)
	}
	return nil
}
