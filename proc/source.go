// This file owns the note that generated code is not that of its source any more.

package proc

import (
	"bytes"
	"hash/fnv"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// sources are the files from which processes were generated.
var sources struct {
	all  []source
	once sync.Once
}

type source struct {
	path string
	hash uint64 // what sourceHash returned
}

// Source enters a file from which processes were generated, in the folder of the generated one. If it is there when a
// run begins, and has changed since, a note says so: what runs is what was generated. Only generated code calls Source.
func Source(name string, hash uint64) {
	if _, file, _, ok := runtime.Caller(1); ok {
		sources.all = append(sources.all, source{filepath.Join(filepath.Dir(file), name), hash})
	}
}

// sourceHash returns the hash of a file without comments and space. rossproc has the same function.
func sourceHash(text []byte) uint64 {
	h := fnv.New64a()
	for line := range bytes.Lines(text) {
		line, _, _ = bytes.Cut(line, []byte("//"))
		for _, word := range bytes.Fields(line) {
			h.Write(word)
		}
	}
	return h.Sum64()
}

// noteChanges warns, once in a program, of files that have changed since processes were generated from them.
func noteChanges(warn func(text string)) {
	sources.once.Do(func() {
		var changed []string
		for _, s := range sources.all {
			if text, err := os.ReadFile(s.path); err == nil && sourceHash(text) != s.hash {
				changed = append(changed, filepath.Base(s.path))
			}
		}
		if len(changed) > 0 {
			warn(strings.Join(changed, ", ") + " changed after processes were generated from it: " +
				"the old ones run: run go generate")
		}
	})
}
