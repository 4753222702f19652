// This file pins that --synch=4 rolls everything back, and leaves nothing behind.

package ross_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/report"
)

func TestDebugRollsEverythingBack(t *testing.T) {
	for _, saving := range []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta} {
		t.Run(saving.String(), func(t *testing.T) {
			model := rosstest.Chatter(saving)
			model.Commit = func(*rosstest.Sum, *ross.LP, *ross.Bits, *word) { t.Error("an event was committed") }
			out := rosstest.Run(t, rosstest.Checking(4), model)
			st := out.Stats()
			assert.Contains(t, out.Report, report.StartLine(4))
			assert.NotContains(t, out.Report, "not to be seen")
			assert.Greater(t, st.EventsProcessed, uint64(50))
			assert.Equal(t, st.EventsProcessed, st.EventsRolledBack)
			assert.Zero(t, st.NetEvents())
			assert.Zero(t, *st.Digest)
			assert.Zero(t, st.EventsPastEnd)
			assert.Equal(t, fmt.Sprint(st.EventsProcessed), out.Figure("Events Rolled Back and Compared"))
			assert.EqualValues(t, 4, out.LiveEvents(), "the events of Init wait again")
			assert.NoError(t, out.CheckPools())
		})
	}
}
