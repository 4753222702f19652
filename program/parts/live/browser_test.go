//go:build browser

// The page in a browser: through the start, the run and the end of a simulation, a second one at the
// same address, and one that is gone.

package live

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/browsertest"
	"github.com/ross-go/ross/internal/testing/testkit"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

var (
	desktop = browsertest.Looks{Width: 1280, Height: 900}
	phone   = browsertest.Looks{Width: 390, Height: 844, Phone: true, Dark: true}
)

// requireUsable requires that everybody can use the page as it is now, in all widths and both colours.
func requireUsable(t *testing.T, p *browsertest.Page) {
	t.Helper()
	for _, l := range []browsertest.Looks{desktop, phone, {Width: 390, Height: 844, Phone: true},
		{Width: 1600, Height: 900, Dark: true}} {
		require.NoError(t, p.Look(l))
		barriers, err := p.Barriers()
		require.NoError(t, err)
		require.Empty(t, barriers, "%+v", l)
		require.NoError(t, p.Wait("[...document.querySelectorAll('#plot svg text')].every(t => t.getBBox().x >= 0 && "+
			"t.getBBox().x + t.getBBox().width <= t.ownerSVGElement.viewBox.baseVal.width + 0.5)", testkit.Limit(t)),
			"titles and labels of charts are whole")
		wide := 0.0
		require.NoError(t, p.Value("document.documentElement.scrollWidth", &wide))
		require.LessOrEqual(t, wide, float64(l.Width), "the page must not be wider than its window")
	}
	require.NoError(t, p.Look(desktop))
}

// text returns what an element shows.
func text(t *testing.T, p *browsertest.Page, id string) (s string) {
	t.Helper()
	require.NoError(t, p.Value("document.getElementById('"+id+"').innerText", &s))
	return s
}

// at returns a free address of this machine.
func at(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().String()
}

func TestPageFollowsARunToItsEndAndTheNextOne(t *testing.T) {
	b, address := browsertest.Of(t), at(t)
	h := hold(t, config(3, 2), false)
	v := begin(t, h, Options{HTTP: address}, io.Discard)
	p, err := b.Open(v.URL(), desktop)
	require.NoError(t, err)
	require.NoError(t, p.Wait("document.getElementById('state').innerText == 'about to begin'", testkit.Limit(t)))
	require.Empty(t, p.Troubles())

	h.start()
	require.NoError(t, p.Wait("document.title.match(/^[1-9][0-9]* % live.test$/)", testkit.Limit(t)))
	require.Equal(t, "running", text(t, p, "state"))
	require.NoError(t, p.Wait("document.querySelectorAll('#pes tr').length == 2", testkit.Limit(t)))
	require.NoError(t, p.Wait("document.querySelector('path.rate') && document.querySelector('path.memory')",
		testkit.Limit(t)))
	require.NotEqual(t, "0", text(t, p, "committed"))
	require.NoError(t, p.Wait("document.getElementById('handling').innerText.match(/^[0-2] of 2$/)", testkit.Limit(t)))
	require.NoError(t,
		p.Wait("new Set([...document.querySelectorAll('#cards dt')].map(e => e.getBoundingClientRect().height)).size == 1",
			testkit.Limit(t)), "tiles align")
	require.NoError(t, p.Wait("plain('at time 30.09919014233816, 7 of 12.5') == 'at time 30.0992, 7 of 12.5'",
		testkit.Limit(t)), "no raw numbers")
	requireUsable(t, p)

	// The keyboard reaches other times, which the chart says aloud.
	require.NoError(t, p.Value("document.getElementById('plot').focus()", nil))
	require.NoError(t, p.Key("Home"))
	require.NoError(t,
		p.Wait("document.getElementById('plot').getAttribute('aria-valuetext').startsWith('At 0.') && document.querySelector('.cross')", testkit.Limit(t)))
	require.Equal(t, text(t, p, "readout"), strings.TrimSpace(text(t, p, "readout")))

	// A viewer who comes late sees the same past.
	late, err := b.Open(v.URL(), phone)
	require.NoError(t, err)
	require.NoError(t, late.Wait("document.querySelector('path.memory')", testkit.Limit(t)))
	require.NoError(t, late.Close())

	require.NoError(t, h.finish())
	v.Linger(context.Background())
	require.NoError(t, v.Stop())
	require.NoError(t, p.Wait("document.getElementById('state').innerText == 'complete'", testkit.Limit(t)))
	require.NoError(t, p.Wait("document.title == '100 % live.test complete'", testkit.Limit(t)))
	require.NoError(t, p.Wait("document.getElementById('note').innerText.startsWith('The run is over')", testkit.Limit(t)))
	require.Equal(t, []string{"ended", "ended"}, cells(t, p, 1))
	requireUsable(t, p)
	_ = p.Troubles("ERR_CONNECTION") // the server has gone

	again := hold(t, config(1, 1), true)
	v = begin(t, again, Options{HTTP: address}, io.Discard)
	require.NoError(t, p.Wait("document.getElementById('note').innerText.startsWith('This is another run')",
		testkit.Limit(t)))
	require.NoError(t, p.Wait("document.getElementById('state').innerText == 'about to begin'", testkit.Limit(t)))
	require.Empty(t, p.Troubles())
	require.NoError(t, p.Wait("document.querySelectorAll('path.rate').length == 0", testkit.Limit(t)),
		"the past of the first run")
	again.start()
	require.NoError(t, p.Wait("document.getElementById('state').innerText == 'running'", testkit.Limit(t)))
	require.Error(t, again.finish())
	v.Linger(context.Background())
	require.NoError(t, v.Stop())
	require.NoError(t, p.Wait("document.getElementById('state').innerText.match(/^failed: .*no more/)", testkit.Limit(t)))
	require.Empty(t, p.Troubles("ERR_CONNECTION"))
}

// cells returns the texts of a column of the table of PEs.
func cells(t *testing.T, p *browsertest.Page, column int) (all []string) {
	t.Helper()
	require.NoError(t, p.Value("[...document.querySelectorAll('#pes tr')].map(r => r.cells["+string(rune('0'+column))+
		"].innerText.trim())", &all))
	return all
}

func TestPageSaysThatTheConnectionIsLost(t *testing.T) {
	b := browsertest.Of(t)
	h := hold(t, config(1, 1), false)
	v := begin(t, h, Options{HTTP: "0"}, io.Discard)
	p, err := b.Open(v.URL(), desktop)
	require.NoError(t, err)
	h.start()
	require.NoError(t, p.Wait("document.getElementById('state').innerText == 'running'", testkit.Limit(t)))
	require.NoError(t, v.Stop()) // as if the program had been killed
	require.NoError(t, p.Wait("document.getElementById('state').innerText == 'connection lost'", testkit.Limit(t)))
	require.NoError(t, p.Wait("document.title.startsWith('Lost: ')", testkit.Limit(t)))
	requireUsable(t, p)
	require.NoError(t, h.finish())
}

func TestPageSaysThatASignalStoppedTheRun(t *testing.T) {
	b := browsertest.Of(t)
	h := hold(t, config(3, 2), false)
	v := begin(t, h, Options{HTTP: "0"}, io.Discard)
	p, err := b.Open(v.URL(), desktop)
	require.NoError(t, err)
	ctx, cancel := context.WithCancelCause(context.Background())
	go func() { h.ended <- h.Run(ctx) }()
	<-h.reached
	require.NoError(t, p.Wait("document.getElementById('state').innerText == 'running'", testkit.Limit(t)))
	cancel(&ross.Interrupt{Signal: 15})
	var i *ross.Interrupt
	require.True(t, errors.As(h.finish(), &i))
	v.Linger(ctx) // until the page has the end
	require.NoError(t, v.Stop())
	require.NoError(t,
		p.Wait("document.getElementById('state').innerText.match(/^stopped: .*interrupted \\(terminated\\)/)",
			testkit.Limit(t)))
}
