// This file owns the journal: a file of whole lines, one for each finished replication. Its head has the name of the
// program that runs: the hash of its executable.

package experiment

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/internal/sys/filehash"
)

// journalHead is the first line of a journal: whose it is. Each further line is a record.
type journalHead struct {
	Experiment string   `json:"experiment"`
	Version    string   `json:"version,omitempty"`
	Program    string   `json:"program,omitempty"` // its hash, without a version
	Seed       uint64   `json:"seed"`
	Parameters []string `json:"parameters"`
	Task       string   `json:"task,omitempty"` // such as 3/10: that of the replications, of how many
	Format     int      `json:"format"`
}

type journalRecord struct {
	Point       string    `json:"point"`
	Replication uint64    `json:"replication"`
	Responses   Responses `json:"responses"`
	extras
}

// journalFormat changes with the lines. Those of format 1 had neither a program nor checksums.
const journalFormat = 2

// journal is open for appending.
type journal struct {
	file *os.File
	path string
}

// openJournal opens or makes the journal of an experiment, and passes its records to take. A last line
// without its end, which a crash leaves, is removed.
func openJournal(e *Experiment, take func(r journalRecord) error) (*journal, error) {
	head, err := newHead(e, thisProgram)
	if err != nil {
		return nil, e.errorf("journal %s: %w", e.Journal, err)
	}
	file, err := os.OpenFile(e.Journal, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, e.errorf("journal: %w: %s", err, atomicfile.Remedy(err, "name a file that can be written"))
	}
	j := &journal{file, e.Journal}
	if err := j.open(head, e.Origin, take); err != nil {
		j.close()
		return nil, e.errorf("journal %s: %w", e.Journal, err)
	}
	return j, nil
}

// newHead returns the head of an experiment's journal. The version shows whether results are those of
// this model; without one, the program does.
func newHead(e *Experiment, program func() (string, error)) (journalHead, error) {
	head := journalHead{e.Name, e.Version, "", e.Seed, e.Points[0].names(), "", journalFormat}
	if e.Tasks > 0 {
		head.Task = fmt.Sprintf("%d/%d", e.Task, e.Tasks)
	}
	if e.Version != "" {
		return head, nil
	}
	var err error
	if head.Program, err = program(); err != nil {
		return head,
			fmt.Errorf("the executable cannot be read, so nothing would tell whether results are those of this program: %w: "+
				"set Version, and change it whenever the model changes", err)
	}
	return head, nil
}

func (j *journal) open(head journalHead, origin *Origin, take func(r journalRecord) error) error {
	first, err := seal(head)
	if err != nil {
		return err
	}
	lines, err := j.lines(first)
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		if err := j.append(first); err != nil {
			return err
		}
		if err := syncFolder(j.path); err != nil {
			return err
		}
		// Another process may have been faster.
		if lines, err = j.lines(first); err != nil {
			return err
		}
	}
	if err := head.compare(lines[0], first); err != nil {
		return err
	}
	if err := j.addOrigin(lines, origin); err != nil {
		return err
	}
	return readRecords(lines, map[string]Responses{}, take)
}

// readRecords passes the records of a journal to take, those that are not in seen, and enters them there.
func readRecords(lines [][]byte, seen map[string]Responses, take func(r journalRecord) error) error {
	for i := 1; i < len(lines); i++ {
		var err error
		if isOrigin(lines[i]) {
			_, err = readOrigin(i, lines[i])
		} else {
			err = readRecord(lines, i, seen, take)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readRecord passes the record in line i, counted from 0, to take, as readRecords does.
func readRecord(lines [][]byte, i int, seen map[string]Responses, take func(r journalRecord) error) error {
	line := lines[i]
	if bytes.Equal(line, lines[0]) { // by processes that began the journal at the same time
		return nil
	}
	var r journalRecord
	if err := unseal(line, &r); err != nil {
		return fmt.Errorf("line %d%s: %w: remove the line, and its replication is run again", i+1, mayBe(line), err)
	}
	key := fmt.Sprint(r.Point, " ", r.Replication)
	if before, twice := seen[key]; twice {
		if !equal(before, r.Responses) {
			return fmt.Errorf(
				"line %d: point %s, replication %d has other responses in a line before it, or in another journal, so the model gave "+
					"different results with the same random numbers: remove the journal, or name another one", i+1, r.Point,
				r.Replication)
		}
		return nil
	}
	seen[key] = r.Responses
	if err := take(r); err != nil {
		return fmt.Errorf("line %d: %w, or remove the journal", i+1, err)
	}
	return nil
}

// lines returns the whole lines of the journal, and removes what is behind them. first is the line that
// a journal of this experiment begins with.
func (j *journal) lines(first []byte) ([][]byte, error) {
	if _, err := j.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	content, err := io.ReadAll(j.file)
	if err != nil {
		return nil, err
	}
	whole := content[:bytes.LastIndexByte(content, '\n')+1]
	if len(whole) == 0 && !bytes.HasPrefix(first, content) {
		return nil, errNoJournal
	}
	if len(whole) < len(content) {
		if err := j.file.Truncate(int64(len(whole))); err != nil {
			return nil, err
		}
	}
	if len(whole) == 0 {
		return nil, nil
	}
	return bytes.Split(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n")), nil
}

var errNoJournal = errors.New("the file is not a journal: name another one")

// mayBe names the record of a damaged line, if the line can still be read.
func mayBe(line []byte) string {
	var r struct {
		Point       *string
		Replication *uint64
	}
	if json.Unmarshal(line, &r) != nil || r.Point == nil || r.Replication == nil {
		return ""
	}
	return fmt.Sprintf(", which reads as point %s, replication %d", *r.Point, *r.Replication)
}

// compare returns an error if the first line of a journal is not that of the experiment, which is now.
func (h journalHead) compare(line, now []byte) error {
	var stored journalHead
	if err := unseal(line, &stored); err != nil {
		return h.damaged(line, now)
	}
	differ := func(what string, stored, now any) error {
		return fmt.Errorf(
			"it belongs to another experiment: its %s is %v, and that of this one is %v: name another journal, or remove this one", what, stored, now)
	}
	switch {
	case stored.Format != h.Format:
		return differ("format", stored.Format, h.Format)
	case stored.Experiment != h.Experiment:
		return differ("name", stored.Experiment, h.Experiment)
	case stored.Version == "" && h.Version != "":
		return fmt.Errorf(
			"it has no version, and that of this one is %s: name another journal, or remove this one; if its results are "+
				"those of this version, replace the journal's first line by %s", h.Version, now)
	case stored.Version != h.Version:
		return differ("version", stored.Version, h.Version)
	case stored.Seed != h.Seed:
		return differ("seed", stored.Seed, h.Seed)
	case !slices.Equal(stored.Parameters, h.Parameters):
		return differ("list of parameters", stored.Parameters, h.Parameters)
	case stored.Task != h.Task:
		return differ("task", cmp.Or(stored.Task, "none"), cmp.Or(h.Task, "none"))
	case stored.Program != h.Program:
		return fmt.Errorf(
			"its results are those of another program, with hash %.12s, and this one has %.12s: name another journal, or "+
				"remove this one; if both programs are of the same model, replace the journal's first line by %s, and set Version "+
				"in new experiments", stored.Program, h.Program, now)
	}
	return nil
}

// damaged returns the error for a first line that is not as it was written, if it was ever one of a journal.
func (h journalHead) damaged(line, now []byte) error {
	var old journalHead
	if err := strictly(line, &old); err == nil && old.Format == 1 {
		return errors.New(
			"it has format 1, which notes neither the program nor checksums, so nothing tells whether its results " +
				"are right: name another journal, or remove this one")
	}
	if !bytes.HasPrefix(line, []byte(`{"experiment":`)) && !bytes.Contains(line, []byte(`,"format":`)) {
		return errNoJournal
	}
	return fmt.Errorf("line 1: %w: name another journal; if this one is that of the experiment, replace the line by %s",
		errSeal, now)
}

func equal(a, b Responses) bool {
	for name, v := range a {
		if w, ok := b[name]; !ok || v != w {
			return false
		}
	}
	return len(a) == len(b)
}

// write appends a replication. It is on the disk when write returns.
func (j *journal) write(r journalRecord) error {
	line, err := seal(r)
	if err == nil {
		err = j.append(line)
	}
	if err != nil {
		return fmt.Errorf("journal %s: %w: %s, and run the experiment again to go on", j.path, err,
			atomicfile.Remedy(err, "make room for it"))
	}
	return nil
}

// append appends a line by one write, so that lines of other processes are before or after it.
func (j *journal) append(line []byte) error {
	_, err := j.file.Write(append(line, '\n'))
	if err == nil {
		err = j.file.Sync()
	}
	return err
}

func (j *journal) close() { _ = j.file.Close() }

// syncFolder puts the name of a new file on the disk. Some systems cannot do that for folders; there
// the name may be lost in a crash of the machine, together with the first replications.
func syncFolder(path string) error {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	_ = folder.Sync()
	return folder.Close()
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sealing is what a line ends with after the bytes that its checksum covers.
func sealing(covered []byte) []byte {
	return fmt.Appendf(nil, `,"check":"%08x"}`, crc32.Checksum(covered, castagnoli))
}

// seal returns the line of an object, without its end: its JSON with the checksum of the bytes before it.
func seal(object any) ([]byte, error) {
	line, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	covered := line[:len(line)-1] // without the brace
	return append(covered, sealing(covered)...), nil
}

// errSeal means that a line is not as it was written: a byte of it was changed, it was cut, or it was
// joined with another one.
var errSeal = errors.New("its checksum is wrong, so it was damaged or changed")

// unseal decodes a line into an object, unless a byte of it is not as it was written.
func unseal(line []byte, object any) error {
	at := len(line) - len(sealing(nil))
	if at < 0 || !bytes.Equal(line[at:], sealing(line[:at])) {
		return errSeal
	}
	return strictly(append(bytes.Clone(line[:at]), '}'), object)
}

// strictly decodes an object that must have no other fields.
func strictly(text []byte, object any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(object); err != nil {
		return err
	}
	if d.More() {
		return errors.New("more than one value")
	}
	return nil
}

// thisProgram returns the SHA-256 hash of the executable that runs.
func thisProgram() (string, error) {
	file, err := filehash.Executable()
	return file.SHA256, err
}
