// This file owns what journals know of the making of their replications: command line, program, environment and files;
// and the journal as it is, line by line, for whoever checks it.

package experiment

import (
	"bytes"
	"fmt"
	"os"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/atomicfile"
)

// Origin is what replications were made with: a line of the journal for each command that has added some.
type Origin struct {
	Command []string `json:"command"` // words of the command line, with the program
	instr.RunRecord
}

// originLine is the line of an origin.
type originLine struct {
	Made *Origin `json:"made"`
}

func isOrigin(line []byte) bool { return bytes.HasPrefix(line, []byte(`{"made":`)) }

// readOrigin reads line i of a journal, counted from 0.
func readOrigin(i int, line []byte) (*Origin, error) {
	var o originLine
	if err := unseal(line, &o); err != nil || o.Made == nil {
		return nil, fmt.Errorf("line %d, which says with which program the next ones were made: %w: remove "+
			"the line", i+1, errSeal)
	}
	return o.Made, nil
}

// addOrigin appends an origin, unless the last one is the same.
func (j *journal) addOrigin(lines [][]byte, o *Origin) error {
	if o == nil {
		return nil
	}
	line, err := seal(originLine{o})
	if err != nil {
		return err
	}
	for i := len(lines) - 1; i > 0; i-- {
		if isOrigin(lines[i]) {
			if bytes.Equal(lines[i], line) {
				return nil
			}
			break
		}
	}
	return j.append(line)
}

// Journal is a journal as it is.
type Journal struct {
	// Name and Version are those of the experiment; Program is the hash of its executable, without a version.
	Name, Version, Program string
	Seed                   uint64
	Parameters             []string
	Task                   string   // such as 3/10; "": all replications
	Origins                []Origin // in the order of the lines; none: the journal does not say
	Records                []Record // likewise
}

// Record is a replication in a journal.
type Record struct {
	Line        int    // from 1
	Point       string // Point.String of it
	Replication uint64
	Responses   Responses
	Kept        map[string][]float64 // see Trial.Keep
	Units       map[string]string    // see Trial.Unit
	Rare        []string             // see Trial.Rare
}

// ReadJournal returns what is in a journal. A line that is not as it was written is an error that names it, and so are
// two lines that contradict each other. The journal is not changed.
func ReadJournal(path string) (*Journal, error) {
	j, err := readJournal(path)
	if err != nil {
		return nil, fmt.Errorf("ross: experiment: journal %s: %w", path, err)
	}
	return j, nil
}

func readJournal(path string) (*Journal, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, atomicfile.Remedy(err, "name a file that exists and may be read"))
	}
	if !IsJournal(content) && !bytes.Contains(content, []byte(`,"format":`)) {
		return nil, errNoJournal
	}
	whole := content[:bytes.LastIndexByte(content, '\n')+1]
	if len(whole) < len(content) {
		return nil, fmt.Errorf("line %d: it has no end: run the experiment again, which goes on from there",
			bytes.Count(whole, []byte("\n"))+1)
	}
	lines := bytes.Split(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
	var head journalHead
	if err := unseal(lines[0], &head); err != nil {
		return nil, fmt.Errorf("line 1: %w: restore the file, or run the experiment again", errSeal)
	}
	if head.Format != journalFormat {
		return nil, fmt.Errorf("it has format %d, and this program reads %d: run the experiment again",
			head.Format, journalFormat)
	}
	j := &Journal{Name: head.Experiment, Version: head.Version, Program: head.Program, Seed: head.Seed,
		Parameters: head.Parameters, Task: head.Task}
	seen := map[string]Responses{}
	for i := 1; i < len(lines); i++ {
		if isOrigin(lines[i]) {
			o, err := readOrigin(i, lines[i])
			if err != nil {
				return nil, err
			}
			j.Origins = append(j.Origins, *o)
			continue
		}
		err := readRecord(lines, i, seen, func(r journalRecord) error {
			j.Records = append(j.Records, Record{i + 1, r.Point, r.Replication, r.Responses, r.Kept, r.Units, r.extras.Rare})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return j, nil
}
