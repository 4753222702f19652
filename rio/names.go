// This file owns names: of the files of a checkpoint, and of checkpoints with numbers.

package rio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Suffixes of the files of a checkpoint, and those that follow until a file gets its final name.
const (
	manifestSuffix = ".rio-md"
	indexSuffix    = ".rio-lp"
	dataSuffix     = ".rio-data-"
	labelsSuffix   = ".rio-labels"
	textSuffix     = ".txt"

	newSuffix = ".new"
	tmpSuffix = ".tmp"
)

func dataName(name string, number int) string { return name + dataSuffix + strconv.Itoa(number) }

// number reads digits without a sign.
func number(digits string) (uint64, bool) {
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, err == nil
}

// split removes from the name of a checkpoint's file its suffix (one of the above except the .txt),
// the number of a data file, and the suffix of a temporary name. It returns the rest, the name of
// the checkpoint.
func split(file string) (name string, data uint64, temporary, ok bool) {
	whole := strings.TrimSuffix(strings.TrimSuffix(file, newSuffix), tmpSuffix)
	temporary = whole != file
	for _, suffix := range [...]string{manifestSuffix, indexSuffix, labelsSuffix} {
		if name, ok := strings.CutSuffix(whole, suffix); ok {
			return name, 0, temporary, true
		}
	}
	if name, ok := strings.CutSuffix(file, textSuffix+tmpSuffix); ok {
		return name, 0, true, true
	}
	at := strings.LastIndex(whole, dataSuffix)
	if at < 0 {
		return "", 0, false, false
	}
	data, ok = number(whole[at+len(dataSuffix):])
	return whole[:at], data, temporary, ok
}

// list returns the paths of the existing files of a checkpoint, except its .txt, with the results
// of split for each.
func list(name string) (files []listed, err error) {
	dir, base := filepath.Dir(name), filepath.Base(name)
	found, err := os.ReadDir(dir)
	if err != nil {
		return nil, fileError(err, "name a folder that exists and can be read")
	}
	for _, f := range found {
		of, data, temporary, ok := split(f.Name())
		if ok && of == base && !f.IsDir() {
			files = append(files, listed{path: filepath.Join(dir, f.Name()), data: data, temporary: temporary})
		}
	}
	return files, nil
}

type listed struct {
	path      string
	data      uint64 // number of a data file
	temporary bool
}

func (l *listed) isData() bool { return strings.Contains(filepath.Base(l.path), dataSuffix) }

// Numbered returns the name of checkpoint n of prefix: "prefix-000012", at least 6 digits.
func Numbered(prefix string, n uint64) string { return fmt.Sprintf("%s-%06d", prefix, n) }

// Numbers returns the numbers of the checkpoints with names as Numbered makes them, in ascending
// order, whole or not: one file is enough. If the folder does not exist, it returns none.
func Numbers(prefix string) ([]uint64, error) {
	dir, base := filepath.Dir(prefix), filepath.Base(prefix)
	found, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fileError(err, "name a folder that can be read")
	}
	var numbers []uint64
	for _, f := range found {
		of, _, _, ok := split(f.Name())
		digits, ours := strings.CutPrefix(of, base+"-")
		n, isNumber := number(digits)
		if ok && ours && isNumber && Numbered(base, n) == of {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}

// Exists reports whether there is a checkpoint of a name, whole or damaged: one that was committed,
// not only files of one that was being written or removed when the process ended.
func Exists(name string) bool {
	isThere := func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}
	path := name + manifestSuffix
	if isThere(path) || isThere(path+newSuffix) {
		return true
	}
	// Without a manifest, files with final names belong to a checkpoint that has lost it, or that
	// Remove has begun to remove.
	files, err := list(name)
	return err == nil && !isThere(path+tmpSuffix) &&
		slices.ContainsFunc(files, func(f listed) bool { return !f.temporary })
}

// RefusedError is why Newest refused a checkpoint. It wraps the reason and has its text.
type RefusedError struct {
	Name string // of the checkpoint
	Err  error
}

func (e *RefusedError) Error() string { return e.Err.Error() }
func (e *RefusedError) Unwrap() error { return e.Err }

// Latest returns, of the checkpoints of prefix that Numbers finds, the name of the one with the
// highest number that Verify accepts. The error wraps ErrNone if there is no such checkpoint, and says
// which were refused and why.
func Latest(prefix string) (name string, err error) {
	name, _, err = Newest(prefix)
	return name, err
}

// Newest is Latest, but also returns why those with higher numbers were refused, in a *RefusedError
// for each. The remains of a checkpoint that was never committed are among them, as ErrNone.
func Newest(prefix string) (name string, refused []error, err error) {
	numbers, err := Numbers(prefix)
	if err != nil {
		return "", nil, err
	}
	for _, n := range slices.Backward(numbers) {
		name := Numbered(prefix, n)
		err := Verify(name)
		if err == nil {
			return name, refused, nil
		}
		refused = append(refused, &RefusedError{name, err})
	}
	if len(refused) > 0 {
		return "", refused, fmt.Errorf("ross: checkpoint: %s-*: %w that is whole: start without one: %w", prefix, ErrNone,
			errors.Join(refused...))
	}
	return "", nil, fmt.Errorf("ross: checkpoint: %s-*: %w: start without one", prefix, ErrNone)
}

// Verify is [Checkpoint.Verify] for the checkpoint with the given name.
func Verify(name string) error {
	c, err := Open(name)
	if err != nil {
		return err
	}
	return errors.Join(c.Verify(), c.Close())
}

// Remove removes the files of a checkpoint, the manifest first, and remains under temporary names.
// The error wraps ErrNone if there are none.
func Remove(name string) error {
	files, err := list(name)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("ross: checkpoint: %s: %w: there is nothing to remove", name+manifestSuffix, ErrNone)
	}
	return (&disk{}).remove(name, files)
}

// remove removes the files of a checkpoint. A manifest with a temporary name is removed last: it
// distinguishes an interrupted removal from a checkpoint that has lost its manifest.
func (d *disk) remove(name string, files []listed) error {
	// With either manifest there is a checkpoint. The older one is renamed first, so that a crash
	// in between leaves the newer checkpoint whole.
	path := name + manifestSuffix
	for _, from := range [...]string{path, path + newSuffix} {
		if _, err := os.Lstat(from); err != nil {
			continue
		}
		if err := d.rename(from, path+tmpSuffix); err != nil {
			return err
		}
	}
	if err := d.syncFolder(name); err != nil {
		return err
	}
	for _, f := range files {
		if f.path != filepath.Clean(path+tmpSuffix) {
			if err := d.removeAll(f.path); err != nil {
				return err
			}
		}
	}
	if ownText(name) == nil {
		if err := d.removeAll(name + textSuffix); err != nil {
			return err
		}
	}
	if err := d.syncFolder(name); err != nil {
		return err
	}
	if err := d.removeAll(path + tmpSuffix); err != nil {
		return err
	}
	return d.syncFolder(name)
}
