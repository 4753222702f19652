// This file owns what an error shows of the stack of a panic: the model's frames, first of all.

package kernel

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// frame is a function of a stack, with the file and line of its call.
type frame struct{ function, at string }

// library is the module of the engine.
const library = "github.com/ross-go/ross"

// programs are the folders of the module that are models or run them.
var programs = []string{"/models/", "/docs/", "/bench"}

// FoldStack returns the part of a stack, as debug.Stack returns it, that concerns the model: from the
// innermost of its functions to the engine's call, each on two lines that begin with tabs. The last line says
// how many frames are left out. The whole stack is returned if none is the model's, or if the environment
// variable GOTRACEBACK asks for all.
func FoldStack(stack string) string {
	frames := framesOf(stack)
	first := slices.IndexFunc(frames, frame.isModel)
	if first < 0 || slices.Contains([]string{"all", "system", "crash"}, os.Getenv("GOTRACEBACK")) {
		return stack
	}
	last := first
	for last < len(frames) && !frames[last].isEngine() {
		last++
	}
	var text strings.Builder
	for _, f := range frames[first:last] {
		fmt.Fprintf(&text, "\t%s\n\t\t%s\n", f.function, f.at)
	}
	fmt.Fprintf(&text, "\t(%d frames of the engine and of Go left out; GOTRACEBACK=all shows them)",
		len(frames)-(last-first))
	return text.String()
}

// framesOf returns the frames of a stack, the innermost first, without arguments and offsets.
func framesOf(stack string) (all []frame) {
	function := ""
	for line := range strings.Lines(stack) {
		line = strings.TrimSuffix(line, "\n")
		if at, found := strings.CutPrefix(line, "\t"); found && function != "" {
			at, _, _ = strings.Cut(at, " +0x")
			all = append(all, frame{function, at})
			function = ""
			continue
		}
		function = line
		if i := strings.LastIndexByte(line, '('); i > 0 {
			function = line[:i]
		}
	}
	return all
}

// path returns the import path of the function's package.
func (f frame) path() string {
	name := strings.TrimPrefix(f.function, "created by ")
	if i := strings.IndexAny(name, "(["); i >= 0 {
		name = name[:i]
	}
	slash := strings.LastIndexByte(name, '/') + 1
	if dot := strings.IndexByte(name[slash:], '.'); dot >= 0 {
		name = name[:slash+dot]
	}
	return name
}

// isEngine reports whether the function is one of this library.
func (f frame) isEngine() bool {
	in, found := strings.CutPrefix(f.path(), library)
	file, _, _ := strings.Cut(f.at, ".go:")
	return found && (in == "" || in[0] == '/') && !strings.HasSuffix(file, "_test") && !strings.HasSuffix(in, "_test") &&
		!slices.ContainsFunc(programs, func(p string) bool { return strings.HasPrefix(in, p) })
}

// isModel reports whether the function is neither of this library nor of Go's.
func (f frame) isModel() bool {
	path := f.path()
	first, _, _ := strings.Cut(path, "/")
	return !f.isEngine() && (path == "main" || strings.Contains(first, ".") || first == mainModule() ||
		strings.HasPrefix(path, mainModule()+"/"))
}

// mainModule returns the path of the program's module, whose packages may look like those of Go.
var mainModule = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path != "" {
		return info.Main.Path
	}
	return "main"
})
