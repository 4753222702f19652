// What models do wrong when they are asked for samples.

package collect_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
)

func TestMistakesInSamplesNameTheLP(t *testing.T) {
	sends := func(lp *ross.LP) { ross.Send(lp, 1, 1, word{}) }
	panics := func(*ross.LP) { panic("no sample") }
	for name, c := range map[string]struct {
		in   func(*ross.Type[none, word], func(lp *ross.LP))
		does func(*ross.LP)
		text string
	}{
		"sample sends":  {inSample, sends, "sent LP 1 an event"},
		"sample panics": {inSample, panics, "panic: no sample"},
		"point sends":   {inPoint, sends, "sent LP 1 an event"},
		"point panics":  {inPoint, panics, "panic: no sample"},
	} {
		for _, synch := range []int{1, 3} {
			t.Run(name, func(t *testing.T) {
				typ := rosstest.Once(func(*ross.LP) {})
				c.in(&typ, c.does)
				cfg := rosstest.Small()
				cfg.Synch, cfg.ModelStats, cfg.VTInterval = ross.Scheduler(synch), 4, 5
				cfg.StatsPath = filepath.Join(t.TempDir(), "stats")
				out := rosstest.Try(t, cfg, typ)
				var mistake *ross.ModelError
				require.ErrorAs(t, out.Err, &mistake)
				require.Less(t, mistake.LP, ross.LPID(cfg.NLP))
				require.Equal(t, "once", mistake.Type)
				require.ErrorContains(t, out.Err, c.text)
			})
		}
	}
}

func inSample(t *ross.Type[none, word], does func(lp *ross.LP)) {
	t.SampleSize, t.Sample = 1, func(_ *none, lp *ross.LP, _ []byte) { does(lp) }
}

func inPoint(t *ross.Type[none, word], does func(lp *ross.LP)) {
	t.PointSize, t.Point = 1, func(_ *none, lp *ross.LP, _ *ross.Bits, _ []byte) { does(lp) }
}
