// This file owns what a run must have in common with the record: numbers, digests, and files.

package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ross-go/ross/instr"
)

// difference is something that differs from the record.
type difference struct {
	What     string `json:"what"`
	Recorded string `json:"recorded"`
	Now      string `json:"now"`
}

func (d difference) String() string {
	return fmt.Sprintf("%s: recorded %s, now %s", d.What, d.Recorded, d.Now)
}

// timed reports whether what is in a file depends on the real time, or on the scheduler: samples and event traces,
// whose records have times of the wall clock and stand in the order in which PEs wrote them.
func timed(name string) bool { return strings.HasSuffix(name, ".bin") }

// compare compares a run with the record. compared is what is equal or differs, by name.
func (r *recorded) compare(p *played, w way, same bool) (different []difference, compared []string) {
	was, is := r.info.Result, p.info.Result
	different, compared = r.compareMembers(p, w, same), []string{"options, model and types in run.json"}
	add := func(what, recorded, now string) {
		if compared = append(compared, what); recorded != now {
			different = append(different, difference{what, recorded, now})
		}
	}
	add("net events", fmt.Sprint(was.NetEvents), fmt.Sprint(is.NetEvents))
	add("digest of events", was.Digest, is.Digest)
	if was.StateDigest != "" {
		add("digest of states", was.StateDigest, is.StateDigest)
	}
	if r.lps != nil {
		compared = append(compared, "digests of LPs")
		if lps := differing(r.lps, p.lps); len(lps) > 0 {
			different = append(different, difference{"digests of LPs", fmt.Sprintf("%d LPs", len(r.lps)),
				fmt.Sprintf("%d others, the first LP %d", len(lps), lps[0])})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.origin.Files)) {
		if timed(name) || strings.HasSuffix(name, instr.DigestsSuffix) {
			continue
		}
		compared = append(compared, "file "+name)
		if d, differs := compareFile(r.dir, p.dir, name, r.origin.Files[name]); differs {
			different = append(different, d)
		}
	}
	return different, compared
}

// compareFile compares a file of the record with that of a run, and returns where they differ first.
func compareFile(recorded, now, name string, was instr.RunFile) (d difference, differs bool) {
	d.What = "file " + name
	is, err := instr.HashFile(filepath.Join(now, filepath.FromSlash(name)))
	if err != nil {
		d.Recorded, d.Now = fmt.Sprintf("%d bytes", was.Size), "the new run writes no such file"
		return d, true
	}
	if is == was {
		return d, false
	}
	a, errA := os.ReadFile(filepath.Join(recorded, filepath.FromSlash(name)))
	b, errB := os.ReadFile(filepath.Join(now, filepath.FromSlash(name)))
	if errA != nil || errB != nil || bytes.IndexByte(a, 0) >= 0 {
		d.Recorded, d.Now = fmt.Sprintf("%d bytes with hash %.12s", was.Size, was.SHA256),
			fmt.Sprintf("%d with %.12s", is.Size, is.SHA256)
		return d, true
	}
	linesA, linesB := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	i := 0
	for i < min(len(linesA), len(linesB))-1 && linesA[i] == linesB[i] {
		i++
	}
	d.What += fmt.Sprintf(", line %d", i+1)
	d.Recorded, d.Now = short(linesA[i]), short(linesB[i])
	return d, true
}

// short returns the beginning of a line, in quotes.
func short(line string) string {
	const most = 200
	if len(line) > most {
		line = line[:most] + "..."
	}
	return fmt.Sprintf("%q", strings.ToValidUTF8(line, "?"))
}

// differing returns the LPs whose digests differ.
func differing(a, b []instr.LPDigest) (lps []uint64) {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			lps = append(lps, uint64(i))
		}
	}
	return lps
}

// notCompared returns what of the record a new run does not show, and why.
func (r *recorded) notCompared() (all []string) {
	var files []string
	for _, name := range slices.Sorted(maps.Keys(r.origin.Files)) {
		if timed(name) {
			files = append(files, name)
		}
	}
	if len(files) > 0 {
		all = append(all, "records with real times, in the order in which PEs wrote them: "+strings.Join(files, ", "))
	}
	return append(all, "only the seal has: "+strings.Join(instr.OnlySealed(), ", "))
}

// mayDiffer are members of run.json that are others in another way, or are compared apart from these.
var mayDiffer = []string{"id", "begin", "end", "host", "command", "synch", "scheduler", "ranks", "pes", "kps", "result",
	"engine.queue", "record.folder", "record.build.path", "record.environment", "record.inputs", "record.outputs",
	"record.files", "options.nlp", "options.lps", "options.args-file", "options.digest", "options.record", "options.stats-path",
	"options.synch", "options.pes", "options.ranks", "options.max-memory"}

// compareMembers compares the members of run.json, by their hashes. same says that the program is the recorded one.
func (r *recorded) compareMembers(p *played, w way, same bool) (different []difference) {
	free := slices.Clone(mayDiffer)
	if !same {
		free = append(free, "engine", "record.build")
	}
	if namedAfterFile(r.info) && namedAfterFile(p.info) {
		free = append(free, "model")
	}
	for name := range r.origin.Outputs {
		free = append(free, "options."+name)
	}
	for _, word := range w.words {
		name, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		free = append(free, "options."+name)
	}
	all := maps.Clone(r.info.Seal.Members)
	if p.info.Seal == nil { // it was killed
		return nil
	}
	maps.Copy(all, p.info.Seal.Members)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if slices.ContainsFunc(free, func(f string) bool {
			return name == f || strings.HasPrefix(name,
				f+".")
		}) ||
			r.info.Seal.Members[name] == p.info.Seal.Members[name] {
			continue
		}
		was, is := memberOf(r.info, name), memberOf(p.info, name)
		if !same && (was == none || is == none) { // a version may have other options
			continue
		}
		different = append(different, difference{instr.RunName + ", member " + name, was, is})
	}
	return different
}

// namedAfterFile reports whether the model has the name of the program's file, as C models have.
func namedAfterFile(info *instr.RunInfo) bool {
	return info.Record != nil && info.Model == filepath.Base(info.Record.Build.Path)
}

// none is the text of a member that does not exist.
const none = "none"

// memberOf returns a member as text.
func memberOf(info *instr.RunInfo, path string) string {
	text, err := json.Marshal(info)
	var value any
	if err == nil {
		err = json.Unmarshal(text, &value)
	}
	for rest := path; rest != "" && err == nil; {
		object, is := value.(map[string]any)
		found := false
		for name, member := range object { // names may have points
			if tail, begins := strings.CutPrefix(rest+".", name+"."); begins {
				value, rest, found = member, strings.TrimSuffix(tail, "."), true
				break
			}
		}
		if !is || !found {
			return none
		}
	}
	text, _ = json.Marshal(value)
	return short(string(text))
}
