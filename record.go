// This file owns the record of a run (Config.Record): what is known before it, the digests of LPs after it, and the
// seal when the simulation is closed.

package ross

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/record"
)

// Recording says how much of a run is recorded, so that others can check it.
type Recording uint8

// The recordings.
const (
	RecordNothing Recording = iota // no record
	RecordRun                      // program, build, environment, files, digests, and a seal: in run.json
	RecordLPs                      // the digests of single LPs as well, in <Prefix>-lps.digests
)

var recordingNames = [...]string{RecordNothing: "off", RecordRun: "run", RecordLPs: "lps"}

// allRecordings are the values of --record, for errors.
const allRecordings = "off, run or lps"

// String returns the name that --record has for it.
func (r Recording) String() string {
	if int(r) < len(recordingNames) {
		return recordingNames[r]
	}
	return fmt.Sprintf("Recording(%d)", uint8(r))
}

func parseRecording(text string) (Recording, error) {
	if i := slices.Index(recordingNames[:], text); i >= 0 {
		return Recording(i), nil
	}
	return 0, errors.New("out of range; give " + allRecordings)
}

// recordStart notes what the run is started with, on the rank that writes run.json.
func (s *Simulation) recordStart() error {
	c := &s.cfg
	if c.Record == RecordNothing || s.r.Cluster.Rank != 0 {
		return nil
	}
	start := &record.Start{Words: slices.Concat(c.Args[min(1, len(c.Args)):], strings.Fields(c.ArgsFileText)),
		Values: map[string]string{}, Written: c.written, Restart: c.Checkpoints.Restart}
	for _, o := range c.modelOptions {
		start.Values[strings.TrimPrefix(o.Name, "--")] = o.Value
	}
	r, err := record.Of(start)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	s.about.lock.Lock()
	defer s.about.lock.Unlock()
	s.about.info.Record = r
	return nil
}

// recordLPs writes the digests of the LPs, if the run has come to its end.
func (s *Simulation) recordLPs() error {
	if s.about.folder == "" || s.r.LPDigests == nil {
		return nil
	}
	name := cmp.Or(s.cfg.Instruments.Prefix, instr.DefaultPrefix) + instr.DigestsSuffix
	return instr.WriteLPDigests(filepath.Join(s.about.folder, name), s.r.LPDigests)
}

// sealRecord adds the files of the run to its record, and seals it. The files that the program has written there until
// now are among them.
func (s *Simulation) sealRecord() error {
	s.about.lock.Lock()
	defer s.about.lock.Unlock()
	info, dir := &s.about.info, s.about.folder
	if s.cfg.Record == RecordNothing || info.Record == nil || info.Result == nil || dir == "" {
		return nil
	}
	files, err := instr.FilesIn(dir)
	if err == nil {
		r := *info.Record // what RunInfo has returned does not change
		r.Files = files
		info.Record = &r
		err = info.WriteSealed(dir)
	}
	if err != nil {
		return fmt.Errorf("ross: record of the run in %s: %w: run again with --record", dir, err)
	}
	return nil
}
