// This file owns remarks and cautions: what a run says to its user beside results and errors, and how a
// program shows them on its standard error.

package ross

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
)

// remark tells the user, in the report, something of how the run goes that does no harm.
func (s *Simulation) remark(format string, args ...any) {
	s.printf("Note: %s\n", fmt.Sprintf(format, args...)) // which is rank 0's alone
}

// caution tells the user something that may not be what was meant, though the run goes on: in
// the report, which is the record of the run, and in Config.Log. Rank 0 tells it.
func (s *Simulation) caution(format string, args ...any) {
	if s.rank != 0 {
		return
	}
	s.remark(format, args...)
	s.warn(fmt.Sprintf(format, args...))
}

// onStderr is a handler of warnings for programs: each is a line that begins, as errors do, with the
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

// The engine gives its warnings no attributes.
func (h onStderr) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h onStderr) WithGroup(string) slog.Handler      { return h }
