// This file owns the record of a run, which is sealed when the run is closed: hashes of the program, of files that it
// read and wrote, and of each member of run.json; and the check of all that against what is there.

package instr

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ross-go/ross/internal/sys/filehash"
)

// RunRecord is what a run can be made again from, with --record. Hashes are SHA-256, in hexadecimal digits.
type RunRecord struct {
	Build  RunBuild `json:"build"`
	Folder string   `json:"folder"` // in which the run was started: relative names of Inputs begin there
	// Environment are the variables of the environment that engine and Go read, such as GOMAXPROCS and
	// ROSS_TRANSPORT.
	Environment map[string]string `json:"environment,omitempty"`
	// Inputs are files that options and words of the command line name, by their names there.
	Inputs map[string]RunFile `json:"inputs,omitempty"`
	// Outputs are files that the run writes because an option names them, by the names of the options without
	// dashes.
	Outputs map[string]string `json:"outputs,omitempty"`
	// Files are the files in the folder of the run when it was closed, apart from run.json, by their names.
	Files map[string]RunFile `json:"files,omitempty"`
}

// RunFile is a file, as a record has it.
type RunFile struct {
	Size   int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// RunBuild is the program of a run. What its build did not note is left out.
type RunBuild struct {
	Path     string            `json:"path"` // of the executable, when it ran
	Size     int64             `json:"bytes"`
	SHA256   string            `json:"sha256"`
	Package  string            `json:"package,omitempty"`  // import path of the main package
	Module   string            `json:"module,omitempty"`   // its module
	Version  string            `json:"version,omitempty"`  // of the module
	Revision string            `json:"revision,omitempty"` // of the source, as RunEngine has it
	Compiler string            `json:"compiler,omitempty"` // of the engine's C code
	Settings map[string]string `json:"settings,omitempty"` // of go build, such as -tags, CGO_ENABLED and GOAMD64
	Modules  map[string]string `json:"modules,omitempty"`  // versions of the modules in it, with their checksums
}

// RunSeal shows whether run.json is as it was written.
type RunSeal struct {
	// Members are hashes of the members, by their paths: "result.digest", "options.end". A list is one member.
	Members map[string]string `json:"members"`
	// Text is the hash of the whole text of run.json, with zeros in its own place.
	Text string `json:"text"`
}

const noText = "0000000000000000000000000000000000000000000000000000000000000000"

// WriteSealed seals the description, and writes it to its file in a folder.
func (r *RunInfo) WriteSealed(dir string) error {
	r.Seal = nil
	text, err := r.encode()
	if err != nil {
		return err
	}
	members, err := hashMembers(text)
	if err != nil {
		return fmt.Errorf("%s: %w", RunName, err)
	}
	r.Seal = &RunSeal{Members: members, Text: noText}
	if text, err = r.encode(); err != nil {
		return err
	}
	r.Seal.Text = hashText(text)
	return r.Write(dir)
}

func hashText(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// hashMembers returns the hashes of all members of an object but its seal.
func hashMembers(text []byte) (map[string]string, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // all digits count
	var top map[string]any
	if err := d.Decode(&top); err != nil {
		return nil, err
	}
	delete(top, "seal")
	all := map[string]string{}
	var add func(path string, value any)
	add = func(path string, value any) {
		if object, is := value.(map[string]any); is && len(object) > 0 {
			for name, member := range object {
				add(strings.TrimPrefix(path+"."+name, "."), member)
			}
			return
		}
		text, _ := json.Marshal(value) // it was decoded from JSON
		sum := sha256.Sum256(fmt.Appendf(nil, "%s=%s", path, text))
		all[path] = hex.EncodeToString(sum[:8])
	}
	add("", top)
	return all, nil
}

// ErrNotSealed means that a run has no record: it was made without --record, or was not closed.
var ErrNotSealed = errors.New("it has no seal: the run was made without --record, or its process did not come to " +
	"its end")

// CheckSealed reads the description of a run, and returns what is not as it was when the run was closed: one text for
// each member of run.json and for each file of the folder, which it names. The error is about a description that cannot
// be read, or wraps ErrNotSealed.
func CheckSealed(dir string) (r *RunInfo, changed []string, err error) {
	path := filepath.Join(dir, RunName)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	if r, err = ReadRunInfo(path); err != nil {
		return nil, nil, err
	}
	if r.Seal == nil || r.Record == nil {
		return r, nil, fmt.Errorf("%s: %w", path, ErrNotSealed)
	}
	changed, err = checkText(text, r.Seal)
	if err != nil {
		return r, nil, fmt.Errorf("%s: %w", path, err)
	}
	files, err := checkFiles(dir, r.Record.Files)
	return r, append(changed, files...), err
}

// checkText returns what of run.json is not as it was written.
func checkText(text []byte, seal *RunSeal) (changed []string, err error) {
	now, err := hashMembers(text)
	if err != nil {
		return nil, err
	}
	names := maps.Clone(now)
	maps.Copy(names, seal.Members)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		switch was, is := seal.Members[name], now[name]; {
		case was == is:
		case was == "":
			changed = append(changed, RunName+": member "+name+": it was added, or its hash in the seal "+
				"was removed")
		case is == "":
			changed = append(changed, RunName+": member "+name+": it was removed, or a hash was added "+
				"to the seal")
		default:
			changed = append(changed, RunName+": member "+name+": it is not as it was written, or its "+
				"hash in the seal is not")
		}
	}
	if len(changed) > 0 {
		return changed, nil
	}
	i := bytes.LastIndex(text, []byte(seal.Text))
	if i < 0 || len(seal.Text) != len(noText) {
		return []string{RunName + ": member seal.text: it is no hash"}, nil
	}
	sealed := slices.Concat(text[:i], []byte(noText), text[i+len(noText):])
	if hashText(sealed) != seal.Text {
		return []string{RunName + ": member seal.text: the text was changed between its members, or the " +
			"hash was"}, nil
	}
	return nil, nil
}

// checkFiles returns which files of a folder are not those of its record.
func checkFiles(dir string, files map[string]RunFile) (changed []string, err error) {
	now, err := FilesIn(dir)
	if err != nil {
		return nil, err
	}
	names := maps.Clone(now)
	maps.Copy(names, files)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		was, recorded := files[name]
		is, there := now[name]
		switch {
		case !there:
			changed = append(changed, "file "+name+": it is missing")
		case !recorded:
			changed = append(changed, "file "+name+": it was not there when the run was closed")
		case was != is:
			changed = append(changed, fmt.Sprintf("file %s: it is not as the run has written it: %d "+
				"bytes with hash %.12s, and "+
				"there were %d with %.12s", name, is.Size, is.SHA256, was.Size, was.SHA256))
		}
	}
	return changed, nil
}

// FilesIn returns the files in the folder of a run and below it, apart from run.json, by their names with slashes.
func FilesIn(dir string) (map[string]RunFile, error) {
	all := map[string]RunFile{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || name == RunName {
			return err
		}
		file, err := HashFile(path)
		all[filepath.ToSlash(name)] = file
		return err
	})
	return all, err
}

// HashFile returns the size and the hash of a file.
func HashFile(path string) (RunFile, error) {
	h, err := filehash.Of(path)
	return RunFile(h), err
}

// OnlySealed names the members of run.json that nothing but the seal can check: another run has others, or they do not
// decide what is simulated. What is left decides, or is the result.
func OnlySealed() []string {
	return []string{"id", "begin", "end", "host", "synch", "scheduler", "ranks", "pes", "kps", "record.folder",
		"record.build.path",
		"record.environment", "options.max-memory", "times, rates, rollbacks and memory in result"}
}
