// This file owns the file with the model's names of the LPs.

package collect

import (
	"cmp"
	"io"
	"path/filepath"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/labels"
)

// writeLabels writes the labels of the LPs of all ranks, if a type has labels, beside the files of
// the instrumentation: at the beginning, so that the files of a run that is killed have them too.
// Rank 0 calls it.
func (in *Instruments) writeLabels() error {
	if in.run.Set.DisableOutput != 0 || !in.run.HasLabels() {
		return nil
	}
	path := filepath.Join(in.dir, cmp.Or(in.run.Set.StatsPrefix, instr.DefaultPrefix)+instr.LabelsSuffix)
	err := writeFile("labels", path, func(w io.Writer) error { return labels.Write(w, in.run.Total, in.run.LabelOf) })
	if err == nil {
		in.labels = path
	}
	return err
}
