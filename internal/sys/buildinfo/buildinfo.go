// This file owns what a program says about itself with --version.

// Package buildinfo has the version of this library, and the text of --version.
package buildinfo

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
)

// Ross is the version of this library.
const Ross = "go-0.1.0"

// Text returns what a program prints for --version: its name and the version of its module, and on a line
// each the version of this library, the revision of the program's source, and the version of Go.
func Text(program string) string {
	info, _ := debug.ReadBuildInfo()
	return textOf(program, info)
}

// Asked reports whether the words of a command line are --version alone, and then writes Text: for programs that
// have no options, or only those of package flag.
func Asked(program string, args []string, w io.Writer) bool {
	if len(args) != 1 || args[0] != "--version" && args[0] != "-version" {
		return false
	}
	_, _ = io.WriteString(w, Text(program))
	return true
}

func textOf(program string, info *debug.BuildInfo) string {
	if info == nil {
		info = &debug.BuildInfo{}
	}
	var b strings.Builder
	b.WriteString(program)
	if v := info.Main.Version; v != "" && v != "(devel)" {
		fmt.Fprintf(&b, " %s", v)
	}
	if info.Main.Path != "" {
		fmt.Fprintf(&b, " (%s)", info.Main.Path)
	}
	fmt.Fprintf(&b, "\nross      %s\nrevision  %s\ngo        %s %s/%s\n", Ross, Revision(info), runtime.Version(),
		runtime.GOOS, runtime.GOARCH)
	return b.String()
}

// Package returns the import path of the program's package, or "" if it is not known.
func Package() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return info.Path
}

// Revision returns the revision of a program's source with its time, or "unknown" with the reason.
func Revision(info *debug.BuildInfo) string {
	text, at, changed := source(info)
	if text == "" {
		return "unknown (built outside version control, or by go run or go test)"
	}
	if at != "" {
		text += " of " + at
	}
	if changed {
		text += ", with later changes"
	}
	return text
}

// Short returns the revision of the program's source, with "+changes" behind it if there were later
// ones, or "" if it is not known.
func Short() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return ShortOf(info)
}

// ShortOf returns what Short does, of any program.
func ShortOf(info *debug.BuildInfo) string {
	text, _, changed := source(info)
	if text != "" && changed {
		text += "+changes"
	}
	return text
}

// libross ends the path of the library for programs in C: Go has built no more of them than that.
const libross = "/csrc/libross"

// Model returns the version of a program's module, or the revision of its source if it has none, or "" if the build
// knows neither: at most 40 bytes, as much as checkpoints have room for.
func Model() string {
	info, _ := debug.ReadBuildInfo()
	return modelOf(info)
}

func modelOf(info *debug.BuildInfo) string {
	const most, enough = 40, 12 // bytes; digits of a revision
	if info == nil || strings.HasSuffix(info.Path, libross) {
		return ""
	}
	if v := info.Main.Version; v != "" && v != "(devel)" && len(v) <= most {
		return v
	}
	text, _, changed := source(info)
	text = text[:min(len(text), enough)]
	if text != "" && changed {
		text += "+changes"
	}
	return text
}

// source returns the revision of a program's source and its time, as Go has noted them, and whether
// the source was changed later.
func source(info *debug.BuildInfo) (revision, at string, changed bool) {
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.time":
			at = s.Value
		case "vcs.modified":
			changed = s.Value == "true"
		}
	}
	return revision, at, changed
}
