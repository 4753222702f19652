// This file owns the names of the LPs of a run.

package survey

import (
	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/internal/labels"
)

// Labels reads what the model calls the LPs of the trace, from the file of labels beside the files
// of the run. There are none without such a file.
func (r *Run) Labels() labels.Labels {
	return r.LabelsOf(func(id uint64) bool { return uint64(r.MinLP) <= id && id <= uint64(r.MaxLP) })
}

// LabelsOf reads what the model calls the LPs that wanted chooses.
func (r *Run) LabelsOf(wanted func(id uint64) bool) labels.Labels {
	for _, file := range r.Files {
		if found := cli.LabelsOf(file.Path, wanted); len(found) > 0 {
			return found
		}
	}
	return nil
}
