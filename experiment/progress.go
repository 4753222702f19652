// This file owns the progress bar.

package experiment

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// bar shows how many replications are finished. A nil bar shows nothing.
type bar struct {
	out io.Writer
	lib *progressbar.ProgressBar
}

func newBar(out io.Writer, name string) *bar {
	if out == nil {
		return nil
	}
	return &bar{out, progressbar.NewOptions64(1,
		progressbar.OptionSetWriter(out),
		progressbar.OptionSetDescription(name),
		progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(time.Second/4),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine of its own
		progressbar.OptionSetTheme(progressbar.Theme{Saucer: "=", SaucerHead: ">", SaucerPadding: " ", BarStart: "[", BarEnd: "]"}),
	)}
}

// show sets the numbers, and draws them if they are new and the last drawing is a while ago. Errors of the output do not affect the experiment.
func (b *bar) show(done, total int) {
	if b == nil {
		return
	}
	b.lib.ChangeMax(max(total, 1))
	// The library takes the last number as the end, after which it draws no more.
	_ = b.lib.Set(min(done, max(total, 1)-1))
}

// finish draws the last numbers and ends the line.
func (b *bar) finish(done, total int) {
	if b == nil {
		return
	}
	b.lib.ChangeMax(max(total, 1))
	if done == total {
		_ = b.lib.Finish()
	} else {
		_ = b.lib.RenderBlank()
	}
	_, _ = io.WriteString(b.out, "\n")
}
