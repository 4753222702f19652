// This file owns the option that names a file of parameters.

package params

import "github.com/ross-go/ross/program/cmdline"

// Option adds an option to a group of the model's, which names a file of parameters that is read into f. The value of
// the option, as ranks, checkpoints and the description of the run have it, is a hash of the contents; "--name=" means
// no file. f is the zero File; do not copy it.
func Option(g *cmdline.Group, f *File, name, help string) {
	if f == nil {
		g.Var(nil, name, "file", help)
		return
	}
	g.Var(value{f}, name, "file", help)
}

// value is the value of the option.
type value struct{ f *File }

// Set implements flag.Value.
func (v value) Set(path string) error {
	read := new(File)
	if path != "" {
		var err error
		if read, err = Read(path); err != nil {
			return err
		}
	}
	v.f.lock.Lock()
	defer v.f.lock.Unlock()
	v.f.name, v.f.hash, v.f.lines, v.f.groups = read.name, read.hash, read.lines, nil
	return nil
}

// String implements flag.Value. Package flag also calls it on zero values.
func (v value) String() string {
	if v.f == nil {
		return ""
	}
	return v.f.hash
}
