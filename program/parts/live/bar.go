// This file owns the progress bar: when it is drawn, and how it makes way for other
// output.

package live

import (
	"cmp"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/ross-go/ross"
)

const (
	drawEvery = time.Second / 4
	parts     = 1000 // for a run that has an end
	mostBar   = 30   // columns
)

// bar is a progress bar on a terminal, or on another output if requested.
type bar struct {
	sim      *ross.Simulation
	out      io.Writer
	terminal bool
	giveBack func()
	done     chan struct{}
	gone     sync.WaitGroup

	lock    sync.Mutex // guards the following fields, and the terminal
	lib     *progressbar.ProgressBar
	recent  recent
	drawn   bool
	midLine bool // the last output did not end its line, and would be overwritten
}

func newBar(sim *ross.Simulation, out io.Writer) *bar {
	b := &bar{sim: sim, out: out, terminal: isTerminal(out), done: make(chan struct{})}
	b.recent.add(0, 0)
	total := int64(parts)
	if math.IsInf(sim.Snapshot().End, 1) {
		total = -1 // a turning stroke
	}
	b.lib = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(out),
		progressbar.OptionUseANSICodes(b.terminal),
		progressbar.OptionSetWidth(mostBar),
		progressbar.OptionSetTheme(progressbar.Theme{Saucer: "=", SaucerHead: ">", SaucerPadding: " ", BarStart: "[",
			BarEnd: "]"}),
		progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetSpinnerChangeInterval(0), // it turns at each draw
	)
	return b
}

// start draws the bar until stop.
func (b *bar) start() {
	b.giveBack = b.sim.TakeProgress(b.wrap)
	b.gone.Go(func() {
		ticker := time.NewTicker(drawEvery)
		defer ticker.Stop()
		b.drawAt(ticker.C)
	})
}

// drawAt draws the bar at each tick.
func (b *bar) drawAt(ticks <-chan time.Time) {
	for {
		select {
		case <-ticks:
			b.draw(b.sim.Snapshot())
		case <-b.done:
			return
		}
	}
}

// stop removes the bar. On an output that is not a terminal its last state stays.
func (b *bar) stop() {
	close(b.done)
	b.gone.Wait()
	b.giveBack()
	if b.terminal {
		b.lock.Lock()
		defer b.lock.Unlock()
		b.clear()
		return
	}
	s := b.sim.Snapshot()
	b.draw(s)
	if fraction(&s) == 1 {
		_ = b.lib.Finish()
	}
	_, _ = io.WriteString(b.out, "\n")
}

// draw draws the bar. Errors of the terminal do not affect the run.
func (b *bar) draw(s ross.Snapshot) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.recent.add(s.Elapsed, s.EventsCommitted)
	if b.midLine {
		return
	}
	b.drawn = true
	room := columns(b.out) - leastBar
	b.lib.Describe(fit(fields(&s, b.recent.rate()), room))
	if !math.IsInf(s.End, 1) {
		// The library takes 100 % as the end, and draws no more after it.
		_ = b.lib.Set(min(int(parts*fraction(&s)), parts-1))
	}
}

// leastBar is the least width of a line without its text, in columns: a percentage, a
// short bar with its brackets, spaces.
const leastBar = 5 + 12 + 5

// clear removes the bar from the terminal.
func (b *bar) clear() {
	if b.drawn {
		_ = b.lib.Clear()
		b.drawn = false
	}
}

// wrap returns a writer that removes the bar before it writes to w, if both appear to be
// the same terminal.
func (b *bar) wrap(w io.Writer) io.Writer {
	if b.terminal && !isTerminal(w) {
		return w
	}
	return aside{b, w}
}

type aside struct {
	b *bar
	w io.Writer
}

func (a aside) Write(p []byte) (int, error) {
	a.b.lock.Lock()
	defer a.b.lock.Unlock()
	if a.b.terminal {
		a.b.clear()
		a.b.midLine = len(p) > 0 && p[len(p)-1] != '\n'
	}
	return a.w.Write(p)
}

// isTerminal reports whether w is a terminal on which a line can be drawn again.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// columns returns the width of a terminal, or a usual width if w is not a terminal.
func columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return cmp.Or(width, 80) // the terminal does not report its size
		}
	}
	return 120
}
