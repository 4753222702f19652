// This file finds the description of a run beside its files.

package survey

import (
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
)

// Folder returns the run whose files are in a folder. Unlike [New] it accepts a folder that has
// nothing but the description of the run.
func Folder(f *cli.Flags, dir string) (*Run, error) {
	info, err := instr.ReadRunInfo(dir)
	inputs, inputsErr := f.Inputs([]string{dir})
	if inputsErr != nil && err != nil {
		return nil, inputsErr
	}
	run, newErr := New(inputs)
	if newErr != nil {
		return nil, newErr
	}
	run.Info, run.InfoErr = info, err
	return run, nil
}

// describe reads the description of the run from the folder of its files. Files of several folders
// have none in common.
func (r *Run) describe() {
	dir := ""
	for i, file := range r.Files {
		own := filepath.Dir(file.Path)
		if i > 0 && own != dir {
			r.InfoErr = fmt.Errorf("the files are in several folders: %w", fs.ErrNotExist)
			return
		}
		dir = own
	}
	if dir == "" {
		r.InfoErr = fs.ErrNotExist
		return
	}
	r.Info, r.InfoErr = instr.ReadRunInfo(dir)
}
