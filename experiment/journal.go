// This file owns the journal: a file of whole lines, one for each finished replication.

package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// The first line of a journal says whose it is. Each further line is a record.
type journalHead struct {
	Experiment string   `json:"experiment"`
	Version    string   `json:"version,omitempty"`
	Seed       uint64   `json:"seed"`
	Parameters []string `json:"parameters"`
	Format     int      `json:"format"`
}

type journalRecord struct {
	Point       string    `json:"point"`
	Replication uint64    `json:"replication"`
	Responses   Responses `json:"responses"`
}

const journalFormat = 1

// journal is open for appending.
type journal struct {
	file *os.File
	path string
}

// openJournal opens or makes the journal of an experiment, and passes its records to take. A last line
// without its end, which a crash leaves, is removed.
func openJournal(e *Experiment, take func(point string, replication uint64, r Responses) error) (*journal, error) {
	file, err := os.OpenFile(e.Journal, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, e.errorf("journal: %w: name a file that can be written", err)
	}
	j := &journal{file, e.Journal}
	if err := j.open(e, take); err != nil {
		j.close()
		return nil, e.errorf("journal %s: %w", e.Journal, err)
	}
	return j, nil
}

func (j *journal) open(e *Experiment, take func(point string, replication uint64, r Responses) error) error {
	content, err := io.ReadAll(j.file)
	if err != nil {
		return err
	}
	whole := content[:bytes.LastIndexByte(content, '\n')+1]
	head := journalHead{e.Name, e.Version, e.Seed, e.Points[0].names(), journalFormat}
	if len(whole) == 0 && !isStart(content, head) {
		return errors.New("the file is not a journal: name another one")
	}
	if len(whole) < len(content) {
		if err := j.file.Truncate(int64(len(whole))); err != nil {
			return err
		}
	}
	if len(whole) == 0 {
		if err := j.append(head); err != nil {
			return err
		}
		return syncFolder(j.path)
	}
	seen := map[string]Responses{}
	for i, line := range bytes.Split(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n")) {
		if i == 0 {
			if err := head.compare(line); err != nil {
				return err
			}
			continue
		}
		var r journalRecord
		if err := strictly(line, &r); err != nil {
			return fmt.Errorf("line %d: not a record: %w: remove the line, and its replication is run again", i+1, err)
		}
		key := fmt.Sprint(r.Point, " ", r.Replication)
		if before, twice := seen[key]; twice {
			if !equal(before, r.Responses) {
				return fmt.Errorf("line %d: point %s, replication %d has other responses in a line before it, so the model gave "+
					"different results with the same random numbers: remove the journal, or name another one", i+1, r.Point, r.Replication)
			}
			continue
		}
		seen[key] = r.Responses
		if err := take(r.Point, r.Replication, r.Responses); err != nil {
			return fmt.Errorf("line %d: %w, or remove the journal", i+1, err)
		}
	}
	return nil
}

// isStart reports whether a file without a whole line is empty, or the start of a head.
func isStart(content []byte, head journalHead) bool {
	line, err := json.Marshal(head)
	return err == nil && bytes.HasPrefix(line, content)
}

// compare returns an error if the first line of a journal is not that of the experiment.
func (h journalHead) compare(line []byte) error {
	var stored journalHead
	if err := strictly(line, &stored); err != nil || stored.Format == 0 {
		return errors.New("the file is not a journal: name another one")
	}
	differ := func(what string, stored, now any) error {
		return fmt.Errorf("it belongs to another experiment: its %s is %v, and that of this one is %v: name another journal, or remove this one", what, stored, now)
	}
	switch {
	case stored.Format != h.Format:
		return differ("format", stored.Format, h.Format)
	case stored.Experiment != h.Experiment:
		return differ("name", stored.Experiment, h.Experiment)
	case stored.Version != h.Version:
		return differ("version", stored.Version, h.Version)
	case stored.Seed != h.Seed:
		return differ("seed", stored.Seed, h.Seed)
	case !slices.Equal(stored.Parameters, h.Parameters):
		return differ("list of parameters", stored.Parameters, h.Parameters)
	}
	return nil
}

// strictly decodes a line that must have no other fields.
func strictly(line []byte, value any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(value); err != nil {
		return err
	}
	if d.More() {
		return errors.New("more than one value")
	}
	return nil
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
func (j *journal) write(point string, replication uint64, r Responses) error {
	if err := j.append(journalRecord{point, replication, r}); err != nil {
		return fmt.Errorf("journal %s: %w: make room for it, and run the experiment again to go on", j.path, err)
	}
	return nil
}

// append appends a line by one write.
func (j *journal) append(value any) error {
	line, err := json.Marshal(value)
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
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
