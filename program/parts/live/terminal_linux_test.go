// The bar on a terminal: one line that fits, above which the report appears.

package live

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// terminal is a pseudo-terminal with the given number of columns.
type terminal struct {
	*os.File               // what a program has
	shown    chan struct{} // closed when text was seen
	all      chan string   // all that was written, when the file is closed
}

func openTerminal(t *testing.T, columns uint16, text string) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = master.Close() })
	fd := int(master.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}))
	file, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	x := &terminal{file, make(chan struct{}), make(chan string, 1)}
	go func() {
		var all []byte
		buf, found := make([]byte, 4096), false
		for {
			n, err := master.Read(buf)
			all = append(all, buf[:n]...)
			if !found && strings.Contains(string(all), text) {
				found = true
				close(x.shown)
			}
			if err != nil { // EIO: the last file of the terminal was closed
				x.all <- string(all)
				return
			}
		}
	}()
	return x
}

var escape = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")

func TestBarOnATerminalFitsItAndGoesAway(t *testing.T) {
	t.Setenv("TERM", "xterm")
	for _, c := range []struct {
		columns uint16
		fails   bool
		says    string // at least
	}{{20, false, "% ["}, {80, true, "ev/s"}, {200, false, "mem "}} {
		t.Run(fmt.Sprint(c.columns), func(t *testing.T) {
			x := openTerminal(t, c.columns, "% [")
			h := hold(t, config(1, 1), c.fails)
			v := begin(t, h, Options{}, x.File)
			h.start()
			<-x.shown
			require.Equal(t, c.fails, h.finish() != nil)
			require.NoError(t, v.Stop())
			requireGone(t)
			require.NoError(t, x.Close())
			all := <-x.all
			require.NotContains(t, all, "\n")
			require.Contains(t, all, c.says)
			for _, line := range strings.Split(escape.ReplaceAllString(all, ""), "\r") {
				require.LessOrEqual(t, utf8.RuneCountInString(line), int(c.columns), "%q", line)
			}
			require.True(t, strings.HasSuffix(all, "\x1b[2K\r"), "%q", all)
			require.NotContains(t, h.report.String(), progressLine)
		})
	}
}

// TestReportOnTheTerminalOfTheBarIsWhole: what is printed begins on a line that was
// cleared, and the bar leaves a line alone that is not complete.
func TestReportOnTheTerminalOfTheBarIsWhole(t *testing.T) {
	t.Setenv("TERM", "xterm")
	x := openTerminal(t, 100, "% [")
	cfg := config(1, 1)
	cfg.Output = x.File
	h := hold(t, cfg, false)
	v := begin(t, h, Options{}, x.File)
	h.start()
	<-x.shown
	b := v.bar
	print := func(text string) {
		_, err := h.Report().Write([]byte(text))
		require.NoError(t, err)
	}
	print("one ")
	require.True(t, b.midLine)
	b.draw(h.Snapshot())
	print("line\n")
	b.draw(h.Snapshot())
	require.NoError(t, h.finish())
	require.NoError(t, v.Stop())
	require.NoError(t, x.Close())
	all := <-x.all
	require.Contains(t, all, "\x1b[2K\rone line\r\n\r")
	require.Contains(t, all, "\x1b[2K\r*** END SIMULATION ***\r\n")
	require.NotContains(t, all, progressLine)
}

func TestNoBarOnATerminalThatCannotOrShallNot(t *testing.T) {
	for _, c := range []struct{ term, progress string }{{"dumb", "auto"}, {"xterm", "off"}} {
		t.Setenv("TERM", c.term)
		x := openTerminal(t, 80, "% [")
		h := hold(t, config(1, 1), false)
		close(h.proceed)
		require.NoError(t, Options{Progress: c.progress}.Run(context.Background(), h.Simulation, x.File))
		require.NoError(t, x.Close())
		require.Empty(t, <-x.all)
		require.Contains(t, h.report.String(), progressLine)
	}
}
