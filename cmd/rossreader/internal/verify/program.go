// This file owns the program that is to run again, and its command line in another way: another scheduler, other
// numbers of PEs and ranks, and the same LPs.

package verify

import (
	debuginfo "debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/buildinfo"
)

// player starts a program.
type player struct {
	program string   // absolute
	build   string   // its hash
	before  []string // words in front of it: of what plays the processor of another machine
	same    bool     // it is the recorded one
	is, was string   // revision, module and system of it, and of the recorded one
}

// findProgram returns the recorded program, or the one that was asked for. base are folders in which it may be.
func findProgram(o *options, build *instr.RunBuild, base ...string) (*player, error) {
	p := &player{before: strings.Fields(o.exec)}
	names := []string{o.program}
	if o.program == "" {
		names = []string{build.Path}
		for _, dir := range base {
			names = append(names, filepath.Join(dir, filepath.Base(build.Path)))
		}
	}
	var other, found string
	var failed error
	for _, name := range names {
		file, err := instr.HashFile(name)
		if err != nil {
			failed = err
			continue
		}
		if found == "" || file.SHA256 == build.SHA256 {
			found, other = name, file.SHA256
		}
		if other == build.SHA256 {
			break
		}
	}
	if found == "" {
		return nil, fmt.Errorf("ross: program: %w: its hash is %.12s%s: name the file of the program: "+
			"--program=FILE", failed,
			build.SHA256, ofRevision(build.Revision))
	}
	p.same, p.build = other == build.SHA256, other
	p.is, p.was = versionOf(found), ofRevision(build.Revision)+inModule(build)
	if !p.same && !o.otherVersion {
		return nil, fmt.Errorf("ross: program %s: it has the hash %.12s%s, and the recorded run is one of %.12s%s: "+
			"name the file of that program: --program=FILE, or compare versions on purpose: --other-version", found,
			other, p.is, build.SHA256, p.was)
	}
	path, err := filepath.Abs(found)
	p.program = path
	return p, err
}

// versionOf returns what the file of a program says of its revision, its module and its system.
func versionOf(path string) string {
	info, err := debuginfo.ReadFile(path)
	if err != nil {
		return ""
	}
	b := &instr.RunBuild{Module: info.Main.Path, Version: info.Main.Version, Settings: map[string]string{}}
	for _, s := range info.Settings {
		b.Settings[s.Key] = s.Value
	}
	return ofRevision(buildinfo.ShortOf(info)) + inModule(b)
}

func ofRevision(revision string) string {
	if revision == "" {
		return ""
	}
	return " of revision " + revision
}

func inModule(b *instr.RunBuild) string {
	text := ""
	if b.Module != "" {
		text = " of " + strings.TrimSpace(b.Module+" "+b.Version)
	}
	if system := strings.Trim(b.Settings["GOOS"]+"/"+b.Settings["GOARCH"], "/"); system != "" {
		text += " for " + system
	}
	return text
}

// way is another way to make a run: options that replace those of the record.
type way struct {
	words []string
	must  bool // it was asked for, so it must be possible
}

func (w way) String() string {
	if len(w.words) == 0 {
		return "as recorded"
	}
	return strings.Join(w.words, " ")
}

// numbers returns the values of options of a way, or those of the record.
func (w way) number(name string, otherwise uint64) uint64 {
	for _, word := range w.words {
		if value, is := strings.CutPrefix(word, "--"+name+"="); is {
			if n, err := strconv.ParseUint(value, 10, 32); err == nil && n > 0 {
				otherwise = n
			}
		}
	}
	return otherwise
}

// waysOf returns the ways in which a run is made again, unless others are asked for: those that are not the record's
// own. alone says that a program cannot start others of its kind.
func waysOf(info *instr.RunInfo, alone bool) (all []way) {
	add := func(words string) { all = append(all, way{words: strings.Fields(words)}) }
	if info.Synch != 1 {
		add("--synch=1 --pes=1 --ranks=1")
	}
	if info.LPs >= 2 {
		pes := 2
		if optimistic := info.Synch == 3 || info.Synch == 5; optimistic && info.PEs == 2 && info.Ranks == 1 &&
			info.LPs > 2 {
			pes = 3
		}
		add(fmt.Sprintf("--synch=3 --pes=%d --ranks=1", pes))
		if !alone {
			add("--synch=3 --pes=1 --ranks=2")
		}
	}
	add("--synch=6 --pes=1 --ranks=1")
	return all
}

// leftOut are options of the record that new runs do not have: what shows a run, and what verify sets itself.
var leftOut = []string{"http", "http-linger", "progress", "record", "stats-path", "digest", "synch", "pes", "ranks"}

// words returns the command line of a run in some way, with further options. The LPs are those of the record, unless
// the way has their number.
func (r *recorded) words(w way, more ...string) []string {
	out := slices.Clone(leftOut)
	if len(w.words) == 0 { // as recorded
		out = out[:len(out)-3]
	}
	set := slices.Clone(w.words)
	given := w.number("nlp", 0) > 0 || w.number("lps", 0) > 0
	if r.info != nil && len(w.words) > 0 && !given {
		pes, ranks := w.number("pes", 1), w.number("ranks", 1)
		_, lps := r.options["lps"]
		_, perPE := r.options["nlp"]
		inC := strings.HasSuffix(r.origin.Build.Package, "/csrc/libross")
		switch total := pes * ranks; {
		case lps:
			set, out = append(set, fmt.Sprintf("--lps=%d", r.info.LPs)), append(out, "nlp", "lps")
		case inC && perPE && r.info.LPs == r.nlp()*r.info.Ranks &&
			r.info.LPs%ranks == 0: // there it is of a rank
			set, out = append(set, fmt.Sprintf("--nlp=%d", r.info.LPs/ranks)), append(out, "nlp")
		case !inC && perPE && r.info.LPs == r.nlp()*r.info.PEs && r.info.LPs%total == 0:
			set, out = append(set, fmt.Sprintf("--nlp=%d", r.info.LPs/total)), append(out, "nlp")
		}
	}
	return rewrite(r.command, out, append(set, more...))
}

func (r *recorded) nlp() uint64 {
	n, _ := strconv.ParseUint(r.options["nlp"], 10, 64)
	return n
}

// rewrite returns a command line without some options, and with others behind the rest of them.
func rewrite(words, out, more []string) []string {
	var kept []string
	for i, word := range words {
		body, is := strings.CutPrefix(word, "--")
		if !is || body == "" { // words of the model follow
			return slices.Concat(kept, more, words[i:])
		}
		if name, _, _ := strings.Cut(body, "="); !slices.Contains(out, name) {
			kept = append(kept, word)
		}
	}
	return append(kept, more...)
}

// environment returns that of new runs: with the recorded variables that may decide, instead of those of here.
func environment(recorded map[string]string) (all []string) {
	decides := func(name string) bool { return strings.HasPrefix(name, "ROSS_") || name == "GODEBUG" }
	for _, line := range os.Environ() {
		if name, _, _ := strings.Cut(line, "="); !decides(name) {
			all = append(all, line)
		}
	}
	for name, value := range recorded {
		if decides(name) {
			all = append(all, name+"="+value)
		}
	}
	return all
}
