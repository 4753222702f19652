// This file owns how the content of a file is found out: by its name, or by its bytes.

package instr

import (
	"path/filepath"
	"strings"
)

// sniffSize is how many bytes are looked at to find out what a file holds.
const sniffSize = 64 << 10

var suffixes = [...]string{GVTFile: GVTSuffix, RTFile: RTSuffix, VTFile: VTSuffix, Models: ModelSuffix, Trace: TraceSuffix}

// words name contents in errors.
var words = [...]string{
	Unknown: "no instrumentation",
	GVTFile: "samples of PEs, KPs and LPs",
	RTFile:  "samples of PEs, KPs and LPs",
	VTFile:  "samples at virtual times",
	Models:  "samples of models",
	Trace:   "an event trace",
}

// String returns the suffix that names of such files have (gvt, rt, analysis-lps, model,
// evtrace), or unknown.
func (c Content) String() string {
	if c == Unknown || int(c) >= len(suffixes) {
		return "unknown"
	}
	return suffixes[c]
}

// contentOfName returns what the name of a file says that it holds.
func contentOfName(path string) Content {
	name := strings.TrimSuffix(filepath.Base(path), PartSuffix)
	name, ok := strings.CutSuffix(name, ".bin")
	for c := GVTFile; ok && c <= Trace; c++ {
		before, found := strings.CutSuffix(name, suffixes[c])
		if found && (before == "" || strings.HasSuffix(before, "-")) {
			return c
		}
	}
	return Unknown
}

// fit is how far the beginning of a file can be read as some content.
type fit struct {
	content Content
	whole   int  // bytes of whole records
	broken  bool // what follows them is no record, and not just cut
}

func (f fit) betterThan(g fit) bool {
	if f.broken != g.broken {
		return g.broken
	}
	return f.whole > g.whole
}

// fits reads b as content. b may end anywhere.
func fits(content Content, b []byte) fit {
	f := fit{content: content}
	for len(b)-f.whole >= heads[content] {
		_, size, err := measure(content, b[f.whole:])
		if err != nil {
			f.broken = true
			break
		}
		if size > len(b)-f.whole {
			break
		}
		f.whole += size
	}
	return f
}

// bestFit returns the content that b can best be read as. Those that are marked well come
// first, as they win if nothing decides; an event trace is not marked at all.
func bestFit(b []byte) fit {
	best := fits(Models, b)
	for _, content := range []Content{GVTFile, VTFile, Trace} {
		if f := fits(content, b); f.betterThan(best) {
			best = f
		}
	}
	return best
}
