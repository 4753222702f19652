// This file owns the handler of warnings for programs.

package cmdline

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
)

// Warnings returns a logger that writes the engine's warnings to w. As with errors, each line
// begins with the program's name.
func Warnings(program string, w io.Writer) *slog.Logger {
	return slog.New(onStderr{program, new(sync.Mutex), w})
}

// onStderr is a handler of warnings for programs. As with errors, each line begins with the
// program's name.
type onStderr struct {
	program string
	lock    *sync.Mutex
	w       io.Writer
}

func (h onStderr) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (h onStderr) Handle(_ context.Context, r slog.Record) error {
	h.lock.Lock()
	defer h.lock.Unlock()
	_, err := fmt.Fprintf(h.w, "%s: %s\n", h.program, strings.TrimPrefix(r.Message, "ross: "))
	return err
}

// WarnsTo reports whether a logger of Warnings writes to the same file, terminal or pipe as w, so that a user
// would see there twice what both of them say.
func WarnsTo(log *slog.Logger, w io.Writer) bool {
	if log == nil {
		return false
	}
	h, ok := log.Handler().(onStderr)
	if !ok {
		return false
	}
	a, isFile := h.w.(*os.File)
	b, areFiles := w.(*os.File)
	if !isFile || !areFiles {
		return false
	}
	if a == b {
		return true
	}
	x, err := a.Stat()
	if err != nil {
		return false
	}
	y, err := b.Stat()
	return err == nil && os.SameFile(x, y)
}

// The warnings of the engine have no attributes.
func (h onStderr) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h onStderr) WithGroup(string) slog.Handler      { return h }
