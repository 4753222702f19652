// This file pins the processors of threads of the machine that the tests run on.

package topology_test

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/topology"
)

// ofThread returns the processors of the calling thread as the system writes them.
func ofThread(t *testing.T) string {
	t.Helper()
	status, err := os.ReadFile("/proc/thread-self/status")
	require.NoError(t, err)
	for line := range strings.Lines(string(status)) {
		if list, found := strings.CutPrefix(line, "Cpus_allowed_list:"); found {
			return strings.TrimSpace(list)
		}
	}
	return ""
}

func TestAThreadIsBoundAndFreedAgain(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := topology.Own()
	require.Equal(t, ofThread(t), before.String())
	all := before.All()
	last := topology.SetOf(all[len(all)-1])
	require.NoError(t, last.Bind())
	require.Equal(t, last.String(), ofThread(t))
	require.Equal(t, last.String(), topology.Own().String())
	require.Equal(t, last.String(), topology.Here().Processors().String(), "what is not allowed is no part of the machine")
	require.NoError(t, before.Bind())
	require.Equal(t, before.String(), ofThread(t))
	require.Error(t, topology.Set(nil).Bind())
}

func TestThisMachineHasTheProcessorsThatTheThreadMayUse(t *testing.T) {
	m := topology.Here()
	require.Equal(t, topology.Own().String(), m.Processors().String())
	require.Len(t, m.ByCore(len(m.Cores)), len(m.Cores))
}
