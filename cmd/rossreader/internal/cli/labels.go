// This file finds the labels of LPs beside a file of a run.

package cli

import (
	"path/filepath"
	"strings"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/labels"
)

// LabelsOf returns what the model calls those LPs that wanted chooses (nil chooses all), according
// to the file of labels beside a file of the same run. It has none if there is no such file, or if
// it is damaged.
func LabelsOf(path string, wanted func(id uint64) bool) labels.Labels {
	content := instr.ContentOf(path)
	if content == instr.Unknown {
		return nil
	}
	name := strings.TrimSuffix(filepath.Base(path), instr.PartSuffix)
	prefix, ok := strings.CutSuffix(name, "-"+content.String()+".bin")
	if !ok {
		return nil
	}
	return labels.Read(filepath.Join(filepath.Dir(path), prefix+instr.LabelsSuffix), wanted)
}
