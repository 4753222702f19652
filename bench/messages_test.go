package bench

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
)

// BenchmarkMessages compares handlers of ross.On with a message that says its kind.
func BenchmarkMessages(b *testing.B) {
	for _, pes := range []int{0, 1, 2} {
		for _, on := range []bool{false, true} {
			m := Messages{On: on, LPs: 1024, PEs: pes}
			b.Run(m.String(), m.Run)
		}
	}
}

// What is compared does the same.
func TestMessagesAgree(t *testing.T) {
	final := func(on bool, synch ross.Scheduler) (all []messagesState) {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.NLP, cfg.End = synch, 64, 5
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(Messages{On: on, LPs: 64}.model()))
		require.NoError(t, sim.Run(context.Background()))
		for i := range ross.LPID(64) {
			all = append(all, *ross.StateOf[messagesState](sim.LP(i)))
		}
		return all
	}
	want := final(false, ross.Sequential)
	require.Equal(t, want, final(true, ross.Sequential))
	require.Equal(t, want, final(true, ross.RollbackCheck))
	require.Equal(t, want, final(true, ross.Optimistic))
}
