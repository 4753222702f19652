// The names of schedulers.

package ross

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSchedulersHaveNamesAndNumbers(t *testing.T) {
	for s := Sequential; s <= RollbackCheck; s++ {
		for _, text := range []string{s.String(), strings.ToUpper(s.String()), strings.ReplaceAll(s.String(), "-", "_"), fmt.Sprint(int(s))} {
			o, c, _ := pholdOptions()
			_, err := o.Parse([]string{"--synch=" + text})
			require.NoError(t, err)
			require.Equal(t, s, c.Synch, text)
		}
	}
	o, c, _ := pholdOptions()
	_, err := o.Parse([]string{"--synch=SEQUENTIAL_ROLLBACK_CHECK"}) // as ROSS's help has it
	require.NoError(t, err)
	require.Equal(t, RollbackCheck, c.Synch)
	_, err = o.Parse([]string{"--synch=optimal"})
	require.ErrorIs(t, err, ErrUsage)
	require.EqualError(t, err, "ross: option --synch=optimal: no such scheduler; give sequential, conservative, optimistic, "+
		"optimistic-debug, optimistic-realtime, rollback-check, auto, or a number, 1 to 6")
	_, err = o.Parse([]string{"--synch=7"})
	require.EqualError(t, err, "ross: option --synch=7: out of range; give 0 to 6, or auto")
	_, err = o.Parse([]string{"--synch=100"})
	require.EqualError(t, err, "ross: option --synch=100: out of range; give 0 to 6, or auto", "Auto has no number")
	_, err = o.Parse([]string{"--synch=AUTO"})
	require.NoError(t, err)
	require.Equal(t, Auto, c.Synch)
	require.Equal(t, "auto", Auto.String())
	require.Equal(t, "0", Scheduler(0).String())
}
