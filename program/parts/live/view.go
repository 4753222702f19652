// This file owns View, which shows a run from its start to its end.

package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/ross-go/ross"
)

// View is what shows a run: a bar, a server, both or neither.
type View struct {
	bar    *bar
	server *server
	linger time.Duration
	stderr io.Writer
	once   sync.Once
	err    error

	barOnce sync.Once
}

// Start begins to show sim. Call it after Define and before Run, and Stop after Run. The
// bar, and lines about the server, go to stderr.
//
// On an error nothing is shown, and the View is nil. The error says what to do: the
// address is not available, or, with ross.ErrUsage, the options are invalid.
func Start(sim *ross.Simulation, o Options, stderr io.Writer) (*View, error) {
	progress, err := parseProgress(cmp.Or(o.Progress, auto))
	if err != nil {
		return nil, fmt.Errorf("ross: option --progress=%s: %w: %w", o.Progress, err, ross.ErrUsage)
	}
	if o.HTTPLinger < 0 {
		return nil, fmt.Errorf("ross: option --http-linger=%v: below 0; give a duration such as 30s, or 0: %w", o.HTTPLinger,
			ross.ErrUsage)
	}
	v := &View{linger: o.HTTPLinger, stderr: stderr}
	if o.HTTP != "" {
		if v.server, err = serve(sim, o.HTTP, stderr); err != nil {
			return nil, err
		}
	}
	if sim.Rank() == 0 && (progress == on || progress == auto && isTerminal(stderr)) {
		v.bar = newBar(sim, stderr)
		v.bar.start()
	}
	return v, nil
}

// Linger waits after the run for Options.HTTPLinger, so that those who look on learn how it
// ended. Call it after Run and before Stop, when everything else of the run has been done. It returns
// early when ctx ends meanwhile. After a signal that has stopped the run it waits as well; the next signal ends the
// process. A View without a server does not wait.
func (v *View) Linger(ctx context.Context) {
	v.StopBar()
	if v.server != nil {
		if v.linger > 0 {
			fmt.Fprintf(v.stderr, "ross: live figures at %s for %v more: Ctrl-C ends that\n", v.server.url, v.linger)
		}
		v.server.linger(ctx, v.linger)
	}
}

// StopBar removes the bar. Call it after Run by a program that prints more before Stop, which removes
// it as well.
func (v *View) StopBar() {
	if v.bar != nil {
		v.barOnce.Do(v.bar.stop)
	}
}

// Stop ends what Start began, and returns when all of it has ended. The error is that of a
// server that failed before. Stop may be called again, also by other goroutines.
func (v *View) Stop() error {
	v.once.Do(func() {
		v.StopBar()
		if v.server != nil {
			v.err = v.server.stop()
		}
	})
	return v.err
}

// URL returns the server's URL, "" if there is no server.
func (v *View) URL() string {
	if v.server == nil {
		return ""
	}
	return v.server.url
}

// Run runs sim, as its Run does, and shows it meanwhile. With a server it returns after Linger.
func (o Options) Run(ctx context.Context, sim *ross.Simulation, stderr io.Writer) error {
	v, err := Start(sim, o, stderr)
	if err != nil {
		return err
	}
	defer v.Stop() // even if the model ends the goroutine
	err = sim.Run(ctx)
	v.Linger(ctx)
	return errors.Join(err, v.Stop())
}
