// This file owns the detection of a file's content, by its name or by its bytes.

package instr

import (
	"path/filepath"
	"strings"
)

// sniffSize is how many bytes are examined to detect what a file holds.
const sniffSize = 64 << 10

var suffixes = [...]string{GVTFile: GVTSuffix, RTFile: RTSuffix, VTFile: VTSuffix, Models: ModelSuffix,
	Trace: TraceSuffix, VTEngine: VTEngineSuffix,
	Memory: MemorySuffix}

// words name contents in errors.
var words = [...]string{
	GVTFile:  "samples of PEs, KPs and LPs",
	RTFile:   "samples of PEs, KPs and LPs",
	VTFile:   "samples at virtual times",
	Models:   "samples of models",
	Trace:    "an event trace",
	VTEngine: "samples of PEs, KPs and LPs",
	Memory:   "samples of memory",
}

// String returns the suffix in the names of such files (gvt, rt, analysis-lps, model,
// evtrace, vt, memory), or unknown.
func (c Content) String() string {
	if c == Unknown || int(c) >= len(suffixes) {
		return "unknown"
	}
	return suffixes[c]
}

// ContentOf returns the content according to the file's name, [Unknown] if the name does not
// tell: see [Open].
func ContentOf(path string) Content {
	name := strings.TrimSuffix(filepath.Base(path), PartSuffix)
	name, ok := strings.CutSuffix(name, ".bin")
	for c := GVTFile; ok && c <= Memory; c++ {
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
	broken  bool // what follows them is not a record, not even a truncated one
}

// betterThan prefers an event trace in a draw, because samples that look like events are
// rarer than three LPs that send to each other: an event from LP 2 to LP 48 looks like the
// metadata of an LP in 48 bytes, which is as long as three events.
func (f fit) betterThan(g fit) bool {
	if f.broken != g.broken {
		return g.broken
	}
	return f.whole > g.whole || f.whole == g.whole && f.whole > 0 && f.content == Trace
}

// fits reads b as content. b may end anywhere. With doubt, records must also be plausible,
// because almost any bytes can be read as an event.
func fits(content Content, b []byte, doubt bool) fit {
	f := fit{content: content}
	for len(b)-f.whole >= heads[content] {
		kind, size, err := measure(content, b[f.whole:])
		if err != nil || doubt && kind == KindEvent && !likely(b[f.whole:]) {
			f.broken = true
			return f
		}
		if size > len(b)-f.whole {
			return f
		}
		f.whole += size
	}
	if doubt && f.whole == 0 {
		f.broken = !marked(content, b)
	}
	return f
}

// likely reports whether b begins with an event that a run would record: it takes effect
// after it was sent, and no time is one of the tiny numbers that small integers look like
// when read as floats.
func likely(b []byte) bool {
	for at := 8; at < 20; at += 4 {
		if bits := word(b, at) &^ (1 << 31); bits != 0 && bits < 1<<23 {
			return false
		}
	}
	return float(b, 8) <= float(b, 12) && float(b, 16) >= 0
}

// marked reports whether b, too short for a whole record, can begin a file of this content.
// For samples of models at virtual times b shows too little.
func marked(content Content, b []byte) bool {
	switch {
	case content == Trace:
		return true
	case len(b) < 8:
		return false
	case content == Models:
		return long(b, 0) == modelMark
	case content == Memory:
		return long(b, 0) == memoryMark
	}
	_, size := engineMark(b)
	return size != 0
}

// bestFit returns the content as which b can be read best.
func bestFit(b []byte) fit {
	best := fits(Models, b, true)
	for _, content := range []Content{GVTFile, VTFile, Memory, Trace} {
		if f := fits(content, b, true); f.betterThan(best) {
			best = f
		}
	}
	return best
}
