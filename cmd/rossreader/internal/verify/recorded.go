// This file owns the record of a run: what is checked before anything runs.

package verify

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/atomicfile"
)

// recorded is the record of a run.
type recorded struct {
	dir     string
	info    *instr.RunInfo
	changed []string          // what is not as the run has written it
	lps     []instr.LPDigest  // nil: the record has none
	command []string          // words after the program
	origin  instr.RunRecord   // with which program and files it was made
	options map[string]string // of engine and model
}

// openRun reads the record of a run.
func openRun(dir string) (*recorded, error) {
	dir = filepath.Clean(strings.TrimSuffix(dir, instr.RunName))
	info, changed, err := instr.CheckSealed(dir)
	switch {
	case errors.Is(err, instr.ErrNotSealed):
		return nil, cli.Trouble(fmt.Errorf("%w: make it again with --record=run, or --record=lps", err))
	case err != nil && info == nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission):
		return &recorded{dir: dir, changed: []string{err.Error()}}, nil // what was written could be read
	case err != nil:
		return nil, cli.Trouble(fmt.Errorf("ross: record: %w: %s", err,
			atomicfile.Remedy(err, "name the folder of a run with --record, or the journal of a study")))
	}
	r := &recorded{dir: dir, info: info, changed: changed, command: info.Command[min(1, len(info.Command)):],
		origin: *info.Record, options: info.Options}
	if len(changed) > 0 {
		return r, nil
	}
	for name := range r.origin.Files {
		if strings.HasSuffix(name, instr.DigestsSuffix) {
			if r.lps, err = instr.ReadLPDigests(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
				r.changed = append(r.changed, err.Error())
			}
			r.checkSums(name)
		}
	}
	return r, nil
}

// checkSums checks that the digests of the LPs belong to those of the run.
func (r *recorded) checkSums(name string) {
	if r.lps == nil || r.info.Result == nil {
		return
	}
	if events, _ := instr.SumLPDigests(r.lps); uint64(len(r.lps)) != r.info.LPs ||
		digest(events) != r.info.Result.Digest {
		r.changed = append(r.changed, fmt.Sprintf("file %s: its %d LPs have the digest %s, and the run has "+
			"%d with %s", name,
			len(r.lps), digest(events), r.info.LPs, r.info.Result.Digest))
	}
}

func digest(x uint64) string { return fmt.Sprintf("%016x", x) }

// playable returns an error if the run cannot be made again.
func (r *recorded) playable() error {
	switch restart := r.options["io-restart"]; {
	case r.info.State != instr.RunComplete:
		return fmt.Errorf("ross: record %s: the run did not come to its end (%s: %s), so another one would "+
			"not end there: make a run "+
			"that comes to its end", r.dir, r.info.State, r.info.Reason)
	case restart == "latest":
		return fmt.Errorf("ross: record %s: the run began from the latest checkpoint, whichever that was: "+
			"name the checkpoint in "+
			"--io-restart of the run", r.dir)
	case r.info.Result == nil || r.info.Result.Digest == "":
		return fmt.Errorf("ross: record %s: it has no digest: make the run again with --record=run", r.dir)
	}
	return nil
}

// checkInputs checks that the input files are those of the record, in a folder.
func checkInputs(origin *instr.RunRecord, folder string) error {
	for _, name := range slices.Sorted(maps.Keys(origin.Inputs)) {
		was, path := origin.Inputs[name], inputPath(folder, name)
		is, err := instr.HashFile(path)
		if err != nil {
			return fmt.Errorf("ross: input file %s: %w: restore it, or name the folder in which the run "+
				"was started: --folder=FOLDER",
				name, err)
		}
		if is != was {
			return fmt.Errorf("ross: input file %s: %s has %d bytes with hash %.12s, and the recorded "+
				"run read %d with %.12s: restore "+
				"the file, or name another folder: "+
				"--folder=FOLDER", name, path, is.Size, is.SHA256, was.Size, was.SHA256)
		}
	}
	return nil
}

func inputPath(folder, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(folder, name)
}

// folderOf returns the folder in which the names of input files begin: the one that was asked for, that of the record
// if it is there, or the current one.
func folderOf(origin *instr.RunRecord, asked string) (string, error) {
	if asked == "" {
		asked = origin.Folder
		if info, err := os.Stat(asked); err != nil || !info.IsDir() {
			asked = "."
		}
	}
	return filepath.Abs(asked)
}
