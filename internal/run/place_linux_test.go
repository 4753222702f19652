// This file pins where the threads of PEs run on the machine of the tests, and that no thread stays bound after a run.

package run_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/sys/topology"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

// sightings is where PEs were seen to run.
type sightings struct {
	sync.Mutex
	on map[ross.PEID]map[string]bool // by PE: lists of processors
}

// look notes which processors the thread of the LP may use.
func (s *sightings) look(lp *ross.LP) {
	s.Lock()
	defer s.Unlock()
	pe := lp.PE().ID()
	if s.on == nil {
		s.on = map[ross.PEID]map[string]bool{}
	}
	if s.on[pe] == nil {
		s.on[pe] = map[string]bool{}
	}
	s.on[pe][topology.Own().String()] = true
}

// lists returns the processors of all threads of the process.
func lists(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("/proc/self/task/*/status")
	require.NoError(t, err)
	all := map[string]bool{}
	for _, file := range files {
		text, _ := os.ReadFile(file) // the thread may have ended
		if _, rest, found := strings.Cut(string(text), "Cpus_allowed_list:"); found {
			list, _, _ := strings.Cut(rest, "\n")
			all[strings.TrimSpace(list)] = true
		}
	}
	return all
}

// bound runs a model whose KPs stay, and returns where its PEs ran.
func bound(t *testing.T, synch ross.Scheduler, pes int, bind ross.Binding) (*sightings, rosstest.Outcome) {
	t.Helper()
	cfg := rosstest.Small()
	cfg.Synch, cfg.PEs, cfg.NLP, cfg.End, cfg.Tuning.FixedKPs, cfg.Tuning.Bind = synch, pes, 4, 20, true, bind
	var s sightings
	return &s, rosstest.Run(t, cfg, rosstest.Forever(s.look))
}

func TestThreadsOfPEsRunWhereTheyAreBound(t *testing.T) {
	before, m := lists(t), topology.Here()
	if !m.Known {
		_, out := bound(t, ross.Optimistic, 1, ross.BindCores)
		require.Contains(t, out.Figure("Placement of PEs"), "none: ")
		return
	}
	pes := min(len(m.Cores), runtime.GOMAXPROCS(0))
	for _, c := range []struct {
		synch ross.Scheduler
		pes   int
		bind  ross.Binding
		want  []topology.Place
	}{
		{ross.Optimistic, pes, ross.BindCores, m.ByCore(pes)},
		{ross.Optimistic, pes, ross.BindSockets, m.BySocket(pes)},
		{ross.Conservative, pes, ross.BindCores, m.ByCore(pes)},
		{ross.Optimistic, 1, ross.BindCores, m.ByCore(1)},
		{ross.Sequential, 1, ross.BindCores, m.ByCore(1)},
		{ross.RollbackCheck, 1, ross.BindCores, m.ByCore(1)},
	} {
		s, out := bound(t, c.synch, c.pes, c.bind)
		require.Len(t, s.on, c.pes)
		for pe, place := range c.want {
			require.Equal(t, map[string]bool{place.Processors.String(): true}, s.on[ross.PEID(pe)], "PE %d", pe)
		}
		require.Contains(t, out.Figure("Placement of PEs"), " bound to "+c.bind.String()+": ")
		require.Equal(t, before, lists(t), "a thread has not got its processors back")
	}
	s, out := bound(t, ross.Optimistic, pes, ross.BindNone)
	require.Len(t, s.on, pes)
	for _, on := range s.on {
		require.Equal(t, before, on)
	}
	require.NotContains(t, out.Report, "Placement")
}

func TestProcessorsOfTheCallerAreNotWidened(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := topology.Own()
	all := before.All()
	last := topology.SetOf(all[len(all)-1])
	require.NoError(t, last.Bind())
	defer func() { require.NoError(t, before.Bind()) }()
	if !topology.Here().Known {
		return
	}
	s, _ := bound(t, ross.Optimistic, 1, ross.BindSockets)
	require.Equal(t, map[ross.PEID]map[string]bool{0: {last.String(): true}}, s.on)
	_, out := bound(t, ross.Optimistic, 2, ross.BindCores)
	require.Equal(t, "none: there are more PEs (2) than processors (1)", out.Figure("Placement of PEs"))
	require.Contains(t, out.Report,
		"Note: --bind=cores: PEs are not bound to processors: there are more PEs (2) than processors (1)\n")
}

// TestLPsAreMadeNearToTheirPE: pages are taken near to the processor that first writes to them.
func TestLPsAreMadeNearToTheirPE(t *testing.T) {
	nothing := ross.On(func(*rosstest.None, *ross.LP, *rosstest.Word) {})
	few, more := ross.Type[rosstest.None]{LPs: 5, Event: nothing}, ross.Type[rosstest.None]{LPs: 7, Event: nothing}
	for _, types := range [][]ross.LPType{{more}, {more, few}} {
		cfg := rosstest.Small()
		cfg.Synch, cfg.PEs, cfg.Tuning.Bind = ross.Optimistic, 3, ross.BindNone
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		var made []uint64
		runOf(sim).Near = func(pe uint64, f func()) {
			made = append(made, pe)
			f()
		}
		require.NoError(t, sim.Define(types...))
		require.Equal(t, []uint64{0, 1, 2}, made)
	}
}

// TestOnlyOneSimulationIsBound of those that a program runs at a time: the others would choose the same processors.
func TestOnlyOneSimulationIsBound(t *testing.T) {
	if !topology.Here().Known {
		return
	}
	cfg := rosstest.Small()
	cfg.Synch, cfg.NLP, cfg.Tuning.Bind = ross.Optimistic, 4, ross.BindCores
	inner := ""
	out := rosstest.Run(t, cfg, rosstest.Once(func(*ross.LP) {
		if inner == "" { // it may be handled again
			_, out := bound(t, ross.Optimistic, 1, ross.BindCores)
			inner = out.Figure("Placement of PEs")
		}
	}))
	require.Equal(t, "none: another simulation of this program has bound its PEs", inner)
	require.Contains(t, out.Figure("Placement of PEs"), "1 PE bound to cores: ")
	_, out = bound(t, ross.Optimistic, 1, ross.BindCores)
	require.Contains(t, out.Figure("Placement of PEs"), "1 PE bound to cores: ", "the first is over")
}

func TestDigestDoesNotDependOnTheBinding(t *testing.T) {
	before := lists(t)
	for name, l := range loads {
		want := plainDigest(t, name)
		for _, bind := range []ross.Binding{ross.BindAuto, ross.BindNone, ross.BindCores, ross.BindSockets} {
			for what, set := range map[string]func(*ross.Config){
				"sequential": func(*ross.Config) {},
				"optimistic": func(c *ross.Config) { c.Synch = ross.Optimistic },
				"real time":  func(c *ross.Config) { c.Synch = ross.OptimisticRealTime },
				"auto":       func(c *ross.Config) { changing(t, c, 2) }, // each stretch has threads of its own
			} {
				if testlevel.Few.LeavesOut(name, "spread") || what == "auto" && bind != ross.BindCores { // which takes a second
					continue
				}
				testkit.Watch(t)
				require.Equal(t, want, l().digest(t, func(c *ross.Config) {
					if c.Tuning.Bind = bind; what != "sequential" {
						onPEs(2)(c)
					}
					set(c)
				}), "%s, %s, --bind=%v", name, what, bind)
			}
		}
	}
	require.Equal(t, before, lists(t), "a thread has not got its processors back")
}
